//! What the whole step shares.

use stickslip_core::models::{ContactModel, ModelName};

/// What the whole step shares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Time step \[s\].
    pub(crate) h: f64,
    /// Gap up to which a contact is closed \[m\].
    pub(crate) closed_tolerance: f64,
    /// Share of a coupling's or joint's error removed per step.
    pub(crate) baumgarte: f64,
    /// Largest velocity that pushes a joint back within its limits [m/s or rad/s].
    pub(crate) push_speed: f64,
    /// Whether errors of position are put right at the end of the step, without velocity; if not, velocities
    /// push them out, as far as they are at all.
    pub(crate) splits: bool,
    /// Whether the model asks what the velocities do to the rows of contacts.
    pub(crate) accelerations: bool,
}

impl Frame {
    /// Of a step of length `h` under a model.
    pub(crate) fn new(h: f64, model: &ContactModel) -> Self {
        let settings = model.settings();
        let share = settings.baumgarte.min(settings.push_speed);
        // Bodies without inertia keep no velocity.
        let splits = share > 0.0 && model.name() != ModelName::QuasiStatic;
        Self {
            h,
            closed_tolerance: settings.closed_tolerance,
            baumgarte: settings.baumgarte,
            push_speed: settings.push_speed,
            splits,
            accelerations: model.name().is_at_acceleration_level(),
        }
    }
}
