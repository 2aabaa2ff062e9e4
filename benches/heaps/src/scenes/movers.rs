//! Bodies among which something moves by itself.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("rotor", "a bar turns among bodies in a bin", rotor)
        .sized(10, 240)
        .short(10, 240),
    Entry::new("platform", "a plate swings under bodies", platform)
        .sized(20, 240)
        .short(5, 60),
    Entry::new("tumbler", "boxes in a slowly turning drum", tumbler)
        .sized(60, 200)
        .short(10, 40),
    Entry::new("shake", "a bin that is shaken", shake)
        .sized(30, 200)
        .short(6, 40),
    Entry::new("press", "a plate comes down on bodies", press)
        .sized(9, 200)
        .short(9, 200),
    Entry::new(
        "drag",
        "a heavy ball on a rope is dragged through cubes",
        drag,
    )
    .sized(64, 200)
    .short(16, 40),
    Entry::new("belt", "a belt by contact modification", belt)
        .sized(20, 200)
        .short(4, 40),
];

fn rotor(setup: &mut Setup, n: usize) {
    setup.bin(1.5);
    let bar = setup.mover([0.0, 0.35, 0.0], [cuboid([1.2, 0.15, 0.1])]);
    setup.world.bodies[bar].set_angvel(vector([0.0, 4.0, 0.0]), true);
    setup.driven_speed = 4.0 * 1.2;
    for k in 0..n {
        let [x, y, z] = layered(k, 4);
        let jitter = setup.random.three().map(|u| 0.05 * u);
        let at = [
            -1.1 + 0.7 * x + jitter[0],
            0.9 + 0.8 * y,
            -1.1 + 0.7 * z + jitter[2],
        ];
        setup.mixed(k, at, 0.18);
    }
}

fn platform(setup: &mut Setup, n: usize) {
    setup.floor();
    let plate = setup.mover([0.0, 2.0, 0.0], [cuboid([2.0, 0.1, 2.0])]);
    setup.driven_speed = 3.0;
    for k in 0..n {
        let [x, y, z] = layered(k, 4);
        let at = [-1.2 + 0.8 * x, 2.5 + 0.9 * y, -1.2 + 0.8 * z];
        setup.mixed(k, at, 0.18);
    }
    let dt = setup.dt;
    setup.each_step(move |world, step| {
        let t = dt * step as f64;
        let body = &mut world.bodies[plate];
        body.set_linvel(vector([2.0 * (2.0 * t).cos(), (3.0 * t).cos(), 0.0]), true);
        body.set_angvel(vector([0.0, 0.0, 0.5 * (2.0 * t).cos()]), true);
    });
}

fn tumbler(setup: &mut Setup, n: usize) {
    const PANELS: usize = 12;
    const SPIN: f64 = 1.0;
    let radius = f64::max(0.8, 0.32 * (n as f64).cbrt());
    let long = radius;
    // A bit wider than a side of the polygon, so that corners are shut.
    let side = 1.1 * radius * (std::f64::consts::PI / PANELS as f64).tan();
    let mut shell = Vec::new();
    for k in 0..PANELS {
        let angle = std::f64::consts::TAU * k as f64 / PANELS as f64;
        let (s, c) = angle.sin_cos();
        let away = radius + 0.1;
        let panel = cuboid([0.1, side, long + 0.2]);
        let panel = panel.translation(vector([away * c, away * s, 0.0]));
        shell.push(panel.rotation(vector([0.0, 0.0, angle])));
    }
    for end in [-1.0, 1.0] {
        let cap = cuboid([radius + 0.3, radius + 0.3, 0.1]);
        shell.push(cap.translation(vector([0.0, 0.0, end * (long + 0.1)])));
    }
    let drum = setup.mover([0.0; 3], shell);
    setup.world.bodies[drum].set_angvel(vector([0.0, 0.0, SPIN]), true);
    setup.ground = -radius;
    setup.driven_speed = SPIN * radius;
    let across = 1.2 * radius;
    let per_side = ((across / 0.3) as usize).max(1);
    for k in 0..n {
        let [x, y, z] = layered(k, per_side);
        let place = |i: f64| -0.5 * across + 0.15 + 0.3 * i;
        let turn = setup.random.three();
        let y = -0.5 * across + 0.15 + 0.25 * y;
        setup.turned([place(x), y, place(z)], turn, cuboid([0.1, 0.08, 0.06]));
    }
}

