//! Rods and the hinges between them: impulse joints, or the joints of a multibody.

use super::super::super::super::rapier::prelude::*;
use super::super::super::super::stickslip::record::JointProbe;
use super::super::super::stage::convert::{isometry, real, to_pose, to_real, vector};
use super::super::super::stage::world::World;
use crate::error::CommandError;
use crate::metrics::larger;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

/// How hinges of a tree are made; those that close a loop are impulse joints in either case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super::super) enum Joints {
    /// All as bilateral rows between free bodies.
    Impulse,
    /// Those of the tree as coordinates of a multibody.
    Multibody,
}

impl Joints {
    /// The choices of the key `joints`.
    pub(in super::super::super) fn parse(text: &str) -> Self {
        if text == "multibody" {
            Self::Multibody
        } else {
            Self::Impulse
        }
    }
}

/// A hinge: where it is in both of its bodies.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Hinge {
    bodies: [RigidBodyHandle; 2],
    /// Its frame in each body; x along the axis.
    frames: [Isometry3<f64>; 2],
    joint: Made,
}

#[derive(Clone, Copy, Debug)]
enum Made {
    Impulse(ImpulseJointHandle),
    Multibody(MultibodyJointHandle),
}

/// Where a hinge is in the world, when it is made.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Place {
    /// A point of its axis.
    pub(in super::super::super) at: Point3<f64>,
    /// Direction of its axis.
    pub(in super::super::super) axis: Vector3<f64>,
}

/// Joins two bodies of the scene by a hinge at angle zero.
///
/// # Errors
/// When rapier refuses the joint of a multibody.
pub(in super::super::super) fn hinge(
    world: &mut World,
    bodies: [usize; 2],
    place: Place,
    joints: Joints,
) -> Result<Hinge, CommandError> {
    let turn = UnitQuaternion::rotation_between(&Vector3::x(), &place.axis).unwrap_or_else(|| {
        UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI)
    });
    let frame = Isometry3::from_parts(Translation3::from(place.at.coords), turn);
    let frames = bodies.map(|b| world.pose(b).inverse() * frame);
    let names = bodies.map(|b| world.entries()[b].name.clone());
    let bodies = bodies.map(|b| world.entries()[b].handle);
    let mut data = GenericJoint::new(JointAxesMask::LOCKED_REVOLUTE_AXES);
    data.set_local_frame1(to_pose(&frames[0]));
    data.set_local_frame2(to_pose(&frames[1]));
    data.set_contacts_enabled(false);
    let sets = &mut world.sets;
    let joint = match joints {
        Joints::Impulse => {
            Made::Impulse(sets.impulse_joints.insert(bodies[0], bodies[1], data, true))
        }
        Joints::Multibody => {
            let made = sets
                .multibody_joints
                .insert(bodies[0], bodies[1], data, true);
            let refused = || {
                let [a, b] = names;
                CommandError::Scene(format!("rapier refused the hinge from `{a}` to `{b}`"))
            };
            let handle = made.ok_or_else(refused)?;
            if let Some((multibody, _)) = sets.multibody_joints.get_mut(handle) {
                // The type of the root decides how many coordinates there are. Rapier gives each angle a
                // damping of its own.
                multibody.forward_kinematics(&sets.bodies, true);
                multibody.damping_mut().fill(0.0);
            }
            Made::Multibody(handle)
        }
    };
    Ok(Hinge {
        bodies,
        frames,
        joint,
    })
}

impl Hinge {
    /// Shows its angle, and its drive if it has one, to viewers. Once the scene is built: a multibody that
    /// grows renumbers its links.
    pub(in super::super::super) fn show(&self, world: &mut World) {
        let joints = &world.sets.multibody_joints;
        let probe = match self.joint {
            Made::Impulse(handle) => {
                JointProbe::of_impulse_joint(&world.sets.impulse_joints, handle)
            }
            Made::Multibody(_) => joints
                .rigid_body_link(self.bodies[1])
                .and_then(|id| JointProbe::new(joints, id.multibody, id.id)),
        };
        let moved = world.number(self.bodies[1]);
        if let (Some(probe), Some(moved)) = (probe, moved) {
            let name = format!("{} hinge", world.entries()[moved].name);
            world.name_joint(&name, probe);
        }
    }

