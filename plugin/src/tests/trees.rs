//! Multibodies as a whole: pendulums, floating bases, contacts of links.

use super::{EPS, G, World, assert_close, num, vec3};
use crate::ContactPipeline;
use crate::base::convert::{real, vector};
use nalgebra::Vector3;
use rapier::prelude::*;
use stickslip_core::models::ModelName;

/// A floating root with its centre of mass off the origin and a swinging link, in free fall.
fn tumbling(world: &mut World) -> [RigidBodyHandle; 2] {
    let shape = |size: f64| ColliderBuilder::cuboid(num(size), num(2.0 * size), num(0.5 * size));
    let base = world.add(
        RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 2.0)),
        shape(0.2)
            .translation(vec3(0.15, -0.05, 0.1))
            .density(num(100.0)),
    );
    let arm = world.add(
        RigidBodyBuilder::dynamic(),
        shape(0.1)
            .translation(vec3(0.3, 0.0, 0.0))
            .density(num(200.0)),
    );
    let joint = RevoluteJointBuilder::new(Vector::Y)
        .local_anchor1(vec3(0.3, 0.0, 0.2))
        .contacts_enabled(false);
    world
        .multibody_joints
        .insert(base, arm, joint, true)
        .unwrap();
    world.multibody(base).damping_mut().fill(num(0.0));
    world.step();
    for (v, x) in world
        .multibody(base)
        .generalized_velocity_mut()
        .iter_mut()
        .zip([0.5, 0.0, 1.0, 0.7, 2.0, -1.0, 3.0])
    {
        *v = num(x);
    }
    [base, arm]
}

/// Centre of mass and angular momentum about it, from rapier's public body data.
fn momentum(world: &World, bodies: &[RigidBodyHandle]) -> (Vector3<f64>, Vector3<f64>) {
    let mass = |b: &RigidBodyHandle| real(world.bodies[*b].mass());
    let com_of = |b: &RigidBodyHandle| vector(world.bodies[*b].center_of_mass());
    let total: f64 = bodies.iter().map(mass).sum();
    let com = bodies
        .iter()
        .map(|b| com_of(b) * mass(b))
        .sum::<Vector3<f64>>()
        / total;
    let angular = bodies
        .iter()
        .map(|b| {
            let spin = inertia(world, *b) * world.angvel(*b);
            spin + (com_of(b) - com).cross(&(world.linvel(*b) * mass(b)))
        })
        .sum();
    (com, angular)
}

/// The centre of mass follows the integrator's own parabola x0 + v0 t - g t (t + h) / 2 and the
/// angular momentum about it is constant, though the base's centre of mass is off its origin.
#[test]
fn a_tree_in_free_flight_keeps_its_momentum() {
    let h = 1e-3;
    let mut world = World::new(h);
    let bodies = tumbling(&mut world);
    world.step();
    let (com0, l0) = momentum(&world, &bodies);
    world.step();
    let (com1, _) = momentum(&world, &bodies);
    // v0 belongs to the state before this step: com1 = com0 + h (v0 - g h).
    let v0 = (com1 - com0) / h + Vector3::new(0.0, 0.0, G * h);
    let n = 1000;
    world.run(n - 1);
    let (com, l) = momentum(&world, &bodies);
    let t = h * n as f64;
    let expected = com0 + v0 * t - Vector3::new(0.0, 0.0, G * t * (t + h) / 2.0);
    let bound = if EPS < 1e-9 { 1e-9 } else { 0.02 };
    assert!(
        (com - expected).norm() < bound,
        "{}",
        (com - expected).norm()
    );
    assert!((l - l0).norm() < bound * l0.norm(), "{} {}", l, l0);
}

/// Applied forces and torques change the momentum of a flying tree by `h F` and
/// `h (torque + arm x F)`, the arm from the common centre of mass to the link's.
/// Inertia of a body about its own centre of mass, in the axes of the world.
fn inertia(world: &World, body: RigidBodyHandle) -> nalgebra::Matrix3<f64> {
    let rb = &world.bodies[body];
    let r = crate::base::convert::rotation(*rb.rotation()).to_rotation_matrix();
    r.matrix()
        * crate::base::convert::local_inertia(&rb.mass_properties().local_mprops)
        * r.matrix().transpose()
}

