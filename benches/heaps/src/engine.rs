//! Who steps a world.

use serde::{Serialize, Serializer};
use std::{fmt, str::FromStr};
use stickslip::{ModelName, SolverName};

/// Who steps a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Rapier's own `PhysicsPipeline`.
    Host,
    /// A contact model of stickslip, with its own solver or with the one named.
    Model(ModelName, Option<SolverName>),
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.write_str("host"),
            Self::Model(model, None) => f.write_str(model.as_str()),
            Self::Model(model, Some(solver)) => {
                write!(f, "{}/{}", model.as_str(), solver.as_str())
            }
        }
    }
}

impl Serialize for Engine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An engine's name that isn't known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown engine `{name}`: {reason}; the engines are host, MODEL and MODEL/SOLVER, the models {}",
    ModelName::ALL.map(ModelName::as_str).join(" "))]
pub struct UnknownEngine {
    /// The name given.
    pub name: String,
    /// Which part of it is not known.
    pub reason: String,
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        if name == "host" {
            return Ok(Self::Host);
        }
        let unknown = |reason: &dyn fmt::Display| UnknownEngine {
            name: name.into(),
            reason: reason.to_string(),
        };
        let (model, solver) = match name.split_once('/') {
            None => (name, None),
            Some((model, solver)) => (model, Some(solver)),
        };
        let model: ModelName = model
            .parse()
            .map_err(|_| unknown(&format!("there is no model `{model}`")))?;
        let solver = solver.map(str::parse::<SolverName>).transpose();
        Ok(Self::Model(model, solver.map_err(|e| unknown(&e))?))
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
