//! `mass-ratio` [C5]: a heavy box on a light one.

use super::super::super::rapier::prelude::*;
use super::super::stage::boxes::cube;
use super::super::stage::convert::to_real;
use super::super::stage::scene::{Built, settle_steps};
use super::super::stage::world::World;
use super::stack::Pile;
use crate::error::CommandError;
use crate::settings::RunSettings;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [size, mass, mu] = keys.numbers(["size", "mass", "mu"])?;
    let heavy = mass * keys.number("ratio")?;
    let mut world = World::new(settings)?;
    world.add_ground(mu);
    let mut boxes = Vec::new();
    for (name, mass, z) in [("light", mass, 0.5 * size), ("heavy", heavy, 1.5 * size)] {
        let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.0, to_real(z)));
        boxes.push(world.add(name, body, [cube(size, mass, mu)]));
    }
    let pile = Pile::new(boxes, size, settle_steps(settings)?);
    Ok((world, Box::new(pile)))
}
