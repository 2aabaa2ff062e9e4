//! Accelerated projected gradient with adaptive restart and backtracking, matrix-free.

use super::local::{projected, weighted};
use super::psor::{Ended, Iteration};
use super::system::PART;
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
            self.slope(system);
            step = self.descend(system, step);
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
            step /= 0.9;
        }
    }

    /// The gradient at y.
    fn slope(&mut self, system: &System) {
        self.gradient.clear();
        for unit in &system.units {
            let y = System::impulse(unit, &self.y);
            let mut u = system.velocity(unit, &self.v_y, y[0]);
            u[0] += unit.lift;
            self.gradient.extend_from_slice(&u[..unit.width as usize]);
        }
    }

    /// The step from y whose length the quadratic model allows; returns that length.
    fn descend(&mut self, system: &System, mut step: f64) -> f64 {
        for _ in 0..60 {
            self.next.clear();
            self.v_next.clone_from(&system.v_free);
            let (mut moved, mut soft) = (0.0, 0.0);
            for unit in &system.units {
                let y = System::impulse(unit, &self.y);
                let g = System::impulse(unit, &self.gradient);
                let to: [f64; 6] =
                    std::array::from_fn(|k| y[k] - step * g[k] / unit.weight[PART[k]]);
                let next = projected(unit, &to);
                let change: [f64; 6] = std::array::from_fn(|k| next[k] - y[k]);
                moved += weighted(unit, &change);
                soft += unit.soft * change[0] * change[0];
                self.next.extend_from_slice(&next[..unit.width as usize]);
                system.add(unit, next, &mut self.v_next);
            }
            // The objective is quadratic: its excess over the tangent is half the curvature.
            let rises = self.v_next.iter().zip(&self.v_y);
            let curved: f64 = rises.map(|(a, b)| (a - b) * (a - b)).sum();
            if curved + soft <= moved / step * (1.0 + 1e-12) {
                break;
            }
            step *= 0.5;
        }
        step
    }
}