    /// A spring and damper about the axis towards an angle \[rad\].
    pub(in super::super::super) fn drive(&self, world: &mut World, target: f64, gains: [f64; 2]) {
        let [stiffness, damping] = gains.map(to_real);
        let data = match self.joint {
            Made::Impulse(handle) => {
                let joint = world.sets.impulse_joints.get_mut(handle, true);
                joint.map(|j| &mut j.data)
            }
            Made::Multibody(handle) => {
                let found = world.sets.multibody_joints.get_mut(handle);
                let link = found.and_then(|(multibody, link)| multibody.link_mut(link));
                link.map(|l| &mut l.joint.data)
            }
        };
        if let Some(data) = data {
            data.set_motor_model(JointAxis::AngX, MotorModel::ForceBased);
            data.set_motor(JointAxis::AngX, to_real(target), 0.0, stiffness, damping);
        }
    }

    /// How far the two bodies' points of the axis are apart \[m\], and their axes \[rad\].
    pub(in super::super::super) fn gap(&self, world: &World) -> [f64; 2] {
        let [a, b] = [0, 1].map(|side| {
            let body = &world.sets.bodies[self.bodies[side]];
            isometry(body.position()) * self.frames[side]
        });
        let apart = (a.translation.vector - b.translation.vector).norm();
        let axes = [a, b].map(|frame| frame.rotation * Vector3::x());
        [apart, axes[0].cross(&axes[1]).norm()]
    }
}

/// Largest gaps of hinges: distance \[m\] and angle between the axes \[rad\].
pub(in super::super::super) fn largest_gap(hinges: &[Hinge], world: &World) -> [f64; 2] {
    hinges.iter().fold([0.0, 0.0], |[far, turned], hinge| {
        let [apart, angle] = hinge.gap(world);
        [larger(far, apart), larger(turned, angle)]
    })
}

/// A slender rod as a body: mass, both ends, and a name.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Rod<'a> {
    pub(in super::super::super) name: &'a str,
    pub(in super::super::super) ends: [Point3<f64>; 2],
    pub(in super::super::super) mass: f64,
    /// Half its thickness, drawn only \[m\].
    pub(in super::super::super) radius: f64,
}

impl Rod<'_> {
    /// Adds the rod; it touches nothing. Its inertia is that of a line: `m l^2 / 12` across.
    pub(in super::super::super) fn add(&self, world: &mut World) -> usize {
        let along = self.ends[1] - self.ends[0];
        let turn = UnitQuaternion::rotation_between(&Vector3::z(), &along).unwrap_or_else(|| {
            UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI)
        });
        let middle = nalgebra::center(&self.ends[0], &self.ends[1]);
        let pose = Isometry3::from_parts(Translation3::from(middle.coords), turn);
        let length = along.norm();
        let across = to_real(self.mass * length * length / 12.0);
        // A line has no inertia about itself; a body must have some.
        let about = to_real(0.5 * self.mass * self.radius * self.radius);
        let mass = MassProperties::new(
            Vector::ZERO,
            to_real(self.mass),
            Vector::new(across, across, about),
        );
        let half = to_real(self.radius);
        let shape = ColliderBuilder::cuboid(half, half, to_real(0.5 * length))
            .density(0.0)
            .collision_groups(InteractionGroups::none());
        let body = RigidBodyBuilder::dynamic()
            .pose(to_pose(&pose))
            .additional_mass_properties(mass);
        let number = world.add(self.name, body, [shape]);
        // Rapier sums masses up at the next step; energies are read before.
        let handle = world.entries()[number].handle;
        let sets = &mut world.sets;
        if let Some(body) = sets.bodies.get_mut(handle) {
            body.recompute_mass_properties_from_colliders(&sets.colliders);
        }
        number
    }
}

/// Kinetic and potential energy of all that moves \[J\]; heights from z = 0.
pub(in super::super::super) fn energy(world: &World) -> f64 {
    let bodies = world.sets.bodies.iter();
    let moving = bodies.filter(|(_, body)| body.is_dynamic());
    moving
        .map(|(_, body)| {
            let (mass, speed) = (real(body.mass()), vector(body.linvel()));
            let spin = vector(body.angvel());
            let turn = isometry(body.position()).rotation;
            let inertia =
                super::super::super::stage::convert::inertia(&body.mass_properties().local_mprops);
            let local = turn.inverse() * spin;
            let height = vector(body.center_of_mass()).z;
            0.5 * mass * speed.norm_squared()
                + 0.5 * local.dot(&(inertia * local))
                + mass * super::super::super::stage::world::GRAVITY * height
        })
        .sum()
}
