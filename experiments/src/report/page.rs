//! The report as Markdown and as a page for a browser.

use super::outcome::Outcome;
use crate::output;
use crate::provenance::Provenance;
use pulldown_cmark::{Options, Parser, html};
use std::fmt::Write as _;

/// Heads of the table's columns.
pub(super) const COLUMNS: [&str; 8] = [
    "experiment",
    "figure",
    "model",
    "ours",
    "beside",
    "theirs",
    "ours / theirs",
    "wanted",
];

/// The Markdown.
pub(super) fn markdown(outcomes: &[Outcome], made: &Provenance, short: bool) -> String {
    let mut out = String::from("# Experiments\n\n");
    // Writing to a string can't fail.
    let form = if short { "short forms" } else { "whole" };
    let version = |name: &str| made.versions.get(name).map_or("", String::as_str);
    let _ = writeln!(
        out,
        "stickslip {}, rapier {}, {} build; {}, {} cores, {}; {}; {form}. Times of papers and of other \
         simulators were taken on other machines.\n\n\
         Each row sets a figure of ours beside that of a paper, of a closed form (theory), of what was commanded or \
         of another simulator. The ratio is that of the sizes; the last column says whether ours should be less \
         than theirs, more, or the same. Below the table every experiment has its command, all its figures, its plots \
         and its recording (`rerun recordings/ID.rrd`).\n",
        version("stickslip"),
        version("rapier"),
        made.build,
        made.machine.cpu,
        made.machine.cores,
        made.machine.os,
        made.started,
    );
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    out += &row(&COLUMNS.map(str::to_owned));
    out += "|---|---|---|---:|---|---:|---:|---|\n";
    for line in outcomes.iter().flat_map(|o| &o.rows) {
        out += &row(&line.cells());
    }
    for outcome in outcomes {
        section(&mut out, outcome);
    }
    out
}

fn section(out: &mut String, outcome: &Outcome) {
    let experiment = outcome.experiment;
    let _ = writeln!(out, "\n## {}: {}", experiment.id, experiment.title);
    let _ = writeln!(out, "\nFigures beside ours: {}.", experiment.source);
    let _ = writeln!(out, "\n```\n{}\n```", outcome.command);
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

const STYLE: &str = "body{font:15px/1.5 sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color:#222}\
table{border-collapse:collapse}td,th{border-bottom:1px solid #ddd;padding:.2em .7em}\
pre{background:#f5f5f5;padding:.7em;overflow-x:auto;font-size:12px;line-height:1.25}img{max-width:100%}";

/// The same as HTML.
pub(super) fn page(markdown: &str) -> String {
    let mut body = String::new();
    html::push_html(&mut body, Parser::new_ext(markdown, Options::ENABLE_TABLES));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>stickslip: experiments</title>\
         <style>{STYLE}</style></head>\n<body>\n{body}</body></html>\n"
    )
}

/// The table as CSV, numbers in full.
pub(super) fn csv(outcomes: &[Outcome]) -> String {
    let mut out = output::csv_line([
        "experiment",
        "figure",
        "model",
        "ours",
        "other",
        "theirs",
        "ratio",
    ]);
    for row in outcomes.iter().flat_map(|o| &o.rows) {
        let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
        out += &output::csv_line([
            row.experiment.to_owned(),
            row.figure.to_owned(),
            row.model.to_owned(),
            number(row.ours),
            row.other.clone().unwrap_or_default(),
            number(row.theirs),
            number(row.ratio),
        ]);
    }
    out
}
