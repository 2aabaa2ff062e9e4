//! What came of an experiment.

use super::experiment::Experiment;
use super::judged::{Judged, SAME, Wanted};
use crate::plot::quantity;
use crate::result::RunResult;
use serde::Serialize;
use serde_json::Value;

/// A row of the report's table: one of our figures beside one of theirs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Row {
    pub(super) experiment: &'static str,
    pub(super) figure: &'static str,
    /// Our model.
    pub(super) model: &'static str,
    /// Absent where the run has no such figure.
    pub(super) ours: Option<f64>,
    /// Whose figure stands beside it, if anybody's.
    pub(super) other: Option<String>,
    pub(super) theirs: Option<f64>,
    /// Ours over theirs [-]; absent where one is 0 or they differ in sign.
    pub(super) ratio: Option<f64>,
    /// Where theirs is from.
    pub(super) source: &'static str,
    /// Whether ours is as it should be.
    #[serde(rename = "verdict")]
    pub(super) judged: Judged,
}

/// How an experiment went.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) experiment: &'static Experiment,
    pub(super) command: String,
    pub(super) rows: Vec<Row>,
    /// Everything there is of the runs, as the command shows it.
    pub(super) table: String,
    /// Names of its plots, without folder and end.
    pub(super) plots: Vec<String>,
    /// Whether there is a recording of that name.
    pub(super) recording: bool,
    /// Why there is nothing, or not all.
    pub(super) errors: Vec<String>,
}

/// A figure of a result by the name it has in the table.
fn figure(result: &RunResult, name: &str) -> Option<f64> {
    if let Some(value) = result.metric(name) {
        return Some(value);
    }
    let tree = serde_json::to_value(result).ok()?;
    let places: [&Value; 3] = [
        &tree["solver_stats"][name],
        &tree["timing_us"][name.strip_suffix("_us").unwrap_or(name)],
        &tree["comparison"][name],
    ];
    places.into_iter().find_map(Value::as_f64)
}

/// The rows of an experiment: each figure beside those of others, and beside rapier's own in the same
/// run where it has one.
pub(super) fn rows(experiment: &'static Experiment, results: &[&RunResult]) -> Vec<Row> {
    let of = |model: &str| {
        let place = experiment.models.iter().position(|m| *m == model)?;
        results.get(place).copied()
    };
    let mut rows = Vec::new();
    for line in &experiment.lines {
        let ours = of(&line.model).and_then(|result| figure(result, &line.figure));
        let others = line.others.iter().map(|(who, value)| (who.clone(), *value));
        // Rapier's own is not set beside itself.
        let host = of("host").filter(|_| line.model != "host");
        let host = host.and_then(|result| figure(result, &line.figure));
        let host = host.map(|value| ("rapier, in the same run".to_owned(), value));
        let mut others: Vec<_> = others.chain(host).map(Some).collect();
        if others.is_empty() {
            others.push(None);
        }
        rows.extend(others.into_iter().map(|other| {
            let theirs = other.as_ref().map(|(_, value)| *value);
            Row {
                experiment: &experiment.id,
                figure: &line.figure,
                model: &line.model,
                ours,
                theirs,
                ratio: ratio(ours, theirs),
                source: &experiment.source,
                judged: Judged::of(&line.figure, ours, other.as_ref()),
                other: other.map(|(who, _)| who),
            }
        }));
    }
    rows
}

/// Ours over theirs, where that means anything.
fn ratio(ours: Option<f64>, theirs: Option<f64>) -> Option<f64> {
    let ratio = ours? / theirs?;
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}

impl Row {
    /// What ours shall be beside theirs.
    fn wanted(&self) -> &'static str {
        match &self.other {
            Some(other) => Wanted::of(self.figure, other).as_str(),
            None => "",
        }
    }

    /// The row as cells, in the order of the page's columns.
    pub(super) fn cells(&self) -> [String; 10] {
        let number = |x: Option<f64>| x.map(crate::digits::number).unwrap_or_default();
        let missing = || "not stated".to_owned();
        [
            self.experiment.to_owned(),
            quantity(self.figure),
            self.model.to_owned(),
            self.ours.map_or_else(missing, crate::digits::number),
            self.other.clone().unwrap_or_default(),
            number(self.theirs),
            number(self.ratio),
            self.wanted().to_owned(),
            self.judged.as_str().to_owned(),
            self.source.to_owned(),
        ]
    }

    /// By how much a missed figure misses.
    pub(super) fn miss(&self) -> String {
        match (self.ours, self.theirs, self.ratio) {
            (None, ..) => "the run does not state it".to_owned(),
            (Some(ours), Some(theirs), _) if self.wanted() == SAME => {
                let off = (ours - theirs) / theirs;
                format!("{:+.1} %", 100.0 * off)
            }
            (_, _, Some(ratio)) => format!("{} times", crate::digits::number(ratio)),
            (Some(ours), Some(theirs), None) => {
                format!(
                    "{} against {}",
                    crate::digits::number(ours),
                    crate::digits::number(theirs)
                )
            }
            (Some(_), None, None) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_unlike_signs_have_no_ratio() {
        assert_eq!(ratio(Some(2.0), Some(4.0)), Some(0.5));
        assert_eq!(ratio(Some(-2.0), Some(-4.0)), Some(0.5));
        assert_eq!(ratio(Some(-2.0), Some(4.0)), None);
        assert_eq!(ratio(Some(2.0), Some(0.0)), None);
        assert_eq!(ratio(Some(0.0), Some(2.0)), None);
        assert_eq!(ratio(None, Some(2.0)), None);
    }
}
