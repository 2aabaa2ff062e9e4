//! What one step of a run is: poses, motions, joints, contacts.

use crate::report::StepReport;
use nalgebra::{Isometry3, Point3, Vector3};

/// What a contact does during a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactState {
    /// No normal impulse.
    Separated,
    /// Pressed, tangential speed zero to round-off.
    Sticking,
    /// Pressed and sliding.
    Sliding,
}

/// One contact of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRecord {
    /// The two bodies, as indices into [`SceneRecord::bodies`](crate::SceneRecord::bodies) where they are known there.
    pub bodies: [Option<usize>; 2],
    /// The contact point in the world \[m\].
    pub point: Point3<f64>,
    /// Unit normal from body 0 to body 1, in the world.
    pub normal: Vector3<f64>,
    /// Unit tangent s, in the world; t is `normal x s`. Zero where it is not known.
    pub tangent: Vector3<f64>,
    /// Coulomb coefficients along s and t, where they are known.
    pub friction: Option<[f64; 2]>,
    /// Gap at the start of the step \[m\]; negative = penetration.
    pub gap: f64,
    /// Force on body 1 along the normal \[N\] (impulse / h).
    pub normal_force: f64,
    /// Tangential force on body 1, in the world \[N\].
    pub friction_force: Vector3<f64>,
    /// Torque on body 1 by torsional and rolling friction, in the world [N m].
    pub spin_torque: Vector3<f64>,
    /// Tangential velocity of body 1 relative to body 0 at the end of the step, in the world [m/s].
    pub slip_velocity: Vector3<f64>,
    /// What it does.
    pub state: ContactState,
}

impl ContactRecord {
    /// The share of its friction bound that a contact uses, `|(f_s / mu_s, f_t / mu_t)| / f_n`: at most 1
    /// under Coulomb's law, `|f_t| / (mu f_n)` where both coefficients are the same. `None` where no
    /// coefficient is known or nothing presses, infinite where friction acts without any.
    pub fn utilisation(&self) -> Option<f64> {
        let [mu_s, mu_t] = self.friction?;
        if self.normal_force <= 0.0 {
            return None;
        }
        let share = |force: f64, mu: f64| if force == 0.0 { 0.0 } else { force.abs() / mu };
        let used = if mu_s == mu_t {
            share(self.friction_force.norm(), mu_s)
        } else {
            let across = self.normal.cross(&self.tangent);
            let along = share(self.friction_force.dot(&self.tangent), mu_s);
            along.hypot(share(self.friction_force.dot(&across), mu_t))
        };
        Some(used / self.normal_force)
    }
}

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionRecord {
    /// Velocity of its centre of mass, in the world [m/s].
    pub linear: Vector3<f64>,
    /// Angular velocity, in the world [rad/s].
    pub angular: Vector3<f64>,
}

/// What a joint does at the end of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointSample {
    /// Its position [rad or m].
    pub position: f64,
    /// Its velocity [rad/s or m/s].
    pub velocity: f64,
    /// The position that its drive aims at [rad or m], if it aims at one.
    pub target: Option<f64>,
    /// Effort of its drive during the step [N m or N], if it is known.
    pub effort: Option<f64>,
}

/// Everything a viewer or a metric needs of one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepRecord {
    /// Number of the step, from 0.
    pub step: u64,
    /// Simulated time at the end of the step \[s\].
    pub time: f64,
    /// Poses of the bodies in the world (`X_WB`), in the order of [`SceneRecord::bodies`](crate::SceneRecord::bodies).
    pub body_poses: Vec<Isometry3<f64>>,
    /// How the bodies move, in the same order; empty where it is not known.
    pub body_motions: Vec<MotionRecord>,
    /// What the joints do, in the order of [`SceneRecord::joints`](crate::SceneRecord::joints); empty where it is not known.
    pub joints: Vec<JointSample>,
    /// Sum of the forces that the user applies to bodies, in the world \[N\].
    pub applied_force: Vector3<f64>,
    /// The contacts.
    pub contacts: Vec<ContactRecord>,
    /// What the step says about itself.
    pub report: StepReport,
}

#[cfg(test)]
mod tests;
