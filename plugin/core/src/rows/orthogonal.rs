//! The orthonormal basis behind the factor: `R~^T = Q C^T`.
//!
//! The factor of the Gram matrix knows a row's distance from the span of the others only up to
//! `1e-16 |r~|^2 cond(R~)^2`: rows of bodies a million to one, or many of them, use that up. Gram and
//! Schmidt's method on the rows themselves, each product taken out twice, finds the same factor up to
//! `1e-16 cond(R~)`, at O(r m) per row instead of O(envelope).
//!
//! A compliance eps lengthens its row by `sqrt(eps)` along an axis of its own.

use super::kernel::dot;
use std::ops::Range;

/// The basis Q of the active rows of one island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orthogonal {
    /// Coordinates of the island's blocks.
    ranges: Vec<Range<usize>>,
    dim: usize,
    /// Vectors by position, `dim` entries each.
    q: Vec<f64>,
    /// Their entries along the axes of compliance, `position + 1` each.
    soft: Vec<f64>,
    /// Compliances by position.
    pub(super) eps: Vec<f64>,
    /// What is left of the row last tried.
    x: Vec<f64>,
    x_soft: Vec<f64>,
}

fn axpy(y: &mut [f64], a: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

impl Orthogonal {
    pub(crate) fn begin(&mut self, ranges: impl Iterator<Item = Range<usize>>) {
        self.ranges.clear();
        self.ranges.extend(ranges);
        self.dim = self.ranges.iter().map(ExactSizeIterator::len).sum();
        self.truncate(0);
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.q.truncate(len * self.dim);
        self.soft.truncate(len * (len + 1) / 2);
        self.eps.truncate(len);
    }

    /// Takes a dense row over all coordinates with compliance `eps` apart: its products with the
    /// basis from `first` on go to `l`; returns the squared length of what is left.
    pub(crate) fn split(&mut self, row: &[f64], eps: f64, (first, l): (usize, &mut [f64])) -> f64 {
        self.x.clear();
        for range in &self.ranges {
            self.x.extend_from_slice(&row[range.clone()]);
        }
        self.x_soft.clear();
        self.x_soft.resize(l.len(), 0.0);
        self.x_soft.push(eps.sqrt());
        let is_soft = eps > 0.0 || self.eps.iter().any(|&eps| eps > 0.0);
        l.fill(0.0);
        for _ in 0..2 {
            for (i, l) in l.iter_mut().enumerate().skip(first) {
                let q = &self.q[i * self.dim..(i + 1) * self.dim];
                let soft = &self.soft[i * (i + 1) / 2..(i + 1) * (i + 2) / 2];
                let mut share = dot(q, &self.x);
                if is_soft {
                    share += dot(soft, &self.x_soft[..=i]);
                    axpy(&mut self.x_soft[..=i], -share, soft);
                }
                axpy(&mut self.x, -share, q);
                *l += share;
            }
        }
        dot(&self.x, &self.x) + dot(&self.x_soft, &self.x_soft)
    }

    /// Appends the row last taken apart; `square` is what [`Self::split`] returned, `eps` what it was
    /// given.
    pub(crate) fn push(&mut self, square: f64, eps: f64) {
        let inv = 1.0 / square.sqrt();
        self.q.extend(self.x.iter().map(|x| inv * x));
        self.soft.extend(self.x_soft.iter().map(|x| inv * x));
        self.eps.push(eps);
    }
}
