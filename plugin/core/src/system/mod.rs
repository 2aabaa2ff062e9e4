//! One island's rows, whitened and side by side, with its impulses and velocity.
//!
//! With `M = L^T L` a row `r` becomes `r~ = L^-T r^T` and the velocity `v~ = L v`, so one copy of a row
//! serves both products of an iteration, `u = r~ . v~` and `v~ += r~ dz`. Memory and building time are
//! linear in the rows.

mod build;
mod contradiction;

pub(crate) use build::Friction;

use crate::factor::kernel::axpy;
use crate::kernel::Lanes;
use crate::law::natural::{map, size};
use crate::law::project::{lengths, project_to_bounds, projected};
use crate::law::{ConstraintBlock, Law, PART, Rows, by_width, worse};
use crate::problem::{ContactId, ContactProblem, GroupId, IslandProblem, Part, RowId, Run};
use crate::rows::kernel;
use crate::solution::ContactSolution;
use crate::warm::WarmStart;
use std::array::from_fn;
use std::ops::Range;

/// Rows on free bodies, and the first coordinate of each.
pub(crate) struct OnBodies<const B: usize, const K: usize> {
    pub(crate) at: [u32; B],
    pub(crate) rows: [[[f64; 6]; K]; B],
}

/// Impulses to start from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start<'a> {
    /// Those of the last solve, by the names of the rows.
    Last(&'a WarmStart),
    /// The same for a part of the problem that was solved last.
    Part(&'a WarmStart, &'a Part),
    /// Those of an answer to the same problem.
    Answer(&'a ContactSolution),
}

impl Start<'_> {
    pub(crate) fn contact(self, problem: &ContactProblem, c: usize) -> Option<[f64; 6]> {
        match self {
            Self::Last(warm) => warm.contact_impulse(c, problem.contacts()[c].key),
            Self::Part(warm, part) => {
                warm.contact_impulse(part.contacts[c] as usize, problem.contacts()[c].key)
            }
            Self::Answer(answer) => {
                let [torsion, roll_s, roll_t] = answer.f_spin[c];
                let [n, s, t] = [&answer.f_n, &answer.f_s, &answer.f_t].map(|f| f[c]);
                Some([n, s, t, torsion, roll_s, roll_t])
            }
        }
    }

    fn scalar(self, problem: &ContactProblem, scalar: usize) -> Option<f64> {
        match self {
            Self::Last(warm) => warm.scalar_impulse(scalar, problem.scalars()[scalar].0),
            Self::Part(warm, part) => {
                let number = part.scalars[scalar] as usize;
                warm.scalar_impulse(number, problem.scalars()[scalar].0)
            }
            Self::Answer(answer) => Some(answer.f_scalar[scalar]),
        }
    }
}

/// One island, ready to iterate. All memory is reused.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Contacts and rows.
    pub units: Vec<ConstraintBlock>,
    /// Impulses.
    pub z: Vec<f64>,
    /// Whitened velocity, consistent with `z` up to round-off.
    pub v: Vec<f64>,
    /// The same without impulses.
    pub v_free: Vec<f64>,
    /// `1 + max |v_free|` of the island.
    pub speed: f64,
    blocks: usize,
    contacts: usize,
    runs: Vec<Run>,
    /// Entries of the whitened rows: unit by unit, run by run, row by row.
    vals: Vec<f64>,
    /// The island's groups in the order of the units, each with what it is sorted by.
    order: Vec<(u32, GroupId)>,
    /// First local coordinate of each block of the problem, by block; stale outside the island.
    local: Vec<u32>,
    /// Whitened rows of a group on one block, by its coordinates; zero between uses.
    dense: [Vec<f64>; 3],
    /// Three rows side by side.
    lanes: Vec<Lanes>,
    /// Memory of a second list of impulses.
    spare: Vec<f64>,
}

impl System {
    /// Number of mass blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// Number of contacts.
    pub(crate) fn contacts(&self) -> usize {
        self.contacts
    }

    /// Whether its units stand in the order of the first body they act on.
    pub(crate) fn is_large(&self) -> bool {
        self.order.len() >= crate::tolerances::LARGE_SYSTEM
    }

    /// Number of entries of all rows.
    pub(crate) fn entries(&self) -> usize {
        self.vals.len()
    }

    /// Number of velocity coordinates.
    pub(crate) fn dim(&self) -> usize {
        self.v_free.len()
    }

