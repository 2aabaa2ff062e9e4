//! When a fast collider first meets another.

use super::motion::motion_of;
use super::{Hit, Scene, Swept, Twist, time};
use crate::base::convert::{real, to_real, vector};
use crate::base::tolerances;
use crate::read::bodies::Role;
use nalgebra::Vector3;
use rapier::parry::query::NonlinearRigidMotion;
use rapier::prelude::*;

/// A body is fast when it moves by more than this share of its thinnest extent in a step \[-\]: rapier's own number.
const FAST_SHARE: f64 = 0.5;

/// Parry ends its search for the time of an impact once it gains less \[s\]: its own number.
const LAST_GAIN: f64 = 10.0
    * if size_of::<Real>() == 4 {
        f32::EPSILON as f64
    } else {
        f64::EPSILON
    };

impl Scene<'_> {
    /// The first impact of a fast body within the step, or of one with `ccd_enabled` that something fast meets.
    pub(super) fn first_impact(&self, handle: RigidBodyHandle) -> Option<Hit> {
        let rb = self.world.bodies.get(handle)?;
        let is_bullet = rb.is_ccd_enabled();
        if self.movers.is_empty() && !is_bullet {
            return None;
        }
        let twist = self.twist(handle)?;
        let reach = self.way(rb, twist);
        let is_far = reach > self.reach.covered(handle);
        if !is_far && (!is_bullet || self.movers.is_empty()) {
            return None;
        }
        let mut first: Option<Hit> = None;
        for &co in rb.colliders() {
            let Some(collider) = self.world.colliders.get(co) else {
                continue;
            };
            if !collider.is_enabled() || collider.is_sensor() || !is_swept(collider) {
                continue;
            }
            let is_fast = is_far && reach > FAST_SHARE * real(collider.shape().ccd_thickness());
            if is_fast || is_bullet {
                let own = Swept {
                    body: handle,
                    handle: co,
                    collider,
                    twist,
                };
                self.sweep(own, is_fast, &mut first);
            }
        }
        first
    }

    /// Sweeps a collider against what lies ahead, if its own way is far, and against what moves far.
    fn sweep(&self, own: Swept<'_>, is_fast: bool, first: &mut Option<Hit>) {
        let world = self.world;
        let (handle, collider) = (own.body, own.collider);
        let Some(rb) = world.bodies.get(handle) else {
            return;
        };
        let area = self.area(rb, collider, own.twist);
        let ahead = self.movers.iter();
        let ahead = ahead.take_while(|mover| mover.area.mins.x <= area.maxs.x);
        for mover in ahead {
            if mover.body != handle
                && mover.area.intersects(&area)
                && let Some(target) = world.colliders.get(mover.collider)
                && collider.collision_groups().test(target.collision_groups())
            {
                self.find_impact(own, mover.collider, target, first);
            }
        }
        if !is_fast {
            return;
        }
        let query = world.broad_phase.as_query_pipeline(
            world.narrow_phase.query_dispatcher(),
            world.bodies,
            world.colliders,
            QueryFilter::default()
                .exclude_rigid_body(handle)
                .exclude_sensors()
                .groups(collider.collision_groups()),
        );
        for (other, target) in query.intersect_aabb_conservative(area) {
            let moves_far = |body| {
                let rb = world.bodies.get(body)?;
                Some(self.way(rb, self.twist(body)?) > self.reach.covered(body))
            };
            // Those are among the movers.
            if target.parent().and_then(moves_far) != Some(true) {
                self.find_impact(own, other, target, first);
            }
        }
    }

    /// When a collider meets another, if before anything else.
    fn find_impact(
        &self,
        own: Swept<'_>,
        other: ColliderHandle,
        target: &Collider,
        first: &mut Option<Hit>,
    ) {
        if !self.is_target(own, other, target) {
            return;
        }
        let Swept {
            body: handle,
            collider,
            twist,
            ..
        } = own;
        let (world, h) = (self.world, self.h);
        let parent = target.parent();
        let rb = world.bodies.get(handle);
        let body = parent.and_then(|body| world.bodies.get(body));
        let theirs = parent.and_then(|body| self.twist(body)).unwrap_or_default();
        let motion = motion_of(collider, rb, twist);
        let moving = motion_of(target, body, theirs);
        let stops = parent.map_or(h, |body| time(self.bodies, self.trees, body, h));
        let until = first.map_or(time(self.bodies, self.trees, handle, h), |hit| hit.time);
        let still =
            NonlinearRigidMotion::constant_position(moving.position_at_time(to_real(stops)));
        let half_turn =
            |(_, angular): Twist| (0.5 * h * angular.norm()).min(std::f64::consts::FRAC_PI_2);
        let parts = (half_turn(twist).max(half_turn(theirs)) / tolerances::SMALL_TURN)
            .ceil()
            .max(1.0) as u32;
        let dispatcher = world.narrow_phase.query_dispatcher();
        let cast = |motion_of_target: &NonlinearRigidMotion, from: f64, to: f64| {
            let at = |k: u32| to_real(from + (to - from) * f64::from(k) / f64::from(parts));
            (0..parts).filter(|_| to > from).find_map(|k| {
                let cast = dispatcher.cast_shapes_nonlinear(
                    motion_of_target,
                    target.shape(),
                    &motion,
                    collider.shape(),
                    at(k),
                    at(k + 1),
                    false,
                );
                cast.ok().flatten()
            })
        };
        let hit = cast(&moving, 0.0, until.min(stops)).or_else(|| cast(&still, stops, until));
        let Some(hit) = hit else { return };
        let impact = real(hit.time_of_impact);
        let [own_way, their_way] = [(rb, twist), (body, theirs)]
            .map(|(rb, twist)| rb.map_or(0.0, |rb| self.way(rb, twist)));
        let together = own_way + their_way;
        let time = (impact - 2.0 * LAST_GAIN - self.slop * h / together).max(0.0);
        // One that goes on by less ends in contact.
        let thin = real(
            collider
                .shape()
                .ccd_thickness()
                .min(target.shape().ccd_thickness()),
        );
        let moves_far = their_way > FAST_SHARE * thin && impact <= stops;
        let is_prescribed = parent.is_some_and(|body| self.bodies.role(body) == Role::Prescribed);
        let carries = match (moves_far && is_prescribed, rb, body) {
            (true, Some(rb), Some(body)) => {
                let arm = vector(rb.center_of_mass() - body.center_of_mass());
                let later = twist.0 * time - theirs.0 * time;
                theirs.0 + theirs.1.cross(&(arm + later))
            }
            _ => Vector3::zeros(),
        };
        *first = Some(Hit {
            body: handle,
            time,
            target: parent.filter(|_| moves_far),
            carries,
        });
    }
}

/// Meshes and the like are swept against, not swept: as in rapier.
fn is_swept(collider: &Collider) -> bool {
    use rapier::parry::shape::TypedShape as T;
    !matches!(
        collider.shape().as_typed_shape(),
        T::TriMesh(_) | T::Polyline(_) | T::HeightField(_) | T::Voxels(_) | T::HalfSpace(_)
    )
}
