//! One rung of the ladder on one island.

use super::super::driver::{Attempt, Effort, IslandSolver};
use super::layout::{Plan, Poisson};
use super::matrix::impulses;
use super::relax::{PROOF, RELAXATIONS, wedged};
use super::{Memory, Run};
use crate::lcp::dense::{Lcp, Limits, Outcome, Start};
use crate::models::warm::Bits;
use crate::models::{ContactSolution, ModelSettings, Stabilisation, WarmStart};
use crate::problem::Island;
use crate::report::{Rung, SolveStatus, SolverName};

/// From which shortfall on a wall counts as not met, relative to `1 + max |v_free|`: what the judge
/// accepts.
const MET: f64 = 1e-9;

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

impl IslandSolver for Run<'_> {
    fn ladder(&self) -> &[Attempt] {
        &self.ladder
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        warm: &mut WarmStart,
        solution: &mut ContactSolution,
    ) -> Option<Effort> {
        self.lay_out(island);
        let memory = &mut *self.memory;
        let settings = self.context.settings;
        memory.matrix.set_free(&memory.reduced, &[]);
        let within = MET * memory.reduced.speed();
        let effort = match (attempt.rung, attempt.solver) {
            (Rung::Guaranteed, _) => memory.guaranteed(settings),
            (rung, SolverName::Lemke) => {
                if rung == Rung::Warm && !self.recall(island, warm) {
                    return None;
                }
                let memory = &mut *self.memory;
                memory.lemke(settings, rung)
            }
            (rung, _) => {
                if rung == Rung::BestEffort && self.ladder[1].solver == attempt.solver {
                    return None;
                }
                if !self.recall_impulses(warm, rung) {
                    return None;
                }
                self.memory.sweep(settings)
            }
        };
        let memory = &mut *self.memory;
        let given = (&memory.impulses[..], within);
        let missed = memory
            .reduced
            .finish(self.context.problem, island, given, solution);
        let relaxed = effort.status == SolveStatus::Relaxed;
        if relaxed {
            memory.declare(within, solution);
        }
        let status = if missed > 0.0 && effort.status == SolveStatus::Solved {
            SolveStatus::Relaxed
        } else {
            effort.status
        };
        Some(Effort { status, ..effort })
    }

    fn record(&mut self, island: Island<'_>, _: &ContactSolution, warm: &mut WarmStart) {
        let problem = self.context.problem;
        let n = problem.contact_count();
        let memory = &*self.memory;
        debug_assert_eq!(memory.island, island.groups.first().copied());
        for part in &memory.layout.parts {
            let flags = &memory.basis[part.first as usize..part.end as usize];
            let mut bits = Bits::default();
            for (i, _) in flags.iter().enumerate().filter(|(_, basic)| **basic) {
                bits[i / 64] |= 1 << (i % 64);
            }
            match (part.group as usize).checked_sub(n) {
                None => warm.record_basis(problem, part.group as usize, bits),
                Some(scalar) => warm.record_scalar(scalar, bits[0] as u32),
            }
        }
    }

    fn variables(&self) -> usize {
        self.memory.layout.variables.len()
    }

    fn starts_from_impulses(&self) -> bool {
        self.ladder[1].solver == SolverName::Pgs
    }
}

