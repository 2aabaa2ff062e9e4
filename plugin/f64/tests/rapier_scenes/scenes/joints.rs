//! Joints of every kind, in impulse and in reduced coordinates.

use super::{End, Scene, Setup, at, cube, within};
use rapier::prelude::*;
use stickslip_f64::rapier;

/// How far a joint of ours may be open \[m\].
const OPEN: f64 = 1e-6;

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("fixed-joints", 240, End::Motion(1e-6), fixed),
        Scene::new("prismatic-joints", 240, End::Motion(1e-6), prismatic),
        Scene::new("revolute-joints", 240, End::Motion(1e-6), revolute),
        Scene::new("spherical-net", 240, End::Motion(1e-3), net),
        Scene::new("rope-joints", 240, End::Motion(1e-6), ropes),
        Scene::new("spring-joints", 240, End::Motion(1e-6), springs),
        Scene::new("joint-motors", 240, End::Motion(1e-6), motors),
        Scene::new("ragdolls", 300, End::Motion(5e-3), ragdolls),
        Scene::new(
            "multibody-pendulum",
            240,
            End::Motion(1e-6),
            multibody_pendulum,
        ),
        Scene::new("multibody-chain", 300, End::Motion(1e-3), multibody_chain),
        Scene::new("closed-loop", 240, End::Motion(1e-6), closed_loop),
    ]
}

/// How far a joint may be open whose loops are redundant in velocity but not in position \[m\]: such a step
/// holds rates and stretches a link of length r that turns at w by `h^2 w^2 r / 2`, in the long run by 1/K of
/// that; a link that has fallen through its length turns at `w^2 = 2 g / r`. That is `h^2 g / K`; about a
/// millimetre is what happens.
const STRETCHED: f64 = 9.81 / (60.0 * 60.0 * 0.2);

/// Distance of the two anchors of every impulse joint, along the axes it locks.
fn closed(world: &PhysicsWorld) -> Result<(), String> {
    closed_to(world, OPEN)
}

fn closed_to(world: &PhysicsWorld, open: f64) -> Result<(), String> {
    for (handle, joint) in world.impulse_joints.iter() {
        let pose = |body: RigidBodyHandle| *world.bodies[body].position();
        let first = pose(joint.body1()) * joint.data.local_frame1;
        let second = pose(joint.body2()) * joint.data.local_frame2;
        let apart = first.inverse_transform_point(second.translation);
        let locked = joint.data.locked_axes;
        let axes = [
            JointAxesMask::LIN_X,
            JointAxesMask::LIN_Y,
            JointAxesMask::LIN_Z,
        ];
        for (x, axis) in [apart.x, apart.y, apart.z].into_iter().zip(axes) {
            if locked.contains(axis) {
                within(&format!("opening of {handle:?}"), x.abs(), 0.0, open)?;
            }
        }
    }
    Ok(())
}

/// How a chain holds together.
#[derive(Clone, Copy, PartialEq)]
enum Coordinates {
    /// By impulse joints.
    Maximal,
    /// As a multibody.
    Reduced,
}

/// A chain of bodies of unit spacing along x, each joined to the last, the first to the world.
fn chain(
    setup: &mut Setup,
    length: usize,
    coordinates: Coordinates,
    joint: impl Fn(usize) -> GenericJoint,
) -> Vec<RigidBodyHandle> {
    let world = RigidBodyBuilder::fixed().translation(Vector::Y * 8.0);
    let mut last = setup.world.bodies.insert(world);
    let mut all = Vec::new();
    for k in 0..length {
        let next = setup.add([(k + 1) as f64, 8.0, 0.0], cube(0.2));
        if coordinates == Coordinates::Maximal {
            setup.world.insert_impulse_joint(last, next, joint(k));
        } else {
            setup.world.insert_multibody_joint(last, next, joint(k));
        }
        last = next;
        all.push(next);
    }
    all
}

const STEP_X: Vector = Vector::new(1.0, 0.0, 0.0);

fn fixed() -> Setup {
    let mut setup = Setup::new();
    let all = chain(&mut setup, 5, Coordinates::Maximal, |_| {
        FixedJointBuilder::new().local_anchor1(STEP_X).into()
    });
    setup.checked(move |world| {
        closed(world)?;
        let end = at(world, all[4]);
        within(
            "sag of the beam",
            (end - Vector::new(5.0, 8.0, 0.0)).length(),
            0.0,
            OPEN,
        )
    })
}

