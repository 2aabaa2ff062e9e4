//! The matrix over the velocities of an island, `I + sum_c R_c^T H_c R_c`, on its sparse factor.
//!
//! A method that eliminates the impulses of every unit, `dz_c = p_c - H_c R_c dv`, is left with this matrix: a node
//! for each mass block, an edge wherever two of them share a unit.

use crate::factor::kernel::axpy;
use crate::factor::{Blocks, Singular};
use crate::kernel::add_rows;
use crate::law::ConstraintBlock;
use crate::law::linear::Matrix;
use crate::problem::{IslandProblem, NO_BLOCK};
use crate::system::System;

/// Nodes that a unit acts on; [`NO_BLOCK`] stands for the world.
type Nodes = [u32; 2];

/// Coordinates of a free body.
const BODY: usize = 6;

/// Where the matrix has coordinate i of a node: those of a tree from its last links to its root. Eliminated in that order, a
/// coordinate changes the rows of its ancestors alone, and those of what touches it. Free bodies are entered as they are.
fn stored(size: usize, i: usize) -> usize {
    match size {
        BODY => i,
        _ => size - 1 - i,
    }
}

/// The matrix, its factor, and the memory to make them.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    factor: Blocks,
    /// Number of every block of the problem in the island; stale outside.
    node: Vec<u32>,
    sizes: Vec<usize>,
    pairs: Vec<[u32; 2]>,
    /// The nodes of every unit.
    nodes: Vec<Nodes>,
    dense: Vec<f64>,
}

