//! Outcomes as rows of aligned columns.

use crate::measure::{Outcome, Spread};

/// How a column stands.
#[derive(Clone, Copy, PartialEq)]
enum Align {
    Left,
    Right,
}

const COLUMNS: [(&str, usize, Align); 21] = [
    ("scene", 20, Align::Left),
    ("engine", 17, Align::Left),
    ("steps", 5, Align::Right),
    ("median_us", 9, Align::Right),
    ("p99_us", 9, Align::Right),
    ("max_us", 9, Align::Right),
    ("mean_us", 9, Align::Right),
    ("solve_us", 9, Align::Right),
    ("max/med", 7, Align::Right),
    ("/host", 6, Align::Right),
    ("contacts", 8, Align::Right),
    ("res_med", 7, Align::Right),
    ("res_p99", 7, Align::Right),
    ("res_max", 7, Align::Right),
    ("iter", 6, Align::Right),
    (">1e-4", 5, Align::Right),
    ("speed", 7, Align::Right),
    ("depth_mm", 8, Align::Right),
    ("tail_mm", 8, Align::Right),
    ("joint_mm", 8, Align::Right),
    ("excess", 7, Align::Right),
];

/// The names of the columns.
pub fn head() -> String {
    let names = COLUMNS.map(|(name, ..)| name.to_owned());
    line(&names) + "  statuses; verdict"
}

/// An outcome.
pub fn row(outcome: &Outcome) -> String {
    let label = &outcome.label;
    let residual = |part: fn(&Spread) -> f64| {
        dash(outcome.residual.as_ref().map(|spread| short(part(spread))))
    };
    let times = outcome.step_us;
    let is_host = outcome.residual.is_none();
    let cells = [
        format!("{}:{}#{}", label.scene, label.size, label.seed),
        outcome.engine.to_string(),
        outcome.done.to_string(),
        figures(times.median),
        figures(times.p99),
        figures(times.max),
        figures(times.mean),
        dash(outcome.solve_us.map(|solve| figures(solve.median))),
        figures(outcome.max_over_median),
        dash(outcome.ratio_to_host.map(figures)),
        figures(outcome.contacts.median),
        residual(|s| s.median),
        residual(|s| s.p99),
        residual(|s| s.max),
        dash(outcome.iterations.map(figures)),
        dash((!is_host).then(|| outcome.above.to_string())),
        figures(outcome.speed),
        figures(1e3 * outcome.depth),
        figures(1e3 * outcome.depth_tail),
        figures(1e3 * outcome.gap),
        dash(outcome.excess_relative.map(short)),
    ];
    let statuses: Vec<_> = outcome
        .statuses
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    let statuses = if statuses.is_empty() {
        String::new()
    } else {
        statuses.join(", ") + "; "
    };
    format!("{}  {statuses}{}", line(&cells), outcome.verdict)
}

fn line(cells: &[String; COLUMNS.len()]) -> String {
    let padded = cells.iter().zip(COLUMNS).map(|(cell, (_, width, align))| {
        if align == Align::Left {
            format!("{cell:<width$}")
        } else {
            format!("{cell:>width$}")
        }
    });
    padded.collect::<Vec<_>>().join(" ")
}

fn dash(cell: Option<String>) -> String {
    cell.unwrap_or_else(|| "-".to_owned())
}

/// Three figures, as many digits after the point as that takes.
pub(crate) fn figures(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_owned(),
        a if a >= 1e7 => format!("{x:.2e}"),
        a if a >= 100.0 => format!("{x:.0}"),
        a if a >= 10.0 => format!("{x:.1}"),
        a if a >= 1.0 => format!("{x:.2}"),
        a if a >= 1e-3 => format!("{x:.3}"),
        _ => short(x),
    }
}

/// One figure and the power of ten.
fn short(x: f64) -> String {
    if x == 0.0 {
        "0".to_owned()
    } else {
        format!("{x:.0e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_they_must() {
        let all = [0.0, 1234.5, 12.34, 1.234, 0.1234, 0.000_12, f64::NAN];
        let shown = ["0", "1234", "12.3", "1.23", "0.123", "1e-4", "NaN"];
        assert_eq!(all.map(figures), shown);
    }

    #[test]
    fn the_head_is_as_wide_as_its_columns() {
        let widths = COLUMNS.iter().map(|(_, width, _)| width + 1).sum::<usize>();
        assert_eq!(head().find("  statuses"), Some(widths - 1));
    }
}
