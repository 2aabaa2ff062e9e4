//! Drives, roots and changes while sleeping is allowed: how far things moved.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("drives", "motors that start slowly", drives)
        .sized(8, 600)
        .short(8, 120),
    Entry::new("servos", "overdamped servos on their way", servos)
        .sized(8, 1200)
        .short(4, 600),
    Entry::new("sent-root", "a root moved by position, and its load", sent)
        .sized(2, 180)
        .short(2, 120),
    Entry::new(
        "yard",
        "a vehicle, a lift and a rope that move, and boxes that do not: boxes awake",
        yard,
    )
    .sized(200, 240)
    .short(20, 240),
    Entry::new("lift", "gravity that turns round over sleepers", lift)
        .sized(8, 150)
        .short(3, 105),
];

/// A small body on a motor.
struct Driven {
    body: RigidBodyHandle,
    is_angle: bool,
    start: Vector,
}

/// Small bodies on hinges and sliders, by impulse joints and in reduced coordinates in turns. The motor's numbers are for
/// the axis, an angle or not.
fn motors(
    setup: &mut Setup,
    n: usize,
    mut motor: impl FnMut(&mut Setup, GenericJoint, JointAxis) -> GenericJoint,
) -> Vec<Driven> {
    setup.sleeps = true;
    setup.energy = Energy::Driven;
    setup.driven_speed = 5.0;
    setup.world.gravity = Vector::ZERO;
    let driven = (0..n).map(|k| {
        let at = [k as f64, 0.0, 0.0];
        let base = setup.put(RigidBodyBuilder::fixed(), at, []);
        let body = setup.add(at, mixed(k, 0.05));
        let is_angle = k % 4 < 2;
        let (mut joint, axis): (GenericJoint, _) = match is_angle {
            true => (RevoluteJointBuilder::new(Vector::Z).into(), JointAxis::AngX),
            false => (
                PrismaticJointBuilder::new(Vector::Z).into(),
                JointAxis::LinX,
            ),
        };
        joint.set_motor_model(axis, MotorModel::AccelerationBased);
        let joint = motor(setup, joint, axis);
        if k % 2 == 0 {
            setup.world.insert_impulse_joint(base, body, joint);
        } else {
            setup.world.insert_multibody_joint(base, body, joint);
            undamp(&mut setup.world, body);
        }
        let start = setup.world.bodies[body].translation();
        Driven {
            body,
            is_angle,
            start,
        }
    });
    driven.collect()
}

/// Takes rapier's default damping away from the multibody of a link.
fn undamp(world: &mut PhysicsWorld, link: RigidBodyHandle) {
    let id = world.multibody_joints.rigid_body_link(link).copied();
    let PhysicsWorld {
        bodies,
        multibody_joints,
        ..
    } = world;
    if let Some(multibody) = id.and_then(|id| multibody_joints.get_multibody_mut(id.multibody)) {
        // Rapier takes every new root for a floating one until then.
        multibody.forward_kinematics(bodies, true);
        multibody.damping_mut().fill(0.0);
    }
}

/// The largest relative error of the ways gone, in per cent, against `right(k, t)`.
fn ways(setup: &mut Setup, driven: Vec<Driven>, right: impl Fn(usize, f64) -> f64 + 'static) {
    let (dt, mut t) = (setup.dt, 0.0);
    let mut turned = vec![0.0; driven.len()];
    setup.figure("way off [%]", (0.0, 2.0), move |world, _| {
        t += dt;
        let off = driven.iter().enumerate().map(|(k, d)| {
            let Some(rb) = world.bodies.get(d.body) else {
                return f64::NAN;
            };
            turned[k] += dt * double(rb.angvel().z);
            let way = match d.is_angle {
                true => turned[k],
                false => double((rb.translation() - d.start).z),
            };
            100.0 * (way / right(k, t) - 1.0).abs()
        });
        off.fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
    });
}

/// Acceleration-based motors of a speed v with a damping d: `v (t - (1 - exp(-d t)) / d)`.
fn drives(setup: &mut Setup, n: usize) {
    let mut numbers = Vec::new();
    let driven = motors(setup, n, |setup, mut joint, axis| {
        let (speed, damping) = match (setup.seed, axis) {
            (0, _) => (2.0, 1.0),
            (_, JointAxis::LinX) => {
                let speed = setup.random.between(0.01, 0.5);
                (speed, setup.random.between(0.3, 3.0))
            }
            _ => {
                let speed = setup.random.between(0.02, 3.0);
                (speed, setup.random.between(0.3, 3.0))
            }
        };
        numbers.push((speed, damping));
        joint.set_motor_velocity(axis, real(speed), real(damping));
        joint
    });
    let dt = setup.dt;
    ways(setup, driven, move |k, t| {
        let (v, d) = numbers[k];
        // Of the implicit steps: the speed after m of them is v (1 - q^m).
        let (q, steps) = (1.0 / (1.0 + dt * d), (t / dt).round());
        v * (t - dt * q * (1.0 - q.powf(steps)) / (1.0 - q))
    });
}

