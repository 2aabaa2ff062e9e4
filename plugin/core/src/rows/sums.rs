//! Sums of rows with twice the digits.

use super::{ActiveRows, White};
use crate::lcp::dense::Sum;

impl ActiveRows {
    /// `x += (a + a_low) r~` in sums with twice the digits.
    pub(crate) fn add_to_sums(&self, white: &White, [a, a_low]: [f64; 2], x: &mut [Sum]) {
        let mut at = white.val_start as usize;
        for run in self.runs_of(white) {
            let len = run.len as usize;
            for (t, r) in x[run.range()].iter_mut().zip(&self.vals[at..at + len]) {
                t.add_product(a, *r);
                t.add(a_low * r);
            }
            at += len;
        }
    }

    /// The same for the active row at a position.
    pub(crate) fn sum_at(&self, position: usize, a: f64, x: &mut [Sum]) {
        self.add_to_sums(&self.whites[position], [a, 0.0], x);
    }
}
