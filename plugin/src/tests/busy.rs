//! A scene with everything that leaves a trace from step to step, and the bits of a state.

use super::{World, num, vec3};
use crate::{ContactMaterial, ModelName, Sleeping};
use rapier::prelude::*;

pub(super) const H: f64 = 0.005;

fn cuboid(size: f64) -> ColliderBuilder {
    ColliderBuilder::cuboid(num(size), num(size), num(size)).density(num(500.0))
}

/// Heavy enough for an explicit step under the viscous friction of the scene.
fn ball(radius: f64) -> ColliderBuilder {
    ColliderBuilder::ball(num(radius)).mass(num(1.0))
}

fn at(x: f64, y: f64, z: f64) -> RigidBodyBuilder {
    RigidBodyBuilder::dynamic().translation(vec3(x, y, z))
}

/// A trunk on four legs of two links, its knees and hips driven with little force, so that some
/// drives saturate. The trunk's centre of mass is off its origin.
fn quadruped(world: &mut World, x: f64, y: f64) -> RigidBodyHandle {
    let trunk = world.add(
        at(x, y, 0.42),
        ColliderBuilder::cuboid(num(0.25), num(0.12), num(0.06))
            .translation(vec3(0.02, -0.01, 0.01))
            .mass(num(6.0)),
    );
    for (k, (dx, dy)) in [(0.2, 0.15), (0.2, -0.15), (-0.2, 0.15), (-0.2, -0.15)]
        .into_iter()
        .enumerate()
    {
        let phase = 0.2 * k as f64;
        let thigh = world.add(
            RigidBodyBuilder::dynamic(),
            ColliderBuilder::capsule_z(num(0.07), num(0.02))
                .translation(vec3(0.0, 0.0, -0.1))
                .mass(num(0.8)),
        );
        let shank = world.add(
            RigidBodyBuilder::dynamic(),
            ColliderBuilder::ball(num(0.03))
                .translation(vec3(0.0, 0.0, -0.18))
                .friction(num(0.8))
                .mass(num(0.3)),
        );
        let hip = RevoluteJointBuilder::new(Vector::Y)
            .local_anchor1(vec3(dx, dy, 0.0))
            .contacts_enabled(false)
            .motor_model(MotorModel::ForceBased)
            .motor_position(num(0.4 + phase), num(150.0), num(3.0))
            .motor_max_force(num(12.0));
        let knee = RevoluteJointBuilder::new(Vector::Y)
            .local_anchor1(vec3(0.0, 0.0, -0.2))
            .contacts_enabled(false)
            .limits([num(-1.2), num(0.3)])
            .motor_model(MotorModel::ForceBased)
            .motor_position(num(-0.8), num(150.0), num(3.0))
            .motor_max_force(num(6.0));
        let joints = &mut world.multibody_joints;
        joints.insert(trunk, thigh, hip, true).unwrap();
        joints.insert(thigh, shank, knee, true).unwrap();
    }
    world.multibody(trunk).damping_mut().fill(num(0.0));
    trunk
}

/// Two rods that hang from the world by hinges, their ends joined: a loop of impulse joints.
fn swing(world: &mut World) {
    let anchor = world.bodies.insert(RigidBodyBuilder::fixed());
    let rod = |world: &mut World, x: f64| {
        world.add(
            at(x, -3.0, 1.5),
            ColliderBuilder::capsule_z(num(0.45), num(0.05)).density(num(300.0)),
        )
    };
    let (left, right) = (rod(world, 0.0), rod(world, 0.6));
    let bar = world.add(
        at(0.3, -3.0, 1.0),
        ColliderBuilder::cuboid(num(0.3), num(0.03), num(0.03)).density(num(300.0)),
    );
    let hinge = |a: Vector, b: Vector| {
        RevoluteJointBuilder::new(Vector::Y)
            .local_anchor1(a)
            .local_anchor2(b)
            .contacts_enabled(false)
    };
    let (top, foot) = (vec3(0.0, 0.0, 0.5), vec3(0.0, 0.0, -0.5));
    let joints = &mut world.impulse_joints;
    joints.insert(anchor, left, hinge(vec3(0.0, -3.0, 2.0), top), true);
    joints.insert(anchor, right, hinge(vec3(0.6, -3.0, 2.0), top), true);
    joints.insert(left, bar, hinge(foot, vec3(-0.3, 0.0, 0.0)), true);
    joints.insert(right, bar, hinge(foot, vec3(0.3, 0.0, 0.0)), true);
    world.bodies[bar].set_linvel(vec3(1.5, 0.0, 0.0), true);
}

