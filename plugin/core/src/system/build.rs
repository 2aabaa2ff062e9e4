//! Whitening an island's rows.

use super::System;
use crate::factor::kernel::axpy;
use crate::kernel::Lanes;
use crate::law::project::least_majorant;
use crate::law::{ConstraintBlock, Law, Rows};
use crate::problem::{
    BlockView, ContactId, ContactProblem, GroupId, IslandProblem, NO_BLOCK, RowId, Run, ScalarId,
    ScalarKind,
};
use crate::rows::kernel;
use crate::settings::ModelSettings;
use crate::tolerances::{ACCEPTED, FIRM, LARGE_SYSTEM};

/// What acts along the tangents.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Friction<'a> {
    /// The same law at every contact: a cone, none ([`Law::Half`]), or held whatever the pressure where contacts are
    /// closed ([`Law::Free`]).
    Law(Law),
    /// Held at these contacts, none at the others.
    Held(&'a [bool]),
    /// `f = -h mu_v slip` where contacts are closed: a bilateral row with the compliance `1 / (h mu_v)`.
    Viscous,
}

impl System {
    /// Takes an island in; impulses zero. O(rows and their depth in the tree).
    pub(crate) fn build(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        friction: Friction<'_>,
    ) {
        let IslandProblem { problem, island } = place;
        self.units.clear();
        self.z.clear();
        self.v_free.clear();
        self.runs.clear();
        self.vals.clear();
        self.local.resize(problem.block_count(), 0);
        let (mut fastest, mut first) = (0.0_f64, 0);
        for (block, &b) in place.blocks().zip(island.blocks) {
            let v = &problem.v_free()[block.range()];
            fastest = v.iter().fold(fastest, |most, v| most.max(v.abs()));
            self.local[b as usize] = first as u32;
            first += block.dim();
            (self.v_free).extend((0..block.dim()).map(|i| block.white(i, v)));
        }
        self.speed = 1.0 + fastest;
        self.blocks = island.blocks.len();
        self.contacts = island.contacts().count();
        self.sort(place);
        for at in 0..self.order.len() {
            let (_, group) = self.order[at];
            match group {
                GroupId::Scalar(s) => self.push_scalar(problem, s.0, settings),
                GroupId::Contact(c) => self.push_contact(problem, c.0, settings, friction),
            }
        }
        self.v.clear();
        self.v.extend_from_slice(&self.v_free);
    }

    /// Lists the island's groups; those of a large one in the order of the first body they act on, so that neighbours in
    /// the list are neighbours in the scene: they share velocities in the cache, and a lane acts on few coordinates.
    fn sort(&mut self, IslandProblem { problem, island }: IslandProblem<'_>) {
        let is_large = island.groups.len() >= LARGE_SYSTEM;
        self.order.clear();
        (self.order).extend(island.groups.iter().map(|&g| match is_large {
            true => (problem.first_of(g, &self.local), g),
            false => (0, g),
        }));
        if is_large {
            self.order.sort_unstable();
        }
    }

