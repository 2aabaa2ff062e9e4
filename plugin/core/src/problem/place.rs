//! One island of a problem, as a contact model is given it.

use super::{BlockView, ContactId, ContactProblem, Island, RowId, ScalarId};
use crate::kernel::dot;
use std::ops::Range;

/// A contact or a scalar row; in order, all contacts before all scalar rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GroupId {
    /// Three rows, n, s and t; with torsional or rolling friction three more, about n, s and t.
    Contact(ContactId),
    /// One row.
    Scalar(ScalarId),
}

impl GroupId {
    /// The group of the same kind whose number is larger by so much.
    pub(super) fn after(self, by: u32) -> Self {
        match self {
            Self::Contact(c) => Self::Contact(ContactId(c.0 + by as usize)),
            Self::Scalar(s) => Self::Scalar(ScalarId(s.0 + by as usize)),
        }
    }

    /// Its place in a list of all `contacts` contacts of a problem with all scalar rows behind them.
    pub(crate) fn place(self, contacts: usize) -> usize {
        match self {
            Self::Contact(c) => c.0,
            Self::Scalar(s) => contacts + s.0,
        }
    }
}

/// A problem and one of its islands.
#[derive(Clone, Copy, Debug)]
pub struct IslandProblem<'a> {
    /// The problem.
    pub problem: &'a ContactProblem,
    /// The island.
    pub island: Island<'a>,
}

impl<'a> IslandProblem<'a> {
    /// The mass factors of its blocks.
    pub fn blocks(self) -> impl Iterator<Item = BlockView<'a>> + Clone {
        let numbers = self.island.blocks.iter();
        numbers.map(move |&b| self.problem.block(b as usize))
    }

    /// The numbers of its contacts.
    pub fn contacts(self) -> impl Iterator<Item = usize> + Clone + 'a {
        self.island.contacts()
    }

    /// The numbers of its scalar rows.
    pub fn scalars(self) -> impl Iterator<Item = usize> + Clone + 'a {
        self.island.scalars()
    }

    /// The rows of the island: those of one contact or scalar after those of another.
    pub fn rows(self) -> impl Iterator<Item = RowId> + 'a {
        let problem = self.problem;
        self.island.groups.iter().flat_map(move |&group| {
            let (first, count, spins) = match group {
                GroupId::Contact(c) => (3 * c.0, 3, problem.spin_rows(c.0)),
                GroupId::Scalar(s) => (problem.scalar_row(s.0).0, 1, None),
            };
            let own = (first..first + count).map(RowId);
            own.chain(spins.into_iter().flatten())
        })
    }

    /// The contacts and scalar rows of the island, each with the places of its rows in [`Self::rows`].
    pub fn groups(self) -> impl Iterator<Item = (GroupId, Range<usize>)> + 'a {
        let (problem, mut end) = (self.problem, 0);
        self.island.groups.iter().map(move |&group| {
            let count = match group {
                GroupId::Scalar(_) => 1,
                GroupId::Contact(c) => 3 + problem.spin_rows(c.0).map_or(0, |rows| rows.len()),
            };
            let first = end;
            end += count;
            (group, first..end)
        })
    }

    /// Writes `v_free + M^-1 R^T z` of the island's coordinates into `v` (m), with the rows R of [`Self::rows`] and their
    /// impulses z. O(rows and their depth in the tree).
    pub fn velocity(self, impulses: &[f64], v: &mut [f64]) {
        for block in self.blocks() {
            v[block.range()].fill(0.0);
        }
        for (row, &z) in self.rows().zip(impulses) {
            self.problem.row(row).add_to(z, v);
        }
        self.respond(self.problem.v_free(), v);
    }

    /// Makes velocities `start + M^-1 p` of momenta `p`, of the island's coordinates in `v` (m).
    pub(crate) fn respond(self, start: &[f64], v: &mut [f64]) {
        for block in self.blocks() {
            let v = &mut v[block.range()];
            block.solve_lt(v);
            block.solve_l(v);
            for (v, start) in v.iter_mut().zip(&start[block.range()]) {
                *v += start;
            }
        }
    }
}

/// The velocities of an island's rows by their impulses, `R v+ = W z + q` with `W = R M^-1 R^T` and `q = R v_free`.
#[derive(Clone, Debug, Default)]
pub struct Delassus {
    matrix: Vec<f64>,
    free: Vec<f64>,
    /// `L^-T R^T`, row by row over the coordinates of all blocks (m).
    white: Vec<f64>,
}

impl Delassus {
    /// Fills in the k rows of an island, in the order of [`IslandProblem::rows`]. O(k^2 m), m the coordinates of the
    /// problem.
    pub fn fill(&mut self, place: IslandProblem<'_>) {
        let (problem, m) = (place.problem, place.problem.dim());
        self.free.clear();
        (self.free).extend(place.rows().map(|r| problem.row(r).dot(problem.v_free())));
        let k = self.free.len();
        self.white.clear();
        self.white.resize(k * m, 0.0);
        for (row, white) in place.rows().zip(self.white.chunks_exact_mut(m.max(1))) {
            problem.row(row).add_to(1.0, white);
            for block in place.blocks() {
                block.solve_lt(&mut white[block.range()]);
            }
        }
        let rows = || self.white.chunks_exact(m.max(1));
        self.matrix.clear();
        (self.matrix).extend(rows().flat_map(|a| rows().map(|b| dot(a, b))));
    }

    /// Row `i` of W, by [`Self::fill`].
    pub fn row(&self, i: usize) -> &[f64] {
        let k = self.free.len();
        &self.matrix[i * k..(i + 1) * k]
    }

    /// q.
    pub fn free(&self) -> &[f64] {
        &self.free
    }

    /// `R v+` of row `i` under the impulses z.
    pub fn velocity(&self, i: usize, impulses: &[f64]) -> f64 {
        self.free[i] + dot(self.row(i), impulses)
    }
}
