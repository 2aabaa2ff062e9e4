//! Bodies and joints into a scene and out of it.

use super::parts::{Joint, Part};
use super::{Scene, finite3, not_negative, positive};
use crate::error::{Error, Outcome};
use rapier3d_f64::parry::shape::HeightFieldFlags;
use rapier3d_f64::parry::utils::Array2;
use rapier3d_f64::prelude::*;
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use stickslip_f64::ContactMaterial;

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// By forces.
    #[default]
    Free,
    /// Not at all.
    Fixed,
    /// With the velocity it is given, whatever is in the way.
    Prescribed,
}

/// What the surface of a body is like.
#[derive(Clone, Copy, Debug)]
pub struct Skin {
    /// Coulomb coefficient.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Torsional coefficient \[m\].
    pub torsional: f64,
    /// Rolling coefficient \[m\].
    pub rolling: f64,
    /// Compliance \[m/N\].
    pub compliance: f64,
}

/// A body to add.
pub struct NewBody<'a> {
    /// Its name, if it is asked for one.
    pub name: Option<&'a str>,
    /// The name it gets otherwise.
    pub stem: &'static str,
    /// How it moves.
    pub motion: Motion,
    /// Its pose.
    pub pose: Pose,
    /// Velocity of its centre of mass and angular velocity.
    pub velocity: [[f64; 3]; 2],
    /// Its mass \[kg\]; else its density counts.
    pub mass: Option<f64>,
    /// Its density [kg/m^3].
    pub density: f64,
    /// Its surface.
    pub skin: Skin,
}

impl Scene {
    /// Adds a body of one shape and gives its number.
    ///
    /// # Errors
    /// A number that can't be, a name that is taken.
    pub fn add_body(&mut self, new: &NewBody<'_>, shape: ColliderBuilder) -> Outcome<usize> {
        let name = self.names.free(new.name, new.stem)?;
        let skin = &new.skin;
        let mut shape = shape
            .friction(not_negative("friction", skin.friction)?)
            .restitution(not_negative("restitution", skin.restitution)?);
        shape = match new.mass {
            Some(mass) => shape.mass(positive("mass", mass)?),
            None => shape.density(positive("density", new.density)?),
        };
        let [linear, angular] = new.velocity;
        let linear = finite3("velocity", linear)?;
        let angular = finite3("angular_velocity", angular)?;
        let body = match new.motion {
            Motion::Free => RigidBodyBuilder::dynamic(),
            Motion::Fixed => RigidBodyBuilder::fixed(),
            Motion::Prescribed => RigidBodyBuilder::kinematic_velocity_based(),
        };
        let body = body.pose(new.pose).linvel(linear).angvel(angular);
        let material = ContactMaterial {
            mu_torsional: not_negative("torsional_friction", skin.torsional)?,
            mu_rolling: not_negative("rolling_friction", skin.rolling)?,
            compliance: not_negative("compliance", skin.compliance)?,
            ..ContactMaterial::default()
        };
        // Everything is checked before anything changes.
        let shape = shape.build();
        let density = new.mass.is_none().then_some(new.density);
        if new.motion == Motion::Free && !has_mass(&shape, density) {
            return Err(Error::Input(format!(
                "`{name}` encloses no volume, so that its mass is unknown: give mass=..., or fixed=True"
            )));
        }
        let body = self.world.insert_body(body);
        let collider = self.world.insert_collider(shape, Some(body));
        if material != ContactMaterial::default() {
            let told = (self.pipeline).set_collider_material(collider, Some(material));
            told.map_err(|error| Error::Input(format!("`{name}`: {error}")))?;
        }
        let number = self.names.parts.len();
        self.names.parts.push(Part {
            name,
            body,
            offset: Pose::IDENTITY,
            link: None,
            colliders: vec![collider],
            removed: false,
        });
        Arc::make_mut(&mut self.of_collider).insert(collider, number);
        Ok(number)
    }

