//! Interior-point method for monotone problems \[K91\].

use super::combine::combine;
use super::refine::{Refiner, clamp};
use super::scaling::Scaled;
use super::{Lcp, LcpSolver, Limits, Outcome, Start, make_room, max_abs, zeroed};
use stickslip_core::kit::Lu;
use stickslip_core::kit::kernel::{axpy, dot};
use stickslip_core::report::SolveStatus;

/// Path following for monotone (positive semidefinite, symmetric or not) problems \[K91\], from a start that need not be
/// feasible.
///
/// Each iteration takes a predictor step straight for complementarity and a corrector for its second-order error, which
/// also centres:
/// ```text
/// (A + diag(w / z)) dz = (sigma mu - dz_p dw_p) / z - w - d,   dw = A dz + d,   d = A z + q - w
/// ```
/// `d` falls as the steps are long, `O(n^3)` per iteration for one LU factorization.
///
/// Once the pairs separate, those with `z > w` are guessed to be the basis and z is refined on it, which stays at the
/// solution nearest where the basis is singular. If that passes, it is the answer; else the iterate is, with its honest
/// residual and status `Inaccurate` or `IterationLimit`. Where there is no answer z grows along a direction that proves
/// it, `y >= 0` with `A^T y <= 0` and `q . y < 0`: `Infeasible`.
///
/// Works on Stewart-Trinkle problems too, often but without guarantee: they aren't monotone.
#[derive(Clone, Debug, Default)]
pub struct InteriorPoint {
    scaled: Scaled,
    lu: Lu,
    z: Vec<f64>,
    w: Vec<f64>,
    dz: Vec<f64>,
    dw: Vec<f64>,
    /// Products of the predictor's steps.
    product: Vec<f64>,
    /// `A z + q - w`.
    defect: Vec<f64>,
    refiner: Refiner,
    /// The pairs with `z > w`.
    pairs: Vec<usize>,
    answer: Vec<f64>,
}

/// Iterations at most.
const MOST: usize = 200;
/// Where z and w start, in units of the scaled problem.
const BEGIN: f64 = 1e3;
/// Share of the step to the boundary that is taken.
const BACK_OFF: f64 = 0.9995;
/// Steps shorter than this lead nowhere.
const STALLED: f64 = 1e-8;
/// Gap below which pairs can be told apart.
const SEPARATED: f64 = 1e-5;
/// Added to the scaled diagonal, so that z stays bounded where rows hang on nothing and guessed bases are regular.
const PROXIMAL: f64 = 1e-8;
/// What a proof that there is no answer may miss.
const PROVES: f64 = 1e-6;

impl LcpSolver for InteriorPoint {
    /// Solves a problem. The limits and the start are those of pivoting methods: of the limits the
    /// tolerance bounds the mean complementarity `z w` to stop at, the start is not used.
    fn solve(&mut self, lcp: Lcp, limits: &Limits, _start: Start, z: &mut Vec<f64>) -> Outcome {
        if let Some(trivial) = super::trivial(lcp, z) {
            return trivial;
        }
        let n = lcp.dim();
        self.refiner.make_room(n);
        make_room(&mut self.pairs, n);
        zeroed(&mut self.answer, n);
        self.scaled.set_symmetric(lcp, PROXIMAL);
        for x in [&mut self.z, &mut self.w] {
            x.clear();
            x.resize(n, BEGIN);
        }
        let mut outcome = Outcome {
            status: SolveStatus::Inaccurate,
            pivots: 0,
            iterations: 0,
            residual: lcp.natural_residual(z),
        };
        while self.look(lcp, &mut outcome, z) > 1e-2 * limits.tolerance {
            if outcome.iterations == MOST {
                outcome.status = SolveStatus::IterationLimit;
                return outcome;
            }
            outcome.iterations += 1;
            if !self.advance() {
                break;
            }
        }
        if outcome.status != SolveStatus::Solved && self.proves_infeasible() {
            outcome.status = SolveStatus::Infeasible;
        }
        outcome
    }
}

impl InteriorPoint {
    /// Tries the iterate and what it suggests as answers, once its pairs separate; returns what is left of the gap and the
    /// defect, 0 for an answer.
    fn look(&mut self, lcp: Lcp, outcome: &mut Outcome, z: &mut [f64]) -> f64 {
        self.image();
        let left = self.gap().max(max_abs(&self.defect));
        if left < SEPARATED {
            self.guess(lcp);
            self.keep_better(lcp, outcome, z);
            self.read_off();
            self.keep_better(lcp, outcome, z);
        }
        match outcome.status {
            SolveStatus::Solved => 0.0,
            _ => left,
        }
    }

