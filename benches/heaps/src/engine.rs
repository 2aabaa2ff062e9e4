//! Who steps a world.

use serde::{Serialize, Serializer};
use std::{fmt, str::FromStr};
use stickslip::core::models::Stage;
use stickslip::{ModelName, SolverName};

/// Who steps a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Rapier's own `PhysicsPipeline`.
    Host,
    /// The same with every contact computed in every step: `contact_recycling` off.
    HostAfresh,
    /// A contact model of stickslip, with its own solver or with the one named, without a stage of the engine or with all.
    Model(ModelName, Option<SolverName>, Option<Stage>),
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => f.write_str("host"),
            Self::HostAfresh => f.write_str("host~recycling"),
            Self::Model(model, solver, without) => {
                f.write_str(model.as_str())?;
                if let Some(solver) = solver {
                    write!(f, "/{}", solver.as_str())?;
                }
                without.map_or(Ok(()), |stage| write!(f, "~{stage}"))
            }
        }
    }
}

impl Engine {
    /// Whether rapier steps.
    pub fn is_host(self) -> bool {
        matches!(self, Self::Host | Self::HostAfresh)
    }
}

impl Serialize for Engine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An engine's name that isn't known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown engine `{name}`: {reason}; the engines are host, host~recycling, MODEL and MODEL/SOLVER, `~STAGE` after either of these leaves a stage out, the models {}",
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
        let hosts = [Self::Host, Self::HostAfresh];
        if let Some(host) = hosts.into_iter().find(|host| host.to_string() == name) {
            return Ok(host);
        }
        let unknown = |reason: &dyn fmt::Display| UnknownEngine {
            name: name.into(),
            reason: reason.to_string(),
        };
        let parts = |name: &'_ str, at: char| match name.split_once(at) {
            None => (name.to_owned(), None),
            Some((first, second)) => (first.to_owned(), Some(second.to_owned())),
        };
        let (rest, without) = parts(name, '~');
        let (model, solver) = parts(&rest, '/');
        let model: ModelName = model
            .parse()
            .map_err(|_| unknown(&format!("there is no model `{model}`")))?;
        let solver = solver.map(|s| s.parse::<SolverName>()).transpose();
        let without = without.map(|name| {
            let found = Stage::ALL.into_iter().find(|stage| stage.as_str() == name);
            let all = Stage::ALL.map(Stage::as_str).join(" ");
            found.ok_or_else(|| {
                unknown(&format!("there is no stage `{name}`; the stages are {all}"))
            })
        });
        Ok(Self::Model(
            model,
            solver.map_err(|e| unknown(&e))?,
            without.transpose()?,
        ))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_read_as_they_are_written() {
        for name in [
            "host",
            "host~recycling",
            "cone",
            "cone/engine",
            "cone/engine~held",
        ] {
            let engine: Engine = name.parse().unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(engine.to_string(), name);
            assert_eq!(engine.is_host(), name.starts_with("host"));
        }
        for wrong in ["", "rapier", "host~held", "cone~recycling"] {
            assert!(wrong.parse::<Engine>().is_err(), "{wrong}");
        }
    }
}
