//! Joints: type, axis, limits, and who mimics whom.

use std::collections::HashMap;

use nalgebra::{Unit, Vector3};

use super::{Findings, pose, topology::Order};
use crate::{
    error::UrdfError,
    model::{Joint, JointKind, Limits, Mimic},
    scan::{JointScan, Scan},
};

pub(super) fn convert(
    robot: &urdf_rs::Robot,
    order: &Order,
    scan: &Scan,
    found: &mut Findings,
) -> Vec<Joint> {
    let mut joints: Vec<Joint> = order
        .joints
        .iter()
        .zip(&order.parents)
        .enumerate()
        .map(|(i, (&j, &parent))| {
            let parsed = &robot.joints[j];
            let stated = scan.joints.get(&parsed.name).copied().unwrap_or_default();
            let mut joint = joint(parsed, stated, found);
            joint.parent = parent;
            joint.child = i + 1;
            joint
        })
        .collect();
    mimics(robot, order, &mut joints, found);
    joints
}

fn joint(parsed: &urdf_rs::Joint, stated: JointScan, found: &mut Findings) -> Joint {
    let name = || parsed.name.clone();
    let kind = kind(parsed, found);
    let moves_on_axis = kind.dofs() == 1;
    let axis = Unit::try_new(Vector3::from(*parsed.axis.xyz), 0.0);
    if axis.is_none() && moves_on_axis {
        found.errors.push(UrdfError::ZeroAxis {
            file: found.file.into(),
            joint: name(),
        });
    }
    let (damping, friction) = parsed
        .dynamics
        .as_ref()
        .map_or((0.0, 0.0), |d| (d.damping, d.friction));
    for (quantity, value) in [("damping", damping), ("friction", friction)] {
        if value < 0.0 {
            let (file, joint) = (found.file.into(), name());
            found.errors.push(UrdfError::NegativeJointValue {
                file,
                joint,
                quantity,
                value,
            });
        }
    }
    let has_limits = matches!(kind, JointKind::Revolute | JointKind::Prismatic);
    let mut warn = |what: &str| {
        found
            .warnings
            .push(format!("joint `{}`: {what}", parsed.name))
    };
    if has_limits && !stated.position {
        warn("states no position limits; it is taken as unlimited");
    }
    if kind == JointKind::Continuous && stated.position {
        warn("is continuous, so its position limits are ignored");
    }
    if parsed.limit.effort < 0.0 || parsed.limit.velocity < 0.0 {
        warn("has a negative effort or velocity limit, taken as not stated");
    }
    if parsed.safety_controller.is_some() {
        warn("<safety_controller> is ignored");
    }
    let Limits { lower, upper } = Limits {
        lower: parsed.limit.lower,
        upper: parsed.limit.upper,
    };
    if has_limits && lower > upper {
        let (file, joint) = (found.file.into(), name());
        found.errors.push(UrdfError::LimitsCrossed {
            file,
            joint,
            lower,
            upper,
        });
    }
    Joint {
        name: name(),
        kind,
        parent: 0,
        child: 0,
        origin: pose(&parsed.origin),
        axis: axis.unwrap_or_else(Vector3::x_axis),
        limits: (has_limits && stated.position).then_some(Limits { lower, upper }),
        effort: (stated.effort && parsed.limit.effort >= 0.0).then_some(parsed.limit.effort),
        velocity: (stated.velocity && parsed.limit.velocity > 0.0).then_some(parsed.limit.velocity),
        damping,
        friction,
        mimic: None,
    }
}

fn kind(parsed: &urdf_rs::Joint, found: &mut Findings) -> JointKind {
    match parsed.joint_type {
        urdf_rs::JointType::Fixed => JointKind::Fixed,
        urdf_rs::JointType::Revolute => JointKind::Revolute,
        urdf_rs::JointType::Continuous => JointKind::Continuous,
        urdf_rs::JointType::Prismatic => JointKind::Prismatic,
        urdf_rs::JointType::Spherical => JointKind::Spherical,
        urdf_rs::JointType::Floating => JointKind::Floating,
        urdf_rs::JointType::Planar => {
            found.errors.push(UrdfError::UnsupportedJoint {
                file: found.file.into(),
                joint: parsed.name.clone(),
                reason: "planar joints are not supported; use two prismatic joints and a \
                         revolute one with light links between them"
                    .into(),
            });
            JointKind::Fixed
        }
    }
}

/// Resolves the names of mimicked joints and refuses chains that go in a circle.
fn mimics(robot: &urdf_rs::Robot, order: &Order, joints: &mut [Joint], found: &mut Findings) {
    let index: HashMap<String, usize> = joints
        .iter()
        .enumerate()
        .map(|(i, j)| (j.name.clone(), i))
        .collect();
    for (i, &j) in order.joints.iter().enumerate() {
        let Some(mimic) = &robot.joints[j].mimic else {
            continue;
        };
        let name = joints[i].name.clone();
        if joints[i].kind == JointKind::Fixed {
            found.warnings.push(format!(
                "joint `{name}` is fixed, so its <mimic> is ignored"
            ));
            continue;
        }
        let source = index.get(&mimic.joint).copied();
        let wrong = match source {
            None => Some("which is not declared"),
            Some(s) if s == i => Some("which is itself"),
            Some(s) if joints[s].kind.dofs() != 1 || joints[i].kind.dofs() != 1 => {
                Some("but only joints with one coordinate can follow or be followed")
            }
            Some(_) => None,
        };
        if let (None, Some(joint)) = (wrong, source) {
            joints[i].mimic = Some(Mimic {
                joint,
                multiplier: mimic.multiplier.unwrap_or(1.0),
                offset: mimic.offset.unwrap_or(0.0),
            });
        } else {
            found.errors.push(UrdfError::BadMimic {
                file: found.file.into(),
                joint: name,
                source_joint: mimic.joint.clone(),
                reason: wrong.unwrap_or("which is not declared").into(),
            });
        }
    }
    for i in 0..joints.len() {
        // A chain that is longer than there are joints goes in a circle.
        let mut at = i;
        let mut steps = 0;
        while let Some(m) = joints[at].mimic {
            at = m.joint;
            steps += 1;
            if at == i || steps > joints.len() {
                break;
            }
        }
        if steps > 0 && at == i {
            let source = joints[i].mimic.map_or(i, |m| m.joint);
            found.errors.push(UrdfError::BadMimic {
                file: found.file.into(),
                joint: joints[i].name.clone(),
                source_joint: joints[source].name.clone(),
                reason: "and the chain comes back to itself; let one joint of it be free".into(),
            });
            return;
        }
    }
}
