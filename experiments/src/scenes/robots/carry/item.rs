//! What the hand carries: a box, a ball or a cylinder, or what a robot file describes.

use super::super::super::super::rapier::prelude::*;
use super::super::super::super::urdf::{Base, InsertOptions, RobotModel, Surface};
use super::super::super::stage::boxes::cube;
use super::super::super::stage::convert::{to_pose, to_real, to_vector};
use super::super::super::stage::world::World;
use super::super::robot;
use crate::error::CommandError;
use crate::settings::RunSettings;
use nalgebra::{Isometry3, Vector3};
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

/// What is carried.
pub(super) struct Item {
    /// Its extent along x, between the fingers, y and z \[m\].
    pub(super) size: [f64; 3],
    /// Its mass \[kg\].
    pub(super) mass: f64,
    mu: f64,
    form: Form,
}

enum Form {
    Box,
    Ball,
    Cylinder,
    /// A file, with the middle of its bounding box in its own frame.
    File(Box<RobotModel>, Vector3<f64>),
}

impl Item {
    /// The object of the keys `object`, `side`, `mass` and `mu`.
    ///
    /// # Errors
    /// What is wrong with its file.
    pub(super) fn new(settings: &RunSettings) -> Result<Self, CommandError> {
        let keys = &settings.keys;
        let [side, mass, mu] = keys.numbers(["side", "mass", "mu"])?;
        let form = match keys.text("object")? {
            "box" => Form::Box,
            "ball" => Form::Ball,
            "cylinder" => Form::Cylinder,
            file => return Self::from_file(settings, Path::new(file), mu),
        };
        Ok(Self {
            size: [side; 3],
            mass,
            mu,
            form,
        })
    }

    fn from_file(settings: &RunSettings, path: &Path, mu: f64) -> Result<Self, CommandError> {
        if path.extension().is_none() {
            return Err(CommandError::Usage(format!(
                "key `object`: `{}` is neither box, ball or cylinder nor a robot file",
                path.display()
            )));
        }
        let model = robot::load_file(settings, path)?;
        let mut trial = World::new(settings)?;
        let placed = robot::insert(&mut trial, &model, &options(mu))?;
        let far = |d: Vector3<f64>| robot::farthest(&trial, &placed.links, &d);
        let mut size = [0.0; 3];
        let mut middle = Vector3::zeros();
        for axis in 0..3 {
            let mut d = Vector3::zeros();
            d[axis] = 1.0;
            let (Some(high), Some(low)) = (far(d), far(-d)) else {
                return Err(CommandError::Robot(format!(
                    "{}: there is no collision shape to hold",
                    path.display()
                )));
            };
            size[axis] = high + low;
            middle[axis] = 0.5 * (high - low);
        }
        Ok(Self {
            size,
            mass: model.mass(),
            mu,
            form: Form::File(Box::new(model), middle),
        })
    }

    /// Puts it into the world with its middle here; the number of its body.
    pub(super) fn add(&self, world: &mut World, at: &Vector3<f64>) -> Result<usize, CommandError> {
        let half = to_real(0.5 * self.size[0]);
        let shape = match &self.form {
            Form::Box => cube(self.size[0], self.mass, self.mu),
            Form::Ball => ColliderBuilder::ball(half),
            Form::Cylinder => {
                let upright = Isometry3::rotation(Vector3::x() * FRAC_PI_2);
                ColliderBuilder::cylinder(half, half).position(to_pose(&upright))
            }
            Form::File(model, middle) => {
                let mut options = options(self.mu);
                options.pose = Isometry3::from(at - middle);
                let placed = robot::insert(world, model, &options)?;
                let root = world.number(placed.root);
                return root
                    .ok_or_else(|| CommandError::Scene("an object without a body".to_owned()));
            }
        };
        let shape = shape.mass(to_real(self.mass)).friction(to_real(self.mu));
        let body = RigidBodyBuilder::dynamic().translation(to_vector(at));
        Ok(world.add("cube", body, [shape]))
    }
}

fn options(mu: f64) -> InsertOptions {
    InsertOptions {
        base: Base::Floating,
        surface: Surface {
            friction: mu,
            ..Surface::default()
        },
        ..InsertOptions::default()
    }
}
