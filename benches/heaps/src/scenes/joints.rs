//! Bodies on joints.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("car", "cars, a chassis on four driven wheels each", car)
        .sized(3, 240)
        .short(3, 60),
    Entry::new("chain", "N - 1 links and a ball of 33 g", chain)
        .sized(20, 240)
        .short(20, 240),
    Entry::new("chain-heavy", "two links and a ball of 33 kg", chain_heavy)
        .sized(3, 240)
        .short(3, 240),
    Entry::new(
        "chain-touching",
        "the first chain with contacts between neighbours, rapier's default",
        chain_touching,
    )
    .sized(20, 240)
    .short(20, 240),
    Entry::new("cradle", "balls on strings, the first swings", cradle)
        .sized(5, 240)
        .short(3, 60),
    Entry::new("bridge", "boxes fall on a bridge of planks", bridge)
        .sized(12, 200)
        .short(6, 40),
    Entry::new(
        "massless",
        "a multibody link without mass moves at 2 m/s",
        massless,
    )
    .sized(1, 120)
    .short(1, 30),
];

fn car(setup: &mut Setup, n: usize) {
    setup.floor();
    // Motors of 15 rad/s on wheels of 0.4.
    setup.energy = Energy::Driven;
    setup.driven_speed = 15.0 * 0.4;
    for k in 0..n {
        let side = 4.0 * k as f64;
        let chassis = cuboid([1.2, 0.2, 0.5]).density(real(10.0));
        let chassis = setup.add([0.0, 1.0, side], chassis);
        for (x, z) in [(-0.9, -0.8), (-0.9, 0.8), (0.9, -0.8), (0.9, 0.8)] {
            // The wheel's collider is turned, not its body.
            let wheel = cylinder(0.12, 0.4).density(real(5.0)).friction(real(1.0));
            let wheel = wheel.rotation(vector([std::f64::consts::FRAC_PI_2, 0.0, 0.0]));
            let wheel = setup.add([x, 0.7, side + z], wheel);
            let joint = RevoluteJointBuilder::new(Vector::Z)
                .local_anchor1(vector([x, -0.3, z]))
                .motor_velocity(real(15.0), real(20.0));
            setup.world.insert_impulse_joint(chassis, wheel, joint);
        }
    }
}

/// Half the axis of a link, and its radius.
const LINK: (f64, f64) = (0.15, 0.08);

/// Whether bodies that a joint holds together touch.
#[derive(Clone, Copy, PartialEq)]
enum JointContacts {
    On,
    Off,
}

/// A chain that starts level at a fixed point, links pinned at the ends of their axes, with a ball as its last body.
fn hang(setup: &mut Setup, n: usize, density: f64, contacts: JointContacts) {
    let (half, radius) = LINK;
    let length = n as f64 * 2.0 * (half + radius);
    setup.ground = -length;
    // It cracks like a whip. At most the last link has all the energy of the fall, n m g L/2 = m v^2/2, and swings the
    // light ball at its end twice as fast.
    setup.driven_speed = 2.0 * (n as f64 * GRAVITY * length).sqrt();
    let mut last = setup.put(RigidBodyBuilder::fixed(), [0.0; 3], []);
    let (mut anchor, mut along) = (0.0, 0.0);
    for k in 0..n {
        let (shape, reach) = if k + 1 < n {
            // The capsule's collider is turned, not its body.
            let turn = vector([0.0, 0.0, std::f64::consts::FRAC_PI_2]);
            (capsule(half, radius).rotation(turn), half)
        } else {
            (ball(0.2).density(real(density)), 0.2)
        };
        let next = setup.add([along + reach, 0.0, 0.0], shape);
        let joint = SphericalJointBuilder::new()
            .local_anchor1(vector([anchor, 0.0, 0.0]))
            .local_anchor2(vector([-reach, 0.0, 0.0]))
            .contacts_enabled(contacts == JointContacts::On);
        setup.world.insert_impulse_joint(last, next, joint);
        (last, anchor) = (next, reach);
        along += 2.0 * reach;
    }
}

fn chain(setup: &mut Setup, n: usize) {
    hang(setup, n, 1.0, JointContacts::Off);
}

fn chain_heavy(setup: &mut Setup, n: usize) {
    hang(setup, n, DENSITY, JointContacts::Off);
}