    /// Removes a body, or with a link its whole robot.
    ///
    /// # Errors
    /// When it is gone already.
    pub fn remove_part(&mut self, part: usize) -> Outcome<()> {
        let found = self.names.alive(part)?;
        match found.link {
            Some((robot, _)) => self.remove_robot(robot),
            None => {
                let body = found.body;
                self.take_out(&[body]);
                Ok(())
            }
        }
    }

    /// Removes a robot.
    ///
    /// # Errors
    /// When it is gone already.
    pub fn remove_robot(&mut self, robot: usize) -> Outcome<()> {
        let found = self.names.robot_alive(robot)?;
        let mut bodies = found.bodies.clone();
        // Links of an empty root have a body of their own.
        bodies.extend(found.links.iter().map(|&l| self.names.parts[l].body));
        bodies.dedup();
        self.take_out(&bodies);
        self.names.robots[robot].removed = true;
        self.models.remove(&robot);
        Ok(())
    }

    fn take_out(&mut self, bodies: &[RigidBodyHandle]) {
        for body in bodies {
            self.world.remove_body(*body);
            self.pushes.remove(body);
        }
        let gone = |part: &&mut Part| bodies.contains(&part.body);
        for part in self.names.parts.iter_mut().filter(gone) {
            for &collider in &part.colliders {
                // Nothing can be wrong with no material.
                let _ = self.pipeline.set_collider_material(collider, None);
            }
            part.removed = true;
        }
        let joints = &self.world.impulse_joints;
        for joint in &mut self.names.joints {
            joint.removed |= joints.get(joint.handle).is_none();
        }
        self.index_colliders();
    }

    /// Joins two bodies and gives the joint's number.
    ///
    /// # Errors
    /// A body that is gone, a body joined to itself, a name that is taken.
    pub fn add_joint(
        &mut self,
        name: Option<&str>,
        [a, b]: [usize; 2],
        joint: GenericJoint,
    ) -> Outcome<usize> {
        let bodies = [self.names.alive(a)?.body, self.names.alive(b)?.body];
        if bodies[0] == bodies[1] {
            return Err(Error::Input(format!(
                "a joint between `{}` and itself holds nothing",
                self.names.parts[a].name
            )));
        }
        let name = self.names.free(name, "joint")?;
        let handle = (self.world).insert_impulse_joint(bodies[0], bodies[1], joint);
        let number = self.names.joints.len();
        self.names.joints.push(Joint {
            name,
            handle,
            removed: false,
        });
        Ok(number)
    }

    /// A joint that is still there.
    ///
    /// # Errors
    /// [`Error::Removed`].
    pub fn joint(&self, joint: usize) -> Outcome<ImpulseJointHandle> {
        match self.names.joints.get(joint) {
            Some(found) if !found.removed => Ok(found.handle),
            Some(found) => Err(Error::Removed(format!(
                "joint `{}` was removed from this world",
                found.name
            ))),
            None => Err(Error::Removed(
                "this joint is not in the restored world".to_owned(),
            )),
        }
    }

    /// Removes a joint.
    ///
    /// # Errors
    /// When it is gone already.
    pub fn remove_joint(&mut self, joint: usize) -> Outcome<()> {
        let handle = self.joint(joint)?;
        self.world.remove_impulse_joint(handle);
        self.names.joints[joint].removed = true;
        Ok(())
    }

