//! Names that are nearly others.

use strsim::osa_distance;

/// Letters of a name that is compared: bounds the work.
const LONGEST: usize = 32;

/// The known name that a misspelt one is nearest to: at most two letters changed, dropped, added or swapped, and
/// no more than a third of it. Capitals count as their small letters.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    if name.len() > LONGEST || known.contains(&name) {
        return None;
    }
    let name = name.to_lowercase();
    let most = 2.min(name.chars().count() / 3);
    let distances = known.iter().map(|k| (osa_distance(&name, k), *k));
    let (least, nearest) = distances.min_by_key(|(d, _)| *d)?;
    (least <= most).then_some(nearest)
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
