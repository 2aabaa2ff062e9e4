//! The solvers of problems with a full matrix through their public interface.
#![allow(clippy::unwrap_used)]

mod all_solvers;
mod lemke;
mod problems;
mod small;
