//! Whitening an island's rows.

use super::{Law, Rows, System, Unit};
use crate::cone::local::least_majorant;
use crate::models::ModelSettings;
use crate::problem::{ContactProblem, Group, Island, NO_BLOCK, RowId, Run, ScalarKind};

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
        let mut fastest = 0.0_f64;
        for &b in island.blocks {
            let block = problem.block(b as usize);
            let first = self.v_free.len();
            self.local[b as usize] = first as u32;
            for i in 0..block.dim() {
                let row = &block.values[block.pattern.row(i)];
                let v = &problem.v_free()[block.range()];
                let terms = block.pattern.path(i).iter().zip(row);
                self.v_free.push(terms.map(|(&j, l)| l * v[j]).sum());
                fastest = fastest.max(v[i].abs());
            }
        }
        self.speed = 1.0 + fastest;
        for &g in island.groups {
            match (g as usize).checked_sub(problem.contact_count()) {
                Some(scalar) => self.push_scalar(problem, scalar, settings),
                None => self.push_contact(problem, g as usize, settings),
            }
        }
        self.v.clear();
        self.v.extend_from_slice(&self.v_free);
    }

    fn push_scalar(&mut self, problem: &ContactProblem, scalar: usize, settings: &ModelSettings) {
        let (group, _) = problem.group_of(problem.scalar_row(scalar));
        let (rows, d) = self.whiten::<1>(problem, group, [1.0]);
        if d[0][0] == 0.0 {
            return;
        }
        let (law, b, soft) = match problem.scalars()[scalar].1 {
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
        let d = d[0][0] + soft;
        self.push(Unit {
            law,
            group: (problem.contact_count() + scalar) as u32,
            at: 0,
            width: 1,
            rows,
            spin: Rows::default(),
            b: [b, 0.0, 0.0],
            lift: 0.0,
            soft,
            mu: [0.0; 3],
            scale: [1.0; 2],
            d: [d, 1.0, 1.0, 1.0],
            weight: [d, 1.0, 1.0, 1.0],
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
            b: [0.0; 3],
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
        let group = problem.contact_group(c);
        if !closed || (largest == 0.0 && spin.is_none()) {
            let (rows, d) = self.whiten::<1>(problem, group, [1.0]);
            if d[0][0] > 0.0 {
                unit.rows = rows;
                unit.d[0] = d[0][0];
                unit.weight[0] = d[0][0] + soft;
                self.push(unit);
            }
            return;
        }
        unit.law = Law::Cone;
        unit.width = 3;
        if largest > 0.0 {
            unit.scale = mu.map(|mu| mu / largest);
        }
        let (rows, d) = self.whiten::<3>(problem, group, [1.0, unit.scale[0], unit.scale[1]]);
        if d[0][0] == 0.0 {
            return;
        }
        unit.rows = rows;
        unit.mu[0] = largest;
        for k in 0..2 {
            unit.b[1 + k] = -contact.surface_velocity[k] * unit.scale[k];
        }
        // The residual function takes the diagonals of the rows as they were.
        let whole = |k: usize| d[k][k] / unit.scale[k - 1].max(1e-150).powi(2);
        unit.d[0] = d[0][0];
        unit.d[1] = positive(whole(1).max(whole(2)));
        let tangent = positive(d[1][1].max(d[2][2]));
        let mut block = d;
        block[0][0] += soft;
        unit.weight[0] = block[0][0];
        unit.weight[1] = tangent;
        let mut grow = least_majorant(&block, [block[0][0], tangent, tangent]);
        if let Some(rows) = spin {
            let (group, _) = problem.group_of(rows[0]);
            let (rows, d) = self.whiten::<3>(problem, group, [1.0; 3]);
            unit.width = 6;
            unit.spin = rows;
            unit.mu[1] = contact.mu_torsional;
            unit.mu[2] = contact.mu_rolling;
            unit.d[2] = positive(d[0][0]);
            unit.d[3] = positive(d[1][1].max(d[2][2]));
            unit.weight[2] = unit.d[2];
            unit.weight[3] = unit.d[3];
            // A semidefinite matrix is below the sum of its diagonal blocks, each counted twice
            // at most: their largest eigenvalues add up.
            grow += least_majorant(&d, [unit.d[2], unit.d[3], unit.d[3]]);
        }
        unit.weight = unit.weight.map(|w| w * grow);
        self.push(unit);
    }

    fn push(&mut self, mut unit: Unit) {
        unit.at = self.z.len() as u32;
        self.z.resize(self.z.len() + unit.width as usize, 0.0);
        self.units.push(unit);
    }

    /// Whitens the first `K` rows of a group times `scale`; returns them with their Gram matrix.
    fn whiten<const K: usize>(
        &mut self,
        problem: &ContactProblem,
        group: &Group,
        scale: [f64; K],
    ) -> (Rows, [[f64; K]; K]) {
        let (run_start, val) = (self.runs.len(), self.vals.len());
        let runs = problem.group_runs(group);
        for (k, scale) in scale.into_iter().enumerate() {
            problem
                .group_row(group, k)
                .add_to(scale, &mut self.dense[k]);
        }
        let (first, second) = runs.split_at(group.split as usize);
        let mut gram = [[0.0; K]; K];
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
                    for k in 0..K {
                        self.dense[k][j] = 0.0;
                        for l in 0..K {
                            gram[k][l] += column[k] * column[l];
                        }
                    }
                    self.vals.extend_from_slice(&column);
                }
            }
        }
        let rows = Rows {
            run_start: run_start as u32,
            run_end: self.runs.len() as u32,
            val: val as u32,
        };
        (rows, gram)
    }
}

/// A divisor for rows that are zero.
fn positive(d: f64) -> f64 {
    if d > 0.0 { d } else { 1.0 }
}
