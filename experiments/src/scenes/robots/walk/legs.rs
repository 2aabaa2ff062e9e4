//! The legs of a robot from a file: which links are its feet, and which joints move them.

use super::super::super::super::urdf::{Geometry, IkOptions, IkTarget, RobotModel};
use crate::error::CommandError;
use crate::walking::{Legs, Place};
use nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use std::collections::BTreeMap;

/// A leg of the model.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    /// Link that touches the ground.
    pub(super) foot: usize,
    /// The three joints between base and foot, from the base outwards.
    pub(super) joints: [usize; 3],
    /// Links that the joints carry, with how many of the joints are above each.
    carried: Vec<(usize, usize)>,
}

/// The four legs of a model, in the order of [`Place::ALL`].
pub(super) struct FourLegs {
    model: RobotModel,
    pub(super) legs: [Leg; 4],
    /// Joint positions of the whole robot, the last that were reached.
    positions: Vec<f64>,
    options: IkOptions,
}

/// Distance to which inverse kinematics must reach \[m\]: far below what a foot gives under its load.
const REACHED: f64 = 1e-7;

impl FourLegs {
    /// Finds the legs of a robot that stands at these joint positions.
    ///
    /// # Errors
    /// When it hasn't four legs of three joints, one at each corner; says what it has.
    pub(super) fn new(model: &RobotModel, positions: Vec<f64>) -> Result<Self, CommandError> {
        let poses = model.link_poses(&positions);
        let mut found = Vec::new();
        for hip in hips(model) {
            let links = below(model, hip);
            let lowest = links
                .iter()
                .filter_map(|link| Some((*link, lowest_point(model, *link, &poses[*link])?)))
                .min_by(|a, b| a.1.total_cmp(&b.1));
            let Some((foot, _)) = lowest else { continue };
            if let Some(leg) = leg(model, foot, &links) {
                found.push((leg, poses[foot].translation.vector));
            }
        }
        let count = found.len().max(1) as f64;
        let middle = found.iter().map(|(_, at)| at).sum::<Vector3<f64>>() / count;
        let fail = |what: String| {
            CommandError::Robot(format!(
                "{}: robot `{}` can't walk: {what}",
                model.file.display(),
                model.name
            ))
        };
        let corner = |place: Place| {
            let (front, left) = match place {
                Place::LeftFront => (true, true),
                Place::RightFront => (true, false),
                Place::LeftHind => (false, true),
                Place::RightHind => (false, false),
            };
            let mut here = found
                .iter()
                .filter(|(_, at)| (at.x > middle.x) == front && (at.y > middle.y) == left);
            match (here.next(), here.next()) {
                (Some((leg, _)), None) => Ok(leg.clone()),
                (first, _) => Err(fail(format!(
                    "it needs four legs of three joints, one at each corner (x forwards); {} at {}, {} in all",
                    if first.is_some() { "several" } else { "none" },
                    place.as_str(),
                    found.len()
                ))),
            }
        };
        let [lf, rf, lh, rh] = Place::ALL.map(corner);
        Ok(Self {
            legs: [lf?, rf?, lh?, rh?],
            model: model.clone(),
            options: IkOptions {
                tolerance: REACHED,
                ..IkOptions::default()
            },
            positions,
        })
    }

    /// Place of a foot in the base's frame \[m\], and its joints.
    pub(super) fn stance(&self, leg: usize) -> (Vector3<f64>, [f64; 3]) {
        let poses = self.model.link_poses(&self.positions);
        let Leg { foot, joints, .. } = &self.legs[leg];
        (
            poses[*foot].translation.vector,
            joints.map(|j| self.positions[j]),
        )
    }

    /// Poses of the links when a leg stands at these joints.
    fn poses(&self, leg: Place, joints: &[f64; 3]) -> Vec<Isometry3<f64>> {
        let mut positions = self.positions.clone();
        for (joint, q) in self.legs[leg as usize].joints.iter().zip(joints) {
            positions[*joint] = *q;
        }
        self.model.link_poses(&positions)
    }

    /// Axes of a leg's joints and points on them, in the base's frame.
    fn axes(&self, leg: Place, poses: &[Isometry3<f64>]) -> [(Vector3<f64>, Vector3<f64>); 3] {
        self.legs[leg as usize].joints.map(|joint| {
            let joint = &self.model.joints[joint];
            let at = poses[joint.child];
            (at.rotation * joint.axis.into_inner(), at.translation.vector)
        })
    }
}

