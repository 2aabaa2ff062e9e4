//! The lexicographic minimum-ratio test on a dictionary.

use super::super::basis::Var;
use super::super::make_room;
use super::dictionary::{Dictionary, Place};
use super::twofold::Twofold;
use super::{SHARE, TIE, ZERO};

/// What passes for zero in a column.
pub(super) fn round_off(d: &Dictionary, column: usize) -> f64 {
    (SHARE * d.steepest(column)).max(ZERO)
}

/// Memory of the test.
#[derive(Clone, Debug, Default)]
pub(super) struct RatioTest {
    /// Rows tied.
    tied: Vec<usize>,
}

impl RatioTest {
    /// The row whose variable reaches zero first as that of the column grows, ties broken
    /// lexicographically with respect to the start; none on a ray. The artificial variable leaves
    /// whenever it can.
    pub(super) fn choose(
        &mut self,
        d: &Dictionary,
        column: usize,
        started: &[bool],
    ) -> Option<usize> {
        let n = d.dim();
        let least = round_off(d, column);
        let tie = TIE * d.largest_value();
        let rate = |r: usize| -d.at(r, column);
        let falls = |r: &usize| rate(*r).hi > least;
        let value = |r: usize| {
            let value = d.value(r);
            if value.hi < 0.0 { Twofold::ZERO } else { value }
        };
        let mut step: Option<Twofold> = None;
        for r in (0..n).filter(falls) {
            let ratio = value(r) / rate(r);
            if step.is_none_or(|step| ratio.less(step)) {
                step = Some(ratio);
            }
        }
        let step = step?;
        make_room(&mut self.tied, n);
        let reached = |r: &usize| (value(*r) - step * rate(*r)).hi <= tie;
        self.tied.extend((0..n).filter(falls).filter(reached));
        let artificial = self.tied.iter().find(|&&r| d.basic(r) == Var::Z(n));
        if let Some(&row) = artificial {
            return Some(row);
        }
        for (l, &z_started) in started.iter().enumerate() {
            if self.tied.len() < 2 {
                break;
            }
            let var = if z_started { Var::Z(l) } else { Var::W(l) };
            match d.place(var) {
                // A unit vector: positive for itself, 0 for the others.
                Place::Row(row) => self.tied.retain(|&r| r != row),
                Place::Column(c) => self.compare(|r| -d.at(r, c) / rate(r)),
            }
        }
        let rates = self.tied.iter();
        rates
            .max_by(|&&a, &&b| rate(a).hi.total_cmp(&rate(b).hi))
            .copied()
    }

    /// Keeps the rows of the least entry.
    fn compare(&mut self, entry: impl Fn(usize) -> Twofold) {
        let mut least: Option<Twofold> = None;
        let mut size = 1.0_f64;
        for &r in &self.tied {
            let x = entry(r);
            size = size.max(x.hi.abs());
            if least.is_none_or(|least| x.less(least)) {
                least = Some(x);
            }
        }
        if let Some(least) = least {
            let limit = 1e-20 * size;
            self.tied.retain(|&r| (entry(r) - least).hi <= limit);
        }
    }
}
