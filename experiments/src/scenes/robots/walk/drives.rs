//! The drives of the legs: spring and damper to moving targets, with a torque beside.

use super::super::super::super::urdf::RobotHandles;
use super::super::super::stage::motor::Motor;
use super::super::super::stage::world::World;
use super::legs::Leg;
use crate::walking::Step;

/// The motors of the legs.
pub(super) struct Drives {
    motors: [[Option<Motor>; 3]; 4],
    stiffness: f64,
}

impl Drives {
    pub(super) fn new(robot: &RobotHandles, legs: &[Leg; 4], stiffness: f64) -> Self {
        Self {
            motors: legs
                .each_ref()
                .map(|leg| leg.joints.map(|joint| Motor::of(robot, joint))),
            stiffness,
        }
    }

    /// Sets the targets: those wanted at the end of a period of control, `left` seconds before it.
    ///
    /// A motor gives `kp (q* - q) + kd (v* - v)`, bounded by the effort: a torque beside is a shift of
    /// `q*` by `torque / kp`.
    pub(super) fn set(&self, world: &mut World, wanted: &Step, left: f64) {
        for (leg, joints) in self.motors.iter().zip(&wanted.joints) {
            for (motor, target) in leg.iter().zip(joints) {
                let shift = target.torque / self.stiffness - target.velocity * left;
                if let Some(motor) = motor {
                    motor.aim(world, target.position + shift, target.velocity);
                }
            }
        }
    }
}
