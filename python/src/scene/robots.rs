//! Robots from files into a scene.

use super::Scene;
use super::parts::{Coordinate, Part, Robot, RobotFile, RobotJoint};
use crate::error::{Error, Outcome, nearest};
use rapier3d_f64::prelude::*;
use std::path::Path;
use std::sync::Arc;
use stickslip_f64::MultibodyDynamics;
use stickslip_urdf_f64::{
    Base, InsertError, InsertOptions, JointKind, LoadOptions, RobotHandles, RobotModel,
};

/// What a robot file is placed as.
pub struct NewRobot<'a> {
    /// Its file.
    pub path: &'a Path,
    /// The name it is asked to have; else its file's.
    pub name: Option<&'a str>,
    /// How it is read.
    pub load: LoadOptions,
    /// How it is placed.
    pub insert: InsertOptions,
    /// Height at which its lowest point is put, if it is \[m\].
    pub lowest: Option<f64>,
}

impl Scene {
    /// Adds a robot; gives its number and what the loader has to say.
    ///
    /// # Errors
    /// What is wrong with the file or the options.
    pub fn add_robot(&mut self, mut new: NewRobot<'_>) -> Outcome<(usize, Vec<String>)> {
        let model = RobotModel::from_file(new.path, &new.load);
        let model = model.map_err(|error| Error::Robot(error.to_string()))?;
        let stem = if model.name.is_empty() {
            "robot"
        } else {
            &model.name
        };
        let name = self.names.free(new.name, stem)?;
        if let Some(height) = new.lowest {
            let mut trial = PhysicsWorld::new();
            let robot = insert(&model, &new.insert, &mut trial)?;
            if let Some(lowest) = lowest(&robot, &trial) {
                new.insert.pose.translation.vector.z += height - lowest;
            }
        }
        let handles = insert(&model, &new.insert, &mut self.world)?;
        let mut notes: Vec<String> = model.notes.iter().map(ToString::to_string).collect();
        notes.extend(handles.warnings.iter().cloned());
        let number = self.names.robots.len();
        let first = self.names.parts.len();
        for (k, link) in handles.links.iter().enumerate() {
            self.names.parts.push(Part {
                name: format!("{name}/{}", link.name),
                body: link.body,
                offset: link.offset,
                link: Some((number, k)),
                colliders: link.colliders.clone(),
                removed: false,
            });
            let own = link.colliders.iter();
            Arc::make_mut(&mut self.of_collider).extend(own.map(|&c| (c, first + k)));
        }
        let joints = joints(&model, &handles);
        let tau = vec![0.0; joints.iter().map(|j| j.coordinates.len()).sum()];
        let closures = handles.closures.iter().map(|c| c.joint);
        self.names.robots.push(Robot {
            name,
            root: handles.root,
            bodies: handles.bodies.clone(),
            floating: handles.base == Base::Floating,
            articulated: handles.multibody.is_some(),
            links: (first..first + handles.links.len()).collect(),
            joints: joints.into(),
            extra: closures.chain(handles.filters.iter().copied()).collect(),
            file: RobotFile::new(new.path, &new.load),
            removed: false,
            tau,
            actuators: Vec::new(),
        });
        self.models.insert(number, Arc::new(model));
        Ok((number, notes))
    }

    /// The model of a robot's file, read again where the world was restored from bytes.
    ///
    /// # Errors
    /// When the file is gone.
    pub fn model(&mut self, robot: usize) -> Outcome<Arc<RobotModel>> {
        if let Some(model) = self.models.get(&robot) {
            return Ok(Arc::clone(model));
        }
        let own = self.names.robot_alive(robot)?;
        let extension = own.file.path.extension();
        if extension.is_none_or(|e| e == "xml" || e == "mjcf") {
            return Err(Error::Input(format!(
                "robot `{}`: inverse kinematics needs a robot that add_robot has read, from a URDF or xacro file",
                own.name
            )));
        }
        let model = RobotModel::from_file(&own.file.path, &own.file.options());
        let model = Arc::new(model.map_err(|error| Error::Robot(error.to_string()))?);
        self.models.insert(robot, Arc::clone(&model));
        Ok(model)
    }

