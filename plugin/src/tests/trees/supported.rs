//! Trees on a fixed, floating or kinematic root, and the contacts of their links.

use super::*;

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
