//! `box` [D1; D8]: a box at rest on the ground, on its corners or on many feet.

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
    let mut world = World::new(settings)?;
    world.add_ground(mu);
    let feet = Feet::new(keys.count("feet")?, size);
    let center = to_real(0.5 * size + 2.0 * feet.radius);
    let body = RigidBodyBuilder::dynamic().translation(Vector::new(0.0, 0.0, center));
    let balls = feet.places().map(|[x, y]| {
        ColliderBuilder::ball(to_real(feet.radius))
            .translation(Vector::new(
                to_real(x),
                to_real(y),
                to_real(-0.5 * size - feet.radius),
            ))
            .mass(0.0)
            .friction(to_real(mu))
    });
    let number = world.add(
        "box",
        body,
        std::iter::once(cube(size, mass, mu)).chain(balls),
    );
    let pile = Pile::new(vec![number], size, settle_steps(settings)?);
    Ok((world, Box::new(pile)))
}

/// Spheres below the box, in a square lattice; the last row may be short.
struct Feet {
    count: usize,
    /// Spheres of a row.
    across: usize,
    /// Side of the box \[m\].
    size: f64,
    /// Of a sphere \[m\]; 0 without spheres.
    radius: f64,
}

impl Feet {
    fn new(count: usize, size: f64) -> Self {
        let across = (count as f64).sqrt().ceil() as usize;
        let radius = if count == 0 {
            0.0
        } else {
            0.25 * size / across as f64
        };
        Self {
            count,
            across,
            size,
            radius,
        }
    }

    /// Their places in the plane \[m\].
    fn places(&self) -> impl Iterator<Item = [f64; 2]> {
        (0..self.count).map(|number| {
            [number % self.across, number / self.across]
                .map(|k| self.size * ((k as f64 + 0.5) / self.across as f64 - 0.5))
        })
    }
}
