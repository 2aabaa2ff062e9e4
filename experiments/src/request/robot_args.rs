//! Choices about a robot file, the same flags wherever a command takes one. Engine-neutral: the
//! scenes turn them into the loader's options.

use crate::error::CommandError;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How a robot file is read and placed; flags of `run`, `compare`, `sweep` and `check`.
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[serde(default)]
#[command(next_help_heading = "Robot file")]
pub struct RobotArgs {
    /// Folder searched for package:// (repeatable)
    #[arg(long, value_name = "DIR")]
    pub package_path: Vec<PathBuf>,
    /// Collision meshes that aren't found or can't be read [default: refuse]
    #[arg(long, value_name = "HOW", value_enum)]
    pub missing_mesh: Option<MissingMeshArg>,
    /// Refuse errors of the file (format, a lower limit above the upper, impossible inertias) instead of
    /// repairing them
    #[arg(long)]
    pub strict: bool,
    /// Factor on every length of the robot; masses are kept [default: 1]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    pub scale: Option<f64>,
    /// Moving links without inertia [default: repair; with --strict: refuse]
    #[arg(long, value_name = "HOW", value_enum)]
    pub missing_inertia: Option<MissingArg>,
    /// Moving links with an inertia that no solid has [default: nearest; with --strict: refuse]
    #[arg(long, value_name = "HOW", value_enum)]
    pub impossible_inertia: Option<ImpossibleArg>,
    /// Density for inertias from shapes, where the file gives no mass [kg/m^3; default: 1000]
    #[arg(long, value_name = "DENSITY", allow_negative_numbers = true)]
    pub density: Option<f64>,
    /// Value of $(arg NAME) in a xacro file (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub xacro_arg: Vec<(String, String)>,
    /// File with <loop_joint> elements for this robot
    #[arg(long, value_name = "FILE")]
    pub closures: Option<PathBuf>,
    /// SRDF file: pairs of links that don't collide, and named poses
    #[arg(long, value_name = "FILE")]
    pub srdf: Option<PathBuf>,
    /// Whether the base moves [default: as the file suggests]
    #[arg(long, value_name = "BASE", value_enum)]
    pub base: Option<BaseArg>,
    /// What becomes of fixed joints [default: merge]
    #[arg(long, value_name = "HOW", value_enum)]
    pub fixed_joints: Option<FixedArg>,
    /// Which links of the robot may touch each other [default: the scenario's]
    #[arg(long, value_name = "WHICH", value_enum)]
    pub self_collision: Option<SelfCollisionArg>,
    /// How meshes collide [default: hull]
    #[arg(long, value_name = "HOW", value_enum)]
    pub mesh_collision: Option<MeshArg>,
    /// Voxels along the longest side of a mesh for convex parts, 8 to 512 [default: 64]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(8..=512))]
    pub mesh_resolution: Option<u32>,
    /// Folder that keeps convex parts from one run to the next
    #[arg(long, value_name = "DIR")]
    pub mesh_cache: Option<PathBuf>,
    /// Whether joints keep to the file's speed limits [default: ignore]
    #[arg(long, value_name = "HOW", value_enum)]
    pub speed_limits: Option<SpeedArg>,
    /// Rotor inertia added to every joint [kg m^2 or kg; default: 0]
    #[arg(long, value_name = "INERTIA", allow_negative_numbers = true)]
    pub armature: Option<f64>,
    /// Add the rotor inertias of the file's transmissions
    #[arg(long)]
    pub rotor_inertia: bool,
    /// Mass fixed to the origin of a link (repeatable), in kg
    #[arg(long, value_name = "LINK=KG", value_parser = name_and_value)]
    pub payload: Vec<(String, String)>,
    /// Stiffness and damping of single drives, or a TOML file of lines JOINT = [KP, KD] (repeatable)
    #[arg(long, value_name = "JOINT=KP,KD|FILE")]
    pub gains: Vec<String>,
}

impl RobotArgs {
    /// The flags with values that say the same.
    pub fn flags(&self) -> Vec<(&'static str, String)> {
        fn word<E: ValueEnum>(value: Option<E>) -> Option<String> {
            Some(value?.to_possible_value()?.get_name().to_owned())
        }
        let number = |x: Option<f64>| x.map(|x| x.to_string());
        let path = |p: &PathBuf| p.display().to_string();
        let mut out: Vec<_> = self
            .package_path
            .iter()
            .map(|p| ("--package-path", path(p)))
            .collect();
        let args = self.xacro_arg.iter();
        out.extend(args.map(|(name, value)| ("--xacro-arg", format!("{name}={value}"))));
        let payloads = self.payload.iter();
        out.extend(payloads.map(|(link, mass)| ("--payload", format!("{link}={mass}"))));
        out.extend(self.gains.iter().map(|gains| ("--gains", gains.clone())));
        let single = [
            ("--missing-mesh", word(self.missing_mesh)),
            ("--scale", number(self.scale)),
            ("--missing-inertia", word(self.missing_inertia)),
            ("--impossible-inertia", word(self.impossible_inertia)),
            ("--density", number(self.density)),
            ("--closures", self.closures.as_ref().map(path)),
            ("--srdf", self.srdf.as_ref().map(path)),
            ("--base", word(self.base)),
            ("--fixed-joints", word(self.fixed_joints)),
            ("--self-collision", word(self.self_collision)),
            ("--mesh-collision", word(self.mesh_collision)),
            (
                "--mesh-resolution",
                self.mesh_resolution.map(|n| n.to_string()),
            ),
            ("--mesh-cache", self.mesh_cache.as_ref().map(path)),
            ("--speed-limits", word(self.speed_limits)),
            ("--armature", number(self.armature)),
        ];
        out.extend(single.into_iter().filter_map(|(name, v)| Some((name, v?))));
        out
    }

