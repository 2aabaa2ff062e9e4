//! Eight numbers of single precision side by side, and the machines that work on them.
//!
//! A machine with AVX2 and FMA is told at run time; any other takes the same operations number by number, which its compiler
//! may put side by side again. Fused operations round once, so bits are those of a machine, not of all.

use crate::law::number::Arithmetic;
use std::ops::{Add, Mul, Sub};

/// How many numbers are side by side.
pub(super) const LANES: usize = 8;

/// Eight numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(in crate::engine) struct Eight(pub(super) [f32; LANES]);

impl Eight {
    pub(super) const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    pub(super) fn all(x: f32) -> Self {
        Self([x; LANES])
    }

    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut out = self;
        for (out, b) in out.0.iter_mut().zip(other.0) {
            *out = f(*out, b);
        }
        out
    }
}

macro_rules! by_lane {
    ($trait:ident, $method:ident, $op:tt) => {
        impl $trait for Eight {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(other, |a, b| a $op b)
            }
        }
    };
}
by_lane!(Add, add, +);
by_lane!(Sub, sub, -);
by_lane!(Mul, mul, *);

/// What sweeps need of a machine.
pub(super) trait Machine: Arithmetic<Eight> + Send + Sync {
    /// Does work with the instructions of this machine.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;

    fn add(self, a: Eight, b: Eight) -> Eight;

    fn sub(self, a: Eight, b: Eight) -> Eight;

    fn larger(self, a: Eight, b: Eight) -> Eight;

    fn smaller(self, a: Eight, b: Eight) -> Eight;

    fn size(self, a: Eight) -> Eight;

    fn root(self, a: Eight) -> Eight;

    /// Whether all of it is zero.
    fn is_zero(self, a: Eight) -> bool;

    /// Rows as columns.
    fn transpose(self, rows: [Eight; LANES]) -> [Eight; LANES];

    #[inline(always)]
    fn dot(self, a: &[Eight; 3], b: &[Eight; 3]) -> Eight {
        self.mul_add(a[0], b[0], self.mul_add(a[1], b[1], self.mul(a[2], b[2])))
    }
}

/// Any machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Arithmetic<Eight> for Portable {
    #[inline(always)]
    fn share(self, bound: Eight, square: Eight) -> Eight {
        bound.with(square, |bound, square| {
            (bound / square.max(f32::MIN_POSITIVE).sqrt()).min(1.0)
        })
    }
}

impl Machine for Portable {
    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn add(self, a: Eight, b: Eight) -> Eight {
        a + b
    }

    #[inline(always)]
    fn sub(self, a: Eight, b: Eight) -> Eight {
        a - b
    }

