//! `grasp` [A1]: two free cubes in a row, squeezed by a gripper from a robot file.

use super::super::super::rapier::prelude::*;
use super::super::super::urdf::{InsertOptions, JointKind, RobotHandles, RobotModel, Surface};
use super::super::robots::robot::{self, GRIPPER};
use super::super::robots::robot_options::choose;
use super::super::stage::boxes::cube;
use super::super::stage::convert::{isometry, to_real, to_vector, vector};
use super::super::stage::fall::Fall;
use super::super::stage::scene::{Built, Scene, settle_steps};
use super::super::stage::twin::{Start, Twin};
use super::super::stage::world::{GRAVITY, World};
use super::paper_contacts::{Cube, PaperContacts, Set};
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::Vector3;
use std::collections::HashMap;
use stickslip_record::StepReport;

/// Side of the cubes \[m\].
const SIDE: f64 = 0.1;
/// Where to go with any other hand.
const CARRY: &str = "`stickslip run carry --robot FILE` takes any two-finger hand";
/// A gripper whose faces are closer to the cubes than this counts as touching them \[m\].
const TOUCHING: f64 = 1e-9;
/// A cube that sank by this much has slipped \[m\], far above any creep worth the name.
const SLIPPED: f64 = 1e-3;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [squeeze, mass, mu] = keys.numbers(["squeeze", "mass", "mu"])?;
    let masses = match keys.number("mass_2")? {
        0.0 => [mass; 2],
        second => [mass, second],
    };
    let model = robot::load(settings, GRIPPER)?;
    let closed = closed_gripper(settings, &model, mu)?;
    let mut world = World::new(settings)?;
    let gripper = robot::insert(&mut world, &model, &closed)?;
    let jaws = jaws(&world, &model, &gripper)?;
    let center = 0.5 * (jaws[0].face + jaws[1].face);
    let mut cubes = Vec::new();
    for ((name, side), mass) in [("left_cube", -0.5), ("right_cube", 0.5)]
        .into_iter()
        .zip(masses)
    {
        let at = center + Vector3::x() * (side * SIDE);
        let body = RigidBodyBuilder::dynamic().translation(to_vector(&at));
        cubes.push(world.add(name, body, [cube(SIDE, mass, mu)]));
    }
    for (jaw, inward) in jaws.iter().zip([1.0, -1.0]) {
        let force = Vector::new(to_real(inward * squeeze), 0.0, 0.0);
        // Rapier keeps the force until it is reset.
        world.sets.bodies[jaw.body].add_force(force, true);
    }
    let row = [
        Some(jaws[0].body),
        cubes.first().map(|c| world.entries()[*c].handle),
        cubes.last().map(|c| world.entries()[*c].handle),
        Some(jaws[1].body),
    ];
    let row: Vec<RigidBodyHandle> = row.into_iter().flatten().collect();
    if let Some(set) = Set::parse(keys.text("contacts")?) {
        let row = row
            .iter()
            .map(|handle| cube_of(&world, *handle))
            .collect::<Result<Vec<_>, _>>()?;
        world.set_contact_source(Box::new(PaperContacts::new(row, set, mu)))?;
    }
    // Two equal cubes hang as one body between two faces with friction, each pressed by the squeeze.
    let hanging = Start {
        mass: 2.0 * mass,
        mu,
        weight: squeeze / mass,
        pull: Vector3::z() * -GRAVITY,
        ..Start::default()
    };
    let scene = Grasp {
        fall: Fall::new(
            (masses[0] == masses[1]).then(|| Twin::new(settings, hanging)),
            SIDE,
        ),
        row: row
            .iter()
            .filter_map(|handle| world.number(*handle))
            .collect(),
        cubes,
        squeeze_impulse: squeeze * world.dt(),
        settle: settle_steps(settings)?,
        start: Vec::new(),
        drop: 0.0,
        drift: 0.0,
        pairs: HashMap::new(),
        pair_error: 0.0,
        tangent_rows: 0,
        tangent_rows_kept: 0,
        meter: ContactMeter::default(),
    };
    Ok((world, Box::new(scene)))
}

