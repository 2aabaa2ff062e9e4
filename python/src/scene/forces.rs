//! Forces that the user applies: on bodies, and along the coordinates of joints.

use super::Scene;
use crate::error::Outcome;
use rapier3d_f64::prelude::*;

impl Scene {
    /// Gives rapier's bodies what the user applies to them. A generalized force along a joint's coordinate is a torque about
    /// (a force along) its axis on the child and the opposite on the parent: the same power for every motion.
    pub(super) fn apply_forces(&mut self) {
        let is_driven = |tau: &[f64]| tau.iter().any(|t| *t != 0.0);
        let robots = self.names.robots.iter().enumerate();
        let robots = robots.filter(|(_, r)| !r.removed && is_driven(&r.tau));
        let driven: Vec<usize> = robots.map(|(number, _)| number).collect();
        if driven.is_empty() {
            return;
        }
        for &robot in &driven {
            for body in &self.names.robots[robot].bodies {
                self.world.push(*body, self.pushes.get(body).copied());
            }
        }
        for robot in driven {
            let robot = &self.names.robots[robot];
            let sets = &mut self.world;
            let Some(id) = sets.multibody_joints.rigid_body_link(robot.root).copied() else {
                continue;
            };
            let Some(multibody) = sets.multibody_joints.get_multibody(id.multibody) else {
                continue;
            };
            for (at, tau) in robot.coordinates().zip(&robot.tau) {
                let Some(link) = multibody.link(at.link_id).filter(|_| *tau != 0.0) else {
                    continue;
                };
                let parent = link.parent_id().and_then(|p| multibody.link(p));
                let Some(parent) = parent else { continue };
                let data = &link.joint().data;
                let frame = parent.local_to_world() * data.local_frame1;
                let axis = frame.rotation * Vector::ith(at.axis % 3, 1.0) * *tau;
                let place = link.local_to_world() * data.local_frame2.translation;
                for (body, sign) in [
                    (link.rigid_body_handle(), 1.0),
                    (parent.rigid_body_handle(), -1.0),
                ] {
                    let Some(body) = sets.bodies.get_mut(body) else {
                        continue;
                    };
                    if at.axis < 3 {
                        body.add_force_at_point(axis * sign, place, false);
                    } else {
                        body.add_torque(axis * sign, false);
                    }
                }
            }
        }
    }

    /// Force and torque of the user's on a part, at its body's centre of mass, world axes [N, N m].
    ///
    /// # Errors
    /// A part that is gone.
    pub fn push(&self, part: usize) -> Outcome<[Vector; 2]> {
        let body = self.names.alive(part)?.body;
        let push = self.pushes.get(&body).copied();
        Ok(push.unwrap_or([Vector::ZERO; 2]))
    }

    /// Sets the force and torque of the user's on a body, at its centre of mass, world axes.
    pub fn set_push(&mut self, body: RigidBodyHandle, push: [Vector; 2]) {
        let old = self.pushes.insert(body, push);
        if push == [Vector::ZERO; 2] {
            self.pushes.remove(&body);
        }
        if old != Some(push) {
            self.world.push(body, Some(push));
            self.world.wake_up(body, true);
        }
    }

    /// Sets the generalized forces along the coordinates of a robot's joints.
    pub fn set_tau(&mut self, robot: usize, tau: &[f64]) {
        let own = &mut self.names.robots[robot];
        if own.tau == tau {
            return;
        }
        own.tau.clear();
        own.tau.extend_from_slice(tau);
        // What was applied before goes; the step applies the new ones.
        let bodies = own.bodies.clone();
        for body in bodies {
            let push = self.pushes.get(&body).copied();
            self.world.push(body, push);
            self.world.wake_up(body, true);
        }
    }
}

trait Push {
    fn push(&mut self, body: RigidBodyHandle, push: Option<[Vector; 2]>);
}

impl Push for PhysicsWorld {
    /// Puts this force and torque in the place of all that is applied to a body.
    fn push(&mut self, body: RigidBodyHandle, push: Option<[Vector; 2]>) {
        if let Some(body) = self.bodies.get_mut(body) {
            let [force, torque] = push.unwrap_or([Vector::ZERO; 2]);
            body.reset_forces(false);
            body.reset_torques(false);
            body.add_force(force, false);
            body.add_torque(torque, false);
        }
    }
}