    /// Mean of `z w`.
    fn gap(&self) -> f64 {
        dot(&self.z, &self.w) / self.z.len() as f64
    }

    fn image(&mut self) {
        let d = &mut self.defect;
        d.clear();
        d.extend_from_slice(&self.scaled.q);
        let terms = self.z.iter().enumerate();
        combine(d, terms.map(|(j, &z)| (z, self.scaled.column(j))));
        axpy(d, -1.0, &self.w);
    }

    /// One iteration; false if it leads nowhere.
    fn advance(&mut self) -> bool {
        let (scaled, z, w) = (&self.scaled, &self.z, &self.w);
        let n = z.len();
        let entry = |i: usize, j: usize| {
            let own = if i == j { w[i] / z[i] } else { 0.0 };
            scaled.column(j)[i] + own
        };
        if self.lu.factor(n, 0.0, entry).is_err() {
            return false;
        }
        zeroed(&mut self.product, n);
        self.direction(0.0);
        let (gap, reach) = (self.gap(), self.boundary());
        let ahead = |i: usize| (self.z[i] + reach * self.dz[i]) * (self.w[i] + reach * self.dw[i]);
        let sigma = (0..n).map(ahead).sum::<f64>() / (gap * n as f64);
        for (product, (dz, dw)) in (self.product.iter_mut()).zip(self.dz.iter().zip(&self.dw)) {
            *product = dz * dw;
        }
        self.direction(sigma.clamp(0.0, 1.0).powi(3) * gap);
        let step = self.boundary();
        if !(STALLED..=1.0).contains(&step) {
            return false;
        }
        axpy(&mut self.z, step, &self.dz);
        axpy(&mut self.w, step, &self.dw);
        true
    }

    /// Solves `z dw + w dz = target - z w - product`, `dw = A dz + defect` for dz and dw.
    fn direction(&mut self, target: f64) {
        let (z, w) = (&self.z, &self.w);
        let right = |i: usize| (target - self.product[i]) / z[i] - w[i];
        self.dz.clear();
        (self.dz).extend((0..z.len()).map(|i| right(i) - self.defect[i]));
        self.dw.clear();
        self.dw.extend((0..z.len()).map(right));
        self.lu.solve(&mut self.dz);
        for i in 0..z.len() {
            self.dw[i] -= w[i] / z[i] * self.dz[i];
        }
    }

    /// The step, at most 1, at which the first variable would vanish, but for a little; NaN for a direction that is not finite.
    fn boundary(&self) -> f64 {
        if self.dz.iter().chain(&self.dw).any(|d| !d.is_finite()) {
            return f64::NAN;
        }
        let ratio = |x: &f64, d: &f64| if *d < 0.0 { -x / d } else { f64::INFINITY };
        let z = self.z.iter().zip(&self.dz).map(|(x, d)| ratio(x, d));
        let w = self.w.iter().zip(&self.dw).map(|(x, d)| ratio(x, d));
        (BACK_OFF * z.chain(w).fold(f64::INFINITY, f64::min)).min(1.0)
    }

    /// Whether z points along a direction that no answer can stand against.
    fn proves_infeasible(&self) -> bool {
        let size = max_abs(&self.z);
        let columns = (0..self.z.len()).map(|j| dot(self.scaled.column(j), &self.z));
        let most = columns.fold(0.0, f64::max);
        let against = -dot(&self.scaled.q, &self.z);
        most <= PROVES * size && against > PROVES * size
    }

    /// The iterate, in the problem's units.
    fn read_off(&mut self) {
        for (j, z) in self.answer.iter_mut().enumerate() {
            *z = self.z[j] * self.scaled.cols[j] * self.scaled.size;
        }
    }

    /// The iterate refined on the basis it suggests.
    fn guess(&mut self, lcp: Lcp) {
        self.read_off();
        self.pairs.clear();
        for (i, z) in self.answer.iter_mut().enumerate() {
            if self.z[i] > self.w[i] {
                self.pairs.push(i);
            } else {
                *z = 0.0;
            }
        }
        (self.refiner).run(lcp, &self.scaled, &self.pairs, &mut self.answer);
        clamp(&mut self.answer);
    }

    fn keep_better(&mut self, lcp: Lcp, outcome: &mut Outcome, z: &mut [f64]) {
        let (residual, status) = lcp.check(&self.answer);
        if residual < outcome.residual {
            outcome.residual = residual;
            if status == SolveStatus::Solved {
                outcome.status = status;
            }
            z.copy_from_slice(&self.answer);
        }
    }
}
