//! The sway of a body whose support changes sides.

use super::gait::{Phase, Place, Schedule};
use nalgebra::{Vector2, Vector3};
use std::f64::consts::TAU;

/// Samples of a period, and harmonics of it that the sway follows: the response falls with the square of their number.
const SAMPLES: u32 = 256;
const HARMONICS: usize = 5;

/// The periodic motion of the centre of mass, at constant height `z`, about which the feet that stand hold their balance.
///
/// The linear inverted pendulum `c'' = (g / z) (c - p)` with the centre of pressure `p(t)` has one bounded periodic
/// solution; by harmonics `c_k = p_k / (1 + (k w)^2 z / g)` [Kajita et al. 2001, The 3D linear inverted pendulum mode].
/// `p(t)` is the middle of the feet that stand. It is at rest in a trot, whose diagonal pairs have one middle, and in
/// a pace goes from side to side.
#[derive(Clone, Debug)]
pub(super) struct Sway {
    /// Cosine and sine parts of the harmonics \[m\].
    parts: [[Vector2<f64>; 2]; HARMONICS],
    /// Period \[s\].
    period: f64,
}

impl Sway {
    /// Of a gait over feet that rest at these places of the base's frame, under this gravity [m/s^2].
    pub(super) fn new(schedule: &Schedule, rest: &[Vector3<f64>; 4], gravity: f64) -> Self {
        let mut parts = [[Vector2::zeros(); 2]; HARMONICS];
        let period = schedule.period;
        let height = rest.iter().map(|foot| foot.z.abs()).sum::<f64>() / 4.0;
        let middle = |time: f64| {
            let stands = |place: &Place| matches!(schedule.phase(*place, time), Phase::Stance(_));
            let standing = Place::ALL.into_iter().filter(stands);
            let standing = standing.map(|place| rest[place as usize].xy());
            let (count, sum) = standing.fold((0.0, Vector2::zeros()), |(count, sum), at| {
                (count + 1.0, sum + at)
            });
            sum / f64::max(count, 1.0)
        };
        // From the second period on all feet keep to the schedule.
        for sample in 0..SAMPLES {
            let share = (f64::from(sample) + 0.5) / f64::from(SAMPLES);
            let at = middle((2.0 + share) * period) * (2.0 / f64::from(SAMPLES));
            for (k, part) in parts.iter_mut().enumerate() {
                let rate = TAU * (k + 1) as f64;
                let follows = 1.0 / (1.0 + (rate / period).powi(2) * height / gravity);
                let (sin, cos) = (rate * share).sin_cos();
                part[0] += at * (cos * follows);
                part[1] += at * (sin * follows);
            }
        }
        Self { parts, period }
    }

    /// Where the body is wanted from its line, at a time since the start of walking \[m\]. It grows over the first period.
    pub(super) fn at(&self, time: f64) -> Vector3<f64> {
        let share = time / self.period;
        let of = |(k, part): (usize, &[Vector2<f64>; 2])| {
            let (sin, cos) = (TAU * (k + 1) as f64 * share).sin_cos();
            part[0] * cos + part[1] * sin
        };
        let sum: Vector2<f64> = self.parts.iter().enumerate().map(of).sum();
        (sum * super::swing::smooth(share)).push(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::gait::Gait;
    use super::*;

    fn sway(gait: Gait) -> Sway {
        let rest = Place::ALL.map(|place| {
            let front = matches!(place, Place::LeftFront | Place::RightFront);
            let left = matches!(place, Place::LeftFront | Place::LeftHind);
            let side = |positive: bool| if positive { 1.0 } else { -1.0 };
            Vector3::new(0.2 * side(front), 0.1 * side(left), -0.3)
        });
        let schedule = Schedule {
            gait,
            duty: 0.75,
            period: 0.7,
        };
        Sway::new(&schedule, &rest, 9.81)
    }

    #[test]
    fn a_pace_sways_over_the_side_that_stands_and_a_trot_not_at_all() {
        let pace = sway(Gait::Pace);
        // The left feet swing in the first quarter of a period, the right ones in the third.
        let middles = [0.125, 0.625].map(|share| pace.at((1.0 + share) * 0.7));
        assert!(middles[0].y < -0.01 && middles[1].y > 0.01, "{middles:?}");
        assert!((middles[0] + middles[1]).norm() < 1e-9);
        assert!(sway(Gait::Trot).at(1.0).norm() < 1e-9);
    }

    #[test]
    fn the_sway_is_the_motion_of_an_inverted_pendulum() {
        let (pace, height, gravity) = (sway(Gait::Pace), 0.3, 9.81);
        // The centre of pressure that the motion asks for, c - (z / g) c'', has the mean of that of the feet while one
        // side stands: 0.1 m there, up to the harmonics that are left out.
        let d = 1e-4;
        let pressure = |time: f64| {
            let [before, now, after] = [-d, 0.0, d].map(|ahead| pace.at(time + ahead).y);
            now - height / gravity * (after - 2.0 * now + before) / (d * d)
        };
        let right = (0..100).map(|k| pressure(0.7 * (1.0 + 0.25 * (f64::from(k) + 0.5) / 100.0)));
        let mean = right.sum::<f64>() / 100.0;
        assert!((mean + 0.1).abs() < 0.02, "{mean}");
    }
}
