//! Figures of runs over time.

use super::thin::thin;
use super::{Plot, Scale, Series, Style};
use crate::trace::{COLUMNS, Row};
use stickslip_rerun::LOG_FLOOR;

/// One run's part of the plots.
#[derive(Clone, Copy, Debug)]
pub struct Curve<'a> {
    /// Name in the legend.
    pub name: &'a str,
    /// Its trace.
    pub trace: &'a [Row],
    /// Weight of what moves \[N\], a line beside the forces; none if it is not positive.
    pub weight: f64,
}

/// What a plot shows of a trace.
struct Subject {
    /// Last part of the file's name.
    name: &'static str,
    title: &'static str,
    y: &'static str,
    /// Columns with their names in the legend of a single run; of several runs the first is shown.
    columns: &'static [(&'static str, &'static str)],
    factor: f64,
    scale: Scale,
}

const SUBJECTS: [Subject; 7] = [
    Subject {
        name: "gap",
        title: "Smallest gap (negative: penetration)",
        y: "gap [mm]",
        columns: &[("gap_min_m", "smallest gap")],
        factor: 1e3,
        scale: Scale::Linear,
    },
    Subject {
        name: "slip",
        title: "Fastest slip at closed contacts",
        y: "slip [m/s], zero at the lower edge",
        columns: &[("slip_max_m_per_s", "fastest slip")],
        factor: 1.0,
        scale: Scale::Logarithmic,
    },
    Subject {
        name: "force",
        title: "Sum of the normal forces",
        y: "force [N]",
        columns: &[("normal_force_sum_N", "normal forces")],
        factor: 1.0,
        scale: Scale::Linear,
    },
    Subject {
        name: "residual",
        title: "Residual of the contact problem",
        y: "residual [-], zero at the lower edge",
        columns: &[("residual", "residual")],
        factor: 1.0,
        scale: Scale::Logarithmic,
    },
    Subject {
        name: "pivots",
        title: "Pivots per step",
        y: "pivots [-]",
        columns: &[("pivots", "pivots")],
        factor: 1.0,
        scale: Scale::Linear,
    },
    Subject {
        name: "contacts",
        title: "Contacts per step",
        y: "contacts [-]",
        columns: &[("contacts", "contacts")],
        factor: 1.0,
        scale: Scale::Linear,
    },
    Subject {
        name: "time",
        title: "Time per step",
        y: "time [us]",
        columns: &[
            ("step_us", "whole step"),
            ("detect_us", "detection"),
            ("assemble_us", "assembly"),
            ("solve_us", "solve"),
            ("integrate_us", "integration"),
        ],
        factor: 1.0,
        scale: Scale::Logarithmic,
    },
];

/// Bins of a curve: about as many as the axes have pixels.
const BINS: usize = 600;

/// Plots that say nothing where nothing ever touches, and those that say nothing where all is zero.
const OF_CONTACTS: [&str; 4] = ["gap", "slip", "force", "contacts"];
const IF_ANY: [&str; 2] = ["contacts", "pivots"];