/// The cuboid of a body, for the paper's contact sets.
fn cube_of(world: &World, handle: RigidBodyHandle) -> Result<Cube, CommandError> {
    let colliders = world.sets.bodies[handle].colliders();
    let found = colliders
        .iter()
        .filter_map(|c| world.sets.colliders.get(*c))
        .find_map(|c| {
            let cuboid = c.shape().as_cuboid()?;
            let at = c.position_wrt_parent().map(isometry).unwrap_or_default();
            Some(Cube {
                body: handle,
                at,
                half: vector(cuboid.half_extents),
            })
        });
    found.ok_or_else(|| {
        CommandError::Usage(
            "contacts=paper and contacts=triplicated need fingers with a box as collision shape"
                .to_owned(),
        )
    })
}

/// A finger: its body and the point of its inner face in the middle between the fingers.
struct Jaw {
    body: RigidBodyHandle,
    joint: usize,
    face: Vector3<f64>,
}

/// The two fingers, the one at smaller x first. They must face each other along x.
fn jaws(
    world: &World,
    model: &RobotModel,
    handles: &RobotHandles,
) -> Result<[Jaw; 2], CommandError> {
    let fail = |reason: &str| {
        CommandError::Robot(format!(
            "{}: robot `{}`: {reason}; {CARRY}",
            model.file.display(),
            model.name
        ))
    };
    let mut fingers = Vec::new();
    for (number, joint) in handles.joints.iter().enumerate() {
        if joint.kind != JointKind::Prismatic {
            continue;
        }
        let colliders = world.sets.bodies[joint.body].colliders();
        let bounds = colliders
            .iter()
            .filter_map(|c| world.sets.colliders.get(*c))
            .map(|c| c.compute_aabb())
            .reduce(|a, b| a.merged(&b))
            .ok_or_else(|| fail(&format!("finger `{}` has no collision shape", joint.name)))?;
        fingers.push((number, joint.body, bounds));
    }
    let count = fingers.len();
    let Ok([mut a, mut b]) = <[_; 2]>::try_from(fingers) else {
        return Err(fail(&format!(
            "grasp needs a gripper with exactly two prismatic finger joints, this has {count}"
        )));
    };
    if a.2.center().x > b.2.center().x {
        std::mem::swap(&mut a, &mut b);
    }
    let middle = vector((a.2.center() + b.2.center()) * to_real(0.5));
    let face = |x: Real| Vector3::new(super::super::stage::convert::real(x), middle.y, middle.z);
    let jaws = [
        Jaw {
            body: a.1,
            joint: a.0,
            face: face(a.2.maxs.x),
        },
        Jaw {
            body: b.1,
            joint: b.0,
            face: face(b.2.mins.x),
        },
    ];
    if jaws[0].face.x >= jaws[1].face.x {
        return Err(fail("the fingers don't face each other along x"));
    }
    Ok(jaws)
}

/// Where the fingers must stand so that two cubes just fit between them.
fn closed_gripper(
    settings: &RunSettings,
    model: &RobotModel,
    friction: f64,
) -> Result<InsertOptions, CommandError> {
    let mut options = InsertOptions {
        surface: Surface {
            friction,
            ..Surface::default()
        },
        ..InsertOptions::default()
    };
    choose(&settings.robot_args, &mut options)?;
    let mut trial = World::new(settings)?;
    let handles = robot::insert(&mut trial, model, &options)?;
    let jaws = jaws(&trial, model, &handles)?;
    let gap = jaws[1].face.x - jaws[0].face.x;
    let close = 0.5 * (gap - 2.0 * SIDE);
    if close.abs() <= TOUCHING {
        return Ok(options);
    }
    let first = |q: &Vec<f64>| q.first().copied().unwrap_or(0.0);
    let q: Vec<f64> = handles.joints.iter().map(|j| first(&j.initial)).collect();
    let poses = model.link_poses(&q);
    for (jaw, inward) in jaws.iter().zip([1.0, -1.0]) {
        let joint = &model.joints[jaw.joint];
        let axis = poses[joint.child].rotation * joint.axis.into_inner();
        let target = q[jaw.joint] + inward * close * axis.x;
        let fits = joint.limits.is_none_or(|l| l.clamp(target) == target);
        if axis.x.abs() < 0.999 || !fits {
            return Err(CommandError::Robot(format!(
                "{}: joint `{}` can't bring its finger to the cubes: the gap between the fingers is {gap:.4} m at the start, two cubes of {SIDE} m must fit along x; {CARRY}",
                model.file.display(),
                joint.name
            )));
        }
        options.initial.insert(joint.name.clone(), target);
    }
    Ok(options)
}

