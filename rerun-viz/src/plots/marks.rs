//! Marks at steps that failed or fell back.

use super::worst::log;
use crate::chunks::{Times, Writer};
use crate::error::RerunError;
use re_sdk_types::archetypes::{Scalars, SeriesPoints};
use re_sdk_types::components::MarkerShape;
use re_sdk_types::datatypes::Rgba32;
use stickslip_record::StepRecord;

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
    /// Marks a step.
    pub fn put(
        &mut self,
        (mark, step): (Mark, &StepRecord),
        out: &mut Writer<'_>,
    ) -> Result<(), RerunError> {
        let (path, name, color, shape) = match mark {
            Mark::Failed => (FAILED, "failed", [240, 50, 50], MarkerShape::Cross),
            Mark::FellBack => (FELL_BACK, "fell back", [255, 150, 30], MarkerShape::Diamond),
        };
        let path = out.path(path);
        if !std::mem::replace(&mut self.begun[mark as usize], true) {
            let name = out
                .track()
                .map_or(name.to_owned(), |track| format!("{track}: {name}"));
            out.put_static(
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
        out.put_columns(&path, &at, value.columns_of_unit_batches())
    }
}
