//! A step by the sparse matrix over the velocities: every unit's impulses are eliminated,
//! ```text
//! dz = p - H' R dv,   p = K^-1 r,   H' = K^-1 H,   K = G + H (soft + eps D),   (I + R^T H' R) dv = R^T p
//! ```

use super::Equations;
use crate::engine::graph::{Graph, Nodes};
use crate::law::linear::Matrix6;
use crate::problem::{ContactProblem, Island};
use crate::system::System;

/// `dz = p - H du` of a unit.
#[derive(Clone, Copy, Debug)]
struct Answer {
    p: [f64; 6],
    h: Matrix6,
}

/// Memory of the matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Sparse {
    graph: Graph,
    /// Nodes that each unit of the island acts on.
    nodes: Vec<Nodes>,
    answers: Vec<Answer>,
    dv: Vec<f64>,
}

impl Sparse {
    /// Lays out the matrix of an island; false if a factor takes more than `most` operations.
    pub(super) fn enter(
        &mut self,
        place: (&ContactProblem, Island<'_>),
        system: &System,
        most: usize,
    ) -> bool {
        self.graph.enter(place);
        self.nodes.clear();
        let (graph, units) = (&mut self.graph, system.units.iter());
        (self.nodes).extend(units.map(|unit| graph.join(place.0, unit)));
        self.graph.lay_out(most)
    }

    /// The changes of the impulses, in `dz`; false where a matrix is singular.
    pub(super) fn solve(
        &mut self,
        system: &System,
        equations: &Equations<'_>,
        dz: &mut Vec<f64>,
    ) -> bool {
        self.graph.begin();
        self.answers.clear();
        self.dv.clear();
        self.dv.resize(system.dim(), 0.0);
        for moving in equations.moving {
            let unit = &system.units[moving.unit as usize];
            let (mut k, mut h) = (moving.own.g, moving.own.h);
            let mut p = equations.right(system, moving);
            let width = unit.width as usize;
            for i in 0..width {
                for j in 0..width {
                    k[i][j] += h[i][j] * equations.own(unit, j);
                }
            }
            if !divide(&mut k, width, &mut h, &mut p) {
                return false;
            }
            let nodes = self.nodes[moving.unit as usize];
            self.graph.add(system, (unit, &h), nodes);
            system.add(unit, p, &mut self.dv);
            self.answers.push(Answer { p, h });
        }
        if self.graph.factor().is_err() {
            return false;
        }
        self.graph.solve(&mut self.dv);
        dz.clear();
        for (moving, answer) in equations.moving.iter().zip(&self.answers) {
            let unit = &system.units[moving.unit as usize];
            let du = system.product(unit, &self.dv);
            for (p, row) in answer.p.iter().zip(&answer.h).take(unit.width as usize) {
                let met: f64 = row.iter().zip(&du).map(|(h, du)| h * du).sum();
                dz.push(p - met);
            }
        }
        true
    }
}

/// `H := K^-1 H` and `p := K^-1 p` in the first `n` rows, with row exchanges; false where K is singular.
fn divide(k: &mut Matrix6, n: usize, h: &mut Matrix6, p: &mut [f64; 6]) -> bool {
    for column in 0..n {
        let largest =
            (column..n).max_by(|&a, &b| k[a][column].abs().total_cmp(&k[b][column].abs()));
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
        for i in (0..n).filter(|&i| i != column) {
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
fn subtract(x: &mut [f64; 6], a: f64, y: &[f64; 6]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x -= a * y;
    }
}
