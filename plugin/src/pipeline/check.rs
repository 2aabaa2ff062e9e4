//! What must hold before a step touches anything: a finite step, and only features we solve.

use crate::base::convert::real;
use crate::base::error::StepError;
use crate::read::multibody::multibodies;
use rapier::math::Pose;
use rapier::prelude::*;

/// The sets a step reads before it changes them.
pub(crate) struct Scene<'a> {
    pub(crate) bodies: &'a RigidBodySet,
    pub(crate) impulse_joints: &'a ImpulseJointSet,
    pub(crate) multibody_joints: &'a MultibodyJointSet,
    pub(crate) soft_bodies: &'a SoftBodySet,
}

/// Refuses scenes we can't step rightly, before anything is changed. O(joints + links).
pub(crate) fn scene(
    gravity: Vector,
    params: &IntegrationParameters,
    scene: &Scene<'_>,
) -> Result<(), StepError> {
    let dt = real(params.dt);
    if !(dt.is_finite() && dt >= 0.0) {
        return Err(StepError::BadTimeStep { dt });
    }
    let length_unit = real(params.length_unit);
    if !(length_unit.is_finite() && length_unit > 0.0) {
        return Err(StepError::BadLengthUnit { length_unit });
    }
    if !gravity.is_finite() {
        return Err(StepError::BadGravity);
    }
    if !scene.soft_bodies.is_empty() {
        return Err(StepError::SoftBodies {
            count: scene.soft_bodies.len(),
        });
    }
    crate::joints::check(scene.impulse_joints)?;
    for multibody in multibodies(scene.multibody_joints) {
        multibody_supported(scene.bodies, multibody)?;
    }
    Ok(())
}

/// Number of free angular axes of a joint (0 to 3).
pub(crate) fn free_angular_axes(joint: &GenericJoint) -> u32 {
    3 - (joint.locked_axes.bits() >> 3).count_ones()
}

fn multibody_supported(bodies: &RigidBodySet, multibody: &Multibody) -> Result<(), StepError> {
    for link in multibody.links() {
        let body = link.rigid_body_handle();
        let joint = link.joint();
        if link.link_id() > 0 && bodies.get(body).is_some_and(|rb| !rb.is_dynamic()) {
            return Err(StepError::LinkNotDynamic {
                body,
                link: link.link_id(),
            });
        }
        if free_angular_axes(&joint.data) == 2 {
            return Err(StepError::UniversalJoint {
                body,
                link: link.link_id(),
            });
        }
        if !joint.data.coupled_axes.is_empty() {
            return Err(StepError::CoupledAxes {
                body,
                link: link.link_id(),
            });
        }
        if ![joint.data.local_frame1, joint.data.local_frame2]
            .iter()
            .all(Pose::is_finite)
        {
            return Err(StepError::Multibody {
                body: multibody.root().rigid_body_handle(),
                reason: format!(
                    "a frame of the joint of link {} is not finite",
                    link.link_id()
                ),
            });
        }
        if bodies
            .get(body)
            .is_some_and(|rb| !rb.locked_axes().is_empty() && rb.is_dynamic())
        {
            return Err(StepError::LockedLink { body });
        }
    }
    Ok(())
}
