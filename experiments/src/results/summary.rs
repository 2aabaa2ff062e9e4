//! What a run prints: a line of verdict, the figures that matter, warnings and notes.

use crate::result::RunResult;
use crate::table::{self, Figures};
use anstyle::{AnsiColor, Style};
use std::io::IsTerminal;

/// Verdicts, table, warnings, notes; verdicts in colour on a terminal.
pub(crate) fn text(results: &[&RunResult], figures: Figures) -> String {
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let verdicts = results.iter().map(|result| {
        let line = result.verdict();
        match colour {
            true => {
                let style = style(result.is_met());
                format!("{style}{line}{style:#}\n")
            }
            false => line + "\n",
        }
    });
    let mut out: String = verdicts.collect();
    out += "\n";
    out += &table::table(results, figures);
    out += "\n";
    let several = results.len() > 1;
    for result in results {
        let whose = if several {
            format!("{} / {}: ", result.model, result.solver)
        } else {
            String::new()
        };
        let warnings = result.warnings.iter().map(|w| w.text());
        for line in warnings.chain(result.notes.iter().cloned()) {
            out += &format!("{whose}{line}\n");
        }
    }
    // All runs of a table are of one robot.
    let robot = results.first().map_or(&[][..], |r| &r.robot_notes);
    out.extend(shown(robot).map(|line| line + "\n"));
    if figures == Figures::Main {
        out += "(all figures: --all)\n";
    }
    out
}

/// Lines about a robot file that are shown; warnings always are.
const MOST: usize = 10;

/// What was said of a robot: the first notes, then the warnings.
fn shown(notes: &[String]) -> impl Iterator<Item = String> {
    let (warnings, notes): (Vec<_>, Vec<_>) =
        notes.iter().partition(|n| n.starts_with("warning: "));
    let more = notes.len().saturating_sub(MOST);
    let more = (more > 0).then(|| format!("robot file: {more} more notes, see `stickslip check`"));
    let first = notes
        .into_iter()
        .take(MOST)
        .map(|n| format!("robot file: {n}"));
    first
        .chain(more)
        .chain(warnings.into_iter().cloned())
        .collect::<Vec<_>>()
        .into_iter()
}

/// Green where every bound is kept, red where one is not.
fn style(met: Option<bool>) -> Style {
    let color = match met {
        Some(true) => AnsiColor::Green,
        Some(false) => AnsiColor::Red,
        None => return Style::new().bold(),
    };
    Style::new().bold().fg_color(Some(color.into()))
}
