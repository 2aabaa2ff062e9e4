//! The pose of a body that moves for a while at a velocity.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

/// The pose after `h` with the given velocity of the centre of mass and angular velocity (world
/// axes, exponential map).
pub(crate) fn moved(
    pose: &Isometry3<f64>,
    local_com: &Point3<f64>,
    [linear, angular]: [&Vector3<f64>; 2],
    h: f64,
) -> Isometry3<f64> {
    turned(pose, local_com, &(linear * h), rotated(pose, angular, h))
}

/// The rotation after `h` at an angular velocity.
pub(crate) fn rotated(
    pose: &Isometry3<f64>,
    angular: &Vector3<f64>,
    h: f64,
) -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(angular * h) * pose.rotation
}

/// The pose with the centre of mass shifted and the given rotation.
pub(crate) fn turned(
    pose: &Isometry3<f64>,
    local_com: &Point3<f64>,
    shift: &Vector3<f64>,
    rotation: UnitQuaternion<f64>,
) -> Isometry3<f64> {
    let com = pose * local_com + shift;
    let origin = com.coords - rotation * local_com.coords;
    Isometry3::from_parts(Translation3::from(origin), rotation)
}

/// What a rate per unit of turning is per unit of a rotation vector that is `by` \[rad\] already: `J^T rate`, where with
/// `theta = |by|` along the unit vector e a change d of the rotation vector turns the body by
/// ```text
/// J d,   J = sin(theta)/theta I + (1 - cos(theta))/theta [e]x + (1 - sin(theta)/theta) e e^T
/// ```
pub(crate) fn per_rotation_vector(rate: &Vector3<f64>, by: &Vector3<f64>) -> Vector3<f64> {
    let theta = by.norm();
    // Below it J is the identity to round-off.
    if theta < 1e-16 {
        return *rate;
    }
    let (e, share) = (by / theta, theta.sin() / theta);
    let along = (1.0 - share) * e.dot(rate);
    rate * share + rate.cross(&e) * ((1.0 - theta.cos()) / theta) + e * along
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against central differences of the rotation itself.
    #[test]
    fn a_change_of_a_rotation_vector_turns_by_its_jacobian() {
        let (rate, change) = (Vector3::new(0.3, -1.0, 0.7), Vector3::new(-0.4, 0.2, 0.9));
        for size in [0.0, 1e-5, 0.4, 2.0, 5.0] {
            let by = Vector3::new(0.48, 0.6, -0.64) * size;
            let dt = 1e-6;
            let turn = |t: f64| UnitQuaternion::from_scaled_axis(by + change * t);
            let measured = (turn(dt) * turn(-dt).inverse()).scaled_axis() / (2.0 * dt);
            let told = per_rotation_vector(&rate, &by).dot(&change);
            assert!((rate.dot(&measured) - told).abs() < 1e-8, "{size}: {told}");
        }
    }
}