/// Servos that approach their target with a time constant of d / k: after eight of them it is reached.
fn servos(setup: &mut Setup, n: usize) {
    let mut targets = Vec::new();
    let driven = motors(setup, n, |setup, mut joint, axis| {
        let (target, stiffness) = match setup.seed {
            0 => (0.5, 4.0),
            _ => {
                let target = setup.random.between(0.1, 1.0);
                (target, setup.random.between(4.0, 30.0))
            }
        };
        targets.push(target);
        // Slow against its inertia: d^2 > 4 k.
        let damping = stiffness * setup.random.between(1.0, 1.2);
        joint.set_motor_position(axis, real(target), real(stiffness), real(damping));
        joint
    });
    ways(setup, driven, move |k, _| targets[k]);
}

/// Carts whose root a user moves by its next pose, on from rest. A link on a stiff hinge, a box that lies on it and a ball
/// on an impulse joint go along.
fn sent(setup: &mut Setup, n: usize) {
    setup.sleeps = true;
    setup.energy = Energy::Driven;
    setup.driven_speed = 2.0;
    let mut carts = Vec::new();
    for k in 0..n {
        let at = [0.0, 1.0, 4.0 * k as f64];
        let out = |x: f64, y: f64, z: f64| [at[0] + x, at[1] + y, at[2] + z];
        let plate = || cuboid([0.5, 0.05, 0.5]).friction(real(0.9));
        let root = RigidBodyBuilder::kinematic_position_based();
        let root = setup.put(root, at, [plate()]);
        let arm = setup.add(out(1.0, 0.0, 0.0), plate());
        let joint = RevoluteJointBuilder::new(Vector::Z)
            .local_anchor1(vector([0.5, 0.0, 0.0]))
            .local_anchor2(vector([-0.5, 0.0, 0.0]))
            .limits([0.0, 0.0])
            .contacts_enabled(false);
        setup.world.insert_multibody_joint(root, arm, joint);
        undamp(&mut setup.world, arm);
        let side = setup.random.between(0.05, 0.15);
        let load = out(1.0, 0.05 + side, 0.0);
        let load = setup.add(load, cuboid([side; 3]).friction(real(0.9)));
        let ball = setup.add(out(1.0, -0.5, 0.3), ball(0.05));
        let joint = FixedJointBuilder::new()
            .local_anchor1(vector([0.0, -0.5, 0.3]))
            .contacts_enabled(false);
        setup.world.insert_impulse_joint(arm, ball, joint);
        // Half a metre along, a quarter of a turn about, or both; seeds vary how far.
        let far = match setup.seed {
            0 => 1.0,
            _ => setup.random.between(0.2, 1.0),
        };
        let along = if k % 3 == 1 { 0.0 } else { 0.5 * far };
        let about = if k % 3 == 0 { 0.0 } else { 0.4 * far };
        carts.push((root, at, [arm, load, ball], [along, about]));
    }
    let dt = setup.dt;
    // From rest to rest within two seconds.
    let way = move |step: usize| {
        let t = (0.5 * dt * (step + 1) as f64).min(1.0);
        t * t * (3.0 - 2.0 * t)
    };
    let plan: Vec<_> = carts.iter().map(|c| (c.0, c.1, c.3)).collect();
    setup.each_step(move |world, step| {
        for &(root, at, [along, about]) in &plan {
            let share = way(step);
            let Some(rb) = world.bodies.get_mut(root) else {
                continue;
            };
            let to = vector([at[0] + share * along, at[1], at[2]]);
            let turn = RigidBodyBuilder::dynamic().rotation(vector([0.0, share * about, 0.0]));
            let pose = turn.translation(to).build();
            if about == 0.0 {
                rb.set_next_kinematic_translation(to);
            } else {
                rb.set_next_kinematic_position(*pose.position());
            }
        }
    });
    let rest: Vec<_> = carts
        .iter()
        .map(|(root, _, loads, _)| {
            let frame = *setup.world.bodies[*root].position();
            loads.map(|load| {
                let at = setup.world.bodies[load].translation();
                frame.inverse_transform_point(at)
            })
        })
        .collect();
    let mut step = 0;
    setup.figure("off its place [mm]", (0.0, 3.0), move |world, _| {
        let share = way(step);
        step += 1;
        let mut most = 0.0;
        for ((root, at, loads, [along, _]), rest) in carts.iter().zip(&rest) {
            let place = *world.bodies[*root].position();
            let x = double(place.translation.x) - at[0] - share * along;
            most = f64::max(most, x.abs());
            for (load, rest) in loads.iter().zip(rest) {
                let off = world.bodies[*load].translation() - place * *rest;
                most = f64::max(most, double(off.length()));
            }
        }
        1e3 * most
    });
}

