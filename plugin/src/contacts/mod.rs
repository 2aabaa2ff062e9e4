//! From detection's manifolds to contact points that are fit for a problem, and what they are made of.

#[cfg(feature = "serde-serialize")]
mod by_collider;
pub(crate) mod gather;
pub(crate) mod ghosts;
pub(crate) mod loops;
pub(crate) mod material;
pub(crate) mod mend;
pub(crate) mod sight;
pub(crate) mod way;
