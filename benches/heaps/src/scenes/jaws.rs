//! Jaws, pinned parts and shaken hands: forces and what is still held.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("pinned", "jaws of multibodies pin a fixed tube", pinned)
        .sized(8, 60)
        .short(4, 30),
    Entry::new("shaken", "a hand on a servo arm is shaken", shaken)
        .sized(1, 1500)
        .short(1, 400),
];

/// How far a part may creep between the pads \[mm\].
const CREPT: f64 = 5.0;

/// Jaws on a revolute axis that lies in the plane of contact: the normal force is the torque by the lever, and friction
/// has no lever. Seeds turn them and change their size.
fn pinned(setup: &mut Setup, n: usize) {
    setup.energy = Energy::Driven;
    setup.world.gravity = vector([0.0; 3]);
    let mut jaws = Vec::new();
    for k in 0..n {
        let (scale, turn) = match setup.seed {
            0 => (1.0, [0.0; 3]),
            _ => (
                10.0_f64.powf(setup.random.between(-1.0, 1.0)),
                setup.random.three().map(|u| 3.0 * (2.0 * u - 1.0)),
            ),
        };
        let torque = 0.45 * 22.0_f64.powf(setup.random.unit());
        let lever = 0.06 * scale;
        let at = vector([30.0 * k as f64 - 15.0 * n as f64, 1.0, 0.0]);
        let frame = Pose::new(at, vector(turn));
        let place = |x: [f64; 3]| frame * vector(x);
        let root = RigidBodyBuilder::fixed().pose(frame);
        let root = setup.world.insert_body(root);
        let jaw = RigidBodyBuilder::dynamic().pose(frame).can_sleep(false);
        let half = [0.07, 0.01, 0.02].map(|x| scale * x);
        let shape = cuboid(half).translation(vector([lever, half[1], 0.0]));
        let jaw = setup.world.insert_body(jaw);
        let shape = setup.world.insert_collider(shape, Some(jaw));
        let joint = RevoluteJointBuilder::new(Vector::Z)
            .motor_model(MotorModel::ForceBased)
            .motor_velocity(real(-100.0), real(1e6))
            .motor_max_force(real(torque));
        setup.world.insert_multibody_joint(root, jaw, joint);
        let radius = 0.03 * scale;
        let tube = match k % 2 {
            0 => ball(radius),
            _ => plain(ColliderBuilder::capsule_z(real(radius), real(radius))),
        };
        let rotation = frame.rotation;
        let at = place([lever, -radius, 0.0]);
        let tube = tube.position(Pose::from_parts(at, rotation));
        let tube = setup.world.colliders.insert(tube);
        jaws.push([shape, tube].map(|c| (c, torque / lever)));
    }
    let dt = setup.dt;
    let name = "normal force by torque / lever";
    setup.figure(name, (0.99, 1.01), move |world, _| {
        let mut worst = 1.0_f64;
        for [(jaw, right), (tube, _)] in &jaws {
            let pair = world.narrow_phase.contact_pair(*jaw, *tube);
            let points = pair.into_iter().flat_map(|pair| pair.manifolds());
            let points = points.flat_map(|manifold| &manifold.points);
            let (mut normal, mut friction) = (0.0, 0.0_f64);
            for point in points {
                normal += double(point.data.impulse) / (dt * right);
                let along = point.data.tangent_impulse;
                friction = friction.max(double(along.norm()) / (dt * right));
            }
            // Friction holds nothing here.
            let off = if friction < 1.0 { normal } else { friction };
            if off.is_nan() || (off - 1.0).abs() > (worst - 1.0).abs() {
                worst = off;
            }
        }
        worst
    });
}

