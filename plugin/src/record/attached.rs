//! A recorder for a scene of the user's.

use super::motion_record;
use super::{COLORS, JointProbe, applied_force, collider_shape, inertial_record, is_anchored};
use crate::base::convert::{isometry, real, vector};
use crate::pipeline::ContactPipeline;
use nalgebra::Isometry3;
use rapier::prelude::*;
use std::collections::HashMap;
use stickslip_record::{BodyRecord, Recorder, SceneRecord, StepRecord, ViewRecord};

/// Colour of fixed bodies.
const STILL: [u8; 4] = [150, 150, 155, 255];

/// The sets a step has gone over, and its length.
#[derive(Clone, Copy)]
pub struct Sets<'a> {
    /// Gravity [m/s^2].
    pub gravity: Vector,
    /// Length of the step \[s\].
    pub dt: Real,
    /// The bodies.
    pub bodies: &'a RigidBodySet,
    /// The colliders.
    pub colliders: &'a ColliderSet,
    /// The impulse joints.
    pub impulse_joints: &'a ImpulseJointSet,
    /// The multibody joints.
    pub multibody_joints: &'a MultibodyJointSet,
}

impl<'a> From<&'a PhysicsWorld> for Sets<'a> {
    fn from(world: &'a PhysicsWorld) -> Self {
        Self {
            gravity: world.gravity,
            dt: world.integration_parameters.dt,
            bodies: &world.bodies,
            colliders: &world.colliders,
            impulse_joints: &world.impulse_joints,
            multibody_joints: &world.multibody_joints,
        }
    }
}

/// Which bodies and joints are recorded; known with the first step.
struct Places {
    bodies: Vec<RigidBodyHandle>,
    numbers: HashMap<RigidBodyHandle, usize>,
    joints: Vec<JointProbe>,
}

/// A recorder attached to a [`ContactPipeline`]: call [`Self::record`] after every step.
///
/// Recorded are the bodies, colliders and joints that are there at the first step, and the contacts of every
/// step. Bodies are `body_0`, `body_1`, ... unless they are given names; the links of a multibody are shown
/// as a robot. A body that is removed stays where it was last.
///
/// [`Self::finish`] completes the recording and says whether that worked. One that is dropped with steps in it,
/// as by a panic or an early return, is completed too: it ends with its last step.
pub struct Attached<R: Recorder> {
    /// Taken by [`Self::finish`].
    recorder: Option<R>,
    scene: SceneRecord,
    names: HashMap<RigidBodyHandle, String>,
    ends: Vec<RigidBodyHandle>,
    places: Option<Places>,
    step: StepRecord,
}

impl<R: Recorder> Attached<R> {
    /// Records a scene of this name.
    pub fn new(name: &str, recorder: R) -> Self {
        Self {
            recorder: Some(recorder),
            scene: SceneRecord {
                name: name.to_owned(),
                ..SceneRecord::default()
            },
            names: HashMap::new(),
            ends: Vec::new(),
            places: None,
            step: StepRecord::default(),
        }
    }

    /// Gives a body a name.
    #[must_use]
    pub fn named(mut self, body: RigidBodyHandle, name: &str) -> Self {
        self.names.insert(body, name.to_owned());
        self
    }

    /// Shows the contact force and torque on a body: a foot, a finger.
    #[must_use]
    pub fn end(mut self, body: RigidBodyHandle) -> Self {
        self.ends.push(body);
        self
    }

    /// Says what the viewer shows first.
    #[must_use]
    pub fn view(mut self, view: ViewRecord) -> Self {
        self.scene.view = view;
        self
    }