    /// First coordinates of the `B` free bodies that a unit acts on, where nothing else moves.
    pub(crate) fn body_offsets<const B: usize>(&self, unit: &ConstraintBlock) -> Option<[u32; B]> {
        let runs = &self.runs[unit.rows.run_start as usize..unit.rows.run_end as usize];
        let are_bodies = runs.len() == B && runs.iter().all(|run| run.len == 6);
        are_bodies.then(|| from_fn(|k| runs[k].start))
    }

    /// The same of one or two bodies, whose coordinates begin at multiples of six.
    pub(crate) fn aligned_offsets(&self, unit: &ConstraintBlock) -> Option<[Option<u32>; 2]> {
        let one = || self.body_offsets(unit).map(|[at]| [Some(at), None]);
        let starts = (self.body_offsets(unit).map(|two: [u32; 2]| two.map(Some))).or_else(one)?;
        let mut all = starts.iter().flatten();
        all.all(|at| at.is_multiple_of(6)).then_some(starts)
    }

    /// The coordinates that a unit acts on, from the first to the last; none unless they are those of free bodies.
    pub(crate) fn reach(&self, unit: &ConstraintBlock) -> Option<Range<usize>> {
        let [first, second] = self.aligned_offsets(unit)?;
        let first = first? as usize;
        let second = second.map_or(first, |at| at as usize);
        Some(first.min(second)..first.max(second) + 6)
    }

    /// First coordinates and rows of a unit of `K < 6` rows that acts on `B` free bodies and nothing else.
    pub(crate) fn bodies<const B: usize, const K: usize>(
        &self,
        unit: &ConstraintBlock,
    ) -> Option<OnBodies<B, K>> {
        if K == 6 || unit.width as usize != K {
            return None;
        }
        let at = self.body_offsets(unit)?;
        let values = &self.vals[unit.rows.val as usize..][..6 * K * B];
        let (rows, _) = values.as_chunks::<6>();
        let rows = from_fn(|b| from_fn(|k| rows[K * b + k]));
        Some(OnBodies { at, rows })
    }

    /// Tells every entry of a unit's rows: impulse, coordinate, entry.
    pub(crate) fn each_entry(
        &self,
        unit: &ConstraintBlock,
        mut tell: impl FnMut(usize, usize, f64),
    ) {
        let mut walk = |rows: Rows, from: usize, width: usize| {
            let mut at = rows.val as usize;
            for run in &self.runs[rows.run_start as usize..rows.run_end as usize] {
                for k in from..from + width {
                    for j in run.range() {
                        tell(k, j, self.vals[at]);
                        at += 1;
                    }
                }
            }
        };
        walk(unit.rows, 0, unit.width.min(3) as usize);
        if unit.width == 6 {
            walk(unit.spin, 3, 3);
        }
    }

    /// Adds the rows of a unit to dense rows of [`Self::dim`] entries that begin at `out`.
    pub(crate) fn scatter(&self, unit: &ConstraintBlock, out: &mut [f64]) {
        let m = self.dim();
        self.each_entry(unit, |k, j, entry| out[k * m + j] += entry);
    }

    #[inline]
    fn dots<const K: usize>(&self, rows: Rows, x: &[f64]) -> [f64; K] {
        let mut sums = [0.0; K];
        let mut at = rows.val as usize;
        for run in &self.runs[rows.run_start as usize..rows.run_end as usize] {
            let x = &x[run.range()];
            let values = &self.vals[at..at + K * x.len()];
            if let Ok(x) = <&[f64; 6]>::try_from(x) {
                let (rows, _) = values.as_chunks::<6>();
                for (sum, row) in sums.iter_mut().zip(rows) {
                    *sum += kernel::six(row, x);
                }
            } else {
                for (sum, row) in sums.iter_mut().zip(values.chunks_exact(x.len())) {
                    *sum += kernel::dot(row, x);
                }
            }
            at += K * x.len();
        }
        sums
    }

