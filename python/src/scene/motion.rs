//! Where bodies and links are, and how they move.

use super::Scene;
use crate::error::{Error, Outcome};
use rapier3d_f64::prelude::*;

impl Scene {
    /// Rapier's body of a part.
    ///
    /// # Errors
    /// A part that is gone.
    pub fn rigid_body(&self, part: usize) -> Outcome<&RigidBody> {
        let own = self.names.alive(part)?;
        let body = self.world.bodies.get(own.body);
        body.ok_or_else(|| Error::Removed(format!("`{}` is gone", own.name)))
    }

    /// Pose of a part in the world.
    ///
    /// # Errors
    /// A part that is gone.
    pub fn pose(&self, part: usize) -> Outcome<Pose> {
        let body = self.rigid_body(part)?;
        Ok(body.position() * self.names.parts[part].offset)
    }

    /// Velocity of a part's origin [m/s] and its angular velocity [rad/s], world axes.
    ///
    /// # Errors
    /// A part that is gone.
    pub fn velocity(&self, part: usize) -> Outcome<[Vector; 2]> {
        let body = self.rigid_body(part)?;
        let arm = self.pose(part)?.translation - body.center_of_mass();
        Ok([body.linvel() + body.angvel().cross(arm), body.angvel()])
    }
}
