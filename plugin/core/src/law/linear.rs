//! The law of one unit, linearised for Newton's method.

use super::project::{clipped, discs, lengths, only};
use super::{ConstraintBlock, Law, PART, onto_cone, parts};
use std::array::from_fn;

pub(crate) type Matrix<const W: usize> = [[f64; W]; W];

/// What a unit does in a Newton step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum State<const W: usize> {
    /// Its impulses go to these whatever the velocities do: open contacts, rows at a limit.
    Fixed([f64; W]),
    /// Its impulses answer the change of its velocities.
    Moves(Linear<W>),
}

/// `G dz + H du = r`: sticking contacts, joints and pressing rows ask for `du = -u` (`G = 0`, `H = 1`),
/// sliding contacts tie friction to the normal impulse and to the direction of the slip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear<const W: usize> {
    pub(crate) g: Matrix<W>,
    pub(crate) h: Matrix<W>,
    pub(crate) r: [f64; W],
}

impl<const W: usize> Linear<W> {
    /// `du = -u`.
    fn equation(u: &[f64; W]) -> Self {
        let mut own = Self {
            g: [[0.0; W]; W],
            h: [[0.0; W]; W],
            r: u.map(|u| -u),
        };
        for k in 0..W {
            own.h[k][k] = 1.0;
        }
        own
    }

    /// Puts its numbers at the end of a list.
    pub(crate) fn put(&self, list: &mut Vec<f64>) {
        list.extend_from_slice(self.g.as_flattened());
        list.extend_from_slice(self.h.as_flattened());
        list.extend_from_slice(&self.r);
    }

    /// What was put at the beginning of this list.
    pub(crate) fn get(list: &[f64]) -> Self {
        let own = &list[..(2 * W + 1) * W];
        Self {
            g: from_fn(|i| from_fn(|j| own[W * i + j])),
            h: from_fn(|i| from_fn(|j| own[W * (W + i) + j])),
            r: from_fn(|i| own[2 * W * W + i]),
        }
    }
}

/// Where G and H of a unit are among numbers put from a place on ([`Linear::put`]).
pub(crate) fn matrices(from: usize, width: usize) -> std::ops::Range<usize> {
    from..from + 2 * width * width
}

/// The step of a unit at impulses z, which may lie outside their bounds, and velocities u. What it
/// does is read off `y = z - u / d`, the argument of the projection in its natural map
/// ([`super::natural`]).
pub(crate) fn state<const W: usize>(
    unit: &ConstraintBlock,
    z: &[f64; W],
    u: &[f64; W],
) -> State<W> {
    let y = argument(unit, z, u);
    match unit.law {
        Law::Free => State::Moves(Linear::equation(u)),
        Law::Half if y[0] <= 0.0 => State::Fixed([0.0; W]),
        Law::Box(limit) if y[0].abs() > limit => State::Fixed(only(limit.copysign(y[0]))),
        Law::Half | Law::Box(_) => State::Moves(Linear::equation(u)),
        Law::Cone => exact(unit, z, u, &y),
        Law::Convex => convex(unit, z, &y),
    }
}

/// `y = z - u / d`.
fn argument<const W: usize>(unit: &ConstraintBlock, z: &[f64; W], u: &[f64; W]) -> [f64; W] {
    from_fn(|k| z[k] - u[k] / unit.d[PART[k]])
}

/// A closed contact or row that presses and whose parts stick as far as they have friction, whatever its impulses; none
/// where there is a gap, or nothing that could open.
pub(crate) fn sticking<const W: usize>(
    unit: &ConstraintBlock,
    z: &[f64; W],
    u: &[f64; W],
) -> Option<State<W>> {
    let opens = matches!(unit.law, Law::Half | Law::Cone | Law::Convex);
    let has_friction = |part: usize, _: f64| unit.mu[part] > 0.0;
    (opens && unit.b[0] <= 0.0)
        .then(|| State::Moves(pressing(unit, z, u, &argument(unit, z, u), has_friction)))
}

/// The exact law: no pressure, no impulse; the normal row presses or not by itself, each part sticks or
/// slides under what the normal impulse becomes. With t the direction of `y_t`, `P = I - t t^T` and
/// `k = min(1, mu y_n / |y_t|)` a sliding part obeys
/// ```text
/// d (I - k P) dz_t - d mu t dz_n + k P du_t = d (mu z_n t - z_t)
/// ```
fn exact<const W: usize>(
    unit: &ConstraintBlock,
    z: &[f64; W],
    u: &[f64; W],
    y: &[f64; W],
) -> State<W> {
    // A tiny normal impulse may carry friction mu times as large, and counts as much.
    let grip = unit.mu[0].max(1.0);
    if grip * z[0] * unit.d[0] <= u[0] {
        return State::Fixed([0.0; W]);
    }
    let sticks = |part: usize, length: f64| {
        let bound = unit.mu[part] * y[0].max(0.0);
        length <= bound && bound > 0.0
    };
    State::Moves(pressing(unit, z, u, y, sticks))
}

/// The equations of a contact that presses, whose parts stick or slide by their number and the length of their `y`.
#[inline]
fn pressing<const W: usize>(
    unit: &ConstraintBlock,
    z: &[f64; W],
    u: &[f64; W],
    y: &[f64; W],
    sticks: impl Fn(usize, f64) -> bool,
) -> Linear<W> {
    let mut own = Linear::equation(u);
    let length = lengths(y);
    for (part, &(at, len)) in parts::<W>().iter().enumerate() {
        let (mu, d, r) = (unit.mu[part], unit.d[part + 1], length[part]);
        if sticks(part, r) {
            continue;
        }
        let bound = mu * y[0].max(0.0);
        let way = |k: usize| if r > 0.0 { y[k] / r } else { 0.0 };
        let share = if r > 0.0 { (bound / r).min(1.0) } else { 0.0 };
        for i in at..at + len {
            for j in at..at + len {
                let same = if i == j { 1.0 } else { 0.0 };
                let across = if len == 2 {
                    same - way(i) * way(j)
                } else {
                    0.0
                };
                own.g[i][j] = d * (same - share * across);
                own.h[i][j] = share * across;
            }
            own.g[i][0] = -d * mu * way(i);
            own.r[i] = d * (mu * z[0] * way(i) - z[i]);
        }
    }
    own
}

