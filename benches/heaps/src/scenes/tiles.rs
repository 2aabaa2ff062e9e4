//! Bodies that roll and slide over flush tiles and seams: what the seams take from them.
//!
//! The seed chooses the tiles (cuboids, height fields, meshes with and without `FIX_INTERNAL_EDGES`, compounds), their
//! direction, the heading and the speed.
#![allow(
    clippy::useless_conversion,
    reason = "this source is compiled over f32 and over f64; the conversions do nothing in the latter"
)]

use super::super::rapier::parry::utils::Array2;
use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "tiles-ball",
        "a ball slides over tiles without friction",
        |s, _| {
            slide(s, Form::Ball);
        },
    )
    .sized(1, 60)
    .short(1, 40),
    Entry::new(
        "tiles-capsule",
        "a lying capsule slides over tiles",
        |s, _| {
            slide(s, Form::Capsule);
        },
    )
    .sized(1, 60)
    .short(1, 40),
    Entry::new(
        "tiles-cylinder",
        "a lying or standing cylinder slides over tiles",
        |s, _| {
            let form = if s.random.unit() < 0.5 {
                Form::Roller
            } else {
                Form::Can
            };
            slide(s, form);
        },
    )
    .sized(1, 60)
    .short(1, 40),
    Entry::new(
        "tiles-hull",
        "a hull with sloped sides slides over tiles",
        |s, _| {
            slide(s, Form::Hull);
        },
    )
    .sized(1, 60)
    .short(1, 40),
    Entry::new(
        "tiles-rolling",
        "a ball rolls over tiles with friction",
        rolling,
    )
    .sized(1, 60)
    .short(1, 40),
    Entry::new(
        "tiles-end",
        "a ball slides over tiles to a step or a thin wall",
        end,
    )
    .short(1, 60),
];

/// Half the side of the field of tiles \[m\].
const HALF: usize = 14;

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Ball,
    Capsule,
    /// A lying cylinder.
    Roller,
    /// A standing one.
    Can,
    Hull,
}

/// A direction of the tiles and the turn about y that it is.
struct Yaw(f64);

impl Yaw {
    /// From the axes of the tiles to the world.
    fn at(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (sin, cos) = self.0.sin_cos();
        [x * cos + z * sin, y, z * cos - x * sin]
    }

    fn put(&self, setup: &mut Setup, at: [f64; 3], shape: ColliderBuilder, friction: f64) {
        let shape = shape.rotation(vector([0.0, self.0, 0.0]));
        setup.fixed(self.at(at), of_friction(shape, friction));
    }
}

fn of_friction(shape: ColliderBuilder, friction: f64) -> ColliderBuilder {
    plain(shape)
        .friction(real(friction))
        .friction_combine_rule(CoefficientCombineRule::Min)
}

/// Tiles of 1 m whose tops are y = 0, from -`HALF` to `HALF` along x, a quarter of that along z.
fn tiles(setup: &mut Setup, friction: f64) -> Yaw {
    let yaw = Yaw(setup.random.between(-3.0, 3.0));
    let kind = (setup.random.unit() * 5.0) as usize;
    let width = HALF / 2;
    let centre = |k: usize, half: usize| k as f64 - half as f64 + 0.5;
    let places = (0..2 * HALF).flat_map(|i| (0..2 * width).map(move |j| (i, j)));
    let places = places.map(|(i, j)| [centre(i, HALF), -0.5, centre(j, width)]);
    match kind {
        0 => {
            for at in places {
                yaw.put(setup, at, cuboid([0.5; 3]), friction);
            }
        }
        1 => {
            let parts = places.map(|at| {
                (
                    Pose::from_translation(vector(at)),
                    SharedShape::cuboid(real(0.5), real(0.5), real(0.5)),
                )
            });
            let (left, right): (Vec<_>, Vec<_>) =
                parts.partition(|(pose, _)| pose.translation.x < real(-3.2));
            for half in [left, right] {
                yaw.put(setup, [0.0; 3], ColliderBuilder::compound(half), friction);
            }
        }
        // Four side by side, so that there are seams between them and within.
        _ => {
            let side = HALF as f64 / 2.0;
            for k in 0..4 {
                let middle = [(f64::from(k) - 1.5) * side, 0.0, 0.0];
                let field = patch(kind, HALF / 2, 2 * width);
                yaw.put(setup, middle, field, friction);
            }
        }
    }
    yaw
}

/// A flat patch of cells of 1 m about the origin: a height field or a mesh, with the flag or without.
fn patch(kind: usize, along: usize, across: usize) -> ColliderBuilder {
    if kind == 2 {
        let heights = vec![real(0.0); (along + 1) * (across + 1)];
        let heights = Array2::new(across + 1, along + 1, heights);
        return ColliderBuilder::heightfield(heights, vector([along as f64, 1.0, across as f64]));
    }
    let row = across as u32 + 1;
    let mut corners = Vec::new();
    for i in 0..=along {
        for j in 0..=across {
            corners.push(vector([
                i as f64 - along as f64 / 2.0,
                0.0,
                j as f64 - across as f64 / 2.0,
            ]));
        }
    }
    let mut faces = Vec::new();
    for i in 0..along as u32 {
        for j in 0..row - 1 {
            let at = i * row + j;
            faces.extend([[at, at + 1, at + row], [at + 1, at + row + 1, at + row]]);
        }
    }
    let flags = if kind == 3 {
        TriMeshFlags::FIX_INTERNAL_EDGES
    } else {
        TriMeshFlags::empty()
    };
    match ColliderBuilder::trimesh_with_flags(corners, faces, flags) {
        Ok(mesh) => mesh,
        Err(error) => unreachable!("{error}"),
    }
}

