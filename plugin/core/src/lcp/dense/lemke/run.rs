//! One run of Lemke's method.

use super::super::basis::Var;
use super::super::tableau::Leaving;
use super::super::{Limits, Start, max_abs};
use super::Lemke;
use crate::factor::kernel::axpy;
use crate::report::SolveStatus;

/// Where a run starts and what covers its violated rows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Attempt<'a> {
    /// From a basis; 1 on its negative variables.
    Warm(Start<'a>),
    /// Cold, 1 on the violated rows.
    Violated,
    /// Cold, 1 on all rows.
    Ones,
    /// Cold, from 1 to 2.
    Rising,
    /// With a cover over four decades, another one for each number; odd ones from a basis, too.
    Scattered(u32),
}

/// A number in [0, 1) for a row and a run, spread evenly over both: multiples of the fractions of the
/// plastic number [Roberts 2018].
fn scattered(row: usize, run: u32) -> f64 {
    (0.754_877_666_246_692_8 * row as f64
        + 0.569_840_290_998_053_2 * f64::from(run) * (row + 1) as f64)
        .fract()
}

/// Smaller pivots are taken from a refined column.
const DOUBTFUL: f64 = 1e-5;
/// Share of the largest z below which a negative variable of a start passes for zero; the answer,
/// with zeros there, is then checked like any other.
const NEGATIVE: f64 = 1e-9;
impl Lemke {
    /// Runs from the given start. None if there is no such start; else `Solved` when `z_0` left, or
    /// why it didn't.
    pub(super) fn run(
        &mut self,
        attempt: Attempt,
        limits: &Limits,
        pivots: &mut usize,
    ) -> Option<SolveStatus> {
        let n = self.tableau.dim();
        self.started.clear();
        match attempt {
            Attempt::Warm(Start::Basis(basic)) if basic.len() == n => {
                self.started.extend_from_slice(basic);
                self.tableau.start_from(basic).ok()?;
            }
            Attempt::Warm(_) => return None,
            Attempt::Scattered(run) if run % 2 == 1 => {
                // Other numbers than the cover's; few normal forces are positive.
                let basic = (0..n).map(|l| scattered(l, run + 1000) < 0.3);
                self.started.extend(basic);
                self.tableau.start_from(&self.started).ok()?;
            }
            _ => {
                self.started.resize(n, false);
                self.tableau.clear();
            }
        }
        let Some(first) = self.cover(attempt) else {
            return Some(SolveStatus::Solved);
        };
        Some(self.pivot_on(first, limits, pivots))
    }

    /// Chooses the covering vector and the variable that leaves when `z_0` enters: the most
    /// negative one relative to its cover, the last of equals (the lexicographically least). None
    /// when no variable is negative; beyond round-off, for a basis given.
    fn cover(&mut self, attempt: Attempt) -> Option<Var> {
        let n = self.started.len();
        let least = match attempt {
            Attempt::Warm(_) => -NEGATIVE * (1.0 + max_abs(&self.tableau.values.z)),
            _ => 0.0,
        };
        let mut cover = std::mem::take(&mut self.tableau.basis.cover);
        let mut worst = 0.0;
        let mut first = None;
        for l in 0..n {
            let var = self.start_variable(l);
            let value = self.tableau.values.of(var);
            let d = match attempt {
                Attempt::Warm(_) | Attempt::Violated => f64::from(u8::from(value < least)),
                Attempt::Ones => 1.0,
                Attempt::Rising => 1.0 + l as f64 / n as f64,
                Attempt::Scattered(run) => 10_f64.powf(4.0 * scattered(l, run) - 2.0),
            };
            if d == 0.0 {
                continue;
            }
            // The column of the variable, times d: d lifts this variable only.
            match var {
                Var::W(i) => cover[i] += d,
                Var::Z(j) => axpy(&mut cover, -d, self.tableau.scaled.column(j)),
            }
            if value < least && value / d <= worst {
                worst = value / d;
                first = Some(var);
            }
        }
        self.tableau.basis.cover = cover;
        first
    }

    /// The variable of pair l that was basic at the start.
    fn start_variable(&self, l: usize) -> Var {
        if self.started[l] {
            Var::Z(l)
        } else {
            Var::W(l)
        }
    }

    /// Complementary pivots until `z_0` leaves.
    fn pivot_on(&mut self, first: Var, limits: &Limits, pivots: &mut usize) -> SolveStatus {
        let n = self.started.len();
        let artificial = Var::Z(n);
        let mut entering = artificial;
        for count in 0..limits.max_pivots {
            if !self.tableau.fill_column(entering) {
                return SolveStatus::Inaccurate;
            }
            let leaving = if count == 0 {
                let step = self.tableau.values.of(first) / self.tableau.rate(first);
                Some(Leaving { var: first, step })
            } else {
                self.choose(entering, limits.tolerance)
            };
            let Some(leaving) = leaving else {
                return SolveStatus::RayTermination;
            };
            self.tableau.step(entering, leaving);
            *pivots += 1;
            if leaving.var == artificial {
                return SolveStatus::Solved;
            }
            entering = leaving.var.complement();
        }
        SolveStatus::PivotLimit
    }

    /// The ratio test, once more on a refined column where its pivot is small enough to be doubted.
    fn choose(&mut self, entering: Var, zero: f64) -> Option<Leaving> {
        let leaving = (self.ratio).choose(&mut self.tableau, &self.started, zero)?;
        if self.tableau.rate(leaving.var) > DOUBTFUL {
            return Some(leaving);
        }
        self.tableau.refine_column(entering);
        self.ratio.choose(&mut self.tableau, &self.started, zero)
    }
}