    #[inline]
    fn spread<const K: usize>(&self, rows: Rows, a: [f64; K], x: &mut [f64]) {
        let mut at = rows.val as usize;
        for run in &self.runs[rows.run_start as usize..rows.run_end as usize] {
            let x = &mut x[run.range()];
            let values = &self.vals[at..at + K * x.len()];
            at += K * x.len();
            if let Ok(x) = <&mut [f64; 6]>::try_from(&mut *x) {
                let (rows, _) = values.as_chunks::<6>();
                for (a, row) in a.iter().zip(rows) {
                    for j in 0..6 {
                        x[j] += a * row[j];
                    }
                }
                continue;
            }
            let len = x.len();
            for (a, row) in a.iter().zip(values.chunks_exact(len)) {
                axpy(x, *a, row);
            }
        }
    }

    /// `R~ x` of a unit of `W` rows.
    #[inline]
    pub(crate) fn product<const W: usize>(&self, unit: &ConstraintBlock, x: &[f64]) -> [f64; W] {
        if W < 6 {
            return self.dots(unit.rows, x);
        }
        let own: [[f64; 3]; 2] = [unit.rows, unit.spin].map(|rows| self.dots(rows, x));
        from_fn(|k| own[k / 3][k % 3])
    }

    /// `x += R~^T a` of a unit of `W` rows.
    #[inline]
    pub fn add<const W: usize>(&self, unit: &ConstraintBlock, a: [f64; W], x: &mut [f64]) {
        if W < 6 {
            self.spread(unit.rows, a, x);
            return;
        }
        for (k, rows) in [unit.rows, unit.spin].into_iter().enumerate() {
            self.spread::<3>(rows, from_fn(|i| a[3 * k + i]), x);
        }
    }

    /// The first (normal) velocity of a unit at velocity `v` and its own first impulse `z`.
    #[inline]
    pub(crate) fn normal_velocity(&self, unit: &ConstraintBlock, v: &[f64], z: f64) -> f64 {
        let width = unit.width.min(3) as usize;
        let mut sum = unit.b[0] + unit.soft * z;
        let mut at = unit.rows.val as usize;
        for run in &self.runs[unit.rows.run_start as usize..unit.rows.run_end as usize] {
            let x = &v[run.range()];
            sum += kernel::dot(&self.vals[at..at + x.len()], x);
            at += width * x.len();
        }
        sum
    }

    /// Whether a contact or one-sided row has no impulses and wants none at the velocity present: a visit leaves it at that.
    #[inline]
    pub(crate) fn is_idle(&self, unit: &ConstraintBlock) -> bool {
        let opens = matches!(unit.law, Law::Half | Law::Cone | Law::Convex);
        let is_open = || self.normal_velocity(unit, &self.v, 0.0) >= 0.0;
        by_width!(unit, W => {
            if !opens || unit.of::<W>(&self.z) != [0.0; W] || !is_open() {
                return false;
            }
            // Under the convex law what slides may want to press although it parts.
            let u = || self.velocity::<W>(unit, &self.v, 0.0);
            let wanted = |u: [f64; W]| projected(unit, &from_fn(|k| -u[k] / unit.weight[PART[k]]));
            unit.law != Law::Convex || wanted(u()) == [0.0; W]
        })
    }

    /// Velocities `u` of a unit of `W` rows at velocity `v` and its own first impulse `z` (softness).
    #[inline]
    pub fn velocity<const W: usize>(&self, unit: &ConstraintBlock, v: &[f64], z: f64) -> [f64; W] {
        let mut u: [f64; W] = self.product(unit, v);
        for (u, b) in u.iter_mut().zip(&unit.b) {
            *u += b;
        }
        u[0] += unit.soft * z;
        u
    }

    /// `v = v_free + R~^T z`.
    pub(crate) fn velocity_of(&self, z: &[f64], v: &mut Vec<f64>) {
        v.clone_from(&self.v_free);
        for unit in &self.units {
            by_width!(unit, W => {
                let z = unit.of::<W>(z);
                if z != [0.0; W] {
                    self.add(unit, z, v);
                }
            });
        }
    }

    /// Computes the velocity of the present impulses again, which removes the round-off of many small steps.
    pub fn refresh(&mut self) {
        let mut v = std::mem::take(&mut self.v);
        self.velocity_of(&self.z, &mut v);
        self.v = v;
    }

    /// The largest natural map of the units at impulses `z` and the velocity they make, divided by
    /// `1 + max |v_free|`; NaN where a number is not finite. The cost of half a sweep.
    pub fn residual_at(&self, z: &[f64], v: &[f64]) -> f64 {
        let left = self.units.iter().map(|unit| self.left(unit, z, v));
        left.fold(0.0, worse) / self.speed
    }

