//! The load at which a grip slips, for a load whose line of action doesn't pass between the contacts.
//!
//! Friction forces at most `c_i = mu f_i` at points r_i of a plane hold a load P along the unit vector d, through
//! the origin, as long as no rigid motion of the plane, w across d and omega about the origin, gains more from the
//! load than it loses to friction:
//! ```text
//! P <= min over w, omega of  sum_i c_i |v_i|,   v_i = (1 - omega b_i, w + omega a_i),   r_i = (a_i, b_i)
//! ```
//! with a_i along d and b_i across it, the load's point moving by 1 along d: the kinematic theorem of limit
//! analysis, exact for convex bounds on the forces. With every point at the origin, or two alike on opposite
//! sides of it, that is `sum_i c_i`; to one side of it the points have to hold a torque as well.

use std::collections::VecDeque;

use crate::metrics::larger;
use crate::session::ContactSample;
use nalgebra::{Point3, Vector2, Vector3};

/// How many steps the pressures are averaged over: points that touch in many give way to one another from step
/// to step.
const STEPS: usize = 20;
/// Steps of a golden section: 0.618^60 = 3e-13 of the bracket is left.
const SECTIONS: usize = 60;
/// Doublings of the bracket.
const DOUBLINGS: usize = 60;

/// A contact that friction acts at: place in the plane from the load's point \[m\], largest force \[N\].
type Held = (Vector2<f64>, f64);

/// The contacts of the last steps, as the load sees them.
#[derive(Debug, Default)]
pub(super) struct Pads {
    steps: VecDeque<Vec<Held>>,
}

impl Pads {
    /// Takes the contacts of a step on a body whose centre of mass is at `center`; the fingers
    /// press along x. O(contacts).
    pub(super) fn add<'a>(
        &mut self,
        contacts: impl Iterator<Item = &'a ContactSample>,
        (center, mu): (Vector3<f64>, f64),
    ) {
        let held = |contact: &ContactSample| {
            let place = contact.record.point - Point3::from(center);
            let most = mu * contact.record.normal_force;
            (Vector2::new(place.y, place.z), most)
        };
        if self.steps.len() == STEPS {
            self.steps.pop_front();
        }
        self.steps.push_back(contacts.map(held).collect());
    }

    /// The largest load that they hold in the direction of `load`, which acts at the centre of mass \[N\]; `None`
    /// without a load or a contact.
    pub(super) fn limit(&self, load: &Vector3<f64>) -> Option<f64> {
        let along = Vector2::new(load.y, load.z).try_normalize(0.0)?;
        let count = self.steps.len() as f64;
        let all = self.steps.iter().flatten();
        let all: Vec<Held> = all.map(|(r, c)| (*r, c / count)).collect();
        (!all.is_empty()).then(|| limit(&all, &along))
    }
}

/// The largest load along the unit vector `d`. O(contacts).
fn limit(held: &[Held], d: &Vector2<f64>) -> f64 {
    let axes = |r: &Vector2<f64>| (r.dot(d), d.perp(r));
    let places: Vec<(f64, f64, f64)> = (held.iter())
        .map(|(r, c)| {
            let (a, b) = axes(r);
            (a, b, *c)
        })
        .collect();
    let far = (held.iter()).map(|(r, _)| r.norm()).fold(0.0, larger);
    let lost = |w: f64, omega: f64| -> f64 {
        let each = places.iter();
        each.map(|(a, b, c)| c * (1.0 - omega * b).hypot(w + omega * a))
            .sum()
    };
    if far == 0.0 {
        return lost(0.0, 0.0);
    }
    // No point is better off with a w beyond what omega alone gives the farthest.
    let best = |omega: f64| least(|w| lost(w, omega), omega.abs() * far);
    let mut most = 1.0 / far;
    for _ in 0..DOUBLINGS {
        if best(most).min(best(-most)) > best(0.5 * most).min(best(-0.5 * most)) {
            break;
        }
        most *= 2.0;
    }
    least(best, most)
}

