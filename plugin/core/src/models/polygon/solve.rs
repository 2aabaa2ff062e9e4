//! The ways to solve one island's problem.

use super::super::driver::Effort;
use super::Memory;
use super::layout::Bound;
use super::matrix::impulses;
use super::relax::{PROOFS, RELAXATIONS, size, wedged};
use crate::lcp::dense::{Lcp, Limits, Outcome, Start};
use crate::models::{ModelSettings, Stabilisation};
use crate::report::{Rung, SolveStatus};

/// From which shortfall on a wall counts as not met, relative to `1 + max |v_free|`: what the judge
/// accepts.
pub(super) const MET: f64 = 1e-9;

/// Compliances of the walls with which a solve begins, relative to their diagonals: the load spreads
/// at any, the basis of the rigid problem shows at the smaller ones.
const SHARES: [f64; 3] = [1e-7, 1e-9, 1e-11];

/// Largest coefficients of friction with which a solve begins. A contact that sticks under a cap sticks
/// without it, so the answer is the same unless one slides at the cap; and coefficients like 1e6
/// spoil the condition of every basis. Answers are judged without the cap.
const CAPS: [f64; 3] = [1e2, 1e4, f64::INFINITY];

/// Natural residual from which on the rigid problem counts as solved.
const SETTLED: f64 = 1e-10;

/// No effort yet.
const NOTHING: Effort = Effort {
    status: SolveStatus::Solved,
    pivots: 0,
    iterations: 0,
};

impl Memory {
    /// A run that solves takes a few pivots per variable; more than six are a wrong turn.
    fn limits(&self, settings: &ModelSettings) -> Limits {
        Limits {
            tolerance: settings.tolerance,
            max_pivots: settings.max_pivots.min(6 * self.matrix.q.len() + 50),
        }
    }

    /// Lemke's method, from the basis in `start` or cold. A stabilised matrix is solved as it is, and
    /// the answer recomputed without where its basis allows.
    pub(super) fn lemke(&mut self, settings: &ModelSettings, rung: Rung) -> Effort {
        let stabilisation = settings.polygon.stabilisation;
        self.assemble();
        let mut spent = NOTHING;
        if stabilisation == Stabilisation::None {
            if rung == Rung::Cold {
                self.start.clear();
            }
            for cap in self.layout.caps(CAPS) {
                let mut before = f64::INFINITY;
                for (i, share) in SHARES.into_iter().enumerate() {
                    if self.settle(settings, (cap, share), &mut spent) {
                        return spent;
                    }
                    let after = self.soft_size;
                    if i > 0 && wedged(&self.reduced, before, after, share / SHARES[i - 1]) {
                        // No solution lies this way; what there is to know the next rung finds out.
                        spent.status = SolveStatus::RayTermination;
                        return spent;
                    }
                    before = after;
                }
            }
            self.start.clear();
        } else {
            self.matrix.stabilise(stabilisation);
        }
        let limits = self.limits(settings);
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return self.nothing();
        };
        let start = Start::Basis(&self.start);
        let outcome = self.lemke.solve(lcp, &limits, start, &mut self.z);
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

