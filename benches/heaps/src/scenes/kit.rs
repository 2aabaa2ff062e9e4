//! What scenes are made with. Lengths and numbers are f64 here and rounded once, at rapier's door.
#![allow(
    clippy::unnecessary_cast,
    clippy::useless_conversion,
    reason = "this source is compiled over f32 and over f64; the casts do nothing in the latter"
)]

pub(super) use super::super::rapier::prelude::*;
use super::super::stickslip::StepReport;
pub(super) use super::parts::Energy;
use super::parts::{Check, Drive, Figure};
use crate::measure::Right;
use crate::random::Random;

/// Gravity \[m/s^2\], downwards.
pub(super) const GRAVITY: f64 = 9.81;

/// Density unless a scene says otherwise \[kg/m^3\].
pub(super) const DENSITY: f64 = 1000.0;

/// Friction unless a scene says otherwise.
pub(super) const FRICTION: f64 = 0.5;

/// A scene being made.
pub(super) struct Setup {
    pub(super) world: PhysicsWorld,
    pub(super) random: Random,
    /// The seed of the numbers.
    pub(super) seed: u64,
    pub(super) dt: f64,
    /// The time step asked for by whoever builds it.
    pub(super) asked_dt: Option<f64>,
    pub(super) drive: Option<Drive>,
    pub(super) hooks: Box<dyn PhysicsHooks>,
    /// What must hold at the end.
    pub(super) check: Option<Check>,
    /// What is measured, with its right value.
    pub(super) figure: Option<Figure>,
    pub(super) energy: Energy,
    /// The fastest that something other than gravity moves bodies \[m/s\].
    pub(super) driven_speed: f64,
    /// The height that things can fall to \[m\].
    pub(super) ground: f64,
    /// Bodies that the scene itself spoils.
    pub(super) strays: usize,
    /// Whether bodies may sleep.
    pub(super) sleeps: bool,
    /// Units of length to the metre.
    pub(super) unit: f64,
}

impl Setup {
    pub(super) fn new(seed: u64, asked_dt: Option<f64>) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = vector([0.0, -GRAVITY, 0.0]);
        Self {
            world,
            random: Random::new(seed),
            seed,
            dt: asked_dt.unwrap_or(1.0 / 60.0),
            asked_dt,
            drive: None,
            hooks: Box::new(()),
            check: None,
            figure: None,
            energy: Energy::Passive,
            driven_speed: 0.0,
            ground: 0.0,
            strays: 0,
            sleeps: false,
            unit: 1.0,
        }
    }

    /// The time step of a scene that needs another one than 1/60, unless one is asked for.
    pub(super) fn time_step(&mut self, dt: f64) {
        self.dt = self.asked_dt.unwrap_or(dt);
    }

    /// A floor whose top is y = 0.
    pub(super) fn floor(&mut self) {
        self.fixed([0.0, -0.5, 0.0], cuboid([50.0, 0.5, 50.0]));
    }

    /// A floor and four walls, 5 times as high as half the distance between them.
    pub(super) fn bin(&mut self, half: f64) {
        self.floor();
        for (at, size) in walls(half, 5.0 * half, 0.25) {
            self.fixed(at, cuboid(size));
        }
    }

    /// A collider without a body.
    pub(super) fn fixed(&mut self, at: [f64; 3], shape: ColliderBuilder) -> ColliderHandle {
        self.world.colliders.insert(shape.translation(vector(at)))
    }

    /// A dynamic body at a place.
    pub(super) fn add(&mut self, at: [f64; 3], shape: ColliderBuilder) -> RigidBodyHandle {
        self.put(RigidBodyBuilder::dynamic(), at, [shape])
    }

    /// A dynamic body at a place, turned by a vector whose length is the angle.
    pub(super) fn turned(
        &mut self,
        at: [f64; 3],
        turn: [f64; 3],
        shape: ColliderBuilder,
    ) -> RigidBodyHandle {
        let body = RigidBodyBuilder::dynamic().rotation(vector(turn));
        self.put(body, at, [shape])
    }

    /// A body of any kind at a place; it sleeps where the scene does.
    pub(super) fn put(
        &mut self,
        body: RigidBodyBuilder,
        at: [f64; 3],
        shapes: impl IntoIterator<Item = ColliderBuilder>,
    ) -> RigidBodyHandle {
        let body = body.translation(vector(at)).can_sleep(self.sleeps);
        place(&mut self.world, body, shapes)
    }

    /// A body moved by its velocity alone. What it does to others is not theirs to account for.
    pub(super) fn mover(
        &mut self,
        at: [f64; 3],
        shapes: impl IntoIterator<Item = ColliderBuilder>,
    ) -> RigidBodyHandle {
        self.energy = Energy::Driven;
        self.put(RigidBodyBuilder::kinematic_velocity_based(), at, shapes)
    }

    /// Measures a figure after every step; the value after the last must lie between `least` and `most`.
    pub(super) fn figure(
        &mut self,
        name: &'static str,
        (least, most): (f64, f64),
        measure: impl FnMut(&PhysicsWorld, Option<&StepReport>) -> f64 + 'static,
    ) {
        self.figure = Some(Figure {
            right: Right { name, least, most },
            measure: Box::new(measure),
        });
    }

    /// Called before every step with its number.
    pub(super) fn each_step(&mut self, drive: impl FnMut(&mut PhysicsWorld, usize) + 'static) {
        self.drive = Some(Box::new(drive));
    }

    /// What must hold at the end, or what is wrong then.
    pub(super) fn at_end(&mut self, check: impl Fn(&PhysicsWorld) -> Result<(), String> + 'static) {
        self.check = Some(Box::new(check));
    }

    /// Everything built so far must be where it is at the end, but for 5 cm.
    pub(super) fn must_stand(&mut self) {
        const MOVED: f64 = 0.05;
        let bodies = self.world.bodies.iter();
        let start: Vec<_> = bodies.map(|(h, rb)| (h, rb.translation())).collect();
        self.at_end(move |world| {
            let moved = start.iter().map(|(body, from)| {
                let now = world.bodies.get(*body).map(|rb| rb.translation());
                now.map_or(f64::NAN, |now| double((now - *from).length()))
            });
            let most = moved.fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a });
            if most < MOVED {
                Ok(())
            } else {
                Err(format!("does not stand: a piece moved by {most:.2} m"))
            }
        });
    }

    /// Measures the largest way of a body from where it is built, until a step: no more than a millimetre is right.
    pub(super) fn stays(&mut self, until: usize) {
        let bodies = self.world.bodies.iter();
        let start: Vec<_> = bodies.map(|(h, rb)| (h, rb.translation())).collect();
        let (mut most, mut steps) = (0.0, 0);
        self.figure("largest way of a body [m]", (0.0, 1e-3), move |world, _| {
            steps += 1;
            if steps <= until {
                let moved = start.iter().map(|(body, from)| {
                    let now = world.bodies.get(*body).map(|rb| rb.translation());
                    now.map_or(f64::NAN, |now| double((now - *from).length()))
                });
                most = moved.fold(most, |a, b| if b > a || b.is_nan() { b } else { a });
            }
            most
        });
    }

    /// One of a cube, a ball and a capsule in turn.
    pub(super) fn mixed(&mut self, number: usize, at: [f64; 3], size: f64) -> RigidBodyHandle {
        self.add(at, mixed(number, size))
    }
}