/// The convex law, `z = Proj_K(y)` in the metric D with the slope S of the projection:
/// `D (I - S) dz + D S D^-1 du = D (Proj_K(y) - z)`.
fn convex<const W: usize>(unit: &ConstraintBlock, z: &[f64; W], y: &[f64; W]) -> State<W> {
    let d = &unit.d;
    let f = onto_cone(y[0], d[0], &mut discs(unit, y, d));
    if f <= 0.0 {
        return State::Fixed([0.0; W]);
    }
    let nearest = clipped(unit, f, y);
    let slope = of_cone(unit, y, f, d);
    let mut own = Linear {
        g: [[0.0; W]; W],
        h: [[0.0; W]; W],
        r: [0.0; W],
    };
    for i in 0..W {
        let row = d[PART[i]];
        for j in 0..W {
            let same = if i == j { row } else { 0.0 };
            own.g[i][j] = same - row * slope[i][j];
            own.h[i][j] = row * slope[i][j] / d[PART[j]];
        }
        own.r[i] = row * (nearest[i] - z[i]);
    }
    State::Moves(own)
}

/// The derivative of the projection `z` of `y` in the metric `w` ([`super::project::nearest`]).
pub(crate) fn slope<const W: usize>(
    unit: &ConstraintBlock,
    y: &[f64; W],
    z: &[f64; W],
    w: &[f64; 4],
) -> Matrix<W> {
    match unit.law {
        Law::Cone | Law::Convex if z[0] > 0.0 => of_cone(unit, y, z[0], w),
        Law::Free | Law::Half | Law::Box(_) if z[0] == y[0] => {
            let mut h = [[0.0; W]; W];
            h[0][0] = 1.0;
            h
        }
        _ => [[0.0; W]; W],
    }
}

/// The same onto a cone where its normal component is `f > 0`. The parts A that are shortened pull at the normal one,
/// `df = (w_0 dy_n + sum_A w_k mu_k dr_k) / (w_0 + sum_A w_k mu_k^2)`.
fn of_cone<const W: usize>(
    unit: &ConstraintBlock,
    y: &[f64; W],
    f: f64,
    w: &[f64; 4],
) -> Matrix<W> {
    let r = lengths(y);
    let mut h = [[0.0; W]; W];
    let mut below = w[0];
    let mut row = only(w[0]);
    let is_long = |part: usize| r[part] > unit.mu[part] * f;
    for (part, &(at, len)) in parts::<W>().iter().enumerate() {
        if is_long(part) {
            let pull = w[part + 1] * unit.mu[part];
            below += pull * unit.mu[part];
            for k in at..at + len {
                row[k] = pull * y[k] / r[part];
            }
        }
    }
    let row = row.map(|x| x / below);
    h[0] = row;
    for (part, &(at, len)) in parts::<W>().iter().enumerate() {
        for i in at..at + len {
            if !is_long(part) {
                h[i][i] = 1.0;
                continue;
            }
            let (mu, way) = (unit.mu[part], y[i] / r[part]);
            h[i] = row.map(|x| mu * way * x);
            if len == 2 {
                let share = mu * f / r[part];
                for j in at..at + len {
                    let same = if i == j { 1.0 } else { 0.0 };
                    h[i][j] += share * (same - way * y[j] / r[part]);
                }
            }
        }
    }
    h
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{ContactId, GroupId};

    /// Closed contacts are held, others are not, nor what cannot open. The normal row and parts with friction answer
    /// `du = -u`; a part without any goes to zero, `d dz = -d z`.
    #[test]
    fn closed_contacts_are_held_as_far_as_they_have_friction() {
        let mut unit = ConstraintBlock::new(Law::Cone, GroupId::Contact(ContactId(0)), 0.0);
        unit.mu = [0.5, 0.0, 0.1];
        unit.d = [2.0, 3.0, 5.0, 7.0];
        let (z, u) = (
            [0.1, 0.2, -0.3, 0.4, 0.5, 0.6],
            [-1.0, 9.0, 8.0, 7.0, 6.0, 5.0],
        );
        let Some(State::Moves(own)) = sticking(&unit, &z, &u) else {
            panic!("a closed contact is held");
        };
        for (i, u) in u.iter().enumerate() {
            for j in 0..6 {
                let same = f64::from(i == j);
                let (g, h) = if i == 3 {
                    (5.0 * same, 0.0)
                } else {
                    (0.0, same)
                };
                assert_eq!((own.g[i][j], own.h[i][j]), (g, h), "{i} {j}");
            }
            assert_eq!(own.r[i], if i == 3 { -5.0 * 0.4 } else { -u }, "{i}");
        }
        for law in [Law::Half, Law::Cone, Law::Convex] {
            (unit.law, unit.b[0]) = (law, 0.0);
            assert!(sticking(&unit, &z, &u).is_some(), "{law:?}");
            unit.b[0] = 1e-9;
            assert!(sticking(&unit, &z, &u).is_none(), "a gap, {law:?}");
        }
        unit.b[0] = 0.0;
        for law in [Law::Free, Law::Box(1.0)] {
            unit.law = law;
            assert!(sticking(&unit, &z, &u).is_none(), "{law:?}");
        }
    }
}
