//! Fast bodies stop at the first thing in their way.
//!
//! A contact within the prediction distance is a row of the problem and stops a body by itself. What moves
//! farther than that in one step, and by more than half of its thinnest extent, is swept along its motion
//! with the end velocities (Mirtich's conservative advancement in parry) against what lies ahead; it
//! goes on to the first impact only, and the next step finds the contact closed. The velocity
//! stays what it was, so the impact has its restitution. Every fast body stops at fixed colliders; two of which one has
//! `ccd_enabled` stop at each other. Off when `max_ccd_substeps` is 0. A tree stops as a whole.
//!
//! Of two that meet, both stop: one that went on would leave the other behind. Whoever was to meet one of them later
//! is swept again, with that one at rest from then on. A kinematic body can't stop; it carries along what it met.

use crate::base::contact::Contact;
use crate::base::convert::{real, to_real, to_vector, vector};
use crate::base::frame::Frame;
use crate::base::pair::{Ends, ends};
use crate::detect::reach::Reach;
use crate::read::bodies::{Bodies, Role};
use crate::read::multibody::Trees;
use crate::read::prescribed::prescribed_twist;
use crate::read::world::World;
use nalgebra::Vector3;
use rapier::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier::parry::query::NonlinearRigidMotion;
use rapier::prelude::*;
use stickslip_core::models::ContactSolution;
use stickslip_core::problem::ContactProblem;

/// A body is fast when it moves by more than this share of its thinnest extent in a step: rapier's.
const FAST_SHARE: f64 = 0.5;

/// How far before the impact a body stops, by the metre: what a time of impact misses by round-off. Beyond the surface
/// it would be pushed out, and keep that velocity; before it, the gap is closed and no more.
const SLOP: f64 = if size_of::<Real>() == 4 { 1e-4 } else { 1e-8 };

/// How much earlier than the impact a body stops besides \[s\]: parry ends its search for the time once it
/// gains less than ten times the machine epsilon, in seconds.
const EARLY: f64 = if size_of::<Real>() == 4 {
    2.4e-6
} else {
    4.5e-15
};

/// Half the angle that one sweep covers \[rad\]: conservative advancement along the closest direction
/// misses what a wider turn passes in between.
const PART: f64 = 0.1;

/// How often bodies are swept in a step at most: again where one stopped that another was to meet.
const PASSES: usize = 4;

/// The first impact of a body.
#[derive(Clone, Copy, Debug)]
struct Hit {
    body: RigidBodyHandle,
    /// When \[s\].
    time: f64,
    /// What it meets, if that moves far.
    target: Option<RigidBodyHandle>,
    /// Velocity of that at the body's centre of mass, if it can't stop [m/s].
    carries: Vector3<f64>,
}

/// A collider of a body that goes farther than the boxes of the broad phase cover.
#[derive(Clone, Copy, Debug)]
struct Mover {
    body: RigidBodyHandle,
    collider: ColliderHandle,
    /// Around its way.
    area: Aabb,
}

/// What sweeps found; kept for its memory.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    found: Vec<Hit>,
    /// By the least x of their areas.
    movers: Vec<Mover>,
    /// The pairs that are in contact, sorted.
    touching: Vec<Ends>,
}

/// What a sweep reads.
struct Scene<'a> {
    world: &'a World<'a>,
    bodies: &'a Bodies,
    trees: &'a Trees,
    solution: &'a ContactSolution,
    problem: &'a ContactProblem,
    /// The pairs with contacts in the step, sorted: what is in contact is not swept against.
    touching: &'a [Ends],
    movers: &'a [Mover],
    h: f64,
    /// [`SLOP`] in units of the world.
    slop: f64,
    reach: &'a Reach,
}

/// Shortens the motion of fast bodies and trees. `reach` says within which distance every contact of a body
/// is a row. O(awake bodies + contacts log contacts), and a sweep for each fast one.
pub(crate) fn clamp(
    world: &World<'_>,
    (bodies, trees): (&mut Bodies, &mut Trees),
    (problem, solution): (&ContactProblem, &ContactSolution),
    contacts: &[Contact],
    (Frame { h, metre, .. }, reach): (Frame, &Reach),
    hits: &mut Hits,
) {
    // Every tree first: one may be what another or a free body meets.
    for number in 0..trees.len() {
        if trees[number].is_stepped() {
            let range = problem.block_range(trees[number].block);
            trees.look_ahead(number, &solution.v_plus[range], h);
        }
    }
    let pairs = contacts
        .chunk_by(|a, b| a.point.colliders == b.point.colliders)
        .filter_map(|run| match run[0].point.colliders {
            [Some(a), Some(b)] => Some(ends(a, b)),
            _ => None,
        });
    hits.touching.clear();
    hits.touching.extend(pairs);
    hits.touching.sort_unstable();
    hits.movers.clear();
    for pass in 1..=PASSES {
        let mut scene = Scene {
            world,
            bodies,
            trees,
            solution,
            problem,
            touching: &hits.touching,
            movers: &[],
            h,
            slop: SLOP * metre,
            reach,
        };
        if pass == 1 {
            scene.find_movers(&mut hits.movers);
        }
        scene.movers = &hits.movers;
        hits.found.clear();
        for body in scene.bodies.free() {
            hits.found.extend(scene.first_impact(body.handle));
        }
        for (number, _) in scene.trees.awake() {
            let links = scene.trees[number].links.iter();
            let first = links.filter_map(|&link| scene.first_impact(link));
            hits.found
                .extend(first.min_by(|a, b| a.time.total_cmp(&b.time)));
        }
        if hits.found.is_empty() {
            break;
        }
        hits.found.sort_by(|a, b| a.time.total_cmp(&b.time));
        for hit in &hits.found {
            // What had stopped before is not where it was to be met. In the last pass the body stops all the same.
            let met = hit.target.map(|target| time(bodies, trees, target, h));
            if met.is_some_and(|time| time < hit.time) && pass < PASSES {
                continue;
            }
            stop(bodies, trees, hit.body, hit.time);
            if let Some(target) = hit.target {
                stop(bodies, trees, target, hit.time);
            }
            if let Role::Free(number) = bodies.role(hit.body) {
                bodies.free_mut()[number].carried = hit.carries * (h - hit.time);
            }
        }
        if hits.movers.len() < 2 {
            break;
        }
    }
}

