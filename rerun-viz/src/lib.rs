//! Recordings of contact simulations for the [Rerun](https://rerun.io) viewer: bodies with their shapes,
//! contact points, normals and forces, and curves of gap, slip, residual, pivots and time.
//!
//! ```no_run
//! use stickslip_core::record::{Recorder, SceneRecord, StepRecord};
//! use stickslip_rerun::{RecorderOptions, RerunRecorder, Sink};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (scene, steps) = (SceneRecord::default(), Vec::<StepRecord>::new());
//! let sink = Sink::File("run.rrd".into());
//! let mut recorder = RerunRecorder::new(sink, RecorderOptions::default())?;
//! recorder.begin(&scene)?;
//! for step in &steps {
//!     recorder.record(step)?;
//! }
//! recorder.finish()?; // only now does run.rrd exist
//! # Ok(())
//! # }
//! ```
//!
//! Several runs, under different models for example, go side by side into one recording with
//! [`side_by_side`], which gives a recorder for each.

mod blueprint;
mod bounds;
mod chunks;
mod contacts;
mod error;
mod layout;
mod notes;
mod options;
mod outlet;
mod overlay;
mod paths;
mod plots;
mod poses;
mod recorder;
mod running;
mod shapes;
mod sink;
#[cfg(test)]
mod tests;
mod track;

pub use bounds::Extent;
pub use chunks::{SIM_TIME, STEP};
pub use contacts::{SEPARATED, SLIDING, STICKING, state_color};
pub use error::RerunError;
pub use options::{Frames, RecorderOptions, UpAxis};
pub use overlay::{TrackRecorder, side_by_side};
pub use paths::{
    CONTACT_NORMALS, CONTACT_POINTS, FRICTION_FORCES, LEGEND, LOG, NORMAL_FORCES, WORLD,
    body_paths, path_part,
};
pub use plots::{
    FAILED, FELL_BACK, JOINT_EFFORTS, JOINT_LIMITS, JOINT_POSITIONS, JOINT_TARGETS, LOG_FLOOR,
    SERIES, Series,
};
pub use recorder::RerunRecorder;
pub use sink::Sink;
pub use track::Track;
