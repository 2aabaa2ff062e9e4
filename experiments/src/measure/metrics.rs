//! Accumulators the scenarios share.

use crate::session::ContactSample;
use std::collections::HashMap;

/// Slip, penetration and normal impulses of the contacts over time.
#[derive(Clone, Debug, Default)]
pub struct ContactMeter {
    slip: HashMap<u64, f64>,
    fastest: HashMap<u64, f64>,
    penetration: f64,
}

impl ContactMeter {
    /// Takes one step of length `dt` \[s\]. O(contacts).
    pub fn add(&mut self, contacts: &[ContactSample], dt: f64) {
        self.fastest.clear();
        for contact in contacts.iter().filter(|c| c.closed) {
            let speed = contact.slip_speed();
            let fastest = self.fastest.entry(contact.pair).or_insert(0.0);
            *fastest = larger(*fastest, speed);
            self.penetration = larger(self.penetration, -contact.record.gap);
        }
        for (pair, speed) in &self.fastest {
            *self.slip.entry(*pair).or_insert(0.0) += speed * dt;
        }
    }

    /// Largest slip of a pair \[m\]: the path integral of the tangential speed at its fastest closed
    /// contact. No contact of the pair slipped farther.
    pub fn slip_max(&self) -> f64 {
        self.slip.values().copied().fold(0.0, larger)
    }

    /// Deepest penetration of a closed contact \[m\].
    pub fn penetration_max(&self) -> f64 {
        self.penetration
    }
}

/// The larger of two numbers; a NaN wins, so that it can't hide.
pub fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Sum of the contact forces along `up` on everything that stands on `ground` \[N\], given what the
/// contacts do: positive carries weight.
pub fn ground_force(contacts: &[ContactSample], ground: usize) -> f64 {
    contacts
        .iter()
        .map(|c| &c.record)
        .map(|c| {
            let force = c.normal_force * c.normal.z;
            match c.bodies {
                [Some(b), _] if b == ground => force,
                [_, Some(b)] if b == ground => -force,
                _ => 0.0,
            }
        })
        .sum()
}

/// Whether a figure tells of the machine rather than of what was simulated, so that it differs from run to
/// run: times, memory and rates by the ends of their names.
pub fn of_the_machine(figure: &str) -> bool {
    let ends = ["_us", "_ms", "_bytes", "_real_time", "_wall_s"];
    ends.iter().any(|end| figure.ends_with(end))
}

/// Order of convergence from the errors at 2h and h: `log2(e(2h) / e(h))`.
pub fn observed_order(error_2h: f64, error_h: f64) -> f64 {
    (error_2h / error_h).log2()
}

/// Median and 99th percentile by nearest rank; NaN without samples. O(n log n).
pub fn percentiles(samples: &mut [f64]) -> [f64; 2] {
    samples.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let rank = (share * samples.len() as f64).ceil().max(1.0) as usize - 1;
        samples.get(rank).copied().unwrap_or(f64::NAN)
    };
    [at(0.5), at(0.99)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Point3, Vector3};
    use stickslip_record::{ContactRecord, ContactState};

    fn sample(pair: u64, speed: f64, closed: bool) -> ContactSample {
        ContactSample {
            pair,
            colliders: [None; 2],
            closed,
            record: ContactRecord {
                bodies: [Some(0), Some(1)],
                point: Point3::origin(),
                normal: Vector3::z(),
                tangent: Vector3::x(),
                friction: None,
                gap: -1e-4,
                normal_force: 0.5,
                friction_force: Vector3::zeros(),
                spin_torque: Vector3::zeros(),
                slip_velocity: Vector3::new(speed, 0.0, 0.0),
                state: ContactState::Sliding,
            },
        }
    }

    #[test]
    fn slip_is_the_path_of_the_fastest_closed_contact_of_a_pair() {
        let mut meter = ContactMeter::default();
        for _ in 0..10 {
            // There and back: a path doesn't cancel.
            meter.add(
                &[
                    sample(1, 0.1, true),
                    sample(1, 0.3, true),
                    sample(2, 0.2, true),
                ],
                0.01,
            );
            meter.add(&[sample(1, -0.3, true), sample(2, 9.0, false)], 0.01);
        }
        assert!((meter.slip_max() - 20.0 * 0.3 * 0.01).abs() < 1e-15);
        assert_eq!(meter.penetration_max(), 1e-4);
    }

    #[test]
    fn ground_force_counts_either_side_of_a_contact() {
        let mut below = sample(1, 0.0, true);
        let mut above = below.clone();
        below.record.bodies = [Some(7), Some(0)];
        above.record.bodies = [Some(0), Some(7)];
        above.record.normal = -Vector3::z();
        let other = sample(2, 0.0, true);
        let total = ground_force(&[below, above, other], 7);
        assert!((total - 2.0 * 0.5).abs() < 1e-12, "{total}");
    }

    #[test]
    fn a_nan_is_never_swallowed() {
        assert!(larger(f64::NAN, 1.0).is_nan() && larger(1.0, f64::NAN).is_nan());
    }

    #[test]
    fn percentiles_by_nearest_rank() {
        let mut samples: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        assert_eq!(percentiles(&mut samples), [100.0, 198.0]);
        assert!(percentiles(&mut []).iter().all(|x| x.is_nan()));
    }
}
