//! Names that are nearly others.

/// Letters of a name that is compared: bounds the work.
const LONGEST: usize = 32;

/// The known name that a misspelt one is nearest to: at most two letters changed, dropped, added or swapped, and
/// no more than a third of it. Capitals count as their small letters.
pub(super) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    if name.len() > LONGEST || known.contains(&name) {
        return None;
    }
    let name: Vec<char> = name.to_lowercase().chars().collect();
    let most = 2.min(name.len() / 3);
    let distances = known.iter().map(|k| (distance(&name, k), *k));
    let (least, nearest) = distances.min_by_key(|(d, _)| *d)?;
    (least <= most).then_some(nearest)
}

/// Letters changed, dropped, added or swapped with a neighbour from one name to another.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        rows[i][0] = i;
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j - 1] + change)
                .min(rows[i - 1][j] + 1)
                .min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_of_the_hand() {
        let known = ["inertial", "visual", "collision"];
        for (name, wanted) in [
            ("colision", Some("collision")),
            ("collisoin", Some("collision")),
            ("Visual", Some("visual")),
            ("intertial", Some("inertial")),
            ("collision_checking", None),
            ("verbose", None),
            ("sensor", None),
            ("visual", None),
        ] {
            assert_eq!(nearest(name, &known), wanted, "{name}");
        }
    }
}
