//! Scenes of exact Coulomb friction with closed forms, with the parameters of a public study (Song, Fan, Ascher, Pai, 2026).

use super::entry::Entry;
use super::kit::*;
use super::structures::{Card, add_stone, storeys};

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "incline",
        "cubes of 1 m and 1 kg on a slope of tan 0.5, friction 0.3 to 0.8: largest error of the way after 2 s",
        incline,
    )
    .sized(6, 120)
    .short(6, 30),
    Entry::new(
        "backspin",
        "a ball of radius 0.25 m thrown at 4 m/s with a backspin of 200 rad/s, friction 0.5: speed in the end, -80/7 m/s",
        backspin,
    )
    .sized(1, 240)
    .short(1, 240),
    Entry::new(
        "turntable",
        "blocks at 0.9 and 1.1 of the radius mu g / w^2 on tables that reach w in a second: how many stay or leave as they must",
        turntable,
    )
    .sized(8, 4000)
    .short(2, 3000),
    Entry::new(
        "painleve-block",
        "blocks of 0.6 x 1.2 x 0.3 m that slide at 4 m/s, friction 0.5 and 0.55: how many stay upright or tumble as they must",
        painleve,
    )
    .sized(2, 480)
    .short(2, 480),
    Entry::new(
        "catenary",
        "an inverted weighted catenary of N stones, the first and the last fixed: largest way of a stone",
        catenary,
    )
    .sized(25, 300)
    .short(15, 30),
    Entry::new(
        "card-house",
        "a house of cards of N storeys on which four cubes fall at step 400: largest way of a card until then",
        card_house,
    )
    .sized(4, 640)
    .short(2, 40),
];

/// Turned about z by `angle`.
fn tilted(angle: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let (s, c) = angle.sin_cos();
    [c * x - s * y, s * x + c * y, z]
}

fn incline(setup: &mut Setup, size: usize) {
    let tangent: f64 = 0.5;
    let angle = -tangent.atan();
    let lane = 4.0;
    let slab = cuboid([20.0, 0.5, lane * size as f64])
        .rotation(vector([0.0, 0.0, angle]))
        .friction(1.0);
    setup.fixed(tilted(angle, [0.0, -0.5, 0.0]), slab);
    setup.ground = -20.0;
    let mut cubes = Vec::new();
    for k in 0..size {
        let mu = 0.3 + 0.1 * k as f64;
        let z = lane * (k as f64 - 0.5 * (size as f64 - 1.0));
        let start = tilted(angle, [0.0, 0.5, z]);
        let shape = cuboid([0.5; 3])
            .density(1.0)
            .friction(real(mu))
            .friction_combine_rule(CoefficientCombineRule::Min);
        let cube = setup.turned(start, [0.0, 0.0, angle], shape);
        // A step moves by the velocity at its end.
        let pull = GRAVITY * (angle.cos() * (tangent - mu)).max(0.0);
        cubes.push((cube, start, pull));
    }
    let (h, mut steps) = (setup.dt, 0.0);
    setup.figure(
        "largest error of the way [m]",
        (0.0, 1e-4),
        move |world, _| {
            steps += 1.0;
            let off = cubes.iter().map(|(cube, start, pull)| {
                let at = world.bodies[*cube].translation() - vector(*start);
                let right = pull * h * h * 0.5 * steps * (steps + 1.0);
                (double(at.length()) - right).abs()
            });
            off.fold(0.0, f64::max)
        },
    );
}

fn backspin(setup: &mut Setup, _: usize) {
    setup.floor();
    let (radius, speed, spin) = (0.25, 4.0, 200.0);
    let body = RigidBodyBuilder::dynamic()
        .linvel(vector([speed, 0.0, 0.0]))
        .angvel(vector([0.0, 0.0, spin]));
    setup.driven_speed = radius * spin;
    let ball = setup.put(body, [0.0, radius, 0.0], [ball(radius)]);
    // Its angular momentum about the contact stays: (5 v - 2 r w) / 7.
    let right = (5.0 * speed - 2.0 * radius * spin) / 7.0;
    setup.figure(
        "speed in the end [m/s]",
        (1.001 * right, 0.999 * right),
        move |world, _| double(world.bodies[ball].linvel().x),
    );
}

/// Pairs of friction and angular speed [-, rad/s].
const TABLES: [(f64, f64); 4] = [(0.2, 2.0), (0.5, 2.0), (0.2, 5.0), (0.5, 5.0)];

fn turntable(setup: &mut Setup, size: usize) {
    // A body that a step moves straight on leaves its circle by r (w h)^2 / 2.
    setup.time_step(1e-3);
    let dt = setup.dt;
    let half = 0.02;
    let (mut tables, mut blocks) = (Vec::new(), Vec::new());
    for k in 0..size.div_ceil(2) {
        let (mu, w) = TABLES[k % TABLES.len()];
        let centre = 6.0 * k as f64;
        let table = setup.mover([centre, -0.1, 0.0], [cylinder(0.1, 2.0).friction(1.0)]);
        tables.push((table, w));
        let edge = mu * GRAVITY / (w * w);
        for share in [0.9, -1.1] {
            let shape = cuboid([half; 3])
                .friction(real(mu))
                .friction_combine_rule(CoefficientCombineRule::Min);
            let block = setup.add([centre + share * edge, half, 0.0], shape);
            blocks.push((block, centre, share * edge, share < 1.0 && share > 0.0));
        }
    }
    setup.driven_speed = 10.0;
    setup.ground = -10.0;
    setup.each_step(move |world, step| {
        let ramp = ((step + 1) as f64 * dt).min(1.0);
        for (table, w) in &tables {
            world.bodies[*table].set_angvel(vector([0.0, w * ramp, 0.0]), true);
        }
    });
    let count = blocks.len() as f64;
    setup.figure(
        "blocks that stay or leave as they must",
        (count, count),
        move |world, _| {
            let right = blocks.iter().filter(|(block, centre, start, stays)| {
                let at = world.bodies[*block].translation();
                let away = f64::hypot(double(at.x) - centre, double(at.z));
                let left = away > 1.1 * start.abs();
                left != *stays
            });
            right.count() as f64
        },
    );
}

