//! How a run ended: the word of the scenario, the bounds behind it, and the warnings of its steps.

use crate::digits::{count, number};
use serde::{Serialize, Serializer};
use stickslip_core::report::SolveReport;
use stickslip_rerun::{Warning, warnings};

/// A bound on a figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The figure must not be larger.
    AtMost(f64),
    /// The figure must not be smaller.
    AtLeast(f64),
}

impl Bound {
    /// Whether a value keeps the bound; a value that is not a number doesn't.
    pub fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtMost(bound) => value <= bound,
            Self::AtLeast(bound) => value >= bound,
        }
    }
}

/// A figure that the outcome of a scenario depends on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Criterion {
    /// Name of the figure.
    pub figure: String,
    /// Its value.
    pub value: f64,
    /// What it is held against.
    pub bound: Bound,
    /// Whether it keeps the bound.
    pub met: bool,
}

impl Criterion {
    /// Holds a figure against a bound.
    pub fn new(figure: &str, value: f64, bound: Bound) -> Self {
        Self {
            figure: figure.to_owned(),
            value,
            bound,
            met: bound.is_met(value),
        }
    }

    /// `drop_m 2.3e-16, at most 1.000e-3`, or how it misses.
    pub(crate) fn text(&self) -> String {
        let words = match (self.bound, self.met) {
            (Bound::AtMost(bound), true) => format!("at most {}", number(bound)),
            (Bound::AtMost(bound), false) => format!("above the bound {}", number(bound)),
            (Bound::AtLeast(bound), true) => format!("at least {}", number(bound)),
            (Bound::AtLeast(bound), false) => format!("below the bound {}", number(bound)),
        };
        format!("{} {}, {words}", self.figure, number(self.value))
    }
}

/// A kind of warning with the steps that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Warned {
    /// The kind, in words.
    #[serde(serialize_with = "in_words")]
    pub kind: Warning,
    /// Steps.
    pub steps: u64,
    /// The first of them.
    pub first_step: u64,
}

fn in_words<S: Serializer>(kind: &Warning, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.as_str())
}

/// The warnings of a run, the same that its recording shows step by step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Warnings(Vec<Warned>);

impl Warnings {
    /// Takes the warnings of a step.
    pub fn add(&mut self, step: u64, solve: &SolveReport) {
        for kind in warnings(solve) {
            match self.0.iter_mut().find(|w| w.kind == kind) {
                Some(known) => known.steps += 1,
                None => self.0.push(Warned {
                    kind,
                    steps: 1,
                    first_step: step,
                }),
            }
        }
    }

    /// All kinds, in the order in which they came.
    pub fn into_vec(self) -> Vec<Warned> {
        self.0
    }
}

impl Warned {
    /// The warning as a line: `warning: islands solved by a fallback in 3 steps, first in step 17`.
    pub fn text(&self) -> String {
        format!(
            "warning: {} in {}, first in step {}",
            self.kind.as_str(),
            count(self.steps, "step"),
            self.first_step
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_met_at_the_bound_and_never_by_a_nan() {
        assert!(Bound::AtMost(1.0).is_met(1.0) && Bound::AtLeast(1.0).is_met(1.0));
        assert!(!Bound::AtMost(1.0).is_met(1.5) && !Bound::AtLeast(1.0).is_met(0.5));
        assert!(!Bound::AtMost(1.0).is_met(f64::NAN) && !Bound::AtLeast(1.0).is_met(f64::NAN));
    }

    #[test]
    fn a_criterion_says_value_and_bound() {
        let text = |value, bound| Criterion::new("drop_m", value, bound).text();
        assert_eq!(
            text(0.5, Bound::AtMost(1.0)),
            "drop_m 0.5000, at most 1.000"
        );
        assert_eq!(
            text(2.0, Bound::AtMost(1.0)),
            "drop_m 2.000, above the bound 1.000"
        );
        assert_eq!(
            text(0.5, Bound::AtLeast(1.0)),
            "drop_m 0.5000, below the bound 1.000"
        );
    }

    #[test]
    fn warnings_are_counted_by_kind_with_the_first_step() {
        let fell_back = SolveReport {
            fallbacks: 2,
            ..SolveReport::default()
        };
        let mut warnings = Warnings::default();
        warnings.add(0, &SolveReport::default());
        warnings.add(4, &fell_back);
        warnings.add(9, &fell_back);
        let all = warnings.into_vec();
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].steps, all[0].first_step), (2, 4));
        assert!(all[0].text().ends_with("in 2 steps, first in step 4"));
    }
}
