//! A small seeded generator, the same on every machine.

/// Xorshift of 64 bits (Marsaglia 2003). Seed 0 gives the numbers of the scenes' twin in MuJoCo, so that
/// times compare.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator; equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        let start = 88_172_645_463_325_252;
        let mut random = Self(start ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        if seed != 0 {
            // Seeds that differ in one bit start alike.
            for _ in 0..16 {
                random.unit();
            }
        }
        random
    }

    /// Uniform in 0..1.
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // 53 bits: every value is exact.
        (self.0 >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Uniform in `low..high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Three numbers in 0..1.
    pub fn three(&mut self) -> [f64; 3] {
        [self.unit(), self.unit(), self.unit()]
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn seeds_give_their_own_numbers_in_the_unit_interval() {
        let first = |seed| Random::new(seed).three();
        assert_eq!(first(3), first(3));
        assert_ne!(first(3), first(4));
        assert!((0..100).all(|s| first(s).into_iter().all(|x| (0.0..1.0).contains(&x))));
    }
}
