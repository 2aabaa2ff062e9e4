//! One attempt at one island: its complementarity problem, by Lemke's method, the interior-point method or projected
//! Gauss-Seidel. The models differ in the rows they lay out and in how they bounce.

use super::Memory;
use super::layout::{self, Friction, LaidOut, Plan};
use super::matrix::impulses;
use super::variables::{Bound, Unit};
use crate::lcp::work;
use crate::lcp::{Lcp, Start};
use stickslip_core::kit::SolveContext;
use stickslip_core::kit::max_abs;
use stickslip_core::kit::{Answer, LastSolve, Memory as _};
use stickslip_core::kit::{Attempt, Context, Effort, IslandSolver, Wanted};
use stickslip_core::models::{
    ContactSolution, ModelName, RestitutionLaw, RollingFriction, Stabilisation, WarmStart,
    Workspace,
};
use stickslip_core::problem::{Island, IslandProblem, RowId};
use stickslip_core::report::{Route, SolveReport, SolveStatus, SolverName};

/// From which miss on an eliminated row that depends on others counts as not met, relative to `1 + max |v_free|`: what
/// the residual check accepts.
pub(super) const MET: f64 = 1e-9;

/// Compliances of the unilateral rows with which Lemke's method is run, relative to their diagonals, the basis of one
/// being the start of the next. At any the load spreads, in the grasp evenly over the corners of a face (without, all of
/// it is put on one, and the cubes turn about it); at the smaller ones the basis of the rigid problem shows where masses
/// differ by 1e6. Last, rigid: with friction, compliant rows need not lead to each solution.
const SHARES: [f64; 5] = [1e-5, 1e-7, 1e-9, 1e-11, 0.0];

/// Residual, relative to `1 + max |v_free|`, from which on the rigid problem counts as solved.
const SETTLED: f64 = 1e-9;

/// The solver of a problem's islands.
#[derive(Clone)]
pub(crate) struct Run<'a> {
    pub(super) context: Context<'a>,
    /// The chosen solver; Lemke's method where that is another one, or its matrix stabilised; of the least energy the
    /// other one.
    attempts: [Attempt; 3],
}

impl<'a> Run<'a> {
    pub(crate) fn new(context: Context<'a>) -> Self {
        let chosen = context.settings.solver_for(context.name);
        // Without Coulomb's law the problem is convex, and round-off all that can be in the way.
        let last = match (context.name, chosen) {
            (ModelName::DrumwrightShell, SolverName::Lemke) => SolverName::InteriorPoint,
            _ => SolverName::Lemke,
        };
        let attempts = [
            Attempt::new(Route::Warm, chosen),
            Attempt::new(Route::Cold, chosen),
            Attempt::new(Route::Guaranteed, last),
        ];
        Self { context, attempts }
    }
}

impl IslandSolver for Run<'_> {
    fn attempts(&self) -> &[Attempt] {
        let stabilised = self.context.settings.polygon.stabilisation != Stabilisation::None;
        let is_other = self.attempts[1].solver != self.attempts[2].solver;
        &self.attempts[..2 + usize::from(is_other || stabilised)]
    }

    fn begin(&mut self, own: &mut Workspace) {
        let meter = own.meter();
        let memory = &mut own.beside::<crate::Memory>().polygon;
        memory.island = None;
        memory.solvers.meter = meter;
    }

    fn keeps_unverified(&self) -> bool {
        self.relaxes()
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        solving: &mut SolveContext<'_>,
    ) -> Option<Effort> {
        let (warm, own, solution) = solving.parts();
        let memory = &mut own.beside::<crate::Memory>().polygon;
        self.lay_out(island, memory);
        let place = self.context.problem.place(island);
        memory.given.clear();
        memory.declared.clear();
        if !self.start_from_last(attempt, warm, memory) {
            return None;
        }
        let mut effort = Effort::ended(SolveStatus::Solved);
        if self.friction() == Friction::LeastEnergy {
            effort = memory.without_friction(self.context.settings);
            let stage = &memory.frictionless;
            (memory.reduced).finish(place, stage, f64::INFINITY, solution);
            take(place, solution, |s| &mut s.frictionless);
        }
        effort.add(self.phase(attempt, memory));
        memory.record.clone_from(&memory.basis);
        let within = MET * memory.reduced.speed();
        if self.bounces() == RestitutionLaw::Poisson {
            (memory.reduced).finish(place, &memory.impulses, within, solution);
            take(place, solution, |s| &mut s.compression);
            if memory.expand() {
                // The expansion has a basis of its own, which nobody remembers.
                let route = match attempt.route {
                    Route::Warm => Route::Cold,
                    route => route,
                };
                let second = Attempt { route, ..attempt };
                self.start_from_last(second, warm, memory);
                effort.add(self.phase(second, memory));
            }
        }
        self.refine(attempt, &mut effort, memory);
        if memory.layout.multipliers().next().is_some() {
            memory.write_multipliers(place, solution);
        }
        let missed = (memory.reduced).finish(place, &memory.impulses, within, solution);
        if missed > 0.0 && effort.status.is_usable() {
            effort.status = SolveStatus::Relaxed;
        }
        for row in &memory.declared {
            solution.unmet[row.0] = true;
        }
        for c in held(self.context, island) {
            solution.held[c] = true;
        }
        Some(effort)
    }

    fn record(&self, own: &mut Workspace, warm: &mut WarmStart, report: &mut SolveReport) {
        let memory = &own.beside::<crate::Memory>().polygon;
        report.variables += memory.layout.variables.len();
        for (group, slots) in memory.layout.slots(&memory.bare) {
            let basic = slots.enumerate().filter(|&(_, i)| memory.record[i]);
            warm.record_basis(group, basic.map(|(bit, _)| bit));
        }
    }

    fn starts_from_impulses(&self) -> bool {
        self.attempts[1].solver == SolverName::Pgs
    }

    fn wanted(&self, island: Island<'_>) -> Wanted {
        let place = self.context.problem.place(island);
        layout::wanted(place, self.context.settings, self.friction())
    }
}