/// Puts a body at the start of the tiles; its heading and how fast.
fn launch(setup: &mut Setup, yaw: &Yaw, (form, friction): (Form, f64)) -> (RigidBodyHandle, f64) {
    let size = setup.random.between(0.08, 0.3);
    let speed = setup.random.between(1.0, 20.0);
    let aside = setup.random.between(-0.25, 0.25);
    let about = setup.random.between(-3.0, 3.0);
    let (shape, height) = match form {
        Form::Ball => (ball(size), size),
        Form::Capsule => (
            capsule(size, 0.7 * size).rotation(vector([0.0, 0.0, HALF_TURN])),
            0.7 * size,
        ),
        Form::Roller => (
            cylinder(size, 0.7 * size).rotation(vector([0.0, 0.0, HALF_TURN])),
            0.7 * size,
        ),
        Form::Can => (cylinder(0.5 * size, 0.7 * size), 0.5 * size),
        Form::Hull => (hull(size), 0.5 * size),
    };
    let x = 0.7 - HALF as f64 + setup.random.unit();
    let z = setup.random.between(-1.0, 1.0);
    let way = yaw.at([speed * f64::cos(aside), 0.0, speed * f64::sin(aside)]);
    let spin = if friction > 0.0 {
        [way[2] / height, 0.0, -way[0] / height]
    } else {
        [0.0; 3]
    };
    let body = RigidBodyBuilder::dynamic()
        .linvel(vector(way))
        .angvel(vector(spin))
        .rotation(vector([0.0, about, 0.0]));
    let body = setup.put(body, yaw.at([x, height, z]), [of_friction(shape, friction)]);
    (body, speed)
}

const HALF_TURN: f64 = std::f64::consts::FRAC_PI_2;

/// A block whose sides slope outwards from its bottom to its waist.
fn hull(size: f64) -> ColliderBuilder {
    let ring = |half: f64, y: f64| {
        [
            [half, y, half],
            [half, y, -half],
            [-half, y, half],
            [-half, y, -half],
        ]
    };
    let corners = [
        ring(0.6 * size, -0.5 * size),
        ring(size, 0.0),
        ring(0.6 * size, 0.5 * size),
    ];
    let corners: Vec<_> = corners.into_iter().flatten().map(vector).collect();
    ColliderBuilder::convex_hull(&corners)
        .unwrap_or_else(|| unreachable!("these corners are a solid"))
}

/// The worst of the share of speed lost or gained, by 1 %, and the rise, by 1 mm.
fn keeps_its_speed(setup: &mut Setup, yaw: &Yaw, (body, speed): (RigidBodyHandle, f64)) {
    let (mut worst, mut start, mut gone) = (0.0_f64, None, false);
    let back = Yaw(-yaw.0);
    setup.figure(
        "lost speed / 1 % or rise / 1 mm",
        (0.0, 1.0),
        move |world, _| {
            let Some(rb) = world.bodies.get(body) else {
                return f64::NAN;
            };
            let at = rb.translation();
            let height = double(at.y);
            let rise = height - *start.get_or_insert(height);
            let [x, _, z] = back.at([double(at.x), height, double(at.z)]);
            // Beyond the tiles it falls.
            gone |= x.abs() > HALF as f64 - 1.0 || z.abs() > HALF as f64 / 2.0 - 1.0;
            if !gone {
                let v = rb.linvel();
                let kept = double(v.x).hypot(double(v.z)) / speed;
                worst = worst.max((kept - 1.0).abs() / 1e-2).max(rise / 1e-3);
            }
            worst
        },
    );
}

fn slide(setup: &mut Setup, form: Form) {
    let yaw = tiles(setup, 0.0);
    let launched = launch(setup, &yaw, (form, 0.0));
    keeps_its_speed(setup, &yaw, launched);
}

fn rolling(setup: &mut Setup, _: usize) {
    let yaw = tiles(setup, FRICTION);
    let launched = launch(setup, &yaw, (Form::Ball, FRICTION));
    keeps_its_speed(setup, &yaw, launched);
}

/// A ball slides over tiles against a step or a thin wall 3 m from the start; the figure is its depth in it.
fn end(setup: &mut Setup, _: usize) {
    const SIZE: f64 = 0.1;
    let yaw = tiles(setup, 0.0);
    let speed = setup.random.between(5.0, 20.0);
    let face = 3.0 - HALF as f64;
    let half = if setup.random.unit() < 0.5 {
        [0.5, 0.1, 3.0]
    } else {
        [0.01, 0.5, 3.0]
    };
    yaw.put(setup, [face + half[0], half[1], 0.0], cuboid(half), 0.0);
    let body = RigidBodyBuilder::dynamic().linvel(vector(yaw.at([speed, 0.0, 0.5])));
    let z = setup.random.between(-1.0, 1.0);
    let x = 0.5 - HALF as f64;
    let ball = of_friction(ball(SIZE), 0.0);
    let body = setup.put(body, yaw.at([x, SIZE, z]), [ball]);
    let mut farthest = f64::NEG_INFINITY;
    setup.figure("depth in the step [m]", (-0.01, 0.005), move |world, _| {
        let Some(rb) = world.bodies.get(body) else {
            return f64::NAN;
        };
        let at = rb.translation();
        let along = Yaw(-yaw.0).at([double(at.x), double(at.y), double(at.z)])[0];
        farthest = farthest.max(along + SIZE - face);
        farthest
    });
}
