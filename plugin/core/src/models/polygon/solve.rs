//! The ways to solve one island's problem.

use super::super::driver::Effort;
use super::Memory;
use super::layout::Bound;
use super::matrix::impulses;
use super::relax::{PROOFS, RELAXATIONS, contradict};
use crate::lcp;
use crate::lcp::dense::{Lcp, Limits, Outcome, Start};
use crate::models::{ContactSolution, ModelSettings, Stabilisation};
use crate::problem::{ContactProblem, Island};
use crate::report::{Route, SolveStatus};

/// From which shortfall on a unilateral row counts as not met, relative to `1 + max |v_free|`: what the residual check
/// accepts.
pub(super) const MET: f64 = 1e-9;

/// Compliances of the unilateral rows with which a solve begins, relative to their diagonals: the load spreads
/// at any, the basis of the rigid problem shows at the smaller ones.
pub(super) const SHARES: [f64; 3] = [1e-7, 1e-9, 1e-11];

/// Largest coefficients of friction with which a solve begins. A contact that sticks under a cap sticks
/// without it, so the answer is the same unless one slides at the cap; and coefficients like 1e6
/// spoil the condition of every basis. Answers are checked without the cap.
const CAPS: [f64; 3] = [1e2, 1e4, f64::INFINITY];

/// Natural residual from which on the rigid problem counts as solved.
pub(super) const SETTLED: f64 = 1e-10;

/// Share of what unilateral rows give up to which a residual leaves no doubt about it.
const TELLING: f64 = 1e-3;

/// No effort yet.
pub(super) const NOTHING: Effort = Effort {
    status: SolveStatus::Solved,
    pivots: 0,
    iterations: 0,
};

impl Memory {
    /// A run that solves takes a few pivots per variable; more are a wrong turn.
    pub(super) fn limits(&self, settings: &ModelSettings) -> Limits {
        let n = self.matrix.q.len();
        let most = settings.max_pivots.min(4 * n + 50);
        self.meter.limits((settings.tolerance, most), n)
    }

