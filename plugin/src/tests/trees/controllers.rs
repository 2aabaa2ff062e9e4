//! `MultibodyDynamics` against the step.

use super::*;

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
