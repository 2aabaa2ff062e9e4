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
//! The attempts: the chosen solver from the last basis (Lemke's method only), cold, the other solver. Unilateral rows
//! that contradict each other have no frictionless answer; the exact cone answers then.

use super::super::reduced::Reduced;
use super::island::MET;
use super::layout::{Bounces, Bound, Friction, Layout, Plan, Size};
use super::matrix::{Given, Matrix, impulses, velocity_of};
use super::solvers::Solvers;
use crate::factor::kernel::dot;
use crate::lcp::Meter;
use crate::models::attempt::{Attempt, Context, Effort, IslandSolver};
use crate::models::{ContactSolution, ModelSettings, WarmStart};
use crate::problem::{ContactProblem, Island};
use crate::report::{Route, SolveStatus, SolverName};

/// Memory of an island's problem and its solvers.
#[derive(Clone, Debug, Default)]
pub(in crate::models) struct Memory {
    reduced: Reduced,
    layout: Layout,
    /// The unilateral rows and bounded rows alone.
    bare: Layout,
    matrix: Matrix,
    none: Given,
    /// The whole problem's matrix and vector.
    a: Vec<f64>,
    q: Vec<f64>,
    z: Vec<f64>,
    impulses: Vec<f64>,
    /// Impulses of the frictionless answer, by kept row.
    frictionless: Vec<f64>,
    /// `l - nu` by kept row.
    tension: Vec<f64>,
    solvers: Solvers,
    /// Which variables of the whole problem, then of the frictionless one, a solve starts with as basic, and ends with
    /// (none: not known).
    basis: Vec<bool>,
    /// First group of the island laid out.
    island: Option<u32>,
}

/// The solver of a problem's islands.
pub(super) struct Run<'a> {
    context: Context<'a>,
    memory: &'a mut Memory,
    attempts: [Attempt; 3],
}

impl<'a> Run<'a> {
    pub(super) fn new(context: Context<'a>, memory: &'a mut Memory) -> Self {
        memory.island = None;
        let chosen = context.settings.solver_for(context.name);
        let other = match chosen {
            SolverName::InteriorPoint => SolverName::Lemke,
            _ => SolverName::InteriorPoint,
        };
        let attempts = [
            Attempt::new(Route::Warm, chosen),
            Attempt::new(Route::Cold, chosen),
            Attempt::new(Route::Guaranteed, other),
        ];
        Self {
            context,
            memory,
            attempts,
        }
    }
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
        let is_warm = attempt.route == Route::Warm;
        let is_known = memory.recall(problem, warm, is_warm);
        if is_warm && (interior || !is_known) {
            return None;
        }
        let within = MET * memory.reduced.speed();
        let mut effort = memory.solve_bare(settings);
        // The frictionless stage, with its bilateral impulses.
        let stage = (&memory.frictionless[..], within);
        memory.reduced.finish(problem, island, stage, solution);
        solution.frictionless.resize(problem.row_count(), 0.0);
        for row in problem.island_rows(island) {
            solution.frictionless[row.0] = *solution.impulse_mut(problem, row);
        }
        memory.assemble();
        effort.add(memory.solve_whole(settings, attempt.solver));
        memory.write_multipliers(problem, island, solution);
        let answer = (&memory.impulses[..], within);
        let missed = memory.reduced.finish(problem, island, answer, solution);
        if missed > 0.0 && effort.status == SolveStatus::Solved {
            effort.status = SolveStatus::Relaxed;
        }
        Some(effort)
    }

    /// A contact remembers a bit for each of its own variables, at most 134, then for its multiplier nu, its unilateral
    /// row in the frictionless problem and l; a scalar the same with less room.
    fn record(&mut self, _: Island<'_>, _: &ContactSolution, warm: &mut WarmStart) {
        let problem = self.context.problem;
        let memory = &*self.memory;
        if memory.basis.is_empty() {
            return;
        }
        memory.slots(|group, slots| {
            let basic = slots.filter(|&(_, i)| memory.basis[i]);
            warm.record_basis(problem, group as usize, basic.map(|(bit, _)| bit));
        });
    }

    fn variables(&self) -> usize {
        self.memory.q.len()
    }

    fn starts_from_impulses(&self) -> bool {
        false
    }

    fn memory(&mut self, island: Island<'_>) -> usize {
        let place = (self.context.problem, island);
        let size = Size::of(place, self.context.settings, Friction::Polygon);
        size.bytes(size.variables + size.unilaterals + 1)
    }

    fn meter(&mut self) -> Option<&mut Meter> {
        Some(&mut self.memory.solvers.meter)
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
            friction: Friction::Polygon,
            bounces: Bounces::AtOnce,
        };
        memory.layout.lay_out(plan, &mut memory.reduced);
        memory.layout.strip(&mut memory.bare);
        memory.reduced.assemble(problem, island);
    }
}

impl Memory {
    /// Variables of the whole problem: those of the layout, nu of every unilateral row, l.
    fn unknowns(&self) -> usize {
        self.layout.variables.len() + self.layout.unilaterals().count() + 1
    }

    /// Calls `visit` with every group and its variables: bit and place in the basis.
    fn slots(&self, mut visit: impl FnMut(u32, &mut dyn Iterator<Item = (usize, usize)>)) {
        let (whole, all) = (self.layout.variables.len(), self.unknowns());
        let (mut pressing, mut bounded) = (0, all - whole - 1);
        for part in &self.layout.parts {
            let own = part.first as usize..part.end as usize;
            let len = own.len();
            let first = self.layout.variables.get(own.start).filter(|_| len > 0);
            let (nu, bare) = match first {
                None => (None, 0..0),
                Some(first) if first.is_unilateral() => {
                    pressing += 1;
                    let i = pressing - 1;
                    (Some((len, whole + i)), all + i..all + i + 1)
                }
                Some(_) => {
                    bounded += len;
                    (None, all + bounded - len..all + bounded)
                }
            };
            let bare = bare.enumerate().map(|(bit, i)| (len + 1 + bit, i));
            // Every contact knows l.
            let l = nu.map(|_| (len + 2, all - 1));
            visit(
                part.group,
                &mut own.enumerate().chain(nu).chain(bare).chain(l),
            );
        }
    }

