//! Problem files: what is written is read back to the bit, what is wrong is named.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
#[allow(dead_code, reason = "each test uses a part of it")]
mod generator;

mod hand_written;
mod mutations;
mod refusals;
mod round_trip;
