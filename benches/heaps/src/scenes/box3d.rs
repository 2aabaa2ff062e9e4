//! Benchmark scenes of Box3D (0.1), by their published parameters; gravity of 10 m/s^2, steps of 1/60 s.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "large-pyramid",
        "a pyramid of cubes of 1 m, side by side without a gap, N at its base: largest way of a cube",
        large_pyramid,
    )
    .sized(20, 200)
    .short(6, 40),
    Entry::new(
        "many-pyramids",
        "N x N pyramids of base 10: largest way of a cube",
        many_pyramids,
    )
    .sized(4, 100)
    .short(1, 40),
    Entry::new(
        "washer",
        "N^3 cubes of 0.4 m in a ring that turns at 25 degrees a second: deepest overlap in the end",
        washer,
    )
    .sized(8, 300)
    .short(3, 60),
    Entry::new(
        "joint-grid",
        "N x N balls on spherical joints, the upper row fixed: widest joint in the end",
        joint_grid,
    )
    .sized(20, 100)
    .short(6, 60),
    Entry::new(
        "convex-pile",
        "N hulls of 32 points that fall on a heap: deepest overlap in the end",
        convex_pile,
    )
    .sized(200, 200)
    .short(20, 60),
    Entry::new(
        "junkyard",
        "N x N x 4 rocks between walls, pushed about by a cylinder: deepest overlap in the end",
        junkyard,
    )
    .sized(8, 300)
    .short(3, 60),
];

fn gravity(setup: &mut Setup) {
    setup.world.gravity = vector([0.0, -10.0, 0.0]);
}

fn crate_of(half: f64) -> ColliderBuilder {
    cuboid([half; 3]).density(100.0).friction(real(0.6))
}

/// Cubes of 1 m in rows, `n` at the base, about a place on the ground.
fn pyramid(setup: &mut Setup, n: usize, [x, z]: [f64; 2]) {
    for row in 0..n {
        for k in 0..n - row {
            let along = k as f64 - 0.5 * (n - row) as f64;
            setup.add([x + along, row as f64 + 0.5, z], crate_of(0.5));
        }
    }
}

fn large_pyramid(setup: &mut Setup, n: usize) {
    gravity(setup);
    setup.fixed(
        [0.0, -0.5, 0.0],
        cuboid([100.0, 0.5, 20.0]).friction(real(0.6)),
    );
    pyramid(setup, n, [0.0; 2]);
    setup.stays(usize::MAX);
}

fn many_pyramids(setup: &mut Setup, n: usize) {
    gravity(setup);
    setup.fixed(
        [0.0, -0.5, 0.0],
        cuboid([200.0, 0.5, 50.0]).friction(real(0.6)),
    );
    for k in 0..n * n {
        let at = [12.0 * (k % n) as f64, 2.0 * (k / n) as f64];
        pyramid(setup, 10, at);
    }
    setup.stays(usize::MAX);
}

/// Measures the deepest overlap of a contact after each step, until something better is known.
fn overlaps(setup: &mut Setup) {
    setup.figure("deepest overlap in the end [m]", (0.0, 0.02), |world, _| {
        let pairs = world.narrow_phase.contact_pairs();
        let points = pairs.flat_map(|p| p.manifolds()).flat_map(|m| &m.points);
        points.fold(0.0, |deepest, p| f64::max(deepest, double(-p.dist)))
    });
}

fn washer(setup: &mut Setup, n: usize) {
    gravity(setup);
    // The ring is as much smaller as the heap is.
    let scale = n as f64 / 20.0;
    let [inner, outer, deep] = [16.0, 18.0, 10.0].map(|x| x * scale);
    let turn = 25.0_f64.to_radians();
    let mut walls = Vec::new();
    let count = 36;
    for k in 0..count {
        let angles = [k, k + 1].map(|k| std::f64::consts::TAU * f64::from(k) / f64::from(count));
        let within = if k % 9 == 0 { 14.0 * scale } else { inner };
        let mut corners = Vec::new();
        for angle in angles {
            let (s, c) = angle.sin_cos();
            for radius in [within, outer] {
                corners.extend([-deep, deep].map(|z| vector([radius * c, radius * s, z])));
            }
        }
        walls.extend(ColliderBuilder::convex_hull(&corners).map(plain));
    }
    for side in [-1.0, 1.0] {
        setup.fixed([0.0, 0.0, side * (deep + 0.5)], cuboid([outer, outer, 0.5]));
    }
    let ring = setup.mover([0.0; 3], walls);
    setup.world.bodies[ring].set_angvel(vector([0.0, 0.0, turn]), true);
    setup.ground = -outer;
    setup.driven_speed = turn * outer;
    let pitch = 0.8_f64.min(1.2 * deep / n as f64);
    for k in 0..n * n * n {
        let cell = layered(k, n).map(|c| pitch * (c - 0.5 * (n as f64 - 1.0)));
        setup.add(cell, crate_of(0.2));
    }
    overlaps(setup);
}

