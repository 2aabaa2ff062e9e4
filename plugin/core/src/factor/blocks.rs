//! A sparse factor of blocks: `A = L U` by blocks, without exchanges between blocks, with exchanges inside them.
//!
//! The graph has a node per mass block and an edge wherever two share a row that acts. The order is that of
//! least degree; what a node leaves behind when it is eliminated joins its later neighbours S(k) to each other:
//! ```text
//! X_kj = D_k^-1 A_kj,   A_ij -= A_ik X_kj        i, j in S(k)
//! ```
//! The pattern is symmetric, the values need not be. Order and pattern stay as long as the graph does.

mod pattern;
mod six;

use super::kernel::{axpy, dot};
use super::lu::{Singular, eliminate};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No block there.
const NONE: u32 = u32::MAX;

/// Where the off-diagonal blocks between node k and a later neighbour i lie.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The later node.
    to: u32,
    /// Values of `A_ik`, then of `A_ki`.
    below: u32,
    right: u32,
}

/// The factor, and the memory to make it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocks {
    /// Coordinates of every node: first, and how many.
    first: Vec<u32>,
    size: Vec<u32>,
    /// Nodes in the order of elimination.
    order: Vec<u32>,
    /// Place of every node in it.
    place: Vec<u32>,
    /// Values of the diagonal blocks by node.
    diagonal: Vec<u32>,
    /// Later neighbours of the nodes in order; those of node `order[k]` end at `ends[k]`.
    edges: Vec<Edge>,
    ends: Vec<u32>,
    /// Values of the block that the update by each pair of edges of a node goes to.
    targets: Vec<u32>,
    values: Vec<f64>,
    /// Rows exchanged inside the diagonal blocks, by coordinate.
    swaps: Vec<u32>,
    flops: usize,
    /// Whether the pattern was laid out to its end.
    is_ready: bool,
    /// The graph of the present pattern.
    graph: Vec<[u32; 2]>,
    neighbours: Vec<Vec<u32>>,
    /// Degree and number of every node not yet eliminated; entries whose degree has changed since are passed over.
    waiting: BinaryHeap<Reverse<(usize, u32)>>,
    merged: Vec<u32>,
    /// The most neighbours a node has had.
    longest: usize,
}

impl Blocks {
    /// The edges of the k-th node in order.
    fn range(&self, k: usize) -> std::ops::Range<usize> {
        let start = match k {
            0 => 0,
            k => self.ends[k - 1],
        };
        start as usize..self.ends[k] as usize
    }

    /// Values of block (i, j), by nodes; [`NONE`] if it is not in the pattern.
    fn find(&self, i: u32, j: u32) -> u32 {
        if i == j {
            return self.diagonal[i as usize];
        }
        let [a, b] = [i, j].map(|node| self.place[node as usize]);
        let edges = &self.edges[self.range(a.min(b) as usize)];
        let later = a.max(b);
        match edges.binary_search_by_key(&later, |edge| self.place[edge.to as usize]) {
            Ok(at) if a > b => edges[at].below,
            Ok(at) => edges[at].right,
            Err(_) => NONE,
        }
    }

    /// The coordinates of a node.
    pub(crate) fn coordinates(&self, node: u32) -> std::ops::Range<usize> {
        let first = self.first[node as usize] as usize;
        first..first + self.size[node as usize] as usize
    }

    /// Operations of a factor.
    #[cfg(test)]
    pub(crate) fn flops(&self) -> usize {
        self.flops
    }

    /// The identity.
    pub(crate) fn begin(&mut self) {
        self.values.fill(0.0);
        for (&at, &size) in self.diagonal.iter().zip(&self.size) {
            for k in 0..size {
                self.values[(at + k * (size + 1)) as usize] = 1.0;
            }
        }
    }

    /// Block (i, j), row-major, to add to.
    pub(crate) fn block_mut(&mut self, i: u32, j: u32) -> &mut [f64] {
        let at = self.find(i, j) as usize;
        let len = (self.size[i as usize] * self.size[j as usize]) as usize;
        &mut self.values[at..at + len]
    }

    /// Factors in place.
    ///
    /// # Errors
    /// A diagonal block is singular, or a number is not finite.
    pub(crate) fn factor(&mut self) -> Result<(), Singular> {
        let mut next = 0;
        for k in 0..self.order.len() {
            let node = self.order[k] as usize;
            let size = self.size[node] as usize;
            let (at, first) = (self.diagonal[node] as usize, self.first[node] as usize);
            let own = &mut self.values[at..at + size * size];
            let swaps = &mut self.swaps[first..first + size];
            match six::six_mut(own) {
                Some(own) => six::eliminate(own, swaps)?,
                None => eliminate(own, swaps, 0.0)?,
            }
            let range = self.range(k);
            for j in range.clone() {
                let edge = self.edges[j];
                let width = self.size[edge.to as usize] as usize;
                self.solve_columns(node, edge.right as usize, width);
            }
            for i in range.clone() {
                let rows = self.size[self.edges[i].to as usize] as usize;
                for j in range.clone() {
                    let cols = self.size[self.edges[j].to as usize] as usize;
                    let at = [self.targets[next], self.edges[i].below, self.edges[j].right];
                    next += 1;
                    subtract(
                        &mut self.values,
                        at.map(|at| at as usize),
                        [rows, size, cols],
                    );
                }
            }
        }
        Ok(())
    }

