//! Keyword arguments of bodies and robots.

use super::convert::{pose, three};
use crate::error::{Error, Outcome, nearest};
use crate::scene::add::{Motion, NewBody, Skin};
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rapier3d_f64::prelude::Pose;
use std::collections::BTreeMap;
use std::path::PathBuf;
use stickslip_urdf_f64::{
    Base, Drive, EffortLimits, FixedJoints, Hold, InsertOptions, LoadOptions, MeshCollision,
    MissingMesh, RotorInertia, SelfCollision, Srdf, Strictness, Surface,
};

/// Keyword arguments that are taken out one by one; what is left is unknown.
pub struct Keywords<'py> {
    of: &'static str,
    left: BTreeMap<String, Bound<'py, PyAny>>,
    known: Vec<&'static str>,
}

impl<'py> Keywords<'py> {
    /// Those of a call of the function `of`.
    ///
    /// # Errors
    /// Where Python fails.
    pub fn new(of: &'static str, given: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        let mut left = BTreeMap::new();
        for (key, value) in given.into_iter().flatten() {
            left.insert(key.extract()?, value);
        }
        Ok(Self {
            of,
            left,
            known: Vec::new(),
        })
    }

    /// The value of a keyword; `None` counts as absent.
    pub fn take(&mut self, name: &'static str) -> Option<Bound<'py, PyAny>> {
        self.known.push(name);
        self.left.remove(name).filter(|value| !value.is_none())
    }

    /// A value of a plain type.
    ///
    /// # Errors
    /// Of another type.
    pub fn get<T>(&mut self, name: &'static str, wanted: &str) -> PyResult<Option<T>>
    where
        T: for<'a> FromPyObject<'a, 'py>,
    {
        let Some(value) = self.take(name) else {
            return Ok(None);
        };
        match value.extract() {
            Ok(read) => Ok(Some(read)),
            Err(_) => Err(self.refuse(name, &value, wanted).into()),
        }
    }

    /// A finite number.
    ///
    /// # Errors
    /// A value that is not a finite number.
    pub fn number(&mut self, name: &'static str) -> PyResult<Option<f64>> {
        let number: Option<f64> = self.get(name, "a number")?;
        match number {
            Some(x) if !x.is_finite() => {
                Err(Error::Input(format!("{}: {name} is {x}", self.of)).into())
            }
            other => Ok(other),
        }
    }

    /// One of some words.
    ///
    /// # Errors
    /// Another one.
    pub fn word<T: Copy>(
        &mut self,
        name: &'static str,
        words: &[(&str, T)],
    ) -> PyResult<Option<T>> {
        let Some(given) = self.get::<String>(name, "a word")? else {
            return Ok(None);
        };
        match words.iter().find(|(word, _)| *word == given) {
            Some((_, value)) => Ok(Some(*value)),
            None => {
                let near = nearest(&given, words.iter().map(|(word, _)| *word));
                Err(
                    Error::Input(format!("{}: {name}={given:?} is not known{near}", self.of))
                        .into(),
                )
            }
        }
    }

    fn refuse(&self, name: &str, value: &Bound<'_, PyAny>, wanted: &str) -> Error {
        let shown = value.repr().map(|r| r.to_string()).unwrap_or_default();
        let shown: String = shown.chars().take(60).collect();
        Error::Input(format!("{}: {name}={shown} is not {wanted}", self.of))
    }

    /// Refuses what is left.
    ///
    /// # Errors
    /// Names the nearest known ones.
    pub fn end(self) -> Outcome<()> {
        let Some(name) = self.left.keys().next() else {
            return Ok(());
        };
        let near = nearest(name, self.known.iter().copied());
        Err(Error::Unknown(format!(
            "{}() has no argument `{name}`{near}",
            self.of
        )))
    }
}

/// A body's keyword arguments, with its name kept apart.
pub struct BodyKeywords {
    name: Option<String>,
    motion: Motion,
    pose: Pose,
    velocity: [[f64; 3]; 2],
    mass: Option<f64>,
    density: f64,
    skin: Skin,
}

impl BodyKeywords {
    /// Reads them.
    ///
    /// # Errors
    /// What is of another type, or unknown.
    pub fn read(of: &'static str, given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut keys = Keywords::new(of, given)?;
        let truth = "True or False";
        let fixed = keys.get("fixed", truth)?.unwrap_or(false);
        let prescribed = keys.get("kinematic", truth)?.unwrap_or(false);
        let velocity = keys.take("velocity");
        let spin = keys.take("angular_velocity");
        let or_zero = |what, v: Option<Bound<'_, PyAny>>| match v {
            Some(v) => three(what, &v),
            None => Ok([0.0; 3]),
        };
        let (position, turn) = (keys.take("position"), keys.take("orientation"));
        let read = Self {
            name: keys.get("name", "a text")?,
            motion: match (fixed, prescribed) {
                (true, true) => {
                    return Err(Error::input("fixed and kinematic exclude each other").into());
                }
                (true, false) => Motion::Fixed,
                (false, true) => Motion::Prescribed,
                (false, false) => Motion::Free,
            },
            pose: pose(position.as_ref(), turn.as_ref())?,
            velocity: [
                or_zero("velocity", velocity)?,
                or_zero("angular_velocity", spin)?,
            ],
            mass: keys.number("mass")?,
            density: keys.number("density")?.unwrap_or(1000.0),
            skin: Skin {
                friction: keys.number("friction")?.unwrap_or(0.5),
                restitution: keys.number("restitution")?.unwrap_or(0.0),
                torsional: keys.number("torsional_friction")?.unwrap_or(0.0),
                rolling: keys.number("rolling_friction")?.unwrap_or(0.0),
                compliance: keys.number("compliance")?.unwrap_or(0.0),
            },
        };
        keys.end()?;
        Ok(read)
    }

    /// Stays where it is.
    pub fn fixed(mut self) -> Self {
        self.motion = Motion::Fixed;
        self
    }

    /// As the scene takes it.
    pub fn body(&self, stem: &'static str) -> NewBody<'_> {
        NewBody {
            name: self.name.as_deref(),
            stem,
            motion: self.motion,
            pose: self.pose,
            velocity: self.velocity,
            mass: self.mass,
            density: self.density,
            skin: self.skin,
        }
    }
}

/// What a robot is read and placed with, its name and the height of its lowest point.
pub struct RobotKeywords {
    /// The name it is asked to have.
    pub name: Option<String>,
    /// How its file is read.
    pub load: LoadOptions,
    /// How it is placed.
    pub insert: InsertOptions,
    /// Height of its lowest point.
    pub lowest: Option<f64>,
}

impl RobotKeywords {
    /// Reads them.
    ///
    /// # Errors
    /// What is of another type, or unknown.
    pub fn read(given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut keys = Keywords::new("add_robot", given)?;
        let (position, turn) = (keys.take("position"), keys.take("orientation"));
        let at = pose(position.as_ref(), turn.as_ref())?;
        let mut load = LoadOptions::default();
        let paths = "a sequence of folders";
        if let Some(folders) = keys.get::<Vec<PathBuf>>("package_paths", paths)? {
            load.package_paths = folders;
        }
        let texts = "a dictionary of texts";
        load.xacro_args = keys.get("xacro_args", texts)?.unwrap_or_default();
        load.scale = keys.number("scale")?.unwrap_or(1.0);
        load.closures = keys.get("closures", "a path")?;
        if keys.get("strict", "True or False")?.unwrap_or(false) {
            load.strictness = Strictness::Strict;
        }
        let missing = [
            ("refuse", MissingMesh::Refuse),
            ("skip", MissingMesh::Skip),
            ("box", MissingMesh::Box),
        ];
        load.missing_mesh = keys.word("missing_mesh", &missing)?.unwrap_or_default();
        let mut insert = InsertOptions {
            pose: isometry(&at),
            hold: Some(Hold::default()),
            self_collision: SelfCollision::ExcludeOverlapping,
            ..InsertOptions::default()
        };
        let bases = [
            ("auto", Base::Auto),
            ("fixed", Base::Fixed),
            ("floating", Base::Floating),
        ];
        insert.base = keys.word("base", &bases)?.unwrap_or_default();
        let positions = "a dictionary from names of joints to numbers";
        insert.initial = keys.get("joints", positions)?.unwrap_or_default();
        let (kp, kd) = (keys.number("kp")?, keys.number("kd")?);
        match (kp, kd) {
            (None, None) => {}
            (Some(stiffness), damping) => {
                let damping = damping.unwrap_or(0.0);
                (insert.drive, insert.hold) = (Some(Drive { stiffness, damping }), None);
            }
            (None, Some(damping)) => {
                let stiffness = 0.0;
                (insert.drive, insert.hold) = (Some(Drive { stiffness, damping }), None);
            }
        }
        let fixed = [("merge", FixedJoints::Merge), ("keep", FixedJoints::Keep)];
        insert.fixed_joints = keys.word("fixed_joints", &fixed)?.unwrap_or_default();
        let which = [
            ("off", SelfCollision::Off),
            ("on", SelfCollision::On),
            ("adjacent", SelfCollision::ExcludeAdjacent),
            ("overlapping", SelfCollision::ExcludeOverlapping),
        ];
        if let Some(which) = keys.word("self_collision", &which)? {
            insert.self_collision = which;
        }
        let resolution = keys.get("mesh_resolution", "a whole number")?.unwrap_or(64);
        let meshes = [
            ("hull", MeshCollision::ConvexHull),
            ("exact", MeshCollision::Exact),
            ("parts", MeshCollision::ConvexParts { resolution }),
            ("box", MeshCollision::BoundingBox),
        ];
        insert.mesh_collision = keys.word("mesh_collision", &meshes)?.unwrap_or_default();
        insert.mesh_cache = keys.get("mesh_cache", "a path")?;
        let effort = [
            ("file", EffortLimits::File),
            ("unlimited", EffortLimits::Unlimited),
        ];
        insert.effort = keys.word("effort", &effort)?.unwrap_or_default();
        let surface = Surface::default();
        insert.surface = Surface {
            friction: keys.number("friction")?.unwrap_or(surface.friction),
            restitution: keys.number("restitution")?.unwrap_or(surface.restitution),
        };
        insert.armature = keys.number("armature")?.unwrap_or(0.0);
        if keys.get("rotor_inertia", "True or False")?.unwrap_or(false) {
            insert.rotor_inertia = RotorInertia::Add;
        }
        if let Some(path) = keys.get::<PathBuf>("srdf", "a path")? {
            let read = Srdf::from_file(&path, load.strictness);
            insert.srdf = Some(read.map_err(|error| Error::Robot(error.to_string()))?);
        }
        let on_ground = keys.get("on_ground", "True or False")?.unwrap_or(false);
        let name = keys.get("name", "a text")?;
        keys.end()?;
        Ok(Self {
            name,
            load,
            insert,
            lowest: on_ground.then_some(at.translation.z),
        })
    }
}

/// Rapier's pose as nalgebra's.
pub fn isometry(pose: &Pose) -> Isometry3<f64> {
    let (at, q) = (pose.translation, pose.rotation);
    Isometry3::from_parts(
        Translation3::new(at.x, at.y, at.z),
        UnitQuaternion::new_normalize(Quaternion::new(q.w, q.x, q.y, q.z)),
    )
}
