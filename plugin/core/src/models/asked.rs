//! What the rows of a problem ask for: velocities, and the energy that goes with them.

use super::ModelSettings;
use crate::problem::{ContactId, ContactProblem, GroupId, IslandProblem, ScalarId, ScalarKind};

/// What rows ask for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    /// The most that rows ask for which do not give [m/s or rad/s].
    pub(super) firm: f64,
    /// The same with the rows that give: drives and springs.
    pub(super) all: f64,
    /// What bounces ask for in addition [m/s or rad/s].
    pub(super) bounce: f64,
    /// Energy that the rows which give can put in \[J\].
    pub(super) work: f64,
}

impl Asked {
    /// The most of both velocities, the sum of what they put in.
    pub(super) fn add(&mut self, other: Self) {
        self.firm = self.firm.max(other.firm);
        self.all = self.all.max(other.all);
        self.bounce = self.bounce.max(other.bounce);
        self.work += other.work;
    }
}

/// What a group's rows ask for.
pub(super) fn asks(problem: &ContactProblem, group: GroupId, settings: &ModelSettings) -> Asked {
    let h = problem.h();
    let firm = |asked: f64, bounce: f64| Asked {
        firm: asked.max(0.0),
        all: asked.max(0.0),
        bounce: bounce.max(0.0),
        work: 0.0,
    };
    match group {
        GroupId::Contact(ContactId(c)) => {
            let contact = &problem.contacts()[c];
            let [s, t] = contact.surface_velocity;
            let [whole, pushed] = settings.demands(problem, c).map(|b| -b);
            // The speed before the step is no longer that of the bodies.
            let remembered = -contact.restitution * contact.impact_velocity;
            firm(pushed.max(s.hypot(t)).max(remembered), whole - pushed)
        }
        GroupId::Scalar(ScalarId(scalar)) => match problem.scalars()[scalar].1 {
            ScalarKind::Bilateral { velocity } => firm(velocity.abs(), 0.0),
            ScalarKind::Unilateral { gap } => {
                // A row that is scaled down asks for more than it says (`a_rope_tows`).
                let row = problem.row(problem.scalar_row(scalar));
                let largest = row.iter().fold(0.0_f64, |a, (_, x)| a.max(x.abs()));
                let asked = -settings.gap_velocity(gap, h);
                firm(asked.max(0.0) / largest.clamp(f64::MIN_POSITIVE, 1.0), 0.0)
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => {
                // f u with f = (a - u) / compliance is most at u = a/2, and f at most its limit.
                let a = velocity.abs();
                Asked {
                    all: a,
                    work: f64::min(limit * a, 0.25 * a * a / compliance),
                    ..Asked::default()
                }
            }
        },
    }
}

/// The largest velocity that rows of an island ask for [m/s or rad/s].
pub(super) fn fastest_asked(
    IslandProblem { problem, island }: IslandProblem<'_>,
    settings: &ModelSettings,
) -> f64 {
    let groups = island.groups.iter();
    let asked = groups.map(|&group| asks(problem, group, settings));
    asked.fold(0.0, |most, asked| most.max(asked.all + asked.bounce))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
