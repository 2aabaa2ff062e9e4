//! The text of a problem file as lists of numbers, not yet a problem.
#![allow(non_snake_case, reason = "the letters of the literature")]

use super::ProblemFileError;
use crate::settings::{ModelName, ModelSettings};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, error::Category};
use std::fmt;
use std::marker::PhantomData;

/// Everything a file may say; what is absent is empty, or zero.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Raw {
    pub(super) h: Option<f64>,
    pub(super) M: Option<Vec<Vec<f64>>>,
    pub(super) M_blocks: Option<Vec<Vec<Vec<f64>>>>,
    pub(super) v: Vec<f64>,
    pub(super) f: Vec<f64>,
    pub(super) v_free: Vec<f64>,
    pub(super) N: Vec<Row>,
    pub(super) S: Vec<Row>,
    pub(super) T: Vec<Row>,
    pub(super) J: Vec<Row>,
    pub(super) J_rhs: Each,
    pub(super) phi: Each,
    pub(super) mu: Each,
    pub(super) mu_viscous: Each,
    pub(super) restitution: Each,
    pub(super) mu_across: Each<Option<f64>>,
    pub(super) mu_torsional: Each,
    pub(super) mu_rolling: Each,
    pub(super) A_n: Vec<Option<Row>>,
    pub(super) A_s: Vec<Option<Row>>,
    pub(super) A_t: Vec<Option<Row>>,
    pub(super) compliance: Each,
    pub(super) surface_velocity: Vec<[f64; 2]>,
    pub(super) normal_drift: Each,
    pub(super) impact_velocity: Each,
    pub(super) acceleration_bias: Vec<[f64; 3]>,
    pub(super) limits: Limits,
    pub(super) bounded: Bounded,
    pub(super) scalar_order: Vec<String>,
    pub(super) keys: Keys,
    pub(super) L_blocks: Option<Vec<Factor>>,
    pub(super) settings: Option<StepSettings>,
    pub(super) format: Option<u64>,
    pub(super) note: Option<String>,
}

/// One-sided rows.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Limits {
    pub(super) rows: Vec<Row>,
    pub(super) gap: Each,
}

/// Rows with a bound on their impulse.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Bounded {
    pub(super) rows: Vec<Row>,
    pub(super) velocity: Each,
    pub(super) limit: Option<Each>,
    pub(super) compliance: Each,
}

/// The rows' names for the warm start.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Keys {
    pub(super) contacts: Vec<u64>,
    pub(super) J: Vec<u64>,
    pub(super) limits: Vec<u64>,
    pub(super) bounded: Vec<u64>,
}

/// The factor of one mass block.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Factor {
    /// Parent coordinate of each coordinate, -1 for none.
    pub(super) parents: Vec<i64>,
    pub(super) L: Vec<f64>,
}

/// A row over all coordinates.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Row {
    /// A value for every coordinate.
    Dense(Vec<f64>),
    /// Values of the named coordinates, all others zero.
    Sparse(Entries),
}

/// The sparse form of a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entries {
    /// Coordinates, strictly ascending.
    pub(super) cols: Vec<usize>,
    pub(super) vals: Vec<f64>,
    /// Mass blocks that the row belongs to, where its columns don't say so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) blocks: Vec<usize>,
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct RowVisitor;
        impl<'de> Visitor<'de> for RowVisitor {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a row: a list of numbers, or {\"cols\": [..], \"vals\": [..]}")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Row, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Row::Dense)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Row, A::Error> {
                Entries::deserialize(MapAccessDeserializer::new(map)).map(Row::Sparse)
            }
        }
        from.deserialize_any(RowVisitor)
    }
}

/// A value for every contact (or row): one for all, or a list.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Each<T = f64> {
    /// The same for all.
    All(T),
    /// One each.
    List(Vec<T>),
}

impl<T: Default> Default for Each<T> {
    fn default() -> Self {
        Self::All(T::default())
    }
}

impl<'de, T: Deserialize<'de> + From<f64>> Deserialize<'de> for Each<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct EachVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de> + From<f64>> Visitor<'de> for EachVisitor<T> {
            type Value = Each<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a finite number for all, or a list")
            }

            fn visit_f64<E: Error>(self, x: f64) -> Result<Each<T>, E> {
                Ok(Each::All(x.into()))
            }

            fn visit_i64<E: Error>(self, x: i64) -> Result<Each<T>, E> {
                self.visit_f64(x as f64)
            }

            fn visit_u64<E: Error>(self, x: u64) -> Result<Each<T>, E> {
                self.visit_f64(x as f64)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Each<T>, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Each::List)
            }
        }
        from.deserialize_any(EachVisitor(PhantomData))
    }
}

