//! How a rigid body turns: the free angular velocity of a step, and the free flight of a body that
//! nothing touches.

use crate::base::tolerances;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use stickslip_core::kit::TURN;

/// Angular velocity after `h` under a torque, semi-implicit in the gyroscopic term `g(w) = w x I w`:
/// `(I + h dg/dw) dw = h (torque - g(w))`, `dg/dw = [w]x I - [I w]x`. World axes. g does no work: where the body turns so
/// far that this has more energy than without g, it is slowed to that (rods on joints gain a thousandfold at a radian a
/// step).
pub(crate) fn spin_step(
    inertia: &Matrix3<f64>,
    angular: &Vector3<f64>,
    torque: &Vector3<f64>,
    gyroscopic: bool,
    h: f64,
) -> Vector3<f64> {
    let after = |lhs: Matrix3<f64>, rhs: Vector3<f64>| match lhs.lu().solve(&rhs) {
        Some(change) => angular + change,
        None => *angular,
    };
    let plain = match *torque == Vector3::zeros() {
        true => *angular,
        false => after(*inertia, torque * h),
    };
    if !gyroscopic {
        return plain;
    }
    let momentum = inertia * angular;
    let bend = angular.cross_matrix() * inertia - momentum.cross_matrix();
    let spin = after(inertia + bend * h, (torque - angular.cross(&momentum)) * h);
    let [now, most] = [&spin, &plain].map(|spin| spin.dot(&(inertia * spin)));
    match now > most {
        true => spin * (most / now).sqrt(),
        false => spin,
    }
}

/// Orientation (body to world) after `h` of a body that turns freely with the angular momentum
/// `momentum` (world axes), and its angular velocity then. `inverse` is the inverse inertia in
/// the body's axes.
///
/// With the momentum `p` in body axes the step turns the body by `h w`, `w = I^-1 (p + p')/2`, where
/// `p' = exp(-h w) p`. Turning p about w gives `p' - p = 2 tan(|h w|/2)/|w| (p + p')/2 x w`, so that
/// `(p' - p) . I^-1 (p + p') = 0`: the kinetic energy `p . I^-1 p / 2` stays, as does the momentum in
/// the world, both to round-off and at any step; the error is one of phase, O(h^2). (Buss, *Accurate
/// and efficient simulation of rigid-body rotations*, 2000, has the same idea of a mean.)
pub(crate) fn free_flight(
    inverse: &Matrix3<f64>,
    rotation: &UnitQuaternion<f64>,
    momentum: &Vector3<f64>,
    h: f64,
) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let mut rotation = *rotation;
    let speed = (inverse * (rotation.inverse() * momentum)).norm();
    let parts = (speed * h / TURN).ceil().clamp(1.0, tolerances::MOST_PARTS);
    for _ in 0..parts as usize {
        let start = rotation.inverse() * momentum;
        rotation *= part(inverse, &start, h / parts);
    }
    let spin = rotation * (inverse * (rotation.inverse() * momentum));
    (rotation, spin)
}

/// The turn `exp(h w)` of a part of a flight that starts with momentum `start` in body axes: Newton's
/// method for the mean x of the momenta before and after,
/// `x - start = (h/2) c x x w`, `w = I^-1 x`, `c = tan(|h w|/2) / (|h w|/2)`.
fn part(inverse: &Matrix3<f64>, start: &Vector3<f64>, h: f64) -> UnitQuaternion<f64> {
    let mut mean = *start;
    // Each step doubles the digits: three or four are made.
    for _ in 0..f64::MANTISSA_DIGITS {
        let spin = inverse * mean;
        let (stretch, slope) = half_tangent(0.5 * h * spin.norm());
        let cross = mean.cross(&spin);
        let off = mean - start - cross * (0.5 * h * stretch);
        let unmet = off.norm() > 4.0 * f64::EPSILON * start.norm();
        let bend = mean.cross_matrix() * inverse - spin.cross_matrix();
        let along = inverse * spin * (0.25 * h * h * slope);
        let lhs = Matrix3::identity() - (bend * stretch + cross * along.transpose()) * (0.5 * h);
        match lhs.lu().solve(&off) {
            Some(change) if unmet => mean -= change,
            _ => break,
        }
    }
    UnitQuaternion::from_scaled_axis(inverse * mean * h)
}

