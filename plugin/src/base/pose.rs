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
    let rotation = UnitQuaternion::from_scaled_axis(angular * h) * pose.rotation;
    turned(pose, local_com, &(linear * h), rotation)
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
