//! One island's rows, whitened and side by side, with its impulses and velocity.
//!
//! With `M = L^T L` a row `r` becomes `r~ = L^-T r^T` and the velocity `v~ = L v`, so one copy of a row
//! serves both products of an iteration, `u = r~ . v~` and `v~ += r~ dz`. Memory and building time are
//! linear in the rows.

mod build;
mod held;

pub(crate) use build::LARGE;

use super::local::tidy;
use crate::models::{ContactSolution, WarmStart};
use crate::problem::{ContactProblem, Island, Run};
use held::Held;

/// What a unit's impulses obey.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Law {
    /// `u = 0`, any impulse: bilateral row.
    Free,
    /// `0 <= z` complementary to `u >= 0`: joint limit, contact without friction.
    Half,
    /// `|z| <= limit`, `u` opposed at the bounds.
    Box(f64),
    /// A contact with friction.
    Cone,
}

/// Whitened rows that share their columns, interleaved column by column.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rows {
    run_start: u32,
    run_end: u32,
    val: u32,
}

/// A contact or a scalar row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub(crate) law: Law,
    /// Group of the problem: contact, or number of contacts + scalar.
    pub(crate) group: u32,
    /// First of its impulses in `z`.
    pub(crate) at: u32,
    /// Its impulses: 1, 3, or 6 with spin.
    pub(crate) width: u32,
    pub(crate) rows: Rows,
    pub(crate) spin: Rows,
    /// Added to the rows' velocities.
    pub(crate) b: [f64; 6],
    /// De Saxce's shift of the normal velocity while it is frozen [m/s].
    pub(crate) lift: f64,
    /// Added per unit impulse to the (normal) velocity.
    pub(crate) soft: f64,
    /// Radii per normal impulse: tangential, torsional, rolling.
    pub(crate) mu: [f64; 3],
    /// The tangential rows are scaled by these, so that an ellipse is a circle.
    pub(crate) scale: [f64; 2],
    /// Diagonals by part (normal, tangential, torsional, rolling) as the residual function takes
    /// them; 1 for rows that are zero.
    pub(crate) d: [f64; 4],
    /// Weights by part: they majorise the unit's own block of `R M^-1 R^T`.
    pub(crate) weight: [f64; 4],
}

impl Unit {
    /// Where its impulses are.
    #[inline]
    pub(crate) fn range(&self) -> std::ops::Range<usize> {
        let at = self.at as usize;
        at..at + self.width as usize
    }

    /// Scale of the normal impulse against the normal velocity in Newton's map: a tiny one may carry
    /// friction mu times as large, and counts as much.
    #[inline]
    pub(crate) fn grip(&self) -> f64 {
        self.mu[0].max(1.0)
    }

    /// A contact's impulses in the coordinates in which its ellipse is a circle.
    fn scaled(&self, mut f: [f64; 6]) -> [f64; 6] {
        for k in 0..2 {
            let scale = self.scale[k];
            f[1 + k] = if scale > 0.0 { f[1 + k] / scale } else { 0.0 };
        }
        f
    }
}

/// Part of a contact's impulse that its index belongs to.
pub(crate) const PART: [usize; 6] = [0, 1, 1, 2, 3, 3];

/// Impulses or velocities of a unit, padded with zeros.
#[inline]
pub(crate) fn padded(x: &[f64]) -> [f64; 6] {
    let mut out = [0.0; 6];
    for (o, x) in out.iter_mut().zip(x) {
        *o = *x;
    }
    out
}

/// One island, ready to iterate. All memory is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    pub(crate) units: Vec<Unit>,
    /// Impulses.
    pub(crate) z: Vec<f64>,
    /// Whitened velocity, consistent with `z` up to round-off; of what bilateral rows leave where those are
    /// [`held`].
    pub(crate) v: Vec<f64>,
    pub(crate) v_free: Vec<f64>,
    /// `1 + max |v_free|` of the island.
    pub(crate) speed: f64,
    /// At how many tests in a row each unit had no impulse and wanted none ([`Self::test`]).
    pub(crate) calm: Vec<u8>,
    runs: Vec<Run>,
    vals: Vec<f64>,
    /// The island's groups in the order of the units, each with what it is sorted by.
    order: Vec<(u32, u32)>,
    /// First local coordinate of each block of the problem, by block; stale outside the island.
    local: Vec<u32>,
    /// Whitened rows of a group; zero between uses.
    dense: [Vec<f64>; 3],
    held: Held,
    /// Whether the bilateral rows are eliminated.
    is_held: bool,
}

