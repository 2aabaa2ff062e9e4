//! Solving one island: Lemke's method on its problem, and the question whether its answer is the only
//! one, or whether there is none.

use super::super::driver::{Attempt, Context, Effort, IslandSolver};
use super::super::polygon::Size;
use super::super::reduced::Reduced;
use super::super::settle::Settle;
use super::cone::Newton;
use super::layout::{Layout, Role, Unit};
use super::recall;
use super::several::{Count, Several};
use crate::lcp::dense::{InteriorPoint, Lcp, Lemke, Limits, Outcome, Start};
use crate::lcp::{self, Meter};
use crate::models::{ContactSolution, ModelName, RollingFriction, WarmStart};
use crate::problem::Island;
use crate::report::{Route, SolveStatus, SolverName};

/// The attempts: the last route gives contradictory unilateral rows a little compliance.
const LEMKE: [Attempt; 4] = [
    Attempt::new(Route::Warm, SolverName::Lemke),
    Attempt::new(Route::Cold, SolverName::Lemke),
    Attempt::new(Route::Guaranteed, SolverName::Lemke),
    Attempt::new(Route::BestEffort, SolverName::Lemke),
];

const INTERIOR: [Attempt; 3] = [
    Attempt::new(Route::Cold, SolverName::InteriorPoint),
    LEMKE[2],
    LEMKE[3],
];

/// Compliances of the unilateral rows with which a solve begins, relative to their diagonals; see [`Settle`].
/// Accelerations are large, and what round-off leaves of them without compliance is round-off over it.
const SHARES: [f64; 3] = [1e-6, 1e-8, 1e-10];

/// Natural residual up to which an answer without compliance counts as one of the rigid problem.
const SETTLED: f64 = 1e-10;

/// Compliance of unilateral rows on the last route, a share of their diagonals: a unilateral row that contradicts others
/// then gives way until its force is as large as if it had met its own demand 1e8 times.
const SOFT: f64 = 1e-8;

/// Scattered runs of Lemke's method where sliding contacts led it to a ray.
const SCATTERED: u32 = 64;

/// Memory of one island's solve.
#[derive(Clone, Debug, Default)]
pub(in crate::models) struct Memory {
    reduced: Reduced,
    layout: Layout,
    lemke: Lemke,
    interior: InteriorPoint,
    several: Several,
    newton: Newton,
    settle: Settle,
    z: Vec<f64>,
    /// An answer without the compliance of the unilateral rows.
    rigid: Vec<f64>,
    x: Vec<f64>,
    basis: Vec<bool>,
    /// First group of every island that no attempt has solved.
    pub(super) unsolved: Vec<u32>,
    meter: Meter,
}

/// The solver of a stage's islands.
pub(in crate::models) struct Stage<'a> {
    context: Context<'a>,
    memory: &'a mut Memory,
    /// First group of the island laid out.
    current: Option<u32>,
}

impl<'a> Stage<'a> {
    pub(in crate::models) fn new(context: Context<'a>, memory: &'a mut Memory) -> Self {
        memory.unsolved.clear();
        Self {
            context,
            memory,
            current: None,
        }
    }

    fn limits(&self) -> Limits {
        let settings = self.context.settings;
        let limits = (settings.tolerance, settings.max_pivots);
        self.memory.meter.limits(limits, self.memory.layout.q.len())
    }

    fn lay_out(&mut self, island: Island<'_>) {
        let first = island.groups.first().copied();
        if self.current == first {
            return;
        }
        self.current = first;
        let Memory {
            reduced, layout, ..
        } = &mut *self.memory;
        let (problem, settings) = (self.context.problem, self.context.settings);
        reduced.begin(problem, island);
        reduced.eliminate_bilateral(problem, island);
        layout.lay_out(problem, island, settings, reduced);
        reduced.assemble(problem, island);
        layout.assemble(reduced);
    }

