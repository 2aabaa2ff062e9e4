//! Drives and roots while bodies may sleep. Causes of what was wrong: drives moved bodies more slowly than rapier's
//! thresholds of sleep, so that they fell asleep on the way; rapier's zero-length step computes the pose of every link, which
//! overwrote the pose that the user sent a kinematic root to.

use super::{EPS, G, World, assert_close, num, vec3};
use crate::Sleeping;
use crate::base::convert::real;
use rapier::math::{AngVector, Pose, Rotation};
use rapier::prelude::*;

fn world(h: f64) -> World {
    let mut world = World::new(h);
    world.pipeline.set_sleeping(Sleeping::Allowed);
    world.gravity = Vector::ZERO;
    world
}

/// How a drive is held.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Impulse,
    Multibody,
}

const KINDS: [Kind; 2] = [Kind::Impulse, Kind::Multibody];

/// A small body on a fixed one by a joint.
fn drive(world: &mut World, kind: Kind, joint: impl Into<GenericJoint>) -> RigidBodyHandle {
    let base = world.bodies.insert(RigidBodyBuilder::fixed());
    let shape = ColliderBuilder::ball(num(0.05)).mass(num(0.5));
    let shape = shape.collision_groups(InteractionGroups::none());
    let body = world.add(RigidBodyBuilder::dynamic(), shape);
    match kind {
        Kind::Impulse => {
            world.impulse_joints.insert(base, body, joint, true);
        }
        Kind::Multibody => {
            world.multibody_joints.insert(base, body, joint, true);
            world.settle_root(body);
            world.multibody(body).damping_mut().fill(num(0.0));
        }
    }
    body
}

fn hinge() -> RevoluteJointBuilder {
    RevoluteJointBuilder::new(Vector::X).motor_model(MotorModel::AccelerationBased)
}

fn slider() -> PrismaticJointBuilder {
    PrismaticJointBuilder::new(Vector::X).motor_model(MotorModel::AccelerationBased)
}

/// The angle about x since the start, summed over steps.
fn turned(world: &mut World, body: RigidBodyHandle, steps: usize) -> f64 {
    let h = real(world.params.dt);
    let mut angle = 0.0;
    for _ in 0..steps {
        world.step();
        angle += h * world.angvel(body).x;
    }
    angle
}

/// A drive with the damping d per unit of inertia reaches v (1 - e^-(d t)): v (t - (1 - e^-(d t)) / d) in all.
#[test]
fn a_drive_on_its_way_to_a_speed_stays_awake() {
    for kind in KINDS {
        for (speed, damping) in [(2.0, 1.0), (0.02, 0.3), (-0.5, 20.0)] {
            let mut world = world(1.0 / 60.0);
            let joint = hinge().motor_velocity(num(speed), num(damping));
            let body = drive(&mut world, kind, joint);
            let angle = turned(&mut world, body, 600);
            let right = speed * (10.0 - (1.0 - f64::exp(-damping * 10.0)) / damping);
            assert_close(angle, right, 0.02 * right.abs());
            let mut world = self::world(1.0 / 60.0);
            let joint = slider().motor_velocity(num(0.1 * speed), num(damping));
            let body = drive(&mut world, kind, joint);
            world.run(600);
            assert_close(world.position(body).x, 0.1 * right, 0.002 * right.abs());
        }
    }
}

/// An overdamped servo creeps to its target, and sleeps there.
#[test]
fn a_slow_servo_reaches_its_target_and_then_sleeps() {
    for kind in KINDS {
        let mut world = world(1.0 / 60.0);
        let joint = hinge().motor_position(num(1.0), num(1.0), num(2.0));
        let turning = drive(&mut world, kind, joint);
        let joint = slider().motor_position(num(0.2), num(1.0), num(2.0));
        let sliding = drive(&mut world, kind, joint);
        world.run(60 * 12);
        assert_close(
            real(world.bodies[turning].rotation().to_scaled_axis().x),
            1.0,
            1e-3,
        );
        assert_close(world.position(sliding).x, 0.2, 1e-3);
        world.run(60 * 25);
        for body in [turning, sliding] {
            assert!(world.bodies[body].is_sleeping(), "{kind:?}");
        }
    }
}

