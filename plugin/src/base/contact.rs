//! A contact: the point before the step, and what became of it in the step.

use crate::base::convert::{point, to_vector, vector};
use crate::base::surface::Surface;
use crate::base::tolerances;
use nalgebra::{Point3, Vector3};
use rapier::prelude::*;
use stickslip_record::{ContactRecord, ContactState};

/// What a contact is recorded as: separated unless `pressed` (it has an impulse), sliding from a tangential speed of
/// [`tolerances::STICKING_SPEED`] on.
pub fn contact_state(pressed: bool, slip_speed: f64) -> ContactState {
    state_beyond(tolerances::STICKING_SPEED, pressed, slip_speed)
}

fn state_beyond(threshold: f64, pressed: bool, slip_speed: f64) -> ContactState {
    if !pressed {
        ContactState::Separated
    } else if slip_speed <= threshold {
        ContactState::Sticking
    } else {
        ContactState::Sliding
    }
}

/// One contact point as collision detection found it, in the world.
///
/// Points and directions are kept in f64, whatever rapier's precision: a gap is a difference of positions.
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
    pub(crate) points: [Point3<f64>; 2],
    /// Unit normal from body 0 to body 1.
    pub(crate) normal: Vector3<f64>,
    /// What the two surfaces are like there.
    pub surfaces: [Surface; 2],
    /// Coulomb coefficient.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Wanted tangential velocity of body 1 relative to body 0 [m/s] (conveyors).
    pub(crate) surface_velocity: Vector3<f64>,
    /// Dominance: positive when body 0 is unmoved by this contact, negative when body 1 is.
    pub dominance: i16,
    /// Name that stays with the contact from step to step, for the warm start.
    pub key: u64,
    /// The manifold of the pair that it comes from, by number.
    #[cfg_attr(feature = "serde-serialize", serde(default))]
    pub(crate) manifold: u32,
}

impl ContactPoint {
    /// A contact between two bodies (`None`: the fixed world) at a point on the surface of each \[m\], with the unit
    /// normal from body 0 to body 1, for a [`ContactSource`]. Without friction and restitution, on unknown surfaces,
    /// of the name 0 until the fields say otherwise; contacts of one step want names of their own.
    pub fn new(bodies: [Option<RigidBodyHandle>; 2], points: [Vector; 2], normal: Vector) -> Self {
        Self::in_f64(bodies, points.map(point), vector(normal))
    }

    /// [`Self::new`] in f64 whatever rapier's precision.
    pub fn in_f64(
        bodies: [Option<RigidBodyHandle>; 2],
        points: [Point3<f64>; 2],
        normal: Vector3<f64>,
    ) -> Self {
        Self {
            colliders: [None; 2],
            bodies,
            points,
            normal,
            surfaces: [Surface::Unknown; 2],
            friction: 0.0,
            restitution: 0.0,
            surface_velocity: Vector3::zeros(),
            dominance: 0,
            key: 0,
            manifold: 0,
        }
    }

    /// The same with a wanted tangential velocity of body 1 relative to body 0 [m/s], as on a conveyor.
    #[must_use]
    pub fn with_surface_velocity(self, velocity: Vector) -> Self {
        Self {
            surface_velocity: vector(velocity),
            ..self
        }
    }

    /// The point on the surface of each body \[m\].
    pub fn points(&self) -> [Vector; 2] {
        self.points.map(|at| to_vector(&at.coords))
    }

    /// Unit normal from body 0 to body 1.
    pub fn normal(&self) -> Vector {
        to_vector(&self.normal)
    }

    /// Wanted tangential velocity of body 1 relative to body 0 [m/s].
    pub fn surface_velocity(&self) -> Vector {
        to_vector(&self.surface_velocity)
    }

    /// The point midway between the two surfaces, where the impulse acts on both bodies \[m\].
    pub fn position(&self) -> Vector {
        to_vector(&self.midpoint().coords)
    }

    /// Gap along the normal \[m\]; negative = penetration.
    pub fn gap(&self) -> f64 {
        (self.points[1] - self.points[0]).dot(&self.normal)
    }

    /// [`Self::position`] in f64.
    pub(crate) fn midpoint(&self) -> Point3<f64> {
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
    pub(crate) tangents: [Vector3<f64>; 2],
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
    /// Whether it is a rigid contact that overlapped at the start: its depth is put right by moving the
    /// bodies at the end of the step, not by a velocity.
    pub deep: bool,
}

impl Contact {
    /// The impulse on body 1 in the world [N s]; body 0 gets the opposite.
    pub fn impulse_world(&self) -> Vector {
        let [s, t] = self.tangents;
        let [f_n, f_s, f_t] = self.impulse;
        to_vector(&(self.point.normal * f_n + s * f_s + t * f_t))
    }

