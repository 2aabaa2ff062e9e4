//! `drumwright-shell`: the impulses within the friction bounds that leave the least kinetic energy
//! \[DS\].
//!
//! ```text
//! min 1/2 v+^T M v+   over  f_n >= 0,  f within the polygons of mu f_n,
//! under  N v+ + b >= 0  (multipliers nu),   1^T N v+ <= kappa  (multiplier l)
//! ```
//! kappa is what separates in the frictionless answer, so that one is feasible and energy never
//! grows. With conveyors and drives the energy is that of the motion relative to what they ask for:
//! the gradient along a row is its slip. Optimality, with `u = v+ + P N^T (l 1 - nu)`:
//! ```text
//! 0 <= f_n  complementary to  u_n - C/h^2 nu - sum mu s >= 0
//! 0 <= f_d  complementary to  u_d - target + s >= 0
//! 0 <= s    complementary to  mu f_n - sum f_d >= 0
//! 0 <= nu   complementary to  N v+ + b + C/h^2 f_n >= 0
//! 0 <= l    complementary to  kappa - 1^T N v+ >= 0
//! ```
//! a monotone linear complementarity problem: Lemke's method and the interior-point method solve it.
//! The multipliers and the frictionless impulses are part of the answer, so the residual check needs no
//! solver.
//!
//! The attempts: the chosen solver from the last bases (Lemke's method only), cold; Lemke's method with
//! Tikhonov's regularisation; the interior-point method.

mod multipliers;
mod warm;

use super::super::driver::{self, Attempt, Context, Effort, IslandSolver, rows};
use super::super::reduced::Reduced;
use super::layout::{Bound, Friction, Layout, Plan, Poisson, Size, Variable};
use super::matrix::{Matrix, impulses};
use super::solve::MET;
use crate::lcp::dense::{InteriorPoint, Lcp, Lemke, Start};
use crate::lcp::{self, Meter};
use crate::models::{
    ContactModel, ContactSolution, ModelName, ModelSettings, WarmStart, Workspace,
};
use crate::problem::{ContactProblem, Island};
use crate::report::{Route, SolveReport, SolveStatus, SolverName};

/// Compliance, relative to a unilateral row's diagonal, with which contradictory unilateral rows are met in the
/// least-squares sense.
const RELAXATION: f64 = 1e-6;

/// Memory of an island's problem and its solvers.
#[derive(Clone, Debug, Default)]
pub(in crate::models) struct Memory {
    reduced: Reduced,
    layout: Layout,
    /// The unilateral rows and bounded rows alone.
    bare: Layout,
    matrix: Matrix,
    /// The whole problem's matrix and vector.
    a: Vec<f64>,
    q: Vec<f64>,
    z: Vec<f64>,
    impulses: Vec<f64>,
    /// Impulses of the frictionless answer, by kept row.
    frictionless: Vec<f64>,
    /// `l - nu` by kept row.
    tension: Vec<f64>,
    lemke: Lemke,
    interior: InteriorPoint,
    /// Which variables the two problems start with as basic, and end with (none: not known).
    start: Vec<bool>,
    bare_start: Vec<bool>,
    basis: Vec<bool>,
    bare_basis: Vec<bool>,
    /// First group of the island laid out.
    island: Option<u32>,
    meter: Meter,
}

/// `drumwright-shell`.
#[derive(Clone, Debug)]
pub(in crate::models) struct Shell {
    settings: ModelSettings,
}

impl Shell {
    pub(in crate::models) fn new(settings: ModelSettings) -> Self {
        Self { settings }
    }
}

impl ContactModel for Shell {
    fn name(&self) -> ModelName {
        ModelName::DrumwrightShell
    }

    fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    fn solve(
        &self,
        problem: &ContactProblem,
        warm: &mut WarmStart,
        workspace: &mut Workspace,
        solution: &mut ContactSolution,
    ) -> SolveReport {
        let chosen = self.settings.solver_for(self.name());
        let context = Context::new(problem, self.name(), &self.settings);
        let attempts = [
            Attempt::new(Route::Warm, chosen),
            Attempt::new(Route::Cold, chosen),
            Attempt::new(Route::Guaranteed, SolverName::Lemke),
            Attempt::new(Route::BestEffort, SolverName::InteriorPoint),
        ];
        driver::drive_shared(
            context,
            warm,
            workspace,
            solution,
            |turns, warm, own, solution| {
                let memory = &mut own.shell;
                memory.island = None;
                let mut run = Run {
                    context,
                    memory,
                    attempts,
                };
                let tools = driver::Tools {
                    best: &mut own.best,
                    scratch: &mut own.scratch,
                    engine: Some(&mut own.engine),
                };
                driver::islands(context, (turns, &mut run), warm, tools, solution)
            },
        )
    }
}

