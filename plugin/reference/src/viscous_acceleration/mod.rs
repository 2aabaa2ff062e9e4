//! `viscous-acceleration`: viscous friction at acceleration level [D15, sec. IV].
//!
//! A step of length h goes
//! 1. **impact**, at velocity level: where a closed rigid contact approaches faster than
//!    [`AccelerationSettings::touching_speed`](stickslip_core::models::AccelerationSettings::touching_speed), the
//!    velocity of its island jumps from v to v' by an impact with implicit viscous friction (the model
//!    `viscous`), inelastic unless a contact has a coefficient of restitution. Friction acts once: the
//!    impact has taken the step's share `h mu_v slip` of it, so the accelerations of that island are
//!    without;
//! 2. **accelerations**, with forces F over the step:
//!    ```text
//!    f_tot = f - S^T mu_v (S v - c_s) - T^T mu_v (T v - c_t)
//!    M a = f_tot + J^T F_j + N^T F_n,   f = M (v_free - v_start) / h
//!    J a = (c_j - J v') / h
//!    0 <= F_n  complementary to  N a + Ndot v + (N v' + drift + gap velocity) / h >= 0
//!    ```
//!    at closed contacts; open ones are left alone until they have closed. This is the problem
//!    `LCP(N a_free + Ndot v, N P N^T)` of the paper, solved and checked as `frictionless` with
//!    accelerations for velocities and forces for impulses;
//! 3. **integration** of `dv/dt = a(v)` from v' over h: by the classical Runge-Kutta method (the
//!    paper's choice), or one step of semi-implicit Euler. Impulses are those of the impact plus h
//!    times the weighted forces of the stages, so the step's momentum balances.
//!
//! **Frozen geometry.** A step sees one set of rows: within it neither rows nor gaps nor `Ndot v` nor
//! the forces f move, only the velocities that friction answers to. RK4 is of fourth order in what
//! friction does to the velocities, and the positions, which the caller moves with v+, are of first.
//!
//! **Stability.** Explicit: friction alone (n contacts on a mass m) is stable for `h < 2 m / (n mu_v)`
//! by Euler and `h < 2.785 m / (n mu_v)` by RK4. Beyond that use the model `viscous`: an island whose
//! velocities grow for no other reason moves by the exact cone, and the status is `unstable`. The same where bodies that
//! roll or slide along each other turn so fast that a step of this length gains energy.
//!
//! **Stabilisation.** The term in 1/h removes within the step what is left of the normal velocity (less
//! than the touching speed when closing; a contact that separates faster has room to spare and does
//! not press) and the share K of a penetration; it is zero for a contact at rest without penetration,
//! and the law is then the paper's. Joint limits and drives demand at the end of the step what they
//! demand at velocity level. Compliant contacts have no impact: their force grows with their depth.

mod stable;
mod stage;

use crate::impact::{self, add, for_stages, impact};
use stage::Friction;
use stickslip_core::kit::{Context, Derived, Memory as _, SolveContext, replace, solve_by_name};
use stickslip_core::models::{ContactSolution, Integrator, ModelName, ModelSettings, WarmStart};
use stickslip_core::problem::{ContactProblem, Island};
use stickslip_core::report::{Residuals, SolveReport, SolveStatus};
use stickslip_core::residual;

/// Weights of the stages and where each stage stands in the step, as shares of h.
const RK4: [(f64, f64); 4] = [
    (1.0 / 6.0, 0.0),
    (1.0 / 3.0, 0.5),
    (1.0 / 3.0, 0.5),
    (1.0 / 6.0, 1.0),
];
const EULER: [(f64, f64); 1] = [(1.0, 0.0)];

/// Memory of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    impact: ContactProblem,
    stage: ContactProblem,
    /// Accelerations and forces of a stage; impulses of the impact before.
    answer: ContactSolution,
    /// Impacts are solved cold.
    cold: WarmStart,
    /// Velocity after the impact (m).
    v: Vec<f64>,
    /// Velocity of a stage (m).
    at: Vec<f64>,
    friction: Friction,
}

/// A step of `viscous-acceleration`.
struct Step<'a> {
    context: Context<'a>,
    /// For the problem of the accelerations.
    stage: &'a ModelSettings,
}

