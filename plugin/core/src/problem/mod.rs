//! One contact problem: blocks of mass, contact rows, bilateral and bounded rows.
//!
//! ```text
//! M (v+ - v_free) = N^T f_n + S^T f_s + T^T f_t + R^T f      (impulses over the step, N s)
//! ```
//! `M` is block diagonal and every row touches at most two blocks, so memory is linear in the number
//! of rows. All blocks together form one forest (see [`crate::mass`]), so "coordinate" below means
//! an index into the concatenated velocities of all blocks.
//!
//! A [`ContactProblem`] is immutable and validated; a [`ProblemBuilder`] makes it and keeps all its
//! memory from step to step.

mod block;
mod builder;
mod data;
mod dense;
mod derive;
mod islands;
mod part;
mod place;
mod rows;
#[cfg(test)]
mod tests;

pub use block::BlockView;
pub use builder::ProblemBuilder;
pub use data::{ContactData, ScalarKind};
pub(crate) use dense::Dense;
pub use islands::Island;
pub(crate) use part::Part;
pub use place::{Delassus, GroupId, IslandProblem};
pub use rows::{Blocks, ContactRows, ProblemError};

use crate::kernel;
use crate::mass::MassPattern;
use std::sync::Arc;

/// A block of the mass matrix, in the order of [`ProblemBuilder::add_block`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub usize);

/// A contact, in the order of [`ProblemBuilder::add_contact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContactId(pub usize);

/// A scalar row, in the order of [`ProblemBuilder::add_scalar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScalarId(pub usize);

/// The part of `K` rows that lies in one block; all `K` share their columns.
#[derive(Clone, Copy, Debug)]
pub struct RowHalf<'a, const K: usize> {
    /// The block.
    pub block: BlockId,
    /// Coordinates within the block, strictly ascending.
    pub cols: &'a [usize],
    /// Values of each row, as many as `cols`.
    pub rows: [&'a [f64]; K],
}

/// Consecutive coordinates of a row, never across a block boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// First coordinate.
    pub start: u32,
    /// Number of coordinates.
    pub len: u32,
}

impl Run {
    /// The coordinates as an index range.
    #[inline]
    pub fn range(self) -> std::ops::Range<usize> {
        self.range_from(0)
    }

    /// The same, counted from a coordinate.
    #[inline]
    pub(crate) fn range_from(self, offset: usize) -> std::ops::Range<usize> {
        let start = self.start as usize - offset;
        start..start + self.len as usize
    }
}

/// No second block.
pub(crate) const NO_BLOCK: u32 = u32::MAX;

/// Rows that share their columns: three of a contact or one scalar row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) run_start: u32,
    pub(crate) run_count: u32,
    /// Runs that belong to `blocks[0]`; the rest belong to `blocks[1]`.
    pub(crate) split: u32,
    pub(crate) val_start: u32,
    pub(crate) nnz: u32,
    /// Ascending; [`NO_BLOCK`] where absent.
    pub(crate) blocks: [u32; 2],
    /// Whether the columns contain every ancestor of every column.
    pub(crate) closed: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) offset: usize,
    pub(crate) value_start: usize,
    pub(crate) pattern: Arc<MassPattern>,
}

/// A row of the problem: `3 c`, `3 c + 1`, `3 c + 2` are the normal and the tangents s and t of
/// contact `c`; scalar rows follow after all contacts, then the three spin rows of every contact
/// that has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub usize);

/// One row: runs of coordinates and the values along them, one after another.
#[derive(Clone, Copy, Debug)]
pub struct RowView<'a> {
    /// Runs of coordinates, ascending.
    pub runs: &'a [Run],
    /// Values, run after run.
    pub values: &'a [f64],
}

