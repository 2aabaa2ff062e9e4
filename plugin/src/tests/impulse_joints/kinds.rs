//! What every kind of joint holds, and for how long.

use super::*;

/// Two bodies joined askew, thrown and spinning.
fn thrown(world: &mut World, locked: JointAxesMask) -> ([RigidBodyHandle; 2], ImpulseJointHandle) {
    let a = body(world, 2.0, [0.1, 0.2, 0.25], [0.0; 3]);
    let b = body(world, 1.0, [0.05, 0.03, 0.06], [0.0; 3]);
    let frames = [
        pose([0.3, -0.1, 0.2], [0.4, 0.8, -0.3]),
        pose([-0.2, 0.15, 0.1], [-1.0, 0.2, 0.5]),
    ];
    let start = pose([1.0, 2.0, 3.0], [0.3, -0.2, 0.9]);
    let other = start * frames[0] * frames[1].inverse();
    world.bodies[a].set_position(to_pose(&start), true);
    world.bodies[b].set_position(to_pose(&other), true);
    world.bodies[a].set_linvel(vec3(0.4, -0.3, 0.2), true);
    world.bodies[a].set_angvel(vec3(1.0, 2.0, -0.7), true);
    world.bodies[b].set_angvel(vec3(-0.5, 0.3, 1.4), true);
    let joint = GenericJointBuilder::new(locked)
        .local_frame1(to_pose(&frames[0]))
        .local_frame2(to_pose(&frames[1]))
        .contacts_enabled(false);
    let handle = world.impulse_joints.insert(a, b, joint, true);
    ([a, b], handle)
}

/// Ten seconds of tumbling open no joint, and the impulses of a joint cancel: the momentum stays.
#[test]
fn no_kind_of_joint_opens_over_ten_seconds() {
    for (name, locked) in [
        ("fixed", JointAxesMask::LOCKED_FIXED_AXES),
        ("revolute", JointAxesMask::LOCKED_REVOLUTE_AXES),
        ("spherical", JointAxesMask::LOCKED_SPHERICAL_AXES),
        ("universal", JointAxesMask::LIN_AXES | JointAxesMask::ANG_Z),
        (
            "cylinder",
            JointAxesMask::LOCKED_REVOLUTE_AXES & !JointAxesMask::LIN_X,
        ),
        ("orientation", JointAxesMask::ANG_AXES),
        ("pin in slot", JointAxesMask::LIN_Y | JointAxesMask::LIN_Z),
        (
            "plane",
            JointAxesMask::LIN_X | JointAxesMask::ANG_Y | JointAxesMask::ANG_Z,
        ),
    ] {
        let mut world = World::new(0.01);
        world.gravity = Vector::ZERO;
        let ([a, b], joint) = thrown(&mut world, locked);
        let momentum = |world: &World| world.linvel(a) * 2.0 + world.linvel(b);
        // The first steps take what doesn't fit the joint out of the velocities.
        world.run(2);
        let before = momentum(&world);
        let mut widest: f64 = 0.0;
        for _ in 0..1000 {
            let report = world.step();
            assert!(report.solve.residuals.max() < 1e-9, "{name}: {report:?}");
            widest = widest.max(opening(&world, joint));
        }
        assert!(widest <= CLOSED, "{name}: {widest:e}");
        assert!((momentum(&world) - before).norm() < FINE, "{name}");
    }
}

/// A prismatic joint on a slope: a = g sin(theta), nothing across.
#[test]
fn a_slider_on_a_slope_accelerates_with_its_share_of_gravity() {
    let (h, theta) = (0.01, 0.6_f64);
    let mut world = World::new(h);
    let root = anchor(&mut world);
    let block = body(&mut world, 3.0, [0.1; 3], [0.0; 3]);
    let down = vec3(theta.cos(), 0.0, -theta.sin());
    let joint = PrismaticJointBuilder::new(down);
    let joint = world.impulse_joints.insert(root, block, joint, true);
    world.run(100);
    let along = G * theta.sin() * 1.0;
    let expected = Vector3::new(theta.cos(), 0.0, -theta.sin()) * along;
    assert!((world.linvel(block) - expected).norm() < FINE);
    assert!(world.angvel(block).norm() < FINE);
    // Symplectic Euler: x = a h^2 n (n + 1) / 2.
    let x = relative(&world, joint).translation.vector.x;
    assert_close(x, G * theta.sin() * h * h * 5050.0, FINE);
    // Across, the joint carries m g cos(theta).
    let force = world.pipeline.joint_impulses(joint).unwrap().force();
    let across = force[1].hypot(force[2]);
    assert_close(across, 3.0 * G * theta.cos(), 1e3 * FINE);
    assert_close(force[0], 0.0, 1e3 * FINE);
}

