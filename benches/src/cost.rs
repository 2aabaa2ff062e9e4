//! How long one solve takes, and how that grows.

use std::time::{Duration, Instant};
use stickslip_core::models::{ModelError, ModelName, ModelSettings, Solver};
use stickslip_core::problem::ContactProblem;
use stickslip_core::report::{SolveReport, SolverName};

/// A model under one solver, with memory that stays from solve to solve.
#[derive(Debug)]
pub struct Subject(Solver);

/// The time of one solve, and what it reported.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Median time of a solve from a cold start \[us\].
    pub time: f64,
    /// What the last one reported.
    pub report: SolveReport,
}

impl Cost {
    /// Whether the problem was solved to the tolerance that is promised, be it by a later route: the
    /// time then holds all attempts.
    pub fn solved(&self) -> bool {
        let r = &self.report;
        r.status.is_usable() && r.failures + r.exact_cone + r.unverified == 0
    }

    /// Whether the chosen solver itself solved it.
    pub fn by_choice(&self) -> bool {
        self.solved() && self.report.fallbacks == 0
    }
}

/// Time spent on one point of a curve, and the least number of solves.
const PATIENCE: Duration = Duration::from_millis(150);
const LEAST: usize = 3;

impl Subject {
    /// A model and the solver tried first.
    ///
    /// # Errors
    /// When the solver does not fit the model.
    pub fn new(name: ModelName, solver: SolverName) -> Result<Self, ModelError> {
        let settings = ModelSettings {
            solver: Some(solver),
            ..ModelSettings::default()
        };
        crate::solver(name, settings).map(Self)
    }

    /// Solves a problem again and again, each time from a cold start with warm memory.
    pub fn measure(&mut self, problem: &ContactProblem) -> Cost {
        let mut times = Vec::new();
        let mut report = self.solve(problem);
        let begun = Instant::now();
        while times.len() < LEAST || begun.elapsed() < PATIENCE {
            let start = Instant::now();
            report = self.solve(problem);
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
        times.sort_by(f64::total_cmp);
        Cost {
            time: times[times.len() / 2],
            report,
        }
    }

    fn solve(&mut self, problem: &ContactProblem) -> SolveReport {
        self.0.forget();
        self.0.solve(problem)
    }
}

/// Exponent of a power law through points, by least squares of the logarithms: the slope of
/// `log y` over `log x`. NaN for fewer than two different x.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let logs = || points.iter().map(|(x, y)| (x.ln(), y.ln()));
    let (mean_x, mean_y) = logs().fold((0.0, 0.0), |a, p| (a.0 + p.0 / count, a.1 + p.1 / count));
    let (over, under) = logs().fold((0.0, 0.0), |a, (x, y)| {
        let dx = x - mean_x;
        (a.0 + dx * (y - mean_y), a.1 + dx * dx)
    });
    over / under
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_of_a_power_law_is_found() {
        let points: Vec<_> = (1..6)
            .map(|x| (f64::from(x), 3.0 * f64::from(x).powf(1.7)))
            .collect();
        assert!((exponent(&points) - 1.7).abs() < 1e-12);
        assert!(exponent(&points[..1]).is_nan());
    }

    #[test]
    fn a_subject_reports_what_it_solved() {
        let builder = crate::grounded(1, 6, 12).unwrap();
        let mut subject = Subject::new(ModelName::NoSlip, SolverName::Ppm).unwrap();
        let cost = subject.measure(builder.finished().unwrap());
        assert!(cost.time > 0.0 && cost.by_choice());
        assert_eq!(cost.report.contacts, 12);
    }
}
