//! Fast bodies stop at the first thing in their way.
//!
//! A contact within the prediction distance is a row of the problem and stops a body by itself. What moves
//! farther than that in one step, and by more than half of its thinnest extent, is swept along its motion
//! with the end velocities (Mirtich's conservative advancement in parry) against what lies ahead; it
//! goes on to the first impact only, and the next step finds the contact closed. The velocity
//! stays what it was, so the impact has its restitution. Rapier's tiers: every fast body stops at fixed
//! colliders, one with `ccd_enabled` at every other body too, unless that has it as well. Off
//! when `max_ccd_substeps` is 0. A tree stops as a whole.

use crate::base::contact::Contact;
use crate::base::convert::{real, to_real, to_vector};
use crate::base::frame::Frame;
use crate::base::pair::{Ends, ends};
use crate::detect::reach::Reach;
use crate::read::bodies::{Bodies, Role};
use crate::read::multibody::Trees;
use crate::read::prescribed::prescribed_twist;
use crate::read::world::World;
use nalgebra::Vector3;
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

/// Bodies and trees that hit something, by number, and after which time \[s\]; kept for its memory.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    free: Vec<(usize, f64)>,
    trees: Vec<(usize, f64)>,
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
    let scene = Scene {
        world,
        bodies,
        trees,
        solution,
        problem,
        touching: &hits.touching,
        h,
        slop: SLOP * metre,
        reach,
    };
    hits.free.clear();
    hits.trees.clear();
    for (number, body) in scene.bodies.free().iter().enumerate() {
        let twist = body.twist(&solution.v_plus[problem.block_range(body.block)]);
        let first = scene.first_impact(body.handle, twist);
        hits.free.extend(first.map(|time| (number, time)));
    }
    for (number, _) in scene.trees.awake() {
        let first = scene.first_impact_of_tree(number);
        hits.trees.extend(first.map(|time| (number, time)));
    }
    for &(number, time) in &hits.free {
        bodies.free_mut()[number].time = time;
    }
    for &(number, time) in &hits.trees {
        trees.set_time(number, time);
    }
}

type Twist = (Vector3<f64>, Vector3<f64>);

impl Scene<'_> {
    fn first_impact_of_tree(&self, number: usize) -> Option<f64> {
        let links = self.trees[number].links.iter();
        links
            .filter_map(|&handle| self.first_impact(handle, self.twist(handle)?))
            .min_by(f64::total_cmp)
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

    /// Time of the first impact of a fast body within the step \[s\].
    fn first_impact(&self, handle: RigidBodyHandle, twist: Twist) -> Option<f64> {
        let rb = self.world.bodies.get(handle)?;
        let extent = real(rb.mass_properties().max_extent());
        let reach = self.h * (twist.0.norm() + twist.1.norm() * extent);
        if reach <= self.reach.covered(handle) {
            return None;
        }
        let swept = rb.colliders().iter().filter_map(|&co| {
            let collider = self.world.colliders.get(co)?;
            let solid = collider.is_enabled() && !collider.is_sensor() && is_swept(collider);
            solid.then_some((co, collider))
        });
        let fast = swept.filter(|(_, co)| reach > FAST_SHARE * real(co.shape().ccd_thickness()));
        let first = fast
            .filter_map(|(co, collider)| self.sweep(handle, (co, collider), twist))
            .min_by(f64::total_cmp);
        first.map(|time| (time - EARLY - self.slop * self.h / reach).max(0.0))
    }

    fn sweep(
        &self,
        handle: RigidBodyHandle,
        (co, collider): (ColliderHandle, &Collider),
        twist: Twist,
    ) -> Option<f64> {
        let world = self.world;
        let rb = world.bodies.get(handle)?;
        let motion = motion_of(collider, Some(rb), twist);
        let end = motion.position_at_time(to_real(self.h));
        let shape = collider.shape();
        // Between its end poses a turning body bulges by the height of its arc.
        let half_turn = (0.5 * self.h * twist.1.norm()).min(std::f64::consts::FRAC_PI_2);
        let arc = real(rb.mass_properties().max_extent()) * (1.0 - half_turn.cos());
        let area = shape
            .compute_aabb(collider.position())
            .merged(&shape.compute_aabb(&end))
            .loosened(to_real(arc));
        let dispatcher = world.narrow_phase.query_dispatcher();
        let query = world.broad_phase.as_query_pipeline(
            dispatcher,
            world.bodies,
            world.colliders,
            QueryFilter::default()
                .exclude_rigid_body(handle)
                .exclude_sensors()
                .groups(collider.collision_groups()),
        );
        let mut first: Option<Real> = None;
        for (other, target) in query.intersect_aabb_conservative(area) {
            if !self.is_target(handle, (co, collider), (other, target)) {
                continue;
            }
            let parent = target.parent();
            let twist = parent.and_then(|body| self.twist(body)).unwrap_or_default();
            let body = parent.and_then(|body| world.bodies.get(body));
            let target_motion = motion_of(target, body, twist);
            let until = first.unwrap_or(to_real(self.h));
            let parts = (half_turn / PART).ceil().max(1.0) as u32;
            let at = |k: u32| until * to_real(f64::from(k) / f64::from(parts));
            let hit = (0..parts).find_map(|k| {
                let cast = dispatcher.cast_shapes_nonlinear(
                    &target_motion,
                    target.shape(),
                    &motion,
                    shape,
                    at(k),
                    at(k + 1),
                    false,
                );
                cast.ok().flatten()
            });
            if let Some(hit) = hit {
                first = Some(hit.time_of_impact);
            }
        }
        first.map(real)
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
            Some(rb) if bullet(handle) => !(rb.is_dynamic() && rb.is_ccd_enabled()),
            Some(rb) => rb.is_fixed(),
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
