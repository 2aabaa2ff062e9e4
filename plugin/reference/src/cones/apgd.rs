//! Accelerated projected gradient with adaptive restart and backtracking, matrix-free.

use stickslip_core::kit::cones::{
    BETWEEN_TESTS, ConstraintBlock, Ended, Goal, PART, System, projected,
};
use stickslip_core::kit::kernel::worse;

/// How much longer a step is tried than the last one was.
const LONGER: f64 = 1.0 / 0.99;

/// The shortest step tried.
const SHORTEST: f64 = 1e-18;

/// Bounds on what a step that was too long is multiplied by.
const SHORTER: (f64, f64) = (0.5, 0.95);

/// Tests in a row at which a unit had no impulse and wanted none, from which on it is left out until a test finds that it
/// wants one.
const CALM: u8 = 2;

/// Memory of the accelerated gradient.
#[derive(Clone, Debug, Default)]
pub(super) struct Gradient {
    /// The units that are stepped: the others have no impulse and want none.
    awake: Vec<u32>,
    /// At how many tests in a row each unit had no impulse and wanted none.
    calm: Vec<u8>,
    /// Extrapolated impulses, and the velocities of the units there.
    y: Vec<f64>,
    gradient: Vec<f64>,
    /// The impulses after a step.
    next: Vec<f64>,
    best: Vec<f64>,
    /// Velocity of the extrapolated impulses.
    v_y: Vec<f64>,
    /// Velocity of the next impulses.
    v_next: Vec<f64>,
}

/// What a step from y did.
#[derive(Clone, Copy, Debug, Default)]
struct Tried {
    /// `|f - y|^2` in the metric of the units' own weights.
    moved: f64,
    /// `(f - y)^T D (f - y)`.
    curved: f64,
    /// `g . (f - z)` for the gradient g at y and the impulses z before the step: above zero it leads uphill.
    turn: f64,
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

impl Gradient {
    /// Solves the convex problem from the impulses present. Nesterov's
    /// extrapolation, restarted whenever it points uphill, each step `Proj(y - t W^-1 g)` in the
    /// metric of the units' own weights; t is shortened as the curvature met asks until the quadratic model
    /// majorises the objective `1/2 f^T D f + r^T f`, and lengthened a little after every step. Contacts that stay
    /// open are looked at by the tests alone. O(nonzeros of the rows) per iteration.
    pub(super) fn run(&mut self, system: &mut System, goal: Goal) -> Ended {
        system.refresh();
        for list in [&mut self.y, &mut self.gradient, &mut self.next] {
            list.clone_from(&system.z);
        }
        self.v_y.clone_from(&system.v);
        self.calm.clear();
        self.calm.resize(system.units.len(), 0);
        let mut least = f64::INFINITY;
        let mut theta = 1.0_f64;
        let mut step = 1.0;
        let mut done = 0;
        loop {
            if done % BETWEEN_TESTS == 0 || done >= goal.most {
                let residual = self.test(system);
                if residual < least || done == 0 {
                    least = residual;
                    self.best.clone_from(&system.z);
                }
                // Negated so that a NaN ends it.
                let goes_on = residual > goal.tolerance && done < goal.most;
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
            let mut tried = self.step(system, step, false);
            while !tried.is_short_enough(step) && step > SHORTEST {
                step *= tried.shortening(step);
                tried = self.step(system, step, true);
            }
            let next_theta = 0.5 * theta * ((theta * theta + 4.0).sqrt() - theta);
            let mut beta = theta * (1.0 - theta) / (theta * theta + next_theta);
            theta = next_theta;
            if tried.turn > 0.0 {
                (beta, theta) = (0.0, 1.0);
            }
            extrapolate(&mut self.y, &self.next, &system.z, beta);
            extrapolate(&mut self.v_y, &self.v_next, &system.v, beta);
            std::mem::swap(&mut system.z, &mut self.next);
            std::mem::swap(&mut system.v, &mut self.v_next);
            step *= LONGER;
        }
    }

    /// The residual at the present impulses ([`System::residual`]); NaN where a number is not finite. Finds out which
    /// units are left out until the next test.
    fn test(&mut self, system: &System) -> f64 {
        let mut worst = 0.0;
        self.awake.clear();
        for (i, (unit, calm)) in system.units.iter().zip(&mut self.calm).enumerate() {
            let left = system.left(unit, &system.z, &system.v);
            worst = worse(worst, left);
            let lists = [&system.z, &self.y].map(|list| &list[unit.range()]);
            let rests = lists.iter().all(|list| list.iter().all(|x| *x == 0.0));
            *calm = match rests && left == 0.0 {
                true => calm.saturating_add(1),
                false => 0,
            };
            if *calm < CALM {
                self.awake.push(i as u32);
            } else {
                self.next[unit.range()].fill(0.0);
            }
        }
        worst / system.speed
    }

    /// A step against the gradient at y and the velocity it leads to; the gradient is evaluated on the way unless
    /// it is `known`. One pass over the rows.
    fn step(&mut self, system: &System, step: f64, known: bool) -> Tried {
        self.v_next.clone_from(&system.v_free);
        let mut tried = Tried::default();
        for k in 0..self.awake.len() {
            let unit = &system.units[self.awake[k] as usize];
            match unit.width {
                1 => self.step_unit::<1>(system, unit, step, known, &mut tried),
                3 => self.step_unit::<3>(system, unit, step, known, &mut tried),
                _ => self.step_unit::<6>(system, unit, step, known, &mut tried),
            }
        }
        let rises = self.v_next.iter().zip(&self.v_y);
        tried.curved += rises.map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        tried
    }

    #[inline]
    fn step_unit<const W: usize>(
        &mut self,
        system: &System,
        unit: &ConstraintBlock,
        step: f64,
        known: bool,
        tried: &mut Tried,
    ) {
        let y = unit.of::<W>(&self.y);
        let u: [f64; W] = match known {
            true => unit.of(&self.gradient),
            false => system.velocity(unit, &self.v_y, y[0]),
        };
        self.gradient[unit.range()].copy_from_slice(&u);
        let to: [f64; W] = std::array::from_fn(|k| y[k] - step * u[k] / unit.weight[PART[k]]);
        let next = projected(unit, &to);
        let change: [f64; W] = std::array::from_fn(|k| next[k] - y[k]);
        let moved = (0..W).map(|k| unit.weight[PART[k]] * change[k] * change[k]);
        tried.moved += moved.sum::<f64>();
        tried.curved += unit.soft * change[0] * change[0];
        let way = next.iter().zip(unit.of::<W>(&system.z));
        let along = u.iter().zip(way).map(|(u, (next, z))| u * (next - z));
        tried.turn += along.sum::<f64>();
        self.next[unit.range()].copy_from_slice(&next);
        if next != [0.0; W] {
            system.add(unit, next, &mut self.v_next);
        }
    }
}

/// `y = next + beta (next - now)`.
fn extrapolate(y: &mut [f64], next: &[f64], now: &[f64], beta: f64) {
    for (y, (next, now)) in y.iter_mut().zip(next.iter().zip(now)) {
        *y = next + beta * (next - now);
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