    /// The dynamics of a robot as it is now.
    ///
    /// # Errors
    /// One that is a single body, or whose numbers can't be used.
    pub fn dynamics(&self, robot: usize) -> Outcome<MultibodyDynamics> {
        let robot = self.names.robot_alive(robot)?;
        let joints = &self.world.multibody_joints;
        let id = joints.rigid_body_link(robot.root);
        let multibody = id.and_then(|id| joints.get_multibody(id.multibody));
        let multibody = multibody.ok_or_else(|| {
            Error::Input(format!(
                "robot `{}` is a single rigid body: it has no joints",
                robot.name
            ))
        })?;
        MultibodyDynamics::new(multibody, &self.world.bodies)
            .map_err(|error| Error::Step(format!("robot `{}`: {error}", robot.name)))
    }

    /// Number of a link's body in rapier's multibody.
    pub fn link_id(&self, part: usize) -> Option<usize> {
        let body = self.names.parts.get(part)?.body;
        Some(self.world.multibody_joints.rigid_body_link(body)?.id)
    }
}

fn insert(
    model: &RobotModel,
    options: &InsertOptions,
    sets: &mut PhysicsWorld,
) -> Outcome<RobotHandles> {
    let done = model.insert(
        options,
        &mut sets.bodies,
        &mut sets.colliders,
        &mut sets.impulse_joints,
        &mut sets.multibody_joints,
    );
    done.map_err(|error| match &error {
        InsertError::UnknownJoint { joint, known, .. } => {
            let near = nearest(joint, known.iter().map(|k| &**k));
            Error::Unknown(format!(
                "robot `{}` has no joint `{joint}` that moves{near}",
                model.name
            ))
        }
        InsertError::BadOption { .. } => Error::Input(error.to_string()),
        _ => Error::Robot(format!("{}: {error}", model.file.display())),
    })
}

fn joints(model: &RobotModel, handles: &RobotHandles) -> Vec<RobotJoint> {
    let mut out = Vec::new();
    for (joint, of_model) in handles.joints.iter().zip(&model.joints) {
        let Some(at) = joint.coordinates else {
            continue;
        };
        let axes: &[usize] = match joint.kind {
            JointKind::Revolute | JointKind::Continuous => &[3],
            JointKind::Prismatic => &[0],
            JointKind::Planar => &[0, 1, 5],
            JointKind::Spherical => &[3, 4, 5],
            JointKind::Floating => &[0, 1, 2, 3, 4, 5],
            JointKind::Fixed => &[],
        };
        let limits = joint.limits.map(|l| [l.lower, l.upper]);
        out.push((
            at.first,
            RobotJoint {
                name: joint.name.clone(),
                kind: joint.kind.word().to_owned(),
                coordinates: axes
                    .iter()
                    .map(|&axis| Coordinate {
                        link_id: at.link_id,
                        axis,
                    })
                    .collect(),
                is_ball: matches!(joint.kind, JointKind::Spherical | JointKind::Floating),
                limits,
                effort: joint.effort,
                velocity: joint.velocity,
                mimics: of_model.mimic.is_some(),
            },
        ));
    }
    out.sort_by_key(|(first, _)| *first);
    out.into_iter().map(|(_, joint)| joint).collect()
}

/// The lowest point of a robot's colliders \[m\].
fn lowest(robot: &RobotHandles, sets: &PhysicsWorld) -> Option<f64> {
    let colliders = robot.links.iter().flat_map(|link| &link.colliders);
    let colliders = colliders.filter_map(|c| sets.colliders.get(*c));
    colliders
        .map(|collider| match collider.shape().as_support_map() {
            Some(map) => map.support_point(collider.position(), -Vector::Z).z,
            None => collider.compute_aabb().mins.z,
        })
        .reduce(f64::min)
}
