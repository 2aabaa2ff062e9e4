//! Scenarios that need no engine: contact problems made here, solved by the core.
//!
//! They run in f64 whatever `--precision` says, and there is nothing in them for rapier's own solver.

mod bench;
mod body;
mod painleve;
mod polygon;
mod table;

use crate::catalog::ScenarioId;
use crate::error::CommandError;
use crate::session::Session;
use crate::settings::RunSettings;

/// The scenario of a run, if it is one of these.
///
/// # Errors
/// Under the model `host`, which solves rapier scenes only.
pub(crate) fn session(settings: &RunSettings) -> Result<Option<Box<dyn Session>>, CommandError> {
    Ok(Some(match settings.scenario.id {
        ScenarioId::Polygon => Box::new(polygon::Sweep::new(settings)?),
        ScenarioId::ContactTable => Box::new(table::Table::new(settings)?),
        ScenarioId::Painleve => Box::new(painleve::Rod::new(settings)?),
        _ => return Ok(None),
    }))
}
