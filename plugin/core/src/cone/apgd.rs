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
    /// metric of the units' own weights; t is shortened as the curvature met asks until the quadratic model
    /// majorises the objective `1/2 f^T D f + r^T f`, and lengthened a little after every step. O(nonzeros of the rows) per
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
            let mut tried = self.tread(system, step, false);
            while !tried.is_short_enough(step) && step > SHORTEST {
                step *= tried.shortening(step);
                tried = self.tread(system, step, true);
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

    /// A step against the gradient at y, which is evaluated on the way unless it is `known`. One pass over
    /// the rows.
    fn tread(&mut self, system: &System, step: f64, known: bool) -> Tried {
        if !known {
            self.gradient.clear();
        }
        self.next.clear();
        self.v_next.clone_from(&system.v_free);
        let mut tried = Tried::default();
        for unit in &system.units {
            let y = System::impulse(unit, &self.y);
            let u = if known {
                System::impulse(unit, &self.gradient)
            } else {
                let mut u = system.velocity(unit, &self.v_y, y[0]);
                u[0] += unit.lift;
                self.gradient.extend_from_slice(&u[..unit.width as usize]);
                u
            };
            if unit.width == 1 {
                self.step_scalar(system, unit, (y[0], u[0], step), &mut tried);
            } else {
                self.step_unit(system, unit, (&y, &u, step), &mut tried);
            }
        }
        let rises = self.v_next.iter().zip(&self.v_y);
        tried.curved += rises.map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        tried
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Along a direction of curvature 1.25 times the weights', a step of 0.8 is the longest that the
    /// quadratic model allows; both amounts scale with the square of the change.
    #[test]
    fn a_step_too_long_is_cut_to_what_its_direction_allows() {
        let tried = Tried {
            moved: 1.0,
            curved: 1.25,
        };
        assert!(!tried.is_short_enough(1.0));
        let share = tried.shortening(1.0);
        assert!((share - 0.8).abs() < 1e-15, "{share}");
        let again = Tried {
            moved: share * share,
            curved: share * share * 1.25,
        };
        assert!(again.is_short_enough(share));
        assert!(!again.is_short_enough(1.01 * share));
        // Never all at once, and never by nothing.
        let steep = Tried {
            moved: 1.0,
            curved: 1e9,
        };
        assert_eq!(steep.shortening(1.0), 0.5);
        let mild = Tried {
            moved: 1.0,
            curved: 1.000_001,
        };
        assert_eq!(mild.shortening(1.0), 0.95);
    }
}
