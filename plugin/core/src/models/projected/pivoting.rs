//! Pivoting on the rows of an island: modified principal pivoting or the dual active set.

use super::super::SolveContext;
use super::super::attempt::{Attempt, Context, Effort, IslandSolver};
use super::super::viscous::Damping;
use super::super::{ContactSolution, ModelName, WarmStart, Workspace};
use crate::lcp::{self, LcpRow, Limits, RowKind, RowState, System};
use crate::problem::{ContactId, ContactProblem, GroupId, Island, ScalarKind};
use crate::report::{Route, SolveReport, SolveStatus, SolverName};
use crate::tolerances::PIVOTING;
use crate::warm::HELD;

/// Recorded states of a contact: which of its rows were active, beside [`HELD`].
pub(super) const NORMAL: u32 = 1;
pub(super) const TANGENT_S: u32 = 2;
pub(super) const TANGENT_T: u32 = 4;
/// Recorded states of a scalar row.
pub(super) const ACTIVE: u32 = 1;
pub(super) const LOW: u32 = 2;
pub(super) const HIGH: u32 = 3;

/// The chosen method from the warm start and cold; the active set, which can't cycle; and that with rows that
/// contradict each other relaxed, which is faster than the engine.
const PPM: [Attempt; 4] = [
    Attempt::new(Route::Warm, SolverName::Ppm),
    Attempt::new(Route::Cold, SolverName::Ppm),
    Attempt::new(Route::Guaranteed, SolverName::ActiveSet),
    Attempt::new(Route::BestEffort, SolverName::ActiveSet),
];
const ACTIVE_SET: [Attempt; 3] = [
    Attempt::new(Route::Warm, SolverName::ActiveSet),
    Attempt::new(Route::Cold, SolverName::ActiveSet),
    Attempt::new(Route::BestEffort, SolverName::ActiveSet),
];

/// One solve.
#[derive(Clone)]
pub(super) struct Pivoting<'a> {
    pub(super) context: Context<'a>,
    /// What is solved: the problem given, but for islands whose friction is part of their mass.
    pub(super) problem: &'a ContactProblem,
    pub(super) damping: Option<&'a Damping>,
    /// Whether all closed contacts hold, since yielding or releasing came to no end (`penetrating_scenes_never_fail`).
    pub(super) holds_all: bool,
    /// Whether contacts hold that do not press: without, they would come and go for ever.
    pub(super) keeps_some: bool,
}

impl<'a> Pivoting<'a> {
    pub(super) fn new(context: Context<'a>, damping: Option<&'a Damping>) -> Self {
        Self {
            context,
            problem: damping.map_or(context.problem, Damping::problem),
            damping,
            holds_all: false,
            keeps_some: false,
        }
    }
}

