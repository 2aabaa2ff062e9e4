//! The motor of a robot's joint, wherever the engine has it.

use super::super::super::rapier::prelude::*;
use super::super::super::urdf::RobotHandles;
use super::convert::to_real;
use super::world::World;

/// The motor of a joint with one coordinate.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Motor {
    multibody: MultibodyIndex,
    link: usize,
    axis: JointAxis,
}

impl Motor {
    /// That of a joint of the model; `None` for one without a coordinate of its own.
    pub(in super::super) fn of(robot: &RobotHandles, joint: usize) -> Option<Self> {
        let place = robot.joints.get(joint)?.coordinates?;
        Some(Self {
            multibody: robot.multibody?,
            link: place.link_id,
            axis: place.axis,
        })
    }

    fn change(&self, world: &mut World, change: impl FnOnce(&mut JointMotor)) {
        let joints = &mut world.sets.multibody_joints;
        let link = joints
            .get_multibody_mut(self.multibody)
            .and_then(|multibody| multibody.link_mut(self.link));
        if let Some(link) = link {
            change(&mut link.joint.data.motors[self.axis as usize]);
        }
    }

    /// Position and velocity that spring and damper work towards [rad, rad/s or m, m/s].
    pub(in super::super) fn aim(&self, world: &mut World, position: f64, velocity: f64) {
        self.change(world, |motor| {
            motor.target_pos = to_real(position);
            motor.target_vel = to_real(velocity);
        });
    }

    /// Pushes with a force at most [N or N m] towards a velocity that it never reaches where something
    /// is in the way; `stiff` is the force per missing velocity.
    pub(in super::super) fn push(&self, world: &mut World, velocity: f64, force: f64, stiff: f64) {
        self.change(world, |motor| {
            motor.stiffness = 0.0;
            motor.damping = to_real(stiff);
            motor.target_vel = to_real(velocity);
            motor.max_force = to_real(force);
        });
    }
}
