//! Bounces and pushes are not multiplied by lever arms.

use super::{World, num, vec3};
use crate::wild::{self, Levers};
use nalgebra::{DMatrix, DVector};
use rapier::prelude::*;
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{ContactSolution, ModelSettings};
use stickslip_core::problem::{ContactData, ContactProblem, ProblemBuilder, RowHalf, ScalarKind};

const H: f64 = 1.0 / 60.0;

/// A cube of 1 m and 100 kg that stands on the ground and moves along x with 1 m/s against a rail that
/// touches it from 1 to 2 mm above the ground.
fn against_a_rail(restitution: f64) -> (World, RigidBodyHandle) {
    let mut world = World::new(H);
    world.ground();
    let rail = ColliderBuilder::cuboid(num(0.5), num(1.0), num(5e-4));
    let rail = rail.translation(vec3(1.0, 0.0, 1.5e-3));
    world.colliders.insert(rail);
    let cube = RigidBodyBuilder::dynamic()
        .translation(vec3(0.0, 0.0, 0.5))
        .linvel(vec3(1.0, 0.0, 0.0))
        .can_sleep(false);
    let half = num(0.5);
    let shape = ColliderBuilder::cuboid(half, half, half).density(num(100.0));
    let body = world.add(cube, shape.restitution(num(restitution)));
    (world, body)
}

/// Cause: corners that stick let the cube leave the rail only by turning about its lower edge. To do
/// so at `e v = 0.5 m/s` one millimetre above it takes 500 rad/s: the cube flew away with a thousand
/// times its energy. It stops instead; sticking corners and a rail that hold it leave no other end.
#[test]
fn a_bounce_off_a_low_rail_makes_no_energy() {
    let (mut world, body) = against_a_rail(1.0);
    let report = world.step();
    assert!(report.solve.fallbacks > 0, "{report:?}");
    for _ in 0..60 {
        world.step();
        let (v, w) = (world.linvel(body).norm(), world.angvel(body).norm());
        assert!(v < 1.0 && w < 1.0, "{v} m/s, {w} rad/s");
    }
    let at = world.position(body);
    assert!((at.z - 0.5).abs() < 1e-3 && at.x.abs() < 1e-2, "{at}");
}

/// Away from the ground the same impact is an ordinary one, and bounces as its coefficient says: a cube in
/// free flight meets a wall with its whole face.
#[test]
fn a_bounce_that_nothing_multiplies_is_left_alone() {
    let mut world = World::new(H);
    let wall = ColliderBuilder::cuboid(num(0.5), num(5.0), num(5.0)).restitution(num(0.5));
    world
        .colliders
        .insert(wall.translation(vec3(1.0, 0.0, 50.0)));
    let cube = RigidBodyBuilder::dynamic()
        .translation(vec3(0.0, 0.0, 50.0))
        .linvel(vec3(1.0, 0.0, 0.0));
    let half = num(0.5);
    let shape = ColliderBuilder::cuboid(half, half, half).restitution(num(0.5));
    let body = world.add(cube, shape);
    let report = world.step();
    assert_eq!(report.solve.fallbacks, 0, "{report:?}");
    assert!(
        (world.linvel(body).x + 0.5).abs() < 1e-5,
        "{}",
        world.linvel(body)
    );
}

/// A cube of 1 m that nothing pulls, 10 um inside whatever is beside it.
fn floating_cube(world: &mut World) -> RigidBodyHandle {
    world.gravity = vec3(0.0, 0.0, 0.0);
    let half = num(0.5);
    let shape = ColliderBuilder::cuboid(half, half, half).density(num(100.0));
    world.add(RigidBodyBuilder::dynamic(), shape)
}

/// What a paddle asks for counts: the push out of 10 um alone would account for 0.1 mm/s.
#[test]
fn a_paddle_is_no_lever() {
    let mut world = World::new(H);
    let cube = floating_cube(&mut world);
    let paddle = RigidBodyBuilder::kinematic_velocity_based()
        .linvel(vec3(2.0, 0.0, 0.0))
        .translation(vec3(-1.0 + 1e-5, 0.0, 0.0));
    let half = num(0.5);
    world.add(paddle, ColliderBuilder::cuboid(half, half, half));
    let report = world.step();
    assert_eq!(report.solve.fallbacks, 0, "{report:?}");
    assert!((world.linvel(cube).x - 2.0).abs() < 1e-3);
}

/// What a motor asks for counts, too: it takes the cube off the wall it is pushed out of.
#[test]
fn a_motor_is_no_lever() {
    let mut world = World::new(H);
    let cube = floating_cube(&mut world);
    let wall = ColliderBuilder::cuboid(num(0.5), num(2.0), num(2.0));
    (world.colliders).insert(wall.translation(vec3(-1.0 + 1e-5, 0.0, 0.0)));
    let rail = world.bodies.insert(RigidBodyBuilder::fixed());
    let joint = PrismaticJointBuilder::new(Vector::X).motor_velocity(num(2.0), num(1e6));
    world.impulse_joints.insert(rail, cube, joint, true);
    let report = world.step();
    assert_eq!(report.solve.fallbacks, 0, "{report:?}");
    assert!((world.linvel(cube).x - 2.0).abs() < 1e-2);
}

