//! The text of a problem file as lists of numbers, not yet a problem: read into them, written from them.
#![allow(non_snake_case, reason = "the letters of the literature")]

use crate::error::ProblemFileError;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, error::Category};
use std::fmt;
use std::marker::PhantomData;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ContactData;

/// Objects any field of which may be absent: empty then, or zero.
macro_rules! objects {
    ($($(#[$note:meta])* struct $name:ident { $($field:ident: $kind:ty,)+ })+) => {$(
        $(#[$note])*
        #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub(crate) struct $name {
            $(#[serde(skip_serializing_if = "is_absent")] pub(crate) $field: $kind,)+
        }
    )+};
}

fn is_absent<T: Default + PartialEq>(x: &T) -> bool {
    *x == T::default()
}

objects! {
    /// Everything a file may say.
    struct Raw {
        format: Option<u64>,
        note: Option<String>,
        settings: Option<StepSettings>,
        h: Option<f64>,
        M: Option<Vec<Vec<f64>>>,
        M_blocks: Option<Vec<Vec<Vec<f64>>>>,
        L_blocks: Option<Vec<Factor>>,
        v: Vec<f64>,
        f: Vec<f64>,
        v_free: Vec<f64>,
        N: Vec<Row>,
        S: Vec<Row>,
        T: Vec<Row>,
        phi: Each,
        mu: Each,
        mu_viscous: Each,
        restitution: Each,
        mu_across: Each<Option<f64>>,
        mu_torsional: Each,
        mu_rolling: Each,
        compliance: Each,
        surface_velocity: Vec<[f64; 2]>,
        normal_drift: Each,
        impact_velocity: Each,
        acceleration_bias: Vec<[f64; 3]>,
        A_n: Vec<Option<Row>>,
        A_s: Vec<Option<Row>>,
        A_t: Vec<Option<Row>>,
        J: Vec<Row>,
        J_rhs: Each,
        limits: Limits,
        bounded: Bounded,
        scalar_order: Vec<String>,
        keys: Keys,
    }

    /// One-sided rows.
    struct Limits {
        rows: Vec<Row>,
        gap: Each,
    }

    /// Rows with a bound on their impulse.
    struct Bounded {
        rows: Vec<Row>,
        velocity: Each,
        limit: Option<Each>,
        compliance: Each,
    }

    /// The rows' names for the warm start.
    struct Keys {
        contacts: Vec<u64>,
        J: Vec<u64>,
        limits: Vec<u64>,
        bounded: Vec<u64>,
    }
}

/// Where a contact keeps a number.
type Place = fn(&mut ContactData) -> &mut f64;

macro_rules! numbers {
    ($raw:ident, $($name:ident)+) => {
        [$((stringify!($name), &mut $raw.$name, |c| &mut c.$name)),+]
    };
}

impl Raw {
    /// The contacts' numbers: name, values, place in a contact.
    pub(crate) fn numbers(&mut self) -> [(&'static str, &mut Each, Place); 9] {
        numbers!(self, phi mu mu_viscous restitution mu_torsional mu_rolling compliance
                 normal_drift impact_velocity)
    }
}

/// The factor of one mass block.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Factor {
    /// Parent coordinate of each coordinate, -1 for none.
    pub(crate) parents: Vec<i64>,
    /// Whether the first three coordinates translate all of it, as those of a free body do in any case.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) floats: bool,
    pub(crate) L: Vec<f64>,
}

/// A row over all coordinates.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Row {
    /// A value for every coordinate.
    Dense(Vec<f64>),
    /// Values of the named coordinates, all others zero.
    Sparse(Entries),
}

/// The sparse form of a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entries {
    /// Coordinates, strictly ascending.
    pub(crate) cols: Vec<usize>,
    pub(crate) vals: Vec<f64>,
    /// Mass blocks that the row belongs to, where its columns don't say so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) blocks: Vec<usize>,
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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Each<T = f64> {
    /// The same for all.
    All(T),
    /// One each.
    List(Vec<T>),
}

impl<T: Copy> Each<T> {
    /// The value of a contact or row; the length of a list has been checked.
    pub(crate) fn at(&self, i: usize) -> T {
        match self {
            Self::All(x) => *x,
            Self::List(list) => list[i],
        }
    }
}

impl Each {
    /// A list, unless all are to the bit what an absent field stands for.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let list: Vec<f64> = values.collect();
        match list.iter().all(|x| x.to_bits() == 0) {
            true => Self::default(),
            false => Self::List(list),
        }
    }
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct StepSettings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<ModelName>,
    #[serde(flatten)]
    pub(crate) settings: Option<ModelSettings>,
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
                let settings = Some(settings.map_err(A::Error::custom)?);
                Ok(StepSettings { model, settings })
            }
        }
        from.deserialize_map(SettingsVisitor)
    }
}

/// Reads the text.
pub(crate) fn parse(text: &[u8]) -> Result<Raw, ProblemFileError> {
    // Some editors put the mark of UTF-8 before everything.
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    match text.iter().find(|b| !b.is_ascii_whitespace()) {
        Some(b'{') => {}
        Some(_) => return Err(ProblemFileError::entry("", "a problem is an object: {..}")),
        None => return Err(ProblemFileError::Empty),
    }
    let mut json = serde_json::Deserializer::from_slice(text);
    let raw = serde_path_to_error::deserialize(&mut json)
        .map_err(|error| refusal(error.path().to_string(), error.inner(), text))?;
    json.end()
        .map_err(|error| refusal(String::new(), &error, text))?;
    Ok(raw)
}

/// An error of the text at an entry.
fn refusal(entry: String, error: &serde_json::Error, text: &[u8]) -> ProblemFileError {
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
        // The root is a dot.
        entry: entry.trim_start_matches('.').to_owned(),
        reason,
        line,
        column,
    }
}
