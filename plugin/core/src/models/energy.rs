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
//! (for laws without friction and for held rows; friction cones may exceed it). Bodies that one body pushes can move
//! with it: then w is its speed d at all bodies that impulses connect. Where rows nearly contradict each other, lever arms
//! make w as large as they like. So each part of an island that impulses connect, which is an answer by itself, is held to
//! ```text
//! |v+|^2 <= |v_free|^2 + 3/2 sum_b m_b d^2
//! ```
//! with d the fastest that one of its rows asks for and `m_b` the mass of a free body or of all that a tree moves
//! ([`Inertias`]): three directions where w has one, so that turns need no share of their own, which would be another one in
//! each unit of length. A bounce gives back the speed that there was, as seen from what moves as it is asked to: of a body b
//! that bounces, `|v_b+| <= max(|v_b|, |v_free,b|) + 2 |w_b|`, so that there
//! ```text
//! 3/2 m_b d^2   becomes   4 (g + sqrt(g E_b)),   g = 3/2 m_b d^2,
//! ```
//! with E_b the energy of b before or after forces, whichever is more, in |v_free|^2 as well. Newton's law keeps to that without
//! friction; with friction, or contacts of several coefficients, it need not. Rows that give, springs and drives with `u + eps f = a` and
//! `|f| <= l`, put in no more than `f . u <= min(l |a|, a^2 / (4 eps))`, which is taken where it is less. An answer beyond
//! the bound is shortened on the way from v_free until it keeps it, `v = v_free + s (v+ - v_free)`, and its impulses with it.
//!
//! One body of many can take what is granted to all. So, where something moves as prescribed, each body for itself, with what joints
//! tie to it, is held to its own energy, or that of four times the speed that is asked, in the root mean square over its
//! coordinates, and to what the others lose. It is no theorem: what is pushed by a lever longer than four to one is thrown less far
//! than it would be.

mod inertias;

use self::inertias::Inertias;
use super::asked::{Asked, asks};
use super::{ContactSolution, ModelSettings};
use crate::problem::{ContactProblem, GroupId, Island, IslandProblem, NO_BLOCK};
use crate::tolerances::{ACCEPTED, LEVERAGE, TURN};

/// Energies of the free velocity, of the end and of their difference \[J\].
#[derive(Clone, Copy, Debug, Default)]
struct Energies {
    free: f64,
    end: f64,
    change: f64,
    /// Of the free velocity, or of the one before the step if that is more and the body bounces.
    before: f64,
}

impl Energies {
    fn add(&mut self, other: Self) {
        self.free += other.free;
        self.end += other.end;
        self.change += other.change;
        self.before += other.before;
    }

    /// The share of the change with which the end keeps to an energy.
    fn share(&self, most: f64) -> f64 {
        // free + 2 s cross + s^2 change = most.
        let cross = 0.5 * (self.end - self.free - self.change);
        let root = cross * cross + self.change * (most - self.free);
        ((root.max(0.0).sqrt() - cross) / self.change).clamp(0.0, 1.0)
    }
}

/// A block, and at the first block of a connected part the sums of all its blocks.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// A block of the same part, and of what joints hold together, in the end the first one; by number in the island.
    root: u32,
    tied: u32,
    own: Energies,
    whole: Energies,
    /// Of this block's rows; at the first one, but for bounces, of all.
    asked: Asked,
    /// Energy that may be added, by what firm rows ask for and by what all do \[J\].
    granted: [f64; 2],
    /// Energy of the block with a speed of one in each of three directions \[kg\].
    inertia: f64,
    /// Energy that blocks of the part lost \[J\].
    lost: f64,
    /// How much of the change of a part stays, and of what joints hold together.
    share: f64,
    held: f64,
}

/// Memory of the bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Bound {
    change: Vec<f64>,
    inertias: Inertias,
    /// The island's blocks.
    parts: Vec<Part>,
    /// Number in the island of each block of the problem; stale outside.
    number: Vec<u32>,
    /// Velocities whose fastest coordinate in a part counts as asked for there (m); empty for none.
    pub(super) granted: Vec<f64>,
}

impl Bound {
    /// Shortens the answers that made more energy than was asked for; of how many islands.
    pub(super) fn hold(
        &mut self,
        problem: &ContactProblem,
        settings: &ModelSettings,
        solution: &mut ContactSolution,
    ) -> usize {
        let mut held = 0;
        for island in problem.islands() {
            if self.exceeds(problem.place(island), settings, solution) {
                self.shorten(problem.place(island), solution);
                held += 1;
            }
        }
        held
    }

