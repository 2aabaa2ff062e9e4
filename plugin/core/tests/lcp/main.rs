//! The solvers of problems with a full matrix through their public interface.
#![allow(clippy::unwrap_used)]

mod lemke;
mod problems;
mod small;
