//! The dense problem of one island after its bilateral rows have been eliminated.
//!
//! Of an island the rows X are eliminated (the bilateral ones J; models that hold tangential rows
//! eliminate those too) and the rows R are kept, the ones a complementarity solver decides on:
//! ```text
//! W = R P R^T,   P = M^-1 - M^-1 X^T Y X M^-1,   Y = (X M^-1 X^T)^-1         [D15, eq. 56]
//! q = R (v_free + M^-1 X^T Y (c - X v_free)),    so that R v+ = W z + q and X v+ = c for every z
//! v+ = v_free + M^-1 (R^T z + X^T f),            f = Y (c - X (v_free + M^-1 R^T z))
//! ```
//! In whitened coordinates  P is an orthogonal projector, so each row is
//! projected once and `W_ij = r_i . r_j`: symmetric, positive semidefinite to round-off, and exact to
//! round-off even for rows that lie almost in the span of X. `v+` is summed from the impulses
//! themselves, not from W.
//!
//! How to use it: [`Reduced::begin`], [`Reduced::eliminate`], [`Reduced::keep`],
//! [`Reduced::assemble`], a solver, [`Reduced::finish`].

#[cfg(test)]
mod tests;

use std::ops::Range;
use stickslip_core::kit::Answer;
use stickslip_core::kit::kernel::dot_rows as dot;
use stickslip_core::kit::{ActiveRows, White};
use stickslip_core::models::ContactSolution;
use stickslip_core::problem::{ContactProblem, IslandProblem, RowId, ScalarKind};

/// Share of a row's squared length below which nothing of it is left outside the span of the
/// eliminated rows: the round-off (1e-16 of the length) of projecting twice, with room. No impulse
/// along such a row changes its velocity.
pub(crate) const SPANNED: f64 = 1e-24;

/// A row that is eliminated.
#[derive(Clone, Copy, Debug)]
struct Eliminated {
    row: RowId,
    /// Wanted velocity c.
    target: f64,
    /// `c - row . v_free`.
    gap: f64,
    impulse: f64,
    /// Position in the factor; none for a row that depends on earlier ones.
    position: Option<u32>,
}

/// The dense problem of one island; all memory is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reduced {
    /// Factor of `X M^-1 X^T`; its arena also holds the kept rows, whitened.
    basis: ActiveRows,
    eliminated: Vec<Eliminated>,
    /// Those with a position, by it.
    selected: Vec<u32>,
    rows: Vec<RowId>,
    whites: Vec<White>,
    /// The kept rows, whitened and projected, over the island's coordinates; and those of the blocks from the first to
    /// the last that each has entries on.
    projected: Vec<f64>,
    spans: Vec<Range<usize>>,
    w: Vec<f64>,
    q: Vec<f64>,
    /// Whitened change of velocity over all coordinates; zero outside the island.
    delta: Vec<f64>,
    x: Vec<f64>,
    rho: Vec<f64>,
    /// The island's blocks, ascending.
    blocks: Vec<u32>,
    /// `1 + max |v_free|` of the island.
    speed: f64,
}

impl Reduced {
    /// Starts the problem of an island: no rows.
    pub(crate) fn begin(&mut self, place: IslandProblem<'_>) {
        let problem = place.problem;
        self.basis.begin(problem);
        self.eliminated.clear();
        self.selected.clear();
        self.rows.clear();
        self.whites.clear();
        self.delta.resize(problem.dim(), 0.0);
        self.x.resize(problem.dim(), 0.0);
        self.blocks.clear();
        self.blocks.extend_from_slice(place.island.blocks);
        self.blocks.sort_unstable();
        let speeds = (place.blocks()).flat_map(|block| &problem.v_free()[block.range()]);
        self.speed = 1.0 + speeds.fold(0.0_f64, |a, v| a.max(v.abs()));
    }

    /// Eliminates a row: `row . v+ = target`. False if it depends on the rows eliminated before
    /// (theory: FIND-INDICES, [D15, Alg. 2]); its equation then holds if the targets agree, which
    /// [`Self::finish`] checks. O(r^2 + r nnz) for r rows so far.
    pub(super) fn eliminate(&mut self, problem: &ContactProblem, row: RowId, target: f64) -> bool {
        let white = self.basis.whiten(problem, row);
        let taken = self.basis.offer(&white, 0.0);
        let position = taken.then_some(self.selected.len() as u32);
        if taken {
            self.selected.push(self.eliminated.len() as u32);
        }
        self.eliminated.push(Eliminated {
            row,
            target,
            gap: target - problem.row(row).dot(problem.v_free()),
            impulse: 0.0,
            position,
        });
        taken
    }

