//! Impacts of curved surfaces have the normal of the moment at which they meet, whatever the time step.

use super::{G, World, num, vec3};
use crate::ModelName;
use crate::base::convert::{real, vector};
use nalgebra::Vector3;
use rapier::prelude::*;

const RADIUS: f64 = 0.0286;
const STEPS: [f64; 4] = [1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0, 1e-3];

fn elastic(shape: ColliderBuilder) -> ColliderBuilder {
    shape.friction(0.0).restitution(1.0)
}

fn ball(world: &mut World, at: [f64; 3], speed: f64) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic()
        .translation(vec3(at[0], at[1], at[2]))
        .linvel(vec3(speed, 0.0, 0.0));
    world.add(body, elastic(ColliderBuilder::ball(num(RADIUS))))
}

fn weightless(h: f64, model: ModelName) -> World {
    let mut world = World::with_model(h, model);
    world.gravity = Vector::ZERO;
    world
}

/// Two balls whose centres are `offset` diameters apart across the motion: the one at rest leaves along the line of
/// centres of the impact with `u sqrt(1 - offset^2)`, the other across it.
#[test]
fn balls_part_along_the_line_of_centres() {
    const SPEED: f64 = 2.0;
    for h in STEPS {
        for k in 0..6 {
            let (away, offset) = (0.1 + 0.009 * f64::from(k), 0.5 + 0.07 * f64::from(k));
            let mut world = weightless(h, ModelName::Cone);
            let cue = ball(&mut world, [-away, 2.0 * RADIUS * offset, 0.0], SPEED);
            let hit = ball(&mut world, [0.0; 3], 0.0);
            for _ in 0..(0.2 / h) as usize {
                world.step();
            }
            let along = (1.0 - offset * offset).sqrt();
            let line = Vector3::new(along, -offset, 0.0);
            let right = [
                Vector3::x() * SPEED - line * (SPEED * along),
                line * (SPEED * along),
            ];
            for (body, right) in [cue, hit].into_iter().zip(right) {
                let off = (world.linvel(body) - right).norm();
                assert!(off < 2e-3 * SPEED, "step {h}, {k}: off by {off}");
            }
        }
    }
}

/// A ball that passes another one, closer than its plane at the start of a step says, is neither turned nor late.
#[test]
fn what_passes_by_is_not_hit() {
    for h in STEPS {
        for (model, e) in [
            (ModelName::Cone, 1.0),
            (ModelName::Cone, 0.0),
            (ModelName::NoSlip, 1.0),
        ] {
            for k in 0..6 {
                let mut world = weightless(h, model);
                let start = [-0.1 - 0.009 * f64::from(k), 2.02 * RADIUS, 0.0];
                let cue = ball(&mut world, start, 2.0);
                let other = ball(&mut world, [0.0; 3], 0.0);
                for (_, collider) in world.colliders.iter_mut() {
                    collider.set_restitution(num(e));
                }
                let steps = (0.2 / h) as usize;
                world.run(steps);
                let turned = world.linvel(cue) - Vector3::x() * 2.0;
                let off = turned.norm() + world.linvel(other).norm();
                let way = real(world.bodies[cue].translation().x) - start[0];
                let late = (way - 2.0 * h * steps as f64).abs();
                // A plane that closes by an overlap that is left as it is counts as open.
                assert!(off < 3e-5 / h, "{model}, e {e}, step {h}, {k}: {off}");
                assert!(late < 1e-3, "{model}, e {e}, step {h}, {k}: late by {late}");
            }
        }
    }
}

/// The same on the ground, whose contacts leave it open how the balls move: they are not held where they are closest.
#[test]
fn what_passes_by_on_the_ground_is_not_late() {
    for h in STEPS {
        for k in 0..6 {
            let mut world = World::with_model(h, ModelName::Cone);
            let ground = world.ground();
            world.colliders[ground].set_friction(0.0);
            let start = [-0.1 - 0.009 * f64::from(k), 2.02 * RADIUS, RADIUS];
            let cue = ball(&mut world, start, 2.0);
            ball(&mut world, [0.0, 0.0, RADIUS], 0.0);
            let steps = (0.2 / h) as usize;
            world.run(steps);
            let late = real(world.bodies[cue].translation().x) - start[0] - 2.0 * h * steps as f64;
            assert!(late.abs() < 1e-3, "step {h}, {k}: {late}");
        }
    }
}

