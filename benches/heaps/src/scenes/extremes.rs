//! Sizes, densities and speeds at the ends of what users have, and worlds that start wrong.

use super::entry::Entry;
use super::heaps::{bin_half, place_in_bin};
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("tiny", "cubes of 1 cm fall into a bin", tiny)
        .sized(40, 150)
        .short(8, 40),
    Entry::new("huge", "cubes of 40 m fall on one another", huge)
        .sized(10, 200)
        .short(4, 40),
    Entry::new(
        "densities",
        "a stack, each ten times as heavy as the one below",
        densities,
    )
    .sized(7, 150)
    .short(7, 40),
    Entry::new("overlap", "cubes that overlap from the start", overlap)
        .sized(40, 120)
        .short(8, 40),
    Entry::new(
        "bullets",
        "balls of up to 400 m/s with continuous detection",
        bullets,
    )
    .sized(16, 120)
    .short(6, 40),
    Entry::new(
        "nan-body",
        "one body with a non-finite velocity among others",
        nan_body,
    )
    .sized(20, 120)
    .short(4, 40),
];

fn tiny(setup: &mut Setup, n: usize) {
    const HALF: f64 = 0.005;
    // The bin for cubes of 0.11, shrunk alike.
    let scale = HALF / 0.11;
    let half = bin_half(n);
    setup.floor();
    for (at, size) in walls(half * scale, 5.0 * half * scale, 0.05) {
        setup.fixed(at, cuboid(size));
    }
    for k in 0..n {
        let at = place_in_bin(setup, k, half).map(|x| scale * x);
        let turn = setup.random.three();
        setup.turned(at, turn, cuboid([HALF; 3]));
    }
}

fn huge(setup: &mut Setup, n: usize) {
    setup.fixed([0.0, -50.0, 0.0], cuboid([1000.0, 50.0, 1000.0]));
    for k in 0..n {
        let [x, z] = [
            setup.random.between(-4.0, 4.0),
            setup.random.between(-4.0, 4.0),
        ];
        setup.add([x, 21.0 + 42.0 * k as f64, z], cuboid([20.0; 3]));
    }
}

fn densities(setup: &mut Setup, n: usize) {
    setup.floor();
    for k in 0..n {
        let density = 10.0 * 10.0_f64.powi(k as i32);
        let cube = cuboid([0.25; 3]).density(real(density));
        setup.add([0.0, 0.25 + 0.5 * k as f64, 0.0], cube);
    }
    setup.must_stand();
}

fn overlap(setup: &mut Setup, n: usize) {
    setup.floor();
    setup.energy = Energy::Driven;
    setup.driven_speed = 5.0;
    for k in 0..n {
        let [x, y, z] = layered(k, 4);
        setup.add([0.3 * x, 0.25 + 0.3 * y, 0.3 * z], cuboid([0.25; 3]));
    }
}

fn bullets(setup: &mut Setup, n: usize) {
    setup.floor();
    let rows = 4;
    for row in 0..rows {
        for k in 0..6 {
            let at = [10.0, 0.25 + 0.5 * f64::from(row), 0.51 * f64::from(k)];
            setup.add(at, cuboid([0.25; 3]));
        }
    }
    setup.fixed([14.0, 2.0, 0.0], cuboid([0.02, 2.0, 10.0]));
    for k in 0..n {
        let speed = setup.random.between(50.0, 400.0);
        let body = RigidBodyBuilder::dynamic()
            .linvel(vector([speed, 0.0, 0.0]))
            .ccd_enabled(true);
        let [height, z] = [
            setup.random.between(0.2, 1.8),
            setup.random.between(0.0, 2.5),
        ];
        setup.put(body, [-0.5 * k as f64, height, z], [ball(0.04)]);
    }
}

fn nan_body(setup: &mut Setup, n: usize) {
    setup.floor();
    setup.strays = 1;
    for k in 0..n {
        let [x, y, z] = layered(k, 3);
        setup.mixed(k, [1.2 * x, 0.6 + y, 1.2 * z], 0.25);
    }
    let spoiled = RigidBodyBuilder::dynamic().linvel(vector([f64::NAN, 0.0, 0.0]));
    setup.put(spoiled, [-3.0, 1.0, 0.0], [ball(0.25)]);
}
