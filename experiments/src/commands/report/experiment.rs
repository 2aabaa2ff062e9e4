//! What an experiment of the report is made of.

/// A figure with what others report of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Whose figure: a model as [`Experiment::models`] lists it.
    pub model: &'static str,
    /// Name of the figure in the table of `run`.
    pub figure: &'static str,
    /// Who reports what, in the figure's unit.
    pub others: &'static [(&'static str, f64)],
}

/// An experiment: runs side by side, and the figures to look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experiment {
    /// Number in the sources, as `--only` takes it; also the stem of its files.
    pub id: &'static str,
    /// What happens and what it is about, a sentence.
    pub title: &'static str,
    /// Where the figures of the others are from: author and year, or the place of a report.
    pub source: &'static str,
    /// Scenario.
    pub scenario: &'static str,
    /// Models, or `model:solver`.
    pub models: &'static [&'static str],
    /// Keys.
    pub set: &'static [&'static str],
    /// Robot file below the folder of robots, if the experiment needs one.
    pub robot: Option<&'static str>,
    /// Time step \[s\]; the scenario's own if none.
    pub dt: Option<f64>,
    /// Duration of the whole and of the short form \[s\].
    pub duration: [f64; 2],
    /// The figures.
    pub lines: &'static [Line],
}

/// A line of the table.
pub(super) const fn line(
    model: &'static str,
    figure: &'static str,
    others: &'static [(&'static str, f64)],
) -> Line {
    Line {
        model,
        figure,
        others,
    }
}

/// The frame of an experiment: all that most of them leave as it is.
pub(super) const PLAIN: Experiment = Experiment {
    id: "",
    title: "",
    source: "",
    scenario: "",
    models: &[],
    set: &[],
    robot: None,
    dt: None,
    duration: [1.0, 1.0],
    lines: &[],
};
