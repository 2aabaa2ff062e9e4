//! Signs, factors and axes of what recorders are told, each by a closed form that a wrong one fails.

use super::*;
use crate::ContactMaterial;
use crate::record::{JointProbe, inertial_record};

const STEP: f64 = 0.01;

/// A slider along x with 1 kg that carries one along y with 2 kg; no gravity.
fn sliders(world: &mut World, [along, across]: [[f64; 4]; 2]) -> [RigidBodyHandle; 2] {
    world.gravity = Vector::ZERO;
    let post = world.bodies.insert(RigidBodyBuilder::fixed());
    let mut add = |mass: f64| {
        let ball = ColliderBuilder::ball(num(0.1)).mass(num(mass));
        world.add(RigidBodyBuilder::dynamic(), ball)
    };
    let bodies = [add(1.0), add(2.0)];
    let slider = |axis, [target, speed, kp, kd]: [f64; 4]| {
        PrismaticJointBuilder::new(axis)
            .motor_model(MotorModel::ForceBased)
            .set_motor(num(target), num(speed), num(kp), num(kd))
            .motor_max_force(num(50.0))
            .contacts_enabled(false)
    };
    for (parent, body, joint) in [
        (post, bodies[0], slider(Vector::X, along)),
        (bodies[0], bodies[1], slider(Vector::Y, across)),
    ] {
        world
            .multibody_joints
            .insert(parent, body, joint, true)
            .unwrap();
        world.multibody(body).damping_mut().fill(num(0.0));
    }
    bodies
}

fn probe(world: &World, body: RigidBodyHandle) -> JointProbe {
    let id = *world.multibody_joints.rigid_body_link(body).unwrap();
    JointProbe::new(&world.multibody_joints, id.multibody, id.id).unwrap()
}

/// `effort h` is what the momentum along each axis gains: that of 3 kg along x, of 2 kg along y.
#[test]
fn an_effort_is_the_momentum_it_makes() {
    let mut world = World::new(STEP);
    let drives = [[0.3, 0.7, 40.0, 5.0], [-0.2, -1.1, 30.0, 4.0]];
    let bodies = sliders(&mut world, drives);
    let probes = bodies.map(|body| probe(&world, body));
    let mut before = [0.0; 2];
    for _ in 0..30 {
        world.step();
        let samples = probes.map(|probe| probe.sample(&world.multibody_joints, STEP));
        let speed = world.linvel(bodies[1]);
        for (k, (sample, mass)) in samples.iter().zip([3.0, 2.0]).enumerate() {
            assert_close(sample.velocity, speed[k], 1e2 * EPS);
            let gained = mass * (sample.velocity - before[k]);
            assert_close(sample.effort.unwrap() * STEP, gained, 1e2 * EPS);
            before[k] = sample.velocity;
        }
    }
}

/// Drives with too little force give all they have, in either direction.
#[test]
fn an_effort_stays_within_its_limit_both_ways() {
    let mut world = World::new(STEP);
    let far = [[1e3, 0.0, 40.0, 5.0], [-1e3, 0.0, 40.0, 5.0]];
    let bodies = sliders(&mut world, far);
    world.run(3);
    for (body, effort) in bodies.into_iter().zip([50.0, -50.0]) {
        let sample = probe(&world, body).sample(&world.multibody_joints, STEP);
        assert_close(sample.effort.unwrap(), effort, 1e-9);
    }
}

/// A cube that slides along (3, 4, 0) / 5 is held back by `mu m g` against that, and slips as fast as it moves.
#[test]
fn friction_and_slip_are_along_both_tangents() {
    let mut world = World::with_model(STEP, ModelName::Cone);
    world.ground();
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.02)).mass(num(2.0));
    let body = RigidBodyBuilder::dynamic()
        .translation(vec3(0.0, 0.0, 0.02))
        .linvel(vec3(3.0, 4.0, 0.0));
    let cube = world.add(body, shape.friction(num(0.3)));
    world.step();
    let number = |body| (body == cube).then_some(0);
    let records: Vec<_> = world.pipeline.contact_records(STEP, number).collect();
    let mut force = Vector3::zeros();
    for record in &records {
        let sign = if record.bodies[1] == Some(0) {
            1.0
        } else {
            -1.0
        };
        force += sign * record.friction_force;
        let slip = sign * record.slip_velocity;
        assert!((slip - world.linvel(cube)).norm() < 1e3 * EPS, "{record:?}");
    }
    let mu = records[0].friction.unwrap()[0];
    let expected = Vector3::new(-0.6, -0.8, 0.0) * (mu * 2.0 * G);
    assert!((force - expected).norm() < 1e4 * EPS, "{force} {expected}");
}

#[test]
fn two_coefficients_are_told_in_the_order_of_the_tangents() {
    let mut world = World::with_model(STEP, ModelName::Cone);
    world.ground();
    let shape = ColliderBuilder::cuboid(num(0.1), num(0.1), num(0.1)).mass(num(1.0));
    let body = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.1));
    world.add(body, shape.friction(num(0.3)));
    let material = ContactMaterial {
        mu_across: Some(0.1),
        ..ContactMaterial::default()
    };
    world.pipeline.set_material(material).unwrap();
    world.step();
    for record in world.pipeline.contact_records(STEP, |_| Some(0)) {
        let [along, across] = record.friction.unwrap();
        assert!(along > 0.2, "{along}");
        assert_close(across, 0.1, EPS);
    }
}

/// Half the gravity, a shape beside the origin: the record has both.
#[test]
fn masses_keep_their_centre_and_their_share_of_gravity() {
    let mut world = World::new(STEP);
    let shape = ColliderBuilder::ball(num(0.1)).translation(vec3(0.1, -0.2, 0.3));
    let body = RigidBodyBuilder::dynamic().gravity_scale(num(0.5));
    let body = world.add(body, shape.mass(num(2.0)));
    world.step();
    let own = inertial_record(&world.bodies[body]).unwrap();
    assert_close(own.mass, 2.0, EPS);
    assert_close(own.gravity_scale, 0.5, EPS);
    let center = nalgebra::Point3::new(0.1, -0.2, 0.3);
    assert!((own.center - center).norm() < EPS, "{}", own.center);
}
