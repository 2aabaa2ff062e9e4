//! Actuators of a model of MuJoCo: from controls to drives and efforts.

use super::Scene;
use crate::error::{Error, Outcome};
use rapier3d_f64::prelude::*;
use serde::{Deserialize, Serialize};

/// An actuator on one coordinate x of a joint. With the length l = gear x its force is gain u + bias (1, l, dl/dt), and it
/// pushes the coordinate with gear times that.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Actuator {
    /// Its name.
    pub name: String,
    /// Its place among the coordinates of the robot's joints.
    pub coordinate: usize,
    /// Length per coordinate.
    pub gear: f64,
    /// Force per control.
    pub gain: f64,
    /// Force, force per length, force per speed.
    pub bias: [f64; 3],
    /// Range of the control.
    pub control: Option<[f64; 2]>,
    /// Range of the force.
    pub force: Option<[f64; 2]>,
}

impl Scene {
    /// Gives an actuator to that one of these robots whose joint moves this body.
    pub(super) fn add_actuator(
        &mut self,
        robots: &[usize],
        body: Option<RigidBodyHandle>,
        mut actuator: Actuator,
    ) {
        let Some(body) = body else { return };
        let Some(link) = self.world.multibody_joints.rigid_body_link(body).copied() else {
            return;
        };
        let joints = &mut self.world.multibody_joints;
        for &robot in robots {
            let own = &mut self.names.robots[robot];
            if !own.bodies.contains(&body) {
                continue;
            }
            let place = own.coordinates().position(|c| c.link_id == link.id);
            let Some(place) = place else { return };
            actuator.coordinate = place;
            let axis = own.coordinates().nth(place).map_or(0, |c| c.axis);
            let is_spring = actuator.bias[1] < 0.0;
            let most = actuator.force.filter(|_| is_spring);
            let most = most.map(|[low, high]| low.abs().max(high.abs()) * actuator.gear.abs());
            if let (Some(most), Some(multibody)) = (most, joints.get_multibody_mut(link.multibody))
                && let Some(link) = multibody.link_mut(link.id)
            {
                // The drive is switched on by its gains, and keeps its bound.
                let bit = JointAxesMask::from_bits_truncate(1 << axis);
                link.joint.data.motor_axes |= bit;
                link.joint.data.motors[axis].model = MotorModel::ForceBased;
                link.joint.data.motors[axis].max_force = most;
            }
            own.actuators.push(actuator);
            return;
        }
    }

    /// Hands the controls of a robot's actuators to its drives and efforts: targets, stiffnesses and dampings of the
    /// coordinates that an actuator drives, and what is left as efforts.
    ///
    /// # Errors
    /// A wrong number of controls, one that is not finite.
    pub fn control(&mut self, robot: usize, controls: &[f64]) -> Outcome<()> {
        let own = self.names.robot_alive(robot)?;
        super::coords::check_numbers(&own.name, "ctrl", controls, own.actuators.len())?;
        if own.actuators.is_empty() {
            return Ok(());
        }
        let n = own.joint_dofs();
        let [mut targets, mut kp, mut kd] = self.drives(robot);
        let mut tau = own.tau.clone();
        let mut feed = vec![None; n];
        for (actuator, u) in own.actuators.iter().zip(controls) {
            let [low, high] = actuator.control.unwrap_or([f64::MIN, f64::MAX]);
            let [rest, spring, damper] = actuator.bias;
            let (place, gear) = (actuator.coordinate, actuator.gear);
            let mut force = actuator.gain * u.max(low).min(high) + rest;
            if let (Some([low, high]), true) = (actuator.force, spring >= 0.0) {
                force = force.max(low).min(high);
            }
            let (stiffness, damping) = (-spring * gear * gear, -damper * gear * gear);
            let (sum, old_kp, old_kd) = feed[place].unwrap_or((0.0, 0.0, 0.0));
            feed[place] = Some((
                sum + gear * force,
                old_kp + stiffness.max(0.0),
                old_kd + damping.max(0.0),
            ));
        }
        for (place, feed) in feed.into_iter().enumerate() {
            let Some((sum, stiffness, damping)) = feed else {
                continue;
            };
            (kp[place], kd[place]) = (stiffness, damping);
            let is_servo = stiffness > 0.0;
            targets[place] = if is_servo { sum / stiffness } else { 0.0 };
            tau[place] = if is_servo { 0.0 } else { sum };
        }
        if let Some(bad) = targets.iter().find(|x| !x.is_finite()) {
            return Err(Error::Input(format!(
                "a control asks for the position {bad}"
            )));
        }
        self.set_drives(robot, [&targets, &kp, &kd]);
        self.set_tau(robot, &tau);
        Ok(())
    }
}
