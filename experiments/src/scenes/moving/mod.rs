//! Scenes of bodies that fall, bounce, flow and are pushed.

pub(super) mod bounce;
pub(super) mod granular;
pub(super) mod peg;