impl System {
    /// Appends the columns of a unit: coordinate, entries of its rows. A coordinate may come twice.
    pub(crate) fn columns(&self, unit: &Unit, out: &mut Vec<(usize, [f64; 6])>) {
        let mut walk = |rows: Rows, from: usize, width: usize| {
            let runs = &self.runs[rows.run_start as usize..rows.run_end as usize];
            let values = self.vals[rows.val as usize..].chunks_exact(width);
            let coordinates = runs.iter().flat_map(|run| run.range());
            for (j, values) in coordinates.zip(values) {
                let mut column = [0.0; 6];
                column[from..from + width].copy_from_slice(values);
                out.push((j, column));
            }
        };
        walk(unit.rows, 0, unit.width.min(3) as usize);
        if unit.width == 6 {
            walk(unit.spin, 3, 3);
        }
    }

    /// The coordinates that units act on: the first to the last.
    pub(crate) fn span(&self, units: &[Unit]) -> std::ops::Range<usize> {
        let (mut first, mut end) = (usize::MAX, 0);
        for rows in units.iter().flat_map(|unit| [unit.rows, unit.spin]) {
            for run in &self.runs[rows.run_start as usize..rows.run_end as usize] {
                first = first.min(run.range().start);
                end = end.max(run.range().end);
            }
        }
        first.min(end)..end
    }

    #[inline]
    fn dots<const K: usize>(&self, rows: Rows, x: &[f64]) -> [f64; K] {
        let mut sums = [0.0; K];
        let mut at = rows.val as usize;
        for run in &self.runs[rows.run_start as usize..rows.run_end as usize] {
            let range = run.range();
            let end = at + K * range.len();
            let (columns, _) = self.vals[at..end].as_chunks::<K>();
            for (x, column) in x[range].iter().zip(columns) {
                for k in 0..K {
                    sums[k] += column[k] * x;
                }
            }
            at = end;
        }
        sums
    }

    #[inline]
    fn spread<const K: usize>(&self, rows: Rows, a: [f64; K], x: &mut [f64]) {
        let mut at = rows.val as usize;
        for run in &self.runs[rows.run_start as usize..rows.run_end as usize] {
            let range = run.range();
            let end = at + K * range.len();
            let (columns, _) = self.vals[at..end].as_chunks::<K>();
            for (x, column) in x[range].iter_mut().zip(columns) {
                for k in 0..K {
                    *x += column[k] * a[k];
                }
            }
            at = end;
        }
    }

    /// `R~ x` of a unit; entries past its width are zero.
    #[inline]
    pub(crate) fn product(&self, unit: &Unit, x: &[f64]) -> [f64; 6] {
        if unit.width == 1 {
            let [n] = self.dots(unit.rows, x);
            return [n, 0.0, 0.0, 0.0, 0.0, 0.0];
        }
        let [n, s, t] = self.dots(unit.rows, x);
        if unit.width == 3 {
            return [n, s, t, 0.0, 0.0, 0.0];
        }
        let [a, b, c] = self.dots(unit.spin, x);
        [n, s, t, a, b, c]
    }

    /// `x += R~^T a` of a unit.
    #[inline]
    pub(crate) fn add(&self, unit: &Unit, a: [f64; 6], x: &mut [f64]) {
        if unit.width == 1 {
            self.spread(unit.rows, [a[0]], x);
            return;
        }
        self.spread(unit.rows, [a[0], a[1], a[2]], x);
        if unit.width == 6 {
            self.spread(unit.spin, [a[3], a[4], a[5]], x);
        }
    }