    /// Lemke's method with compliant unilateral rows, the compliance then taken back: loads that rigid unilateral rows
    /// share in many ways are spread. None if no answer of the rigid problem comes of it, and the
    /// pivots and iterations that took.
    fn spread(&mut self, start: Route, spent: &mut (usize, usize)) -> Option<Outcome> {
        let mut limits = self.limits();
        // A run that solves takes a few pivots per variable; more than six are a wrong turn.
        limits.max_pivots = (limits.max_pivots).min(6 * self.memory.layout.q.len() + 50);
        let Memory {
            layout,
            reduced,
            lemke,
            settle,
            z,
            rigid,
            basis,
            meter,
            ..
        } = &mut *self.memory;
        if start != Route::Warm {
            basis.clear();
        }
        for share in SHARES {
            layout.soften(reduced, share);
            let lcp = Lcp::new(&layout.a, &layout.q);
            let outcome = lcp.map(|lcp| lemke.solve(lcp, &limits, Start::Basis(basis), z));
            layout.harden();
            let outcome = outcome.ok()?;
            meter.count(&outcome, layout.q.len());
            spent.0 += outcome.pivots;
            spent.1 += outcome.iterations;
            if outcome.status != SolveStatus::Solved {
                return None;
            }
            basis.clear();
            basis.extend_from_slice(lemke.basis());
            let lcp = Lcp::new(&layout.a, &layout.q).ok()?;
            rigid.clear();
            rigid.resize(z.len(), 0.0);
            let soft = (&layout.soft[..], &basis[..]);
            spent.1 += settle.run(lcp, soft, rigid).unwrap_or(0);
            for z in rigid.iter_mut() {
                *z = z.max(0.0);
            }
            let residual = lcp.natural_residual(rigid);
            if residual <= SETTLED.max(lcp.round_off(rigid)) {
                std::mem::swap(z, rigid);
                return Some(Outcome {
                    status: SolveStatus::Solved,
                    pivots: spent.0,
                    iterations: spent.1,
                    residual,
                });
            }
        }
        None
    }

    /// The problem of the island as it stands in the layout.
    fn solve(&mut self, attempt: Attempt) -> Outcome {
        let mut spent = (0, 0);
        let pivoting = attempt.solver == SolverName::Lemke;
        if pivoting
            && matches!(attempt.route, Route::Warm | Route::Cold)
            && let Some(outcome) = self.spread(attempt.route, &mut spent)
        {
            return outcome;
        }
        let outcome = self.rigid(attempt);
        Outcome {
            pivots: outcome.pivots + spent.0,
            iterations: outcome.iterations + spent.1,
            ..outcome
        }
    }

    /// The problem of the island, unilateral rows as rigid as they are.
    fn rigid(&mut self, attempt: Attempt) -> Outcome {
        let limits = self.limits();
        let memory = &mut *self.memory;
        let Ok(lcp) = Lcp::new(&memory.layout.a, &memory.layout.q) else {
            return Outcome {
                status: SolveStatus::NonFinite,
                pivots: 0,
                iterations: 0,
                residual: f64::NAN,
            };
        };
        let (lemke, z) = (&mut memory.lemke, &mut memory.z);
        let n = lcp.dim();
        if attempt.solver == SolverName::InteriorPoint {
            if !memory.meter.allows(lcp::interior_point(n)) {
                return Outcome {
                    status: SolveStatus::IterationLimit,
                    pivots: 0,
                    iterations: 0,
                    residual: f64::NAN,
                };
            }
            memory.meter.spend(lcp::interior_point(n));
            return memory.interior.solve(lcp, &limits, Start::Cold, z);
        }
        let outcome = match attempt.route {
            Route::Warm => lemke.solve(lcp, &limits, Start::Basis(&memory.basis), z),
            Route::Cold | Route::BestEffort => lemke.solve(lcp, &limits, Start::Cold, z),
            Route::Guaranteed => {
                let outcome = lemke.solve_regularised(lcp, &limits, Start::Cold, z).0;
                let slides =
                    (memory.layout.variables.iter()).any(|v| v.role == Role::SlidingNormal);
                if outcome.status == SolveStatus::Solved || !slides {
                    outcome
                } else {
                    let limits = limits.after(outcome.pivots);
                    let other = lemke.solve_scattered(lcp, &limits, SCATTERED, z);
                    let solved = other.status == SolveStatus::Solved;
                    Outcome {
                        pivots: outcome.pivots + other.pivots,
                        iterations: outcome.iterations + other.iterations,
                        ..if solved { other } else { outcome }
                    }
                }
            }
        };
        memory.meter.count(&outcome, n);
        outcome
    }

    /// How many answers the island has, as far as that is decided; the only one, or one of them, is
    /// left in `z`.
    fn count(&mut self, outcome: &Outcome) -> Count {
        let limits = self.limits();
        let most = self.context.settings.acceleration.enumerate_up_to;
        let memory = &mut *self.memory;
        let solved = outcome.status == SolveStatus::Solved;
        memory.several.count(
            (&memory.layout, &memory.reduced),
            (&limits, most),
            solved,
            &mut memory.z,
        )
    }

