//! What stands, falls and bounces.

use super::{End, Scene, Setup, at, cube, within};
use rapier::prelude::*;
use stickslip_f64::{ModelName, rapier};

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("stack", 240, End::Rest, stack),
        Scene::new("pyramid", 180, End::Rest, pyramid),
        Scene::new("mass-ratio", 240, End::Rest, mass_ratio),
        Scene::new("dominoes", 240, End::Motion(1e-3), dominoes).under(ModelName::Cone),
        Scene::new("restitution", 120, End::Motion(1e-3), restitution),
        Scene::new("friction-ramp", 120, End::Motion(1e-6), friction_ramp),
        Scene::new("damping", 120, End::Motion(1e-9), damping),
        Scene::new("locked-rotations", 240, End::Motion(1e-6), locked_rotations),
        Scene::new("sleeping-grid", 240, End::Rest, sleeping_grid),
        Scene::new("add-remove", 400, End::Motion(1e-2), add_remove),
    ]
}

fn stack() -> Setup {
    let mut setup = Setup::with_floor();
    for k in 0..10 {
        setup.add([0.0, 0.5 + f64::from(k), 0.0], cube(0.5));
    }
    let top = setup.world.bodies.iter().map(|(h, _)| h).last();
    setup.checked(move |world| {
        let top = at(world, top.unwrap_or_default());
        within("height of the top", top.y, 9.499_99, 9.500_01)?;
        within("drift of the top", top.x.hypot(top.z), 0.0, 1e-6)
    })
}

fn pyramid() -> Setup {
    let mut setup = Setup::with_floor();
    let rows = 8;
    for row in 0..rows {
        for k in 0..rows - row {
            let x = f64::from(k) * 1.05 + f64::from(row) * 0.525;
            setup.add([x, 0.5 + f64::from(row), 0.0], cube(0.5));
        }
    }
    setup
}

/// C5: 1 t on 1 kg, let go 1 mm above one another.
fn mass_ratio() -> Setup {
    let mut setup = Setup::with_floor();
    let shape = |mass: f64| ColliderBuilder::cuboid(0.5, 0.5, 0.5).mass(mass);
    setup.add([0.0, 0.501, 0.0], shape(1.0));
    let heavy = setup.add([0.0, 1.502, 0.0], shape(1000.0));
    setup.checked(move |world| within("height", at(world, heavy).y, 1.499_99, 1.500_01))
}

fn dominoes() -> Setup {
    let mut setup = Setup::with_floor();
    let shape = || ColliderBuilder::cuboid(0.05, 0.5, 0.25).density(100.0);
    let mut last = RigidBodyHandle::invalid();
    for k in 0..8 {
        last = setup.add([0.4 * f64::from(k), 0.5, 0.0], shape());
    }
    let ball = RigidBodyBuilder::dynamic().linvel(Vector::new(6.0, 0.0, 0.0));
    setup.put(
        ball,
        [-0.6, 0.8, 0.0],
        ColliderBuilder::ball(0.2).density(300.0),
    );
    setup.checked(move |world| within("height of the last", at(world, last).y, 0.0, 0.45))
}

/// Balls of e = 0, 0.1 .. 1 let go at 1 m: after the first bounce they rise to e^2 of it.
fn restitution() -> Setup {
    let mut setup = Setup::with_floor();
    setup.world.integration_parameters.dt = 1e-3;
    let floor = setup.world.colliders.iter().next().map(|(h, _)| h);
    if let Some(floor) = floor.and_then(|h| setup.world.colliders.get_mut(h)) {
        floor.set_restitution(1.0);
        floor.set_restitution_combine_rule(CoefficientCombineRule::Multiply);
    }
    let mut balls = Vec::new();
    for k in 0..=10 {
        let e = 0.1 * f64::from(k);
        let ball = ColliderBuilder::ball(0.1)
            .restitution(e)
            .restitution_combine_rule(CoefficientCombineRule::Multiply);
        // At 4.2 m/s after falling 0.9 m: it touches at once.
        let fast = RigidBodyBuilder::dynamic().linvel(Vector::new(0.0, -4.2, 0.0));
        balls.push((e, setup.put(fast, [f64::from(k), 0.15, 0.0], ball)));
    }
    setup.checked(move |world| {
        for (e, ball) in &balls {
            // Energy above the floor after the bounce, by height and speed.
            let rb = &world.bodies[*ball];
            let v = rb.linvel().y;
            let energy = 0.5 * v * v + 9.81 * (rb.translation().y - 0.1);
            let came = 0.5 * 4.2 * 4.2 + 9.81 * 0.05;
            within("energy kept", energy / came, e * e - 0.02, e * e + 0.02)?;
        }
        Ok(())
    })
}

