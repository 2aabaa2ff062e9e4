//! Outcomes of families with a right value each, as a page: what is right, and what every engine has.

use crate::engine::Engine;
use crate::measure::{Measured, Outcome};
use crate::page::{first_of_each, legend};
use crate::table::figures;
use std::fmt::Write;

/// The page. `command` is the one that made it, `about` what a scene is by its name.
pub fn page(
    command: &str,
    about: impl Fn(&str) -> Option<&'static str>,
    all: &[Outcome],
) -> String {
    let engines = first_of_each(all.iter().map(|o| o.engine));
    let mut page = format!(
        "# Families with a right value\n\
         \n\
         Small scenes of what failed in other people's hands, each with a figure whose right value is known, stepped in turns\n\
         by contact models of stickslip and by rapier (`host`). Seeds vary speeds, shapes and places. Made by\n\
         \n\
         ```sh\n\
         {command}\n\
         ```\n\
         \n\
         A cell has the worst seed's figure, and how many of the runs are right where not all are. Times are means over all seeds,\n\
         comparable within a row.\n\
         \n\
         | scene | precision | step [s] | figure | right |"
    );
    let cells = |make: &dyn Fn(&Engine) -> String| engines.iter().map(make).collect::<String>();
    page += &cells(&|engine| format!(" {engine} |"));
    page += " mean step [us] |\n|---|---|---|---|---|";
    page += &"---|".repeat(engines.len() + 1);
    page.push('\n');
    for runs in all.chunk_by(|a, b| key(a) == key(b)) {
        let Some(Measured { right, .. }) = runs.iter().find_map(|o| o.figure) else {
            continue;
        };
        let label = &runs[0].label;
        let range = match (right.least.is_finite(), right.most.is_finite()) {
            (true, false) => format!(">= {}", figures(right.least)),
            (false, true) => format!("<= {}", figures(right.most)),
            _ => format!("{} to {}", figures(right.least), figures(right.most)),
        };
        let _ = write!(
            page,
            "| {} {} | {} | {:.4} | {} | {range} |",
            label.scene,
            label.size,
            label.precision.as_str(),
            label.dt,
            right.name
        );
        page += &cells(&|engine| cell(runs.iter().filter(|o| o.engine == *engine)));
        let times: Vec<_> = (engines.iter())
            .map(|engine| mean(runs.iter().filter(|o| o.engine == *engine)))
            .collect();
        let _ = writeln!(page, " {} |", times.join(" / "));
    }
    page + &legend(about, all)
}

/// Runs that differ by seed and engine alone are one row.
fn key(o: &Outcome) -> (&str, usize, &'static str, u64, usize) {
    let label = &o.label;
    let precision = label.precision.as_str();
    (
        label.scene,
        label.size,
        precision,
        label.dt.to_bits(),
        label.steps,
    )
}

/// The worst figure of the runs of an engine, and how many are right.
fn cell<'a>(runs: impl Iterator<Item = &'a Outcome>) -> String {
    let (mut count, mut right) = (0, 0);
    let mut worst: Option<(f64, f64)> = None;
    for outcome in runs {
        count += 1;
        let Some(Measured {
            right: range,
            value,
        }) = outcome.figure
        else {
            continue;
        };
        right += usize::from(range.has(value) && outcome.done == outcome.label.steps);
        let off = f64::max(range.least - value, value - range.most);
        let off = if off.is_nan() { f64::INFINITY } else { off };
        if worst.is_none_or(|(most, _)| off > most) {
            worst = Some((off, value));
        }
    }
    match worst {
        None => " - |".to_owned(),
        Some((_, value)) if right == count => format!(" {} |", figures(value)),
        Some((_, value)) => format!(" **{}** ({right} of {count}) |", figures(value)),
    }
}

fn mean<'a>(runs: impl Iterator<Item = &'a Outcome>) -> String {
    let times: Vec<_> = runs.map(|o| o.step_us.mean).collect();
    figures(times.iter().sum::<f64>() / times.len() as f64)
}
