//! A dictionary: the basic variables as functions of the others, with about 32 digits.

use super::super::basis::Var;
use super::super::scaling::Scaled;
use super::super::zeroed;
use super::Low;
use super::twofold::{Sum, Twofold, split};

/// Columns besides those of the n variables: the artificial one's, b and p.
const EXTRA: usize = 3;

/// (sqrt(5) - 1) / 2.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Where a variable stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Basic: the row that gives it.
    Row(usize),
    /// Not basic: its column.
    Column(usize),
}

/// `x_B = b + e p + T x_N` for a vanishing e > 0; column n + 1 is b, column n + 2 is p, which tells values apart
/// that are equal. An exchange costs O(n^2).
#[derive(Clone, Debug, Default)]
pub(super) struct Dictionary {
    n: usize,
    /// Entries row by row, their leading and trailing parts apart so that the inner loop vectorises.
    hi: Vec<f64>,
    lo: Vec<f64>,
    /// The pivot row, its leading parts once more as sums of halves.
    line: [Vec<f64>; 4],
    rows: Vec<Var>,
    columns: Vec<Var>,
    w_at: Vec<Place>,
    z_at: Vec<Place>,
    /// Entries that may still be computed; at zero it is for the method to stop.
    pub(super) spare: u64,
}

impl Dictionary {
    /// `w = q + A z + 0 z_0`, every w basic, low parts included.
    pub(super) fn begin(&mut self, lcp: &Scaled, low: Low<'_>) {
        let n = lcp.q.len();
        self.n = n;
        let stride = n + EXTRA;
        zeroed(&mut self.hi, n * stride);
        zeroed(&mut self.lo, n * stride);
        for j in 0..n {
            for (i, x) in lcp.column(j).iter().enumerate() {
                let scale = lcp.rows[i] * lcp.cols[j];
                let mut sum = Sum::default();
                sum.add(*x);
                sum.add(low.grip[i * n + j] * scale);
                sum.add(low.a[i * n + j] * scale);
                if i == j {
                    sum.add(low.soft[i] * scale);
                }
                let k = i * stride + j;
                (self.hi[k], self.lo[k]) = sum.parts();
            }
        }
        for (i, q) in lcp.q.iter().enumerate() {
            let mut sum = Sum::default();
            sum.add(*q);
            sum.add(low.q[i] * lcp.rows[i] / lcp.size);
            let k = i * stride + n + 1;
            (self.hi[k], self.lo[k]) = sum.parts();
        }
        for x in &mut self.line {
            zeroed(x, stride);
        }
        self.rows.clear();
        self.rows.extend((0..n).map(Var::W));
        self.columns.clear();
        self.columns.extend((0..=n).map(Var::Z));
        self.w_at.clear();
        self.w_at.extend((0..n).map(Place::Row));
        self.z_at.clear();
        self.z_at.extend((0..=n).map(Place::Column));
    }

    /// Entries that an exchange computes with n variables.
    pub(super) fn cost(n: usize) -> u64 {
        (n * (n + EXTRA)) as u64
    }

    pub(super) fn dim(&self) -> usize {
        self.n
    }

    pub(super) fn place(&self, var: Var) -> Place {
        match var {
            Var::W(i) => self.w_at[i],
            Var::Z(j) => self.z_at[j],
        }
    }

    /// The variable that a row gives.
    pub(super) fn basic(&self, row: usize) -> Var {
        self.rows[row]
    }

    pub(super) fn at(&self, row: usize, column: usize) -> Twofold {
        let k = row * (self.n + EXTRA) + column;
        Twofold {
            hi: self.hi[k],
            lo: self.lo[k],
        }
    }

    /// Value of the variable that a row gives.
    pub(super) fn value(&self, row: usize) -> Twofold {
        self.at(row, self.n + 1)
    }

    /// How fast the value of the variable that a row gives grows with e.
    pub(super) fn drift(&self, row: usize) -> Twofold {
        self.at(row, self.n + 2)
    }

    /// Makes all values drift apart, every one upwards: `p` as [`apart`].
    pub(super) fn part(&mut self) {
        for row in 0..self.n {
            let k = row * (self.n + EXTRA) + self.n + 2;
            (self.hi[k], self.lo[k]) = (apart(row), 0.0);
        }
    }

