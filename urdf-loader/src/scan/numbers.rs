//! Lists of numbers in attributes, and the slips in them that have one clear meaning.

/// Largest number there may be: its products with others stay finite.
pub(super) const LARGEST: f64 = 1e30;

/// What a list of numbers is for: how many there are, and what may stand for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    /// One number.
    One,
    /// Three: a position, angles, a direction, edge lengths.
    Three,
    /// Three factors; one stands for all.
    Scale,
    /// Four: a quaternion.
    Four,
    /// Red, green, blue and opacity; opacity 1 if left out.
    Color,
}

/// Numbers as text, and what had to be repaired.
#[derive(Debug, PartialEq)]
pub(super) struct Numbers {
    /// Separated by single blanks.
    pub text: String,
    /// What was wrong and what was made of it.
    pub repair: Option<String>,
}

/// Reads a list of finite numbers. `Err` says what was expected.
///
/// Repaired: commas between numbers; a second dot at the end of one; a fourth number that is zero or equals all others; one scale
/// for three; a colour without opacity.
pub(super) fn list(value: &str, what: List) -> Result<Numbers, String> {
    let count = match what {
        List::One => 1,
        List::Three | List::Scale => 3,
        List::Four | List::Color => 4,
    };
    let mut words: Vec<&str> = value.split_whitespace().collect();
    let mut repairs = Vec::new();
    if value.contains(',') {
        let split: Vec<&str> = value
            .split(|c: char| c == ',' || c.is_whitespace())
            .filter(|w| !w.is_empty())
            .collect();
        // A decimal comma would make more numbers than there should be.
        if split.len() == count {
            words = split;
            repairs.push("commas taken as blanks".to_string());
        }
    }
    for word in &mut words {
        let Some(whole) = word
            .strip_suffix('.')
            .filter(|_| word.parse::<f64>().is_err())
        else {
            continue;
        };
        if whole.parse::<f64>().is_ok() {
            *word = whole;
            repairs.push("the dot at the end of a number dropped".to_string());
        }
    }
    let values = words
        .iter()
        .map(|w| match w.parse::<f64>() {
            Ok(x) if x.abs() <= LARGEST => Ok(x),
            Ok(x) if x.is_finite() => Err(format!("`{w}` is larger than {LARGEST:e}")),
            Ok(_) => Err(format!("`{w}` is not finite")),
            Err(_) => Err(format!("`{w}` is not a number")),
        })
        .collect::<Result<Vec<f64>, String>>();
    match (words.len(), what) {
        (n, _) if n == count => {
            values?;
        }
        (4, List::Three | List::Scale) => {
            let v = values?;
            let all_equal = v.iter().all(|x| *x == v[0]);
            if v[3] != 0.0 && !all_equal {
                return Err("3 numbers expected, 4 found".into());
            }
            words.truncate(3);
            repairs.push("the fourth number dropped".into());
        }
        (1, List::Scale) => {
            values?;
            words = vec![words[0]; 3];
            repairs.push("the one factor taken for all three axes".into());
        }
        (3, List::Color) => {
            values?;
            words.push("1");
            repairs.push("opacity 1 added".into());
        }
        (n, _) => {
            let comma = if value.contains(',') {
                ", separated by blanks, not commas"
            } else {
                ""
            };
            let s = if count == 1 { "" } else { "s" };
            return Err(format!("{count} number{s} expected{comma}, {n} found"));
        }
    }
    Ok(Numbers {
        text: words.join(" "),
        repair: (!repairs.is_empty()).then(|| repairs.join("; ")),
    })
}