/// Kinetic energy of bodies \[J\].
fn kinetic(world: &World, bodies: &[RigidBodyHandle]) -> f64 {
    let of = bodies.iter().map(|b| {
        let (m, v) = (real(world.bodies[*b].mass()), world.linvel(*b));
        let w = world.angvel(*b);
        0.5 * (m * v.norm_squared() + w.dot(&(inertia(world, *b) * w)))
    });
    of.sum()
}

/// Whatever its links do, its momentum L stays, and its energy is at most what it was, or what L asks for in the pose
/// where the links are nearest to each other, `p^2 / 2m + L^T I^-1 L / 2`. At 60 Hz an arm that turns by a radian in a step made
/// energy without end (two links of `medley` flew off with 4,600 m/s).
#[test]
fn a_tree_that_turns_by_radians_in_a_step_makes_no_energy() {
    for spin in [10.0, 40.0, 70.0, 150.0, 400.0] {
        let mut world = World::new(1.0 / 60.0);
        world.gravity = Vector::ZERO;
        let bodies = tumbling(&mut world);
        let mut velocity = world.multibody(bodies[0]).generalized_velocity_mut();
        for (k, v) in velocity.iter_mut().enumerate() {
            *v = num(spin * [0.0, 0.0, 0.0, 0.3, -0.5, 0.6, 1.0][k]);
        }
        let energy = |world: &World| kinetic(world, &bodies);
        let rigid = |world: &World| {
            let (com, l) = momentum(world, &bodies);
            let of = bodies.iter().map(|b| {
                let rb = &world.bodies[*b];
                let r = vector(rb.center_of_mass()) - com;
                let apart = nalgebra::Matrix3::identity() * r.norm_squared() - r * r.transpose();
                inertia(world, *b) + apart * real(rb.mass())
            });
            let whole: nalgebra::Matrix3<f64> = of.sum();
            let of = bodies.iter().map(|b| {
                let m = real(world.bodies[*b].mass());
                (m, world.linvel(*b) * m)
            });
            let (m, p) = of.fold((0.0, Vector3::zeros()), |a, b| (a.0 + b.0, a.1 + b.1));
            0.5 * (l.dot(&(whole.try_inverse().unwrap() * l)) + p.norm_squared() / m)
        };
        world.step();
        let mut most = energy(&world);
        let (_, start) = momentum(&world, &bodies);
        for step in 0..240 {
            world.step();
            most = most.max(rigid(&world));
            let now = energy(&world);
            assert!(now < 1.001 * most, "{spin}, {step}: {now} J of {most}");
        }
        let (_, end) = momentum(&world, &bodies);
        let lost = (end - start).norm();
        assert!(lost < 1e4 * EPS * start.norm(), "{spin}: {lost} of {start}");
    }
}

#[test]
fn forces_on_a_flying_tree_change_its_momentum() {
    let h = 1e-3;
    let mut world = World::new(h);
    world.gravity = Vector::ZERO;
    let [base, arm] = tumbling(&mut world);
    let bodies = [base, arm];
    world.step();
    let (com, before) = momentum(&world, &bodies);
    let p = |world: &World| -> Vector3<f64> {
        let mass = |b: RigidBodyHandle| real(world.bodies[b].mass());
        bodies.iter().map(|b| world.linvel(*b) * mass(*b)).sum()
    };
    let p_before = p(&world);
    let (force, torque) = (Vector3::new(3.0, -20.0, 7.0), Vector3::new(0.5, 0.2, -4.0));
    world.bodies[arm].add_force(crate::base::convert::to_vector(&force), true);
    world.bodies[base].add_torque(crate::base::convert::to_vector(&torque), true);
    let lever = vector(world.bodies[arm].center_of_mass()) - com;
    world.step();
    let (_, after) = momentum(&world, &bodies);
    let expected = (torque + lever.cross(&force)) * h;
    let bound = 100.0 * EPS;
    let change = after - before;
    assert!((change - expected).norm() < bound, "{change} {expected}");
    let push = p(&world) - p_before;
    assert!((push - force * h).norm() < bound, "{push}");
}

