//! Seeded random numbers, the same on every machine and in every version: figures and tests that depend on
//! them can be repeated to the bit.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator; equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `0..1`.
    pub fn unit(&mut self) -> f64 {
        // 53 bits: every value is exact.
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Uniform in `-1..1`.
    pub fn symmetric(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Uniform in `low..high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number in `0..count`, 0 if that is empty. Of `2^64` equally likely draws, `count` at most are
    /// dealt unevenly.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The first numbers of the authors' own generator (`java.util.SplittableRandom` and its C twin), seed
    /// 1234567.
    #[test]
    fn bits_are_those_of_the_published_generator() {
        let mut random = Random::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| random.bits()), expected);
    }

    /// A tenth of ten thousand numbers falls into each tenth of the range: 1000, give or take five times the
    /// standard deviation sqrt(10,000 * 0.1 * 0.9) = 30.
    #[test]
    fn numbers_fill_their_range_evenly() {
        type Draw = fn(&mut Random) -> f64;
        let draws: [(Draw, f64, f64); 3] = [
            (Random::unit, 0.0, 1.0),
            (Random::symmetric, -1.0, 1.0),
            (|r| r.between(3.0, 5.0), 3.0, 5.0),
        ];
        for (draw, low, high) in draws {
            let mut random = Random::new(1);
            let mut tenths = [0; 10];
            for _ in 0..10_000 {
                let x = draw(&mut random);
                assert!((low..high).contains(&x), "{x}");
                tenths[(10.0 * (x - low) / (high - low)) as usize] += 1;
            }
            assert!(tenths.iter().all(|n| (850..1150).contains(n)), "{tenths:?}");
        }
        let mut random = Random::new(1);
        let mut sides = [0; 6];
        (0..6000).for_each(|_| sides[random.below(6)] += 1);
        assert!(sides.iter().all(|n| (850..1150).contains(n)), "{sides:?}");
        assert_eq!(random.below(0), 0);
    }
}
