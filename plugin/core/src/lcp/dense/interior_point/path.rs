//! The central path of the embedded problem.

use super::super::scaling::Scaled;
use super::super::{max_abs, zeroed};
use crate::factor::Lu;
use crate::factor::kernel::{axpy, combine};

/// How following a path ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The complementarity gap is closed.
    Converged,
    /// No step of useful length, or a singular matrix.
    Stalled,
    /// Too many iterations.
    Limit,
}

/// Share of the mean of `z w` below which no product may fall.
const NEIGHBOURHOOD: f64 = 1e-3;
/// Share of the step to the boundary that is taken.
const BACK_OFF: f64 = 0.9995;
/// Steps shorter than this are followed by a centring step.
const SHORT: f64 = 0.1;
/// Steps shorter than this lead nowhere.
const STALLED: f64 = 1e-8;
/// Gap below which pairs can be told apart.
const SEPARATED: f64 = 1e-5;

/// An interior point `z, w > 0` of the embedded problem; the artificial pair comes last.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    pub(super) z: Vec<f64>,
    pub(super) w: Vec<f64>,
    big: f64,
    dz: Vec<f64>,
    dw: Vec<f64>,
    /// Predictor of z and w.
    pz: Vec<f64>,
    pw: Vec<f64>,
    /// `A z + q - w`: zero but for round-off.
    defect: Vec<f64>,
}

impl Path {
    /// `z = M / (n + 2)` and z0 so large that `w` is z0 within a tenth: all products are about equal.
    pub(super) fn start(&mut self, scaled: &Scaled, big: f64) {
        let n = scaled.q.len();
        self.big = big;
        let each = big / (n + 2) as f64;
        self.z.clear();
        self.z.resize(n + 1, each);
        self.z[n] = 0.0;
        zeroed(&mut self.w, n + 1);
        self.image(scaled);
        let artificial = 10.0 * max_abs(&self.defect[..n]) + 1.0;
        self.z[n] = artificial;
        for (w, d) in self.w.iter_mut().zip(&self.defect[..n]) {
            *w = d + artificial;
        }
        self.w[n] = big - n as f64 * each;
    }

    /// Mean of `z w`.
    pub(super) fn gap(&self) -> f64 {
        super::super::dot(&self.z, &self.w) / self.z.len() as f64
    }

    /// Whether it is worth guessing which of each pair vanishes.
    pub(super) fn separated(&self) -> bool {
        self.gap() < SEPARATED
    }

    /// Whether the artificial variable didn't vanish: M is too small, or there is no solution.
    pub(super) fn artificial_stays(&self) -> bool {
        let n = self.z.len() - 1;
        self.z[n] > self.w[n].min(1e-6)
    }

    /// `defect := A z + q - w` of the embedded problem.
    fn image(&mut self, scaled: &Scaled) {
        let n = scaled.q.len();
        let d = &mut self.defect;
        d.clear();
        d.extend_from_slice(&scaled.q);
        combine(d, (0..n).map(|j| (self.z[j], scaled.column(j))));
        for d in d.iter_mut() {
            *d += self.z[n];
        }
        d.push(self.big - self.z[..n].iter().sum::<f64>());
        axpy(d, -1.0, &self.w);
    }

    /// One iteration; false if it leads nowhere.
    pub(super) fn advance(&mut self, scaled: &Scaled, lu: &mut Lu) -> bool {
        let n = scaled.q.len();
        let (z, w) = (&self.z, &self.w);
        let entry = |i: usize, j: usize| {
            let a = match (i == n, j == n) {
                (false, false) => scaled.column(j)[i],
                (false, true) => 1.0,
                (true, false) => -1.0,
                (true, true) => 0.0,
            };
            if i == j { a + w[i] / z[i] } else { a }
        };
        if lu.factor(n + 1, 0.0, entry).is_err() {
            return false;
        }
        self.image(scaled);
        let gap = self.gap();
        self.pz.clear();
        self.pz.resize(n + 1, 0.0);
        self.pw.clear();
        self.pw.resize(n + 1, 0.0);
        // Predictor: straight for complementarity.
        self.direction(lu, 0.0);
        let reach = self.boundary();
        let ahead: f64 = (0..=n)
            .map(|i| (self.z[i] + reach * self.dz[i]) * (self.w[i] + reach * self.dw[i]))
            .sum();
        let sigma = (ahead / (gap * (n + 1) as f64)).clamp(0.0, 1.0).powi(3);
        std::mem::swap(&mut self.pz, &mut self.dz);
        std::mem::swap(&mut self.pw, &mut self.dw);
        // Corrector: the predictor's second-order error, and centring.
        self.direction(lu, sigma * gap);
        let mut step = self.admissible();
        if step < SHORT {
            self.pz.fill(0.0);
            self.direction(lu, 0.5 * gap);
            step = self.admissible();
        }
        if !(STALLED..=1.0).contains(&step) {
            return false;
        }
        axpy(&mut self.z, step, &self.dz);
        axpy(&mut self.w, step, &self.dw);
        true
    }

    /// Solves `z dw + w dz = target - z w - pz pw`, `dw = A dz + defect` for dz and dw.
    fn direction(&mut self, lu: &Lu, target: f64) {
        let (z, w) = (&self.z, &self.w);
        self.dz.clear();
        let rhs = |i: usize| (target - self.pz[i] * self.pw[i]) / z[i] - w[i];
        self.dz
            .extend((0..z.len()).map(|i| rhs(i) - self.defect[i]));
        self.dw.clear();
        self.dw.extend((0..z.len()).map(rhs));
        lu.solve(&mut self.dz);
        for i in 0..z.len() {
            self.dw[i] -= w[i] / z[i] * self.dz[i];
        }
    }

    /// The step, at most 1, at which the first variable would vanish, but for a little.
    fn boundary(&self) -> f64 {
        let ratio = |x: &f64, d: &f64| if *d < 0.0 { -x / d } else { f64::INFINITY };
        let z = self.z.iter().zip(&self.dz).map(|(x, d)| ratio(x, d));
        let w = self.w.iter().zip(&self.dw).map(|(x, d)| ratio(x, d));
        (BACK_OFF * z.chain(w).fold(f64::INFINITY, f64::min)).min(1.0)
    }

    /// The longest tried step within the neighbourhood; NaN or 0 if none is.
    fn admissible(&self) -> f64 {
        if self.dz.iter().chain(&self.dw).any(|d| !d.is_finite()) {
            return 0.0;
        }
        let count = self.z.len() as f64;
        let old = self.gap();
        let mut step = self.boundary();
        while step > STALLED {
            let after =
                |i: usize| (self.z[i] + step * self.dz[i]) * (self.w[i] + step * self.dw[i]);
            let (mut sum, mut least) = (0.0, f64::INFINITY);
            for i in 0..self.z.len() {
                sum += after(i);
                least = least.min(after(i));
            }
            let gap = sum / count;
            if least >= NEIGHBOURHOOD * gap && gap < old {
                return step;
            }
            step *= 0.7;
        }
        0.0
    }
}
