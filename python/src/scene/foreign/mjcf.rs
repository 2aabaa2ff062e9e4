//! Models of MuJoCo: read by rapier3d-mjcf into sets of single precision, and taken over from there.

use super::adopt::adopt;
use super::log::listening;
use super::{Labels, Sets, read};
use crate::error::{Error, Outcome};
use crate::scene::Scene;
use crate::scene::control::Actuator;
use rapier3d::prelude as single;
use rapier3d_f64::prelude::*;
use rapier3d_mjcf::mjcf_rs::extras::{Actuator as Written, ActuatorKind};
use rapier3d_mjcf::mjcf_rs::model::Model;
use rapier3d_mjcf::{MjcfLoaderOptions, MjcfMultibodyOptions, MjcfRobot};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// What a model is placed as.
pub struct NewModel {
    /// Its file.
    pub path: PathBuf,
    /// What its robot is called; else the model's name.
    pub name: Option<String>,
    /// Where the model's origin is put.
    pub pose: Pose,
    /// Whether links of one robot may touch each other.
    pub self_contacts: bool,
}

/// A model, ready to be taken over.
struct Loaded {
    sets: Sets,
    labels: Labels,
    /// Bodies that may not touch.
    apart: Vec<[RigidBodyHandle; 2]>,
    /// Actuators with the body that their joint moves.
    actuators: Vec<(RigidBodyHandle, Actuator)>,
    notes: Vec<String>,
}

impl Scene {
    /// Adds a model; gives the numbers of its robots and what is to be said.
    ///
    /// # Errors
    /// What is wrong with the file, which is named.
    pub fn add_mjcf(&mut self, new: &NewModel) -> Outcome<(Vec<usize>, Vec<String>)> {
        let refuse = |why: &str| Error::Robot(format!("{}: {why}", new.path.display()));
        // A panic of the loader leaves the scene alone.
        let loading = AssertUnwindSafe(|| load(new, self.dt(), self.world.gravity));
        let (loaded, logged) = listening(|| catch_unwind(loading));
        let loaded = loaded.map_err(|panic| {
            refuse(&format!(
                "the loader failed: {}",
                Error::panic_text(&*panic)
            ))
        })?;
        let loaded = loaded.map_err(|error| refuse(error.text()))?;
        let adopted = adopt(self, &loaded.sets, &loaded.labels)?;
        for [a, b] in loaded.apart {
            let pair = [a, b].map(|body| adopted.bodies.get(&body).copied());
            let [Some(a), Some(b)] = pair else { continue };
            let mut joint = GenericJoint::new(JointAxesMask::empty());
            joint.set_contacts_enabled(false);
            self.world.insert_impulse_joint(a, b, joint);
        }
        for (body, actuator) in loaded.actuators {
            let body = adopted.bodies.get(&body).copied();
            self.add_actuator(&adopted.robots, body, actuator);
        }
        for &robot in &adopted.robots {
            self.names.robots[robot].file.path.clone_from(&new.path);
            let rest = vec![0.0; self.names.robots[robot].actuators.len()];
            self.control(robot, &rest)?;
        }
        let mut notes = logged;
        // Robots are multibodies, of which that is not true.
        notes.retain(|note| !note.contains("is not applied on the impulse-joint path"));
        notes.extend(loaded.notes);
        notes.dedup();
        Ok((adopted.robots, notes))
    }
}