impl IslandSolver for Pivoting<'_> {
    fn attempts(&self) -> &[Attempt] {
        match self.context.settings.solver_for(self.context.name) {
            SolverName::Ppm => &PPM,
            _ => &ACTIVE_SET,
        }
    }

    fn begin(&mut self, _: &mut Workspace) {
        (self.holds_all, self.keeps_some) = (false, false);
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        solving: &mut SolveContext<'_>,
    ) -> Option<Effort> {
        if attempt.route == Route::Warm && solving.warm.is_empty() {
            return None;
        }
        let (warm, own, solution) = solving.parts();
        let settings = self.context.settings;
        let limits = Limits {
            tolerance: settings.tolerance,
            max_pivots: settings.max_pivots,
        };
        let place = self.problem.place(island);
        let v_plus = &mut solution.v_plus[..];
        let mut system = System::new(place, &mut own.projected, v_plus, limits, own.meter);
        self.lay_out(&mut system, warm);
        system.yielding = self.context.name == ModelName::NoSlip && !self.holds_all;
        let is_known = |row: &LcpRow| !matches!(row.start, RowState::Out | RowState::Off);
        let knows = system.memory.rows.iter().any(is_known);
        let tries = attempt.route != Route::Warm || knows;
        let status = tries.then(|| self.run(attempt, &mut system));
        if let Some(damping) = self.damping.filter(|d| d.holds(island))
            && status.is_some_and(SolveStatus::is_usable)
        {
            let (f_s, f_t) = (&mut solution.f_s, &mut solution.f_t);
            damping.friction(island, settings, system.v_plus, f_s, f_t);
        }
        let mut effort = status.map(|status| Effort {
            status,
            pivots: system.pivots,
            iterations: system.refinements,
        });
        let within = system.met_within();
        own.meter = system.meter;
        if let Some(effort) = effort.as_mut().filter(|effort| effort.status.is_usable()) {
            let left = self.read_off(&own.projected, within, solution);
            // Nothing had to be relaxed where rows have yielded.
            effort.status = match left > within {
                true => SolveStatus::Relaxed,
                false => SolveStatus::Solved,
            };
        }
        effort
    }

    fn record(&self, own: &mut Workspace, warm: &mut WarmStart, report: &mut SolveReport) {
        let contact_rows = 3 * self.problem.contact_count();
        let rows = &own.projected.rows;
        for row in rows {
            let (id, is_active) = (row.row as usize, row.state == RowState::Active);
            if id >= contact_rows {
                let state = match row.state {
                    RowState::Active => ACTIVE,
                    RowState::AtLow => LOW,
                    RowState::AtHigh => HIGH,
                    _ => 0,
                };
                warm.record_scalar(id - contact_rows, state);
                continue;
            }
            let active = if is_active { bit(id) } else { 0 };
            warm.record_contact(id / 3, active);
        }
        for row in rows.iter().filter(|row| row.kind == RowKind::Free) {
            let tangent = (row.row as usize) < contact_rows;
            let kept = row.state == RowState::Active;
            report.tangent_rows += usize::from(tangent);
            report.tangent_rows_kept += usize::from(tangent && kept);
            report.rank += usize::from(kept);
            report.yielded += usize::from(row.state == RowState::Yielded && row.row % 3 == 1);
        }
    }

    fn release_failed(&self) -> bool {
        self.keeps_some || self.holds_all && self.context.name == ModelName::NoSlipReleasing
    }

    fn starts_from_impulses(&self) -> bool {
        false
    }

    fn accepts_last(&self) -> bool {
        self.context.name != ModelName::Viscous
    }

    fn record_accepted(&self, island: Island<'_>, warm: &mut WarmStart, report: &mut SolveReport) {
        let (p, settings, name) = (self.problem, self.context.settings, self.context.name);
        warm.carry_over(island.groups);
        if self.leaves_to_engine(island) {
            return;
        }
        for &g in island.groups {
            let scalar = match g {
                GroupId::Scalar(s) => s.0,
                GroupId::Contact(ContactId(c)) => {
                    let contact = &p.contacts()[c];
                    if name == ModelName::Frictionless || !settings.is_closed(contact) {
                        continue;
                    }
                    let state = warm.contact(c, contact.key).unwrap_or(0);
                    let kept = (state & (TANGENT_S | TANGENT_T)).count_ones() as usize;
                    report.tangent_rows += 2;
                    report.tangent_rows_kept += kept;
                    report.rank += kept;
                    let has_yielded = name == ModelName::NoSlip && state & HELD == 0;
                    report.yielded += usize::from(has_yielded);
                    continue;
                }
            };
            let (key, kind) = p.scalars()[scalar];
            let is_kept = warm.scalar(scalar, key) == Some(ACTIVE);
            report.rank += usize::from(is_kept && matches!(kind, ScalarKind::Bilateral { .. }));
        }
    }

    fn leaves_to_engine(&self, island: Island<'_>) -> bool {
        let coordinates = || {
            let blocks = self.context.problem.place(island).blocks();
            blocks.map(|block| block.dim()).sum::<usize>()
        };
        island.groups.len() > PIVOTING && coordinates() > PIVOTING
    }
}

/// The recorded state of an active row of a contact.
fn bit(row: usize) -> u32 {
    [NORMAL, TANGENT_S, TANGENT_T][row % 3]
}

impl Pivoting<'_> {
    /// One attempt on the rows laid out.
    fn run(&mut self, attempt: Attempt, system: &mut System<'_>) -> SolveStatus {
        match attempt.route {
            Route::Warm => self.start_from_last(system),
            Route::BestEffort => {
                system.relax();
                system.select();
            }
            _ => system.select(),
        }
        let status = system.run(attempt.solver);
        if status != SolveStatus::Solved {
            return status;
        }
        self.complete(attempt, system)
    }

    /// Copies impulses out; returns the largest shortfall of a row, and marks those that fall short by more than
    /// `within`.
    fn read_off(&self, memory: &lcp::Memory, within: f64, solution: &mut ContactSolution) -> f64 {
        let contact_rows = 3 * self.problem.contact_count();
        let mut worst = 0.0_f64;
        for row in &memory.rows {
            let left = System::shortfall(row);
            if left > within {
                worst = worst.max(left);
                solution.unmet[row.row as usize] = true;
            }
            let (low, high) = row.bounds();
            let z = row.z.clamp(low, high);
            let id = row.row as usize;
            if id >= contact_rows {
                solution.f_scalar[id - contact_rows] = z;
                continue;
            }
            let list = match id % 3 {
                0 => &mut solution.f_n,
                1 => &mut solution.f_s,
                _ => &mut solution.f_t,
            };
            list[id / 3] = z;
            let gone = matches!(row.state, RowState::Off | RowState::Yielded);
            solution.held[id / 3] |=
                !id.is_multiple_of(3) && !gone && self.context.name != ModelName::Viscous;
        }
        worst
    }
}