/// What a drive can't move stands still, and may sleep: against a stop, under a load beyond its force, and a brake.
#[test]
fn a_drive_that_stalls_sleeps() {
    for kind in KINDS {
        for h in [1.0 / 30.0, 1.0 / 240.0] {
            let mut world = world(h);
            world.gravity = vec3(0.0, 0.0, -G);
            let limits = [num(-0.3), num(0.3)];
            let stop = hinge().limits(limits).motor_velocity(num(2.0), num(10.0));
            let lift = PrismaticJointBuilder::new(Vector::Z);
            let lift = lift.limits([num(-0.1), num(2.0)]);
            let lift = lift.motor_velocity(num(1.0), num(100.0));
            let lift = lift.motor_max_force(num(1.0));
            let brake = hinge().motor_velocity(num(0.0), num(10.0));
            let sag = PrismaticJointBuilder::new(Vector::Z);
            let sag = sag.motor_position(num(0.0), num(200.0), num(20.0));
            let bodies = [
                drive(&mut world, kind, stop),
                drive(&mut world, kind, lift),
                drive(&mut world, kind, brake),
                drive(&mut world, kind, sag),
            ];
            world.run((5.0 / h) as usize);
            for (number, body) in bodies.into_iter().enumerate() {
                let (v, w) = (world.linvel(body), world.angvel(body));
                assert!(
                    world.bodies[body].is_sleeping(),
                    "{kind:?} {h} {number}: {v} {w}"
                );
            }
        }
    }
}

/// How a user sends a root on.
#[derive(Clone, Copy, Debug)]
enum Sent {
    Along,
    Around,
    Both,
}

/// A cart whose root is moved by position, with an arm, a box that lies on it, and a ball on an impulse joint to the arm.
/// All of them go along.
#[test]
fn a_root_goes_where_it_is_sent() {
    for (sent, h) in [Sent::Along, Sent::Around, Sent::Both].into_iter().zip([
        1.0 / 60.0,
        1.0 / 240.0,
        1.0 / 120.0,
    ]) {
        let mut world = world(h);
        world.gravity = vec3(0.0, 0.0, -G);
        let root = RigidBodyBuilder::kinematic_position_based();
        let plate = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.05)).friction(num(0.8));
        let root = world.add(root, plate.clone());
        let arm = RigidBodyBuilder::dynamic().translation(vec3(1.0, 0.0, 0.0));
        let arm = world.add(arm, plate.mass(num(2.0)));
        let joint = RevoluteJointBuilder::new(Vector::Y)
            .local_anchor1(vec3(0.5, 0.0, 0.0))
            .local_anchor2(vec3(-0.5, 0.0, 0.0))
            .limits([num(0.0), num(0.0)])
            .contacts_enabled(false);
        world.multibody_joints.insert(root, arm, joint, true);
        world.settle_root(arm);
        let load = RigidBodyBuilder::dynamic().translation(vec3(1.0, 0.0, 0.15));
        let shape = ColliderBuilder::cuboid(num(0.1), num(0.1), num(0.1));
        let load = world.add(load, shape.mass(num(0.5)).friction(num(0.8)));
        let ball = RigidBodyBuilder::dynamic().translation(vec3(1.0, 0.4, -0.5));
        let ball = world.add(ball, ColliderBuilder::ball(num(0.05)).mass(num(0.1)));
        let joint = FixedJointBuilder::new()
            .local_anchor1(vec3(0.0, 0.4, -0.5))
            .contacts_enabled(false);
        world.impulse_joints.insert(arm, ball, joint, true);
        world.run((1.0 / h) as usize);
        // A second of steady motion after a gentle start: a quarter of g at most.
        let (steps, mut way) = ((2.0 / h) as usize, 0.0);
        for step in 0..steps {
            let t = (step + 1) as f64 * h;
            way = if t < 1.0 {
                0.25 * t * t
            } else {
                0.25 + 0.5 * (t - 1.0)
            };
            let (x, angle) = match sent {
                Sent::Along => (way, 0.0),
                Sent::Around => (0.0, 0.5 * way),
                Sent::Both => (way, 0.5 * way),
            };
            let rb = &mut world.bodies[root];
            let turn = AngVector::new(num(0.0), num(0.0), num(angle));
            match sent {
                Sent::Along => rb.set_next_kinematic_translation(vec3(x, 0.0, 0.0)),
                Sent::Around => rb.set_next_kinematic_rotation(Rotation::from_scaled_axis(turn)),
                Sent::Both => rb.set_next_kinematic_position(Pose::new(vec3(x, 0.0, 0.0), turn)),
            }
            world.step();
            assert_close(world.position(root).x, x, EPS);
        }
        assert_close(way, 0.75, 1e-9);
        let place = *world.bodies[root].position();
        // What only lies there goes along the tangents of the circle.
        let outwards = 0.1 * h;
        for (body, at, slack) in [
            (arm, vec3(1.0, 0.0, 0.0), 10.0 * EPS),
            (ball, vec3(1.0, 0.4, -0.5), 1e-4),
            (load, vec3(1.0, 0.0, 0.15), outwards),
        ] {
            let right = crate::base::convert::vector(place * at);
            let off = (world.position(body) - right).norm();
            assert!(off <= slack, "{sent:?} {h}: {body:?} is {off} off");
        }
    }
}
