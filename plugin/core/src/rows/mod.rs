//! Active rows.
pub(crate) mod kernel;
