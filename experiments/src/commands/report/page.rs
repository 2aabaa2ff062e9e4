//! The report as Markdown and as a page for a browser.

use super::judged::Judged;
use super::outcome::Outcome;
use crate::error::CommandError;
use crate::output;
use crate::provenance::Provenance;
use pulldown_cmark::{Options, Parser, html};
use std::fmt::Write as _;

/// Heads of the table's columns.
pub(super) const COLUMNS: [&str; 10] = [
    "experiment",
    "figure",
    "model",
    "ours",
    "beside",
    "theirs",
    "ours / theirs",
    "wanted",
    "verdict",
    "source",
];

/// The Markdown of the report: summary, table, and every experiment with its figures, plots and recording.
pub(super) fn markdown(outcomes: &[Outcome], made: &Provenance, short: bool) -> String {
    let mut out = head("Experiments", outcomes, made, short);
    // Writing to a string can't fail.
    let _ = writeln!(
        out,
        "\nBelow the table every experiment has its command, its figures, its plots and its recording \
         (`rerun recordings/ID.rrd`).\n"
    );
    table(&mut out, outcomes);
    for outcome in outcomes {
        section(&mut out, outcome);
    }
    out
}

/// The Markdown of a page that stands alone: summary, table, and the command of every experiment.
pub(super) fn validation(outcomes: &[Outcome], made: &Provenance, short: bool) -> String {
    let mut out = String::from("<!-- Written by `stickslip report --markdown FILE`. -->\n\n");
    out += &head("Validation", outcomes, made, short);
    out += "\n";
    table(&mut out, outcomes);
    out += "\n## Experiments\n";
    for outcome in outcomes {
        let experiment = outcome.experiment;
        let _ = writeln!(
            out,
            "\n**{}.** {}. Source: {}.",
            experiment.id, experiment.title, experiment.source
        );
        if !outcome.command.is_empty() {
            let _ = writeln!(out, "\n```\n{}\n```", outcome.command);
        }
        for error in &outcome.errors {
            let _ = writeln!(out, "\n{error}");
        }
    }
    out
}

/// Title, circumstances, what the columns mean, and the summary.
fn head(title: &str, outcomes: &[Outcome], made: &Provenance, short: bool) -> String {
    let form = if short { "short runs" } else { "full runs" };
    let version = |name: &str| made.versions.get(name).map_or("", String::as_str);
    let mut out = format!(
        "# {title}\n\nstickslip {}, rapier {}, {} build; {}, {} cores, {}; {}; {form}.\n\n",
        version("stickslip"),
        version("rapier"),
        made.build,
        made.machine.cpu,
        made.machine.cores,
        made.machine.os,
        made.started,
    );
    out += &summary(outcomes);
    out += "\nEach row compares a figure of ours with that of a paper, a closed form (theory), a command or another \
            simulator. Times of papers and other simulators were taken on other machines. `wanted` says what our figure \
            should be: less (in absolute value), more, or the same (within 2 % of a closed form, within 10 % of a command). \
            Lengths below 1 nm and speeds below 1 nm/s are round-off and count as zero.\n";
    out
}

/// How many figures are as they should be, in a sentence.
pub(super) fn tally(outcomes: &[Outcome]) -> String {
    let rows = || outcomes.iter().flat_map(|o| &o.rows);
    let count = |judged: Judged| rows().filter(|row| row.judged == judged).count();
    let (pass, miss) = (count(Judged::Pass), count(Judged::Miss));
    format!(
        "{pass} of {} comparisons pass, {miss} miss; {} figures have no bound.",
        pass + miss,
        count(Judged::NoBound)
    )
}