/// Total energy of a pendulum: symplectic Euler keeps it within O(h) over many swings.
#[test]
fn a_pendulum_swings_with_its_period() {
    let h = 1e-3;
    let mut world = World::new(h);
    let root = world.bodies.insert(RigidBodyBuilder::fixed());
    let shape = ColliderBuilder::ball(num(0.01)).mass(num(1.0));
    let bob = world.add(RigidBodyBuilder::dynamic(), shape);
    // The bob hangs 1 m below the hinge.
    let joint = RevoluteJointBuilder::new(Vector::Y)
        .local_anchor2(vec3(0.0, 0.0, 1.0))
        .contacts_enabled(false);
    world
        .multibody_joints
        .insert(root, bob, joint, true)
        .unwrap();
    world.settle_root(bob);
    let multibody = world.multibody(bob);
    multibody.damping_mut().fill(num(0.0));
    multibody.apply_displacements(&[num(0.05)]);
    let mut crossings = Vec::new();
    let mut last = 0.05;
    for step in 1..=5000_u32 {
        world.step();
        let q = world.coordinate(bob, 3);
        if last > 0.0 && q <= 0.0 {
            crossings.push(f64::from(step) * h);
        }
        last = q;
    }
    let period = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
    // 2 pi sqrt(I / (m g l)) (1 + a^2/16), I = m l^2 + 2/5 m r^2.
    let inertia: f64 = 1.0 + 0.4 * 1e-4;
    let expected = std::f64::consts::TAU * (inertia / G).sqrt() * (1.0 + 0.05_f64.powi(2) / 16.0);
    assert_close(period, expected, 2e-3);
}

/// A two-link robot standing on its feet: the ground carries its weight, nothing sinks or slips.
#[test]
fn a_floating_tree_stands_on_the_ground() {
    let h = 0.002;
    let mut world = World::new(h);
    world.ground();
    let base = world.add(
        RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.1)),
        ColliderBuilder::cuboid(num(0.3), num(0.2), num(0.1)).mass(num(3.0)),
    );
    let top = world.add(
        RigidBodyBuilder::dynamic(),
        ColliderBuilder::cuboid(num(0.05), num(0.05), num(0.2))
            .translation(vec3(0.0, 0.0, 0.3))
            .mass(num(1.0)),
    );
    let joint = RevoluteJointBuilder::new(Vector::Y)
        .local_anchor1(vec3(0.05, 0.0, 0.1))
        .contacts_enabled(false)
        .motor_model(MotorModel::ForceBased)
        .motor_position(num(0.1), num(200.0), num(5.0));
    world
        .multibody_joints
        .insert(base, top, joint, true)
        .unwrap();
    world.multibody(base).damping_mut().fill(num(0.0));
    let report = world.run(2000);
    assert_eq!(report.solve.pivots, 0);
    let impulse: f64 = world.pipeline.contacts().iter().map(|c| c.impulse[0]).sum();
    assert_close(impulse / (4.0 * G * h), 1.0, 1e4 * EPS);
    let deepest = world
        .pipeline
        .contacts()
        .iter()
        .map(|c| -c.gap)
        .fold(0.0, f64::max);
    assert!(deepest < 100.0 * EPS, "{deepest}");
    let before = world.position(base);
    world.run(500);
    assert!((world.position(base) - before).norm() < 100.0 * EPS);
}

/// Velocities given to a floating root's body between steps count (rapier loses them).
#[test]
fn the_velocity_of_a_floating_root_can_be_set() {
    let mut world = World::new(0.01);
    world.gravity = Vector::ZERO;
    let [base, _] = tumbling(&mut world);
    world
        .multibody(base)
        .generalized_velocity_mut()
        .fill(num(0.0));
    world.step();
    world.bodies[base].set_linvel(vec3(0.0, 2.0, 0.0), true);
    world.step();
    let v = world.multibody(base).generalized_velocity()[1];
    assert_close(real(v), 2.0, 0.5);
    assert!(world.linvel(base).y > 1.0);
}

/// Moving the root of a multibody by its body moves links and colliders with it.
#[test]
fn a_root_moved_by_the_user_takes_its_colliders_along() {
    let mut world = World::new(0.01);
    world.ground();
    let [base, arm] = tumbling(&mut world);
    world.bodies[base].set_translation(vec3(5.0, 0.0, 3.0), true);
    world.step();
    for body in [base, arm] {
        let rb = &world.bodies[body];
        let collider = &world.colliders[rb.colliders()[0]];
        let expected = *rb.position() * *collider.position_wrt_parent().unwrap();
        let off = vector(expected.translation) - vector(collider.position().translation);
        assert!(off.norm() < EPS, "{off}");
        assert!(rb.translation().x > 4.0);
    }
}

