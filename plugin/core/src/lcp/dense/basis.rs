//! The basis of a pivoting method and its inverse.

use super::scaling::Scaled;
use super::{make_room, max_abs, zeroed};
use crate::factor::kernel::{axpy, combine, dot};
use crate::factor::{Singular, invert};

/// A variable of `w = A z + d z_0 + q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Var {
    /// `w_i`.
    W(usize),
    /// `z_j`; the artificial `z_0` is `Z(n)`.
    Z(usize),
}

/// A pivot below this share of the matrix's largest entry makes a basis singular. Less than
/// round-off: slip bounds with large friction coefficients make honest pivots this small, and
/// answers from nearly singular bases are checked like all others.
const SINGULAR: f64 = 1e-18;

impl Var {
    /// The pair it belongs to.
    pub(super) fn index(self) -> usize {
        match self {
            Self::W(i) | Self::Z(i) => i,
        }
    }

    /// The other variable of its pair.
    pub(super) fn complement(self) -> Self {
        match self {
            Self::W(i) => Self::Z(i),
            Self::Z(i) => Self::W(i),
        }
    }
}

const NONE: usize = usize::MAX;

/// The basis: which `z` are basic (`cols`) and which `w` are not (`rows`), as many of one as of
/// the other. With C the matrix `[A, d]` restricted to these rows and columns, the basic solution is
/// `x = -C^-1 q_rows` and `w_i = q_i + [A, d]_i x`. Only `C^-1` is kept, as a full matrix of the
/// size p of C: a pivot costs `O(p^2)` for its update and `O(n p)` for the column of the entering
/// variable, so the many `w` that stay basic cost next to nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    /// C^-1: row a belongs to `cols[a]`, column b to `rows[b]`; `stride` numbers apart.
    inverse: Vec<f64>,
    stride: usize,
    pub(super) rows: Vec<usize>,
    pub(super) cols: Vec<usize>,
    /// Position of each row in `rows`, or `NONE`.
    row_at: Vec<usize>,
    /// Position of each `z` in `cols`, or `NONE`.
    col_at: Vec<usize>,
    /// Covering vector d.
    pub(super) cover: Vec<f64>,
    /// The entering column: by how much the basic `z` fall per unit of the entering variable,
    /// along `cols`.
    pub(super) u: Vec<f64>,
    /// The same for the basic `w`, by row; at `rows` what is left of equations that should be 0.
    pub(super) y: Vec<f64>,
    /// A row or column of C.
    g: Vec<f64>,
    v: Vec<f64>,
    swaps: Vec<usize>,
    /// Updates of the inverse since it was last computed.
    pub(super) updates: usize,
}

impl Basis {
    /// No `z` in the basis, `d = 0`.
    pub(super) fn clear(&mut self, n: usize) {
        self.stride = n;
        make_room(&mut self.rows, n);
        make_room(&mut self.cols, n);
        make_room(&mut self.swaps, n);
        for x in [&mut self.u, &mut self.y, &mut self.g, &mut self.v] {
            make_room(x, n);
        }
        self.row_at.clear();
        self.row_at.resize(n, NONE);
        self.col_at.clear();
        self.col_at.resize(n + 1, NONE);
        zeroed(&mut self.cover, n);
        if self.inverse.len() < n * n {
            zeroed(&mut self.inverse, n * n);
        }
        self.updates = 0;
    }

    pub(super) fn is_basic(&self, var: Var) -> bool {
        match var {
            Var::W(i) => self.row_at[i] == NONE,
            Var::Z(j) => self.col_at[j] != NONE,
        }
    }

    /// Whether of every pair just one is basic.
    pub(super) fn is_complementary(&self) -> bool {
        self.cols
            .iter()
            .all(|&j| self.row_at.get(j).is_some_and(|&at| at != NONE))
    }

    /// Position of a basic `z` in `cols`.
    pub(super) fn position(&self, z: usize) -> usize {
        self.col_at[z]
    }

    /// Column `z` of `[A, d]`.
    pub(super) fn column<'a>(&'a self, lcp: &'a Scaled, z: usize) -> &'a [f64] {
        if z < self.row_at.len() {
            lcp.column(z)
        } else {
            &self.cover
        }
    }

    /// Entry of `[A, d]`.
    fn at(&self, lcp: &Scaled, row: usize, z: usize) -> f64 {
        self.column(lcp, z)[row]
    }

    /// `inverse` times `x`, a vector along `rows`.
    fn apply(inverse: &[f64], stride: usize, x: &[f64], result: &mut Vec<f64>) {
        result.clear();
        let rows = inverse.chunks(stride.max(1)).take(x.len());
        result.extend(rows.map(|row| dot(row, x)));
    }

    /// `result = C^-1 x`, x along `rows`.
    pub(super) fn apply_inverse(&self, x: &[f64], result: &mut Vec<f64>) {
        Self::apply(&self.inverse, self.stride, x, result);
    }

