//! Kinetic energy that nothing asked for.
//!
//! The energy `|v|^2 = 1/2 v^T M v` of an answer, and the work of its impulses f along what rows ask for (a velocity a: moving
//! bodies and surfaces, bounces, pushes out of penetration, drives) are bound to each other: with `u = R v+` and
//! `f . (u - a) = 0`, or less under friction,
//! ```text
//! |v+|^2 + |v+ - v_free|^2 - |v_free|^2 = v+^T M (v+ - v_free) = f . a
//! ```
//! Any velocity w that meets all rows, what they ask for included, has `f . a <= f . R w = w^T M (v+ - v_free)`, which is at
//! most `2 |w| |v+ - v_free|`, so that
//! ```text
//! |v+|^2 <= |v_free|^2 + |w|^2
//! ```
//! (for laws without friction and for held rows; cones exceed it by a fifth in one random heap of a thousand). What one
//! body pushes can go with it: w is its speed d at all that hangs together through impulses, and a body that bounces goes e times its
//! approach faster. Where rows nearly contradict each other lever arms ask for any w: a bar that turns
//! against a wall squeezes bodies out like seeds. So each part of an island that hangs together through impulses,
//! which for itself is an answer as good as the whole, is held to
//! ```text
//! |v+|^2 <= |v_free|^2 + sum_b (d + e_b)^2 |1|_b^2
//! ```
//! with d the fastest that one of its rows asks for, e_b the fastest bounce at body b and `|1|_b` the norm of the velocity of all
//! ones there, three directions for a free body where w has one. An answer beyond it is shortened on the way from v_free until it keeps it,
//! `v = v_free + s (v+ - v_free)`, and its impulses with it.

use super::{ContactSolution, ModelSettings};
use crate::problem::{ContactProblem, Island, NO_BLOCK, ScalarKind};

/// Growth of the energy that is round-off, relative to it.
const ROUND_OFF: f64 = 2e-9;
/// Growth of the energy in an explicit step whose rows turn by half a radian: what turns velocities by an angle a,
/// `v+ = v + h a`, makes them longer, `|v+|^2 = (1 + a^2) |v|^2`.
const TURNING: f64 = 0.25;

/// A block, and at the first one of what hangs together the sums of all.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// A block of the same part, in the end its first one.
    root: u32,
    /// Energy of the free velocity, of the end and of their difference \[J\].
    free: f64,
    end: f64,
    change: f64,
    /// The most that rows and bounces ask for [m/s or rad/s].
    asked: f64,
    bounce: f64,
    /// Energy that may be added \[J\].
    granted: f64,
    /// How much of the change stays.
    share: f64,
}

/// Memory of the bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    change: Vec<f64>,
    ones: Vec<f64>,
    /// By block; stale outside the island.
    parts: Vec<Part>,
    /// Velocities whose fastest coordinate in a part counts as asked for there (m); empty for none.
    pub(super) granted: Vec<f64>,
}

impl Bound {
    /// Shortens the answers that made more energy than was asked for; of how many islands. O(entries of the mass
    /// matrix), and O(groups) of islands that gained energy.
    pub(super) fn hold(
        &mut self,
        problem: &ContactProblem,
        settings: &ModelSettings,
        solution: &mut ContactSolution,
    ) -> usize {
        if !settings.energy_bound {
            return 0;
        }
        self.make_room(problem);
        let islands = problem.islands();
        islands
            .filter(|&island| self.hold_island(problem, island, settings, solution))
            .count()
    }

    fn make_room(&mut self, problem: &ContactProblem) {
        self.parts.resize(problem.block_count(), Part::default());
        self.ones.resize(problem.dim(), 1.0);
        self.change.resize(problem.dim(), 0.0);
    }

    /// Whether an explicit step made more energy in a part of an island than rows that turn by half a radian make: what
    /// it says of the end of the step means nothing then (`chain` at acceleration level: 2e6 m/s).
    pub(super) fn outruns(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        settings: &ModelSettings,
        solution: &ContactSolution,
    ) -> bool {
        if !settings.energy_bound {
            return false;
        }
        self.make_room(problem);
        if !self.survey(problem, island, solution) {
            return false;
        }
        self.ask(problem, island, settings, solution);
        self.sum(problem, island, solution);
        let mut parts = island.blocks.iter().map(|&b| (b, &self.parts[b as usize]));
        parts.any(|(b, part)| {
            part.root == b && part.end > (1.0 + TURNING) * part.free + part.granted
        })
    }

    fn hold_island(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        settings: &ModelSettings,
        solution: &mut ContactSolution,
    ) -> bool {
        if !self.survey(problem, island, solution) {
            return false;
        }
        self.ask(problem, island, settings, solution);
        self.sum(problem, island, solution);
        if !self.shares(island) {
            return false;
        }
        for &b in island.blocks {
            let share = self.parts[self.parts[b as usize].root as usize].share;
            if share < 1.0 {
                for i in problem.block(b as usize).range() {
                    solution.v_plus[i] = problem.v_free()[i] + share * self.change[i];
                }
            }
        }
        for &g in island.groups {
            let first = problem.group_blocks(g as usize)[0];
            let share = self.parts[self.parts[first as usize].root as usize].share;
            if share < 1.0 {
                let alone = Island {
                    blocks: &[],
                    groups: &[g],
                };
                for row in problem.island_rows(alone) {
                    *solution.impulse_mut(problem, row) *= share;
                    for list in solution.by_row() {
                        if let Some(z) = list.get_mut(row.0) {
                            *z *= share;
                        }
                    }
                }
            }
        }
        true
    }

