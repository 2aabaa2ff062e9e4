//! Accelerated projected gradient with adaptive restart and backtracking, matrix-free.

use super::local::{projected, weighted};
use super::psor::{Ended, Iteration};
use super::system::{Law, PART, Unit};
use super::{Friction, System};

/// Memory of the accelerated gradient.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradient {
    /// Extrapolated impulses and their velocity.
    y: Vec<f64>,
    v_y: Vec<f64>,
    gradient: Vec<f64>,
    /// The next impulses and their velocity.
    next: Vec<f64>,
    v_next: Vec<f64>,
    best: Vec<f64>,
}

/// How much longer a step is tried than the last one was.
const LONGER: f64 = 1.0 / 0.99;
/// The shortest step tried.
const SHORTEST: f64 = 1e-18;
/// Bounds on what a step that was too long is multiplied by.
const SHORTER: (f64, f64) = (0.5, 0.95);

/// What a step from y did.
#[derive(Clone, Copy, Debug, Default)]
struct Tried {
    /// `|f - y|^2` in the metric of the units' own weights.
    moved: f64,
    /// `(f - y)^T D (f - y)`.
    curved: f64,
}

impl Tried {
    /// Whether the quadratic model majorises the objective there: the objective is quadratic, so its
    /// excess over the tangent is half the curvature.
    fn is_short_enough(self, step: f64) -> bool {
        self.curved <= self.moved / step * (1.0 + 1e-12)
    }

    /// What a step that was too long is to be multiplied by: what its own direction asks for.
    fn shortening(self, step: f64) -> f64 {
        let (least, most) = SHORTER;
        (self.moved / (step * self.curved)).clamp(least, most)
    }
}

/// Iterations from one test of the residual to the next.
const BETWEEN_TESTS: usize = 10;

impl Gradient {
    /// Solves the convex problem (with frozen lifts) from the impulses present. Nesterov's
    /// extrapolation, restarted whenever it points uphill, each step `Proj(y - t W^-1 g)` in the
    /// metric of the units' own weights; t is halved until the quadratic model majorises the objective
    /// `1/2 f^T D f + r^T f`, and lengthened a little after every step. O(nonzeros of the rows) per
    /// iteration.
    pub(crate) fn run(&mut self, system: &mut System, how: &Iteration) -> Ended {
        system.refresh();
        self.y.clone_from(&system.z);
        self.v_y.clone_from(&system.v);
        self.best.clone_from(&system.z);
        let mut least = f64::INFINITY;
        let mut theta = 1.0_f64;
        let mut step = 1.0;
        let mut done = 0;
        loop {
            if done % BETWEEN_TESTS == 0 || done >= how.sweeps {
                let residual = system.residual(Friction::Convex);
                if residual < least || done == 0 {
                    least = residual;
                    self.best.clone_from(&system.z);
                }
                // Negated so that a NaN ends it.
                let goes_on = residual > how.tolerance && done < how.sweeps;
                if !goes_on {
                    system.z.clone_from(&self.best);
                    system.refresh();
                    return Ended {
                        iterations: done,
                        residual: least,
                    };
                }
            }
            done += 1;
            let mut tried = self.tread(system, step);
            while !tried.is_short_enough(step) && step > SHORTEST {
                step *= tried.shortening(step);
                tried = self.retread(system, step);
            }
            let next_theta = 0.5 * theta * ((theta * theta + 4.0).sqrt() - theta);
            let mut beta = theta * (1.0 - theta) / (theta * theta + next_theta);
            theta = next_theta;
            let turn: f64 = self
                .gradient
                .iter()
                .zip(self.next.iter().zip(&system.z))
                .map(|(g, (a, b))| g * (a - b))
                .sum();
            if turn > 0.0 {
                (beta, theta) = (0.0, 1.0);
            }
            let extrapolate = |y: &mut Vec<f64>, next: &[f64], now: &[f64]| {
                y.clear();
                y.extend(next.iter().zip(now).map(|(a, b)| a + beta * (a - b)));
            };
            extrapolate(&mut self.y, &self.next, &system.z);
            extrapolate(&mut self.v_y, &self.v_next, &system.v);
            std::mem::swap(&mut system.z, &mut self.next);
            std::mem::swap(&mut system.v, &mut self.v_next);
            step *= LONGER;
        }
    }

    /// The gradient at y, and the step against it. One pass over the rows.
    fn tread(&mut self, system: &System, step: f64) -> Tried {
        self.gradient.clear();
        self.next.clear();
        self.v_next.clone_from(&system.v_free);
        let mut tried = Tried::default();
        for unit in &system.units {
            if unit.width == 1 {
                let y = self.y[unit.at as usize];
                let u = system.velocity(unit, &self.v_y, y)[0] + unit.lift;
                self.gradient.push(u);
                self.step_scalar(system, unit, (y, u, step), &mut tried);
                continue;
            }
            let y = System::impulse(unit, &self.y);
            let mut u = system.velocity(unit, &self.v_y, y[0]);
            u[0] += unit.lift;
            self.gradient.extend_from_slice(&u[..unit.width as usize]);
            self.step_unit(system, unit, (&y, &u, step), &mut tried);
        }
        self.curve(tried)
    }

    /// A step of another length against the gradient known.
    fn retread(&mut self, system: &System, step: f64) -> Tried {
        self.next.clear();
        self.v_next.clone_from(&system.v_free);
        let mut tried = Tried::default();
        for unit in &system.units {
            if unit.width == 1 {
                let at = unit.at as usize;
                let (y, u) = (self.y[at], self.gradient[at]);
                self.step_scalar(system, unit, (y, u, step), &mut tried);
                continue;
            }
            let y = System::impulse(unit, &self.y);
            let u = System::impulse(unit, &self.gradient);
            self.step_unit(system, unit, (&y, &u, step), &mut tried);
        }
        self.curve(tried)
    }

    #[inline]
    fn step_scalar(
        &mut self,
        system: &System,
        unit: &Unit,
        (y, u, step): (f64, f64, f64),
        tried: &mut Tried,
    ) {
        let weight = unit.weight[0];
        let to = y - step * u / weight;
        let next = match unit.law {
            Law::Half => to.max(0.0),
            _ => projected(unit, &[to, 0.0, 0.0, 0.0, 0.0, 0.0])[0],
        };
        let change = next - y;
        tried.moved += weight * change * change;
        tried.curved += unit.soft * change * change;
        self.next.push(next);
        if next != 0.0 {
            system.add(unit, [next, 0.0, 0.0, 0.0, 0.0, 0.0], &mut self.v_next);
        }
    }

    #[inline]
    fn step_unit(
        &mut self,
        system: &System,
        unit: &Unit,
        (y, u, step): (&[f64; 6], &[f64; 6], f64),
        tried: &mut Tried,
    ) {
        let to: [f64; 6] = std::array::from_fn(|k| y[k] - step * u[k] / unit.weight[PART[k]]);
        let next = projected(unit, &to);
        let change: [f64; 6] = std::array::from_fn(|k| next[k] - y[k]);
        tried.moved += weighted(unit, &change);
        tried.curved += unit.soft * change[0] * change[0];
        self.next.extend_from_slice(&next[..unit.width as usize]);
        if next != [0.0; 6] {
            system.add(unit, next, &mut self.v_next);
        }
    }

    fn curve(&self, mut tried: Tried) -> Tried {
        let rises = self.v_next.iter().zip(&self.v_y);
        tried.curved += rises.map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        tried
    }
}
