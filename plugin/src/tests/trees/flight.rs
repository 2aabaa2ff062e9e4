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
