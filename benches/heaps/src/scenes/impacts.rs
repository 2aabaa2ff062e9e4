//! Impacts that bounce, wherever they are: energy that is left, speeds after them.

use super::entry::Entry;
use super::kit::*;
use std::f64::consts::{FRAC_PI_4, PI};

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "billiard",
        "two billiard balls that meet at an offset of half a diameter: speed of the one that was hit",
        billiard,
    )
    .sized(1, 120)
    .short(1, 120),
    Entry::new(
        "carom",
        "two balls of other sizes, speeds and offsets: energy left",
        carom,
    )
    .sized(40, 60)
    .short(5, 40),
    Entry::new(
        "shots",
        "balls shot at faces, edges and corners of a box of 3 m: the least energy left",
        shots,
    )
    .sized(60, 60)
    .short(10, 40),
    Entry::new(
        "oblique",
        "frictionless balls thrown at the ground at a slant: speed along it",
        oblique,
    )
    .sized(10, 60)
    .short(3, 40),
    Entry::new(
        "rebound",
        "a ball that falls and bounces: height of the top by what is right",
        rebound,
    )
    .sized(1, 90)
    .short(1, 70),
    Entry::new(
        "tumbling-cube",
        "a cube that tumbles on its edges and corners without losses: energy left",
        tumbling_cube,
    )
    .sized(1, 180)
    .short(1, 60),
    Entry::new(
        "tumbling-hull",
        "an icosahedron of unequal radii that tumbles without losses: energy left",
        tumbling_hull,
    )
    .sized(1, 180)
    .short(1, 60),
    Entry::new(
        "bouncing-flat",
        "cubes that fall flat without losses: energy left",
        bouncing_flat,
    )
    .sized(4, 180)
    .short(2, 60),
    Entry::new(
        "bouncing-grounds",
        "balls on boxes, voxels, a mesh, a height field and compounds without losses: most energy by what was there",
        bouncing_grounds,
    )
    .sized(20, 180)
    .short(5, 60),
    Entry::new(
        "cradle-gaps",
        "a row of balls that hang nowhere, with gaps: speed of the last by that of the first",
        cradle_gaps,
    )
    .sized(5, 60)
    .short(3, 30),
    Entry::new(
        "bouncing-pile",
        "cubes, balls and capsules with restitution 1 and friction in a bin: most energy by what was there",
        bouncing_pile,
    )
    .sized(60, 180)
    .short(12, 40),
];

/// A shape that bounces without losses, and slides.
fn elastic(shape: ColliderBuilder) -> ColliderBuilder {
    shape
        .restitution(1.0)
        .restitution_combine_rule(CoefficientCombineRule::Max)
        .friction(0.0)
        .friction_combine_rule(CoefficientCombineRule::Min)
}

/// A dynamic body with a velocity and a spin.
fn thrown(velocity: [f64; 3], spin: [f64; 3]) -> RigidBodyBuilder {
    RigidBodyBuilder::dynamic()
        .linvel(vector(velocity))
        .angvel(vector(spin))
}

/// Kinetic and potential energy of the dynamic bodies \[J\], as symplectic Euler keeps it in free flight: its
/// velocities are half a step behind its places.
fn energy(world: &PhysicsWorld) -> f64 {
    let gravity = -double(world.gravity.y);
    let bodies = world.bodies.iter().filter(|(_, rb)| rb.is_dynamic());
    let of = |rb: &RigidBody| {
        let height = double(rb.center_of_mass().y);
        let late = 0.5 * double(rb.linvel().y) * double(world.integration_parameters.dt);
        double(rb.kinetic_energy()) + double(rb.mass()) * gravity * (height - late)
    };
    bodies.map(|(_, rb)| of(rb)).sum()
}

/// Measures the energy, by that of the start.
fn energy_left(setup: &mut Setup, range: (f64, f64)) {
    setup.energy = Energy::Driven;
    let mut first = None;
    setup.figure(
        "energy left, by that of the start",
        range,
        move |world, _| {
            // Mass properties are known from the first step on.
            let now = energy(world);
            now / *first.get_or_insert(now)
        },
    );
}

