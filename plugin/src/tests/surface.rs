//! `Ndot v, Sdot v, Tdot v` of contacts, against differences of `J v` along the motion that keeps the
//! coordinates' velocities.

use super::{World, num, vec3};
use crate::ModelName;
use crate::base::convert::{to_pose, to_vector};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use rapier::prelude::*;
use stickslip_core::problem::RowId;

/// A pose that moves with a constant twist of its origin.
#[derive(Clone, Copy)]
struct Moving {
    at: Isometry3<f64>,
    linear: Vector3<f64>,
    angular: Vector3<f64>,
}

impl Moving {
    fn new(at: [f64; 3], turn: [f64; 3], linear: [f64; 3], angular: [f64; 3]) -> Self {
        Self {
            at: Isometry3::new(at.into(), turn.into()),
            linear: linear.into(),
            angular: angular.into(),
        }
    }

    fn pose(&self, t: f64) -> Isometry3<f64> {
        let turn = UnitQuaternion::from_scaled_axis(self.angular * t);
        let at = self.at.translation.vector + self.linear * t;
        Isometry3::from_parts(Translation3::from(at), turn * self.at.rotation)
    }

    fn add(&self, t: f64, world: &mut World, body: RigidBodyBuilder, shape: ColliderBuilder) {
        let body = body
            .pose(to_pose(&self.pose(t)))
            .linvel(to_vector(&self.linear))
            .angvel(to_vector(&self.angular));
        world.add(body, shape.density(num(100.0)));
    }
}

/// Normal, tangents, `J v` as a vector, and the bias as the plugin fills it, of the closest contact.
fn measure(mut world: World) -> ([Vector3<f64>; 3], Vector3<f64>, [f64; 3]) {
    world.gravity = Vector::ZERO;
    world.try_step(&()).unwrap();
    let contacts = world.pipeline.contacts().iter().enumerate();
    let least = contacts.min_by(|a, b| a.1.gap.total_cmp(&b.1.gap));
    let (c, contact) = least.unwrap();
    let problem = world.pipeline.problem();
    let data = &problem.contacts()[c];
    let axes = [
        contact.point.normal,
        contact.tangents[0],
        contact.tangents[1],
    ];
    let prescribed = [
        data.normal_drift,
        -data.surface_velocity[0],
        -data.surface_velocity[1],
    ];
    let along = [0, 1, 2].map(|k| problem.row(RowId(3 * c + k)).dot(problem.v()) + prescribed[k]);
    let velocity = axes.iter().zip(along).map(|(a, v)| a * v).sum();
    (axes, velocity, data.acceleration_bias)
}

/// Compares with central differences of `world` at times about 0.
#[track_caller]
fn check(what: &str, world: impl Fn(f64) -> World) -> [f64; 3] {
    let dt = 1e-5;
    let (axes, _, bias) = measure(world(0.0));
    let [before, after] = [-dt, dt].map(|t| {
        let (there, velocity, _) = measure(world(t));
        let n = there[0];
        // The tangents turn with the normal and not about it.
        let [s, t] = [1, 2].map(|k| (axes[k] - n * n.dot(&axes[k])).normalize());
        [n, s, t].map(|a| a.dot(&velocity))
    });
    let size = bias.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    for k in 0..3 {
        let rate = (after[k] - before[k]) / (2.0 * dt);
        assert!(
            (rate - bias[k]).abs() < 1e-6 * size,
            "{what}, row {k}: {} instead of {rate}",
            bias[k]
        );
    }
    bias
}

fn world() -> World {
    World::with_model(1e-3, ModelName::CoulombAcceleration)
}

const DOUBLE: bool = size_of::<Real>() == 8;

#[test]
fn a_corner_on_the_ground_is_drawn_to_its_centre() {
    if !DOUBLE {
        return;
    }
    let half = Vector3::new(0.1, 0.15, 0.2);
    let turn = Vector3::new(0.5, -0.4, 0.3);
    let lowest = (0..8)
        .map(|i| {
            let sign = |bit: i32| if i & bit == 0 { 1.0 } else { -1.0 };
            let corner = Vector3::new(half.x * sign(1), half.y * sign(2), half.z * sign(4));
            (UnitQuaternion::from_scaled_axis(turn) * corner).z
        })
        .fold(0.0, f64::min);
    let box_ = Moving::new(
        [0.0, 0.0, -lowest],
        turn.into(),
        [0.3, -0.2, 0.1],
        [2.0, -1.5, 3.0],
    );
    let shape = ColliderBuilder::cuboid(num(half.x), num(half.y), num(half.z));
    let bias = check("corner", |t| {
        let mut world = world();
        world.ground();
        box_.add(t, &mut world, RigidBodyBuilder::dynamic(), shape.clone());
        world
    });
    assert!(bias[0] > 0.1);
}

/// A ball's own point is drawn up by `w^2 r` at the contact, but the contact does not stay on it.
#[test]
fn a_ball_on_the_ground_rolls_and_slides_without_normal_acceleration() {
    if !DOUBLE {
        return;
    }
    let ball = Moving::new(
        [0.0, 0.0, 0.2],
        [0.0; 3],
        [0.3, -0.2, 0.0],
        [2.0, -1.5, 3.0],
    );
    let bias = check("ball", |t| {
        let mut world = world();
        world.ground();
        let shape = ColliderBuilder::ball(num(0.2));
        ball.add(t, &mut world, RigidBodyBuilder::dynamic(), shape);
        world
    });
    assert!(bias[0].abs() < 1e-12);
}

