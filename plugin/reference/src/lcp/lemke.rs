//! Lemke's method [CPS, Alg. 4.4.5].

use super::tableau::{Tableau, Var};
use super::{Lcp, LcpSolver, Limits, Outcome, Start, make_room};
use stickslip_core::report::SolveStatus;

/// Lemke's method with the lexicographic minimum-ratio test [CPS, Alg. 4.4.5 and sec. 4.9].
///
/// An artificial `z_0 d` makes the problem feasible and is driven out by complementary pivots. The covering vector d
/// is 1 on the violated rows (after scaling rows and columns by powers of two); a run that ends on a ray or
/// inaccurately is repeated with d = 1 everywhere. With d positive everywhere a ray of a copositive-plus matrix
/// (Stewart-Trinkle problems, positive semidefinite matrices) proves that no `z >= 0` has `w >= 0`
/// [CPS, Thm. 4.4.12].
///
/// Ties of the ratio test are broken lexicographically, so no basis returns and degenerate problems (duplicated
/// contacts, bodies at rest) end. A pivot costs `O(n^2)`; the entering column is checked against the problem, and the
/// dictionary computed again when it degrades.
///
/// A start from a basis costs a pivot for each z in it. If its solution is feasible, it is the answer, and counts as no
/// pivots. Else the method starts from it, with a covering vector with entries for the negative basic variables alone; a start
/// that leads nowhere is followed by the cold runs.
///
/// Allocates nothing once it has seen the largest problem.
#[derive(Clone, Debug, Default)]
pub struct Lemke {
    tableau: Tableau,
    /// The variables basic at the start of the run, by row.
    started: Vec<Var>,
    tied: Vec<Tied>,
    /// Whether z_i is basic at the end of the last run.
    ended: Vec<bool>,
}

/// A row that could leave.
#[derive(Clone, Copy, Debug)]
struct Tied {
    row: usize,
    /// By how much its variable falls per unit of the entering one; positive.
    rate: f64,
    /// Entry of the lexicographic column looked at, divided by the rate.
    entry: f64,
}

/// Where a run starts and what covers its violated rows.
#[derive(Clone, Copy, Debug)]
enum Run<'a> {
    /// From a basis; 1 on its negative variables.
    Warm(Start<'a>),
    /// Cold, 1 on the violated rows, which takes fewer pivots than 1 on all and ends in fewer rays.
    Violated,
    /// Cold, 1 on all rows: a ray proves that there is no solution.
    Ones,
}

/// Pivots below this share of the largest rate count as zero.
const GOOD_PIVOT: f64 = 1e-9;
/// Smaller pivots are taken from a column that is as good as a new one.
const DOUBTFUL: f64 = 1e-5;
/// Share of the largest z below which a negative variable of a start passes for zero; the answer,
/// with zeros there, is then checked like any other.
const NEGATIVE: f64 = 1e-9;

impl LcpSolver for Lemke {
    /// Solves a problem from the given start.
    ///
    /// Status `Solved` means that the answer passed [`Lcp::natural_residual`]; `Inaccurate` that
    /// the method ended but its answer does not pass; `RayTermination` and `PivotLimit` that no run
    /// ended; `z` is then the point reached, no solution.
    fn solve(&mut self, lcp: Lcp, limits: &Limits, start: Start, z: &mut Vec<f64>) -> Outcome {
        self.solve_softened(lcp, &[], limits, start, z)
    }
}

impl Lemke {
    /// Solves the problem with `soft` >= 0 added to its diagonal (n; none: 0), then, on the basis found, the problem as
    /// given. With compliance a Stewart-Trinkle problem always has a solution, its bases are regular and loads are
    /// shared evenly; what the compliance gave away is taken back by refinement (the proximal-point iteration). The status
    /// is that of the problem as given.
    pub fn solve_softened(
        &mut self,
        lcp: Lcp,
        soft: &[f64],
        limits: &Limits,
        start: Start,
        z: &mut Vec<f64>,
    ) -> Outcome {
        let n = lcp.dim();
        make_room(&mut self.started, n);
        make_room(&mut self.tied, n);
        self.ended.clear();
        self.ended.resize(n, false);
        if let Some(trivial) = super::trivial(lcp, z) {
            return trivial;
        }
        self.tableau.set(lcp, soft, 0.0);
        let mut best = Outcome {
            status: SolveStatus::RayTermination,
            pivots: 0,
            iterations: 0,
            residual: f64::INFINITY,
        };
        for run in [Run::Warm(start), Run::Violated, Run::Ones] {
            let mut pivots = 0;
            let Some(ended) = self.run(run, limits, &mut pivots) else {
                continue;
            };
            if (self.tableau).conclude(lcp, ended, pivots, &mut best, z) {
                for (i, e) in self.ended.iter_mut().enumerate() {
                    *e = self.tableau.is_basic(Var::Z(i));
                }
            }
            // With compliance, the answer that ends a run is the only one.
            let is_over = !soft.is_empty() && ended == SolveStatus::Solved;
            if is_over || best.status == SolveStatus::Solved {
                break;
            }
        }
        best
    }

    /// The answer of the last solve with what was added to its diagonal, before it was taken back; false if none was
    /// found.
    pub(crate) fn compliant(&mut self, z: &mut Vec<f64>) -> bool {
        self.tableau.read_off();
        z.clone_from(&self.tableau.answer);
        self.tableau.is_complementary()
    }

