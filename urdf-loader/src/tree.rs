//! The robot as an articulated tree of the engine-neutral core, without an engine in between.

use nalgebra::{Isometry3, Matrix3, Translation3, Vector3};
use stickslip_dynamics::{JointSpec, LinkInertia, LinkSpec};

use crate::{
    insert::{self, Base, InsertError},
    model::{JointKind, RobotModel},
};

impl RobotModel {
    /// Link descriptions for [`Tree::new`](stickslip_dynamics::Tree::new): one per link, same
    /// indices, none merged (the tree does that itself). Joints with one coordinate move on axis 0
    /// of their frames, planar ones on the translations 0 and 1 and the rotation 2. `pose` places the root of a fixed base; a floating base is placed by the
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
                JointKind::Planar => JointSpec {
                    linear: [true, true, false],
                    ..JointSpec::revolute(frame1, frame2, 2)
                },
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