    #[inline(always)]
    fn larger(self, a: Eight, b: Eight) -> Eight {
        a.with(b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn smaller(self, a: Eight, b: Eight) -> Eight {
        a.with(b, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn size(self, a: Eight) -> Eight {
        Eight(a.0.map(f32::abs))
    }

    #[inline(always)]
    fn root(self, a: Eight) -> Eight {
        Eight(a.0.map(f32::sqrt))
    }

    #[inline(always)]
    fn is_zero(self, a: Eight) -> bool {
        a == Eight::ZERO
    }

    #[inline(always)]
    fn transpose(self, rows: [Eight; LANES]) -> [Eight; LANES] {
        std::array::from_fn(|i| Eight(std::array::from_fn(|j| rows[j].0[i])))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use avx::Avx;

#[cfg(target_arch = "x86_64")]
mod avx {
    use super::{Arithmetic, Eight, LANES, Machine};
    use pulp::cast;
    use pulp::x86::V3;
    use std::arch::x86_64::{__m256, _CMP_NEQ_UQ};

    /// A machine with AVX2 and FMA.
    #[derive(Clone, Copy, Debug)]
    pub(in crate::engine::pairs) struct Avx(V3);

    impl Avx {
        /// This machine, if it is one.
        pub(in crate::engine::pairs) fn here() -> Option<Self> {
            V3::try_new().map(Self)
        }
    }

    #[inline(always)]
    fn wide(x: Eight) -> __m256 {
        cast(x.0)
    }

    #[inline(always)]
    fn narrow(x: __m256) -> Eight {
        Eight(cast(x))
    }

    impl Arithmetic<Eight> for Avx {
        #[inline(always)]
        fn mul(self, a: Eight, b: Eight) -> Eight {
            narrow(self.0.avx._mm256_mul_ps(wide(a), wide(b)))
        }

        #[inline(always)]
        fn mul_add(self, a: Eight, b: Eight, c: Eight) -> Eight {
            narrow(self.0.fma._mm256_fmadd_ps(wide(a), wide(b), wide(c)))
        }

        /// The reciprocal root of twelve bits, and a step of Newton's method.
        #[inline(always)]
        fn share(self, bound: Eight, square: Eight) -> Eight {
            let x = self.larger(square, Eight::all(f32::MIN_POSITIVE));
            let root = narrow(self.0.avx._mm256_rsqrt_ps(wide(x)));
            let half = self.mul(self.mul(x, Eight::all(-0.5)), root);
            let step = self.mul_add(half, root, Eight::all(0.5));
            let root = self.mul_add(root, step, root);
            self.smaller(self.mul(bound, root), Eight::all(1.0))
        }
    }

    impl Machine for Avx {
        #[inline(always)]
        fn run<R>(self, work: impl FnOnce() -> R) -> R {
            self.0.vectorize(work)
        }

        #[inline(always)]
        fn add(self, a: Eight, b: Eight) -> Eight {
            narrow(self.0.avx._mm256_add_ps(wide(a), wide(b)))
        }

        #[inline(always)]
        fn sub(self, a: Eight, b: Eight) -> Eight {
            narrow(self.0.avx._mm256_sub_ps(wide(a), wide(b)))
        }

        #[inline(always)]
        fn larger(self, a: Eight, b: Eight) -> Eight {
            narrow(self.0.avx._mm256_max_ps(wide(a), wide(b)))
        }

        #[inline(always)]
        fn smaller(self, a: Eight, b: Eight) -> Eight {
            narrow(self.0.avx._mm256_min_ps(wide(a), wide(b)))
        }

        #[inline(always)]
        fn size(self, a: Eight) -> Eight {
            let sign = wide(Eight::all(-0.0));
            narrow(self.0.avx._mm256_andnot_ps(sign, wide(a)))
        }

        #[inline(always)]
        fn root(self, a: Eight) -> Eight {
            narrow(self.0.avx._mm256_sqrt_ps(wide(a)))
        }

        #[inline(always)]
        fn is_zero(self, a: Eight) -> bool {
            let none = self.0.avx._mm256_setzero_ps();
            let differs = (self.0.avx)._mm256_cmp_ps::<_CMP_NEQ_UQ>(wide(a), none);
            self.0.avx._mm256_movemask_ps(differs) == 0
        }

        #[inline(always)]
        fn transpose(self, rows: [Eight; LANES]) -> [Eight; LANES] {
            // Closures would not be compiled for this machine.
            let avx = self.0.avx;
            let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
            macro_rules! pairs {
                ($method:ident, $x:expr, $y:expr) => {
                    avx.$method(wide($x), wide($y))
                };
            }
            let (a, b) = (
                pairs!(_mm256_unpacklo_ps, r0, r1),
                pairs!(_mm256_unpackhi_ps, r0, r1),
            );
            let (c, d) = (
                pairs!(_mm256_unpacklo_ps, r2, r3),
                pairs!(_mm256_unpackhi_ps, r2, r3),
            );
            let (e, f) = (
                pairs!(_mm256_unpacklo_ps, r4, r5),
                pairs!(_mm256_unpackhi_ps, r4, r5),
            );
            let (g, h) = (
                pairs!(_mm256_unpacklo_ps, r6, r7),
                pairs!(_mm256_unpackhi_ps, r6, r7),
            );
            macro_rules! fours {
                ($x:expr, $y:expr) => {
                    (
                        avx._mm256_shuffle_ps::<0x44>($x, $y),
                        avx._mm256_shuffle_ps::<0xee>($x, $y),
                    )
                };
            }
            let ((a0, a1), (a2, a3)) = (fours!(a, c), fours!(b, d));
            let ((b0, b1), (b2, b3)) = (fours!(e, g), fours!(f, h));
            macro_rules! halves {
                ($half:literal, $x:expr, $y:expr) => {
                    narrow(avx._mm256_permute2f128_ps::<$half>($x, $y))
                };
            }
            [
                halves!(0x20, a0, b0),
                halves!(0x20, a1, b1),
                halves!(0x20, a2, b2),
                halves!(0x20, a3, b3),
                halves!(0x31, a0, b0),
                halves!(0x31, a1, b1),
                halves!(0x31, a2, b2),
                halves!(0x31, a3, b3),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eights(seed: f32) -> [Eight; LANES] {
        std::array::from_fn(|i| {
            Eight(std::array::from_fn(|j| {
                (seed + 7.3 * i as f32 + 1.9 * j as f32).sin()
            }))
        })
    }

    /// Each operation is what its name says, on any machine.
    fn operates(m: impl Machine) {
        let (a, b) = (eights(0.3), eights(2.1));
        m.run(|| {
            let t = m.transpose(a);
            for i in 0..LANES {
                let lanes = |f: &dyn Fn(usize) -> f32| Eight(std::array::from_fn(f));
                let (x, y, c) = (a[i], b[i], a[(i + 1) % LANES]);
                assert_eq!(t[i], lanes(&|j| a[j].0[i]));
                assert_eq!(m.add(x, y), lanes(&|j| x.0[j] + y.0[j]));
                assert_eq!(m.sub(x, y), lanes(&|j| x.0[j] - y.0[j]));
                assert_eq!(m.mul(x, y), lanes(&|j| x.0[j] * y.0[j]));
                assert_eq!(m.larger(x, y), lanes(&|j| x.0[j].max(y.0[j])));
                assert_eq!(m.smaller(x, y), lanes(&|j| x.0[j].min(y.0[j])));
                assert_eq!(m.size(x), lanes(&|j| x.0[j].abs()));
                assert_eq!(m.root(m.size(x)), lanes(&|j| x.0[j].abs().sqrt()));
                let (fused, bound) = (m.mul_add(x, y, c), m.size(y));
                let share = m.share(bound, m.mul(x, x));
                for j in 0..LANES {
                    assert!((fused.0[j] - (x.0[j] * y.0[j] + c.0[j])).abs() < 1e-6);
                    let wanted = (bound.0[j] / x.0[j].abs()).min(1.0);
                    assert!((share.0[j] - wanted).abs() < 1e-6 * wanted, "{share:?}");
                }
                let mut one = Eight::ZERO;
                assert!(m.is_zero(one));
                one.0[i] = -1e-30;
                assert!(!m.is_zero(one));
                assert_eq!(m.share(Eight::ZERO, Eight::ZERO), Eight::ZERO);
            }
        });
    }

    #[test]
    fn machines_do_what_they_are_asked() {
        operates(Portable);
        #[cfg(target_arch = "x86_64")]
        if let Some(avx) = Avx::here() {
            operates(avx);
        }
    }
}