/// Links joined with contacts disabled, or in a multibody without self-contacts, don't touch.
#[test]
fn self_contact_filters_are_honoured() {
    for (contacts_enabled, self_contacts, expected) in [
        (true, true, true),
        (false, true, false),
        (true, false, false),
    ] {
        let mut world = World::new(0.01);
        world.gravity = Vector::ZERO;
        let shape = || ColliderBuilder::ball(num(0.3));
        let a = world.add(RigidBodyBuilder::dynamic(), shape());
        let b = world.add(RigidBodyBuilder::dynamic(), shape());
        let joint = PrismaticJointBuilder::new(Vector::X)
            .local_anchor1(vec3(0.5, 0.0, 0.0))
            .contacts_enabled(contacts_enabled);
        world.multibody_joints.insert(a, b, joint, true).unwrap();
        world.multibody(a).set_self_contacts_enabled(self_contacts);
        let report = world.run(2);
        assert_eq!(
            report.solve.contacts > 0,
            expected,
            "{contacts_enabled} {self_contacts}"
        );
    }
}

/// A kinematic root carries its chain; a contact on a link sees the root's motion.
#[test]
fn a_kinematic_root_carries_what_its_links_hold() {
    let mut world = World::new(0.005);
    let root = world
        .bodies
        .insert(RigidBodyBuilder::kinematic_velocity_based().linvel(vec3(0.3, 0.0, 0.1)));
    let slab = world.add(
        RigidBodyBuilder::dynamic(),
        ColliderBuilder::cuboid(num(1.0), num(1.0), num(0.1)).mass(num(5.0)),
    );
    let joint = FixedJointBuilder::new().contacts_enabled(false);
    world
        .multibody_joints
        .insert(root, slab, joint, true)
        .unwrap();
    let builder = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.12));
    // Flat, or the sudden start would tip it over.
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.02));
    let cube = world.add(builder, shape);
    world.run(100);
    let moved = world.position(cube) - Vector3::new(0.0, 0.0, 0.12);
    let expected = Vector3::new(0.3, 0.0, 0.1) * 0.5;
    assert!((moved - expected).norm() < 1e3 * EPS, "{moved}");
    let slab = world.position(slab);
    assert!((slab - expected).norm() < 1e3 * EPS, "{slab}");
}

/// A light base, a heavy link on a ball joint of it, and a free body welded to the base if wanted.
fn light_base(world: &mut World, weld: bool) -> Vec<RigidBodyHandle> {
    let part = |world: &mut World, half: f64, density: f64| {
        world.add(
            RigidBodyBuilder::dynamic(),
            ColliderBuilder::cuboid(num(half), num(1.2 * half), num(0.7 * half))
                .density(num(density)),
        )
    };
    let (base, heavy) = (part(world, 0.06, 300.0), part(world, 0.3, 1200.0));
    let joint = SphericalJointBuilder::new()
        .local_anchor1(vec3(-0.2, 0.4, 0.1))
        .local_anchor2(vec3(0.3, -0.2, 0.35))
        .contacts_enabled(false);
    let joints = &mut world.multibody_joints;
    joints.insert(base, heavy, joint, true).unwrap();
    world.multibody(base).damping_mut().fill(num(0.0));
    let mut bodies = vec![base, heavy];
    if weld {
        let free = part(world, 0.15, 1000.0);
        let joint = FixedJointBuilder::new()
            .local_anchor1(vec3(0.3, 0.25, -0.15))
            .contacts_enabled(false);
        world.impulse_joints.insert(base, free, joint, true);
        bodies.push(free);
    }
    bodies
}

/// A light base, a heavy link on a ball joint with an arm of half a metre, and a free body welded to the base, all turning at up
/// to half a radian a step: their kinetic energy stays what it was (twice at most, where links come nearer to each other). A
/// momentum taken from the velocities of the start in the pose of the end doubled in every step, and a free
/// velocity of a thousand times the energy went into the weld (6e7 m/s after 20 steps of `medley` 95).
#[test]
fn a_light_base_under_a_heavy_link_makes_no_energy() {
    for (spin, weld) in [(10.0, true), (30.0, true), (30.0, false), (60.0, true)] {
        for model in [ModelName::Cone, ModelName::NoSlip] {
            let mut world = World::new(1.0 / 60.0);
            world.gravity = Vector::ZERO;
            world.pipeline = ContactPipeline::new(model, crate::default_settings()).unwrap();
            let bodies = light_base(&mut world, weld);
            let base = bodies[0];
            for _ in 0..60 {
                world.step();
            }
            let mut velocity = world.multibody(base).generalized_velocity_mut();
            for (k, v) in velocity.iter_mut().enumerate() {
                *v = num(spin * [0.0, 0.1, 0.0, 0.3, -0.5, 0.6, 1.0, -0.7, 0.4][k]);
            }
            let energy = |world: &World| kinetic(world, &bodies);
            world.step();
            let start = energy(&world);
            for step in 0..240 {
                world.step();
                let now = energy(&world);
                let place = format!("{spin} rad/s, {weld}, {model}, {step}");
                assert!(now < 2.0 * start, "{place}: {now} J of {start}");
            }
        }
    }
}