/// Measures the most energy there was, by that of the start.
fn most_energy(setup: &mut Setup, most: f64) {
    setup.energy = Energy::Driven;
    let (mut first, mut highest) = (None, 0.0);
    setup.figure(
        "most energy, by that of the start",
        (0.0, most),
        move |world, _| {
            let now = energy(world);
            highest = f64::max(highest, now / *first.get_or_insert(now));
            highest
        },
    );
}

fn billiard(setup: &mut Setup, _: usize) {
    setup.world.gravity = vector([0.0; 3]);
    setup.energy = Energy::Driven;
    let step = setup.random.between(1e-3, 1.0 / 30.0);
    setup.time_step(step);
    let radius = 0.0286;
    let away = 0.1 + setup.random.between(0.0, 0.05);
    let cue = thrown([2.0, 0.0, 0.0], [0.0; 3]);
    setup.put(cue, [-away, radius, 0.0], [elastic(ball(radius))]);
    let hit = setup.put(
        thrown([0.0; 3], [0.0; 3]),
        [0.0; 3],
        [elastic(ball(radius))],
    );
    setup.figure(
        "speed of the ball that was hit [m/s]",
        (1.730, 1.734),
        move |world, _| double(world.bodies[hit].linvel().length()),
    );
}

fn carom(setup: &mut Setup, size: usize) {
    setup.world.gravity = vector([0.0; 3]);
    for k in 0..size {
        let lane = 4.0 * k as f64;
        let [a, b] = [(); 2].map(|()| setup.random.between(0.02, 0.5));
        let speed = setup.random.between(0.5, 20.0);
        let offset = setup.random.between(-0.9, 0.9) * (a + b);
        let spin = [(); 3].map(|()| setup.random.between(-10.0, 10.0));
        let cue = thrown([speed, 0.0, 0.0], spin);
        setup.put(cue, [-1.5, offset, lane], [elastic(ball(a))]);
        setup.put(thrown([0.0; 3], spin), [0.0, 0.0, lane], [elastic(ball(b))]);
    }
    energy_left(setup, (0.999, 1.001));
}

fn shots(setup: &mut Setup, size: usize) {
    setup.world.gravity = vector([0.0; 3]);
    setup.energy = Energy::Driven;
    let mut balls = Vec::new();
    for k in 0..size {
        let lane = 20.0 * k as f64;
        setup.fixed([0.0, 0.0, lane], elastic(cuboid([1.5; 3])));
        // From a sphere about the box at a point of it that is on a face, an edge or a corner.
        let [u, v] = [(); 2].map(|()| setup.random.between(-1.0, 1.0));
        let target = match k % 3 {
            0 => [1.5, 1.5 * u, 1.5 * v],
            1 => [1.5, 1.5, 1.5 * v],
            _ => [1.5; 3],
        };
        let from = [
            4.0,
            4.0 * setup.random.between(-0.5, 1.0),
            4.0 * setup.random.between(-0.5, 1.0),
        ];
        let way = [0, 1, 2].map(|i| target[i] - from[i]);
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        let body = thrown(way.map(|x| 12.0 * x / length), [0.0; 3]);
        let at = [from[0], from[1], from[2] + lane];
        balls.push(setup.put(body, at, [elastic(ball(0.3))]));
    }
    setup.figure(
        "least energy left, by 12 m/s",
        (0.95, 1.001),
        move |world, _| {
            let speeds = balls
                .iter()
                .map(|&ball| double(world.bodies[ball].linvel().length()));
            speeds
                .map(|v| v * v / 144.0)
                .fold(
                    f64::INFINITY,
                    |least, e| if e > 1.001 { e } else { least.min(e) },
                )
        },
    );
}

