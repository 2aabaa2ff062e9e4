//! Fast bodies with continuous detection against each other: none passes.
//!
//! The seed chooses shapes, speeds of 60 to 1000 m/s, offsets, spins, restitution, and which of two have `ccd_enabled`.

use super::entry::Entry;
use super::kit::*;

pub(super) const ENTRIES: &[Entry] = &[
    Entry::new(
        "bullets-head-on",
        "pairs of bullets fly at each other",
        |s, size| {
            shoot(s, size, Target::Bullet);
        },
    )
    .sized(25, 12)
    .short(8, 12),
    Entry::new(
        "bullets-falling",
        "bullets fly at falling bodies",
        |s, size| {
            shoot(s, size, Target::Falling);
        },
    )
    .sized(25, 12)
    .short(8, 12),
    Entry::new(
        "bullets-mover",
        "bullets fly at plates that come towards them",
        |s, size| {
            shoot(s, size, Target::Plate);
        },
    )
    .sized(25, 12)
    .short(8, 12),
    Entry::new(
        "bullets-links",
        "bullets fly at the links of multibodies",
        |s, size| {
            shoot(s, size, Target::Link);
        },
    )
    .sized(25, 12)
    .short(8, 12),
];

#[derive(Clone, Copy, PartialEq)]
enum Target {
    Bullet,
    Falling,
    Plate,
    Link,
}

/// Half the extent of everything that is shot, at least \[m\].
const SIZE: f64 = 0.1;

fn form(setup: &mut Setup, bounce: f64) -> ColliderBuilder {
    let shape = match (setup.random.unit() * 4.0) as usize {
        0 => ball(SIZE),
        1 => capsule(SIZE, SIZE),
        2 => cuboid([SIZE; 3]),
        _ => {
            let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let both = corners
                .into_iter()
                .flat_map(|at| [1.0, -1.0].map(|sign| at.map(|x| 2.0 * sign * SIZE * x)));
            let corners: Vec<_> = both.map(vector).collect();
            ColliderBuilder::convex_hull(&corners).map_or_else(|| ball(SIZE), plain)
        }
    };
    shape.restitution(real(bounce)).friction(real(0.0))
}

/// A body that flies along x.
fn flying(
    setup: &mut Setup,
    at: [f64; 3],
    (speed, ccd): (f64, bool),
    bounce: f64,
) -> RigidBodyHandle {
    let spin = setup.random.three().map(|u| 20.0 * (u - 0.5));
    let shape = form(setup, bounce);
    let body = RigidBodyBuilder::dynamic()
        .linvel(vector([speed, 0.0, 0.0]))
        .angvel(vector(spin))
        .ccd_enabled(ccd);
    setup.put(body, at, [shape])
}

/// How many of the bullets never met what they were shot at.
fn shoot(setup: &mut Setup, size: usize, target: Target) {
    let bounce = if setup.random.unit() < 0.5 { 0.0 } else { 1.0 };
    setup.energy = Energy::Driven;
    setup.driven_speed = 2000.0;
    setup.world.gravity = Vector::ZERO;
    let mut bullets = Vec::new();
    // They meet within a few steps of any length.
    let near_by = (60.0 * setup.dt).min(1.0);
    for k in 0..size {
        let z = 5.0 * k as f64;
        let offset = [
            setup.random.between(-0.04, 0.04),
            setup.random.between(-0.04, 0.04),
        ];
        let speed = setup.random.between(60.0, 1000.0);
        let [near, far] = [
            near_by * setup.random.between(-4.0, -1.0),
            near_by * setup.random.between(1.0, 4.0),
        ];
        let there = [far, offset[0], z + offset[1]];
        let mut ccd = true;
        match target {
            Target::Bullet => {
                let other = setup.random.between(60.0, 1000.0);
                let both = setup.random.unit() < 0.5;
                ccd = both || setup.random.unit() < 0.5;
                flying(setup, there, (-other, both || !ccd), bounce);
            }
            Target::Falling => {
                let body = flying(setup, there, (0.0, false), bounce);
                if let Some(rb) = setup.world.bodies.get_mut(body) {
                    rb.set_linvel(vector([0.0, -1.0, 0.0]), true);
                }
            }
            Target::Plate => {
                let speed = setup.random.between(-60.0, 0.0);
                let plate = cuboid([0.01, 1.0, 1.0]).restitution(real(bounce));
                let body = setup.mover(there, [plate]);
                if let Some(rb) = setup.world.bodies.get_mut(body) {
                    rb.set_linvel(vector([speed, 0.0, 0.0]), true);
                }
            }
            Target::Link => {
                let other = setup.random.between(0.0, 200.0);
                let first = flying(setup, there, (-other, false), bounce);
                let above = [there[0], there[1] + 1.0, there[2]];
                let second = flying(setup, above, (-other, false), bounce);
                let joint = SphericalJointBuilder::new()
                    .local_anchor1(vector([0.0, 0.5, 0.0]))
                    .local_anchor2(vector([0.0, -0.5, 0.0]));
                for body in [first, second] {
                    if let Some(rb) = setup.world.bodies.get_mut(body) {
                        rb.set_angvel(Vector::ZERO, true);
                    }
                }
                setup
                    .world
                    .multibody_joints
                    .insert(first, second, joint, true);
            }
        }
        let bullet = flying(setup, [near, 0.0, z], (speed, ccd), bounce);
        bullets.push((bullet, speed));
    }
    let start = momentum(&setup.world);
    let through = bullets
        .iter()
        .map(|(_, speed)| speed)
        .fold(0.0, |a: f64, b| a.max(*b));
    // A tree that a blow sets turning by many times in a step keeps its momentum to first order only.
    let keeps_momentum = !matches!(target, Target::Plate | Target::Link);
    setup.figure(
        "bullets that passed, or momentum lost / 1e-3",
        (0.0, 1.0 - 1e-9),
        move |world, _| {
            let passed = bullets.iter().filter(|(bullet, speed)| {
                world.bodies.get(*bullet).is_none_or(|rb| {
                    double((rb.linvel() - vector([*speed, 0.0, 0.0])).length()) < 1e-3 * speed
                })
            });
            let passed = passed.count() as f64;
            if !keeps_momentum {
                return passed;
            }
            let lost = momentum(world)
                .iter()
                .zip(&start)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            passed + lost / (1e-3 * through * mass(world))
        },
    );
}

fn mass(world: &PhysicsWorld) -> f64 {
    world.bodies.iter().map(|(_, rb)| double(rb.mass())).sum()
}

fn momentum(world: &PhysicsWorld) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (_, rb) in world.bodies.iter().filter(|(_, rb)| rb.is_dynamic()) {
        let v = rb.linvel();
        for (sum, v) in sum.iter_mut().zip([v.x, v.y, v.z]) {
            *sum += double(rb.mass()) * double(v);
        }
    }
    sum
}
