//! Answers that are worse than none: whatever was asked for, it was not that much.

use stickslip_core::models::{ContactSolution, ModelSettings};
use stickslip_core::problem::{ContactProblem, Island, RowId, ScalarKind};

/// Shortfall of a compromise as a multiple of the speed asked for from which on it is none: rest falls
/// short by that speed.
const SHORT: f64 = 2.0;

/// Speed of a compromise as a multiple of what there was and what is asked for: lever arms may multiply it.
const FAST: f64 = 20.0;

/// The largest speed that bodies moving as told and moving surfaces ask of contacts [m/s].
pub(crate) fn asked(problem: &ContactProblem) -> f64 {
    let contacts = problem.contacts().iter();
    contacts.fold(0.0, |most, c| {
        let [s, t] = c.surface_velocity;
        most.max(-c.normal_drift).max(s.hypot(t))
    })
}

/// Whether the compromise found between demands that contradict each other (a pusher drives a box that
/// sticks to the floor into a wall) is worse than rest: it falls short by `relaxed` of what is `asked`. Rows that
/// nearly depend on each other make one of huge impulses, which end anywhere.
pub(crate) fn is_wild(
    (asked, relaxed): (f64, f64),
    problem: &ContactProblem,
    solution: &ContactSolution,
) -> bool {
    let fastest = |v: &[f64]| v.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let most = FAST * (fastest(problem.v_free()) + asked);
    asked > 0.0 && (relaxed > SHORT * asked || fastest(&solution.v_plus) > most)
}

/// Speed that bounces and pushes may make, as a multiple of the one they ask for.
const LEVER: f64 = 4.0;

/// Finds bounces and pushes that lever arms multiply.
#[derive(Debug, Default)]
pub(crate) struct Levers {
    /// 1 for every coordinate (m).
    ones: Vec<f64>,
}

impl Levers {
    /// Whether bounces and pushes made an island much faster than they ask for. What asks for nothing makes
    /// no energy, `|v+| <= |v_free|` in the norm `|v|^2 = 1/2 v^T M v`, since rest is allowed. With
    /// separations of up to d at some contacts while the others stick exactly, a body may have to
    /// turn about a point near the push, as fast as it takes. So
    /// ```text
    /// |v+| <= |v_free| + 4 d |1|
    /// ```
    /// must hold, d being all that contacts and other rows ask for [m/s or rad/s]. O(rows + entries of
    /// the mass matrix).
    pub(crate) fn multiply(
        &mut self,
        problem: &ContactProblem,
        v_plus: &[f64],
        settings: &ModelSettings,
    ) -> bool {
        self.ones.resize(problem.dim(), 1.0);
        problem.islands().any(|island| {
            let Some(most) = fastest_asked(problem, island, settings) else {
                return false;
            };
            let norm = |v: &[f64]| {
                let blocks = island.blocks.iter();
                blocks
                    .map(|&b| problem.kinetic_energy(b as usize, v))
                    .sum::<f64>()
                    .sqrt()
            };
            let (free, end) = (norm(problem.v_free()), norm(v_plus));
            end > free && end > free + LEVER * most * norm(&self.ones)
        })
    }
}

/// The largest velocity that rows of an island ask for [m/s or rad/s]; none if no contact bounces or is
/// pushed out.
fn fastest_asked(
    problem: &ContactProblem,
    island: Island<'_>,
    settings: &ModelSettings,
) -> Option<f64> {
    let (n, h) = (problem.contact_count(), problem.h());
    let (mut most, mut own) = (0.0_f64, false);
    for &group in island.groups {
        let group = group as usize;
        let asked = match group.checked_sub(n) {
            None => {
                let contact = &problem.contacts()[group];
                // Only a bounce asks for more the faster the contact closes.
                let rate = if contact.restitution > 0.0 {
                    problem.row(RowId(3 * group)).dot(problem.v())
                } else {
                    0.0
                };
                let asked = -settings.contact_velocity(contact, rate, h);
                own |= asked > -contact.normal_drift;
                let [s, t] = contact.surface_velocity;
                asked.max(s.hypot(t))
            }
            Some(scalar) => match problem.scalars()[scalar].1 {
                ScalarKind::Bilateral { velocity } | ScalarKind::Bounded { velocity, .. } => {
                    velocity.abs()
                }
                ScalarKind::Unilateral { gap } => -settings.gap_velocity(gap, h),
            },
        };
        most = most.max(asked);
    }
    own.then_some(most)
}
