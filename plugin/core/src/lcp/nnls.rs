//! Nonnegative least squares `min |B x - c|, x >= 0`: the active-set method of Lawson and Hanson
//! (Solving Least Squares Problems, 1974, ch. 23).
//!
//! It ends after finitely many changes of the active set, at the exact minimum: the residual says
//! whether `c` lies in the cone of the columns.

use crate::factor::kernel::{axpy, dot};

/// Share of a column's length below which nothing of it is left outside the span of the others:
/// round-off of projecting twice, times a condition of 1e4.
const DEPENDENT: f64 = 1e-12;
/// Cosine between residual and column from which the column still helps.
const HELPFUL: f64 = 1e-13;

/// Columns, right-hand side and answer; all memory is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nnls {
    rows: usize,
    /// Columns one after another.
    columns: Vec<f64>,
    c: Vec<f64>,
    x: Vec<f64>,
    /// Columns with `x` free, in the order of entry.
    passive: Vec<usize>,
    /// Orthonormal basis of the passive columns, and their coefficients (upper triangular).
    q: Vec<f64>,
    r: Vec<f64>,
    trial: Vec<f64>,
    left: Vec<f64>,
    column: Vec<f64>,
    banned: Vec<bool>,
}

impl Nnls {
    /// Starts a problem with right-hand side `c` and no columns.
    pub(crate) fn begin(&mut self, c: &[f64]) {
        self.rows = c.len();
        self.c.clear();
        self.c.extend_from_slice(c);
        self.columns.clear();
    }

    /// Adds a column, zero until written.
    pub(crate) fn push(&mut self) -> &mut [f64] {
        let start = self.columns.len();
        self.columns.resize(start + self.rows, 0.0);
        &mut self.columns[start..]
    }

    /// The minimiser of the last [`Self::solve`].
    pub(crate) fn x(&self) -> &[f64] {
        &self.x
    }

    fn count(&self) -> usize {
        self.columns.len() / self.rows.max(1)
    }

    /// Solves; returns `|B x - c|`. Cost O(rows k^2) per change of an active set of k columns.
    pub(crate) fn solve(&mut self) -> f64 {
        let n = self.count();
        self.x.clear();
        self.x.resize(n, 0.0);
        self.passive.clear();
        self.banned.clear();
        self.banned.resize(n, false);
        self.left.clear();
        self.left.extend_from_slice(&self.c);
        for _ in 0..20 * (n + 1) {
            let Some(entering) = self.most_helpful() else {
                break;
            };
            self.passive.push(entering);
            if !self.factor() {
                // It lies in the span of the passive columns: no help, not even later with these.
                self.passive.pop();
                self.banned[entering] = true;
                continue;
            }
            self.back_substitute();
            if self.trial.last().is_some_and(|&x| x <= 0.0) {
                // The gain was round-off.
                self.passive.pop();
                self.banned[entering] = true;
                continue;
            }
            self.move_to_trial();
            self.banned.fill(false);
            self.update_left();
        }
        dot(&self.left, &self.left).sqrt()
    }

    fn most_helpful(&self) -> Option<usize> {
        let size = dot(&self.c, &self.c).sqrt();
        let mut best = None;
        let mut most = HELPFUL * size;
        for (j, column) in self.columns.chunks_exact(self.rows.max(1)).enumerate() {
            if self.banned[j] || self.passive.contains(&j) {
                continue;
            }
            let length = dot(column, column).sqrt();
            let gain = dot(column, &self.left);
            if gain > most * length {
                most = gain / length;
                best = Some(j);
            }
        }
        best
    }

    /// Orthonormalises the passive columns; false if one depends on those before it.
    fn factor(&mut self) -> bool {
        let (m, p) = (self.rows, self.passive.len());
        self.q.clear();
        self.r.clear();
        self.r.resize(p * p, 0.0);
        for (k, &j) in self.passive.iter().enumerate() {
            self.column.clear();
            self.column
                .extend_from_slice(&self.columns[j * m..(j + 1) * m]);
            let length = dot(&self.column, &self.column).sqrt();
            for _ in 0..2 {
                for (i, q) in self.q.chunks_exact(m.max(1)).enumerate() {
                    let share = dot(q, &self.column);
                    self.r[i * p + k] += share;
                    axpy(&mut self.column, -share, q);
                }
            }
            let rest = dot(&self.column, &self.column).sqrt();
            if rest.is_nan() || rest <= DEPENDENT * length {
                return false;
            }
            self.r[k * p + k] = rest;
            self.q.extend(self.column.iter().map(|x| x / rest));
        }
        true
    }

    /// Least-squares values of the passive columns, into `trial`.
    fn back_substitute(&mut self) {
        let p = self.passive.len();
        self.trial.clear();
        let products = self.q.chunks_exact(self.rows.max(1));
        self.trial.extend(products.map(|q| dot(q, &self.c)));
        for i in (0..p).rev() {
            let row = &self.r[i * p..(i + 1) * p];
            let rest = dot(&row[i + 1..], &self.trial[i + 1..]);
            self.trial[i] = (self.trial[i] - rest) / row[i];
        }
    }

    /// Goes from `x` towards the trial values, dropping columns that reach zero on the way.
    fn move_to_trial(&mut self) {
        loop {
            let mut step = 1.0_f64;
            for (&j, &t) in self.passive.iter().zip(&self.trial) {
                if t <= 0.0 {
                    step = step.min(self.x[j] / (self.x[j] - t));
                }
            }
            for (&j, &t) in self.passive.iter().zip(&self.trial) {
                self.x[j] += step * (t - self.x[j]);
            }
            if step == 1.0 {
                return;
            }
            let (x, trial) = (&mut self.x, &self.trial);
            let mut at = 0;
            self.passive.retain(|&j| {
                let falls = trial[at] <= 0.0 && x[j] <= 1e-15 * trial[at].abs();
                at += 1;
                if falls {
                    x[j] = 0.0;
                }
                !falls
            });
            if !self.factor() {
                return;
            }
            self.back_substitute();
        }
    }

    fn update_left(&mut self) {
        let m = self.rows;
        self.left.clear();
        self.left.extend_from_slice(&self.c);
        for &j in &self.passive {
            axpy(
                &mut self.left,
                -self.x[j],
                &self.columns[j * m..(j + 1) * m],
            );
        }
    }
}

#[cfg(test)]
mod tests;
