//! What is wrong with an answer, from problem and answer alone.
//!
//! Velocities are divided by `1 + max |v_free|`; an impulse `z` is compared with a velocity as
//! `z D`, where `D = row M^-1 row^T`. One function checks every solver, in the tests and in the
//! report of every step.

mod contact;
mod friction;
mod law;
mod poisson;
mod scalar;
mod scratch;
mod shell;
mod stage;

pub(crate) use friction::into_polygon;
pub use scratch::Scratch;

use crate::models::{ContactSolution, ModelName, ModelSettings};
use crate::problem::{ContactProblem, Island};
use crate::report::Residuals;
use law::Law;

/// The conditions an answer is held against.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The model, which says where tangential rows hold.
    pub model: ModelName,
    /// The settings, which give `b` and say which contacts are closed.
    pub settings: &'a ModelSettings,
    /// Whether the releasing form fell back to the bilateral one somewhere: contacts marked as held
    /// may then hold without pressing.
    pub release_failed: bool,
}

#[inline]
fn raise(worst: &mut f64, value: f64) {
    if value > *worst || value.is_nan() {
        *worst = value;
    }
}

/// What counts of a row's shortfall: nothing if the answer declares the row unmet, it is then booked
/// as a contradiction.
#[inline]
fn unmet(left: f64, declared: bool, r: &mut Residuals) -> f64 {
    if declared && left.is_finite() {
        raise(&mut r.contradiction, left.abs());
        return 0.0;
    }
    left
}

/// Checks an answer. Also fills `solution.slip`, the tangential speed of each contact.
///
/// O(nonzeros of the rows), and a whitening per row with an impulse.
pub fn residuals(
    problem: &ContactProblem,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
) -> Residuals {
    if rules.model == ModelName::DrumwrightShell || solution.exact_cone.contains(&true) {
        // Islands have multipliers, or a law, of their own.
        let mut worst = Residuals::default();
        for island in problem.islands() {
            worst.merge(&of_island(problem, island, rules, solution, scratch));
        }
        return worst;
    }
    let blocks = 0..problem.block_count();
    let contacts = 0..problem.contact_count();
    let scalars = 0..problem.scalar_count();
    let speed = 1.0 + problem.v_free().iter().fold(0.0_f64, |a, v| a.max(v.abs()));
    scratch.resize(problem.dim());
    run(
        (problem, rules, speed),
        solution,
        scratch,
        (blocks, contacts, scalars),
    )
}

/// [`residuals`] of one island: velocities are divided by `1 + max |v_free|` of its own blocks.
pub fn of_island(
    problem: &ContactProblem,
    island: Island<'_>,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
) -> Residuals {
    let model = match solution.is_exact_cone(island) {
        true => ModelName::Cone,
        false => rules.model,
    };
    let rules = Rules { model, ..rules };
    let n = problem.contact_count();
    let blocks = island.blocks.iter().map(|&b| b as usize);
    let contacts = island.groups.iter().map(|&g| g as usize);
    let scalars = contacts.clone().filter_map(|g| g.checked_sub(n));
    let speeds = blocks.clone().map(|b| {
        let v = &problem.v_free()[problem.block(b).range()];
        v.iter().fold(0.0_f64, |a, v| a.max(v.abs()))
    });
    let speed = 1.0 + speeds.fold(0.0, f64::max);
    scratch.resize(problem.dim());
    let contacts = contacts.filter(|&g| g < n);
    run(
        (problem, rules, speed),
        solution,
        scratch,
        (blocks, contacts, scalars),
    )
}

/// Checks some blocks, contacts and scalars; bounces by Poisson's law phase by phase.
fn run(
    (problem, rules, speed): (&ContactProblem, Rules<'_>, f64),
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
    (blocks, contacts, scalars): (
        impl Iterator<Item = usize> + Clone,
        impl Iterator<Item = usize> + Clone,
        impl Iterator<Item = usize> + Clone,
    ),
) -> Residuals {
    if rules.model == ModelName::DrumwrightShell && !solution.multipliers.is_empty() {
        let parts = (blocks, contacts, scalars);
        return shell::check((problem, rules, speed), solution, scratch, parts);
    }
    if !solution.compression.is_empty() && rules.model != ModelName::Cone {
        let parts = (blocks, contacts, scalars);
        return poisson::check((problem, rules, speed), solution, scratch, parts);
    }
    let mut check = Check {
        problem,
        rules,
        solution,
        scratch,
        speed,
        phase: Phase::Whole,
        base: None,
        r: Residuals::default(),
    };
    check.run(blocks, contacts, scalars)
}

/// What part of the impulses is checked.
#[derive(Clone, Copy, Debug)]
enum Phase<'a> {
    /// All, restitution by Newton's law.
    Whole,
    /// Those of the compression: no restitution.
    Compression,
    /// The rest; the impulses of the compression by row.
    Expansion(&'a [f64]),
}

/// An answer being checked.
struct Check<'a> {
    problem: &'a ContactProblem,
    rules: Rules<'a>,
    solution: &'a mut ContactSolution,
    scratch: &'a mut Scratch,
    /// `1 + max |v_free|`.
    speed: f64,
    phase: Phase<'a>,
    /// The velocity the impulses start from, if not the free one.
    base: Option<&'a [f64]>,
    r: Residuals,
}

impl Check<'_> {
    fn run(
        &mut self,
        blocks: impl Iterator<Item = usize> + Clone,
        contacts: impl Iterator<Item = usize>,
        scalars: impl Iterator<Item = usize>,
    ) -> Residuals {
        self.clear(blocks.clone());
        let law = Law::of(self.rules);
        for c in contacts {
            self.contact(c, law);
        }
        for i in scalars {
            self.scalar(i);
        }
        self.divide();
        self.r.momentum = self.momentum(blocks);
        self.r
    }

    /// No momentum yet.
    fn clear(&mut self, blocks: impl Iterator<Item = usize>) {
        for b in blocks {
            let range = self.problem.block(b).range();
            self.scratch.momentum[range.clone()].fill(0.0);
            self.scratch.magnitude[range].fill(0.0);
        }
    }

    /// Divides velocities by the speed.
    fn divide(&mut self) {
        let r = &mut self.r;
        for x in [
            &mut r.signorini,
            &mut r.penetration,
            &mut r.cone,
            &mut r.dissipation,
            &mut r.bilateral,
            &mut r.contradiction,
        ] {
            *x /= self.speed;
        }
    }

    /// Largest `|M (v+ - v_free) - sum of row impulses|` of a coordinate, divided by what round-off
    /// is relative to: the sum of the terms' magnitudes and the coordinate's own inertia times the
    /// speed.
    fn momentum(&mut self, blocks: impl Iterator<Item = usize>) -> f64 {
        let (problem, scratch) = (self.problem, &mut *self.scratch);
        let mut worst = 0.0;
        for b in blocks {
            let block = problem.block(b);
            let range = block.range();
            let dv = &mut scratch.x[range.clone()];
            let ends = self.solution.v_plus[range.clone()].iter();
            for (d, (v, f)) in dv
                .iter_mut()
                .zip(ends.zip(&self.base.unwrap_or(problem.v_free())[range.clone()]))
            {
                *d = v - f;
            }
            block.add_momentum(dv, &mut scratch.momentum[range.clone()]);
            dv.fill(0.0);
            let sums = scratch.momentum[range.clone()].iter();
            for ((p, m), inv) in sums.zip(&scratch.magnitude[range]).zip(block.inv_diag) {
                raise(&mut worst, p.abs() / (m + self.speed / (inv * inv)));
            }
        }
        worst
    }
}
