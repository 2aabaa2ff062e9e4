//! From rapier's manifolds to contact points.

use crate::base::contact::{ContactPoint, Names};
use crate::base::convert::{isometry, point, real, vector};
use crate::base::surface::Surface;
use crate::contacts::mend;
use crate::detect::impulses::Places;
use crate::detect::reach::Reach;
use crate::read::multibody::multibodies;
use crate::read::world::World;
use nalgebra::{Isometry3, Point3, Vector3};
use rapier::parry::shape::TypedShape;
use rapier::prelude::*;
use std::ops::Range;
use stickslip_core::threads;

/// Which pairs are to be read.
pub(crate) trait Due {
    /// Whether a pair is, by its bodies.
    fn takes(&self, pair: [Option<RigidBodyHandle>; 2]) -> bool;

    /// The body of a pair whose pairs it is read with.
    fn first(&self, pair: [Option<RigidBodyHandle>; 2]) -> Option<RigidBodyHandle>;
}

/// Contact points, and the pairs that they are of.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) points: Vec<ContactPoint>,
    pub(crate) places: Places,
}

/// What was gathered; memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) all: Part,
    /// The parts of other threads.
    beside: Vec<Part>,
}

impl Found {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.all.points.clear();
        self.all.places.clear();
    }

    /// Gathers the points of so many pairs, divided among the threads in the order of the pairs.
    fn side_by_side(&mut self, pairs: usize, gather: &(impl Fn(Range<usize>, &mut Part) + Sync)) {
        let count = threads::parts(pairs);
        self.beside
            .resize_with(self.beside.len().max(count), Part::default);
        let parts = &mut self.beside[..count];
        std::mem::swap(&mut self.all, &mut parts[0]);
        threads::divide(0..pairs, parts, gather);
        std::mem::swap(&mut self.all, &mut parts[0]);
        for part in &mut parts[1..] {
            self.all.points.append(&mut part.points);
            self.all.places.append(&mut part.places);
        }
    }
}

/// Most pairs whose bounding boxes meet have no points, and colliders lie far apart in memory.
fn touches(pair: &ContactPair) -> bool {
    !pair.manifolds().is_empty()
}

/// Where contact points come from: detection's results.
#[derive(Clone, Copy)]
pub(crate) struct Detected<'a> {
    pub(crate) narrow_phase: &'a NarrowPhase,
    pub(crate) bodies: &'a RigidBodySet,
    pub(crate) colliders: &'a ColliderSet,
    pub(crate) impulse_joints: &'a ImpulseJointSet,
    pub(crate) multibody_joints: &'a MultibodyJointSet,
    pub(crate) reach: &'a Reach,
}

impl<'a> Detected<'a> {
    /// What detection found in a world.
    pub(crate) fn of(world: &'a World<'_>, reach: &'a Reach) -> Self {
        Self {
            reach,
            narrow_phase: world.narrow_phase,
            bodies: world.bodies,
            colliders: world.colliders,
            impulse_joints: world.impulse_joints,
            multibody_joints: world.multibody_joints,
        }
    }

    /// Adds the contact points of rapier's manifolds between bodies that `due` takes. O(pairs), of the bodies
    /// `among` if given: each pair then from one of its bodies only.
    pub(crate) fn gather(
        self,
        among: Option<&[RigidBodyHandle]>,
        due: &(impl Due + Sync),
        found: &mut Found,
    ) {
        let parents = |pair: &ContactPair| {
            let ends = [pair.collider1, pair.collider2];
            ends.map(|end| self.colliders.get(end).and_then(Collider::parent))
        };
        let Some(among) = among else {
            let all = || self.narrow_phase.contact_pairs();
            found.side_by_side(all().count(), &|pairs: Range<usize>, found: &mut Part| {
                for pair in all().skip(pairs.start).take(pairs.len()) {
                    if touches(pair) && due.takes(parents(pair)) {
                        self.gather_pair(pair, found);
                    }
                }
            });
            return;
        };
        for &body in among {
            let own = self.bodies.get(body).map_or(&[][..], RigidBody::colliders);
            for &collider in own {
                let pairs = self.narrow_phase.contact_pairs_with(collider);
                for pair in pairs.filter(|pair| touches(pair)) {
                    let parents = parents(pair);
                    if due.takes(parents) && due.first(parents) == Some(body) {
                        self.gather_pair(pair, &mut found.all);
                    }
                }
            }
        }
    }

