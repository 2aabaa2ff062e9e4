//! A scene of one's own: a TOML file, checked. Format: docs/scene_file.md.
//!
//! Lengths in m, masses in kg, angles in degrees where a robot or body is placed, joint positions in rad or m. z points up.

mod check;
mod read;
#[cfg(test)]
mod tests;

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub use read::{is_path, load};

/// A scene as its file states it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneFile {
    /// Folder that paths in it are relative to.
    #[serde(skip)]
    pub folder: PathBuf,
    /// Contact model.
    pub model: Option<String>,
    /// Solver.
    pub solver: Option<String>,
    /// Time step \[s\].
    pub dt: Option<f64>,
    /// Simulated time \[s\].
    pub duration: Option<f64>,
    /// Time from which figures are taken \[s\].
    #[serde(default)]
    pub settle: f64,
    /// Gravity [m/s^2].
    #[serde(default = "down")]
    pub gravity: [f64; 3],
    /// `key=value` settings of models and material, as `--set` takes them.
    #[serde(default)]
    pub set: Vec<String>,
    /// The ground, if there is one.
    pub ground: Option<Ground>,
    /// Bodies.
    #[serde(default)]
    pub bodies: Vec<Body>,
    /// Robots.
    #[serde(default)]
    pub robots: Vec<Robot>,
    /// What is measured; without any, the motion of every body and robot.
    #[serde(default)]
    pub measure: Vec<Measure>,
}

fn down() -> [f64; 3] {
    [0.0, 0.0, -9.81]
}

fn half() -> f64 {
    0.5
}

/// Level ground, or heights over a rectangle about the origin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// Height of its surface \[m\].
    #[serde(default)]
    pub height: f64,
    /// Coulomb coefficient.
    #[serde(default = "half")]
    pub friction: f64,
    /// Coefficient of restitution.
    #[serde(default)]
    pub restitution: f64,
    /// File of heights above `height` \[m\]: a line per y, a number per x.
    pub heights: Option<PathBuf>,
    /// Distance of neighbouring heights \[m\].
    #[serde(default = "spacing")]
    pub spacing: f64,
}

fn spacing() -> f64 {
    0.02
}

/// Shapes of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// By `size`.
    Box,
    /// By `radius`.
    Ball,
    /// By `radius` and `length`, along z.
    Cylinder,
    /// By `radius` and the `length` of its straight part, along z.
    Capsule,
}

/// A body.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Its name, unique in the scene.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Sides of a box \[m\].
    pub size: Option<[f64; 3]>,
    /// Radius \[m\].
    pub radius: Option<f64>,
    /// Length \[m\].
    pub length: Option<f64>,
    /// Mass \[kg\].
    pub mass: Option<f64>,
    /// Density [kg/m^3]; 1000 without a mass.
    pub density: Option<f64>,
    /// Coulomb coefficient.
    #[serde(default = "half")]
    pub friction: f64,
    /// Coefficient of restitution.
    #[serde(default)]
    pub restitution: f64,
    /// Place of its middle \[m\].
    #[serde(default)]
    pub position: [f64; 3],
    /// Roll, pitch and yaw \[deg\].
    #[serde(default)]
    pub rotation: [f64; 3],
    /// Velocity [m/s].
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Angular velocity [rad/s].
    #[serde(default)]
    pub spin: [f64; 3],
    /// Whether it stays where it is.
    #[serde(default)]
    pub fixed: bool,
}

/// Whether a robot's base moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Base {
    /// As its file suggests.
    #[default]
    Auto,
    /// Welded to the world.
    Fixed,
    /// Free.
    Floating,
}

/// A robot.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Robot {
    /// Its name, unique in the scene.
    pub name: String,
    /// Its file, relative to that of the scene.
    pub file: PathBuf,
    /// Place of its base \[m\].
    #[serde(default)]
    pub position: [f64; 3],
    /// Roll, pitch and yaw of its base \[deg\].
    #[serde(default)]
    pub rotation: [f64; 3],
    /// Whether it is lifted or lowered until its lowest point is at the height of the ground.
    #[serde(default)]
    pub on_ground: bool,
    /// Whether its base moves.
    #[serde(default)]
    pub base: Base,
    /// Joint positions at the start [rad or m].
    #[serde(default)]
    pub joints: BTreeMap<String, f64>,
    /// Joint positions that drives aim at, where they differ from the start [rad or m].
    #[serde(default)]
    pub targets: BTreeMap<String, f64>,
    /// Stiffness and damping of single drives [N m/rad, N m s/rad or N/m, N s/m]; the others get gains that suit
    /// what they move.
    #[serde(default)]
    pub drives: BTreeMap<String, [f64; 2]>,
    /// Stiffness of all drives.
    pub stiffness: Option<f64>,
    /// Damping of all drives.
    pub damping: Option<f64>,
    /// Coulomb coefficient of its links.
    #[serde(default = "half")]
    pub friction: f64,
    /// Whether its links touch each other, where they don't from the start.
    #[serde(default)]
    pub self_collision: bool,
}

/// Something that is measured.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// A body, a robot (its base) or a link.
    pub of: String,
    /// Which figure.
    pub figure: Quantity,
    /// Upper bound.
    pub at_most: Option<f64>,
    /// Lower bound.
    pub at_least: Option<f64>,
}

/// Figures of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Farthest from its place at the settling time.
    #[serde(rename = "drift_m")]
    Drift,
    /// Height of its origin at the end.
    #[serde(rename = "height_end_m")]
    Height,
    /// Speed at the end.
    #[serde(rename = "speed_end_m_per_s")]
    Speed,
    /// Largest turn since the settling time.
    #[serde(rename = "tilt_max_rad")]
    Tilt,
    /// Mean upward force of its contacts since the settling time.
    #[serde(rename = "force_up_mean_N")]
    ForceUp,
}

impl Quantity {
    /// Its name as a figure.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drift => "drift_m",
            Self::Height => "height_end_m",
            Self::Speed => "speed_end_m_per_s",
            Self::Tilt => "tilt_max_rad",
            Self::ForceUp => "force_up_mean_N",
        }
    }
}
