//! The models whose matrix is symmetric positive semidefinite: strictly convex programs in v+. They
//! differ only in which tangential rows they hold, and how stiffly: viscous friction is a tangential
//! row with a compliance, or part of the mass (see `viscous`).
//!
//! One solve goes island by island: assembling the rows, the attempts of the solvers, reading off the
//! answer.

mod answer;
mod attempts;
pub(super) mod dense;
mod engine;

use super::fallback::Deadline;
use super::share::{self, Tally, Turns};
use super::viscous::{self, Damping};
use super::{ContactModel, ContactSolution, ModelName, ModelSettings, WarmStart, Workspace};
use crate::engine::Engine;
use crate::lcp::{self, LcpRow, Limits, RowKind, RowState, System};
use crate::problem::{ContactProblem, Island, RowId, ScalarKind};
use crate::report::{Route, SolveReport, SolveStatus, SolverName};
use crate::residual::{self, Rules};
use crate::rows::White;

/// Memory of the rows, the factor and the plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    system: lcp::Memory,
    /// State each row of the island starts from.
    plan: Vec<u32>,
    /// Scalars left out of the island's rows because they did not act last time.
    idle: Vec<u32>,
    /// Contacts that the engine holds in the releasing form (n).
    held: Vec<bool>,
    /// The engine's answer where the coordinates solved in are not those of the source.
    apart: ContactSolution,
}

/// `frictionless`, `no-slip`, `no-slip-releasing`, `viscous`.
#[derive(Clone, Debug)]
pub(super) struct Projected {
    name: ModelName,
    settings: ModelSettings,
}

impl Projected {
    pub(super) fn new(name: ModelName, settings: ModelSettings) -> Self {
        Self { name, settings }
    }
}

impl ContactModel for Projected {
    fn name(&self) -> ModelName {
        self.name
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
        if dense::is_dense(self.settings.solver_for(self.name)) {
            let model = (self.name, &self.settings);
            let mut report = dense::solve(problem, model, warm, workspace, solution);
            report.spins_left_out = super::spins_left_out(problem, self.name);
            return report;
        }
        let mut damping = std::mem::take(&mut workspace.damping);
        let damped = self.name == ModelName::Viscous && damping.prepare(problem, &self.settings);
        let run = Run {
            problem: if damped { damping.problem() } else { problem },
            source: problem,
            damping: damped.then_some(&damping),
            name: self.name,
            settings: &self.settings,
            deadline: Deadline::after(self.settings.budget.milliseconds),
        };
        let mut report = run.solve(warm, workspace, solution);
        if damped {
            damping.restore(&mut solution.v_plus);
            solution.exact_cone.resize(problem.block_count(), false);
        }
        workspace.damping = damping;
        report.hold_back((workspace.bound).hold(problem, &self.settings, solution));
        self.check(problem, &mut workspace.scratch, solution, &mut report);
        report.spins_left_out = super::spins_left_out(problem, self.name);
        report
    }
}

impl Projected {
    fn check(
        &self,
        problem: &ContactProblem,
        scratch: &mut residual::Scratch,
        solution: &mut ContactSolution,
        report: &mut SolveReport,
    ) {
        let rules = Rules {
            model: self.name,
            release_failed: report.release_failed,
            settings: &self.settings,
        };
        report.residuals = residual::residuals(problem, rules, solution, scratch);
        let chosen = self.settings.solver_for(self.name);
        // What was shortened does not reach what was asked for.
        let shortened = report.held_back > 0;
        let accepted = match report.status {
            SolveStatus::SolvedInMotion => self.settings.tolerances().motion,
            _ => self.settings.acceptance(self.name, chosen),
        };
        // Negated so that a NaN is refused.
        let verified = shortened || report.residuals.max() <= accepted;
        if !verified && report.status < SolveStatus::Inaccurate {
            report.status = SolveStatus::Inaccurate;
            report.unverified = report.islands;
        }
    }
}

/// Recorded states of a contact: which of its rows were active, and whether it held tangentially.
const NORMAL: u32 = 1;
const TANGENT_S: u32 = 2;
const TANGENT_T: u32 = 4;
const HELD: u32 = 8;
/// Recorded states of a scalar row, and the plan for a row.
const ACTIVE: u32 = 1;
const LOW: u32 = 2;
const HIGH: u32 = 3;
/// Plan: leave the row out of the problem.
const OFF: u32 = 4;

struct Run<'a> {
    /// What is solved.
    problem: &'a ContactProblem,
    /// What was given: the same, but for islands whose friction is part of their mass.
    source: &'a ContactProblem,
    damping: Option<&'a Damping>,
    name: ModelName,
    settings: &'a ModelSettings,
    deadline: Deadline,
}

/// How one island ended.
#[derive(Clone, Copy)]
struct Outcome {
    status: SolveStatus,
    solver: SolverName,
    /// The route that gave the answer.
    route: Route,
    /// Attempts that failed before.
    failed: usize,
}