    pub(super) fn push_scalar(
        &mut self,
        problem: &ContactProblem,
        scalar: usize,
        settings: &ModelSettings,
    ) {
        let kind = problem.scalars()[scalar].1;
        if matches!(kind, ScalarKind::Bounded { limit, .. } if limit <= 0.0) {
            return;
        }
        let white = self.whiten(problem, problem.scalar_row(scalar), 0, [1.0]);
        if white.gram[0][0] == 0.0 {
            return;
        }
        let (law, b, soft) = match kind {
            ScalarKind::Bilateral { velocity } => (Law::Free, -velocity, 0.0),
            ScalarKind::Unilateral { gap } => {
                (Law::Half, settings.gap_velocity(gap, problem.h()), 0.0)
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => (Law::Box(limit), -velocity, compliance),
        };
        let d = white.gram[0][0] + soft;
        let law = match law {
            Law::Box(limit) if ACCEPTED * limit * d > self.speed => Law::Free,
            law => law,
        };
        // A drive yields by what it is: its limit.
        let share = match law {
            Law::Box(_) => 1.0,
            _ => FIRM,
        };
        let mut unit = ConstraintBlock::new(law, GroupId::Scalar(ScalarId(scalar)), soft);
        unit.rows = white.rows;
        unit.b[0] = b;
        unit.proximal_weight = share;
        (unit.d[0], unit.weight[0]) = (d, d);
        self.push(unit);
    }

    fn push_contact(
        &mut self,
        problem: &ContactProblem,
        c: usize,
        settings: &ModelSettings,
        friction: Friction<'_>,
    ) {
        let contact = &problem.contacts()[c];
        let closed = settings.is_closed(contact);
        let approach = if closed && contact.restitution > 0.0 {
            problem.row(RowId(3 * c)).dot(problem.v())
        } else {
            0.0
        };
        let soft = settings.softness(contact, problem.h());
        let mut unit = ConstraintBlock::new(Law::Half, GroupId::Contact(ContactId(c)), soft);
        unit.b[0] = settings.contact_velocity(contact, approach, problem.h());
        let mu = contact.friction();
        let largest = mu[0].max(mu[1]);
        let spin = if contact.mu_torsional.max(contact.mu_rolling) > 0.0 {
            problem.spin_rows(c)
        } else {
            None
        };
        let compliance = match friction {
            Friction::Law(Law::Free) => Some(0.0),
            Friction::Held(held) => held[c].then_some(0.0),
            // A reciprocal that overflows is friction too weak for any effect.
            Friction::Viscous => Some(1.0 / (problem.h() * contact.mu_viscous)),
            Friction::Law(_) => None,
        };
        if let Some(soft) = compliance.filter(|soft| closed && soft.is_finite()) {
            for k in 1..3 {
                let target = contact.surface_velocity[k - 1];
                self.push_held(problem, c, k, target, soft);
            }
        }
        let law = match friction {
            Friction::Law(law @ (Law::Cone | Law::Convex)) => law,
            _ => Law::Half,
        };
        if law == Law::Half || largest == 0.0 && spin.is_none() {
            let white = self.whiten(problem, RowId(3 * c), 0, [1.0]);
            if white.gram[0][0] > 0.0 {
                unit.rows = white.rows;
                unit.d[0] = white.gram[0][0];
                unit.weight[0] = white.gram[0][0] + soft;
                self.push(unit);
            }
            return;
        }
        unit.law = law;
        unit.width = 3;
        if largest > 0.0 {
            unit.scale = mu.map(|mu| mu / largest);
        }
        let scale = [1.0, unit.scale[0], unit.scale[1]];
        let white = self.whiten(problem, RowId(3 * c), 0, scale);
        if white.gram[0][0] == 0.0 {
            return;
        }
        unit.rows = white.rows;
        unit.mu[0] = largest;
        for k in 0..2 {
            unit.b[1 + k] = -contact.surface_velocity[k] * unit.scale[k];
        }
        // The residual function takes the diagonals of the rows as they were.
        let whole = |k: usize| white.gram[k][k] / unit.scale[k - 1].max(1e-150).powi(2);
        unit.d[0] = white.gram[0][0];
        unit.d[1] = positive(whole(1).max(whole(2)));
        let tangent = positive(white.gram[1][1].max(white.gram[2][2]));
        let mut block = white.gram;
        block[0][0] = white.gram[0][0] + soft;
        unit.weight[0] = block[0][0];
        unit.weight[1] = tangent;
        let mut grow = least_majorant(&block, [block[0][0], tangent, tangent]);
        if let Some(rows) = spin {
            let white = self.whiten(problem, rows[0], 0, [1.0; 3]);
            unit.width = 6;
            unit.spin = white.rows;
            unit.mu[1] = contact.mu_torsional;
            unit.mu[2] = contact.mu_rolling;
            unit.d[2] = positive(white.gram[0][0]);
            unit.d[3] = positive(white.gram[1][1].max(white.gram[2][2]));
            unit.weight[2] = positive(white.gram[0][0]);
            unit.weight[3] = positive(white.gram[1][1].max(white.gram[2][2]));
            // A semidefinite matrix is below the sum of its diagonal blocks, each counted twice
            // at most: their largest eigenvalues add up.
            let [torsion, rolling] = [unit.weight[2], unit.weight[3]];
            grow += least_majorant(&white.gram, [torsion, rolling, rolling]);
        }
        unit.weight = unit.weight.map(|w| w * grow);
        self.push(unit);
    }

    /// A tangential row of a contact that acts whatever its pressure.
    fn push_held(&mut self, problem: &ContactProblem, c: usize, k: usize, target: f64, soft: f64) {
        let white = self.whiten(problem, RowId(3 * c), k, [1.0]);
        if white.gram[0][0] == 0.0 {
            return;
        }
        let d = white.gram[0][0] + soft;
        let mut unit = ConstraintBlock::new(Law::Free, GroupId::Contact(ContactId(c)), soft);
        unit.row = k as u32;
        unit.rows = white.rows;
        unit.b[0] = -target;
        unit.proximal_weight = FIRM;
        (unit.d[0], unit.weight[0]) = (d, d);
        self.push(unit);
    }

    fn push(&mut self, mut unit: ConstraintBlock) {
        unit.at = self.z.len() as u32;
        self.z.resize(self.z.len() + unit.width as usize, 0.0);
        self.units.push(unit);
    }

    /// Room for the rows on a block of so many coordinates.
    fn make_room(&mut self, dim: usize) {
        if self.lanes.len() < dim {
            self.dense.iter_mut().for_each(|x| x.resize(dim, 0.0));
            self.lanes.resize(dim, Lanes::default());
        }
    }

    /// Whitens `K` rows of a group, named by its first, from the `from`-th on, times `scale`.
    fn whiten<const K: usize>(
        &mut self,
        problem: &ContactProblem,
        row: RowId,
        from: usize,
        scale: [f64; K],
    ) -> White<K> {
        let (run_start, val) = (self.runs.len(), self.vals.len());
        let (group, _) = problem.group_of(row);
        let (first, second) = problem.group_runs(group).split_at(group.split as usize);
        let mut at = 0;
        for (b, runs) in group.blocks.into_iter().zip([first, second]) {
            if b == NO_BLOCK {
                continue;
            }
            let block = problem.block(b as usize);
            self.make_room(block.dim());
            let start = at;
            for (k, scale) in scale.into_iter().enumerate() {
                let values = problem.group_row(group, from + k).values;
                at = start;
                for run in runs {
                    let own = &values[at..at + run.len as usize];
                    axpy(&mut self.dense[k][run.range_from(block.offset)], scale, own);
                    at += own.len();
                }
            }
            let whole = [Run {
                start: block.offset as u32,
                len: block.dim() as u32,
            }];
            let runs = if group.closed { runs } else { &whole[..] };
            whiten_rows::<K>(block, runs, &mut self.dense, &mut self.lanes);
            let shift = self.local[b as usize] as i64 - block.offset as i64;
            for run in runs {
                self.runs.push(Run {
                    start: (i64::from(run.start) + shift) as u32,
                    len: run.len,
                });
                for dense in &mut self.dense[..K] {
                    let row = &mut dense[run.range_from(block.offset)];
                    self.vals.extend_from_slice(row);
                    row.fill(0.0);
                }
            }
        }
        White {
            rows: Rows {
                run_start: run_start as u32,
                run_end: self.runs.len() as u32,
                val: val as u32,
            },
            gram: self.gram(run_start, val),
        }
    }

    /// The products of `K` rows that begin at these places of `runs` and `vals` and are the last there.
    fn gram<const K: usize>(&self, run_start: usize, mut val: usize) -> [[f64; K]; K] {
        let mut gram = [[0.0; K]; K];
        for run in &self.runs[run_start..] {
            let len = run.len as usize;
            let row = |k: usize| &self.vals[val + k * len..val + (k + 1) * len];
            #[allow(clippy::needless_range_loop, reason = "two rows at once")]
            for k in 0..K {
                for l in 0..=k {
                    gram[k][l] += kernel::dot(row(k), row(l));
                    gram[l][k] = gram[k][l];
                }
            }
            val += K * len;
        }
        gram
    }
}

/// Whitens the first `K` of three dense rows of a block in place; three of a tree side by side, in one pass over its factor.
fn whiten_rows<const K: usize>(
    block: BlockView<'_>,
    runs: &[Run],
    dense: &mut [Vec<f64>; 3],
    lanes: &mut [Lanes],
) {
    let dim = block.dim();
    if K < 3 || block.pattern.is_body() {
        for x in &mut dense[..K] {
            block.whiten(runs, &mut x[..dim]);
        }
        return;
    }
    let [n, s, t] = dense;
    let own = || runs.iter().flat_map(|run| run.range_from(block.offset));
    for i in own() {
        lanes[i] = [n[i], s[i], t[i], 0.0];
    }
    block.whiten_lanes(runs, &mut lanes[..dim]);
    for i in own() {
        [n[i], s[i], t[i], _] = lanes[i];
    }
}

/// `K` rows of a group in the arena.
struct White<const K: usize> {
    rows: Rows,
    /// `row M^-1 row^T` of every two.
    gram: [[f64; K]; K],
}

/// A divisor for rows that are zero.
fn positive(d: f64) -> f64 {
    if d > 0.0 { d } else { 1.0 }
}
