//! Factors of matrices on memory that is kept from one factor to the next.

mod blocks;
pub(crate) mod kernel;
mod lu;

pub(crate) use blocks::Blocks;
pub use lu::{Lu, Singular};

/// Largest magnitude.
pub fn max_abs(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// Empties a list and makes room for `n` entries.
pub fn make_room<T>(x: &mut Vec<T>, n: usize) {
    x.clear();
    x.reserve(n);
}
