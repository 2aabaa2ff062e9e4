//! What an experiment of the report is made of.

use serde::Deserialize;

/// A figure with what others report of it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Line {
    /// Whose figure: a model as [`Experiment::models`] lists it.
    pub model: String,
    /// Name of the figure in the table of `run`.
    pub figure: String,
    /// Who reports what, in the figure's unit.
    pub others: Vec<(String, f64)>,
}

/// An experiment: runs side by side, and the figures to look at.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Number in the sources, as `--only` takes it; also the stem of its files.
    pub id: String,
    /// What happens and what it is about, a sentence.
    pub title: String,
    /// Where the figures of the others are from: author and year, or the place of a report.
    pub source: String,
    /// Scenario.
    pub scenario: String,
    /// Models, or `model:solver`.
    pub models: Vec<String>,
    /// Keys.
    #[serde(default)]
    pub set: Vec<String>,
    /// Robot file below the folder of robots, if the experiment needs one.
    pub robot: Option<String>,
    /// Time step \[s\]; the scenario's own if none.
    pub dt: Option<f64>,
    /// Duration of the whole and of the short form \[s\].
    #[serde(default = "second")]
    pub duration: [f64; 2],
    /// The figures.
    pub lines: Vec<Line>,
}

fn second() -> [f64; 2] {
    [1.0, 1.0]
}
