//! The values of the keys of one run.

use super::catalog::{SCENARIOS, Scenario};
use super::keys::{Key, whole};
use super::near;
use crate::error::CommandError;

/// Scenarios that have a key of this name, where they are few enough to be read.
fn having(name: &str) -> Vec<&'static str> {
    let has = |s: &&Scenario| s.keys.iter().any(|key| key.name == name);
    let names: Vec<_> = SCENARIOS.iter().filter(has).map(|s| s.name).collect();
    if names.len() > 3 { Vec::new() } else { names }
}

/// What is said of a key that is not known: the nearest names among its own keys and others, else its own keys.
pub(crate) fn unknown(whose: &str, keys: &[Key], name: &str, others: &[String]) -> CommandError {
    let own = keys.iter().map(|k| k.name);
    let all = own.chain(others.iter().map(String::as_str));
    let rest = near::did_you_mean(name, all).unwrap_or_else(|| {
        let known: Vec<_> = keys
            .iter()
            .map(|k| format!("{} ({})", k.name, k.default))
            .collect();
        format!("its keys (and defaults) are {}", known.join(", "))
    });
    let list = match others.is_empty() {
        true => "",
        false => " (all keys: stickslip list SCENARIO)",
    };
    let elsewhere = match &having(name)[..] {
        [] => String::new(),
        names => format!(" ({} has it)", names.join(", ")),
    };
    CommandError::Usage(format!(
        "{whose} has no key `{name}`{elsewhere}; {rest}{list}"
    ))
}

/// The keys of one run with their values.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyValues {
    keys: &'static [Key],
    values: Vec<String>,
}

impl KeyValues {
    /// The defaults, changed by `key=value` settings.
    ///
    /// # Errors
    /// A usage error that lists the known keys, or what a key accepts.
    pub fn new(
        scenario: &str,
        keys: &'static [Key],
        settings: &[String],
    ) -> Result<Self, CommandError> {
        let values = keys.iter().map(|k| k.default.to_owned()).collect();
        let mut out = Self { keys, values };
        for setting in settings {
            let Some((name, value)) = setting.split_once('=') else {
                return Err(CommandError::Usage(format!(
                    "--set `{setting}` is not of the form key=value"
                )));
            };
            let (name, value) = (name.trim(), value.trim());
            let Some(index) = keys.iter().position(|k| k.name == name) else {
                return Err(unknown(scenario, keys, name, &[]));
            };
            keys[index].check(value)?;
            value.clone_into(&mut out.values[index]);
        }
        Ok(out)
    }

    /// Every key with its value, set or not.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let values = self.values.iter().map(String::as_str);
        self.keys.iter().map(|key| key.name).zip(values)
    }

    /// The text of a key.
    ///
    /// # Errors
    /// When the scenario has no such key: a mistake of the scenario, not of the user.
    pub fn text(&self, name: &str) -> Result<&str, CommandError> {
        self.keys
            .iter()
            .position(|k| k.name == name)
            .map(|index| self.values[index].as_str())
            .ok_or_else(|| CommandError::Scene(format!("key `{name}` is not declared")))
    }

    /// Whether a key has its default value.
    ///
    /// # Errors
    /// As [`Self::text`].
    pub fn is_default(&self, name: &str) -> Result<bool, CommandError> {
        let text = self.text(name)?;
        let key = self.keys.iter().find(|k| k.name == name);
        Ok(key.is_some_and(|k| k.default == text))
    }

    /// A number.
    ///
    /// # Errors
    /// As [`Self::text`], and when the key isn't a number.
    pub fn number(&self, name: &str) -> Result<f64, CommandError> {
        self.text(name)?
            .parse()
            .map_err(|_| CommandError::Scene(format!("key `{name}` is not a number")))
    }

    /// Several numbers.
    ///
    /// # Errors
    /// As [`Self::number`].
    pub fn numbers<const N: usize>(&self, names: [&str; N]) -> Result<[f64; N], CommandError> {
        let mut numbers = [0.0; N];
        for (number, name) in numbers.iter_mut().zip(names) {
            *number = self.number(name)?;
        }
        Ok(numbers)
    }

    /// A whole number.
    ///
    /// # Errors
    /// As [`Self::text`], and when the key isn't a whole number.
    pub fn count(&self, name: &str) -> Result<usize, CommandError> {
        let number = whole(self.text(name)?);
        let number = number.and_then(|n| usize::try_from(n).ok());
        number.ok_or_else(|| CommandError::Scene(format!("key `{name}` is not a whole number")))
    }

    /// Whether a `true | false` key says `true`.
    ///
    /// # Errors
    /// As [`Self::text`].
    pub fn yes(&self, name: &str) -> Result<bool, CommandError> {
        Ok(self.text(name)? == "true")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: &[Key] = &[
        Key::number("mu", "0.5", (0.0, f64::MAX), "friction [-]"),
        Key::choice("shape", "box", &["box", "sphere"], "what slides"),
        Key::whole("count", "10", (1, 1000), "number of boxes"),
    ];

    fn set(words: &[&str]) -> Result<KeyValues, CommandError> {
        let words: Vec<_> = words.iter().map(|w| (*w).to_owned()).collect();
        KeyValues::new("slide", KEYS, &words)
    }

    #[test]
    fn settings_replace_defaults() {
        let values = set(&["mu=0.25"]).unwrap();
        assert_eq!(values.number("mu").unwrap(), 0.25);
        assert_eq!(values.text("shape").unwrap(), "box");
    }

    #[test]
    fn an_unknown_key_lists_the_known_ones() {
        let near = set(&["nu=1"]).unwrap_err().to_string();
        assert!(near.contains("`nu`; did you mean `mu`?"), "{near}");
        let message = set(&["colour=1"]).unwrap_err().to_string();
        assert!(
            message.contains("`colour`") && message.contains("mu (0.5), shape (box)"),
            "{message}"
        );
    }

    #[test]
    fn whole_numbers_have_no_fraction() {
        assert_eq!(set(&["count=1e3"]).unwrap().count("count").unwrap(), 1000);
        let message = set(&["count=2.5"]).unwrap_err().to_string();
        assert!(
            message.contains("a whole number from 1 to 1000, not `2.5`"),
            "{message}"
        );
        for wrong in [
            "count=0",
            "count=1001",
            "count=-3",
            "count=nan",
            "count=1e99",
        ] {
            assert!(set(&[wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for wrong in ["mu=-1", "mu=nan", "mu=inf", "mu=many", "shape=ring", "mu"] {
            assert!(set(&[wrong]).is_err(), "{wrong}");
        }
    }
}
