//! Lemke's method with about 32 digits.
//!
//! For problems whose bases on the way are nearer singular than `f64` can tell: slip bounds with
//! coefficients of 1e6, masses a million times apart, walls that share a load in many ways, and all of
//! them together. A dictionary (the full tableau) is pivoted with double-double numbers, O(n^2) and some
//! 25 operations per entry a pivot: the last resort. Its round-off grows from pivot to pivot, so it is
//! computed anew from the data every so often, and before a pivot that may be round-off.
//!
//! The data must have the digits too: a semidefinite matrix rounded to `f64` is indefinite in the 16th
//! digit, and taken at its word leads astray. Its low parts come along ([`Low`]).

mod dictionary;
mod ratio;
mod solve;
#[cfg(test)]
mod tests;
mod twofold;

use super::basis::Var;
use super::scaling::Scaled;
use super::{Lcp, Limits, make_room};
use crate::report::SolveStatus;
pub(crate) use dictionary::apart;
use dictionary::{Dictionary, Place};
use ratio::Rule;
use solve::OnBasis;
pub(crate) use solve::Taken;
pub(crate) use twofold::Sum;
use twofold::Twofold;

/// Entries of an entering column below this are round-off.
const ZERO: f64 = 1e-24;
/// So are those below this share of the largest.
const SHARE: f64 = 1e-26;
/// Values that differ by less than this share of the largest are tied.
const TIE: f64 = 1e-22;
/// A pivot less than this many times round-off is taken from a fresh dictionary: what it was computed
/// from may have been as much larger.
const DOUBTFUL: f64 = 1e8;
/// Pivots after which the dictionary is computed anew.
const REFRESH: usize = 64;
/// Exchanges per variable after which a run is a wrong turn, for the time being: most end within 5, and one
/// that wanders may do so for thousands of pivots where another start ends at once.
const SHORT: u64 = 20;
/// Runs from the basis last found, should it turn out to have negative values.
const ROUNDS: usize = 4;

/// What a matrix and its vector lack of the numbers meant, and what its diagonal gains.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Low<'a> {
    /// Added to the matrix, row-major.
    pub(crate) a: &'a [f64],
    /// Added to the vector.
    pub(crate) q: &'a [f64],
    /// Added to the diagonal.
    pub(crate) soft: &'a [f64],
    /// Added to the matrix to make bases regular, and always taken back, row-major.
    pub(crate) grip: &'a [f64],
}

/// Lemke's method on a dictionary of double-double numbers [CPS, Alg. 4.4.5 and sec. 4.9]; allocates nothing once it has seen the largest problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct PreciseLemke {
    scaled: Scaled,
    dictionary: Dictionary,
    /// Whether z_i, instead of w_i, was basic at the start of the run.
    started: Vec<bool>,
    /// Rows of the first dictionary that the artificial variable lifts.
    covered: Vec<bool>,
    /// Whether z_i is basic at the end; z_0 last while under way.
    ended: Vec<bool>,
    /// Whether w_i is basic, while under way.
    slack: Vec<bool>,
    /// The same of a basis to be computed anew.
    wanted: (Vec<bool>, Vec<bool>),
    /// Pivots since the dictionary was computed.
    age: usize,
    on_basis: OnBasis,
}

/// What covers negative values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cover {
    /// 1 on the negative values.
    Negative,
    /// 1 on all.
    All,
}

