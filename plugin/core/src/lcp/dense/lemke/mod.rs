//! Lemke's method [CPS, Alg. 4.4.5].

mod ratio;
mod run;

use super::basis::Var;
use super::tableau::Tableau;
use super::{Lcp, Limits, Outcome, Start, make_room, zeroed};
use crate::report::SolveStatus;
use ratio::RatioTest;
use run::Attempt;

/// Lemke's method with the lexicographic minimum-ratio test [CPS, Alg. 4.4.5 and sec. 4.9].
///
/// An artificial `z_0 d` makes the problem feasible and is driven out by complementary pivots. The
/// covering vector d is 1 on the violated rows (after scaling rows and columns by powers of two);
/// a run that ends on a ray or inaccurately is repeated with d = 1 everywhere, then with d rising
/// from 1 to 2. With d positive everywhere, a ray of a copositive-plus matrix (Stewart-Trinkle
/// problems, positive semidefinite matrices) proves that no `z >= 0` has `w >= 0`
/// [CPS, Thm. 4.4.12].
///
/// Ties of the ratio test are broken lexicographically, so no basis returns and degenerate
/// problems (duplicated contacts, bodies at rest) end. The inverse kept is that of the rows and
/// columns in the basis only, updated by rank-one changes: with k of the z basic, a pivot costs
/// about `n k + 3 k^2`. Every entering column comes with its own residual; it is refined, and the
/// inverse computed anew, when that degrades.
///
/// A start from a basis factors it, `O(k^3)`. If its solution is feasible, it is the answer, with no
/// pivots. Else the method starts from it, with a covering vector that lifts just the negative
/// basic variables; a start that leads nowhere is followed by the cold runs.
///
/// The answer is recomputed on the final basis by iterative refinement against the matrix as given,
/// with a fresh LU factorization where the inverse at hand is not good enough.
///
/// Allocates nothing once it has seen the largest problem.
#[derive(Clone, Debug, Default)]
pub struct Lemke {
    tableau: Tableau,
    ratio: RatioTest,
    /// Whether z_i, instead of w_i, was basic at the start of the run.
    started: Vec<bool>,
    /// Whether z_i is basic at the end of the best run.
    ended: Vec<bool>,
    before: Vec<f64>,
}

/// What is known of the runs so far.
struct Best {
    outcome: Outcome,
    /// Whether a run drove `z_0` out.
    completed: bool,
}

impl Lemke {
    /// Solves a problem from the given start.
    ///
    /// Status `Solved` means that the answer passed [`Lcp::natural_residual`]; `Inaccurate` that
    /// the method ended but its answer does not pass; `RayTermination` and `PivotLimit` that no run
    /// ended; `z` is then the point reached, no solution.
    pub fn solve(&mut self, lcp: Lcp, limits: &Limits, start: Start, z: &mut Vec<f64>) -> Outcome {
        self.solve_shifted(lcp, 0.0, limits, start, z)
    }

    /// Solves `A + eps I` for eps = 0, 1e-16, 1e-15, ... 1e-4 until an answer solves the problem
    /// with `A` itself, and returns it with its eps. The answer of a regularised problem is first
    /// recomputed, where possible, on the same basis without eps. Failing all, the answer of least
    /// residual is returned, with a status that isn't `Solved`.
    pub fn solve_regularised(
        &mut self,
        lcp: Lcp,
        limits: &Limits,
        start: Start,
        z: &mut Vec<f64>,
    ) -> (Outcome, f64) {
        let mut best = self.solve_shifted(lcp, 0.0, limits, start, z);
        let mut best_eps = 0.0;
        let mut kept = std::mem::take(&mut self.before);
        kept.clear();
        kept.extend_from_slice(z);
        for exponent in -16..=-4 {
            if best.status == SolveStatus::Solved {
                break;
            }
            let limits = limits.after(best.pivots);
            if limits.all_pivots == 0 {
                break;
            }
            let eps = 10f64.powi(exponent);
            let mut next = self.solve_shifted(lcp, eps, &limits, Start::Cold, z);
            next.pivots += best.pivots;
            next.iterations += best.iterations;
            if next.status == SolveStatus::Solved || next.residual < best.residual {
                best = next;
                best_eps = eps;
                kept.clear();
                kept.extend_from_slice(z);
            } else {
                best.pivots = next.pivots;
                best.iterations = next.iterations;
            }
        }
        z.clear();
        z.extend_from_slice(&kept);
        self.before = kept;
        (best, best_eps)
    }

