//! Coordinates, velocities and drives of a robot, read and written.

use super::Scene;
use super::parts::{Coordinate, Robot};
use crate::error::{Error, Outcome};
use rapier3d_f64::prelude::*;

/// What a drive has, in the order of [`Drives`].
pub const DRIVE: [&str; 3] = ["targets", "kp", "kd"];

/// Targets, stiffnesses and dampings of all joint coordinates of a robot.
pub type Drives = [Vec<f64>; 3];

fn multibody<'a>(sets: &'a PhysicsWorld, robot: &Robot) -> Option<&'a Multibody> {
    let id = sets.multibody_joints.rigid_body_link(robot.root)?;
    sets.multibody_joints.get_multibody(id.multibody)
}

/// A rotation as (w, x, y, z), the one of the two with w >= 0.
pub fn quaternion(q: Rotation) -> [f64; 4] {
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    [q.w, q.x, q.y, q.z].map(|x| sign * x)
}

/// A rotation from (w, x, y, z).
///
/// # Errors
/// Names `what` where it is no rotation.
pub fn rotation(what: &str, q: [f64; 4]) -> Outcome<Rotation> {
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(norm.is_finite() && norm > 1e-9) {
        return Err(Error::Input(format!(
            "{what} = {q:?} is no quaternion (w, x, y, z)"
        )));
    }
    let [w, x, y, z] = q.map(|x| x / norm);
    Ok(Rotation::from_xyzw(x, y, z, w))
}

impl Scene {
    /// Coordinates `q` of a robot (nq).
    pub fn q(&self, robot: usize, out: &mut Vec<f64>) {
        out.clear();
        let robot = &self.names.robots[robot];
        if robot.floating
            && let Some(base) = self.world.bodies.get(robot.root)
        {
            out.extend(base.translation().to_array());
            out.extend(quaternion(*base.rotation()));
        }
        let Some(multibody) = multibody(&self.world, robot) else {
            return;
        };
        for joint in robot.joints.iter() {
            let numbers = if joint.is_ball {
                joint.coordinates.len() - 3
            } else {
                joint.coordinates.len()
            };
            for at in &joint.coordinates[..numbers] {
                let link = multibody.link(at.link_id);
                out.push(link.map_or(0.0, |l| l.joint().coords()[at.axis]));
            }
            if joint.is_ball {
                let link = multibody.link(joint.coordinates[0].link_id);
                out.extend(
                    link.map_or([1.0, 0.0, 0.0, 0.0], |l| quaternion(l.joint().joint_rot())),
                );
            }
        }
    }

    /// Velocities `v` of a robot (nv).
    pub fn v(&self, robot: usize, out: &mut Vec<f64>) {
        out.clear();
        let robot = &self.names.robots[robot];
        match multibody(&self.world, robot) {
            Some(multibody) => out.extend(multibody.generalized_velocity().iter()),
            None if robot.floating => {
                if let Some(base) = self.world.bodies.get(robot.root) {
                    let arm = base.translation() - base.center_of_mass();
                    let linear = base.linvel() + base.angvel().cross(arm);
                    out.extend(linear.to_array());
                    out.extend(base.angvel().to_array());
                }
            }
            None => {}
        }
    }

    /// Puts a robot to the coordinates `q`; its velocities stay.
    ///
    /// # Errors
    /// A wrong number of them, one that is not finite, a quaternion of length zero.
    pub fn set_q(&mut self, robot: usize, q: &[f64]) -> Outcome<()> {
        let own = &self.names.robots[robot];
        check_numbers(&own.name, "q", q, own.nq())?;
        let mut q = q.iter().copied();
        let mut next = || q.next().unwrap_or_default();
        let mut base = None;
        if own.floating {
            let at = Vector::new(next(), next(), next());
            let turn = rotation(
                "the base's orientation in q",
                [next(), next(), next(), next()],
            )?;
            base = Some(Pose::from_parts(at, turn));
        }
        let mut moved = Vec::new();
        for joint in own.joints.iter() {
            let mut displacement = [0.0; 6];
            let all = joint.coordinates.len();
            let plain = if joint.is_ball { all - 3 } else { all };
            for x in &mut displacement[..plain] {
                *x = next();
            }
            if joint.is_ball {
                let what = format!("q of joint `{}`", joint.name);
                let turn = rotation(&what, [next(), next(), next(), next()])?;
                displacement[plain..plain + 3].copy_from_slice(&turn.to_scaled_axis().to_array());
            }
            moved.push((joint.coordinates[0].link_id, displacement));
        }
        let root = own.root;
        let sets = &mut self.world;
        if let Some(pose) = base
            && let Some(body) = sets.bodies.get_mut(root)
        {
            body.set_position(pose, true);
        }
        let Some(id) = sets.multibody_joints.rigid_body_link(root).copied() else {
            sets.bodies
                .propagate_modified_body_positions_to_colliders(&mut sets.colliders);
            return Ok(());
        };
        let Some(multibody) = sets.multibody_joints.get_multibody_mut(id.multibody) else {
            return Ok(());
        };
        for (link, displacement) in moved {
            let Some(link) = multibody.link_mut(link) else {
                continue;
            };
            // From zero, so that the coordinates are the given ones to the bit.
            let mut joint = MultibodyJoint::new(link.joint.data, link.joint.kinematic);
            for axis in 0..6 {
                let (stiffness, rest) = link.joint.spring(axis);
                joint.set_spring(axis, stiffness, rest);
            }
            joint.apply_displacement(&displacement);
            link.joint = joint;
        }
        multibody.forward_kinematics(&sets.bodies, true);
        for link in multibody.links() {
            if let Some(body) = sets.bodies.get_mut(link.rigid_body_handle())
                && body.is_dynamic()
            {
                body.set_position(*link.local_to_world(), true);
            }
        }
        sets.bodies
            .propagate_modified_body_positions_to_colliders(&mut sets.colliders);
        Ok(())
    }

