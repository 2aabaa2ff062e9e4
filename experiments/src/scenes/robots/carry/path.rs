//! Where the hand goes: down to the cube, up with it, then to and fro ever harder.

use nalgebra::Vector3;
use std::f64::consts::TAU;

/// The way of the hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    /// Where the cube is taken \[m\].
    pub(super) cube: Vector3<f64>,
    /// From how far above it the hand comes, and how far it lifts it \[m\].
    pub(super) above: f64,
    /// Direction in which it shakes.
    pub(super) shake: Vector3<f64>,
    /// Growth of the shaking [m/s^2 per second].
    pub(super) growth: f64,
}

/// When each part ends \[s\]: approach, close, lift.
pub(super) const APPROACHED: f64 = 1.0;
pub(super) const CLOSED: f64 = 1.5;
pub(super) const LIFTED: f64 = 2.5;
/// Frequency of the shaking \[Hz\].
const FREQUENCY: f64 = 2.0;

/// From 0 to 1, at rest at both ends in velocity and acceleration.
fn ease(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * s * (10.0 + s * (6.0 * s - 15.0))
}

impl Path {
    /// Place of the hand at a time \[m\].
    pub(super) fn at(&self, time: f64) -> Vector3<f64> {
        let down = ease(time / APPROACHED);
        let up = ease((time - CLOSED) / (LIFTED - CLOSED));
        let high = self.cube + Vector3::z() * (self.above * (1.0 - down + up));
        let since = time - LIFTED;
        if since <= 0.0 {
            return high;
        }
        // The acceleration's amplitude grows in proportion to time; position and velocity begin at 0.
        let turn = TAU * FREQUENCY;
        high + self.shake * (self.growth * since / (turn * turn) * (turn * since).sin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: Path = Path {
        cube: Vector3::new(0.4, 0.0, 0.02),
        above: 0.1,
        shake: Vector3::new(0.0, 1.0, 0.0),
        growth: 2.0,
    };

    #[test]
    fn it_takes_and_lifts() {
        assert!((PATH.at(0.0) - (PATH.cube + Vector3::z() * 0.1)).norm() < 1e-15);
        assert!((PATH.at(1.2) - PATH.cube).norm() < 1e-15);
        assert!((PATH.at(2.5) - (PATH.cube + Vector3::z() * 0.1)).norm() < 1e-15);
    }

    #[test]
    fn the_shaking_grows_as_asked() {
        let (t, d) = (LIFTED + 4.125, 1e-4);
        let a = (PATH.at(t + d) + PATH.at(t - d) - PATH.at(t) * 2.0) / (d * d);
        // At a peak of the sine, after 4.125 s.
        assert!((a.y.abs() - 2.0 * 4.125).abs() < 1e-2, "{a}");
    }
}
