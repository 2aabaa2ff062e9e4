//! One attempt at one island.

use super::super::driver::{Attempt, Effort, IslandSolver, rows};
use super::Run;
use super::layout::{Friction, Plan, Poisson, Size};
use super::solve::MET;
use crate::lcp::Meter;
use crate::models::warm::Bits;
use crate::models::{ContactSolution, RestitutionLaw, WarmStart};
use crate::problem::Island;
use crate::report::{Route, SolveStatus, SolverName};

impl IslandSolver for Run<'_> {
    fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        warm: &mut WarmStart,
        solution: &mut ContactSolution,
    ) -> Option<Effort> {
        self.lay_out(island);
        let problem = self.context.problem;
        let poisson = self.poisson();
        let memory = &mut *self.memory;
        memory.given.clear();
        memory.floors.clear();
        memory.declared.clear();
        // What is known of contradictions is known of the phase last tried.
        memory.contradictory &= poisson == Poisson::No;
        let mut effort = self.phase(attempt, warm)?;
        let memory = &mut *self.memory;
        let within = MET * memory.reduced.speed();
        std::mem::swap(&mut memory.basis, &mut memory.first_basis);
        if poisson == Poisson::Yes {
            let memory = &mut *self.memory;
            memory.finish((problem, island), within, solution);
            solution.compression.resize(problem.row_count(), 0.0);
            for row in rows(problem, island) {
                solution.compression[row.0] = *solution.impulse_mut(problem, row);
            }
            if memory.expand() {
                let route = if attempt.route == Route::Warm {
                    Route::Cold
                } else {
                    attempt.route
                };
                let second = self.phase(Attempt { route, ..attempt }, warm)?;
                effort = Effort {
                    status: effort.status.max(second.status),
                    pivots: effort.pivots + second.pivots,
                    iterations: effort.iterations + second.iterations,
                };
            }
        }
        let memory = &mut *self.memory;
        let missed = memory.finish((problem, island), within, solution);
        for row in &memory.declared {
            solution.unmet[row.0] = true;
        }
        if missed > 0.0 && effort.status == SolveStatus::Solved {
            effort.status = SolveStatus::Relaxed;
        }
        Some(effort)
    }

    fn record(&mut self, island: Island<'_>, _: &ContactSolution, warm: &mut WarmStart) {
        let problem = self.context.problem;
        let n = problem.contact_count();
        let memory = &*self.memory;
        debug_assert_eq!(memory.island, island.groups.first().copied());
        for part in &memory.layout.parts {
            let flags = &memory.first_basis[part.first as usize..part.end as usize];
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
        self.attempts[1].solver == SolverName::Pgs
    }

    fn memory(&mut self, island: Island<'_>) -> usize {
        let size = Size::of(self.context.problem, island, self.context.settings);
        size.bytes(size.variables)
    }

    fn meter(&mut self) -> Option<&mut Meter> {
        Some(&mut self.memory.meter)
    }
}

impl Run<'_> {
    fn poisson(&self) -> Poisson {
        match self.context.settings.polygon.law(self.context.name) {
            RestitutionLaw::Newton => Poisson::No,
            RestitutionLaw::Poisson => Poisson::Yes,
        }
    }

    /// Solves the problem at hand: all of it, or one phase of a bounce. The impulses of the kept rows
    /// and the rows declared unmet are left in the memory.
    fn phase(&mut self, attempt: Attempt, warm: &mut WarmStart) -> Option<Effort> {
        let settings = self.context.settings;
        let memory = &mut *self.memory;
        memory.matrix.set_free(&memory.reduced, &memory.given);
        Some(match (attempt.route, attempt.solver) {
            (Route::Guaranteed, _) => {
                // What another solver could not do, Lemke's method does first.
                let other = self.attempts[1].solver != SolverName::Lemke;
                memory.guaranteed(
                    settings,
                    if other {
                        Route::Cold
                    } else {
                        Route::Guaranteed
                    },
                )
            }
            (Route::BestEffort, SolverName::Lemke) => memory.regularised(settings),
            (route, SolverName::Lemke) => {
                if route == Route::Warm && !self.recall(warm) {
                    return None;
                }
                self.memory.lemke(settings, route)
            }
            (Route::Warm, SolverName::InteriorPoint) => return None,
            (_, SolverName::InteriorPoint) => memory.interior(settings),
            (route, _) => {
                if route == Route::BestEffort && self.attempts[1].solver == attempt.solver {
                    return None;
                }
                if !self.recall_impulses(warm, route) {
                    return None;
                }
                self.memory.sweep(settings)
            }
        })
    }

    /// Makes the island's problem unless it is the one at hand.
    fn lay_out(&mut self, island: Island<'_>) {
        let first = island.groups.first().copied();
        if self.memory.island == first {
            return;
        }
        let problem = self.context.problem;
        let poisson = self.poisson();
        let memory = &mut *self.memory;
        memory.island = first;
        memory.reduced.begin(problem, island);
        memory.reduced.eliminate_bilateral(problem, island);
        let plan = Plan {
            problem,
            island,
            settings: self.context.settings,
            poisson,
            friction: Friction::Polygon,
        };
        memory.layout.lay_out(plan, &mut memory.reduced);
        memory.reduced.assemble(problem, island);
        memory.contradictory = false;
        memory.make_room();
        memory.basis.clear();
        memory.basis.resize(memory.layout.variables.len(), false);
        memory.first_basis.clone_from(&memory.basis);
    }

    /// Fills the start with the basis of the last solve; false if there was none.
    fn recall(&mut self, warm: &mut WarmStart) -> bool {
        let problem = self.context.problem;
        let memory = &mut *self.memory;
        memory.start.clear();
        let mut known = false;
        for part in &memory.layout.parts {
            let bits = warm.group_basis(problem, part.group as usize);
            known |= bits.is_some();
            let bits = bits.unwrap_or_default();
            let flags =
                (0..(part.end - part.first) as usize).map(|i| bits[i / 64] >> (i % 64) & 1 == 1);
            memory.start.extend(flags);
        }
        known
    }

    /// Fills the impulses of the kept rows: on the warm route with those of the last solve, else 0.
    /// False if there was none.
    fn recall_impulses(&mut self, warm: &mut WarmStart, route: Route) -> bool {
        let problem = self.context.problem;
        let n = problem.contact_count();
        let memory = &mut *self.memory;
        memory.impulses.clear();
        memory.impulses.resize(memory.reduced.rows().len(), 0.0);
        if route != Route::Warm {
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
