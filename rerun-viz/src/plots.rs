//! Curves over time: what each shows, and the worst of the steps between two frames.

use crate::chunks::{Store, Times};
use crate::error::RerunError;
use crate::outlet::Outlet;
use crate::paths;
use crate::track::Track;
use re_sdk::EntityPath;
use re_sdk_types::archetypes::{Scalars, SeriesLines};
use re_sdk_types::components::AggregationPolicy;
use re_sdk_types::datatypes::Rgba32;
use stickslip_core::record::{ContactState, StepRecord};
use stickslip_core::report::StepReport;

/// Values below this are drawn as this on logarithmic curves (an exact 0 has no logarithm).
pub const LOG_FLOOR: f64 = 1e-18;

/// A curve.
pub struct Series {
    /// Its entity; the part before the last `/` is the view it is drawn in.
    pub path: &'static str,
    /// Its name in the legend, with its unit.
    pub name: &'static str,
    /// Its colour.
    pub color: [u8; 3],
    /// What remains of many points under one pixel.
    policy: AggregationPolicy,
}

/// The curves, in the order of `Worst::values`.
pub const SERIES: [Series; 14] = {
    use AggregationPolicy::{Max, Min, MinMax};
    const fn series(
        path: &'static str,
        name: &'static str,
        color: [u8; 3],
        policy: AggregationPolicy,
    ) -> Series {
        Series {
            path,
            name,
            color,
            policy,
        }
    }
    [
        series("plots/gap/min", "smallest gap [mm]", [90, 160, 255], Min),
        series("plots/slip/max", "log10 slip [m/s]", [240, 72, 50], Max),
        series(
            "plots/force/normal_sum",
            "normal forces, sum [N]",
            [38, 184, 96],
            MinMax,
        ),
        series("plots/force/weight", "weight [N]", [160, 160, 168], MinMax),
        series("plots/residual/max", "log10 residual", [205, 120, 255], Max),
        series("plots/solver/contacts", "contacts", [120, 170, 200], Max),
        series("plots/solver/pivots", "pivots", [255, 190, 60], Max),
        series("plots/solver/fallbacks", "fallbacks", [255, 130, 30], Max),
        series("plots/solver/failures", "failures", [240, 50, 50], Max),
        series("plots/time/total", "whole step [us]", [225, 225, 230], Max),
        series("plots/time/detect", "detect [us]", [90, 160, 255], Max),
        series("plots/time/assemble", "assemble [us]", [255, 190, 60], Max),
        series("plots/time/solve", "solve [us]", [240, 72, 50], Max),
        series("plots/time/integrate", "integrate [us]", [38, 184, 96], Max),
    ]
};

/// The worst of the steps since the last frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worst {
    /// Smallest gap \[m\], if there was a contact.
    gap: Option<f64>,
    /// Largest slip speed at pressed contacts [m/s].
    slip: f64,
    /// The sum of normal forces farthest from the weight \[N\].
    force: Option<f64>,
    /// Whether a step said anything about itself; rapier's own pipeline doesn't, which leaves holes in
    /// the curves of solver and times.
    reported: bool,
    residual: f64,
    /// Contacts, pivots, fallbacks, failures.
    counts: [usize; 4],
    /// Whole step, detect, assemble, solve, integrate \[us\].
    times: [f64; 5],
}

/// The larger of two numbers, a NaN counting as larger than any.
fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

impl Worst {
    /// Before any step.
    pub const NONE: Self = Self {
        gap: None,
        slip: 0.0,
        force: None,
        reported: false,
        residual: 0.0,
        counts: [0; 4],
        times: [0.0; 5],
    };

    /// Takes a step in; `weight` is what the sum of normal forces is compared with.
    pub fn take(&mut self, step: &StepRecord, weight: f64) {
        let mut force = 0.0;
        for contact in &step.contacts {
            self.gap = Some(self.gap.map_or(contact.gap, |gap| gap.min(contact.gap)));
            force += contact.normal_force;
            if contact.state != ContactState::Separated {
                self.slip = worse(self.slip, contact.slip_velocity.norm());
            }
        }
        let error = |f: f64| (f - weight).abs();
        self.force = match self.force {
            Some(kept) if error(kept) >= error(force) => Some(kept),
            _ => Some(force),
        };
        self.reported |= step.report != StepReport::default();
        let solve = &step.report.solve;
        self.residual = worse(self.residual, solve.residuals.max());
        let counts = [
            step.contacts.len(),
            solve.pivots,
            solve.fallbacks,
            solve.failures,
        ];
        for (kept, new) in self.counts.iter_mut().zip(counts) {
            *kept = (*kept).max(new);
        }
        let t = &step.report.times;
        let times = [t.total(), t.detect, t.assemble, t.solve, t.integrate];
        for (kept, new) in self.times.iter_mut().zip(times) {
            *kept = worse(*kept, new);
        }
    }

