//! Principal pivoting on the full matrix.

use super::basis::Var;
use super::shifted::with_shifts;
use super::tableau::{Leaving, Tableau, rates};
use super::{Lcp, Limits, Outcome, Start, make_room, max_abs};
use crate::report::SolveStatus;

/// Principal pivoting [CPS, ch. 4], in two stages.
///
/// *Block pivots with Murty's rule*: every pair that is negative changes sides, as long as that
/// makes their number fall (ten attempts are allowed where it doesn't); else only the pair of
/// largest index, which ends for every P-matrix [CPS, sec. 4.2]. Usually a handful of blocks.
///
/// *Cottle and Dantzig's principal pivoting method* takes over, from `z = 0`, where the first stage
/// meets a singular basis or a set of pairs it has seen: one violated `w_r` at a time is raised to
/// zero by its `z_r`, through almost complementary bases, while the variables that aren't negative
/// stay so. It solves positive semidefinite problems, symmetric or not, ties going to the least
/// index; if nothing bounds the rise, no `z >= 0` has `w >= 0`: status `Infeasible`. Its own return
/// to a basis is status `Cycled`.
///
/// Where round-off leads a problem of nearly dependent rows astray, it is solved once more with a
/// little added to the diagonal, and the answer recomputed and checked without it.
///
/// Blocks cost `O(k^3 + n k)`, single pivots `O(n k)`, with k of the z basic. A start from a basis
/// is where the first stage starts.
#[derive(Clone, Debug, Default)]
pub struct PrincipalPivoting {
    tableau: Tableau,
    basic: Vec<bool>,
    negative: Vec<usize>,
    watch: Watch,
    trial: Vec<f64>,
}

/// Attempts at a block pivot that doesn't lower the number of negative pairs.
const ATTEMPTS: usize = 10;
/// Blocks of up to this many pairs are exchanged one by one.
const SMALL_BLOCK: usize = 4;
/// Pivots below this, relative to the largest rate, count as zero.
const DEPENDENT: f64 = 1e-11;

impl PrincipalPivoting {
    /// Solves a problem. The statuses are those of the type's description, `PivotLimit`, and
    /// `Inaccurate` where the method ended with an answer that doesn't pass.
    pub fn solve(&mut self, lcp: Lcp, limits: &Limits, start: Start, z: &mut Vec<f64>) -> Outcome {
        if let Some(trivial) = super::trivial(lcp, z) {
            return trivial;
        }
        make_room(&mut self.negative, lcp.dim());
        make_room(&mut self.trial, lcp.dim());
        make_room(&mut self.watch.kept, lcp.dim());
        let mut trial = std::mem::take(&mut self.trial);
        let outcome = with_shifts(lcp, z, &mut trial, |shift, z| {
            let start = if shift == 0.0 { start } else { Start::Cold };
            self.solve_shifted(lcp, shift, limits, start, z)
        });
        self.trial = trial;
        outcome
    }

    fn solve_shifted(
        &mut self,
        lcp: Lcp,
        shift: f64,
        limits: &Limits,
        start: Start,
        z: &mut Vec<f64>,
    ) -> Outcome {
        let n = lcp.dim();
        self.tableau.set(lcp, 0.0);
        self.tableau.scaled.shift(shift);
        self.basic.clear();
        match start {
            Start::Basis(basic) if basic.len() == n => self.basic.extend_from_slice(basic),
            _ => self.basic.resize(n, false),
        }
        let mut pivots = 0;
        let mut status = self.blocks(limits, &mut pivots);
        if status == SolveStatus::Solved {
            let outcome = self.tableau.finish(lcp, status, pivots, z);
            if outcome.status == SolveStatus::Solved {
                return outcome;
            }
        }
        if status != SolveStatus::PivotLimit {
            self.tableau.clear();
            status = self.raise_all(limits, &mut pivots);
        }
        self.tableau.finish(lcp, status, pivots, z)
    }

    /// The first stage: `Solved`, `PivotLimit`, or any other status where it gives up.
    fn blocks(&mut self, limits: &Limits, pivots: &mut usize) -> SolveStatus {
        let (mut fewest, mut attempts) = (usize::MAX, ATTEMPTS);
        self.watch.restart();
        if self.tableau.start_from(&self.basic).is_err() {
            return SolveStatus::Inaccurate;
        }
        loop {
            self.find_negative(limits.tolerance);
            let count = self.negative.len();
            let Some(&last) = self.negative.last() else {
                return SolveStatus::Solved;
            };
            if *pivots >= limits.max_pivots {
                return SolveStatus::PivotLimit;
            }
            if count < fewest {
                (fewest, attempts) = (count, ATTEMPTS);
            } else if attempts > 0 {
                attempts -= 1;
            } else {
                self.negative.clear();
                self.negative.push(last);
                if self.watch.seen(&self.basic, usize::MAX) {
                    return SolveStatus::Cycled;
                }
            }
            *pivots += self.negative.len();
            if !self.change_sides() {
                return SolveStatus::Inaccurate;
            }
        }
    }

