//! What a scenario is to its world.

use super::world::World;
use crate::error::CommandError;
use crate::session::Figures;
use crate::settings::RunSettings;
use stickslip_record::StepReport;

/// What a scenario adds to its world.
pub(in super::super) trait Scene: Send {
    /// Sets forces and targets before a step.
    fn control(&mut self, _world: &mut World) {}

    /// Looks at the world after a step; `report` is `None` under rapier's own pipeline.
    fn observe(&mut self, world: &World, report: Option<&StepReport>);

    /// Whether nothing is left to see.
    fn ended(&self) -> bool {
        false
    }

    /// The figures so far.
    fn figures(&mut self, world: &World) -> Result<Figures, CommandError>;
}

/// A world and the scenario in it.
pub(in super::super) type Built = (World, Box<dyn Scene>);

/// Steps before figures are taken, from the key `settle`; where its default is not inside the run,
/// the first half.
///
/// # Errors
/// When the user asked for a settling time that leaves nothing of the run.
pub(in super::super) fn settle_steps(settings: &RunSettings) -> Result<u64, CommandError> {
    let settle = settings.keys.number("settle")?;
    let steps = (settle / settings.dt).round() as u64;
    if steps >= settings.steps && settings.keys.is_default("settle")? {
        return Ok(settings.steps / 2);
    }
    if steps < settings.steps {
        return Ok(steps);
    }
    Err(CommandError::Usage(format!(
        "nothing is left to measure: settle = {settle} s of {} s; set a longer --duration or a shorter settle",
        settings.steps as f64 * settings.dt
    )))
}
