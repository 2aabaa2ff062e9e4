//! Joints that close loops, with links by index and a frame in both.

use std::{collections::HashMap, path::Path};

use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion, Vector3};

use crate::{
    error::UrdfError,
    file::text_of,
    findings::{Findings, Place},
    model::{Closure, JointKind, NoteKind, RobotModel, Strictness},
    scan::{self, LoopEnd, LoopScan, Source},
};

/// Closures of a file that holds `<loop_joint>` elements in one root element of any name. Its
/// errors name that file.
pub(super) fn side_file(path: &Path, model: &RobotModel, found: &mut Findings) -> Vec<Closure> {
    let mut own = Findings::new(path, Strictness::Tolerant);
    let closures = match text_of(path) {
        Ok(text) => read(&text, model, &mut own),
        Err(error) => {
            own.errors.push(error);
            Vec::new()
        }
    };
    found.take(own);
    closures
}

fn read(text: &str, model: &RobotModel, own: &mut Findings) -> Vec<Closure> {
    let mut source = Source::new(text, own);
    if let Err(error) = scan::prepare(&mut source, own) {
        own.errors.push(error);
        return Vec::new();
    }
    let Some(document) = scan::parse(&source, own) else {
        return Vec::new();
    };
    let loops = scan::loop_elements(&source, document.root_element(), own);
    if loops.is_empty() && own.errors.is_empty() {
        own.errors.push(UrdfError::NotUrdf {
            file: own.file(),
            reason: "no <loop_joint> in it, though it should hold closures".into(),
        });
    }
    convert(&loops, model, Absent::Refused, own)
}

/// What becomes of a closure whose link the robot doesn't have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Absent {
    /// Left out: it stands in a robot file, whose reader skips what it doesn't know.
    LeftOut,
    /// Refused: somebody asked for it.
    Refused,
}

pub(super) fn convert(
    loops: &[LoopScan],
    model: &RobotModel,
    absent: Absent,
    found: &mut Findings,
) -> Vec<Closure> {
    let robot = Robot {
        index: model
            .links
            .iter()
            .enumerate()
            .map(|(i, l)| (l.name.as_str(), i))
            .collect(),
        rest: model.link_poses(&[]),
    };
    let mut out = Vec::new();
    for l in loops {
        let missing = l
            .ends
            .iter()
            .find(|e| !robot.index.contains_key(e.link.as_str()));
        match closure(l, &robot, found) {
            Ok(closure) => out.push(closure),
            Err(reason) if l.foreign || (missing.is_some() && absent == Absent::LeftOut) => {
                found.repaired(&l.place, format!("{reason}; left out"));
            }
            Err(reason) => found.errors.push(UrdfError::BadClosure {
                file: found.file(),
                line: l.place.line,
                element: l.place.element.clone(),
                reason,
            }),
        }
    }
    out
}

/// Joints of the tree that lead to a link with another joint above it: they close loops.
pub(super) fn second_parents(
    robot: &urdf_rs::Robot,
    joints: &[usize],
    model: &RobotModel,
    found: &mut Findings,
) -> Vec<Closure> {
    let loops: Vec<LoopScan> = joints
        .iter()
        .map(|&j| {
            let joint = &robot.joints[j];
            let end = |link: &str, xyz, rpy| LoopEnd {
                link: link.into(),
                frame: Some((xyz, rpy)),
            };
            LoopScan {
                name: joint.name.clone(),
                place: Place::joint(&joint.name),
                kind: super::joints::kind(&joint.joint_type).word().into(),
                ends: [
                    end(&joint.parent.link, *joint.origin.xyz, *joint.origin.rpy),
                    end(&joint.child.link, [0.0; 3], [0.0; 3]),
                ],
                axis: Some(*joint.axis.xyz).filter(|axis| *axis != [0.0; 3]),
                // What can't close a loop holds nothing.
                foreign: true,
            }
        })
        .collect();
    convert(&loops, model, Absent::LeftOut, found)
}

/// Links by name, and their poses with all joints at zero.
struct Robot<'a> {
    index: HashMap<&'a str, usize>,
    rest: Vec<Isometry3<f64>>,
}

fn closure(l: &LoopScan, robot: &Robot, found: &mut Findings) -> Result<Closure, String> {
    let kind = match l.kind.as_str() {
        "spherical" | "ball" => JointKind::Spherical,
        "revolute" | "continuous" | "hinge" => JointKind::Revolute,
        "prismatic" | "slider" => JointKind::Prismatic,
        "planar" => JointKind::Planar,
        "fixed" => JointKind::Fixed,
        other => {
            return Err(format!(
                "type `{other}` can't close a loop; use spherical, revolute, prismatic, planar or \
                 fixed"
            ));
        }
    };
    let link = |end: &LoopEnd| {
        let known = robot.index.get(end.link.as_str()).copied();
        known.ok_or_else(|| format!("link `{}` is not declared", end.link))
    };
    let [a, b] = [link(&l.ends[0])?, link(&l.ends[1])?];
    if a == b {
        return Err(format!("joins link `{}` to itself", l.ends[0].link));
    }
    let stated = l.ends.each_ref().map(|e| e.frame.map(isometry));
    let mut assumed = |side: usize| {
        let link = &l.ends[side].link;
        found.note(
            NoteKind::Assumed,
            &l.place,
            format!(
                "has no frame in link `{link}`: it is where the other one is when all joints \
                 stand at zero"
            ),
        );
    };
    let frames = match stated {
        [Some(x), Some(y)] => [x, y],
        [Some(x), None] => {
            assumed(1);
            [x, robot.rest[b].inv_mul(&(robot.rest[a] * x))]
        }
        [None, Some(y)] => {
            assumed(0);
            [robot.rest[a].inv_mul(&(robot.rest[b] * y)), y]
        }
        [None, None] => return Err("places its frame in neither link; give one an xyz".into()),
    };
    let axis = match l.axis {
        Some(axis) => Unit::try_new(Vector3::from(axis), 0.0).ok_or("the axis is zero")?,
        None => Vector3::x_axis(),
    };
    Ok(Closure {
        name: l.name.clone(),
        kind,
        links: [a, b],
        frames,
        axis,
    })
}

/// Position and roll, pitch, yaw.
fn isometry((xyz, [roll, pitch, yaw]): ([f64; 3], [f64; 3])) -> Isometry3<f64> {
    Isometry3::from_parts(
        Translation3::from(Vector3::from(xyz)),
        UnitQuaternion::from_euler_angles(roll, pitch, yaw),
    )
}
