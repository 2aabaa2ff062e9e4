//! `box` [D1]: a box at rest on the ground.

use super::super::rapier::prelude::*;
use super::convert::to_real;
use super::stack::Pile;
use super::world::World;
use super::{Built, settle_steps};
use crate::error::CommandError;
use crate::settings::RunSettings;

pub(super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let (size, mass, mu) = (
        keys.number("size")?,
        keys.number("mass")?,
        keys.number("mu")?,
    );
    let mut world = World::new(settings)?;
    world.add_ground(mu);
    let half = to_real(0.5 * size);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.0, half));
    let cube = ColliderBuilder::cuboid(half, half, half)
        .mass(to_real(mass))
        .friction(to_real(mu));
    let number = world.add("box", body, [cube]);
    let pile = Pile::new(vec![number], size, settle_steps(settings)?);
    Ok((world, Box::new(pile)))
}
