//! What the rows of a problem ask for: velocities, and the energy that goes with them.

use super::ModelSettings;
use crate::problem::{ContactProblem, Island, ScalarKind};

/// What rows ask for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Asked {
    /// The most that rows ask for which do not give [m/s or rad/s].
    pub(super) firm: f64,
    /// The same with the rows that give: drives and springs.
    pub(super) all: f64,
    /// The most that a bounce asks for besides.
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
pub(super) fn asks(problem: &ContactProblem, group: usize, settings: &ModelSettings) -> Asked {
    let h = problem.h();
    let firm = |asked: f64, bounce: f64| Asked {
        firm: asked.max(0.0),
        all: asked.max(0.0),
        bounce: bounce.max(0.0),
        work: 0.0,
    };
    if let Some(scalar) = group.checked_sub(problem.contact_count()) {
        return match problem.scalars()[scalar].1 {
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
        };
    }
    let contact = &problem.contacts()[group];
    let [s, t] = contact.surface_velocity;
    let [whole, pushed] = settings.demands(problem, group).map(|b| -b);
    firm(pushed.max(s.hypot(t)), whole - pushed)
}

/// The largest velocity that rows of an island ask for [m/s or rad/s].
pub(super) fn fastest_asked(
    problem: &ContactProblem,
    island: Island<'_>,
    settings: &ModelSettings,
) -> f64 {
    let groups = island.groups.iter();
    let asked = groups.map(|&group| asks(problem, group as usize, settings));
    asked.fold(0.0, |most, asked| most.max(asked.all + asked.bounce))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::mass::MassFactor;
    use crate::problem::{ProblemBuilder, RowHalf};
    use nalgebra::DMatrix;

    /// What one row on a body of 1 kg asks for.
    fn ask(entry: f64, kind: ScalarKind) -> Asked {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        let mass = MassFactor::from_dense(&DMatrix::identity(1, 1)).unwrap();
        let block = builder.add_block(&mass, &[0.0], &[0.0]);
        let half = RowHalf {
            block,
            cols: &[0],
            rows: [&[entry][..]],
        };
        builder.add_scalar(1, kind, &[half]);
        asks(builder.finish().unwrap(), 0, &ModelSettings::default())
    }

    /// The work of a row that gives is the most of `f u` over all u it may end with.
    #[test]
    fn what_gives_puts_in_the_most_of_force_times_speed() {
        for (a, limit, compliance) in [(3.0, 1e30, 0.5), (-2.0, 1e30, 0.1), (2.0, 0.4, 0.1)] {
            let kind = ScalarKind::Bounded {
                velocity: a,
                limit,
                compliance,
            };
            let asked = ask(1.0, kind);
            let power = |u: f64| u * ((a - u) / compliance).clamp(-limit, limit);
            let speeds = (0..=4000).map(|k| a * f64::from(k) / 4000.0);
            let most = speeds.map(power).fold(0.0, f64::max);
            assert_eq!((asked.firm, asked.all), (0.0, a.abs()));
            assert!(most <= asked.work * (1.0 + 1e-12), "{most} {asked:?}");
            match limit < 1.0 {
                // As if all of its limit acted at all of its speed.
                true => assert_eq!(asked.work, limit * a.abs()),
                false => assert!(most > 0.999_999 * asked.work, "{most} {asked:?}"),
            }
        }
        // Asked for nothing, without compliance: 0/0 is no work.
        let still = ScalarKind::Bounded {
            velocity: 0.0,
            limit: 1e30,
            compliance: 0.0,
        };
        assert_eq!(ask(1.0, still).work, 0.0);
    }

    /// A limit that is scaled to a seventh asks for seven times the speed it names.
    #[test]
    fn a_scaled_row_asks_for_the_speed_of_what_it_moves() {
        let kind = ScalarKind::Unilateral { gap: -1.0 };
        let [whole, seventh] = [1.0, 1.0 / 7.0].map(|entry| ask(entry, kind).firm);
        assert!(whole > 0.0 && (seventh / whole - 7.0).abs() < 1e-12);
    }
}
