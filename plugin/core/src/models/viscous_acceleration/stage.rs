//! The problems of a step: the impact of approaching contacts, then the accelerations under the
//! friction of given velocities.

use crate::models::{ContactSolution, ModelSettings};
use crate::problem::{ContactProblem, RowId, ScalarKind};

/// Gap of contacts and limits that take no part: no velocity or acceleration closes it.
const AWAY: f64 = 1e100;

/// Rate at which a contact separates, bodies that move as told included [m/s].
fn separation(problem: &ContactProblem, c: usize, v: &[f64]) -> f64 {
    problem.row(RowId(3 * c)).dot(v) + problem.contacts()[c].normal_drift
}

/// Whether a contact closes faster than what counts as touching. Compliant ones have no impact.
fn approaches(problem: &ContactProblem, c: usize, settings: &ModelSettings) -> bool {
    let contact = &problem.contacts()[c];
    settings.is_closed(contact)
        && contact.compliance == 0.0
        && separation(problem, c, problem.v()) < -settings.acceleration.touching_speed
}

/// Makes `impact` the problem of an impact at the start of the step in the islands in which a closed
/// contact approaches, and marks the contacts whose friction it takes; false if there is none.
/// Velocities jump from v; rigid closed contacts take part, without stabilisation; bilateral rows get
/// their velocity of the end of the step; forces with a bound have no impulse in no time; the other
/// islands stay as they are.
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
        let groups = || island.groups.iter().map(|&g| g as usize);
        let takes_part = groups()
            .filter(|&g| g < n)
            .any(|c| approaches(problem, c, settings));
        for g in groups() {
            let Some(scalar) = g.checked_sub(n) else {
                let contact = &mut impact.contacts_mut()[g];
                let here = takes_part && settings.is_closed(contact);
                taken[g] = here && contact.compliance == 0.0;
                contact.phi = if taken[g] { 0.0 } else { AWAY };
                continue;
            };
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

/// Makes `stage` the problem of the accelerations, in which velocities mean accelerations and impulses
/// forces (time step 1), but for its free acceleration. `v` is the velocity after the impact.
pub(super) fn accelerations(
    problem: &ContactProblem,
    settings: &ModelSettings,
    v: &[f64],
    stage: &mut ContactProblem,
) {
    let h = problem.h();
    stage.copy_from(problem);
    stage.set_time_step(1.0);
    stage.velocities_mut().0.fill(0.0);
    for (c, given) in problem.contacts().iter().enumerate() {
        let data = &mut stage.contacts_mut()[c];
        data.restitution = 0.0;
        data.impact_velocity = 0.0;
        if !settings.is_closed(given) {
            data.phi = AWAY;
            continue;
        }
        let gap = if given.compliance > 0.0 {
            given.phi / h
        } else {
            settings.gap_velocity(given.phi, h)
        };
        data.phi = 0.0;
        data.compliance = given.compliance / (h * h);
        data.normal_drift = given.acceleration_bias[0] + (separation(problem, c, v) + gap) / h;
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

/// The friction forces of one stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Friction {
    /// Whether the impact has taken a contact's friction (n).
    pub(super) taken: Vec<bool>,
    /// Forces along s and t \[N\] (n).
    forces: Vec<[f64; 2]>,
    /// Their sum in generalized coordinates (m).
    sum: Vec<f64>,
}

impl Friction {
    /// `a_free = (v_free - v) / h - M^-1 (S^T mu_v (S v_at - c_s) + T^T mu_v (T v_at - c_t))` into `out`.
    /// O(nonzeros of the rows + solve with M).
    pub(super) fn free_acceleration(
        &mut self,
        problem: &ContactProblem,
        settings: &ModelSettings,
        at: &[f64],
        out: &mut [f64],
    ) {
        self.sum.clear();
        self.sum.resize(problem.dim(), 0.0);
        self.forces.clear();
        for (c, contact) in problem.contacts().iter().enumerate() {
            let mu = contact.mu_viscous;
            if mu == 0.0 || self.taken[c] || !settings.is_closed(contact) {
                self.forces.push([0.0; 2]);
                continue;
            }
            let [_, s, t] = problem.contact_dots(c, at);
            let [c_s, c_t] = contact.surface_velocity;
            let force = [-mu * (s - c_s), -mu * (t - c_t)];
            for (k, f) in force.into_iter().enumerate() {
                problem.row(RowId(3 * c + 1 + k)).add_to(f, &mut self.sum);
            }
            self.forces.push(force);
        }
        for b in 0..problem.block_count() {
            let block = problem.block(b);
            let sum = &mut self.sum[block.range()];
            block.solve_lt(sum);
            block.solve_l(sum);
        }
        let velocities = problem.v_free().iter().zip(problem.v());
        for ((out, (free, v)), friction) in out.iter_mut().zip(velocities).zip(&self.sum) {
            *out = (free - v) / problem.h() + friction;
        }
    }

    /// Adds `weight` times the forces of the stage to the impulses.
    pub(super) fn add_impulses(
        &self,
        problem: &ContactProblem,
        weight: f64,
        solution: &mut ContactSolution,
    ) {
        for c in 0..problem.contact_count() {
            solution.f_s[c] += weight * self.forces[c][0];
            solution.f_t[c] += weight * self.forces[c][1];
        }
    }
}