    /// Which `z` are basic at the end of the last solve (of its best run): a start for the next
    /// problem of the same shape.
    pub fn basis(&self) -> &[bool] {
        &self.ended
    }

    /// One run: `Solved` when `z_0` left, or why it didn't. None if there is no such start.
    fn run(&mut self, run: Run, limits: &Limits, pivots: &mut usize) -> Option<SolveStatus> {
        let n = self.tableau.dim();
        match run {
            Run::Warm(Start::Basis(basic)) if basic.len() == n && basic.contains(&true) => {
                if !self.tableau.start_from(basic) {
                    return None;
                }
            }
            Run::Warm(_) => return None,
            Run::Violated | Run::Ones => self.tableau.clear(),
        }
        self.started.clear();
        self.started.extend_from_slice(&self.tableau.basic);
        let artificial = Var::Z(n);
        let Some(mut row) = self.cover(run) else {
            return Some(SolveStatus::Solved);
        };
        let mut entering = artificial;
        for _ in 0..limits.max_pivots {
            *pivots += 1;
            let leaving = self.tableau.basic[row];
            self.tableau.exchange(row, entering);
            if leaving == artificial {
                return Some(SolveStatus::Solved);
            }
            entering = leaving.complement();
            if !self.tableau.prepare(entering, 1.0) {
                return Some(SolveStatus::Inaccurate);
            }
            let mut found = self.choose(entering, limits.tolerance);
            let column = self.tableau.column_of(entering);
            if found.is_none_or(|row| -self.tableau.entry(row, column) <= DOUBTFUL) {
                if !self.tableau.prepare(entering, 1e-2) {
                    return Some(SolveStatus::Inaccurate);
                }
                found = self.choose(entering, limits.tolerance);
            }
            let Some(next) = found else {
                return Some(SolveStatus::RayTermination);
            };
            row = next;
        }
        Some(SolveStatus::PivotLimit)
    }

    /// Sets the covering vector and finds the row that leaves when `z_0` enters: the most negative one, the last of
    /// equals (the lexicographically least). None when no variable is negative; beyond round-off, for a basis given.
    fn cover(&mut self, run: Run) -> Option<usize> {
        let t = &mut self.tableau;
        let least = match run {
            Run::Warm(_) => -NEGATIVE * t.size(|var| matches!(var, Var::Z(_))),
            _ => 0.0,
        };
        let (mut worst, mut first) = (0.0, None);
        for row in 0..t.dim() {
            let value = t.value(row);
            if value < least && value <= worst {
                (worst, first) = (value, Some(row));
            }
            if value < least || matches!(run, Run::Ones) {
                t.set_cover(row, 1.0);
            }
        }
        first
    }

    /// The row that leaves when a variable enters; none on a ray.
    ///
    /// Ties are broken as if the values at the start were larger by `(e, e^2, ...)` for a vanishing e, by the columns
    /// of the variables basic then. No basis can come back, so degenerate problems end too [CPS, sec. 4.9]. `z_0`
    /// leaves whenever it can: that is the end.
    fn choose(&mut self, entering: Var, zero: f64) -> Option<usize> {
        let t = &self.tableau;
        let column = t.column_of(entering);
        let rates = || (0..t.dim()).map(|row| (row, -t.entry(row, column)));
        let largest = rates().fold(1.0_f64, |m, (_, rate)| m.max(rate.abs()));
        let size = t.size(|_| true);
        let tie = zero * size;
        let shortest = |least: f64| {
            let falling = rates().filter(|&(_, rate)| rate > least);
            falling.fold(f64::INFINITY, |m, (row, rate)| {
                m.min(t.value(row).max(0.0) / rate)
            })
        };
        let least = GOOD_PIVOT * largest;
        let step = shortest(least);
        if step == f64::INFINITY {
            return None;
        }
        self.tied.clear();
        let falling = rates().filter(|&(_, rate)| rate > least);
        let tied = falling.filter(|&(row, rate)| t.value(row) - step * rate <= tie);
        (self.tied).extend(tied.map(|(row, rate)| Tied {
            row,
            rate,
            entry: 0.0,
        }));
        let artificial = Var::Z(t.dim());
        if let Some(last) = self.tied.iter().find(|c| t.basic[c.row] == artificial) {
            return Some(last.row);
        }
        self.break_tie(zero);
        let largest = self.tied.iter().max_by(|a, b| a.rate.total_cmp(&b.rate));
        largest.map(|c| c.row)
    }

    /// Reduces the tied rows to the lexicographically least.
    fn break_tie(&mut self, zero: f64) {
        let t = &self.tableau;
        for &var in &self.started {
            if self.tied.len() < 2 {
                return;
            }
            if t.is_basic(var) {
                // Its column is a unit vector: positive for itself, 0 for the others.
                let row = t.row_of(var);
                self.tied.retain(|c| c.row != row);
                continue;
            }
            let column = t.column_of(var);
            let (mut least, mut size) = (f64::INFINITY, 1.0_f64);
            for c in &mut self.tied {
                c.entry = -t.entry(c.row, column) / c.rate;
                size = size.max(c.entry.abs());
                least = least.min(c.entry);
            }
            let limit = least + 1e2 * zero * size;
            self.tied.retain(|c| c.entry <= limit);
        }
    }
}