#[test]
fn two_balls_and_a_ball_on_a_tilting_table() {
    if !DOUBLE {
        return;
    }
    let ball = ColliderBuilder::ball(num(0.2));
    let one = Moving::new(
        [0.0, 0.0, 0.2],
        [0.0; 3],
        [0.3, -0.2, 0.1],
        [2.0, -1.5, 3.0],
    );
    let other = Moving::new(
        [0.12, 0.0, 0.2 + (0.38_f64 * 0.38 - 0.12 * 0.12).sqrt()],
        [0.0; 3],
        [-0.3, 0.4, 0.2],
        [1.0, 2.5, -1.0],
    );
    check("balls", |t| {
        let mut world = world();
        let small = ColliderBuilder::ball(num(0.18));
        one.add(t, &mut world, RigidBodyBuilder::dynamic(), ball.clone());
        other.add(t, &mut world, RigidBodyBuilder::dynamic(), small);
        world
    });
    let table = Moving::new(
        [0.0, 0.0, -0.1],
        [0.0; 3],
        [0.1, 0.2, -0.1],
        [0.5, -0.7, 0.4],
    );
    for body in [
        RigidBodyBuilder::kinematic_velocity_based(),
        RigidBodyBuilder::dynamic(),
    ] {
        check("table", |t| {
            let mut world = world();
            let shape = ColliderBuilder::cuboid(num(1.0), num(1.0), num(0.1));
            table.add(t, &mut world, body.clone(), shape);
            one.add(t, &mut world, RigidBodyBuilder::dynamic(), ball.clone());
            world
        });
    }
}

#[test]
fn the_end_of_a_capsule_is_a_ball() {
    if !DOUBLE {
        return;
    }
    let turn = [0.4, 0.0, 0.0];
    let along = UnitQuaternion::from_scaled_axis(turn.into()) * Vector3::y() * 0.3;
    let at = [0.0, 0.0, 0.1 + along.z.abs()];
    let capsule = Moving::new(at, turn, [0.3, -0.2, 0.1], [2.0, -1.5, 3.0]);
    let bias = check("capsule", |t| {
        let mut world = world();
        world.ground();
        let shape = ColliderBuilder::capsule_y(num(0.3), num(0.1));
        capsule.add(t, &mut world, RigidBodyBuilder::dynamic(), shape);
        world
    });
    // The centre of its end goes round the middle.
    assert!(bias[0] > 0.1);
}

/// An arm of two links on a fixed root, whose hand touches the ground.
#[test]
fn a_hand_of_an_arm() {
    if !DOUBLE {
        return;
    }
    let arm = |t: f64, height: f64, hand: ColliderBuilder| {
        let mut world = world();
        world.gravity = Vector::ZERO;
        let root = world.bodies.insert(RigidBodyBuilder::fixed());
        let link = |shape: ColliderBuilder| shape.density(num(100.0));
        let upper = world.add(
            RigidBodyBuilder::dynamic(),
            link(ColliderBuilder::ball(num(0.05))),
        );
        let lower = world.add(RigidBodyBuilder::dynamic(), link(hand));
        let shoulder = RevoluteJointBuilder::new(Vector::Y)
            .local_anchor2(vec3(0.0, 0.0, 0.5))
            .contacts_enabled(false);
        let elbow = RevoluteJointBuilder::new(Vector::X)
            .local_anchor2(vec3(0.0, 0.1, 0.4))
            .contacts_enabled(false);
        let joints = &mut world.multibody_joints;
        joints.insert(root, upper, shoulder, true).unwrap();
        joints.insert(upper, lower, elbow, true).unwrap();
        world.settle_root(lower);
        let multibody = world.multibody(lower);
        multibody.damping_mut().fill(num(0.0));
        let rates = [1.3, -0.8];
        let (at, speed) = ([0.3 + rates[0] * t, 0.2 + rates[1] * t], rates);
        multibody.apply_displacements(&at.map(num));
        // A step at rest takes the bodies there.
        world.step();
        let ground = ColliderBuilder::halfspace(rapier::na::Unit::new_unchecked(Vector::Z));
        (world.colliders).insert(ground.translation(vec3(0.0, 0.0, height)));
        let multibody = world.multibody(lower);
        for (v, x) in (multibody.generalized_velocity_mut().iter_mut()).zip(speed) {
            *v = num(x);
        }
        (world, lower)
    };
    let half = Vector3::new(0.05, 0.04, 0.03);
    let hands = [
        ColliderBuilder::ball(num(0.06)),
        ColliderBuilder::cuboid(num(half.x), num(half.y), num(half.z)),
    ];
    for (number, hand) in hands.iter().enumerate() {
        // Where the hand is: the ground lies far below.
        let (probe, lower) = arm(0.0, -100.0, hand.clone());
        let turn = crate::base::convert::rotation(*probe.bodies[lower].rotation());
        let up = turn.inverse() * Vector3::z();
        let down = [0.06, up.abs().dot(&half)][number];
        let height = probe.position(lower).z - down;
        let bias = check("hand", |t| arm(t, height, hand.clone()).0);
        assert!(bias[0].abs() > 0.1);
    }
}

/// Models at velocity level do not ask.
#[test]
fn velocity_level_models_get_none() {
    let ball = Moving::new(
        [0.0, 0.0, 0.2],
        [0.0; 3],
        [0.3, -0.2, 0.0],
        [2.0, -1.5, 3.0],
    );
    let mut world = World::new(1e-3);
    world.ground();
    let shape = ColliderBuilder::ball(num(0.2));
    ball.add(0.0, &mut world, RigidBodyBuilder::dynamic(), shape);
    let (_, _, bias) = measure(world);
    assert_eq!(bias, [0.0; 3]);
}