/// The plots of one run, or of several in the same axes, by the names of their files. What no run has a
/// value of is left out, so are contacts and pivots where there are none.
pub fn over_time(title: &str, runs: &[Curve<'_>]) -> Vec<(String, Plot)> {
    let mut plots = Vec::new();
    for subject in &SUBJECTS {
        let zero = IF_ANY.contains(&subject.name) && is_zero(runs, subject.name);
        if zero || OF_CONTACTS.contains(&subject.name) && is_zero(runs, "contacts") {
            continue;
        }
        let mut series: Vec<Series> = Vec::new();
        for run in runs {
            let columns = match runs {
                [_] => subject.columns,
                _ => &subject.columns[..1],
            };
            for (column, name) in columns {
                let name = if runs.len() > 1 { run.name } else { name };
                series.extend(line(subject, run, column, name));
            }
        }
        if subject.name == "force" && !series.is_empty() {
            series.extend(runs.first().and_then(weight));
        }
        if !series.is_empty() {
            let plot = Plot {
                title: format!("{title}: {}", subject.title),
                x: "time [s]".to_owned(),
                y: subject.y.to_owned(),
                scale: [Scale::Linear, subject.scale],
                series,
            };
            plots.push((subject.name.to_owned(), plot));
        }
    }
    plots
}

fn at(row: &Row, column: &str) -> Option<f64> {
    let index = COLUMNS.iter().position(|c| *c == column)?;
    row[index]
}

/// Whether a column has values, all of them zero.
fn is_zero(runs: &[Curve<'_>], column: &str) -> bool {
    let rows = runs.iter().flat_map(|run| run.trace);
    let largest = rows
        .filter_map(|row| at(row, column))
        .map(f64::abs)
        .reduce(f64::max);
    largest == Some(0.0)
}

fn line(subject: &Subject, run: &Curve<'_>, column: &str, name: &str) -> Option<Series> {
    let value = |row: &Row| {
        let y = at(row, column)? * subject.factor;
        // A zero has no logarithm.
        let y = match subject.scale {
            Scale::Logarithmic if y < LOG_FLOOR => LOG_FLOOR,
            _ => y,
        };
        let time = at(row, "time_s")?;
        y.is_finite().then_some((time, y))
    };
    let points: Vec<_> = run.trace.iter().filter_map(value).collect();
    (!points.is_empty()).then(|| Series {
        name: name.to_owned(),
        points: thin(points, BINS),
        style: Style::Line,
    })
}

/// The weight from the first step to the last.
fn weight(run: &Curve<'_>) -> Option<Series> {
    let ends = [run.trace.first()?, run.trace.last()?];
    let point = |row: &Row| at(row, "time_s").map(|time| (time, run.weight));
    (run.weight > 0.0).then(|| Series {
        name: "weight".to_owned(),
        points: ends.into_iter().filter_map(point).collect(),
        style: Style::Line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(step: u32, gap: Option<f64>, slip: f64) -> Row {
        let mut row: Row = [None; COLUMNS.len()];
        let mut set = |name: &str, x| {
            let index = COLUMNS.iter().position(|c| *c == name).unwrap();
            row[index] = x;
        };
        set("time_s", Some(f64::from(step) * 0.1));
        set("gap_min_m", gap);
        set("slip_max_m_per_s", Some(slip));
        set("normal_force_sum_N", Some(9.0));
        row
    }

    #[test]
    fn where_nothing_touches_no_contacts_are_drawn() {
        let with = |contacts| {
            let mut trace = [row(1, None, 0.0), row(2, None, 0.0)];
            let index = |name| COLUMNS.iter().position(|c| *c == name).unwrap();
            for (row, contacts) in trace.iter_mut().zip(contacts) {
                row[index("contacts")] = Some(contacts);
                row[index("pivots")] = Some(0.0);
                row[index("residual")] = Some(1e-9);
            }
            let curve = Curve {
                name: "",
                trace: &trace,
                weight: 0.0,
            };
            let plots = over_time("", &[curve]).into_iter();
            plots.map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(with([0.0, 0.0]), ["residual"]);
        assert_eq!(with([0.0, 1.0]), ["slip", "force", "residual", "contacts"]);
    }

    #[test]
    fn runs_share_axes_and_what_nobody_has_is_left_out() {
        let trace = [row(1, None, 0.0), row(2, Some(-1e-3), 0.5)];
        let curve = |name| Curve {
            name,
            trace: &trace,
            weight: 9.81,
        };
        let plots = over_time("box", &[curve("cone"), curve("host")]);
        let names: Vec<_> = plots.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["gap", "slip", "force"]);
        let [gap, slip, force] = [0, 1, 2].map(|i| &plots[i].1);
        assert_eq!(gap.series[0].points, [(0.2, -1.0)]);
        assert_eq!(slip.series[1].points, [(0.1, LOG_FLOOR), (0.2, 0.5)]);
        assert_eq!(slip.series[1].name, "host");
        let last = force.series.last().unwrap();
        assert_eq!((last.name.as_str(), last.points[1].1), ("weight", 9.81));
    }
}
