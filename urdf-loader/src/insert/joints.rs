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
    convert::{pose, real},
    error::InsertError,
    handles::{Coordinates, JointHandle},
    options::{EffortLimits, RotorInertia, SelfCollision},
    plan::Plan,
};
use crate::{assembly::Body, model::JointKind, srdf::Rotor};

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
        for (i, (handle, joint)) in all.iter().zip(&plan.model.joints).enumerate() {
            let Some(c) = handle.coordinates else {
                continue;
            };
            let first = multibody
                .link(c.link_id)
                .map_or(c.first, |l| l.assembly_id());
            let armature = armature(plan, i);
            for (k, q) in (first..first + c.count).zip(&handle.initial) {
                multibody.damping_mut()[k] = real(joint.damping);
                multibody.frictions_mut()[k] = real(joint.friction);
                multibody.armature_mut()[k] = real(armature);
                displacement[k] = real(*q);
            }
        }
        couple(plan, &all, multibody);
        multibody.apply_displacements(&displacement);
        multibody.forward_kinematics(bodies, false);
        multibody.update_rigid_bodies(bodies, true);
    }
    Ok(Some(index))
}

/// What rotors add along the coordinates of a joint (kg m^2 or kg).
fn armature(plan: &Plan, joint: usize) -> f64 {
    let options = plan.options;
    let named = options.joint_armature.get(&plan.model.joints[joint].name);
    let own = named.copied().unwrap_or(options.armature);
    match options.rotor_inertia {
        RotorInertia::Ignore => own,
        RotorInertia::Add => own + rotor(plan, joint).unwrap_or(0.0),
    }
}

/// Rotor inertia as the joint feels it: the robot file's, else the SRDF's.
fn rotor(plan: &Plan, joint: usize) -> Option<f64> {
    let stated = plan.model.reflected_inertia(joint);
    let srdf = plan.options.srdf.as_ref();
    let named = || srdf?.rotors.get(&plan.model.joints[joint].name);
    stated.or_else(|| named().map(Rotor::reflected_inertia))
}

/// `q2 = coeff q1 + offset` for every mimicking joint, q1 the joint that leads its whole chain.
fn couple(plan: &Plan, all: &[JointHandle], multibody: &mut Multibody) {
    for (i, joint) in plan.model.joints.iter().enumerate() {
        if joint.mimic.is_none() {
            continue;
        }
        let m = plan.model.leader(i);
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

/// The joint of the file between frames turned by [`Joint::axis_turn`](crate::Joint::axis_turn).
fn generic_joint(plan: &Plan, body: &Body, j: usize) -> GenericJoint {
    let joint = &plan.model.joints[j];
    let turn = Isometry3::from_parts(Translation3::identity(), joint.axis_turn());
    let mut out = GenericJoint::new(locked(joint.kind));
    out.set_local_frame1(pose(&(body.joint_in_parent * turn)));
    out.set_local_frame2(pose(&turn));
    out.set_contacts_enabled(plan.options.self_collision == SelfCollision::On);
    if let (Some(l), &[axis]) = (joint.limits, axes(joint.kind)) {
        out.set_limits(axis, [real(l.lower), real(l.upper)]);
    }
    let strongest = match plan.options.effort {
        EffortLimits::File => joint.effort,
        EffortLimits::Unlimited => None,
    };
    let targets = plan.start[j].iter().zip(&plan.drives[j]);
    for (&axis, (&target, drive)) in axes(joint.kind).iter().zip(targets) {
        let (stiffness, damping) = (real(drive.stiffness), real(drive.damping));
        out.set_motor_model(axis, MotorModel::ForceBased);
        out.set_motor(axis, real(target), 0.0, stiffness, damping);
        out.set_motor_max_force(axis, strongest.map_or(Real::MAX, real));
    }
    out
}

/// The axes a joint is free along or about, in the order of its coordinates.
pub(super) fn axes(kind: JointKind) -> &'static [JointAxis] {
    use JointAxis::{AngX, AngY, AngZ, LinX, LinY, LinZ};
    match kind {
        JointKind::Revolute | JointKind::Continuous => &[AngX],
        JointKind::Prismatic => &[LinX],
        JointKind::Planar => &[LinX, LinY, AngZ],
        JointKind::Spherical => &[AngX, AngY, AngZ],
        JointKind::Floating => &[LinX, LinY, LinZ, AngX, AngY, AngZ],
        JointKind::Fixed => &[],
    }
}

/// The axes along or about which a joint holds its bodies together.
pub(super) fn locked(kind: JointKind) -> JointAxesMask {
    let free = axes(kind).iter().map(|&axis| JointAxesMask::from(axis));
    free.fold(JointAxesMask::LOCKED_FIXED_AXES, |all, axis| all - axis)
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
            let coordinates = axes(joint.kind).first().filter(|_| own).and_then(|&axis| {
                let id = link?;
                let link = joints.get_multibody(id.multibody)?.link(id.id)?;
                Some(Coordinates {
                    link_id: id.id,
                    first: link.assembly_id(),
                    count: joint.kind.dofs(),
                    axis,
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
                initial: plan.start[i].clone(),
                drives: plan.drives[i].clone(),
            }
        })
        .collect()
}