/// Puts a body and its colliders into a world.
pub(super) fn place(
    world: &mut PhysicsWorld,
    body: RigidBodyBuilder,
    shapes: impl IntoIterator<Item = ColliderBuilder>,
) -> RigidBodyHandle {
    let body = world.insert_body(body);
    for shape in shapes {
        world.insert_collider(shape, Some(body));
    }
    body
}

/// One of a cube, a ball and a capsule in turn.
pub(super) fn mixed(number: usize, size: f64) -> ColliderBuilder {
    match number % 3 {
        0 => cuboid([size; 3]),
        1 => ball(size),
        _ => capsule(size, size),
    }
}

/// Rounds to the engine's precision.
pub(super) fn real(x: f64) -> Real {
    x as Real
}

/// From the engine's precision.
pub(super) fn double(x: Real) -> f64 {
    f64::from(x)
}

pub(super) fn vector([x, y, z]: [f64; 3]) -> Vector {
    Vector::new(real(x), real(y), real(z))
}

/// A collider as every scene has it.
pub(super) fn plain(shape: ColliderBuilder) -> ColliderBuilder {
    shape.density(real(DENSITY)).friction(real(FRICTION))
}

pub(super) fn cuboid([x, y, z]: [f64; 3]) -> ColliderBuilder {
    plain(ColliderBuilder::cuboid(real(x), real(y), real(z)))
}

pub(super) fn ball(radius: f64) -> ColliderBuilder {
    plain(ColliderBuilder::ball(real(radius)))
}

/// A capsule along y; half the length of its axis, and its radius.
pub(super) fn capsule(half: f64, radius: f64) -> ColliderBuilder {
    plain(ColliderBuilder::capsule_y(real(half), real(radius)))
}

/// A cylinder along y.
pub(super) fn cylinder(half: f64, radius: f64) -> ColliderBuilder {
    plain(ColliderBuilder::cylinder(real(half), real(radius)))
}

/// Places and half sides of four walls about the origin, standing on y = 0.
pub(super) fn walls(half: f64, height: f64, thick: f64) -> [([f64; 3], [f64; 3]); 4] {
    [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)].map(|(x, z): (f64, f64)| {
        let away = half + thick;
        let side = |along: f64| {
            if along == 0.0 {
                half + 2.0 * thick
            } else {
                thick
            }
        };
        ([x * away, height, z * away], [side(x), height, side(z)])
    })
}

/// Places of a grid that fills layers of `per_side` squared from below.
pub(super) fn layered(number: usize, per_side: usize) -> [f64; 3] {
    let layer = per_side * per_side;
    [
        (number % per_side) as f64,
        (number / layer) as f64,
        (number / per_side % per_side) as f64,
    ]
}

/// Largest distance of the two anchors of an impulse joint along the axes it locks \[m\].
pub(in super::super) fn gap(world: &PhysicsWorld) -> f64 {
    const AXES: [JointAxesMask; 3] = [
        JointAxesMask::LIN_X,
        JointAxesMask::LIN_Y,
        JointAxesMask::LIN_Z,
    ];
    let open = |joint: &ImpulseJoint| {
        let first = world.bodies.get(joint.body1())?.position();
        let second = world.bodies.get(joint.body2())?.position();
        let locked = joint.data.locked_axes;
        // From differences of world coordinates: rounding grows with the distance from the origin.
        let frame = *first * joint.data.local_frame1;
        let other = *second * joint.data.local_frame2;
        let apart = frame.inverse_transform_point(other.translation);
        let parts = [apart.x, apart.y, apart.z].into_iter().zip(AXES);
        let squares = parts.filter(|(_, axis)| locked.contains(*axis));
        Some(squares.map(|(x, _)| double(x * x)).sum::<f64>().sqrt())
    };
    let joints = world.impulse_joints.iter();
    joints.fold(0.0, |widest, (_, joint)| {
        f64::max(widest, open(joint).unwrap_or(0.0))
    })
}
