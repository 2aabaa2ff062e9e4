//! Signs, factors and axes of what recorders are told, each by a closed form that a wrong one fails.

use super::record::sets;
use super::*;
use crate::ContactMaterial;
use crate::base::convert::{real, to_vector, vector};
use crate::record::{JointProbe, inertial_record};

const STEP: f64 = 0.01;

/// Where rapier keeps the joints of a scene.
#[derive(Clone, Copy, Debug)]
enum Kept {
    Multibody,
    Impulse,
}

/// A slider along x with 1 kg that carries one along y with 2 kg; no gravity.
fn sliders(
    world: &mut World,
    [along, across]: [[f64; 4]; 2],
    kept: Kept,
) -> ([RigidBodyHandle; 2], [JointProbe; 2]) {
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
        if matches!(kept, Kept::Impulse) {
            world.impulse_joints.insert(parent, body, joint, true);
            continue;
        }
        world
            .multibody_joints
            .insert(parent, body, joint, true)
            .unwrap();
        world.multibody(body).damping_mut().fill(num(0.0));
    }
    let probes: Vec<_> = JointProbe::all(&sets(world));
    for (probe, body) in probes.iter().zip(bodies) {
        assert_eq!(probe.body(&sets(world)), Some(body));
    }
    (bodies, probes.try_into().unwrap())
}

/// `effort h` is what the momentum along each axis gains: that of 3 kg along x, of 2 kg along y.
#[test]
fn an_effort_is_the_momentum_it_makes() {
    for kept in [Kept::Multibody, Kept::Impulse] {
        let mut world = World::new(STEP);
        let drives = [[0.3, 0.7, 40.0, 5.0], [-0.2, -1.1, 30.0, 4.0]];
        let (bodies, probes) = sliders(&mut world, drives, kept);
        let mut before = [0.0; 2];
        for _ in 0..30 {
            world.step();
            let samples = probes.map(|probe| probe.sample(&sets(&world)));
            let (speed, at) = (world.linvel(bodies[1]), world.position(bodies[1]));
            for (k, (sample, mass)) in samples.iter().zip([3.0, 2.0]).enumerate() {
                assert_close(sample.velocity, speed[k], 1e2 * EPS);
                assert_close(sample.position, at[k], 1e2 * EPS);
                assert_eq!(sample.target, Some(real(num(drives[k][0]))));
                let gained = mass * (sample.velocity - before[k]);
                assert_close(sample.effort.unwrap() * STEP, gained, 1e2 * EPS);
                before[k] = sample.velocity;
            }
        }
    }
}

/// A disc on a hinge about an axis that is neither of its body's nor of the world's turns freely: its angle is
/// rate times time, counted from the first frame, the short way round.
#[test]
fn an_angle_counts_from_the_first_frame() {
    let mut world = World::new(STEP);
    world.gravity = Vector::ZERO;
    let axis = Vector3::new(1.0, 2.0, 2.0) / 3.0;
    let post = world.bodies.insert(RigidBodyBuilder::fixed());
    let ball = ColliderBuilder::ball(num(0.1)).mass(num(1.0));
    let spin = to_vector(&(axis * -3.0));
    let body = world.add(RigidBodyBuilder::dynamic().angvel(spin), ball);
    let joint = RevoluteJointBuilder::new(to_vector(&axis));
    world.impulse_joints.insert(post, body, joint, true);
    let [probe] = JointProbe::all(&sets(&world))[..] else {
        panic!("one joint")
    };
    let record = probe.record(&sets(&world), "hinge", 1).unwrap();
    assert!((record.axis - axis).norm() < EPS, "{}", record.axis);
    assert_eq!((record.effort, probe.is_impulse_joint()), (None, true));
    // Nearly half a turn, and beyond.
    for (steps, angle) in [(100, -3.0), (10, -3.3 + std::f64::consts::TAU)] {
        world.run(steps);
        let sample = probe.sample(&sets(&world));
        assert_close(sample.position, angle, 1e3 * EPS);
        assert_close(sample.velocity, -3.0, 1e2 * EPS);
        assert_eq!((sample.target, sample.effort), (None, None));
    }
}

/// A ball that spins about every axis on the ground, with torsional and rolling friction: what its angular
/// momentum gains in a step is the torque of its records, spin and friction at its lever.
#[test]
fn spin_friction_is_the_angular_momentum_it_takes() {
    for flat_first in [true, false] {
        let mut world = World::with_model(STEP, ModelName::Cone);
        let (mass, radius) = (2.0, 0.2);
        let add = |world: &mut World, flat: bool| {
            if flat {
                world.ground();
                return None;
            }
            let shape = ColliderBuilder::ball(num(radius)).mass(num(mass));
            let body = RigidBodyBuilder::dynamic()
                .translation(vec3(0.0, 0.0, radius))
                .angvel(vec3(1.0, -2.0, 30.0));
            Some(world.add(body, shape.friction(num(0.5))))
        };
        let made = [flat_first, !flat_first].map(|flat| add(&mut world, flat));
        let ball = made.into_iter().flatten().next().unwrap();
        let material = ContactMaterial {
            mu_torsional: 0.02,
            mu_rolling: 0.01,
            ..ContactMaterial::default()
        };
        world.pipeline.set_material(material).unwrap();
        let spin = |world: &World| vector(world.bodies[ball].angvel());
        let before = spin(&world);
        let center = world.position(ball);
        world.step();
        let number = |body| (body == ball).then_some(0);
        let mut torque = Vector3::zeros();
        let mut spins = 0.0;
        for record in world.pipeline.contact_records(STEP, number) {
            let on_ball = record.bodies[1] == Some(0);
            let sign = if on_ball { 1.0 } else { -1.0 };
            let lever = record.point.coords - center;
            torque += sign * (record.spin_torque + lever.cross(&record.friction_force));
            spins += record.spin_torque.norm();
        }
        let inertia = 0.4 * mass * radius * radius;
        let gained = (spin(&world) - before) * inertia;
        assert!(
            (torque * STEP - gained).norm() < 1e3 * EPS * gained.norm(),
            "{torque} {gained}"
        );
        assert!(spins > 0.1, "{spins}");
    }
}

/// Drives with too little force give all they have, in either direction.
#[test]
fn an_effort_stays_within_its_limit_both_ways() {
    let mut world = World::new(STEP);
    let far = [[1e3, 0.0, 40.0, 5.0], [-1e3, 0.0, 40.0, 5.0]];
    let (_, probes) = sliders(&mut world, far, Kept::Multibody);
    world.run(3);
    for (probe, effort) in probes.into_iter().zip([50.0, -50.0]) {
        let sample = probe.sample(&sets(&world));
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
