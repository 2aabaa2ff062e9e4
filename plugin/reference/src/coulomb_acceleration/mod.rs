//! `coulomb-acceleration`: Coulomb friction at acceleration level [D15, sec. III-B; T95].
//!
//! A step of length h goes
//! 1. **impact**: where a closed contact approaches faster than
//!    [`AccelerationSettings::touching_speed`](stickslip_core::models::AccelerationSettings::touching_speed), the
//!    velocity of its island jumps from v to v' by an impact with Coulomb friction (the polygon or the
//!    cone, opposing the slip after it) and Newton's restitution, inelastic without any;
//! 2. **accelerations**: with forces F over the step
//!    ```text
//!    M a = f_tot + J^T F_j + N^T F_n + S^T F_s + T^T F_t,     a_free = (v_free - v) / h
//!    0 <= F_n  complementary to  N a + Ndot v + (N v' + drift + gap velocity) / h >= 0
//!    ```
//!    at closed contacts; open ones are left alone until they have closed. Contacts that *slide*
//!    (slip u above the threshold) have `(F_s, F_t) = -mu F_n u / |u|`, which makes the matrix
//!    unsymmetric. The others *roll or stick*: friction within the polygon or cone that opposes the
//!    tangential acceleration `S a + Sdot v + u / h`;
//! 3. **integration**: `v+ = v' + h a`, semi-implicit Euler; impulses are those of the impact plus
//!    `h F`.
//!
//! Contacts that slide so slowly that friction turns their slip within the step, and those that break
//! away in it, get the friction that opposes their slip at the end of the step ([`slow`]).
//!
//! Stabilisation: the terms in 1/h remove what is left of the normal velocity within the step, the
//! share K of a penetration per step, and the slip of contacts that stick. For a contact at rest
//! without penetration they are zero and the law is the one of the papers. Joint limits, drives and bilateral rows demand what they
//! demand at velocity level, of `v' + h a`; compliant contacts have no impact. Torsional and rolling
//! friction are not part of the model.
//!
//! There may be no solution or several (Painleve's rod). An island with few sliding contacts
//! ([`AccelerationSettings::enumerate_up_to`](stickslip_core::models::AccelerationSettings::enumerate_up_to)) is
//! searched for other solutions: `SeveralSolutions` says that another one moves the bodies differently
//! than the one applied, `NoSolution` that there is proof that none exists; `RayTermination` that
//! Lemke's method found none and there is no proof. Bodies that turn about each other so fast that a step of this length
//! gain energy are `Unstable`. Without solution the island moves by the
//! exact cone at velocity level, where an impulse without a collision passes through, unless [`OnNoSolution`] says
//! otherwise: never silently, the status stays.

mod slow;
mod stage;

use crate::impact::{add, for_stages};
use crate::polygon::Run;
use slow::{BreakingAway, Slow, StepStart};
use stickslip_core::kit::{Answer, Context, Derived, Memory as _, SolveContext, drive, replace};
use stickslip_core::models::{
    ContactSolution, ModelName, ModelSettings, OnNoSolution, RollingFriction, WarmStart, Workspace,
};
use stickslip_core::problem::{ContactProblem, Island};
use stickslip_core::report::{SolveReport, SolveStatus};

/// Memory of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    impact: ContactProblem,
    /// Contacts of the impact (n).
    taken: Vec<bool>,
    stage: ContactProblem,
    /// Impulses and velocity of the impact.
    jump: ContactSolution,
    /// Forces and accelerations.
    answer: ContactSolution,
    /// Velocity after the impact.
    v: Vec<f64>,
    /// Impacts and stages on the cone are solved cold: what carries over from step to step is the caller's warm start
    /// alone.
    cold: WarmStart,
    slow: Slow,
}

/// A step of `coulomb-acceleration`.
struct Step<'a> {
    context: Context<'a>,
    problem: &'a ContactProblem,
    settings: &'a ModelSettings,
    /// The same for the problem of the accelerations.
    stage_settings: ModelSettings,
    /// The same on the cone.
    cone_settings: ModelSettings,
}

impl<'a> Step<'a> {
    fn new(context: Context<'a>) -> Self {
        let stage_settings = for_stages(context.settings);
        let mut cone_settings = stage_settings.clone();
        cone_settings.acceleration.rolling = RollingFriction::Cone;
        Self {
            context,
            problem: context.problem,
            settings: context.settings,
            stage_settings,
            cone_settings,
        }
    }

    /// Solves one of the problems of the step.
    fn solve(
        &self,
        problem: &ContactProblem,
        settings: &ModelSettings,
        warm: &mut WarmStart,
        own: &mut Workspace,
        solution: &mut ContactSolution,
    ) -> SolveReport {
        let context = (self.context)
            .part(problem, ModelName::CoulombAcceleration, settings)
            .of_stage();
        let mut solving = SolveContext::new(warm, own, solution);
        drive(context, Run::new(context), &mut solving)
    }

