//! Scenes of a public comparison of engines (SimBenchmark, leggedrobotics), with the errors that it measures.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "666",
        "N^3 balls of radius 0.1 m and 10 kg in a lattice of 0.21 m, disturbed by 1 mm, fall on the ground: squared penetration",
        |setup, n| lattice(setup, n, 0.0),
    )
    .sized(6, 600)
    .short(3, 60),
    Entry::new(
        "elastic-666",
        "the same with e = 1 and without friction: drift of the energy",
        |setup, n| lattice(setup, n, 1.0),
    )
    .sized(6, 10_000)
    .short(3, 600),
    Entry::new(
        "bouncing",
        "a ball that falls by 1 m and bounces with e = 0.8: mean error of its height over 2 s",
        bouncing,
    )
    .sized(1, 120)
    .short(1, 120),
    Entry::new(
        "rolling",
        "a plate of 10 kg on N^2 balls of 10 kg, pushed with 150 N: error of its speed after a second, relative",
        rolling,
    )
    .sized(5, 60)
    .short(3, 30),
    Entry::new(
        "kapla-8",
        "N floors of planks of 0.05 x 0.2 x 0.1 m on edge, each pair across the last: largest way of a plank",
        kapla,
    )
    .sized(8, 60_000)
    .short(8, 100),
];

const RADIUS: f64 = 0.1;

/// A ball of this radius and mass \[m, kg\].
fn heavy(radius: f64, mass: f64) -> ColliderBuilder {
    ball(radius).mass(real(mass))
}

fn lattice(setup: &mut Setup, n: usize, restitution: f64) {
    const PITCH: f64 = 0.21;
    setup.energy = Energy::Driven;
    let friction = if restitution > 0.0 { 0.0 } else { 0.8 };
    let surface = |shape: ColliderBuilder| {
        shape
            .friction(real(friction))
            .restitution(real(restitution))
    };
    setup.fixed([0.0, -0.5, 0.0], surface(cuboid([50.0, 0.5, 50.0])));
    let mut balls = Vec::new();
    for k in 0..n * n * n {
        let cell = [k % n, k / (n * n), k / n % n].map(|c| c as f64 * PITCH);
        let shift = setup.random.three().map(|u| 1e-3 * u);
        // The lowest layer is as far from the ground as the layers are from each other.
        let at = [
            cell[0] + shift[0],
            cell[1] + PITCH - RADIUS + shift[1],
            cell[2] + shift[2],
        ];
        balls.push(setup.add(at, surface(heavy(RADIUS, 10.0))));
    }
    if restitution > 0.0 {
        // The error of what is left is of first order in the step.
        setup.time_step(1e-3);
        let mut first = None;
        let dt = setup.dt;
        setup.figure(
            "drift of the energy, relative",
            (0.0, 0.01),
            move |world, _| {
                let of = |rb: &RigidBody| {
                    // Symplectic Euler keeps this in free flight: its velocities are half a step behind.
                    let late = 0.5 * double(rb.linvel().y) * dt;
                    let height = double(rb.translation().y) - late;
                    double(rb.kinetic_energy()) + double(rb.mass()) * GRAVITY * height
                };
                let now: f64 = balls.iter().map(|b| of(&world.bodies[*b])).sum();
                (now / *first.get_or_insert(now) - 1.0).abs()
            },
        );
    } else {
        let (mut sum, mut steps) = (0.0, 0.0);
        setup.figure(
            "squared penetration of all pairs, mean of the steps [m^2]",
            (0.0, 2.8e-4),
            move |world, _| {
                let places = balls.iter().map(|b| world.bodies[*b].translation());
                let places: Vec<_> = places.collect();
                for (k, a) in places.iter().enumerate() {
                    let ground = (RADIUS - double(a.y)).max(0.0);
                    let near = places[..k].iter().map(|b| {
                        let apart = double((*a - *b).length());
                        (2.0 * RADIUS - apart).max(0.0)
                    });
                    sum += ground * ground + near.map(|d| d * d).sum::<f64>();
                }
                steps += 1.0;
                sum / steps
            },
        );
    }
}

