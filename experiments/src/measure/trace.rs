//! Per-step values for `--csv`.

use crate::metrics::larger;
use crate::session::{ContactSample, StepSample};

/// Columns of the trace, in order; units in the names.
pub const COLUMNS: [&str; 13] = [
    "step",
    "time_s",
    "step_us",
    "detect_us",
    "assemble_us",
    "solve_us",
    "integrate_us",
    "contacts",
    "gap_min_m",
    "slip_max_m_per_s",
    "normal_force_sum_N",
    "pivots",
    "residual",
];

/// One line of the trace, as [`COLUMNS`].
pub type Row = [Option<f64>; COLUMNS.len()];

/// The row of one step.
pub fn row(step: u64, dt: f64, sample: &StepSample, contacts: &[ContactSample]) -> Row {
    let report = sample.report.as_ref();
    let times = report.map(|r| r.times);
    let gap = contacts
        .iter()
        .map(|c| c.record.gap)
        .fold(None, |a: Option<f64>, gap| {
            Some(a.map_or(gap, |a| if gap < a || gap.is_nan() { gap } else { a }))
        });
    let closed = || contacts.iter().filter(|c| c.closed);
    [
        Some(step as f64),
        Some((step + 1) as f64 * dt),
        Some(sample.wall),
        times.map(|t| t.detect),
        times.map(|t| t.assemble),
        times.map(|t| t.solve),
        times.map(|t| t.integrate),
        Some(contacts.len() as f64),
        gap,
        Some(closed().map(|c| c.slip_speed()).fold(0.0, larger)),
        Some(contacts.iter().map(|c| c.record.normal_force).sum()),
        report.map(|r| r.solve.pivots as f64),
        report.map(|r| r.solve.residuals.max()),
    ]
}
