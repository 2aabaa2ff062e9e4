//! Joints: type, axis, limits, and who mimics whom.

use std::collections::HashMap;

use nalgebra::{Unit, Vector3};

use super::{pose::pose, topology::Order};
use crate::{
    error::UrdfError,
    findings::{Findings, Place},
    model::{Calibration, Joint, JointKind, Limits, Mimic, NoteKind, SafetyController, Strictness},
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
    let place = Place::joint(&parsed.name);
    let kind = kind(&parsed.joint_type);
    let needs_axis = kind.dofs() == 1 || kind == JointKind::Planar;
    let axis = Unit::try_new(Vector3::from(*parsed.axis.xyz), 0.0);
    let tolerant = found.strictness() == Strictness::Tolerant;
    if axis.is_none() && needs_axis {
        if tolerant {
            let slip = "the axis is the zero vector; taken as the format's default, 1 0 0";
            found.repaired(&place, slip);
        } else {
            found.errors.push(UrdfError::ZeroAxis {
                file: found.file(),
                joint: name(),
            });
        }
    }
    let (mut damping, mut friction) = parsed
        .dynamics
        .as_ref()
        .map_or((0.0, 0.0), |d| (d.damping, d.friction));
    for (quantity, value) in [("damping", &mut damping), ("friction", &mut friction)] {
        if *value >= 0.0 {
            continue;
        }
        if tolerant {
            found.repaired(
                &place,
                format!("{quantity} = {value} is negative; taken as 0"),
            );
            *value = 0.0;
        } else {
            found.errors.push(UrdfError::NegativeJointValue {
                file: found.file(),
                joint: name(),
                quantity,
                value: *value,
            });
        }
    }
    let limits = limits(parsed, stated, kind, found);
    let limit = &parsed.limit;
    if limit.effort < 0.0 || limit.velocity < 0.0 {
        found.repaired(
            &place,
            "has a negative effort or velocity limit, taken as not stated",
        );
    }
    Joint {
        name: name(),
        kind,
        parent: 0,
        child: 0,
        origin: pose(&parsed.origin),
        axis: axis.unwrap_or_else(Vector3::x_axis),
        limits,
        effort: (stated.effort && limit.effort >= 0.0).then_some(limit.effort),
        velocity: (stated.velocity && limit.velocity > 0.0).then_some(limit.velocity),
        acceleration: stated.acceleration,
        deceleration: stated.deceleration,
        jerk: stated.jerk,
        damping,
        friction,
        mimic: None,
        safety: parsed.safety_controller.as_ref().map(|s| SafetyController {
            soft_lower: s.soft_lower_limit,
            soft_upper: s.soft_upper_limit,
            k_position: s.k_position,
            k_velocity: s.k_velocity,
        }),
        calibration: parsed.calibration.as_ref().map(|c| Calibration {
            rising: c.rising,
            falling: c.falling,
        }),
    }
}

/// Position limits of a joint that has any.
fn limits(
    parsed: &urdf_rs::Joint,
    stated: JointScan,
    kind: JointKind,
    found: &mut Findings,
) -> Option<Limits> {
    let place = Place::joint(&parsed.name);
    if !matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
        if stated.position && kind != JointKind::Fixed {
            let text = format!("is {}, so its position limits are ignored", kind.word());
            found.note(NoteKind::Ignored, &place, text);
        }
        return None;
    }
    if !stated.position {
        let text = "states no position limits; it is taken as unlimited";
        found.note(NoteKind::Assumed, &place, text);
        return None;
    }
    let (lower, upper) = (parsed.limit.lower, parsed.limit.upper);
    if lower <= upper {
        return Some(Limits { lower, upper });
    }
    if found.strictness() == Strictness::Strict {
        found.errors.push(UrdfError::LimitsCrossed {
            file: found.file(),
            joint: parsed.name.clone(),
            lower,
            upper,
        });
        return None;
    }
    let crossed = format!("lower limit {lower} above upper limit {upper}");
    if UNLIMITED.contains(&[lower, upper]) {
        let text = format!("{crossed}, which some simulators write for none; taken as unlimited");
        found.repaired(&place, text);
        return None;
    }
    if !stated.both {
        let text = format!("{crossed}, one of them not stated; taken as unlimited");
        found.repaired(&place, text);
        return None;
    }
    found.repaired(&place, format!("{crossed}; swapped"));
    Some(Limits {
        lower: upper,
        upper: lower,
    })
}

/// Crossed limits that stand for no limits.
const UNLIMITED: [[f64; 2]; 2] = [[0.0, -1.0], [1.0, -1.0]];

pub(super) fn kind(parsed: &urdf_rs::JointType) -> JointKind {
    match parsed {
        urdf_rs::JointType::Fixed => JointKind::Fixed,
        urdf_rs::JointType::Revolute => JointKind::Revolute,
        urdf_rs::JointType::Continuous => JointKind::Continuous,
        urdf_rs::JointType::Prismatic => JointKind::Prismatic,
        urdf_rs::JointType::Planar => JointKind::Planar,
        urdf_rs::JointType::Spherical => JointKind::Spherical,
        urdf_rs::JointType::Floating => JointKind::Floating,
    }
}

/// Resolves the names of mimicked joints and opens chains that go in a circle.
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
            found.note(
                NoteKind::Ignored,
                &Place::joint(&name),
                "is fixed, so its <mimic> is ignored",
            );
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
            let reason = wrong.unwrap_or("which is not declared");
            leaderless(&name, &mimic.joint, reason, found);
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
            let source = joints[i].mimic.take().map_or(i, |m| m.joint);
            let reason = "and the chain comes back to itself; let one joint of it be free";
            leaderless(&joints[i].name, &joints[source].name, reason, found);
        }
    }
}

/// A joint that can't follow the one it names moves by itself.
fn leaderless(joint: &str, source: &str, reason: &str, found: &mut Findings) {
    if found.strictness() == Strictness::Strict {
        found.errors.push(UrdfError::BadMimic {
            file: found.file(),
            joint: joint.into(),
            source_joint: source.into(),
            reason: reason.into(),
        });
        return;
    }
    let text = format!("mimics `{source}`, {reason}; it moves by itself");
    found.repaired(&Place::joint(joint), text);
}