/// Height of a ball at a time after it was let go at `height`, by its closed form.
fn bounced(height: f64, e: f64, mut time: f64) -> f64 {
    let mut speed = (2.0 * GRAVITY * height).sqrt();
    let first = speed / GRAVITY;
    if time < first {
        return height - 0.5 * GRAVITY * time * time;
    }
    time -= first;
    loop {
        speed *= e;
        let flight = 2.0 * speed / GRAVITY;
        if time <= flight || speed < 1e-6 {
            return time.min(flight) * (speed - 0.5 * GRAVITY * time.min(flight));
        }
        time -= flight;
    }
}

fn bouncing(setup: &mut Setup, _: usize) {
    let (height, e) = (1.0, 0.8);
    setup.energy = Energy::Driven;
    let surface = |shape: ColliderBuilder| shape.restitution(real(e));
    setup.fixed([0.0, -0.5, 0.0], surface(cuboid([5.0, 0.5, 5.0])));
    let ball = setup.add([0.0, RADIUS + height, 0.0], surface(heavy(RADIUS, 10.0)));
    let dt = setup.dt;
    let (mut sum, mut steps) = (0.0, 0.0);
    setup.figure(
        "mean error of the height [m]",
        (0.0, 0.05),
        move |world, _| {
            steps += 1.0;
            let at = double(world.bodies[ball].translation().y) - RADIUS;
            sum += (at - bounced(height, e, steps * dt)).abs();
            sum / steps
        },
    );
}

fn rolling(setup: &mut Setup, n: usize) {
    // The plate slides on the balls: mu of 0.8 there, 0.4 on the ground.
    let (mass, force, radius) = (10.0, 150.0, 0.5);
    setup.energy = Energy::Driven;
    let least = |shape: ColliderBuilder, mu: f64| {
        shape
            .friction(real(mu))
            .friction_combine_rule(CoefficientCombineRule::Min)
    };
    setup.fixed([0.0, -0.5, 0.0], least(cuboid([50.0, 0.5, 50.0]), 0.4));
    for k in 0..n * n {
        let at = [k % n, k / n].map(|c| 2.0 * (c as f64 - 0.5 * (n as f64 - 1.0)));
        setup.add([at[0], radius, at[1]], least(heavy(radius, 10.0), 1.0));
    }
    let half = n as f64 + 5.0;
    let plate = cuboid([half, 0.1, half]).mass(real(mass));
    let plate = setup.add([0.0, 2.0 * radius + 0.1, 0.0], least(plate, 0.8));
    setup.driven_speed = 10.0;
    setup.world.bodies[plate].add_force(vector([force, 0.0, 0.0]), true);
    // Balls that roll on the ground and are driven by f accelerate with 2 f / 1.4 m: those under the plate stay behind.
    let pull = force / mass - 0.8 * GRAVITY;
    let (dt, mut time) = (setup.dt, 0.0);
    setup.figure(
        "error of the speed, relative",
        (0.0, 1e-3),
        move |world, _| {
            time += dt;
            let speed = double(world.bodies[plate].linvel().x);
            (speed / (pull * time) - 1.0).abs()
        },
    );
}

fn kapla(setup: &mut Setup, n: usize) {
    setup.time_step(0.01);
    setup.floor();
    let [long, high, thick] = [0.1, 0.05, 0.025];
    for layer in 0..n {
        let y = high * (2 * layer + 1) as f64;
        for side in [-0.07, 0.07] {
            if layer % 2 == 0 {
                setup.add([0.0, y, side], cuboid([long, high, thick]));
            } else {
                setup.add([side, y, 0.0], cuboid([thick, high, long]));
            }
        }
    }
    setup.stays(usize::MAX);
}
