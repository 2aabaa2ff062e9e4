//! Bins filled with bodies of one shape, and other ways to fill one.

use super::entry::Entry;
use super::heaps::{bin_half, place_in_bin};
use super::kit::*;
use std::f64::consts::FRAC_PI_2;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("bin-hulls", "convex hulls fall into a bin", hulls)
        .sized(40, 150)
        .short(8, 40),
    Entry::new("bin-capsules", "capsules fall into a bin", capsules)
        .sized(60, 150)
        .short(10, 40),
    Entry::new("bin-cylinders", "cylinders fall into a bin", cylinders)
        .sized(60, 150)
        .short(10, 40),
    Entry::new("bin-plates", "thin plates fall into a bin", plates)
        .sized(60, 150)
        .short(10, 40),
    Entry::new(
        "bin-jacks",
        "compounds of three bars fall into a bin",
        jacks,
    )
    .sized(30, 150)
    .short(6, 40),
    Entry::new("bin-round", "round cuboids fall into a bin", round)
        .sized(60, 150)
        .short(10, 40),
    Entry::new(
        "bin-bouncing",
        "cubes with restitution 0.8 in a bin",
        bouncing,
    )
    .sized(40, 200)
    .short(8, 40),
    Entry::new("spawn", "bodies come one by one onto a heap", spawn)
        .sized(40, 540)
        .short(6, 90),
    Entry::new("funnel", "mixed bodies fall through a funnel", funnel)
        .sized(60, 240)
        .short(10, 40),
    Entry::new("rain", "mixed bodies fall onto hills of triangles", rain)
        .sized(150, 150)
        .short(16, 40),
];

/// Fills a bin with bodies of the shapes that a function draws.
fn fill(setup: &mut Setup, n: usize, shapes: impl Fn(&mut Setup) -> Vec<ColliderBuilder>) {
    let half = bin_half(n);
    setup.bin(half);
    for k in 0..n {
        let at = place_in_bin(setup, k, half);
        let turn = setup.random.three();
        let shapes = shapes(setup);
        let body = RigidBodyBuilder::dynamic().rotation(vector(turn));
        setup.put(body, at, shapes);
    }
}

fn hulls(setup: &mut Setup, n: usize) {
    fill(setup, n, |setup| {
        let corner = |setup: &mut Setup| {
            let x = setup.random.three().map(|u| 2.0 * u - 1.0);
            let length = x.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-3);
            vector(x.map(|x| 0.15 * x / length))
        };
        let corners: Vec<_> = (0..14).map(|_| corner(setup)).collect();
        // Fourteen points on a ball are never in one plane.
        ColliderBuilder::convex_hull(&corners)
            .map(plain)
            .into_iter()
            .collect()
    });
}

fn capsules(setup: &mut Setup, n: usize) {
    fill(setup, n, |setup| {
        let half = setup.random.between(0.05, 0.1);
        vec![capsule(half, setup.random.between(0.05, 0.08))]
    });
}

fn cylinders(setup: &mut Setup, n: usize) {
    fill(setup, n, |setup| {
        let half = setup.random.between(0.05, 0.12);
        vec![cylinder(half, setup.random.between(0.07, 0.12))]
    });
}

fn plates(setup: &mut Setup, n: usize) {
    fill(setup, n, |_| vec![cuboid([0.18, 0.02, 0.12])]);
}

fn jacks(setup: &mut Setup, n: usize) {
    fill(setup, n, |_| {
        let bar = || capsule(0.12, 0.03);
        vec![
            bar(),
            bar().rotation(vector([FRAC_PI_2, 0.0, 0.0])),
            bar().rotation(vector([0.0, 0.0, FRAC_PI_2])),
        ]
    });
}

fn round(setup: &mut Setup, n: usize) {
    fill(setup, n, |_| {
        let [half, border] = [0.09, 0.03].map(real);
        vec![plain(ColliderBuilder::round_cuboid(
            half, half, half, border,
        ))]
    });
}