    /// The impact; leaves the velocity after it in `memory.v` and its impulses in `memory.jump`.
    fn impact(&self, memory: &mut Memory, workspace: &mut Workspace) -> SolveReport {
        let problem = self.problem;
        let Memory {
            impact,
            taken,
            jump,
            v,
            cold,
            ..
        } = memory;
        jump.reset(problem);
        v.clear();
        if !crate::impact::impact(problem, self.settings, impact, taken) {
            v.extend_from_slice(problem.v());
            return SolveReport::default();
        }
        // Friction is that of rolling contacts: it opposes the slip after the impact.
        for contact in impact.contacts_mut() {
            contact.sliding_friction = None;
            (contact.mu_torsional, contact.mu_rolling) = (0.0, 0.0);
        }
        cold.clear();
        let report = self.solve(impact, self.settings, cold, workspace, jump);
        v.extend_from_slice(&jump.v_plus);
        report
    }

    /// The accelerations, into `memory.answer`. At most four rounds: each of the three that follow the first
    /// comes once.
    fn stage(
        &self,
        warm: &mut WarmStart,
        memory: &mut Memory,
        workspace: &mut Workspace,
    ) -> SolveReport {
        let problem = self.problem;
        stage::accelerations(problem, self.settings, &memory.v, &mut memory.stage);
        let speed = self.settings.acceleration.sliding_speed;
        let passes = self.settings.acceleration.on_no_solution == OnNoSolution::VelocityLevel;
        let (mut pivots, mut iterations) = (0, 0);
        let (mut slowed, mut passed) = (false, 0);
        loop {
            let Memory { stage, answer, .. } = memory;
            let mut report = self.solve(stage, &self.stage_settings, warm, workspace, answer);
            pivots += report.pivots;
            iterations += report.iterations;
            if !std::mem::replace(&mut slowed, true)
                && let Some(work) = self.slow_down(memory, workspace)
            {
                pivots += work.pivots;
                iterations += work.iterations;
                continue;
            }
            let Memory {
                stage,
                answer,
                v,
                slow,
                ..
            } = memory;
            let start = StepStart { problem, v, speed };
            if slow.stop(start, &answer.v_plus, stage) {
                continue;
            }
            if passes && passed == 0 {
                // An island without solution is taken at velocity level, all of its contacts as rolling ones.
                let open = problem.islands().filter(|&i| answer.is_exact_cone(i));
                let changed = open.filter(|&i| stage::take_as_rolling(problem, i, v, stage) > 0);
                passed = changed.count();
                if passed > 0 {
                    continue;
                }
            }
            if passed > 0 {
                report.fallbacks += passed;
                report.unverified += passed;
                report.status = report.status.max(SolveStatus::Inaccurate);
            }
            report.pivots = pivots;
            report.iterations = iterations;
            return report;
        }
    }

    /// Gives contacts that slide slowly the friction of their slip at the end of the step; none if there
    /// are no such contacts, else the work done.
    fn slow_down(&self, memory: &mut Memory, workspace: &mut Workspace) -> Option<SolveReport> {
        let round = self.settings.acceleration.rolling == RollingFriction::Cone;
        let breaking = if round {
            BreakingAway::Excluded
        } else {
            BreakingAway::Included
        };
        let Memory {
            stage,
            answer,
            v,
            cold,
            slow,
            ..
        } = memory;
        let start = StepStart {
            problem: self.problem,
            v,
            speed: self.settings.acceleration.sliding_speed,
        };
        if !slow.find(start, answer, stage, workspace.scratch(), breaking) {
            return None;
        }
        if round {
            return Some(SolveReport::default());
        }
        cold.clear();
        let report = self.solve(stage, &self.cone_settings, cold, workspace, answer);
        if report.status <= SolveStatus::SeveralSolutions {
            slow.direct(start, answer, stage);
        }
        Some(report)
    }
}

/// `coulomb-acceleration`.
pub(super) fn solve(context: Context<'_>, solving: &mut SolveContext<'_>) -> SolveReport {
    let (problem, settings) = (context.problem, context.settings);
    let mut memory = std::mem::take(&mut solving.own.beside::<crate::Memory>().coulomb);
    let step = Step::new(context);
    let impact = step.impact(&mut memory, solving.own);
    let mut report = step.stage(solving.warm, &mut memory, solving.own);
    let islands = report.islands;
    report.absorb(&impact);
    report.islands = islands;
    compose(problem, &memory, solving.solution);
    let fails = |island: Island<'_>, _: &ContactSolution| {
        let has_none = memory.jump.is_exact_cone(island) || memory.answer.is_exact_cone(island);
        has_none.then_some(SolveStatus::ExactCone)
    };
    replace(context, solving, &mut report, fails);
    solving.own.beside::<crate::Memory>().coulomb = memory;
    let solution = &mut *solving.solution;
    let slips = (&solution.v_plus[..], &mut solution.slip[..]);
    report.residuals.slip = stage::slips(problem, settings, slips.0, slips.1);
    report
}

/// Impulses and velocity of the step from those of the impact and the forces.
fn compose(problem: &ContactProblem, memory: &Memory, solution: &mut ContactSolution) {
    let h = problem.h();
    solution.reset(problem);
    add(1.0, &memory.jump, solution);
    add(h, &memory.answer, solution);
    let rates = memory.v.iter().zip(&memory.answer.v_plus);
    for (out, (v, a)) in solution.v_plus.iter_mut().zip(rates) {
        *out = v + h * a;
    }
}