/// How many figures are as they should be, and the others.
fn summary(outcomes: &[Outcome]) -> String {
    let rows = || outcomes.iter().flat_map(|o| &o.rows);
    let mut out = format!("**{}**\n", tally(outcomes));
    let broken = outcomes.iter().filter(|o| !o.errors.is_empty());
    for outcome in broken {
        let _ = writeln!(
            out,
            "\n**{}: {}**",
            outcome.experiment.id,
            outcome.errors.join("; ")
        );
    }
    let mut misses = rows().filter(|row| row.judged == Judged::Miss).peekable();
    if misses.peek().is_none() {
        return out;
    }
    out += "\nThe misses:\n\n| experiment | figure | model | beside | wanted | ours / theirs |\n|---|---|---|---|---|---:|\n";
    for row in misses {
        let [experiment, figure, model, _, beside, _, _, wanted, ..] = row.cells();
        let cells = [experiment, figure, model, beside, wanted, row.miss()];
        out += &line(&cells);
    }
    out
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn table(out: &mut String, outcomes: &[Outcome]) {
    *out += &line(&COLUMNS.map(str::to_owned));
    *out += "|---|---|---|---:|---|---:|---:|---|---|---|\n";
    for row in outcomes.iter().flat_map(|o| &o.rows) {
        *out += &line(&row.cells());
    }
}

fn section(out: &mut String, outcome: &Outcome) {
    let experiment = outcome.experiment;
    let _ = writeln!(out, "\n## {}: {}", experiment.id, experiment.title);
    let _ = writeln!(
        out,
        "\nSource of the figures beside ours: {}.",
        experiment.source
    );
    if !outcome.command.is_empty() {
        let _ = writeln!(out, "\n```\n{}\n```", outcome.command);
    }
    for error in &outcome.errors {
        let _ = writeln!(out, "\n**{error}**");
    }
    if !outcome.table.is_empty() {
        let _ = writeln!(out, "\n```\n{}\n```", outcome.table);
    }
    if outcome.recording {
        let _ = writeln!(
            out,
            "\nRecording: [recordings/{0}.rrd](recordings/{0}.rrd)",
            experiment.id
        );
    }
    for name in &outcome.plots {
        let _ = writeln!(out, "\n![{name}](plots/{name}.svg)");
    }
}

const STYLE: &str = "body{font:15px/1.5 sans-serif;max-width:1400px;margin:2em auto;padding:0 1em;color:#222}\
table{border-collapse:collapse}td,th{border-bottom:1px solid #ddd;padding:.2em .7em;text-align:left;vertical-align:top}\
td,th{white-space:nowrap}table{display:block;overflow-x:auto}\
.pass{color:#14703a;background:#e3f4e8}.miss{color:#a11;background:#fde4e1;font-weight:bold}.no-bound{color:#666}\
pre{background:#f5f5f5;padding:.7em;overflow-x:auto;font-size:12px;line-height:1.25}img{max-width:100%}";

/// The same as HTML.
pub(super) fn page(markdown: &str) -> String {
    let mut body = String::new();
    html::push_html(&mut body, Parser::new_ext(markdown, Options::ENABLE_TABLES));
    for judged in [Judged::Pass, Judged::Miss, Judged::NoBound] {
        let word = judged.as_str();
        let class = word.replace(' ', "-");
        let cell = format!("<td>{word}</td>");
        body = body.replace(&cell, &format!("<td class=\"{class}\">{word}</td>"));
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>stickslip: experiments</title>\
         <style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n"
    )
}

/// The table as CSV, numbers in full.
///
/// # Errors
/// None that a user could cause.
pub(super) fn csv(outcomes: &[Outcome]) -> Result<String, CommandError> {
    let header = [
        "experiment",
        "figure",
        "model",
        "ours",
        "other",
        "theirs",
        "ratio",
        "verdict",
        "source",
    ];
    let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
    let rows = outcomes.iter().flat_map(|o| &o.rows).map(|row| {
        [
            row.experiment.to_owned(),
            row.figure.to_owned(),
            row.model.to_owned(),
            number(row.ours),
            row.other.clone().unwrap_or_default(),
            number(row.theirs),
            number(row.ratio),
            row.judged.as_str().to_owned(),
            row.source.to_owned(),
        ]
    });
    output::csv_text(header, rows)
}
