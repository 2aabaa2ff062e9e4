//! Cone complementarity [TA]: impulses and velocities in dual cones.

use super::number::Number;

/// The normal impulse of the nearest point of a cone where friction slides, and no more than the own one where it sticks:
/// `a y_n + b |y_t|` with [`super::ConstraintBlock::pull`].
#[inline(always)]
pub(crate) fn pulled<T: Number>([a, b]: [T; 2], y_n: T, y_t: [T; 2]) -> T {
    a * y_n + b * (y_t[0] * y_t[0] + y_t[1] * y_t[1]).root()
}