fn prismatic() -> Setup {
    let mut setup = Setup::new();
    chain(&mut setup, 4, Coordinates::Maximal, |k| {
        let axis = Vector::new(0.3, if k % 2 == 0 { 1.0 } else { -1.0 }, 0.0).normalize();
        PrismaticJointBuilder::new(axis)
            .local_anchor1(STEP_X)
            .limits([-1.0, 0.7])
            .into()
    });
    setup.checked(closed)
}

fn revolute() -> Setup {
    let mut setup = Setup::new();
    chain(&mut setup, 6, Coordinates::Maximal, |k| {
        let axis = if k % 2 == 0 { Vector::Z } else { Vector::Y };
        RevoluteJointBuilder::new(axis).local_anchor1(STEP_X).into()
    });
    setup.checked(closed)
}

fn net() -> Setup {
    let mut setup = Setup::new();
    let n = 6;
    let mut grid = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let pinned = i == 0 && j % 2 == 0;
            let body = if pinned {
                RigidBodyBuilder::fixed()
            } else {
                RigidBodyBuilder::dynamic()
            };
            let place = [f64::from(j), 8.0, f64::from(i)];
            grid.push(setup.put(body, place, ColliderBuilder::ball(0.2).density(100.0)));
        }
    }
    let n = n as usize;
    for k in 0..n * n {
        if k % n > 0 {
            let joint = SphericalJointBuilder::new().local_anchor1(STEP_X);
            setup
                .world
                .insert_impulse_joint(grid[k - 1], grid[k], joint);
        }
        if k >= n {
            let joint = SphericalJointBuilder::new().local_anchor1(Vector::Z);
            setup
                .world
                .insert_impulse_joint(grid[k - n], grid[k], joint);
        }
    }
    setup.checked(|world| {
        let bodies = world.bodies.iter();
        let fastest = bodies.fold(0.0_f64, |v, (_, rb)| v.max(rb.linvel().length()));
        // From at most 5 m up.
        within("speed", fastest, 0.0, 10.0)?;
        closed_to(world, STRETCHED)
    })
}

fn ropes() -> Setup {
    let mut setup = Setup::with_floor();
    let hook = setup
        .world
        .bodies
        .insert(RigidBodyBuilder::fixed().translation(Vector::Y * 6.0));
    let ball = setup.add([2.0, 6.0, 0.0], ColliderBuilder::ball(0.3).density(100.0));
    setup
        .world
        .insert_impulse_joint(hook, ball, RopeJointBuilder::new(3.0));
    setup.checked(move |world| {
        let length = (at(world, ball) - Vector::Y * 6.0).length();
        within("length of the rope", length, 0.0, 3.0 + 1e-4)
    })
}

fn springs() -> Setup {
    let mut setup = Setup::new();
    let hook = setup
        .world
        .bodies
        .insert(RigidBodyBuilder::fixed().translation(Vector::Y * 6.0));
    let mut ends = Vec::new();
    for k in 0..4 {
        let x = f64::from(k) * 2.0;
        let body = setup.add([x, 4.0, 0.0], ColliderBuilder::ball(0.3).mass(1.0));
        let spring = SpringJointBuilder::new(2.0, 100.0, 2.0 + f64::from(k))
            .local_anchor1(Vector::new(x, 0.0, 0.0))
            .spring_model(MotorModel::ForceBased);
        setup.world.insert_impulse_joint(hook, body, spring);
        ends.push(body);
    }
    setup.checked(move |world| {
        // Hanging still, the spring is longer by m g / k.
        let y = at(world, ends[3]).y;
        within(
            "height of the most damped",
            y,
            4.0 - 0.0981 - 0.01,
            4.0 - 0.0981 + 0.01,
        )
    })
}

fn motors() -> Setup {
    let mut setup = Setup::new();
    setup.world.gravity = Vector::ZERO;
    let mut wheels = Vec::new();
    for k in 0..3 {
        let place = Vector::new(2.0 * f64::from(k), 0.0, 0.0);
        let hub = setup
            .world
            .bodies
            .insert(RigidBodyBuilder::fixed().translation(place));
        let wheel = setup.add(
            [place.x, 0.0, 0.0],
            ColliderBuilder::cylinder(0.1, 0.5).density(100.0),
        );
        let speed = f64::from(k) - 1.0;
        let joint = RevoluteJointBuilder::new(Vector::Y).motor_velocity(3.0 * speed, 100.0);
        setup.world.insert_impulse_joint(hub, wheel, joint);
        wheels.push((wheel, 3.0 * speed));
    }
    setup.checked(move |world| {
        closed(world)?;
        wheels.iter().try_for_each(|(wheel, speed)| {
            let spin = world.bodies[*wheel].angvel().y;
            within("spin", spin, speed - 1e-3, speed + 1e-3)
        })
    })
}

