//! Poses.

/// URDF `<origin>`: R = Rz(yaw) Ry(pitch) Rx(roll).
pub(super) fn pose(origin: &urdf_rs::Pose) -> nalgebra::Isometry3<f64> {
    let [x, y, z] = *origin.xyz;
    let [roll, pitch, yaw] = *origin.rpy;
    nalgebra::Isometry3::from_parts(
        nalgebra::Translation3::new(x, y, z),
        nalgebra::UnitQuaternion::from_euler_angles(roll, pitch, yaw),
    )
}
