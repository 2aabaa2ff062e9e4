//! The settings that a run or a solve was given.

use super::names;
use super::paths::{path_of, pointer, value};
use crate::error::CommandError;
use crate::near;
use serde_json::Value;
use stickslip_core::models::{ModelName, ModelSettings};

/// The settings of the models that a run or a solve was given: paths and values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelKeys(Vec<(String, Value)>);

impl ModelKeys {
    /// Whether a name is one of these keys.
    pub fn knows(name: &str) -> bool {
        path_of(name).is_some()
    }

    /// Reads `key=value` settings.
    ///
    /// # Errors
    /// A usage error that lists the keys, or what a key accepts.
    pub fn new(settings: &[String]) -> Result<Self, CommandError> {
        let mut keys = Self::default();
        for setting in settings {
            let Some((name, text)) = setting.split_once('=') else {
                return Err(CommandError::Usage(format!(
                    "--set `{setting}` is not of the form key=value"
                )));
            };
            let (name, text) = (name.trim(), text.trim());
            let Some((path, default)) = path_of(name) else {
                let known = names();
                let rest = near::did_you_mean(name, known.iter().map(String::as_str));
                let rest = rest.unwrap_or_else(|| "all settings: stickslip list grasp".to_owned());
                return Err(CommandError::Usage(format!(
                    "unknown setting `{name}`; {rest}"
                )));
            };
            let one = Self(vec![(path.clone(), value(text, &default))]);
            one.apply(ModelSettings::default())
                .map_err(|e| CommandError::Usage(format!("key `{name}` can't be `{text}`: {e}")))?;
            keys.0.extend(one.0);
        }
        Ok(keys)
    }

    /// Model settings: those given, on top of others. What was not set stays.
    ///
    /// # Errors
    /// When a value is not of the setting's kind.
    pub fn apply(&self, base: ModelSettings) -> Result<ModelSettings, CommandError> {
        if self.0.is_empty() {
            return Ok(base);
        }
        let wrong = |e: serde_json::Error| CommandError::Usage(e.to_string());
        let mut tree = serde_json::to_value(base).map_err(wrong)?;
        for (path, value) in &self.0 {
            if let Some(leaf) = tree.pointer_mut(&pointer(path)) {
                *leaf = value.clone();
            }
        }
        serde_json::from_value(tree).map_err(wrong)
    }

    /// The same, and held against a model.
    ///
    /// # Errors
    /// A usage error naming the setting that is out of range, or the solvers that fit.
    pub fn checked(
        &self,
        model: ModelName,
        base: ModelSettings,
    ) -> Result<ModelSettings, CommandError> {
        let settings = self.apply(base)?;
        stickslip::model(model, settings.clone())
            .map_err(|e| CommandError::Usage(e.to_string()))?;
        Ok(settings)
    }
}