/// Torso, head and four limbs on limited spherical joints, dropped.
fn ragdolls() -> Setup {
    let mut setup = Setup::with_floor();
    for k in 0..3 {
        let (x, y) = (2.5 * f64::from(k), 2.0 + 1.5 * f64::from(k));
        let torso = setup.add(
            [x, y, 0.0],
            ColliderBuilder::cuboid(0.25, 0.4, 0.15).density(300.0),
        );
        let mut limb = |dx: f64, dy: f64, shape: ColliderBuilder, anchor: f64| {
            let joint = SphericalJointBuilder::new()
                .local_anchor1(Vector::new(dx, dy - anchor, 0.0))
                .local_anchor2(Vector::new(0.0, -anchor, 0.0))
                .contacts_enabled(false)
                .limits(JointAxis::AngX, [-1.0, 1.0])
                .limits(JointAxis::AngZ, [-1.0, 1.0]);
            let body = setup.add([x + dx, y + dy, 0.0], shape.density(300.0));
            setup.world.insert_impulse_joint(torso, body, joint);
        };
        limb(0.0, 0.6, ColliderBuilder::ball(0.17), 0.19);
        for side in [-1.0, 1.0] {
            limb(
                0.4 * side,
                0.05,
                ColliderBuilder::capsule_y(0.25, 0.08),
                -0.3,
            );
            limb(
                0.15 * side,
                -0.8,
                ColliderBuilder::capsule_y(0.3, 0.1),
                -0.38,
            );
        }
    }
    setup.checked(closed)
}

fn multibody_pendulum() -> Setup {
    let mut setup = Setup::new();
    let all = chain(&mut setup, 3, Coordinates::Reduced, |_| {
        RevoluteJointBuilder::new(Vector::Z)
            .local_anchor1(STEP_X)
            .into()
    });
    setup.checked(move |world| {
        let mut last = Vector::Y * 8.0;
        all.iter().try_for_each(|body| {
            let now = at(world, *body);
            let length = (now - last).length();
            last = now;
            within("length of a link", length, 1.0 - OPEN, 1.0 + OPEN)
        })
    })
}

/// A chain that falls onto a post and hangs over it.
fn multibody_chain() -> Setup {
    let mut setup = Setup::with_floor();
    chain(&mut setup, 10, Coordinates::Reduced, |_| {
        SphericalJointBuilder::new().local_anchor1(STEP_X).into()
    });
    let post = ColliderBuilder::cylinder(3.0, 0.3).translation(Vector::new(3.0, 3.0, 0.0));
    setup.world.colliders.insert(post);
    setup
}

/// A four-bar of impulse joints, driven by its weight.
fn closed_loop() -> Setup {
    let mut setup = Setup::new();
    let frame = setup
        .world
        .bodies
        .insert(RigidBodyBuilder::fixed().translation(Vector::Y * 5.0));
    let bar = |half: f64| {
        ColliderBuilder::cuboid(half, 0.05, 0.05)
            .density(100.0)
            .collision_groups(InteractionGroups::none())
    };
    let crank = setup.add([0.5, 5.0, 0.0], bar(0.5));
    let coupler = setup.add([2.0, 5.0, 0.0], bar(1.0));
    let rocker = setup.add([3.0, 4.25, 0.0], bar(0.05));
    let hinge = |a: [f64; 2], b: [f64; 2]| {
        RevoluteJointBuilder::new(Vector::Z)
            .local_anchor1(Vector::new(a[0], a[1], 0.0))
            .local_anchor2(Vector::new(b[0], b[1], 0.0))
    };
    let joints = [
        (frame, crank, hinge([0.0, 0.0], [-0.5, 0.0])),
        (crank, coupler, hinge([0.5, 0.0], [-1.0, 0.0])),
        (coupler, rocker, hinge([1.0, 0.0], [0.0, 0.75])),
        (frame, rocker, hinge([3.0, -1.5], [0.0, -0.75])),
    ];
    for (a, b, joint) in joints {
        setup.world.insert_impulse_joint(a, b, joint);
    }
    setup.checked(closed)
}
