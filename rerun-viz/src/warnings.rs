//! What a step of a solver has to warn of: the same in a recording and in a table.

use stickslip_core::report::{SolveReport, SolveStatus};

/// What went wrong in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Warning {
    /// Islands have no usable answer and moved as if nothing touched.
    NoAnswer,
    /// The anchors of a joint are apart.
    JointsOpen,
    /// Islands were solved by another solver than the one chosen.
    Fallback,
    /// The residual of an applied answer misses its tolerance.
    MissedTolerance,
    /// Rows that contradict each other were relaxed.
    Relaxed,
    /// The releasing form fell back to the bilateral one.
    ReleaseFailed,
}

impl Warning {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoAnswer => "no usable answer, moved as if nothing touched",
            Self::JointsOpen => "a joint is open by more than 1 mm",
            Self::Fallback => "solved by a fallback",
            Self::MissedTolerance => "the residual misses the tolerance",
            Self::Relaxed => "contradictory constraints were relaxed",
            Self::ReleaseFailed => "the releasing form fell back to the bilateral one",
        }
    }

    /// Whether what moved is wrong, rather than less exact or slower than it should be.
    pub fn is_error(self) -> bool {
        self == Self::NoAnswer
    }
}

/// The warnings of a step, the worst first.
pub fn warnings(solve: &SolveReport) -> impl Iterator<Item = Warning> {
    let all = [
        (
            Warning::NoAnswer,
            solve.failures > 0 || !solve.status.is_usable(),
        ),
        (Warning::JointsOpen, solve.status == SolveStatus::JointsOpen),
        (Warning::Fallback, solve.fallbacks > 0),
        (Warning::MissedTolerance, solve.unverified > 0),
        (Warning::Relaxed, solve.relaxed > 0.0),
        (Warning::ReleaseFailed, solve.release_failed),
    ];
    all.into_iter().filter_map(|(kind, is)| is.then_some(kind))
}
