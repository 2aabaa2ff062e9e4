//! Drives, limits, springs, dampers, dry friction and couplings, on sliders with closed forms.

use super::{EPS, World, assert_close, num, vec3};
use rapier::prelude::*;

const H: f64 = 0.01;
const MASS: f64 = 2.0;

/// A mass of 2 kg on a slider along x from a fixed root; no gravity.
fn slider(
    world: &mut World,
    root: RigidBodyHandle,
    joint: impl FnOnce(PrismaticJointBuilder) -> PrismaticJointBuilder,
) -> RigidBodyHandle {
    world.gravity = Vector::ZERO;
    let shape = ColliderBuilder::ball(num(0.05)).mass(num(MASS));
    let body = world.add(RigidBodyBuilder::dynamic(), shape);
    let joint = joint(PrismaticJointBuilder::new(Vector::X).contacts_enabled(false));
    world
        .multibody_joints
        .insert(root, body, joint, true)
        .unwrap();
    world.settle_root(body);
    body
}

fn root(world: &mut World) -> RigidBodyHandle {
    world.bodies.insert(RigidBodyBuilder::fixed())
}

/// Implicit drive: (m + h kd + h^2 kp) v+ = m v + h kp (q* - q), step by step.
#[test]
fn a_drive_is_implicit() {
    let (kp, kd) = (300.0, 20.0);
    let mut world = World::new(H);
    let root = root(&mut world);
    let body = slider(&mut world, root, |joint| {
        joint
            .motor_model(MotorModel::ForceBased)
            .motor_position(num(0.3), num(kp), num(kd))
    });
    let (mut q, mut v) = (0.0, 0.0);
    for _ in 0..50 {
        world.step();
        v = (MASS * v + H * kp * (0.3 - q)) / (MASS + H * kd + H * H * kp);
        q += H * v;
    }
    assert_close(world.coordinate(body, 0), q, 100.0 * EPS);
    assert_close(world.linvel(body).x, v, 100.0 * EPS);
}

/// An acceleration-based drive on a slider is a force-based one times the mass.
#[test]
fn acceleration_based_drives_scale_with_the_inertia() {
    let mut end = [0.0; 2];
    for (k, end) in end.iter_mut().enumerate() {
        let mut world = World::new(H);
        let root = root(&mut world);
        let (model, scale) = if k == 0 {
            (MotorModel::ForceBased, MASS)
        } else {
            (MotorModel::AccelerationBased, 1.0)
        };
        let body = slider(&mut world, root, |joint| {
            joint
                .motor_model(model)
                .motor_position(num(0.3), num(100.0 * scale), num(5.0 * scale))
        });
        world.run(30);
        *end = world.coordinate(body, 0);
    }
    assert_close(end[0], end[1], 100.0 * EPS);
}

/// Past its effort limit a drive pushes with that limit: v = F t / m, never more.
#[test]
fn a_saturated_drive_pushes_with_its_effort_limit() {
    let mut world = World::new(H);
    let root = root(&mut world);
    let body = slider(&mut world, root, |joint| {
        joint
            .motor_model(MotorModel::ForceBased)
            .motor_position(num(1.0), num(1e3), num(2e3))
            .motor_max_force(num(3.0))
    });
    world.run(20);
    assert_close(world.linvel(body).x, 3.0 / MASS * 20.0 * H, 100.0 * EPS);
    // It arrives and holds, back inside its limit.
    world.run(4000);
    // In f32 the last steps are smaller than the spacing of numbers near 1.
    assert_close(world.coordinate(body, 0), 1.0, EPS.max(1e-6));
}

/// The limit stops the slider where it is: the gap closes within the step and no further.
#[test]
fn a_joint_limit_is_reached_and_not_passed() {
    let mut world = World::new(H);
    let root = root(&mut world);
    let body = slider(&mut world, root, |joint| {
        joint.limits([num(-0.2), num(0.1)])
    });
    world.multibody(body).generalized_velocity_mut()[0] = num(0.7);
    let mut farthest: f64 = 0.0;
    for _ in 0..40 {
        world.step();
        farthest = farthest.max(world.coordinate(body, 0));
    }
    assert_close(farthest, 0.1, 10.0 * EPS);
    assert_close(world.linvel(body).x, 0.0, 10.0 * EPS);
}

/// Dry friction holds against less than its force and takes its force off more.
#[test]
fn dry_friction_holds_and_slides() {
    for (push, expected) in [(1.9, 0.0), (3.0, 1.0 / MASS), (-3.0, -1.0 / MASS)] {
        let mut world = World::new(H);
        let root = root(&mut world);
        let body = slider(&mut world, root, |joint| joint);
        world.multibody(body).frictions_mut()[0] = num(2.0);
        world.bodies[body].add_force(vec3(push, 0.0, 0.0), true);
        world.run(10);
        assert_close(world.linvel(body).x, expected * 10.0 * H, 10.0 * EPS);
    }
}

