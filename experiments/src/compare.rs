//! Several runs side by side: their times against the first, and names of their files.

use crate::result::{Comparison, RunResult};
use stickslip_core::models::ModelName;

/// Models with their solvers as the command line lists them; `all` stands for every model of ours.
pub(crate) fn columns(words: &[String]) -> Vec<(&str, Option<&str>)> {
    let mut columns = Vec::new();
    for word in words {
        let (name, solver) = match word.split_once(':') {
            Some((name, solver)) => (name.trim(), Some(solver.trim())),
            None => (word.trim(), None),
        };
        if (name, solver) == ("all", None) {
            columns.extend(ModelName::ALL.map(|model| (model.as_str(), None)));
        } else {
            columns.push((name, solver));
        }
    }
    columns
}

/// How much faster than Stewart-Trinkle by Lemke's method a solver of the no-slip model is in the
/// paper's grasp: 10.97 s against 1.99 s and 1.67 s for ten steps [D15, Table I].
fn published(first: &RunResult, result: &RunResult) -> Option<f64> {
    if first.scenario != "grasp" || (first.model, first.solver) != ("stewart-trinkle", "lemke") {
        return None;
    }
    match (result.model, result.solver) {
        ("no-slip", "active-set") => Some(5.51),
        ("no-slip", "ppm") => Some(6.58),
        _ => None,
    }
}

/// States every run's times against those of the first.
pub(crate) fn complete(results: &mut [RunResult]) {
    let Some(first) = results.first().cloned() else {
        return;
    };
    let ratio = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) if b > 0.0 => Some(a / b),
        _ => None,
    };
    let theirs = first.timing_us;
    for result in results {
        let own = result.timing_us;
        result.comparison = Some(Comparison {
            solve_speedup_to_first: ratio(theirs.solve_median, own.solve_median),
            solve_total_speedup_to_first: ratio(theirs.solve_total, own.solve_total),
            step_speedup_to_first: ratio(Some(theirs.step_median), Some(own.step_median)),
            published_speedup_to_first: published(&first, result),
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
