//! What a world has names for: bodies, links, robots, joints.

use super::control::Actuator;
use crate::error::{Error, Outcome, nearest};
use rapier3d_f64::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stickslip_urdf_f64::{LoadOptions, MissingMesh, Strictness};

/// A list that the copies of a world share until one of them changes it.
#[derive(Clone, Debug)]
pub struct Shared<T>(Arc<Vec<T>>);

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<T> From<Vec<T>> for Shared<T> {
    fn from(list: Vec<T>) -> Self {
        Self(Arc::new(list))
    }
}

impl<T> Deref for Shared<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        Arc::make_mut(&mut self.0)
    }
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Vec::serialize(self, serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

/// A body, or a link of a robot. Its number never changes and is never given again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    /// Unique name: `box`, or `robot/link`.
    pub name: String,
    /// Rapier's body; links joined rigidly share one.
    pub body: RigidBodyHandle,
    /// Pose of the part in its body; identity but for merged links.
    pub offset: Pose,
    /// Its robot and its number there.
    pub link: Option<(usize, usize)>,
    /// Its colliders.
    pub colliders: Vec<ColliderHandle>,
    /// Whether it was removed.
    pub removed: bool,
}

/// One generalized coordinate of a joint.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Coordinate {
    /// Number of the link in rapier's multibody.
    pub link_id: usize,
    /// Rapier's axis, 0..6.
    pub axis: usize,
}

/// A joint of a robot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RobotJoint {
    /// Its name.
    pub name: String,
    /// The word for its kind in a robot file.
    pub kind: String,
    /// Its coordinates: how many numbers it has in `v`.
    pub coordinates: Vec<Coordinate>,
    /// Whether three of them are a rotation, which has four numbers in `q`.
    pub is_ball: bool,
    /// Position limits [rad or m].
    pub limits: Option<[f64; 2]>,
    /// Effort limit [N m or N].
    pub effort: Option<f64>,
    /// Speed limit [rad/s or m/s].
    pub velocity: Option<f64>,
    /// Whether it follows another joint.
    pub mimics: bool,
}

/// A robot's file and how it was read, for inverse kinematics after a restart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RobotFile {
    /// The file.
    pub path: PathBuf,
    /// Folders of its packages.
    pub package_paths: Vec<PathBuf>,
    /// Arguments of xacro.
    pub xacro_args: BTreeMap<String, String>,
    /// Factor of all lengths.
    pub scale: f64,
    /// File of its loop closures.
    pub closures: Option<PathBuf>,
    /// Whether slips are refused.
    pub is_strict: bool,
    /// What becomes of missing meshes: refused, skipped, boxes.
    pub missing_mesh: u8,
}

impl RobotFile {
    /// Of a file that is read with these options.
    pub fn new(path: &Path, options: &LoadOptions) -> Self {
        Self {
            path: path.to_owned(),
            package_paths: options.package_paths.clone(),
            xacro_args: options.xacro_args.clone(),
            scale: options.scale,
            closures: options.closures.clone(),
            is_strict: options.strictness == Strictness::Strict,
            missing_mesh: match options.missing_mesh {
                MissingMesh::Refuse => 0,
                MissingMesh::Skip => 1,
                MissingMesh::Box => 2,
            },
        }
    }

    /// The options that it was read with.
    pub fn options(&self) -> LoadOptions {
        LoadOptions {
            package_paths: self.package_paths.clone(),
            xacro_args: self.xacro_args.clone(),
            scale: self.scale,
            closures: self.closures.clone(),
            strictness: match self.is_strict {
                true => Strictness::Strict,
                false => Strictness::Tolerant,
            },
            missing_mesh: match self.missing_mesh {
                0 => MissingMesh::Refuse,
                1 => MissingMesh::Skip,
                _ => MissingMesh::Box,
            },
            ..LoadOptions::default()
        }
    }
}

/// A robot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Robot {
    /// Unique name.
    pub name: String,
    /// Body of its base.
    pub root: RigidBodyHandle,
    /// Rapier's bodies, parents first.
    pub bodies: Vec<RigidBodyHandle>,
    /// Whether the base floats: the first six numbers of `v` are its.
    pub floating: bool,
    /// Whether it is a multibody; else one rigid body.
    pub articulated: bool,
    /// Numbers of its links among the parts.
    pub links: Vec<usize>,
    /// Joints that move, in the order of their coordinates.
    pub joints: Shared<RobotJoint>,
    /// Impulse joints that close its loops or keep links apart.
    pub extra: Vec<ImpulseJointHandle>,
    /// Its file and how it was read.
    pub file: RobotFile,
    /// Whether the robot was removed.
    pub removed: bool,
    /// Generalized forces that the user applies along the coordinates of joints, and whether any is set.
    pub tau: Vec<f64>,
    /// Actuators of a model of MuJoCo.
    pub actuators: Vec<Actuator>,
}

impl Robot {
    /// Coordinates of all joints, in the order of `v` after the base.
    pub fn coordinates(&self) -> impl Iterator<Item = &Coordinate> {
        self.joints.iter().flat_map(|joint| &joint.coordinates)
    }