/// Least value of a convex function between `-most` and `most`, by golden sections.
fn least(f: impl Fn(f64) -> f64, most: f64) -> f64 {
    let share = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (-most, most);
    let inner = |low: f64, high: f64| [high - share * (high - low), low + share * (high - low)];
    let [mut x, mut y] = inner(low, high);
    let [mut at_x, mut at_y] = [f(x), f(y)];
    for _ in 0..SECTIONS {
        if at_x < at_y {
            (high, y, at_y) = (y, x, at_x);
            x = inner(low, high)[0];
            at_x = f(x);
        } else {
            (low, x, at_x) = (x, y, at_y);
            y = inner(low, high)[1];
            at_y = f(y);
        }
    }
    at_x.min(at_y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_record::{ContactRecord, ContactState};

    fn at(places: &[([f64; 2], f64)]) -> Vec<Held> {
        places.iter().map(|(r, c)| ((*r).into(), *c)).collect()
    }

    fn along(angle: f64) -> Vector2<f64> {
        Vector2::new(angle.cos(), angle.sin())
    }

    /// Alike on both sides of the load, or in it: the sum of all bounds, whatever the direction.
    #[test]
    fn a_centred_load_is_held_by_all() {
        let pair = at(&[([0.01, 0.02], 1.5), ([-0.01, -0.02], 1.5)]);
        let one = at(&[([0.0, 0.0], 0.7)]);
        for angle in [0.0, 0.4, 1.1, 2.0, 3.0] {
            assert!((limit(&pair, &along(angle)) - 3.0).abs() < 1e-9, "{angle}");
            assert!((limit(&one, &along(angle)) - 0.7).abs() < 1e-9);
        }
    }

    /// Two points across the load at distances p and q on opposite sides of it carry P q / (p + q) and
    /// P p / (p + q) along it: the nearer one gives way first. On the same side the farther one pulls back:
    /// P q / (q - p) at the nearer one, at p.
    #[test]
    fn a_load_to_one_side_is_a_lever() {
        let (p, q, c) = (0.0014, 0.02, 1.5);
        for turn in [0.0, 0.9, 2.3] {
            let d = along(turn);
            let across = Vector2::new(-d.y, d.x);
            let held = |near: f64, far: f64| [(across * near, c), (across * far, c)];
            let opposite = c * (p + q) / q;
            let same = c * (q - p) / q;
            for side in [1.0, -1.0] {
                let found = limit(&held(-side * p, side * q), &d);
                assert!((found / opposite - 1.0).abs() < 1e-7, "{found} {opposite}");
                let found = limit(&held(side * p, side * q), &d);
                assert!((found / same - 1.0).abs() < 1e-7, "{found} {same}");
            }
        }
    }

    /// Points in line with the load have no lever; points on a circle hold any load through its middle with all
    /// they have, but a single point holds none beside it.
    #[test]
    fn levers_count_across_the_load_only() {
        let line = at(&[([0.03, 0.0], 1.0), ([0.05, 0.0], 0.5)]);
        assert!((limit(&line, &along(0.0)) - 1.5).abs() < 1e-9);
        let beside = at(&[([0.0, 0.02], 1.0)]);
        assert!(limit(&beside, &along(0.0)) < 1e-9);
    }

    /// Two points at (0, -p) and (0, q) with bounds C and c, load at the angle t from x: along x they carry the
    /// shares of a lever, along y whatever adds up. With the far one's share along x as good as nothing (q >> p)
    /// the load P is held while `(P cos t)^2 + (P sin t - c)^2 <= C^2`.
    #[test]
    fn the_far_point_takes_load_off_the_near_one() {
        let (near, far, t) = (1.0, 0.4, 0.8_f64);
        let held = at(&[([0.0, 0.0], near), ([0.0, 10.0], far)]);
        // P^2 - 2 P c sin t + c^2 = C^2.
        let s = far * t.sin();
        let expected = s + (s * s + near * near - far * far).sqrt();
        let found = limit(&held, &along(t));
        assert!((found / expected - 1.0).abs() < 1e-7, "{found} {expected}");
    }

    /// What is averaged: a load held in half of the steps by one half, in the others by the other.
    #[test]
    fn pressures_are_averaged() {
        let mut pads = Pads::default();
        let contact = |y: f64| ContactSample {
            pair: 0,
            colliders: [None; 2],
            closed: true,
            record: ContactRecord {
                bodies: [None; 2],
                point: Point3::new(0.02, 1.0 + y, 2.0),
                normal: Vector3::x(),
                tangent: Vector3::y(),
                friction: None,
                gap: 0.0,
                normal_force: 6.0,
                friction_force: Vector3::zeros(),
                spin_torque: Vector3::zeros(),
                slip_velocity: Vector3::zeros(),
                state: ContactState::Sticking,
            },
        };
        let center = Vector3::new(0.0, 1.0, 2.0);
        assert_eq!(pads.limit(&Vector3::z()), None);
        for step in 0..100 {
            let side = if step % 2 == 0 { 0.01 } else { -0.01 };
            pads.add([contact(side)].iter(), (center, 0.5));
        }
        assert_eq!(pads.steps.len(), STEPS);
        let found = pads.limit(&(Vector3::z() * 9.0)).unwrap();
        assert!((found - 3.0).abs() < 1e-9, "{found}");
        assert_eq!(pads.limit(&Vector3::x()), None);
    }
}
