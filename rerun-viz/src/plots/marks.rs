//! Marks at steps that failed or fell back.

use super::worst::log;
use crate::chunks::{Store, Times};
use crate::error::RerunError;
use crate::outlet::Outlet;
use crate::paths;
use re_sdk_types::archetypes::{Scalars, SeriesPoints};
use re_sdk_types::components::MarkerShape;
use re_sdk_types::datatypes::Rgba32;
use stickslip_core::record::StepRecord;

/// Steps without a usable answer, at their residual.
pub const FAILED: &str = "plots/residual/failed";
/// Steps that were solved by a fallback, at their residual.
pub const FELL_BACK: &str = "plots/residual/fell_back";

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Failed,
    FellBack,
}

impl Mark {
    /// That of a step, if it needs one.
    pub fn of(step: &StepRecord) -> Option<Self> {
        let solve = &step.report.solve;
        if solve.failures > 0 || !solve.status.is_usable() {
            Some(Self::Failed)
        } else if solve.fallbacks > 0 {
            Some(Self::FellBack)
        } else {
            None
        }
    }
}

/// The marks of a run. Their entities exist only where there are any, with rows at just these steps: in the
/// time panel each is a point on its row.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    begun: [bool; 2],
}

impl Marks {
    /// Marks a step. `track` is whose it is, where there are several runs.
    pub fn put(
        &mut self,
        (mark, step): (Mark, &StepRecord),
        track: Option<&str>,
        (store, outlet): (&mut Store, &mut Outlet),
    ) -> Result<(), RerunError> {
        let (path, name, color, shape) = match mark {
            Mark::Failed => (FAILED, "failed", [240, 50, 50], MarkerShape::Cross),
            Mark::FellBack => (FELL_BACK, "fell back", [255, 150, 30], MarkerShape::Diamond),
        };
        let path = paths::of_track(path, track);
        if !std::mem::replace(&mut self.begun[mark as usize], true) {
            let name = track.map_or(name.to_owned(), |track| format!("{track}: {name}"));
            store.put_static(
                outlet,
                &path,
                &SeriesPoints::new()
                    .with_names([name.as_str()])
                    .with_colors([Rgba32::from(color)])
                    .with_markers([shape])
                    .with_marker_sizes([5.0]),
            )?;
        }
        let mut at = Times::default();
        at.push(step.step, step.time);
        let value = Scalars::single(log(step.report.solve.residuals.max()));
        store.put_columns(outlet, &path, &at, value.columns_of_unit_batches())
    }
}
