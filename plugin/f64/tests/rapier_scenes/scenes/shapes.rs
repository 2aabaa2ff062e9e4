//! Shapes and terrains.

use super::{End, Scene, Setup, at, within};
use rapier::parry::utils::Array2;
use rapier::prelude::*;
use stickslip_f64::rapier;

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("primitives", 300, End::Motion(1e-3), primitives),
        Scene::new("heightfield", 300, End::Motion(1e-2), heightfield),
        Scene::new("trimesh", 300, End::Motion(1e-2), trimesh),
        Scene::new("compounds", 240, End::Motion(1e-3), compounds),
        Scene::new("convex-hulls", 300, End::Motion(1e-3), hulls),
        Scene::new("voxels", 240, End::Motion(1e-2), voxels),
        Scene::new("sensors", 120, End::Motion(1e-3), sensors),
        Scene::new("collision-groups", 120, End::Motion(1e-3), groups),
    ]
}

/// One of each primitive, in turn.
fn shape(k: usize) -> ColliderBuilder {
    let builder = match k % 5 {
        0 => ColliderBuilder::cuboid(0.3, 0.2, 0.25),
        1 => ColliderBuilder::ball(0.25),
        2 => ColliderBuilder::capsule_y(0.2, 0.15),
        3 => ColliderBuilder::cylinder(0.2, 0.25),
        _ => ColliderBuilder::cone(0.25, 0.25),
    };
    builder.density(100.0)
}

fn rain(setup: &mut Setup, count: usize, height: f64) {
    for k in 0..count {
        let (i, j) = ((k % 4) as f64, (k / 4) as f64);
        let tilted = RigidBodyBuilder::dynamic().rotation(Vector::new(0.3 * i, 0.2, 0.1 * j));
        setup.put(tilted, [i - 1.5, height + 0.1 * i, j - 1.5], shape(k));
    }
}

fn primitives() -> Setup {
    let mut setup = Setup::with_floor();
    rain(&mut setup, 15, 1.5);
    setup
}

fn wave(x: f64, z: f64) -> f64 {
    0.3 * (x * 0.9).sin() * (z * 0.7).cos()
}

fn above(world: &PhysicsWorld) -> Result<(), String> {
    let mut bodies = world.bodies.iter().filter(|(_, rb)| rb.is_dynamic());
    bodies.try_for_each(|(_, rb)| within("height", rb.translation().y, -0.5, 10.0))
}

fn heightfield() -> Setup {
    let mut setup = Setup::new();
    let n = 20;
    let heights = Array2::from_fn(n, n, |i, j| {
        let place = |k: usize| 20.0 * (k as f64 / (n - 1) as f64 - 0.5);
        // A rim keeps everything in.
        let rim = i.min(j).min(n - 1 - i).min(n - 1 - j) < 5;
        wave(place(j), place(i)) + if rim { 3.0 } else { 0.0 }
    });
    let field = ColliderBuilder::heightfield(heights, Vector::new(20.0, 1.0, 20.0));
    setup.world.colliders.insert(field);
    rain(&mut setup, 12, 2.0);
    setup.checked(above)
}

fn trimesh() -> Setup {
    let mut setup = Setup::new();
    let n = 20_u32;
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..=n {
        for j in 0..=n {
            let (x, z) = (f64::from(j) - 10.0, f64::from(i) - 10.0);
            let rim = if x.abs().max(z.abs()) > 5.0 { 3.0 } else { 0.0 };
            vertices.push(Vector::new(x, wave(x, z) + rim, z));
            if i < n && j < n {
                let k = i * (n + 1) + j;
                triangles.push([k, k + n + 1, k + 1]);
                triangles.push([k + 1, k + n + 1, k + n + 2]);
            }
        }
    }
    match ColliderBuilder::trimesh(vertices, triangles) {
        Ok(mesh) => {
            setup.world.colliders.insert(mesh);
        }
        Err(error) => return setup.checked(move |_| Err(error.to_string())),
    }
    rain(&mut setup, 12, 2.0);
    setup.checked(above)
}