impl PreciseLemke {
    /// Solves `A + A_low + soft`, `q + q_low` from the basis given (taken as cold if it has another
    /// length), then cold, first for a short time each. Returns `Solved` when the method ended, else why it
    /// did not, and the pivots taken. `work` is what may be spent, in entries of the dictionary computed;
    /// what was is taken off. The answer is that of [`Self::basis`], see [`Self::on_basis`].
    pub(crate) fn solve(
        &mut self,
        (lcp, low): (Lcp<'_>, Low<'_>),
        (limits, work): (&Limits, &mut u64),
        start: &[bool],
    ) -> (SolveStatus, usize) {
        self.prepare(lcp);
        let n = lcp.dim();
        let mut pivots = 0;
        let mut status = SolveStatus::RayTermination;
        let warm = start.len() == n && start.contains(&true);
        let short = SHORT * n as u64 * Dictionary::cost(n);
        let attempts = [
            (Some(start), Cover::Negative, short),
            (None, Cover::Negative, short),
            (None, Cover::All, short),
            (None, Cover::Negative, u64::MAX),
            (None, Cover::All, u64::MAX),
        ];
        // Covers whose short run was cut off.
        let mut cut = [false; 2];
        for (from, cover, most) in attempts.into_iter().skip(usize::from(!warm)) {
            if most == u64::MAX && !cut[cover as usize] {
                continue;
            }
            self.started.clear();
            match from {
                Some(basic) => self.started.extend_from_slice(basic),
                None => self.started.resize(n, false),
            }
            for round in 0..ROUNDS {
                let cover = if round == 0 { cover } else { Cover::Negative };
                let before = pivots;
                let spare = most.min(*work);
                self.dictionary.spare = spare;
                status = self.run(low, (cover, Rule::Ties), (limits, &mut pivots));
                *work -= spare - self.dictionary.spare;
                if status != SolveStatus::Solved || pivots == before {
                    break;
                }
                // Once more from there: no pivot if no value is negative. What the last round ends
                // with is for the caller to judge.
                self.started.clear();
                self.started.extend_from_slice(&self.ended[..n]);
            }
            if status == SolveStatus::Solved || *work == 0 {
                break;
            }
            if from.is_none() {
                cut[cover as usize] = status == SolveStatus::PivotLimit;
            }
        }
        self.note();
        self.ended.truncate(n);
        (status, pivots)
    }

    /// Solves `A + A_low`, `q + q_low` from nothing, where no two variables reach zero at once (values raised by
    /// [`apart`]); otherwise as [`Self::solve`].
    pub(crate) fn solve_apart(
        &mut self,
        (lcp, low): (Lcp<'_>, Low<'_>),
        (limits, work): (&Limits, &mut u64),
    ) -> (SolveStatus, usize) {
        self.prepare(lcp);
        let n = lcp.dim();
        self.started.resize(n, false);
        let mut pivots = 0;
        self.dictionary.spare = *work;
        let status = self.run(low, (Cover::All, Rule::Apart), (limits, &mut pivots));
        *work = self.dictionary.spare;
        self.note();
        self.ended.truncate(n);
        (status, pivots)
    }

    fn prepare(&mut self, lcp: Lcp<'_>) {
        self.scaled.set(lcp, 0.0);
        let (z, w) = &mut self.wanted;
        for list in [
            &mut self.started,
            &mut self.covered,
            &mut self.ended,
            &mut self.slack,
            z,
            w,
        ] {
            make_room(list, lcp.dim() + 1);
        }
    }

    /// Which `z` are basic at the end of the last solve.
    pub(crate) fn basis(&self) -> &[bool] {
        &self.ended
    }

    /// The solution of `A_BB z_B + q_B = 0` on a basis, low parts included, by iteration with
    /// `(A_BB + soft_BB + grip_BB)^-1`: what `soft` gives away is taken back step by step where the basis can.
    /// Without iteration ([`Taken::No`]) the solution with `soft`. Returns the number of steps, none
    /// for a singular basis; what is negative in `z`, values and their trailing parts, is made zero.
    pub(crate) fn on_basis(
        &mut self,
        (lcp, low): (Lcp<'_>, Low<'_>),
        (basic, taken): (&[bool], Taken),
        [z, z_low]: [&mut Vec<f64>; 2],
    ) -> Option<usize> {
        let whole = [&mut *z, &mut *z_low];
        let steps = self.on_basis.run((lcp, low), (basic, taken), whole);
        for (z, low) in z.iter_mut().zip(z_low) {
            if *z < 0.0 {
                (*z, *low) = (0.0, 0.0);
            }
        }
        steps
    }

    /// `max_i |min(z_i s_i, w_i)|` of values and their trailing parts, all digits counted.
    pub(crate) fn residual(problem: (Lcp<'_>, Low<'_>), taken: Taken, z: [&[f64]; 2]) -> f64 {
        solve::residual(problem, taken, z)
    }

