//! A scene's bodies with their names, and the stepper that moves them.

use super::super::super::rapier::prelude::*;
use super::super::super::stickslip::ContactSource;
use super::super::super::stickslip::record::{
    COLORS, JointProbe, Sets, applied_force, motion_record,
};
use super::super::super::urdf::RobotHandles;
use super::convert::{isometry, real, to_real, vector};
use super::stepper::Stepper;
use crate::error::CommandError;
use crate::forces::{Part, Parts};
use crate::robot_args::SpeedArg;
use crate::session::{ContactSample, StepProblem, StepSample};
use crate::settings::RunSettings;
use nalgebra::{Isometry3, Vector3};
use std::collections::HashMap;
use stickslip_record::{JointRecord, ShapeRecord, StepRecord};

/// Standard gravity of the experiments [m/s^2], downwards.
pub(in super::super) const GRAVITY: f64 = 9.81;

/// A body the scene knows by name.
#[derive(Clone, Debug)]
pub(in super::super) struct Entry {
    pub(in super::super) handle: RigidBodyHandle,
    pub(in super::super) name: String,
    pub(in super::super) robot: Option<String>,
    /// What to draw instead of the colliders' shapes.
    pub(in super::super) visuals: Vec<ShapeRecord>,
    pub(in super::super) color: [u8; 4],
    /// Whether it is a foot or a finger.
    pub(in super::super) is_end: bool,
}

/// A scene of bodies, stepped by a model.
pub(in super::super) struct World {
    /// Rapier's sets.
    pub(in super::super) sets: PhysicsWorld,
    stepper: Stepper,
    entries: Vec<Entry>,
    /// Robots whose joints keep to their speed limits, if that is asked for.
    limited: Option<Vec<RobotHandles>>,
    index: HashMap<RigidBodyHandle, usize>,
    /// Links that colliders belong to, in robots.
    links: HashMap<ColliderHandle, String>,
    /// The joints a recorder is told of, with their names.
    joints: Vec<(String, JointProbe)>,
    /// The body that a viewer's eye follows.
    follow: Option<usize>,
    contacts: Vec<ContactSample>,
    /// What loading and placing the user's robots had to say; `None` for the project's own.
    remarks: Option<Vec<String>>,
    /// What touches rapier's contacts before they are solved.
    hooks: Box<dyn PhysicsHooks + Send>,
    dt: f64,
    gravity: Vector3<f64>,
    steps: u64,
}

/// Colour of the ground.
pub(in super::super) const GROUND_COLOR: [u8; 4] = [150, 150, 155, 255];

impl World {
    /// An empty world under gravity, for the run's model and time step.
    pub(in super::super) fn new(settings: &RunSettings) -> Result<Self, CommandError> {
        let mut sets = PhysicsWorld::new();
        sets.gravity = Vector::new(0.0, 0.0, to_real(-GRAVITY));
        sets.integration_parameters.dt = to_real(settings.dt);
        let stepper = Stepper::new(settings, &mut sets)?;
        Ok(Self {
            sets,
            stepper,
            entries: Vec::new(),
            limited: (settings.robot_args.speed_limits == Some(SpeedArg::Keep)).then(Vec::new),
            index: HashMap::new(),
            links: HashMap::new(),
            joints: Vec::new(),
            follow: None,
            contacts: Vec::new(),
            remarks: (settings.robot.is_some() || settings.scene.is_some()).then(Vec::new),
            hooks: Box::new(()),
            dt: settings.dt,
            gravity: Vector3::new(0.0, 0.0, -GRAVITY),
            steps: 0,
        })
    }

    /// Keeps what was said of the user's robot.
    pub(in super::super) fn remark(&mut self, lines: impl IntoIterator<Item = String>) {
        if let Some(remarks) = &mut self.remarks {
            remarks.extend(lines);
        }
    }

    /// What was said of the user's robot.
    pub(in super::super) fn remarks(&self) -> &[String] {
        self.remarks.as_deref().unwrap_or_default()
    }

    /// Time step \[s\].
    pub(in super::super) fn dt(&self) -> f64 {
        self.dt
    }