impl Legs for FourLegs {
    fn reach(&mut self, leg: Place, foot: &Vector3<f64>) -> Result<[f64; 3], String> {
        let Leg {
            foot: link, joints, ..
        } = &self.legs[leg as usize];
        let start: BTreeMap<String, f64> = joints
            .iter()
            .map(|j| (self.model.joints[*j].name.clone(), self.positions[*j]))
            .collect();
        let options = IkOptions {
            start,
            ..self.options.clone()
        };
        let target = IkTarget::position(Point3::from(*foot));
        let name = &self.model.links[*link].name;
        let reached = self
            .model
            .ik(name, &target, &options)
            .map_err(|e| e.to_string())?;
        let found = joints.map(|j| reached.positions[j]);
        for (joint, q) in joints.iter().zip(found) {
            self.positions[*joint] = q;
        }
        Ok(found)
    }

    fn jacobian(&self, leg: Place, joints: &[f64; 3]) -> Matrix3<f64> {
        let poses = self.poses(leg, joints);
        let foot = poses[self.legs[leg as usize].foot].translation.vector;
        let columns = self
            .axes(leg, &poses)
            .map(|(axis, at)| axis.cross(&(foot - at)));
        Matrix3::from_columns(&columns)
    }

    fn weight_of_links(
        &self,
        leg: Place,
        joints: &[f64; 3],
        gravity: &Vector3<f64>,
    ) -> Vector3<f64> {
        let poses = self.poses(leg, joints);
        let axes = self.axes(leg, &poses);
        let mut torque = Vector3::zeros();
        for (link, above) in &self.legs[leg as usize].carried {
            let Some(inertial) = &self.model.links[*link].inertial else {
                continue;
            };
            let com = (poses[*link] * Point3::from(inertial.com)).coords;
            for (k, (axis, at)) in axes.iter().enumerate().take(*above) {
                torque[k] -= axis.cross(&(com - at)).dot(gravity) * inertial.mass;
            }
        }
        torque
    }
}

/// Joints that move and hang on the base by fixed joints alone.
fn hips(model: &RobotModel) -> Vec<usize> {
    let mut base = vec![false; model.links.len()];
    base[0] = true;
    let mut out = Vec::new();
    for (number, joint) in model.joints.iter().enumerate() {
        if !base[joint.parent] {
            continue;
        }
        if joint.kind.dofs() == 0 {
            base[joint.child] = true;
        } else {
            out.push(number);
        }
    }
    out
}

/// The child link of a joint and all links below it.
fn below(model: &RobotModel, joint: usize) -> Vec<usize> {
    let mut out = vec![model.joints[joint].child];
    for joint in &model.joints {
        if out.contains(&joint.parent) {
            out.push(joint.child);
        }
    }
    out
}

/// The leg that ends in a foot; `None` when it hasn't three joints of one angle each.
fn leg(model: &RobotModel, foot: usize, links: &[usize]) -> Option<Leg> {
    let moving = |link: usize| -> Vec<usize> {
        let mut up = Vec::new();
        let mut at = link;
        while at != 0 {
            // Link i hangs on joint i - 1.
            let joint = &model.joints[at - 1];
            if joint.kind.dofs() > 0 {
                up.push(at - 1);
            }
            at = joint.parent;
        }
        up.reverse();
        up
    };
    let joints: [usize; 3] = moving(foot).try_into().ok()?;
    let turning = joints.iter().all(|j| {
        let joint = &model.joints[*j];
        joint.kind.dofs() == 1 && joint.mimic.is_none()
    });
    let carried = links
        .iter()
        .map(|link| {
            let above = moving(*link);
            let shared = joints.iter().zip(&above).take_while(|(a, b)| a == b);
            (*link, shared.count())
        })
        .collect();
    turning.then_some(Leg {
        foot,
        joints,
        carried,
    })
}

/// Height of the lowest point of a link's collision shapes in the base's frame, to the bounding
/// sphere of what has no simpler one; `None` without shapes.
fn lowest_point(model: &RobotModel, link: usize, pose: &Isometry3<f64>) -> Option<f64> {
    let shapes = model.links[link].collisions.iter();
    shapes
        .map(|shape| {
            let at = pose * shape.origin;
            let down = at.rotation.inverse() * -Vector3::z();
            let reach = match &shape.geometry {
                Geometry::Sphere { radius } => *radius,
                Geometry::Box { size } => 0.5 * size.component_mul(&down).abs().sum(),
                Geometry::Cylinder { radius, length } => {
                    radius * down.xy().norm() + 0.5 * length * down.z.abs()
                }
                Geometry::Capsule { radius, length } => radius + 0.5 * length * down.z.abs(),
                _ => 0.0,
            };
            at.translation.vector.z - reach
        })
        .reduce(f64::min)
}
