//! Which foot stands when.

/// Where a leg is on the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// Left front.
    LeftFront,
    /// Right front.
    RightFront,
    /// Left hind.
    LeftHind,
    /// Right hind.
    RightHind,
}

impl Place {
    /// All four, in the order of every array of legs.
    pub(crate) const ALL: [Self; 4] = [
        Self::LeftFront,
        Self::RightFront,
        Self::LeftHind,
        Self::RightHind,
    ];

    /// Short name.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::LeftFront => "LF",
            Self::RightFront => "RF",
            Self::LeftHind => "LH",
            Self::RightHind => "RH",
        }
    }
}

/// The order in which feet touch down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gait {
    /// Diagonal pairs in turn.
    Trot,
    /// One foot after the other: hind, then front of the same side.
    Walk,
    /// Pairs of one side in turn.
    Pace,
    /// All feet stand.
    Stand,
}

impl Gait {
    /// The gait of a name.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text {
            "trot" => Some(Self::Trot),
            "walk" => Some(Self::Walk),
            "pace" => Some(Self::Pace),
            "stand" => Some(Self::Stand),
            _ => None,
        }
    }

    /// Phases of the period at which the feet touch down, left front, right front, left hind, right
    /// hind. The trot is the paper's [D15, sec. VII-B].
    fn touchdowns(self) -> [f64; 4] {
        match self {
            Self::Trot => [0.25, 0.75, 0.75, 0.25],
            Self::Walk => [0.25, 0.75, 0.0, 0.5],
            Self::Pace => [0.25, 0.75, 0.25, 0.75],
            Self::Stand => [0.0; 4],
        }
    }

    /// Share of the period for which a foot stands, where nothing else is asked for.
    pub(crate) fn duty(self) -> f64 {
        match self {
            Self::Trot | Self::Pace => 0.75,
            Self::Walk => 0.85,
            Self::Stand => 1.0,
        }
    }

    /// Whether the feet that stand are on one side at a time: the body has to be over them before the others lift.
    pub(super) fn sways(self) -> bool {
        self == Self::Pace
    }
}

/// What a foot does, and how much of it is done (0..1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Phase {
    /// Stands.
    Stance(f64),
    /// Swings forwards.
    Swing(f64),
}

/// A gait in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Schedule {
    /// Order of the feet.
    pub(crate) gait: Gait,
    /// Share of the period for which a foot stands, 0.5..1.
    pub(crate) duty: f64,
    /// Period \[s\].
    pub(crate) period: f64,
}

impl Schedule {
    /// Whether feet ever leave the ground.
    pub(crate) fn lifts(&self) -> bool {
        self.gait != Gait::Stand && self.duty < 1.0
    }

    /// What a leg does at a time since the start of walking \[s\]; before its first swing it stands.
    pub(crate) fn phase(&self, leg: Place, time: f64) -> Phase {
        if !self.lifts() {
            return Phase::Stance(0.5);
        }
        let touchdown = self.gait.touchdowns()[leg as usize];
        let cycles = time / self.period - touchdown;
        let (whole, share) = (cycles.floor(), cycles - cycles.floor());
        // Before the first touchdown lies a swing only where it would begin after the start.
        let first = whole < 0.0 && touchdown < 1.0 - self.duty;
        if share < self.duty || first {
            Phase::Stance((share / self.duty).min(1.0))
        } else {
            Phase::Swing((share - self.duty) / (1.0 - self.duty))
        }
    }

    /// Time a foot stands \[s\].
    pub(crate) fn stance(&self) -> f64 {
        self.duty * self.period
    }

    /// Time a foot swings \[s\].
    pub(crate) fn swing(&self) -> f64 {
        (1.0 - self.duty) * self.period
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TROT: Schedule = Schedule {
        gait: Gait::Trot,
        duty: 0.75,
        period: 0.7,
    };

    fn swings(schedule: &Schedule, time: f64) -> Vec<Place> {
        let legs = Place::ALL.into_iter();
        legs.filter(|leg| matches!(schedule.phase(*leg, time), Phase::Swing(_)))
            .collect()
    }

    #[test]
    fn a_trot_swings_diagonal_pairs_in_turn() {
        // Touchdown at 0.25 of the period after a swing of 0.25.
        assert_eq!(
            swings(&TROT, 0.7 * 1.1),
            [Place::LeftFront, Place::RightHind]
        );
        assert_eq!(
            swings(&TROT, 0.7 * 1.6),
            [Place::RightFront, Place::LeftHind]
        );
        assert!(swings(&TROT, 0.7 * 1.4).is_empty());
    }

    #[test]
    fn every_foot_stands_for_its_duty() {
        for gait in [Gait::Trot, Gait::Walk, Gait::Pace] {
            let schedule = Schedule {
                gait,
                duty: 0.8,
                period: 1.0,
            };
            for leg in Place::ALL {
                let stands = (0..1000)
                    .map(|k| 5.0 + (f64::from(k) + 0.5) / 1000.0)
                    .filter(|t| matches!(schedule.phase(leg, *t), Phase::Stance(_)))
                    .count();
                assert!((799..=801).contains(&stands), "{leg:?} {stands}");
            }
        }
    }

    #[test]
    fn a_walk_never_lifts_two_feet() {
        let walk = Schedule {
            gait: Gait::Walk,
            duty: Gait::Walk.duty(),
            period: 1.0,
        };
        for k in 0..1000 {
            assert!(swings(&walk, 3.0 + f64::from(k) / 1000.0).len() <= 1);
        }
    }

    #[test]
    fn no_swing_is_under_way_at_the_start() {
        for gait in [Gait::Trot, Gait::Walk, Gait::Pace, Gait::Stand] {
            let schedule = Schedule {
                gait,
                duty: gait.duty(),
                period: 0.7,
            };
            for leg in Place::ALL {
                match schedule.phase(leg, 0.0) {
                    Phase::Stance(_) => {}
                    Phase::Swing(share) => assert!(share < 1e-9, "{gait:?} {leg:?} {share}"),
                }
            }
        }
    }
}
