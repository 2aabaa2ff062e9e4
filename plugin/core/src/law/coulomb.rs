//! Coulomb's law: the tangential impulse lies in a disc that grows with the normal one.

use super::number::{Arithmetic, Number, Plain};
use std::ops::{Add, Mul};

/// The nearest point of the disc of radius `bound` >= 0.
#[inline(always)]
pub(crate) fn onto_disc<T: Number>(y: [T; 2], bound: T) -> [T; 2] {
    onto_disc_by(Plain, y, bound)
}

/// The same by the instructions of a machine.
#[inline(always)]
pub(crate) fn onto_disc_by<T>(m: impl Arithmetic<T>, y: [T; 2], bound: T) -> [T; 2]
where
    T: Copy + Add<Output = T> + Mul<Output = T>,
{
    let square = m.mul_add(y[0], y[0], m.mul(y[1], y[1]));
    let share = m.share(bound, square);
    [m.mul(y[0], share), m.mul(y[1], share)]
}