    /// Impulses of a unit, padded.
    #[inline]
    pub(crate) fn impulse(unit: &Unit, z: &[f64]) -> [f64; 6] {
        padded(&z[unit.range()])
    }

    /// Velocities `u` of a unit at velocity `v` and its own impulses `z` (softness).
    #[inline]
    pub(crate) fn velocity(&self, unit: &Unit, v: &[f64], z: f64) -> [f64; 6] {
        let mut u = self.product(unit, v);
        for (u, b) in u.iter_mut().zip(&unit.b) {
            *u += b;
        }
        u[0] += unit.soft * z;
        u
    }

    /// `v = v_free + R~^T z` anew: round-off of many small steps goes.
    pub(crate) fn refresh(&mut self) {
        let mut v = std::mem::take(&mut self.v);
        v.copy_from_slice(&self.v_free);
        for unit in &self.units {
            let z = Self::impulse(unit, &self.z);
            if z != [0.0; 6] {
                self.add(unit, z, &mut v);
            }
        }
        self.v = v;
    }

    /// Starts from the impulses of the last solve; whether any were known.
    pub(crate) fn start_from(&mut self, problem: &ContactProblem, warm: &mut WarmStart) -> bool {
        let contacts = problem.contact_count();
        let mut known = false;
        for unit in &self.units {
            let at = unit.at as usize;
            let g = unit.group as usize;
            if let Some(scalar) = g.checked_sub(contacts) {
                if let Some(f) = warm.scalar_impulse(scalar, problem.scalars()[scalar].0) {
                    self.z[at] = f;
                    known = true;
                }
            } else if let Some(f) = warm.contact_impulse(g, problem.contacts()[g].key) {
                known = true;
                let width = unit.width as usize;
                self.z[at..at + width].copy_from_slice(&unit.scaled(f)[..width]);
            }
        }
        self.refresh();
        known
    }

    /// Starts from the impulses of an answer.
    pub(crate) fn take(&mut self, problem: &ContactProblem, solution: &ContactSolution) {
        for unit in &self.units {
            let at = unit.at as usize;
            let g = unit.group as usize;
            if let Some(scalar) = g.checked_sub(problem.contact_count()) {
                self.z[at] = solution.f_scalar[scalar];
                continue;
            }
            let [a, b, c] = solution.f_spin[g];
            let f = [solution.f_n[g], solution.f_s[g], solution.f_t[g], a, b, c];
            let width = unit.width as usize;
            self.z[at..at + width].copy_from_slice(&unit.scaled(f)[..width]);
        }
        self.refresh();
    }

    /// Puts the impulses' last digits right.
    pub(crate) fn tidy(&mut self) {
        for unit in &self.units {
            let z = tidy(unit, &Self::impulse(unit, &self.z));
            let (at, width) = (unit.at as usize, unit.width as usize);
            self.z[at..at + width].copy_from_slice(&z[..width]);
        }
        self.refresh();
    }

    /// Writes velocities and impulses of the island, the impulses' last digits put right; returns by how
    /// much the bilateral rows that contradict others miss their target [m/s], else 0.
    pub(crate) fn write(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        solution: &mut ContactSolution,
    ) -> f64 {
        self.tidy();
        for unit in &self.units {
            let z = Self::impulse(unit, &self.z);
            let g = unit.group as usize;
            if let Some(scalar) = g.checked_sub(problem.contact_count()) {
                solution.f_scalar[scalar] = z[0];
            } else {
                solution.f_n[g] = z[0];
                solution.f_s[g] = z[1] * unit.scale[0];
                solution.f_t[g] = z[2] * unit.scale[1];
                solution.f_spin[g] = [z[3], z[4], z[5]];
            }
        }
        if self.is_held {
            return self.held.write(problem, island, solution);
        }
        for &b in island.blocks {
            let block = problem.block(b as usize);
            let first = self.local[b as usize] as usize;
            let v = &mut solution.v_plus[block.range()];
            v.copy_from_slice(&self.v[first..first + block.dim()]);
            block.solve_l(v);
        }
        0.0
    }
}