/// Hanging at rest: m g upwards on body 2, in our readout and, with rapier's sign, in rapier's.
#[test]
fn a_hanging_body_pulls_with_its_weight() {
    let mut world = World::new(0.01);
    let root = anchor(&mut world);
    let weight = body(&mut world, 2.0, [0.1; 3], [0.0, 0.0, -0.5]);
    let joint = SphericalJointBuilder::new().local_anchor2(vec3(0.0, 0.0, 0.5));
    let joint = world.impulse_joints.insert(root, weight, joint, true);
    world.run(10);
    let read = world.pipeline.joint_impulses(joint).unwrap();
    assert_close(read.force()[2], 2.0 * G, 1e3 * FINE);
    assert_close(real(read.linear_world().z), 2.0 * G * 0.01, FINE);
    assert!(real(read.angular_world().length()) < FINE);
    assert_eq!(world.pipeline.joints().len(), 1);
    let shown = world.impulse_joints.get(joint).unwrap().impulses[2];
    assert_close(real(shown), -2.0 * G * 0.01, FINE);
}

/// A cantilever: the fixed joint at the wall carries the weight and its moment m g l about y.
#[test]
fn a_fixed_joint_carries_the_moment_of_a_cantilever() {
    let mut world = World::new(0.01);
    let root = anchor(&mut world);
    let beam = body(&mut world, 1.5, [0.1; 3], [0.8, 0.0, 0.0]);
    let joint = FixedJointBuilder::new().local_anchor2(vec3(-0.8, 0.0, 0.0));
    let joint = world.impulse_joints.insert(root, beam, joint, true);
    world.run(10);
    let force = world.pipeline.joint_impulses(joint).unwrap().force();
    let expected = [0.0, 0.0, 1.5 * G, 0.0, -1.5 * G * 0.8, 0.0];
    for (actual, expected) in force.iter().zip(expected) {
        assert_close(*actual, expected, 1e3 * FINE);
    }
}

/// A chain of ball joints hangs from the world without opening, and its top carries all of it.
#[test]
fn a_chain_hangs_from_the_world() {
    let mut world = World::new(0.01);
    let mut above = anchor(&mut world);
    let mut joints = Vec::new();
    for k in 0..8 {
        // Laid out level: it falls and swings.
        let link = body(
            &mut world,
            0.5,
            [1e-3; 3],
            [0.1 + 0.2 * f64::from(k), 0.0, 0.0],
        );
        world.bodies[link].set_angular_damping(num(2.0));
        world.bodies[link].set_linear_damping(num(2.0));
        let joint = SphericalJointBuilder::new()
            .local_anchor1(vec3(if k == 0 { 0.0 } else { 0.1 }, 0.0, 0.0))
            .local_anchor2(vec3(-0.1, 0.0, 0.0));
        joints.push(world.impulse_joints.insert(above, link, joint, true));
        above = link;
    }
    let mut widest: f64 = 0.0;
    for _ in 0..1500 {
        world.step();
        widest = joints
            .iter()
            .map(|j| opening(&world, *j))
            .fold(widest, f64::max);
    }
    assert!(widest <= CLOSED, "{widest:e}");
    let end = world.position(above);
    assert_close(end.z, -1.5, 1e-3);
    // Damping takes its share of the gravity of a step, too.
    for (_, link) in world.bodies.iter_mut() {
        link.set_linear_damping(num(0.0));
    }
    world.step();
    let top = world.pipeline.joint_impulses(joints[0]).unwrap();
    assert_close(real(top.linear_world().z) / 0.01, 8.0 * 0.5 * G, 1e-2);
}

/// Joined bodies touch only where the joint lets them; a disabled joint holds nothing.
#[test]
fn contacts_and_enabling_are_honoured() {
    for (contacts_enabled, enabled) in [(true, true), (false, true), (true, false)] {
        let mut world = World::new(0.01);
        world.gravity = Vector::ZERO;
        let shape = || ColliderBuilder::ball(num(0.3));
        let a = world.add(RigidBodyBuilder::dynamic(), shape());
        let b = world.add(
            RigidBodyBuilder::dynamic().translation(vec3(0.5, 0.0, 0.0)),
            shape(),
        );
        let joint = PrismaticJointBuilder::new(Vector::X).contacts_enabled(contacts_enabled);
        let handle = world.impulse_joints.insert(a, b, joint, true);
        let data = &mut world.impulse_joints.get_mut(handle, true).unwrap().data;
        data.set_enabled(enabled);
        world.bodies[b].set_linvel(vec3(0.0, 1.0, 0.0), true);
        let report = world.step();
        assert_eq!(report.solve.contacts > 0, contacts_enabled);
        assert_eq!(world.pipeline.joint_impulses(handle).is_some(), enabled);
        world.run(20);
        let open = opening(&world, handle);
        assert_eq!(open <= CLOSED, enabled, "{open}");
    }
}

/// Joints between bodies that all move as prescribed, or from a body to itself, ask for nothing.
#[test]
fn joints_that_can_move_nothing_are_left_out() {
    let mut world = World::new(0.01);
    let (a, b) = (anchor(&mut world), anchor(&mut world));
    let joint = FixedJointBuilder::new().local_anchor2(vec3(1.0, 0.0, 0.0));
    world.impulse_joints.insert(a, b, joint, true);
    world.run(2);
    assert!(world.pipeline.joints().is_empty());
}
