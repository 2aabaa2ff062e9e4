//! What the command line says about a run.

use super::robot_args::RobotArgs;
use crate::error::CommandError;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use stickslip_core::models::ModelName;
use stickslip_core::report::SolverName;

/// Who solves the contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// One of the project's contact models.
    Ours(ModelName),
    /// Rapier's own contact solver, for comparison.
    Host,
}

impl Model {
    /// Every model of the command.
    pub fn all() -> impl Iterator<Item = Self> {
        ModelName::ALL
            .into_iter()
            .map(Self::Ours)
            .chain([Self::Host])
    }

    /// Name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ours(name) => name.as_str(),
            Self::Host => "host",
        }
    }

    /// One line about it.
    pub fn doc(self) -> &'static str {
        match self {
            Self::Ours(ModelName::Frictionless) => "normal impulses only",
            Self::Ours(ModelName::NoSlip) => {
                "closed contacts don't slip, whether pressed or not [D15, sec. VI]"
            }
            Self::Ours(ModelName::NoSlipReleasing) => "closed contacts that press don't slip",
            Self::Ours(ModelName::Viscous) => "viscous friction, implicit at velocity level",
            Self::Ours(ModelName::ViscousAcceleration) => {
                "viscous friction at acceleration level, impacts first [D15, sec. IV]"
            }
            Self::Ours(ModelName::StewartTrinkle) => {
                "Coulomb friction bounded by a polygon, an LCP [ST96]"
            }
            Self::Ours(ModelName::AnitescuPotra) => "the same with Poisson restitution [AP97]",
            Self::Ours(ModelName::Cone) => {
                "the exact friction cone with maximum dissipation [D15, eq. 23-28]"
            }
            Self::Ours(ModelName::Ccp) => "cone complementarity, convex: sliding lifts [TA]",
            Self::Ours(ModelName::DrumwrightShell) => {
                "least kinetic energy under polygonal friction [DS]"
            }
            Self::Ours(ModelName::CoulombAcceleration) => {
                "Coulomb friction at acceleration level: may have no solution [D15, sec. III-B]"
            }
            Self::Ours(ModelName::QuasiStatic) => "bodies without inertia, moved by others [G]",
            Self::Host => "rapier's own contact solver, for comparison",
        }
    }

    /// The model of that name.
    ///
    /// # Errors
    /// A usage error that lists the models.
    pub fn parse(text: &str) -> Result<Self, CommandError> {
        Self::all().find(|m| m.as_str() == text).ok_or_else(|| {
            let known: Vec<_> = Self::all().map(Self::as_str).collect();
            CommandError::Usage(format!(
                "unknown model `{text}`; the models are {}",
                known.join(", ")
            ))
        })
    }
}

/// Precision of the engine below. The contact problem is solved in f64 either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum Precision {
    /// rapier3d
    #[serde(rename = "f32")]
    F32,
    /// rapier3d-f64
    #[default]
    #[serde(rename = "f64")]
    F64,
}

impl Precision {
    /// Name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

/// What the command line says about a run, not yet checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Scenario name.
    pub scenario: String,
    /// Model name; the scenario's default if absent.
    pub model: Option<String>,
    /// Solver name; the model's default if absent.
    pub solver: Option<String>,
    /// Time step \[s\].
    pub dt: Option<f64>,
    /// Duration \[s\].
    pub duration: Option<f64>,
    /// Robot file.
    pub robot: Option<PathBuf>,
    /// Scene file, for the scenario `scene`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<PathBuf>,
    /// How the robot file is read and placed.
    #[serde(default)]
    pub robot_args: RobotArgs,
    /// `key=value` settings.
    #[serde(default)]
    pub set: Vec<String>,
    /// Seed.
    #[serde(default)]
    pub seed: u64,
    /// Precision.
    #[serde(default)]
    pub precision: Precision,
}

/// The solver of that name, if the model can be solved by it.
///
/// # Errors
/// A usage error that lists the solvers that fit.
pub(crate) fn solver(model: Model, name: Option<&str>) -> Result<Option<SolverName>, CommandError> {
    let Some(name) = name else {
        return Ok(None);
    };
    let all = SolverName::ALL;
    let Some(found) = all.into_iter().find(|s| s.as_str() == name) else {
        let known: Vec<_> = all.into_iter().map(SolverName::as_str).collect();
        return Err(CommandError::Usage(format!(
            "unknown solver `{name}`; the solvers are {}",
            known.join(", ")
        )));
    };
    match model {
        Model::Host => Err(CommandError::Usage(
            "model `host` is solved by rapier itself; it takes no --solver".to_owned(),
        )),
        Model::Ours(model) if model.solvers().contains(&found) => Ok(Some(found)),
        Model::Ours(model) => {
            let fit: Vec<_> = model.solvers().iter().map(|s| s.as_str()).collect();
            Err(CommandError::Usage(format!(
                "model `{model}` can't be solved by `{name}`; solvers that fit: {}",
                fit.join(", ")
            )))
        }
    }
}