impl Run<'_> {
    /// Whether rows that contradict each other may find a compromise: forces and bodies without inertia know none.
    fn relaxes(&self) -> bool {
        let name = self.context.name;
        !matches!(
            name,
            ModelName::CoulombAcceleration | ModelName::QuasiStatic | ModelName::DrumwrightShell
        )
    }

    fn friction(&self) -> Friction {
        match self.context.name {
            ModelName::Frictionless | ModelName::NoSlip => Friction::None,
            ModelName::CoulombAcceleration => Friction::Given,
            ModelName::DrumwrightShell => Friction::LeastEnergy,
            _ => Friction::Polygon,
        }
    }

    fn bounces(&self) -> RestitutionLaw {
        let is_polygon = self.friction() == Friction::Polygon && self.relaxes();
        match self.context.settings.polygon.law(self.context.name) {
            law if is_polygon => law,
            _ => RestitutionLaw::Newton,
        }
    }

    /// Makes the island's problem unless it is the one at hand.
    fn lay_out(&self, island: Island<'_>, memory: &mut Memory) {
        let first = island.groups.first().copied();
        if memory.island == first {
            return;
        }
        let problem = self.context.problem;
        let plan = Plan {
            problem,
            island,
            settings: self.context.settings,
            friction: self.friction(),
            bounces: self.bounces(),
        };
        memory.island = first;
        let place = problem.place(island);
        memory.reduced.begin(place);
        memory.reduced.eliminate_bilateral(place);
        for c in held(self.context, island) {
            for (k, target) in problem.contacts()[c]
                .surface_velocity
                .into_iter()
                .enumerate()
            {
                (memory.reduced).eliminate(problem, RowId(3 * c + 1 + k), target);
            }
        }
        memory.layout.lay_out(plan, &mut memory.reduced);
        memory.bare.clear();
        if plan.friction == Friction::LeastEnergy {
            memory.layout.strip(&mut memory.bare);
        }
        memory.reduced.assemble(place);
        memory.make_room();
    }

    /// Solves the problem at hand from where it starts: all of it, or one phase of a bounce. The impulses of the kept rows
    /// are left in the memory.
    fn phase(&self, attempt: Attempt, memory: &mut Memory) -> Effort {
        (memory.matrix).assemble(&memory.layout, &memory.reduced, &memory.given);
        let is_convex = self.friction() == Friction::LeastEnergy;
        if is_convex {
            memory.add_multipliers();
        }
        let n = memory.matrix.q.len();
        memory.basis.clone_from(&memory.start);
        memory.basis[..n].fill(false);
        let effort = match attempt.solver {
            SolverName::Pgs => {
                let laid = LaidOut {
                    layout: &memory.layout,
                    reduced: &memory.reduced,
                };
                let effort = memory.sweep.run(
                    laid,
                    &self.context.settings.iteration,
                    &memory.matrix.free,
                    &memory.given,
                    &mut memory.impulses,
                );
                for (z, given) in memory.impulses.iter_mut().zip(&memory.given.impulses) {
                    *z += given;
                }
                return effort;
            }
            SolverName::Lemke if !is_convex => self.lemke(attempt.route, memory),
            // On the rigid problem: with Coulomb friction without guarantee.
            solver => {
                let (z, start) = (&mut memory.z, &mut memory.start[..n]);
                let (matrix, settings) = (&memory.matrix, self.context.settings);
                let effort = (memory.solvers).solve(solver, matrix, settings, start, z);
                memory.basis[..n].copy_from_slice(start);
                effort
            }
        };
        let k = memory.reduced.rows().len();
        impulses(
            &memory.layout,
            &memory.z,
            &memory.given,
            k,
            &mut memory.impulses,
        );
        effort
    }

    /// Lemke's method, from the basis in `start`. A stabilised matrix is solved as it is, and the answer refined without
    /// on its basis.
    fn lemke(&self, route: Route, memory: &mut Memory) -> Effort {
        let stabilisation = match route {
            Route::Guaranteed => Stabilisation::None,
            _ => self.context.settings.polygon.stabilisation,
        };
        let relaxes = self.relaxes();
        let mut effort = Effort::ended(SolveStatus::NonFinite);
        memory.z.clear();
        memory.z.resize(memory.matrix.q.len(), 0.0);
        let (mut least, mut gave) = (f64::INFINITY, None);
        for share in SHARES {
            if stabilisation == Stabilisation::None {
                (memory.matrix).soften(&memory.layout, &memory.reduced, share);
            } else {
                memory.matrix.stabilise(stabilisation);
            }
            let Ok(lcp) = Lcp::new(&memory.matrix.a, &memory.matrix.q) else {
                return effort;
            };
            let (start, soft) = match share {
                0.0 => (Start::Cold, &[][..]),
                _ => (
                    Start::Basis(&memory.start[..lcp.dim()]),
                    &memory.matrix.soft[..],
                ),
            };
            let (z, solvers) = (&mut memory.z, &mut memory.solvers);
            let limits = solvers.limits(self.context.settings, lcp.dim());
            let outcome = (solvers.lemke).solve_softened(lcp, soft, &limits, start, z);
            work::count(&mut solvers.meter, &outcome, lcp.dim());
            memory.start[..lcp.dim()].copy_from_slice(solvers.lemke.basis());
            effort.pivots += outcome.pivots;
            effort.iterations += outcome.iterations;
            // As the residual check has it, relative to the island's speed.
            let left = outcome.residual * (1.0 + max_abs(lcp.q())) / memory.reduced.speed();
            if left < least {
                least = left;
                effort.status = outcome.status;
                std::mem::swap(&mut memory.z, &mut memory.best);
                memory.basis.copy_from_slice(&memory.start);
            }
            if left <= SETTLED || stabilisation != Stabilisation::None {
                break;
            }
            if relaxes && memory.contradicts(share, &mut gave) {
                effort.status = SolveStatus::Relaxed;
                break;
            }
        }
        std::mem::swap(&mut memory.z, &mut memory.best);
        effort
    }

    /// What acceleration level asks for besides: whether the answer is the only one, and friction on the cone.
    fn refine(&self, attempt: Attempt, effort: &mut Effort, memory: &mut Memory) {
        if self.context.name != ModelName::CoulombAcceleration {
            return;
        }
        let settings = self.context.settings;
        let k = memory.reduced.rows().len();
        let solved = effort.status == SolveStatus::Solved;
        // Failures before Lemke's method has started cold prove nothing.
        let last_word = attempt.route != Route::Warm && attempt.solver == SolverName::Lemke;
        if let Ok(lcp) = Lcp::new(&memory.matrix.a, &memory.matrix.q)
            && (solved || last_word)
        {
            let (layout, reduced) = (&memory.layout, &memory.reduced);
            let most = settings.acceleration.enumerate_up_to;
            let (several, z) = (&mut memory.several, &mut memory.z);
            let found = several.count(LaidOut { layout, reduced }, lcp, most, solved, z);
            effort.status = found.unwrap_or(effort.status);
            let (given, out) = (&memory.given, &mut memory.impulses);
            impulses(layout, &memory.z, given, k, out);
        }
        let is_round = settings.acceleration.rolling == RollingFriction::Cone;
        if is_round && effort.status.is_usable() && memory.layout.units.iter().any(Unit::is_polygon)
        {
            let (layout, reduced) = (&memory.layout, &memory.reduced);
            effort.iterations += memory.newton.solve(layout, reduced, &mut memory.impulses);
        }
    }
}

