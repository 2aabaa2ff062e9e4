//! Whitening an island's rows.

use super::{Law, Rows, System, Unit};
use crate::cone::local::least_majorant;
use crate::models::ModelSettings;
use crate::problem::{ContactProblem, Island, NO_BLOCK, RowId, Run, ScalarKind};

/// Groups from which on an island counts as large.
pub(crate) const LARGE: usize = 1000;

/// First row of a group: contact, or number of contacts + scalar.
fn first_row(problem: &ContactProblem, g: u32) -> RowId {
    match (g as usize).checked_sub(problem.contact_count()) {
        Some(scalar) => problem.scalar_row(scalar),
        None => RowId(3 * g as usize),
    }
}

impl System {
    /// Takes an island in; impulses zero. O(rows and their depth in the tree).
    pub(crate) fn build(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        settings: &ModelSettings,
    ) {
        self.units.clear();
        self.z.clear();
        self.v_free.clear();
        self.runs.clear();
        self.vals.clear();
        self.local.resize(problem.block_count(), 0);
        for x in &mut self.dense {
            x.resize(problem.dim(), 0.0);
        }
        self.is_held = self.held.begin(problem, island);
        let (mut fastest, mut first) = (0.0_f64, 0);
        for &b in island.blocks {
            let block = problem.block(b as usize);
            let v = &problem.v_free()[block.range()];
            fastest = v.iter().fold(fastest, |most, v| most.max(v.abs()));
            self.local[b as usize] = first as u32;
            first += block.dim();
            for i in (0..block.dim()).take_while(|_| !self.is_held) {
                let row = &block.values[block.pattern.row(i)];
                let terms = block.pattern.path(i).iter().zip(row);
                self.v_free.push(terms.map(|(&j, l)| l * v[j]).sum());
            }
        }
        self.speed = 1.0 + fastest;
        self.sort(problem, island);
        for at in 0..self.order.len() {
            let g = self.order[at].1;
            match (g as usize).checked_sub(problem.contact_count()) {
                Some(scalar) => self.push_scalar(problem, scalar, settings),
                None => self.push_contact(problem, g as usize, settings),
            }
        }
        if self.is_held {
            // The velocity without impulses is in the units' own `b`.
            self.v_free.clear();
            self.v_free.resize(self.held.rank(), 0.0);
        }
        self.v.clear();
        self.v.extend_from_slice(&self.v_free);
    }

    /// Lists the island's groups; those of a large one in the order of the first body they act on, so that neighbours in
    /// the list are neighbours in the scene: they share velocities in the cache, and a lane acts on few coordinates.
    fn sort(&mut self, problem: &ContactProblem, island: Island<'_>) {
        let is_large = island.groups.len() >= LARGE;
        let first_body = |g: u32| {
            let (group, _) = problem.group_of(first_row(problem, g));
            let blocks = group.blocks.into_iter().filter(|&b| b != NO_BLOCK);
            blocks.map(|b| self.local[b as usize]).min().unwrap_or(0)
        };
        self.order.clear();
        (self.order).extend(island.groups.iter().map(|&g| match is_large {
            true => (first_body(g), g),
            false => (0, g),
        }));
        if is_large {
            self.order.sort_unstable();
        }
    }

