//! The ground a robot walks on.

use super::super::super::super::rapier::parry::{shape::HeightFieldFlags, utils::Array2};
use super::super::super::super::rapier::prelude::*;
use super::super::super::stage::convert::{to_pose, to_real};
use super::super::super::stage::world::{GROUND_COLOR, World};
use crate::error::CommandError;
use crate::settings::RunSettings;
use crate::terrain::Terrain;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

/// Squares of the paper's map along a side: a robot that starts in the middle stays on it.
const COPIES: usize = 4;

/// The ground of the key `terrain`; `None` is level ground.
///
/// # Errors
/// What is wrong with the file it names.
pub(super) fn terrain(settings: &RunSettings) -> Result<Option<Terrain>, CommandError> {
    let keys = &settings.keys;
    Ok(match keys.text("terrain")? {
        "flat" => None,
        "paper" => Some(Terrain::paper(settings.seed, COPIES)),
        "hills" => Some(Terrain::hills(settings.seed, keys.number("hills_height")?)),
        file => Some(Terrain::read(Path::new(file), keys.number("spacing")?)?),
    })
}

/// Adds it to the world and gives the body's number.
pub(in super::super::super) fn add(world: &mut World, terrain: Option<&Terrain>, mu: f64) -> usize {
    let Some(terrain) = terrain else {
        return world.add_ground(mu);
    };
    // Rapier's height fields lie in x and z with y up, rows along z: turned about x, z becomes -y.
    let heights = Array2::from_fn(terrain.rows, terrain.columns, |row, column| {
        let row = terrain.rows - 1 - row;
        to_real(terrain.heights[row * terrain.columns + column])
    });
    let [x, y] = terrain.half().map(|half| to_real(2.0 * half));
    let flags = HeightFieldFlags::FIX_INTERNAL_EDGES;
    let field = ColliderBuilder::heightfield_with_flags(heights, Vector::new(x, 1.0, y), flags)
        .friction(to_real(mu));
    let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), FRAC_PI_2);
    let pose = Isometry3::from_parts(nalgebra::Translation3::identity(), turn);
    let body = RigidBodyBuilder::fixed().pose(to_pose(&pose));
    let number = world.add("ground", body, [field]);
    world.paint(number, GROUND_COLOR);
    number
}
