//! The problems of a step: the impact of approaching contacts, then the accelerations.

use super::layout::AWAY;
use crate::models::{AccelerationSettings, ModelSettings};
use crate::problem::{ContactData, ContactProblem, Island, RowId, ScalarKind};

/// Rate at which a contact separates, bodies that move as told included [m/s].
fn separation(problem: &ContactProblem, c: usize, v: &[f64]) -> f64 {
    problem.row(RowId(3 * c)).dot(v) + problem.contacts()[c].normal_drift
}

/// Slip of a contact along s and t [m/s].
fn slip(problem: &ContactProblem, c: usize, v: &[f64]) -> [f64; 2] {
    let [_, s, t] = problem.contact_dots(c, v);
    let told = problem.contacts()[c].surface_velocity;
    [s - told[0], t - told[1]]
}

/// Whether a contact closes faster than what counts as touching. Compliant ones have no impact: their
/// force grows with their depth.
fn approaches(problem: &ContactProblem, c: usize, settings: &ModelSettings) -> bool {
    let contact = &problem.contacts()[c];
    settings.is_closed(contact)
        && contact.compliance == 0.0
        && separation(problem, c, problem.v()) < -settings.acceleration.touching_speed
}

/// Makes `impact` the problem of an impact at the start of the step, in the islands in which a closed
/// contact approaches; false if there is none. Velocities jump from `v`; rigid closed contacts take
/// part, without stabilisation but with Newton's restitution; bilateral rows get their velocity of
/// the end of the step; forces with a bound have no impulse in no time; the other islands stay as they
/// are.
pub(super) fn impact(
    problem: &ContactProblem,
    settings: &ModelSettings,
    impact: &mut ContactProblem,
) -> bool {
    let n = problem.contact_count();
    if !(0..n).any(|c| approaches(problem, c, settings)) {
        return false;
    }
    impact.copy_from(problem);
    impact.set_velocities(problem.v(), problem.v());
    for island in problem.islands() {
        let contacts = island.groups.iter().map(|&g| g as usize);
        let takes_part = contacts
            .filter(|&g| g < n)
            .any(|c| approaches(problem, c, settings));
        for &g in island.groups {
            let g = g as usize;
            let Some(scalar) = g.checked_sub(n) else {
                let contact = &mut impact.contacts_mut()[g];
                let here = takes_part && settings.is_closed(contact) && contact.compliance == 0.0;
                contact.phi = if here { 0.0 } else { AWAY };
                contact.sliding_friction = None;
                (contact.mu_torsional, contact.mu_rolling) = (0.0, 0.0);
                continue;
            };
            let row = problem.row(problem.scalar_row(scalar));
            let kind = &mut impact.scalars_mut()[scalar].1;
            match kind {
                ScalarKind::Bilateral { velocity } if !takes_part => {
                    *velocity = row.dot(problem.v());
                }
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

/// Makes `stage` the problem of the accelerations over the step, in which velocities mean
/// accelerations and impulses forces (time step 1): see the module's documentation for the
/// conditions. `v` is the velocity after the impact.
pub(super) fn accelerations(
    problem: &ContactProblem,
    settings: &ModelSettings,
    v: &[f64],
    stage: &mut ContactProblem,
) {
    let h = problem.h();
    stage.copy_from(problem);
    stage.set_time_step(1.0);
    let (before, free) = stage.velocities_mut();
    before.fill(0.0);
    for (free, v) in free.iter_mut().zip(problem.v()) {
        *free = (*free - v) / h;
    }
    for c in 0..problem.contact_count() {
        stage.contacts_mut()[c] = contact(problem, c, settings, v);
    }
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

fn contact(problem: &ContactProblem, c: usize, settings: &ModelSettings, v: &[f64]) -> ContactData {
    let given = &problem.contacts()[c];
    let mut data = ContactData {
        restitution: 0.0,
        mu_torsional: 0.0,
        mu_rolling: 0.0,
        normal_drift: 0.0,
        impact_velocity: 0.0,
        sliding_friction: None,
        ..*given
    };
    if !settings.is_closed(given) {
        data.phi = AWAY;
        return data;
    }
    let h = problem.h();
    data.phi = 0.0;
    let gap = if given.compliance > 0.0 {
        given.phi / h
    } else {
        settings.gap_velocity(given.phi, h)
    };
    data.compliance = given.compliance / (h * h);
    data.normal_drift = given.acceleration_bias[0] + (separation(problem, c, v) + gap) / h;
    let u = slip(problem, c, v);
    let AccelerationSettings { sliding_speed, .. } = settings.acceleration;
    if u[0].hypot(u[1]) > sliding_speed {
        data.sliding_friction = Some(sliding(given.friction(), u));
    } else {
        data.surface_velocity = held(given, u, h);
    }
    data
}

/// Friction per unit of normal force against a slip: the point of the ellipse that dissipates most,
/// `-(mu_s^2 u_s, mu_t^2 u_t) / |(mu_s u_s, mu_t u_t)|`.
fn sliding(mu: [f64; 2], u: [f64; 2]) -> [f64; 2] {
    let [s, t] = [mu[0] * u[0], mu[1] * u[1]];
    let size = s.hypot(t);
    if size > 0.0 {
        [-mu[0] * s / size, -mu[1] * t / size]
    } else {
        [0.0; 2]
    }
}

/// Tangential acceleration that ends the slip u with the step.
fn held(contact: &ContactData, u: [f64; 2], h: f64) -> [f64; 2] {
    [0, 1].map(|k| -(contact.acceleration_bias[1 + k] + u[k] / h))
}

/// Takes the contacts of an island as rolling ones, whatever their speed: the law of the velocity
/// level. Returns how many slid.
pub(super) fn take_as_rolling(
    problem: &ContactProblem,
    island: Island<'_>,
    v: &[f64],
    stage: &mut ContactProblem,
) -> usize {
    let mut count = 0;
    for &c in island.groups {
        let c = c as usize;
        if c < problem.contact_count() && stage.contacts()[c].sliding_friction.is_some() {
            roll(problem, c, v, stage);
            count += 1;
        }
    }
    count
}

fn roll(problem: &ContactProblem, c: usize, v: &[f64], stage: &mut ContactProblem) {
    let u = slip(problem, c, v);
    let data = &mut stage.contacts_mut()[c];
    data.sliding_friction = None;
    data.surface_velocity = held(&problem.contacts()[c], u, problem.h());
}

/// Takes those sliding contacts as rolling whose slip the accelerations `a` would turn round within
/// the step, in islands where one of them presses; returns how many there are.
pub(super) fn stop_reversals(
    problem: &ContactProblem,
    v: &[f64],
    (a, f_n): (&[f64], &[f64]),
    stage: &mut ContactProblem,
) -> usize {
    let n = problem.contact_count();
    let mut count = 0;
    for island in problem.islands() {
        let contacts = island.groups.iter().map(|&g| g as usize);
        let contacts = contacts.filter(|&g| g < n);
        let turns = |stage: &ContactProblem, c: usize| {
            stage.contacts()[c].sliding_friction.is_some() && turns(problem, c, v, a)
        };
        let pressing = contacts.clone().filter(|&c| f_n[c] > 0.0);
        if !pressing.into_iter().any(|c| turns(stage, c)) {
            continue;
        }
        for c in contacts {
            if turns(stage, c) {
                roll(problem, c, v, stage);
                count += 1;
            }
        }
    }
    count
}

/// Whether the slip of a contact points the other way at the end of the step.
fn turns(problem: &ContactProblem, c: usize, v: &[f64], a: &[f64]) -> bool {
    let h = problem.h();
    let u = slip(problem, c, v);
    let [_, s, t] = problem.contact_dots(c, a);
    let [_, bias_s, bias_t] = problem.contacts()[c].acceleration_bias;
    let end = [u[0] + h * (s + bias_s), u[1] + h * (t + bias_t)];
    u[0] * end[0] + u[1] * end[1] <= 0.0
}

/// Largest slip of closed contacts at the end of the step [m/s]; fills the slip of all.
pub(super) fn slips(
    problem: &ContactProblem,
    settings: &ModelSettings,
    v: &[f64],
    slips: &mut [f64],
) -> f64 {
    let mut worst = 0.0_f64;
    for (c, out) in slips.iter_mut().enumerate() {
        let [s, t] = slip(problem, c, v);
        *out = s.hypot(t);
        if settings.is_closed(&problem.contacts()[c]) {
            worst = worst.max(*out);
        }
    }
    worst
}