/// What a weld gives to one of them it takes from the other: their momentum stays, in steps that turn by more than 0.1 rad.
#[test]
fn a_weld_keeps_the_momentum_of_a_fast_tree_and_its_neighbour() {
    for spin in [7.0, 8.0, 9.0, 10.0, 12.0, 14.0] {
        let mut world = World::new(1.0 / 60.0);
        world.gravity = Vector::ZERO;
        let bodies = light_base(&mut world, true);
        world.step();
        let mut velocity = world.multibody(bodies[0]).generalized_velocity_mut();
        for (k, v) in velocity.iter_mut().enumerate() {
            *v = num(spin * [0.0, 0.1, 0.0, 0.3, -0.5, 0.6, 1.0, -0.7, 0.4][k]);
        }
        let linear = |world: &World| {
            let of = bodies
                .iter()
                .map(|b| world.linvel(*b) * real(world.bodies[*b].mass()));
            of.sum::<Vector3<f64>>()
        };
        world.step();
        for _ in 0..10 {
            let start = linear(&world);
            world.step();
            let lost = (linear(&world) - start).norm() / start.norm();
            assert!(lost < 1e3 * EPS, "{spin}: {lost}");
        }
    }
}

/// `MultibodyDynamics` says what the step does: in free fall the change of velocity of a small step is `-M^-1 c h`, and
/// the kinetic energy and the centre of mass are those of rapier's bodies, and so are velocities by the Jacobian.
#[test]
fn dynamics_for_controllers_are_those_of_the_step() {
    let h = 1e-5;
    let mut world = World::new(h);
    let bodies = tumbling(&mut world);
    world.step();
    let gravity = world.gravity;
    let read = |world: &mut World| {
        let multibody = world.multibody(bodies[0]).clone();
        let v = multibody.generalized_velocity().map(real);
        let dynamics = crate::MultibodyDynamics::new(&multibody, &world.bodies).unwrap();
        (dynamics, v)
    };
    let (mut dynamics, v) = read(&mut world);
    let mass = dynamics.mass_matrix();
    assert_eq!(mass, mass.transpose());
    let energy = 0.5 * v.dot(&(&mass * &v));
    let own = bodies.map(|b| {
        let w = world.angvel(b);
        let linear = real(world.bodies[b].mass()) * world.linvel(b).norm_squared();
        0.5 * (linear + w.dot(&(inertia(&world, b) * w)))
    });
    assert_close(energy, own.iter().sum(), 1e4 * EPS * energy);
    let (com, _) = momentum(&world, &bodies);
    assert_close((dynamics.center_of_mass() - com).norm(), 0.0, 1e3 * EPS);
    for (link, body) in bodies.into_iter().enumerate() {
        let at = world.bodies[body].center_of_mass();
        let twist = dynamics.jacobian(link, at).unwrap() * &v;
        let error = twist.fixed_rows::<3>(0) - world.linvel(body);
        assert_close(error.norm(), 0.0, 1e4 * EPS);
        let error = twist.fixed_rows::<3>(3) - world.angvel(body);
        assert_close(error.norm(), 0.0, 1e4 * EPS);
    }
    assert!(dynamics.jacobian(2, gravity).is_none());
    let bias = dynamics.bias(gravity);
    let wanted = -mass.cholesky().unwrap().solve(&bias);
    world.step();
    let change = (read(&mut world).1 - v) / h;
    // First order in h; round-off of a velocity over h.
    let bound = (1e-3 + 1e2 * EPS / h) * wanted.norm();
    assert_close((change - &wanted).norm(), 0.0, bound);
}