    /// Steps done.
    pub(in super::super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Simulated time \[s\].
    pub(in super::super) fn time(&self) -> f64 {
        self.steps as f64 * self.dt
    }

    /// Adds a body with its colliders; no body of a scene ever sleeps.
    pub(in super::super) fn add(
        &mut self,
        name: &str,
        body: RigidBodyBuilder,
        colliders: impl IntoIterator<Item = ColliderBuilder>,
    ) -> usize {
        let handle = self.sets.bodies.insert(body.can_sleep(false));
        for collider in colliders {
            self.sets.insert_collider(collider, Some(handle));
        }
        let color = COLORS[self.entries.len() % COLORS.len()];
        self.name(handle, name, color)
    }

    /// Makes a body known to viewer and metrics.
    fn name(&mut self, handle: RigidBodyHandle, name: &str, color: [u8; 4]) -> usize {
        self.entry(Entry {
            handle,
            name: name.to_owned(),
            robot: None,
            visuals: Vec::new(),
            color,
            is_end: false,
        })
    }

    /// Makes a body known to viewer and metrics.
    pub(in super::super) fn entry(&mut self, entry: Entry) -> usize {
        let number = self.entries.len();
        self.index.insert(entry.handle, number);
        self.entries.push(entry);
        number
    }

    /// From now on the robot's joints keep to their speed limits, if that is asked for.
    pub(in super::super) fn limit(&mut self, robot: &RobotHandles) {
        self.limited.iter_mut().for_each(|l| l.push(robot.clone()));
    }

    /// Another gravity than the usual one [m/s^2].
    pub(in super::super) fn set_gravity(&mut self, gravity: Vector3<f64>) {
        self.sets.gravity = super::convert::to_vector(&gravity);
        self.gravity = gravity;
    }

    /// Gravity [m/s^2].
    pub(in super::super) fn gravity(&self) -> Vector3<f64> {
        self.gravity
    }

    /// Puts the name of a robot before those of its bodies and links, where several robots may have the same.
    pub(in super::super) fn prefix(&mut self, robot: &RobotHandles, name: &str) {
        for entry in &mut self.entries {
            if robot.bodies.contains(&entry.handle) {
                entry.name = format!("{name}/{}", entry.name);
            }
        }
        for collider in robot.links.iter().flat_map(|link| &link.colliders) {
            if let Some(link) = self.links.get_mut(collider) {
                *link = format!("{name}/{link}");
            }
        }
    }

    /// Makes the links of a robot known, for tables of forces.
    pub(in super::super) fn name_links(&mut self, robot: &RobotHandles) {
        for link in &robot.links {
            let own = link.colliders.iter().map(|c| (*c, link.name.clone()));
            self.links.extend(own);
        }
    }

    /// Names of bodies, links and colliders. A collider that is not its owner's only one has a number behind the
    /// owner's name.
    pub(in super::super) fn parts(&self) -> Parts {
        let mut colliders: HashMap<u32, Part> = HashMap::new();
        for entry in &self.entries {
            let Some(body) = self.sets.bodies.get(entry.handle) else {
                continue;
            };
            let owner = |c: &ColliderHandle| self.links.get(c).unwrap_or(&entry.name);
            for (place, collider) in body.colliders().iter().enumerate() {
                let owner = owner(collider);
                let same = |c: &&ColliderHandle| self.links.get(c).unwrap_or(&entry.name) == owner;
                let all = body.colliders().iter().filter(same).count();
                let number = body.colliders()[..place].iter().filter(same).count();
                let name = match all {
                    1 => owner.clone(),
                    _ => format!("{owner}/{number}"),
                };
                let owner = owner.clone();
                let raw = collider.into_raw_parts().0;
                colliders.insert(raw, Part { owner, name });
            }
        }
        Parts {
            bodies: self.entries.iter().map(|e| e.name.clone()).collect(),
            colliders,
        }
    }

    /// Level ground, its surface at z = 0.
    pub(in super::super) fn add_ground(&mut self, friction: f64) -> usize {
        self.add_plane(&Isometry3::identity(), friction)
    }

    /// A fixed slab whose upper face is the plane z = 0 of the given frame.
    pub(in super::super) fn add_plane(&mut self, frame: &Isometry3<f64>, friction: f64) -> usize {
        let (half, thickness) = (to_real(5.0), to_real(0.5));
        let slab = ColliderBuilder::cuboid(half, half, thickness)
            .translation(Vector::new(0.0, 0.0, -thickness))
            .friction(to_real(friction));
        let body = RigidBodyBuilder::fixed().pose(super::convert::to_pose(frame));
        let number = self.add("ground", body, [slab]);
        self.paint(number, GROUND_COLOR);
        number
    }

    /// Gives a body a colour, red, green, blue and opacity.
    pub(in super::super) fn paint(&mut self, number: usize, color: [u8; 4]) {
        self.entries[number].color = color;
    }

    /// Lets a viewer's eye follow a body.
    pub(in super::super) fn follow(&mut self, number: usize) {
        self.follow = Some(number);
    }

    /// The body that a viewer's eye follows.
    pub(in super::super) fn followed(&self) -> Option<usize> {
        self.follow
    }

    /// Makes a joint known to viewers.
    pub(in super::super) fn name_joint(&mut self, name: &str, probe: JointProbe) {
        self.joints.push((name.to_owned(), probe));
    }

    /// The joints a recorder is told of.
    pub(in super::super) fn joint_records(&self) -> Vec<JointRecord> {
        let sets = Sets::from(&self.sets);
        let records = self.joints.iter().map(|(name, probe)| {
            let body = probe.body(&sets).and_then(|body| self.number(body));
            probe.record(&sets, name, body?)
        });
        // As many as samples.
        records.map(Option::unwrap_or_default).collect()
    }

    /// Fills in where the bodies and joints are and how they move. O(bodies + joints).
    pub(in super::super) fn fill(&self, record: &mut StepRecord) {
        let bodies = || self.entries.iter().map(|e| &self.sets.bodies[e.handle]);
        record.body_poses.clear();
        record
            .body_poses
            .extend(bodies().map(|body| isometry(body.position())));
        record.body_motions.clear();
        record.body_motions.extend(bodies().map(motion_record));
        record.joints.clear();
        let sets = Sets::from(&self.sets);
        let joints = self.joints.iter().map(|(_, probe)| probe);
        let joints = joints.map(|probe| self.stepper.joint(probe, &sets));
        record.joints.extend(joints);
        record.applied_force = applied_force(&self.sets.bodies);
    }

    /// The scene's bodies.
    pub(in super::super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Number of a body in the scene.
    pub(in super::super) fn number(&self, handle: RigidBodyHandle) -> Option<usize> {
        self.index.get(&handle).copied()
    }

    /// A body of the scene.
    pub(in super::super) fn body(&self, number: usize) -> &RigidBody {
        &self.sets.bodies[self.entries[number].handle]
    }

    /// Pose of a body.
    pub(in super::super) fn pose(&self, number: usize) -> Isometry3<f64> {
        isometry(self.body(number).position())
    }

    /// Position of a body's origin.
    pub(in super::super) fn position(&self, number: usize) -> Vector3<f64> {
        self.pose(number).translation.vector
    }

    /// Total weight of what moves \[N\].
    pub(in super::super) fn weight(&self) -> f64 {
        let mass: f64 = self
            .sets
            .bodies
            .iter()
            .filter(|(_, body)| body.is_dynamic())
            .map(|(_, body)| real(body.mass()) * real(body.gravity_scale()))
            .sum();
        mass * self.gravity.norm()
    }

    /// Contacts of the last step.
    pub(in super::super) fn contacts(&self) -> &[ContactSample] {
        &self.contacts
    }

    /// The problem of the last step, under a model of ours.
    pub(in super::super) fn problem(&self) -> Option<StepProblem<'_>> {
        self.stepper.problem()
    }

    /// Replaces rapier's contact points, under a model of ours.
    ///
    /// # Errors
    /// Under rapier's own pipeline, which takes no contact points from outside.
    pub(in super::super) fn set_contact_source(
        &mut self,
        source: Box<dyn ContactSource>,
    ) -> Result<(), CommandError> {
        self.stepper.set_contact_source(source)
    }

    /// Lets hooks change rapier's contacts from now on.
    pub(in super::super) fn set_hooks(&mut self, hooks: Box<dyn PhysicsHooks + Send>) {
        self.hooks = hooks;
    }

    /// One step. Only the step call itself is timed.
    pub(in super::super) fn step(&mut self) -> Result<StepSample, String> {
        for robot in self.limited.iter().flatten() {
            robot.keep_speed_limits(&mut self.sets.multibody_joints, self.dt);
        }
        let sample = self.stepper.step(&mut self.sets, &*self.hooks)?;
        self.steps += 1;
        self.contacts.clear();
        let touching = (&self.sets, &self.index);
        self.stepper.read(touching, self.dt, &mut self.contacts);
        Ok(sample)
    }
}

/// Linear velocity of a body's centre of mass as rapier states it [m/s].
pub(in super::super) fn linear_velocity(body: &RigidBody) -> Vector3<f64> {
    vector(body.linvel())
}
