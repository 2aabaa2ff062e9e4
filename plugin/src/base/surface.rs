//! What the velocities alone do to the velocity rows of a contact: `Ndot v, Sdot v, Tdot v`.
//!
//! Bodies 0 and 1 touch at a point that travels with u over both. With v_k, w_k, c_k the velocity, the
//! angular velocity and the acceleration of body k's own point there when no coordinate accelerates,
//! and S_k the curvature of its surface, the relative velocity and the normal change at
//! ```text
//! d/dt (v_1 - v_0) = c_1 + w_1 x (u - v_1) - c_0 - w_0 x (u - v_0)
//! d/dt n           = w_0 x n + S_0 (u - v_0) = w_1 x n - S_1 (u - v_1)
//! ```
//! The second line fixes u: on a corner it goes with the body, on a ball or a cylinder as both rates of
//! the normal agree. Where faces or edges rest flat on each other u has no meaning and no effect.

use crate::base::convert::{isometry, real, to_vector, vector};
use crate::base::tolerances;
use nalgebra::{Matrix2, Point3, Vector2, Vector3};
use rapier::parry::shape::{PackedFeatureId, TypedShape};
use rapier::prelude::{Collider, Vector};

/// What the surface of a body is like at a contact. Models at acceleration level ask for it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub enum Surface {
    /// Nothing is known: the contact's rows are taken for constant within a step.
    #[default]
    Unknown,
    /// A face.
    Flat,
    /// A straight edge.
    Edge,
    /// A corner.
    Corner,
    /// A sphere.
    Ball {
        /// Its radius \[m\].
        radius: f64,
    },
    /// The side of a cylinder.
    Cylinder {
        /// Its radius \[m\].
        radius: f64,
        /// Unit vector along its axis, in the world.
        axis: Vector,
    },
}

impl Surface {
    /// The surface of a collider of this shape at a point of its own in the world, known to collision detection as
    /// `feature`.
    #[inline]
    pub(crate) fn of(
        collider: &Collider,
        shape: &TypedShape<'_>,
        feature: PackedFeatureId,
        at: &Point3<f64>,
    ) -> Self {
        match shape {
            TypedShape::HalfSpace(_) => Self::Flat,
            TypedShape::Ball(ball) => Self::Ball {
                radius: real(ball.radius),
            },
            TypedShape::Capsule(capsule) => {
                let pose = isometry(collider.position());
                let ends = [capsule.segment.a, capsule.segment.b].map(|end| pose * vector(end));
                let centre = pose.translation.vector;
                let along = ends[1] - ends[0];
                let share = (at.coords - centre - ends[0]).dot(&along) / along.norm_squared();
                let radius = real(capsule.radius);
                // Negated so that a capsule without length is a ball.
                if !(share > tolerances::NEGLIGIBLE && share < 1.0 - tolerances::NEGLIGIBLE) {
                    return Self::Ball { radius };
                }
                let axis = to_vector(&along.normalize());
                Self::Cylinder { radius, axis }
            }
            TypedShape::Cuboid(_)
            | TypedShape::Triangle(_)
            | TypedShape::TriMesh(_)
            | TypedShape::HeightField(_)
            | TypedShape::ConvexPolyhedron(_) => {
                if feature.is_vertex() {
                    Self::Corner
                } else if feature.is_edge() {
                    Self::Edge
                } else if feature.is_face() {
                    Self::Flat
                } else {
                    Self::Unknown
                }
            }
            _ => Self::Unknown,
        }
    }

    /// Curvature along two tangents [1/m]; none for what is sharp.
    fn curvature(&self, [s, t]: &[Vector3<f64>; 2]) -> Option<Matrix2<f64>> {
        match self {
            Self::Flat => Some(Matrix2::zeros()),
            Self::Ball { radius } => Some(Matrix2::identity() / *radius),
            Self::Cylinder { radius, axis } => {
                let axis = vector(*axis);
                let a = Vector2::new(axis.dot(s), axis.dot(t));
                let a = a.try_normalize(1e-9)?;
                Some((Matrix2::identity() - a * a.transpose()) / *radius)
            }
            Self::Unknown | Self::Edge | Self::Corner => None,
        }
    }

    fn is_sharp(&self) -> bool {
        matches!(self, Self::Edge | Self::Corner)
    }
}

