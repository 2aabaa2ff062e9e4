//! Figures of a sweep over what was swept.

use super::Grid;
use super::table::setting;
use crate::catalog::{SCENARIOS, Scenario};
use crate::plot::{Plot, Scale, Series, Style, quantity};
use crate::settings::Request;
use serde_json::Value;
use std::path::Path;
use stickslip_rerun::LOG_FLOOR;

/// More lines than that can't be told apart, nor named beside the axes.
const MOST_LINES: usize = 16;

/// Something swept that an axis can show.
#[derive(Clone, Debug, PartialEq)]
enum Swept {
    Dt,
    Duration,
    Key(String),
}

impl Swept {
    fn of(&self, request: &Request) -> Option<f64> {
        match self {
            Self::Dt => request.dt,
            Self::Duration => request.duration,
            Self::Key(name) => setting(request, name)?.parse().ok(),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Dt => "dt",
            Self::Duration => "duration",
            Self::Key(name) => name,
        }
    }

    /// The words beside the axis.
    fn label(&self, scenario: Option<&Scenario>) -> String {
        let key = match self {
            Self::Dt => return "time step [s]".to_owned(),
            Self::Duration => return "duration [s]".to_owned(),
            Self::Key(name) => name,
        };
        let keys = scenario.map_or(&[][..], |s| s.keys);
        match keys.iter().find(|k| k.name == key) {
            Some(known) => format!("{key}: {}", known.doc),
            None => key.clone(),
        }
    }
}

/// What has several values that are numbers.
fn swept(grid: &Grid) -> Vec<Swept> {
    let number = |value: &String| value.parse::<f64>().is_ok_and(f64::is_finite);
    let mut all = Vec::new();
    if grid.dt.len() > 1 {
        all.push(Swept::Dt);
    }
    if grid.duration.len() > 1 {
        all.push(Swept::Duration);
    }
    for axis in &grid.set {
        if axis.values.len() > 1 && axis.values.iter().all(number) {
            all.push(Swept::Key(axis.name.clone()));
        }
    }
    all
}

/// A figure of a row: of the scenario, of the solver, or a time.
fn figure(row: &Value, name: &str) -> Option<f64> {
    let time = name.strip_suffix("_us").unwrap_or(name);
    let places = [
        &row["metrics"][name],
        &row["solver_stats"][name],
        &row["timing_us"][time],
    ];
    places.into_iter().find_map(Value::as_f64)
}

/// Everything but seeds that tells runs apart, beside what the axis shows.
fn label(grid: &Grid, axis: &Swept, request: &Request, row: &Value) -> String {
    let text = |field: &str| row[field].as_str().unwrap_or_default().to_owned();
    let model = text("model");
    let alike = |m: &&String| m.split(':').next() == Some(&*model);
    let mut parts = vec![match grid.models.iter().filter(alike).count() {
        0 | 1 => model,
        _ => format!("{model} / {}", text("solver")),
    }];
    for key in grid.set.iter().filter(|a| a.values.len() > 1) {
        if key.name != axis.name() {
            let value = setting(request, &key.name).unwrap_or_default();
            parts.push(format!("{}={value}", key.name));
        }
    }
    let mut number = |name: &str, list: &[f64], value: Option<f64>| {
        if let (Some(value), true) = (value, list.len() > 1 && axis.name() != name) {
            parts.push(format!("{name}={value}"));
        }
    };
    number("dt", &grid.dt, request.dt);
    number("duration", &grid.duration, request.duration);
    if grid.precisions.len() > 1 {
        parts.push(text("precision"));
    }
    if grid.robots.len() > 1 {
        let stem = request.robot.as_deref().and_then(Path::file_stem);
        parts.extend(stem.map(|s| s.to_string_lossy().into_owned()));
    }
    parts.join(", ")
}

/// Values at one place of an axis: one per seed.
type Places = Vec<(f64, Vec<f64>)>;

/// The middle value.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => values[middle],
        _ => 0.5 * (values[middle - 1] + values[middle]),
    }
}

fn lines(
    grid: &Grid,
    axis: &Swept,
    name: &str,
    rows: &[(&Request, &Value)],
) -> Vec<(String, Places)> {
    let mut lines: Vec<(String, Places)> = Vec::new();
    for (request, row) in rows {
        let (Some(x), Some(y)) = (axis.of(request), figure(row, name)) else {
            continue;
        };
        let label = label(grid, axis, request, row);
        let line = match lines.iter().position(|(l, _)| *l == label) {
            Some(line) => line,
            None => {
                lines.push((label, Places::new()));
                lines.len() - 1
            }
        };
        let places = &mut lines[line].1;
        match places.iter_mut().find(|(at, _)| *at == x) {
            Some((_, values)) => values.push(y),
            None => places.push((x, vec![y])),
        }
    }
    lines
}