    /// Sums up energies and what is asked for, where the bound is wanted and a block gained any.
    fn measures(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        solution: &ContactSolution,
    ) -> bool {
        let problem = place.problem;
        if !settings.energy_bound {
            return false;
        }
        self.number.resize(problem.block_count(), 0);
        self.change.resize(problem.dim(), 0.0);
        let gained = self.survey(place, solution);
        if gained {
            self.inertias.begin(place);
            self.ask(place, settings, solution);
            self.sum(place, solution);
        }
        gained
    }

    /// Whether an explicit step made more energy in a part of an island than rows that turn by half a radian make: what
    /// it says of the end of the step means nothing then.
    pub(super) fn outruns(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        solution: &ContactSolution,
    ) -> bool {
        if !self.measures(place, settings, solution) {
            return false;
        }
        let mut parts = (0..).zip(&self.parts);
        parts.any(|(n, part)| {
            let most = (1.0 + TURN * TURN) * part.whole.before + part.granted();
            part.root == n && part.whole.end > most
        })
    }

    /// Whether the answer of an island made more energy than was asked for. O(entries of the mass matrix), and O(groups)
    /// where it gained any.
    pub(super) fn exceeds(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        solution: &ContactSolution,
    ) -> bool {
        self.measures(place, settings, solution) && self.shares()
    }

    /// Shortens an answer that [`Self::exceeds`].
    pub(super) fn shorten(
        &self,
        IslandProblem { problem, island }: IslandProblem<'_>,
        solution: &mut ContactSolution,
    ) {
        for &b in island.blocks {
            let share = self.share(b);
            if share < 1.0 {
                for i in problem.block(b as usize).range() {
                    solution.v_plus[i] = problem.v_free()[i] + share * self.change[i];
                }
            }
        }
        for &g in island.groups {
            let blocks = problem.group_blocks(g).into_iter();
            let shares = blocks.filter(|&b| b != NO_BLOCK).map(|b| self.share(b));
            let share = shares.fold(1.0, f64::min);
            if share < 1.0 {
                let alone = Island {
                    blocks: &[],
                    groups: &[g],
                };
                for row in problem.place(alone).rows() {
                    *solution.impulse_mut(problem, row) *= share;
                    for list in solution.by_row() {
                        if let Some(z) = list.get_mut(row.0) {
                            *z *= share;
                        }
                    }
                }
            }
        }
    }

    /// Measures the energies of the blocks; whether one gained any.
    fn survey(
        &mut self,
        IslandProblem { problem, island }: IslandProblem<'_>,
        solution: &ContactSolution,
    ) -> bool {
        let mut gained = false;
        self.parts.clear();
        for (n, &b) in (0..).zip(island.blocks) {
            self.number[b as usize] = n;
            let energy = |v: &[f64]| problem.kinetic_energy(b as usize, v);
            let (free, end) = (energy(problem.v_free()), energy(&solution.v_plus));
            gained |= end > free;
            let range = problem.block(b as usize).range();
            let granted = self.granted.get(range).unwrap_or_default();
            let asked = granted.iter().fold(0.0, |a: f64, v| a.max(v.abs()));
            self.parts.push(Part {
                root: n,
                tied: n,
                own: Energies {
                    free,
                    before: free,
                    end,
                    ..Energies::default()
                },
                asked: Asked {
                    firm: asked,
                    all: asked,
                    ..Asked::default()
                },
                share: 1.0,
                held: 1.0,
                ..Part::default()
            });
        }
        gained
    }

    /// Joins the blocks that impulses and joints connect, and notes what their rows ask for.
    fn ask(
        &mut self,
        IslandProblem { problem, island }: IslandProblem<'_>,
        settings: &ModelSettings,
        solution: &ContactSolution,
    ) {
        for &g in island.groups {
            let blocks = problem.group_blocks(g).map(|b| match b {
                NO_BLOCK => NO_BLOCK,
                b => self.number[b as usize],
            });
            let is_joint = matches!(g, GroupId::Scalar(_));
            if is_joint && blocks[1] != NO_BLOCK {
                let [a, b] = blocks.map(|n| self.first(n, |part| &mut part.tied));
                self.parts[a.max(b) as usize].tied = a.min(b);
            }
            if !acts(g, solution) {
                continue;
            }
            self.inertias.note(problem, g);
            let mut asked = asks(problem, g, settings);
            for &n in blocks.iter().filter(|&&n| n != NO_BLOCK) {
                self.parts[n as usize].asked.add(asked);
                // Once, whichever block has it.
                asked.work = 0.0;
            }
            if blocks[1] != NO_BLOCK {
                let [a, b] = blocks.map(|n| self.first(n, |part| &mut part.root));
                self.parts[a.max(b) as usize].root = a.min(b);
            }
        }
        for n in 0..self.parts.len() as u32 {
            let root = self.first(n, |part| &mut part.root);
            let tied = self.first(n, |part| &mut part.tied);
            let part = &mut self.parts[n as usize];
            (part.root, part.tied) = (root, tied);
            let asked = Asked {
                bounce: 0.0,
                ..part.asked
            };
            if root != n {
                self.parts[root as usize].asked.add(asked);
            }
        }
    }

