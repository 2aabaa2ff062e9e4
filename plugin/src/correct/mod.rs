//! What is put right in an answer before it is written back.

pub(crate) mod arrive;
pub(crate) mod ccd;
mod keep;
pub(crate) mod position;
