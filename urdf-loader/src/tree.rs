//! The robot as an articulated tree of the engine-neutral core, without an engine in between.

use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};
use stickslip_core::dynamics::{JointSpec, LinkInertia, LinkSpec};

use crate::{
    insert::{self, Base, InsertError},
    model::{Joint, JointKind, RobotModel},
};

impl Joint {
    /// The turn that takes x to the joint axis. Both joint frames are turned by it, so that every
    /// joint with one coordinate moves about or along the x axis of its frames. For an axis along
    /// -x, where the shortest turn isn't unique, it is half a turn about z. Identity for joints
    /// without a single axis.
    pub fn axis_turn(&self) -> UnitQuaternion<f64> {
        if self.kind.dofs() != 1 {
            return UnitQuaternion::identity();
        }
        UnitQuaternion::rotation_between(&Vector3::x(), &self.axis).unwrap_or_else(|| {
            UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI)
        })
    }
}

impl RobotModel {
    /// Link descriptions for [`Tree::new`](stickslip_core::dynamics::Tree::new): one per link, same
    /// indices, none merged (the tree does that itself). Joints with one coordinate move on axis 0
    /// of their frames. `pose` places the root of a fixed base; a floating base is placed by the
    /// state of the tree. Mimicking joints are independent here.
    ///
    /// # Errors
    /// [`InsertError::Base`] when the base shall float but can't.
    pub fn link_specs(
        &self,
        base: Base,
        pose: &Isometry3<f64>,
    ) -> Result<Vec<LinkSpec>, InsertError> {
        let floats = match base {
            // The floating joint below an empty root carries the coordinates then.
            Base::Auto
                if self
                    .joints
                    .first()
                    .is_some_and(|j| j.kind == JointKind::Floating) =>
            {
                false
            }
            other => insert::base(self, other)? == Base::Floating,
        };
        let root = if floats {
            JointSpec::floating()
        } else {
            JointSpec::fixed(*pose, Isometry3::identity())
        };
        let inertia = |link: usize| match &self.links[link].inertial {
            Some(i) => LinkInertia::new(i.mass, i.com, i.inertia),
            None => LinkInertia::new(0.0, Vector3::zeros(), Matrix3::zeros()),
        };
        let mut out = vec![LinkSpec {
            parent: None,
            joint: root,
            inertia: inertia(0),
        }];
        for joint in &self.joints {
            let turn = Isometry3::from_parts(Translation3::identity(), joint.axis_turn());
            let (frame1, frame2) = (joint.origin * turn, turn);
            let spec = match joint.kind {
                JointKind::Fixed => JointSpec::fixed(frame1, frame2),
                JointKind::Revolute | JointKind::Continuous => {
                    JointSpec::revolute(frame1, frame2, 0)
                }
                JointKind::Prismatic => JointSpec::prismatic(frame1, frame2, 0),
                JointKind::Spherical => JointSpec::ball(frame1, frame2),
                JointKind::Floating => JointSpec {
                    frame1,
                    frame2,
                    ..JointSpec::floating()
                },
            };
            let parent = Some(joint.parent);
            out.push(LinkSpec {
                parent,
                joint: spec,
                inertia: inertia(joint.child),
            });
        }
        Ok(out)
    }
}