    /// Measures the energies of the blocks; whether one gained any.
    fn survey(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        solution: &ContactSolution,
    ) -> bool {
        let mut gained = false;
        for &b in island.blocks {
            let energy = |v: &[f64]| problem.kinetic_energy(b as usize, v);
            let (free, end) = (energy(problem.v_free()), energy(&solution.v_plus));
            gained |= end > free;
            let range = problem.block(b as usize).range();
            let granted = self.granted.get(range).unwrap_or_default();
            self.parts[b as usize] = Part {
                root: b,
                free,
                end,
                asked: granted.iter().fold(0.0, |a, v| a.max(v.abs())),
                share: 1.0,
                ..Part::default()
            };
        }
        gained
    }

    /// Joins what hangs together through impulses, and notes what its rows ask for.
    fn ask(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        settings: &ModelSettings,
        solution: &ContactSolution,
    ) {
        for &g in island.groups {
            if !acts(problem, g as usize, solution) {
                continue;
            }
            let (asked, bounce) = asks(problem, g as usize, settings);
            let blocks = problem.group_blocks(g as usize);
            for &b in blocks.iter().filter(|&&b| b != NO_BLOCK) {
                let part = &mut self.parts[b as usize];
                part.asked = part.asked.max(asked);
                part.bounce = part.bounce.max(bounce);
            }
            if blocks[1] != NO_BLOCK {
                let [a, b] = blocks.map(|b| self.root(b));
                self.parts[a.max(b) as usize].root = a.min(b);
            }
        }
        for &b in island.blocks {
            let root = self.root(b);
            self.parts[b as usize].root = root;
            let asked = self.parts[b as usize].asked;
            let part = &mut self.parts[root as usize];
            part.asked = part.asked.max(asked);
        }
    }

    fn root(&mut self, mut b: u32) -> u32 {
        while self.parts[b as usize].root != b {
            let up = self.parts[self.parts[b as usize].root as usize].root;
            self.parts[b as usize].root = up;
            b = up;
        }
        b
    }

    /// Sums of what hangs together, at its first block.
    fn sum(&mut self, problem: &ContactProblem, island: Island<'_>, solution: &ContactSolution) {
        for &b in island.blocks {
            for i in problem.block(b as usize).range() {
                self.change[i] = solution.v_plus[i] - problem.v_free()[i];
            }
            let part = self.parts[b as usize];
            let speed = self.parts[part.root as usize].asked + part.bounce;
            let granted = speed * speed * problem.kinetic_energy(b as usize, &self.ones);
            let change = problem.kinetic_energy(b as usize, &self.change);
            let whole = &mut self.parts[part.root as usize];
            whole.granted += granted;
            whole.change += change;
            if part.root != b {
                whole.free += part.free;
                whole.end += part.end;
            }
        }
    }

    /// How much of the change of each part stays; whether any is shortened.
    fn shares(&mut self, island: Island<'_>) -> bool {
        let mut any = false;
        for &b in island.blocks {
            let part = &mut self.parts[b as usize];
            let most = part.free * (1.0 + ROUND_OFF) + part.granted;
            if part.root != b || part.end <= most {
                continue;
            }
            // free + 2 s cross + s^2 change = most.
            let cross = 0.5 * (part.end - part.free - part.change);
            let root = cross * cross + part.change * (most - part.free);
            part.share = ((root.max(0.0).sqrt() - cross) / part.change).clamp(0.0, 1.0);
            any = true;
        }
        any
    }
}

/// Whether a group has an impulse.
fn acts(problem: &ContactProblem, group: usize, solution: &ContactSolution) -> bool {
    match group.checked_sub(problem.contact_count()) {
        Some(scalar) => solution.f_scalar[scalar] != 0.0,
        None => {
            let f = [&solution.f_n, &solution.f_s, &solution.f_t];
            f.iter().any(|f| f[group] != 0.0) || solution.f_spin[group] != [0.0; 3]
        }
    }
}

/// The velocity that a group's rows ask for, and how much of a bounce besides [m/s or rad/s].
fn asks(problem: &ContactProblem, group: usize, settings: &ModelSettings) -> (f64, f64) {
    let h = problem.h();
    if let Some(scalar) = group.checked_sub(problem.contact_count()) {
        let asked = match problem.scalars()[scalar].1 {
            ScalarKind::Bilateral { velocity } | ScalarKind::Bounded { velocity, .. } => {
                velocity.abs()
            }
            ScalarKind::Unilateral { gap } => -settings.gap_velocity(gap, h),
        };
        return (asked.max(0.0), 0.0);
    }
    let contact = &problem.contacts()[group];
    let [s, t] = contact.surface_velocity;
    let [whole, pushed] = settings.demands(problem, group).map(|b| -b);
    let bounce = whole - pushed;
    (pushed.max(s.hypot(t)).max(0.0), bounce.max(0.0))
}

/// The largest velocity that rows of an island ask for [m/s or rad/s].
pub(super) fn fastest_asked(
    problem: &ContactProblem,
    island: Island<'_>,
    settings: &ModelSettings,
) -> f64 {
    let groups = island.groups.iter();
    let asked = groups.map(|&group| asks(problem, group as usize, settings));
    asked.fold(0.0, |most, (asked, bounce)| most.max(asked + bounce))
}
