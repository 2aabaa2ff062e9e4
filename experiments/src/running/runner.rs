//! Runs a scenario to its end.

pub use super::run::{Done, Run, RunRecorder, Tracing, session};

use super::drive::drive;
use super::interrupt::Stop;
use super::progress::Show;
use super::result::RunResult;
use crate::error::CommandError;
use crate::settings::RunSettings;

/// Builds and runs one scenario: what tests and benches call.
///
/// # Errors
/// Whatever went wrong on the way.
pub fn run(settings: &RunSettings) -> Result<RunResult, CommandError> {
    let run = Run::new(settings, Tracing::Off)?;
    let mut done = drive(vec![run], settings.steps, Show::Never, &Stop::default())?;
    let Some(done) = done.pop() else {
        return Err(CommandError::Scene("no result".to_owned()));
    };
    CommandError::all(done.troubles)?;
    Ok(done.result)
}
