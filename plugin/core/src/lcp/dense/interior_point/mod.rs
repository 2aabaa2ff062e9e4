//! Feasible interior-point method \[K91\].

mod path;

use super::refine::{Refiner, clamp};
use super::scaling::Scaled;
use super::{Lcp, LcpSolver, Limits, Outcome, Start, make_room, zeroed};
use crate::factor::Lu;
use crate::report::SolveStatus;
use path::{Ended, Path};

/// Feasible path following for monotone (positive semidefinite, symmetric or not) problems \[K91\].
///
/// The problem is embedded into one that has a strictly feasible point on its central path at hand,
/// with an artificial pair and a large M \[K91\]:
///
/// ```text
/// | w  |   |  A    1 | | z  |   | q |
/// | w0 | = | -1^T  0 | | z0 | + | M |
/// ```
///
/// monotone as well, and solved with `z0 = 0` by every solution with `sum z < M`. Where z0 stays, M
/// is raised, three times at most. Each iteration takes a predictor and a corrector step within the
/// wide neighbourhood `z_i w_i >= 1e-3 mu`; where that gets short, a plain centring step, whose length
/// has a positive bound on monotone problems. `O(n^3)` per iteration, one LU factorization of
/// `A + diag(w / z)`.
///
/// Once the pairs separate, those with `z > w` are guessed to be the basis and z is refined on it, which stays at the
/// solution nearest where the basis is singular. If that passes, it is the answer; else the iterate is, with its honest
/// residual and status `Inaccurate`, `IterationLimit` or, where z0 doesn't vanish for any M, `Infeasible`.
///
/// Works on Stewart-Trinkle problems too, often but without guarantee: they aren't monotone.
#[derive(Clone, Debug, Default)]
pub struct InteriorPoint {
    /// Iterations of each embedding at most; 0 stands for 200.
    pub max_iterations: usize,
    scaled: Scaled,
    lu: Lu,
    path: Path,
    refiner: Refiner,
    /// The pairs with `z > w`.
    pairs: Vec<usize>,
    answer: Vec<f64>,
}

/// Values of M, in units of the scaled problem, tried in turn: mass ratios of 1e6 need the last.
const BIG: [f64; 4] = [1e3, 1e6, 1e9, 1e12];

/// Added to the scaled diagonal of a guessed basis, which may be singular.
const PROXIMAL: f64 = 1e-8;

impl LcpSolver for InteriorPoint {
    /// Solves a problem. The limits and the start are those of pivoting methods: of the limits the
    /// tolerance bounds the mean complementarity `z w` to stop at, the start is not used.
    fn solve(&mut self, lcp: Lcp, limits: &Limits, _start: Start, z: &mut Vec<f64>) -> Outcome {
        if let Some(trivial) = super::trivial(lcp, z) {
            return trivial;
        }
        let n = lcp.dim();
        self.refiner.make_room(n);
        make_room(&mut self.pairs, n);
        zeroed(&mut self.answer, n);
        self.scaled.set_symmetric(lcp);
        let mut outcome = Outcome {
            status: SolveStatus::Inaccurate,
            pivots: 0,
            iterations: 0,
            residual: lcp.natural_residual(z),
        };
        for big in BIG {
            self.path.start(&self.scaled, big * (1 + n) as f64);
            let ended = self.follow(lcp, limits, &mut outcome, z);
            if outcome.status == SolveStatus::Solved {
                break;
            }
            outcome.status = match ended {
                Ended::Converged if self.path.artificial_stays() => SolveStatus::Infeasible,
                // A larger M may be out of reach of the arithmetic, and then refutes nothing.
                Ended::Stalled if outcome.status == SolveStatus::Infeasible => outcome.status,
                Ended::Converged | Ended::Stalled => SolveStatus::Inaccurate,
                Ended::Limit => SolveStatus::IterationLimit,
            };
        }
        outcome
    }
}

impl InteriorPoint {
    /// Follows one path, keeping the best answer on the way.
    fn follow(&mut self, lcp: Lcp, limits: &Limits, outcome: &mut Outcome, z: &mut [f64]) -> Ended {
        let most = match self.max_iterations {
            0 => 200,
            most => most,
        };
        for _ in 0..most {
            if self.path.separated() {
                self.guess(lcp);
                self.keep_better(lcp, outcome, z);
                self.read_off();
                self.keep_better(lcp, outcome, z);
                if outcome.status == SolveStatus::Solved {
                    return Ended::Converged;
                }
            }
            if self.path.gap() <= 1e-2 * limits.tolerance {
                return Ended::Converged;
            }
            outcome.iterations += 1;
            if !self.path.advance(&self.scaled, &mut self.lu) {
                return Ended::Stalled;
            }
        }
        Ended::Limit
    }

    /// The iterate, in the problem's units.
    fn read_off(&mut self) {
        for (j, z) in self.answer.iter_mut().enumerate() {
            *z = self.path.z[j] * self.scaled.cols[j] * self.scaled.size;
        }
    }

    /// The iterate refined on the basis it suggests.
    fn guess(&mut self, lcp: Lcp) {
        self.read_off();
        self.pairs.clear();
        for (i, z) in self.answer.iter_mut().enumerate() {
            if self.path.z[i] > self.path.w[i] {
                self.pairs.push(i);
            } else {
                *z = 0.0;
            }
        }
        let basis = (&self.pairs[..], PROXIMAL);
        (self.refiner).run((lcp, &self.scaled), basis, &mut self.answer);
        clamp(&mut self.answer);
    }

    fn keep_better(&mut self, lcp: Lcp, outcome: &mut Outcome, z: &mut [f64]) {
        let (residual, status) = lcp.check(&self.answer);
        if residual < outcome.residual {
            outcome.residual = residual;
            if status == SolveStatus::Solved {
                outcome.status = status;
            }
            z.copy_from_slice(&self.answer);
        }
    }
}
