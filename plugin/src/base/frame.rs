//! What the whole step shares.

use crate::base::tolerances;
use stickslip_core::models::{Model, ModelName};

/// What the whole step shares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Time step \[s\].
    pub(crate) h: f64,
    /// Units of length to the metre.
    pub(crate) length_unit: f64,
    /// Gap up to which a contact is closed \[m\].
    pub(crate) closed_tolerance: f64,
    /// Gap up to which a contact asks for nothing \[m\]. Over h it would be a speed that no motion of a box could give to
    /// its four corners at once: the speeds within the tolerance have moved them apart. The convex laws open a contact
    /// that slides, by mu |u_t| h, so under them no gap is too small to count.
    pub(crate) no_gap: f64,
    /// Gap up to which a contact is in the problem, however slow its bodies \[m\].
    pub(crate) margin: f64,
    /// Overlap that is left as it is \[m\]: 10 um by default. Pushing a smaller one out opens other contacts
    /// of a structure by more than a gap that asks for nothing, and they close again: it would never come to rest.
    pub(crate) left_overlap: f64,
    /// Share of a coupling's or joint's error removed per step.
    pub(crate) baumgarte: f64,
    /// Largest velocity that pushes a joint back within its limits [m/s or rad/s].
    pub(crate) push_speed: f64,
    /// Whether errors of position are put right at the end of the step, without velocity; if not, velocities
    /// push them out, as far as they are at all.
    pub(crate) splits: bool,
    /// Whether only a contact that is closed at the start of a step has friction in it.
    pub(crate) needs_closed: bool,
    /// Whether the model asks what the velocities do to the rows of contacts.
    pub(crate) accelerations: bool,
}

impl Frame {
    /// Of a step of length `h` under a model, in a world in which a metre is `length_unit` units long.
    pub(crate) fn new(h: f64, model: &Model, length_unit: f64) -> Self {
        let settings = model.settings();
        let share = settings.baumgarte.min(settings.push_speed);
        // Bodies without inertia keep no velocity.
        let splits = share > 0.0 && model.name() != ModelName::QuasiStatic;
        Self {
            h,
            length_unit,
            closed_tolerance: settings.closed_tolerance,
            no_gap: match model.name() {
                ModelName::Ccp | ModelName::AnitescuPotra => 0.0,
                _ => 1e-6 * length_unit,
            },
            margin: tolerances::TOUCHING * length_unit,
            left_overlap: settings
                .closed_tolerance
                .max(tolerances::SAME_PLACE * length_unit),
            baumgarte: settings.baumgarte,
            push_speed: settings.push_speed,
            splits,
            needs_closed: matches!(
                model.name(),
                ModelName::NoSlip | ModelName::NoSlipReleasing | ModelName::Viscous
            ),
            accelerations: model.name().is_at_acceleration_level(),
        }
    }
}
