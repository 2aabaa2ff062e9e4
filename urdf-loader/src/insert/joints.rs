//! Joints of the file as multibody joints, at their initial positions.

use nalgebra::{Isometry3, Translation3};
use rapier::{
    dynamics::{
        GenericJoint, JointAxesMask, JointAxis, MotorModel, Multibody, MultibodyDofCoupling,
        MultibodyIndex, MultibodyJointSet, RigidBodyHandle, RigidBodySet,
    },
    math::Real,
};

use super::{
    InsertError, Plan, SelfCollision,
    convert::{pose, real},
    handles::{Coordinates, JointHandle},
};
use crate::{assembly::Body, model::JointKind};

/// Joins the bodies and brings the multibody to its initial configuration. `None` for one body.
pub(super) fn insert(
    plan: &Plan,
    handles: &[RigidBodyHandle],
    bodies: &mut RigidBodySet,
    joints: &mut MultibodyJointSet,
) -> Result<Option<MultibodyIndex>, InsertError> {
    for (body, &handle) in plan.assembly.bodies.iter().zip(handles) {
        let Some(j) = body.joint else { continue };
        let data = generic_joint(plan, body, j);
        if joints
            .insert(handles[body.parent], handle, data, true)
            .is_none()
        {
            let (robot, joint) = (plan.model.name.clone(), plan.model.joints[j].name.clone());
            return Err(InsertError::Engine { robot, joint });
        }
    }
    let Some(index) = joints.rigid_body_link(handles[0]).map(|l| l.multibody) else {
        return Ok(None);
    };
    let all = self::handles(plan, handles, joints);
    if let Some(multibody) = joints.get_multibody_mut(index) {
        // Settles the type of the root, so that coordinate indices are final.
        multibody.forward_kinematics(bodies, true);
        multibody.set_self_contacts_enabled(plan.options.self_collision != SelfCollision::Off);
        // Rapier gives every angular coordinate a damping of its own; the file decides here.
        multibody.damping_mut().fill(0.0);
        let mut displacement = vec![real(0.0); multibody.ndofs()];
        for (handle, joint) in all.iter().zip(&plan.model.joints) {
            let Some(c) = handle.coordinates else {
                continue;
            };
            let first = multibody
                .link(c.link_id)
                .map_or(c.first, |l| l.assembly_id());
            for k in first..first + c.count {
                multibody.damping_mut()[k] = real(joint.damping);
                multibody.frictions_mut()[k] = real(joint.friction);
                multibody.armature_mut()[k] = real(plan.options.armature);
            }
            if c.count == 1 {
                displacement[first] = real(handle.initial);
            }
        }
        couple(plan, &all, multibody);
        multibody.apply_displacements(&displacement);
        multibody.forward_kinematics(bodies, false);
        multibody.update_rigid_bodies(bodies, true);
    }
    Ok(Some(index))
}

/// `q2 = coeff q1 + offset` for every mimicking joint; a chain is a coupling per member.
fn couple(plan: &Plan, all: &[JointHandle], multibody: &mut Multibody) {
    for (i, joint) in plan.model.joints.iter().enumerate() {
        let Some(m) = joint.mimic else { continue };
        let (Some(source), Some(own)) = (all[m.joint].coordinates, all[i].coordinates) else {
            continue;
        };
        multibody.add_dof_coupling(MultibodyDofCoupling {
            link1: source.link_id,
            dof1: 0,
            axis1: source.axis as usize,
            link2: own.link_id,
            dof2: 0,
            axis2: own.axis as usize,
            coeff: real(m.multiplier),
            offset: real(m.offset),
        });
    }
}

/// A joint whose free axis is x of both frames: the URDF axis turned there.
fn generic_joint(plan: &Plan, body: &Body, j: usize) -> GenericJoint {
    let joint = &plan.model.joints[j];
    let turn = Isometry3::from_parts(Translation3::identity(), joint.axis_turn());
    let mut out = GenericJoint::new(locked(joint.kind));
    out.set_local_frame1(pose(&(body.joint_in_parent * turn)));
    out.set_local_frame2(pose(&turn));
    out.set_contacts_enabled(plan.options.self_collision == SelfCollision::On);
    if let Some(axis) = axis(joint.kind) {
        if let Some(l) = joint.limits {
            out.set_limits(axis, [real(l.lower), real(l.upper)]);
        }
        if let Some(drive) = plan.drives[j] {
            let target = real(plan.start[j]);
            out.set_motor_model(axis, MotorModel::ForceBased);
            out.set_motor(
                axis,
                target,
                0.0,
                real(drive.stiffness),
                real(drive.damping),
            );
            out.set_motor_max_force(axis, joint.effort.map_or(Real::MAX, real));
        }
    }
    out
}

fn locked(kind: JointKind) -> JointAxesMask {
    match kind {
        JointKind::Revolute | JointKind::Continuous => JointAxesMask::LOCKED_REVOLUTE_AXES,
        JointKind::Prismatic => JointAxesMask::LOCKED_PRISMATIC_AXES,
        JointKind::Spherical => JointAxesMask::LOCKED_SPHERICAL_AXES,
        // In the plane of x and y, about z: the axis is turned there.
        JointKind::Planar => JointAxesMask::LIN_Z | JointAxesMask::ANG_X | JointAxesMask::ANG_Y,
        JointKind::Fixed => JointAxesMask::LOCKED_FIXED_AXES,
        JointKind::Floating => JointAxesMask::empty(),
    }
}

fn axis(kind: JointKind) -> Option<JointAxis> {
    match kind {
        JointKind::Revolute | JointKind::Continuous => Some(JointAxis::AngX),
        JointKind::Prismatic => Some(JointAxis::LinX),
        JointKind::Fixed | JointKind::Planar | JointKind::Spherical | JointKind::Floating => None,
    }
}

/// Handles of all joints of the model.
pub(super) fn handles(
    plan: &Plan,
    handles: &[RigidBodyHandle],
    joints: &MultibodyJointSet,
) -> Vec<JointHandle> {
    let model = plan.model;
    let places = plan.assembly.places(model.links.len());
    model
        .joints
        .iter()
        .enumerate()
        .map(|(i, joint)| {
            let b = places[joint.child].map_or(0, |(b, _)| b);
            let own = plan.assembly.bodies[b].joint == Some(i);
            let link = joints.rigid_body_link(handles[b]).copied();
            let coordinates = link
                .filter(|_| own && joint.kind.dofs() > 0)
                .and_then(|id| {
                    let link = joints.get_multibody(id.multibody)?.link(id.id)?;
                    Some(Coordinates {
                        link_id: id.id,
                        first: link.assembly_id(),
                        count: joint.kind.dofs(),
                        axis: axis(joint.kind).unwrap_or(JointAxis::AngX),
                    })
                });
            JointHandle {
                name: joint.name.clone(),
                kind: joint.kind,
                body: handles[b],
                coordinates,
                limits: joint.limits,
                effort: joint.effort,
                velocity: joint.velocity,
                initial: plan.start[i],
            }
        })
        .collect()
}
