//! Free and kinematic bodies.

use super::{EPS, G, World, assert_close, num, vec3};
use crate::ModelName;
use crate::base::convert::real;
use nalgebra::Vector3;
use rapier::prelude::*;
use std::sync::mpsc::channel;

fn cube(world: &mut World, z: f64) -> RigidBodyHandle {
    let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, z));
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).mass(num(2.0));
    world.add(body, shape)
}

/// At rest the normal impulses of a step add up to the weight times h.
#[test]
fn a_resting_box_is_carried_by_its_weight_and_does_not_sink() {
    let mut world = World::new(0.005);
    world.ground();
    let body = cube(&mut world, 0.5);
    let report = world.run(400);
    assert_eq!(report.solve.contacts, 4);
    assert_eq!(report.solve.pivots, 0, "warm at rest");
    let impulse: f64 = world.pipeline.contacts().iter().map(|c| c.impulse[0]).sum();
    assert_close(impulse, 2.0 * G * 0.005, 1e3 * EPS);
    assert_close(world.position(body).z, 0.5, 10.0 * EPS);
    assert!(world.linvel(body).norm() < 10.0 * EPS);
}

/// No slip at the contact makes a sliding solid sphere roll at once: with I = 2/5 m r^2 the
/// tangential impulse J satisfies v = v0 - J/m = w r, w = J r / I, so v = v0 / (1 + I/(m r^2)) = 5/7 v0.
#[test]
fn a_sliding_sphere_rolls_at_five_sevenths() {
    let mut world = World::new(0.005);
    world.ground();
    let body = RigidBodyBuilder::dynamic()
        .translation(vec3(0.0, 0.0, 0.1))
        .linvel(vec3(3.0, 0.0, 0.0));
    let ball = world.add(body, ColliderBuilder::ball(num(0.1)).density(num(100.0)));
    world.step();
    assert_close(world.linvel(ball).x, 15.0 / 7.0, 100.0 * EPS);
    assert_close(world.angvel(ball).y, 15.0 / 7.0 / 0.1, 1e3 * EPS);
}

/// Ten exactly aligned boxes: clipping coincident edges loses corners at tilts of 1e-13, and without
/// them the boxes tip to 5e-8 and back. With the corners remembered nothing moves at all.
#[test]
fn a_stack_of_aligned_boxes_does_not_drift() {
    let mut world = World::new(0.005);
    let floor = ColliderBuilder::cuboid(num(5.0), num(5.0), num(0.5));
    world
        .colliders
        .insert(floor.translation(vec3(0.0, 0.0, -0.5)));
    let boxes: Vec<_> = (0..10)
        .map(|k| {
            let z = 0.05 + 0.1 * f64::from(k);
            let builder = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, z));
            let shape = ColliderBuilder::cuboid(num(0.05), num(0.05), num(0.05)).mass(num(1.0));
            (world.add(builder, shape), z)
        })
        .collect();
    for _ in 0..1200 {
        let report = world.step();
        assert_eq!(report.solve.contacts, 40);
        assert_eq!(report.solve.fallbacks, 0);
    }
    for (body, z) in boxes {
        let off = world.position(body) - Vector3::new(0.0, 0.0, z);
        assert!(off.norm() < 100.0 * EPS, "{:e}", off.norm());
    }
}

#[test]
fn frictionless_contacts_leave_the_sliding_alone() {
    let mut world = World::with_model(0.005, ModelName::Frictionless);
    world.ground();
    let body = cube(&mut world, 0.5);
    world.bodies[body].set_linvel(vec3(1.0, 0.0, 0.0), true);
    world.run(10);
    assert_close(world.linvel(body).x, 1.0, EPS);
}

/// A body inside the prediction distance falls until it touches and no further.
#[test]
fn a_falling_box_lands_on_the_surface() {
    let mut world = World::new(0.01);
    world.ground();
    let body = cube(&mut world, 0.55);
    world.run(200);
    assert_close(world.position(body).z, 0.5, 100.0 * EPS);
}

#[test]
fn user_forces_gravity_scale_and_damping_act() {
    let h = 0.01;
    let mut world = World::new(h);
    let builder = RigidBodyBuilder::dynamic()
        .gravity_scale(num(0.5))
        .linear_damping(num(2.0));
    let body = world.add(builder, ColliderBuilder::ball(num(0.1)).mass(num(4.0)));
    world.bodies[body].add_force(vec3(8.0, 0.0, 0.0), true);
    world.step();
    let v = world.linvel(body);
    assert_close(v.x, 8.0 / 4.0 * h / (1.0 + 2.0 * h), EPS);
    assert_close(v.z, -0.5 * G * h / (1.0 + 2.0 * h), EPS);
}

