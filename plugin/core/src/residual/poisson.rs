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

use super::stage::Stages;
use super::{Check, Phase, Rules, Scratch};
use crate::problem::IslandProblem;
use crate::report::Residuals;
use crate::solution::ContactSolution;

/// Checks the answer of an island with a compression.
pub(super) fn check(
    place: IslandProblem<'_>,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
) -> Residuals {
    let mut stages = std::mem::take(&mut scratch.stages);
    let compression = std::mem::take(&mut solution.compression);
    stages.begin(place, &compression, solution);
    let Stages { part, between } = &mut stages;
    let phase = Phase::Compression;
    let first = Check::new(place, rules, part, scratch);
    let mut worst = Check { phase, ..first }.run();
    for row in place.rows() {
        let rest = *solution.impulse_mut(place.problem, row) - compression[row.0];
        *part.impulse_mut(place.problem, row) = rest;
    }
    for block in place.blocks() {
        let range = block.range();
        part.v_plus[range.clone()].copy_from_slice(&solution.v_plus[range]);
    }
    let (phase, base) = (Phase::Expansion(&compression), Some(&between[..]));
    let last = Check::new(place, rules, part, scratch);
    let second = Check {
        phase,
        base,
        ..last
    }
    .run();
    worst.merge(&second);
    worst.slip = second.slip;
    for c in place.contacts() {
        solution.slip[c] = part.slip[c];
    }
    solution.compression = compression;
    scratch.stages = stages;
    worst
}
