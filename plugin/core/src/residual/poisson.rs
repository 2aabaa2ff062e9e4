//! Bounces by Poisson's law, judged phase by phase.
//!
//! The answer says what impulses the compression took; with `v_c` the velocity they make, it is held
//! against the conditions of a problem without restitution from `v_free` to `v_c`, and the rest of
//! the impulses, d, against those of one from `v_c` to `v+` in which a bouncing contact presses at
//! least e times as much as in the compression \[AP97\]:
//! ```text
//! 0 <= d_n - e c_n  complementary to  N v+ + b >= 0,    friction of d bounded by d_n
//! ```
//! Bounds of drives and dry friction hold for both phases together.

use super::{Judge, Phase, Rules, Scratch};
use crate::models::ContactSolution;
use crate::problem::{ContactProblem, RowId};
use crate::report::Residuals;

/// Memory of the two phases.
#[derive(Clone, Debug, Default)]
pub(super) struct Phases {
    part: ContactSolution,
    /// Velocity between the phases.
    between: Vec<f64>,
}

/// Judges an answer with a compression over some blocks, contacts and scalars.
pub(super) fn judge(
    (problem, rules, speed): (&ContactProblem, Rules<'_>, f64),
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
    (blocks, contacts, scalars): (
        impl Iterator<Item = usize> + Clone,
        impl Iterator<Item = usize> + Clone,
        impl Iterator<Item = usize> + Clone,
    ),
) -> Residuals {
    let mut phases = std::mem::take(&mut scratch.phases);
    let Phases { part, between } = &mut phases;
    shape(problem, part, between);
    let rows = || {
        let own = contacts.clone().flat_map(|c| 3 * c..3 * c + 3);
        let spins = contacts.clone().filter_map(|c| problem.spin_rows(c));
        let scalars = scalars.clone().map(|i| problem.scalar_row(i));
        (own.map(RowId)).chain(spins.flatten()).chain(scalars)
    };
    for b in blocks.clone() {
        between[problem.block(b).range()].fill(0.0);
    }
    for row in rows() {
        let z = solution.compression[row.0];
        *part.impulse_mut(problem, row) = z;
        part.unmet[row.0] = solution.unmet[row.0];
        if z != 0.0 {
            problem.row(row).add_to(z, between);
        }
    }
    for b in blocks.clone() {
        let block = problem.block(b);
        let v = &mut between[block.range()];
        block.solve_lt(v);
        block.solve_l(v);
        for (v, free) in v.iter_mut().zip(&problem.v_free()[block.range()]) {
            *v += free;
        }
        part.v_plus[block.range()].copy_from_slice(&between[block.range()]);
    }
    let mut run = |part: &mut ContactSolution, phase, base: Option<&[f64]>| {
        let mut judge = Judge {
            problem,
            rules,
            solution: part,
            scratch: &mut *scratch,
            speed,
            phase,
            base,
            r: Residuals::default(),
        };
        judge.run(blocks.clone(), contacts.clone(), scalars.clone())
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
    scratch.phases = phases;
    worst
}

/// Room for a problem; what is in it is overwritten where it is read.
fn shape(problem: &ContactProblem, part: &mut ContactSolution, between: &mut Vec<f64>) {
    let n = problem.contact_count();
    between.resize(problem.dim(), 0.0);
    part.v_plus.resize(problem.dim(), 0.0);
    for x in [&mut part.f_n, &mut part.f_s, &mut part.f_t, &mut part.slip] {
        x.resize(n, 0.0);
    }
    part.f_spin.resize(n, [0.0; 3]);
    part.held.resize(n, false);
    part.unmet.resize(problem.row_count(), false);
    part.f_scalar.resize(problem.scalar_count(), 0.0);
}