    /// The size of a unit's natural map [m/s].
    pub fn left(&self, unit: &ConstraintBlock, z: &[f64], v: &[f64]) -> f64 {
        by_width!(unit, W => {
            let z = unit.of::<W>(z);
            let u = self.velocity(unit, v, z[0]);
            size(&map(unit, &z, &u))
        })
    }

    /// How large the natural map of the exact law is at least, relative to `1 + max |v_free|`, where contacts that press and slide as now
    /// part as the convex law has them: `min(d f_n, sum mu |u|)`.
    pub(crate) fn parting(&self) -> f64 {
        let sliding = self.units.iter().filter(|unit| unit.law == Law::Cone);
        let parting = sliding.map(|unit| {
            by_width!(unit, W => {
                let z = unit.of::<W>(&self.z);
                let slip = lengths(&self.velocity::<W>(unit, &self.v, z[0]));
                let parting: f64 = slip.iter().zip(unit.mu).map(|(slip, mu)| mu * slip).sum();
                parting.min(unit.d[0] * z[0])
            })
        });
        parting.fold(0.0, f64::max) / self.speed
    }

    /// [`Self::residual_at`] the present impulses.
    pub(crate) fn residual(&self) -> f64 {
        self.residual_at(&self.z, &self.v)
    }

    /// Copies impulses with their last digits put right: nothing pulls, no part is longer than its disc.
    pub(crate) fn projected_to_bounds(&self, z: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(z);
        for unit in &self.units {
            by_width!(unit, W => {
                out[unit.range()].copy_from_slice(&project_to_bounds(unit, &unit.of::<W>(z)));
            });
        }
    }

    /// Forgets the impulses.
    pub(crate) fn forget(&mut self) {
        self.z.fill(0.0);
        self.v.clone_from(&self.v_free);
    }

    /// Starts from the impulses that are known.
    pub(crate) fn start_from(&mut self, problem: &ContactProblem, start: Start<'_>) {
        for unit in &self.units {
            let at = unit.at as usize;
            match unit.group {
                GroupId::Scalar(s) => self.z[at] = start.scalar(problem, s.0).unwrap_or(0.0),
                GroupId::Contact(c) => {
                    if let Some(f) = start.contact(problem, c.0) {
                        let (row, width) = (unit.row as usize, unit.width as usize);
                        self.z[at..at + width].copy_from_slice(&unit.scaled(f)[row..row + width]);
                    }
                }
            }
        }
        self.refresh();
    }

    /// Puts the impulses' last digits right; whether any changed.
    pub(crate) fn project_to_bounds(&mut self) -> bool {
        let mut z = std::mem::take(&mut self.spare);
        self.projected_to_bounds(&self.z, &mut z);
        let changed = z != self.z;
        self.spare = std::mem::replace(&mut self.z, z);
        if changed {
            self.refresh();
        }
        changed
    }

    /// Writes velocities and impulses of the island, and declares the rows that yielded; returns the most that one of
    /// them misses [m/s].
    pub fn write(&self, place: IslandProblem<'_>, solution: &mut ContactSolution) -> f64 {
        let mut missed = 0.0_f64;
        for unit in &self.units {
            let z = &self.z[unit.range()];
            let row = match unit.group {
                GroupId::Scalar(s) => {
                    solution.f_scalar[s.0] = z[0];
                    place.problem.scalar_row(s.0)
                }
                GroupId::Contact(ContactId(c)) => {
                    match unit.row {
                        1 => solution.f_s[c] = z[0],
                        2 => solution.f_t[c] = z[0],
                        _ => {
                            solution.f_n[c] = z[0];
                            if unit.width > 1 {
                                solution.f_s[c] = z[1] * unit.scale[0];
                                solution.f_t[c] = z[2] * unit.scale[1];
                                solution.f_spin[c] = z[3..].try_into().unwrap_or_default();
                            }
                        }
                    }
                    RowId(3 * c + unit.row as usize)
                }
            };
            let left = unit.short_of(z[0]);
            missed = missed.max(left);
            solution.unmet[row.0] |= left != 0.0;
        }
        for (block, &b) in place.blocks().zip(place.island.blocks) {
            let first = self.local[b as usize] as usize;
            let v = &mut solution.v_plus[block.range()];
            v.copy_from_slice(&self.v[first..first + block.dim()]);
            block.solve_l(v);
        }
        missed
    }
}