fn shake(setup: &mut Setup, n: usize) {
    const SPEED: f64 = 1.5;
    let half = 0.7;
    let mut shell = vec![cuboid([half, 0.25, half]).translation(vector([0.0, -0.25, 0.0]))];
    for (at, size) in walls(half, 5.0 * half, 0.25) {
        shell.push(cuboid(size).translation(vector(at)));
    }
    let bin = setup.mover([0.0; 3], shell);
    setup.driven_speed = SPEED;
    for k in 0..n {
        let [x, y, z] = layered(k, 3);
        let turn = setup.random.three();
        let at = [-0.4 + 0.4 * x, 0.3 + 0.4 * y, -0.4 + 0.4 * z];
        setup.turned(at, turn, mixed(k, 0.12));
    }
    let dt = setup.dt;
    setup.each_step(move |world, step| {
        let t = dt * step as f64;
        let v = [SPEED * (8.0 * t).cos(), 0.0, 0.5 * SPEED * (5.0 * t).cos()];
        world.bodies[bin].set_linvel(vector(v), true);
    });
}

fn press(setup: &mut Setup, n: usize) {
    const SPEED: f64 = 0.5;
    /// Room that the plate leaves: less than a cube is high.
    const LEFT: f64 = 0.34;
    setup.floor();
    let start = 1.0;
    let plate = setup.mover([0.0, start + 0.1, 0.0], [cuboid([1.5, 0.1, 1.5])]);
    setup.driven_speed = SPEED;
    for k in 0..n {
        let at = [0.5 * (k % 3) as f64 - 0.5, 0.3, 0.5 * (k / 3) as f64 - 0.5];
        let turn = setup.random.three().map(|u| 0.5 * u);
        setup.turned(at, turn, mixed(k, 0.18));
    }
    let dt = setup.dt;
    setup.each_step(move |world, step| {
        let arrived = start - SPEED * dt * step as f64 <= LEFT;
        let speed = if arrived { 0.0 } else { -SPEED };
        world.bodies[plate].set_linvel(vector([0.0, speed, 0.0]), true);
    });
}

fn drag(setup: &mut Setup, n: usize) {
    const SPEED: f64 = 3.0;
    const ROPE: f64 = 1.5;
    setup.floor();
    setup.driven_speed = SPEED;
    let per_side = (n as f64).sqrt().ceil().max(1.0) as usize;
    let middle = 0.5 * (per_side as f64 - 1.0);
    for k in 0..n {
        let [x, z] = [k / per_side, k % per_side].map(|i| i as f64);
        setup.add([0.45 * x, 0.2, 0.45 * (z - middle)], cuboid([0.2; 3]));
    }
    let heavy = setup.add([-1.5, 0.5, 0.0], ball(0.5).density(real(8.0 * DENSITY)));
    let hand = setup.mover([-1.5 + ROPE, 2.0, 0.0], []);
    setup.world.bodies[hand].set_linvel(vector([SPEED, 0.0, 0.0]), true);
    // The hand starts above the ball's way: the rope is taut at once.
    let length = (ROPE * ROPE + 1.5 * 1.5_f64).sqrt();
    let rope = RopeJointBuilder::new(real(length));
    setup.world.insert_impulse_joint(hand, heavy, rope);
}

/// Carries what lies on colliders without a body along.
struct Belt(Vector);

impl PhysicsHooks for Belt {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let belt_is_first = context.rigid_body1.is_none();
        let Some(manifold) = context.rigid_mut() else {
            return;
        };
        let speed = if belt_is_first { -self.0 } else { self.0 };
        for contact in manifold.solver_contacts.iter_mut() {
            contact.tangent_velocity = speed;
        }
    }
}

fn belt(setup: &mut Setup, n: usize) {
    const SPEED: f64 = 1.5;
    setup.energy = Energy::Driven;
    setup.driven_speed = SPEED;
    let top = cuboid([50.0, 0.5, 5.0]).active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
    setup.fixed([0.0, -0.5, 0.0], top);
    for k in 0..n {
        let [x, y, z] = layered(k, 4);
        setup.mixed(k, [0.6 * x, 0.4 + 0.6 * y, 0.6 * z], 0.18);
    }
    setup.hooks = Box::new(Belt(vector([SPEED, 0.0, 0.0])));
}
