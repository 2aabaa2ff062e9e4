//! The ways to solve one island's problem.

use super::super::driver::Effort;
use super::Memory;
use super::layout::Bound;
use super::matrix::impulses;
use super::relax::{PROOF, RELAXATIONS, wedged};
use crate::lcp::dense::{Lcp, Limits, Outcome, Start};
use crate::models::{ModelSettings, Stabilisation};
use crate::report::{Rung, SolveStatus};

/// From which shortfall on a wall counts as not met, relative to `1 + max |v_free|`: what the judge
/// accepts.
pub(super) const MET: f64 = 1e-9;

/// Compliances of the walls with which a solve begins, relative to their diagonals: the load spreads
/// at any, the basis of the rigid problem shows at the smaller ones.
const SHARES: [f64; 3] = [1e-7, 1e-9, 1e-11];

/// Natural residual from which on the rigid problem counts as solved.
const SETTLED: f64 = 1e-10;

/// No effort yet.
const NOTHING: Effort = Effort {
    status: SolveStatus::Solved,
    pivots: 0,
    iterations: 0,
};

/// Whether the solver's own residual is small enough, whatever round-off it grants itself.
fn is_exact(outcome: Outcome) -> bool {
    outcome.status == SolveStatus::Solved && outcome.residual <= MET
}

impl Memory {
    /// A run that solves takes a few pivots per variable; more than twenty are a wrong turn.
    fn limits(&self, settings: &ModelSettings) -> Limits {
        Limits {
            tolerance: settings.tolerance,
            max_pivots: settings.max_pivots.min(20 * self.matrix.q.len() + 100),
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
            for share in SHARES {
                if self.settle(settings, share, &mut spent) {
                    return spent;
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
    fn settle(&mut self, settings: &ModelSettings, share: f64, spent: &mut Effort) -> bool {
        if self.soft(settings, share, spent).is_none() {
            return false;
        }
        spent.iterations += self.refine();
        self.read();
        Lcp::new(&self.matrix.a, &self.matrix.q)
            .is_ok_and(|lcp| lcp.natural_residual(&self.z) <= SETTLED)
    }

    /// Takes the compliance of the last softening back on the basis at hand; the better of the
    /// answers with and without it is kept.
    fn refine(&mut self) -> usize {
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            return 0;
        };
        let before = lcp.natural_residual(&self.z);
        self.trial.clear();
        self.trial.extend_from_slice(&self.z);
        let soft = (&self.matrix.soft[..], &self.basis[..]);
        let steps = self.settle.run(lcp, soft, &mut self.trial);
        for z in &mut self.trial {
            *z = z.max(0.0);
        }
        if lcp.natural_residual(&self.trial) < before {
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
            let lcp = Lcp::new(&self.matrix.a, &self.matrix.q);
            if lcp.is_ok_and(|lcp| lcp.natural_residual(&self.z) <= MET) {
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

    /// Solves with the compliance of a relaxation, then with a hundredth of it: whether the impulses
    /// then prove that the walls can't all be kept. The impulses are those of the relaxation.
    fn relax(&mut self, settings: &ModelSettings, spent: &mut Effort) -> bool {
        for share in RELAXATIONS {
            self.start.clear();
            if !self.soft(settings, share, spent).is_some_and(is_exact) {
                continue;
            }
            std::mem::swap(&mut self.relaxed, &mut self.z);
            let proof = self.soft(settings, PROOF * share, spent);
            let own = (&[][..], self.reduced.rows().len());
            impulses(&self.layout, &self.z, own, &mut self.trial);
            let parts = (&self.layout, &self.reduced);
            let proven = proof.is_some_and(|end| end.status == SolveStatus::Solved)
                && wedged(parts, &self.matrix.free, (&self.trial, PROOF * share));
            if proven {
                std::mem::swap(&mut self.relaxed, &mut self.z);
                self.read();
                self.declare(share);
            }
            return proven;
        }
        false
    }

    /// Lemke's method with compliant walls from the basis in `start` (if it has one); the basis found
    /// is the next start.
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
        self.matrix.harden();
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