impl Outcome {
    /// Of an island that no route has tried.
    fn nothing() -> Self {
        Self {
            status: SolveStatus::PivotLimit,
            solver: SolverName::Engine,
            route: Route::Warm,
            failed: 0,
        }
    }
}

/// Contacts and rows from which on an island goes to the engine: pivoting takes the cube of what is active.
pub(super) const LARGE: usize = 300;

/// Coordinates up to which it does not, whatever touches: no more rows than that are active, 10,000 contacts on one body
/// take six.
pub(super) const FEW: usize = 120;

impl Run<'_> {
    fn solve(
        &self,
        warm: &mut WarmStart,
        workspace: &mut Workspace,
        solution: &mut ContactSolution,
    ) -> SolveReport {
        let work = |turns: &mut Turns<'_>,
                    warm: &mut WarmStart,
                    workspace: &mut Workspace,
                    solution: &mut ContactSolution| {
            let memory = (&mut workspace.projected, &mut workspace.engine);
            self.islands(turns, warm, memory, solution)
        };
        let tally = share::islands(self.problem, warm, workspace, solution, work);
        if tally.keeps_impulses {
            warm.record_impulses(self.problem, solution);
            warm.record_wrenches(self.problem, solution);
        }
        warm.commit();
        tally.report(self.problem, self.settings.solver_for(self.name))
    }

    fn coordinates(&self, island: Island<'_>) -> usize {
        let blocks = island.blocks.iter();
        let ranges = blocks.map(|&b| self.problem.block(b as usize).range());
        ranges.map(|range| range.len()).sum()
    }

    /// Solves islands as long as there are turns.
    fn islands(
        &self,
        turns: &mut Turns<'_>,
        warm: &mut WarmStart,
        (memory, engine): (&mut Memory, &mut Engine),
        solution: &mut ContactSolution,
    ) -> Tally {
        let mut tally = Tally::default();
        while let Some(number) = turns() {
            // Both problems number their islands by the first block.
            let twins = (self.problem.island(number), self.source.island(number));
            let report = &mut tally.report;
            let is_large = twins.0.groups.len() > LARGE && self.coordinates(twins.0) > FEW;
            let mut outcome = match is_large || self.deadline.is_over() {
                true => Outcome::nothing(),
                false => self.island(twins.0, warm, memory, solution, report),
            };
            if !outcome.status.is_usable() {
                tally.keeps_impulses = true;
                let tools = (&mut *memory, &mut *engine);
                let failed = outcome.failed;
                outcome = self.by_engine(twins.1, (warm, tools), (failed, solution), report);
            }
            report.failures += usize::from(!outcome.status.is_usable());
            report.status = report.status.max(outcome.status);
            report.fallbacks += usize::from(outcome.failed > 0);
            if outcome.status.is_usable() {
                report.routes.add(outcome.route);
            }
            let is_other = outcome.solver != self.settings.solver_for(self.name);
            let help = outcome.failed.max(usize::from(is_other));
            tally.help(number, help, outcome.solver);
        }
        tally
    }

    fn island(
        &self,
        island: Island<'_>,
        warm: &mut WarmStart,
        memory: &mut Memory,
        solution: &mut ContactSolution,
        report: &mut SolveReport,
    ) -> Outcome {
        let limits = Limits {
            tolerance: self.settings.tolerance,
            max_pivots: self.settings.max_pivots,
            work: self.settings.budget.work,
        };
        let damping = self.damping.filter(|d| d.holds(island));
        let mut system = System::new(
            self.problem,
            island,
            &mut memory.system,
            &mut solution.v_plus,
            limits,
        );
        memory.plan.clear();
        memory.idle.clear();
        for &g in island.groups {
            if self.is_idle(g as usize, warm) {
                memory.idle.push(g);
            } else {
                self.push_group(g as usize, warm, &mut system, &mut memory.plan);
            }
        }
        system.yielding = self.name == ModelName::NoSlip;
        let mut outcome = self.attempts(&mut system, &memory.plan);
        if outcome.status.is_usable() {
            self.firm(&mut system, &mut outcome);
            let rest = (&mut memory.idle, &mut memory.plan);
            self.wake(&mut system, &mut outcome, warm, rest);
        }
        if self.name == ModelName::NoSlipReleasing && outcome.status.is_usable() {
            report.release_failed |= !self.release(&mut system, &mut outcome);
        }
        if let Some(damping) = damping
            && outcome.status.is_usable()
        {
            let friction = (&mut solution.f_s[..], &mut solution.f_t[..]);
            damping.friction(island, self.settings, system.v_plus, friction);
        }
        report.pivots += system.pivots;
        report.iterations += system.refinements;
        if outcome.status.is_usable() {
            self.count(&system, report);
            let within = system.met_within();
            let left = self.read_off(&memory.system.rows, within, warm, solution);
            if left > within {
                outcome.status = outcome.status.max(SolveStatus::Relaxed);
                report.relaxed = report.relaxed.max(left);
            } else if outcome.status == SolveStatus::Relaxed {
                // Nothing had to be relaxed once rows had yielded.
                outcome.status = SolveStatus::Solved;
            }
        } else {
            let v_free = damping.map_or(self.problem.v_free(), Damping::v_free);
            for &b in island.blocks {
                let range = self.problem.block(b as usize).range();
                solution.v_plus[range.clone()].copy_from_slice(&v_free[range]);
            }
        }
        outcome
    }

    /// Whether a row is a limit that did not act last time: most never do, so they only join the
    /// problem once the answer without them violates them. Not in the releasing form, whose rounds
    /// need all rows.
    #[inline]
    fn is_idle(&self, g: usize, warm: &mut WarmStart) -> bool {
        let Some(i) = g.checked_sub(self.problem.contact_count()) else {
            return false;
        };
        let (key, kind) = self.problem.scalars()[i];
        matches!(kind, ScalarKind::Unilateral { .. })
            && self.name != ModelName::NoSlipReleasing
            && warm.scalar(i, key).unwrap_or(0) == 0
    }

    /// Appends the rows of a contact or scalar, and the states they had last time.
    fn push_group(
        &self,
        g: usize,
        warm: &mut WarmStart,
        system: &mut System<'_>,
        plan: &mut Vec<u32>,
    ) {
        let p = self.problem;
        let n = p.contact_count();
        let mut push =
            |(row, free): (usize, f64), kind, target: f64, (limit, eps): (f64, f64), start: u32| {
                let q = free - target;
                system.memory.rows.push(LcpRow {
                    row: row as u32,
                    kind,
                    state: if start == OFF {
                        RowState::Off
                    } else {
                        RowState::Out
                    },
                    whitened: false,
                    position: 0,
                    target,
                    limit,
                    eps,
                    softness: eps,
                    q,
                    z: 0.0,
                    doubt: 0.0,
                    visits: 0,
                    w: q,
                    white: White::default(),
                });
                plan.push(start);
            };
        if let Some(contact) = p.contacts().get(g) {
            let [n_free, s_free, t_free] = p.contact_dots(g, p.v_free());
            let [normal, tangent_s, tangent_t] =
                [(3 * g, n_free), (3 * g + 1, s_free), (3 * g + 2, t_free)];
            let known = warm.contact(g, contact.key);
            let bits = known.unwrap_or(0);
            let start = |bit: u32| if bits & bit != 0 { ACTIVE } else { 0 };
            let closed = self.settings.is_closed(contact);
            let [c_s, c_t] = contact.surface_velocity;
            if self.name == ModelName::Viscous {
                let rate = viscous::rate(self.settings, p, g);
                let in_mass = self.damping.is_some_and(|d| d.has_friction(g));
                // A reciprocal that overflows is friction too weak for any effect.
                let eps = 1.0 / rate;
                if !in_mass && eps.is_finite() {
                    // Without bounds they always act.
                    let start = if known.is_some() { ACTIVE } else { 0 };
                    push(tangent_s, RowKind::Free, c_s, (0.0, eps), start);
                    push(tangent_t, RowKind::Free, c_t, (0.0, eps), start);
                }
            } else if closed && self.name != ModelName::Frictionless {
                let off = self.name == ModelName::NoSlipReleasing
                    && known.is_some_and(|bits| bits & HELD == 0);
                let [s, t] = [TANGENT_S, TANGENT_T].map(|b| if off { OFF } else { start(b) });
                push(tangent_s, RowKind::Free, c_s, (0.0, 0.0), s);
                push(tangent_t, RowKind::Free, c_t, (0.0, 0.0), t);
            }
            let approach = if closed && contact.restitution > 0.0 {
                p.row(RowId(3 * g)).dot(p.v())
            } else {
                0.0
            };
            let b = self.settings.contact_velocity(contact, approach, p.h());
            let soft = self.settings.softness(contact, p.h());
            push(normal, RowKind::Unilateral, -b, (0.0, soft), start(NORMAL));
            return;
        }
        let (key, kind) = p.scalars()[g - n];
        let start = warm.scalar(g - n, key).unwrap_or(0);
        let row = 3 * n + (g - n);
        let row = (row, p.row(RowId(row)).dot(p.v_free()));
        match kind {
            ScalarKind::Bilateral { velocity } => {
                push(row, RowKind::Free, velocity, (0.0, 0.0), start);
            }
            ScalarKind::Unilateral { gap } => {
                let b = self.settings.gap_velocity(gap, p.h());
                push(row, RowKind::Unilateral, -b, (0.0, 0.0), start);
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => push(row, RowKind::Bounded, velocity, (limit, compliance), start),
        }
    }
}
