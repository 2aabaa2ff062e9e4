//! Scenario keys: what `--set key=value` may say, with defaults, and the values of one run.

use crate::error::CommandError;
use std::fmt;

/// Bounds of a number above zero.
pub(crate) const POSITIVE: (f64, f64) = (1e-9, f64::MAX);
/// Bounds of a number from zero up.
pub(crate) const FROM_ZERO: (f64, f64) = (0.0, f64::MAX);
/// Bounds of a number of either sign.
pub(crate) const ANY: (f64, f64) = (-1e6, 1e6);

/// What a key accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number between the two bounds, both included.
    Number(f64, f64),
    /// A whole number between the two bounds, both included.
    Whole(u32, u32),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any text; the scenario checks it.
    Text,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(lower, upper) if *upper == f64::MAX => {
                write!(f, "a number from {lower} up")
            }
            Self::Number(lower, upper) => write!(f, "a number from {lower} to {upper}"),
            Self::Whole(lower, upper) => write!(f, "a whole number from {lower} to {upper}"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Self::Text => f.write_str("text"),
        }
    }
}

/// A key of a scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Name on the command line.
    pub name: &'static str,
    /// What it accepts.
    pub kind: Kind,
    /// Value when not set.
    pub default: &'static str,
    /// One line: meaning and unit.
    pub doc: &'static str,
}

impl Key {
    /// A number with bounds.
    pub const fn number(
        name: &'static str,
        default: &'static str,
        bounds: (f64, f64),
        doc: &'static str,
    ) -> Self {
        let kind = Kind::Number(bounds.0, bounds.1);
        Self {
            name,
            kind,
            default,
            doc,
        }
    }

    /// A whole number with bounds.
    pub const fn whole(
        name: &'static str,
        default: &'static str,
        bounds: (u32, u32),
        doc: &'static str,
    ) -> Self {
        let kind = Kind::Whole(bounds.0, bounds.1);
        Self {
            name,
            kind,
            default,
            doc,
        }
    }

    /// A choice between words.
    pub const fn choice(
        name: &'static str,
        default: &'static str,
        words: &'static [&'static str],
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            kind: Kind::Choice(words),
            default,
            doc,
        }
    }

    /// Free text.
    pub const fn text(name: &'static str, default: &'static str, doc: &'static str) -> Self {
        Self {
            name,
            kind: Kind::Text,
            default,
            doc,
        }
    }

    pub(super) fn check(&self, value: &str) -> Result<(), CommandError> {
        let fits = match self.kind {
            Kind::Number(lower, upper) => value
                .parse::<f64>()
                .is_ok_and(|x| x.is_finite() && (lower..=upper).contains(&x)),
            Kind::Whole(lower, upper) => whole(value).is_some_and(|n| (lower..=upper).contains(&n)),
            Kind::Choice(words) => words.contains(&value),
            Kind::Text => true,
        };
        if fits {
            return Ok(());
        }
        Err(CommandError::Usage(format!(
            "key `{}` must be {}, not `{value}` ({})",
            self.name, self.kind, self.doc
        )))
    }
}

/// A whole number, as `1000` or `1e3`.
pub(super) fn whole(text: &str) -> Option<u32> {
    let number = text.parse::<f64>().ok()?;
    let fits = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
    fits.then_some(number as u32)
}
