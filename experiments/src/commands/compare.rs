//! Several runs side by side: their times against the first, and names of their files.

use crate::error::CommandError;
use crate::plot::Curve;
use crate::result::{Comparison, RunResult};
use crate::runner::{Done, Run};
use crate::settings::Model;
use nalgebra::Vector3;
use stickslip_core::models::ModelName;
use stickslip_rerun::{RecorderOptions, Sink, Track, side_by_side};

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

/// The solver of a column: its own, or the one given for all. That one is a choice among ours; beside
/// them, rapier keeps its own.
///
/// # Errors
/// A usage error when there is no such model.
pub(crate) fn solver(
    model: &str,
    own: Option<&str>,
    all: Option<&str>,
) -> Result<Option<String>, CommandError> {
    let host = Model::parse(model)? == Model::Host;
    let chosen = own.or(all.filter(|_| !host));
    Ok(chosen.map(str::to_owned))
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
pub(crate) fn complete(done: &mut [Done]) {
    let Some(first) = done.first().map(|d| d.result.clone()) else {
        return;
    };
    let ratio = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) if b > 0.0 => Some(a / b),
        _ => None,
    };
    let theirs = first.timing_us;
    for result in done.iter_mut().map(|d| &mut d.result) {
        let own = result.timing_us;
        result.comparison = Some(Comparison {
            solve_speedup_to_first: ratio(theirs.solve_median, own.solve_median),
            solve_total_speedup_to_first: ratio(theirs.solve_total, own.solve_total),
            step_speedup_to_first: ratio(Some(theirs.step_median), Some(own.step_median)),
            published_speedup_to_first: published(&first, result),
        });
    }
}

/// A name for each pair of model and solver: the model, and the solver behind `between` where a model comes
/// twice, and a number where both do.
pub(crate) fn names<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
    between: &str,
) -> Vec<String> {
    let pairs: Vec<_> = pairs.collect();
    let name = |&(model, solver): &(&str, &str)| {
        let same = pairs.iter().filter(|(m, _)| *m == model);
        if same.count() > 1 {
            format!("{model}{between}{solver}")
        } else {
            model.to_owned()
        }
    };
    numbered(pairs.iter().map(name))
}

fn pairs(done: &[Done]) -> impl Iterator<Item = (&str, &str)> {
    done.iter().map(|d| (d.result.model, d.result.solver))
}

/// A stem for the files of each run, given as scenario, model and solver: scenario and name.
pub(crate) fn stems<'a>(runs: impl Iterator<Item = (&'a str, &'a str, &'a str)>) -> Vec<String> {
    let runs: Vec<_> = runs.collect();
    let names = names(runs.iter().map(|(_, model, solver)| (*model, *solver)), "-");
    let stem = |(name, run): (String, &(&str, _, _))| format!("{}-{name}", run.0);
    names.into_iter().zip(&runs).map(stem).collect()
}

/// The stems of runs that have ended.
pub(crate) fn stems_of(done: &[Done]) -> Vec<String> {
    let results = done.iter().map(|d| &d.result);
    stems(results.map(|r| (r.scenario, r.model, r.solver)))
}

/// A name for each run in a legend.
pub(crate) fn labels(done: &[Done]) -> Vec<String> {
    names(pairs(done), " / ")
}

/// Every run as a curve by its label.
pub(crate) fn curves<'a>(done: &'a [Done], labels: &'a [String]) -> Vec<Curve<'a>> {
    let curve = |(d, name): (&'a Done, &'a String)| Curve {
        name,
        trace: &d.trace,
        weight: d.weight,
    };
    done.iter().zip(labels).map(curve).collect()
}

/// Records all runs side by side, each `offset` \[m\] from the one before it.
///
/// # Errors
/// When the recording can't be opened or refuses a scene.
pub(crate) fn record(
    runs: &mut [Run],
    sink: &Sink,
    offset: Vector3<f64>,
) -> Result<(), CommandError> {
    let settings = runs.iter().map(Run::settings);
    let names = names(settings.map(|s| (s.model.as_str(), s.solver_name())), "-");
    let tracks = Track::row(names, offset);
    let recorders = side_by_side(sink, RecorderOptions::default(), tracks)
        .map_err(|e| CommandError::Recording(e.to_string()))?;
    let mut pairs = runs.iter_mut().zip(recorders);
    pairs.try_for_each(|(run, recorder)| run.record_to(Box::new(recorder)))
}

fn numbered(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for stem in names {
        let mut name = stem.clone();
        let mut number = 1;
        while out.contains(&name) {
            number += 1;
            name = format!("{stem}-{number}");
        }
        out.push(name);
    }
    out
}
