//! Contact points that are fit for a problem: those of a user's source are refused otherwise, those of detection are
//! mended.

use crate::base::contact::ContactPoint;
use crate::base::error::StepError;
use nalgebra::Vector3;
use rapier::prelude::*;

/// Refuses contact points of a user's source that would poison the step; those of bodies that are disabled or
/// no numbers themselves are dropped.
pub(crate) fn validate(
    contacts: &mut Vec<ContactPoint>,
    bodies: &RigidBodySet,
) -> Result<(), StepError> {
    let is_out = |contact: &ContactPoint| {
        let named = contact.bodies.iter().flatten();
        let mut known = named.filter_map(|handle| bodies.get(*handle));
        known.any(|rb| !rb.is_enabled() || !rb.position().is_finite() || !rb.vels().is_finite())
    };
    for (index, contact) in contacts.iter().enumerate() {
        if let Some(reason) = fault(contact, bodies).filter(|_| !is_out(contact)) {
            let reason = reason.to_string();
            return Err(StepError::ContactSource { index, reason });
        }
    }
    contacts.retain(|contact| !is_out(contact));
    Ok(())
}

/// What is wrong with a contact point of a user's source, if anything.
fn fault(contact: &ContactPoint, bodies: &RigidBodySet) -> Option<&'static str> {
    let numbers = contact.points.iter().flat_map(|p| p.iter());
    let mut numbers = numbers.chain(contact.surface_velocity.iter());
    let coefficient = |x: f64| x.is_finite() && x >= 0.0;
    let mut named = contact.bodies.iter().flatten();
    if !numbers.all(|x| x.is_finite()) {
        Some("a point or the surface velocity is not finite")
    } else if !coefficient(contact.friction) || !coefficient(contact.restitution) {
        Some("friction and restitution must be finite and >= 0")
    } else if contact.restitution > 1.0 {
        Some("restitution must not exceed 1")
    } else if !is_unit(&contact.normal) {
        Some("the normal is not a unit vector")
    } else if named.any(|b| !bodies.contains(*b)) {
        Some("one of its bodies is not in the set")
    } else if contact.bodies[0] == contact.bodies[1] {
        Some("a body touches itself")
    } else {
        None
    }
}

/// False for a NaN too.
fn is_unit(normal: &Vector3<f64>) -> bool {
    (normal.norm() - 1.0).abs() <= 1e-6
}

/// Makes what the points of a manifold of detection's have in common fit for a problem: coefficients that a collider or a
/// hook states out of range are brought into it (not a number: none at all). False if they have no direction.
pub(crate) fn mend(contact: &mut ContactPoint) -> bool {
    // An f32 normal is a unit only to 1e-7.
    contact.normal.normalize_mut();
    let coefficient = |x: f64| if x.is_finite() { x.max(0.0) } else { 0.0 };
    contact.friction = coefficient(contact.friction);
    contact.restitution = coefficient(contact.restitution).min(1.0);
    is_unit(&contact.normal)
}

/// A surface velocity that is fit for a problem: none where it is no number.
pub(crate) fn velocity(stated: Vector3<f64>) -> Vector3<f64> {
    match stated.iter().all(|x| x.is_finite()) {
        true => stated,
        false => Vector3::zeros(),
    }
}

/// Whether a point has a place.
pub(crate) fn has_place(contact: &ContactPoint) -> bool {
    let mut numbers = contact.points.iter().flat_map(|p| p.iter());
    numbers.all(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Point3;

    /// Coefficients out of range are clamped, NaN becomes zero; a point without a direction or place is left out.
    #[test]
    fn what_detection_states_is_made_fit() {
        let at = [Point3::new(1.0, 2.0, 3.0); 2];
        let mut contact = ContactPoint::in_f64([None; 2], at, Vector3::new(0.0, 0.0, 2.0));
        (contact.friction, contact.restitution) = (f64::NAN, 3.0);
        assert!(mend(&mut contact) && has_place(&contact));
        assert_eq!((contact.friction, contact.restitution), (0.0, 1.0));
        assert_eq!(contact.normal, Vector3::z());
        contact.friction = -0.5;
        assert!(mend(&mut contact));
        assert_eq!(contact.friction, 0.0);
        contact.points[1].y = f64::INFINITY;
        assert!(!has_place(&contact));
        for none in [Vector3::zeros(), Vector3::new(f64::NAN, 0.0, 1.0)] {
            contact.normal = none;
            assert!(!mend(&mut contact), "{none}");
        }
        let belt = Vector3::new(0.5, -1.0, 0.0);
        assert_eq!(velocity(belt), belt);
        assert_eq!(velocity(belt * f64::NAN), Vector3::zeros());
    }
}
