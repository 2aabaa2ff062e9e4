//! What rapier's own step did at its contacts.
//!
//! Rapier's link velocities are stale after its step, so velocities come from the poses before
//! and after it: the mean over the step of the material points' motion.

use super::super::super::rapier::prelude::*;
use super::super::super::stickslip::record::{JointProbe, Sets, contact_state};
use super::convert::{isometry, point, real, vector};
use super::samples::join;
use crate::session::ContactSample;
use nalgebra::{Isometry3, Point3, Vector3};
use stickslip_record::{ContactRecord, JointSample};

/// Takes the poses of all bodies, by arena index.
pub(in super::super) fn remember(bodies: &RigidBodySet, before: &mut Vec<Isometry3<f64>>) {
    before.clear();
    for (handle, body) in bodies.iter() {
        let index = handle.into_raw_parts().0 as usize;
        if before.len() <= index {
            before.resize(index + 1, Isometry3::identity());
        }
        before[index] = isometry(body.position());
    }
}

/// The handle of an arena index.
pub(in super::super) fn handle(bodies: &RigidBodySet, raw: usize) -> Option<RigidBodyHandle> {
    let raw = u32::try_from(raw).ok()?;
    bodies.get_unknown_gen(raw).map(|(_, handle)| handle)
}

/// Gap up to which a contact without an impulse counts as closed \[m\], as in our models.
const CLOSED: f64 = 1e-6;

/// The contacts of the last step; `bodies` holds arena indices for now.
///
/// The normal impulse is the total over rapier's substeps. A contact counts as closed when it
/// pressed during the step or is closed at its end.
pub(in super::super) fn contacts(
    sets: &PhysicsWorld,
    before: &[Isometry3<f64>],
    dt: f64,
    out: &mut Vec<ContactSample>,
) {
    for pair in sets.narrow_phase.contact_pairs() {
        let Some(rigid) = pair.rigid() else { continue };
        let key = join(
            pair.collider1.into_raw_parts().0,
            pair.collider2.into_raw_parts().0,
        );
        for manifold in rigid.solver_manifolds() {
            let data = &manifold.data;
            let normal = vector(data.normal).normalize();
            let bodies = [data.rigid_body1, data.rigid_body2];
            for contact in &data.solver_contacts {
                let (p1, p2) = data.solver_contact_world_points(contact, &sets.bodies);
                let points = [point(p1), point(p2)];
                let moved = |k: usize| motion(&sets.bodies, before, bodies[k], &points[k]);
                let surface = vector(contact.tangent_velocity);
                let velocity = (moved(1) - moved(0)) / dt - surface;
                let slip = velocity - normal * velocity.dot(&normal);
                let gap = (points[1] - points[0]).dot(&normal);
                let first = usize::try_from(contact.contact_indices()[0]).unwrap_or(usize::MAX);
                let impulse = manifold
                    .points
                    .get(first)
                    .map_or(0.0, |p| real(p.data.impulse));
                out.push(ContactSample {
                    pair: key,
                    colliders: [pair.collider1, pair.collider2].map(|c| Some(c.into_raw_parts().0)),
                    closed: impulse > 0.0 || gap <= CLOSED,
                    record: ContactRecord {
                        bodies: bodies.map(|b| b.map(|b| b.into_raw_parts().0 as usize)),
                        point: nalgebra::center(&points[0], &points[1]),
                        normal,
                        tangent: Vector3::zeros(),
                        friction: None,
                        gap,
                        normal_force: impulse / dt,
                        friction_force: Vector3::zeros(),
                        spin_torque: Vector3::zeros(),
                        slip_velocity: slip,
                        state: contact_state(impulse > 0.0, slip.norm()),
                    },
                });
            }
        }
    }
}

/// How far the material point of a body that is now at `point` moved during the step.
fn motion(
    bodies: &RigidBodySet,
    before: &[Isometry3<f64>],
    body: Option<RigidBodyHandle>,
    point: &Point3<f64>,
) -> Vector3<f64> {
    let Some((handle, body)) = body.and_then(|h| bodies.get(h).map(|b| (h, b))) else {
        return Vector3::zeros();
    };
    let Some(start) = before.get(handle.into_raw_parts().0 as usize) else {
        return Vector3::zeros();
    };
    let local = isometry(body.position()).inverse_transform_point(point);
    point - start * local
}

/// What a joint does under rapier's own solver, which states the impulse of an impulse joint for a substep only.
pub(in super::super) fn joint(probe: &JointProbe, sets: &Sets<'_>) -> JointSample {
    let sample = probe.sample(sets);
    JointSample {
        effort: sample.effort.filter(|_| !probe.is_impulse_joint()),
        ..sample
    }
}