/// One solve.
struct Run<'a> {
    context: Context<'a>,
    memory: &'a mut Memory,
    attempts: [Attempt; 4],
}

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
        let problem = self.context.problem;
        self.lay_out(island);
        let settings = self.context.settings;
        let memory = &mut *self.memory;
        let interior = attempt.solver == SolverName::InteriorPoint;
        match attempt.route {
            Route::Warm if interior || !memory.recall(problem, warm) => return None,
            _ if interior && !memory.meter.allows(lcp::interior_point(memory.unknowns())) => {
                return None;
            }
            Route::Warm => {}
            // Chosen, it was the first.
            Route::BestEffort if self.attempts[1].solver == attempt.solver => return None,
            _ => {
                memory.start.clear();
                memory.bare_start.clear();
            }
        }
        let within = MET * memory.reduced.speed();
        let mut effort = Effort {
            status: SolveStatus::Solved,
            pivots: 0,
            iterations: 0,
        };
        // Contradictory unilateral rows show in the frictionless problem already.
        let soft = !memory.bare(settings, 0.0, &mut effort);
        if soft && !memory.bare(settings, RELAXATION, &mut effort) {
            effort.status = SolveStatus::Infeasible;
        }
        let share = if soft { RELAXATION } else { 0.0 };
        // The frictionless stage, with its bilateral impulses.
        let stage = (&memory.frictionless[..], within);
        memory.reduced.finish(problem, island, stage, solution);
        solution.frictionless.resize(problem.row_count(), 0.0);
        for row in rows(problem, island) {
            solution.frictionless[row.0] = *solution.impulse_mut(problem, row);
        }
        memory.assemble(share);
        memory.run(settings, attempt, &mut effort);
        memory.tension();
        memory.reduced.respond(problem, island, &memory.tension);
        solution.multipliers.resize(problem.row_count(), 0.0);
        memory.write_multipliers(problem, island, solution);
        let missed = (memory.reduced).finish(problem, island, (&memory.impulses, within), solution);
        if soft {
            memory.declare(within, solution);
        }
        if (soft || missed > 0.0) && effort.status == SolveStatus::Solved {
            effort.status = SolveStatus::Relaxed;
        }
        Some(effort)
    }

    fn record(&mut self, _: Island<'_>, _: &ContactSolution, warm: &mut WarmStart) {
        self.memory.record(self.context.problem, warm);
    }

    fn variables(&self) -> usize {
        self.memory.q.len()
    }

    fn starts_from_impulses(&self) -> bool {
        false
    }

    fn memory(&mut self, island: Island<'_>) -> usize {
        let (problem, settings) = (self.context.problem, self.context.settings);
        let size = Size::of(problem, island, settings);
        size.bytes(size.variables + size.unilaterals + 1)
    }

    fn meter(&mut self) -> Option<&mut Meter> {
        Some(&mut self.memory.meter)
    }
}

impl Run<'_> {
    /// Makes the island's reduced problem unless it is the one at hand.
    fn lay_out(&mut self, island: Island<'_>) {
        let first = island.groups.first().copied();
        let problem = self.context.problem;
        let memory = &mut *self.memory;
        if memory.island == first {
            return;
        }
        memory.island = first;
        memory.reduced.begin(problem, island);
        memory.reduced.eliminate_bilateral(problem, island);
        let plan = Plan {
            problem,
            island,
            settings: self.context.settings,
            poisson: Poisson::No,
            friction: Friction::Polygon,
        };
        memory.layout.lay_out(plan, &mut memory.reduced);
        memory.layout.strip(&mut memory.bare);
        memory.reduced.assemble(problem, island);
        memory.matrix.set_free(&memory.reduced, &[]);
    }
}

impl Memory {
    /// Variables of the whole problem.
    fn unknowns(&self) -> usize {
        self.layout.variables.len() + self.layout.unilaterals.len() + 1
    }

