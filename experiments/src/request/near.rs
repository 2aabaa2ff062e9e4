//! Names like a misspelt one.

use strsim::osa_distance;

/// Most names that are worth reading.
const MOST: usize = 3;

/// The known names nearest to a misspelt one, the nearest first: those that begin with it, or differ by at most a third of
/// its letters changed, added, dropped or swapped with a neighbour.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let most = name.chars().count().max(3) / 3;
    let away = |word: &&str| {
        let slips = osa_distance(name, word);
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
    }
}
