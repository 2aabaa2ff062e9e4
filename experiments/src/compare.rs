//! Several runs side by side: their times against the first, and names of their files.

use crate::result::{Comparison, RunResult};

/// States every run's times against those of the first.
pub(crate) fn complete(results: &mut [RunResult]) {
    let Some(first) = results.first().map(|r| r.timing_us) else {
        return;
    };
    let ratio = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) if b > 0.0 => Some(a / b),
        _ => None,
    };
    for result in results {
        let own = result.timing_us;
        result.comparison = Some(Comparison {
            solve_speedup_to_first: ratio(first.solve_median, own.solve_median),
            step_speedup_to_first: ratio(Some(first.step_median), Some(own.step_median)),
        });
    }
}

/// A stem for the files of each run: scenario and model, and the solver where a model comes twice,
/// and a number where both do.
pub(crate) fn stems(results: &[RunResult]) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for result in results {
        let twice = results.iter().filter(|r| r.model == result.model).count() > 1;
        let stem = if twice {
            format!("{}-{}-{}", result.scenario, result.model, result.solver)
        } else {
            format!("{}-{}", result.scenario, result.model)
        };
        let mut name = stem.clone();
        let mut number = 1;
        while stems.contains(&name) {
            number += 1;
            name = format!("{stem}-{number}");
        }
        stems.push(name);
    }
    stems
}
