//! Rapier's sets, read: which bodies move freely, which are links of a tree, which move as prescribed.

pub(crate) mod bodies;
pub(crate) mod hooks;
pub(crate) mod links;
pub(crate) mod multibody;
pub(crate) mod prescribed;
pub(crate) mod quarantine;
pub(crate) mod spin;
pub(crate) mod world;