fn compounds() -> Setup {
    let mut setup = Setup::with_floor();
    for k in 0..6 {
        let table = RigidBodyBuilder::dynamic().rotation(Vector::new(0.0, 0.2 * f64::from(k), 0.0));
        let place = [0.0, 0.7 + 1.1 * f64::from(k), 0.0];
        let body = setup.put(
            table,
            place,
            ColliderBuilder::cuboid(0.5, 0.05, 0.5).density(100.0),
        );
        for (x, z) in [(-0.4, -0.4), (-0.4, 0.4), (0.4, -0.4), (0.4, 0.4)] {
            let leg = ColliderBuilder::cuboid(0.05, 0.3, 0.05)
                .translation(Vector::new(x, -0.35, z))
                .density(100.0);
            let world = &mut setup.world;
            world
                .colliders
                .insert_with_parent(leg, body, &mut world.bodies);
        }
    }
    setup
}

fn hulls() -> Setup {
    let mut setup = Setup::with_floor();
    for k in 0..10_u32 {
        // Points on a sphere, spread by the golden angle.
        let points: Vec<_> = (0..8 + k)
            .map(|i| {
                let y = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(8 + k);
                let r = (1.0 - y * y).sqrt();
                let angle = 2.399_963 * f64::from(i);
                Vector::new(r * angle.cos(), y, r * angle.sin()) * 0.3
            })
            .collect();
        if let Some(hull) = ColliderBuilder::convex_hull(&points) {
            let (x, z) = (f64::from(k % 4), f64::from(k / 4));
            setup.add([x, 1.0 + 0.2 * f64::from(k), z], hull.density(100.0));
        }
    }
    setup
}

fn voxels() -> Setup {
    let mut setup = Setup::new();
    let mut cells = Vec::new();
    for x in -8..8 {
        for z in -8..8 {
            let height = if i64::max(i64::abs(x), i64::abs(z)) > 5 {
                4
            } else {
                (x * z).rem_euclid(3) / 2
            };
            cells.extend((-1..=height).map(|y| IVector::new(x, y, z)));
        }
    }
    setup
        .world
        .colliders
        .insert(ColliderBuilder::voxels(Vector::splat(0.5), &cells));
    rain(&mut setup, 8, 2.5);
    setup.checked(|world| {
        let mut bodies = world.bodies.iter().filter(|(_, rb)| rb.is_dynamic());
        bodies.try_for_each(|(_, rb)| within("height", rb.translation().y, 0.0, 10.0))
    })
}

/// A ball falls through a sensor onto the floor; the sensor sees it there.
fn sensors() -> Setup {
    let mut setup = Setup::with_floor();
    let zone = ColliderBuilder::cuboid(1.0, 1.0, 1.0)
        .translation(Vector::Y)
        .sensor(true);
    let zone = setup.world.colliders.insert(zone);
    let ball = setup.add([0.0, 3.0, 0.0], shape(1));
    setup.checked(move |world| {
        within("height", at(world, ball).y, 0.249_99, 0.250_01)?;
        let seen = world.narrow_phase.intersection_pairs_with(zone);
        let seen = seen.filter(|(_, _, intersecting)| *intersecting).count();
        within("bodies seen", seen as f64, 1.0, 1.0)
    })
}

/// Two groups fall through each other's floors.
fn groups() -> Setup {
    let mut setup = Setup::with_floor();
    let own = |group| InteractionGroups::new(group, group, InteractionTestMode::And);
    let pairs = [(Group::GROUP_1, 3.0), (Group::GROUP_2, 1.5)];
    let mut balls = Vec::new();
    for (group, height) in pairs {
        let floor = ColliderBuilder::cuboid(3.0, 0.1, 3.0)
            .translation(Vector::Y * (height - 0.1))
            .collision_groups(own(group));
        setup.world.colliders.insert(floor);
        let x = height;
        let ball = setup.add([x - 2.0, 5.0, 0.0], shape(1).collision_groups(own(group)));
        balls.push((ball, height));
    }
    setup.checked(move |world| {
        balls.iter().try_for_each(|(ball, height)| {
            within(
                "height",
                at(world, *ball).y,
                height + 0.249_99,
                height + 0.250_01,
            )
        })
    })
}
