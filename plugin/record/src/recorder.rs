//! Who takes records.

use crate::scene::SceneRecord;
use crate::step::StepRecord;

/// Receives records; it can never change the simulation.
pub trait Recorder {
    /// Why a record could not be taken.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Takes what does not change, once, before the first step.
    ///
    /// # Errors
    /// When the sink refuses it.
    fn begin(&mut self, scene: &SceneRecord) -> Result<(), Self::Error>;

    /// Takes one step.
    ///
    /// # Errors
    /// When the sink refuses it.
    fn record(&mut self, step: &StepRecord) -> Result<(), Self::Error>;

    /// Completes the recording. A file appears under its name only now, whole.
    ///
    /// # Errors
    /// When the sink cannot be completed.
    fn finish(&mut self) -> Result<(), Self::Error>;
}
