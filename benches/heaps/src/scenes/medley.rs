//! Worlds drawn by a seed from everything the engine offers: nobody tuned for them.

use super::entry::Entry;
use super::kit::*;
use crate::random::Random;

pub(super) const ENTRIES: &[Entry] = &[drawn(
    "medley",
    "bodies of every shape and joint on every ground, by seed",
    medley,
)];

/// A scene of drawn bodies, by its number of them.
pub(super) const fn drawn(
    name: &'static str,
    about: &'static str,
    make: fn(&mut Setup, usize),
) -> Entry {
    Entry::new(name, about, make).sized(24, 240).short(8, 60)
}

fn medley(setup: &mut Setup, n: usize) {
    fill(setup, n);
}

/// A ground, now and then something that moves by itself, and `n` bodies above, some joined to the one before them.
pub(super) fn fill(setup: &mut Setup, n: usize) -> Vec<RigidBodyHandle> {
    ground(setup);
    if setup.random.unit() < 0.5 {
        mover(setup);
    }
    let mut joined: Vec<RigidBodyHandle> = Vec::new();
    let per_side = ((n as f64).cbrt().ceil() as usize).max(2);
    let pitch = setup.random.between(0.6, 1.0);
    for k in 0..n {
        let [x, y, z] = layered(k, per_side);
        let jitter = setup.random.three().map(|u| 0.1 * (u - 0.5));
        let middle = 0.5 * (per_side - 1) as f64;
        let at = [
            pitch * (x - middle) + jitter[0],
            1.2 + pitch * y + jitter[1],
            pitch * (z - middle) + jitter[2],
        ];
        let drawn = body(&mut setup.random);
        setup.driven_speed = setup.driven_speed.max(drawn.speed);
        if drawn.bounces {
            setup.energy = Energy::Driven;
        }
        let body = setup.put(drawn.body, at, drawn.shapes);
        if let Some(&parent) = joined.last()
            && setup.random.unit() < 0.4
        {
            let speed = join((&mut setup.world, &mut setup.random), parent, body);
            if let Some(speed) = speed {
                setup.energy = Energy::Driven;
                setup.driven_speed = setup.driven_speed.max(speed);
            }
        }
        joined.push(body);
    }
    joined
}

/// A floor of one of the engine's kinds, and now and then walls.
fn ground(setup: &mut Setup) {
    match pick(&mut setup.random, 4) {
        0 => setup.floor(),
        1 => {
            let half_space = plain(ColliderBuilder::halfspace(nalgebra::Unit::new_unchecked(
                Vector::Y,
            )));
            setup.fixed([0.0; 3], half_space);
        }
        2 => {
            let (vertices, faces) = bumps(&mut setup.random);
            let mesh = ColliderBuilder::trimesh(vertices, faces);
            if let Ok(mesh) = mesh {
                setup.fixed([0.0; 3], plain(mesh));
            }
            setup.ground = -0.3;
            setup.fixed([0.0, -1.0, 0.0], cuboid([50.0, 0.5, 50.0]));
        }
        _ => {
            let mut random = setup.random.clone();
            let heights = Array2::new(
                12,
                12,
                (0..144).map(|_| real(random.between(-0.2, 0.2))).collect(),
            );
            let scale = vector([12.0, 1.0, 12.0]);
            setup.fixed(
                [0.0; 3],
                plain(ColliderBuilder::heightfield(heights, scale)),
            );
            setup.ground = -0.3;
            setup.fixed([0.0, -1.0, 0.0], cuboid([50.0, 0.5, 50.0]));
        }
    }
    if setup.random.unit() < 0.5 {
        for (at, size) in walls(2.0, 3.0, 0.25) {
            setup.fixed(at, cuboid(size));
        }
    }
}

