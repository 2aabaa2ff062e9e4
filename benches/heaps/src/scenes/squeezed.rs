//! Bodies between what moves as prescribed and what does not move, and starts that overlap: how fast the fastest becomes.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new("bars", "bars turn low in a bin of mixed bodies", bars)
        .sized(5, 600)
        .short(5, 300),
    Entry::new(
        "jaws-closing",
        "bodies between a moving wall and fixed ones",
        closing,
    )
    .sized(8, 300)
    .short(6, 150),
    Entry::new("wedges", "wedges driven between a body and a wall", wedges)
        .sized(6, 200)
        .short(4, 100),
    Entry::new(
        "dominant",
        "bodies between a dominant one and a fixed one",
        dominant,
    )
    .sized(6, 200)
    .short(4, 100),
    Entry::new("clump", "bodies that overlap a little at the start", clump)
        .sized(200, 60)
        .short(30, 40),
];

/// How much faster than what drives it a body may become. A light body leaves a heavy one that does not bounce with the
/// speed of the point that hits it; a lever doubles that.
const LEVERAGE: f64 = 2.0;

/// Measures the fastest body by what drives it \[m/s\].
fn watch(setup: &mut Setup, driven: f64) {
    setup.driven_speed = driven;
    let bodies = setup.world.bodies.iter();
    let heights = bodies
        .filter(|(_, rb)| rb.is_dynamic())
        .map(|(_, rb)| double(rb.translation().y));
    let fall = (2.0 * GRAVITY * heights.fold(0.0, f64::max)).sqrt();
    let mut fastest = 0.0_f64;
    let name = "fastest by what drives it";
    setup.figure(name, (0.0, LEVERAGE), move |world, _| {
        for (_, rb) in world.bodies.iter().filter(|(_, rb)| rb.is_dynamic()) {
            let speed = double(rb.linvel().length()) / (driven + fall);
            // A body that is not a number is no slow one.
            if speed.is_nan() || speed > fastest {
                fastest = speed;
            }
        }
        fastest
    });
}

/// The first seed is one bar of 4 rad/s, others have up to three of 1 to 8 rad/s, one above the other.
fn bars(setup: &mut Setup, n: usize) {
    setup.bin(1.5);
    let count = match setup.seed {
        seed if seed.is_multiple_of(2) => 1,
        seed => 1 + seed as usize % 3,
    };
    let mut driven = 0.0_f64;
    for k in 0..count {
        let (height, speed, long) = match setup.seed {
            0 => (0.2, 4.0, 1.2),
            _ => (
                setup.random.between(0.16, 0.4),
                setup.random.between(1.0, 8.0),
                setup.random.between(0.8, 1.35),
            ),
        };
        let sense = if k % 2 == 0 { 1.0 } else { -1.0 };
        let at = [0.0, height + 0.6 * k as f64, 0.0];
        let bar = setup.mover(at, [cuboid([long, 0.15, 0.1])]);
        setup.world.bodies[bar].set_angvel(vector([0.0, sense * speed, 0.0]), true);
        driven = driven.max(speed * long);
    }
    let above = 0.9 + 0.6 * (count - 1) as f64;
    for k in 0..n {
        let [x, y, z] = layered(k, 4);
        let jitter = setup.random.three().map(|u| 0.05 * u);
        let at = [
            -1.1 + 0.7 * x + jitter[0],
            above + 0.8 * y,
            -1.1 + 0.7 * z + jitter[2],
        ];
        let size = match setup.seed {
            0 => 0.18,
            _ => setup.random.between(0.05, 0.2),
        };
        // Of rapier's own density, in half of the seeds.
        let density = if setup.seed.is_multiple_of(2) {
            1.0
        } else {
            DENSITY
        };
        setup.add(at, mixed(k, size).density(real(density)));
    }
    watch(setup, driven);
}

/// A wall comes and goes, and leaves less room than the bodies need.
fn closing(setup: &mut Setup, n: usize) {
    let half = 0.6;
    setup.floor();
    for (at, size) in walls(half, 3.0 * half, 0.25).into_iter().skip(1) {
        setup.fixed(at, cuboid(size));
    }
    let speed = setup.random.between(0.5, 4.0);
    let wall = setup.mover(
        [half + 0.25, 1.5 * half, 0.0],
        [cuboid([0.25, 1.5 * half, half])],
    );
    for k in 0..n {
        let [x, y, z] = layered(k, 2);
        let turn = setup.random.three();
        let size = setup.random.between(0.1, 0.2);
        let at = [-0.3 + 0.5 * x, 0.3 + 0.45 * y, -0.3 + 0.5 * z];
        setup.turned(at, turn, mixed(k, size));
    }
    let least = setup.random.between(-0.4, 0.1);
    let mut away = half;
    let mut comes = true;
    let dt = setup.dt;
    setup.each_step(move |world, _| {
        let v = if comes { -speed } else { speed };
        away += v * dt;
        comes = match comes {
            true => away > least,
            false => away >= half,
        };
        world.bodies[wall].set_linvel(vector([v, 0.0, 0.0]), true);
    });
    watch(setup, speed);
}