/// Ratio of the largest to the smallest above zero; 0 where something is below zero.
fn spread(values: impl Iterator<Item = f64>) -> f64 {
    let (mut low, mut high) = (f64::INFINITY, 0.0f64);
    for value in values {
        if value < 0.0 {
            return 0.0;
        }
        if value > 0.0 {
            low = low.min(value);
        }
        high = high.max(value);
    }
    high / low
}

fn scale(values: impl Iterator<Item = f64>, from: f64) -> Scale {
    if spread(values) >= from {
        Scale::Logarithmic
    } else {
        Scale::Linear
    }
}

/// One plot: a figure over an axis, a line per model and whatever else was swept, the median over the
/// seeds.
fn plot(grid: &Grid, axis: &Swept, name: &str, rows: &[(&Request, &Value)]) -> Option<Plot> {
    let scenario = SCENARIOS.iter().find(|s| s.name == grid.scenario);
    let lines = lines(grid, axis, name, rows);
    let count = lines.len();
    let mut series: Vec<Series> = lines
        .into_iter()
        .take(MOST_LINES)
        .map(|(name, places)| {
            let mut points: Vec<_> = places
                .into_iter()
                .map(|(x, mut values)| (x, median(&mut values)))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series {
                name,
                points,
                style: Style::Marked,
            }
        })
        .collect();
    if series.is_empty() {
        return None;
    }
    let points = || series.iter().flat_map(|s| &s.points);
    let scales = [
        scale(points().map(|p| p.0), 20.0),
        scale(points().map(|p| p.1), 100.0),
    ];
    let mut y = quantity(name);
    if scales[1] == Scale::Logarithmic && points().any(|p| p.1 == 0.0) {
        y += ", zero at the lower edge";
        for point in series.iter_mut().flat_map(|s| &mut s.points) {
            point.1 = point.1.max(LOG_FLOOR);
        }
    }
    let mut title = grid.scenario.clone();
    if grid.seeds.len() > 1 {
        title += &format!(", median of {} seeds", grid.seeds.len());
    }
    if count > MOST_LINES {
        title += &format!(", the first {MOST_LINES} of {count} lines");
    }
    Some(Plot {
        title,
        x: axis.label(scenario),
        y,
        scale: scales,
        series,
    })
}

/// The plots of a sweep by the names of their files: the scenario's main figures, residual, pivots and
/// step time, each over every swept list of numbers.
pub(crate) fn over_sweep(
    grid: &Grid,
    cases: &[Request],
    rows: &[(usize, &Value)],
) -> Vec<(String, Plot)> {
    let scenario = SCENARIOS.iter().find(|s| s.name == grid.scenario);
    let rows: Vec<_> = rows.iter().map(|(run, row)| (&cases[*run], *row)).collect();
    let always = ["residual_max", "pivots_mean", "step_median_us"];
    let summary = scenario.map_or(&[][..], |s| s.summary);
    let mut plots = Vec::new();
    for axis in swept(grid) {
        for name in summary.iter().chain(&always) {
            if let Some(plot) = plot(grid, &axis, name, &rows) {
                let file = format!("{}-{name}-over-{}", grid.scenario, axis.name());
                plots.push((file, plot));
            }
        }
    }
    plots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::Axis;
    use serde_json::json;

    #[test]
    fn a_line_per_model_over_numbers_with_the_median_of_the_seeds() {
        let axis = |name: &str, values: &[&str]| Axis {
            name: name.to_owned(),
            values: values.iter().map(|v| (*v).to_owned()).collect(),
        };
        let grid = Grid {
            scenario: "box".to_owned(),
            models: vec!["cone".to_owned(), "no-slip".to_owned()],
            set: vec![axis("mu", &["0.1", "0.5"])],
            seeds: vec![1, 2, 3],
            ..Grid::default()
        };
        let cases = grid.cases().unwrap();
        let rows: Vec<Value> = cases
            .iter()
            .map(|case| {
                let mu: f64 = setting(case, "mu").unwrap().parse().unwrap();
                // An outlier for seed 3 does not move the median.
                let drift = if case.seed == 3 { 9.0 } else { mu };
                json!({"model": case.model, "metrics": {"drift_m": drift}})
            })
            .collect();
        let rows: Vec<_> = rows.iter().enumerate().collect();
        let plots = over_sweep(&grid, &cases, &rows);
        let [(name, plot)] = &plots[..] else {
            panic!("{} plots", plots.len());
        };
        assert_eq!(name, "box-drift_m-over-mu");
        assert_eq!(plot.y, "drift [m]");
        assert!(plot.x.starts_with("mu: Coulomb"), "{}", plot.x);
        let lines: Vec<_> = plot.series.iter().map(|s| (&*s.name, &*s.points)).collect();
        let points = &[(0.1, 0.1), (0.5, 0.5)][..];
        assert_eq!(lines, [("cone", points), ("no-slip", points)]);
    }
}