/// A bumpy floor of triangles, 12 m wide.
fn bumps(random: &mut Random) -> (Vec<Vector>, Vec<[u32; 3]>) {
    const SIDE: u32 = 12;
    let mut vertices = Vec::new();
    for i in 0..=SIDE {
        for k in 0..=SIDE {
            let [x, z] = [i, k].map(|j| f64::from(j) - 0.5 * f64::from(SIDE));
            vertices.push(vector([x, random.between(-0.2, 0.2), z]));
        }
    }
    let mut faces = Vec::new();
    for i in 0..SIDE {
        for k in 0..SIDE {
            let a = i * (SIDE + 1) + k;
            faces.push([a, a + 1, a + SIDE + 1]);
            faces.push([a + 1, a + SIDE + 2, a + SIDE + 1]);
        }
    }
    (vertices, faces)
}

/// Something that moves by itself among the bodies.
fn mover(setup: &mut Setup) {
    let kind = pick(&mut setup.random, 3);
    let speed = setup.random.between(0.5, 2.0);
    let size = match kind {
        0 => [1.0, 0.1, 0.2],
        1 => [0.4, 0.4, 0.4],
        _ => [1.5, 0.1, 1.5],
    };
    let bar = setup.mover([0.0, 0.6, 0.0], [cuboid(size)]);
    setup.driven_speed += 2.0 * speed;
    let dt = setup.dt;
    setup.each_step(move |world, step| {
        let t = dt * step as f64;
        let body = &mut world.bodies[bar];
        match kind {
            0 => body.set_angvel(vector([0.0, speed, 0.0]), true),
            1 => body.set_linvel(
                vector([speed * (2.0 * t).cos(), 0.0, speed * t.sin()]),
                true,
            ),
            _ => body.set_linvel(vector([0.0, 0.5 * speed * (3.0 * t).cos(), 0.0]), true),
        }
    });
}

/// A body that was drawn.
pub(super) struct Drawn {
    pub(super) body: RigidBodyBuilder,
    pub(super) shapes: Vec<ColliderBuilder>,
    bounces: bool,
    /// The speed that its spin gives others \[m/s\].
    speed: f64,
}

/// A dynamic body of one of the shapes, with its own material.
pub(super) fn body(random: &mut Random) -> Drawn {
    let turn = random.three().map(|u| 3.0 * (u - 0.5));
    let size = random.between(0.12, 0.25);
    let shape = shape(random, size);
    let density = real(10.0_f64.powf(random.between(2.0, 4.0)));
    let friction = real(random.between(0.0, 1.2));
    let bounces = random.unit() < 0.15;
    let shape = shape.density(density).friction(friction);
    let shape = match bounces {
        true => shape.restitution(real(random.between(0.2, 0.9))),
        false => shape,
    };
    let mut speed = 0.0;
    let mut body = RigidBodyBuilder::dynamic().rotation(vector(turn));
    match pick(random, 12) {
        0 => body = body.lock_rotations(),
        1 => body = body.enabled_translations(true, true, random.unit() < 0.5),
        2 => body = body.linear_damping(real(random.between(0.0, 2.0))),
        3 => body = body.angular_damping(real(random.between(0.0, 2.0))),
        4 => body = body.gravity_scale(real(random.between(0.2, 1.0))),
        5 => body = body.dominance_group(1),
        6 => body = body.ccd_enabled(true),
        7 => {
            let spin = random.three().map(|u| 20.0 * (u - 0.5));
            body = body.angvel(vector(spin));
            speed = 20.0 * size;
        }
        8 => {
            let throw = random.three().map(|u| 6.0 * (u - 0.5));
            body = body.linvel(vector(throw));
        }
        _ => {}
    }
    let mut shapes = vec![shape];
    if pick(random, 6) == 0 {
        let aside = cuboid([0.5 * size, 0.3 * size, 0.3 * size]);
        shapes.push(aside.translation(vector([size, 0.0, 0.0])));
    }
    Drawn {
        body,
        shapes,
        bounces,
        speed,
    }
}

