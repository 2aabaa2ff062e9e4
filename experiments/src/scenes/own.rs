//! A scene of one's own, from a file.

use super::super::rapier::prelude::*;
use super::super::urdf::{Base, Drive, Hold, InsertOptions, RobotHandles, SelfCollision, Surface};
use super::robots::robot_options::{choose, load_up};
use super::robots::{robot, walk::ground};
use super::stage::convert::{to_pose, to_real, to_vector};
use super::stage::motor::Motor;
use super::stage::scene::{Built, Scene};
use super::stage::world::{World, linear_velocity};
use crate::error::CommandError;
use crate::metrics::{ContactMeter, larger};
use crate::near;
use crate::scene_file::{self, Body, Measure, Quantity, SceneFile, Shape};
use crate::session::Figures;
use crate::settings::RunSettings;
use crate::terrain::Terrain;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::f64::consts::FRAC_PI_2;
use stickslip_record::StepReport;

/// Without a list of what is measured, so many bodies at most have figures of their own.
const MOST: usize = 16;

pub(super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let scene = settings
        .scene
        .as_deref()
        .ok_or_else(|| CommandError::Scene("no scene was read".to_owned()))?;
    let mut world = World::new(settings)?;
    world.set_gravity(Vector3::from(scene.gravity));
    add_ground(&mut world, scene)?;
    for body in &scene.bodies {
        add_body(&mut world, body);
    }
    let mut bases = Vec::new();
    for given in &scene.robots {
        let (base, robot) = add_robot(&mut world, settings, scene, given)?;
        if scene.robots.len() > 1 {
            world.prefix(&robot, &given.name);
        }
        bases.push((given.name.clone(), base));
    }
    let measured = measured(&world, scene, &bases)?;
    let own = Own {
        settle: match (scene.settle / settings.dt).round() as u64 {
            steps if steps < settings.steps => steps,
            _ => settings.steps / 2,
        },
        measured,
        steps: 0,
        meter: ContactMeter::default(),
    };
    Ok((world, Box::new(own)))
}

fn placed(position: [f64; 3], degrees: [f64; 3]) -> Isometry3<f64> {
    let [roll, pitch, yaw] = degrees.map(f64::to_radians);
    let turn = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    Isometry3::from_parts(Translation3::from(Vector3::from(position)), turn)
}

fn add_ground(world: &mut World, scene: &SceneFile) -> Result<(), CommandError> {
    let Some(given) = &scene.ground else {
        return Ok(());
    };
    let number = match &given.heights {
        None => {
            let frame = Isometry3::translation(0.0, 0.0, given.height);
            world.add_plane(&frame, given.friction)
        }
        Some(file) => {
            let mut terrain = Terrain::read(&scene.folder.join(file), given.spacing)?;
            for height in &mut terrain.heights {
                *height += given.height;
            }
            ground::add(world, Some(&terrain), given.friction)
        }
    };
    let colliders = world.body(number).colliders().to_vec();
    for collider in colliders {
        if let Some(collider) = world.sets.colliders.get_mut(collider) {
            collider.set_restitution(to_real(given.restitution));
        }
    }
    Ok(())
}

fn add_body(world: &mut World, given: &Body) {
    let radius = to_real(given.radius.unwrap_or_default());
    let half = to_real(0.5 * given.length.unwrap_or_default());
    let upright = Isometry3::rotation(Vector3::x() * FRAC_PI_2);
    let collider = match given.shape {
        Shape::Box => {
            let [x, y, z] = given.size.unwrap_or_default().map(|x| to_real(0.5 * x));
            ColliderBuilder::cuboid(x, y, z)
        }
        Shape::Ball => ColliderBuilder::ball(radius),
        // Rapier's stand along y.
        Shape::Cylinder => ColliderBuilder::cylinder(half, radius).position(to_pose(&upright)),
        Shape::Capsule => ColliderBuilder::capsule_z(half, radius),
    };
    let collider = match given.mass {
        Some(mass) => collider.mass(to_real(mass)),
        None => collider.density(to_real(given.density.unwrap_or(1000.0))),
    };
    let collider = collider
        .friction(to_real(given.friction))
        .restitution(to_real(given.restitution));
    let body = match given.fixed {
        true => RigidBodyBuilder::fixed(),
        false => RigidBodyBuilder::dynamic(),
    };
    let body = body
        .pose(to_pose(&placed(given.position, given.rotation)))
        .linvel(to_vector(&given.velocity.into()))
        .angvel(to_vector(&given.spin.into()));
    world.add(&given.name, body, [collider]);
}