    fn push_scalar(&mut self, problem: &ContactProblem, scalar: usize, settings: &ModelSettings) {
        let kind = problem.scalars()[scalar].1;
        if self.is_held && matches!(kind, ScalarKind::Bilateral { .. }) {
            return;
        }
        let white = self.whiten::<1>(problem, [problem.scalar_row(scalar)], [1.0]);
        if white.d[0] == 0.0 {
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
        let d = white.d[0] + soft;
        let weight = white.weight(0) + soft;
        self.push(Unit {
            law,
            group: (problem.contact_count() + scalar) as u32,
            at: 0,
            width: 1,
            rows: white.rows,
            spin: Rows::default(),
            b: [b + white.free[0], 0.0, 0.0, 0.0, 0.0, 0.0],
            lift: 0.0,
            soft,
            mu: [0.0; 3],
            scale: [1.0; 2],
            d: [d, 1.0, 1.0, 1.0],
            weight: [weight, 1.0, 1.0, 1.0],
        });
    }

    fn push_contact(&mut self, problem: &ContactProblem, c: usize, settings: &ModelSettings) {
        let contact = &problem.contacts()[c];
        let closed = settings.is_closed(contact);
        let approach = if closed && contact.restitution > 0.0 {
            problem.row(RowId(3 * c)).dot(problem.v())
        } else {
            0.0
        };
        let soft = settings.softness(contact, problem.h());
        let mut unit = Unit {
            law: Law::Half,
            group: c as u32,
            at: 0,
            width: 1,
            rows: Rows::default(),
            spin: Rows::default(),
            b: [0.0; 6],
            lift: 0.0,
            soft,
            mu: [0.0; 3],
            scale: [1.0; 2],
            d: [1.0; 4],
            weight: [1.0; 4],
        };
        unit.b[0] = settings.contact_velocity(contact, approach, problem.h());
        let mu = contact.friction();
        let largest = mu[0].max(mu[1]);
        let spin = if closed && contact.mu_torsional.max(contact.mu_rolling) > 0.0 {
            problem.spin_rows(c)
        } else {
            None
        };
        if !closed || (largest == 0.0 && spin.is_none()) {
            let white = self.whiten::<1>(problem, [RowId(3 * c)], [1.0]);
            if white.d[0] > 0.0 {
                unit.rows = white.rows;
                unit.b[0] += white.free[0];
                unit.d[0] = white.d[0];
                unit.weight[0] = white.weight(0) + soft;
                self.push(unit);
            }
            return;
        }
        unit.law = Law::Cone;
        unit.width = 3;
        if largest > 0.0 {
            unit.scale = mu.map(|mu| mu / largest);
        }
        let whole = [0, 1, 2].map(|k| RowId(3 * c + k));
        let white = self.whiten::<3>(problem, whole, [1.0, unit.scale[0], unit.scale[1]]);
        if white.d[0] == 0.0 {
            return;
        }
        unit.rows = white.rows;
        unit.mu[0] = largest;
        unit.b[0] += white.free[0];
        for k in 0..2 {
            unit.b[1 + k] = white.free[1 + k] - contact.surface_velocity[k] * unit.scale[k];
        }
        // The residual function takes the diagonals of the rows as they were.
        let whole = |k: usize| white.d[k] / unit.scale[k - 1].max(1e-150).powi(2);
        unit.d[0] = white.d[0];
        unit.d[1] = positive(whole(1).max(whole(2)));
        let tangent = positive(white.weight(1).max(white.weight(2)));
        let mut block = white.gram;
        block[0][0] = white.weight(0) + soft;
        unit.weight[0] = block[0][0];
        unit.weight[1] = tangent;
        let mut grow = least_majorant(&block, [block[0][0], tangent, tangent]);
        if let Some(rows) = spin {
            let white = self.whiten::<3>(problem, rows, [1.0; 3]);
            unit.width = 6;
            unit.spin = white.rows;
            unit.mu[1] = contact.mu_torsional;
            unit.mu[2] = contact.mu_rolling;
            unit.b[3..].copy_from_slice(&white.free);
            unit.d[2] = positive(white.d[0]);
            unit.d[3] = positive(white.d[1].max(white.d[2]));
            unit.weight[2] = positive(white.weight(0));
            unit.weight[3] = positive(white.weight(1).max(white.weight(2)));
            // A semidefinite matrix is below the sum of its diagonal blocks, each counted twice
            // at most: their largest eigenvalues add up.
            let [torsion, rolling] = [unit.weight[2], unit.weight[3]];
            grow += least_majorant(&white.gram, [torsion, rolling, rolling]);
        }
        unit.weight = unit.weight.map(|w| w * grow);
        self.push(unit);
    }

    fn push(&mut self, mut unit: Unit) {
        unit.at = self.z.len() as u32;
        self.z.resize(self.z.len() + unit.width as usize, 0.0);
        self.units.push(unit);
    }

    /// Whitens the first `K` rows of a group times `scale`.
    fn whiten<const K: usize>(
        &mut self,
        problem: &ContactProblem,
        rows: [RowId; K],
        scale: [f64; K],
    ) -> White<K> {
        let (run_start, val) = (self.runs.len(), self.vals.len());
        if self.is_held {
            let (d, free) = self.hold(problem, rows, scale);
            return self.finish_rows((run_start, val), Some(d), free);
        }
        let (group, _) = problem.group_of(rows[0]);
        let runs = problem.group_runs(group);
        for (k, scale) in scale.into_iter().enumerate() {
            problem
                .group_row(group, k)
                .add_to(scale, &mut self.dense[k]);
        }
        let (first, second) = runs.split_at(group.split as usize);
        for (b, runs) in group.blocks.into_iter().zip([first, second]) {
            if b == NO_BLOCK {
                continue;
            }
            let block = problem.block(b as usize);
            let whole = [Run {
                start: block.offset as u32,
                len: block.dim() as u32,
            }];
            let runs = if group.closed { runs } else { &whole[..] };
            for x in &mut self.dense[..K] {
                block.whiten(runs, &mut x[block.range()]);
            }
            let shift = self.local[b as usize] as i64 - block.offset as i64;
            for run in runs {
                self.runs.push(Run {
                    start: (i64::from(run.start) + shift) as u32,
                    len: run.len,
                });
                for j in run.range() {
                    let column: [f64; K] = std::array::from_fn(|k| self.dense[k][j]);
                    for dense in &mut self.dense[..K] {
                        dense[j] = 0.0;
                    }
                    self.vals.extend_from_slice(&column);
                }
            }
        }
        self.finish_rows((run_start, val), None, [0.0; K])
    }

    /// The rows that begin at these places of `runs` and `vals` and are the last there.
    fn finish_rows<const K: usize>(
        &self,
        (run_start, val): (usize, usize),
        d: Option<[f64; K]>,
        free: [f64; K],
    ) -> White<K> {
        let mut gram = [[0.0; K]; K];
        let (columns, _) = self.vals[val..].as_chunks::<K>();
        for column in columns {
            for k in 0..K {
                for l in 0..K {
                    gram[k][l] += column[k] * column[l];
                }
            }
        }
        White {
            rows: Rows {
                run_start: run_start as u32,
                run_end: self.runs.len() as u32,
                val: val as u32,
            },
            d: d.unwrap_or_else(|| std::array::from_fn(|k| gram[k][k])),
            gram,
            free,
        }
    }
}

/// Share of `row M^-1 row^T` that a weight does not go below: what bilateral rows leave of a row may be
/// nothing, and what is divided by its weight must stay finite.
const LIGHT: f64 = 1e-9;

/// `K` rows of a group in the arena.
struct White<const K: usize> {
    rows: Rows,
    /// `row M^-1 row^T` of each.
    d: [f64; K],
    /// The same of every two, of what the bilateral rows leave of them where those are held.
    gram: [[f64; K]; K],
    /// Their velocities where all the impulses that are sought are zero, as far as the system's `v_free`
    /// does not make them [m/s].
    free: [f64; K],
}

impl<const K: usize> White<K> {
    /// What majorises a row by itself.
    fn weight(&self, k: usize) -> f64 {
        self.gram[k][k].max(LIGHT * self.d[k])
    }
}

/// A divisor for rows that are zero.
fn positive(d: f64) -> f64 {
    if d > 0.0 { d } else { 1.0 }
}
