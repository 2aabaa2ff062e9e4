//! What a pipeline's user reads after a step, and says about materials.

use crate::base::contact::Contact;
use crate::contacts::material::{ContactMaterial, MaterialError};
use crate::joints::JointImpulse;
use crate::pipeline::ContactPipeline;
use rapier::prelude::*;
use stickslip_record::ContactRecord;

impl ContactPipeline {
    /// The contacts of the last step with their impulses.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The contacts of the last step between two colliders, in either order. The impulses are on
    /// the body that comes second in the contact itself.
    pub fn contacts_between(
        &self,
        a: ColliderHandle,
        b: ColliderHandle,
    ) -> impl Iterator<Item = &Contact> {
        self.contacts.iter().filter(move |contact| {
            let pair = contact.point.colliders;
            pair == [Some(a), Some(b)] || pair == [Some(b), Some(a)]
        })
    }

    /// What every enabled impulse joint did in the last step, in the order of rapier's set; joints
    /// between bodies that all move as prescribed are left out.
    pub fn joints(&self) -> &[JointImpulse] {
        self.joints.impulses()
    }

    /// What an impulse joint did in the last step. O(joints).
    pub fn joint_impulses(&self, joint: ImpulseJointHandle) -> Option<&JointImpulse> {
        self.joints().iter().find(|entry| entry.joint == joint)
    }

    /// The bodies that the last step set aside because a number of theirs was not finite (pose, velocity,
    /// force) or their mass unusable, or because their end velocity was no number: stopped and disabled where they
    /// were last known to be. The links of a multibody are set aside together. `set_enabled(true)`
    /// brings a body back once its numbers are right.
    ///
    /// The counterpart of `PhysicsPipeline::quarantine`.
    pub fn quarantined(&self) -> &[RigidBodyHandle] {
        self.quarantined.bodies()
    }

    /// The colliders that the last step disabled because their shape or place is not finite.
    pub fn quarantined_colliders(&self) -> &[ColliderHandle] {
        self.quarantined.colliders()
    }

    /// Coulomb coefficients along the tangents s and t of [`Self::contacts`]`[c]`, as the last step had them.
    pub fn friction_of(&self, c: usize) -> Option<[f64; 2]> {
        let data = self.problem().contacts().get(c)?;
        Some([data.mu, data.mu_across.unwrap_or(data.mu)])
    }

    /// The contacts of the last step, of length `h` \[s\], as a recorder takes them; `number` gives bodies
    /// their places in the scene. O(contacts).
    pub fn contact_records<F>(&self, h: f64, number: F) -> impl Iterator<Item = ContactRecord>
    where
        F: Fn(RigidBodyHandle) -> Option<usize>,
    {
        let contacts = self.contacts().iter().enumerate();
        contacts.map(move |(c, contact)| {
            let bodies = contact.point.bodies.map(|b| b.and_then(&number));
            contact.record(h, self.friction_of(c), bodies)
        })
    }

    /// Gives every contact the coefficients that rapier's colliders don't state, but for contacts of
    /// colliders with a material of their own.
    ///
    /// # Errors
    /// When a coefficient is negative or not finite; the old material then stays.
    pub fn set_material(&mut self, material: ContactMaterial) -> Result<(), MaterialError> {
        self.still.end();
        self.materials.set_common(material)
    }

    /// The material of every contact.
    pub fn material(&self) -> &ContactMaterial {
        self.materials.common()
    }

    /// Gives a collider a material of its own, or takes it away (`None`). In a contact of two colliders the
    /// coefficients are averaged, those of a collider without a material being zero; compliances add up,
    /// springs in series; the grain and `mu_across` are those of the one that has any, of the
    /// contact's first collider if both have a grain.
    ///
    /// # Errors
    /// When a coefficient is negative or not finite; the old material then stays.
    pub fn set_collider_material(
        &mut self,
        collider: ColliderHandle,
        material: Option<ContactMaterial>,
    ) -> Result<(), MaterialError> {
        self.still.end();
        self.materials.set_of_collider(collider, material)
    }

    /// The material of a collider, if it has one of its own.
    pub fn collider_material(&self, collider: ColliderHandle) -> Option<&ContactMaterial> {
        self.materials.of_collider(collider)
    }
}