#[test]
fn locked_axes_do_not_move() {
    let mut world = World::new(0.01);
    world.ground();
    let locked = LockedAxes::TRANSLATION_LOCKED_X | LockedAxes::ROTATION_LOCKED;
    let builder = RigidBodyBuilder::dynamic()
        .translation(vec3(0.3, 0.0, 0.5))
        .locked_axes(locked);
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).mass(num(1.0));
    let body = world.add(builder, shape);
    world.bodies[body].add_force(vec3(5.0, 0.0, 3.0), true);
    world.bodies[body].add_torque(vec3(1.0, 2.0, 3.0), true);
    world.run(20);
    assert_close(world.position(body).x, 0.3, EPS);
    assert!(world.angvel(body).norm() < EPS);
    assert_close(world.position(body).z, 0.5, 100.0 * EPS);
}

/// A cube on a platform that moves as prescribed goes with it, to round-off, in both kinematic kinds.
#[test]
fn kinematic_platforms_carry_what_lies_on_them() {
    for position_based in [false, true] {
        let mut world = World::new(0.005);
        let builder = if position_based {
            RigidBodyBuilder::kinematic_position_based()
        } else {
            RigidBodyBuilder::kinematic_velocity_based().linvel(vec3(0.4, 0.1, 0.2))
        };
        let slab = ColliderBuilder::cuboid(num(5.0), num(5.0), num(0.5));
        let platform = world.add(builder.translation(vec3(0.0, 0.0, -0.5)), slab);
        // Flat, or the sudden start would tip it over.
        let tile = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.02));
        let builder = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.02));
        let body = world.add(builder, tile);
        for step in 1..=100 {
            if position_based {
                let t = 0.005 * f64::from(step);
                let to = vec3(0.4 * t, 0.1 * t, -0.5 + 0.2 * t);
                world.bodies[platform].set_next_kinematic_translation(to);
            }
            world.step();
        }
        let moved = world.position(body) - Vector3::new(0.0, 0.0, 0.02);
        let expected = Vector3::new(0.4, 0.1, 0.2) * 0.5;
        assert!(
            (moved - expected).norm() < 1e3 * EPS,
            "{position_based} {moved}"
        );
        assert_close(world.position(platform).z, -0.5 + 0.1, 100.0 * EPS);
    }
}

/// A free body that nothing touches keeps its angular momentum, tumbling or not.
#[test]
fn a_tumbling_body_keeps_its_angular_momentum() {
    let mut world = World::new(0.01);
    world.gravity = Vector::ZERO;
    let builder = RigidBodyBuilder::dynamic().angvel(vec3(0.1, 6.0, 0.2));
    let shape = ColliderBuilder::cuboid(num(0.1), num(0.2), num(0.4)).density(num(10.0));
    let body = world.add(builder, shape);
    let momentum = |world: &World| {
        let rb = &world.bodies[body];
        let r = crate::base::convert::rotation(*rb.rotation()).to_rotation_matrix();
        let i = crate::base::convert::local_inertia(&rb.mass_properties().local_mprops);
        r.matrix() * i * r.matrix().transpose() * world.angvel(body)
    };
    world.step();
    let before = momentum(&world);
    world.run(300);
    let after = momentum(&world);
    assert!(
        (after - before).norm() < 1e2 * EPS * before.norm(),
        "{before} {after}"
    );
}

/// Cause: the orientation of a step was found with the angular velocity after it, which made a
/// tumbling body lose 17 % of its energy in 4 s.
#[test]
fn a_tumbling_body_keeps_its_energy() {
    let mut world = World::new(1.0 / 60.0);
    world.gravity = Vector::ZERO;
    let builder = RigidBodyBuilder::dynamic().angvel(vec3(0.1, 8.0, 0.2));
    let shape = ColliderBuilder::cuboid(num(0.1), num(0.2), num(0.4)).density(num(10.0));
    let body = world.add(builder, shape);
    world.step();
    let energy = |world: &World| real(world.bodies[body].kinetic_energy());
    let before = energy(&world);
    let mut flipped = false;
    for _ in 0..240 {
        world.step();
        assert_close(energy(&world) / before, 1.0, 1e2 * EPS);
        flipped |= (world.bodies[body].rotation() * Vector::Y).y < 0.0;
    }
    assert!(flipped, "it did not tumble");
}

#[test]
fn a_bouncing_ball_rebounds_with_its_restitution() {
    let mut world = World::new(0.001);
    world.ground();
    let builder = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 1.1));
    let shape = ColliderBuilder::ball(num(0.1))
        .restitution(num(0.8))
        .restitution_combine_rule(CoefficientCombineRule::Max);
    let ball = world.add(builder, shape);
    let (mut fastest_down, mut rebound) = (0.0_f64, 0.0_f64);
    for _ in 0..800 {
        world.step();
        let v = world.linvel(ball).z;
        if v > 0.0 {
            rebound = rebound.max(v);
        } else if rebound == 0.0 {
            fastest_down = fastest_down.min(v);
        }
    }
    assert!(rebound > 0.0, "it never bounced");
    // The approach speed of the impact is at most one step of gravity away from the fastest.
    assert_close(rebound, -0.8 * fastest_down, 0.02 * fastest_down.abs());
}

