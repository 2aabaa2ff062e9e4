//! Records of scenes and of their steps, for viewers and metrics: owned, engine-neutral, f64.
//!
//! A [`SceneRecord`] holds what stays as it is during a run, a [`StepRecord`] what one step did, its [`StepReport`] among
//! it. A [`Recorder`] takes them. `stickslip` makes both of any rapier scene (`stickslip::record::Attached`),
//! `stickslip-rerun` records them for the Rerun viewer.
//!
//! ```
//! use std::convert::Infallible;
//! use stickslip_record::{Recorder, SceneRecord, StepRecord};
//!
//! /// The largest normal force of a run.
//! #[derive(Default)]
//! struct Largest(f64);
//!
//! impl Recorder for Largest {
//!     type Error = Infallible;
//!
//!     fn begin(&mut self, _: &SceneRecord) -> Result<(), Infallible> {
//!         Ok(())
//!     }
//!
//!     fn record(&mut self, step: &StepRecord) -> Result<(), Infallible> {
//!         let forces = step.contacts.iter().map(|contact| contact.normal_force);
//!         self.0 = forces.fold(self.0, f64::max);
//!         Ok(())
//!     }
//!
//!     fn finish(&mut self) -> Result<(), Infallible> {
//!         Ok(())
//!     }
//! }
//! ```

mod recorder;
mod report;
mod scene;
mod step;

pub use recorder::Recorder;
pub use report::{Activity, ReliefReport, StageTimes, StepReport};
pub use scene::{
    Arrows, BodyRecord, CurveGroup, Geometry, InertialRecord, JointMotion, JointRecord, Layer,
    SceneRecord, ShapeRecord, ViewRecord,
};
pub use step::{ContactRecord, ContactState, JointSample, MotionRecord, StepRecord};

#[cfg(test)]
mod tests;
