//! Accelerations under the friction of given velocities.

use stickslip_core::models::{ContactSolution, ModelSettings};
use stickslip_core::problem::{ContactProblem, RowId};

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
