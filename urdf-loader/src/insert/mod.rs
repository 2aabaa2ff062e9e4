//! From the model to rapier's sets: one multibody with exactly the file's mass properties.

mod closures;
mod convert;
mod decompose;
mod drive;
mod error;
mod handles;
mod joints;
mod options;
mod overlap;
mod plan;
mod shapes;
mod speed;
mod start;

use nalgebra::Isometry3;
use rapier::{
    dynamics::{
        ImpulseJointSet, MultibodyJointSet, RigidBodyBuilder, RigidBodyHandle, RigidBodySet,
    },
    geometry::{ColliderHandle, ColliderSet},
};

pub use error::InsertError;
pub use handles::{ClosureHandle, Coordinates, JointHandle, LinkHandle, RobotHandles};
pub use options::{
    Base, Drive, EffortLimits, Hold, InsertOptions, MeshCollision, RotorInertia, SelfCollision,
    Surface,
};

use crate::{
    assembly::{Assembly, FixedJoints},
    judge::judge,
    model::{Joint, RobotModel},
    scan,
};
use plan::Plan;

impl RobotModel {
    /// Puts the robot into rapier's sets.
    ///
    /// Every link frame is a body frame (or a fixed offset from one, see [`LinkHandle::offset`]);
    /// masses, centres of mass and full inertias are the file's and colliders weigh nothing;
    /// damping and dry friction are the file's, rapier's default damping is removed; position
    /// limits are joint limits; mimicking joints are coupled to the joint that leads them; closures
    /// become impulse joints; the effort limit bounds the drive. Bodies, colliders and joints stand
    /// at the initial configuration. Cost: linear in links and mesh vertices (convex hulls n log
    /// n), plus one distance query per pair of colliders that may touch and whose boxes do, for the
    /// warning about links that overlap from the start.
    ///
    /// # Errors
    /// [`InsertError`], with the sets unchanged.
    pub fn insert(
        &self,
        options: &InsertOptions,
        bodies: &mut RigidBodySet,
        colliders: &mut ColliderSet,
        impulse_joints: &mut ImpulseJointSet,
        multibody_joints: &mut MultibodyJointSet,
    ) -> Result<RobotHandles, InsertError> {
        check_options(self, options)?;
        let mut warnings = Vec::new();
        let start = start::coordinates(self, options, &mut warnings)?;
        let assembly = Assembly::new(self, options.fixed_joints);
        let parts = shapes::parts(self, &assembly, options, &mut warnings)?;
        let mut plan = Plan {
            model: self,
            options,
            assembly,
            base: base(self, options.base)?,
            start,
            drives: Vec::new(),
        };
        plan.drives = drive::drives(&plan, &mut warnings)?;

        let handles = insert_bodies(&plan, bodies);
        let mut of_link: Vec<Vec<ColliderHandle>> = vec![Vec::new(); self.links.len()];
        for (&body, parts) in handles.iter().zip(parts) {
            for part in parts {
                let handle = colliders.insert_with_parent(part.collider, body, bodies);
                of_link[part.link].push(handle);
            }
            if let Some(rb) = bodies.get_mut(body) {
                rb.recompute_mass_properties_from_colliders(colliders);
            }
        }
        let multibody = joints::insert(&plan, &handles, bodies, multibody_joints)?;
        bodies.propagate_modified_body_positions_to_colliders(colliders);

        let links = link_handles(&plan, &handles, of_link, bodies);
        let joints = joints::handles(&plan, &handles, multibody_joints);
        let sets = (&*bodies, &mut *impulse_joints);
        let closures = closures::insert(&plan, &links, sets, &mut warnings);
        let mut out = RobotHandles {
            name: self.name.clone(),
            root: handles[0],
            base: plan.base,
            multibody,
            bodies: handles,
            links,
            joints,
            closures,
            filters: Vec::new(),
            warnings,
        };
        let apart = overlap::apart(&plan, &mut out, colliders);
        out.filters = closures::keep_apart(&apart, &out.bodies, impulse_joints);
        Ok(out)
    }
}

