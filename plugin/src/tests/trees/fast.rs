//! Energy and momentum of trees that turn by a large angle in one step.

use super::*;
use crate::ContactPipeline;
use stickslip_core::models::ModelName;

/// A free tree keeps its momentum L. Its energy is at most the greater of its first energy and the largest rigid energy
/// `p^2 / 2m + L^T I^-1 L / 2` of the poses so far.
#[test]
fn a_tree_that_turns_by_radians_in_a_step_gains_no_energy() {
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

/// A light base, a heavy link on a ball joint with an arm of half a metre, and a free body welded to the base. Their kinetic
/// energy at most doubles: links that come nearer to each other turn faster. The momentum of a step needs velocities and
/// pose of the same instant.
#[test]
fn a_light_base_under_a_heavy_link_gains_no_energy() {
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
        let linear = |world: &World| linear_momentum(world, &bodies);
        world.step();
        for _ in 0..10 {
            let start = linear(&world);
            world.step();
            let lost = (linear(&world) - start).norm() / start.norm();
            assert!(lost < 1e3 * EPS, "{spin}: {lost}");
        }
    }
}

/// The dampers of a root that rapier sets (0.1 N m s for each turn) take angular momentum as their torque says, `-d w` about the base,
/// and nothing of the linear momentum, however fast the tree turns.
#[test]
fn a_damped_root_loses_what_its_dampers_take() {
    let h = 1.0 / 60.0;
    for spin in [1.0, 5.0, 10.0, 20.0] {
        let mut world = World::new(h);
        world.gravity = Vector::ZERO;
        let bodies = light_base(&mut world, false);
        let base = bodies[0];
        world.multibody(base).damping_mut().as_mut_slice()[3..6].fill(num(0.1));
        let mut velocity = world.multibody(base).generalized_velocity_mut();
        for (k, v) in velocity.iter_mut().enumerate() {
            *v = num(spin * [0.0, 0.1, 0.0, 0.3, -0.5, 0.6, 0.1, -0.2, 0.1][k]);
        }
        let linear = |world: &World| linear_momentum(world, &bodies);
        world.step();
        let (first, mut left) = (linear(&world), momentum(&world, &bodies).1);
        let size = left.norm();
        for _ in 0..60 {
            let turned = world.angvel(base);
            world.step();
            left -= (turned + world.angvel(base)) * (0.5 * 0.1 * h);
        }
        let drift = (linear(&world) - first).norm() / first.norm();
        assert!(drift < 1e3 * EPS, "{spin}: {drift}");
        let error = (momentum(&world, &bodies).1 - left).norm() / size;
        assert!(error < 1e-3, "{spin}: {error}");
    }
}

/// The root of a multibody has dampers and weighs 0.25 kg; its link on a slider weighs 119 kg, and a free body on a hinge 9 kg. The kinetic
/// energy of the three does not grow in any step.
#[test]
fn a_damped_root_between_heavier_bodies_gains_no_energy() {
    for model in [ModelName::Cone, ModelName::NoSlip] {
        let mut world = World::with_model(1.0 / 60.0, model);
        world.gravity = Vector::ZERO;
        let mut part = |half: f64, mass: f64, place: Vector| {
            let shape = ColliderBuilder::cuboid(num(half), num(1.2 * half), num(0.7 * half));
            let body = RigidBodyBuilder::dynamic().translation(place);
            world.add(body, shape.mass(num(mass)))
        };
        let other = part(0.2, 9.3, vec3(0.6, -0.5, 0.4));
        let root = part(0.1, 0.25, Vector::ZERO);
        let heavy = part(0.2, 119.0, vec3(-1.8, 0.8, -1.2));
        let slider = PrismaticJointBuilder::new(Vector::X)
            .local_anchor1(vec3(-0.9, 0.4, -0.6))
            .local_anchor2(vec3(0.9, -0.4, 0.6));
        (world.multibody_joints).insert(root, heavy, slider, true);
        let hinge = RevoluteJointBuilder::new(Vector::X)
            .local_anchor1(vec3(-0.3, 0.25, -0.2))
            .local_anchor2(vec3(0.3, -0.25, 0.2));
        world.impulse_joints.insert(other, root, hinge, true);
        let mut velocity = world.multibody(root).generalized_velocity_mut();
        for (k, v) in velocity.iter_mut().enumerate() {
            *v = num([-2.0, 2.7, -6.5, 7.0, 10.8, 2.9, 0.0][k]);
        }
        world.step();
        let bodies = [root, heavy, other];
        let start = kinetic(&world, &bodies);
        for step in 0..120 {
            world.step();
            let now = kinetic(&world, &bodies);
            assert!(now < 1.001 * start, "{model}, {step}: {now} J of {start}");
        }
    }
}
