//! The experiments of the report. Another figure is another `line`, another experiment another entry.

mod machines;
mod papers;
mod scenes;

use super::experiment::Experiment;
use machines::MACHINES;
use papers::PAPERS;
use scenes::SCENES;

/// Every experiment, in the order of the page: that of their numbers.
pub(super) fn experiments() -> impl Iterator<Item = &'static Experiment> {
    let mut all: Vec<_> = PAPERS.iter().chain(MACHINES).chain(SCENES).collect();
    all.sort_by_key(|e| place(e.id));
    all.into_iter()
}

/// Section and number of an experiment: `C10-flight` is C, 10.
fn place(id: &str) -> (Option<char>, u32) {
    let number = id.get(1..).and_then(|rest| rest.split('-').next());
    let number = number.and_then(|n| n.parse().ok()).unwrap_or(u32::MAX);
    (id.chars().next(), number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare;
    use crate::settings::{Request, RunSettings};

    #[test]
    fn the_page_counts_as_people_do() {
        let ids: Vec<_> = experiments().map(|e| e.id).collect();
        let at = |id: &str| ids.iter().position(|x| *x == id).unwrap();
        // 10 comes after 8, and C before D: not the order of the letters.
        assert!(at("C8-bounce") < at("C10-flight") && at("C10-flight") < at("D1-box"));
        assert_eq!(
            (ids[0], ids.last()),
            ("A1-times", Some(&"D8-contacts-1000"))
        );
        let numbered = |id: &&str| place(id).1 != u32::MAX;
        assert!(ids.iter().all(numbered), "{ids:?}");
    }

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