    /// Writes the answer, the pyramid's or from there the cone's, with unilateral rows of compliance `soft`;
    /// returns the steps that took and whether rows that contradict others were declared unmet.
    fn write(
        &mut self,
        island: Island<'_>,
        soft: f64,
        solution: &mut ContactSolution,
    ) -> (usize, bool) {
        let Memory {
            reduced,
            layout,
            newton,
            z,
            x,
            ..
        } = &mut *self.memory;
        layout.forces(z, reduced.rows().len(), x);
        let round = self.context.name == ModelName::CoulombAcceleration
            && self.context.settings.acceleration.rolling == RollingFriction::Cone;
        let steps = if round && layout.units.iter().any(Unit::is_polygon) {
            newton.solve((layout, soft), reduced, x)
        } else {
            0
        };
        let problem = self.context.problem;
        let within = 1e-9 * reduced.speed();
        let mut unmet = reduced.finish(problem, island, (x, within), solution) > 0.0;
        if soft == 0.0 {
            return (steps, unmet);
        }
        // What the compliance of unilateral rows let through.
        for variable in &layout.variables {
            if variable.role.is_unilateral() {
                let place = variable.along.places[0] as usize;
                let row = reduced.rows()[place];
                let v = problem.row(row).dot(&solution.v_plus);
                if v + variable.offset + variable.softness * x[place] < -within {
                    solution.unmet[row.0] = true;
                    unmet = true;
                }
            }
        }
        (steps, unmet)
    }
}

impl IslandSolver for Stage<'_> {
    fn attempts(&self) -> &[Attempt] {
        match self.context.settings.solver_for(self.context.name) {
            SolverName::InteriorPoint => &INTERIOR,
            _ => &LEMKE,
        }
    }

    fn keeps_unverified(&self) -> bool {
        false
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        island: Island<'_>,
        warm: &mut WarmStart,
        solution: &mut ContactSolution,
    ) -> Option<Effort> {
        self.lay_out(island);
        let first = island.groups.first().copied()?;
        if attempt.route == Route::Warm {
            let Memory { layout, basis, .. } = &mut *self.memory;
            if !recall::recall(layout, self.context.problem, warm, basis) {
                return None;
            }
        }
        let soft = attempt.route == Route::BestEffort;
        if soft {
            let Memory {
                layout, reduced, ..
            } = &mut *self.memory;
            layout.soften(reduced, SOFT);
        }
        let outcome = self.solve(attempt);
        if soft {
            // The answer is checked without the compliance.
            self.memory.layout.harden();
        }
        let mut effort = Effort {
            status: outcome.status,
            pivots: outcome.pivots,
            iterations: outcome.iterations,
        };
        // Failures before Lemke's method has started cold prove nothing.
        let last_word = attempt.route != Route::Warm && attempt.solver == SolverName::Lemke;
        if !soft && (outcome.status == SolveStatus::Solved || last_word) {
            match self.count(&outcome) {
                Count::None => effort.status = SolveStatus::NoSolution,
                Count::Several => effort.status = SolveStatus::SeveralSolutions,
                Count::One => effort.status = SolveStatus::Solved,
                Count::Unknown => {}
            }
        }
        self.memory.unsolved.retain(|&group| group != first);
        if effort.status.is_usable() {
            let (steps, unmet) = self.write(island, if soft { SOFT } else { 0.0 }, solution);
            effort.iterations += steps;
            if unmet {
                effort.status = SolveStatus::Relaxed;
            }
        } else {
            self.memory.unsolved.push(first);
        }
        Some(effort)
    }

    fn record(&mut self, _: Island<'_>, _: &ContactSolution, warm: &mut WarmStart) {
        let contacts = self.context.problem.contact_count();
        recall::record(
            &self.memory.layout,
            self.memory.lemke.basis(),
            (contacts, warm),
        );
    }

    fn starts_from_impulses(&self) -> bool {
        false
    }

    fn memory(&mut self, island: Island<'_>) -> usize {
        let size = Size::of(self.context.problem, island, self.context.settings);
        size.bytes(size.variables)
    }

    fn meter(&mut self) -> Option<&mut Meter> {
        Some(&mut self.memory.meter)
    }
}