/// How the point of a body at a contact moves when no coordinate accelerates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Motion {
    /// Its velocity [m/s].
    pub(crate) velocity: Vector3<f64>,
    /// The body's angular velocity [rad/s].
    pub(crate) angular: Vector3<f64>,
    /// Its acceleration [m/s^2].
    pub(crate) acceleration: Vector3<f64>,
}

impl Motion {
    /// Of a point `arm` from another one that moves without acceleration.
    pub(crate) fn about(linear: &Vector3<f64>, angular: &Vector3<f64>, arm: &Vector3<f64>) -> Self {
        let turning = angular.cross(arm);
        Self {
            velocity: linear + turning,
            angular: *angular,
            acceleration: angular.cross(&turning),
        }
    }
}

/// `Ndot v, Sdot v, Tdot v` [m/s^2]; `axes` are n, s and t, which turn with the normal and not about it.
/// Zero where the surfaces do not tell.
pub(crate) fn bias(
    surfaces: &[Surface; 2],
    motions: &[Motion; 2],
    axes: &[Vector3<f64>; 3],
) -> [f64; 3] {
    let Some((travel, turn)) = travel(surfaces, motions, axes) else {
        return [0.0; 3];
    };
    let [a, b] = motions.map(|m| m.acceleration + m.angular.cross(&(travel - m.velocity)));
    let rate = b - a;
    let relative = motions[1].velocity - motions[0].velocity;
    let [n, s, t] = axes;
    let leaving = relative.dot(n);
    [
        n.dot(&rate) + turn.dot(&relative),
        s.dot(&rate) - turn.dot(s) * leaving,
        t.dot(&rate) - turn.dot(t) * leaving,
    ]
}

/// The velocity of the contact and the rate of the normal.
fn travel(
    surfaces: &[Surface; 2],
    motions: &[Motion; 2],
    [n, s, t]: &[Vector3<f64>; 3],
) -> Option<(Vector3<f64>, Vector3<f64>)> {
    if surfaces.contains(&Surface::Unknown) {
        return None;
    }
    let tangents = [*s, *t];
    // Midway between the surfaces.
    let mean = 0.5 * (motions[0].velocity + motions[1].velocity);
    let flat = |v: &Vector3<f64>| Vector2::new(v.dot(s), v.dot(t));
    let on = |tangential: Vector2<f64>| s * tangential.x + t * tangential.y + n * n.dot(&mean);
    let turn = |k: usize, curvature: Matrix2<f64>, travel: &Vector3<f64>| {
        let bend = curvature * flat(&(travel - motions[k].velocity));
        let sign = if k == 0 { 1.0 } else { -1.0 };
        motions[k].angular.cross(n) + (s * bend.x + t * bend.y) * sign
    };
    let curvatures = surfaces.map(|surface| surface.curvature(&tangents));
    match (surfaces, curvatures) {
        (_, [Some(a), Some(b)]) => {
            let closing = flat(&(motions[1].angular - motions[0].angular).cross(n));
            let [v_a, v_b] = motions.map(|m| flat(&m.velocity));
            let wanted = closing + a * v_a + b * v_b;
            // Along lines that touch flat any travel will do.
            let eigen = (a + b).symmetric_eigen();
            let least = 1e-9 * eigen.eigenvalues.amax();
            let mut tangential = Vector2::zeros();
            for (value, direction) in eigen
                .eigenvalues
                .iter()
                .zip(eigen.eigenvectors.column_iter())
            {
                let along = if *value > least {
                    direction.dot(&wanted) / value
                } else {
                    direction.dot(&flat(&mean))
                };
                tangential += direction * along;
            }
            let travel = on(tangential);
            Some((travel, turn(0, a, &travel)))
        }
        ([Surface::Corner, _], [_, Some(b)]) | ([Surface::Edge, Surface::Flat], [_, Some(b)]) => {
            let travel = on(flat(&motions[0].velocity));
            Some((travel, turn(1, b, &travel)))
        }
        ([_, Surface::Corner], [Some(a), _]) | ([Surface::Flat, Surface::Edge], [Some(a), _]) => {
            let travel = on(flat(&motions[1].velocity));
            Some((travel, turn(0, a, &travel)))
        }
        // Flat faces whose outlines cross, or edges that cross for good: right as long as the
        // bodies neither slide nor roll on each other, and the first also when they do.
        ([a, b], _) if a.is_sharp() && b.is_sharp() => {
            let turn = 0.5 * (motions[0].angular + motions[1].angular).cross(n);
            Some((mean, turn))
        }
        _ => None,
    }
}
