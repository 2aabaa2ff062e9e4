//! Bounces by Poisson's law, checked phase by phase.
//!
//! The answer says what impulses the compression took; with `v_c` the velocity they make, it is held
//! against the conditions of a problem without restitution from `v_free` to `v_c`, and the rest of
//! the impulses, d, against those of one from `v_c` to `v+` in which a bouncing contact presses at
//! least e times as much as in the compression \[AP97\]:
//! ```text
//! 0 <= d_n - e c_n  complementary to  N v+ + b >= 0,    friction of d bounded by d_n
//! ```
//! Bounds of drives and dry friction hold for both phases together.

use super::stage::{Stages, rows, velocity};
use super::{Check, Phase, Rules, Scratch};
use crate::models::ContactSolution;
use crate::problem::ContactProblem;
use crate::report::Residuals;

/// Checks an answer with a compression over some blocks, contacts and scalars.
pub(super) fn check(
    (problem, rules, speed): (&ContactProblem, Rules<'_>, f64),
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
    (blocks, contacts, scalars): (
        impl Iterator<Item = usize> + Clone,
        impl Iterator<Item = usize> + Clone,
        impl Iterator<Item = usize> + Clone,
    ),
) -> Residuals {
    let mut stages = std::mem::take(&mut scratch.stages);
    stages.shape(problem);
    let Stages { part, between } = &mut stages;
    let rows = || rows(problem, contacts.clone(), scalars.clone());
    let listed = rows().map(|row| (row, solution.compression[row.0]));
    velocity(problem, blocks.clone(), listed, problem.v_free(), between);
    for row in rows() {
        *part.impulse_mut(problem, row) = solution.compression[row.0];
        part.unmet[row.0] = solution.unmet[row.0];
    }
    for b in blocks.clone() {
        let range = problem.block(b).range();
        part.v_plus[range.clone()].copy_from_slice(&between[range]);
    }
    let mut run = |part: &mut ContactSolution, phase, base: Option<&[f64]>| {
        let mut check = Check {
            problem,
            rules,
            solution: part,
            scratch: &mut *scratch,
            speed,
            phase,
            base,
            r: Residuals::default(),
        };
        check.run(blocks.clone(), contacts.clone(), scalars.clone())
    };
    let mut worst = run(part, Phase::Compression, None);
    for row in rows() {
        let rest = *solution.impulse_mut(problem, row) - solution.compression[row.0];
        *part.impulse_mut(problem, row) = rest;
    }
    for b in blocks.clone() {
        let range = problem.block(b).range();
        part.v_plus[range.clone()].copy_from_slice(&solution.v_plus[range]);
    }
    let phase = Phase::Expansion(&solution.compression);
    let second = run(part, phase, Some(between));
    worst.merge(&second);
    worst.slip = second.slip;
    for c in contacts.clone() {
        solution.slip[c] = part.slip[c];
    }
    scratch.stages = stages;
    worst
}