/// Two bars joined by a hinge that lie on the ground and soon fall asleep, until a ball drops on them.
fn lying(world: &mut World) {
    let bar = || ColliderBuilder::cuboid(num(0.2), num(0.1), num(0.05)).mass(num(1.0));
    let left = world.add(at(4.0, 0.0, 0.05), bar());
    let right = world.add(at(4.5, 0.0, 0.05), bar());
    let joint = RevoluteJointBuilder::new(Vector::Y)
        .local_anchor1(vec3(0.25, 0.0, 0.0))
        .local_anchor2(vec3(-0.25, 0.0, 0.0))
        .contacts_enabled(false);
    let joints = &mut world.multibody_joints;
    joints.insert(left, right, joint, true).unwrap();
    world.multibody(left).damping_mut().fill(num(0.0));
    for body in [left, right] {
        tire(world, body);
    }
    let ball = ball(0.1).restitution(num(0.3));
    world.add(at(4.05, 0.02, 1.2), ball);
}

/// Lets a body fall asleep soon.
fn tire(world: &mut World, body: RigidBodyHandle) {
    world.bodies[body].activation_mut().time_until_sleep = num(0.05);
}

/// A bullet on its way through a thin wall.
fn bullet(world: &mut World) {
    let bullet = at(-8.0, 8.0, 1.0)
        .linvel(vec3(60.0, 0.5, 0.0))
        .ccd_enabled(true);
    world.add(
        bullet,
        ColliderBuilder::ball(num(0.04)).restitution(num(0.5)),
    );
    let wall = ColliderBuilder::cuboid(num(0.01), num(1.0), num(1.0));
    world
        .colliders
        .insert(wall.translation(vec3(0.0, 8.0, 1.0)));
}

/// Stacks of aligned boxes (whose corners detection loses now and then) of which one soon sleeps, a
/// bouncing ball and a tumbling box, a platform that carries a box, a robot that stands up and falls
/// over, a swing, a sleeper that is woken, a bullet.
pub(super) fn scene(model: ModelName) -> World {
    let mut world = World::with_model(H, model);
    world.pipeline.set_sleeping(Sleeping::Allowed);
    let material = ContactMaterial {
        mu_viscous: 40.0,
        ..ContactMaterial::default()
    };
    world.pipeline.set_material(material).unwrap();
    world.ground();
    for (stack, height) in [(0, 4), (1, 3)] {
        for k in 0..height {
            let z = 0.2 + 0.4 * f64::from(k);
            let body = world.add(at(-2.0 - f64::from(stack), 0.0, z), cuboid(0.2));
            if stack == 1 {
                tire(&mut world, body);
            }
        }
    }
    world.add(at(2.0, 0.0, 0.8), ball(0.15).restitution(num(0.9)));
    let tumbling = at(2.0, 2.0, 1.0)
        .rotation(vec3(0.4, 0.3, 0.0))
        .angvel(vec3(1.0, -2.0, 0.5));
    world.add(tumbling, cuboid(0.15).restitution(num(0.4)));
    let platform = world.add(
        RigidBodyBuilder::kinematic_velocity_based().translation(vec3(0.0, 3.0, 0.3)),
        ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.1)),
    );
    world.bodies[platform].set_linvel(vec3(0.3, 0.0, 0.0), true);
    let cargo = world.add(at(0.0, 3.0, 0.6), cuboid(0.2));
    let collider = world.bodies[cargo].colliders()[0];
    let grained = ContactMaterial {
        mu_across: Some(0.2),
        grain: Some(vec3(1.0, 0.3, 0.0)),
        mu_viscous: 60.0,
        ..ContactMaterial::default()
    };
    let own = Some(grained);
    world.pipeline.set_collider_material(collider, own).unwrap();
    quadruped(&mut world, 0.0, 0.0);
    swing(&mut world);
    lying(&mut world);
    bullet(&mut world);
    world
}

/// The same among robots and towers that don't touch each other.
#[cfg(feature = "parallel")]
pub(super) fn crowd(model: ModelName) -> World {
    let mut world = scene(model);
    for row in 0..8 {
        let y = 11.0 + 2.0 * f64::from(row);
        for k in 0..3 {
            let offset = 0.03 * f64::from(k * row);
            world.add(
                at(-2.0 + offset, y, 0.21 + 0.41 * f64::from(k)),
                cuboid(0.2),
            );
        }
        quadruped(&mut world, 0.1 * f64::from(row), y);
    }
    world
}

/// FNV-1a over the bits of every pose and velocity, in the order of the set.
pub(super) fn bits(world: &World) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (_, rb) in world.bodies.iter() {
        let (p, r) = (rb.translation(), rb.rotation());
        let (v, w) = (rb.linvel(), rb.angvel());
        let numbers = [
            p.x, p.y, p.z, r.x, r.y, r.z, r.w, v.x, v.y, v.z, w.x, w.y, w.z,
        ];
        for x in numbers {
            hash = (hash ^ crate::base::convert::real(x).to_bits())
                .wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

/// The models of the bit tests: one of each kind of solver and of warm start.
pub(super) const MODELS: &[ModelName] = &[
    ModelName::NoSlip,
    ModelName::NoSlipReleasing,
    ModelName::Viscous,
    #[cfg(feature = "reference")]
    ModelName::ViscousAcceleration,
    ModelName::Cone,
    #[cfg(feature = "reference")]
    ModelName::StewartTrinkle,
    #[cfg(feature = "reference")]
    ModelName::CoulombAcceleration,
];