impl RowView<'_> {
    /// `row . x` for a vector over all coordinates.
    #[inline]
    pub fn dot(&self, x: &[f64]) -> f64 {
        // Joint limits.
        if let ([Run { start, .. }], [value]) = (self.runs, self.values) {
            return value * x[*start as usize];
        }
        let mut at = 0;
        let mut sum = 0.0;
        for run in self.runs {
            let len = run.len as usize;
            sum += kernel::dot(&self.values[at..at + len], &x[run.range()]);
            at += len;
        }
        sum
    }

    /// `x += a row^T`.
    #[inline]
    pub fn add_to(&self, a: f64, x: &mut [f64]) {
        let mut at = 0;
        for run in self.runs {
            let len = run.len as usize;
            for (t, r) in x[run.range()].iter_mut().zip(&self.values[at..at + len]) {
                *t += a * r;
            }
            at += len;
        }
    }

    /// The entries as (coordinate, value), ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let cols = self.runs.iter().flat_map(|r| r.range());
        cols.zip(self.values.iter().copied())
    }
}

/// A validated contact problem; made by [`ProblemBuilder`].
///
/// With m velocity coordinates, n contacts, l scalar rows and p contacts with spin rows, a solution
/// ([`ContactSolution`](crate::models::ContactSolution)) has the velocity `v+` (m) and the impulses `f` in
/// ```text
/// M (v+ - v_free) = N^T f_n + S^T f_s + T^T f_t + R^T f_scalar + W^T f_spin
/// ```
///
/// | symbol | shape | unit | where |
/// |---|---|---|---|
/// | `M = L^T L` | m x m, block diagonal | kg, kg m, kg m^2 | [`Self::block`] |
/// | `v`, `v_free` | m | m/s, rad/s | [`Self::v`], [`Self::v_free`] |
/// | `N`, `S`, `T` | n x m each | - | rows `3 c`, `3 c + 1`, `3 c + 2` of contact c: [`Self::row`] |
/// | `R` | l x m | - or m | [`Self::scalar_row`] |
/// | `W` | 3 p x m | - | [`Self::spin_rows`] |
/// | `phi` | n | m | [`ContactData::phi`] |
/// | `f_n`, `f_s`, `f_t` | n each | N s | |
///
/// # Signs
/// A contact has a body 0 and a body 1. Its unit normal n points from body 0 to body 1, and n, s, t are right-handed. The rows
/// give the velocity of body 1 relative to body 0 at the contact point along n, s and t: coordinates of body 1 enter with
/// positive sign, those of body 0 with negative sign. So `N v > 0` separates the bodies, and an impulse acts **on body 1**
/// along its direction and on body 0 against it; `f_n >= 0` pushes the bodies apart. A body that is not in the problem (the
/// ground) has no coordinates: its half of the row is left out, and [`ContactData::normal_drift`] and
/// [`ContactData::surface_velocity`] state its motion. The gap `phi` is negative where the bodies overlap.
///
/// A positive impulse of a scalar row accelerates the coordinates along the row.
#[derive(Clone, Debug, Default)]
pub struct ContactProblem {
    h: f64,
    blocks: Vec<Block>,
    /// `L` of every block, along the paths of its pattern.
    values: Vec<f64>,
    inv_diag: Vec<f64>,
    v: Vec<f64>,
    v_free: Vec<f64>,
    runs: Vec<Run>,
    vals: Vec<f64>,
    contacts: Vec<ContactData>,
    contact_groups: Vec<Group>,
    scalars: Vec<(u64, ScalarKind)>,
    scalar_groups: Vec<Group>,
    /// The contact of each triple of spin rows, ascending.
    spins: Vec<u32>,
    spin_groups: Vec<Group>,
    islands: islands::Islands,
}

impl ContactProblem {
    /// Time step h \[s\].
    pub fn h(&self) -> f64 {
        self.h
    }

    /// Number of velocity coordinates m.
    pub fn dim(&self) -> usize {
        self.v_free.len()
    }

    /// Velocity at the start of the step (m).
    pub fn v(&self) -> &[f64] {
        &self.v
    }

