//! Active rows, whitened, with the Cholesky factor of their Gram matrix.
//!
//! With `M = L^T L` a row `r` becomes `r~ = L^-T r^T` and a velocity `v~ = L v`; then `r v = r~ . v~`
//! and `r M^-1 s^T = r~ . s~`. Of all active rows - the selected bilateral and tangential rows X,
//! then the active normals and bounded rows B - one factor `C C^T = G = [X~; B~] [X~; B~]^T` is
//! kept. Its trailing part is exactly the factor of `A = N_B P N_B^T`:
//! ```text
//! G = | X X^T  X B^T |   =>   Schur complement  B B^T - B X^T (X X^T)^-1 X B^T = B P B^T     (M^-1 understood)
//!     | B X^T  B B^T |
//! ```
//! so the projector P [D15, eq. 56] is never formed, and X and B may enter in any order: in the
//! order of the bodies the factor is banded.

mod runs;
mod skyline;

pub(crate) use crate::kernel;
use crate::problem::{ContactProblem, NO_BLOCK, RowId, Run};
use crate::tolerances::DEPENDENT;
use skyline::Skyline;

/// A whitened row in the arena.
#[derive(Clone, Copy, Debug, Default)]
pub struct White {
    run_start: u32,
    run_end: u32,
    val_start: u32,
    blocks: [u32; 2],
    /// `r~ . r~ = row M^-1 row^T`.
    pub diag: f64,
}

/// What a row would add to the factor; its row of `C` lies in the scratch memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    first: usize,
    /// The new pivot: squared length of the part of the row outside the span of the active ones,
    /// plus the compliance.
    pub(crate) schur: f64,
    /// Whether the row depends on the active ones.
    pub(crate) dependent: bool,
}

/// The active rows of one island.
#[derive(Clone, Debug, Default)]
pub struct ActiveRows {
    runs: Vec<Run>,
    vals: Vec<f64>,
    /// Active rows by position.
    whites: Vec<White>,
    factor: Skyline,
    /// First position of a row on each block.
    block_first: Vec<u32>,
    /// Dense row; zero between uses.
    x: Vec<f64>,
    /// Row of `C` of the candidate last tried.
    l: Vec<f64>,
    /// Marks of the closure of a row's columns; false between uses.
    mark: Vec<bool>,
}

impl ActiveRows {
    /// Makes ready for an island of `problem`; forgets everything whitened.
    pub fn begin(&mut self, problem: &ContactProblem) {
        self.runs.clear();
        self.vals.clear();
        self.x.resize(problem.dim(), 0.0);
        self.mark.resize(problem.dim(), false);
        // Only what the last island wrote: a problem of many islands has many more blocks than each of them.
        self.forget_firsts();
        self.block_first.resize(problem.block_count(), u32::MAX);
        self.whites.clear();
        self.factor.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.whites.len()
    }

    /// `r~ . r~` of the row at a position.
    #[inline]
    pub(crate) fn diag(&self, position: usize) -> f64 {
        self.whites[position].diag
    }

    #[inline]
    fn runs_of(&self, white: &White) -> &[Run] {
        &self.runs[white.run_start as usize..white.run_end as usize]
    }

    /// Whitens a row of the problem into the arena. Cost: the sum of the depths of its columns.
    pub fn whiten(&mut self, problem: &ContactProblem, row: RowId) -> White {
        let (group, k) = problem.group_of(row);
        let view = problem.group_row(group, k);
        let run_start = self.runs.len();
        let val_start = self.vals.len();
        let mut at = 0;
        for run in view.runs {
            let len = run.len as usize;
            self.x[run.range()].copy_from_slice(&view.values[at..at + len]);
            at += len;
        }
        let split = group.split as usize;
        for (block, runs) in [
            (group.blocks[0], &view.runs[..split]),
            (group.blocks[1], &view.runs[split..]),
        ] {
            if block == NO_BLOCK {
                continue;
            }
            let block = problem.block(block as usize);
            let from = self.runs.len();
            if group.closed {
                self.runs.extend_from_slice(runs);
            } else {
                self.close(&block, runs);
            }
            block.whiten(&self.runs[from..], &mut self.x[block.range()]);
        }
        self.join(run_start);
        let mut diag = 0.0;
        for run in &self.runs[run_start..] {
            let part = &mut self.x[run.range()];
            diag += kernel::dot(part, part);
            self.vals.extend_from_slice(part);
            part.fill(0.0);
        }
        White {
            run_start: run_start as u32,
            run_end: self.runs.len() as u32,
            val_start: val_start as u32,
            blocks: group.blocks,
            diag,
        }
    }

