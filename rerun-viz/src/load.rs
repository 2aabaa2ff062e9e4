//! Which contacts of a step carry a load.

use nalgebra::Vector3;
use std::collections::HashSet;
use stickslip_record::{ContactRecord, ContactState};

/// A contact that carries less than this share of the largest normal force of the step counts as unloaded: a
/// foot that is about to leave the ground may slip as it likes.
const LOADED: f64 = 0.05;

/// Gap up to which a contact is closed where no friction says so \[m\]: what the models take for closed in f64. In f32
/// they take ten times that, and nearly always the friction says so.
const CLOSED: f64 = 1e-6;

/// Whether friction acts on a contact, or would if there were any. Models of sticking stop a foot that comes down
/// without friction, in steps that begin with a gap: it doesn't slip yet.
pub(crate) fn is_held(contact: &ContactRecord) -> bool {
    contact.gap <= CLOSED || contact.friction_force != Vector3::zeros()
}

/// The loads of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loads {
    /// The largest normal force \[N\].
    pub largest: f64,
}

impl Loads {
    /// O(contacts).
    pub fn of(contacts: &[ContactRecord]) -> Self {
        let forces = contacts.iter().map(|c| c.normal_force);
        Self {
            largest: forces.filter(|f| f.is_finite()).fold(0.0, f64::max),
        }
    }

    /// Whether a contact carries a load. One whose force is not a number does, so that it can't hide.
    pub fn is_loaded(&self, contact: &ContactRecord) -> bool {
        contact.state != ContactState::Separated && self.share(contact) >= LOADED
    }

    /// The normal force of a contact over the largest of the step.
    pub fn share(&self, contact: &ContactRecord) -> f64 {
        if contact.normal_force.is_finite() && self.largest > 0.0 {
            contact.normal_force / self.largest
        } else {
            1.0
        }
    }
}

/// Which bodies pressed each other in the last step. A foot that is set down is stopped by the impulse of one
/// step, in which it still moves along the ground: it slips only if it does so in the next step too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pressing {
    /// `None` before the first step, of which nothing is known.
    pairs: Option<HashSet<[Option<usize>; 2]>>,
    /// Kept for its memory.
    spare: HashSet<[Option<usize>; 2]>,
}

impl Pressing {
    /// Whether the bodies of a contact pressed each other in the step before this one.
    pub fn did(&self, contact: &ContactRecord) -> bool {
        let known = self.pairs.as_ref();
        known.is_none_or(|pairs| pairs.contains(&contact.bodies))
    }

    /// Ends a step with these contacts. O(contacts).
    pub fn end_step(&mut self, contacts: &[ContactRecord]) {
        let mut now = std::mem::take(&mut self.spare);
        now.clear();
        let pressed = contacts
            .iter()
            .filter(|c| c.state != ContactState::Separated);
        now.extend(pressed.map(|c| c.bodies));
        self.spare = self.pairs.replace(now).unwrap_or_default();
    }
}