    /// Sets an entry of the artificial variable's column, which is not basic.
    pub(super) fn cover(&mut self, row: usize, d: f64) {
        if let Place::Column(c) = self.z_at[self.n] {
            self.hi[row * (self.n + EXTRA) + c] = d;
        }
    }

    /// The largest entry of a column, at least 1.
    pub(super) fn steepest(&self, column: usize) -> f64 {
        let entries = (0..self.n).map(|r| self.at(r, column).hi.abs());
        entries.fold(1.0, f64::max)
    }

    /// The largest value, at least 1.
    pub(super) fn largest_value(&self) -> f64 {
        self.steepest(self.n + 1)
    }

    /// Makes just these z (z_0 last) and w basic, always by the largest entry there is; false if that is 0.
    pub(super) fn install(&mut self, z: &[bool], w: &[bool]) -> bool {
        let wanted = |var: Var| match var {
            Var::W(i) => w[i],
            Var::Z(j) => z[j],
        };
        loop {
            let mut best = None;
            let mut largest = 0.0;
            let mut left = false;
            for row in (0..self.n).filter(|&r| !wanted(self.rows[r])) {
                left = true;
                for column in 0..=self.n {
                    let size = self.hi[row * (self.n + EXTRA) + column].abs();
                    if size > largest && wanted(self.columns[column]) {
                        (largest, best) = (size, Some((row, column)));
                    }
                }
            }
            match best {
                Some((row, column)) => self.exchange(row, column),
                None => return !left,
            }
        }
    }

    fn put(&mut self, var: Var, place: Place) {
        match var {
            Var::W(i) => self.w_at[i] = place,
            Var::Z(j) => self.z_at[j] = place,
        }
    }

    /// Exchanges the variable of a row with that of a column.
    pub(super) fn exchange(&mut self, row: usize, column: usize) {
        self.spare = self.spare.saturating_sub(Self::cost(self.n));
        let stride = self.n + EXTRA;
        let pivot = self.at(row, column);
        let factor = -(Twofold::ONE / pivot);
        let [line_hi, line_lo, heads, tails] = &mut self.line;
        for j in 0..stride {
            let k = row * stride + j;
            let x = Twofold {
                hi: self.hi[k],
                lo: self.lo[k],
            };
            let y = if j == column { -factor } else { x * factor };
            (self.hi[k], self.lo[k]) = (y.hi, y.lo);
            (line_hi[j], line_lo[j]) = (y.hi, y.lo);
            (heads[j], tails[j]) = split(y.hi);
        }
        let rows = self.hi.chunks_exact_mut(stride);
        for (i, (hi, lo)) in rows.zip(self.lo.chunks_exact_mut(stride)).enumerate() {
            if i == row || hi[column] == 0.0 {
                continue;
            }
            let a = Twofold {
                hi: hi[column],
                lo: lo[column],
            };
            (hi[column], lo[column]) = (0.0, 0.0);
            add(hi, lo, a, &self.line);
        }
        let (entering, leaving) = (self.columns[column], self.rows[row]);
        self.rows[row] = entering;
        self.columns[column] = leaving;
        self.put(entering, Place::Row(row));
        self.put(leaving, Place::Column(column));
    }
}

/// Between 0.5 and 1.5, no two alike: multiples of the golden ratio, which spread evenly.
pub(crate) fn apart(i: usize) -> f64 {
    0.5 + ((i + 1) as f64 * GOLDEN).fract()
}

/// `y += a x`, x as values, trailing parts and halves.
#[inline]
fn add(hi: &mut [f64], lo: &mut [f64], a: Twofold, x: &[Vec<f64>; 4]) {
    let n = hi.len();
    let [x, x_lo, heads, tails] = [&x[0][..n], &x[1][..n], &x[2][..n], &x[3][..n]];
    let lo = &mut lo[..n];
    let (a1, a2) = split(a.hi);
    for i in 0..n {
        let p = a.hi * x[i];
        let e = ((a1 * heads[i] - p) + a1 * tails[i] + a2 * heads[i]) + a2 * tails[i];
        let e = e + (a.hi * x_lo[i] + a.lo * x[i]);
        let s = hi[i] + p;
        let t = s - hi[i];
        let f = (hi[i] - (s - t)) + (p - t);
        let rest = f + (lo[i] + e);
        let sum = s + rest;
        lo[i] = rest - (sum - s);
        hi[i] = sum;
    }
}
