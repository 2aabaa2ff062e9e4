//! How far bodies may move in a step, and so how far off contacts are looked for.
//!
//! Rapier looks for contacts of all pairs within one prediction distance; what it has per body
//! (`soft_ccd_prediction`) acts in steps of some length only, and detection here is a step of none. So a fast body is
//! given a bounding box that covers its way, which has the broad phase find the pairs it may come to, and the
//! pipeline's query dispatcher ([`crate::detect::dispatch`]) looks farther for the points of those. Whoever is slow
//! keeps to the prediction distance.

use crate::base::convert::{real, to_real, to_vector, vector};
use crate::base::tolerances;
use crate::detect::place;
use crate::read::prescribed::prescribed_twist;
use crate::read::world::World;
use nalgebra::Vector3;
use rapier::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier::parry::math::Pose;
use rapier::prelude::*;

/// A body that may move by more than the rest.
#[derive(Clone, Copy, Debug)]
struct Fast {
    body: RigidBodyHandle,
    /// By how much in this step, at most what is looked for \[m\].
    reach: f64,
}

/// Who moves how far in this step; buffers are kept.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// Sorted by the index of the body.
    fast: Vec<Fast>,
    looked_at: Vec<RigidBodyHandle>,
    /// Bodies that go farther than contacts are looked for around one at rest.
    quick: Vec<RigidBodyHandle>,
    /// The bounding boxes that fast colliders were given.
    boxes: Vec<(ColliderHandle, Aabb)>,
    /// Bodies in the set, and active ones, when it was last looked at.
    counted: [usize; 2],
    /// The farthest that two bodies may approach each other \[m\].
    farthest: f64,
    /// Within which contacts of slow bodies are looked for \[m\].
    near: f64,
    /// The most that contacts of fast ones are \[m\].
    most: f64,
    /// Whether hooks decide about contacts: what is beyond rapier's prediction distance is not shown to them,
    /// and left out.
    pub(crate) hooked: bool,
}

/// What bounds how far bodies move in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotionBounds {
    pub(crate) gravity: Vector3<f64>,
    pub(crate) h: f64,
    /// The user's prediction distance \[m\].
    pub(crate) prediction: f64,
    /// Whether fast bodies can have a reach of their own: the pipeline's dispatcher is in place.
    pub(crate) apart: bool,
}

impl Reach {
    /// Before detection: how far everything may move. O(active bodies), O(bodies) where one came or went.
    pub(crate) fn survey(&mut self, world: &World<'_>, bounds: MotionBounds) {
        self.looked_at.clear();
        let counted = [world.bodies.len(), world.islands.num_active_bodies()];
        if counted[0] == self.counted[0] {
            self.looked_at.extend(world.islands.active_bodies());
        } else {
            let all = world.bodies.iter().map(|(handle, _)| handle);
            self.looked_at.extend(all);
        }
        self.counted = counted;
        self.look(world, bounds);
    }

    /// After detection: whether somebody turned up (woken, or in the place of another) who goes farther than
    /// was looked for. O(1) unless somebody did.
    pub(crate) fn is_exceeded(&mut self, world: &World<'_>, bounds: MotionBounds) -> bool {
        let active = world.islands.num_active_bodies();
        if active == self.counted[1] || self.looked_at.len() == self.counted[0] {
            self.counted[1] = active;
            return false;
        }
        let (near, known) = (self.near, self.fast.len());
        self.counted[1] = active;
        self.looked_at.clear();
        self.looked_at.extend(world.islands.active_bodies());
        self.look(world, bounds);
        self.near > near || self.fast.len() > known
    }