/// `c = tan(a)/a` and `(dc/da)/a`.
fn half_tangent(a: f64) -> (f64, f64) {
    if a < 1e-3 {
        return (1.0 + a * a / 3.0, 2.0 / 3.0);
    }
    let c = a.tan() / a;
    (c, (1.0 + a * a * c * c - c) / (a * a))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    /// A torque-free symmetric top (I1 = I2 = 2, I3 = 1) precesses about its momentum at the
    /// rate |L| / I1; one small step must turn the angular velocity by that much.
    #[test]
    fn a_symmetric_top_precesses_at_l_over_i1() {
        let inertia = Matrix3::from_diagonal(&Vector3::new(2.0, 2.0, 1.0));
        let w = Vector3::new(0.3, 0.0, 5.0);
        let h = 1e-5;
        let next = spin_step(&inertia, &w, &Vector3::zeros(), true, h);
        // Euler's equations: I1 dw1 = (I2 - I3) w2 w3, I2 dw2 = (I3 - I1) w3 w1.
        let expected = Vector3::new(0.0, (1.0 - 2.0) * 5.0 * 0.3 / 2.0, 0.0);
        let rate = (next - w) / h;
        assert!((rate - expected).norm() < 1e-4 * expected.norm(), "{rate}");
    }

    /// Any body, turned by 0.01 to 30 rad in a step: no more energy than the torque alone gives it.
    #[test]
    fn the_gyroscopic_torque_does_no_work() {
        for k in 0..200 {
            let x = f64::from(k);
            let axis = Vector3::new((1.3 * x).sin(), (2.1 * x + 1.0).sin(), (0.7 * x).cos());
            let turn = Rotation3::from_scaled_axis(axis * 3.0);
            let own = Matrix3::from_diagonal(&Vector3::new(0.01 + (0.3 * x).sin().abs(), 1.0, 1.1));
            let inertia = turn.matrix() * own * turn.matrix().transpose();
            let h = 1.0 / 60.0;
            let w = Vector3::new((0.9 * x).cos(), (1.7 * x).sin(), (2.9 * x + 0.4).sin());
            for angle in [0.01, 0.3, 1.0, 3.0, 30.0] {
                let w = w.normalize() * (angle / h);
                for torque in [Vector3::zeros(), Vector3::new(1.0, -2.0, 0.5)] {
                    let energy = |w: Vector3<f64>| w.dot(&(inertia * w));
                    let spin = spin_step(&inertia, &w, &torque, true, h);
                    let plain = spin_step(&inertia, &w, &torque, false, h);
                    let torqued = inertia.try_inverse().unwrap() * torque * h;
                    assert!((plain - w - torqued).norm() < 1e-10 * (1.0 + w.norm()));
                    assert!(energy(spin) <= energy(plain) * (1.0 + 1e-12), "{k} {angle}");
                }
            }
        }
    }

    /// A top flies on for 2 s with its axis going round the momentum at |L| / I1 and the body round
    /// its axis: orientation and velocity against the closed form, at second order in h.
    #[test]
    fn a_symmetric_top_flies_as_its_closed_form_says() {
        let (i1, i3) = (2.0, 1.0);
        let inertia = Vector3::new(i1, i1, i3);
        let inverse = Matrix3::from_diagonal(&inertia.map(f64::recip));
        let w = Vector3::new(1.5, 0.0, 5.0);
        let momentum = inertia.component_mul(&w);
        // R(t) = exp(t L/I1) exp(t e3 (w3 - L3/I1)).
        let own = w.z - momentum.z / i1;
        let exact = |t: f64| {
            UnitQuaternion::from_scaled_axis(momentum * (t / i1))
                * UnitQuaternion::from_scaled_axis(Vector3::z() * (own * t))
        };
        let error = |steps: usize| {
            let h = 2.0 / steps as f64;
            let mut r = UnitQuaternion::identity();
            for _ in 0..steps {
                r = free_flight(&inverse, &r, &momentum, h).0;
            }
            r.angle_to(&exact(2.0))
        };
        let [coarse, fine] = [error(200), error(400)];
        let order = (coarse / fine).log2();
        assert!((1.9..2.1).contains(&order), "{coarse:e} {fine:e}: {order}");
        assert!(fine < 1e-3, "{fine:e}");
    }

    /// Momentum is given; the energy stays for shapes from a coin to a needle, at steps of up to many
    /// turns.
    #[test]
    fn energy_stays_at_any_step() {
        for inertia in [[1.0, 2.0, 2.9], [1.0, 1.0, 2.0], [1e-3, 1.0, 1.0]] {
            let inertia = Vector3::from(inertia);
            let inverse = Matrix3::from_diagonal(&inertia.map(f64::recip));
            for speed in [1.0, 30.0, 300.0] {
                let momentum = inertia.component_mul(&Vector3::new(0.2, 1.0, 0.1)) * speed;
                let mut r = UnitQuaternion::identity();
                let energy = |spin: &Vector3<f64>| 0.5 * momentum.dot(spin);
                let start = energy(&(inverse * momentum));
                for _ in 0..1000 {
                    let spin;
                    (r, spin) = free_flight(&inverse, &r, &momentum, 1.0 / 60.0);
                    let off = energy(&spin) / start - 1.0;
                    assert!(off.abs() < 1e-9, "{inertia} {speed}: {off:e}");
                }
            }
        }
    }
}