    /// Gives a body another mass, its shape of inertia and centre of mass kept.
    ///
    /// # Errors
    /// A body that forces don't move, a mass that is not positive.
    pub fn set_mass(&mut self, part: usize, mass: f64) -> Outcome<()> {
        let found = self.names.alive(part)?;
        let (name, handle) = (found.name.clone(), found.body);
        positive("mass", mass)?;
        let sets = &mut self.world;
        let Some(body) = sets.bodies.get_mut(handle) else {
            return Ok(());
        };
        let old = body.mass();
        if !(body.is_dynamic() && old > 0.0) {
            return Err(Error::Input(format!(
                "`{name}` is not moved by forces: its mass means nothing"
            )));
        }
        let whole = body.mass_properties().local_mprops;
        let scaled = MassProperties::with_principal_inertia_frame(
            whole.local_com,
            mass,
            whole.principal_inertia() * (mass / old),
            whole.principal_inertia_local_frame,
        );
        for &collider in &body.colliders().to_vec() {
            if let Some(collider) = sets.colliders.get_mut(collider) {
                collider.set_density(0.0);
            }
        }
        body.set_additional_mass_properties(scaled, true);
        body.recompute_mass_properties_from_colliders(&sets.colliders);
        Ok(())
    }

    /// Changes a body that is no link, and brings its colliders along.
    ///
    /// # Errors
    /// A link, or a body that is gone.
    pub fn change_body(&mut self, part: usize, what: impl FnOnce(&mut RigidBody)) -> Outcome<()> {
        let found = self.names.alive(part)?;
        if found.link.is_some() {
            return Err(Error::Input(format!(
                "`{}` is a link: set q and v of its robot",
                found.name
            )));
        }
        let sets = &mut self.world;
        if let Some(body) = sets.bodies.get_mut(found.body) {
            what(body);
        }
        (sets.bodies).propagate_modified_body_positions_to_colliders(&mut sets.colliders);
        Ok(())
    }

    /// Gives all colliders of a part this friction.
    ///
    /// # Errors
    /// A negative one.
    pub fn set_friction(&mut self, part: usize, friction: f64) -> Outcome<()> {
        not_negative("friction", friction)?;
        for collider in self.names.alive(part)?.colliders.clone() {
            if let Some(collider) = self.world.colliders.get_mut(collider) {
                collider.set_friction(friction);
            }
        }
        Ok(())
    }
}

/// Whether a body of this shape can be moved by forces; what was given a density must fill more of its bounding box than
/// round-off.
fn has_mass(shape: &Collider, density: Option<f64>) -> bool {
    let size = shape.compute_aabb().extents().length();
    let least = density.map_or(0.0, |density| 1e-9 * density * size.powi(3));
    let mass = shape.mass_properties();
    let inertia = mass.principal_inertia().to_array();
    mass.mass() > least && inertia.iter().all(|i| i.is_finite() && *i > 0.0)
}

/// Rapier's cylinders and capsules lie along y, ours along z.
pub fn upright(shape: ColliderBuilder) -> ColliderBuilder {
    let turn = Rotation::from_rotation_x(FRAC_PI_2);
    shape.position(Pose::from_parts(Vector::ZERO, turn))
}

/// Heights over a grid of rows along y and columns along x, in the middle of the body's x-y plane.
///
/// # Errors
/// Fewer than two rows or columns, a height that is not finite, a spacing that is not positive.
pub fn heightfield(
    heights: &[f64],
    [rows, columns]: [usize; 2],
    spacing: f64,
) -> Outcome<ColliderBuilder> {
    positive("spacing", spacing)?;
    if rows < 2 || columns < 2 {
        return Err(Error::Input(format!(
            "heights of shape ({rows}, {columns}): at least (2, 2) is wanted"
        )));
    }
    if let Some(k) = heights.iter().position(|h| !h.is_finite()) {
        return Err(Error::Input(format!(
            "heights[{}, {}] is {}",
            k / columns,
            k % columns,
            heights[k]
        )));
    }
    // Rapier's lie in x and z with y up, rows along z: turned about x, z becomes -y.
    let grid = Array2::from_fn(rows, columns, |row, column| {
        heights[(rows - 1 - row) * columns + column]
    });
    let size = |n: usize| (n - 1) as f64 * spacing;
    let scale = Vector::new(size(columns), 1.0, size(rows));
    let flags = HeightFieldFlags::FIX_INTERNAL_EDGES;
    Ok(upright(ColliderBuilder::heightfield_with_flags(
        grid, scale, flags,
    )))
}
