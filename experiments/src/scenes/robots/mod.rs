//! Scenes of robots and mechanisms.

pub(super) mod carry;
pub(super) mod drop;
pub(super) mod flight;
pub(super) mod linkage;
pub(super) mod momentum;
pub(super) mod robot;
pub(crate) mod robot_options;
pub(super) mod shake;
pub(super) mod stand;
pub(super) mod walk;
