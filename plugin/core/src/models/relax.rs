//! Rows that contradict each other: rows that prescribe a motion (moving bodies and surfaces, dominant bodies, bounces) against
//! rows that prevent it. Such a problem has no solution, impulses grow without bound, and lever arms turn them into any speed.
//!
//! An island is solved again with compliant rows where its impulses show that it has no solution, where its answer adds energy,
//! or where bodies penetrate a fixed obstacle as far as the body that pushes them (least squares). Impulses of a solution do no
//! work along what is missed, `sum f (u - a) = 0`. Where rows contradict each other they work the more the longer an iteration
//! goes on (Farkas' lemma: `R^T f` near zero, `f . a` positive). An answer that an exhausted budget leaves, as in large heaps in
//! motion, misses little beside its energies: its bounces and pushes stay rigid. A row that prescribes a velocity `a` becomes
//! `u + d z = a` with `d = r M^-1 r^T`. Squeezed against a fixed obstacle it presses with `a / d`, the impulse that gives the
//! body the velocity prescribed, and no more. The report says how far such rows are missed (`relaxed`). An answer that
//! still adds energy is shortened ([`super::energy`]).

use super::SolveContext;
use super::asked::asks;
use super::attempt::{Fallback, IslandContext, Outcome};
use super::by_engine::mark;
use super::{ContactSolution, ModelName, ModelSettings};
use crate::engine::Engine;
use crate::problem::{
    ContactId, ContactProblem, GroupId, IslandProblem, RowId, ScalarId, ScalarKind,
};
use crate::report::{SolveReport, SolveStatus};
use crate::tolerances::ENERGY_SHARE;

/// Replaces an answer whose residual is too large, or that adds energy.
pub(super) fn handle_infeasible(
    here: IslandContext<'_>,
    solving: &mut SolveContext<'_>,
    outcome: &mut Outcome,
    report: &mut SolveReport,
) {
    let (context, place) = (here.context, here.place());
    let settings = context.settings;
    // Of accelerations and damping there is no kinetic energy.
    let has_energy = !matches!(
        context.name,
        ModelName::CoulombAcceleration | ModelName::QuasiStatic
    );
    let motion = Engine::in_motion(place, context.tolerances());
    // A NaN is no answer.
    let left = outcome.residuals.max();
    let is_near = left <= motion
        || left.is_finite() && has_energy && !contradicts(place, settings, solving.solution);
    let in_vain = outcome.residuals.contradiction > motion
        && context.fallback == Fallback::Own
        && !context.is_over_cones()
        && is_asked_in_vain(place, settings, solving.solution);
    let exceeds = has_energy && solving.exceeds(here);
    if is_near && !exceeds && !in_vain {
        return;
    }
    // An answer within the tolerance of rest is replaced by another one within it only.
    let enough = match is_near && !exceeds {
        true => context.tolerances().rest,
        false => motion,
    };
    let calm = has_energy && !exceeds;
    relax(here, enough, solving, outcome, report, calm);
    if exceeds && solving.exceeds(here) {
        solving.own.bound.shorten(place, solving.solution);
        report.held_back += 1;
        outcome.status = outcome.status.max(SolveStatus::EnergyBound);
        outcome.residuals = solving.residuals(here, outcome.release_failed);
    }
}

/// Whether the impulses of an answer work against each other. O(entries of rows and mass matrices).
fn contradicts(
    IslandProblem { problem, island }: IslandProblem<'_>,
    settings: &ModelSettings,
    solution: &ContactSolution,
) -> bool {
    let work: f64 = (island.groups.iter())
        .map(|&group| missed_work(problem, group, settings, solution))
        .sum();
    let energy = |&b: &u32| {
        let ends = [&solution.v_plus[..], problem.v_free()];
        ends.map(|v| problem.kinetic_energy(b as usize, v))
    };
    let energies: f64 = island.blocks.iter().flat_map(energy).sum();
    work > ENERGY_SHARE * energies
}