impl Run<'_> {
    /// Makes the island's problem unless it is the one at hand.
    fn lay_out(&mut self, island: Island<'_>) {
        let first = island.groups.first().copied();
        if self.memory.island == first {
            return;
        }
        let problem = self.context.problem;
        let memory = &mut *self.memory;
        memory.island = first;
        memory.reduced.begin(problem, island);
        memory.reduced.eliminate_bilateral(problem, island);
        let plan = Plan {
            problem,
            island,
            settings: self.context.settings,
            poisson: Poisson::No,
        };
        memory.layout.lay_out(plan, &mut memory.reduced);
        memory.reduced.assemble(problem, island);
        memory.basis.clear();
        memory.basis.resize(memory.layout.variables.len(), false);
    }

    /// Fills the start with the basis of the last solve; false if there was none.
    fn recall(&mut self, island: Island<'_>, warm: &mut WarmStart) -> bool {
        debug_assert!(!island.groups.is_empty());
        let problem = self.context.problem;
        let n = problem.contact_count();
        let memory = &mut *self.memory;
        memory.start.clear();
        let mut known = false;
        for part in &memory.layout.parts {
            let group = part.group as usize;
            let bits = match group.checked_sub(n) {
                None => warm.basis(group, problem.contacts()[group].key),
                Some(scalar) => {
                    let state = warm.scalar(scalar, problem.scalars()[scalar].0);
                    state.map(|state| [u64::from(state), 0, 0])
                }
            };
            known |= bits.is_some();
            let bits = bits.unwrap_or_default();
            let flags =
                (0..(part.end - part.first) as usize).map(|i| bits[i / 64] >> (i % 64) & 1 == 1);
            memory.start.extend(flags);
        }
        known
    }
}

impl Run<'_> {
    /// Fills the impulses of the kept rows: on the warm rung with those of the last solve, else 0.
    /// False if there was none.
    fn recall_impulses(&mut self, warm: &mut WarmStart, rung: Rung) -> bool {
        let problem = self.context.problem;
        let n = problem.contact_count();
        let memory = &mut *self.memory;
        memory.impulses.clear();
        memory.impulses.resize(memory.reduced.rows().len(), 0.0);
        if rung != Rung::Warm {
            return true;
        }
        let mut known = false;
        for (z, row) in memory.impulses.iter_mut().zip(memory.reduced.rows()) {
            let last = if row.0 < 3 * n {
                let c = row.0 / 3;
                let last = warm.contact_impulse(c, problem.contacts()[c].key);
                last.map(|f| f[row.0 % 3])
            } else if let Some((key, _)) = problem.scalars().get(row.0 - 3 * n) {
                warm.scalar_impulse(row.0 - 3 * n, *key)
            } else {
                let spin = row.0 - 3 * n - problem.scalar_count();
                let c = problem.spins()[spin / 3] as usize;
                let last = warm.contact_impulse(c, problem.contacts()[c].key);
                last.map(|f| f[3 + spin % 3])
            };
            known |= last.is_some();
            *z = last.unwrap_or(0.0);
        }
        known
    }
}

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
    fn lemke(&mut self, settings: &ModelSettings, rung: Rung) -> Effort {
        let stabilisation = settings.polygon.stabilisation;
        self.matrix.assemble(&self.layout, &self.reduced, &[]);
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
            self.matrix.assemble(&self.layout, &self.reduced, &[]);
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

    /// Walls that can't all be kept are relaxed where that is proven; else the rigid problem as it
    /// is, by Lemke's method with Tikhonov's ladder.
    fn guaranteed(&mut self, settings: &ModelSettings) -> Effort {
        let mut spent = NOTHING;
        self.matrix.assemble(&self.layout, &self.reduced, &[]);
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
            self.relaxation = share;
            std::mem::swap(&mut self.relaxed, &mut self.impulses);
            let proof = self.soft(settings, PROOF * share, spent);
            let parts = (&self.layout, &self.reduced);
            let proven = proof.is_some_and(|end| end.status == SolveStatus::Solved)
                && wedged(parts, &self.matrix.free, (&self.impulses, PROOF * share));
            std::mem::swap(&mut self.relaxed, &mut self.impulses);
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
    fn sweep(&mut self, settings: &ModelSettings) -> Effort {
        let (iterations, converged) = self.sweep.run(
            (&self.layout, &self.reduced),
            &settings.iteration,
            (&self.matrix.free, &[]),
            &mut self.impulses,
        );
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
        let given = (&[][..], self.reduced.rows().len());
        impulses(&self.layout, &self.z, given, &mut self.impulses);
    }

    /// Marks the walls that the relaxed answer does not meet.
    fn declare(&self, within: f64, solution: &mut ContactSolution) {
        for wall in &self.layout.walls {
            let i = wall.place as usize;
            let left = self.relaxation * self.reduced.diagonal(i) * self.impulses[i];
            solution.unmet[self.reduced.rows()[i].0] = left > within;
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