/// Viscous damping, implicit: v+ = v m / (m + h d).
#[test]
fn joint_damping_is_implicit() {
    let mut world = World::new(H);
    let root = root(&mut world);
    let body = slider(&mut world, root, |joint| joint);
    let multibody = world.multibody(body);
    multibody.damping_mut()[0] = num(5.0);
    multibody.generalized_velocity_mut()[0] = num(1.0);
    world.run(25);
    let expected = (MASS / (MASS + H * 5.0)).powi(25);
    assert_close(world.linvel(body).x, expected, 100.0 * EPS);
}

/// Armature adds to the inertia of the coordinate: v = F t / (m + a).
#[test]
fn armature_adds_inertia() {
    let mut world = World::new(H);
    let root = root(&mut world);
    let body = slider(&mut world, root, |joint| joint);
    world.multibody(body).armature_mut()[0] = num(3.0);
    world.bodies[body].add_force(vec3(10.0, 0.0, 0.0), true);
    world.run(10);
    assert_close(
        world.linvel(body).x,
        10.0 / (MASS + 3.0) * 10.0 * H,
        10.0 * EPS,
    );
}

/// Implicit spring: (m + h^2 k) v+ = m v - h k (q - rest).
#[test]
fn a_joint_spring_is_implicit() {
    let mut world = World::new(H);
    let root = root(&mut world);
    let body = slider(&mut world, root, |joint| joint);
    let id = *world.multibody_joints.rigid_body_link(body).unwrap();
    let multibody = world.multibody(body);
    let link = multibody.link_mut(id.id).unwrap();
    link.joint.set_spring(0, num(80.0), num(0.2));
    let (mut q, mut v) = (0.0, 0.0);
    for _ in 0..40 {
        world.step();
        v = (MASS * v - H * 80.0 * (q - 0.2)) / (MASS + H * H * 80.0);
        q += H * v;
    }
    assert_close(world.coordinate(body, 0), q, 100.0 * EPS);
}

/// q2 = -1.5 q1 + 0.1: pushed on the first, both move, and an initial error decays.
#[test]
fn couplings_hold_two_coordinates_in_proportion() {
    let mut world = World::new(H);
    let root = root(&mut world);
    let a = slider(&mut world, root, |joint| joint);
    // Beside the first: the two must not touch.
    let b = slider(&mut world, root, |joint| {
        joint.local_anchor1(vec3(0.0, 1.0, 0.0))
    });
    let [link1, link2] =
        [a, b].map(|body| world.multibody_joints.rigid_body_link(body).unwrap().id);
    world.multibody(a).add_dof_coupling(MultibodyDofCoupling {
        link1,
        dof1: 0,
        axis1: 0,
        link2,
        dof2: 0,
        axis2: 0,
        coeff: num(-1.5),
        offset: num(0.1),
    });
    world.bodies[a].add_force(vec3(1.0, 0.0, 0.0), true);
    world.run(200);
    let (q1, q2) = (world.coordinate(a, 0), world.coordinate(b, 0));
    assert!(q1 > 0.1, "{q1} {q2}");
    assert_close(q2, -1.5 * q1 + 0.1, 1e4 * EPS);
    // M = m (1 + c^2) along the coupled motion: a = F / (m (1 + 1.5^2)).
    let v = world.linvel(a).x;
    world.step();
    let gained = world.linvel(a).x - v;
    assert_close(gained, H / (MASS * (1.0 + 2.25)), 100.0 * EPS);
}

/// A kinematic joint moves with the velocity its user gave it, whatever pushes.
#[test]
fn a_kinematic_joint_moves_as_prescribed() {
    let mut world = World::new(H);
    let root = root(&mut world);
    world.gravity = Vector::ZERO;
    let body = world.add(
        RigidBodyBuilder::dynamic(),
        ColliderBuilder::ball(num(0.05)).mass(num(MASS)),
    );
    let joint = PrismaticJointBuilder::new(Vector::X).contacts_enabled(false);
    world
        .multibody_joints
        .insert_kinematic(root, body, joint, true)
        .unwrap();
    world.settle_root(body);
    world.multibody(body).generalized_velocity_mut()[0] = num(0.5);
    world.bodies[body].add_force(vec3(-100.0, 0.0, 0.0), true);
    world.run(20);
    assert_close(world.coordinate(body, 0), 0.5 * 20.0 * H, 10.0 * EPS);
}