    fn look(&mut self, world: &World<'_>, bounds: MotionBounds) {
        self.most = tolerances::MAX_GROWTH * bounds.prediction;
        let slack = 2.0 * bounds.h * bounds.h * bounds.gravity.norm();
        let mut fastest = [0.0_f64; 2];
        let low = bounds.prediction / tolerances::MAX_GROWTH;
        let mut moving = 0;
        self.fast.clear();
        self.quick.clear();
        for &body in &self.looked_at {
            let moves = |rb: &&RigidBody| rb.is_enabled() && !rb.is_fixed() && !rb.is_sleeping();
            let Some(rb) = world.bodies.get(body).filter(moves) else {
                continue;
            };
            moving += 1;
            let [linear, turning] = speeds(rb, world.colliders, bounds.h);
            let way = bounds.h * (linear + turning);
            if !way.is_finite() {
                continue;
            }
            if way > fastest[0] {
                fastest = [way, fastest[0]];
            } else {
                fastest[1] = fastest[1].max(way);
            }
            // Contacts of two at rest are looked for within `low` and both their slacks, of which half is the fall.
            if 4.0 * way > low + 2.0 * slack {
                self.quick.push(body);
            }
            let reach = (way + slack).min(self.most);
            if 4.0 * reach > low {
                self.fast.push(Fast { body, reach });
            }
        }
        self.farthest = fastest[0] + fastest[1] + slack;
        if !bounds.apart {
            self.fast.clear();
            self.near = if 2.0 * self.farthest < low {
                low
            } else {
                self.farthest.clamp(bounds.prediction, self.most)
            };
            return;
        }
        self.near = if self.fast.len() * tolerances::FEW <= moving {
            low
        } else {
            self.fast
                .retain(|fast| 2.0 * fast.reach > bounds.prediction);
            bounds.prediction
        };
        self.fast
            .sort_unstable_by_key(|fast| fast.body.into_raw_parts().0);
    }

    /// Bodies that go farther than contacts are looked for around one at rest.
    pub(crate) fn quick(&self) -> &[RigidBodyHandle] {
        &self.quick
    }

    /// Within which contacts of slow bodies are looked for \[m\].
    pub(crate) fn near(&self) -> f64 {
        self.near
    }

    /// Whether bodies may approach each other by more than contacts are looked for in general.
    pub(crate) fn exceeds_near(&self) -> bool {
        self.farthest > self.near
    }

    /// How much farther contacts of a body are looked for \[m\].
    pub(crate) fn of(&self, body: Option<RigidBodyHandle>) -> f64 {
        let Some(body) = body.filter(|_| !self.fast.is_empty()) else {
            return 0.0;
        };
        let index = body.into_raw_parts().0;
        let at = self
            .fast
            .binary_search_by_key(&index, |fast| fast.body.into_raw_parts().0);
        at.map_or(0.0, |at| self.fast[at].reach)
    }

    /// Within which all contacts of a body were looked for \[m\].
    pub(crate) fn covered(&self, body: RigidBodyHandle) -> f64 {
        if self.of(Some(body)) > 0.0 && !self.hooked {
            self.most.max(self.near)
        } else {
            self.near
        }
    }

