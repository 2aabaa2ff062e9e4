//! A contact as it is measured.

use nalgebra::Vector3;
use stickslip_record::ContactRecord;

/// A contact of the last step, of stickslip or of rapier.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSample {
    /// Name of the pair of colliders (or bodies) that touch.
    pub pair: u64,
    /// The two colliders by their places in the engine's arena, where it has any.
    pub colliders: [Option<u32>; 2],
    /// Whether the contact was closed during the step.
    pub closed: bool,
    /// What it did. Rapier's own solver states neither tangents nor friction (zero), and the gap at the end of
    /// the step.
    pub record: ContactRecord,
}

impl ContactSample {
    /// Whether it pressed during the step.
    pub fn presses(&self) -> bool {
        self.record.normal_force > 0.0
    }

    /// Whether it is a contact of this body of the scene.
    pub fn touches(&self, body: usize) -> bool {
        self.record.bodies.contains(&Some(body))
    }

    /// Tangential speed at the end of the step [m/s].
    pub fn slip_speed(&self) -> f64 {
        self.record.slip_velocity.norm()
    }

    /// Unit tangents s and t.
    pub fn tangents(&self) -> [Vector3<f64>; 2] {
        let s = self.record.tangent;
        [s, self.record.normal.cross(&s)]
    }
}
