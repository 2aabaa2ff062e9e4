//! A step by the dense matrix over the impulses, `G + H (W + soft + eps D)`, with row exchanges.

use super::equations::{Equations, Moving};
use crate::factor::Lu;
use crate::factor::kernel::{axpy, dot};
use crate::law::{ConstraintBlock, by_width};
use crate::system::System;

/// Memory of the matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Dense {
    /// Whitened rows of the moving units.
    rows: Vec<f64>,
    /// Their products with each other, and the matrix of the step.
    products: Vec<f64>,
    matrix: Vec<f64>,
    lu: Lu,
}

impl Dense {
    /// Operations of a step with `n` impulses and `m` coordinates.
    pub(super) fn flops(n: usize, m: usize) -> usize {
        n.saturating_mul(n).saturating_mul(n + m)
    }

    /// The changes of the impulses, in `dz`; false where the matrix is singular. One that is known is not factored again.
    pub(super) fn solve(
        &mut self,
        system: &System,
        equations: &Equations<'_>,
        is_known: bool,
        dz: &mut Vec<f64>,
    ) -> bool {
        if !is_known && !self.factor(system, equations) {
            return false;
        }
        dz.clear();
        for moving in equations.moving {
            let unit = &system.units[moving.unit as usize];
            by_width!(unit, W => {
                dz.extend(equations.right::<W>(system, unit, &equations.of(moving)));
            });
        }
        self.lu.solve(dz);
        true
    }

    /// Makes the matrix and factors it; false where it is singular.
    fn factor(&mut self, system: &System, equations: &Equations<'_>) -> bool {
        let m = system.dim();
        let n = equations.rows(system);
        self.rows.clear();
        self.rows.resize(n * m, 0.0);
        for moving in equations.moving {
            let unit = &system.units[moving.unit as usize];
            let (at, width) = (moving.at as usize, unit.width as usize);
            system.scatter(unit, &mut self.rows[at * m..(at + width) * m]);
        }
        self.multiply(m, n);
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        for moving in equations.moving {
            let unit = &system.units[moving.unit as usize];
            by_width!(unit, W => self.enter::<W>(n, unit, moving, equations));
        }
        let matrix = &self.matrix;
        (self.lu.factor(n, 0.0, |i, j| matrix[i * n + j])).is_ok()
    }

    /// The rows of a unit among `n`.
    fn enter<const W: usize>(
        &mut self,
        n: usize,
        unit: &ConstraintBlock,
        moving: &Moving,
        equations: &Equations<'_>,
    ) {
        let at = moving.at as usize;
        let own = equations.of::<W>(moving);
        for k in 0..W {
            self.products[(at + k) * (n + 1)] += equations.own(unit, k);
        }
        for i in 0..W {
            let row = &mut self.matrix[(at + i) * n..(at + i + 1) * n];
            for k in 0..W {
                if own.h[i][k] != 0.0 {
                    let products = &self.products[(at + k) * n..(at + k + 1) * n];
                    axpy(row, own.h[i][k], products);
                }
            }
            for k in 0..W {
                row[at + k] += own.g[i][k];
            }
        }
    }

    /// The products of the `n` dense rows of `m` entries.
    fn multiply(&mut self, m: usize, n: usize) {
        self.products.clear();
        self.products.resize(n * n, 0.0);
        for i in 0..n {
            for j in 0..=i {
                let [a, b] = [i, j].map(|i| &self.rows[i * m..(i + 1) * m]);
                let product = dot(a, b);
                self.products[i * n + j] = product;
                self.products[j * n + i] = product;
            }
        }
    }
}