    /// Force on body 1 in the world \[N\]: the mean over a step of length `dt` \[s\], `impulse_world() / dt`.
    ///
    /// Body 1 is `point.bodies[1]` with the collider `point.colliders[1]`, and the force acts on it at
    /// [`ContactPoint::position`]; body 0 gets the opposite force at the same point. The normal points from body 0 to
    /// body 1, so a contact that presses pushes body 1 along it. Torsional and rolling friction are torques beside the force:
    /// [`Self::spin_impulse`].
    pub fn force(&self, dt: Real) -> Vector {
        self.impulse_world() / dt
    }

    /// Unit tangents s and t, which the impulse and the velocity are stated along; (normal, s, t) is right-handed.
    pub fn tangents(&self) -> [Vector; 2] {
        self.tangents.map(|axis| to_vector(&axis))
    }

    /// Tangential speed at the end of the step [m/s].
    pub fn slip_speed(&self) -> f64 {
        self.velocity[1].hypot(self.velocity[2])
    }

    /// Separated without an impulse; sliding when pressed and faster than `threshold` [m/s].
    pub fn state(&self, threshold: f64) -> ContactState {
        let [n, s, t] = self.impulse;
        let pressed = n > 0.0 || s != 0.0 || t != 0.0;
        state_beyond(threshold, pressed, self.slip_speed())
    }

    /// As a recorder takes it, in f64, of a step of length `h` \[s\]: `friction` are the Coulomb coefficients along s
    /// and t ([`ContactPipeline::friction_of`](crate::ContactPipeline::friction_of)), `bodies` the places of the two
    /// bodies in the scene.
    pub fn record(
        &self,
        h: f64,
        friction: Option<[f64; 2]>,
        bodies: [Option<usize>; 2],
    ) -> ContactRecord {
        let [s, t] = self.tangents;
        let [about_n, about_s, about_t] = self.spin_impulse;
        ContactRecord {
            bodies,
            point: self.point.midpoint(),
            normal: self.point.normal,
            tangent: s,
            friction,
            gap: self.gap,
            normal_force: self.impulse[0] / h,
            friction_force: (s * self.impulse[1] + t * self.impulse[2]) / h,
            spin_torque: (self.point.normal * about_n + s * about_s + t * about_t) / h,
            slip_velocity: s * self.velocity[1] + t * self.velocity[2],
            state: self.state(tolerances::STICKING_SPEED),
        }
    }
}

/// A name for a contact point that survives as long as its two features do.
pub(crate) fn key(
    pair: [ColliderHandle; 2],
    number: usize,
    manifold: &ContactManifold,
    index: usize,
) -> u64 {
    Names::of(pair, number, manifold).key(index)
}

/// The names of the points of a manifold.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    manifold: &'a ContactManifold,
    /// What they have in common.
    hash: u64,
}

impl<'a> Names<'a> {
    /// Of manifold `number` of a pair.
    pub(crate) fn of(
        pair: [ColliderHandle; 2],
        number: usize,
        manifold: &'a ContactManifold,
    ) -> Self {
        let words = [
            pair[0].into_raw_parts().0,
            pair[1].into_raw_parts().0,
            u32::try_from(number).unwrap_or(u32::MAX),
            manifold.subshape1,
            manifold.subshape2,
        ];
        let hash = words.into_iter().fold(0xcbf2_9ce4_8422_2325, mixed);
        Self { manifold, hash }
    }

    /// The name of one point.
    pub(crate) fn key(self, index: usize) -> u64 {
        let point = self.manifold.points.get(index);
        let [a, b] = point.map_or([0, 0], |p| [p.fid1.0, p.fid2.0]);
        mixed(mixed(self.hash, a), b)
    }
}

/// FNV-1a over words: mixes well enough for a lookup that may miss without harm.
fn mixed(hash: u64, word: u32) -> u64 {
    (hash ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Two unit tangents that make (n, s, t) right-handed, the same for the same normal and nearly the same for nearly the
/// same, but across [`tolerances::SEAM`].
pub(crate) fn tangents(n: &Vector3<f64>) -> [Vector3<f64>; 2] {
    // The bases of Duff et al. 2017, who change from one to the other at n.z = 0: where y is up, round-off takes the
    // normal of the ground across that in every other step.
    let sign = if n.z < tolerances::SEAM { -1.0 } else { 1.0 };
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
            Vector3::new(0.5, 0.2, -0.84).normalize(),
        ] {
            let [s, t] = tangents(&n);
            assert!((s.norm() - 1.0).abs() < 1e-14 && (t.norm() - 1.0).abs() < 1e-14);
            assert!((n.cross(&s) - t).norm() < 1e-14, "{n}");
        }
    }

    /// Cause: bodies at rest were solved again in every other step: the impulses of the last one were remembered along tangents
    /// that had turned with a bit of the normal.
    #[test]
    fn tangents_stay_where_round_off_tilts_an_upright_normal() {
        for n in [Vector3::x(), Vector3::y(), -Vector3::x(), -Vector3::y()] {
            let [above, below] = [1e-17, -1e-17].map(|z| tangents(&(n + Vector3::z() * z)));
            for (one, other) in above.iter().zip(&below) {
                assert!((one - other).norm() < 1e-15, "{n}");
            }
        }
    }
}
