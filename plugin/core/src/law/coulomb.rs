//! Coulomb's law: the tangential impulse lies in a disc that grows with the normal one.

use super::number::Number;

/// The nearest point of the disc of radius `bound` >= 0.
#[inline(always)]
pub(crate) fn onto_disc<T: Number>(y: [T; 2], bound: T) -> [T; 2] {
    let share = T::share(bound, y[0] * y[0] + y[1] * y[1]);
    y.map(|y| y * share)
}
