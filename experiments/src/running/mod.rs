//! Running scenarios, until they end or are ended, and what is left of them.

mod conclusion;
pub mod drive;
pub mod dump;
pub mod force_log;
pub mod interrupt;
pub mod manifest;
pub mod progress;
pub mod provenance;
pub mod result;
mod run;
pub mod runner;
