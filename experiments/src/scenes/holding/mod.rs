//! Scenes about holding and resting.

pub(super) mod block;
pub(super) mod grasp;
pub(super) mod mass_ratio;
pub(super) mod paper_contacts;
pub(super) mod pinch;
pub(super) mod stack;