    /// `r~ . x`.
    #[inline]
    pub fn dot(&self, white: &White, x: &[f64]) -> f64 {
        let mut at = white.val_start as usize;
        let mut sum = 0.0;
        for run in self.runs_of(white) {
            let len = run.len as usize;
            sum += kernel::dot(&self.vals[at..at + len], &x[run.range()]);
            at += len;
        }
        sum
    }

    /// `x += a r~`.
    #[inline]
    pub fn add_to(&self, white: &White, a: f64, x: &mut [f64]) {
        let mut at = white.val_start as usize;
        for run in self.runs_of(white) {
            let len = run.len as usize;
            for (t, r) in x[run.range()].iter_mut().zip(&self.vals[at..at + len]) {
                *t += a * r;
            }
            at += len;
        }
    }

    /// `r~ . x` of the active row at a position.
    #[inline]
    pub fn dot_at(&self, position: usize, x: &[f64]) -> f64 {
        self.dot(&self.whites[position], x)
    }

    /// `x += a r~` of the active row at a position.
    #[inline]
    pub fn add_at(&self, position: usize, a: f64, x: &mut [f64]) {
        self.add_to(&self.whites[position], a, x);
    }

    /// Tries a row with compliance `eps` against the factor. O(envelope + nonzeros).
    pub(crate) fn candidate(&mut self, white: &White, eps: f64) -> Candidate {
        let n = self.len();
        let mut first = n as u32;
        for b in white.blocks {
            if b != NO_BLOCK {
                first = first.min(self.block_first[b as usize]);
            }
        }
        let first = first as usize;
        let mut x = std::mem::take(&mut self.x);
        let mut l = std::mem::take(&mut self.l);
        self.add_to(white, 1.0, &mut x);
        l.clear();
        l.resize(n, 0.0);
        for (position, entry) in l.iter_mut().enumerate().skip(first) {
            *entry = self.dot(&self.whites[position], &x);
        }
        let schur = white.diag - self.factor.forward(first, &mut l) + eps;
        for run in self.runs_of(white) {
            x[run.range()].fill(0.0);
        }
        self.x = x;
        self.l = l;
        Candidate {
            first,
            schur,
            // A NaN does.
            dependent: schur.is_nan() || schur <= DEPENDENT * white.diag,
        }
    }

    /// Row selection, "FIND-INDICES" [D15, Alg. 2]: takes a row unless it depends on those taken before: the pivot of
    /// the grown factor must exceed 1e-10 of the row's squared length. O(envelope) per row, so selecting from n
    /// rows costs O(m^3 + n m^2) for one block of m coordinates. Offer bilateral rows first, then
    /// `S_1, T_1, S_2, T_2, ...`, and stop once the rank is the number of coordinates.
    pub fn offer(&mut self, white: &White, eps: f64) -> bool {
        let candidate = self.candidate(white, eps);
        if !candidate.dependent {
            self.accept(white, candidate);
        }
        !candidate.dependent
    }

    /// Coefficients of the candidate's row in the active ones, `d = G^-1 R~ r~_p`, into `d`.
    pub(crate) fn coefficients(&self, d: &mut Vec<f64>) {
        d.clear();
        d.extend_from_slice(&self.l);
        self.factor.backward(d);
    }

    /// Activates the candidate last tried.
    pub(crate) fn accept(&mut self, white: &White, candidate: Candidate) {
        let position = self.len() as u32;
        self.factor.push(candidate.first, &self.l, candidate.schur);
        self.whites.push(*white);
        for b in white.blocks {
            if b != NO_BLOCK {
                let first = &mut self.block_first[b as usize];
                *first = position.min(*first);
            }
        }
    }

    /// Deactivates the row at a position; those behind it move up.
    pub(crate) fn remove(&mut self, position: usize) {
        self.factor.remove(position);
        self.forget_firsts();
        self.whites.remove(position);
        self.find_firsts();
    }

    fn forget_firsts(&mut self) {
        for b in self.whites.iter().flat_map(|white| white.blocks) {
            if b != NO_BLOCK {
                self.block_first[b as usize] = u32::MAX;
            }
        }
    }

    fn find_firsts(&mut self) {
        for (i, white) in self.whites.iter().enumerate() {
            for b in white.blocks {
                if b != NO_BLOCK {
                    let first = &mut self.block_first[b as usize];
                    *first = (i as u32).min(*first);
                }
            }
        }
    }

    /// `y <- G^-1 y`.
    #[inline]
    pub fn solve(&self, y: &mut [f64]) {
        self.factor.forward(0, y);
        self.factor.backward(y);
    }
}