    /// Notes which variables are basic.
    fn note(&mut self) {
        let d = &self.dictionary;
        let n = d.dim();
        let basic = |var: Var| matches!(d.place(var), Place::Row(_));
        self.ended.clear();
        self.ended.extend((0..=n).map(|j| basic(Var::Z(j))));
        self.slack.clear();
        self.slack.extend((0..n).map(|i| basic(Var::W(i))));
    }

    /// The dictionary of the start; false if its basis is singular.
    fn begin(&mut self, low: Low<'_>) -> bool {
        let n = self.started.len();
        self.dictionary.begin(&self.scaled, low);
        self.ended.clear();
        self.ended.extend_from_slice(&self.started);
        self.ended.push(false);
        self.slack.clear();
        self.slack.extend((0..n).map(|i| !self.started[i]));
        self.age = 0;
        let regular = self.dictionary.install(&self.ended, &self.slack);
        self.dictionary.part();
        regular
    }

    /// Computes the dictionary of the basis at hand from the data; false if it is singular.
    fn refresh(&mut self, low: Low<'_>) -> bool {
        self.note();
        std::mem::swap(&mut self.ended, &mut self.wanted.0);
        std::mem::swap(&mut self.slack, &mut self.wanted.1);
        let regular = self.begin(low);
        for (row, covered) in self.covered.iter().enumerate() {
            if *covered {
                self.dictionary.cover(row, 1.0);
            }
        }
        regular && self.dictionary.install(&self.wanted.0, &self.wanted.1)
    }

    /// Covers the negative values of the start and pivots until the artificial variable leaves.
    fn run(
        &mut self,
        low: Low<'_>,
        (cover, rule): (Cover, Rule),
        (limits, pivots): (&Limits, &mut usize),
    ) -> SolveStatus {
        if !self.begin(low) {
            return SolveStatus::Inaccurate;
        }
        let n = self.dictionary.dim();
        let largest = self.dictionary.largest_value();
        self.covered.clear();
        let mut first = None;
        let mut least = [Twofold::ZERO; 2];
        for r in 0..n {
            let value = self.dictionary.value(r);
            let negative = value.hi < -TIE * largest;
            self.covered.push(negative || cover == Cover::All);
            if self.covered[r] {
                self.dictionary.cover(r, 1.0);
            }
            let drift = self.dictionary.drift(r);
            let lower = value.less(least[0]) || value == least[0] && drift.less(least[1]);
            if negative && lower {
                (least, first) = ([value, drift], Some(r));
            }
        }
        let Some(first) = first else {
            self.note();
            return SolveStatus::Solved;
        };
        let artificial = Var::Z(n);
        let mut entering = artificial;
        for count in 0..limits.max_pivots {
            let row = if count == 0 {
                Some(first)
            } else {
                match self.choose(rule, entering, low) {
                    Ok(row) => row,
                    Err(status) => return status,
                }
            };
            let (Some(row), Place::Column(c)) = (row, self.dictionary.place(entering)) else {
                return SolveStatus::RayTermination;
            };
            let leaving = self.dictionary.basic(row);
            self.dictionary.exchange(row, c);
            self.age += 1;
            *pivots += 1;
            if leaving == artificial {
                self.note();
                return SolveStatus::Solved;
            }
            if self.age >= REFRESH && !self.refresh(low) {
                return SolveStatus::Inaccurate;
            }
            if self.dictionary.spare == 0 {
                break;
            }
            entering = leaving.complement();
        }
        SolveStatus::PivotLimit
    }

    /// The row that leaves, from a fresh dictionary where its pivot is small or there is none.
    fn choose(
        &mut self,
        rule: Rule,
        entering: Var,
        low: Low<'_>,
    ) -> Result<Option<usize>, SolveStatus> {
        loop {
            let Place::Column(c) = self.dictionary.place(entering) else {
                return Err(SolveStatus::Inaccurate);
            };
            if rule == Rule::Apart {
                return Ok(ratio::first(&self.dictionary, c));
            }
            let row = ratio::choose(&self.dictionary, c);
            let steep = |row: usize| {
                let pivot = self.dictionary.at(row, c).hi.abs();
                pivot >= DOUBTFUL * ratio::round_off(&self.dictionary, c)
            };
            if self.age == 0 || row.is_some_and(steep) {
                return Ok(row);
            }
            if !self.refresh(low) {
                return Err(SolveStatus::Inaccurate);
            }
        }
    }
}
