//! Names like a misspelt one.

/// Most names that are worth reading.
const MOST: usize = 3;

/// The known names nearest to a misspelt one, the nearest first: those that a few slips of the keyboard make of it, or that
/// begin with it.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let most = name.chars().count().max(3) / 3;
    let away = |word: &&str| {
        let slips = distance(name, word);
        let begins = name.len() > 2 && word.starts_with(name);
        (slips <= most || begins).then_some(slips)
    };
    let mut found: Vec<_> = known
        .into_iter()
        .filter_map(|word| Some((away(&word)?, word)))
        .collect();
    found.sort();
    found.truncate(MOST);
    found.into_iter().map(|(_, word)| word).collect()
}

/// `; did you mean a or b?`, or nothing.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let names = nearest(name, known);
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", quoted.join(" or ")))
}

/// Letters to change, add, take away or swap with their neighbours [Damerau 1964]. O(n m).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
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
    use super::*;

    #[test]
    fn the_nearest_come_first_and_strangers_never() {
        let known = ["mu", "mass", "mass_2", "squeeze", "settle"];
        assert_eq!(nearest("sqeeze", known), ["squeeze"]);
        assert_eq!(nearest("masss", known), ["mass"]);
        assert_eq!(nearest("mas", known), ["mass", "mass_2"]);
        assert_eq!(nearest("um", known), ["mu"]);
        assert!(nearest("friction", known).is_empty());
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