/// One of the shapes, about `size` in half its width.
fn shape(random: &mut Random, size: f64) -> ColliderBuilder {
    let [a, b, c] = random.three().map(|u| size * (0.4 + 0.6 * u));
    match pick(random, 9) {
        0 | 1 => cuboid([a, b, c]),
        2 => ball(size),
        3 => capsule(a, 0.6 * b),
        4 => cylinder(a, b),
        5 => plain(ColliderBuilder::cone(real(a), real(b))),
        6 => {
            let points: Vec<_> = (0..10)
                .map(|_| vector(random.three().map(|u| 2.0 * size * (u - 0.5))))
                .collect();
            let hull = ColliderBuilder::convex_hull(&points);
            hull.map_or_else(|| cuboid([a, b, c]), plain)
        }
        7 => {
            let round = 0.2 * size;
            plain(ColliderBuilder::round_cuboid(
                real(a),
                real(b),
                real(c),
                real(round),
            ))
        }
        _ => plain(ColliderBuilder::round_cylinder(
            real(a),
            real(b),
            real(0.1 * size),
        )),
    }
}

/// Joins two bodies where they are, by one of the joints. Speed that its motor or spring gives, if it has one \[m/s\].
pub(super) fn join(
    (world, random): (&mut PhysicsWorld, &mut Random),
    parent: RigidBodyHandle,
    child: RigidBodyHandle,
) -> Option<f64> {
    let mut speed = None;
    let [first, second] = [parent, child].map(|h| *world.bodies[h].position());
    // The pivot is midway, given in the axes of both.
    let pivot = (first.translation + second.translation) * real(0.5);
    let [a, b] = [first, second].map(|p| p.inverse_transform_point(pivot));
    // Axes of the joint in both bodies: those of the world.
    let [turn_a, turn_b] = [first, second].map(|p| p.rotation.inverse());
    let (kind, motor, limited) = (pick(random, 6), random.unit() < 0.4, random.unit() < 0.5);
    let contacts = random.unit() < 0.3;
    let mut joint = match kind {
        0 => GenericJointBuilder::new(JointAxesMask::LOCKED_FIXED_AXES),
        1 => GenericJointBuilder::new(JointAxesMask::LOCKED_REVOLUTE_AXES),
        2 => GenericJointBuilder::new(JointAxesMask::LOCKED_PRISMATIC_AXES),
        3 => GenericJointBuilder::new(JointAxesMask::LOCKED_SPHERICAL_AXES),
        4 => GenericJointBuilder::new(JointAxesMask::empty()),
        _ => GenericJointBuilder::new(JointAxesMask::LIN_X | JointAxesMask::LIN_Z),
    };
    joint = joint
        .local_frame1(Pose::from_parts(a, turn_a))
        .local_frame2(Pose::from_parts(b, turn_b))
        .contacts_enabled(contacts);
    let axis = match kind {
        1 | 3 => Some(JointAxis::AngX),
        2 => Some(JointAxis::LinX),
        5 => Some(JointAxis::LinY),
        _ => None,
    };
    if kind == 4 {
        // A spring between the two pivots.
        speed = Some(0.0);
        for axis in [JointAxis::LinX, JointAxis::LinY, JointAxis::LinZ] {
            joint = joint.motor_position(axis, 0.0, real(200.0), real(5.0));
        }
    }
    if let Some(axis) = axis {
        if limited {
            joint = joint.limits(axis, [real(-0.5), real(0.5)]);
        }
        if motor {
            speed = Some(3.0);
            joint = joint
                .motor_velocity(axis, real(random.between(-3.0, 3.0)), real(10.0))
                .motor_max_force(axis, real(random.between(1.0, 100.0)));
        }
    }
    let bodies = [parent, child].map(|h| &world.bodies[h]);
    // Links have no locks of their own.
    let may_be_links = bodies.iter().all(|rb| rb.locked_axes().is_empty());
    if random.unit() < 0.3 && kind < 4 && may_be_links {
        world.insert_multibody_joint(parent, child, joint);
    } else {
        world.insert_impulse_joint(parent, child, joint);
    }
    speed
}

/// A whole number below `n`.
pub(super) fn pick(random: &mut Random, n: usize) -> usize {
    ((random.unit() * n as f64) as usize).min(n - 1)
}