/// A ball against the edge of a box: reflected about the direction from the edge to its centre when they meet.
#[test]
fn an_edge_reflects_about_its_normal_at_the_impact() {
    for h in STEPS {
        for k in 0..6 {
            let height = RADIUS * (0.2 + 0.1 * f64::from(k));
            let mut world = weightless(h, ModelName::Cone);
            let cuboid = ColliderBuilder::cuboid(0.5, 0.5, 0.5);
            (world.colliders).insert(elastic(cuboid).translation(vec3(0.5, -0.5, 0.0)));
            let start = [-0.1 - 0.009 * f64::from(k), height, 0.0];
            let body = ball(&mut world, start, 2.0);
            for _ in 0..(0.2 / h) as usize {
                world.step();
            }
            let sine = height / RADIUS;
            let normal = Vector3::new(-(1.0 - sine * sine).sqrt(), sine, 0.0);
            let before = Vector3::x() * 2.0;
            let right = before - normal * (2.0 * before.dot(&normal));
            let off = (vector(world.bodies[body].linvel()) - right).norm();
            assert!(off < 4e-3, "step {h}, {k}: {off}");
        }
    }
}

/// Two balls that meet while they fall: each keeps its energy `v^2 / 2 + g (z - h v_z / 2)`, which symplectic Euler conserves in
/// flight, up to the work of gravity over what is left of the step, `g^2 h^2` at most for both.
#[test]
fn gravity_does_no_work_while_what_met_waits() {
    for h in STEPS {
        for k in 0..8 {
            let mut world = World::with_model(h, ModelName::Cone);
            let cue = ball(&mut world, [-0.1, 0.01 + 0.003 * f64::from(k), 0.0], 1.0);
            let hit = ball(&mut world, [0.0; 3], 0.0);
            let rise = 0.6 * f64::from(k) - 2.0;
            for body in [cue, hit] {
                let mut velocity = world.bodies[body].linvel();
                velocity.z = num(rise);
                world.bodies[body].set_linvel(velocity, true);
            }
            let energy = |world: &World| -> f64 {
                let of = |body| {
                    let v = world.linvel(body);
                    let height = real(world.bodies[body].translation().z) - 0.5 * h * v.z;
                    0.5 * v.norm_squared() + G * height
                };
                of(cue) + of(hit)
            };
            world.step();
            let before = energy(&world);
            for _ in 0..(0.2 / h) as usize {
                world.step();
            }
            assert!(world.linvel(hit).x > 0.3, "step {h}, {k}: no impact");
            let gained = energy(&world) - before;
            let most = (G * h).powi(2) + 2e-4;
            assert!(gained.abs() < most, "step {h}, {k}: {gained} of {most}");
        }
    }
}

/// A ball at the end of a chain of impulse joints meets a free one beside its middle: it does not leave the chain.
#[test]
fn what_hangs_on_a_joint_stays_on_it() {
    for h in STEPS {
        let mut world = weightless(h, ModelName::Cone);
        let speed = 2.0;
        let mut last = None;
        let mut joints = Vec::new();
        // Links one behind the other, all on their way.
        for k in 0..4 {
            let x = -0.1 - 0.2 * f64::from(k);
            let link = ball(&mut world, [x, RADIUS, 0.0], speed);
            if let Some(last) = last {
                let joint = SphericalJointBuilder::new()
                    .local_anchor1(vec3(-0.1, 0.0, 0.0))
                    .local_anchor2(vec3(0.1, 0.0, 0.0));
                joints.push([last, link]);
                world.impulse_joints.insert(last, link, joint, true);
            }
            last = Some(link);
        }
        ball(&mut world, [0.0; 3], 0.0);
        let mut widest = 0.0_f64;
        for _ in 0..(0.1 / h) as usize {
            world.step();
            for &[a, b] in &joints {
                let ends = [(a, -0.1), (b, 0.1)].map(|(body, x)| {
                    let at = world.bodies[body].position() * vec3(x, 0.0, 0.0);
                    vector(at)
                });
                widest = widest.max((ends[1] - ends[0]).norm());
            }
        }
        assert!(widest < 1e-3, "step {h}: {widest}");
    }
}
