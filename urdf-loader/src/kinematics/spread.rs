//! Points that fill a box evenly, without chance: start positions for inverse kinematics.

/// Point `n` of the additive recurrence `frac(1/2 + n g^-k)`, k = 1..d, where g > 1 solves
/// `g^(d+1) = g + 1`: consecutive points keep away from each other (M. Roberts, "The unreasonable
/// effectiveness of quasirandom sequences", 2018). Coordinates in [0, 1).
pub(super) fn point(n: usize, d: usize) -> impl Iterator<Item = f64> {
    let exponent = 1.0 / (d as f64 + 1.0);
    // The fixed point attracts with slope below 1/(d + 1): round-off after 60 rounds.
    let g = (0..60).fold(1.5f64, |g, _| (1.0 + g).powf(exponent));
    (1..=d).map(move |k| (0.5 + n as f64 * g.powi(-(k as i32))).fract())
}

#[cfg(test)]
mod tests {
    use super::point;

    #[test]
    fn in_one_dimension_it_is_the_golden_ratio() {
        let golden = (1.0 + 5.0f64.sqrt()) / 2.0;
        let x = point(1, 1).next().unwrap();
        assert!((x - (0.5 + 1.0 / golden).fract()).abs() < 1e-15, "{x}");
    }

    /// Of 64 points in the unit square, every quarter of it gets its share but for two.
    #[test]
    fn it_fills_the_square_evenly() {
        let mut quarters = [0; 4];
        for n in 0..64 {
            let p: Vec<f64> = point(n, 2).collect();
            assert!(p.iter().all(|x| (0.0..1.0).contains(x)));
            quarters[usize::from(p[0] >= 0.5) + 2 * usize::from(p[1] >= 0.5)] += 1;
        }
        assert!(
            quarters.iter().all(|q| (14..=18).contains(q)),
            "{quarters:?}"
        );
    }
}