fn painleve(setup: &mut Setup, size: usize) {
    setup.time_step(1.0 / 240.0);
    setup.floor();
    let mut blocks = Vec::new();
    for k in 0..size {
        let mu = if k % 2 == 0 { 0.5 } else { 0.55 };
        let body = RigidBodyBuilder::dynamic().linvel(vector([4.0, 0.0, 0.0]));
        let shape = cuboid([0.3, 0.6, 0.15])
            .density(200.0)
            .friction(real(mu))
            .friction_combine_rule(CoefficientCombineRule::Max);
        let block = setup.put(body, [0.0, 0.6, 2.0 * k as f64], [shape]);
        blocks.push((block, k % 2 == 0));
    }
    // The floor has 0.5: the larger one holds.
    setup.figure(
        "blocks that stay upright or tumble as they must",
        (size as f64, size as f64),
        move |world, _| {
            let right = blocks.iter().filter(|(block, upright)| {
                let up = double((*world.bodies[*block].rotation() * Vector::Y).y);
                (up > 0.9) == *upright
            });
            right.count() as f64
        },
    );
}

/// The Gateway Arch's curve: heights of centroids over half the span, and the area of a section by its height
/// [m, m^2]: y = f - A (cosh(C x / L) - 1), Q between Qt at the top and Qb at the foot.
const HEIGHT: f64 = 60.0;
const HALF_SPAN: f64 = 30.0;
const AREAS: [f64; 2] = [49.0, 100.0];

fn catenary(setup: &mut Setup, n: usize) {
    let ratio = AREAS[1] / AREAS[0];
    let (a, c) = (HEIGHT / (ratio - 1.0), ratio.acosh());
    let point = |x: f64| {
        let y = HEIGHT - a * ((c * x / HALF_SPAN).cosh() - 1.0);
        let slope = -a * c / HALF_SPAN * (c * x / HALF_SPAN).sinh();
        let area = AREAS[0] + (AREAS[1] - AREAS[0]) * (HEIGHT - y) / HEIGHT;
        (y, slope, 0.5 * area.sqrt())
    };
    setup.ground = -10.0;
    // Stones of equal length along the curve: faces at equal shares of its arc.
    let fine = 20_000;
    let xs: Vec<f64> = (0..=fine)
        .map(|k| HALF_SPAN * (2.0 * k as f64 / fine as f64 - 1.0))
        .collect();
    let mut arc = vec![0.0];
    for pair in xs.windows(2) {
        let rise = point(pair[1]).0 - point(pair[0]).0;
        arc.push(arc[arc.len() - 1] + rise.hypot(pair[1] - pair[0]));
    }
    let face = |k: usize| {
        let wanted = arc[fine] * k as f64 / n as f64;
        let at = arc.partition_point(|s| *s < wanted).clamp(1, fine);
        let share = (wanted - arc[at - 1]) / (arc[at] - arc[at - 1]);
        let x = xs[at - 1] + share * (xs[at] - xs[at - 1]);
        let (y, slope, half) = point(x);
        let long = slope.hypot(1.0);
        // Outwards across the curve.
        let out = [-slope / long * half, half / long];
        ([x - out[0], y - out[1]], [x + out[0], y + out[1]], half)
    };
    for k in 0..n {
        let faces = [face(k), face(k + 1)];
        let ends = || faces.iter().flat_map(|(low, high, _)| [low, high]);
        let middle = [0, 1].map(|axis| ends().map(|p| p[axis]).sum::<f64>() / 4.0);
        let mut corners = Vec::new();
        for (low, high, half) in faces {
            for p in [low, high] {
                let at = [p[0] - middle[0], p[1] - middle[1]];
                corners.extend([-half, half].map(|z| vector([at[0], at[1], z])));
            }
        }
        let centre = [middle[0], middle[1], 0.0];
        add_stone(setup, &corners, centre, k == 0 || k + 1 == n);
    }
    setup.stays(usize::MAX);
}

/// The step at which the cubes are there.
const STRIKE: usize = 400;

fn card_house(setup: &mut Setup, n: usize) {
    setup.time_step(1.0 / 240.0);
    let height = storeys(setup, n, &Card::LARGE);
    let fall = (2.0 * GRAVITY * (height + 1.0)).sqrt();
    setup.driven_speed = fall;
    setup.energy = Energy::Driven;
    setup.each_step(move |world, step| {
        if step != STRIKE {
            return;
        }
        for k in 0..4 {
            let x = 0.9 * (f64::from(k) - 1.5);
            let at = vector([x, height + 1.4, 0.0]);
            let body = RigidBodyBuilder::dynamic().translation(at).can_sleep(false);
            let cube = cuboid([0.4; 3]).density(500.0).friction(real(0.8));
            place(world, body, [cube]);
        }
    });
    setup.stays(STRIKE);
}
