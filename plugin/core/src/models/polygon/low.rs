//! What matrix and vector lack of the exact numbers, for the method with twice the digits; and impulses
//! with all their digits.

use super::super::reduced::Reduced;
use super::layout::{Layout, Variable};
use super::matrix::Matrix;
use crate::lcp::dense::{Low, Sum};

/// A vanishing compliance of the rows of friction, relative to their diagonals. Walls are compliant by
/// the shares of a solve; without a compliance of its own, friction along rows that depend on each
/// other (four corners of a box, duplicates) leaves pivots that are nothing but round-off. With it every
/// basis on the way is regular, 1e20 above the round-off; it is taken back on the last one.
const GRIP: f64 = 1e-12;

impl Matrix {
    /// The low parts and the compliance of the last softening.
    pub(super) fn low(&self) -> Low<'_> {
        Low {
            a: &self.low,
            q: &self.q_low,
            soft: &self.soft,
            grip: &self.grip,
        }
    }

    /// Computes what `a` and `q` lack, after [`Matrix::assemble`] with the same `given`: `a + low` is
    /// the matrix of the exact products of the whitened rows. O(N^2 + k^2).
    pub(super) fn sharpen(&mut self, layout: &Layout, reduced: &Reduced, given: &[f64]) {
        let n = layout.variables.len();
        let k = reduced.rows().len();
        let w = |x: u32, y: u32| {
            let at = x as usize * k + y as usize;
            (reduced.w()[at], reduced.w_low()[at])
        };
        self.low.clear();
        self.low.resize(n * n, 0.0);
        self.q_low.clear();
        self.q_low.resize(n, 0.0);
        for (i, variable) in layout.variables.iter().enumerate() {
            let Variable::Impulse { places, coefs } = *variable else {
                continue;
            };
            for (j, other) in layout.variables.iter().enumerate() {
                let Variable::Impulse {
                    places: others,
                    coefs: factors,
                } = *other
                else {
                    continue;
                };
                let mut sum = Sum::default();
                for (x, c) in places.into_iter().zip(coefs) {
                    for (y, d) in others.into_iter().zip(factors) {
                        if c != 0.0 && d != 0.0 {
                            add(&mut sum, (c, d), w(x, y));
                        }
                    }
                }
                sum.add(-self.a[i * n + j]);
                self.low[i * n + j] = sum.parts().0;
            }
            let mut sum = Sum::default();
            for (x, c) in places.into_iter().zip(coefs) {
                let x = x as usize;
                if c == 0.0 {
                    continue;
                }
                sum.add_product(c, reduced.q()[x]);
                sum.add_product(c, reduced.q_low()[x]);
                for (y, &z) in given.iter().enumerate() {
                    if z != 0.0 {
                        add(&mut sum, (c, z), w(x as u32, y as u32));
                    }
                }
            }
            sum.add(-self.q[i]);
            self.q_low[i] = sum.parts().0;
        }
        self.sharpen_own(layout, given);
    }

    /// Fills `grip` for walls with the compliance `share`: a hundredth of it, [`GRIP`] at most, times the
    /// diagonals of the rows of friction, `B diag B^T`.
    pub(super) fn grip(&mut self, layout: &Layout, reduced: &Reduced, share: f64) {
        let grip = GRIP.min(1e-2 * share);
        let n = layout.variables.len();
        self.grip.clear();
        self.grip.resize(n * n, 0.0);
        for unit in &layout.units {
            let (first, slip) = (unit.first as usize, (unit.first + unit.count) as usize);
            let d = unit.places.map(|p| reduced.diagonal(p as usize));
            for i in first..slip {
                for j in first..slip {
                    if let (
                        Variable::Impulse { coefs: a, .. },
                        Variable::Impulse { coefs: b, .. },
                    ) = (layout.variables[i], layout.variables[j])
                    {
                        self.grip[i * n + j] = grip * (a[0] * b[0] * d[0] + a[1] * b[1] * d[1]);
                    }
                }
            }
        }
    }

    /// What walls and units add to their own entries.
    fn sharpen_own(&mut self, layout: &Layout, given: &[f64]) {
        let n = layout.variables.len();
        for wall in &layout.walls {
            let i = wall.variable as usize;
            self.low[i * n + i] += wall.softness;
            let given = given.get(wall.place as usize).copied().unwrap_or(0.0);
            self.q_low[i] += wall.b + wall.softness * given;
        }
        for unit in &layout.units {
            let (first, slip) = (unit.first as usize, (unit.first + unit.count) as usize);
            for i in first..slip {
                let Variable::Impulse { coefs, .. } = layout.variables[i] else {
                    continue;
                };
                self.q_low[i] -= coefs[0] * unit.targets[0] + coefs[1] * unit.targets[1];
                for j in first..slip {
                    let sign = if i == j { 1.0 } else { -1.0 };
                    self.low[i * n + j] += sign * unit.compliance;
                }
            }
        }
    }
}

/// Impulses of the kept rows with their trailing parts: `z_R = G z` plus the given part (none: 0).
pub(super) fn impulses(
    layout: &Layout,
    [z, z_low]: [&[f64]; 2],
    given: &[f64],
    (sums, [out, out_low]): (&mut [Sum], [&mut Vec<f64>; 2]),
) {
    for (sum, given) in sums.iter_mut().zip(given) {
        sum.add(*given);
    }
    for (variable, (&z, &low)) in layout.variables.iter().zip(z.iter().zip(z_low)) {
        if let Variable::Impulse { places, coefs } = *variable
            && z != 0.0
        {
            for (place, c) in places.into_iter().zip(coefs) {
                sums[place as usize].add_product(c, z);
                sums[place as usize].add(c * low);
            }
        }
    }
    out.clear();
    out_low.clear();
    for sum in sums {
        let (hi, lo) = sum.parts();
        out.push(hi);
        out_low.push(lo);
    }
}

/// Adds `c d w` for a `w` of two parts.
fn add(sum: &mut Sum, (c, d): (f64, f64), (hi, lo): (f64, f64)) {
    let mut factor = Sum::default();
    factor.add_product(c, d);
    let (f, rest) = factor.parts();
    sum.add_product(f, hi);
    sum.add(f * lo + rest * hi);
}