/// A fixed root, two links of servo joints, a hand and two fingers, and a ball (or a cube, by seed) between their pads. Both
/// servos get targets with noise in every second step, as in the benchmark "Grasp and shake".
fn shaken(setup: &mut Setup, n: usize) {
    const NOISE: f64 = 0.025;
    const LONG: f64 = 0.4;
    setup.time_step(0.01);
    setup.energy = Energy::Driven;
    setup.floor();
    // Nothing is as fast as a ball that falls.
    setup.driven_speed = 10.0;
    let (mut servos, mut held) = (Vec::new(), Vec::new());
    for k in 0..n {
        let size = match setup.seed {
            0 => 0.02,
            _ => setup.random.between(0.01, 0.04),
        };
        let side = 1.5 * k as f64;
        let link = |setup: &mut Setup, at: [f64; 3], shape: ColliderBuilder| {
            let body = RigidBodyBuilder::dynamic();
            setup.put(
                body,
                at,
                [shape.collision_groups(InteractionGroups::none())],
            )
        };
        let root = setup.put(RigidBodyBuilder::fixed(), [0.0, 1.0, side], []);
        let arm = || capsule(0.1, 0.04).density(real(2000.0));
        let upper = link(setup, [LONG, 1.0, side], arm());
        let hand = link(setup, [2.0 * LONG, 1.0, side], arm());
        let servo = |axis: Vector| {
            RevoluteJointBuilder::new(axis)
                .local_anchor2(vector([-LONG, 0.0, 0.0]))
                .motor_model(MotorModel::ForceBased)
                .motor_position(real(0.0), real(2000.0), real(200.0))
                .motor_max_force(real(100.0))
        };
        setup
            .world
            .insert_multibody_joint(root, upper, servo(Vector::Z));
        setup
            .world
            .insert_multibody_joint(upper, hand, servo(Vector::Y));
        servos.extend([upper, hand]);
        let below = -0.15;
        for sign in [-1.0, 1.0] {
            let pad = cuboid([0.00875, 0.00825, 0.0076]).friction(real(1.0));
            let away = sign * (size + 0.0076);
            let at = [2.0 * LONG, 1.0 + below, side + away];
            let finger = setup.put(RigidBodyBuilder::dynamic(), at, [pad]);
            // Closed from the outside: the targets are the middle.
            let joint = PrismaticJointBuilder::new(Vector::Z)
                .local_anchor1(vector([0.0, below, away]))
                .motor_model(MotorModel::ForceBased)
                .motor_position(real(-sign * size), real(350.0), real(10.0))
                .motor_max_force(real(200.0))
                .contacts_enabled(false);
            setup.world.insert_multibody_joint(hand, finger, joint);
        }
        let shape = match setup.seed % 4 {
            3 => cuboid([size; 3]),
            _ => ball(size),
        };
        let at = [2.0 * LONG, 1.0 + below, side];
        let part = setup.add(at, shape.friction(real(1.0)));
        held.push((hand, part, vector([0.0, below, 0.0])));
    }
    let mut random = setup.random.clone();
    setup.each_step(move |world, step| {
        if step % 2 != 0 {
            return;
        }
        for servo in &servos {
            // Of three uniform numbers: a standard deviation of one.
            let sum: f64 = random.three().iter().sum();
            let target = real(NOISE * 2.0 * (sum - 1.5));
            let link = world.multibody_joints.rigid_body_link(*servo).copied();
            if let Some(link) = link
                && let Some(tree) = world.multibody_joints.get_multibody_mut(link.multibody)
                && let Some(link) = tree.link_mut(link.id)
            {
                let joint = &mut link.joint.data;
                joint.set_motor_position(JointAxis::AngX, target, real(2000.0), real(200.0));
            }
        }
    });
    setup.figure("crept in the hand [mm]", (0.0, CREPT), move |world, _| {
        let crept = held.iter().map(|(hand, part, from)| {
            let hand = world.bodies[*hand].position();
            let part = world.bodies[*part].translation();
            let off = hand.inverse_transform_point(part) - *from;
            1e3 * double(off.length())
        });
        crept.fold(0.0, f64::max)
    });
}