    /// Runs with covering vectors over four decades, cold and from other bases in turn, until one ends with
    /// an answer or `runs` are through. A matrix that is not copositive may lead to a ray from one start and to a
    /// solution from another; rays from all of them prove nothing.
    pub fn solve_scattered(
        &mut self,
        lcp: Lcp,
        limits: &Limits,
        runs: u32,
        z: &mut Vec<f64>,
    ) -> Outcome {
        let attempts = (0..runs).map(Attempt::Scattered);
        self.solve_by(lcp, 0.0, limits, attempts, z)
    }

    /// Which `z` are basic at the end of the last solve (of its best run): a start for the next
    /// problem of the same shape.
    pub fn basis(&self) -> &[bool] {
        &self.ended
    }

    fn solve_shifted(
        &mut self,
        lcp: Lcp,
        eps: f64,
        limits: &Limits,
        start: Start,
        z: &mut Vec<f64>,
    ) -> Outcome {
        let attempts = [
            Attempt::Warm(start),
            Attempt::Violated,
            Attempt::Ones,
            Attempt::Rising,
        ];
        self.solve_by(lcp, eps, limits, attempts.into_iter(), z)
    }

    /// Attempts in turn until one ends with an answer.
    fn solve_by<'a>(
        &mut self,
        lcp: Lcp,
        eps: f64,
        limits: &Limits,
        attempts: impl Iterator<Item = Attempt<'a>>,
        z: &mut Vec<f64>,
    ) -> Outcome {
        let n = lcp.dim();
        zeroed(z, n);
        make_room(&mut self.started, n);
        self.ended.clear();
        self.ended.resize(n, false);
        let (residual, status) = lcp.check(z);
        let nothing = Outcome {
            status,
            pivots: 0,
            iterations: 0,
            residual,
        };
        // Only q >= 0 is left to others: a small violation may still be solved better.
        if lcp.q().iter().all(|&q| q >= 0.0) {
            return nothing;
        }
        self.tableau.set(lcp, eps);
        let mut best = Best {
            outcome: Outcome {
                status: SolveStatus::RayTermination,
                ..nothing
            },
            completed: false,
        };
        for attempt in attempts {
            let left = limits.after(best.outcome.pivots);
            if let Some(status) = self.run(attempt, &left, &mut best.outcome.pivots) {
                self.keep_better(lcp, status, &mut best, z);
            }
            let is_over = best.outcome.pivots >= limits.all_pivots;
            if is_over || best.outcome.status == SolveStatus::Solved {
                break;
            }
        }
        best.outcome
    }

    /// Checks the end of a run and keeps its answer if it is the best so far.
    fn keep_better(&mut self, lcp: Lcp, ended: SolveStatus, best: &mut Best, z: &mut [f64]) {
        let completed = ended == SolveStatus::Solved;
        let answer = self.tableau.conclude(lcp);
        let (residual, status) = (answer.residual, answer.status);
        best.outcome.iterations += answer.iterations;
        let solved = status == SolveStatus::Solved;
        if solved || completed || !best.completed {
            let outcome = &mut best.outcome;
            outcome.status = match status {
                SolveStatus::Inaccurate if !completed => ended,
                other => other,
            };
            best.completed |= completed;
            if solved || residual < outcome.residual || !outcome.residual.is_finite() {
                outcome.residual = residual;
                z.copy_from_slice(&self.tableau.answer);
                for (i, e) in self.ended.iter_mut().enumerate() {
                    *e = self.tableau.basis.is_basic(Var::Z(i));
                }
            }
        }
        if !best.outcome.residual.is_finite() {
            best.outcome.status = SolveStatus::NonFinite;
            z.fill(0.0);
            best.outcome.residual = lcp.natural_residual(z);
        }
    }
}
