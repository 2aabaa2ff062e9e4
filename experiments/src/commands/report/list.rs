//! The experiments of the report, from `experiments.toml`.

use super::experiment::Experiment;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    experiment: Vec<Experiment>,
}

static LIST: LazyLock<List> = LazyLock::new(|| {
    let text = include_str!("experiments.toml");
    toml::from_str(text).expect("a part of the program, which its tests read")
});

/// Every experiment, in the order of the page.
pub(super) fn experiments() -> impl Iterator<Item = &'static Experiment> {
    LIST.experiment.iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare;
    use crate::settings::{Request, RunSettings};

    #[test]
    fn the_page_counts_as_people_do() {
        // Section and number: 10 comes after 8, not before 2.
        let place = |e: &Experiment| {
            let number = e.id[1..]
                .split('-')
                .next()
                .and_then(|n| n.parse::<u32>().ok());
            (e.id.chars().next(), number.expect("a number"))
        };
        assert!(experiments().map(place).is_sorted());
    }

    #[test]
    fn every_entry_is_a_run_that_makes_sense() {
        for experiment in experiments() {
            let id = &experiment.id;
            let same = experiments().filter(|e| e.id == *id);
            assert_eq!(same.count(), 1, "{id} is there twice");
            assert!(!experiment.lines.is_empty(), "{id}");
            for (model, solver) in compare::columns(&experiment.models) {
                let request = Request {
                    scenario: experiment.scenario.clone(),
                    model: Some(model.to_owned()),
                    solver: solver.map(str::to_owned),
                    set: experiment.set.clone(),
                    ..Request::default()
                };
                RunSettings::new(&request).unwrap_or_else(|e| panic!("{id}: {e}"));
            }
            for line in &experiment.lines {
                assert!(
                    experiment.models.contains(&line.model),
                    "{id}: {}",
                    line.model
                );
            }
        }
    }
}
