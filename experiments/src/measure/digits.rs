//! Numbers as a reader wants them.

use std::fmt::Display;

/// Four significant digits, as short as they can be read.
pub(crate) fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if (1e-2..1e5).contains(&size) {
        let digits = (3 - size.log10().floor() as i32).max(0) as usize;
        format!("{x:.digits$}")
    } else {
        format!("{x:.3e}")
    }
}

/// So many of something, in words: `1 repair`, `2 repairs`.
pub(crate) fn count<N: PartialEq + From<u8> + Display>(n: N, thing: &str) -> String {
    format!("{n} {thing}{}", if n == N::from(1) { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::{count, number};

    #[test]
    fn numbers_keep_four_digits() {
        assert_eq!(number(0.0), "0");
        assert_eq!(number(2.0), "2.000");
        assert_eq!(number(12.345), "12.35");
        assert_eq!(number(0.000_123_4), "1.234e-4");
        assert_eq!(number(123_456.0), "1.235e5");
        assert_eq!(number(-0.05), "-0.05000");
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!(count(1u64, "step"), "1 step");
        assert_eq!(count(0usize, "step"), "0 steps");
        assert_eq!(count(2usize, "other row"), "2 other rows");
    }
}