    /// Fills `u` only: `C^-1` times the column of a nonbasic variable.
    pub(super) fn basic_part(&mut self, lcp: &Scaled, var: Var) {
        match var {
            Var::W(i) => {
                let (s, stride, p) = (self.row_at[i], self.stride, self.rows.len());
                self.u.clear();
                let inverse = &self.inverse;
                self.u.extend((0..p).map(|a| -inverse[a * stride + s]));
            }
            Var::Z(j) => {
                let mut g = std::mem::take(&mut self.g);
                g.clear();
                let column = self.column(lcp, j);
                g.extend(self.rows.iter().map(|&r| column[r]));
                Self::apply(&self.inverse, self.stride, &g, &mut self.u);
                self.g = g;
            }
        }
    }

    /// Fills `u` and `y` for a nonbasic variable. Returns the largest entry of `y` that should be
    /// zero, relative to the largest of `u` and 1, after one refinement where it is above `zero`.
    pub(super) fn enter(&mut self, lcp: &Scaled, var: Var, zero: f64) -> f64 {
        self.basic_part(lcp, var);
        self.fill_rates(lcp, var);
        let mut error = self.column_error();
        if error > zero {
            let mut g = std::mem::take(&mut self.g);
            g.clear();
            g.extend(self.rows.iter().map(|&r| self.y[r]));
            Self::apply(&self.inverse, self.stride, &g, &mut self.v);
            self.g = g;
            axpy(&mut self.u, -1.0, &self.v);
            self.fill_rates(lcp, var);
            error = self.column_error();
        }
        error
    }

    fn column_error(&self) -> f64 {
        let worst = self
            .rows
            .iter()
            .fold(0.0_f64, |m, &r| m.max(self.y[r].abs()));
        worst / (1.0 + max_abs(&self.u))
    }

    /// `y = [A, d]_cols u - g`, with g the entering variable's column.
    fn fill_rates(&mut self, lcp: &Scaled, var: Var) {
        let mut y = std::mem::take(&mut self.y);
        zeroed(&mut y, self.stride);
        match var {
            Var::W(i) => y[i] = 1.0,
            Var::Z(j) => axpy(&mut y, -1.0, self.column(lcp, j)),
        }
        self.multiply(lcp, &self.u, &mut y);
        self.y = y;
    }

    /// `y += [A, d]_cols x`, with x along `cols`.
    pub(super) fn multiply(&self, lcp: &Scaled, x: &[f64], y: &mut [f64]) {
        let columns = self.cols.iter().map(|&c| self.column(lcp, c));
        combine(y, x.iter().copied().zip(columns));
    }

    /// Rate of `w_row` for the `u` held, when only `u` is filled (not at the variable's own row).
    pub(super) fn rate(&self, lcp: &Scaled, row: usize, var: Var) -> f64 {
        let sum: f64 = (self.cols.iter().zip(&self.u))
            .map(|(&c, u)| u * self.at(lcp, row, c))
            .sum();
        match var {
            Var::W(_) => sum,
            Var::Z(j) => sum - self.at(lcp, row, j),
        }
    }

    /// Solution of `C x = -rhs` along `rows`, refined once: x along `cols`. `residual` is memory.
    pub(super) fn solve(
        &mut self,
        lcp: &Scaled,
        rhs: &[f64],
        x: &mut Vec<f64>,
        residual: &mut Vec<f64>,
    ) {
        let mut g = std::mem::take(&mut self.g);
        zeroed(x, self.rows.len());
        for _ in 0..2 {
            residual.clear();
            residual.extend_from_slice(rhs);
            self.multiply(lcp, x, residual);
            g.clear();
            g.extend(self.rows.iter().map(|&r| residual[r]));
            Self::apply(&self.inverse, self.stride, &g, &mut self.v);
            axpy(x, -1.0, &self.v);
        }
        self.g = g;
    }

    /// Exchanges a nonbasic for a basic variable. Needs `u` and `y` of `entering`, filled by
    /// [`Self::enter`].
    pub(super) fn exchange(&mut self, lcp: &Scaled, entering: Var, leaving: Var) {
        self.updates += 1;
        match (entering, leaving) {
            (Var::Z(j), Var::W(i)) => self.grow(lcp, j, i),
            (Var::Z(j), Var::Z(k)) => self.replace_column(j, k),
            (Var::W(s), Var::W(i)) => self.replace_row(lcp, s, i),
            (Var::W(s), Var::Z(k)) => self.shrink(s, k),
        }
    }

    /// `v^T = [A, d]_(row, cols) C^-1`.
    fn row_times_inverse(&mut self, lcp: &Scaled, row: usize) {
        let p = self.rows.len();
        let mut v = std::mem::take(&mut self.v);
        zeroed(&mut v, p);
        let rows = self.inverse.chunks(self.stride.max(1));
        let terms = self.cols.iter().map(|&c| self.at(lcp, row, c)).zip(rows);
        combine(&mut v, terms.map(|(a, row)| (a, &row[..p])));
        self.v = v;
    }

