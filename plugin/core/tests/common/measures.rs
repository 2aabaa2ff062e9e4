//! Figures of answers: momentum, energy, and how well several solves of a problem agree.

use std::fmt::Arguments;
use stickslip_core::problem::ContactProblem;
use stickslip_core::report::{SolveReport, SolveStatus};

/// Momentum `M v` of all blocks.
pub fn momentum(problem: &ContactProblem, v: &[f64]) -> Vec<f64> {
    let mut p = vec![0.0; v.len()];
    for b in 0..problem.block_count() {
        let block = problem.block(b);
        let range = block.range();
        block.add_momentum(&v[range.clone()], &mut p[range]);
    }
    p
}

/// Kinetic energy `v^T M v / 2` \[J\].
pub fn kinetic_energy(problem: &ContactProblem, v: &[f64]) -> f64 {
    let p = momentum(problem, v);
    0.5 * p.iter().zip(v).map(|(p, v)| p * v).sum::<f64>()
}

/// The largest difference of two vectors' components.
pub fn worst_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let differences = a.iter().zip(b).map(|(x, y)| (x - y).abs());
    differences.fold(0.0, f64::max)
}

/// Worst figures of many solves, each problem solved in several ways.
#[derive(Default)]
pub struct Agreement {
    difference: f64,
    residual: f64,
    momentum: f64,
    fallbacks: usize,
    solves: usize,
}

impl Agreement {
    /// Takes a report, which must say solved with residuals of at most 1e-9.
    #[track_caller]
    pub fn take(&mut self, report: &SolveReport, place: Arguments<'_>) {
        assert_eq!(report.status, SolveStatus::Solved, "{place} {report:?}");
        assert!(report.residuals.max() <= 1e-9, "{place} {report:?}");
        self.residual = self.residual.max(report.residuals.max());
        self.momentum = self.momentum.max(report.residuals.momentum);
        self.fallbacks += report.fallbacks;
        self.solves += 1;
    }

    /// Compares the velocities of two answers, which must differ by less than 1e-8.
    #[track_caller]
    pub fn compare(&mut self, a: &[f64], b: &[f64], place: Arguments<'_>) {
        let difference = worst_difference(a, b);
        assert!(difference < 1e-8, "{place}: {difference}");
        self.difference = self.difference.max(difference);
    }

    /// Prints the worst. Fewer than one solve in a hundred may have fallen back.
    #[track_caller]
    pub fn finish(self) {
        let (fallbacks, solves) = (self.fallbacks, self.solves);
        println!(
            "difference {:.1e}, residual {:.1e}, momentum {:.1e}, fallbacks {fallbacks} of {solves}",
            self.difference, self.residual, self.momentum
        );
        assert!(100 * fallbacks < solves, "{fallbacks} of {solves}");
    }
}
