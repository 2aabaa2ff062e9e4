//! From rapier's manifolds (or a contact source of the user's) to contact points, and what
//! becomes of each contact in the step.

use crate::convert::{isometry, point, real, to_real, vector};
use crate::corners;
use crate::impulses::Places;
use crate::memory::Memory;
use crate::mend;
use crate::pipeline::ContactPipeline;
use crate::reach::Reach;
use crate::surface::Surface;
use nalgebra::{Point3, Vector3};
use rapier::prelude::*;
use stickslip_core::record::ContactState;

/// One contact point as collision detection found it, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub struct ContactPoint {
    /// The two colliders, where the contact comes from colliders.
    pub colliders: [Option<ColliderHandle>; 2],
    /// The two bodies; `None` is the fixed world.
    pub bodies: [Option<RigidBodyHandle>; 2],
    /// The point on the surface of each body \[m\].
    pub points: [Point3<f64>; 2],
    /// Unit normal from body 0 to body 1.
    pub normal: Vector3<f64>,
    /// What the two surfaces are like there.
    pub surfaces: [Surface; 2],
    /// Coulomb coefficient.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Wanted tangential velocity of body 1 relative to body 0 [m/s] (conveyors).
    pub surface_velocity: Vector3<f64>,
    /// Dominance: positive when body 0 is unmoved by this contact, negative when body 1 is.
    pub dominance: i16,
    /// Name that stays with the contact from step to step, for the warm start.
    pub key: u64,
}

impl ContactPoint {
    /// Gap along the normal \[m\]; negative = penetration.
    pub fn gap(&self) -> f64 {
        (self.points[1] - self.points[0]).dot(&self.normal)
    }

    /// The point midway between the two surfaces, where the impulse acts on both bodies.
    pub fn midpoint(&self) -> Point3<f64> {
        nalgebra::center(&self.points[0], &self.points[1])
    }
}

/// Replaces rapier's own contact points by others, for instance a contact set from a paper.
///
/// Rapier's detection runs all the same: events and queries keep working.
pub trait ContactSource: Send + Sync {
    /// Fills `out` (empty on entry) with the contacts of the coming step of length `h` \[s\].
    fn contacts(
        &mut self,
        bodies: &RigidBodySet,
        colliders: &ColliderSet,
        h: f64,
        out: &mut Vec<ContactPoint>,
    );
}

/// A contact after the step: where it was and what it did.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// The contact as detected at the start of the step.
    pub point: ContactPoint,
    /// Tangents s and t; (normal, s, t) is right-handed.
    pub tangents: [Vector3<f64>; 2],
    /// Gap at the start of the step \[m\].
    pub gap: f64,
    /// Impulse on body 1 along normal, s and t [N s].
    pub impulse: [f64; 3],
    /// Angular impulse on body 1 about normal, s and t [N m s]: torsional and rolling friction.
    pub spin_impulse: [f64; 3],
    /// Velocity of body 1 relative to body 0 at the contact at the end of the step, less the
    /// wanted surface velocity, along normal, s and t [m/s].
    pub velocity: [f64; 3],
    /// Whether the contact was closed at the start of the step.
    pub closed: bool,
    /// Whether it was too deep to be pushed out by a velocity: its depth is put right by moving the
    /// bodies at the end of the step.
    pub deep: bool,
}

impl Contact {
    /// Whether the step's problem pushes it out.
    pub(crate) fn is_pushed(&self) -> bool {
        self.gap < 0.0 && !self.deep
    }

    /// The impulse on body 1 in the world [N s]; body 0 gets the opposite.
    pub fn impulse_world(&self) -> Vector3<f64> {
        self.point.normal * self.impulse[0]
            + self.tangents[0] * self.impulse[1]
            + self.tangents[1] * self.impulse[2]
    }

    /// Tangential speed at the end of the step [m/s].
    pub fn slip_speed(&self) -> f64 {
        self.velocity[1].hypot(self.velocity[2])
    }

