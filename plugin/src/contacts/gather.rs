//! From rapier's manifolds to contact points.

use crate::base::contact::{ContactPoint, key};
use crate::base::convert::{isometry, point, real, vector};
use crate::base::surface::Surface;
use crate::contacts::mend;
use crate::detect::impulses::Places;
use crate::detect::reach::Reach;
use crate::read::world::World;
use nalgebra::{Point3, Vector3};
use rapier::prelude::*;

/// Which pairs are to be read.
pub(crate) trait Due {
    /// Whether a pair is, by its bodies.
    fn takes(&self, pair: [Option<RigidBodyHandle>; 2]) -> bool;

    /// The body of a pair whose pairs it is read with.
    fn first(&self, pair: [Option<RigidBodyHandle>; 2]) -> Option<RigidBodyHandle>;
}

/// Where contact points come from: detection's results.
#[derive(Clone, Copy)]
pub(crate) struct Detected<'a> {
    pub(crate) narrow_phase: &'a NarrowPhase,
    pub(crate) bodies: &'a RigidBodySet,
    pub(crate) colliders: &'a ColliderSet,
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
        }
    }

    /// The pairs whose two bodies a filter takes: out of all, or of those of a few bodies (`among`), each
    /// then from one of its bodies only.
    fn for_each_pair(
        self,
        among: Option<&[RigidBodyHandle]>,
        due: &impl Due,
        mut take: impl FnMut(&'a ContactPair),
    ) {
        let parents = |pair: &ContactPair| {
            let ends = [pair.collider1, pair.collider2];
            ends.map(|end| self.colliders.get(end).and_then(Collider::parent))
        };
        let Some(among) = among else {
            for pair in self.narrow_phase.contact_pairs() {
                if due.takes(parents(pair)) {
                    take(pair);
                }
            }
            return;
        };
        for &body in among {
            let own = self.bodies.get(body).map_or(&[][..], RigidBody::colliders);
            for &collider in own {
                for pair in self.narrow_phase.contact_pairs_with(collider) {
                    let parents = parents(pair);
                    if due.takes(parents) && due.first(parents) == Some(body) {
                        take(pair);
                    }
                }
            }
        }
    }

    /// Adds the contact points of rapier's manifolds between bodies that `due` takes. O(pairs), of the bodies
    /// `among` if given.
    pub(crate) fn gather(
        self,
        (among, due): (Option<&[RigidBodyHandle]>, &impl Due),
        (out, places): (&mut Vec<ContactPoint>, &mut Places),
    ) {
        let first = out.len();
        self.for_each_pair(among, due, |pair| {
            places.note(pair);
            self.gather_pair(pair, out);
        });
        let mut kept = first;
        for k in first..out.len() {
            if mend::mend(&mut out[k]) {
                out.swap(kept, k);
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    fn gather_pair(self, pair: &ContactPair, out: &mut Vec<ContactPoint>) {
        let Some(rigid) = pair.rigid() else { return };
        let handles = [pair.collider1, pair.collider2];
        let [Some(a), Some(b)] = handles.map(|handle| self.colliders.get(handle)) else {
            return;
        };
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
            let mut push = |id, points: [Point3<f64>; 2], surface_velocity| {
                out.push(ContactPoint {
                    colliders: handles.map(Some),
                    bodies,
                    points,
                    normal: vector(data.normal),
                    surfaces: surfaces([a, b], manifold, (id, &points)),
                    friction: real(data.friction),
                    restitution: real(data.restitution),
                    surface_velocity,
                    dominance: data.relative_dominance,
                    key: key(handles, number, manifold, id),
                });
            };
            if is_hooked {
                // What a hook has left of the at most four points that rapier passes to its solver.
                for contact in &data.solver_contacts {
                    let (p1, p2) = data.solver_contact_world_points(contact, self.bodies);
                    let id = usize::try_from(contact.contact_indices()[0]).unwrap_or(0);
                    push(id, [point(p1), point(p2)], vector(contact.tangent_velocity));
                }
            } else {
                let farther: f64 = bodies.iter().map(|body| self.reach.of(*body)).sum();
                let within = self.reach.near() + farther;
                let normal = vector(data.normal);
                for (id, points) in all_points([a, b], manifold).enumerate() {
                    if (points[1] - points[0]).dot(&normal) < within {
                        push(id, points, Vector3::zeros());
                    }
                }
            }
        }
    }
}

/// The two points in the world of every contact of a manifold, skins included.
fn all_points(
    colliders: [&Collider; 2],
    manifold: &ContactManifold,
) -> impl Iterator<Item = [Point3<f64>; 2]> {
    let skins = colliders.map(|collider| real(collider.contact_skin()));
    let skin = vector(manifold.data.normal) * (skins[0] + skins[1]);
    let parts = [manifold.subshape_pos1(), manifold.subshape_pos2()];
    let [a, b] = [0, 1].map(|k| {
        let pose = isometry(colliders[k].position());
        parts[k].map_or(pose, |part| pose * isometry(part))
    });
    (manifold.points.iter()).map(move |tracked| {
        [
            a * point(tracked.local_p1) + skin,
            b * point(tracked.local_p2),
        ]
    })
}

/// What the surfaces of two colliders are like at a point of their manifold.
fn surfaces(
    colliders: [&Collider; 2],
    manifold: &ContactManifold,
    (index, at): (usize, &[Point3<f64>; 2]),
) -> [Surface; 2] {
    let Some(tracked) = manifold.points.get(index) else {
        return [Surface::Unknown; 2];
    };
    let features = [tracked.fid1, tracked.fid2];
    [0, 1].map(|k| Surface::of(colliders[k], features[k], &at[k]))
}
