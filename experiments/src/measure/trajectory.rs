//! A mark of everything that moved in a run: equal marks, equal bits.

use crate::session::Session;
use nalgebra::Vector3;
use xxhash_rust::xxh64::Xxh64;

/// XXH64 over the bits of every step's body poses (position, quaternion) and contacts (gap, normal
/// force, friction force, slip), as little-endian f64, each list after its length.
#[derive(Clone)]
pub struct TrajectoryHash {
    state: Xxh64,
    bytes: Vec<u8>,
}

impl Default for TrajectoryHash {
    fn default() -> Self {
        Self {
            state: Xxh64::new(0),
            bytes: Vec::new(),
        }
    }
}

impl TrajectoryHash {
    /// Takes in the last step. O(bodies + contacts).
    pub fn add(&mut self, session: &dyn Session) {
        self.bytes.clear();
        let poses = session.body_poses();
        self.length(poses.len());
        for pose in &poses {
            self.vector(&pose.translation.vector);
            for x in &pose.rotation.coords {
                self.number(*x);
            }
        }
        let contacts = session.contacts();
        self.length(contacts.len());
        for contact in contacts.iter().map(|c| &c.record) {
            self.number(contact.gap);
            self.number(contact.normal_force);
            self.vector(&contact.friction_force);
            self.vector(&contact.slip_velocity);
        }
        self.state.update(&self.bytes);
    }

    fn length(&mut self, length: usize) {
        self.bytes.extend_from_slice(&(length as u64).to_le_bytes());
    }

    fn number(&mut self, x: f64) {
        self.bytes.extend_from_slice(&x.to_bits().to_le_bytes());
    }

    fn vector(&mut self, v: &Vector3<f64>) {
        for x in v {
            self.number(*x);
        }
    }

    /// The mark so far, with the name of its kind.
    pub fn text(&self) -> String {
        format!("xxh64:{:016x}", self.state.digest())
    }
}

/// The mark of a file's bytes.
pub fn bytes_hash(bytes: &[u8]) -> String {
    format!("xxh64:{:016x}", xxhash_rust::xxh64::xxh64(bytes, 0))
}
