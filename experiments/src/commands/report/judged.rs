//! Whether a figure of ours is as it should be beside that of somebody else.

use serde::Serialize;
use stickslip_rerun::{GAP_FLOOR, SLIP_FLOOR};

/// What ours shall be beside theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Not larger in size.
    Less,
    /// Not smaller.
    More,
    /// The same, to this share in percent.
    Same(u8),
    /// Whatever it is.
    Either,
}

/// The word for [`Wanted::Same`].
pub(super) const SAME: &str = "the same";
/// Closed forms are met to this share: the error of the time steps, percent.
const THEORY: u8 = 2;
/// Commands are met to this share by the open-loop walkers, percent.
const COMMAND: u8 = 10;

impl Wanted {
    /// Of a figure beside that of `other`.
    pub(super) fn of(figure: &str, other: &str) -> Self {
        let more = ["speedup", "solved_share", "friction_share"];
        // Neither small nor large is good: theory or the command says what they should be.
        let aimed_at = ["period_s", "speed_mean"];
        match other {
            "theory" => Self::Same(THEORY),
            "command" => Self::Same(COMMAND),
            "mu D, wedged if less" => Self::Either,
            _ if more.iter().any(|word| figure.contains(word)) => Self::More,
            _ if aimed_at.iter().any(|word| figure.contains(word)) => Self::Either,
            _ => Self::Less,
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Less => "less",
            Self::More => "more",
            Self::Same(_) => SAME,
            Self::Either => "either",
        }
    }

    /// Whether ours is as wanted. Of `less` the sizes count: errors have either sign. Below `floor` there is nothing
    /// that could be less.
    fn is_met(self, ours: f64, theirs: f64, floor: f64) -> Option<bool> {
        match self {
            Self::Less => Some(ours.abs() <= theirs.abs().max(floor)),
            Self::More => Some(ours >= theirs),
            Self::Same(percent) => {
                let share = f64::from(percent) / 100.0;
                Some((ours - theirs).abs() <= share * theirs.abs())
            }
            Self::Either => None,
        }
    }
}

/// What counts as none of a figure: lengths and speeds that are round-off, and that no recording shows.
fn floor(figure: &str) -> f64 {
    if figure.ends_with("_m_per_s") {
        SLIP_FLOOR
    } else if figure.ends_with("_m") {
        GAP_FLOOR
    } else {
        0.0
    }
}

/// Whether a figure is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Judged {
    /// It is.
    Pass,
    /// It is not, or is not stated.
    Miss,
    /// There is nothing that it should be.
    NoBound,
}

impl Judged {
    /// Of a figure of ours beside that of somebody else, if there is one.
    pub(super) fn of(figure: &str, ours: Option<f64>, other: Option<&(String, f64)>) -> Self {
        let met = match (ours, other) {
            (_, None) => None,
            (None, Some(_)) => Some(false),
            (Some(ours), Some((who, theirs))) => {
                Wanted::of(figure, who).is_met(ours, *theirs, floor(figure))
            }
        };
        match met {
            Some(true) => Self::Pass,
            Some(false) => Self::Miss,
            None => Self::NoBound,
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Miss => "miss",
            Self::NoBound => "no bound",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(figure: &str, ours: f64, who: &str, theirs: f64) -> Judged {
        Judged::of(figure, Some(ours), Some(&(who.to_owned(), theirs)))
    }

    #[test]
    fn errors_count_by_their_size_and_shares_by_their_value() {
        assert_eq!(judged("stop_error_rel", -0.2, "DART", 0.3), Judged::Pass);
        assert_eq!(judged("stop_error_rel", -0.4, "DART", 0.3), Judged::Miss);
        assert_eq!(judged("solved_share_016", 0.9, "paper", 1.0), Judged::Miss);
        assert_eq!(judged("period_s", 1.74, "theory", 1.75), Judged::Pass);
        assert_eq!(judged("period_s", 1.70, "theory", 1.75), Judged::Miss);
        let host = judged("period_s", 1.758, "rapier, in the same run", 1.757);
        assert_eq!(host, Judged::NoBound);
        assert_eq!(
            judged("speed_m_per_s", 0.046, "command", 0.05),
            Judged::Pass
        );
        assert_eq!(
            judged("speed_m_per_s", 0.044, "command", 0.05),
            Judged::Miss
        );
        assert_eq!(judged("creep", f64::NAN, "DART", 0.3), Judged::Miss);
    }

    #[test]
    fn round_off_is_not_beaten_by_less_round_off() {
        assert_eq!(judged("lift_max_m", 4e-16, "rapier", 0.0), Judged::Pass);
        assert_eq!(judged("lift_max_m", 2e-9, "rapier", 0.0), Judged::Miss);
        let creep = |ours| judged("creep_m_per_s", ours, "rapier", 1e-16);
        assert_eq!([creep(-3e-14), creep(-3e-9)], [Judged::Pass, Judged::Miss]);
        assert_eq!(judged("error_rel", 1e-12, "rapier", 0.0), Judged::Miss);
    }

    #[test]
    fn what_is_not_stated_is_missed_and_what_nobody_states_has_no_bound() {
        let other = ("theory".to_owned(), 1.0);
        assert_eq!(Judged::of("period_s", None, Some(&other)), Judged::Miss);
        assert_eq!(Judged::of("period_s", Some(1.0), None), Judged::NoBound);
        let peg = judged("depth_m", 0.08, "mu D, wedged if less", 0.012);
        assert_eq!(peg, Judged::NoBound);
    }
}
