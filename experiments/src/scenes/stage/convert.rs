//! Between nalgebra in f64 and the engine's types in its own precision.
#![allow(
    clippy::useless_conversion,
    clippy::unnecessary_cast,
    reason = "this source is compiled over f32 and over f64; the casts do nothing in the latter"
)]

use super::super::super::rapier::math::{Pose, Real, Rotation, Vector};
use nalgebra::{Isometry3, Matrix3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};

pub(in super::super) fn real(x: Real) -> f64 {
    f64::from(x)
}

/// Rounds to the engine's precision.
pub(in super::super) fn to_real(x: f64) -> Real {
    x as Real
}

pub(in super::super) fn vector(v: Vector) -> Vector3<f64> {
    Vector3::new(real(v.x), real(v.y), real(v.z))
}

pub(in super::super) fn point(v: Vector) -> Point3<f64> {
    vector(v).into()
}

pub(in super::super) fn to_vector(v: &Vector3<f64>) -> Vector {
    Vector::new(to_real(v.x), to_real(v.y), to_real(v.z))
}

pub(in super::super) fn isometry(pose: &Pose) -> Isometry3<f64> {
    let q = pose.rotation;
    let q = Quaternion::new(real(q.w), real(q.x), real(q.y), real(q.z));
    Isometry3::from_parts(
        Translation3::from(vector(pose.translation)),
        // An f32 quaternion is a unit only to 1e-7.
        UnitQuaternion::new_normalize(q),
    )
}

pub(in super::super) fn to_pose(x: &Isometry3<f64>) -> Pose {
    let q = x.rotation.quaternion();
    let rotation = Rotation::from_xyzw(to_real(q.i), to_real(q.j), to_real(q.k), to_real(q.w));
    Pose::from_parts(to_vector(&x.translation.vector), rotation)
}

/// Inertia about the centre of mass, in the body's axes [kg m^2].
pub(in super::super) fn inertia(
    props: &super::super::super::rapier::prelude::MassProperties,
) -> Matrix3<f64> {
    let frame = isometry(&Pose::from_parts(
        Vector::ZERO,
        props.principal_inertia_local_frame,
    ));
    let axes = frame.rotation.to_rotation_matrix();
    let principal = Matrix3::from_diagonal(&vector(props.principal_inertia()));
    axes.matrix() * principal * axes.matrix().transpose()
}
