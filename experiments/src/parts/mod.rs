//! Parts of scenes that no engine is needed for.

pub(crate) mod block_law;
pub(crate) mod terrain;
pub(crate) mod walking;
