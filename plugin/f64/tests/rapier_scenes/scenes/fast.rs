//! What moves fast.

use super::{End, Scene, Setup, at, cube, within};
use rapier::prelude::*;
use stickslip_f64::rapier;

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("ccd-bullets", 120, End::Motion(1e-3), bullets),
        Scene::new("wrecking-ball", 240, End::Motion(5e-2), wrecking_ball),
        Scene::new("gyroscope", 240, End::Motion(1e-9), gyroscope),
    ]
}

/// Bullets of 10 to 400 m/s and a wall of 1 cm.
fn bullets() -> Setup {
    let mut setup = Setup::with_floor();
    let wall = ColliderBuilder::cuboid(0.005, 3.0, 10.0).translation(Vector::new(8.0, 3.0, 0.0));
    setup.world.colliders.insert(wall);
    let mut all = Vec::new();
    for (k, speed) in [10.0, 20.0, 50.0, 100.0, 200.0, 400.0]
        .into_iter()
        .enumerate()
    {
        let bullet = RigidBodyBuilder::dynamic()
            .linvel(Vector::new(speed, 4.9 * 8.0 / speed, 0.0))
            .ccd_enabled(true);
        let place = [0.0, 1.0, k as f64 - 2.5];
        all.push(setup.put(bullet, place, ColliderBuilder::ball(0.02).density(1e3)));
    }
    setup.checked(move |world| {
        all.iter()
            .try_for_each(|bullet| within("way of a bullet", at(world, *bullet).x, -5.0, 8.0))
    })
}

/// A ball on a rope of joints into a wall of boxes.
fn wrecking_ball() -> Setup {
    let mut setup = Setup::with_floor();
    for row in 0..5 {
        for k in 0..4 {
            setup.add(
                [0.0, 0.25 + 0.5 * f64::from(row), 0.5 * f64::from(k)],
                cube(0.25),
            );
        }
    }
    let hook = RigidBodyBuilder::fixed().translation(Vector::new(-0.9, 5.0, 0.75));
    let hook = setup.world.bodies.insert(hook);
    let ball = ColliderBuilder::ball(0.5).density(2000.0);
    let ball = setup.add([-4.9, 5.0, 0.75], ball);
    let joint = SphericalJointBuilder::new().local_anchor2(Vector::new(4.0, 0.0, 0.0));
    setup.world.insert_impulse_joint(hook, ball, joint);
    setup.checked(move |world| {
        let moved = world
            .bodies
            .iter()
            .filter(|(_, rb)| rb.translation().x > 1.0)
            .count();
        within("boxes knocked over", moved as f64, 3.0, 20.0)
    })
}

/// A force-free body spinning about its middle axis flips over and keeps its angular momentum.
fn gyroscope() -> Setup {
    let mut setup = Setup::new();
    setup.world.gravity = Vector::ZERO;
    let spun = RigidBodyBuilder::dynamic()
        .angvel(Vector::new(0.01, 6.0, 0.0))
        .gyroscopic_forces_enabled(true)
        .can_sleep(false);
    let shape = ColliderBuilder::cuboid(0.5, 0.3, 0.1).density(100.0);
    let body = setup.put(spun, [0.0, 0.0, 0.0], shape);
    let momentum = move |world: &PhysicsWorld| {
        let rb = &world.bodies[body];
        let props = rb.mass_properties();
        let local = &props.local_mprops;
        let turn = *rb.rotation() * local.principal_inertia_local_frame;
        turn * (local.principal_inertia() * (turn.inverse() * rb.angvel()))
    };
    setup.checked(move |world| {
        // m/12 times the squared sides, about y: 1 m by 0.2 m; mass 100 * 1 * 0.6 * 0.2.
        let mass = 100.0 * 1.0 * 0.6 * 0.2;
        let expected = mass / 12.0 * (1.0 + 0.04) * 6.0;
        within(
            "momentum",
            momentum(world).y / expected,
            1.0 - 1e-6,
            1.0 + 1e-6,
        )
    })
}