    /// Fills the basis with that of the last solve, if it is asked for; false if there was none.
    fn recall(&mut self, problem: &ContactProblem, warm: &WarmStart, is_asked: bool) -> bool {
        let mut basis = std::mem::take(&mut self.basis);
        basis.clear();
        basis.resize(self.unknowns() + self.bare.variables.len(), false);
        let mut known = false;
        if is_asked {
            self.slots(|group, slots| {
                let bits = warm.group_basis(problem, group as usize);
                known |= bits.is_some();
                let bits = bits.unwrap_or_default();
                for (bit, i) in slots {
                    basis[i] |= bits[bit / 64] >> (bit % 64) & 1 == 1;
                }
            });
        }
        self.basis = basis;
        known
    }

    /// Solves the frictionless problem.
    fn solve_bare(&mut self, settings: &ModelSettings) -> Effort {
        (self.matrix).assemble(&self.bare, &self.reduced, &self.none);
        let whole = self.unknowns();
        let problem = (&self.matrix.a[..], &self.matrix.q[..]);
        let basis = &mut self.basis[whole..];
        let effort = (self.solvers).solve(SolverName::Lemke, problem, settings, basis, &mut self.z);
        let given = (&self.none, self.reduced.rows().len());
        impulses(&self.bare, &self.z, given, &mut self.frictionless);
        effort
    }

    /// Fills `a` and `q`. The multipliers' rows are the negated transposes of their columns, so the matrix is positive
    /// semidefinite. O(N^2).
    fn assemble(&mut self) {
        let (layout, k) = (&self.layout, self.reduced.rows().len());
        (self.matrix).assemble(layout, &self.reduced, &self.none);
        let (own, n) = (layout.variables.len(), self.unknowns());
        self.a.clear();
        self.a.resize(n * n, 0.0);
        for i in 0..own {
            let line = &self.matrix.a[i * own..(i + 1) * own];
            self.a[i * n..i * n + own].copy_from_slice(line);
        }
        self.q.clear();
        self.q.extend_from_slice(&self.matrix.q);
        for (i, row) in layout.unilaterals() {
            // Energy knows neither gap nor compliance.
            self.a[i * n + i] -= row.softness;
            self.q[i] -= row.offset;
        }
        for unit in &layout.units {
            let slip = unit.slip as usize;
            for i in unit.variables() {
                self.a[i * n + slip] = unit.weight;
            }
            if let Bound::Normal { variable, mu } = unit.bound {
                self.a[variable as usize * n + slip] = -unit.weight * mu;
            }
        }
        let last = n - 1;
        // What separates in the frictionless answer beyond the free motion.
        let mut kappa = 0.0;
        for (nu, (i, row)) in layout.unilaterals().enumerate() {
            let line = &self.reduced.w()[row.place() * k..][..k];
            let nu = own + nu;
            for (j, variable) in layout.variables.iter().enumerate() {
                let x = velocity_of(variable, line);
                self.a[nu * n + j] += x;
                self.a[j * n + nu] -= x;
                if row.is_contact() {
                    self.a[last * n + j] -= x;
                    self.a[j * n + last] += x;
                }
            }
            self.a[nu * n + i] += row.softness;
            self.a[i * n + nu] -= row.softness;
            self.q.push(self.matrix.free[row.place()] + row.offset);
            if row.is_contact() {
                kappa += dot(line, &self.frictionless);
            }
        }
        self.q.push(kappa);
    }

    /// Solves the whole problem.
    fn solve_whole(&mut self, settings: &ModelSettings, solver: SolverName) -> Effort {
        let (problem, basis) = ((&self.a[..], &self.q[..]), &mut self.basis);
        let own = &mut basis[..self.q.len()];
        let effort = (self.solvers).solve(solver, problem, settings, own, &mut self.z);
        if solver == SolverName::InteriorPoint {
            basis.clear();
        }
        let given = (&self.none, self.reduced.rows().len());
        impulses(&self.layout, &self.z, given, &mut self.impulses);
        effort
    }

    /// Multipliers by row: nu of unilateral rows, l at the first tangent of every contact, and those of the
    /// bilateral rows that keep `u - v+` within what they allow.
    fn write_multipliers(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        solution: &mut ContactSolution,
    ) {
        let own = self.layout.variables.len();
        let l = self.z.last().copied().unwrap_or(0.0);
        self.tension.clear();
        self.tension.resize(self.reduced.rows().len(), 0.0);
        for ((_, row), nu) in self.layout.unilaterals().zip(&self.z[own..]) {
            self.tension[row.place()] = if row.is_contact() { l - nu } else { -nu };
        }
        self.reduced.respond(problem, island, &self.tension);
        solution.multipliers.resize(problem.row_count(), 0.0);
        for row in problem.island_rows(island) {
            solution.multipliers[row.0] = 0.0;
        }
        for (row, f) in self.reduced.responses() {
            solution.multipliers[row.0] = f;
        }
        for ((_, variable), &nu) in self.layout.unilaterals().zip(&self.z[own..]) {
            let row = self.reduced.rows()[variable.place()];
            solution.multipliers[row.0] = nu;
            if variable.is_contact() {
                solution.multipliers[row.0 + 1] = l;
            }
        }
    }
}
