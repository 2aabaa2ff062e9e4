//! The lexicographic minimum-ratio test.

use super::super::basis::{Basis, Var};
use super::super::make_room;
use super::super::scaling::Scaled;
use super::super::tableau::{Leaving, Tableau, Values, rates};

/// A basic variable that could leave.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    var: Var,
    /// By how much it falls per unit of the entering variable; positive.
    rate: f64,
    /// Entry of the lexicographic column looked at, divided by the rate.
    entry: f64,
}

/// Memory of the test.
#[derive(Clone, Debug, Default)]
pub(super) struct RatioTest {
    tied: Vec<Candidate>,
    /// The entering column, while others are looked at.
    entering: Vec<f64>,
}

/// Pivots below this share of the largest rate are taken only when no other will do.
const GOOD_PIVOT: f64 = 1e-9;

impl RatioTest {
    /// The leaving variable for the entering column held by the basis; none on a ray.
    ///
    /// Ties are broken as if the right-hand side were `q + B_0 (t, t^2, ...)` for a vanishing t,
    /// B_0 the basis of the start (`started`): the columns to compare are then those of the
    /// variables basic at the start. No basis can come back, so degenerate problems end too
    /// [CPS, sec. 4.9]. `z_0` leaves whenever it can: that is the end.
    pub(super) fn choose(
        &mut self,
        tableau: &mut Tableau,
        started: &[bool],
        zero: f64,
    ) -> Option<Leaving> {
        let n = started.len();
        let (lcp, basis, values) = (&tableau.scaled, &mut tableau.basis, &tableau.values);
        let largest = rates(basis).fold(1.0_f64, |m, (_, rate)| m.max(rate.abs()));
        let size = rates(basis).fold(1.0_f64, |m, (var, _)| m.max(values.of(var).abs()));
        let tie = zero * size;
        let mut least = GOOD_PIVOT * largest;
        let mut step = shortest(basis, values, least);
        let missed = rates(basis).any(|(var, rate)| {
            rate > zero * largest && values.of(var).max(0.0) - step * rate < -1e3 * tie
        });
        if missed {
            least = zero * largest;
            step = shortest(basis, values, least);
        }
        if step == f64::INFINITY {
            return None;
        }
        make_room(&mut self.tied, n + 1);
        let falling = rates(basis).filter(|&(_, rate)| rate > least);
        self.tied.extend(
            falling
                .filter(|&(var, rate)| values.of(var) - step * rate <= tie)
                .map(|(var, rate)| Candidate {
                    var,
                    rate,
                    entry: 0.0,
                }),
        );
        if let Some(c) = self.tied.iter().find(|c| c.var == Var::Z(n)) {
            return Some(Leaving { var: c.var, step });
        }
        if self.tied.len() > 1 {
            self.break_tie(lcp, basis, started, zero);
        }
        let largest = self.tied.iter().max_by(|a, b| a.rate.total_cmp(&b.rate));
        largest.map(|c| Leaving { var: c.var, step })
    }

    /// Reduces the tied candidates to the lexicographically least.
    fn break_tie(&mut self, lcp: &Scaled, basis: &mut Basis, started: &[bool], zero: f64) {
        std::mem::swap(&mut basis.u, &mut self.entering);
        make_room(&mut basis.u, started.len());
        for (l, &z_started) in started.iter().enumerate() {
            let var = if z_started { Var::Z(l) } else { Var::W(l) };
            if basis.is_basic(var) {
                // Its column is a unit vector: positive for itself, 0 for the others.
                if self.tied.len() > 1 {
                    self.tied.retain(|c| c.var != var);
                }
            } else {
                self.compare_column(lcp, basis, var, zero);
            }
            if self.tied.len() < 2 {
                break;
            }
        }
        std::mem::swap(&mut basis.u, &mut self.entering);
    }

    fn compare_column(&mut self, lcp: &Scaled, basis: &mut Basis, var: Var, zero: f64) {
        basis.basic_part(lcp, var);
        let mut least = f64::INFINITY;
        let mut size = 1.0_f64;
        for c in &mut self.tied {
            let entry = match c.var {
                Var::Z(j) => basis.u[basis.position(j)],
                Var::W(i) => basis.rate(lcp, i, var),
            };
            c.entry = entry / c.rate;
            size = size.max(entry.abs() / c.rate);
            least = least.min(c.entry);
        }
        let limit = least + 1e2 * zero * size;
        self.tied.retain(|c| c.entry <= limit);
    }
}

/// The longest step that keeps every variable with a rate above `least` nonnegative.
fn shortest(basis: &Basis, values: &Values, least: f64) -> f64 {
    rates(basis)
        .filter(|&(_, rate)| rate > least)
        .fold(f64::INFINITY, |m, (var, rate)| {
            m.min(values.of(var).max(0.0) / rate)
        })
}
