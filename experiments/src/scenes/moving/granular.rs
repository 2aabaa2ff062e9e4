//! `granular` [TA; D7]: spheres fall into a box and flow out of a slot in its side.
//!
//! The box is as wide as the settled heap is high, whatever the number of spheres, so that runs of
//! different size are the same experiment. One wall starts above the ground: below it the heap flows
//! out onto the floor.

use super::super::super::rapier::prelude::*;
use super::super::stage::convert::{real, to_real, to_vector};
use super::super::stage::scene::{Built, Scene, settle_steps};
use super::super::stage::world::{World, linear_velocity};
use crate::error::CommandError;
use crate::metrics::larger;
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::{Isometry3, Vector3};
use stickslip_random::Random;
use stickslip_record::StepReport;

/// Distance of neighbours in the lattice the spheres start in, in radii: a little free room.
const SPACING: f64 = 2.1;
/// How far a sphere may be from its place in the lattice, in radii: neighbours never overlap.
const JITTER: f64 = 0.04;
/// Edge of the box over `radius * cbrt(count)`: the heap fills its square to the same height at the
/// volume share of loosely poured spheres, 0.6.
const EDGE: f64 = 1.911;
/// Half the thickness of a wall, in radii.
const WALL: f64 = 2.0;

/// Overlap of two spheres, by their radius, that the scene may end with [TA].
const SUNK: f64 = 2e-3;

pub(in super::super) fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    let keys = &settings.keys;
    let [radius, mu] = keys.numbers(["radius", "mu"])?;
    let mass = keys.number("density")? * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let count = keys.count("count")?;
    // A box must have room for one sphere and its jitter.
    let edge = (EDGE * radius * (count as f64).cbrt()).max(3.0 * radius);
    let slot = keys.number("slot")? * radius;
    let mut world = World::new(settings)?;
    world.add_ground(mu);
    let heap = Heap { radius, mass, mu };
    let first = world.entries().len();
    let height = heap.pour(&mut world, settings.seed, count, edge);
    add_box(&mut world, edge, slot, height, &heap);
    let scene = Granular {
        spheres: first..first + count,
        wall: 0.5 * edge,
        radius,
        settle: settle_steps(settings)?,
        overlap: 0.0,
        overlap_sum: 0.0,
        measured: 0,
    };
    Ok((world, Box::new(scene)))
}

/// What the spheres are.
struct Heap {
    radius: f64,
    mass: f64,
    mu: f64,
}

impl Heap {
    /// Places the spheres layer by layer in a jittered lattice and gives the height of the top.
    fn pour(&self, world: &mut World, seed: u64, count: usize, edge: f64) -> f64 {
        let pitch = SPACING * self.radius;
        let room = edge - 2.0 * (1.0 + JITTER) * self.radius;
        let across = (room / pitch).floor() as usize + 1;
        let mut random = Random::new(seed);
        let mut top: f64 = 0.0;
        for number in 0..count {
            let (layer, place) = (number / (across * across), number % (across * across));
            let lattice = [place % across, place / across].map(|k| {
                let middle = 0.5 * (across - 1) as f64;
                (k as f64 - middle) * pitch + JITTER * self.radius * random.symmetric()
            });
            let z = self.radius * 1.5 + layer as f64 * pitch;
            top = top.max(z + self.radius);
            let at = Vector3::new(lattice[0], lattice[1], z);
            let body = RigidBodyBuilder::dynamic().translation(to_vector(&at));
            let ball = ColliderBuilder::ball(to_real(self.radius))
                .mass(to_real(self.mass))
                .friction(to_real(self.mu));
            world.add(&format!("sphere_{number}"), body, [ball]);
        }
        top
    }
}

/// Three walls down to the ground and one, at positive x, that ends `slot` above it.
fn add_box(world: &mut World, edge: f64, slot: f64, height: f64, heap: &Heap) {
    let thick = WALL * heap.radius;
    let (reach, half) = (0.5 * edge + 2.0 * thick, 0.5 * height);
    let at = 0.5 * edge + thick;
    let wall = |center: [f64; 3], half: [f64; 3]| {
        ColliderBuilder::cuboid(to_real(half[0]), to_real(half[1]), to_real(half[2]))
            .translation(to_vector(&Vector3::from(center)))
            .friction(to_real(heap.mu))
    };
    let mut walls = vec![
        wall([-at, 0.0, half], [thick, reach, half]),
        wall([0.0, -at, half], [reach, thick, half]),
        wall([0.0, at, half], [reach, thick, half]),
    ];
    if slot < height {
        let half = 0.5 * (height - slot);
        walls.push(wall([at, 0.0, slot + half], [thick, reach, half]));
    }
    let body = RigidBodyBuilder::fixed()
        .pose(super::super::stage::convert::to_pose(&Isometry3::identity()));
    let number = world.add("box", body, walls);
    world.paint(number, [150, 150, 155, 60]);
}

struct Granular {
    /// Numbers of the spheres.
    spheres: std::ops::Range<usize>,
    /// x of the inner face of the wall with the slot \[m\].
    wall: f64,
    radius: f64,
    settle: u64,
    overlap: f64,
    /// Sum over the steps of the deepest overlap of each \[m\].
    overlap_sum: f64,
    measured: u64,
}

impl Scene for Granular {
    fn observe(&mut self, world: &World, _report: Option<&StepReport>) {
        if world.steps() <= self.settle {
            return;
        }
        let depths = world.contacts().iter().map(|c| -c.record.gap);
        let deepest = depths.fold(0.0, larger);
        self.overlap = larger(self.overlap, deepest);
        self.overlap_sum += deepest;
        self.measured += 1;
    }

    fn figures(&mut self, world: &World) -> Result<Figures, CommandError> {
        let mut out = 0.0;
        let (mut fastest, mut energy): (f64, f64) = (0.0, 0.0);
        for number in self.spheres.clone() {
            let velocity = linear_velocity(world.body(number));
            fastest = larger(fastest, velocity.norm());
            energy += 0.5 * real(world.body(number).mass()) * velocity.norm_squared();
            if world.position(number).x > self.wall + self.radius {
                out += 1.0;
            }
        }
        let count = self.spheres.len() as f64;
        let outcome = if out == 0.0 {
            "contained"
        } else if out < count {
            "flows"
        } else {
            "emptied"
        };
        Ok(Figures::new(outcome)
            .with("overlap_max_m", self.overlap)
            .at_most("overlap_max_radii", self.overlap / self.radius, SUNK)
            .with(
                "overlap_mean_radii",
                self.overlap_sum / self.measured.max(1) as f64 / self.radius,
            )
            .with("flowed_out", out)
            .with("speed_end_max_m_per_s", fastest)
            .with("kinetic_energy_end_J", energy))
    }
}
