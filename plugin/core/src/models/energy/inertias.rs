//! Energy of a block that moves with a speed of one in each of three directions, `3/2 m`.
//!
//! What floats can move as a whole, with its mass m. Rotations are left out: their share would depend on the unit of length. For a tree
//! on a base `m = M_ii / l_i^2`, with i the coordinate that the rows of its contacts begin with and l_i its longest lever to one of
//! them. Where no contact has a lever, every row r that acts moves `m = min_i M_ii / r_i^2` for itself, by one of its coordinates while the
//! others stand.

use crate::problem::{BlockView, ContactProblem, GroupId, IslandProblem, NO_BLOCK, RowId};

/// What the acting rows of an island move of its trees; stale outside of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Inertias {
    /// Diagonal of the mass matrix.
    masses: Vec<f64>,
    /// Longest lever to a contact of each coordinate that the rows of contacts begin with; 0 for the others (m).
    levers: Vec<f64>,
    /// Sum of `3/2 m` over the rows of each block (number of blocks).
    moved: Vec<f64>,
}

impl Inertias {
    /// Takes the masses of an island's trees, on which nothing acts yet. O(entries of the mass matrix).
    pub(super) fn begin(&mut self, IslandProblem { problem, island }: IslandProblem<'_>) {
        self.masses.resize(problem.dim(), 0.0);
        self.levers.resize(problem.dim(), 0.0);
        self.moved.resize(problem.block_count(), 0.0);
        for &b in island.blocks {
            let block = problem.block(b as usize);
            let pattern = block.pattern;
            if pattern.is_body() {
                continue;
            }
            self.moved[b as usize] = 0.0;
            self.levers[block.range()].fill(0.0);
            let masses = &mut self.masses[block.range()];
            masses.fill(0.0);
            for i in 0..block.dim() {
                for (&j, l) in pattern.path(i).iter().zip(&block.values[pattern.row(i)]) {
                    masses[j] += l * l;
                }
            }
        }
    }

    /// Notes a group that acts, for the trees that do not float.
    pub(super) fn note(&mut self, problem: &ContactProblem, group: GroupId) {
        for b in problem.group_blocks(group) {
            if b == NO_BLOCK || problem.block(b as usize).pattern.translates() {
                continue;
            }
            let block = problem.block(b as usize);
            let rows = match group {
                GroupId::Contact(c) => {
                    self.lengthen(problem, c.0, block);
                    3 * c.0..3 * c.0 + 3
                }
                GroupId::Scalar(s) => {
                    let row = problem.scalar_row(s.0).0;
                    row..row + 1
                }
            };
            for row in rows.map(RowId) {
                let entries = problem.row(row);
                let own = entries.iter().filter(|(i, _)| block.range().contains(i));
                let least = own
                    .map(|(i, r)| self.masses[i] / (r * r))
                    .fold(f64::INFINITY, f64::min);
                if least.is_finite() {
                    self.moved[b as usize] += 1.5 * least;
                }
            }
        }
    }

    /// Takes the lever of the first coordinate of a contact's rows, if it is the longest.
    fn lengthen(&mut self, problem: &ContactProblem, contact: usize, block: BlockView<'_>) {
        let mut runs = problem.contact_runs(contact);
        if let Some((run, rows)) = runs.find(|(run, _)| block.range().contains(&run.start)) {
            let lever = rows.iter().fold(0.0_f64, |lever, row| lever.hypot(row[0]));
            let longest = &mut self.levers[run.start];
            *longest = longest.max(lever);
        }
    }

    /// Energy of a block \[kg\].
    pub(super) fn of(&self, problem: &ContactProblem, b: u32) -> f64 {
        let block = problem.block(b as usize);
        if block.pattern.is_body() {
            return 0.5 * block.values[..3].iter().map(|l| l * l).sum::<f64>();
        }
        let range = block.range();
        let masses = &self.masses[range.clone()];
        if block.pattern.translates() {
            return 0.5 * masses[..3].iter().sum::<f64>();
        }
        let levers = masses.iter().zip(&self.levers[range]);
        let touched = levers.filter(|(_, l)| **l > 0.0);
        let sum = touched.map(|(m, l)| 1.5 * m / (l * l)).sum::<f64>();
        if sum > 0.0 {
            sum
        } else {
            self.moved[b as usize]
        }
    }
}
