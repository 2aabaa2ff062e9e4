//! Results for the reader: text on the terminal, JSON, CSV, plots.

pub mod output;
pub mod plot;
pub(crate) mod summary;
pub(crate) mod table;
