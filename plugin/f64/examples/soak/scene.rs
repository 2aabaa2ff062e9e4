//! The scene, and what happens to it.

use rapier::prelude::*;
use stickslip_f64::rapier;
use stickslip_random::Random;

/// Most loose bodies at a time.
const CROWD: usize = 25;

/// Half the width of the tray and the height of its walls \[m\].
const TRAY: f64 = 4.0;

/// Height of the lid \[m\].
const HIGH: f64 = 10.0;

/// No body may be faster [m/s]: twice what a light one gets from the heaviest that falls from the lid, `(1 + e) v`
/// with e = 0.5 and v = 14 m/s.
const FASTEST: f64 = 42.0;

/// Steps of a cycle, of which the last part is left alone so that bodies fall asleep.
const CYCLE: usize = 1500;
const BUSY: usize = 900;

/// Uniform in the cube `-1..1`.
fn vector(dice: &mut Random) -> Vector {
    Vector::new(dice.symmetric(), dice.symmetric(), dice.symmetric())
}

/// The world and its loose bodies.
pub struct Scene {
    pub world: PhysicsWorld,
    dice: Random,
    loose: Vec<RigidBodyHandle>,
    paddle: RigidBodyHandle,
}

impl Scene {
    pub fn new(seed: u64) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::Y * -9.81;
        world.integration_parameters.dt = 1.0 / 60.0;
        let walls = [
            ([0.0, -0.5, 0.0], [TRAY + 1.0, 0.5, TRAY + 1.0]),
            ([TRAY + 0.5, 5.0, 0.0], [0.5, 5.0, TRAY + 1.0]),
            ([-TRAY - 0.5, 5.0, 0.0], [0.5, 5.0, TRAY + 1.0]),
            ([0.0, 5.0, TRAY + 0.5], [TRAY + 1.0, 5.0, 0.5]),
            ([0.0, 5.0, -TRAY - 0.5], [TRAY + 1.0, 5.0, 0.5]),
            // A lid: what a heavy body falls on may fly over the walls.
            ([0.0, HIGH + 0.5, 0.0], [TRAY + 1.0, 0.5, TRAY + 1.0]),
        ];
        for ([x, y, z], [a, b, c]) in walls {
            let wall = ColliderBuilder::cuboid(a, b, c).translation(Vector::new(x, y, z));
            world.colliders.insert(wall);
        }
        let turning =
            RigidBodyBuilder::kinematic_velocity_based().translation(Vector::new(0.0, 1.2, 0.0));
        let paddle = put(&mut world, turning, ColliderBuilder::cuboid(1.5, 0.1, 0.3));
        let mut scene = Self {
            world,
            dice: Random::new(seed),
            loose: Vec::new(),
            paddle,
        };
        scene.hang();
        scene
    }

    /// A chain and a door of impulse joints, an arm of multibody joints.
    fn hang(&mut self) {
        let world = &mut self.world;
        let link = || ColliderBuilder::capsule_y(0.15, 0.05).density(500.0);
        let hook = world
            .bodies
            .insert(RigidBodyBuilder::fixed().translation(Vector::new(2.5, 3.0, 2.5)));
        let mut last = hook;
        for k in 0..5 {
            let at = Vector::new(2.5, 2.8 - 0.42 * f64::from(k), 2.5);
            let body = RigidBodyBuilder::dynamic()
                .translation(at)
                .angular_damping(1.0);
            let body = put(world, body, link());
            let top = if k == 0 {
                Vector::ZERO
            } else {
                Vector::Y * -0.21
            };
            let joint = SphericalJointBuilder::new()
                .local_anchor1(top)
                .local_anchor2(Vector::Y * 0.21)
                .contacts_enabled(false);
            world.insert_impulse_joint(last, body, joint);
            last = body;
        }
        let post = world
            .bodies
            .insert(RigidBodyBuilder::fixed().translation(Vector::new(-3.0, 1.0, -3.0)));
        let door = RigidBodyBuilder::dynamic().translation(Vector::new(-2.3, 1.0, -3.0));
        let door = put(
            world,
            door,
            ColliderBuilder::cuboid(0.6, 0.6, 0.05).density(300.0),
        );
        let hinge = RevoluteJointBuilder::new(Vector::Y)
            .local_anchor1(Vector::new(0.1, 0.0, 0.0))
            .local_anchor2(Vector::new(-0.6, 0.0, 0.0))
            .limits([-1.5, 1.5])
            .motor_position(0.0, 5.0, 2.0);
        world.insert_impulse_joint(post, door, hinge);
        let base = world
            .bodies
            .insert(RigidBodyBuilder::fixed().translation(Vector::new(-2.5, 3.0, 2.5)));
        let mut last = base;
        for k in 0..4 {
            let body = put(world, RigidBodyBuilder::dynamic(), link());
            let top = if k == 0 {
                Vector::ZERO
            } else {
                Vector::Y * -0.21
            };
            let axis = if k % 2 == 0 { Vector::X } else { Vector::Z };
            let joint = RevoluteJointBuilder::new(axis)
                .local_anchor1(top)
                .local_anchor2(Vector::Y * 0.21)
                .contacts_enabled(false);
            world.insert_multibody_joint(last, body, joint);
            last = body;
        }
    }

    /// What happens before a step.
    pub fn disturb(&mut self, step: usize) {
        let busy = step % CYCLE < BUSY;
        if step.is_multiple_of(CYCLE) || step % CYCLE == BUSY {
            let spin = if busy { 1.5 } else { 0.0 };
            let paddle = &mut self.world.bodies[self.paddle];
            paddle.set_angvel(Vector::Y * spin, true);
        }
        if !busy {
            return;
        }
        if step.is_multiple_of(20) && self.loose.len() < CROWD {
            self.drop_one();
        }
        if step.is_multiple_of(45) && self.loose.len() > CROWD / 2 {
            let number = self.dice.below(self.loose.len());
            let body = self.loose.swap_remove(number);
            self.world.remove_body(body);
        }
        if step.is_multiple_of(30) && !self.loose.is_empty() {
            let number = self.dice.below(self.loose.len());
            let (push, spin) = (vector(&mut self.dice), vector(&mut self.dice));
            let rb = &mut self.world.bodies[self.loose[number]];
            let mass = rb.mass();
            rb.apply_impulse(push * (2.0 * mass), true);
            rb.apply_torque_impulse(spin * (0.1 * mass), true);
        }
    }

    fn drop_one(&mut self) {
        let dice = &mut self.dice;
        let size = 0.2 + 0.08 * dice.symmetric();
        let shape = match dice.below(6) {
            0 => ColliderBuilder::cuboid(size, 0.7 * size, 1.2 * size),
            1 => ColliderBuilder::ball(size),
            2 => ColliderBuilder::capsule_y(size, 0.6 * size),
            3 => ColliderBuilder::cylinder(size, 0.8 * size),
            4 => ColliderBuilder::cone(size, size),
            _ => ColliderBuilder::cuboid(size, size, size).restitution(0.5),
        };
        let place = vector(dice) * 2.5;
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::new(place.x, 4.0, place.z))
            .rotation(vector(dice) * 3.0)
            .linvel(vector(dice) * 2.0)
            .angvel(vector(dice) * 3.0);
        let density = 100.0 * 10.0_f64.powf(dice.symmetric());
        self.loose
            .push(put(&mut self.world, body, shape.density(density)));
    }

    /// Every body finite, in the tray, and not flung.
    pub fn check(&self) -> Result<(), String> {
        for (handle, rb) in self.world.bodies.iter() {
            if !rb.position().is_finite() || !rb.vels().is_finite() {
                return Err(format!("body {handle:?} is not finite"));
            }
            let p = rb.translation();
            if p.x.abs().max(p.z.abs()) > TRAY + 0.1 || p.y < -0.1 || p.y > HIGH + 0.1 {
                return Err(format!("body {handle:?} left the tray: {p}"));
            }
            let speed = rb.linvel().length();
            if speed > FASTEST {
                return Err(format!("body {handle:?} is flung: {speed} m/s"));
            }
        }
        Ok(())
    }
}

fn put(
    world: &mut PhysicsWorld,
    body: RigidBodyBuilder,
    shape: ColliderBuilder,
) -> RigidBodyHandle {
    let handle = world.bodies.insert(body);
    world
        .colliders
        .insert_with_parent(shape, handle, &mut world.bodies);
    handle
}