/// Wedges come down between bodies and walls on both sides of them.
fn wedges(setup: &mut Setup, n: usize) {
    setup.floor();
    let speed = setup.random.between(0.3, 3.0);
    let (mut movers, mut z) = (Vec::new(), 0.0);
    for k in 0..n {
        let size = setup.random.between(0.1, 0.25);
        let slope = setup.random.between(0.15, 0.6);
        z += 1.0;
        for side in [-1.0, 1.0] {
            setup.fixed([side * (size + 0.32), 0.8, z], cuboid([0.1, 0.8, 0.45]));
        }
        setup.mixed(k, [0.0, 2.0 * size + 0.01, z], size);
        let wedge = cuboid([0.1, 0.5, 0.4]).rotation(vector([0.0, 0.0, slope]));
        let start = 2.0 * size + 1.0;
        movers.push((
            setup.mover([size + 0.14, start, z], [wedge]),
            start - 0.6 * size,
        ));
    }
    let dt = setup.dt;
    let mut down = 0.0;
    setup.each_step(move |world, _| {
        down += speed * dt;
        for (wedge, way) in &movers {
            let v = if down < *way { -speed } else { 0.0 };
            world.bodies[*wedge].set_linvel(vector([0.0, v, 0.0]), true);
        }
    });
    watch(setup, speed);
}

/// Heavy bodies that nothing stops but what is fixed come down on others.
fn dominant(setup: &mut Setup, n: usize) {
    setup.floor();
    setup.energy = Energy::Driven;
    let speed = setup.random.between(0.5, 6.0);
    for k in 0..n {
        let z = 1.2 * k as f64;
        let size = setup.random.between(0.08, 0.2);
        let lean = setup.random.three().map(|u| 0.3 * u);
        setup.turned([0.1 * lean[0], 1.8 * size, z], lean, mixed(k, size));
        let plate = RigidBodyBuilder::dynamic()
            .dominance_group(10)
            .linvel(vector([0.0, -speed, 0.0]));
        let at = [setup.random.between(-0.2, 0.2), 5.0 * size, z];
        setup.put(plate, at, [cuboid([0.5, 0.1, 0.5])]);
    }
    watch(setup, speed);
}

/// Boxes, balls or hulls by seed, each overlapping its neighbours by up to a tenth.
fn clump(setup: &mut Setup, n: usize) {
    setup.bin(1.5);
    setup.energy = Energy::Driven;
    let kind = setup.seed % 3;
    let overlap = match setup.seed {
        0 => 0.05,
        _ => setup.random.between(0.005, 0.1),
    };
    let half = 0.1;
    let apart = 2.0 * half * (1.0 - overlap);
    let side = (n as f64).cbrt().ceil() as usize;
    for k in 0..n {
        let [x, y, z] = layered(k, side);
        let jitter = setup.random.three().map(|u| 0.1 * overlap * half * u);
        let middle = 0.5 * (side - 1) as f64;
        let at = [
            apart * (x - middle) + jitter[0],
            half + 0.01 + apart * y + jitter[1],
            apart * (z - middle) + jitter[2],
        ];
        let turn = setup.random.three().map(|u| 0.2 * overlap * u);
        let shape = match kind {
            0 => cuboid([half; 3]),
            1 => ball(half),
            _ => hull(half),
        };
        setup.turned(at, turn, shape);
    }
    watch(setup, 1.0);
}

/// An octagonal prism, as a hull.
fn hull(half: f64) -> ColliderBuilder {
    let corner = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k / 2) / 8.0;
        let y = if k.is_multiple_of(2) { half } else { -half };
        vector([half * angle.cos(), y, half * angle.sin()])
    };
    let corners: Vec<_> = (0..16).map(corner).collect();
    ColliderBuilder::convex_hull(&corners)
        .map(plain)
        .unwrap_or_else(|| ball(half))
}
