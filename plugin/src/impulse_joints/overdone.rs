//! Whether taking back the errors of joints makes energy.
//!
//! By the identity `T(v+) - T(v_free) = sum f_i r_i (v+ + v_free)/2` the correction `c_i` that a locked axis
//! asks for puts the work `f_i c_i` into the step, up to a factor of two. In a well-posed mechanism
//! that is as much as it takes to move the inertia of the row at that speed, `c_i^2/(r_i M^-1 r_i^T)`, and small
//! beside the kinetic energy. Rows that nearly depend on each other (a net of links stretched flat, a
//! string pulled straight) multiply it by the reciprocal of their angle, squared.

use super::rows::Row;
use crate::frame::Frame;
use stickslip_core::models::ContactSolution;
use stickslip_core::problem::ContactProblem;

/// Work of the corrections of an island as a share of its kinetic energy that is taken for granted.
const SHARE: f64 = 0.1;

/// The same as a multiple of what the rows would need one by one: the axes of a joint, and joints in a
/// row, add up.
const MULTIPLE: f64 = 30.0;

/// Memory of the test.
#[derive(Debug, Default)]
pub(super) struct Overdone {
    /// The correction each scalar row asks for [m/s or rad/s]; zero where it is none.
    wanted: Vec<f64>,
    dense: Vec<f64>,
}

impl Overdone {
    /// Whether there is an island into which the corrections put more than they should. O(rows and
    /// coordinates) where there is none.
    pub(super) fn is_overdone(
        &mut self,
        (problem, solution): (&ContactProblem, &ContactSolution),
        rows: &[Row],
        frame: Frame,
    ) -> bool {
        self.wanted.clear();
        self.wanted.resize(problem.scalar_count(), 0.0);
        for row in rows.iter().filter(|row| row.is_locked()) {
            if let Some(id) = row.id() {
                self.wanted[id.0] = row.correction(frame);
            }
        }
        let n = problem.contact_count();
        let mut islands = problem.islands();
        islands.any(|island| {
            let groups = island.groups.iter();
            let scalars = groups.filter_map(|&g| (g as usize).checked_sub(n));
            let works = (scalars.clone()).map(|i| self.wanted[i] * solution.f_scalar[i]);
            let work: f64 = works.sum();
            let blocks = island.blocks.iter();
            let energy: f64 = blocks
                .map(|&b| problem.kinetic_energy(b as usize, problem.v_free()))
                .sum();
            if work <= SHARE * energy {
                return false;
            }
            let mut alone = 0.0;
            for i in scalars.filter(|&i| self.wanted[i] != 0.0) {
                let inertia = problem.row_inertia(problem.scalar_row(i), &mut self.dense);
                alone += self.wanted[i] * self.wanted[i] * inertia;
            }
            // Negated so that a NaN counts.
            let explained = work <= MULTIPLE * alone;
            !explained
        })
    }
}
