//! The size of a scene: what the eye, the arrows and the ground are scaled by.

#![allow(non_snake_case)] // X_WB is the pose of B in W

use nalgebra::{Isometry3, Point3, Vector3};
use stickslip_record::{BodyRecord, Geometry, SceneRecord};

/// Extent of what moves (or of everything, if nothing does), and the scale of forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Middle of the axis-aligned bounding box, in the world \[m\].
    pub center: Point3<f64>,
    /// Half its sides \[m\].
    pub half: Vector3<f64>,
    /// Half its diagonal \[m\]; positive.
    pub size: f64,
}

impl Extent {
    /// Extent of the scene with its bodies at `poses` (`X_WB`); unbounded shapes don't count. Linear in
    /// the number of shapes and mesh corners.
    pub fn of(scene: &SceneRecord, poses: &[Isometry3<f64>]) -> Self {
        Self::of_those(scene, poses, |body| body.moves)
            .or_else(|| Self::of_those(scene, poses, |_| true))
            .unwrap_or(Self {
                center: Point3::origin(),
                half: Vector3::repeat(1.0 / 3f64.sqrt()),
                size: 1.0,
            })
    }

    /// The same of the bodies that count.
    pub(crate) fn of_those(
        scene: &SceneRecord,
        poses: &[Isometry3<f64>],
        counts: impl Fn(&BodyRecord) -> bool,
    ) -> Option<Self> {
        let mut low = Vector3::repeat(f64::INFINITY);
        let mut high = Vector3::repeat(f64::NEG_INFINITY);
        for (body, X_WB) in scene.bodies.iter().zip(poses) {
            if !counts(body) {
                continue;
            }
            for shape in &body.shapes {
                let Some((middle, half)) = local_box(&shape.geometry) else {
                    continue;
                };
                let X_WS = X_WB * shape.pose;
                let center = (X_WS * middle).coords;
                let half = X_WS.rotation.to_rotation_matrix().matrix().abs() * half;
                low = low.inf(&(center - half));
                high = high.sup(&(center + half));
            }
        }
        let size = (high - low).norm() / 2.0;
        (size.is_finite() && size > 0.0).then(|| Self {
            center: Point3::from((low + high) / 2.0),
            half: (high - low) / 2.0,
            size,
        })
    }

    /// Length of force arrows per newton [m/N]: a quarter of `weight`, or `largest` if that is more, is
    /// drawn as 0.35 of [`Self::size`], so that four equal contacts carrying a body are easily read and
    /// a squeeze stays in the picture. Without either, 1 N is drawn as a tenth of the size.
    pub fn meters_per_newton(&self, weight: f64, largest: f64) -> f64 {
        let usable = |force: &f64| force.is_finite() && *force > 0.0;
        let forces = [weight / 4.0, largest];
        let reference = forces.into_iter().filter(usable).fold(0.0, f64::max);
        if reference > 0.0 {
            0.35 * self.size / reference
        } else {
            0.1 * self.size
        }
    }
}

/// Middle and half sides of the bounding box in the shape's axes; `None` for a half space or an empty mesh.
fn local_box(geometry: &Geometry) -> Option<(Point3<f64>, Vector3<f64>)> {
    let centered = |half| Some((Point3::origin(), half));
    match geometry {
        Geometry::Sphere { radius } => centered(Vector3::repeat(*radius)),
        Geometry::Cuboid { half_extents } => centered(*half_extents),
        Geometry::Capsule {
            half_height,
            radius,
        } => centered(Vector3::new(*radius, half_height + radius, *radius)),
        Geometry::Cylinder {
            half_height,
            radius,
        } => centered(Vector3::new(*radius, *half_height, *radius)),
        Geometry::Mesh { vertices, .. } => {
            let first = vertices.first()?.coords;
            let (low, high) = vertices.iter().fold((first, first), |(low, high), p| {
                (low.inf(&p.coords), high.sup(&p.coords))
            });
            Some((Point3::from((low + high) / 2.0), (high - low) / 2.0))
        }
        Geometry::HalfSpace { .. } => None,
    }
}