    /// Bordering: `C^-1` of `[C, g; r, a]` by the Schur complement `a - r C^-1 g = -y_row`.
    fn grow(&mut self, lcp: &Scaled, column: usize, row: usize) {
        self.row_times_inverse(lcp, row);
        let p = self.rows.len();
        let inverse_schur = -1.0 / self.y[row];
        for (a, u) in self.u.iter().enumerate() {
            let factor = u * inverse_schur;
            let line = &mut self.inverse[a * self.stride..a * self.stride + p + 1];
            if factor != 0.0 {
                axpy(&mut line[..p], factor, &self.v);
            }
            line[p] = -factor;
        }
        let line = &mut self.inverse[p * self.stride..p * self.stride + p + 1];
        for (x, v) in line.iter_mut().zip(&self.v) {
            *x = -v * inverse_schur;
        }
        line[p] = inverse_schur;
        self.row_at[row] = p;
        self.rows.push(row);
        self.col_at[column] = p;
        self.cols.push(column);
    }

    fn replace_column(&mut self, entering: usize, leaving: usize) {
        let (p, at) = (self.rows.len(), self.col_at[leaving]);
        let pivot = 1.0 / self.u[at];
        self.v.clear();
        let line = &mut self.inverse[at * self.stride..at * self.stride + p];
        for x in line {
            *x *= pivot;
            self.v.push(*x);
        }
        for (a, &u) in self.u.iter().enumerate() {
            if a != at && u != 0.0 {
                axpy(
                    &mut self.inverse[a * self.stride..a * self.stride + p],
                    -u,
                    &self.v,
                );
            }
        }
        self.col_at[leaving] = NONE;
        self.col_at[entering] = at;
        self.cols[at] = entering;
    }

    fn replace_row(&mut self, lcp: &Scaled, entering: usize, leaving: usize) {
        self.row_times_inverse(lcp, leaving);
        let (p, at) = (self.rows.len(), self.row_at[entering]);
        let pivot = 1.0 / self.v[at];
        self.v[at] = 0.0;
        for a in 0..p {
            let line = &mut self.inverse[a * self.stride..a * self.stride + p];
            let x = line[at] * pivot;
            line[at] = x;
            if x != 0.0 {
                axpy(line, -x, &self.v);
            }
        }
        self.row_at[entering] = NONE;
        self.row_at[leaving] = at;
        self.rows[at] = leaving;
    }

    fn shrink(&mut self, row: usize, column: usize) {
        let (r, c, p) = (self.row_at[row], self.col_at[column], self.rows.len());
        let stride = self.stride;
        let pivot = 1.0 / self.inverse[c * stride + r];
        self.v.clear();
        self.v
            .extend_from_slice(&self.inverse[c * stride..c * stride + p]);
        for a in 0..p {
            let line = &mut self.inverse[a * stride..a * stride + p];
            let factor = -line[r] * pivot;
            if a != c && factor != 0.0 {
                axpy(line, factor, &self.v);
            }
            line[r] = line[p - 1];
        }
        if c + 1 < p {
            let (head, tail) = self.inverse.split_at_mut((p - 1) * stride);
            head[c * stride..c * stride + p].copy_from_slice(&tail[..p]);
        }
        self.row_at[row] = NONE;
        self.rows.swap_remove(r);
        if let Some(&moved) = self.rows.get(r) {
            self.row_at[moved] = r;
        }
        self.col_at[column] = NONE;
        self.cols.swap_remove(c);
        if let Some(&moved) = self.cols.get(c) {
            self.col_at[moved] = c;
        }
    }

    /// Makes these pairs basic with their `z`: `rows = cols`. Cost `O(p^3)`.
    pub(super) fn set(&mut self, lcp: &Scaled, basic: &[bool]) -> Result<(), Singular> {
        for (i, _) in basic.iter().enumerate().filter(|(_, b)| **b) {
            self.row_at[i] = self.rows.len();
            self.col_at[i] = self.rows.len();
            self.rows.push(i);
            self.cols.push(i);
        }
        self.invert(lcp)
    }

    /// Computes the inverse anew, by elimination with partial pivoting. Cost `p^3`.
    pub(super) fn invert(&mut self, lcp: &Scaled) -> Result<(), Singular> {
        let (p, stride) = (self.rows.len(), self.stride);
        let mut m = std::mem::take(&mut self.inverse);
        let mut largest = 0.0_f64;
        for (b, &c) in self.cols.iter().enumerate() {
            let column = self.column(lcp, c);
            for (a, &r) in self.rows.iter().enumerate() {
                m[a * stride + b] = column[r];
                largest = largest.max(column[r].abs());
            }
        }
        let result = invert(&mut m[..p * stride], p, largest * SINGULAR, &mut self.swaps);
        self.inverse = m;
        self.updates = 0;
        result
    }
}
