//! Between nalgebra in f64 and the engine's types in its own precision.

use nalgebra::{
    Isometry3, Matrix3, Point3, Quaternion, Rotation3, Translation3, UnitQuaternion, Vector3,
};
use rapier::{
    dynamics::MassProperties,
    math::{Pose, Real, Rotation, Vector},
};

use crate::model::Inertial;

/// Rounds to the engine's precision.
#[allow(clippy::unnecessary_cast)] // `Real` is f32 in one of the two crates built from this file.
pub(super) fn real(x: f64) -> Real {
    x as Real
}

pub(super) fn vector(v: &Vector3<f64>) -> Vector {
    Vector::new(real(v.x), real(v.y), real(v.z))
}

pub(super) fn point(p: &Point3<f64>) -> Vector {
    vector(&p.coords)
}

pub(super) fn rotation(q: &UnitQuaternion<f64>) -> Rotation {
    // Unit again after rounding.
    Rotation::from_xyzw(real(q.i), real(q.j), real(q.k), real(q.w)).normalize()
}

pub(super) fn pose(x: &Isometry3<f64>) -> Pose {
    Pose::from_parts(vector(&x.translation.vector), rotation(&x.rotation))
}

/// From the engine's precision.
#[allow(clippy::unnecessary_cast, clippy::useless_conversion)] // `Real` is f32 in one of the two crates.
pub(super) fn from_pose(x: &Pose) -> Isometry3<f64> {
    let (t, q) = (x.translation, x.rotation);
    let rotation = Quaternion::new(q.w as f64, q.x as f64, q.y as f64, q.z as f64);
    Isometry3::from_parts(
        Translation3::new(t.x as f64, t.y as f64, t.z as f64),
        UnitQuaternion::new_normalize(rotation),
    )
}

/// Diagonalised in f64, so that f32 rounds principal moments and not a difference of products.
pub(super) fn mass_properties(i: &Inertial) -> MassProperties {
    let eigen = i.inertia.symmetric_eigen();
    let mut axes: Matrix3<f64> = eigen.eigenvectors;
    if axes.determinant() < 0.0 {
        axes.column_mut(0).neg_mut();
    }
    let frame = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
    MassProperties::with_principal_inertia_frame(
        vector(&i.com),
        real(i.mass),
        vector(&eigen.eigenvalues.map(|e| e.max(0.0))),
        rotation(&frame),
    )
}