    /// Lemke's method, from the basis in `start` or cold. A stabilised matrix is solved as it is, and
    /// the answer recomputed without where its basis allows.
    pub(super) fn lemke(&mut self, settings: &ModelSettings, route: Route) -> Effort {
        let stabilisation = settings.polygon.stabilisation;
        self.assemble();
        self.contradictory = false;
        let mut spent = NOTHING;
        if stabilisation == Stabilisation::None {
            if route == Route::Cold {
                self.start.clear();
            }
            'caps: for cap in self.layout.caps(CAPS) {
                let mut before = f64::NAN;
                for share in SHARES {
                    if self.settle(settings, (cap, share), &mut spent) {
                        return spent;
                    }
                    let after = self.gives;
                    if contradict(&self.reduced, before, (after, share)) {
                        if self.capped_only {
                            break;
                        }
                        // No solution lies this way. The rigid problem may have one all the same: with
                        // friction, compliant unilateral rows need not lead to each.
                        self.contradictory = true;
                        break 'caps;
                    }
                    if after.is_nan() {
                        break;
                    }
                    before = after;
                }
            }
        } else {
            self.matrix.stabilise(stabilisation);
        }
        let limits = self.limits(settings);
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return self.nothing();
        };
        let start = if stabilisation == Stabilisation::None {
            Start::Cold
        } else {
            Start::Basis(&self.start)
        };
        let outcome = self.lemke.solve(lcp, &limits, start, &mut self.z);
        self.meter.count(&outcome, lcp.dim());
        self.keep_basis();
        if stabilisation != Stabilisation::None && outcome.status == SolveStatus::Solved {
            self.assemble();
            self.matrix.soften(&self.layout, &self.reduced, 0.0);
            spent.iterations += self.refine();
        }
        self.read();
        Effort {
            status: outcome.status,
            pivots: spent.pivots + outcome.pivots,
            iterations: spent.iterations + outcome.iterations,
        }
    }

    /// Solves with compliant unilateral rows from the basis in `start` (if it has one), then takes the
    /// compliance away. Whether the answer solves the rigid problem.
    fn settle(
        &mut self,
        settings: &ModelSettings,
        (cap, share): (f64, f64),
        spent: &mut Effort,
    ) -> bool {
        self.matrix.bound(&self.layout, &self.floors, cap);
        let ended = self.soft(settings, share, spent).is_some();
        self.matrix.bound(&self.layout, &self.floors, f64::INFINITY);
        self.note_shortfall(share, ended);
        self.capped_only = self.gives.is_nan();
        self.matrix.bound(&self.layout, &self.floors, cap);
        self.note_shortfall(share, ended);
        self.matrix.harden();
        if ended {
            spent.iterations += self.refine();
        }
        self.matrix.bound(&self.layout, &self.floors, f64::INFINITY);
        self.read();
        self.residual(&self.z) <= SETTLED
    }

    /// Takes the compliance of the last softening back on the basis at hand; the better of the
    /// answers with and without it is kept.
    fn refine(&mut self) -> usize {
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return 0;
        };
        let before = lcp.natural_residual(&self.z);
        self.trial.clear();
        self.trial.resize(self.z.len(), 0.0);
        let soft = (&self.matrix.soft[..], &self.basis[..]);
        let steps = self.settle.run(lcp, soft, &mut self.trial);
        for z in &mut self.trial {
            *z = z.max(0.0);
        }
        // Where both are round-off, the one that follows from the basis alone: the same basis then
        // gives the same answer, however it was come by.
        if lcp.natural_residual(&self.trial) <= before.max(1e-2 * SETTLED) {
            std::mem::swap(&mut self.z, &mut self.trial);
        }
        steps.unwrap_or(0)
    }

    /// The interior-point method on the rigid problem: without guarantee, friction isn't monotone.
    pub(super) fn interior(&mut self, settings: &ModelSettings) -> Effort {
        self.assemble();
        let limits = self.limits(settings);
        let work = lcp::interior_point(self.matrix.q.len());
        if !self.meter.allows(work) {
            return Effort {
                status: SolveStatus::IterationLimit,
                ..self.nothing()
            };
        }
        self.meter.spend(work);
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return self.nothing();
        };
        let outcome = (self.interior).solve(lcp, &limits, Start::Cold, &mut self.z);
        self.read();
        Effort {
            status: outcome.status,
            pivots: outcome.pivots,
            iterations: outcome.iterations,
        }
    }

    /// Lemke's method as on the cold route if that has not been tried (`from` is that route). Then unilateral rows
    /// that can't all be kept are relaxed.
    pub(super) fn guaranteed(&mut self, settings: &ModelSettings, from: Route) -> Effort {
        let mut spent = NOTHING;
        if from == Route::Cold {
            spent = self.lemke(settings, Route::Cold);
            if self.residual(&self.z) <= MET {
                return spent;
            }
        }
        self.assemble();
        if self.relax(settings, &mut spent) {
            return Effort {
                status: SolveStatus::Relaxed,
                ..spent
            };
        }
        Effort {
            status: SolveStatus::RayTermination,
            ..spent
        }
    }

    /// Relaxes unilateral rows that contradict each other; false if that isn't known, or no answer is accurate.
    fn relax(&mut self, settings: &ModelSettings, spent: &mut Effort) -> bool {
        if !self.contradictory {
            self.contradictory = self.prove(settings, spent);
        }
        if !self.contradictory {
            return false;
        }
        for share in RELAXATIONS {
            for cap in self.layout.caps(CAPS) {
                if self.capped(settings, (cap, share), spent) {
                    self.read();
                    self.declare(share);
                    return true;
                }
            }
        }
        false
    }

    /// Whether what the unilateral rows give stays as they get stiffer.
    fn prove(&mut self, settings: &ModelSettings, spent: &mut Effort) -> bool {
        for cap in self.layout.caps(CAPS) {
            let [before, after] = PROOFS.map(|share| {
                self.capped(settings, (cap, share), spent);
                self.gives
            });
            if before.is_finite() && after.is_finite() {
                return contradict(&self.reduced, before, (after, PROOFS[1]));
            }
        }
        false
    }

    /// Solves with compliant unilateral rows, no coefficient above `cap`; whether the answer is one without the
    /// cap.
    fn capped(
        &mut self,
        settings: &ModelSettings,
        (cap, share): (f64, f64),
        spent: &mut Effort,
    ) -> bool {
        self.matrix.bound(&self.layout, &self.floors, cap);
        let ended = self.soft(settings, share, spent);
        self.matrix.bound(&self.layout, &self.floors, f64::INFINITY);
        self.note_shortfall(share, ended.is_some());
        let exact = self.residual(&self.z) <= MET;
        self.matrix.harden();
        ended.is_some() && exact
    }

    /// Natural residual of the matrix as it is, relative to the island's speed as the residual check's; infinite
    /// if a number is not finite.
    pub(super) fn residual(&self, z: &[f64]) -> f64 {
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return f64::INFINITY;
        };
        let largest = self.matrix.q.iter().fold(0.0_f64, |a, q| a.max(q.abs()));
        let left = lcp.natural_residual(z) * (1.0 + largest) / self.reduced.speed();
        if left.is_nan() { f64::INFINITY } else { left }
    }

    /// Notes how far the unilateral rows give in an answer with compliant unilateral rows, the matrix still softened. What is
    /// far from a solution says nothing; it need not be exact, only tell how far they give.
    fn note_shortfall(&mut self, share: f64, ended: bool) {
        self.gives = f64::NAN;
        if ended {
            let gives = self.shortfall(share);
            if self.residual(&self.z) <= MET.max(TELLING * gives / self.reduced.speed()) {
                self.gives = gives;
            }
        }
    }

    /// By how much the unilateral rows give way, at most: `share D z` [m/s].
    pub(super) fn shortfall(&self, share: f64) -> f64 {
        let unilaterals = self.layout.unilaterals.iter();
        unilaterals.fold(0.0, |largest, unilateral| {
            let z = self.z[unilateral.variable as usize];
            (share * self.reduced.diagonal(unilateral.place as usize) * z).max(largest)
        })
    }

    /// Lemke's method with compliant unilateral rows from the basis in `start` (if it has one); the basis found
    /// is the next start. The unilateral rows stay compliant.
    fn soft(
        &mut self,
        settings: &ModelSettings,
        share: f64,
        spent: &mut Effort,
    ) -> Option<Outcome> {
        self.matrix.soften(&self.layout, &self.reduced, share);
        let limits = self.limits(settings);
        let lcp = Lcp::new(&self.matrix.a, &self.matrix.q).ok()?;
        let start = Start::Basis(&self.start);
        let outcome = self.lemke.solve(lcp, &limits, start, &mut self.z);
        self.meter.count(&outcome, lcp.dim());
        spent.pivots += outcome.pivots;
        spent.iterations += outcome.iterations;
        self.keep_basis();
        self.start.clear();
        self.start.extend_from_slice(&self.basis);
        self.read();
        Some(outcome)
    }

    /// Projected Gauss-Seidel from the impulses at hand.
    pub(super) fn sweep(&mut self, settings: &ModelSettings) -> Effort {
        let (iterations, converged) = self.sweep.run(
            (&self.layout, &self.reduced),
            &settings.iteration,
            (&self.matrix.free, &self.floors),
            &mut self.impulses,
        );
        for (z, given) in self.impulses.iter_mut().zip(&self.given) {
            *z += given;
        }
        let status = if converged {
            SolveStatus::Solved
        } else {
            SolveStatus::IterationLimit
        };
        Effort {
            status,
            pivots: 0,
            iterations,
        }
    }

    /// Lemke's method with Tikhonov's regularisation, cold.
    pub(super) fn regularised(&mut self, settings: &ModelSettings) -> Effort {
        self.assemble();
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return self.nothing();
        };
        let limits = self.limits(settings);
        let (outcome, _) = (self.lemke).solve_regularised(lcp, &limits, Start::Cold, &mut self.z);
        self.meter.count(&outcome, lcp.dim());
        self.keep_basis();
        self.read();
        Effort {
            status: outcome.status,
            pivots: outcome.pivots,
            iterations: outcome.iterations,
        }
    }

    pub(super) fn keep_basis(&mut self) {
        self.basis.clear();
        self.basis.extend_from_slice(self.lemke.basis());
    }

    /// Impulses of the kept rows from the variables.
    pub(super) fn read(&mut self) {
        let given = (&self.given[..], self.reduced.rows().len());
        impulses(&self.layout, &self.z, given, &mut self.impulses);
    }

    pub(super) fn assemble(&mut self) {
        let given = (&self.floors[..], &self.given[..]);
        self.matrix.assemble(&self.layout, &self.reduced, given);
    }

    /// Turns the impulses of a compression into what is given in the expansion: they act on, bouncing
    /// unilateral rows press e times as much again, and bounded rows are decided anew. False if nothing bounces.
    pub(super) fn expand(&mut self) -> bool {
        self.given.clear();
        self.given.extend_from_slice(&self.impulses);
        self.floors.clear();
        for unilateral in &self.layout.unilaterals {
            let i = unilateral.place as usize;
            let again = unilateral.bounce * self.impulses[i];
            self.given[i] += again;
            self.floors.push(again);
        }
        for unit in &self.layout.units {
            if let Bound::Constant(_) = unit.bound {
                self.given[unit.places[0] as usize] = 0.0;
            }
        }
        self.floors.iter().any(|&floor| floor > 0.0)
    }

    /// Declares the unilateral rows that the relaxed answer does not meet.
    pub(super) fn declare(&mut self, share: f64) {
        let within = MET * self.reduced.speed();
        for unilateral in &self.layout.unilaterals {
            let i = unilateral.place as usize;
            let left = share * self.reduced.diagonal(i) * self.z[unilateral.variable as usize];
            if left > within {
                self.declared.push(self.reduced.rows()[i]);
            }
        }
    }

    /// Writes the answer; returns the most that a row misses [m/s]. See [`Reduced::finish`].
    pub(super) fn finish(
        &mut self,
        (problem, island): (&ContactProblem, Island<'_>),
        within: f64,
        solution: &mut ContactSolution,
    ) -> f64 {
        (self.reduced).finish(problem, island, (&self.impulses, within), solution)
    }

    /// A problem with numbers that are not finite.
    pub(super) fn nothing(&mut self) -> Effort {
        self.impulses.clear();
        self.impulses.resize(self.reduced.rows().len(), 0.0);
        Effort {
            status: SolveStatus::NonFinite,
            pivots: 0,
            iterations: 0,
        }
    }
}