struct Grasp {
    fall: Fall,
    /// Left finger, cubes, right finger.
    row: Vec<usize>,
    cubes: Vec<usize>,
    squeeze_impulse: f64,
    settle: u64,
    start: Vec<Vector3<f64>>,
    drop: f64,
    drift: f64,
    /// Impulses along the row of the last step by pair of neighbours.
    pairs: HashMap<[usize; 2], f64>,
    pair_error: f64,
    tangent_rows: usize,
    tangent_rows_kept: usize,
    meter: ContactMeter,
}

impl Grasp {
    fn add_pairs(&mut self, world: &World) {
        self.pairs.clear();
        for contact in world.contacts() {
            if let [Some(a), Some(b)] = contact.record.bodies {
                // The part along the row, whichever direction of the contact carries it: with the
                // triplicated set some contacts press across the row, and hold by friction.
                let record = &contact.record;
                let force = record.normal * record.normal_force + record.friction_force;
                let impulse = force * world.dt();
                let along = if a < b { impulse.x } else { -impulse.x };
                *self.pairs.entry([a.min(b), a.max(b)]).or_insert(0.0) += along;
            }
        }
        for pair in self.row.windows(2) {
            let key = [pair[0].min(pair[1]), pair[0].max(pair[1])];
            let impulse = self.pairs.get(&key).copied().unwrap_or(0.0).abs();
            self.pair_error = larger(self.pair_error, (impulse - self.squeeze_impulse).abs());
        }
    }
}

impl Scene for Grasp {
    fn control(&mut self, world: &mut World) {
        if world.steps() == self.settle {
            self.start = self.cubes.iter().map(|c| world.position(*c)).collect();
        }
    }

    fn observe(&mut self, world: &World, report: Option<&StepReport>) {
        if self.start.is_empty() {
            return;
        }
        self.meter.add(world.contacts(), world.dt());
        self.add_pairs(world);
        for (cube, start) in self.cubes.iter().zip(&self.start) {
            let moved = world.position(*cube) - start;
            self.drift = larger(self.drift, moved.norm());
            self.drop = larger(self.drop, -moved.z);
        }
        let speeds = self.cubes.iter();
        let speeds = speeds.map(|c| -super::super::stage::world::linear_velocity(world.body(*c)).z);
        let speed = speeds.fold(f64::NEG_INFINITY, larger);
        self.fall.observe(world, &self.row, (speed, self.drop));
        if let Some(report) = report {
            self.tangent_rows = self.tangent_rows.max(report.solve.tangent_rows);
            self.tangent_rows_kept = self.tangent_rows_kept.max(report.solve.tangent_rows_kept);
        }
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let outcome = if self.drop < SLIPPED {
            "held"
        } else if self.drop < SIDE {
            "slipped"
        } else {
            "dropped"
        };
        let pairs = self.row.len().saturating_sub(1) as f64;
        let neighbours = self
            .row
            .windows(2)
            .map(|p| [p[0].min(p[1]), p[0].max(p[1])]);
        let total: f64 = neighbours
            .filter_map(|key| self.pairs.get(&key).map(|x| x.abs()))
            .sum();
        let mut figures = self
            .fall
            .figures(Figures::new(outcome).at_most("drop_m", self.drop, SLIPPED))
            .with("drift_m", self.drift)
            .with("slip_max_m", self.meter.slip_max())
            .with("penetration_max_m", self.meter.penetration_max())
            .with("normal_impulse_pair_N_s", total / pairs)
            .with("normal_impulse_pair_error_N_s", self.pair_error);
        if self.tangent_rows > 0 {
            figures = figures
                .with("tangent_rows", self.tangent_rows as f64)
                .with("tangent_rows_kept", self.tangent_rows_kept as f64);
        }
        let speed = self
            .cubes
            .iter()
            .map(|c| super::super::stage::world::linear_velocity(world.body(*c)).norm());
        Ok(figures.with("speed_end_m_per_s", speed.fold(0.0, larger)))
    }
}