/// Work `|f (u - a)|` of a group's (normal) impulse along what it misses \[J\], none for rows that give; of a contact with
/// compliance `a` is less by what its impulse compresses it.
fn missed_work(
    problem: &ContactProblem,
    group: GroupId,
    settings: &ModelSettings,
    solution: &ContactSolution,
) -> f64 {
    let (row, asked, impulse) = match group {
        GroupId::Contact(ContactId(c)) => {
            let impulse = solution.f_n[c];
            let soft = settings.softness(&problem.contacts()[c], problem.h());
            let [b, _] = settings.demands(problem, c);
            (RowId(3 * c), -b - soft * impulse, impulse)
        }
        GroupId::Scalar(ScalarId(scalar)) => {
            let asked = match problem.scalars()[scalar].1 {
                ScalarKind::Bilateral { velocity } => velocity,
                ScalarKind::Unilateral { gap } => -settings.gap_velocity(gap, problem.h()),
                ScalarKind::Bounded { .. } => return 0.0,
            };
            (problem.scalar_row(scalar), asked, solution.f_scalar[scalar])
        }
    };
    (impulse * (problem.row(row).dot(&solution.v_plus) - asked)).abs()
}

/// Whether an answer leaves a contact unmet that prescribes a motion: then it penetrates the obstacle as well.
fn is_asked_in_vain(
    IslandProblem { problem, island }: IslandProblem<'_>,
    settings: &ModelSettings,
    solution: &ContactSolution,
) -> bool {
    island.contacts().any(|c| {
        let group = GroupId::Contact(ContactId(c));
        solution.unmet[3 * c] && asks(problem, group, settings).firm > 0.0
    })
}

/// Solves with compliant rows, and takes the answer where its residual is small enough, or smaller than before; if it must be
/// `calm`, only where it adds no energy.
fn relax(
    here: IslandContext<'_>,
    enough: f64,
    solving: &mut SolveContext<'_>,
    outcome: &mut Outcome,
    report: &mut SolveReport,
    calm: bool,
) {
    let IslandContext { context, island } = here;
    let (place, settings) = (here.place(), context.settings);
    let fallback = context.fallback;
    let groups = island.groups.iter();
    let mut asked = groups.map(|&g| asks(place.problem, g, settings));
    let is_kept = matches!(fallback, Fallback::Caller | Fallback::Nobody);
    if is_kept || !asked.any(|a| a.firm + a.bounce > 0.0) {
        return;
    }
    let (warm, own, solution) = solving.parts();
    own.best.store(place, solution);
    let task = here.task(context.friction(own.held.of(solution)));
    let Some(answer) = task.relaxed(&mut own.engine, warm, solution) else {
        return;
    };
    report.iterations += answer.iterations;
    if !answer.residual.is_finite() {
        // Nothing was written: what there was is better than the free velocity.
        solution.adopt(&own.best.answer, place);
        return;
    }
    let takes_over = fallback == Fallback::ExactCone && !own.best.answer.is_exact_cone(island);
    if takes_over {
        mark(island, solution);
    }
    let release_failed = context.name == ModelName::NoSlipReleasing;
    let residuals = solving.residuals(here, release_failed);
    let left = residuals.max();
    let before = outcome.residuals.max();
    let is_nearer = left <= enough || left < before || before.is_nan();
    if is_nearer && !(calm && solving.exceeds(here)) {
        let by = match fallback {
            Fallback::ExactCone => SolveStatus::ExactCone,
            _ => SolveStatus::Relaxed,
        };
        *outcome = Outcome {
            status: answer.status(place, context.tolerances()).max(by),
            residuals,
            release_failed,
        };
        report.exact_cone += usize::from(takes_over);
        report.fallbacks += usize::from(takes_over);
    } else {
        solving.solution.adopt(&solving.own.best.answer, place);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
