//! What the models at acceleration level share: the problem of an impact at the start of a step, the demands of gaps and
//! scalar rows on accelerations, and the sum of the impulses.

use stickslip_core::kit::Derived;
use stickslip_core::models::{ContactSolution, ModelSettings};
use stickslip_core::problem::{ContactData, ContactProblem, RowId, ScalarKind};

/// Gap of contacts and limits that take no part: no velocity or acceleration closes it.
pub(super) const AWAY: f64 = 1e100;

/// Settings for the problem of the accelerations: its gaps are accelerations, of which nothing is shared out or capped, and
/// what bounds energies bounds no accelerations.
pub(super) fn for_stages(settings: &ModelSettings) -> ModelSettings {
    ModelSettings {
        baumgarte: 1.0,
        push_speed: f64::MAX,
        energy_bound: false,
        ..settings.clone()
    }
}

/// Rate at which a contact separates, bodies that move as prescribed included [m/s].
fn separation(problem: &ContactProblem, c: usize, v: &[f64]) -> f64 {
    problem.row(RowId(3 * c)).dot(v) + problem.contacts()[c].normal_drift
}

/// Whether a contact closes faster than what counts as touching. Compliant ones have no impact: their
/// force grows with their depth.
fn approaches(problem: &ContactProblem, c: usize, settings: &ModelSettings) -> bool {
    let contact = &problem.contacts()[c];
    settings.is_closed(contact)
        && contact.compliance == 0.0
        && separation(problem, c, problem.v()) < -settings.acceleration.touching_speed
}

/// Makes `impact` the problem of an impact at the start of the step in the islands in which a closed
/// contact approaches, and marks the contacts that take part in it; false if there is none.
/// Velocities jump from v; rigid closed contacts take part, without stabilisation but with Newton's
/// restitution; bilateral rows get their velocity of the end of the step; forces with a bound have no
/// impulse in no time; the other islands stay as they are.
pub(super) fn impact(
    problem: &ContactProblem,
    settings: &ModelSettings,
    impact: &mut ContactProblem,
    taken: &mut Vec<bool>,
) -> bool {
    let n = problem.contact_count();
    taken.clear();
    taken.resize(n, false);
    if !(0..n).any(|c| approaches(problem, c, settings)) {
        return false;
    }
    impact.copy_from(problem);
    impact.set_velocities(problem.v(), problem.v());
    for island in problem.islands() {
        let takes_part = (island.contacts()).any(|c| approaches(problem, c, settings));
        for c in island.contacts() {
            let contact = &mut impact.contacts_mut()[c];
            let here = takes_part && settings.is_closed(contact);
            taken[c] = here && contact.compliance == 0.0;
            contact.phi = if taken[c] { 0.0 } else { AWAY };
        }
        for scalar in island.scalars() {
            let speed = problem.row(problem.scalar_row(scalar)).dot(problem.v());
            match &mut impact.scalars_mut()[scalar].1 {
                ScalarKind::Bilateral { velocity } if !takes_part => *velocity = speed,
                ScalarKind::Bilateral { .. } => {}
                ScalarKind::Unilateral { gap } => {
                    *gap = if takes_part && *gap <= 0.0 { 0.0 } else { AWAY };
                }
                ScalarKind::Bounded { limit, .. } => *limit = 0.0,
            }
        }
    }
    true
}

/// Makes `stage` the problem of the accelerations over the step, in which velocities mean accelerations and impulses
/// forces (time step 1): what normals and scalar rows ask for. Tangents and the free acceleration are the model's. `v` is
/// the velocity after the impact.
pub(super) fn accelerations(
    problem: &ContactProblem,
    settings: &ModelSettings,
    v: &[f64],
    stage: &mut ContactProblem,
) {
    stage.copy_from(problem);
    stage.set_time_step(1.0);
    stage.velocities_mut().0.fill(0.0);
    for (c, given) in problem.contacts().iter().enumerate() {
        let data = &mut stage.contacts_mut()[c];
        (data.restitution, data.impact_velocity) = (0.0, 0.0);
        if settings.is_closed(given) {
            press(problem, c, settings, v, data);
        } else {
            data.phi = AWAY;
        }
    }
    scalars(problem, settings, v, stage);
}

/// Turns the normal demands of a closed contact into those of a stage, whose velocities are
/// accelerations and impulses forces: `N a + Ndot v + (N v + gap velocity) / h + C / h^2 f_n >= 0`.
/// `v` is the velocity after the impact.
fn press(
    problem: &ContactProblem,
    c: usize,
    settings: &ModelSettings,
    v: &[f64],
    data: &mut ContactData,
) {
    let given = &problem.contacts()[c];
    let h = problem.h();
    let gap = if given.compliance > 0.0 {
        given.phi / h
    } else {
        settings.gap_velocity(given.phi, h)
    };
    data.phi = 0.0;
    data.compliance = given.compliance / (h * h);
    data.normal_drift = given.acceleration_bias[0] + (separation(problem, c, v) + gap) / h;
}

/// Turns the demands of the scalar rows into those of a stage: velocities and gaps are met at the end
/// of a step from `v`, limits are forces.
fn scalars(
    problem: &ContactProblem,
    settings: &ModelSettings,
    v: &[f64],
    stage: &mut ContactProblem,
) {
    let h = problem.h();
    for i in 0..problem.scalar_count() {
        let speed = problem.row(problem.scalar_row(i)).dot(v);
        match &mut stage.scalars_mut()[i].1 {
            ScalarKind::Bilateral { velocity } => *velocity = (*velocity - speed) / h,
            ScalarKind::Unilateral { gap } => {
                *gap = (speed + settings.gap_velocity(*gap, h)) / h;
            }
            ScalarKind::Bounded {
                velocity, limit, ..
            } => {
                *velocity = (*velocity - speed) / h;
                *limit /= h;
            }
        }
    }
}

/// Adds impulses, `weight` times; rows unmet once stay so, and so does what is wrong with an island.
pub(super) fn add(weight: f64, from: &ContactSolution, to: &mut ContactSolution) {
    for (to, from) in [
        (&mut to.f_n, &from.f_n),
        (&mut to.f_s, &from.f_s),
        (&mut to.f_t, &from.f_t),
        (&mut to.f_scalar, &from.f_scalar),
    ] {
        for (to, from) in to.iter_mut().zip(from) {
            *to += weight * from;
        }
    }
    for (to, from) in to.unmet.iter_mut().zip(&from.unmet) {
        *to |= from;
    }
    for (to, from) in to.islands.iter_mut().zip(&from.islands) {
        to.absorb(from);
    }
}