/// Contact 0 along coordinate 0, and a row of `kind` along coordinate 1, on `M = diag(2, 8)` at rest but
/// for 3 m/s that it is about to get along coordinate 0; a second island at rest beside it.
fn bounce(data: ContactData, v: f64, kind: ScalarKind) -> ContactProblem {
    let mass = |m: [f64; 2]| {
        let dense = DMatrix::from_diagonal(&DVector::from_row_slice(&m));
        MassFactor::from_dense(&dense).unwrap()
    };
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let block = builder.add_block(&mass([2.0, 8.0]), &[v, 0.0], &[3.0, 0.0]);
    builder.add_block(&mass([50.0, 50.0]), &[0.0; 2], &[0.0; 2]);
    let none = [0.0, 0.0];
    let cols: &[usize] = &[0, 1];
    let rows = [&[1.0, 0.0][..], &none, &none];
    builder.add_contact(data, &[RowHalf { block, cols, rows }]);
    let rows = [&[0.0, 1.0][..]];
    builder.add_scalar(0, kind, &[RowHalf { block, cols, rows }]);
    builder.into_problem().unwrap()
}

/// `|v|^2 = 1/2 v^T M v` is 9 for (3, 0) under diag(2, 8), and 5 for (1, 1); so up to `3 + 4 d sqrt(5)`
/// along coordinate 0, whose length is 1 per m/s, is what was asked for.
#[test]
fn the_bound_on_levers_is_the_free_speed_and_four_times_what_is_asked() {
    let settings = ModelSettings::default();
    let still = ScalarKind::Bilateral { velocity: 0.0 };
    let pushed = |speed: f64| ContactData {
        // The push is K phi / h.
        phi: -speed * 0.01 / settings.baumgarte,
        ..ContactData::default()
    };
    let limit = |speed: f64| ScalarKind::Unilateral {
        gap: -speed * 0.01 / settings.baumgarte,
    };
    let motor = |velocity: f64| ScalarKind::Bounded {
        velocity,
        limit: 1.0,
        compliance: 0.0,
    };
    let bouncing = ContactData {
        restitution: 0.25,
        ..ContactData::default()
    };
    let moving = ContactData {
        surface_velocity: [0.3, -0.4],
        ..pushed(0.1)
    };
    let mut levers = Levers::default();
    for (d, contact, v, kind) in [
        (0.1, pushed(0.1), 0.0, still),
        (0.5, bouncing, -2.0, still),
        (0.5, moving, 0.0, still),
        (
            0.6,
            pushed(0.1),
            0.0,
            ScalarKind::Bilateral { velocity: -0.6 },
        ),
        (0.7, pushed(0.1), 0.0, motor(-0.7)),
        (0.8, pushed(0.1), 0.0, limit(0.8)),
    ] {
        let problem = bounce(contact, v, kind);
        let most = 3.0 + 4.0 * d * 5f64.sqrt();
        for (speed, multiplied) in [(most * (1.0 - 1e-9), false), (most * (1.0 + 1e-9), true)] {
            let v_plus = [-speed, 0.0, 0.0, 0.0];
            let found = levers.multiply(&problem, &v_plus, &settings);
            assert_eq!(found, multiplied, "{d} m/s of {contact:?} and {kind:?}");
        }
    }
    // A contact that nothing pushes and that moves as a body it touches is told is none of these.
    let told = ContactData {
        normal_drift: -0.5,
        ..ContactData::default()
    };
    for contact in [ContactData::default(), told] {
        let problem = bounce(contact, 0.0, motor(1.0));
        assert!(!levers.multiply(&problem, &[1e3, 0.0, 0.0, 0.0], &settings));
    }
}

/// A compromise is worse than rest from twice the speed asked for on, or at more than twenty times what
/// there was and what is asked: 20 (3 + 0.5) = 70 m/s here, whether a paddle or a belt asks.
#[test]
fn a_compromise_is_wild_beyond_its_bounds() {
    let still = ScalarKind::Bilateral { velocity: 0.0 };
    let paddle = ContactData {
        normal_drift: -0.5,
        ..ContactData::default()
    };
    let belt = ContactData {
        surface_velocity: [0.3, -0.4],
        ..ContactData::default()
    };
    for contact in [paddle, belt] {
        let problem = bounce(contact, 0.0, still);
        assert!((wild::asked(&problem) - 0.5).abs() < 1e-15);
        let wild = |relaxed: f64, speed: f64| {
            let solution = ContactSolution {
                v_plus: vec![0.0, -speed, 0.0, 0.0],
                ..ContactSolution::default()
            };
            wild::is_wild((wild::asked(&problem), relaxed), &problem, &solution)
        };
        assert!(!wild(0.999, 69.9) && wild(1.001, 69.9) && wild(0.999, 70.1));
    }
    // What draws back asks for nothing, and nothing is wild then.
    let back = ContactData {
        normal_drift: 0.5,
        ..ContactData::default()
    };
    assert_eq!(wild::asked(&bounce(back, 0.0, still)), 0.0);
}
