//! Between rapier's glam types of either precision and nalgebra's f64 types.
#![allow(
    clippy::useless_conversion,
    clippy::unnecessary_cast,
    reason = "this source is compiled over f32 and over f64; the casts do nothing in the latter"
)]

use nalgebra::{Isometry3, Matrix3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};
use rapier::math::{Pose, Real, Rotation, Vector};

/// A scalar of rapier in f64.
#[inline]
pub(crate) fn real(x: Real) -> f64 {
    f64::from(x)
}

/// An f64 in rapier's precision (rounded to nearest in f32).
#[inline]
pub(crate) fn to_real(x: f64) -> Real {
    x as Real
}

#[inline]
pub(crate) fn vector(v: Vector) -> Vector3<f64> {
    Vector3::new(real(v.x), real(v.y), real(v.z))
}

#[inline]
pub(crate) fn to_vector(v: &Vector3<f64>) -> Vector {
    Vector::new(to_real(v.x), to_real(v.y), to_real(v.z))
}

#[inline]
pub(crate) fn point(v: Vector) -> Point3<f64> {
    Point3::new(real(v.x), real(v.y), real(v.z))
}

/// A rotation, normalised again: an f32 quaternion is a unit only to 1e-7.
#[inline]
pub(crate) fn rotation(q: Rotation) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(Quaternion::new(real(q.w), real(q.x), real(q.y), real(q.z)))
}

#[inline]
pub(crate) fn isometry(pose: &Pose) -> Isometry3<f64> {
    Isometry3::from_parts(
        Translation3::from(vector(pose.translation)),
        rotation(pose.rotation),
    )
}

#[inline]
pub(crate) fn to_pose(x: &Isometry3<f64>) -> Pose {
    let q = x.rotation.quaternion();
    Pose::from_parts(
        to_vector(&x.translation.vector),
        Rotation::from_xyzw(to_real(q.i), to_real(q.j), to_real(q.k), to_real(q.w)),
    )
}

/// Inertia of a body about its centre of mass, in the body's axes [kg m^2].
pub(crate) fn local_inertia(props: &rapier::prelude::MassProperties) -> Matrix3<f64> {
    let principal = vector(props.principal_inertia());
    let frame = rotation(props.principal_inertia_local_frame).to_rotation_matrix();
    frame.matrix() * Matrix3::from_diagonal(&principal) * frame.matrix().transpose()
}
