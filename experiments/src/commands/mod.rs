//! The commands beside `run`.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod listing;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod solve;
pub(crate) mod sweep;