fn bouncing(setup: &mut Setup, n: usize) {
    setup.energy = Energy::Driven;
    fill(setup, n, |_| {
        let cube = cuboid([0.11; 3]).restitution(real(0.8));
        vec![cube.restitution_combine_rule(CoefficientCombineRule::Max)]
    });
}

fn spawn(setup: &mut Setup, n: usize) {
    /// Steps from one body to the next.
    const PERIOD: usize = 12;
    const HEIGHT: f64 = 2.5;
    // Out of the way of the next one.
    const SPEED: f64 = 3.0;
    setup.bin(0.8);
    setup.driven_speed = SPEED + (2.0 * GRAVITY * HEIGHT).sqrt();
    let mut random = setup.random.clone();
    let mut come = 0;
    setup.each_step(move |world, step| {
        if step % PERIOD != 0 || come == n {
            return;
        }
        let at = [random.between(-0.4, 0.4), HEIGHT, random.between(-0.4, 0.4)];
        let body = RigidBodyBuilder::dynamic()
            .translation(vector(at))
            .rotation(vector(random.three()))
            .linvel(vector([0.0, -SPEED, 0.0]))
            .can_sleep(false);
        world.insert(body, mixed(come, 0.14));
        come += 1;
    });
}

fn funnel(setup: &mut Setup, n: usize) {
    /// Plates around the axis, steep as 45 degrees.
    const PLATES: usize = 8;
    const OUTLET: f64 = 0.45;
    setup.floor();
    let slope = FRAC_PI_2 / 2.0;
    let long = 1.2;
    for k in 0..PLATES {
        let angle = std::f64::consts::TAU * k as f64 / PLATES as f64;
        let away = OUTLET + long * slope.cos();
        let (s, c) = angle.sin_cos();
        let plate = cuboid([long, 0.05, 1.0]);
        let turn = Rotation::from_axis_angle(Vector::Y, real(-angle))
            * Rotation::from_axis_angle(Vector::Z, real(slope));
        let at = vector([away * c, 2.0 + long * slope.sin(), away * s]);
        setup
            .world
            .colliders
            .insert(plate.position(Pose::from_parts(at, turn)));
    }
    for k in 0..n {
        let [x, y, z] = layered(k, 4);
        let jitter = setup.random.three().map(|u| 0.05 * u);
        let at = [
            -0.6 + 0.4 * x + jitter[0],
            3.6 + 0.5 * y,
            -0.6 + 0.4 * z + jitter[2],
        ];
        setup.mixed(k, at, 0.11);
    }
}

/// Hills of 0.4 m on a square of 40 m.
fn hills(setup: &mut Setup) {
    const CELLS: u32 = 40;
    let height = |x: f64, z: f64| 0.2 * ((0.7 * x).sin() + (0.9 * z).cos());
    let mut corners = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=CELLS {
        for k in 0..=CELLS {
            let (x, z) = (f64::from(i) - 20.0, f64::from(k) - 20.0);
            corners.push(vector([x, height(x, z), z]));
            if i < CELLS && k < CELLS {
                let here = i * (CELLS + 1) + k;
                let [next, over, far] = [here + 1, here + CELLS + 1, here + CELLS + 2];
                triangles.extend([[here, next, over], [next, far, over]]);
            }
        }
    }
    // Refused only without triangles.
    if let Ok(mesh) = ColliderBuilder::trimesh(corners, triangles) {
        setup.world.colliders.insert(plain(mesh));
    }
    setup.ground = -0.4;
}

fn rain(setup: &mut Setup, n: usize) {
    hills(setup);
    let per_side = 12;
    for k in 0..n {
        let [x, y, z] = layered(k, per_side);
        let jitter = setup.random.three().map(|u| 0.3 * u);
        let at = [
            -5.5 + x + jitter[0],
            1.2 + 1.2 * y + jitter[1],
            -5.5 + z + jitter[2],
        ];
        setup.mixed(k, at, 0.25);
    }
}
