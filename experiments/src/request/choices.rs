//! Flags that are choices: what they take is known to `--help`, to shell completions and to messages.

use super::asked::Model;
use crate::catalog::SCENARIOS;
use clap::builder::{PossibleValue, PossibleValuesParser};
use stickslip_core::report::SolverName;

/// A scenario by its name.
pub(crate) fn scenario() -> PossibleValuesParser {
    let values = SCENARIOS
        .iter()
        .map(|s| PossibleValue::new(s.name).help(s.doc));
    PossibleValuesParser::new(values)
}

/// A model by its name.
pub(crate) fn model() -> PossibleValuesParser {
    let values = Model::all().map(|m| PossibleValue::new(m.as_str()).help(m.doc()));
    PossibleValuesParser::new(values)
}

/// A solver by its name.
pub(crate) fn solver() -> PossibleValuesParser {
    let values = SolverName::ALL.map(|s| PossibleValue::new(s.as_str()));
    PossibleValuesParser::new(values)
}

/// A seed.
///
/// # Errors
/// When it is no whole number from 0 up.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}