    /// The frictionless problem, unilateral rows softened by `share`: whether it was solved.
    fn bare(&mut self, settings: &ModelSettings, share: f64, effort: &mut Effort) -> bool {
        let none = (&[][..], &[][..]);
        self.matrix.assemble(&self.bare, &self.reduced, none);
        self.matrix.soften(&self.bare, &self.reduced, share);
        let k = self.reduced.rows().len();
        let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
            self.frictionless.clear();
            self.frictionless.resize(k, 0.0);
            return false;
        };
        let n = lcp.dim();
        let most = settings.max_pivots.min(20 * n + 100);
        let limits = self.meter.limits((settings.tolerance, most), n);
        let outcome = (self.lemke).solve(lcp, &limits, Start::Basis(&self.bare_start), &mut self.z);
        self.meter.count(&outcome, n);
        self.bare_basis.clear();
        self.bare_basis.extend_from_slice(self.lemke.basis());
        effort.pivots += outcome.pivots;
        effort.iterations += outcome.iterations;
        impulses(&self.bare, &self.z, (&[], k), &mut self.frictionless);
        outcome.status == SolveStatus::Solved && outcome.residual <= MET
    }

    /// The separation speed of the contacts per unit impulses of the kept rows, summed.
    fn separation(&self, z: &[f64]) -> f64 {
        let k = self.reduced.rows().len();
        let contacts = self
            .layout
            .unilaterals
            .iter()
            .filter(|unilateral| unilateral.contact);
        contacts
            .map(|unilateral| {
                let i = unilateral.place as usize;
                let row = &self.reduced.w()[i * k..(i + 1) * k];
                self.matrix.free[i] + crate::rows::kernel::dot(row, z)
            })
            .sum()
    }

    /// Fills `a` and `q`. The variables are those of the layout, then nu of every unilateral row, then l. The
    /// multipliers' rows are the negated transposes of their columns, so the matrix is positive
    /// semidefinite. O(N^2).
    fn assemble(&mut self, share: f64) {
        let (layout, k) = (&self.layout, self.reduced.rows().len());
        let none = (&[][..], &[][..]);
        self.matrix.assemble(layout, &self.reduced, none);
        let (own, n) = (layout.variables.len(), self.unknowns());
        self.a.clear();
        self.a.resize(n * n, 0.0);
        for i in 0..own {
            let line = &self.matrix.a[i * own..(i + 1) * own];
            self.a[i * n..i * n + own].copy_from_slice(line);
        }
        self.q.clear();
        self.q.extend_from_slice(&self.matrix.q);
        for unilateral in &layout.unilaterals {
            let i = unilateral.variable as usize;
            // Energy knows neither gap nor compliance.
            self.a[i * n + i] -= unilateral.softness;
            self.q[i] -= unilateral.b;
        }
        for unit in &layout.units {
            let slip = (unit.first + unit.count) as usize;
            for i in unit.first as usize..slip {
                self.a[i * n + slip] = unit.weight;
            }
            if let Bound::Normal { unilateral, mu } = unit.bound {
                let normal = layout.unilaterals[unilateral as usize].variable as usize;
                self.a[normal * n + slip] = -unit.weight * mu;
            }
        }
        let last = n - 1;
        for (nu, unilateral) in layout.unilaterals.iter().enumerate() {
            let row = &self.reduced.w()[unilateral.place as usize * k..][..k];
            let nu = own + nu;
            for (j, variable) in layout.variables.iter().enumerate() {
                if let Variable::Impulse { places, coefs } = *variable {
                    let x = coefs[0] * row[places[0] as usize] + coefs[1] * row[places[1] as usize];
                    self.a[nu * n + j] += x;
                    self.a[j * n + nu] -= x;
                    if unilateral.contact {
                        self.a[last * n + j] -= x;
                        self.a[j * n + last] += x;
                    }
                }
            }
            let i = unilateral.variable as usize;
            self.a[nu * n + i] += unilateral.softness;
            self.a[i * n + nu] -= unilateral.softness;
            self.a[nu * n + nu] = share * self.reduced.diagonal(unilateral.place as usize);
            self.q
                .push(self.matrix.free[unilateral.place as usize] + unilateral.b);
        }
        let kappa = self.separation(&self.frictionless);
        let free = (layout.unilaterals.iter())
            .filter(|unilateral| unilateral.contact)
            .map(|unilateral| self.matrix.free[unilateral.place as usize]);
        self.q.push(kappa - free.sum::<f64>());
    }

    fn run(&mut self, settings: &ModelSettings, attempt: Attempt, effort: &mut Effort) {
        let k = self.reduced.rows().len();
        let Ok(lcp) = Lcp::new(&self.a, &self.q) else {
            self.impulses.clear();
            self.impulses.resize(k, 0.0);
            self.z.clear();
            self.z.resize(self.q.len(), 0.0);
            effort.status = SolveStatus::NonFinite;
            return;
        };
        let n = lcp.dim();
        let most = settings.max_pivots.min(20 * n + 100);
        let limits = self.meter.limits((settings.tolerance, most), n);
        let outcome = match (attempt.route, attempt.solver) {
            (Route::Guaranteed, _) => {
                (self.lemke)
                    .solve_regularised(lcp, &limits, Start::Cold, &mut self.z)
                    .0
            }
            (_, SolverName::InteriorPoint) => {
                (self.interior).solve(lcp, &limits, Start::Cold, &mut self.z)
            }
            _ => (self.lemke).solve(lcp, &limits, Start::Basis(&self.start), &mut self.z),
        };
        match attempt.solver {
            SolverName::InteriorPoint => self.meter.spend(lcp::interior_point(n)),
            _ => self.meter.count(&outcome, n),
        }
        self.basis.clear();
        if attempt.solver == SolverName::Lemke {
            self.basis.extend_from_slice(self.lemke.basis());
        }
        effort.pivots += outcome.pivots;
        effort.iterations += outcome.iterations;
        effort.status = effort.status.max(outcome.status);
        impulses(&self.layout, &self.z, (&[], k), &mut self.impulses);
    }
}
