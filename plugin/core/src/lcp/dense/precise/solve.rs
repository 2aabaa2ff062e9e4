//! The solution on a basis, with about 32 digits.

use super::super::{Lcp, make_room};
use super::Low;
use super::twofold::{Sum, Twofold};

/// Steps after which the iteration ends.
const STEPS: usize = 40;

/// Whether what softens the diagonal is taken back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Taken {
    /// The diagonal stays softened.
    No,
    /// As far as the basis allows, from this multiple of it: the larger, the less round-off along
    /// directions that are not stiff at all, and the more steps along those that are hardly stiff.
    Back(f64),
}

/// Memory of the solution on a basis.
#[derive(Clone, Debug, Default)]
pub(super) struct OnBasis {
    /// Variables of the basis.
    basis: Vec<usize>,
    /// Factors of the scaled matrix, row by row.
    m: Vec<Twofold>,
    swaps: Vec<usize>,
    rows: Vec<f64>,
    cols: Vec<f64>,
    x: Vec<Twofold>,
    best: Vec<Twofold>,
    left: Vec<Twofold>,
}

impl OnBasis {
    /// See [`super::PreciseLemke::on_basis`]. O(p^3) for p basic variables, O(p^2) per step.
    pub(super) fn run(
        &mut self,
        (lcp, low): (Lcp<'_>, Low<'_>),
        (basic, taken): (&[bool], Taken),
        [z, z_low]: [&mut Vec<f64>; 2],
    ) -> Option<usize> {
        let n = lcp.dim();
        for list in [&mut *z, &mut *z_low] {
            list.clear();
            list.resize(n, 0.0);
        }
        make_room(&mut self.m, n * n);
        make_room(&mut self.basis, n);
        make_room(&mut self.swaps, n);
        make_room(&mut self.rows, n);
        make_room(&mut self.cols, n);
        for x in [&mut self.x, &mut self.best, &mut self.left] {
            make_room(x, n);
        }
        (self.basis).extend((0..n).filter(|&i| basic[i]));
        let p = self.basis.len();
        if !self.factor((lcp, low), taken) {
            return None;
        }
        for x in [&mut self.x, &mut self.best, &mut self.left] {
            x.clear();
            x.resize(p, Twofold::ZERO);
        }
        let mut last = f64::INFINITY;
        let mut steps = 0;
        while steps < STEPS {
            let mut size = 0.0_f64;
            for (a, &i) in self.basis.iter().enumerate() {
                let mut sum = of([lcp.q()[i], low.q[i], 0.0]);
                for (&j, &x) in self.basis.iter().zip(&self.x) {
                    let soft = if i == j && taken == Taken::No {
                        low.soft[i]
                    } else {
                        0.0
                    };
                    let k = i * n + j;
                    if lcp.a()[k] != 0.0 || low.a[k] != 0.0 || soft != 0.0 {
                        sum = sum + x * of([lcp.a()[k], low.a[k], soft]);
                    }
                }
                size = size.max(sum.hi.abs());
                self.left[a] = sum * Twofold::from(self.rows[a]);
            }
            let better = size < 0.7 * last;
            if !better {
                if size.is_nan() || size > last {
                    self.x.copy_from_slice(&self.best);
                }
                break;
            }
            last = size;
            self.best.copy_from_slice(&self.x);
            self.solve();
            for ((x, d), c) in self.x.iter_mut().zip(&self.left).zip(&self.cols) {
                *x = *x - *d * Twofold::from(*c);
            }
            steps += 1;
        }
        for (&i, x) in self.basis.iter().zip(&self.x) {
            (z[i], z_low[i]) = (x.hi, x.lo);
        }
        Some(steps)
    }

