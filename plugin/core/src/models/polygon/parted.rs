//! The rigid problem with all values set apart, in twice the precision.
//!
//! Where dozens of contacts rest without gap and without approach, most values of the complementarity
//! problem are zero at once. Compliances keep its bases regular but leave the ties; and what is tied, the
//! method can only tell from round-off by thresholds. Raising every value of `q` by its own small amount
//! ([`apart`]) leaves no ties, and every basis on the way is as regular as Lemke's method makes it, without
//! any compliance. The amounts are taken back on the basis found: complementary still, and with
//! no value below zero by more than they were.

use super::super::driver::Effort;
use super::Memory;
use super::matrix::Matrix;
use crate::lcp::dense::{Lcp, Low, apart};
use crate::models::ModelSettings;
use crate::report::SolveStatus;

/// Amounts in turn, relative to the island's speed: far above the round-off of 32 digits, far below
/// what the judge sees.
const AMOUNTS: [f64; 2] = [1e-12, 1e-15];

impl Matrix {
    /// Raises the values by multiples of `amount` [m/s], and takes all compliances away.
    fn part(&mut self, amount: f64) {
        let n = self.q.len();
        for (list, len) in [(&mut self.soft, n), (&mut self.grip, n * n)] {
            list.clear();
            list.resize(len, 0.0);
        }
        self.parted.clear();
        let low = self.q_low.iter().enumerate();
        (self.parted).extend(low.map(|(i, low)| low + amount * apart(i)));
    }

    /// The low parts with the values raised.
    fn low_apart(&self) -> Low<'_> {
        Low {
            q: &self.parted,
            ..self.low()
        }
    }
}

impl Memory {
    /// Solves the rigid problem from nothing with its values set apart, by half of `precise_work` at most;
    /// whether it is solved once they are as they were.
    pub(super) fn solve_apart(&mut self, settings: &ModelSettings, spent: &mut Effort) -> bool {
        let limits = self.precise_limits(settings);
        self.work = settings.polygon.precise_work / 2;
        AMOUNTS.into_iter().any(|amount| {
            self.matrix.part(amount * self.reduced.speed());
            let Ok(lcp) = Lcp::new(&self.matrix.a, &self.matrix.q) else {
                return false;
            };
            let problem = (lcp, self.matrix.low_apart());
            let (status, pivots) = (self.precise).solve_apart(problem, (&limits, &mut self.work));
            spent.pivots += pivots;
            self.take_basis();
            status == SolveStatus::Solved && self.rigid(true, spent)
        })
    }
}
