//! The numbers that a law is written in: one, or several side by side.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Sub};
use wide::f32x4;

/// A number, or several side by side.
pub(crate) trait Number:
    Copy
    + Default
    + Debug
    + Send
    + Sync
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
{
    const ZERO: Self;
    const ONE: Self;

    /// This number, as often as it takes.
    fn of(x: f64) -> Self;

    /// The larger one; either where one of them is NaN.
    fn larger(self, other: Self) -> Self;

    /// The smaller one; either where one of them is NaN.
    fn smaller(self, other: Self) -> Self;

    fn size(self) -> Self;

    /// Whether all of it is zero.
    fn is_zero(self) -> bool;

    fn root(self) -> Self;

    /// `a` where this is above zero, else `b`.
    fn pick(self, a: Self, b: Self) -> Self;

    /// `min(1, bound / sqrt(square))` of a bound >= 0.
    fn share(bound: Self, square: Self) -> Self;
}

/// What a law does with numbers: by their own operators, or by the instructions of a machine.
pub(crate) trait Arithmetic<T: Add<Output = T> + Mul<Output = T>>: Copy {
    #[inline(always)]
    fn mul(self, a: T, b: T) -> T {
        a * b
    }

    /// `a b + c`.
    #[inline(always)]
    fn mul_add(self, a: T, b: T, c: T) -> T {
        a * b + c
    }

    /// `min(1, bound / sqrt(square))` of a bound >= 0, to a few units in the last place.
    fn share(self, bound: T, square: T) -> T;
}

/// The operators of the numbers themselves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain;

impl<T: Number> Arithmetic<T> for Plain {
    #[inline(always)]
    fn share(self, bound: T, square: T) -> T {
        T::share(bound, square)
    }
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.max(other)
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        self.min(other)
    }

    #[inline(always)]
    fn size(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0.0
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn pick(self, a: Self, b: Self) -> Self {
        if self > 0.0 { a } else { b }
    }

    #[inline(always)]
    fn share(bound: Self, square: Self) -> Self {
        match square > bound * bound {
            true => quotient(bound, square),
            false => 1.0,
        }
    }
}

/// A call, so that what sticks does not wait for root and quotient: each visit waits for the last one's.
#[inline(never)]
fn quotient(bound: f64, square: f64) -> f64 {
    bound / square.sqrt()
}

impl Number for f32x4 {
    const ZERO: Self = f32x4::splat(0.0);
    const ONE: Self = f32x4::splat(1.0);

    #[inline(always)]
    fn of(x: f64) -> Self {
        Self::splat(x as f32)
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.fast_max(other)
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        self.fast_min(other)
    }

    #[inline(always)]
    fn size(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.simd_eq(Self::ZERO).all()
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn pick(self, a: Self, b: Self) -> Self {
        self.simd_gt(Self::ZERO).select(a, b)
    }

    #[inline(always)]
    fn share(bound: Self, square: Self) -> Self {
        const TINY: f32x4 = f32x4::splat(f32::MIN_POSITIVE);
        (bound / square.fast_max(TINY).sqrt()).fast_min(Self::ONE)
    }
}