    /// Numbers in `v` of the base.
    pub fn base_dofs(&self) -> usize {
        if self.floating { 6 } else { 0 }
    }

    /// Coordinates of joints.
    pub fn joint_dofs(&self) -> usize {
        self.joints.iter().map(|j| j.coordinates.len()).sum()
    }

    /// Numbers in `v`.
    pub fn nv(&self) -> usize {
        self.base_dofs() + self.joint_dofs()
    }

    /// Numbers in `q`: a rotation has four, a quaternion (w, x, y, z).
    pub fn nq(&self) -> usize {
        let balls = self.joints.iter().filter(|j| j.is_ball).count();
        self.nv() + balls + usize::from(self.floating)
    }
}

/// A joint between two bodies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Joint {
    /// Unique name.
    pub name: String,
    /// Rapier's joint.
    pub handle: ImpulseJointHandle,
    /// Whether it was removed, by itself or with a body.
    pub removed: bool,
}

/// Everything that has a name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Names {
    /// Bodies and links.
    pub parts: Shared<Part>,
    /// Robots.
    pub robots: Vec<Robot>,
    /// Joints between bodies.
    pub joints: Vec<Joint>,
}

impl Names {
    /// A name that is free: the one asked for, or `stem`, `stem_2`, ...
    ///
    /// # Errors
    /// Where the one asked for is taken or empty.
    pub fn free(&self, asked: Option<&str>, stem: &str) -> Outcome<String> {
        let taken = |name: &str| {
            let parts = self.parts.iter().any(|p| !p.removed && p.name == name);
            let robots = self.robots.iter().any(|r| !r.removed && r.name == name);
            let joints = self.joints.iter().any(|j| !j.removed && j.name == name);
            parts || robots || joints
        };
        match asked {
            Some("") => Err(Error::input("a name can't be empty")),
            Some(name) if taken(name) => Err(Error::input(format!(
                "the name `{name}` is taken: give another one"
            ))),
            Some(name) => Ok(name.to_owned()),
            None if !taken(stem) => Ok(stem.to_owned()),
            None => {
                let numbered = (2..).map(|k: usize| format!("{stem}_{k}"));
                Ok(numbered
                    .into_iter()
                    .find(|name| !taken(name))
                    .unwrap_or_default())
            }
        }
    }

    /// The number of the part of this name.
    ///
    /// # Errors
    /// Names the nearest ones.
    pub fn part(&self, name: &str) -> Outcome<usize> {
        let there = || self.parts.iter().filter(|p| !p.removed);
        let found = self.parts.iter().position(|p| !p.removed && p.name == name);
        found.ok_or_else(|| {
            let near = nearest(name, there().map(|p| &*p.name));
            Error::Unknown(format!("no body or link is called `{name}`{near}"))
        })
    }

    /// The number of the robot of this name.
    ///
    /// # Errors
    /// Names the nearest ones.
    pub fn robot(&self, name: &str) -> Outcome<usize> {
        let found = self
            .robots
            .iter()
            .position(|r| !r.removed && r.name == name);
        found.ok_or_else(|| {
            let there = self.robots.iter().filter(|r| !r.removed);
            let near = nearest(name, there.map(|r| &*r.name));
            Error::Unknown(format!("no robot is called `{name}`{near}"))
        })
    }

    /// The number of a link of a robot.
    ///
    /// # Errors
    /// Names the nearest ones.
    pub fn link(&self, robot: usize, name: &str) -> Outcome<usize> {
        let robot = &self.robots[robot];
        let short = |part: usize| {
            let full = &self.parts[part].name;
            full.strip_prefix(&*robot.name)
                .and_then(|rest| rest.strip_prefix('/'))
                .unwrap_or(full)
        };
        let found = robot.links.iter().find(|&&part| short(part) == name);
        found.copied().ok_or_else(|| {
            let near = nearest(name, robot.links.iter().map(|&part| short(part)));
            Error::Unknown(format!("robot `{}` has no link `{name}`{near}", robot.name))
        })
    }

    /// A part that is still there.
    ///
    /// # Errors
    /// [`Error::Removed`].
    pub fn alive(&self, part: usize) -> Outcome<&Part> {
        match self.parts.get(part) {
            Some(found) if !found.removed => Ok(found),
            Some(found) => Err(Error::Removed(format!(
                "`{}` was removed from this world",
                found.name
            ))),
            None => Err(Error::Removed(
                "this body is not in the restored world: it was added later".to_owned(),
            )),
        }
    }

    /// A robot that is still there.
    ///
    /// # Errors
    /// [`Error::Removed`].
    pub fn robot_alive(&self, robot: usize) -> Outcome<&Robot> {
        match self.robots.get(robot) {
            Some(found) if !found.removed => Ok(found),
            Some(found) => Err(Error::Removed(format!(
                "robot `{}` was removed from this world",
                found.name
            ))),
            None => Err(Error::Removed(
                "this robot is not in the restored world: it was added later".to_owned(),
            )),
        }
    }
}