impl Memory {
    /// Turns the impulses of a compression into what is given in the expansion: they act on, bouncing
    /// unilateral rows press e times as much again, and bounded rows are decided again. False if nothing bounces.
    fn expand(&mut self) -> bool {
        self.given.impulses.clone_from(&self.impulses);
        self.given.floors.clear();
        for variable in &self.layout.variables {
            let mut again = 0.0;
            if variable.is_unilateral() {
                let i = variable.place();
                again = variable.bounce * self.impulses[i];
                self.given.impulses[i] += again;
            }
            self.given.floors.push(again);
        }
        for unit in &self.layout.units {
            if let Bound::Constant(_) = unit.bound {
                self.given.impulses[unit.places[0] as usize] = 0.0;
            }
        }
        self.given.floors.iter().any(|&floor| floor > 0.0)
    }
}

/// Copies the impulses of an island, as they stand in a solution, to one of its lists by row.
fn take(
    place: IslandProblem<'_>,
    solution: &mut ContactSolution,
    list: fn(&mut ContactSolution) -> &mut Vec<f64>,
) {
    list(solution).resize(place.problem.row_count(), 0.0);
    for row in place.rows() {
        let z = *solution.impulse_mut(place.problem, row);
        list(solution)[row.0] = z;
    }
}

/// The closed contacts of an island whose tangential rows the model holds.
fn held<'a>(context: Context<'a>, island: Island<'a>) -> impl Iterator<Item = usize> + 'a {
    let contacts = context.problem.contacts();
    (island.contacts()).filter(move |&c| {
        context.name == ModelName::NoSlip && context.settings.is_closed(&contacts[c])
    })
}
