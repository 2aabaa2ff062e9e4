//! Reading rapier's multibody into its tree: what changed since the last step, and only that.

use super::{Coupling, Seen, TreeBody, is_untouched};
use crate::base::convert::{isometry, real, rotation, vector};
use nalgebra::Vector3;
use rapier::math::{Pose, Vector};
use rapier::prelude::*;
use stickslip_dynamics::{TreeError, Twist};

impl TreeBody {
    /// Reads what changed since the last step: masses, frames, coordinates, velocities, forces. False if
    /// they make no step.
    pub(super) fn read(&mut self, set: &RigidBodySet, multibody: &Multibody, h: f64) -> bool {
        let Ok(moved) = self.read_links(set, multibody) else {
            self.unread = true;
            return false;
        };
        for (v, x) in self
            .v
            .iter_mut()
            .zip(multibody.generalized_velocity().iter())
        {
            *v = real(*x);
        }
        let mut turned = moved;
        self.read_root(set, h, &mut turned);
        turned |= self.v != self.state.velocity();
        if moved {
            self.tree.forward_kinematics(&mut self.state);
        }
        // In f32 velocities are rounded when they are written: they differ in every step, and poses do not.
        if turned {
            self.state.velocity_mut().copy_from_slice(&self.v);
            self.tree.update_velocities(&mut self.state);
        }
        self.read_forces(set);
        self.axes.read(multibody, &self.v, h);
        self.read_couplings(multibody);
        self.v.iter().all(|v| v.is_finite())
    }

    fn read_links(&mut self, set: &RigidBodySet, multibody: &Multibody) -> Result<bool, TreeError> {
        let (mut changed, mut heavier) = (self.unread, false);
        for (number, link) in multibody.links().enumerate() {
            let Some(rb) = set.get(link.rigid_body_handle()) else {
                continue;
            };
            let joint = link.joint();
            let q = joint.coords();
            let now = Seen {
                coords: [q[0], q[1], q[2], q[3], q[4], q[5]],
                rotation: joint.joint_rot(),
                frames: [joint.data.local_frame1, joint.data.local_frame2],
                mass: rb.mass_properties().local_mprops,
                gravity_scale: rb.gravity_scale(),
            };
            let before = self.seen[number].replace(now).filter(|_| !self.unread);
            if before == Some(now) {
                continue;
            }
            changed = true;
            let is = |f: fn(&Seen) -> [Pose; 2]| before.is_some_and(|b| f(&b) == f(&now));
            if !is(|s| s.frames) {
                let [frame1, frame2] = now.frames.map(|f| isometry(&f));
                self.tree.set_frames(number, frame1, frame2)?;
            }
            let heavy = |b: Seen| b.mass == now.mass && b.gravity_scale == now.gravity_scale;
            heavier |= !before.is_some_and(heavy);
            self.read_position(number, joint);
        }
        if heavier {
            self.read_masses(set)?;
        }
        self.unread = false;
        Ok(changed)
    }

    fn read_position(&mut self, number: usize, joint: &MultibodyJoint) {
        let q = joint.coords();
        let position = &mut self.state.positions_mut()[number];
        position.linear = Vector3::new(real(q[0]), real(q[1]), real(q[2]));
        let free = !joint.data.locked_axes.bits() >> 3 & 0b111;
        if free == 0b111 {
            position.rotation = rotation(joint.joint_rot());
        } else if free != 0 {
            position.angle = real(q[3 + free.trailing_zeros() as usize]);
        }
    }

    /// Takes the coordinates again after they were displaced.
    pub(crate) fn read_positions(&mut self, multibody: &Multibody) {
        for (number, link) in multibody.links().enumerate() {
            let joint = link.joint();
            self.read_position(number, joint);
            if let Some(seen) = &mut self.seen[number] {
                let q = joint.coords();
                seen.coords = [q[0], q[1], q[2], q[3], q[4], q[5]];
                seen.rotation = joint.joint_rot();
            }
        }
    }

    /// A root that moves as prescribed has a velocity of its own; a velocity that the user gave to a
    /// floating root's body since the last step replaces the coordinates' (rapier loses it).
    fn read_root(&mut self, set: &RigidBodySet, h: f64, turned: &mut bool) {
        let Some(rb) = set.get(self.root()) else {
            return;
        };
        if !rb.is_dynamic() {
            let (linear, angular, com) = crate::read::prescribed::prescribed_twist(rb, h);
            let origin = vector(rb.translation());
            let twist = Twist::new(linear + angular.cross(&(origin - com.coords)), angular);
            *turned |= twist != self.state.root_velocity;
            self.state.root_velocity = twist;
        } else if [rb.linvel(), rb.angvel()] != self.root_velocity && self.tree.has_floating_base()
        {
            let angular = vector(rb.angvel());
            let arm = vector(rb.translation()) - vector(rb.center_of_mass());
            let linear = vector(rb.linvel()) + angular.cross(&arm);
            self.v[..3].copy_from_slice(linear.as_slice());
            self.v[3..6].copy_from_slice(angular.as_slice());
        }
    }

    fn read_forces(&mut self, set: &RigidBodySet) {
        self.state.clear_forces();
        for (number, &handle) in self.links.iter().enumerate() {
            let Some(rb) = set.get(handle) else { continue };
            let (force, torque) = (rb.user_force(), rb.user_torque());
            if force != Vector::ZERO || torque != Vector::ZERO {
                self.tree
                    .add_force(&mut self.state, number, &vector(force), &vector(torque));
            }
        }
    }

    fn read_couplings(&mut self, multibody: &Multibody) {
        self.couplings.clear();
        for coupling in multibody.couplings() {
            let ends = [
                (coupling.link1, coupling.dof1, coupling.axis1),
                (coupling.link2, coupling.dof2, coupling.axis2),
            ];
            let mut coordinates = [0; 2];
            let mut q = [0.0; 2];
            for (k, (link, dof, axis)) in ends.into_iter().enumerate() {
                let Some(link) = multibody.link(link) else {
                    continue;
                };
                coordinates[k] = link.assembly_id() + dof;
                q[k] = real(link.joint().coords()[axis]);
            }
            let coeff = real(coupling.coeff);
            self.couplings.push(Coupling {
                coordinates,
                entries: [-coeff, 1.0],
                error: q[1] - coeff * q[0] - real(coupling.offset),
            });
        }
    }

    pub(super) fn is_fresh(&self, multibody: &Multibody, set: &RigidBodySet) -> bool {
        self.is_for(multibody) && is_untouched(&self.seen, self.root_pose, multibody, set)
    }
}
