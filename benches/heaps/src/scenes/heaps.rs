//! Bodies that fall into heaps, and heaps at rest.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("pile-box", "turned boxes fall into a bin", pile_box)
        .sized(200, 150)
        .short(20, 40),
    Entry::new("pile-ball", "balls fall into a bin", pile_ball)
        .sized(200, 150)
        .short(20, 40),
    Entry::new("wall", "a ball hits a wall of N x N bricks", wall)
        .sized(8, 150)
        .short(5, 40),
    Entry::new("pyramid", "N rows of cubes at rest", pyramid)
        .sized(20, 100)
        .short(6, 30),
    Entry::new("slide", "cubes slide on a floor", slide)
        .sized(64, 120)
        .short(16, 30),
    Entry::new("boxes", "turned boxes fall two abreast", boxes)
        .sized(16, 150)
        .short(6, 40),
    Entry::new("coincident", "cubes spawned at one point", coincident)
        .sized(30, 90)
        .short(8, 30),
    Entry::new("domino", "a row of plates, the first pushed", domino)
        .sized(20, 400)
        .short(4, 120),
];

fn pyramid(setup: &mut Setup, n: usize) {
    setup.floor();
    for row in 0..n {
        for k in 0..n - row {
            let x = (k as f64 - (n - row) as f64 / 2.0) * 0.52;
            setup.add([x, 0.25 + 0.5 * row as f64, 0.0], cuboid([0.25; 3]));
        }
    }
    setup.must_stand();
}

/// Half the width of a bin that holds N bodies of about 0.12.
pub(super) fn bin_half(n: usize) -> f64 {
    f64::max(0.3 * (n as f64).cbrt(), 0.6)
}

/// Places above such a bin, with the numbers that the twin in MuJoCo draws.
pub(super) fn place_in_bin(setup: &mut Setup, number: usize, half: f64) -> [f64; 3] {
    let per_side = (((2.0 * half - 0.2) / 0.42) as usize).max(1);
    let [a, c, b] = layered(number, per_side);
    let x = -half + 0.3 + 0.42 * a + 0.05 * setup.random.unit();
    let z = -half + 0.3 + 0.42 * b + 0.05 * setup.random.unit();
    [x, 0.3 + 0.42 * c, z]
}

fn pile_box(setup: &mut Setup, n: usize) {
    let half = bin_half(n);
    setup.bin(half);
    for k in 0..n {
        let at = place_in_bin(setup, k, half);
        let sides = setup.random.three().map(|u| 0.08 + 0.06 * u);
        let turn = setup.random.three();
        setup.turned(at, turn, cuboid(sides));
    }
}

fn pile_ball(setup: &mut Setup, n: usize) {
    let half = bin_half(n);
    setup.bin(half);
    for k in 0..n {
        let at = place_in_bin(setup, k, half);
        let radius = 0.12 + 0.06 * setup.random.unit();
        setup.add(at, ball(radius));
    }
}

fn wall(setup: &mut Setup, n: usize) {
    setup.floor();
    for row in 0..n {
        for k in 0..n {
            let bond = if row % 2 == 0 { 0.0 } else { 0.25 };
            let at = [bond + 0.5 * k as f64, 0.125 + 0.25 * row as f64, 0.0];
            setup.add(at, cuboid([0.24, 0.125, 0.12]));
        }
    }
    let thrown = RigidBodyBuilder::dynamic().linvel(vector([0.0, 0.0, -15.0]));
    let at = [0.25 * n as f64, 0.12 * n as f64, 6.0];
    setup.put(thrown, at, [ball(0.5)]);
}

fn slide(setup: &mut Setup, n: usize) {
    setup.floor();
    let per_side = (n as f64).sqrt().ceil().max(1.0) as usize;
    for k in 0..n {
        let (angle, speed) = (
            setup.random.between(0.0, std::f64::consts::TAU),
            setup.random.between(0.0, 3.0),
        );
        let v = [speed * angle.cos(), 0.0, speed * angle.sin()];
        let at = [
            0.5 * (k % per_side) as f64,
            0.1,
            0.5 * (k / per_side) as f64,
        ];
        let body = RigidBodyBuilder::dynamic().linvel(vector(v));
        setup.put(body, at, [cuboid([0.1; 3])]);
    }
}

fn boxes(setup: &mut Setup, n: usize) {
    setup.floor();
    for k in 0..n {
        let turn = setup.random.three();
        let x = if k % 2 == 0 { -0.25 } else { 0.25 };
        let at = [x, 0.5 + 0.6 * (k / 2) as f64, 0.0];
        setup.turned(at, turn, cuboid([0.2; 3]));
    }
}

fn coincident(setup: &mut Setup, n: usize) {
    setup.floor();
    setup.energy = Energy::Driven;
    // Pushes out of an overlap are the engine's own business, as long as they are those of a game.
    setup.driven_speed = 10.0;
    for _ in 0..n {
        setup.add([0.0, 1.0, 0.0], cuboid([0.5; 3]));
    }
}

fn domino(setup: &mut Setup, n: usize) {
    setup.floor();
    let mut last = RigidBodyHandle::invalid();
    for k in 0..n {
        let spin = if k == 0 { -3.0 } else { 0.0 };
        let body = RigidBodyBuilder::dynamic().angvel(vector([0.0, 0.0, spin]));
        let at = [0.5 * k as f64, 0.5, 0.0];
        last = setup.put(body, at, [cuboid([0.05, 0.5, 0.25])]);
    }
    setup.at_end(move |world| {
        let height = world.bodies.get(last).map(|rb| double(rb.translation().y));
        match height {
            Some(height) if height < 0.45 => Ok(()),
            _ => Err("the last plate stands".to_owned()),
        }
    });
}