/// Moves every contact's second body at 0.5 m/s along x against the first.
struct Conveyor;

impl PhysicsHooks for Conveyor {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let ModifiableContacts::Rigid(manifold) = &mut context.contacts else {
            return;
        };
        for contact in manifold.solver_contacts.iter_mut() {
            contact.tangent_velocity = vec3(0.5, 0.0, 0.0);
        }
    }
}

/// A surface velocity that a hook asks for is reached at once under no slip: the box on the conveyor
/// goes with it, in the sense in which rapier orders the pair.
#[test]
fn a_hooks_surface_velocity_carries_a_box() {
    let mut world = World::new(0.005);
    let ground = world.ground();
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.02))
        .mass(num(1.0))
        .active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
    let builder = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.02));
    let tile = world.add(builder, shape);
    for _ in 0..20 {
        world.try_hooked(&Conveyor, &()).unwrap();
    }
    let first = world.pipeline.contacts()[0].point.colliders[0];
    let sign = if first == Some(ground) { 1.0 } else { -1.0 };
    assert_close(world.linvel(tile).x, sign * 0.5, 100.0 * EPS);
    let slip = world.pipeline.contacts()[0].slip_speed();
    assert!(slip < 100.0 * EPS, "{slip}");
}

#[test]
fn collision_events_fire_and_impulses_are_read_per_pair() {
    let mut world = World::new(0.005);
    let ground = world.ground();
    let body = world
        .bodies
        .insert(RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.51)));
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5))
        .mass(num(2.0))
        .active_events(ActiveEvents::COLLISION_EVENTS);
    let collider = world
        .colliders
        .insert_with_parent(shape, body, &mut world.bodies);
    let (collisions, receiver) = channel();
    let (forces, _keep) = channel();
    let (tears, _kept) = channel();
    let handler = ChannelEventCollector::new(collisions, forces, tears);
    for _ in 0..100 {
        world.try_step(&handler).unwrap();
    }
    let started = receiver.try_iter().filter(|e| e.started()).count();
    assert_eq!(started, 1);
    let pair: Vec<_> = world.pipeline.contacts_between(collider, ground).collect();
    assert_eq!(pair.len(), 4);
    let sign = if pair[0].point.colliders[1] == Some(collider) {
        1.0
    } else {
        -1.0
    };
    let total: f64 = pair.iter().map(|c| sign * real(c.impulse_world().z)).sum();
    assert_close(total, 2.0 * G * 0.005, 1e3 * EPS);
}

/// Cause: a ball that ended a step within what counts as closed bounced too slowly by its gap over h; in f32 one in twenty
/// rebounds lost 1 to 7 % of its height. Two rebounds in a row reach e^2 of the fall before, but for the free fall of a
/// step at the speed of the second.
#[test]
fn rebounds_do_not_depend_on_where_a_step_ends() {
    for h in [5e-4, 3e-4, 2e-4] {
        let mut world = World::new(h);
        world.ground();
        let shape = ColliderBuilder::ball(num(0.1))
            .restitution(num(0.5))
            .restitution_combine_rule(CoefficientCombineRule::Max);
        let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 1.1));
        let ball = world.add(body, shape);
        let (mut fall, mut top, mut rises, mut rebounds) = (1.0, 0.0_f64, false, 0);
        while rebounds < 2 {
            world.step();
            let speed = world.linvel(ball).z;
            top = if rises {
                top.max(world.position(ball).z - 0.1)
            } else {
                0.0
            };
            if rises && speed <= 0.0 {
                let share = top / (0.25 * fall);
                assert!((share - 1.0).abs() < 2.0 * G * h / 2.2, "{h} s: {share}");
                fall = top;
                rebounds += 1;
            }
            rises = speed > 0.0;
        }
    }
}

/// Cause: the error of an impulse is a speed that grows from step to step; removing it left the opposite
/// speed, so that every second step of bodies at rest was solved again.
#[test]
fn what_rests_is_not_solved_again() {
    let mut world = World::with_model(0.01, ModelName::Cone);
    world.pipeline.set_sleeping(crate::Sleeping::Never);
    world.ground();
    for k in 0..10 {
        cube(&mut world, 0.5 + f64::from(k));
    }
    world.run(200);
    let solved = (0..200).filter(|_| world.step().solve.iterations > 0);
    let count = solved.count();
    // Of exact positions round-off is left, which comes and goes in three steps; it was 139 of 200.
    let most = if size_of::<Real>() == 4 { 20 } else { 80 };
    assert!(count < most, "{count} of 200");
}
