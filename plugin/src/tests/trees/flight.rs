//! Momentum of a flying tree under gravity and applied forces.

use super::*;

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
#[test]
fn forces_on_a_flying_tree_change_its_momentum() {
    let h = 1e-3;
    let mut world = World::new(h);
    world.gravity = Vector::ZERO;
    let [base, arm] = tumbling(&mut world);
    let bodies = [base, arm];
    world.step();
    let (com, before) = momentum(&world, &bodies);
    let p_before = linear_momentum(&world, &bodies);
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
    let push = linear_momentum(&world, &bodies) - p_before;
    assert!((push - force * h).norm() < bound, "{push}");
}

/// Links whose weights have different scales turn a flying tree by `h sum r x m s g`, r from the common centre of mass.
#[test]
fn uneven_weights_turn_a_flying_tree() {
    let h = 0.01;
    let mut world = World::new(h);
    let bodies = tumbling(&mut world);
    let scales = [1.0, 0.25];
    for (body, scale) in bodies.iter().zip(scales) {
        world.bodies[*body].set_gravity_scale(num(scale), true);
    }
    world.step();
    let ((com, before), p) = (momentum(&world, &bodies), linear_momentum(&world, &bodies));
    let weights = bodies.iter().zip(scales).map(|(body, scale)| {
        let rb = &world.bodies[*body];
        let weight = Vector3::new(0.0, 0.0, -G * scale * real(rb.mass()));
        (vector(rb.center_of_mass()) - com, weight)
    });
    let [force, torque] = weights.fold([Vector3::zeros(); 2], |[force, torque], (arm, weight)| {
        [force + weight, torque + arm.cross(&weight)]
    });
    world.step();
    let turned = momentum(&world, &bodies).1 - before;
    let bound = 100.0 * EPS;
    assert!(torque.norm() * h > 10.0 * bound, "{torque}");
    assert!((turned - torque * h).norm() < bound, "{turned} {torque}");
    let fallen = linear_momentum(&world, &bodies) - p;
    assert!((fallen - force * h).norm() < bound, "{fallen}");
}

/// Dampers of a root are implicit: `v+ = v / (1 + h d / m)` of a tree whose links have their centres in one place and move along one
/// axis, `w+ = w / (1 + h d / I)` about it, however strong they are.
#[test]
fn strong_dampers_of_a_root_stop_a_flying_tree() {
    let h = 0.01;
    for strength in [0.1, 1.0, 10.0] {
        let mut world = World::new(h);
        world.gravity = Vector::ZERO;
        let mut part = |mass: f64| {
            let cube = ColliderBuilder::cuboid(num(0.1), num(0.1), num(0.1)).mass(num(mass));
            world.add(RigidBodyBuilder::dynamic(), cube)
        };
        let bodies = [part(0.5), part(1.5)];
        let slider = PrismaticJointBuilder::new(Vector::X).contacts_enabled(false);
        (world.multibody_joints).insert(bodies[0], bodies[1], slider, true);
        world.multibody(bodies[0]).damping_mut().fill(num(0.0));
        world.step();
        let [m, i] = [2.0, 2.0 * 0.04 / 6.0];
        {
            let multibody = world.multibody(bodies[0]);
            multibody.damping_mut()[1] = num(strength * m / h);
            multibody.damping_mut()[4] = num(strength * i / h);
            multibody.generalized_velocity_mut()[1] = num(2.0);
            multibody.generalized_velocity_mut()[4] = num(0.3);
        }
        world.step();
        for body in bodies {
            assert_close(world.linvel(body).y, 2.0 / (1.0 + strength), 100.0 * EPS);
            assert_close(world.angvel(body).y, 0.3 / (1.0 + strength), 100.0 * EPS);
        }
    }
}
