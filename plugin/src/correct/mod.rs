//! What is put right in an answer before it is written back.

pub(crate) mod arrive;
pub(crate) mod ccd;
pub(crate) mod position;
mod progress;
mod shake;
