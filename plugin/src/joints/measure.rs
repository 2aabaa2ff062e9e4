//! The coordinates of a joint: how far its second frame is from its first, and how fast that changes.
//!
//! With frame 1 at `p1` with axes `b_i` (columns of `R1`), frame 2 at `p2`, `d = p2 - p1` and the
//! relative rotation `R1^T R2 = (w, u)` as a unit quaternion, whose rate is
//! `2 w' = -omega . u`, `2 u' = w omega + omega x u` for the relative angular velocity `omega` in
//! the axes of frame 1:
//! ```text
//! linear i      b_i . d                  rate  b_i . (v2 - v1), both bodies' points at p2
//! distance      |sum_i b_i (b_i . d)|    rate  along the unit vector of that sum, likewise at p2
//! turn i        2 u_i                    rate  omega . (w e_i + u x e_i)
//! angle i       2 atan2(u_i, w)          rate  omega . (w^2 e_i + w u x e_i + u_i u) / (w^2 + u_i^2)
//! swing i       angle of b_i of both     rate  along their common normal
//! ```
//! The rates are exact for any error and any angle: a row that holds them holds the coordinate.

use crate::base::tolerances;
use nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use std::f64::consts::{PI, TAU};

/// Frame 2 of a joint as seen from frame 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relative {
    /// Axes of the two frames in the world, as columns.
    axes: [Matrix3<f64>; 2],
    /// From the origin of frame 1 to that of frame 2, in the world \[m\].
    offset: Vector3<f64>,
    /// Origin of frame 2 in the world: the point of both bodies that rows are about.
    pub(super) at: Point3<f64>,
    /// Scalar part of the relative rotation.
    w: f64,
    /// Vector part, in the axes of frame 1.
    u: Vector3<f64>,
}

impl Relative {
    /// Of the two quaternions of the relative rotation the one nearer to that of `like`, or to
    /// none at all.
    pub(super) fn of(frames: &[Isometry3<f64>; 2], like: Option<&Self>) -> Self {
        let [one, two] = frames;
        let turn = one.rotation.inverse() * two.rotation;
        let (w, u) = (turn.w, turn.imag());
        let side = like.map_or(w, |l| w * l.w + u.dot(&l.u));
        let sign = 1.0_f64.copysign(side);
        Self {
            axes: [one, two].map(|f| *f.rotation.to_rotation_matrix().matrix()),
            offset: two.translation.vector - one.translation.vector,
            at: Point3::from(two.translation.vector),
            w: sign * w,
            u: u * sign,
        }
    }

    /// Axes of frame 1 in the world, as columns.
    pub(super) fn basis(&self) -> &Matrix3<f64> {
        &self.axes[0]
    }

    fn axis(&self, i: usize) -> Vector3<f64> {
        self.axes[0].column(i).into_owned()
    }

    /// The part of the offset along some axes.
    fn along(&self, axes: u8) -> Vector3<f64> {
        let chosen = (0..3).filter(|i| axes >> i & 1 == 1);
        chosen
            .map(|i| self.axis(i) * self.axis(i).dot(&self.offset))
            .sum()
    }
}

/// One coordinate of a joint; axes are 0, 1, 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Measure {
    /// Distance along an axis \[m\].
    Linear(usize),
    /// Length of the part of the offset along the axes of the mask \[m\].
    Distance(u8),
    /// Twice the quaternion's part along an axis: zero exactly where the rotation has none there.
    Turn(usize),
    /// Angle of the rotation's part about an axis, in (-pi, pi] \[rad\].
    Angle(usize),
    /// Angle between the axis of frame 1 and that of frame 2 \[rad\].
    Swing(usize),
}

/// What a unit of relative velocity at [`Relative::at`] and of relative angular velocity adds to
/// the rate of a coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slope {
    pub(super) linear: Vector3<f64>,
    pub(super) angular: Vector3<f64>,
}

impl Measure {
    /// Whether the coordinate is an angle.
    pub(super) fn is_angular(self) -> bool {
        matches!(self, Self::Turn(_) | Self::Angle(_) | Self::Swing(_))
    }

    /// The coordinate.
    pub(super) fn value(self, r: &Relative) -> f64 {
        match self {
            Self::Linear(i) => r.axis(i).dot(&r.offset),
            Self::Distance(axes) => r.along(axes).norm(),
            Self::Turn(i) => 2.0 * r.u[i],
            Self::Angle(i) => wrapped(2.0 * r.u[i].atan2(r.w)),
            Self::Swing(i) => {
                let [a, b] = [0, 1].map(|k| r.axes[k].column(i).into_owned());
                a.cross(&b).norm().atan2(a.dot(&b))
            }
        }
    }

