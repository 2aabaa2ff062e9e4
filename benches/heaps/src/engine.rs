//! Who steps a world.

use serde::{Serialize, Serializer};
use std::{fmt, str::FromStr};
use stickslip::ModelName;

/// Who steps a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Rapier's own `PhysicsPipeline`.
    Host,
    /// A contact model of stickslip.
    Model(ModelName),
}

impl Engine {
    /// The name used by the command.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Model(name) => name.as_str(),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Engine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// An engine's name that isn't known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown engine `{name}`; the engines are host {}", ModelName::ALL.map(ModelName::as_str).join(" "))]
pub struct UnknownEngine {
    /// The name given.
    pub name: String,
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        if name == "host" {
            return Ok(Self::Host);
        }
        let model = name
            .parse()
            .map_err(|_| UnknownEngine { name: name.into() })?;
        Ok(Self::Model(model))
    }
}

/// The precision of rapier's state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// `rapier3d`.
    #[default]
    F32,
    /// `rapier3d-f64`.
    F64,
}

/// A precision's name that isn't known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown precision `{name}`; it is f32 or f64")]
pub struct UnknownPrecision {
    /// The name given.
    pub name: String,
}

impl FromStr for Precision {
    type Err = UnknownPrecision;

    fn from_str(name: &str) -> Result<Self, UnknownPrecision> {
        match name {
            "f32" => Ok(Self::F32),
            "f64" => Ok(Self::F64),
            _ => Err(UnknownPrecision { name: name.into() }),
        }
    }
}

impl Precision {
    /// The name used by the command.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}