/// Boxes on a ramp of slope 0.3: the default model sticks whatever the coefficient.
fn friction_ramp() -> Setup {
    let mut setup = Setup::new();
    let angle = 0.3_f64.atan();
    let ramp = ColliderBuilder::cuboid(20.0, 0.5, 20.0)
        .rotation(Vector::new(0.0, 0.0, angle))
        .friction(1.0);
    setup.world.colliders.insert(ramp);
    let (s, c) = angle.sin_cos();
    for k in 0..5 {
        let along = f64::from(k) * 1.5 - 3.0;
        let body = RigidBodyBuilder::dynamic().rotation(Vector::new(0.0, 0.0, angle));
        setup.put(
            body,
            [along * c - 0.75 * s, along * s + 0.75 * c, 0.0],
            ColliderBuilder::cuboid(0.25, 0.25, 0.25).friction(0.5 + 0.1 * f64::from(k)),
        );
    }
    let start: Vec<_> = setup
        .world
        .bodies
        .iter()
        .map(|(h, rb)| (h, rb.translation()))
        .collect();
    setup.checked(move |world| {
        start.iter().try_for_each(|(body, from)| {
            within("slip", (at(world, *body) - *from).length(), 0.0, 1e-6)
        })
    })
}

/// Without gravity, velocities fall by 1 / (1 + h c) a step.
fn damping() -> Setup {
    let mut setup = Setup::new();
    setup.world.gravity = Vector::ZERO;
    let mut bodies = Vec::new();
    for k in 0..5 {
        let c = 0.5 * f64::from(k);
        let body = RigidBodyBuilder::dynamic()
            .linvel(Vector::new(1.0, 0.0, 0.0))
            .angvel(Vector::new(0.0, 2.0, 0.0))
            .can_sleep(false)
            .linear_damping(c)
            .angular_damping(2.0 * c);
        bodies.push((
            c,
            setup.put(body, [0.0, 3.0 * f64::from(k), 0.0], cube(0.5)),
        ));
    }
    setup.checked(move |world| {
        let h: f64 = 1.0 / 60.0;
        for (c, body) in &bodies {
            let rb = &world.bodies[*body];
            let kept = |c: f64| (1.0 + h * c).powi(-120);
            within("speed", rb.linvel().x / kept(*c), 0.999, 1.001)?;
            within("spin", rb.angvel().y / (2.0 * kept(2.0 * c)), 0.999, 1.001)?;
        }
        Ok(())
    })
}

fn locked_rotations() -> Setup {
    let mut setup = Setup::with_floor();
    let upright = RigidBodyBuilder::dynamic().lock_rotations();
    let pole = setup.put(
        upright,
        [0.0, 1.1, 0.0],
        ColliderBuilder::cuboid(0.1, 1.0, 0.1),
    );
    let one_axis = RigidBodyBuilder::dynamic()
        .enabled_rotations(false, true, false)
        .angvel(Vector::new(1.0, 3.0, 1.0));
    let top = setup.put(
        one_axis,
        [3.0, 1.1, 0.0],
        ColliderBuilder::cuboid(0.1, 1.0, 0.1),
    );
    setup.checked(move |world| {
        for body in [pole, top] {
            let up = world.bodies[body].rotation() * Vector::Y;
            within("uprightness", up.y, 1.0 - 1e-9, 1.0 + 1e-9)?;
            within("height", at(world, body).y, 0.999, 1.001)?;
        }
        Ok(())
    })
}

fn sleeping_grid() -> Setup {
    let mut setup = Setup::with_floor();
    for x in 0..8 {
        for z in 0..8 {
            setup.add([2.0 * f64::from(x), 0.5, 2.0 * f64::from(z)], cube(0.5));
        }
    }
    setup.checked(|world| {
        let awake = world
            .bodies
            .iter()
            .filter(|(_, rb)| !rb.is_sleeping())
            .count();
        within("bodies awake", awake as f64, 0.0, 0.0)
    })
}

/// Bodies come and go, supports of others among them.
fn add_remove() -> Setup {
    let setup = Setup::with_floor();
    let mut known: Vec<RigidBodyHandle> = Vec::new();
    setup.driven(move |world, step| {
        if step % 30 == 0 {
            let k = step / 30;
            let body = RigidBodyBuilder::dynamic().translation(Vector::new(
                (k % 3) as f64 * 0.3,
                4.0,
                (k % 2) as f64 * 0.2,
            ));
            let body = world.bodies.insert(body);
            let shape = if k % 2 == 0 {
                cube(0.4)
            } else {
                ColliderBuilder::ball(0.4)
            };
            world
                .colliders
                .insert_with_parent(shape, body, &mut world.bodies);
            known.push(body);
        }
        if step % 90 == 89 {
            let body = known.remove(0);
            world.remove_body(body);
        }
    })
}
