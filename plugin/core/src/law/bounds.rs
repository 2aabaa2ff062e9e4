//! Impulses between two bounds: limits, contacts without friction, drives, bilateral rows.

use super::Law;
use super::number::Number;

/// The bounds of a single row's impulse, of a cone's normal one.
pub(crate) fn of(law: Law) -> [f64; 2] {
    match law {
        Law::Free => [f64::NEG_INFINITY, f64::INFINITY],
        Law::Box(limit) => [-limit, limit],
        Law::Half | Law::Cone | Law::Convex => [0.0, f64::INFINITY],
    }
}

/// The nearest impulse within bounds.
#[inline(always)]
pub(crate) fn clamped<T: Number>(y: T, [least, most]: [T; 2]) -> T {
    y.larger(least).smaller(most)
}

/// The natural map `d (z - Proj(z - u / d))` of an impulse between two bounds, written so that no digits of u are lost.
#[inline(always)]
pub(crate) fn natural<T: Number>(z: T, u: T, d: T, [least, most]: [T; 2]) -> T {
    // The second term keeps NaN, which a maximum drops.
    clamped(u, [(z - most) * d, (z - least) * d]) + T::ZERO * u
}