fn joint_grid(setup: &mut Setup, n: usize) {
    gravity(setup);
    setup.ground = -2.0 * n as f64;
    let mut bodies = Vec::new();
    for k in 0..n * n {
        let (row, column) = (k / n, k % n);
        let body = if row == 0 {
            RigidBodyBuilder::fixed()
        } else {
            RigidBodyBuilder::dynamic()
        };
        let shape = ball(0.4)
            .density(1.0)
            .collision_groups(InteractionGroups::none());
        let here = setup.put(body, [column as f64, -(row as f64), 0.0], [shape]);
        let mut join = |other: RigidBodyHandle, half: [f64; 3]| {
            let joint = SphericalJointBuilder::new()
                .local_anchor1(vector(half))
                .local_anchor2(vector(half.map(|x| -x)));
            setup.world.impulse_joints.insert(other, here, joint, true);
        };
        if column > 0 {
            join(bodies[k - 1], [0.5, 0.0, 0.0]);
        }
        if row > 0 {
            join(bodies[k - n], [0.0, -0.5, 0.0]);
        }
        bodies.push(here);
    }
    setup.figure("widest joint in the end [m]", (0.0, 1e-3), |world, _| {
        gap(world)
    });
}

/// A hull of so many points on a ball that is a bit longer than wide.
fn rock(setup: &mut Setup, points: usize, radius: f64) -> Option<ColliderBuilder> {
    let corners: Vec<_> = (0..points)
        .map(|_| {
            let height = setup.random.between(-1.0, 1.0);
            let angle = setup.random.between(0.0, std::f64::consts::TAU);
            let wide = (1.0 - height * height).sqrt();
            vector([
                1.3 * radius * wide * angle.cos(),
                radius * height,
                radius * wide * angle.sin(),
            ])
        })
        .collect();
    let hull = ColliderBuilder::convex_hull(&corners)?;
    Some(plain(hull).friction(real(0.6)))
}

fn convex_pile(setup: &mut Setup, n: usize) {
    gravity(setup);
    let side = (n as f64).cbrt().ceil().max(2.0) as usize;
    setup.bin(0.7 * side as f64);
    for k in 0..n {
        let cell = layered(k, side);
        let at = [
            1.3 * (cell[0] - 0.5 * (side as f64 - 1.0)),
            0.8 + 1.1 * cell[1],
            1.3 * (cell[2] - 0.5 * (side as f64 - 1.0)),
        ];
        if let Some(shape) = rock(setup, 32, 0.45) {
            setup.add(at, shape);
        }
    }
    overlaps(setup);
}

fn junkyard(setup: &mut Setup, n: usize) {
    gravity(setup);
    // As the published one of 21 x 21, by its size.
    let scale = n as f64 / 21.0;
    let half = 50.0 * scale;
    setup.bin(half);
    let Some(shape) = rock(setup, 20, 1.0) else {
        return;
    };
    let pitch = (2.0 * half - 3.0) / n as f64;
    for k in 0..4 * n * n {
        let cell = layered(k, n);
        let at = [
            pitch * (cell[0] - 0.5 * (n as f64 - 1.0)),
            1.5 + 2.4 * cell[1],
            pitch * (cell[2] - 0.5 * (n as f64 - 1.0)),
        ];
        setup.add(at, shape.clone());
    }
    let (circle, radius) = (35.0 * scale, (4.0 * scale).max(1.0));
    let pusher = setup.mover([circle, 2.0, 0.0], [cylinder(2.0, radius)]);
    let (turn, dt) = (6.0_f64.to_radians(), setup.dt);
    setup.driven_speed = turn * circle;
    setup.each_step(move |world, step| {
        let (s, c) = (turn * step as f64 * dt).sin_cos();
        let velocity = [-s, 0.0, c].map(|x| turn * circle * x);
        world.bodies[pusher].set_linvel(vector(velocity), true);
    });
    overlaps(setup);
}
