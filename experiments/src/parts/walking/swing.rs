//! The path of a swinging foot: cubic splines between lift-off, apex and touchdown.

use nalgebra::Vector3;

/// A swing in the base's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swing {
    /// Where the foot left the ground \[m\].
    pub(super) from: Vector3<f64>,
    /// Where it is to touch down \[m\].
    pub(super) to: Vector3<f64>,
    /// Velocity of the ground against the base, which the foot has at both ends [m/s].
    pub(super) ground: Vector3<f64>,
    /// How far above the higher end it rises \[m\].
    pub(super) height: f64,
    /// How long it takes \[s\].
    pub(super) duration: f64,
}

/// Cubic from 0 to 1 with slopes of zero at both ends.
pub(super) fn smooth(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

impl Swing {
    /// Place of the foot when a share of the swing is done (0..1).
    pub(super) fn at(&self, share: f64) -> Vector3<f64> {
        let s = share.clamp(0.0, 1.0);
        // Hermite cubic with the ground's velocity at both ends.
        let (blend, slope) = (smooth(s), s * (s - 1.0) * (2.0 * s - 1.0));
        let mut at =
            self.from + (self.to - self.from) * blend + self.ground * (self.duration * slope);
        let apex = self.from.z.max(self.to.z) + self.height;
        at.z = if s < 0.5 {
            self.from.z + (apex - self.from.z) * smooth(2.0 * s)
        } else {
            apex + (self.to.z - apex) * smooth(2.0 * s - 1.0)
        };
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SWING: Swing = Swing {
        from: Vector3::new(-0.02, 0.1, -0.15),
        to: Vector3::new(0.03, 0.11, -0.14),
        ground: Vector3::new(-0.05, 0.0, 0.0),
        height: 0.015,
        duration: 0.175,
    };

    #[test]
    fn it_leaves_and_lands_at_rest_against_the_ground() {
        assert!((SWING.at(0.0) - SWING.from).norm() < 1e-15);
        assert!((SWING.at(1.0) - SWING.to).norm() < 1e-15);
        let d = 1e-6;
        for (a, b) in [(0.0, d), (1.0 - d, 1.0)] {
            let velocity = (SWING.at(b) - SWING.at(a)) / (d * SWING.duration);
            assert!((velocity - SWING.ground).norm() < 1e-4, "{velocity}");
        }
    }

    #[test]
    fn it_rises_above_the_higher_end() {
        assert!((SWING.at(0.5).z - (-0.14 + 0.015)).abs() < 1e-15);
    }
}