    /// Separated without an impulse; sliding when pressed and faster than `threshold` [m/s].
    pub fn state(&self, threshold: f64) -> ContactState {
        if self.impulse[0] <= 0.0 && self.impulse[1] == 0.0 && self.impulse[2] == 0.0 {
            ContactState::Separated
        } else if self.slip_speed() <= threshold {
            ContactState::Sticking
        } else {
            ContactState::Sliding
        }
    }
}

impl ContactPipeline {
    /// The contacts of the last step with their impulses.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The contacts of the last step between two colliders, in either order. The impulses are on
    /// the body that comes second in the contact itself.
    pub fn contacts_between(
        &self,
        a: ColliderHandle,
        b: ColliderHandle,
    ) -> impl Iterator<Item = &Contact> {
        self.contacts.iter().filter(move |contact| {
            let pair = contact.point.colliders;
            pair == [Some(a), Some(b)] || pair == [Some(b), Some(a)]
        })
    }
}

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

    /// Adds the solver contacts of rapier's manifolds between bodies that `due` takes. O(pairs), of the bodies
    /// `among` if given.
    pub(crate) fn gather(
        self,
        (among, due): (Option<&[RigidBodyHandle]>, &impl Due),
        memory: &mut Memory,
        (out, places): (&mut Vec<ContactPoint>, &mut Places),
    ) {
        let first = out.len();
        self.for_each_pair(among, due, |pair| {
            places.note(pair);
            self.gather_pair(pair, memory, out);
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

    fn gather_pair(self, pair: &ContactPair, memory: &mut Memory, out: &mut Vec<ContactPoint>) {
        let Some(rigid) = pair.rigid() else { return };
        let handles = [pair.collider1, pair.collider2];
        if rigid.solver_manifolds().is_empty() {
            let from = out.len();
            memory.complete(self.colliders, handles, 0, out, from);
        }
        for (number, manifold) in rigid.solver_manifolds().iter().enumerate() {
            let data = &manifold.data;
            if !data
                .solver_flags
                .contains(SolverFlags::COMPUTE_RIGID_IMPULSES)
            {
                continue;
            }
            let from = out.len();
            let mut push = |id, points: [Point3<f64>; 2], surface_velocity| {
                out.push(ContactPoint {
                    colliders: handles.map(Some),
                    bodies: [data.rigid_body1, data.rigid_body2],
                    points,
                    normal: vector(data.normal),
                    surfaces: surfaces(self.colliders, handles, manifold, (id, &points)),
                    friction: real(data.friction),
                    restitution: real(data.restitution),
                    surface_velocity,
                    dominance: data.relative_dominance,
                    key: key(handles, number, manifold, id),
                });
            };
            if let Some(colliders) = self.all_of(manifold, handles) {
                for (id, points) in all_points(colliders, manifold).enumerate() {
                    push(id, points, Vector3::zeros());
                }
            } else {
                for contact in &data.solver_contacts {
                    let (p1, p2) = data.solver_contact_world_points(contact, self.bodies);
                    let id = usize::try_from(contact.contact_indices()[0]).unwrap_or(0);
                    push(id, [point(p1), point(p2)], vector(contact.tangent_velocity));
                }
                for (id, points) in self.far_points(manifold, handles) {
                    push(id, points, Vector3::zeros());
                }
            }
            memory.complete(self.colliders, handles, number, out, from);
        }
    }

    /// The points of a fast body's manifold that rapier does not pass on because they are beyond its prediction
    /// distance. None where a hook decides what is passed on.
    fn far_points(
        self,
        manifold: &'a ContactManifold,
        handles: [ColliderHandle; 2],
    ) -> impl Iterator<Item = (usize, [Point3<f64>; 2])> + 'a {
        let data = &manifold.data;
        let bodies = [data.rigid_body1, data.rigid_body2];
        let farther: f64 = bodies.iter().map(|body| self.reach.of(*body)).sum();
        let colliders = handles.map(|handle| self.colliders.get(handle));
        let colliders = match colliders {
            [Some(a), Some(b)] if farther > 0.0 => Some([a, b]),
            _ => None,
        };
        let colliders = colliders.filter(|both| {
            let hooks = both.map(Collider::active_hooks);
            !(hooks[0] | hooks[1]).contains(ActiveHooks::MODIFY_SOLVER_CONTACTS)
        });
        let near = self.reach.near();
        colliders.into_iter().flat_map(move |both| {
            let skins = real(both[0].contact_skin()) + real(both[1].contact_skin());
            let points = all_points(both, manifold).enumerate();
            points
                .zip(&manifold.points)
                .filter_map(move |(point, tracked)| {
                    let gap = to_real(real(tracked.dist) - skins);
                    let passed_on = gap < to_real(near);
                    (!passed_on && real(gap) < near + farther).then_some(point)
                })
        })
    }

    /// The colliders of a manifold, all points of which count.
    ///
    /// Rapier passes four of them to its solver. All are wanted where [`crate::corners`] has seen to it that
    /// there are no two of the same, unless a hook may have changed what rapier passes on.
    fn all_of(
        self,
        manifold: &ContactManifold,
        handles: [ColliderHandle; 2],
    ) -> Option<[&'a Collider; 2]> {
        if manifold.points.len() <= manifold.data.solver_contacts.len() {
            return None;
        }
        let [a, b] = handles.map(|handle| self.colliders.get(handle));
        let colliders = [a?, b?];
        let hooks = colliders.map(Collider::active_hooks);
        let changed = (hooks[0] | hooks[1]).contains(ActiveHooks::MODIFY_SOLVER_CONTACTS);
        let whole = !changed && corners::concerns(colliders.map(Collider::shape), manifold);
        whole.then_some(colliders)
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
    colliders: &ColliderSet,
    handles: [ColliderHandle; 2],
    manifold: &ContactManifold,
    (index, at): (usize, &[Point3<f64>; 2]),
) -> [Surface; 2] {
    let Some(tracked) = manifold.points.get(index) else {
        return [Surface::Unknown; 2];
    };
    let features = [tracked.fid1, tracked.fid2];
    [0, 1].map(|k| {
        let collider = colliders.get(handles[k]);
        collider.map_or(Surface::Unknown, |c| Surface::of(c, features[k], &at[k]))
    })
}

/// A name for a contact point that survives as long as its two features do.
pub(crate) fn key(
    pair: [ColliderHandle; 2],
    number: usize,
    manifold: &ContactManifold,
    index: usize,
) -> u64 {
    let features = manifold
        .points
        .get(index)
        .map_or((0, 0), |p| (p.fid1.0, p.fid2.0));
    [
        pair[0].into_raw_parts().0,
        pair[1].into_raw_parts().0,
        u32::try_from(number).unwrap_or(u32::MAX),
        manifold.subshape1,
        manifold.subshape2,
        features.0,
        features.1,
    ]
    .into_iter()
    .fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        // FNV-1a over words: mixes well enough for a lookup that may miss without harm.
        (hash ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Two unit tangents that make (n, s, t) right-handed, the same for the same normal.
pub(crate) fn tangents(n: &Vector3<f64>) -> [Vector3<f64>; 2] {
    // The branch-free basis of Duff et al. 2017: continuous but on the half plane n.z < 0 = n.z.
    let sign = 1.0_f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    let s = Vector3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    let t = Vector3::new(b, sign + n.y * n.y * a, -n.y);
    [s, t]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_make_a_right_handed_frame() {
        for n in [
            Vector3::new(0.0, 0.0, 1.0),
            Vector3::new(0.0, 0.0, -1.0),
            Vector3::new(1.0, 2.0, -3.0).normalize(),
            Vector3::new(-0.2, 0.9, 0.1).normalize(),
        ] {
            let [s, t] = tangents(&n);
            assert!((s.norm() - 1.0).abs() < 1e-14 && (t.norm() - 1.0).abs() < 1e-14);
            assert!((n.cross(&s) - t).norm() < 1e-14, "{n}");
        }
    }
}
