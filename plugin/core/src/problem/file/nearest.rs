//! The known name nearest to a misspelt one.

/// The candidate with the fewest edits, if that is at most a third of the name's length (at least
/// one edit); case is no edit.
pub(super) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    // Nobody misspells at such length.
    if name.len() > 64 {
        return None;
    }
    let lower = name.to_lowercase();
    let best = known
        .iter()
        .map(|k| (edits(&lower, &k.to_lowercase()), *k))
        .min_by_key(|(count, _)| *count)?;
    (best.0 <= (lower.chars().count() / 3).max(1)).then_some(best.1)
}

/// Levenshtein distance.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let swap = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = swap.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_keyboard_finds_its_name() {
        let known = ["restitution", "mu", "mu_viscous", "v_free"];
        assert_eq!(nearest("restituton", &known), Some("restitution"));
        assert_eq!(nearest("v-free", &known), Some("v_free"));
        assert_eq!(nearest("Mu", &known), Some("mu"));
        assert_eq!(nearest("colour", &known), None);
        assert_eq!(nearest("", &known), None);
    }
}
