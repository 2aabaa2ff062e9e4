//! The invariants, each from problem and answer alone.

use crate::common::kinetic_energy;
use stickslip_core::models::{ContactSolution, ModelName, ModelSettings};
use stickslip_core::problem::{ContactProblem, RowId};
use stickslip_core::report::{SolveReport, SolveStatus};

/// Round-off of sums over up to a thousand terms with masses a million apart.
const ROUND_OFF: f64 = 1e-9;

/// Whether a model works at velocity level on bodies with inertia, so that energy can't grow.
fn dissipates(name: ModelName) -> bool {
    !matches!(
        name,
        ModelName::ViscousAcceleration | ModelName::CoulombAcceleration | ModelName::QuasiStatic
    )
}

/// Whether tangential impulses are bounded by `mu f_n`.
fn is_coulomb(name: ModelName) -> bool {
    matches!(
        name,
        ModelName::StewartTrinkle | ModelName::AnitescuPotra | ModelName::Cone | ModelName::Ccp
    )
}

/// Holds an answer against the invariants; returns the first one broken.
pub fn broken(
    problem: &ContactProblem,
    name: ModelName,
    settings: &ModelSettings,
    (solution, report): (&ContactSolution, &SolveReport),
) -> Option<String> {
    let finite = [
        &solution.v_plus,
        &solution.f_n,
        &solution.f_s,
        &solution.f_t,
    ];
    if finite.into_iter().flatten().any(|x| !x.is_finite()) {
        return Some("a number is not finite".into());
    }
    if let Some(f) = solution.f_n.iter().find(|&&f| f < 0.0) {
        return Some(format!("a contact pulls with {f}"));
    }
    // `solver_used` is that of the island that needed the most help; others may be the chosen one's.
    let chosen = settings.acceptance(name, settings.solver_for(name));
    let accepted = chosen.max(settings.acceptance(name, report.solver_used));
    let residual = report.residuals.max();
    if report.status == SolveStatus::Solved && (residual.is_nan() || residual > accepted) {
        return Some(format!(
            "solved, with residual {residual:.1e} > {accepted:.0e}"
        ));
    }
    if report.residuals.momentum > ROUND_OFF {
        return Some(format!(
            "momentum is off by {:.1e}",
            report.residuals.momentum
        ));
    }
    if report.status != SolveStatus::Solved {
        return None;
    }
    if dissipates(name) {
        let before = kinetic_energy(problem, problem.v_free());
        let after = kinetic_energy(problem, &solution.v_plus);
        // An answer's residual times its impulses may be energy.
        if after > before * (1.0 + 1e3 * accepted) + 1e-12 {
            return Some(format!("energy grows from {before} to {after}"));
        }
    }
    if is_coulomb(name) {
        return coulomb(name, problem, settings, solution, accepted);
    }
    None
}

/// Cone inclusion, and maximum dissipation where a contact slides.
fn coulomb(
    model: ModelName,
    problem: &ContactProblem,
    settings: &ModelSettings,
    solution: &ContactSolution,
    accepted: f64,
) -> Option<String> {
    let speed = 1.0 + problem.v_free().iter().fold(0.0_f64, |a, v| a.max(v.abs()));
    for (c, contact) in problem.contacts().iter().enumerate() {
        let f_t = solution.f_s[c].hypot(solution.f_t[c]);
        let diagonal = diagonal(problem, RowId(3 * c + 1)).max(diagonal(problem, RowId(3 * c + 2)));
        let bound = contact.mu * solution.f_n[c];
        let pressed = matches!(model, ModelName::Cone | ModelName::Ccp) && solution.f_n[c] > 0.0;
        if !settings.is_closed(contact) && !pressed {
            if f_t != 0.0 {
                return Some(format!("contact {c} is open and has friction {f_t}"));
            }
            continue;
        }
        let over = (f_t - bound) * diagonal;
        if over > 2.0 * accepted * speed {
            return Some(format!("contact {c} leaves its cone by {over:.1e} m/s"));
        }
        // Opposite to the slip, along it or turned by half a polygon's sector at most.
        let v = [1, 2].map(|k| problem.row(RowId(3 * c + k)).dot(&solution.v_plus));
        let power = solution.f_s[c] * v[0] + solution.f_t[c] * v[1];
        let work = power * diagonal;
        if work > 2.0 * accepted * speed * (speed + f_t * diagonal) {
            return Some(format!("friction of contact {c} drives with {power}"));
        }
    }
    None
}

/// `row M^-1 row^T` by a solve with the block's factor.
fn diagonal(problem: &ContactProblem, row: RowId) -> f64 {
    let mut x = vec![0.0; problem.dim()];
    problem.row(row).add_to(1.0, &mut x);
    let mut sum = 0.0;
    for b in 0..problem.block_count() {
        let block = problem.block(b);
        let range = block.range();
        block.solve_lt(&mut x[range.clone()]);
        sum += x[range].iter().map(|x| x * x).sum::<f64>();
    }
    sum
}
