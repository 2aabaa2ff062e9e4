//! The problems of a step: the impact of approaching contacts, then the accelerations.

use crate::impact;
use stickslip_core::kit::Derived;
use stickslip_core::models::{AccelerationSettings, ModelSettings};
use stickslip_core::problem::{ContactData, ContactProblem, Island};

/// Slip of a contact along s and t [m/s].
pub(super) fn slip(problem: &ContactProblem, c: usize, v: &[f64]) -> [f64; 2] {
    let [_, s, t] = problem.contact_dots(c, v);
    let prescribed = problem.contacts()[c].surface_velocity;
    [s - prescribed[0], t - prescribed[1]]
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
    impact::accelerations(problem, settings, v, stage);
    let h = problem.h();
    for (free, v) in stage.velocities_mut().1.iter_mut().zip(problem.v()) {
        *free = (*free - v) / h;
    }
    let AccelerationSettings { sliding_speed, .. } = settings.acceleration;
    for (c, data) in stage.contacts_mut().iter_mut().enumerate() {
        (data.mu_torsional, data.mu_rolling) = (0.0, 0.0);
        data.sliding_friction = None;
        let given = &problem.contacts()[c];
        if settings.is_closed(given) {
            let u = slip(problem, c, v);
            if u[0].hypot(u[1]) > sliding_speed {
                data.sliding_friction = Some(sliding(given.friction(), u));
            } else {
                data.surface_velocity = held(given, u, h);
            }
        }
    }
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
    for c in island.contacts() {
        if stage.contacts()[c].sliding_friction.is_some() {
            roll(problem, c, v, stage);
            count += 1;
        }
    }
    count
}

/// Whether a contact of the stage slides.
pub(super) fn is_sliding(stage: &ContactProblem, c: usize) -> bool {
    stage.contacts()[c].sliding_friction.is_some()
}

/// Takes a contact as sliding along `u`.
pub(super) fn slide_along(c: usize, u: [f64; 2], stage: &mut ContactProblem) {
    let friction = sliding(stage.contacts()[c].friction(), u);
    slide_under(c, friction, stage);
}

/// Takes a contact as sliding under this friction per unit of normal force.
pub(super) fn slide_under(c: usize, friction: [f64; 2], stage: &mut ContactProblem) {
    let data = &mut stage.contacts_mut()[c];
    data.sliding_friction = Some(friction);
    data.surface_velocity = [0.0; 2];
}

/// Takes a contact as rolling.
pub(super) fn roll(problem: &ContactProblem, c: usize, v: &[f64], stage: &mut ContactProblem) {
    let u = slip(problem, c, v);
    let data = &mut stage.contacts_mut()[c];
    data.sliding_friction = None;
    data.surface_velocity = held(&problem.contacts()[c], u, problem.h());
}

/// Slip of a contact at the end of the step that starts with `v` and has the accelerations `a` [m/s].
pub(super) fn end_slip(problem: &ContactProblem, c: usize, v: &[f64], a: &[f64]) -> [f64; 2] {
    let h = problem.h();
    let u = slip(problem, c, v);
    let [_, s, t] = problem.contact_dots(c, a);
    let [_, bias_s, bias_t] = problem.contacts()[c].acceleration_bias;
    [u[0] + h * (s + bias_s), u[1] + h * (t + bias_t)]
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