/// Until when a body moves \[s\].
fn time(bodies: &Bodies, trees: &Trees, body: RigidBodyHandle, h: f64) -> f64 {
    match bodies.role(body) {
        Role::Free(number) => bodies.free()[number].time,
        Role::Link { tree, .. } => trees[tree].time,
        Role::Absent | Role::Prescribed => h,
    }
}

/// Ends the motion of a body after a time \[s\], unless it ends before.
fn stop(bodies: &mut Bodies, trees: &mut Trees, body: RigidBodyHandle, time: f64) {
    match bodies.role(body) {
        Role::Free(number) => {
            let own = &mut bodies.free_mut()[number].time;
            *own = own.min(time);
        }
        Role::Link { tree, .. } => {
            let time = time.min(trees[tree].time);
            trees.set_time(tree, time);
        }
        Role::Absent | Role::Prescribed => {}
    }
}

type Twist = (Vector3<f64>, Vector3<f64>);

impl Scene<'_> {
    /// The colliders of bodies that go farther than their boxes cover. O(bodies).
    fn find_movers(&self, movers: &mut Vec<Mover>) {
        let free = self.bodies.free().iter().map(|body| body.handle);
        let links = self.trees.awake();
        let links = links.flat_map(|(_, tree)| tree.links.iter().copied());
        for body in free
            .chain(links)
            .chain(self.bodies.kinematic().iter().copied())
        {
            let Some(twist) = self.twist(body) else {
                continue;
            };
            let Some(rb) = self.world.bodies.get(body) else {
                continue;
            };
            if self.way(rb, twist) <= self.reach.covered(body) {
                continue;
            }
            for &collider in rb.colliders() {
                let Some(co) = self.world.colliders.get(collider) else {
                    continue;
                };
                if co.is_enabled() && !co.is_sensor() {
                    let area = self.area(rb, co, twist);
                    movers.push(Mover {
                        body,
                        collider,
                        area,
                    });
                }
            }
        }
        movers.sort_by(|a, b| a.area.mins.x.total_cmp(&b.area.mins.x));
    }

    /// How far the points of a body go at most \[m\].
    fn way(&self, rb: &RigidBody, (linear, angular): Twist) -> f64 {
        self.h * (linear.norm() + angular.norm() * real(rb.mass_properties().max_extent()))
    }

    /// Around the way of a collider.
    fn area(&self, rb: &RigidBody, collider: &Collider, twist: Twist) -> Aabb {
        let shape = collider.shape();
        let end = motion_of(collider, Some(rb), twist).position_at_time(to_real(self.h));
        // Between its end poses a turning body bulges by the height of its arc.
        let half_turn = (0.5 * self.h * twist.1.norm()).min(std::f64::consts::FRAC_PI_2);
        let arc = real(rb.mass_properties().max_extent()) * (1.0 - half_turn.cos());
        let now = shape.compute_aabb(collider.position());
        now.merged(&shape.compute_aabb(&end)).loosened(to_real(arc))
    }

    /// Mean velocities of a body over the step: linear at its centre of mass, angular.
    fn twist(&self, handle: RigidBodyHandle) -> Option<Twist> {
        let rb = self.world.bodies.get(handle)?;
        Some(match self.bodies.role(handle) {
            Role::Absent => return None,
            Role::Prescribed => {
                let (linear, angular, _) = prescribed_twist(rb, self.h);
                (linear, angular)
            }
            Role::Free(number) => {
                let body = &self.bodies.free()[number];
                body.twist(&self.solution.v_plus[self.problem.block_range(body.block)])
            }
            Role::Link { tree, link } => {
                let tree = &self.trees[tree];
                let now = tree.tree.link_pose(&tree.state, link);
                let next = tree.pose_ahead(link);
                let com = crate::base::convert::point(rb.local_center_of_mass());
                let turn = next.rotation * now.rotation.inverse();
                (
                    (next * com - now * com) / self.h,
                    turn.scaled_axis() / self.h,
                )
            }
        })
    }

    /// The first impact of a fast body within the step, or of one with `ccd_enabled` that something fast meets.
    fn first_impact(&self, handle: RigidBodyHandle) -> Option<Hit> {
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
                let own = (handle, co, collider);
                self.sweep(own, (twist, is_fast), &mut first);
            }
        }
        first
    }

    /// Sweeps a collider against what lies ahead, if its own way is far, and against what moves far.
    fn sweep(
        &self,
        own: (RigidBodyHandle, ColliderHandle, &Collider),
        (twist, is_fast): (Twist, bool),
        first: &mut Option<Hit>,
    ) {
        let world = self.world;
        let (handle, _, collider) = own;
        let Some(rb) = world.bodies.get(handle) else {
            return;
        };
        let area = self.area(rb, collider, twist);
        let ahead = self.movers.iter();
        let ahead = ahead.take_while(|mover| mover.area.mins.x <= area.maxs.x);
        for mover in ahead {
            if mover.body != handle
                && mover.area.intersects(&area)
                && let Some(target) = world.colliders.get(mover.collider)
                && collider.collision_groups().test(target.collision_groups())
            {
                self.meet(own, twist, (mover.collider, target), first);
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
                self.meet(own, twist, (other, target), first);
            }
        }
    }

    /// When a collider meets another, if before anything else.
    fn meet(
        &self,
        (handle, co, collider): (RigidBodyHandle, ColliderHandle, &Collider),
        twist: Twist,
        (other, target): (ColliderHandle, &Collider),
        first: &mut Option<Hit>,
    ) {
        if !self.is_target(handle, (co, collider), (other, target)) {
            return;
        }
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
        let parts = (half_turn(twist).max(half_turn(theirs)) / PART)
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
        let time = (impact - EARLY - self.slop * h / together).max(0.0);
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

    /// Whether a fast body stops at a collider.
    fn is_target(
        &self,
        handle: RigidBodyHandle,
        (co, collider): (ColliderHandle, &Collider),
        (other, target): (ColliderHandle, &Collider),
    ) -> bool {
        let set: &RigidBodySet = self.world.bodies;
        let parent = target.parent();
        let bullet = |handle| {
            set.get(handle)
                .is_some_and(|rb: &RigidBody| rb.is_dynamic() && rb.is_ccd_enabled())
        };
        let tier = match parent.and_then(|body| set.get(body)) {
            None => true,
            Some(rb) => rb.is_fixed() || bullet(handle) || parent.is_some_and(bullet),
        };
        tier && collider.solver_groups().test(target.solver_groups())
            && !self.touches(co, other)
            && !self.is_linked(handle, parent)
            && self.is_let_through_by_hooks([co, other], [collider, target])
    }

    /// Whether the pair has contacts in the problem already. O(log contacts).
    fn touches(&self, a: ColliderHandle, b: ColliderHandle) -> bool {
        self.touching.binary_search(&ends(a, b)).is_ok()
    }

    /// Links of one tree, and bodies whose joint has its contacts disabled, pass each other.
    fn is_linked(&self, a: RigidBodyHandle, b: Option<RigidBodyHandle>) -> bool {
        let Some(b) = b else { return false };
        let tree = |body| match self.bodies.role(body) {
            Role::Link { tree, .. } => Some(tree),
            _ => None,
        };
        let mut joints = self.world.impulse_joints.joints_between(a, b);
        tree(a).is_some() && tree(a) == tree(b)
            || joints.any(|(_, joint)| !joint.data.contacts_enabled())
    }

    fn is_let_through_by_hooks(
        &self,
        handles: [ColliderHandle; 2],
        colliders: [&Collider; 2],
    ) -> bool {
        let hooks = colliders[0].active_hooks() | colliders[1].active_hooks();
        if !hooks.contains(ActiveHooks::FILTER_CONTACT_PAIRS) {
            return true;
        }
        let context = PairFilterContext {
            bodies: self.world.bodies,
            colliders: self.world.colliders,
            collider1: handles[0],
            collider2: handles[1],
            rigid_body1: colliders[0].parent(),
            rigid_body2: colliders[1].parent(),
        };
        self.world.hooks.filter_contact_pair(&context).is_some()
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

/// The motion of a collider that its body's twist makes.
fn motion_of(collider: &Collider, rb: Option<&RigidBody>, twist: Twist) -> NonlinearRigidMotion {
    let start = *collider.position();
    let com = rb.map_or(start.translation, RigidBody::center_of_mass);
    NonlinearRigidMotion::new(
        start,
        start.inverse_transform_point(com),
        to_vector(&twist.0),
        to_vector(&twist.1),
    )
}

/// Whether the parameters ask for continuous detection.
pub(crate) fn is_wanted(params: &IntegrationParameters) -> bool {
    params.max_ccd_substeps > 0
}