    /// Takes the step that the pipeline has just done. O(bodies + joints + contacts).
    ///
    /// # Errors
    /// What the recorder says.
    pub fn record<'a>(
        &mut self,
        pipeline: &ContactPipeline,
        sets: impl Into<Sets<'a>>,
    ) -> Result<(), R::Error> {
        let sets: Sets<'a> = sets.into();
        let Some(recorder) = &mut self.recorder else {
            return Ok(());
        };
        let places = match &mut self.places {
            Some(places) => places,
            none => {
                let places = none.insert(fill(&mut self.scene, &self.names, &self.ends, &sets));
                recorder.begin(&self.scene)?;
                self.step.body_poses = vec![Isometry3::identity(); self.scene.bodies.len()];
                self.step.body_motions = vec![Default::default(); self.scene.bodies.len()];
                places
            }
        };
        let h = real(sets.dt);
        let step = &mut self.step;
        step.time += h;
        for (number, handle) in places.bodies.iter().enumerate() {
            if let Some(body) = sets.bodies.get(*handle) {
                step.body_poses[number] = isometry(body.position());
                step.body_motions[number] = motion_record(body);
            }
        }
        let joints = places.joints.iter();
        step.joints.clear();
        step.joints.extend(joints.map(|probe| probe.sample(&sets)));
        step.applied_force = applied_force(sets.bodies);
        step.contacts.clear();
        step.contacts
            .extend(pipeline.contact_records(h, |body| places.numbers.get(&body).copied()));
        step.report = *pipeline.report();
        recorder.record(step)?;
        step.step += 1;
        Ok(())
    }

    /// Completes the recording and gives the recorder back.
    ///
    /// # Errors
    /// What the recorder says.
    pub fn finish(mut self) -> Result<R, R::Error> {
        let Some(mut recorder) = self.recorder.take() else {
            unreachable!("this alone takes the recorder, and it takes `self`");
        };
        if self.places.is_none() {
            recorder.begin(&self.scene)?;
        }
        recorder.finish()?;
        Ok(recorder)
    }
}

impl<R: Recorder> Drop for Attached<R> {
    fn drop(&mut self) {
        if self.places.is_none() {
            return;
        }
        if let Some(recorder) = &mut self.recorder {
            // Nobody is there to be told of an error.
            let _ = recorder.finish();
        }
    }
}

/// Takes the scene as it is and says what is where in it.
fn fill(
    scene: &mut SceneRecord,
    names: &HashMap<RigidBodyHandle, String>,
    ends: &[RigidBodyHandle],
    sets: &Sets<'_>,
) -> Places {
    let mut places = Places {
        bodies: Vec::new(),
        numbers: HashMap::new(),
        joints: Vec::new(),
    };
    for (handle, body) in sets.bodies.iter() {
        let number = places.bodies.len();
        let color = if body.is_dynamic() {
            COLORS[number % COLORS.len()]
        } else {
            STILL
        };
        let name = names.get(&handle).cloned();
        let colliders = body
            .colliders()
            .iter()
            .filter_map(|c| sets.colliders.get(*c));
        scene.bodies.push(BodyRecord {
            name: name.unwrap_or_else(|| format!("body_{number}")),
            robot: robot(handle, sets.multibody_joints),
            moves: !body.is_fixed(),
            shapes: colliders.map(|c| collider_shape(c, color)).collect(),
            inertial: inertial_record(body),
            is_end: ends.contains(&handle),
            ..BodyRecord::default()
        });
        places.bodies.push(handle);
        places.numbers.insert(handle, number);
    }
    for probe in JointProbe::all(sets) {
        let number = probe.body(sets);
        let number = number.and_then(|body| places.numbers.get(&body).copied());
        let Some(number) = number else { continue };
        let name = format!("{} joint", scene.bodies[number].name);
        if let Some(record) = probe.record(sets, &name, number) {
            scene.joints.push(record);
            places.joints.push(probe);
        }
    }
    let loose = sets.colliders.iter().filter(|(_, c)| c.parent().is_none());
    let loose: Vec<_> = loose.map(|(_, c)| collider_shape(c, STILL)).collect();
    if !loose.is_empty() {
        scene.bodies.push(BodyRecord {
            name: "colliders".to_owned(),
            shapes: loose,
            ..BodyRecord::default()
        });
    }
    scene.gravity = vector(sets.gravity);
    let pulled = scene.bodies.iter().filter_map(|body| body.inertial);
    scene.weight = pulled.map(|i| i.mass * i.gravity_scale).sum::<f64>() * scene.gravity.norm();
    scene.anchored = is_anchored(sets.bodies, sets.impulse_joints, sets.multibody_joints);
    places
}

/// The name of the multibody that a body is a link of.
fn robot(body: RigidBodyHandle, joints: &MultibodyJointSet) -> Option<String> {
    let id = joints.rigid_body_link(body)?;
    let root = joints.get_multibody(id.multibody)?.root();
    Some(format!(
        "multibody_{}",
        root.rigid_body_handle().into_raw_parts().0
    ))
}