    /// The values of [`SERIES`]; `None` leaves a hole in the curve.
    fn values(&self, weight: f64) -> [Option<f64>; 14] {
        let log = |x: f64| Some(worse(LOG_FLOOR, x).log10());
        let count = |k: usize| Some(self.counts[k] as f64);
        let solver = |k: usize| count(k).filter(|_| self.reported);
        let time = |k: usize| Some(self.times[k]).filter(|_| self.reported);
        [
            self.gap.map(|gap| gap * 1e3),
            log(self.slip),
            self.force,
            Some(weight),
            log(self.residual).filter(|_| self.reported),
            count(0),
            solver(1),
            solver(2),
            solver(3),
            time(0),
            time(1),
            time(2),
            time(3),
            time(4),
        ]
    }
}

/// The curves of one run among several: one per view, so that its colour is that of the run.
const OF_TRACK: [usize; 6] = [0, 1, 2, 4, 6, 9];
/// The reference line of the forces, once for all runs.
const WEIGHT: usize = 3;

/// A curve of a recording.
#[derive(Debug)]
struct Curve {
    /// Which of [`SERIES`].
    series: usize,
    path: EntityPath,
    name: String,
    color: [u8; 3],
    values: Vec<f64>,
    /// 1 where the curve has a value, 0 where it has a hole.
    counts: Vec<usize>,
}

impl Curve {
    fn new(series: usize, track: Option<&Track>) -> Self {
        let known = &SERIES[series];
        let (path, name, color) = match track {
            Some(track) if series != WEIGHT => {
                let folder = known.path.rsplit_once('/').map_or(known.path, |(f, _)| f);
                let path = paths::of_track(folder, Some(&track.name));
                (path, format!("{}: {}", track.name, known.name), track.color)
            }
            _ => (known.path.into(), known.name.to_owned(), known.color),
        };
        Self {
            series,
            path,
            name,
            color,
            values: Vec::new(),
            counts: Vec::new(),
        }
    }
}

/// Rows of all curves waiting to be sent.
#[derive(Debug)]
pub(crate) struct PlotColumns {
    curves: Vec<Curve>,
}

impl PlotColumns {
    /// No rows yet. Alone, a run has every curve; of several, the first has the weight too.
    pub fn new(track: Option<&Track>, number: usize) -> Self {
        let numbers: Vec<usize> = match track {
            None => (0..SERIES.len()).collect(),
            Some(_) if number == 0 => OF_TRACK.into_iter().chain([WEIGHT]).collect(),
            Some(_) => OF_TRACK.to_vec(),
        };
        let curves = numbers.into_iter().map(|k| Curve::new(k, track));
        Self {
            curves: curves.collect(),
        }
    }

    /// Logs names and colours.
    pub fn put_static(&self, store: &mut Store, outlet: &mut Outlet) -> Result<(), RerunError> {
        for curve in &self.curves {
            store.put_static(
                outlet,
                &curve.path,
                &SeriesLines::new()
                    .with_names([curve.name.as_str()])
                    .with_colors([Rgba32::from(curve.color)])
                    .with_widths([1.5])
                    .with_aggregation_policy(SERIES[curve.series].policy),
            )?;
        }
        Ok(())
    }

    /// Adds a row.
    pub fn push(&mut self, worst: &Worst, weight: f64) {
        let values = worst.values(weight);
        for curve in &mut self.curves {
            let value = values[curve.series];
            curve.values.extend(value);
            curve.counts.push(usize::from(value.is_some()));
        }
    }

    /// Sends the rows and starts over.
    pub fn flush(
        &mut self,
        store: &mut Store,
        outlet: &mut Outlet,
        times: &Times,
    ) -> Result<(), RerunError> {
        for curve in &mut self.curves {
            store.put_columns(
                outlet,
                &curve.path,
                times,
                Scalars::new(curve.values.drain(..)).columns(curve.counts.iter().copied()),
            )?;
            curve.counts.clear();
        }
        Ok(())
    }
}