    /// Eliminates the island's bilateral rows, in order.
    pub(crate) fn eliminate_bilateral(&mut self, place: IslandProblem<'_>) {
        let problem = place.problem;
        for i in place.scalars() {
            if let ScalarKind::Bilateral { velocity } = problem.scalars()[i].1 {
                self.eliminate(problem, problem.scalar_row(i), velocity);
            }
        }
    }

    /// Keeps a row; returns its place in the dense problem.
    pub(crate) fn keep(&mut self, problem: &ContactProblem, row: RowId) -> usize {
        self.whites.push(self.basis.whiten(problem, row));
        self.rows.push(row);
        self.rows.len() - 1
    }

    /// Computes [`Self::w`] and [`Self::q`]. O(k r nnz + k r^2) for the projections of k rows
    /// against r eliminated ones, O(k^2 m) for W, m the coordinates that two of them have in common.
    pub(super) fn assemble(&mut self, place: IslandProblem<'_>) {
        let problem = place.problem;
        self.satisfy_alone(place);
        self.project(problem);
        let k = self.rows.len();
        self.q.clear();
        for i in 0..k {
            self.q.push(self.free(problem, i));
        }
        self.w.clear();
        self.w.resize(k * k, 0.0);
        let m = self.projected.len() / k.max(1);
        for i in 0..k {
            for j in 0..=i {
                // Where both have entries.
                let (a, b) = (&self.spans[i], &self.spans[j]);
                let (first, end) = (a.start.max(b.start), a.end.min(b.end));
                if first < end {
                    let [a, b] = [i, j].map(|i| &self.projected[i * m + first..i * m + end]);
                    let entry = dot(a, b);
                    self.w[i * k + j] = entry;
                    self.w[j * k + i] = entry;
                }
            }
        }
    }

    /// Finds the velocity that the eliminated rows alone make of the free one; see [`Self::free`].
    pub(crate) fn satisfy_alone(&mut self, place: IslandProblem<'_>) {
        self.clear_delta(place);
        self.satisfy(1.0);
    }

    /// `q_i`: velocity of a kept row without impulses of kept rows [m/s]. After [`Self::satisfy_alone`].
    pub(crate) fn free(&self, problem: &ContactProblem, i: usize) -> f64 {
        let free = problem.row(self.rows[i]).dot(problem.v_free());
        free + self.basis.dot(&self.whites[i], &self.delta)
    }

    /// The kept rows, k of them.
    pub(crate) fn rows(&self) -> &[RowId] {
        &self.rows
    }

    /// `W = R P R^T`, k x k, row-major, symmetric \[1/kg\] (or the row's own unit).
    pub(super) fn w(&self) -> &[f64] {
        &self.w
    }

    /// Velocity of the kept rows without their impulses, the eliminated rows met [m/s] (k).
    pub(super) fn q(&self) -> &[f64] {
        &self.q
    }

    /// `D = row M^-1 row^T` of a kept row, nothing eliminated: the scale the residual check uses.
    pub(crate) fn diagonal(&self, i: usize) -> f64 {
        self.whites[i].diag
    }

    /// `1 + max |v_free|` of the island [m/s].
    pub(crate) fn speed(&self) -> f64 {
        self.speed
    }

    /// Writes the answer with impulses `z` (k) of the kept rows: `v_plus` of the island's blocks and
    /// the impulses of all its rows. Eliminated rows that depend on others and miss their target by
    /// more than `within` [m/s] are declared unmet; returns the largest such miss, else 0. O(k nnz +
    /// r^2).
    pub(crate) fn finish(
        &mut self,
        place: IslandProblem<'_>,
        z: &[f64],
        within: f64,
        solution: &mut ContactSolution,
    ) -> f64 {
        let problem = place.problem;
        self.clear_delta(place);
        for ((&row, white), &z) in self.rows.iter().zip(&self.whites).zip(z) {
            if z != 0.0 {
                self.basis.add_to(white, z, &mut self.delta);
            }
            *solution.impulse_mut(problem, row) = z;
        }
        self.satisfy(1.0);
        self.write(place, within, solution)
    }

