//! Fewer points that look the same.

/// At most about `2 * bins + 2` of the points, ascending in x: of each of `bins` runs of neighbours the lowest
/// and the highest, so that every peak stays visible; the first and the last stay.
pub(super) fn thin(points: Vec<(f64, f64)>, bins: usize) -> Vec<(f64, f64)> {
    if points.len() <= 2 * bins {
        return points;
    }
    let size = points.len().div_ceil(bins);
    let mut out = vec![points[0]];
    for (number, chunk) in points.chunks(size).enumerate() {
        let (mut low, mut high) = (0, 0);
        for (i, point) in chunk.iter().enumerate() {
            if point.1 < chunk[low].1 {
                low = i;
            }
            if point.1 > chunk[high].1 {
                high = i;
            }
        }
        let mut kept = [low.min(high), low.max(high)];
        // The first point of all is there already.
        if number == 0 && kept[0] == 0 {
            kept[0] = kept[1];
        }
        out.push(chunk[kept[0]]);
        if kept[1] != kept[0] {
            out.push(chunk[kept[1]]);
        }
    }
    if out.last() != points.last() {
        out.extend(points.last());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_and_ends_stay() {
        let points: Vec<_> = (0..10_000)
            .map(|i| {
                (
                    f64::from(i),
                    if i == 4321 {
                        9.0
                    } else {
                        (f64::from(i) * 0.01).sin()
                    },
                )
            })
            .collect();
        let few = thin(points.clone(), 100);
        assert!(few.len() <= 202, "{}", few.len());
        assert!(few.contains(&(4321.0, 9.0)));
        assert_eq!((few[0], few.last()), (points[0], points.last()));
        assert!(few.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(thin(points[..150].to_vec(), 100), points[..150]);
    }
}
