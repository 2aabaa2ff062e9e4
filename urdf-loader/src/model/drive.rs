//! What a file says about motors and their controllers. The simulation uses the rotor inertia on
//! request; the rest is kept for controllers.

/// `<safety_controller>`: soft limits of a controller. The simulation doesn't apply them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SafetyController {
    /// Lower soft limit (rad or m).
    pub soft_lower: f64,
    /// Upper soft limit (rad or m).
    pub soft_upper: f64,
    /// Gain from position to velocity limit (1/s).
    pub k_position: f64,
    /// Gain from velocity to effort limit (N m s/rad or N s/m).
    pub k_velocity: f64,
}

/// `<calibration>`: joint positions at which a reference switch changes (rad or m).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Calibration {
    /// Where it changes while the joint moves up.
    pub rising: Option<f64>,
    /// Where it changes while the joint moves down.
    pub falling: Option<f64>,
}

/// `<transmission>`: motors and the joints they drive.
#[derive(Debug, Clone, PartialEq)]
pub struct Transmission {
    /// Name (may be empty).
    pub name: String,
    /// Its type as written, for example `transmission_interface/SimpleTransmission`.
    pub kind: String,
    /// Indices of the joints it drives.
    pub joints: Vec<usize>,
    /// Its motors.
    pub actuators: Vec<Actuator>,
}

/// A motor of a [`Transmission`].
#[derive(Debug, Clone, PartialEq)]
pub struct Actuator {
    /// Name (may be empty).
    pub name: String,
    /// Turns of the motor per turn of the joint (`mechanicalReduction`, `gear_ratio`); 1 if not
    /// stated.
    pub reduction: f64,
    /// Inertia of the rotor about its own axis (kg m^2), where the file gives one.
    pub rotor_inertia: Option<f64>,
}

impl Actuator {
    /// Rotor inertia as the joint feels it: reduction^2 I (kg m^2).
    pub fn reflected_inertia(&self) -> Option<f64> {
        self.rotor_inertia
            .map(|i| self.reduction * self.reduction * i)
    }
}
