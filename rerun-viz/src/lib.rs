//! Recordings of contact simulations for the [Rerun](https://rerun.io) viewer: bodies with their shapes,
//! contact points, normals, forces and cones, balance, wrenches, joints, and curves over time.
//!
//! A rapier user attaches a [`RerunRecorder`] to a `ContactPipeline` by `stickslip::record::Attached`; the
//! example `record` shows it. Others make the records themselves:
//!
//! ```no_run
//! use stickslip_record::{Recorder, SceneRecord, StepRecord};
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

mod balance;
mod blueprint;
mod bounds;
mod chunks;
mod contacts;
mod details;
mod error;
mod eye;
mod layout;
mod links;
mod load;
mod names;
mod notes;
mod options;
mod outlet;
mod overlay;
mod paths;
mod plots;
mod poses;
mod program;
mod recorder;
mod recording;
mod running;
mod shapes;
mod sink;
#[cfg(feature = "sdk")]
mod stream;
#[cfg(test)]
mod tests;
mod track;
mod viewer;
mod warnings;
mod wrenches;

#[cfg(feature = "sdk")]
pub use rerun;

pub use balance::{BALANCE, CENTER_OF_MASS, PLUMB_LINE, SUPPORT};
pub use bounds::Extent;
pub use contacts::{SEPARATED, SLIDING, STICKING, TROUBLED, load_color, state_color};
pub use details::{CONTACT_CONES, CONTACT_TANGENTS};
pub use error::RerunError;
pub use names::{SIM_TIME, STEP};
pub use options::{Frames, OwnView, RecorderOptions, UpAxis, ViewKind, ViewLayout};
pub use overlay::{TrackRecorder, side_by_side};
pub use paths::{
    COLLISION, CONTACT_FORCES, CONTACT_NORMALS, CONTACT_POINTS, FRAME, FRICTION_FORCES, JOINTS,
    LEGEND, LOG, NORMAL_FORCES, VISUAL, WORLD, body_paths, path_part,
};
pub use plots::{
    FAILED, FELL_BACK, GAP_FLOOR, JOINT_EFFORTS, JOINT_LIMITS, JOINT_POSITIONS, JOINT_TARGETS,
    LOG_FLOOR, SERIES, SLIP_FLOOR, Series,
};
pub use recorder::RerunRecorder;
pub use recording::Recording;
pub use sink::Sink;
pub use track::Track;
pub use warnings::{Warning, warnings};
pub use wrenches::{
    WRENCH_FORCE_CURVES, WRENCH_FORCES, WRENCH_TORQUE_CURVES, WRENCH_TORQUES, WRENCHES,
};
