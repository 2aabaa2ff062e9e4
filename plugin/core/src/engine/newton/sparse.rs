//! A step by the sparse matrix over the velocities: every unit's impulses are eliminated,
//! ```text
//! dz = p - H' R dv,   p = K^-1 r,   H' = K^-1 H,   K = G + H (soft + eps D),   (I + R^T H' R) dv = R^T p
//! ```

use super::equations::{Equations, Moving};
use crate::engine::graph::Graph;
use crate::law::linear::Matrix;
use crate::law::{ConstraintBlock, by_width};
use crate::problem::IslandProblem;
use crate::system::System;

/// Memory of the matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Sparse {
    graph: Graph,
    /// p and H' of the units that move, one after another.
    answers: Vec<f64>,
    dv: Vec<f64>,
}

impl Sparse {
    /// Lays out the matrix of an island; false if a factor takes more than `most` operations.
    pub(super) fn enter(&mut self, place: IslandProblem<'_>, system: &System, most: usize) -> bool {
        self.graph.enter(place, system, most)
    }

    /// The changes of the impulses, in `dz`; false where a matrix is singular. One that is known is not factored again.
    pub(super) fn solve(
        &mut self,
        system: &System,
        equations: &Equations<'_>,
        is_known: bool,
        dz: &mut Vec<f64>,
    ) -> bool {
        if !is_known {
            self.graph.begin();
        }
        self.answers.clear();
        self.dv.clear();
        self.dv.resize(system.dim(), 0.0);
        for moving in equations.moving {
            let unit = &system.units[moving.unit as usize];
            let is_regular = by_width!(unit, W => self.eliminate::<W>(system, unit, moving, equations, is_known));
            if !is_regular {
                return false;
            }
        }
        if !is_known && self.graph.factor().is_err() {
            return false;
        }
        self.graph.solve(&mut self.dv);
        dz.clear();
        let mut at = 0;
        for moving in equations.moving {
            let unit = &system.units[moving.unit as usize];
            by_width!(unit, W => {
                let du: [f64; W] = system.product(unit, &self.dv);
                let (p, h) = self.answers[at..at + W * (W + 1)].split_at(W);
                at += W * (W + 1);
                dz.extend(p.iter().zip(h.chunks_exact(W)).map(|(p, h)| {
                    p - h.iter().zip(&du).map(|(h, du)| h * du).sum::<f64>()
                }));
            });
        }
        true
    }

    /// Takes the impulses of a unit out of the equations; false where they are singular.
    #[inline]
    fn eliminate<const W: usize>(
        &mut self,
        system: &System,
        unit: &ConstraintBlock,
        moving: &Moving,
        equations: &Equations<'_>,
        is_known: bool,
    ) -> bool {
        let own = equations.of::<W>(moving);
        let mut p = equations.right(system, unit, &own);
        let (mut k, mut h) = (own.g, own.h);
        for (k, h) in k.iter_mut().zip(&h) {
            for j in 0..W {
                k[j] += h[j] * equations.own(unit, j);
            }
        }
        if !divide(&mut k, &mut h, &mut p) {
            return false;
        }
        if !is_known {
            self.graph.add(system, moving.unit as usize, &h);
        }
        system.add(unit, p, &mut self.dv);
        self.answers.extend_from_slice(&p);
        self.answers.extend_from_slice(h.as_flattened());
        true
    }
}

/// `H := K^-1 H` and `p := K^-1 p`, with row exchanges; false where K is singular.
fn divide<const W: usize>(k: &mut Matrix<W>, h: &mut Matrix<W>, p: &mut [f64; W]) -> bool {
    for column in 0..W {
        let largest =
            (column..W).max_by(|&a, &b| k[a][column].abs().total_cmp(&k[b][column].abs()));
        let pivot = largest.unwrap_or(column);
        k.swap(pivot, column);
        h.swap(pivot, column);
        p.swap(pivot, column);
        let head = k[column][column];
        if head == 0.0 || !head.is_finite() {
            return false;
        }
        let lead = (
            k[column].map(|x| x / head),
            h[column].map(|x| x / head),
            p[column] / head,
        );
        (k[column], h[column], p[column]) = lead;
        for i in (0..W).filter(|&i| i != column) {
            let factor = k[i][column];
            if factor != 0.0 {
                subtract(&mut k[i], factor, &lead.0);
                subtract(&mut h[i], factor, &lead.1);
                p[i] -= factor * lead.2;
            }
        }
    }
    true
}

/// `x -= a y`.
fn subtract<const W: usize>(x: &mut [f64; W], a: f64, y: &[f64; W]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x -= a * y;
    }
}