/// What rapier does unless told otherwise: neighbours overlap, and their contacts push against the joints.
fn chain_touching(setup: &mut Setup, n: usize) {
    setup.energy = Energy::Driven;
    hang(setup, n, 1.0, JointContacts::On);
}

fn cradle(setup: &mut Setup, n: usize) {
    setup.energy = Energy::Driven;
    setup.ground = -0.5;
    for k in 0..n {
        let x = k as f64;
        let hook = setup.put(RigidBodyBuilder::fixed(), [x, 4.0, 0.0], []);
        let shape = ball(0.5).restitution(real(1.0)).friction(real(0.0));
        let speed = if k == 0 { -4.0 } else { 0.0 };
        let body = RigidBodyBuilder::dynamic().linvel(vector([speed, 0.0, 0.0]));
        let body = setup.put(body, [x, 0.0, 0.0], [shape]);
        let string = SphericalJointBuilder::new().local_anchor2(vector([0.0, 4.0, 0.0]));
        setup.world.insert_impulse_joint(hook, body, string);
    }
    let start = mechanical_energy(&setup.world);
    setup.at_end(move |world| {
        // Measured from the lowest the balls can be, where the first has 4 m/s.
        let kept = mechanical_energy(world) / start;
        if kept > 0.5 {
            Ok(())
        } else {
            Err(format!("{:.0} % of the swing is left", 100.0 * kept))
        }
    });
}

/// Kinetic and potential energy of balls that move without turning, above y = 0.
fn mechanical_energy(world: &PhysicsWorld) -> f64 {
    let moving = world.bodies.iter().filter(|(_, rb)| rb.is_dynamic());
    moving
        .map(|(_, rb)| {
            let height = double(rb.translation().y);
            0.5 * double(rb.linvel().length_squared()) + GRAVITY * height
        })
        .sum()
}

/// Two spherical joints hold each plank to the next, so that the rows of a seam are redundant.
fn bridge(setup: &mut Setup, n: usize) {
    let half = [0.24, 0.05, 1.0];
    setup.floor();
    let height = 3.0;
    let seam = |k: usize| 0.5 * (k as f64 - 0.5 * n as f64);
    let mut last = setup.put(RigidBodyBuilder::fixed(), [seam(0) - 0.25, height, 0.0], []);
    for k in 0..=n {
        let at = [seam(k) + 0.25, height, 0.0];
        let next = if k < n {
            setup.add(at, cuboid(half))
        } else {
            setup.put(RigidBodyBuilder::fixed(), at, [])
        };
        for z in [-0.8, 0.8] {
            let joint = SphericalJointBuilder::new()
                .local_anchor1(vector([0.25, 0.0, z]))
                .local_anchor2(vector([-0.25, 0.0, z]))
                .contacts_enabled(false);
            setup.world.insert_impulse_joint(last, next, joint);
        }
        last = next;
    }
    for k in 0..n {
        let turn = setup.random.three();
        let x = 0.4 * seam(k);
        let at = [x, height + 0.6 + 0.5 * (k % 3) as f64, 0.0];
        setup.turned(at, turn, cuboid([0.2; 3]));
    }
}

fn massless(setup: &mut Setup, n: usize) {
    const SPEED: f64 = 2.0;
    setup.energy = Energy::Driven;
    setup.driven_speed = SPEED;
    let mut last = setup.put(RigidBodyBuilder::fixed(), [0.0, 1.0, 0.0], []);
    for _ in 0..n {
        let next = setup.put(RigidBodyBuilder::dynamic(), [0.0, 1.0, 0.0], []);
        let joint = PrismaticJointBuilder::new(Vector::X);
        setup.world.insert_multibody_joint(last, next, joint);
        last = next;
    }
    setup.each_step(move |world, step| {
        // The first step makes the root fixed and drops its coordinates.
        if step > 1 {
            return;
        }
        let link = world.multibody_joints.rigid_body_link(last).copied();
        let tree = link.and_then(|l| world.multibody_joints.get_multibody_mut(l.multibody));
        if let Some(tree) = tree {
            let mut speeds = tree.generalized_velocity_mut();
            let count = speeds.len();
            if let Some(speed) = speeds.iter_mut().nth(count.saturating_sub(1)) {
                *speed = real(SPEED);
            }
        }
    });
}