    /// Lists the pairs whose basic variable is negative, in rising order.
    fn find_negative(&mut self, zero: f64) {
        let values = &self.tableau.values;
        let least_z = -zero * (1.0 + max_abs(&values.z));
        let least_w = -zero * (1.0 + max_abs(&values.w));
        self.negative.clear();
        for (i, &basic) in self.basic.iter().enumerate() {
            let negative = if basic {
                values.z[i] < least_z
            } else {
                values.w[i] < least_w
            };
            if negative {
                self.negative.push(i);
            }
        }
    }

    /// Exchanges the listed pairs; false if that makes the basis singular.
    fn change_sides(&mut self) -> bool {
        for &i in &self.negative {
            self.basic[i] = !self.basic[i];
        }
        let t = &mut self.tableau;
        if self.negative.len() > SMALL_BLOCK {
            return t.start_from(&self.basic).is_ok();
        }
        for &i in &self.negative {
            let (entering, leaving) = if self.basic[i] {
                (Var::Z(i), Var::W(i))
            } else {
                (Var::W(i), Var::Z(i))
            };
            if !t.fill_column(entering) {
                return false;
            }
            let largest = rates(&t.basis).fold(1.0_f64, |m, (_, rate)| m.max(rate.abs()));
            if t.rate(leaving).abs() <= DEPENDENT * largest {
                return false;
            }
            t.basis.exchange(&t.scaled, entering, leaving);
        }
        t.refresh();
        true
    }

    /// The second stage, from the tableau's present, complementary, basis with `z >= 0`.
    fn raise_all(&mut self, limits: &Limits, pivots: &mut usize) -> SolveStatus {
        loop {
            let w = &self.tableau.values.w;
            let least = -limits.tolerance * (1.0 + max_abs(w));
            let violated = w.iter().enumerate().filter(|(_, w)| **w < least);
            let Some((row, _)) = violated.min_by(|a, b| a.1.total_cmp(b.1)) else {
                return SolveStatus::Solved;
            };
            let status = self.raise(row, limits, pivots);
            if status != SolveStatus::Solved {
                return status;
            }
            self.tableau.refresh();
        }
    }

    /// Raises `w_row` to zero; `Solved` when there.
    fn raise(&mut self, row: usize, limits: &Limits, pivots: &mut usize) -> SolveStatus {
        let n = self.tableau.dim();
        let mut driving = Var::Z(row);
        self.watch.restart();
        while *pivots < limits.max_pivots {
            *pivots += 1;
            if !self.tableau.fill_column(driving) {
                return SolveStatus::Inaccurate;
            }
            let Some(leaving) = self.blocking(Var::W(row), limits.tolerance) else {
                return SolveStatus::Infeasible;
            };
            self.tableau.step(driving, leaving);
            if leaving.var == Var::W(row) {
                return SolveStatus::Solved;
            }
            // The raised pair's own z never falls while w rises [CPS, sec. 4.3]: this is round-off.
            if leaving.var == Var::Z(row) {
                return SolveStatus::Inaccurate;
            }
            driving = leaving.var.complement();
            let basis = &self.tableau.basis;
            self.basic.clear();
            self.basic.extend((0..n).map(|i| basis.is_basic(Var::Z(i))));
            if self.watch.seen(&self.basic, leaving.var.index()) {
                return SolveStatus::Cycled;
            }
        }
        SolveStatus::PivotLimit
    }

    fn blocking(&self, raised: Var, zero: f64) -> Option<Leaving> {
        let t = &self.tableau;
        let least = -zero * (1.0 + max_abs(&t.values.w));
        let largest = rates(&t.basis).fold(1.0_f64, |m, (_, rate)| m.max(rate.abs()));
        let mut first: Option<Leaving> = None;
        for (var, rate) in rates(&t.basis) {
            let value = t.values.of(var);
            let step = if var == raised && rate < -DEPENDENT * largest {
                value.min(0.0) / rate
            } else if var != raised && rate > DEPENDENT * largest {
                if matches!(var, Var::W(_)) && value < least {
                    continue;
                }
                value.max(0.0) / rate
            } else {
                continue;
            };
            let before =
                |other: Var| other != raised && (var == raised || var.index() < other.index());
            if first.is_none_or(|f| step < f.step || (step == f.step && before(f.var))) {
                first = Some(Leaving { var, step });
            }
        }
        first
    }
}

/// Finds the return to an earlier set of pairs: keeps one set and compares those that follow, and
/// replaces it after 1, 2, 4, ... of them (Brent's rule), so a cycle is found within three rounds.
#[derive(Clone, Debug, Default)]
struct Watch {
    kept: Vec<bool>,
    mark: usize,
    compared: usize,
    until: usize,
}

impl Watch {
    fn restart(&mut self) {
        self.kept.clear();
        self.compared = 0;
        self.until = 1;
        self.mark = 0;
    }

    /// Whether this set, with the same mark, is the kept one.
    fn seen(&mut self, basic: &[bool], mark: usize) -> bool {
        if self.mark == mark && self.kept == basic {
            return true;
        }
        self.compared += 1;
        if self.compared == self.until || self.kept.is_empty() {
            self.compared = 0;
            self.until *= 2;
            self.kept.clear();
            self.kept.extend_from_slice(basic);
            self.mark = mark;
        }
        false
    }
}
