//! Worlds that are changed while they run, as games and editors do: bodies come, go, are thrown, moved, joined,
//! parted, made heavy, held and let go, asleep or not.

use super::entry::Entry;
use super::kit::*;
use super::medley::{body, drawn, fill, join, pick};
use crate::random::Random;

pub(super) const ENTRIES: &[Entry] = &[drawn(
    "meddled",
    "a medley whose bodies and joints are changed while it runs, by seed",
    meddled,
)];

/// Steps between two changes, on average.
const PAUSE: f64 = 6.0;
/// Speed of throws in each direction \[m/s\].
const THROW: f64 = 6.0;
/// Speed at which bodies that were put into each other are pushed apart \[m/s\]: rapier's own limit is 10 m/s.
const PUSH: f64 = 10.0;

fn meddled(setup: &mut Setup, n: usize) {
    setup.sleeps = setup.random.unit() < 0.7;
    let bodies = fill(setup, n);
    setup.energy = Energy::Driven;
    setup.driven_speed += THROW + PUSH;
    let mut hand = Hand {
        bodies,
        held: Vec::new(),
        random: setup.random.clone(),
        dt: setup.dt,
        can_sleep: setup.sleeps,
    };
    setup.each_step(move |world, _| {
        if hand.random.unit() < 1.0 / PAUSE {
            hand.change(world);
        }
    });
}

/// Who changes the world.
struct Hand {
    bodies: Vec<RigidBodyHandle>,
    /// Bodies held in place, to be let go.
    held: Vec<RigidBodyHandle>,
    random: Random,
    dt: f64,
    can_sleep: bool,
}

impl Hand {
    /// One of the bodies still there.
    fn any(&mut self) -> Option<RigidBodyHandle> {
        let n = self.bodies.len();
        (n > 0).then(|| self.bodies[pick(&mut self.random, n)])
    }

    /// A vector with parts in `-most..most`.
    fn vector(&mut self, most: f64) -> Vector {
        vector(self.random.three().map(|u| 2.0 * most * (u - 0.5)))
    }

    fn change(&mut self, world: &mut PhysicsWorld) {
        let kind = pick(&mut self.random, 18);
        let Some(handle) = self.any() else { return };
        let random = &mut self.random;
        match kind {
            0 => {
                let v = self.vector(0.5 * THROW);
                world.bodies[handle].set_linvel(v, true);
            }
            1 => {
                let v = self.vector(0.3 * THROW);
                let rb = &mut world.bodies[handle];
                let (impulse, at) = (v * rb.mass(), rb.center_of_mass());
                rb.apply_impulse_at_point(impulse, at + vector([0.05, 0.02, 0.0]), true);
            }
            2 => {
                let f = self.vector(5.0);
                let rb = &mut world.bodies[handle];
                rb.reset_forces(true);
                rb.add_force(f * rb.mass(), true);
            }
            3 if is_loose(world, handle) => {
                let at = self.vector(1.0) + vector([0.0, 2.5, 0.0]);
                world.bodies[handle].set_translation(at, true);
            }
            4 if is_loose(world, handle) => {
                // Half into another one.
                let Some(other) = self.any() else { return };
                let at = world.bodies[other].translation() + self.vector(0.15);
                world.bodies[handle].set_translation(at, true);
            }
            5 => {
                world.remove_body(handle);
                self.bodies.retain(|&h| h != handle);
            }
            6 => {
                let new = body(random);
                let at = self.vector(1.0) + vector([0.0, 3.0, 0.0]);
                let body = new.body.translation(at).can_sleep(self.can_sleep);
                self.bodies.push(place(world, body, new.shapes));
            }
            7 => {
                let joints: Vec<_> = world.impulse_joints().map(|(h, _)| h).collect();
                if !joints.is_empty() {
                    world.remove_impulse_joint(joints[pick(random, joints.len())]);
                }
            }
            8 => {
                let Some(other) = self.any() else { return };
                let near = |h: RigidBodyHandle| world.bodies[h].translation();
                let apart = double((near(handle) - near(other)).length());
                let both = [handle, other].map(|h| world.bodies[h].is_dynamic());
                if other != handle && apart < 1.0 && both == [true; 2] {
                    join((world, &mut self.random), other, handle);
                }
            }
            9 if is_loose(world, handle) => {
                let rb = &mut world.bodies[handle];
                if rb.is_dynamic() {
                    rb.set_body_type(RigidBodyType::Fixed, true);
                    self.held.push(handle);
                }
            }
            10 => {
                for handle in self.held.drain(..) {
                    if let Some(rb) = world.bodies.get_mut(handle) {
                        rb.set_body_type(RigidBodyType::Dynamic, true);
                    }
                }
            }
            11 => {
                let [x, _, z] = random.three().map(|u| 5.0 * (u - 0.5));
                let falls = pick(random, 2) == 0;
                world.gravity = vector(if falls {
                    [0.0, -GRAVITY, 0.0]
                } else {
                    [x, -GRAVITY, z]
                });
            }
            12 => {
                let shape = *random_of(random, world.bodies[handle].colliders());
                let density = 10.0_f64.powf(random.between(2.0, 4.0));
                let friction = random.between(0.0, 1.2);
                let collider = &mut world.colliders[shape];
                collider.set_density(real(density));
                collider.set_friction(real(friction));
                // A force for another mass throws a body faster than the scene allows.
                world.bodies[handle].reset_forces(false);
            }
            13 => {
                let shape = *random_of(random, world.bodies[handle].colliders());
                let [a, b, c] = random.three().map(|u| real(0.05 + 0.15 * u));
                let shapes = [SharedShape::cuboid(a, b, c), SharedShape::ball(a)];
                let new = random_of(random, &shapes).clone();
                world.colliders[shape].set_shape(new);
                world.bodies[handle].reset_forces(false);
            }
            14 => {
                let shape = *random_of(random, world.bodies[handle].colliders());
                let collider = &mut world.colliders[shape];
                let on = !collider.is_enabled();
                collider.set_enabled(on);
                world.bodies[handle].reset_forces(false);
            }
            15 => {
                let times = [0.5, 1.0, 1.0, 2.0][pick(random, 4)];
                world.integration_parameters.dt = real(times * self.dt);
            }
            16 if is_loose(world, handle) => {
                let rb = &mut world.bodies[handle];
                let axes = [LockedAxes::empty(), LockedAxes::ROTATION_LOCKED];
                rb.set_locked_axes(*random_of(random, &axes), true);
            }
            17 => {
                let rb = &mut world.bodies[handle];
                rb.sleep();
            }
            _ => {}
        }
    }
}

fn random_of<'a, T>(random: &mut Random, all: &'a [T]) -> &'a T {
    &all[pick(random, all.len())]
}

/// Whether no joint holds a body: what is moved by hand then leaves nothing open.
fn is_loose(world: &PhysicsWorld, handle: RigidBodyHandle) -> bool {
    world
        .impulse_joints
        .attached_joints(handle)
        .next()
        .is_none()
        && world.multibody_joints.rigid_body_link(handle).is_none()
}