    /// Factors rows and columns scaled by powers of two to entries of 1 at most; false if singular.
    fn factor(&mut self, (lcp, low): (Lcp<'_>, Low<'_>), taken: Taken) -> bool {
        let (n, p) = (lcp.dim(), self.basis.len());
        let basis = &self.basis;
        let (soft, grip) = match taken {
            Taken::No => (1.0, 1.0),
            Taken::Back(multiple) => (multiple, multiple),
        };
        self.m.clear();
        for &i in basis {
            for &j in basis {
                let own = if i == j { soft * low.soft[i] } else { 0.0 };
                let k = i * n + j;
                let own = own + grip * low.grip[k];
                self.m.push(of([lcp.a()[k], low.a[k], own]));
            }
        }
        self.rows.clear();
        self.rows.resize(p, 1.0);
        self.cols.clear();
        self.cols.resize(p, 1.0);
        let inverse = |x: f64| {
            if x > 0.0 {
                (-x.log2().floor()).exp2()
            } else {
                1.0
            }
        };
        // Twice, so that both rows and columns end near 1.
        for _ in 0..3 {
            for b in 0..p {
                let sizes = (0..p).map(|a| (self.m[a * p + b].hi * self.rows[a]).abs());
                self.cols[b] = inverse(sizes.fold(0.0, f64::max));
            }
            for a in 0..p {
                let sizes = (0..p).map(|b| (self.m[a * p + b].hi * self.cols[b]).abs());
                self.rows[a] = inverse(sizes.fold(0.0, f64::max));
            }
        }
        for a in 0..p {
            for b in 0..p {
                let x = &mut self.m[a * p + b];
                let s = self.rows[a] * self.cols[b];
                (x.hi, x.lo) = (x.hi * s, x.lo * s);
            }
        }
        self.swaps.clear();
        for k in 0..p {
            let size = |a: &usize| self.m[a * p + k].hi.abs();
            let pivot = (k..p)
                .max_by(|a, b| size(a).total_cmp(&size(b)))
                .unwrap_or(k);
            self.swaps.push(pivot);
            for b in 0..p {
                self.m.swap(k * p + b, pivot * p + b);
            }
            let d = self.m[k * p + k];
            if !d.hi.is_finite() || d.hi == 0.0 {
                return false;
            }
            let (above, below) = self.m.split_at_mut((k + 1) * p);
            let head = &above[k * p..];
            for row in below.chunks_exact_mut(p) {
                if row[k].hi != 0.0 {
                    let factor = row[k] / d;
                    row[k] = factor;
                    for (x, y) in row[k + 1..].iter_mut().zip(&head[k + 1..]) {
                        *x = *x - factor * *y;
                    }
                }
            }
        }
        true
    }

    /// `left := m^-1 left`.
    fn solve(&mut self) {
        let p = self.left.len();
        let x = &mut self.left;
        for (k, &pivot) in self.swaps.iter().enumerate() {
            x.swap(k, pivot);
        }
        let less = |sum: Twofold, (m, x): (&Twofold, &Twofold)| sum - *m * *x;
        for i in 1..p {
            let row = &self.m[i * p..i * p + i];
            x[i] = row.iter().zip(&x[..i]).fold(x[i], less);
        }
        for i in (0..p).rev() {
            let row = &self.m[i * p..(i + 1) * p];
            let sum = row[i + 1..].iter().zip(&x[i + 1..]).fold(x[i], less);
            x[i] = sum / row[i];
        }
    }
}

/// `max_i |min(z_i s_i, w_i)|` with all digits, `s_i = A_ii` where positive, else 1: zero exactly at a
/// solution of the matrix and the vector with their low parts. NaN where a number isn't finite. O(n^2).
pub(super) fn residual(
    (lcp, low): (Lcp<'_>, Low<'_>),
    taken: Taken,
    [z, z_low]: [&[f64]; 2],
) -> f64 {
    let n = lcp.dim();
    let mut worst = 0.0_f64;
    for i in 0..n {
        let own = match taken {
            Taken::No => low.soft[i],
            Taken::Back(_) => 0.0,
        };
        let mut w = of([lcp.q()[i], low.q[i], own * z[i]]);
        for j in (0..n).filter(|&j| z[j] != 0.0) {
            let k = i * n + j;
            if lcp.a()[k] != 0.0 || low.a[k] != 0.0 {
                let x = Twofold {
                    hi: z[j],
                    lo: z_low[j],
                };
                w = w + x * of([lcp.a()[k], low.a[k], 0.0]);
            }
        }
        let d = lcp.a()[i * n + i];
        let pressure = if d > 0.0 { z[i] * d } else { z[i] };
        let least = pressure.min(w.hi).abs();
        if least > worst || !w.hi.is_finite() || pressure.is_nan() {
            worst = if w.hi.is_finite() { least } else { f64::NAN };
        }
        if worst.is_nan() {
            break;
        }
    }
    worst
}

/// The sum of three numbers.
fn of(parts: [f64; 3]) -> Twofold {
    let mut sum = Sum::default();
    for x in parts {
        sum.add(x);
    }
    let (hi, lo) = sum.parts();
    Twofold { hi, lo }
}
