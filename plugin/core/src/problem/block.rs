//! Products and solves with one block's factor, `M = L^T L`.

use super::Run;
use crate::kernel::add_lanes;
use crate::mass::{MassPattern, product, solve_lower};
use nalgebra::DMatrix;

/// Coordinates of a chain that are whitened together.
const CHAIN: usize = 4;

/// The factor of one mass block; slices passed in are the block's own coordinates.
#[derive(Clone, Copy, Debug)]
pub struct BlockView<'a> {
    /// First coordinate of the block.
    pub offset: usize,
    /// Sparsity of `L`.
    pub pattern: &'a MassPattern,
    /// Entries of `L` along the paths of the pattern.
    pub values: &'a [f64],
    /// Reciprocals of the diagonal of `L`.
    pub inv_diag: &'a [f64],
}

impl BlockView<'_> {
    /// Number of coordinates.
    pub fn dim(&self) -> usize {
        self.inv_diag.len()
    }

    /// The block's coordinates in the whole problem.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.offset..self.offset + self.inv_diag.len()
    }

    /// `M = L^T L` as a dense matrix. O(m * sum of depths).
    pub fn dense(&self) -> DMatrix<f64> {
        product(self.pattern, self.values)
    }

    /// `x <- L^-T x` for a row that is zero outside `runs` (coordinates of the whole problem,
    /// closed under ancestors). Cost: the sum of the depths of the runs' coordinates.
    #[inline]
    pub fn whiten(&self, runs: &[Run], x: &mut [f64]) {
        if let Some((l, d)) = self.body()
            && let Ok(x) = <&mut [f64; 6]>::try_from(&mut *x)
        {
            whiten_body(l, d, x);
            return;
        }
        let (x, _) = x.as_chunks_mut::<1>();
        self.whiten_lanes(runs, x);
    }

    /// Factor and reciprocal diagonal of a free body.
    #[inline]
    fn body(&self) -> Option<(&[f64; 9], &[f64; 6])> {
        if !self.pattern.is_body() {
            return None;
        }
        Some((self.values.try_into().ok()?, self.inv_diag.try_into().ok()?))
    }

    /// [`Self::whiten`] for rows side by side: a single row waits for every product in turn. Coordinates that follow each
    /// other in a chain act on what is above them in one pass.
    #[inline]
    pub(crate) fn whiten_lanes<const W: usize>(&self, runs: &[Run], x: &mut [[f64; W]]) {
        for run in runs.iter().rev() {
            let first = run.start as usize - self.offset;
            let mut end = first + run.len as usize;
            while end > first {
                let is_chain = end >= first + CHAIN
                    && (end + 1 - CHAIN..end).all(|i| self.pattern.parent(i) == i - 1);
                let start = end - if is_chain { CHAIN } else { 1 };
                for i in (start..end).rev() {
                    let row = &self.values[self.pattern.row(i)];
                    let xi = x[i].map(|x| x * self.inv_diag[i]);
                    x[i] = xi;
                    let above = row.len() - 1 - (i - start);
                    for (j, &l) in (start..i).zip(&row[above..]) {
                        add_lanes(&mut x[j], -l, &xi);
                    }
                }
                match is_chain {
                    true => self.pass_on_chain(start, x),
                    false => self.pass_on([start], x),
                }
                end = start;
            }
        }
    }

    /// [`Self::pass_on`] of a chain that begins at a coordinate.
    #[inline]
    fn pass_on_chain<const W: usize>(&self, start: usize, x: &mut [[f64; W]]) {
        self.pass_on(std::array::from_fn::<_, CHAIN, _>(|k| start + k), x);
    }

    /// Takes what coordinates that have the same ancestors, but for each other, do to those off them.
    #[inline]
    fn pass_on<const N: usize, const W: usize>(&self, chain: [usize; N], x: &mut [[f64; W]]) {
        let path = self.pattern.path(chain[0]);
        let ancestors = &path[..path.len() - 1];
        let own = chain.map(|i| x[i]);
        let rows = chain.map(|i| &self.values[self.pattern.row(i)][..ancestors.len()]);
        for (at, &j) in ancestors.iter().enumerate() {
            let mut sum = x[j];
            for k in (0..N).rev() {
                add_lanes(&mut sum, -rows[k][at], &own[k]);
            }
            x[j] = sum;
        }
    }

    /// `x <- L^-T x` for any row. Cost: the sum of all depths.
    #[inline]
    pub fn solve_lt(&self, x: &mut [f64]) {
        let all = Run {
            start: self.offset as u32,
            len: self.dim() as u32,
        };
        self.whiten(&[all], x);
    }

    /// `x <- L^-1 x`: velocity of a whitened velocity.
    #[inline]
    pub fn solve_l(&self, x: &mut [f64]) {
        solve_lower(self.pattern, self.values, self.inv_diag, x);
    }

    /// Entry `i` of `L x`.
    #[inline]
    pub(crate) fn white(&self, i: usize, x: &[f64]) -> f64 {
        let row = &self.values[self.pattern.row(i)];
        let path = self.pattern.path(i);
        path.iter().zip(row).map(|(&j, &l)| l * x[j]).sum()
    }

    /// `L x` of a free body; the same bits as entry by entry.
    #[inline]
    fn white_body(&self, x: &[f64]) -> Option<[f64; 6]> {
        let (l, x): (_, &[f64; 6]) = (self.body()?.0, x.try_into().ok()?);
        Some([
            l[0] * x[0],
            l[1] * x[1],
            l[2] * x[2],
            l[3] * x[3],
            l[4] * x[3] + l[5] * x[4],
            l[6] * x[3] + l[7] * x[4] + l[8] * x[5],
        ])
    }

    /// `|L x|^2`.
    #[inline]
    pub(crate) fn white_square(&self, x: &[f64]) -> f64 {
        match self.white_body(x) {
            Some(white) => white.map(|x| x * x).iter().sum(),
            None => (0..self.dim()).map(|i| self.white(i, x).powi(2)).sum(),
        }
    }

    /// `out += L^T L x`: momentum of a velocity.
    #[inline]
    pub fn add_momentum(&self, x: &[f64], out: &mut [f64]) {
        if let (Some(w), Some((l, _)), Ok(out)) = (
            self.white_body(x),
            self.body(),
            <&mut [f64; 6]>::try_from(&mut *out),
        ) {
            for k in 0..3 {
                out[k] += l[k] * w[k];
            }
            out[3] = ((out[3] + l[3] * w[3]) + l[4] * w[4]) + l[6] * w[5];
            out[4] = (out[4] + l[5] * w[4]) + l[7] * w[5];
            out[5] += l[8] * w[5];
            return;
        }
        for i in 0..self.dim() {
            let white = self.white(i, x);
            let row = &self.values[self.pattern.row(i)];
            for (&j, &l) in self.pattern.path(i).iter().zip(row) {
                out[j] += l * white;
            }
        }
    }
}

/// `x <- L^-T x` of a free body, in the order of the loops over its paths: the same bits.
#[inline]
fn whiten_body(l: &[f64; 9], d: &[f64; 6], x: &mut [f64; 6]) {
    for k in [5, 2, 1, 0] {
        x[k] *= d[k];
    }
    x[4] = (x[4] - l[7] * x[5]) * d[4];
    x[3] = ((x[3] - l[6] * x[5]) - l[4] * x[4]) * d[3];
}
