//! Accelerated projected gradient with adaptive restart and backtracking, matrix-free.

use super::lane::{Lane, Tried, part, wanted};
use super::threads::{each, in_pool};
use super::{Ended, Goal};
use crate::law::worse;
use crate::system::System;

/// Memory of the accelerated gradient.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradient {
    /// The units in shares, with their impulses.
    lanes: Vec<Lane>,
    /// Velocity of the extrapolated impulses.
    v_y: Vec<f64>,
    /// Velocity of the next impulses.
    v_next: Vec<f64>,
}

/// How much longer a step is tried than the last one was.
const LONGER: f64 = 1.0 / 0.99;
/// The shortest step tried.
const SHORTEST: f64 = 1e-18;
/// Bounds on what a step that was too long is multiplied by.
const SHORTER: (f64, f64) = (0.5, 0.95);

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

/// Coordinates that are summed in one go.
const PIECE: usize = 1024;
/// Iterations from one test of the residual to the next.
const BETWEEN_TESTS: usize = 10;

impl Gradient {
    /// Solves the convex problem from the impulses present. Nesterov's
    /// extrapolation, restarted whenever it points uphill, each step `Proj(y - t W^-1 g)` in the
    /// metric of the units' own weights; t is shortened as the curvature met asks until the quadratic model
    /// majorises the objective `1/2 f^T D f + r^T f`, and lengthened a little after every step. Contacts that stay
    /// open are looked at by the tests alone. O(nonzeros of the rows) per iteration.
    pub(crate) fn run(&mut self, system: &mut System, goal: Goal) -> Ended {
        in_pool(wanted(system), || self.descend(system, goal))
    }

    fn descend(&mut self, system: &mut System, goal: Goal) -> Ended {
        system.refresh();
        let mut memory = std::mem::take(&mut self.lanes);
        let lanes = part(&mut memory, system);
        self.v_y.clone_from(&system.v);
        self.v_next.clone_from(&system.v);
        let mut least = f64::INFINITY;
        let mut theta = 1.0_f64;
        let mut step = 1.0;
        let mut done = 0;
        loop {
            if done % BETWEEN_TESTS == 0 || done >= goal.most {
                let residual = test(lanes, system);
                if residual < least || done == 0 {
                    least = residual;
                    each(lanes, Lane::keep);
                }
                // Negated so that a NaN ends it.
                let goes_on = residual > goal.tolerance && done < goal.most;
                if !goes_on {
                    for lane in &*lanes {
                        lane.give(&mut system.z);
                    }
                    self.lanes = memory;
                    system.refresh();
                    return Ended {
                        iterations: done,
                        residual: least,
                    };
                }
            }
            done += 1;
            let mut tried = self.step_lanes(lanes, system, (step, false));
            while !tried.is_short_enough(step) && step > SHORTEST {
                step *= tried.shortening(step);
                tried = self.step_lanes(lanes, system, (step, true));
            }
            let next_theta = 0.5 * theta * ((theta * theta + 4.0).sqrt() - theta);
            let mut beta = theta * (1.0 - theta) / (theta * theta + next_theta);
            theta = next_theta;
            if tried.turn > 0.0 {
                (beta, theta) = (0.0, 1.0);
            }
            each(lanes, |lane| lane.accept(system, beta));
            let velocities = self.v_next.iter().zip(&system.v);
            for (y, (next, now)) in self.v_y.iter_mut().zip(velocities) {
                *y = next + beta * (next - now);
            }
            std::mem::swap(&mut system.v, &mut self.v_next);
            step *= LONGER;
        }
    }

    /// A step of all lanes and the velocity it leads to.
    fn step_lanes(&mut self, lanes: &mut [Lane], system: &System, how: (f64, bool)) -> Tried {
        let v_y = &self.v_y;
        each(lanes, |lane| lane.step(system, v_y, how));
        let mut tried = Tried::default();
        for lane in &*lanes {
            tried.moved += lane.tried.moved;
            tried.curved += lane.tried.curved;
            tried.turn += lane.tried.turn;
        }
        // Piece by piece, while it is in the cache.
        let pieces = self.v_next.chunks_mut(PIECE).zip(v_y.chunks(PIECE));
        for (k, (next, y)) in pieces.enumerate() {
            let first = k * PIECE;
            next.copy_from_slice(&system.v_free[first..first + next.len()]);
            for lane in &*lanes {
                lane.add_to(next, first);
            }
            let rises = next.iter().zip(y);
            tried.curved += rises.map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        }
        tried
    }
}

/// The residual at the present impulses ([`System::residual`]); NaN where a number is not finite.
fn test(lanes: &mut [Lane], system: &System) -> f64 {
    each(lanes, |lane| lane.test(system, &system.v));
    let left = lanes.iter().map(|lane| lane.left);
    left.fold(0.0, worse) / system.speed
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
            ..Tried::default()
        };
        assert!(!tried.is_short_enough(1.0));
        let share = tried.shortening(1.0);
        assert!((share - 0.8).abs() < 1e-15, "{share}");
        let again = Tried {
            moved: share * share,
            curved: share * share * 1.25,
            ..Tried::default()
        };
        assert!(again.is_short_enough(share));
        assert!(!again.is_short_enough(1.01 * share));
        // Never all at once, and never by nothing.
        let steep = Tried {
            moved: 1.0,
            curved: 1e9,
            ..Tried::default()
        };
        assert_eq!(steep.shortening(1.0), 0.5);
        let mild = Tried {
            moved: 1.0,
            curved: 1.000_001,
            ..Tried::default()
        };
        assert_eq!(mild.shortening(1.0), 0.95);
    }
}
