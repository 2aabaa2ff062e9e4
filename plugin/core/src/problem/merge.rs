//! A problem in which chosen islands are one dense mass block each, so that anything symmetric
//! positive semidefinite over an island's coordinates can be added to its mass.

use super::islands::NONE;
use super::{Block, ContactProblem, Group, NO_BLOCK, Run};
use crate::mass::{MassPattern, factor_in_place};
use std::sync::Arc;

/// The problem made from another and how their coordinates correspond. Rows keep their ids, contacts
/// and scalars their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Merged {
    problem: ContactProblem,
    /// This problem's coordinate of each one of the source (m).
    coordinate: Vec<u32>,
    /// This problem's block of each one of the source.
    block_of: Vec<u32>,
    /// Whether a block of this problem is a merged one.
    is_dense: Vec<bool>,
    /// Island of each block of the source.
    island_of: Vec<u32>,
    /// Per island of the source: number of coordinates, block here, coordinates placed so far.
    hosts: Vec<Host>,
    /// Dense patterns by dimension.
    patterns: Vec<Option<Arc<MassPattern>>>,
}

#[derive(Clone, Copy, Debug)]
struct Host {
    dim: usize,
    block: u32,
    placed: usize,
}

/// Where row `i` of a lower triangle begins.
#[inline]
fn triangle(i: usize) -> usize {
    i * (i + 1) / 2
}

impl Merged {
    /// Makes one dense block of every island of `source` that `dense` names. Its values are the lower
    /// triangle of `M` until [`Self::factor`]; the other blocks stay factored. A merged block takes
    /// the place of its first, and inside it the blocks keep their order. O(size of the problem + sum
    /// of m^2 of the merged blocks).
    pub(crate) fn build(&mut self, source: &ContactProblem, dense: &[bool]) {
        self.problem.copy_rows(source);
        self.place(source, dense);
        self.fill(source);
        self.remap();
        let p = &mut self.problem;
        p.islands
            .split(p.blocks.len(), &p.contact_groups, &p.scalar_groups);
    }

    /// The problem; solvable once every merged block has been factored.
    pub(crate) fn problem(&self) -> &ContactProblem {
        &self.problem
    }

    /// Velocities, to write.
    pub(crate) fn problem_mut(&mut self) -> &mut ContactProblem {
        &mut self.problem
    }

    /// Whether a block of this problem is a merged one.
    pub(crate) fn is_dense(&self, block: usize) -> bool {
        self.is_dense[block]
    }

    /// This problem's coordinate of one of the source.
    pub(crate) fn coordinate(&self, source: usize) -> usize {
        self.coordinate[source] as usize
    }

    /// This problem's block of one of the source.
    pub(crate) fn block_of(&self, source: usize) -> usize {
        self.block_of[source] as usize
    }

    /// Lays out blocks and coordinates.
    fn place(&mut self, source: &ContactProblem, dense: &[bool]) {
        self.island_of.clear();
        self.island_of.resize(source.blocks.len(), NONE);
        self.hosts.clear();
        for (i, island) in source.islands().enumerate() {
            let mut host = Host {
                dim: 0,
                block: NO_BLOCK,
                placed: 0,
            };
            for &b in island.blocks {
                if dense[i] {
                    self.island_of[b as usize] = i as u32;
                }
                host.dim += source.blocks[b as usize].pattern.dim();
            }
            self.hosts.push(host);
        }
        let p = &mut self.problem;
        p.blocks.clear();
        p.values.clear();
        self.coordinate.clear();
        self.block_of.clear();
        self.is_dense.clear();
        let mut offset = 0;
        for (b, block) in source.blocks.iter().enumerate() {
            let dim = block.pattern.dim();
            let mut own = Host {
                dim,
                block: NO_BLOCK,
                placed: 0,
            };
            let merged = self.island_of[b] != NONE;
            let host = self.hosts.get_mut(self.island_of[b] as usize);
            let host = host.unwrap_or(&mut own);
            if host.block == NO_BLOCK {
                host.block = p.blocks.len() as u32;
                let pattern = if merged {
                    dense_pattern(&mut self.patterns, host.dim)
                } else {
                    block.pattern.clone()
                };
                let value_start = p.values.len();
                p.values.resize(value_start + pattern.len(), 0.0);
                p.blocks.push(Block {
                    offset,
                    value_start,
                    pattern,
                });
                self.is_dense.push(merged);
                offset += host.dim;
            }
            self.block_of.push(host.block);
            let first = p.blocks[host.block as usize].offset + host.placed;
            self.coordinate.extend(first as u32..(first + dim) as u32);
            host.placed += dim;
        }
    }