impl Graph {
    /// Lays out the factor of an island: false if it takes more than `most` operations. Nothing is done where the graph is as it was.
    pub(super) fn enter(&mut self, place: IslandProblem<'_>, system: &System, most: usize) -> bool {
        self.node.resize(place.problem.block_count(), 0);
        self.sizes.clear();
        self.sizes.extend(place.blocks().map(|block| block.dim()));
        for (number, &b) in place.island.blocks.iter().enumerate() {
            self.node[b as usize] = number as u32;
        }
        self.pairs.clear();
        self.nodes.clear();
        for unit in &system.units {
            let blocks = place.problem.group_blocks(unit.group);
            let [a, b] = blocks.map(|b| match b {
                NO_BLOCK => NO_BLOCK,
                b => self.node[b as usize],
            });
            if b != NO_BLOCK {
                self.pairs.push([a.min(b), a.max(b)]);
            }
            self.nodes.push([a, b]);
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
        (self.factor).lay_out(self.sizes.iter().copied(), &self.pairs, most)
    }

    /// The identity.
    pub(super) fn begin(&mut self) {
        self.factor.begin();
    }

    /// Factors what was added.
    ///
    /// # Errors
    /// The matrix is singular or not finite.
    pub(super) fn factor(&mut self) -> Result<(), Singular> {
        self.factor.factor()
    }

    /// `x := A^-1 x`.
    pub(super) fn solve(&self, x: &mut [f64]) {
        self.turn(x);
        self.factor.solve(x);
        self.turn(x);
    }

    /// Turns the coordinates of trees round: [`stored`].
    fn turn(&self, x: &mut [f64]) {
        for (node, _) in (0..).zip(&self.sizes) {
            let own = &mut x[self.factor.coordinates(node)];
            if own.len() != BODY {
                own.reverse();
            }
        }
    }

    /// Adds `R^T H R` of a unit of `W` rows, by its number.
    pub(super) fn add<const W: usize>(&mut self, system: &System, unit: usize, h: &Matrix<W>) {
        let (unit, nodes) = (&system.units[unit], self.nodes[unit]);
        let (two, one) = (system.bodies::<2, W>(unit), system.bodies::<1, W>(unit));
        if let Some(on) = two
            && let Some(own) = self.bodies(nodes, on.at)
        {
            self.add_bodies(own, &on.rows, h);
        } else if let Some(on) = one
            && let Some(own) = self.bodies(nodes, on.at)
        {
            self.add_bodies(own, &on.rows, h);
        } else {
            self.add_any(system, unit, h, nodes);
        }
    }

    /// The nodes of free bodies that begin at these coordinates; none where one is a part of a tree.
    fn bodies<const B: usize>(&self, nodes: Nodes, at: [u32; B]) -> Option<[u32; B]> {
        let mut own = [NO_BLOCK; B];
        for (own, at) in own.iter_mut().zip(at) {
            let mut there = nodes.into_iter().filter(|&node| node != NO_BLOCK);
            let body = at as usize..at as usize + 6;
            *own = there.find(|&node| self.factor.coordinates(node) == body)?;
        }
        Some(own)
    }

    /// The same of rows on `B` free bodies.
    fn add_bodies<const B: usize, const W: usize>(
        &mut self,
        nodes: [u32; B],
        rows: &[[[f64; 6]; W]; B],
        h: &Matrix<W>,
    ) {
        let mut turned = [[[0.0; 6]; W]; B];
        for (turned, rows) in turned.iter_mut().zip(rows) {
            for (turned, h) in turned.iter_mut().zip(h) {
                for (h, row) in h.iter().zip(rows) {
                    for j in 0..6 {
                        turned[j] += h * row[j];
                    }
                }
            }
        }
        for a in 0..B {
            for b in 0..B {
                let block = self.factor.block_mut(nodes[a], nodes[b]);
                let (block, _) = block.as_chunks_mut::<6>();
                for (i, out) in block.iter_mut().enumerate() {
                    for j in 0..6 {
                        let pairs = rows[a].iter().zip(&turned[b]);
                        out[j] += pairs.map(|(left, right)| left[i] * right[j]).sum::<f64>();
                    }
                }
            }
        }
    }

    /// The same of any unit.
    fn add_any<const W: usize>(
        &mut self,
        system: &System,
        unit: &ConstraintBlock,
        h: &Matrix<W>,
        nodes: Nodes,
    ) {
        let spans = nodes.map(|node| match node {
            NO_BLOCK => 0..0,
            node => self.factor.coordinates(node),
        });
        let sizes = [spans[0].len(), spans[1].len()];
        let both = sizes[0] + sizes[1];
        self.dense.clear();
        self.dense.resize(2 * W * both, 0.0);
        let (rows, turned) = self.dense.split_at_mut(W * both);
        system.each_entry(unit, |k, j, entry| {
            let at = match spans[0].contains(&j) {
                true => stored(sizes[0], j - spans[0].start),
                false => sizes[0] + stored(sizes[1], j - spans[1].start),
            };
            rows[k * both + at] += entry;
        });
        for i in 0..W {
            for k in 0..W {
                let x = h[i][k];
                if x != 0.0 {
                    for j in 0..both {
                        turned[i * both + j] += x * rows[k * both + j];
                    }
                }
            }
        }
        let there = || (0..2).filter(|&k| nodes[k] != NO_BLOCK);
        for a in there() {
            for b in there() {
                let (row, col) = (a * sizes[0], b * sizes[0]);
                let block = self.factor.block_mut(nodes[a], nodes[b]);
                let left = |i: usize| &rows[i * both + row..][..sizes[a]];
                let right = |i: usize| &turned[i * both + col..][..sizes[b]];
                // A row of a tree has entries along the paths of its links alone.
                if W == 3 {
                    let [n, s, t] = [0, 1, 2].map(left);
                    let right = [0, 1, 2].map(right);
                    for (k, out) in block.chunks_exact_mut(sizes[b]).enumerate() {
                        let x = [n[k], s[k], t[k]];
                        if x != [0.0; 3] {
                            add_rows(out, x, right);
                        }
                    }
                    continue;
                }
                for i in 0..W {
                    for (x, out) in left(i).iter().zip(block.chunks_exact_mut(sizes[b])) {
                        if *x != 0.0 {
                            axpy(out, *x, right(i));
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
