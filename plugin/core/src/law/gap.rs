//! What a gap asks of the velocity along its normal: the offset b of a one-sided row.

use crate::problem::{ContactData, ContactProblem, RowId};
use crate::settings::ModelSettings;

impl ModelSettings {
    /// What a contact's compliance adds to its normal row, `C / h^2` [1/kg].
    #[inline]
    pub fn softness(&self, contact: &ContactData, h: f64) -> f64 {
        if contact.compliance == 0.0 {
            0.0
        } else {
            contact.compliance / (h * h)
        }
    }

    /// `b` of a gap alone: `phi / h` for `phi >= 0` (the row may close during the step and no
    /// further), else `max(K phi / h, -push_speed)` [m/s].
    #[inline]
    pub fn gap_velocity(&self, phi: f64, h: f64) -> f64 {
        if phi >= 0.0 {
            phi / h
        } else {
            (self.baumgarte * phi / h).max(-self.push_speed)
        }
    }

    /// `b` of a contact: [`Self::gap_velocity`] (for a compliant contact `phi / h` throughout, so that
    /// it rests at the depth of its compliance) and the drift of bodies that move as prescribed, plus
    /// Newton's restitution `e min(N v + drift, impact velocity)` where a closed contact approaches
    /// faster than the threshold. `normal_velocity` is its `N v` [m/s].
    #[inline]
    pub fn contact_velocity(&self, contact: &ContactData, normal_velocity: f64, h: f64) -> f64 {
        let gap = if contact.compliance > 0.0 {
            contact.phi / h
        } else {
            self.gap_velocity(contact.phi, h)
        };
        let b = gap + contact.normal_drift;
        let approach = (normal_velocity + contact.normal_drift).min(contact.impact_velocity);
        let bounces = contact.restitution > 0.0 && -approach > self.restitution_threshold;
        if bounces && self.is_closed(contact) {
            // What counts as closed has arrived: what is left of its gap is no part of the bounce.
            b.min(contact.normal_drift) + contact.restitution * approach
        } else {
            b
        }
    }

    /// `b` of a contact of a problem with its restitution, and without ([`Self::contact_velocity`]) [m/s].
    #[inline]
    pub fn demands(&self, problem: &ContactProblem, c: usize) -> [f64; 2] {
        let contact = &problem.contacts()[c];
        if contact.restitution == 0.0 || !self.is_closed(contact) {
            return [self.contact_velocity(contact, 0.0, problem.h()); 2];
        }
        let rate = problem.row(RowId(3 * c)).dot(problem.v());
        let still = ContactData {
            restitution: 0.0,
            ..*contact
        };
        [contact, &still].map(|contact| self.contact_velocity(contact, rate, problem.h()))
    }

    /// Whether a contact counts as closed.
    #[inline]
    pub fn is_closed(&self, contact: &ContactData) -> bool {
        contact.phi <= self.closed_tolerance
    }
}
