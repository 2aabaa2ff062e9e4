//! The convex problem by proximal steps, each a smooth strictly convex function of the velocity.
//!
//! A proximal step of weight `eps D` from the impulses `z_k` has the dual
//! ```text
//! min over v~  1/2 |v~ - v~_free|^2 + sum_units max over z in K of
//!              -u(v~) . z - eps/2 |z - z_k|_D^2 - softness/2 z_n^2
//! ```
//! whose inner maximiser is a projection and whose gradient is `v~ - v~_free - R~^T z(v~)`. Newton's
//! method with a line search descends to its minimum from anywhere; the proximal steps converge for
//! every `eps > 0`, in a few steps for a small one.

use super::local::{clipped, discs, lengths};
use super::newton::Newton;
use super::system::{Law, PART, Unit};
use super::{Friction, System, onto_cone};

type Matrix6 = [[f64; 6]; 6];

/// Weights of the proximal steps, the last one again and again: the first ones shape the answer
/// where a small weight would make long, stiff descents; below the last one round-off of the
/// velocity (over the weight) would be impulse.
const WEIGHTS: [f64; 5] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
/// Proximal steps at most.
const ROUNDS: usize = 25;
/// Steps without progress after which the proximal iteration ends.
const PATIENCE: usize = 3;
/// Newton steps after the descent has sunk into round-off.
const BLIND: usize = 3;
/// Newton steps of one proximal step.
const STEPS: usize = 60;

/// Metric of a unit's proximal step.
fn metric(unit: &Unit, eps: f64) -> [f64; 4] {
    let mut w = unit.d.map(|d| eps * d);
    w[0] += unit.soft;
    w
}

/// The maximiser z(u), for velocities `u` without softness, with the lift.
fn maximiser(unit: &Unit, from: &[f64; 6], u: &[f64; 6], eps: f64) -> ([f64; 6], [f64; 6]) {
    let w = metric(unit, eps);
    let y: [f64; 6] = std::array::from_fn(|k| {
        let part = PART[k];
        (eps * unit.d[part] * from[k] - u[k]) / w[part]
    });
    let mut z = [0.0; 6];
    match unit.law {
        Law::Free => z[0] = y[0],
        Law::Half => z[0] = y[0].max(0.0),
        Law::Box(limit) => z[0] = y[0].clamp(-limit, limit),
        Law::Cone => {
            let f = onto_cone(y[0], w[0], &mut discs(unit, &y, &w));
            z = clipped(unit, f, &y);
        }
    }
    (y, z)
}

/// `-dz/du` of the maximiser: the derivative at y of the projection z in the metric w, over w.
pub(super) fn slope(unit: &Unit, (y, z): (&[f64; 6], &[f64; 6]), w: [f64; 4]) -> Matrix6 {
    let mut h = [[0.0; 6]; 6];
    match unit.law {
        Law::Free => h[0][0] = 1.0 / w[0],
        Law::Half | Law::Box(_) => {
            if z[0] == y[0] {
                h[0][0] = 1.0 / w[0];
            }
        }
        Law::Cone if z[0] > 0.0 => {
            let r = lengths(y);
            let spans = [(1, 2), (3, 1), (4, 2)];
            let mut below = w[0];
            // df, as a row over y.
            let mut row = [w[0], 0.0, 0.0, 0.0, 0.0, 0.0];
            let mut clipped = [false; 3];
            for part in 0..3 {
                let mu = unit.mu[part];
                clipped[part] = r[part] > mu * z[0];
                if clipped[part] {
                    below += w[part + 1] * mu * mu;
                    let (at, len) = spans[part];
                    for k in at..at + len {
                        row[k] = w[part + 1] * mu * y[k] / r[part];
                    }
                }
            }
            let row = row.map(|x| x / below);
            h[0] = row;
            for part in 0..3 {
                let (at, len) = spans[part];
                for i in at..at + len {
                    if !clipped[part] {
                        h[i][i] = 1.0;
                        continue;
                    }
                    let mu = unit.mu[part];
                    let way = y[i] / r[part];
                    h[i] = row.map(|x| mu * way * x);
                    if len == 2 {
                        let share = mu * z[0] / r[part];
                        for j in at..at + len {
                            let same = if i == j { 1.0 } else { 0.0 };
                            h[i][j] += share * (same - way * y[j] / r[part]);
                        }
                    }
                }
            }
            for row in &mut h {
                for (k, x) in row.iter_mut().enumerate() {
                    *x /= w[PART[k]];
                }
            }
        }
        Law::Cone => {}
    }
    h
}

