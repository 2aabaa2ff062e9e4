//! Scenes about friction itself.

pub(super) mod ball;
pub(super) mod conveyor;
pub(super) mod hover;
pub(super) mod slide;
pub(super) mod slope;
