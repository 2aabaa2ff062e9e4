//! A heap too large for factors is held where it stands, until its answer is finished, and only there.

use super::{G, World, num, vec3};
use crate::{ContactPipeline, ModelName, Sleeping, default_settings};
use nalgebra::Vector3;
use rapier::prelude::*;

const H: f64 = 1.0 / 60.0;
const MU: f64 = 0.5;

/// Cubes in rows, one less in each, and what they stand on.
struct Pyramid {
    world: World,
    floor: RigidBodyHandle,
    cubes: Vec<RigidBodyHandle>,
    start: Vec<Vector3<f64>>,
}

impl Pyramid {
    /// One that is left to few sweeps.
    fn new(rows: usize) -> Self {
        let mut world = World::with_model(H, ModelName::Cone);
        let mut settings = default_settings();
        settings.budget.factor = 0;
        world.pipeline = ContactPipeline::new(ModelName::Cone, settings).unwrap();
        world.pipeline.set_sleeping(Sleeping::Never);
        let floor = RigidBodyBuilder::kinematic_velocity_based();
        let floor = (world.bodies).insert(floor.translation(vec3(0.0, 0.0, -0.5)));
        let shape = ColliderBuilder::cuboid(num(40.0), num(4.0), num(0.5)).friction(num(MU));
        (world.colliders).insert_with_parent(shape, floor, &mut world.bodies);
        let mut cubes = Vec::new();
        for row in 0..rows {
            for k in 0..rows - row {
                let x = k as f64 + 0.5 * row as f64 - 0.5 * rows as f64;
                let cube = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5));
                let body = RigidBodyBuilder::dynamic();
                let body = body.translation(vec3(x, 0.0, 0.5 + row as f64));
                cubes.push(world.add(body, cube.friction(num(MU))));
            }
        }
        let start = cubes.iter().map(|&cube| world.position(cube)).collect();
        Self {
            world,
            floor,
            cubes,
            start,
        }
    }

    /// How far the cubes have gone.
    fn ways(&self) -> impl Iterator<Item = Vector3<f64>> + '_ {
        let starts = self.cubes.iter().zip(&self.start);
        starts.map(|(&cube, start)| self.world.position(cube) - start)
    }

    fn farthest(&self) -> f64 {
        self.ways().map(|way| way.norm()).fold(0.0, f64::max)
    }
}

#[test]
fn what_stands_does_not_creep_while_its_answer_is_unfinished() {
    let mut pyramid = Pyramid::new(30);
    let first = pyramid.world.step().solve.residuals.max();
    assert!(first > 1e-6, "finished at once: {first:e}");
    let mut last = pyramid.world.step();
    for _ in 0..100 {
        last = pyramid.world.step();
    }
    let farthest = pyramid.farthest();
    assert!(farthest <= 1e-6, "{farthest:e}");
    let left = last.solve.residuals.max();
    assert!(left <= 1e-3 && last.solve.iterations == 0, "{left:e}");
}

/// A slope beyond the angle of friction by a few thousandths, and by a tenth.
#[test]
fn what_slides_slowly_is_not_held() {
    for (beyond, off) in [(0.1, 0.05), (0.008, 0.2)] {
        let mut pyramid = Pyramid::new(12);
        let across = G * MU * (1.0 + beyond);
        pyramid.world.gravity = vec3(across, 0.0, -G);
        pyramid.world.run(30);
        // Backward Euler: the velocity at the end of every step.
        let wanted = 0.5 * beyond * MU * G * H * H * 30.0 * 31.0;
        for way in pyramid.ways() {
            assert!((way.x / wanted - 1.0).abs() < off, "{way:?} {wanted}");
        }
    }
}

#[test]
fn what_it_stands_on_may_move_slowly_or_go() {
    let mut pyramid = Pyramid::new(12);
    pyramid.world.run(20);
    assert!(pyramid.farthest() <= 1e-6);
    let speed = 1e-3;
    pyramid.world.bodies[pyramid.floor].set_linvel(vec3(speed, 0.0, 0.0), true);
    pyramid.world.run(60);
    for way in pyramid.ways() {
        assert!((way.x / (speed * H * 60.0) - 1.0).abs() < 0.02, "{way:?}");
    }
    pyramid.world.remove(pyramid.floor);
    pyramid.world.run(2);
    for &cube in &pyramid.cubes {
        let v = pyramid.world.linvel(cube);
        assert!((v.z + 2.0 * G * H).abs() < 1e-3, "{v:?}");
    }
}
