//! The directions of polygonal friction.

use std::f64::consts::TAU;

/// Corner k of the polygon of radius 1 whose first corner is on the first axis; opposite corners are
/// exact opposites.
pub(crate) fn corner(k: usize, corners: usize) -> [f64; 2] {
    let half = corners / 2;
    if k >= half {
        return corner(k - half, corners).map(|x| -x);
    }
    if 4 * k == corners {
        return [0.0, 1.0];
    }
    let (sin, cos) = (TAU * k as f64 / corners as f64).sin_cos();
    [cos, sin]
}
