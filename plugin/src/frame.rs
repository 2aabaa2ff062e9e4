//! What the whole step shares.

use stickslip_core::models::{ContactModel, ModelName};

/// Speed up to which a penetration may be pushed out by a velocity that stays [m/s]: worth five
/// micrometres of height. Beyond it positions are put right instead.
const GENTLE: f64 = 0.01;

/// What bodies that move as told do to those they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Told {
    /// They carry and push them.
    Carries,
    /// They hold them at rest, since what they ask for contradicts itself; positions are put right
    /// afterwards.
    Holds,
}

/// What becomes of contacts that close faster than the restitution threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Impacts {
    /// They bounce as their coefficients of restitution say.
    Bounce,
    /// They end at rest, since what is in the way would have to be flung aside.
    Stop,
}

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
    /// Depth from which a penetration is put right at the end of the step, without velocity \[m\].
    pub(crate) deep: f64,
    /// Whether contacts with bodies that move as told, and moving surfaces, take others along.
    pub(crate) told: Told,
    /// Whether contacts bounce.
    pub(crate) impacts: Impacts,
    /// Whether the model asks what the velocities do to the rows of contacts.
    pub(crate) accelerations: bool,
}

impl Frame {
    /// Of a step of length `h` under a model.
    pub(crate) fn new(h: f64, model: &dyn ContactModel) -> Self {
        let settings = model.settings();
        let share = settings.baumgarte.min(settings.push_speed);
        // Bodies without inertia keep no velocity.
        let splits = share > 0.0 && model.name() != ModelName::QuasiStatic;
        Self {
            h,
            closed_tolerance: settings.closed_tolerance,
            baumgarte: settings.baumgarte,
            push_speed: settings.push_speed,
            deep: if splits {
                GENTLE * h / settings.baumgarte
            } else {
                f64::INFINITY
            },
            told: Told::Carries,
            impacts: Impacts::Bounce,
            accelerations: model.name().is_at_acceleration_level(),
        }
    }
    /// The same with every penetration put right without velocity.
    pub(crate) fn without_pushes(self) -> Self {
        Self { deep: 0.0, ..self }
    }

    /// The same with nothing asked of contacts but what bodies that move as told ask.
    pub(crate) fn inelastic(self) -> Self {
        Self {
            impacts: Impacts::Stop,
            ..self.without_pushes()
        }
    }

    /// The same with nothing asked of contacts that rest does not meet.
    pub(crate) fn at_rest(self) -> Self {
        Self {
            told: Told::Holds,
            ..self.without_pushes()
        }
    }

    /// Whether penetrations may be put right without velocity at all.
    pub(crate) fn splits(&self) -> bool {
        self.deep.is_finite()
    }

    /// Whether a rigid contact with this gap is put right without velocity.
    pub(crate) fn is_deep(&self, gap: f64) -> bool {
        gap < -self.deep
    }
}