/// Number of its base, and its handles.
fn add_robot(
    world: &mut World,
    settings: &RunSettings,
    scene: &SceneFile,
    given: &scene_file::Robot,
) -> Result<(usize, RobotHandles), CommandError> {
    let mut model = robot::load_file(settings, &scene.folder.join(&given.file))?;
    let known = |name: &str| model.joints.iter().any(|j| j.name == name);
    let names = given.joints.keys().chain(given.targets.keys());
    if let Some(name) = names.chain(given.drives.keys()).find(|name| !known(name)) {
        let all = model.joints.iter().map(|j| &*j.name);
        let near = near::did_you_mean(name, all.clone())
            .unwrap_or_else(|| format!("its joints are {}", all.collect::<Vec<_>>().join(", ")));
        return Err(CommandError::Usage(format!(
            "robot `{}` of the scene: {} has no joint `{name}`; {near}",
            given.name,
            model.file.display()
        )));
    }
    load_up(&settings.robot_args, &mut model)?;
    model.name.clone_from(&given.name);
    let mut options = InsertOptions {
        pose: placed(given.position, given.rotation),
        base: match given.base {
            scene_file::Base::Auto => Base::Auto,
            scene_file::Base::Fixed => Base::Fixed,
            scene_file::Base::Floating => Base::Floating,
        },
        initial: given.joints.clone(),
        hold: Some(Hold::default()),
        joint_drives: drives(given),
        self_collision: match given.self_collision {
            true => SelfCollision::ExcludeOverlapping,
            false => SelfCollision::Off,
        },
        surface: Surface {
            friction: given.friction,
            ..Surface::default()
        },
        ..InsertOptions::default()
    };
    if let (Some(stiffness), Some(damping)) = (given.stiffness, given.damping) {
        options.hold = None;
        options.drive = Some(Drive { stiffness, damping });
    }
    choose(&settings.robot_args, &mut options)?;
    if given.on_ground {
        let lowest = robot::lowest_when_placed(settings, &model, &options)?.unwrap_or_default();
        let height = scene.ground.as_ref().map_or(0.0, |ground| ground.height);
        options.pose.translation.vector.z += height - lowest;
    }
    let handles = robot::insert(world, &model, &options)?;
    for (joint, target) in &given.targets {
        let place = model.joints.iter().position(|j| j.name == *joint);
        if let Some(motor) = place.and_then(|place| Motor::of(&handles, place)) {
            motor.aim(world, *target, 0.0);
        }
    }
    let base = world.number(handles.root);
    let base = base.ok_or_else(|| CommandError::Scene("a robot without a base".to_owned()))?;
    Ok((base, handles))
}

fn drives(given: &scene_file::Robot) -> std::collections::BTreeMap<String, Drive> {
    let each = given.drives.iter();
    let each = each.map(|(joint, [stiffness, damping])| {
        let (stiffness, damping) = (*stiffness, *damping);
        (joint.clone(), Drive { stiffness, damping })
    });
    each.collect()
}