    /// Solves with compliant walls from the basis in `start` (if it has one), then takes the
    /// compliance away. Whether the answer solves the rigid problem.
    fn settle(
        &mut self,
        settings: &ModelSettings,
        (cap, share): (f64, f64),
        spent: &mut Effort,
    ) -> bool {
        self.matrix.bound(&self.layout, &self.floors, cap);
        let ended = self.soft(settings, share, spent);
        // What is not a solution says nothing.
        let solved = ended.is_some() && self.residual(&self.z) <= MET;
        self.soft_size = if solved { self.size() } else { f64::NAN };
        self.matrix.harden();
        if ended.is_some() {
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

    /// Lemke's method as on the cold rung if that has not been tried (`from` is that rung). Then walls
    /// that can't all be kept are relaxed where impulses wedge them; else the rigid problem as it
    /// is, by Lemke's method with Tikhonov's ladder.
    pub(super) fn guaranteed(&mut self, settings: &ModelSettings, from: Rung) -> Effort {
        let mut spent = NOTHING;
        if from == Rung::Cold {
            spent = self.lemke(settings, Rung::Cold);
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
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return self.nothing();
        };
        let limits = self.limits(settings);
        let (outcome, _) = (self.lemke).solve_regularised(lcp, &limits, Start::Cold, &mut self.z);
        self.keep_basis();
        self.read();
        Effort {
            status: outcome.status,
            pivots: spent.pivots + outcome.pivots,
            iterations: spent.iterations + outcome.iterations,
        }
    }

    /// Solves with the compliance of a relaxation, then with a share of it: whether the impulses grow
    /// so that the walls can't all be kept. The impulses are those of the relaxation.
    fn relax(&mut self, settings: &ModelSettings, spent: &mut Effort) -> bool {
        for share in RELAXATIONS {
            for cap in self.layout.caps(CAPS) {
                self.start.clear();
                if !self.capped(settings, (cap, share), spent) {
                    continue;
                }
                let before = self.size();
                std::mem::swap(&mut self.relaxed, &mut self.z);
                for less in PROOFS {
                    if self.capped(settings, (cap, less * share), spent) {
                        let proven = {
                            let after = self.size();
                            wedged(&self.reduced, before, after, less)
                        };
                        std::mem::swap(&mut self.relaxed, &mut self.z);
                        if proven {
                            self.read();
                            self.declare(share);
                        }
                        return proven;
                    }
                }
            }
        }
        false
    }

    /// Solves with compliant walls, no coefficient above `cap`; whether the answer is one without the
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
        let exact = self.residual(&self.z) <= MET;
        self.matrix.harden();
        ended.is_some() && exact
    }

    /// Natural residual of the matrix as it is, relative to the island's speed as the judge's; infinite
    /// if a number is not finite.
    fn residual(&self, z: &[f64]) -> f64 {
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return f64::INFINITY;
        };
        let largest = self.matrix.q.iter().fold(0.0_f64, |a, q| a.max(q.abs()));
        let left = lcp.natural_residual(z) * (1.0 + largest) / self.reduced.speed();
        if left.is_nan() { f64::INFINITY } else { left }
    }

    /// [`size`] of the impulses at hand.
    fn size(&mut self) -> f64 {
        let own = (&[][..], self.reduced.rows().len());
        impulses(&self.layout, &self.z, own, &mut self.trial);
        size(&self.reduced, &self.trial)
    }

    /// Lemke's method with compliant walls from the basis in `start` (if it has one); the basis found
    /// is the next start. The walls stay compliant.
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

    fn keep_basis(&mut self) {
        self.basis.clear();
        self.basis.extend_from_slice(self.lemke.basis());
    }

    /// Impulses of the kept rows from the variables.
    fn read(&mut self) {
        let given = (&self.given[..], self.reduced.rows().len());
        impulses(&self.layout, &self.z, given, &mut self.impulses);
    }

    fn assemble(&mut self) {
        let given = (&self.floors[..], &self.given[..]);
        self.matrix.assemble(&self.layout, &self.reduced, given);
    }

    /// Turns the impulses of a compression into what is given in the expansion: they act on, bouncing
    /// walls press e times as much again, and bounded rows are decided anew. False if nothing bounces.
    pub(super) fn expand(&mut self) -> bool {
        self.given.clear();
        self.given.extend_from_slice(&self.impulses);
        self.floors.clear();
        for wall in &self.layout.walls {
            let i = wall.place as usize;
            let again = wall.bounce * self.impulses[i];
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

    /// Declares the walls that the relaxed answer does not meet.
    fn declare(&mut self, share: f64) {
        let within = MET * self.reduced.speed();
        for wall in &self.layout.walls {
            let i = wall.place as usize;
            let left = share * self.reduced.diagonal(i) * self.z[wall.variable as usize];
            if left > within {
                self.declared.push(self.reduced.rows()[i]);
            }
        }
    }

    /// A problem with numbers that are not finite.
    fn nothing(&mut self) -> Effort {
        self.impulses.clear();
        self.impulses.resize(self.reduced.rows().len(), 0.0);
        Effort {
            status: SolveStatus::NonFinite,
            pivots: 0,
            iterations: 0,
        }
    }
}