    /// The flags without values.
    pub fn switches(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            ("--strict", self.strict),
            ("--rotor-inertia", self.rotor_inertia),
        ];
        all.into_iter().filter_map(|(name, on)| on.then_some(name))
    }
}

impl RobotArgs {
    /// Stiffness and damping by joint.
    ///
    /// # Errors
    /// A usage error naming the part that isn't of this form, or the file.
    pub fn gains(&self) -> Result<BTreeMap<String, [f64; 2]>, CommandError> {
        let mut out = BTreeMap::new();
        for word in &self.gains {
            let bad = |what: &str| CommandError::Usage(format!("--gains {word}: {what}"));
            let fit = |gains: &[f64; 2]| gains.iter().all(|x| (0.0..=1e12).contains(x));
            let Some((joint, gains)) = word.split_once('=') else {
                let text = std::fs::read_to_string(word)
                    .map_err(|e| bad(&format!("neither JOINT=KP,KD nor a file: {e}")))?;
                let all: BTreeMap<String, [f64; 2]> =
                    toml::from_str(&text).map_err(|e| bad(&e.to_string()))?;
                if let Some((joint, _)) = all.iter().find(|(_, gains)| !fit(gains)) {
                    return Err(bad(&format!("`{joint}`: gains are numbers from zero up")));
                }
                out.extend(all);
                continue;
            };
            let numbers: Vec<f64> = gains.split(',').flat_map(|x| x.trim().parse()).collect();
            let gains = <[f64; 2]>::try_from(numbers).ok().filter(fit);
            let gains = gains.ok_or_else(|| bad("KP,KD are two numbers from zero up"))?;
            out.insert(joint.trim().to_owned(), gains);
        }
        Ok(out)
    }

    /// Payloads by link \[kg\].
    ///
    /// # Errors
    /// A usage error naming one that is no mass.
    pub fn payloads(&self) -> Result<Vec<(&str, f64)>, CommandError> {
        let each = self.payload.iter().map(|(link, text)| {
            let mass = text.parse::<f64>().ok();
            let mass = mass.filter(|m| (0.0..=1e9).contains(m));
            let mass = mass.ok_or_else(|| {
                CommandError::Usage(format!(
                    "--payload {link}={text}: a mass is a number from zero up [kg]"
                ))
            })?;
            Ok((&**link, mass))
        });
        each.collect()
    }
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(format!("`{text}` is not of the form NAME=VALUE")),
    }
}

/// Collision meshes that can't be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingMeshArg {
    /// The file is refused
    Refuse,
    /// The shape is left out
    Skip,
    /// A box per link: around its visual shapes, else of its mass and inertia
    Box,
}

/// Moving links without inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingArg {
    /// From the link's shapes; without any, a ball of its mass or of a thousandth of what it carries
    Repair,
    /// The file is refused
    Refuse,
    /// From the link's shapes at uniform density; the file is refused where they don't give it
    Geometry,
    /// The link is fixed to its parent
    Merge,
}

/// Moving links with an impossible inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImpossibleArg {
    /// The file is refused
    Refuse,
    /// Kept, if it is positive definite
    Accept,
    /// The nearest possible inertia
    Nearest,
    /// From the link's shapes
    Geometry,
}

/// Whether the base moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BaseArg {
    /// As the file suggests
    Auto,
    /// Welded to the world
    Fixed,
    /// Free
    Floating,
}

/// What becomes of fixed joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FixedArg {
    /// One body for all links that they join
    Merge,
    /// A body per link
    Keep,
}

/// Which links of the robot may touch each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SelfCollisionArg {
    /// None
    Off,
    /// All
    On,
    /// All but neighbours
    Adjacent,
    /// All but neighbours and links that overlap or touch from the start
    Overlapping,
}

/// How meshes collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeshArg {
    /// As their convex hull
    Hull,
    /// As their triangles
    Exact,
    /// As convex parts that leave hollows open (V-HACD; takes seconds, see --mesh-cache)
    Parts,
    /// As the box around them
    Box,
}

/// Whether joints keep to the file's speed limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpeedArg {
    /// No: they are for controllers to keep
    Ignore,
    /// Yes: no joint moves faster
    Keep,
}
