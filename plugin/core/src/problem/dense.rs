//! A problem in which chosen blocks have a dense factor, so that anything symmetric positive semidefinite over their
//! coordinates can be added to their mass.

use super::{Block, ContactProblem, Group, NO_BLOCK, Run};
use crate::mass::{MassPattern, factor_in_place};
use std::sync::Arc;

/// The problem made from another; coordinates, rows and islands are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dense {
    problem: ContactProblem,
    /// Whether a block is dense.
    is_dense: Vec<bool>,
    /// Dense patterns by dimension.
    patterns: Vec<Option<Arc<MassPattern>>>,
}

/// Where row `i` of a lower triangle begins.
#[inline]
fn triangle(i: usize) -> usize {
    i * (i + 1) / 2
}

impl Dense {
    /// Copies `source`. The blocks marked hold the lower triangle of `M` until [`Self::factor`]; no row joins one of them
    /// to another block. O(size of the problem + sum of m^2 of these blocks).
    pub(crate) fn build(&mut self, source: &ContactProblem, is_dense: &[bool]) {
        let p = &mut self.problem;
        p.copy_from(source);
        self.is_dense.clear();
        self.is_dense.extend_from_slice(is_dense);
        for (b, _) in is_dense.iter().enumerate().filter(|(_, dense)| **dense) {
            let from = source.block(b);
            let pattern = dense_pattern(&mut self.patterns, from.dim());
            let value_start = p.values.len();
            p.values.resize(value_start + pattern.len(), 0.0);
            let values = &mut p.values[value_start..];
            for k in 0..from.dim() {
                let path = from.pattern.path(k);
                let row = &from.values[from.pattern.row(k)];
                for (a, (&i, &l_i)) in path.iter().zip(row).enumerate() {
                    for (&j, &l_j) in path[..=a].iter().zip(row) {
                        values[triangle(i) + j] += l_i * l_j;
                    }
                }
            }
            p.blocks[b] = Block {
                offset: from.offset,
                value_start,
                pattern,
            };
        }
    }

    /// The problem; solvable once [`Self::factor`] has been called.
    pub(crate) fn problem(&self) -> &ContactProblem {
        &self.problem
    }

    /// Velocities, to write.
    pub(crate) fn problem_mut(&mut self) -> &mut ContactProblem {
        &mut self.problem
    }

    /// Whether a block is dense.
    pub(crate) fn is_dense(&self, block: usize) -> bool {
        self.is_dense[block]
    }

    /// `M += weight (S^T S + T^T T)` of a contact on a dense block. O(nonzeros^2).
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

    /// Factors the dense blocks; those that are not positive definite or overflow become what they are in `source` again.
    /// O(m^3) each.
    pub(crate) fn factor(&mut self, source: &ContactProblem) {
        let p = &mut self.problem;
        for (b, is_dense) in self.is_dense.iter_mut().enumerate().filter(|(_, d)| **d) {
            let block = &p.blocks[b];
            let range = block.offset..block.offset + block.pattern.dim();
            let values = &mut p.values[block.value_start..][..block.pattern.len()];
            let inv_diag = &mut p.inv_diag[range.clone()];
            // An infinite pivot leaves a zero.
            *is_dense = factor_in_place(&block.pattern, values, inv_diag).is_ok()
                && inv_diag.iter().all(|&d| d > 0.0);
            if !*is_dense {
                inv_diag.copy_from_slice(&source.inv_diag[range]);
                p.blocks[b].clone_from(&source.blocks[b]);
            }
        }
        let groups = p.contact_groups.iter_mut().chain(&mut p.scalar_groups);
        for group in groups.chain(&mut p.spin_groups) {
            let block = group.blocks[0];
            if block != NO_BLOCK && self.is_dense[block as usize] {
                let start = group.run_start as usize;
                let runs = &p.runs[start..start + group.run_count as usize];
                group.closed = is_prefix(runs, p.blocks[block as usize].offset);
            }
        }
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
