//! What all scenes share: the world with its stepper, shapes, motors, measures.

pub(super) mod boxes;
pub(super) mod convert;
pub(super) mod fall;
pub(super) mod host;
pub(super) mod joint_gap;
pub(super) mod motor;
pub(super) mod samples;
pub(super) mod scene;
pub(super) mod shapes;
mod stepper;
pub(super) mod twin;
pub(super) mod world;
