//! Kinetic energy that nothing asked for.
//!
//! What asks for nothing makes no energy. With all targets of an island at zero, `f . u <= 0` for every
//! row, so `v+^T M (v+ - v_free) <= 0` and, in the norm `|v|^2 = 1/2 v^T M v`,
//! ```text
//! |v+| <= |v_free|
//! ```
//! Rows that ask for speeds of up to d (moving bodies and surfaces, bounces, pushes out of penetration,
//! drives) may add the energy of a whole island that moves with d, `d |1|`; lever arms
//! may multiply that without bound where rows nearly contradict each other: a bar that turns against a
//! wall squeezes bodies out like seeds. An answer beyond the bound is shortened on the way from v_free
//! until it keeps it,
//! ```text
//! v = v_free + a (v+ - v_free),   |v| = |v_free| + d |1|
//! ```
//! and its impulses with it. Coefficients of 1 to 4 in front of d were tried on squeezing scenes; 1 keeps
//! them near the speeds of other engines, and changes nothing elsewhere.

use super::driver;
use super::{ContactSolution, ModelSettings};
use crate::problem::{ContactProblem, Island, RowId, ScalarKind};

/// Growth of the norm that is round-off, relative to it.
const ROUND_OFF: f64 = 1e-9;

/// Memory of the bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    change: Vec<f64>,
    ones: Vec<f64>,
    /// Velocities whose fastest coordinate in an island counts as asked for there (m); empty for none.
    pub(super) granted: Vec<f64>,
}

impl Bound {
    /// Shortens the answers of all islands that made more energy than was asked for; how many those are.
    /// O(entries of the mass matrix).
    pub(super) fn hold(
        &mut self,
        problem: &ContactProblem,
        settings: &ModelSettings,
        solution: &mut ContactSolution,
    ) -> usize {
        if !settings.energy_bound {
            return 0;
        }
        let islands = problem.islands();
        islands
            .filter(|&island| self.hold_island(problem, island, settings, solution))
            .count()
    }

    fn hold_island(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        settings: &ModelSettings,
        solution: &mut ContactSolution,
    ) -> bool {
        let energy = |v: &[f64]| {
            let blocks = island.blocks.iter();
            blocks
                .map(|&b| problem.kinetic_energy(b as usize, v))
                .sum::<f64>()
        };
        let (free, end) = (energy(problem.v_free()), energy(&solution.v_plus));
        if end <= free {
            return false;
        }
        let blocks = island.blocks.iter();
        let ranges = blocks.map(|&b| problem.block(b as usize).range());
        let granted = ranges.filter_map(|range| self.granted.get(range));
        let granted = granted.flatten().fold(0.0_f64, |a, v| a.max(v.abs()));
        let asked = fastest_asked(problem, island, settings).max(granted);
        self.ones.resize(problem.dim(), 1.0);
        let most = free.sqrt() * (1.0 + ROUND_OFF) + asked * energy(&self.ones).sqrt();
        if end <= most * most {
            return false;
        }
        self.change.resize(problem.dim(), 0.0);
        for &b in island.blocks {
            for i in problem.block(b as usize).range() {
                self.change[i] = solution.v_plus[i] - problem.v_free()[i];
            }
        }
        // free + 2 a cross + a^2 change = most^2.
        let change = energy(&self.change);
        let cross = 0.5 * (end - free - change);
        let root = (cross * cross + change * (most * most - free)).max(0.0);
        let share = ((root.sqrt() - cross) / change).clamp(0.0, 1.0);
        for &b in island.blocks {
            for i in problem.block(b as usize).range() {
                solution.v_plus[i] = problem.v_free()[i] + share * self.change[i];
            }
        }
        for row in driver::rows(problem, island) {
            *solution.impulse_mut(problem, row) *= share;
            for list in solution.by_row() {
                if let Some(z) = list.get_mut(row.0) {
                    *z *= share;
                }
            }
        }
        true
    }
}

/// The largest velocity that rows of an island ask for [m/s or rad/s].
pub(super) fn fastest_asked(
    problem: &ContactProblem,
    island: Island<'_>,
    settings: &ModelSettings,
) -> f64 {
    let (n, h) = (problem.contact_count(), problem.h());
    let asked = island.groups.iter().map(|&group| {
        let group = group as usize;
        match group.checked_sub(n) {
            None => {
                let contact = &problem.contacts()[group];
                // Only a bounce asks for more the faster the contact closes.
                let rate = match contact.restitution > 0.0 {
                    true => problem.row(RowId(3 * group)).dot(problem.v()),
                    false => 0.0,
                };
                let [s, t] = contact.surface_velocity;
                let normal = -settings.contact_velocity(contact, rate, h);
                normal.max(s.hypot(t))
            }
            Some(scalar) => match problem.scalars()[scalar].1 {
                ScalarKind::Bilateral { velocity } | ScalarKind::Bounded { velocity, .. } => {
                    velocity.abs()
                }
                ScalarKind::Unilateral { gap } => -settings.gap_velocity(gap, h),
            },
        }
    });
    asked.fold(0.0, f64::max)
}
