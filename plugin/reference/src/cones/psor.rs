//! Projected successive over-relaxation over cones, matrix-free [TA].

use stickslip_core::kit::cones::{
    BETWEEN_TESTS, ConstraintBlock, Ended, Goal, PART, PATIENCE, System, step,
};
use stickslip_core::models::{IterationSettings, Sweep};

/// Iterates from the impulses present, `f' = lambda Proj(f - omega W^-1 u) + (1 - lambda) f`, one contact or row after
/// another: the convex problem's objective falls with every visit for `omega < 2`. O(nonzeros of the rows) per sweep.
pub(super) fn run(
    system: &mut System,
    goal: Goal,
    settings: &IterationSettings,
    order: Sweep,
) -> Ended {
    let mut v = std::mem::take(&mut system.v);
    let mut z = std::mem::take(&mut system.z);
    let IterationSettings { omega, lambda, .. } = *settings;
    let mut done = 0;
    let mut next_test = 0;
    loop {
        if done >= next_test || done >= goal.most {
            let residual = system.residual_at(&z, &v);
            // Negated so that a NaN ends it.
            let goes_on = residual > goal.tolerance && done < goal.most;
            if !goes_on {
                (system.z, system.v) = (z, v);
                return Ended {
                    iterations: done,
                    residual,
                };
            }
            next_test = match done {
                0 => PATIENCE,
                _ => done + BETWEEN_TESTS,
            };
        }
        let count = system.units.len();
        let is_backward = order == Sweep::Symmetric && done % 2 == 1;
        for i in 0..count {
            let unit = match is_backward {
                true => &system.units[count - 1 - i],
                false => &system.units[i],
            };
            let (z, v) = (&mut z[..], &mut v[..]);
            match unit.width {
                1 => visit::<1>(system, unit, omega, lambda, z, v),
                3 => visit::<3>(system, unit, omega, lambda, z, v),
                _ => visit::<6>(system, unit, omega, lambda, z, v),
            }
        }
        done += 1;
    }
}

/// Steps the impulses of a unit, and the velocity.
#[inline]
fn visit<const W: usize>(
    system: &System,
    unit: &ConstraintBlock,
    omega: f64,
    lambda: f64,
    z: &mut [f64],
    v: &mut [f64],
) {
    let weight: [f64; W] = std::array::from_fn(|k| unit.weight[PART[k]] / omega);
    let change = step(system, unit, &weight, unit.of::<W>(z), v).map(|change| lambda * change);
    if change != [0.0; W] {
        for (z, change) in z[unit.range()].iter_mut().zip(change) {
            *z += change;
        }
        system.add(unit, change, v);
    }
}