    fn gather_pair(self, pair: &ContactPair, found: &mut Part) {
        found.places.note(pair);
        let out = &mut found.points;
        let Some(rigid) = pair.rigid() else { return };
        let handles = [pair.collider1, pair.collider2];
        let [Some(a), Some(b)] = handles.map(|handle| self.colliders.get(handle)) else {
            return;
        };
        let shapes = [a, b].map(|collider| collider.shape().as_typed_shape());
        let hooks = a.active_hooks() | b.active_hooks();
        let is_hooked = hooks.contains(ActiveHooks::MODIFY_SOLVER_CONTACTS);
        for (number, manifold) in rigid.solver_manifolds().iter().enumerate() {
            let data = &manifold.data;
            if !data
                .solver_flags
                .contains(SolverFlags::COMPUTE_RIGID_IMPULSES)
            {
                continue;
            }
            let bodies = [data.rigid_body1, data.rigid_body2];
            if self.are_joined_without_contacts(bodies) {
                continue;
            }
            let place = Place::of([a, b], manifold);
            let mut new = ContactPoint {
                colliders: handles.map(Some),
                bodies,
                points: [Point3::origin(); 2],
                normal: place.normal,
                surfaces: [Surface::Unknown; 2],
                friction: combined([a, b], Collider::friction, Collider::friction_combine_rule),
                restitution: combined(
                    [a, b],
                    Collider::restitution,
                    Collider::restitution_combine_rule,
                ),
                surface_velocity: Vector3::zeros(),
                dominance: data.relative_dominance,
                key: 0,
                manifold: u32::try_from(number).unwrap_or(u32::MAX),
            };
            if is_hooked {
                new.normal = vector(data.normal);
                (new.friction, new.restitution) = (real(data.friction), real(data.restitution));
            }
            if !mend::mend(&mut new) {
                continue;
            }
            let names = Names::of(handles, number, manifold);
            let mut push = |new: &mut ContactPoint, id| {
                if mend::has_place(new) {
                    let ends = [(a, &shapes[0]), (b, &shapes[1])];
                    new.surfaces = surfaces(ends, manifold, id, &new.points);
                    new.key = names.key(id);
                    out.push(*new);
                }
            };
            if is_hooked {
                // What a hook has left of the at most four points that rapier passes to its solver.
                for contact in &data.solver_contacts {
                    let (p1, p2) = data.solver_contact_world_points(contact, self.bodies);
                    let id = usize::try_from(contact.contact_indices()[0]).unwrap_or(0);
                    new.points = [point(p1), point(p2)];
                    new.surface_velocity = mend::velocity(vector(contact.tangent_velocity));
                    push(&mut new, id);
                }
                continue;
            }
            let farther: f64 = bodies.iter().map(|body| self.reach.of(*body)).sum();
            let within = self.reach.near() + farther;
            for (id, tracked) in manifold.points.iter().enumerate() {
                new.points = place.of_point(tracked);
                if new.gap() < within {
                    push(&mut new, id);
                }
            }
        }
    }

    /// Whether a joint takes the contacts of two bodies away. Detection heeds that too, but not of a pair that it leaves as
    /// it is ([`crate::detect::renew`]).
    fn are_joined_without_contacts(self, bodies: [Option<RigidBodyHandle>; 2]) -> bool {
        self.joints(bodies).any(|joint| !joint.contacts_enabled)
    }

    /// The joints between two bodies.
    fn joints(
        self,
        bodies: [Option<RigidBodyHandle>; 2],
    ) -> impl Iterator<Item = &'a GenericJoint> {
        let [a, b] = bodies;
        let is_any =
            !self.impulse_joints.is_empty() || multibodies(self.multibody_joints).next().is_some();
        let pair = a.zip(b).filter(|_| is_any);
        let impulse = move |(a, b)| self.impulse_joints.joints_between(a, b);
        let tree = pair.and_then(|(a, b)| self.multibody_joints.joint_between(a, b));
        (pair
            .into_iter()
            .flat_map(impulse)
            .map(|(_, joint)| &joint.data))
        .chain(tree.map(|(_, _, link)| &link.joint().data))
    }
}

/// A coefficient of the contacts of two colliders, as rapier combines it: as it is now, whenever detection last looked.
fn combined(
    colliders: [&Collider; 2],
    coefficient: impl Fn(&Collider) -> Real,
    rule: impl Fn(&Collider) -> CoefficientCombineRule,
) -> f64 {
    let [a, b] = colliders;
    let both = CoefficientCombineRule::combine(coefficient(a), coefficient(b), rule(a), rule(b));
    real(both)
}

/// Where a manifold lies in the world.
struct Place {
    poses: [Isometry3<f64>; 2],
    normal: Vector3<f64>,
    /// The skins of both colliders, along the normal.
    skin: Vector3<f64>,
}

impl Place {
    fn of(colliders: [&Collider; 2], manifold: &ContactManifold) -> Self {
        let parts = [manifold.subshape_pos1(), manifold.subshape_pos2()];
        let poses = [0, 1].map(|k| {
            let pose = isometry(colliders[k].position());
            parts[k].map_or(pose, |part| pose * isometry(part))
        });
        let skins = colliders.map(|collider| real(collider.contact_skin()));
        let normal = poses[0].rotation * vector(manifold.local_n1);
        Self {
            poses,
            normal,
            skin: normal * (skins[0] + skins[1]),
        }
    }

    /// The two points in the world of one contact, skins included.
    fn of_point(&self, tracked: &TrackedContact<ContactData>) -> [Point3<f64>; 2] {
        let [a, b] = &self.poses;
        [
            a * point(tracked.local_p1) + self.skin,
            b * point(tracked.local_p2),
        ]
    }
}

/// What the surfaces of two colliders are like at a point of their manifold.
fn surfaces(
    colliders: [(&Collider, &TypedShape<'_>); 2],
    manifold: &ContactManifold,
    index: usize,
    at: &[Point3<f64>; 2],
) -> [Surface; 2] {
    let Some(tracked) = manifold.points.get(index) else {
        return [Surface::Unknown; 2];
    };
    let [(a, shape_a), (b, shape_b)] = colliders;
    [
        Surface::of(a, shape_a, tracked.fid1, &at[0]),
        Surface::of(b, shape_b, tracked.fid2, &at[1]),
    ]
}