    /// The first block of those that are linked to one.
    fn first(&mut self, mut n: u32, link: fn(&mut Part) -> &mut u32) -> u32 {
        loop {
            let next = *link(&mut self.parts[n as usize]);
            if next == n {
                return n;
            }
            let up = *link(&mut self.parts[next as usize]);
            *link(&mut self.parts[n as usize]) = up;
            n = up;
        }
    }

    /// Sums of each connected part, at its first block.
    fn sum(
        &mut self,
        IslandProblem { problem, island }: IslandProblem<'_>,
        solution: &ContactSolution,
    ) {
        for (n, &b) in island.blocks.iter().enumerate() {
            for i in problem.block(b as usize).range() {
                self.change[i] = solution.v_plus[i] - problem.v_free()[i];
            }
            let part = &mut self.parts[n];
            part.inertia = self.inertias.of(problem, b);
            let own = &mut part.own;
            own.change = problem.kinetic_energy(b as usize, &self.change);
            let bounces = part.asked.bounce > 0.0;
            if bounces {
                own.before = own
                    .free
                    .max(problem.kinetic_energy(b as usize, problem.v()));
            }
            let part = *part;
            let whole = &mut self.parts[part.root as usize];
            whole.whole.add(part.own);
            let asked = [whole.asked.firm, whole.asked.all];
            for (granted, asked) in whole.granted.iter_mut().zip(asked) {
                let alone = asked * asked * part.inertia;
                *granted += if bounces {
                    4.0 * (alone + (alone * part.own.before).sqrt())
                } else {
                    alone
                };
            }
            whole.lost += (part.own.before - part.own.end).max(0.0);
        }
    }

    /// How much of the change of each block stays; whether any is shortened.
    fn shares(&mut self) -> bool {
        let mut any = false;
        for (n, part) in (0..).zip(&mut self.parts) {
            let most = part.whole.before * (1.0 + 2.0 * ACCEPTED) + part.granted();
            if part.root == n && part.whole.end > most {
                part.share = part.whole.share(most);
                any = true;
            }
        }
        for n in 0..self.parts.len() {
            let part = self.parts[n];
            let whole = self.parts[part.root as usize];
            if whole.asked.firm == 0.0 || part.own.end <= part.own.free {
                continue;
            }
            let driven = LEVERAGE * whole.asked.firm;
            let most = part.own.free.max(driven * driven * part.inertia) * (1.0 + 2.0 * ACCEPTED)
                + whole.lost
                + whole.asked.work;
            if part.own.end > most {
                let tied = &mut self.parts[part.tied as usize];
                tied.held = tied.held.min(part.own.share(most));
                any = true;
            }
        }
        any
    }

    /// How much of a block's change stays.
    fn share(&self, b: u32) -> f64 {
        let part = &self.parts[self.number[b as usize] as usize];
        let [root, tied] = [part.root, part.tied].map(|n| &self.parts[n as usize]);
        root.share.min(tied.held)
    }
}

impl Part {
    /// Energy that the rows of a part may add \[J\]: those that give put in no more than their work, nor than firm ones
    /// would.
    fn granted(&self) -> f64 {
        let [firm, all] = self.granted;
        all.min(firm + self.asked.work)
    }
}

/// Whether a group has an impulse.
fn acts(group: GroupId, solution: &ContactSolution) -> bool {
    match group {
        GroupId::Scalar(s) => solution.f_scalar[s.0] != 0.0,
        GroupId::Contact(c) => {
            let f = [&solution.f_n, &solution.f_s, &solution.f_t];
            f.iter().any(|f| f[c.0] != 0.0) || solution.f_spin[c.0] != [0.0; 3]
        }
    }
}