    /// The shapes of fast bodies, by where they lie in memory, with their reach.
    pub(crate) fn shapes<'a>(
        &'a self,
        world: &'a World<'_>,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        self.fast.iter().flat_map(|fast| {
            let rb = world.bodies.get(fast.body);
            let own = rb.map_or(&[][..], RigidBody::colliders).iter();
            let own = own.filter_map(|co| world.colliders.get(*co));
            own.map(|co| (place::of_shape(co.shape()), fast.reach))
        })
    }

    /// Gives fast bodies bounding boxes that cover their way; a box that covers what detection asks for is left
    /// alone by it. O(fast bodies).
    pub(crate) fn widen(
        &mut self,
        world: &mut World<'_>,
        params: &IntegrationParameters,
        bounds: MotionBounds,
    ) {
        self.boxes.clear();
        for fast in &self.fast {
            let Some(rb) = world.bodies.get(fast.body) else {
                continue;
            };
            let [linear, _] = twist(rb, bounds.h);
            let fall = bounds.gravity * (bounds.h * bounds.h * real(rb.gravity_scale()));
            let way = linear * bounds.h + fall;
            let way = to_vector(&(way * (self.most / way.norm()).min(1.0)));
            let [_, turning] = speeds(rb, world.colliders, bounds.h);
            let around = (bounds.h * turning).min(self.most) + 0.5 * self.near;
            for &handle in rb.colliders() {
                let Some(co) = world.colliders.get(handle) else {
                    continue;
                };
                if !co.is_enabled() || co.is_sensor() {
                    continue;
                }
                let local = co.position_wrt_parent().copied().unwrap_or(Pose::IDENTITY);
                let start = rb.position() * local;
                let end = Pose::from_parts(start.translation + way, start.rotation);
                let now = co.shape().compute_aabb(&start);
                let both = now.merged(&co.shape().compute_aabb(&end));
                let aabb = both.loosened(to_real(around) + co.contact_skin());
                if aabb.mins.is_finite() && aabb.maxs.is_finite() {
                    world.broad_phase.set_aabb(params, handle, aabb);
                    self.boxes.push((handle, aabb));
                }
            }
        }
    }

    /// Whether detection left the boxes of fast colliders alone: it computes those of new ones again, and of ones with
    /// changed groups or parents. Needs the tree back. O(fast bodies).
    pub(crate) fn is_wide(&self, world: &World<'_>) -> bool {
        let dispatcher = world.narrow_phase.query_dispatcher();
        let (set, colliders) = (&*world.bodies, &*world.colliders);
        let filter = QueryFilter::default();
        let query = world
            .broad_phase
            .as_query_pipeline(dispatcher, set, colliders, filter);
        self.boxes.iter().all(|(handle, aabb)| {
            let leaf = query.bvh.leaf_node(handle.into_raw_parts().0);
            // What detection disabled has none.
            leaf.is_none_or(|leaf| leaf.aabb().contains(aabb))
        })
    }

    /// The farthest that any two bodies may approach each other \[m\].
    #[cfg(test)]
    pub(crate) fn farthest(&self) -> f64 {
        self.farthest
    }
}

/// Linear and angular velocity, of the body's own or as prescribed.
fn twist(rb: &RigidBody, h: f64) -> [Vector3<f64>; 2] {
    if rb.body_type() == RigidBodyType::KinematicPositionBased {
        let (linear, angular, _) = prescribed_twist(rb, h);
        [linear, angular]
    } else {
        [vector(rb.linvel()), vector(rb.angvel())]
    }
}

/// Speed of a body's centre of mass, and the most that turning adds to it anywhere [m/s].
fn speeds(rb: &RigidBody, colliders: &ColliderSet, h: f64) -> [f64; 2] {
    let [linear, angular] = twist(rb, h).map(|v| v.norm());
    if angular == 0.0 || turns_in_place(rb, colliders) {
        [linear, 0.0]
    } else {
        [linear, angular * extent(rb, colliders)]
    }
}

/// Whether the surface of a body stays where it is as it turns: balls about the centre of mass, once rapier
/// has found that in its first detection.
fn turns_in_place(rb: &RigidBody, colliders: &ColliderSet) -> bool {
    let masses = rb.mass_properties();
    let centre = masses.local_mprops.local_com;
    let is_measured = masses.max_extent() > 0.0;
    is_measured
        && rb.colliders().iter().all(|&co| {
            colliders.get(co).is_some_and(|collider| {
                let place = collider.position_wrt_parent();
                let at = place.map_or(Vector::ZERO, |place| place.translation);
                collider.shape().as_ball().is_some() && at == centre
            })
        })
}

/// Distance of a body's farthest point from its centre of mass \[m\]; an upper bound while rapier has not
/// measured it yet, which it does in the first detection.
fn extent(rb: &RigidBody, colliders: &ColliderSet) -> f64 {
    let known = real(rb.mass_properties().max_extent());
    if known > 0.0 {
        return known;
    }
    let about_origin = rb.colliders().iter().filter_map(|&co| {
        let collider = colliders.get(co)?;
        let sphere = collider.shape().compute_local_bounding_sphere();
        let centre = collider.position_wrt_parent()? * sphere.center;
        Some(real(centre.length() + sphere.radius))
    });
    2.0 * about_origin.fold(0.0, f64::max)
}