impl Step<'_> {
    /// The impact: its impulses and the velocity after it go into the solution.
    fn jump(&self, memory: &mut Memory, solving: &mut SolveContext<'_>) -> SolveReport {
        let problem = self.context.problem;
        let taken = &mut memory.friction.taken;
        if !impact(problem, self.context.settings, &mut memory.impact, taken) {
            solving.solution.v_plus.copy_from_slice(problem.v());
            return SolveReport::default();
        }
        memory.cold.clear();
        let (jump, cold) = (&mut memory.answer, &mut memory.cold);
        let context = Context::new(&memory.impact, ModelName::Viscous, self.context.settings);
        let mut part = SolveContext::new(cold, solving.own, jump);
        let report = solve_by_name(context, &mut part);
        add(1.0, jump, solving.solution);
        solving.solution.v_plus.copy_from_slice(&jump.v_plus);
        report
    }

    /// The stages: adds h times their weighted forces and accelerations to the solution.
    fn integrate(
        &self,
        memory: &mut Memory,
        solving: &mut SolveContext<'_>,
        report: &mut SolveReport,
    ) {
        let problem = self.context.problem;
        let h = problem.h();
        let Memory {
            stage,
            answer,
            v,
            at,
            friction,
            ..
        } = memory;
        v.clone_from(&solving.solution.v_plus);
        impact::accelerations(problem, self.context.settings, v, stage);
        let stages = match self.context.settings.acceleration.integrator {
            Integrator::Rk4 => &RK4[..],
            Integrator::SemiImplicitEuler => &EULER,
        };
        for (i, &(weight, share)) in stages.iter().enumerate() {
            at.clone_from(v);
            if i > 0 {
                for (at, a) in at.iter_mut().zip(&answer.v_plus) {
                    *at += share * h * a;
                }
            }
            let v_free = stage.velocities_mut().1;
            friction.free_acceleration(problem, self.context.settings, at, v_free);
            let context = Context::new(stage, ModelName::Frictionless, self.stage).of_stage();
            let mut part = SolveContext::new(solving.warm, solving.own, answer);
            absorb(report, solve_by_name(context, &mut part));
            let solution = &mut *solving.solution;
            add(h * weight, answer, solution);
            for (v, a) in solution.v_plus.iter_mut().zip(&answer.v_plus) {
                *v += h * weight * a;
            }
            friction.add_impulses(problem, h * weight, solution);
        }
    }
}

/// Adds what a part of the step reports: the worst status and residuals; work and failures are counted
/// part by part.
fn absorb(report: &mut SolveReport, part: SolveReport) {
    if part.fallbacks > 0 || report.islands == 0 {
        report.solver_used = part.solver_used;
    }
    let rank = report.rank.max(part.rank);
    report.absorb(&part);
    report.rank = rank;
    report.islands = part.islands;
}

/// `viscous-acceleration`.
pub(super) fn solve(context: Context<'_>, solving: &mut SolveContext<'_>) -> SolveReport {
    let (problem, settings) = (context.problem, context.settings);
    let stage = for_stages(settings);
    let step = Step {
        context,
        stage: &stage,
    };
    let chosen = settings.solver_for(context.name);
    let mut memory =
        std::mem::take(&mut solving.own.beside::<crate::Memory>().viscous_acceleration);
    solving.solution.reset(problem);
    let mut report = SolveReport {
        solver_used: chosen,
        ..SolveReport::default()
    };
    let impact = step.jump(&mut memory, solving);
    absorb(&mut report, impact);
    step.integrate(&mut memory, solving, &mut report);
    if !report.residuals.max().is_finite() {
        // Of stages that overflowed; what moves is another answer.
        report.residuals = Residuals::default();
    }
    let Memory {
        at: change,
        v,
        friction,
        ..
    } = &mut memory;
    change.clear();
    change.extend((solving.solution.v_plus.iter().zip(&*v)).map(|(end, start)| end - start));
    let taken = &friction.taken;
    // Those that have outrun their friction, or any number.
    let fails = |island: Island<'_>, solution: &ContactSolution| {
        let place = problem.place(island);
        let mut ranges = place.blocks().map(|block| block.range());
        let is_finite = ranges.all(|range| solution.v_plus[range].iter().all(|v| v.is_finite()));
        let is_lost = !is_finite || stable::outran(place, settings, change, taken);
        is_lost.then_some(SolveStatus::Unstable)
    };
    replace(context, solving, &mut report, fails);
    solving.own.beside::<crate::Memory>().viscous_acceleration = memory;
    report.contacts = problem.contact_count();
    report.islands = problem.island_count();
    // The parts have been checked; of the whole step the momentum, and the slip at its end.
    let rules = context.rules(false);
    let whole = residual::residuals(problem, rules, solving.solution, solving.own.scratch());
    report.residuals.slip = whole.slip;
    report.residuals.momentum = report.residuals.momentum.max(whole.momentum);
    let accepted = settings.acceptance(context.name, chosen);
    // Negated so that a NaN is refused.
    let balanced = whole.momentum <= accepted;
    if !balanced && report.status < SolveStatus::Inaccurate {
        report.status = SolveStatus::Inaccurate;
        report.unverified = report.islands;
        for own in &mut solving.solution.islands {
            own.status = own.status.max(SolveStatus::Inaccurate);
        }
    }
    report
}