    /// `X := D^-1 X` for `width` columns at `right`, by the factor of a diagonal block.
    fn solve_columns(&mut self, node: usize, right: usize, width: usize) {
        let size = self.size[node] as usize;
        let (at, first) = (self.diagonal[node] as usize, self.first[node] as usize);
        // The diagonals come before everything else.
        let (diagonals, rest) = self.values.split_at_mut(right);
        let d = &diagonals[at..at + size * size];
        let x = &mut rest[..size * width];
        if let (Some(d), Some(x)) = (six::six(d), six::six_mut(x)) {
            return six::solve_columns(d, &self.swaps[first..first + 6], x);
        }
        for k in 0..size {
            let pivot = self.swaps[first + k] as usize;
            if pivot != k {
                for j in 0..width {
                    x.swap(k * width + j, pivot * width + j);
                }
            }
        }
        let eliminate = |x: &mut [f64], i: usize, k: usize| {
            let factor = d[i * size + k];
            for j in 0..width {
                x[i * width + j] -= factor * x[k * width + j];
            }
        };
        for i in 1..size {
            for k in 0..i {
                eliminate(x, i, k);
            }
        }
        for i in (0..size).rev() {
            for k in i + 1..size {
                eliminate(x, i, k);
            }
            let inv = 1.0 / d[i * size + i];
            for j in 0..width {
                x[i * width + j] *= inv;
            }
        }
    }

    /// `x := A^-1 x`. O(entries of the factor).
    pub(crate) fn solve(&self, x: &mut [f64]) {
        for k in 0..self.order.len() {
            let own = self.coordinates(self.order[k]);
            self.solve_diagonal(self.order[k], &mut x[own.clone()]);
            for edge in &self.edges[self.range(k)] {
                let to = self.coordinates(edge.to);
                let block = &self.values[edge.below as usize..][..to.len() * own.len()];
                if let Ok([to, own]) = x.get_disjoint_mut([to, own.clone()]) {
                    subtract_product(to, block, own);
                }
            }
        }
        for k in (0..self.order.len()).rev() {
            let own = self.coordinates(self.order[k]);
            for edge in &self.edges[self.range(k)] {
                let from = self.coordinates(edge.to);
                let block = &self.values[edge.right as usize..][..own.len() * from.len()];
                if let Ok([own, from]) = x.get_disjoint_mut([own.clone(), from]) {
                    subtract_product(own, block, from);
                }
            }
        }
    }

    fn solve_diagonal(&self, node: u32, x: &mut [f64]) {
        let size = x.len();
        let (at, first) = (
            self.diagonal[node as usize] as usize,
            self.first[node as usize],
        );
        let d = &self.values[at..at + size * size];
        let swaps = &self.swaps[first as usize..][..size];
        if let (Some(d), Ok(x)) = (six::six(d), <&mut [f64; 6]>::try_from(&mut *x)) {
            return six::solve(d, swaps, x);
        }
        for (k, &pivot) in swaps.iter().enumerate() {
            x.swap(k, pivot as usize);
        }
        let row = |i: usize| &d[i * size..(i + 1) * size];
        for i in 1..size {
            x[i] -= product(&row(i)[..i], &x[..i]);
        }
        for i in (0..size).rev() {
            x[i] = (x[i] - product(&row(i)[i + 1..], &x[i + 1..])) / row(i)[i];
        }
    }
}

/// `a . b`: of a tree in partial sums, a single one would wait for every addition.
#[inline]
fn product(a: &[f64], b: &[f64]) -> f64 {
    match a.len() {
        0..8 => a.iter().zip(b).map(|(a, b)| a * b).sum(),
        _ => dot(a, b),
    }
}

/// `y -= A x` for a row-major block.
#[inline]
fn subtract_product(y: &mut [f64], block: &[f64], x: &[f64]) {
    if let (Ok(y), Some(a), Ok(x)) = (
        <&mut [f64; 6]>::try_from(&mut *y),
        six::six(block),
        x.try_into(),
    ) {
        return six::subtract_product(y, a, x);
    }
    for (y, row) in y.iter_mut().zip(block.chunks_exact(x.len())) {
        *y -= product(row, x);
    }
}

/// `C -= A B` for row-major blocks of `[rows, inner, cols]` at `[c, a, b]` of the values.
fn subtract(values: &mut [f64], [c, a, b]: [usize; 3], [rows, inner, cols]: [usize; 3]) {
    let of = |at: usize, len: usize| at..at + len;
    let parts = [of(c, rows * cols), of(a, rows * inner), of(b, inner * cols)];
    let Ok([c, a, b]) = values.get_disjoint_mut(parts) else {
        return;
    };
    if rows == inner
        && let (Some(a), Some(b)) = (six::six(a), six::six(b))
        && let Some(c) = six::six_mut(c)
    {
        return six::subtract(c, a, b);
    }
    for i in 0..rows {
        for k in 0..inner {
            axpy(
                &mut c[i * cols..(i + 1) * cols],
                -a[i * inner + k],
                &b[k * cols..(k + 1) * cols],
            );
        }
    }
}

#[cfg(test)]
mod tests;
