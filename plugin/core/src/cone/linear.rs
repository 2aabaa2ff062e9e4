//! The natural map of one unit, linearised and solved for its impulses.

use super::alm::slope;
use super::local::{clipped, discs};
use super::system::{Law, PART, Unit};
use super::{Friction, onto_cone};

pub(super) type Matrix6 = [[f64; 6]; 6];

/// One unit's part of a Newton step: with `G = dF/dz`, `U = dF/du` and
/// `B = G + U (softness + eps D)`, the impulses answer a change of velocity `du` by
/// `dz = -B^-1 F - B^-1 U du`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Linear {
    /// `B^-1 F`.
    pub(super) p: [f64; 6],
    /// `B^-1 U`.
    pub(super) h: Matrix6,
    /// Whether `h` has an entry.
    pub(super) moves: bool,
}

/// Linearises the natural map `map` of a unit at (z, u). `eps` is a proximal weight: it makes B
/// regular where impulses are not unique, slows Newton's method by its own size and leaves the
/// solution alone.
pub(super) fn linearised(
    unit: &Unit,
    (z, u): (&[f64; 6], &[f64; 6]),
    map: &[f64; 6],
    friction: Friction,
    eps: f64,
) -> Linear {
    let width = unit.width as usize;
    let mut g = [[0.0; 6]; 6];
    let mut h = [[0.0; 6]; 6];
    match unit.law {
        Law::Free => h[0][0] = 1.0,
        Law::Half => {
            if z[0] * unit.d[0] < u[0] {
                g[0][0] = unit.d[0];
            } else {
                h[0][0] = 1.0;
            }
        }
        Law::Box(limit) => {
            if (z[0] * unit.d[0] - u[0]).abs() < limit * unit.d[0] {
                h[0][0] = 1.0;
            } else {
                g[0][0] = unit.d[0];
            }
        }
        Law::Cone if friction == Friction::Convex => convex(unit, (z, u), (&mut g, &mut h)),
        Law::Cone => exact(unit, (z, u), (&mut g, &mut h)),
    }
    // B, with the map and U beside it as right-hand sides.
    let mut p = *map;
    for row in 0..width {
        for col in 0..width {
            let own = if col == 0 { unit.soft } else { 0.0 };
            g[row][col] += h[row][col] * (own + eps * unit.d[PART[col]]);
        }
    }
    eliminate(width, &mut g, &mut h, &mut p);
    let moves = h.iter().flatten().any(|&x| x != 0.0);
    Linear { p, h, moves }
}

/// `F = D (z - Proj_K(z - D^-1 u))`: `G = D (I - Proj')`, `U = D Proj' D^-1`.
fn convex(unit: &Unit, (z, u): (&[f64; 6], &[f64; 6]), (g, h): (&mut Matrix6, &mut Matrix6)) {
    let d = &unit.d;
    let mut y: [f64; 6] = std::array::from_fn(|k| z[k] - u[k] / d[PART[k]]);
    y[0] -= unit.lift / d[0];
    let f = onto_cone(y[0], d[0], &mut discs(unit, &y, d));
    let nearest = clipped(unit, f, &y);
    // Proj' D^-1.
    let slope = slope(unit, (&y, &nearest), *d);
    for i in 0..6 {
        let own = d[PART[i]];
        for j in 0..6 {
            h[i][j] = own * slope[i][j];
            g[i][j] = -own * slope[i][j] * d[PART[j]];
        }
        g[i][i] += own;
    }
}

fn exact(unit: &Unit, (z, u): (&[f64; 6], &[f64; 6]), (g, h): (&mut Matrix6, &mut Matrix6)) {
    let d = &unit.d;
    let presses = unit.grip() * z[0] * d[0] >= u[0];
    let spans: &[(usize, usize)] = if unit.width == 6 {
        &[(1, 2), (3, 1), (4, 2)]
    } else {
        &[(1, 2)]
    };
    if presses {
        h[0][0] = 1.0;
    } else {
        g[0][0] = unit.grip() * d[0];
    }
    let f = z[0].max(0.0);
    for (part, &(at, len)) in spans.iter().enumerate() {
        let d = d[part + 1];
        let bound = unit.mu[part] * f;
        let mut y = [0.0; 2];
        for k in 0..len {
            y[k] = z[at + k] - u[at + k] / d;
        }
        let r = (y[0] * y[0] + y[1] * y[1]).sqrt();
        let sticks = r <= bound && bound > 0.0;
        let (way, share) = if r > 0.0 {
            (y.map(|y| y / r), bound / r)
        } else {
            ([0.0; 2], 0.0)
        };
        for i in 0..len {
            if sticks {
                h[at + i][at + i] = 1.0;
                continue;
            }
            for j in 0..len {
                let same = if i == j { 1.0 } else { 0.0 };
                let across = if len == 1 {
                    0.0
                } else {
                    same - way[i] * way[j]
                };
                g[at + i][at + j] = d * (same - share * across);
                h[at + i][at + j] = share * across;
            }
            if presses {
                g[at + i][0] = -d * unit.mu[part] * way[i];
            }
        }
    }
}

/// `[h, p] <- b^-1 [h, p]` with row exchanges; rows without a pivot are left out (zero).
fn eliminate(n: usize, b: &mut Matrix6, h: &mut Matrix6, p: &mut [f64; 6]) {
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if b[i][k].abs() > b[pivot][k].abs() {
                pivot = i;
            }
        }
        b.swap(k, pivot);
        h.swap(k, pivot);
        p.swap(k, pivot);
        if b[k][k] == 0.0 {
            (h[k], p[k]) = ([0.0; 6], 0.0);
            continue;
        }
        let inv = 1.0 / b[k][k];
        for j in 0..n {
            b[k][j] *= inv;
            h[k][j] *= inv;
        }
        p[k] *= inv;
        for i in 0..n {
            let l = b[i][k];
            if i == k || l == 0.0 {
                continue;
            }
            for j in 0..n {
                b[i][j] -= l * b[k][j];
                h[i][j] -= l * h[k][j];
            }
            p[i] -= l * p[k];
        }
    }
}