    /// Velocity after forces, before constraint impulses (m).
    pub fn v_free(&self) -> &[f64] {
        &self.v_free
    }

    /// Number of mass blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The coordinates of a block.
    pub fn block_range(&self, block: BlockId) -> std::ops::Range<usize> {
        let b = &self.blocks[block.0];
        b.offset..b.offset + b.pattern.dim()
    }

    /// Reciprocal of a diagonal entry of `L`, by coordinate of the whole problem.
    #[inline]
    pub(crate) fn inv_diag(&self, coordinate: usize) -> f64 {
        self.inv_diag[coordinate]
    }

    /// The mass factor of a block.
    #[inline]
    pub fn block(&self, block: usize) -> BlockView<'_> {
        let b = &self.blocks[block];
        let (m, len) = (b.pattern.dim(), b.pattern.len());
        BlockView {
            offset: b.offset,
            pattern: &b.pattern,
            values: &self.values[b.value_start..b.value_start + len],
            inv_diag: &self.inv_diag[b.offset..b.offset + m],
        }
    }

    /// Kinetic energy `1/2 v^T M v` of a block that moves with its part of `v` (m) \[J\].
    pub fn kinetic_energy(&self, block: usize, v: &[f64]) -> f64 {
        let block = self.block(block);
        0.5 * block.white_square(&v[block.range()])
    }

    /// Number of contacts n.
    pub fn contact_count(&self) -> usize {
        self.contacts.len()
    }

    /// The contacts' data, in order.
    pub fn contacts(&self) -> &[ContactData] {
        &self.contacts
    }

    /// Number of scalar rows.
    pub fn scalar_count(&self) -> usize {
        self.scalars.len()
    }

    /// Key and demand of each scalar row, in order.
    pub fn scalars(&self) -> &[(u64, ScalarKind)] {
        &self.scalars
    }

    /// Number of rows: `3 n`, the scalar ones, and three for every contact with spin rows.
    pub fn row_count(&self) -> usize {
        3 * self.contacts.len() + self.scalars.len() + 3 * self.spins.len()
    }

    /// The contacts that have spin rows, ascending.
    pub fn spins(&self) -> &[u32] {
        &self.spins
    }

    /// The spin rows of a contact, if it has them: relative angular velocity of its bodies about n
    /// (torsion), s and t (rolling). O(log of the number of spins).
    pub fn spin_rows(&self, contact: usize) -> Option<[RowId; 3]> {
        let spin = self.spins.binary_search(&(contact as u32)).ok()?;
        let first = 3 * self.contacts.len() + self.scalars.len() + 3 * spin;
        Some([0, 1, 2].map(|k| RowId(first + k)))
    }

    /// The row of a scalar.
    pub fn scalar_row(&self, scalar: usize) -> RowId {
        RowId(3 * self.contacts.len() + scalar)
    }

    /// One row.
    #[inline]
    pub fn row(&self, row: RowId) -> RowView<'_> {
        let (group, k) = self.group_of(row);
        self.group_row(group, k)
    }

    #[inline]
    pub(crate) fn group_row(&self, group: &Group, k: usize) -> RowView<'_> {
        let (start, nnz) = (group.val_start as usize, group.nnz as usize);
        RowView {
            runs: self.group_runs(group),
            values: &self.vals[start + k * nnz..start + (k + 1) * nnz],
        }
    }

    /// `N x, S x, T x` of a contact: one pass over the columns they share.
    #[inline]
    pub fn contact_dots(&self, contact: usize, x: &[f64]) -> [f64; 3] {
        let mut sums = [0.0; 3];
        for (range, rows) in self.contact_runs(contact) {
            let x = &x[range];
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum += kernel::dot(row, x);
            }
        }
        sums
    }

    /// `N v` and `N v_free` of a contact [m/s].
    pub(crate) fn normal_rates(&self, contact: usize) -> [f64; 2] {
        let normal = self.row(RowId(3 * contact));
        [normal.dot(&self.v), normal.dot(&self.v_free)]
    }

    /// The runs of coordinates of a contact, each with the values of rows n, s and t there.
    #[inline]
    pub(crate) fn contact_runs(
        &self,
        contact: usize,
    ) -> impl Iterator<Item = (std::ops::Range<usize>, [&[f64]; 3])> {
        let group = &self.contact_groups[contact];
        let (n, rest) = self.group_values(group).split_at(group.nnz as usize);
        let (s, t) = rest.split_at(group.nnz as usize);
        let mut at = 0;
        self.group_runs(group).iter().map(move |run| {
            let range = run.range();
            let from = at;
            at += range.len();
            (range, [&n[from..at], &s[from..at], &t[from..at]])
        })
    }

    #[inline]
    pub(crate) fn contact_group(&self, contact: usize) -> &Group {
        &self.contact_groups[contact]
    }

    /// The values of all three rows of a contact, row after row.
    #[inline]
    pub(crate) fn group_values(&self, group: &Group) -> &[f64] {
        let start = group.val_start as usize;
        &self.vals[start..start + 3 * group.nnz as usize]
    }

    #[inline]
    pub(crate) fn group_runs(&self, group: &Group) -> &[Run] {
        let start = group.run_start as usize;
        &self.runs[start..start + group.run_count as usize]
    }

    /// The blocks that a row acts on, ascending: one or two. A row may act on a block in which it has no columns.
    pub fn row_blocks(&self, row: RowId) -> impl Iterator<Item = BlockId> {
        let (group, _) = self.group_of(row);
        let there = group.blocks.into_iter().filter(|&block| block != NO_BLOCK);
        there.map(|block| BlockId(block as usize))
    }

    /// The least of the numbers that a list gives the blocks a contact or scalar row acts on.
    pub(crate) fn first_of(&self, group: GroupId, list: &[u32]) -> u32 {
        let blocks = self.group_blocks(group).into_iter();
        let blocks = blocks.filter(|&b| b != NO_BLOCK);
        blocks.map(|b| list[b as usize]).min().unwrap_or(0)
    }

    /// The blocks a contact or scalar row acts on, ascending; [`NO_BLOCK`] where absent.
    #[inline]
    pub(crate) fn group_blocks(&self, group: GroupId) -> [u32; 2] {
        match group {
            GroupId::Contact(c) => self.contact_groups[c.0].blocks,
            GroupId::Scalar(s) => self.scalar_groups[s.0].blocks,
        }
    }

    /// The group a row belongs to, and its place in it.
    #[inline]
    pub(crate) fn group_of(&self, row: RowId) -> (&Group, usize) {
        let contact_rows = 3 * self.contacts.len();
        if row.0 < contact_rows {
            return (&self.contact_groups[row.0 / 3], row.0 % 3);
        }
        let rest = row.0 - contact_rows;
        match self.scalar_groups.get(rest) {
            Some(group) => (group, 0),
            None => {
                let spin = rest - self.scalar_groups.len();
                (&self.spin_groups[spin / 3], spin % 3)
            }
        }
    }

    /// The independent parts of the problem. Blocks without rows are in none of them.
    pub fn islands(&self) -> impl Iterator<Item = Island<'_>> + Clone + '_ {
        (0..self.islands.len()).map(|i| self.islands.get(i))
    }

    /// Island number `i` of [`Self::islands`].
    pub(crate) fn island(&self, i: usize) -> Island<'_> {
        self.islands.get(i)
    }

    /// One of its islands, together with the problem.
    pub fn place<'a>(&'a self, island: Island<'a>) -> IslandProblem<'a> {
        let problem = self;
        IslandProblem { problem, island }
    }

    /// Number of islands.
    pub fn island_count(&self) -> usize {
        self.islands.len()
    }
}
