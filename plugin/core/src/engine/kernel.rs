//! What is swept: numbers, lists of them, and rows in any form.

use super::shares::Shares;
use std::ops::{Add, Mul, Range, Sub};

/// Impulses and velocities as they are, and where they begin.
pub(super) struct Present<'a, T> {
    pub(super) z: &'a mut [T],
    pub(super) v: &'a mut [T],
    pub(super) from: [usize; 2],
}

/// A number, or several, of the lists that are swept.
pub(super) trait Entry:
    Copy + Default + Send + Sync + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// Whether every test computes velocities from the impulses again: extrapolating multiplies their round-off by the square of
    /// the sweeps since.
    const DRIFTS: bool;

    /// This number in every place.
    fn all(x: f64) -> Self;

    /// The sum of its numbers.
    fn sum(self) -> f64;
}

/// The rows of an island in the form that is swept.
pub(super) trait Kernel<T>: Sync {
    fn shares(&self) -> &Shares;

    /// Visits the units one after another; impulses and velocities begin where the lists do.
    fn forward(&self, visits: Range<usize>, present: Present<'_, T>);

    /// The other way round.
    fn backward(&self, visits: Range<usize>, present: Present<'_, T>);

    /// The residual of impulses that make a velocity.
    fn residual(&self, z: &[T], v: &[T]) -> f64;

    /// The velocity that impulses make.
    fn velocity_of(&self, z: &[T], v: &mut Vec<T>);
}
