//! Friction bounded by a regular polygon: its corners, and the nearest point of it.

use std::f64::consts::TAU;

/// Corner k of the polygon of radius 1 whose first corner is on the first axis; opposite corners are
/// exact opposites.
pub fn corner(k: usize, corners: usize) -> [f64; 2] {
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

/// The nearest point of the regular polygon with corners at `radius (cos, sin)(2 pi k / corners)`.
pub fn into_polygon(x: [f64; 2], radius: f64, corners: usize) -> [f64; 2] {
    let step = TAU / corners as f64;
    // Exact where the sine is not: 1e-16 of a large radius is more than an answer may miss.
    let corner = |k: usize| corner(k, corners).map(|x| radius * x);
    // The edge whose sector holds the angle of x, and its neighbours: past a corner the nearest
    // point is that corner, which both edges hold.
    let angle = x[1].atan2(x[0]).rem_euclid(TAU);
    let k = (angle / step) as usize % corners;
    let (sin, cos) = (step * (k as f64 + 0.5)).sin_cos();
    let reach = radius * (0.5 * step).cos();
    if x[0] * cos + x[1] * sin <= reach {
        return x;
    }
    let mut nearest = [0.0; 2];
    let mut least = f64::INFINITY;
    for k in [k + corners - 1, k, k + 1] {
        let (a, b) = (corner(k % corners), corner((k + 1) % corners));
        let edge = [b[0] - a[0], b[1] - a[1]];
        let length = edge[0] * edge[0] + edge[1] * edge[1];
        let along = (x[0] - a[0]) * edge[0] + (x[1] - a[1]) * edge[1];
        let share = if length > 0.0 {
            (along / length).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let point = [a[0] + share * edge[0], a[1] + share * edge[1]];
        let off = (x[0] - point[0]).hypot(x[1] - point[1]);
        if off < least {
            (least, nearest) = (off, point);
        }
    }
    nearest
}

#[cfg(test)]
mod tests;