/// The dual function and the maximisers at a velocity.
fn dual(system: &System, v: &[f64], eps: f64, z: &mut Vec<f64>) -> f64 {
    let move_cost: f64 = v
        .iter()
        .zip(&system.v_free)
        .map(|(v, f)| 0.5 * (v - f) * (v - f))
        .sum();
    z.clear();
    let mut sum = 0.0;
    for unit in &system.units {
        let from = System::impulse(unit, &system.z);
        let mut u = system.velocity(unit, v, 0.0);
        u[0] += unit.lift;
        let (_, best) = maximiser(unit, &from, &u, eps);
        let width = unit.width as usize;
        for k in 0..width {
            let d = eps * unit.d[PART[k]];
            sum -= u[k] * best[k] + 0.5 * d * (best[k] - from[k]).powi(2);
        }
        sum -= 0.5 * unit.soft * best[0] * best[0];
        z.extend_from_slice(&best[..width]);
    }
    move_cost + sum
}

impl Newton {
    /// Solves the convex problem (with frozen lifts) from the impulses of `system` to the goal, if
    /// it can; returns the Newton steps taken and the residual left.
    pub(crate) fn proximal(&mut self, system: &mut System, goal: f64) -> (usize, f64) {
        let mut steps = 0;
        let mut least = system.residual(Friction::Convex);
        let mut waited = 0;
        self.best.clone_from(&system.z);
        for round in 0..ROUNDS {
            let eps = WEIGHTS[round.min(WEIGHTS.len() - 1)];
            steps += self.minimise(system, eps);
            std::mem::swap(&mut system.z, &mut self.z);
            system.refresh();
            let left = system.residual(Friction::Convex);
            waited = if left < 0.5 * least { 0 } else { waited + 1 };
            if left < least {
                least = left;
                self.best.clone_from(&system.z);
            }
            if left <= goal || !left.is_finite() || (waited >= PATIENCE && round >= WEIGHTS.len()) {
                break;
            }
        }
        system.z.clone_from(&self.best);
        system.refresh();
        (steps, least)
    }

    /// One proximal step; the impulses found are in `self.z`.
    fn minimise(&mut self, system: &System, eps: f64) -> usize {
        let mut v = std::mem::take(&mut self.v);
        v.clear();
        v.extend_from_slice(&system.v);
        let mut z = std::mem::take(&mut self.z);
        let mut value = dual(system, &v, eps, &mut z);
        let mut steps = 0;
        let mut blind = 0;
        while steps < STEPS {
            // Gradient, negated.
            let mut dv = std::mem::take(&mut self.dv);
            dv.clear();
            dv.extend(system.v_free.iter().zip(&v).map(|(f, v)| f - v));
            self.lu.begin(v.len());
            for unit in &system.units {
                system.add(unit, System::impulse(unit, &z), &mut dv);
                let from = System::impulse(unit, &system.z);
                let mut u = system.velocity(unit, &v, 0.0);
                u[0] += unit.lift;
                let (y, best) = maximiser(unit, &from, &u, eps);
                let h = slope(unit, (&y, &best), metric(unit, eps));
                self.accumulate(system, unit, &h);
            }
            let mut downhill = std::mem::take(&mut self.downhill);
            downhill.clone_from(&dv);
            let size = dv.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            let usable = size > 1e-15 * system.speed && self.lu.factor().is_ok();
            if usable {
                self.lu.solve(&mut dv);
            }
            let slope: f64 = dv.iter().zip(&downhill).map(|(d, g)| d * g).sum();
            (self.dv, self.downhill) = (dv, downhill);
            if !usable || !slope.is_finite() || slope <= 0.0 {
                break;
            }
            steps += 1;
            // Where round-off hides the descent of the value, Newton's full steps polish.
            let hidden = slope <= 1e-13 * value.abs().max(1e-3 * system.speed * system.speed);
            blind += usize::from(hidden);
            let mut share = 1.0;
            let found = loop {
                self.dz.clear();
                let line = v.iter().zip(&self.dv);
                self.dz.extend(line.map(|(v, d)| v + share * d));
                let trial = dual(system, &self.dz, eps, &mut z);
                if hidden || trial <= value - 1e-4 * share * slope {
                    value = trial;
                    break true;
                }
                share *= 0.5;
                if share < 1e-6 {
                    break false;
                }
            };
            if !found {
                break;
            }
            std::mem::swap(&mut v, &mut self.dz);
            if blind == BLIND {
                break;
            }
        }
        dual(system, &v, eps, &mut z);
        self.v = v;
        self.z = z;
        steps
    }
}