    /// Copies factors and velocities; for merged blocks `M = L^T L` anew.
    fn fill(&mut self, source: &ContactProblem) {
        let p = &mut self.problem;
        for x in [&mut p.inv_diag, &mut p.v, &mut p.v_free] {
            x.clear();
            x.resize(source.v_free.len(), 0.0);
        }
        for (i, &c) in self.coordinate.iter().enumerate() {
            let c = c as usize;
            (p.v[c], p.v_free[c]) = (source.v[i], source.v_free[i]);
            p.inv_diag[c] = source.inv_diag[i];
        }
        for (b, &host) in self.block_of.iter().enumerate() {
            let from = source.block(b);
            let to = &p.blocks[host as usize];
            let values = &mut p.values[to.value_start..to.value_start + to.pattern.len()];
            if !self.is_dense[host as usize] {
                values.copy_from_slice(from.values);
                continue;
            }
            let base = self.coordinate[from.offset] as usize - to.offset;
            for k in 0..from.dim() {
                let path = from.pattern.path(k);
                let row = &from.values[from.pattern.row(k)];
                for (a, (&i, &l_i)) in path.iter().zip(row).enumerate() {
                    let start = triangle(base + i) + base;
                    for (&j, &l_j) in path[..=a].iter().zip(row) {
                        values[start + j] += l_i * l_j;
                    }
                }
            }
        }
    }

    /// Moves the rows to the new coordinates.
    fn remap(&mut self) {
        let p = &mut self.problem;
        for run in &mut p.runs {
            run.start = self.coordinate[run.start as usize];
        }
        let groups = p.contact_groups.iter_mut().chain(&mut p.scalar_groups);
        for group in groups.chain(&mut p.spin_groups) {
            let host = |b: u32| match b {
                NO_BLOCK => NO_BLOCK,
                b => self.block_of[b as usize],
            };
            let [a, b] = group.blocks.map(host);
            group.blocks = [a, b];
            if !self.is_dense[a as usize] {
                continue;
            }
            // The other block, if any, is in the same island and therefore in the same block.
            group.blocks[1] = NO_BLOCK;
            group.split = group.run_count;
            let start = group.run_start as usize;
            let runs = &p.runs[start..start + group.run_count as usize];
            group.closed = is_prefix(runs, p.blocks[a as usize].offset);
        }
    }

    /// `M += weight (S^T S + T^T T)` of a contact in a merged block. O(nonzeros^2).
    pub(crate) fn add_tangents(&mut self, contact: usize, weight: f64) {
        let p = &mut self.problem;
        let group: Group = p.contact_groups[contact];
        let block = &p.blocks[group.blocks[0] as usize];
        let values = &mut p.values[block.value_start..];
        let start = group.run_start as usize;
        let runs = &p.runs[start..start + group.run_count as usize];
        let nnz = group.nnz as usize;
        let first = group.val_start as usize + nnz;
        let (s, t) = p.vals[first..first + 2 * nnz].split_at(nnz);
        let mut i = 0;
        for run in runs {
            for row in run.range() {
                let row = triangle(row - block.offset);
                let (a, b) = (weight * s[i], weight * t[i]);
                let mut j = 0;
                for other in runs {
                    if j > i {
                        break;
                    }
                    let len = (other.len as usize).min(i + 1 - j);
                    let at = row + other.start as usize - block.offset;
                    let pairs = s[j..j + len].iter().zip(&t[j..j + len]);
                    for (m, (s, t)) in values[at..at + len].iter_mut().zip(pairs) {
                        *m += a * s + b * t;
                    }
                    j += len;
                }
                i += 1;
            }
        }
    }

    /// Factors a merged block; false if it is not positive definite or overflows. O(m^3).
    pub(crate) fn factor(&mut self, block: usize) -> bool {
        let p = &mut self.problem;
        let block = &p.blocks[block];
        let (dim, len) = (block.pattern.dim(), block.pattern.len());
        let values = &mut p.values[block.value_start..block.value_start + len];
        let inv_diag = &mut p.inv_diag[block.offset..block.offset + dim];
        // An infinite pivot leaves a zero.
        factor_in_place(&block.pattern, values, inv_diag).is_ok()
            && inv_diag.iter().all(|&d| d > 0.0)
    }
}

fn dense_pattern(known: &mut Vec<Option<Arc<MassPattern>>>, dim: usize) -> Arc<MassPattern> {
    if known.len() <= dim {
        known.resize(dim + 1, None);
    }
    let make = || Arc::new(MassPattern::dense(dim));
    known[dim].get_or_insert_with(make).clone()
}

/// Whether runs cover the first coordinates of a block without a hole: for a dense block, whether
/// they hold all their ancestors.
fn is_prefix(runs: &[Run], offset: usize) -> bool {
    let mut next = offset;
    for run in runs {
        if run.start as usize != next {
            return false;
        }
        next += run.len as usize;
    }
    true
}

#[cfg(test)]
mod tests;
