//! Numbers of twice the precision: unevaluated sums of two `f64`, about 32 digits.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `hi + lo` with `|lo| <= ulp(hi) / 2`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Twofold {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

/// `a + b` and its round-off [Knuth].
#[inline]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// `a + b` and its round-off for `|a| >= |b|` [Dekker].
#[inline]
fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}

/// `a` as the sum of two numbers of 26 bits, whose products are exact [Dekker].
#[inline]
pub(super) fn split(a: f64) -> (f64, f64) {
    const FACTOR: f64 = 134_217_729.0;
    let t = FACTOR * a;
    let head = t - (t - a);
    (head, a - head)
}

/// `a b` and its round-off [Dekker].
#[inline]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    (p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2)
}

impl Twofold {
    pub(super) const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    pub(super) const ONE: Self = Self { hi: 1.0, lo: 0.0 };

    #[inline]
    pub(super) fn less(self, other: Self) -> bool {
        self.hi < other.hi || (self.hi == other.hi && self.lo < other.lo)
    }
}

impl From<f64> for Twofold {
    #[inline]
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl Neg for Twofold {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self {
            hi: -self.hi,
            lo: -self.lo,
        }
    }
}

impl Add for Twofold {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let (s, e) = two_sum(self.hi, other.hi);
        let (t, f) = two_sum(self.lo, other.lo);
        let (s, e) = quick_two_sum(s, e + t);
        let (hi, lo) = quick_two_sum(s, e + f);
        Self { hi, lo }
    }
}

impl Sub for Twofold {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Twofold {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let (p, e) = two_product(self.hi, other.hi);
        let (hi, lo) = quick_two_sum(p, e + (self.hi * other.lo + self.lo * other.hi));
        Self { hi, lo }
    }
}

impl Div for Twofold {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let q = self.hi / other.hi;
        let r = self - other * Self::from(q);
        let q2 = r.hi / other.hi;
        let r = r - other * Self::from(q2);
        let (hi, lo) = quick_two_sum(q, q2);
        Self { hi, lo } + Self::from(r.hi / other.hi)
    }
}

/// A sum of products to about 32 digits of the sum of their sizes [Ogita, Rump, Oishi 2005].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum(Twofold);

impl Sum {
    /// Adds `x`.
    #[inline]
    pub(crate) fn add(&mut self, x: f64) {
        let (s, e) = two_sum(self.0.hi, x);
        self.0.hi = s;
        self.0.lo += e;
    }

    /// Adds `a b`.
    #[inline]
    pub(crate) fn add_product(&mut self, a: f64, b: f64) {
        let (p, e) = two_product(a, b);
        self.add(p);
        self.0.lo += e;
    }

    /// The sum, rounded, and its trailing part.
    #[inline]
    pub(crate) fn parts(self) -> (f64, f64) {
        quick_two_sum(self.0.hi, self.0.lo)
    }
}

#[cfg(test)]
mod tests {
    use super::Twofold;

    #[test]
    fn thirty_digits_survive() {
        let third = Twofold::ONE / Twofold::from(3.0);
        let left = third * Twofold::from(3.0) - Twofold::ONE;
        assert!(left.hi.abs() < 1e-31, "{left:?}");
        // (1 + 2^-60)^2 - 1 - 2^-59 = 2^-120.
        let tiny = Twofold::from(2f64.powi(-60));
        let x = Twofold::ONE + tiny;
        let left = x * x - Twofold::ONE - tiny - tiny;
        assert!((left.hi - 2f64.powi(-120)).abs() < 1e-32, "{left:?}");
        let sum = Twofold::from(1e17) + Twofold::from(1.0) - Twofold::from(1e17);
        assert_eq!(sum, Twofold::ONE);
    }
}
