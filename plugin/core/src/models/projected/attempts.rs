//! The attempts at an island, and what goes on from its answer: limits that wake,
//! contacts that hold or release.

use super::{ACTIVE, HIGH, LOW, Outcome, Run, WarmStart};
use crate::lcp::{self, RowKind, RowState, System};
use crate::problem::ScalarKind;
use crate::report::{Route, SolveStatus, SolverName};
use crate::rows::Precision;

/// Coordinates up to which an island is small enough for a dense basis.
const PRECISE_DIM: usize = 1000;

impl Run<'_> {
    /// Chosen solver from the warm start, cold, active set, active set with an orthonormal basis of
    /// the rows, active set with contradictory rows relaxed, that with the basis.
    pub(super) fn attempts(&self, system: &mut System<'_>, plan: &[u32]) -> Outcome {
        let chosen = self.settings.solver_for(self.name);
        let mut failed = 0;
        let mut status = SolveStatus::Infeasible;
        if plan.iter().any(|&s| (ACTIVE..=HIGH).contains(&s)) {
            self.recall(system, plan);
            status = run(chosen, system);
            if status == SolveStatus::Solved && !self.has_open_joint(system) {
                return Outcome {
                    status,
                    solver: chosen,
                    route: Route::Warm,
                    failed,
                };
            }
            failed += 1;
        }
        let second = [chosen, SolverName::ActiveSet];
        for &solver in &second[..if chosen == SolverName::ActiveSet {
            1
        } else {
            2
        }] {
            // A cold start takes the bilateral rows first, so this contradiction is final.
            if status == SolveStatus::Infeasible && solver != chosen {
                break;
            }
            system.restart();
            system.select();
            status = run(solver, system);
            if status == SolveStatus::Solved {
                return Outcome {
                    status,
                    solver,
                    route: if solver == chosen {
                        Route::Cold
                    } else {
                        Route::Guaranteed
                    },
                    failed,
                };
            }
            failed += 1;
        }
        let fits = system.dim() <= PRECISE_DIM;
        if fits && system.precision() == Precision::Quick {
            system.set_precision(Precision::Precise);
            system.select();
            status = run(SolverName::ActiveSet, system);
            if status == SolveStatus::Solved {
                return Outcome {
                    status,
                    solver: SolverName::ActiveSet,
                    route: Route::Guaranteed,
                    failed,
                };
            }
            failed += 1;
        }
        system.relax();
        let precisions = [Precision::Quick, Precision::Precise];
        for &precision in &precisions[..if fits { 2 } else { 1 }] {
            system.set_precision(precision);
            system.select();
            status = match run(SolverName::ActiveSet, system) {
                SolveStatus::Solved => SolveStatus::Relaxed,
                failed => failed,
            };
            if status == SolveStatus::Relaxed {
                break;
            }
        }
        Outcome {
            status,
            solver: SolverName::ActiveSet,
            route: Route::Guaranteed,
            failed,
        }
    }

    /// Whether a bilateral row was dropped for tangential ones that it contradicts: joints come before
    /// what contacts hold, which a cold start sees to.
    fn has_open_joint(&self, system: &System<'_>) -> bool {
        let first_scalar = 3 * self.problem.contact_count();
        let within = system.met_within();
        let rows = system.memory.rows.iter();
        let mut scalars = rows.filter(|row| row.row as usize >= first_scalar);
        scalars.any(|row| row.kind == RowKind::Free && System::shortfall(row) > within)
    }

    /// Contacts that yielded and press after all hold again, until none does.
    pub(super) fn firm(&self, system: &mut System<'_>, outcome: &mut Outcome) {
        let relaxed = outcome.status == SolveStatus::Relaxed;
        while system.hold_firm() {
            let solver = if relaxed {
                SolverName::ActiveSet
            } else {
                outcome.solver
            };
            let status = run(solver, system);
            if status == SolveStatus::Solved {
                continue;
            }
            // The paper's form, without yielding.
            system.yielding = false;
            *outcome = self.attempts(system, &[]);
            outcome.failed += 1;
        }
    }

    /// Puts the rows back where they were last time, in the order of the bodies.
    fn recall(&self, system: &mut System<'_>, plan: &[u32]) {
        let contact_rows = 3 * self.problem.contact_count();
        let mut i = 0;
        while i < plan.len() {
            let row = system.memory.rows[i].row as usize;
            if row < contact_rows && row % 3 == 1 {
                let wanted = [0, 1, 2].map(|k| plan[i + k] == ACTIVE);
                if wanted == [true; 3] {
                    system.activate_contact(i);
                } else {
                    // One or two are cheaper apart.
                    for k in (0..3).filter(|&k| wanted[k]) {
                        system.activate(i + k);
                    }
                }
                i += 3;
                continue;
            }
            match plan[i] {
                ACTIVE => {
                    system.activate(i);
                }
                LOW => system.put_at_bound(i, RowState::AtLow),
                HIGH => system.put_at_bound(i, RowState::AtHigh),
                _ => {}
            }
            i += 1;
        }
    }

    /// The releasing form: drops the tangential rows of contacts that do not press and takes back
    /// those of contacts that do, until both agree. False if it had to keep the bilateral form.
    pub(super) fn release(&self, system: &mut System<'_>, outcome: &mut Outcome) -> bool {
        for _ in 0..self.settings.release_rounds {
            if !self.switch(system, |holds, presses| holds != presses) {
                return true;
            }
            if run(self.settings.solver_for(self.name), system) != SolveStatus::Solved {
                break;
            }
        }
        self.switch(system, |holds, _| !holds);
        system.restart();
        system.select();
        let status = run(SolverName::ActiveSet, system);
        if status != SolveStatus::Solved {
            let plan = [];
            *outcome = self.attempts(system, &plan);
        }
        outcome.failed += 1;
        false
    }

    /// Turns the tangential rows of closed contacts on or off where `change(holds, presses)`.
    fn switch(&self, system: &mut System<'_>, change: impl Fn(bool, bool) -> bool) -> bool {
        let contact_rows = 3 * self.problem.contact_count();
        let mut changed = false;
        for i in 2..system.memory.rows.len() {
            let normal = system.memory.rows[i];
            if normal.row as usize >= contact_rows
                || !normal.row.is_multiple_of(3)
                || system.memory.rows[i - 2].row != normal.row + 1
            {
                continue;
            }
            let presses = normal.state == RowState::Active
                && normal.z * normal.white.diag > self.settings.tolerance * system.speed;
            let holds = system.memory.rows[i - 1].state != RowState::Off;
            if change(holds, presses) {
                changed = true;
                for j in [i - 2, i - 1] {
                    if holds {
                        system.switch_off(j);
                    } else {
                        system.memory.rows[j].state = RowState::Out;
                    }
                }
            }
        }
        changed
    }

    /// Adds the idle limits that the answer violates and solves on, until it violates none.
    pub(super) fn wake(
        &self,
        system: &mut System<'_>,
        outcome: &mut Outcome,
        warm: &mut WarmStart,
        (idle, plan): (&mut Vec<u32>, &mut Vec<u32>),
    ) {
        let p = self.problem;
        while outcome.status.is_usable() {
            let zero = system.zero();
            let known = system.memory.rows.len();
            idle.retain(|&g| {
                let i = g as usize - p.contact_count();
                let ScalarKind::Unilateral { gap } = p.scalars()[i].1 else {
                    return false;
                };
                let w = p.row(p.scalar_row(i)).dot(system.v_plus)
                    + self.settings.gap_velocity(gap, p.h());
                // Negated so that a NaN wakes it.
                let holds = w >= -zero;
                if !holds {
                    self.push_group(g as usize, warm, system, plan);
                }
                holds
            });
            if system.memory.rows.len() == known {
                return;
            }
            if outcome.status == SolveStatus::Relaxed {
                system.relax();
            }
            if run(outcome.solver, system) != SolveStatus::Solved {
                *outcome = self.attempts(system, &[]);
            }
            if outcome.status.is_usable() {
                self.firm(system, outcome);
            }
        }
    }
}

/// One run, within the work that is left: a pivot is a substitution through the factor of the active rows, no more than
/// there are coordinates, and a look at every row.
fn run(solver: SolverName, system: &mut System<'_>) -> SolveStatus {
    let (limits, before) = (system.limits, system.pivots);
    let rows = system.memory.rows.len() as f64;
    let pivot = rows * rows.min(system.dim() as f64);
    let left = system.meter.pivots(pivot);
    system.limits.max_pivots = limits.max_pivots.min(left);
    let status = match solver {
        SolverName::Ppm => lcp::ppm(system),
        // The settings' check lets only these two through to here.
        _ => lcp::active_set(system),
    };
    system.limits = limits;
    let pivots = (system.pivots - before) as f64;
    system.meter.spend(pivots * pivot);
    status
}