fn oblique(setup: &mut Setup, size: usize) {
    setup.energy = Energy::Driven;
    setup.fixed([0.0, -0.5, 0.0], elastic(cuboid([50.0, 0.5, 50.0])));
    let mut balls = Vec::new();
    for k in 0..size {
        let (e, speed) = (
            setup.random.between(0.1, 0.9),
            setup.random.between(1.0, 10.0),
        );
        let spin = [(); 3].map(|()| setup.random.between(-20.0, 20.0));
        let body = thrown([speed, -setup.random.between(0.0, 5.0), 0.0], spin);
        let shape = elastic(ball(0.2))
            .restitution(real(e))
            .restitution_combine_rule(CoefficientCombineRule::Min);
        balls.push((setup.put(body, [-20.0, 0.5, k as f64], [shape]), speed));
    }
    setup.figure(
        "least speed along the ground, by that of the start",
        (0.999, 1.001),
        move |world, _| {
            let shares = balls
                .iter()
                .map(|&(ball, speed)| double(world.bodies[ball].linvel().x) / speed);
            shares.fold(f64::INFINITY, f64::min)
        },
    );
}

fn rebound(setup: &mut Setup, _: usize) {
    setup.energy = Energy::Driven;
    let e = setup.random.between(0.3, 1.0);
    let height = setup.random.between(0.3, 1.5);
    let ground = elastic(cuboid([5.0, 0.5, 5.0])).restitution(real(e));
    setup.fixed([0.0, -0.5, 0.0], ground);
    let shape = elastic(ball(0.1)).restitution(0.0);
    let ball = setup.put(
        thrown([0.0; 3], [0.0; 3]),
        [0.0, 0.1 + height, 0.0],
        [shape],
    );
    let (mut rises, mut top, mut done) = (false, 0.0_f64, false);
    // What symplectic Euler keeps in free flight: the height of the top.
    let dt = setup.dt;
    setup.figure(
        "height after a bounce, by e^2 h",
        (0.97, 1.03),
        move |world, _| {
            let (y, v) = (
                double(world.bodies[ball].translation().y) - 0.1,
                double(world.bodies[ball].linvel().y),
            );
            rises |= v > 0.0;
            done |= rises && v < 0.0;
            if rises && !done {
                top = top.max(y + 0.5 * v * v / GRAVITY - 0.5 * dt * v);
            }
            if rises { top / (e * e * height) } else { 1.0 }
        },
    );
}

fn tumbling_cube(setup: &mut Setup, _: usize) {
    let shape = elastic(cuboid([0.25; 3]));
    tumble(setup, shape);
}

fn tumbling_hull(setup: &mut Setup, _: usize) {
    let golden = 0.5 + 1.25_f64.sqrt();
    let mut corners = Vec::new();
    for (a, b) in [
        (1.0, golden),
        (1.0, -golden),
        (-1.0, golden),
        (-1.0, -golden),
    ] {
        for corner in [[0.0, a, b], [a, b, 0.0], [b, 0.0, a]] {
            let size = 0.15 * setup.random.between(0.8, 1.2);
            corners.push(vector(corner.map(|x| x * size)));
        }
    }
    if let Some(hull) = ColliderBuilder::convex_hull(&corners) {
        tumble(setup, elastic(plain(hull)));
    }
}

fn tumble(setup: &mut Setup, shape: ColliderBuilder) {
    setup.fixed([0.0, -0.5, 0.0], elastic(cuboid([50.0, 0.5, 50.0])));
    let spin = [(); 3].map(|()| setup.random.between(-6.0, 6.0));
    let body = thrown([setup.random.between(-2.0, 2.0), 0.0, 0.0], spin).rotation(vector([
        FRAC_PI_4,
        setup.random.between(0.0, PI),
        0.3,
    ]));
    setup.put(body, [0.0, 1.0, 0.0], [shape]);
    energy_left(setup, (0.9, 1.05));
}

fn bouncing_flat(setup: &mut Setup, size: usize) {
    setup.fixed([0.0, -0.5, 0.0], elastic(cuboid([50.0, 0.5, 50.0])));
    for k in 0..size {
        let half = [(); 3].map(|()| setup.random.between(0.1, 0.4));
        let at = [
            2.0 * k as f64,
            half[1] + setup.random.between(0.3, 1.0),
            0.0,
        ];
        setup.put(thrown([0.0; 3], [0.0; 3]), at, [elastic(cuboid(half))]);
    }
    energy_left(setup, (0.9, 1.05));
}

