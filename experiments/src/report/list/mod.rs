//! The experiments of the report. Another figure is another `line`, another experiment another entry.

mod machines;
mod papers;
mod scenes;

use super::experiment::Experiment;
use machines::MACHINES;
use papers::PAPERS;
use scenes::SCENES;

/// Every experiment, in the order of the page.
pub(super) fn experiments() -> impl Iterator<Item = &'static Experiment> {
    PAPERS.iter().chain(MACHINES).chain(SCENES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare;
    use crate::settings::{Request, RunSettings};

    #[test]
    fn every_entry_is_a_run_that_makes_sense() {
        for experiment in experiments() {
            let id = experiment.id;
            let same = experiments().filter(|e| e.id == id);
            assert_eq!(same.count(), 1, "{id} is there twice");
            assert!(!experiment.lines.is_empty(), "{id}");
            let words: Vec<_> = experiment.models.iter().map(|m| (*m).to_owned()).collect();
            for (model, solver) in compare::columns(&words) {
                let request = Request {
                    scenario: experiment.scenario.to_owned(),
                    model: Some(model.to_owned()),
                    solver: solver.map(str::to_owned),
                    set: experiment.set.iter().map(|s| (*s).to_owned()).collect(),
                    ..Request::default()
                };
                RunSettings::new(&request).unwrap_or_else(|e| panic!("{id}: {e}"));
            }
            for line in experiment.lines {
                assert!(
                    experiment.models.contains(&line.model),
                    "{id}: {}",
                    line.model
                );
            }
        }
    }
}
