//! All solutions of a small problem, basis by basis.

use super::refine::clamp;
use super::{Lcp, zeroed};
use stickslip_core::kit::Lu;
use stickslip_core::kit::MAX_DECIDED;
use stickslip_core::report::SolveStatus;

/// Residual below which a basis is too near a solution to be ruled out.
const NEAR: f64 = 1e-6;

/// Looks for the solutions of a problem by trying every choice of which of `z_i` and `w_i` is zero. For matrices of no
/// known class, whose problems may have no solution or several: Painleve's rod. 2^n linear systems, `O(n^3)` each.
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    lu: Lu,
    chosen: Vec<usize>,
    x: Vec<f64>,
    z: Vec<f64>,
}

impl Enumeration {
    /// Calls `visit` with every solution found; the same one may come more than once, by different bases. Whether there is
    /// no other: not so where a basis was singular, or missed being a solution by so little that round-off may be the
    /// reason, or there are more than [`MAX_DECIDED`] pairs.
    pub fn run(&mut self, lcp: Lcp, mut visit: impl FnMut(&[f64])) -> bool {
        let n = lcp.dim();
        if n > MAX_DECIDED {
            return false;
        }
        let mut covers = true;
        for choice in 0..1_usize << n {
            self.chosen.clear();
            (self.chosen).extend((0..n).filter(|i| choice >> i & 1 == 1));
            let chosen = &self.chosen;
            let entry = |a: usize, b: usize| lcp.a()[chosen[a] * n + chosen[b]];
            if !chosen.is_empty() && self.lu.factor(chosen.len(), 1e-13, entry).is_err() {
                covers = false;
                continue;
            }
            self.x.clear();
            self.x.extend(chosen.iter().map(|&i| -lcp.q()[i]));
            if !chosen.is_empty() {
                self.lu.solve(&mut self.x);
            }
            zeroed(&mut self.z, n);
            for (&i, x) in chosen.iter().zip(&self.x) {
                self.z[i] = *x;
            }
            clamp(&mut self.z);
            let (residual, status) = lcp.check(&self.z);
            if status == SolveStatus::Solved {
                visit(&self.z);
            } else if residual < NEAR {
                covers = false;
            }
        }
        covers
    }
}