fn bouncing_grounds(setup: &mut Setup, size: usize) {
    // Who leaves the ground at its side falls on.
    setup.driven_speed = 30.0;
    let span = 30.0;
    let bumps = |x: f64, z: f64| 0.3 * (0.9 * x).sin() * (1.1 * z).cos();
    // Three grounds side by side, each in a lane of its own.
    let number = 31;
    let heights = Array2::from_fn(number, number, |i, j| real(bumps(i as f64, j as f64)));
    let field = ColliderBuilder::heightfield(heights, vector([span, 1.0, span]));
    setup.fixed([0.0; 3], elastic(field));
    let corners: Vec<_> = (0..number * number)
        .map(|k| {
            let (x, z) = ((k % number) as f64 - 15.0, (k / number) as f64 - 15.0);
            vector([x, bumps(x, z), z])
        })
        .collect();
    let mut triangles = Vec::new();
    for i in 0..number as u32 - 1 {
        for j in 0..number as u32 - 1 {
            let at = i * number as u32 + j;
            let next = at + number as u32;
            triangles.push([at, next, at + 1]);
            triangles.push([at + 1, next, next + 1]);
        }
    }
    if let Ok(mesh) = ColliderBuilder::trimesh(corners, triangles) {
        setup.fixed([0.0, 0.0, 40.0], elastic(mesh));
    }
    let cells: Vec<_> = (0..30 * 30)
        .map(|k| IVector::new(k % 30 - 15, (k % 7 + k / 30 % 3) % 2 - 1, k / 30 - 15))
        .collect();
    let voxels = ColliderBuilder::voxels(vector([1.0; 3]), &cells);
    setup.fixed([0.0, -0.5, 80.0], elastic(voxels));
    for k in 0..size {
        let lane = 40.0 * (k % 3) as f64;
        let place = [(); 2].map(|()| setup.random.between(-8.0, 8.0));
        let at = [place[0], setup.random.between(1.0, 3.0), lane + place[1]];
        let spin = [(); 3].map(|()| setup.random.between(-5.0, 5.0));
        let speed = [(); 2].map(|()| setup.random.between(-2.0, 2.0));
        let body = thrown([speed[0], 0.0, speed[1]], spin);
        let radius = setup.random.between(0.1, 0.3);
        let shapes = match k / 3 % 3 {
            0 => vec![elastic(ball(radius))],
            1 => vec![elastic(capsule(radius, radius))],
            _ => [-1.0, 1.0]
                .map(|side| elastic(ball(radius)).translation(vector([side * radius, 0.0, 0.0])))
                .to_vec(),
        };
        setup.put(body, at, shapes);
    }
    most_energy(setup, 1.02);
}

fn cradle_gaps(setup: &mut Setup, size: usize) {
    setup.world.gravity = vector([0.0; 3]);
    setup.energy = Energy::Driven;
    let (mut x, mut last) = (0.0, None);
    for k in 0..size {
        let speed = if k == 0 { 0.6 } else { 0.0 };
        let body = thrown([speed, 0.0, 0.0], [0.0; 3]);
        last = Some(setup.put(body, [x, 0.0, 0.0], [elastic(ball(0.1))]));
        x += 0.2 + setup.random.between(0.025, 0.05);
    }
    setup.figure(
        "speed of the last ball, by that of the first",
        (0.98, 1.001),
        move |world, _| last.map_or(0.0, |last| double(world.bodies[last].linvel().x) / 0.6),
    );
}

fn bouncing_pile(setup: &mut Setup, size: usize) {
    setup.bin(1.5);
    for k in 0..size {
        let [x, y, z] = layered(k, 4);
        let at = [0.7 * (x - 1.5), 0.4 + 0.6 * y, 0.7 * (z - 1.5)];
        let shape = mixed(k, 0.15)
            .restitution(1.0)
            .restitution_combine_rule(CoefficientCombineRule::Max);
        let spin = [(); 3].map(|()| setup.random.between(-3.0, 3.0));
        setup.put(thrown([0.0; 3], spin), at, [shape]);
    }
    most_energy(setup, 1.02);
}