/// What the file asks for; without that, the motion of whatever moves.
fn measured(
    world: &World,
    scene: &SceneFile,
    bases: &[(String, usize)],
) -> Result<Vec<Watch>, CommandError> {
    let entries = || world.entries().iter().enumerate();
    let find = |name: &str| {
        let base = bases.iter().find(|(robot, _)| robot == name);
        let body = || entries().find(|(_, entry)| entry.name == name);
        base.map(|(_, number)| *number)
            .or_else(|| body().map(|(number, _)| number))
    };
    if !scene.measure.is_empty() {
        let each = scene.measure.iter().map(|measure| {
            let body = find(&measure.of).ok_or_else(|| {
                let names = bases.iter().map(|(name, _)| &**name);
                let names = names.chain(world.entries().iter().map(|e| &*e.name));
                let near = near::did_you_mean(&measure.of, names.clone()).unwrap_or_else(|| {
                    format!("there are {}", names.collect::<Vec<_>>().join(", "))
                });
                CommandError::Usage(format!(
                    "measure of `{}`: no body, robot or link of the scene has this name; {near}",
                    measure.of
                ))
            })?;
            Ok(Watch::new(body, measure.clone()))
        });
        return each.collect();
    }
    let bodies = scene.bodies.iter().filter(|b| !b.fixed).map(|b| &b.name);
    let names = bodies.chain(bases.iter().map(|(name, _)| name)).take(MOST);
    let each = names.flat_map(|name| {
        [Quantity::Drift, Quantity::Height, Quantity::Speed].map(|figure| {
            let measure = Measure {
                of: name.clone(),
                figure,
                at_most: None,
                at_least: None,
            };
            find(name).map(|body| Watch::new(body, measure))
        })
    });
    Ok(each.flatten().collect())
}

/// A figure on its way.
struct Watch {
    body: usize,
    measure: Measure,
    start: Option<Isometry3<f64>>,
    value: f64,
}

impl Watch {
    fn new(body: usize, measure: Measure) -> Self {
        Self {
            body,
            measure,
            start: None,
            value: 0.0,
        }
    }

    /// Upward force of its contacts in a step \[N\].
    fn force_up(&self, world: &World) -> f64 {
        let touching = world.contacts().iter().map(|c| {
            let record = &c.record;
            let up = record.normal.z * record.normal_force + record.friction_force.z;
            match record.bodies {
                [_, Some(b)] if b == self.body => up,
                [Some(a), _] if a == self.body => -up,
                _ => 0.0,
            }
        });
        touching.sum()
    }

    fn observe(&mut self, world: &World) {
        let now = world.pose(self.body);
        let start = self.start.get_or_insert(now);
        match self.measure.figure {
            Quantity::Drift => {
                let way = now.translation.vector - start.translation.vector;
                self.value = larger(self.value, way.norm());
            }
            Quantity::Tilt => {
                self.value = larger(self.value, now.rotation.angle_to(&start.rotation))
            }
            Quantity::Height => self.value = now.translation.vector.z,
            Quantity::Speed => self.value = linear_velocity(world.body(self.body)).norm(),
            // Summed up; the mean is taken at the end.
            Quantity::ForceUp => self.value += self.force_up(world),
        }
    }
}

struct Own {
    settle: u64,
    measured: Vec<Watch>,
    /// Steps since the settling time.
    steps: u64,
    meter: ContactMeter,
}

impl Scene for Own {
    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        if world.steps() <= self.settle {
            for watch in &mut self.measured {
                watch.start = Some(world.pose(watch.body));
            }
            return;
        }
        self.steps += 1;
        self.meter.add(world.contacts(), world.dt());
        for watch in &mut self.measured {
            watch.observe(world);
        }
    }

    fn figures(&mut self, _world: &World) -> Result<Figures, CommandError> {
        let mut figures = Figures::new("ran");
        for watch in &self.measured {
            let measure = &watch.measure;
            let name = format!("{}.{}", measure.of, measure.figure.name());
            let value = match measure.figure {
                Quantity::ForceUp => watch.value / self.steps.max(1) as f64,
                _ => watch.value,
            };
            figures = match (measure.at_most, measure.at_least) {
                (Some(bound), _) => figures.at_most(&name, value, bound),
                (None, Some(bound)) => figures.at_least(&name, value, bound),
                (None, None) => figures.with(&name, value),
            };
        }
        if !figures.criteria.is_empty() {
            let met = figures.criteria.iter().all(|c| c.met);
            figures.outcome = if met { "met" } else { "missed" }.to_owned();
        }
        Ok(figures
            .with("slip_max_m", self.meter.slip_max())
            .with("penetration_max_m", self.meter.penetration_max()))
    }
}