fn load(new: &NewModel, dt: f64, gravity: Vector) -> Outcome<Loaded> {
    let wrong = |error: String| Error::Robot(error);
    let (at, q) = (new.pose.translation, new.pose.rotation);
    let turn = single::Rotation::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32);
    let at = single::Vector::new(at.x as f32, at.y as f32, at.z as f32);
    let options = MjcfLoaderOptions {
        shift: single::Pose::from_parts(at, turn.normalize()),
        skip_plane_geoms: false,
        // As MuJoCo, whose meshes collide by their hulls.
        mesh_converter: Some(single::MeshConverter::ConvexHull),
        ..MjcfLoaderOptions::default()
    };
    let loaded = MjcfRobot::from_file(&new.path, options).map_err(|error| {
        // Some errors tell their cause themselves.
        let causes = error.chain().map(ToString::to_string);
        wrong(causes.fold(String::new(), |told, cause| match &*told {
            "" => cause,
            told if told.ends_with(&cause) => told.to_owned(),
            told => format!("{told}: {cause}"),
        }))
    });
    let (robot, model) = loaded?;
    let mut world = single::PhysicsWorld::new();
    let contacts = match new.self_contacts {
        true => MjcfMultibodyOptions::empty(),
        false => MjcfMultibodyOptions::DISABLE_SELF_CONTACTS,
    };
    let handles = robot.clone().insert_using_multibody_joints(
        &mut world.bodies,
        &mut world.colliders,
        &mut world.multibody_joints,
        &mut world.impulse_joints,
        contacts,
    );
    let hooks = handles.contact_hooks(&robot);
    let file = |path: &Path| path.file_stem().map(|s| s.to_string_lossy().into_owned());
    let mut labels = Labels {
        robot: (new.name.clone().or_else(|| robot.name.clone()))
            .or_else(|| file(&new.path))
            .unwrap_or_else(|| "robot".to_owned()),
        ..Labels::default()
    };
    let mut of_index = Vec::new();
    for (k, (handle, body)) in handles.bodies.iter().zip(&robot.bodies).enumerate() {
        let Some(own) = handle else {
            of_index.push(None);
            continue;
        };
        of_index.push(Some(wide(own.body)));
        let name = body.name.clone();
        let name = name.unwrap_or_else(|| {
            if k == 0 {
                "world".to_owned()
            } else {
                format!("body_{k}")
            }
        });
        labels.bodies.insert(wide(own.body), name);
        if body.is_intermediate {
            labels.between.push(wide(own.body));
        }
        if k > 0 {
            continue;
        }
        // The world body may be a robot's root; its shapes are no part of the robot.
        for (number, collider) in own.colliders.iter().enumerate() {
            let named = robot.geom_name_to_collider.iter();
            let mut named = named
                .filter(|(_, at)| **at == (0, number))
                .map(|(name, _)| name);
            let name = named.next().cloned().unwrap_or_else(|| "ground".to_owned());
            let (index, generation) = collider.handle.into_raw_parts();
            let handle = ColliderHandle::from_raw_parts(index, generation);
            labels.colliders.insert(handle, name);
            (world.colliders).set_parent(collider.handle, None, &mut world.bodies);
        }
    }
    for (handle, joint) in handles.joints.iter().zip(&robot.joints) {
        if let Some(name) = &joint.name {
            labels.joints.insert(wide(handle.link2), name.clone());
        }
    }
    // Their roots learn whether they move, which takes coordinates away where not.
    for handle in handles.bodies.iter().flatten() {
        let id = world.multibody_joints.rigid_body_link(handle.body).copied();
        let multibody = id.and_then(|id| world.multibody_joints.get_multibody_mut(id.multibody));
        if let Some(multibody) = multibody {
            multibody.forward_kinematics(&world.bodies, true);
        }
    }
    let mut apart = Vec::new();
    let all: Vec<_> = handles.bodies.iter().flatten().collect();
    for (k, a) in all.iter().enumerate() {
        for b in &all[k + 1..] {
            let mut pairs = a
                .colliders
                .iter()
                .flat_map(|a| b.colliders.iter().map(move |b| (a, b)));
            if pairs.any(|(a, b)| hooks.is_excluded(a.handle, b.handle)) {
                apart.push([wide(a.body), wide(b.body)]);
            }
        }
    }
    let mut notes = differences(&model, dt, gravity);
    let mut actuators = Vec::new();
    for binding in &robot.actuators {
        let moved = binding.joint_index.map(|j| robot.joints[j].link2);
        let body = moved.and_then(|body| of_index.get(body).copied().flatten());
        match (body, actuator(&binding.actuator)) {
            (Some(body), Some(actuator)) => actuators.push((body, actuator)),
            _ => notes.push(format!(
                "actuator `{}`: left out, it drives no joint or is of a kind that is not linear",
                binding.actuator.name.as_deref().unwrap_or("without a name")
            )),
        }
    }
    let json = |set: serde_json::Result<String>| {
        let text = set.map_err(|error| wrong(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))
    };
    let sets = Sets {
        bodies: read("bodies", json(serde_json::to_string(&world.bodies))?)?,
        colliders: read("colliders", json(serde_json::to_string(&world.colliders))?)?,
        impulse_joints: read(
            "joints",
            json(serde_json::to_string(&world.impulse_joints))?,
        )?,
        multibody_joints: read(
            "joints",
            json(serde_json::to_string(&world.multibody_joints))?,
        )?,
    };
    Ok(Loaded {
        sets,
        labels,
        apart,
        actuators,
        notes,
    })
}

fn wide(handle: single::RigidBodyHandle) -> RigidBodyHandle {
    let (index, generation) = handle.into_raw_parts();
    RigidBodyHandle::from_raw_parts(index, generation)
}

/// What the file says of the world, and the world is otherwise.
fn differences(model: &Model, dt: f64, gravity: Vector) -> Vec<String> {
    let mut notes = Vec::new();
    let wanted = model.option.timestep;
    if (wanted - dt).abs() > 1e-9 {
        notes.push(format!("its timestep is {wanted} s, this world's {dt} s"));
    }
    let wanted = Vector::from_array(model.option.gravity);
    if (wanted - gravity).length() > 1e-6 {
        notes.push(format!("its gravity is {wanted}, this world's {gravity}"));
    }
    notes
}

/// An actuator whose force is linear in its control, its length and its speed.
fn actuator(of: &Written) -> Option<Actuator> {
    let first = |all: &[f64], k: usize| all.get(k).copied().unwrap_or(0.0);
    let kv = of.kv.unwrap_or(0.0);
    let (gain, bias) = match of.kind {
        ActuatorKind::Motor => (1.0, [0.0; 3]),
        ActuatorKind::Position => {
            let kp = of.kp.unwrap_or(1.0);
            (kp, [0.0, -kp, -kv])
        }
        // MuJoCo's default of a velocity servo's gain is one.
        ActuatorKind::Velocity => {
            let kv = of.kv.unwrap_or(1.0);
            (kv, [0.0, 0.0, -kv])
        }
        ActuatorKind::General => {
            let is_fixed = of.gain_type.as_deref().is_none_or(|kind| kind == "fixed");
            let is_static = of.dyn_type.as_deref().is_none_or(|kind| kind == "none");
            let bias = match of.bias_type.as_deref() {
                None | Some("none") => [0.0; 3],
                Some("affine") => [0, 1, 2].map(|k| first(&of.biasprm, k)),
                Some(_) => return None,
            };
            if !(is_fixed && is_static) {
                return None;
            }
            (of.gainprm.first().copied().unwrap_or(1.0), bias)
        }
        ActuatorKind::Damper | ActuatorKind::IntVelocity | ActuatorKind::Other => return None,
    };
    Some(Actuator {
        name: of
            .name
            .clone()
            .or_else(|| of.joint.clone())
            .unwrap_or_default(),
        coordinate: 0,
        gear: of.gear[0],
        gain,
        bias,
        control: of.ctrl_range,
        force: of.force_range,
    })
}
