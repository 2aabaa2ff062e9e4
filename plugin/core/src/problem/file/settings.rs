//! The settings of the step that wrote a file.

use crate::models::{ModelName, ModelSettings};
use serde::de::value::StringDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Model and settings: one object, the model's name among the settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct StepSettings {
    pub(super) model: Option<ModelName>,
    pub(super) settings: ModelSettings,
}

impl<'de> Deserialize<'de> for StepSettings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Together)
    }
}

struct Together;

impl<'de> Visitor<'de> for Together {
    type Value = StepSettings;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object, the settings of a model")
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<StepSettings, A::Error> {
        let mut model = None;
        let rest = serde::de::value::MapAccessDeserializer::new(WithoutModel {
            inner,
            model: &mut model,
        });
        let settings = ModelSettings::deserialize(rest)?;
        Ok(StepSettings { model, settings })
    }
}

/// All fields but `model`, which is taken out on the way.
struct WithoutModel<'m, A> {
    inner: A,
    model: &'m mut Option<ModelName>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutModel<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        loop {
            let Some(name) = self.inner.next_key::<String>()? else {
                return Ok(None);
            };
            if name != "model" {
                let name: StringDeserializer<A::Error> = name.into_deserializer();
                return seed.deserialize(name).map(Some);
            }
            let model: String = self.inner.next_value()?;
            if self.model.is_some() {
                return Err(A::Error::custom("field `model` is given twice"));
            }
            *self.model = Some(model.parse().map_err(A::Error::custom)?);
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.inner.next_value_seed(seed)
    }
}

/// The settings as an object with the model's name in front.
pub(super) fn to_json(model: Option<ModelName>, settings: &ModelSettings) -> String {
    #[derive(Serialize)]
    struct Text<'a> {
        #[serde(serialize_with = "name", skip_serializing_if = "Option::is_none")]
        model: Option<ModelName>,
        #[serde(flatten)]
        settings: &'a ModelSettings,
    }
    fn name<S: Serializer>(model: &Option<ModelName>, to: S) -> Result<S::Ok, S::Error> {
        match model {
            Some(model) => to.serialize_str(model.as_str()),
            None => to.serialize_none(),
        }
    }
    // Numbers, words and objects of them can't fail.
    serde_json::to_string(&Text { model, settings }).unwrap_or_default()
}