    /// Writes `v_plus` from `delta` and the impulses of the eliminated rows. See [`Self::finish`].
    fn write(
        &mut self,
        place: IslandProblem<'_>,
        within: f64,
        solution: &mut ContactSolution,
    ) -> f64 {
        let problem = place.problem;
        for block in place.blocks() {
            let range = block.range();
            let v = &mut solution.v_plus[range.clone()];
            v.copy_from_slice(&self.delta[range.clone()]);
            block.solve_l(v);
            for (v, free) in v.iter_mut().zip(&problem.v_free()[range]) {
                *v += free;
            }
        }
        let mut worst = 0.0_f64;
        for e in &self.eliminated {
            *solution.impulse_mut(problem, e.row) = e.impulse;
            if e.position.is_none() {
                let left = (problem.row(e.row).dot(&solution.v_plus) - e.target).abs();
                let missed = left > within;
                solution.unmet[e.row.0] = missed;
                if missed {
                    worst = worst.max(left);
                }
            }
        }
        worst
    }

    /// Impulses f of the eliminated rows that answer impulses `z` of the kept ones without changing
    /// what they meet: `X M^-1 (R^T z + X^T f) = 0`. Read them by [`Self::responses`], before
    /// [`Self::finish`].
    pub(super) fn respond(&mut self, place: IslandProblem<'_>, z: &[f64]) {
        self.clear_delta(place);
        for (white, &z) in self.whites.iter().zip(z) {
            if z != 0.0 {
                self.basis.add_to(white, z, &mut self.delta);
            }
        }
        self.satisfy(0.0);
    }

    /// The eliminated rows with the impulses last found.
    pub(super) fn responses(&self) -> impl Iterator<Item = (RowId, f64)> + '_ {
        self.eliminated.iter().map(|e| (e.row, e.impulse))
    }

    fn clear_delta(&mut self, place: IslandProblem<'_>) {
        for block in place.blocks() {
            self.delta[block.range()].fill(0.0);
        }
    }

    /// Adds the impulses of the eliminated rows to `delta` so that their equations hold, with this share
    /// of `c - X v_free` (1: as they stand, 0: X delta = 0): a correction
    /// repeated while it still improves, which is iterative refinement.
    fn satisfy(&mut self, share: f64) {
        for e in &mut self.eliminated {
            e.impulse = 0.0;
        }
        let floor = 1e-15 * self.speed;
        let mut last = f64::INFINITY;
        for round in 0..6 {
            self.rho.clear();
            let mut worst = 0.0_f64;
            for (position, &i) in self.selected.iter().enumerate() {
                let gap = share * self.eliminated[i as usize].gap;
                let left = gap - self.basis.dot_at(position, &self.delta);
                worst = worst.max(left.abs());
                self.rho.push(left);
            }
            if worst <= floor || (round > 1 && worst > 0.5 * last) {
                break;
            }
            last = worst;
            self.basis.solve(&mut self.rho);
            for (position, (&i, &df)) in self.selected.iter().zip(&self.rho).enumerate() {
                self.eliminated[i as usize].impulse += df;
                self.basis.add_at(position, df, &mut self.delta);
            }
        }
    }

    /// `r <- (I - X~^T Y X~) r` into `x`, twice: the second pass removes the round-off of the first.
    fn project_row(&mut self, white: &White) {
        self.basis.add_to(white, 1.0, &mut self.x);
        for _ in 0..2 {
            self.rho.clear();
            let positions = 0..self.selected.len();
            (self.rho).extend(positions.map(|p| -self.basis.dot_at(p, &self.x)));
            if self.rho.iter().all(|&rho| rho == 0.0) {
                break;
            }
            self.basis.solve(&mut self.rho);
            for (position, &rho) in self.rho.iter().enumerate() {
                if rho != 0.0 {
                    self.basis.add_at(position, rho, &mut self.x);
                }
            }
        }
    }

    /// Projects every kept row.
    fn project(&mut self, problem: &ContactProblem) {
        self.projected.clear();
        self.spans.clear();
        for i in 0..self.whites.len() {
            let white = self.whites[i];
            self.project_row(&white);
            let at = self.projected.len();
            let mut span: Option<Range<usize>> = None;
            for &b in &self.blocks {
                let part = &mut self.x[problem.block(b as usize).range()];
                let start = self.projected.len() - at;
                if part.iter().any(|&x| x != 0.0) {
                    let first = span.map_or(start, |span| span.start);
                    span = Some(first..start + part.len());
                }
                self.projected.extend_from_slice(part);
                part.fill(0.0);
            }
            let row = &self.projected[at..];
            let is_none = dot(row, row) <= SPANNED * white.diag;
            self.spans.push(span.filter(|_| !is_none).unwrap_or(0..0));
        }
    }
}
