//! Errors of an answer, from problem and answer alone.
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

pub use scratch::Scratch;

use crate::law::FrictionLaw;
use crate::problem::{ContactProblem, GroupId, Island, IslandProblem};
use crate::report::Residuals;
use crate::settings::{ModelName, ModelSettings};
use crate::solution::ContactSolution;
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
    /// The law along the tangents in place of the model's, which is `cone` then.
    pub friction: Option<&'a dyn FrictionLaw>,
}

#[inline]
fn raise(worst: &mut f64, value: f64) {
    if value > *worst || value.is_nan() {
        *worst = value;
    }
}

/// The length of a pair: `hypot` guards against overflow that validated input cannot reach, at 50 ns a call.
#[inline]
fn length([a, b]: [f64; 2]) -> f64 {
    (a * a + b * b).sqrt()
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

/// Checks an answer, island by island. Also fills `solution.slip`, the tangential speed of each contact.
///
/// O(nonzeros of the rows), and a whitening per row with an impulse.
pub fn residuals(
    problem: &ContactProblem,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
) -> Residuals {
    scratch.resize(problem.dim());
    // Islands overwrite this; what is left belongs to blocks without rows.
    scratch.momentum.fill(f64::NAN);
    let mut worst = Residuals::default();
    for island in problem.islands() {
        worst.merge(&of_island(problem.place(island), rules, solution, scratch));
    }
    let ends = solution.v_plus.iter().zip(problem.v_free());
    for ((end, free), _) in ends.zip(&scratch.momentum).filter(|(_, p)| p.is_nan()) {
        raise(&mut worst.momentum, (end - free).abs() / (1.0 + free.abs()));
    }
    worst
}

/// [`residuals`] of one island: velocities are divided by `1 + max |v_free|` of its own blocks. Bounces by Poisson's law
/// and least energy are checked stage by stage.
pub fn of_island(
    place: IslandProblem<'_>,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
) -> Residuals {
    let IslandProblem { problem, island } = place;
    let model = match solution.is_exact_cone(island) {
        true => ModelName::Cone,
        false => rules.model,
    };
    // What the exact cone answers for is held against that.
    let friction = rules.friction.filter(|_| !solution.is_exact_cone(island));
    let rules = Rules {
        model,
        friction,
        ..rules
    };
    scratch.resize(problem.dim());
    if model == ModelName::DrumwrightShell && !solution.multipliers.is_empty() {
        return shell::check(place, rules, solution, scratch);
    }
    if !solution.compression.is_empty() && model != ModelName::Cone {
        return poisson::check(place, rules, solution, scratch);
    }
    Check::new(place, rules, solution, scratch).run()
}

/// [`of_island`] of a velocity that was made of the impulses, `v+ = v_free + M^-1 R^T f`: their balance is left out.
pub(crate) fn of_made(
    place: IslandProblem<'_>,
    rules: Rules<'_>,
    solution: &mut ContactSolution,
    scratch: &mut Scratch,
) -> Residuals {
    scratch.resize(place.problem.dim());
    let whole = Check::new(place, rules, solution, scratch);
    let mut check = Check {
        is_made: true,
        ..whole
    };
    check.run()
}

/// `1 + max |v_free|` of an island.
pub(crate) fn speed(place: IslandProblem<'_>) -> f64 {
    let v = (place.blocks()).flat_map(|block| &place.problem.v_free()[block.range()]);
    1.0 + v.fold(0.0, |most: f64, v| most.max(v.abs()))
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
    island: Island<'a>,
    rules: Rules<'a>,
    solution: &'a mut ContactSolution,
    scratch: &'a mut Scratch,
    /// `1 + max |v_free|`.
    speed: f64,
    phase: Phase<'a>,
    /// The velocity the impulses start from, if not the free one.
    base: Option<&'a [f64]>,
    /// Whether the velocity was made of the impulses.
    is_made: bool,
    r: Residuals,
}

impl<'a> Check<'a> {
    /// Of the whole answer, from the free velocity.
    fn new(
        place: IslandProblem<'a>,
        rules: Rules<'a>,
        solution: &'a mut ContactSolution,
        scratch: &'a mut Scratch,
    ) -> Self {
        let IslandProblem { problem, island } = place;
        Self {
            problem,
            island,
            rules,
            solution,
            scratch,
            speed: speed(place),
            phase: Phase::Whole,
            base: None,
            is_made: false,
            r: Residuals::default(),
        }
    }

    fn run(&mut self) -> Residuals {
        let law = Law::of(self.rules);
        self.of_rows(|check, c| check.contact(c, law), Self::scalar)
    }

    /// Checks every contact and scalar row of the island by these, and the momentum.
    fn of_rows(
        &mut self,
        mut contact: impl FnMut(&mut Self, usize),
        mut scalar: impl FnMut(&mut Self, usize),
    ) -> Residuals {
        for &b in self.island.blocks {
            let range = self.problem.block(b as usize).range();
            self.scratch.momentum[range.clone()].fill(0.0);
            self.scratch.magnitude[range].fill(0.0);
        }
        for &g in self.island.groups {
            match g {
                GroupId::Contact(c) => contact(self, c.0),
                GroupId::Scalar(s) => scalar(self, s.0),
            }
        }
        self.divide();
        if !self.is_made {
            self.r.momentum = self.momentum();
        }
        self.r
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
    fn momentum(&mut self) -> f64 {
        let (problem, scratch) = (self.problem, &mut *self.scratch);
        let mut worst = 0.0;
        for &b in self.island.blocks {
            let block = problem.block(b as usize);
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