    /// Sets the velocities `v` of a robot.
    ///
    /// # Errors
    /// A wrong number of them, one that is not finite.
    pub fn set_v(&mut self, robot: usize, v: &[f64]) -> Outcome<()> {
        let own = &self.names.robots[robot];
        check_numbers(&own.name, "v", v, own.nv())?;
        let (root, floating) = (own.root, own.floating);
        let sets = &mut self.world;
        let id = sets.multibody_joints.rigid_body_link(root).copied();
        let multibody = id.and_then(|id| sets.multibody_joints.get_multibody_mut(id.multibody));
        if let Some(multibody) = multibody {
            for (x, v) in multibody.generalized_velocity_mut().iter_mut().zip(v) {
                *x = *v;
            }
            sets.wake_up(root, true);
        } else if let (true, Some(base)) = (floating, sets.bodies.get_mut(root)) {
            let angular = Vector::new(v[3], v[4], v[5]);
            let arm = base.center_of_mass() - base.translation();
            base.set_linvel(Vector::new(v[0], v[1], v[2]) + angular.cross(arm), true);
            base.set_angvel(angular, true);
        }
        Ok(())
    }

    /// Targets, stiffnesses and dampings of a robot's drives.
    pub fn drives(&self, robot: usize) -> Drives {
        let robot = &self.names.robots[robot];
        let mut out: Drives = Default::default();
        let Some(multibody) = multibody(&self.world, robot) else {
            return out;
        };
        for at in robot.coordinates() {
            let motor = multibody
                .link(at.link_id)
                .map(|link| link.joint().data.motors[at.axis]);
            let motor = motor.unwrap_or_default();
            for (all, x) in out
                .iter_mut()
                .zip([motor.target_pos, motor.stiffness, motor.damping])
            {
                all.push(x);
            }
        }
        out
    }

    /// Sets the drives that differ from these; a drive of zero stiffness and damping is switched off.
    pub fn set_drives(&mut self, robot: usize, wanted: [&[f64]; 3]) {
        let own = &self.names.robots[robot];
        let sets = &mut self.world;
        let Some(id) = sets.multibody_joints.rigid_body_link(own.root).copied() else {
            return;
        };
        let Some(multibody) = sets.multibody_joints.get_multibody_mut(id.multibody) else {
            return;
        };
        let mut changed = false;
        let coordinates = own.joints.iter().flat_map(|joint| {
            let effort = joint.effort;
            joint.coordinates.iter().map(move |at| (at, effort))
        });
        for (k, (&Coordinate { link_id, axis }, effort)) in coordinates.enumerate() {
            let Some(link) = multibody.link_mut(link_id) else {
                continue;
            };
            let motor = &mut link.joint.data.motors[axis];
            let [target, kp, kd] = wanted.map(|all| all.get(k).copied().unwrap_or_default());
            let is_same = [motor.target_pos, motor.stiffness, motor.damping] == [target, kp, kd];
            if is_same {
                continue;
            }
            changed = true;
            let bit = JointAxesMask::from_bits_truncate(1 << axis);
            if !link.joint.data.motor_axes.contains(bit) {
                // It had no drive until now.
                link.joint.data.motor_axes |= bit;
                motor.model = MotorModel::ForceBased;
                motor.max_force = effort.unwrap_or(Real::MAX);
            }
            (motor.target_pos, motor.stiffness, motor.damping) = (target, kp, kd);
        }
        if changed {
            sets.wake_up(own.root, true);
        }
    }
}

/// Refuses a wrong number of numbers, and numbers that are not finite.
///
/// # Errors
/// Says which.
pub fn check_numbers(robot: &str, what: &str, given: &[f64], wanted: usize) -> Outcome<()> {
    if given.len() != wanted {
        return Err(Error::Input(format!(
            "`{robot}`: {what} has {} numbers, but {wanted} are wanted",
            given.len()
        )));
    }
    match given.iter().position(|x| !x.is_finite()) {
        Some(k) => Err(Error::Input(format!(
            "`{robot}`: {what}[{k}] is {}",
            given[k]
        ))),
        None => Ok(()),
    }
}
