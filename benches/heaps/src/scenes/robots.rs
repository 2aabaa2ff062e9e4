//! Ragdolls and a robot, in impulse joints and in reduced coordinates.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "ragdolls",
        "ragdolls of impulse joints down stairs",
        ragdolls,
    )
    .sized(4, 240)
    .short(1, 50),
    Entry::new(
        "ragdolls-multi",
        "ragdolls of multibodies down stairs",
        ragdolls_multi,
    )
    .sized(4, 240)
    .short(1, 50),
    Entry::new(
        "quadruped",
        "a robot stands while boxes fall about it",
        quadruped,
    )
    .sized(12, 240)
    .short(3, 50),
];

/// How a ragdoll holds together.
#[derive(Clone, Copy, PartialEq)]
enum Coordinates {
    /// By impulse joints.
    Maximal,
    /// As a multibody.
    Reduced,
}

fn ragdolls(setup: &mut Setup, n: usize) {
    stairs(setup);
    for k in 0..n {
        ragdoll(setup, k, Coordinates::Maximal);
    }
}

fn ragdolls_multi(setup: &mut Setup, n: usize) {
    // The host leaves the speeds of links as they were before its step.
    setup.energy = Energy::Driven;
    stairs(setup);
    for k in 0..n {
        ragdoll(setup, k, Coordinates::Reduced);
    }
}

/// Ten steps down along x, to the floor at y = 0.
fn stairs(setup: &mut Setup) {
    setup.floor();
    for k in 0..10 {
        let top = 0.25 * f64::from(10 - k);
        let at = [0.35 * f64::from(k), 0.5 * top, 0.0];
        setup.fixed(at, cuboid([0.175, 0.5 * top, 3.0]));
    }
}

/// A limb: where its joint is on the torso, where its centre is from there, and its shape.
type Limb = ([f64; 3], [f64; 3], ColliderBuilder);

/// Torso, head, and arms and legs of two parts each.
fn ragdoll(setup: &mut Setup, number: usize, coordinates: Coordinates) {
    // From the second step from above, side by side in fours.
    let start = [
        0.2 + 0.15 * (number / 4) as f64,
        3.9 + 2.0 * (number / 4) as f64,
        1.2 * ((number % 4) as f64 - 1.5),
    ];
    let density = real(400.0);
    let plus = |a: [f64; 3], b: [f64; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
    let torso = setup.add(start, cuboid([0.12, 0.3, 0.2]).density(density));
    let push = setup.random.between(0.5, 1.5);
    setup.world.bodies[torso].set_linvel(vector([push, 0.0, 0.0]), true);
    let mut join = |parent, at: [f64; 3], (anchor, arm, shape): Limb| {
        let place = plus(at, plus(anchor, arm));
        let body = setup.add(place, shape.density(density));
        let joint = SphericalJointBuilder::new()
            .local_anchor1(vector(anchor))
            .local_anchor2(vector(arm.map(|x| -x)))
            .contacts_enabled(false)
            .limits(JointAxis::AngX, [real(-1.0), real(1.0)])
            .limits(JointAxis::AngZ, [real(-1.0), real(1.0)]);
        match coordinates {
            Coordinates::Maximal => {
                setup.world.insert_impulse_joint(parent, body, joint);
            }
            Coordinates::Reduced => {
                setup.world.insert_multibody_joint(parent, body, joint);
            }
        }
        (body, place)
    };
    join(
        torso,
        start,
        ([0.0, 0.33, 0.0], [0.0, 0.15, 0.0], ball(0.12)),
    );
    for side in [-1.0, 1.0] {
        for (height, out, half, radius) in [(0.25, 0.29, 0.11, 0.05), (-0.33, 0.12, 0.14, 0.07)] {
            let down = -(half + 0.5 * radius);
            let shape = || capsule(half, radius);
            let upper = ([0.0, height, side * out], [0.0, down, 0.0], shape());
            let (body, at) = join(torso, start, upper);
            join(body, at, ([0.0, down, 0.0], [0.0, down, 0.0], shape()));
        }
    }
}

/// A trunk with four legs of hip, thigh and shank on driven hinges, as a multibody, and boxes about it.
fn quadruped(setup: &mut Setup, n: usize) {
    const TRUNK: f64 = 0.62;
    setup.floor();
    setup.energy = Energy::Driven;
    // Drives let a foot swing at a few rad/s on 0.5 m.
    setup.driven_speed = 3.0;
    let density = real(500.0);
    let trunk = cuboid([0.3, 0.08, 0.15]).density(density);
    let trunk = setup.add([0.0, TRUNK, 0.0], trunk);
    for (x, z) in [(-0.25, -0.18), (-0.25, 0.18), (0.25, -0.18), (0.25, 0.18)] {
        let out = f64::signum(z) * 0.06;
        let hinge = |axis: Vector, from: [f64; 3], to: [f64; 3]| {
            RevoluteJointBuilder::new(axis)
                .local_anchor1(vector(from))
                .local_anchor2(vector(to))
                .motor_position(real(0.0), real(2000.0), real(80.0))
                .motor_max_force(real(400.0))
                .motor_model(MotorModel::ForceBased)
        };
        let parts: [(Vector, [f64; 3], [f64; 3], ColliderBuilder); 3] = [
            (Vector::X, [x, 0.0, z], [0.0; 3], ball(0.05)),
            (
                Vector::Z,
                [0.0, 0.0, out],
                [0.0, 0.14, 0.0],
                capsule(0.1, 0.04),
            ),
            (
                Vector::Z,
                [0.0, -0.14, 0.0],
                [0.0, 0.14, 0.0],
                capsule(0.1, 0.03),
            ),
        ];
        let mut parent = trunk;
        let mut at = [0.0, TRUNK, 0.0];
        for (axis, from, to, shape) in parts {
            for i in 0..3 {
                at[i] += from[i] - to[i];
            }
            let link = setup.add(at, shape.density(density).friction(real(1.0)));
            let joint = hinge(axis, from, to).contacts_enabled(false);
            setup.world.insert_multibody_joint(parent, link, joint);
            parent = link;
        }
    }
    for k in 0..n {
        let angle = 2.4 * k as f64;
        let away = 0.25 + 0.05 * k as f64;
        let turn = setup.random.three();
        let at = [away * angle.cos(), 1.0 + 0.3 * k as f64, away * angle.sin()];
        setup.turned(at, turn, cuboid([0.1; 3]).density(density));
    }
}