    /// How it follows the velocities; `None` where it has no direction (zero distance, zero swing,
    /// an angle half a turn away about another axis).
    pub(super) fn slope(self, r: &Relative) -> Option<Slope> {
        let linear = |linear| Slope {
            linear,
            angular: Vector3::zeros(),
        };
        let angular = |angular| Slope {
            linear: Vector3::zeros(),
            angular,
        };
        let e = |i: usize| Vector3::ith(i, 1.0);
        match self {
            Self::Linear(i) => Some(linear(r.axis(i))),
            Self::Distance(axes) => r
                .along(axes)
                .try_normalize(tolerances::ROUND_OFF)
                .map(linear),
            Self::Turn(i) => Some(angular(r.axes[0] * (e(i) * r.w + r.u.cross(&e(i))))),
            Self::Angle(i) => {
                let (w, u) = (r.w, r.u);
                let size = w * w + u[i] * u[i];
                (size > tolerances::ROUND_OFF.powi(2)).then(|| {
                    let sum = e(i) * (w * w) + u.cross(&e(i)) * w + u * u[i];
                    angular(r.axes[0] * (sum / size))
                })
            }
            Self::Swing(i) => {
                let [a, b] = [0, 1].map(|k| r.axes[k].column(i).into_owned());
                a.cross(&b)
                    .try_normalize(tolerances::ROUND_OFF)
                    .map(angular)
            }
        }
    }
}

/// Value and rate of the only coordinate of a joint, `axis` 0 to 2 along and 3 to 5 about an axis; `moves`
/// gives the velocity of body 2 against body 1 at a point, and the angular one. The rate is 0 where the
/// coordinate has no direction.
pub(crate) fn only_coordinate(
    frames: &[Isometry3<f64>; 2],
    axis: usize,
    moves: impl FnOnce(&Point3<f64>) -> [Vector3<f64>; 2],
) -> (f64, f64) {
    let relative = Relative::of(frames, None);
    let measure = match axis.checked_sub(3) {
        None => Measure::Linear(axis),
        Some(axis) => Measure::Angle(axis),
    };
    let [linear, angular] = moves(&relative.at);
    let rate = |slope: Slope| slope.linear.dot(&linear) + slope.angular.dot(&angular);
    let slope = measure.slope(&relative);
    (measure.value(&relative), slope.map_or(0.0, rate))
}

/// An angle in (-pi, pi].
pub(super) fn wrapped(angle: f64) -> f64 {
    let turned = angle - TAU * (angle / TAU).round();
    if turned <= -PI { turned + TAU } else { turned }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Translation3, UnitQuaternion};

    fn frames(t: f64) -> [Isometry3<f64>; 2] {
        let pose = |start: [f64; 6], v: [f64; 3], w: [f64; 3]| {
            let at = Vector3::new(start[0], start[1], start[2]) + Vector3::from(v) * t;
            let turn = UnitQuaternion::from_scaled_axis(Vector3::from(w) * t)
                * UnitQuaternion::from_euler_angles(start[3], start[4], start[5]);
            Isometry3::from_parts(Translation3::from(at), turn)
        };
        [
            pose(
                [0.1, -0.2, 0.3, 0.4, -1.0, 2.0],
                [0.5, 0.1, -0.7],
                [0.3, -0.8, 0.6],
            ),
            pose(
                [0.9, 0.4, -0.5, -0.7, 0.2, 0.9],
                [-0.2, 0.6, 0.4],
                [-1.1, 0.5, 0.2],
            ),
        ]
    }

    /// Every rate against central differences of the value, at large offsets and angles.
    #[test]
    fn rates_are_the_derivatives_of_the_coordinates() {
        let [one, two] = frames(0.0);
        let r = Relative::of(&[one, two], None);
        // Velocities of the two bodies' points at the origin of frame 2, as in `frames`.
        let w = [Vector3::new(0.3, -0.8, 0.6), Vector3::new(-1.1, 0.5, 0.2)];
        let v1 = Vector3::new(0.5, 0.1, -0.7) + w[0].cross(&(r.offset));
        let v2 = Vector3::new(-0.2, 0.6, 0.4);
        let dt = 1e-5;
        for measure in (0..3)
            .flat_map(|i| {
                [
                    Measure::Linear(i),
                    Measure::Turn(i),
                    Measure::Angle(i),
                    Measure::Swing(i),
                ]
            })
            .chain([0b111, 0b011, 0b100].map(Measure::Distance))
        {
            let slope = measure.slope(&r).unwrap();
            let rate = slope.linear.dot(&(v2 - v1)) + slope.angular.dot(&(w[1] - w[0]));
            let [before, after] =
                [-dt, dt].map(|t| measure.value(&Relative::of(&frames(t), Some(&r))));
            let expected = wrapped(after - before) / (2.0 * dt);
            assert!(
                (rate - expected).abs() < 1e-8,
                "{measure:?}: {rate} {expected}"
            );
        }
    }

    #[test]
    fn angles_wrap_to_half_a_turn() {
        for (angle, expected) in [(0.0, 0.0), (PI, PI), (-PI, PI), (3.5 * PI, -0.5 * PI)] {
            assert!((wrapped(angle) - expected).abs() < 1e-12, "{angle}");
        }
    }
}