/// Model and settings: one object, the model's name among the settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct StepSettings {
    pub(super) model: Option<ModelName>,
    pub(super) settings: ModelSettings,
}

impl<'de> Deserialize<'de> for StepSettings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct SettingsVisitor;
        impl<'de> Visitor<'de> for SettingsVisitor {
            type Value = StepSettings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object, the settings of a model")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StepSettings, A::Error> {
                let mut fields = Map::new();
                while let Some(name) = map.next_key::<String>()? {
                    if fields.contains_key(&name) {
                        return Err(A::Error::custom(format!("duplicate field `{name}`")));
                    }
                    fields.insert(name, map.next_value()?);
                }
                let model = match fields.remove("model") {
                    Some(Value::String(name)) => Some(name.parse().map_err(A::Error::custom)?),
                    Some(other) => return Err(A::Error::custom(format!("no model: {other}"))),
                    None => None,
                };
                let settings = ModelSettings::deserialize(Value::Object(fields));
                let settings = settings.map_err(A::Error::custom)?;
                Ok(StepSettings { model, settings })
            }
        }
        from.deserialize_map(SettingsVisitor)
    }
}

/// Reads the text.
pub(super) fn parse(text: &[u8]) -> Result<Raw, ProblemFileError> {
    // Some editors put the mark of UTF-8 before everything.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    match text.iter().find(|b| !b.is_ascii_whitespace()) {
        Some(b'{') => serde_json::from_slice(text).map_err(|error| refusal(&error, text)),
        Some(_) => Err(ProblemFileError::entry("", "a problem is an object: {..}")),
        None => Err(ProblemFileError::Empty),
    }
}

/// An error of the text with its entry.
fn refusal(error: &serde_json::Error, text: &[u8]) -> ProblemFileError {
    let (line, column) = (error.line(), error.column());
    let before = text.split_inclusive(|b| *b == b'\n').take(line.max(1) - 1);
    let place = (before.map(<[u8]>::len).sum::<usize>() + column).min(text.len());
    let around = &text[place.saturating_sub(2)..(place + 8).min(text.len())];
    let around = String::from_utf8_lossy(around).to_lowercase();
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or_default();
    let reason = match error.classify() {
        Category::Eof => format!("the text ends too early: {said}"),
        Category::Syntax if around.contains("nan") || around.contains("inf") => {
            "NaN and Infinity are no JSON numbers; every entry must be finite".to_owned()
        }
        _ => said.to_owned(),
    };
    ProblemFileError::Text {
        entry: entry(&text[..place]),
        reason,
        line,
        column,
    }
}

/// The entry that a text breaks off in, `N[3][7]`: what is open at its end.
fn entry(text: &[u8]) -> String {
    enum Open {
        /// A list, and the place in it.
        List(usize),
        /// An object, and the name of its field once that has been read.
        Object(Option<String>),
    }
    let mut open = Vec::new();
    let mut i = 0;
    while let Some(byte) = text.get(i) {
        i += 1;
        match (byte, open.last_mut()) {
            (b'[', _) => open.push(Open::List(0)),
            (b'{', _) => open.push(Open::Object(None)),
            (b']' | b'}', _) => drop(open.pop()),
            (b',', Some(Open::List(at))) => *at += 1,
            (b',', Some(Open::Object(name))) => *name = None,
            (b'"', level) => {
                let start = i;
                while text.get(i).is_some_and(|b| *b != b'"') {
                    i += 1 + usize::from(text[i] == b'\\');
                }
                let word = &text[start.min(text.len())..i.min(text.len())];
                if let Some(Open::Object(name @ None)) = level {
                    let word = String::from_utf8_lossy(word);
                    *name = Some(word.chars().take(60).collect());
                }
                i += 1;
            }
            _ => {}
        }
    }
    let mut path = String::new();
    for level in open {
        match level {
            Open::List(at) => path += &format!("[{at}]"),
            Open::Object(Some(name)) if path.is_empty() => path = name,
            Open::Object(Some(name)) => path = format!("{path}.{name}"),
            Open::Object(None) => {}
        }
    }
    path
}
