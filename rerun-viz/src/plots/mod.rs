//! Curves over time.

mod joints;
mod ledger;
mod many;
mod marks;
mod series;
mod worst;

pub(crate) use joints::JointColumns;
pub use joints::{JOINT_EFFORTS, JOINT_LIMITS, JOINT_POSITIONS, JOINT_TARGETS};
pub(crate) use ledger::Ledger;
pub(crate) use many::{Bundle, Style};
pub use marks::{FAILED, FELL_BACK};
pub(crate) use marks::{Mark, Marks};
pub(crate) use series::has_group;
pub use series::{GAP_FLOOR, LOG_FLOOR, SERIES, SLIP_FLOOR, Series};
pub(crate) use worst::Worst;

use crate::chunks::{Times, Writer};
use crate::error::RerunError;
use crate::paths;
use crate::track::Track;
use re_log_types::EntityPath;
use re_sdk_types::archetypes::{Scalars, SeriesLines};
use re_sdk_types::datatypes::Rgba32;
use stickslip_record::SceneRecord;

/// The curves of one run among several: one per view, so that its colour is that of the run.
const OF_TRACK: [usize; 9] = [0, 1, 2, 4, 6, 9, 14, 15, 17];
/// The reference line of the forces, once for all runs.
const WEIGHT: usize = 3;
/// The curve that only runs with joints held by rows have.
const JOINT_GAP: usize = 19;

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
    /// Whether its name is logged.
    begun: bool,
}

impl Curve {
    fn new(series: usize, track: Option<&Track>) -> Self {
        let known = &SERIES[series];
        let (path, name, color) = match track {
            Some(track) if series != WEIGHT => {
                let folder = known.path.rsplit_once('/').map_or(known.path, |(f, _)| f);
                let path = paths::of_track(folder, Some(&track.name));
                (path, track.name.clone(), track.color)
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
            begun: false,
        }
    }

    /// Logs its name and colour, once.
    fn begin(&mut self, out: &mut Writer<'_>) -> Result<(), RerunError> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        out.put_static(
            &self.path,
            &SeriesLines::new()
                .with_names([self.name.as_str()])
                .with_colors([Rgba32::from(self.color)])
                .with_widths([1.5])
                .with_aggregation_policy(SERIES[self.series].policy),
        )
    }
}

/// Rows of all curves waiting to be sent.
#[derive(Debug)]
pub(crate) struct PlotColumns {
    curves: Vec<Curve>,
}

impl PlotColumns {
    /// No rows yet. Alone, a run has every curve that its scene states the numbers for; of several, the first
    /// has the weight too.
    pub fn new(scene: &SceneRecord, track: Option<&Track>, number: usize) -> Self {
        let numbers: Vec<usize> = match track {
            None => (0..SERIES.len()).collect(),
            Some(_) if number == 0 => OF_TRACK.into_iter().chain([WEIGHT]).collect(),
            Some(_) => OF_TRACK.to_vec(),
        };
        let known = numbers
            .into_iter()
            .filter(|&k| has_group(scene, SERIES[k].group));
        let curves = known.map(|k| Curve::new(k, track));
        Self {
            curves: curves.collect(),
        }
    }

    /// Logs names and colours, but that of the joint gaps, which few runs have.
    pub fn put_static(&mut self, out: &mut Writer<'_>) -> Result<(), RerunError> {
        let mut curves = self.curves.iter_mut().filter(|c| c.series != JOINT_GAP);
        curves.try_for_each(|curve| curve.begin(out))
    }

    /// Adds a row; `balance` is that of the ledger.
    pub fn push(&mut self, worst: &Worst, weight: f64, balance: [Option<f64>; 3]) {
        let values = worst.values(weight, balance);
        for curve in &mut self.curves {
            let value = values[curve.series];
            curve.values.extend(value);
            curve.counts.push(usize::from(value.is_some()));
        }
    }

    /// Sends the rows and starts over.
    pub fn flush(&mut self, out: &mut Writer<'_>, times: &Times) -> Result<(), RerunError> {
        for curve in &mut self.curves {
            if !curve.begun && curve.values.is_empty() {
                curve.counts.clear();
                continue;
            }
            curve.begin(out)?;
            out.put_columns(
                &curve.path,
                times,
                Scalars::new(curve.values.drain(..)).columns(curve.counts.iter().copied()),
            )?;
            curve.counts.clear();
        }
        Ok(())
    }
}