fn check_options(model: &RobotModel, options: &InsertOptions) -> Result<(), InsertError> {
    let moves = |j: &Joint| j.kind.dofs() > 0;
    start::known(model, "an armature", options.joint_armature.keys(), moves)?;
    let x = &options.pose;
    let numbers = [
        ("friction", options.surface.friction),
        ("restitution", options.surface.restitution),
        ("armature", options.armature),
    ];
    let named = options.joint_armature.values().map(|a| ("armature", *a));
    for (what, value) in numbers.into_iter().chain(named) {
        if !(value.is_finite() && value >= 0.0) {
            return Err(start::bad(
                model,
                what,
                value,
                "a finite number, zero or more",
            ));
        }
    }
    let mut pose = x.translation.vector.iter().chain(x.rotation.coords.iter());
    match pose.find(|c| !c.is_finite()) {
        Some(&value) => Err(start::bad(
            model,
            "a component of the pose",
            value,
            "finite",
        )),
        None => Ok(()),
    }
}

/// What the base becomes, judged with everything fixed to it.
pub(crate) fn base(model: &RobotModel, asked: Base) -> Result<Base, InsertError> {
    let merged = Assembly::new(model, FixedJoints::Merge);
    let body = &merged.bodies[0];
    let named_world = model.links.first().is_some_and(|l| l.name == scan::WORLD);
    let floats = match asked {
        Base::Fixed => false,
        Base::Floating => true,
        Base::Auto => {
            merged.declares_floating()
                || (!named_world && body.inertial.is_some_and(|i| i.mass > 0.0))
        }
    };
    if !floats {
        return Ok(Base::Fixed);
    }
    judge(model, body).map_err(InsertError::Base)?;
    Ok(Base::Floating)
}

fn insert_bodies(plan: &Plan, bodies: &mut RigidBodySet) -> Vec<RigidBodyHandle> {
    let mut handles = Vec::with_capacity(plan.assembly.bodies.len());
    for (body, pose) in plan.assembly.bodies.iter().zip(plan.poses()) {
        let fixed = body.joint.is_none() && plan.base == Base::Fixed;
        let mut builder = if fixed {
            RigidBodyBuilder::fixed()
        } else {
            RigidBodyBuilder::dynamic()
        };
        builder = builder.pose(convert::pose(&pose));
        if let Some(i) = body.inertial.filter(|i| i.mass > 0.0) {
            builder = builder.additional_mass_properties(convert::mass_properties(&i));
        }
        handles.push(bodies.insert(builder));
    }
    handles
}

fn link_handles(
    plan: &Plan,
    handles: &[RigidBodyHandle],
    of_link: Vec<Vec<ColliderHandle>>,
    bodies: &mut RigidBodySet,
) -> Vec<LinkHandle> {
    let places = plan.assembly.places(plan.model.links.len());
    // Links of an empty root stay with the world; one body without shapes stands for them.
    let world =
        plan.assembly.world.first().map(|_| {
            bodies.insert(RigidBodyBuilder::fixed().pose(convert::pose(&plan.options.pose)))
        });
    let mut out = Vec::with_capacity(places.len());
    for (i, (place, colliders)) in places.into_iter().zip(of_link).enumerate() {
        let (body, offset) = match place {
            Some((b, offset)) => (handles[b], offset),
            None => {
                let member = plan.assembly.world.iter().find(|m| m.link == i);
                (
                    world.unwrap_or(handles[0]),
                    member.map_or_else(Isometry3::identity, |m| m.offset),
                )
            }
        };
        let name = plan.model.links[i].name.clone();
        out.push(LinkHandle {
            name,
            body,
            offset: convert::pose(&offset),
            colliders,
        });
    }
    out
}
