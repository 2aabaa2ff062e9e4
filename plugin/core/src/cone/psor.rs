//! Projected successive over-relaxation over the cones, matrix-free \[TA\].

use super::local::stepped;
use super::natural::CALM;
use super::system::LARGE;
use super::{Friction, System};
use crate::models::Sweep;

/// When and how an iteration goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iteration {
    /// Sweeps at most.
    pub(crate) sweeps: usize,
    /// Residual ([`System::residual`]) at which it has converged.
    pub(crate) tolerance: f64,
    /// Step in units of each contact's own weights.
    pub(crate) omega: f64,
    /// Share of the projected step that is taken.
    pub(crate) lambda: f64,
    /// The order in which the units are visited.
    pub(crate) order: Sweep,
}

/// How an iteration ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) iterations: usize,
    pub(crate) residual: f64,
}

/// Sweeps from first test of the residual to the next.
const BETWEEN_TESTS: usize = 10;

/// Solves by sweeps from the impulses present:
/// ```text
/// f' = lambda Proj(f - omega W^-1 u) + (1 - lambda) f,   v~ += R~^T (f' - f)
/// ```
/// unit by unit, the velocity always up to date; in a large island, contacts that stay open are looked at by the tests
/// alone. The weights W majorise each unit's own block, so the
/// convex problem's objective falls with every visit for `omega < 2`. O(nonzeros of the rows) per
/// sweep; never forms a matrix.
pub(crate) fn psor(system: &mut System, friction: Friction, how: &Iteration) -> Ended {
    let mut done = 0;
    let mut next_test = 0;
    loop {
        if done >= next_test || done >= how.sweeps {
            let residual = system.test(friction, done == 0);
            // Negated so that a NaN ends it.
            let goes_on = residual > how.tolerance && done < how.sweeps;
            if !goes_on {
                return Ended {
                    iterations: done,
                    residual,
                };
            }
            next_test = if done == 0 { 3 } else { done + BETWEEN_TESTS };
        }
        let backwards = how.order == Sweep::Symmetric && done % 2 == 1;
        sweep(system, friction, how, backwards.then_some(Backwards));
        done += 1;
    }
}

/// Last to first.
struct Backwards;

fn sweep(system: &mut System, friction: Friction, how: &Iteration, way: Option<Backwards>) {
    let mut v = std::mem::take(&mut system.v);
    let mut z = std::mem::take(&mut system.z);
    let count = system.units.len();
    let is_large = count >= LARGE;
    for i in 0..count {
        let i = if way.is_some() { count - 1 - i } else { i };
        if is_large && system.calm[i] >= CALM {
            continue;
        }
        let unit = &system.units[i];
        let old = System::impulse(unit, &z);
        let u = system.velocity(unit, &v, old[0]);
        let new = stepped(unit, &old, &u, how.omega, friction);
        // The impulses themselves stay on the cone to the last digit.
        let new = if how.lambda == 1.0 {
            new
        } else {
            std::array::from_fn(|k| how.lambda * new[k] + (1.0 - how.lambda) * old[k])
        };
        let step: [f64; 6] = std::array::from_fn(|k| new[k] - old[k]);
        if step == [0.0; 6] {
            continue;
        }
        let at = unit.at as usize;
        let width = unit.width as usize;
        z[at..at + width].copy_from_slice(&new[..width]);
        system.add(unit, step, &mut v);
    }
    system.v = v;
    system.z = z;
}