/// Boxes asleep on a floor; after a second gravity pulls them off it, by `g t^2 / 2` from then on.
fn lift(setup: &mut Setup, n: usize) {
    setup.sleeps = true;
    setup.energy = Energy::Driven;
    setup.driven_speed = 20.0;
    setup.floor();
    let boxes: Vec<_> = (0..n)
        .map(|k| {
            let half = setup.random.three().map(|u| 0.1 + 0.1 * u);
            let at = [0.0, half[1], 1.5 * k as f64];
            (setup.add(at, cuboid(half)), at)
        })
        .collect();
    let pull = match setup.seed {
        0 => GRAVITY,
        _ => setup.random.between(0.1, 10.0),
    };
    let dt = setup.dt;
    let turns = (1.0 / dt).round() as usize;
    setup.each_step(move |world, step| {
        if step == turns {
            world.gravity = vector([0.0, pull, 0.0]);
        }
    });
    let mut step = 0;
    setup.figure("way off [%]", (0.0, 2.0), move |world, _| {
        step += 1;
        let m = step as f64 - turns as f64;
        if m < 1.0 {
            return 0.0;
        }
        let right = pull * dt * dt * m * (m + 1.0) / 2.0;
        let off = boxes.iter().map(|(body, at)| {
            let up = double(world.bodies[*body].translation().y) - at[1];
            100.0 * (up / right - 1.0).abs()
        });
        off.fold(0.0, f64::max)
    });
}

/// A vehicle, a lift with its load and a rope, all moving, and loose boxes, which must be asleep in the end.
fn yard(setup: &mut Setup, n: usize) {
    setup.sleeps = true;
    setup.energy = Energy::Driven;
    setup.driven_speed = 10.0;
    setup.floor();
    // Boxes, dropped over a square.
    for k in 0..n {
        let side = (n as f64).sqrt() * 0.5;
        let at = [
            setup.random.between(-side, side),
            0.6 + 0.4 * (k % 5) as f64,
            setup.random.between(-side, side),
        ];
        let half = [(); 3].map(|()| setup.random.between(0.1, 0.3));
        setup.add(at, cuboid(half));
    }
    // A rope from a fixed point.
    let mut last = setup.put(RigidBodyBuilder::fixed(), [12.0, 4.0, 0.0], []);
    for k in 0..12 {
        let at = [12.1 + 0.2 * k as f64, 4.0, 0.0];
        let link = setup.add(
            at,
            capsule(0.06, 0.04).rotation(vector([0.0, 0.0, std::f64::consts::FRAC_PI_2])),
        );
        let joint = SphericalJointBuilder::new()
            .local_anchor1(vector([if k == 0 { 0.0 } else { 0.1 }, 0.0, 0.0]))
            .local_anchor2(vector([-0.1, 0.0, 0.0]))
            .contacts_enabled(false);
        setup.world.insert_impulse_joint(last, link, joint);
        last = link;
    }
    // A lift that goes up and down with three boxes.
    let lift = RigidBodyBuilder::kinematic_velocity_based().linvel(vector([0.0, 0.2, 0.0]));
    setup.put(lift, [-12.0, 0.1, 0.0], [cuboid([1.0, 0.1, 1.0])]);
    for k in 0..3 {
        setup.add([-12.0 + 0.5 * k as f64 - 0.5, 0.45, 0.0], cuboid([0.2; 3]));
    }
    // A vehicle of a box and four wheels on motors.
    let body = setup.add([0.0, 0.7, 12.0], cuboid([0.8, 0.15, 0.4]));
    for k in 0..4 {
        let place = [
            if k % 2 == 0 { -0.6 } else { 0.6 },
            -0.25,
            if k < 2 { -0.6 } else { 0.6 },
        ];
        let at = [place[0], 0.7 + place[1], 12.0 + place[2]];
        let wheel = setup.add(at, ball(0.25));
        let joint = RevoluteJointBuilder::new(Vector::Z)
            .local_anchor1(vector(place))
            .local_anchor2(vector([0.0; 3]))
            .motor_velocity(real(-2.0), real(5.0))
            .contacts_enabled(false);
        setup.world.insert_impulse_joint(body, wheel, joint);
    }
    setup.figure("boxes awake", (0.0, 0.0), move |world, _| {
        let asleep = world
            .bodies
            .iter()
            .filter(|(_, rb)| rb.is_sleeping())
            .count();
        n as f64 - asleep as f64
    });
}
