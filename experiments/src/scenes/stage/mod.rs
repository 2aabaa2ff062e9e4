//! What every scene stands on: the world with whoever steps it, and what scenes share.

pub(super) mod boxes;
pub(super) mod convert;
pub(super) mod fall;
pub(super) mod host;
pub(super) mod joint_gap;
pub(super) mod motor;
pub(super) mod samples;
pub(super) mod shapes;
pub(super) mod twin;
pub(super) mod world;
