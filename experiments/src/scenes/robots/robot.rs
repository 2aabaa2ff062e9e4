//! Robots from URDF files into a world.

use super::super::super::rapier::prelude::*;
use super::super::super::stickslip::record::{JointProbe, collider_shape};
use super::super::super::urdf::{
    EffortLimits, Geometry as UrdfGeometry, InsertOptions, JointKind, LinkHandle, LoadOptions,
    NoteKind, RobotHandles, RobotModel, Srdf, VisualMeshes, srdf::GroupState,
};
use super::super::stage::convert::{isometry, to_vector, vector};
use super::super::stage::world::{Entry, World};
use super::robot_options::{load_options, load_up, shapeless};
use crate::error::CommandError;
use crate::poses;
use crate::settings::RunSettings;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, PI};
use std::path::Path;
use stickslip_record::{Geometry, ShapeRecord};

/// One of the project's own robot files, built into the command.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Builtin {
    /// Name it goes by in messages.
    pub(in super::super) file: &'static str,
    /// Its text.
    pub(in super::super) text: &'static str,
}

/// The parallel-jaw gripper.
pub(in super::super) const GRIPPER: Builtin = Builtin {
    file: "assets/gripper.urdf",
    text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/gripper.urdf")),
};

/// The paper's quadruped.
pub(in super::super) const QUADRUPED: Builtin = Builtin {
    file: "assets/quadruped.urdf",
    text: include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/assets/quadruped.urdf"
    )),
};

/// The gripper on a stage.
pub(in super::super) const CARRIER: Builtin = Builtin {
    file: "assets/carrier.urdf",
    text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/carrier.urdf")),
};

/// The arm with its hand.
pub(in super::super) const PANDA: Builtin = Builtin {
    file: "assets/panda.urdf",
    text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/panda.urdf")),
};

/// The robot of `--robot`, or a built-in one.
pub(in super::super) fn load(
    settings: &RunSettings,
    builtin: Builtin,
) -> Result<RobotModel, CommandError> {
    let mut model = match &settings.robot {
        Some(path) => load_file(settings, path)?,
        None => {
            let options = options(settings);
            RobotModel::from_urdf(builtin.text, Path::new(builtin.file), &options)
                .map_err(|error| CommandError::Robot(error.to_string()))?
        }
    };
    load_up(&settings.robot_args, &mut model)?;
    Ok(model)
}

/// A robot file.
pub(in super::super) fn load_file(
    settings: &RunSettings,
    path: &Path,
) -> Result<RobotModel, CommandError> {
    let model = RobotModel::from_file(path, &options(settings));
    model.map_err(|error| CommandError::Robot(error.to_string()))
}

fn options(settings: &RunSettings) -> LoadOptions {
    LoadOptions {
        visual_meshes: if settings.is_drawn {
            VisualMeshes::Load
        } else {
            VisualMeshes::PathOnly
        },
        ..load_options(&settings.robot_args)
    }
}

/// The key `effort`: whether drives honour the file's limits.
pub(in super::super) fn effort(settings: &RunSettings) -> Result<EffortLimits, CommandError> {
    Ok(match settings.keys.text("effort")? {
        "unlimited" => EffortLimits::Unlimited,
        _ => EffortLimits::File,
    })
}

/// The key `pose`: joint:angle pairs, or the name of a pose of the SRDF.
pub(in super::super) fn pose(
    settings: &RunSettings,
    model: &RobotModel,
    srdf: Option<&Srdf>,
) -> Result<BTreeMap<String, f64>, CommandError> {
    let asked = settings.keys.text("pose")?;
    if asked.is_empty() || asked.contains(':') {
        let pose = poses::parse(asked)?;
        within_reason(model, &pose)?;
        return Ok(pose);
    }
    match srdf.and_then(|s| s.state(asked)) {
        Some(state) => Ok(positions(state)),
        None => {
            let states = srdf.map_or(&[][..], |s| &s.states);
            let known: Vec<_> = states.iter().map(|s| s.name.as_str()).collect();
            Err(CommandError::Usage(format!(
                "key `pose`: `{asked}` is neither joint:angle,... nor a pose of --srdf; its poses: {}",
                known.join(", ")
            )))
        }
    }
}

/// Refuses positions far outside a joint's limits, which are in other units than the joint's: more than half a turn,
/// or more than its whole travel. Those nearer are brought to the limit with a warning.
fn within_reason(model: &RobotModel, pose: &BTreeMap<String, f64>) -> Result<(), CommandError> {
    for joint in &model.joints {
        let (Some(&q), Some(limits)) = (pose.get(&joint.name), joint.limits) else {
            continue;
        };
        let outside = (limits.lower - q).max(q - limits.upper);
        let (unit, other) = match joint.kind {
            JointKind::Revolute if outside > PI => {
                ("rad", format!("{q} degrees are {:.6} rad", q.to_radians()))
            }
            JointKind::Prismatic if outside > limits.upper - limits.lower && outside > 0.0 => {
                ("m", format!("{q} mm are {:.6} m", 1e-3 * q))
            }
            _ => continue,
        };
        return Err(CommandError::Usage(format!(
            "key `pose`: {q} {unit} is far outside the limits {} .. {} {unit} of joint `{}`; positions are in {}, not in {}: {other}",
            limits.lower,
            limits.upper,
            joint.name,
            if unit == "rad" { "radians" } else { "metres" },
            if unit == "rad" {
                "degrees"
            } else {
                "millimetres"
            },
        )));
    }
    Ok(())
}

/// The joints of a pose that have one coordinate.
pub(in super::super) fn positions(state: &GroupState) -> BTreeMap<String, f64> {
    let single = state.joints.iter().filter_map(|(name, q)| match q[..] {
        [q] => Some((name.clone(), q)),
        _ => None,
    });
    single.collect()
}

/// Puts a robot into the world and makes its bodies known.
pub(in super::super) fn insert(
    world: &mut World,
    model: &RobotModel,
    options: &InsertOptions,
) -> Result<RobotHandles, CommandError> {
    let sets = &mut world.sets;
    let handles = model
        .insert(
            options,
            &mut sets.bodies,
            &mut sets.colliders,
            &mut sets.impulse_joints,
            &mut sets.multibody_joints,
        )
        .map_err(|error| CommandError::Robot(format!("{}: {error}", model.file.display())))?;
    let robot = if model.name.is_empty() {
        "robot"
    } else {
        &model.name
    };
    for (number, &handle) in handles.bodies.iter().enumerate() {
        // A body is named after its first link.
        let link = handles.links.iter().find(|l| l.body == handle);
        let name = link.map_or_else(|| format!("body_{number}"), |l| l.name.clone());
        if let Some(body) = world.sets.bodies.get_mut(handle) {
            *body.activation_mut() = RigidBodyActivation::cannot_sleep();
        }
        let color = LINK_COLORS[number % LINK_COLORS.len()];
        let visuals = visuals(world, model, &handles, handle, color);
        let is_end = is_end(world, &handles, handle);
        world.entry(Entry {
            handle,
            name,
            robot: Some(robot.to_owned()),
            visuals,
            color,
            is_end,
        });
    }
    for joint in &handles.joints {
        let place = joint.coordinates.zip(handles.multibody);
        let probe = place
            .and_then(|(at, tree)| JointProbe::new(&world.sets.multibody_joints, tree, at.link_id));
        if let Some(probe) = probe {
            world.name_joint(&joint.name, probe);
        }
    }
    world.limit(&handles);
    world.name_links(&handles);
    world.remark(remarks(model, &handles));
    Ok(handles)
}

/// What loading and placing a robot had to say: what was made of the file first, then what was left out of it, then
/// warnings.
fn remarks(model: &RobotModel, handles: &RobotHandles) -> Vec<String> {
    let mut notes: Vec<_> = model.notes.iter().collect();
    let order = |kind| match kind {
        NoteKind::Doubtful => 0,
        NoteKind::Repaired => 1,
        NoteKind::Changed => 2,
        NoteKind::Assumed => 3,
        NoteKind::Ignored => 4,
    };
    notes.sort_by_key(|n| order(n.kind));
    let notes = notes.into_iter().map(ToString::to_string);
    let placed = handles.warnings.iter().map(|w| format!("warning: {w}"));
    notes.chain(placed).chain(shapeless(model)).collect()
}

/// Whether a body is at the end of its robot, with something to touch by: a foot, a finger.
fn is_end(world: &World, handles: &RobotHandles, body: RigidBodyHandle) -> bool {
    let sets = &world.sets;
    let tree = handles
        .multibody
        .and_then(|tree| sets.multibody_joints.get_multibody(tree));
    let Some(tree) = tree else { return false };
    let own = tree.links().find(|link| link.rigid_body_handle() == body);
    let touches = sets
        .bodies
        .get(body)
        .is_some_and(|b| b.is_dynamic() && !b.colliders().is_empty());
    touches
        && own.is_some_and(|own| {
            let mut links = tree.links();
            !own.is_root() && links.all(|link| link.parent_id() != Some(own.link_id()))
        })
}

const LINK_COLORS: [[u8; 4]; 3] = [
    [90, 110, 140, 255],
    [190, 190, 195, 255],
    [225, 135, 70, 255],
];

/// What a body looks like: its links' visual shapes; the collision shapes of links without any that can be
/// drawn.
fn visuals(
    world: &World,
    model: &RobotModel,
    handles: &RobotHandles,
    body: RigidBodyHandle,
    color: [u8; 4],
) -> Vec<ShapeRecord> {
    let mut out = Vec::new();
    for (link, at) in model
        .links
        .iter()
        .zip(&handles.links)
        .filter(|(_, at)| at.body == body)
    {
        let offset = isometry(&at.offset);
        let drawn: Option<Vec<_>> = link
            .visuals
            .iter()
            .map(|shape| {
                let (turn, geometry) = drawable(&shape.geometry)?;
                Some(ShapeRecord {
                    pose: offset * shape.origin * turn,
                    geometry,
                    color: shape
                        .color
                        .map_or(color, |c| c.map(|x| (x * 255.0).round() as u8)),
                })
            })
            .collect();
        match drawn {
            Some(shapes) if !shapes.is_empty() => out.extend(shapes),
            _ => out.extend(
                at.colliders
                    .iter()
                    .filter_map(|c| world.sets.colliders.get(*c))
                    .map(|collider| collider_shape(collider, color)),
            ),
        }
    }
    out
}

/// URDF's cylinders and capsules stand on z, the recorder's lie along y.
fn drawable(geometry: &UrdfGeometry) -> Option<(Isometry3<f64>, Geometry)> {
    let here = Isometry3::identity();
    let y_to_z = Isometry3::from_parts(
        Vector3::zeros().into(),
        UnitQuaternion::from_axis_angle(&Vector3::x_axis(), FRAC_PI_2),
    );
    Some(match geometry {
        UrdfGeometry::Box { size } => (
            here,
            Geometry::Cuboid {
                half_extents: size * 0.5,
            },
        ),
        UrdfGeometry::Sphere { radius } => (here, Geometry::Sphere { radius: *radius }),
        UrdfGeometry::Cylinder { radius, length } => {
            let half_height = 0.5 * length;
            (
                y_to_z,
                Geometry::Cylinder {
                    half_height,
                    radius: *radius,
                },
            )
        }
        UrdfGeometry::Capsule { radius, length } => {
            let half_height = 0.5 * length;
            (
                y_to_z,
                Geometry::Capsule {
                    half_height,
                    radius: *radius,
                },
            )
        }
        UrdfGeometry::Mesh(reference) => {
            // Unless it is drawn, a visual mesh was not read; one that isn't there the loader has noted.
            let mesh = reference.scaled()?;
            let geometry = Geometry::Mesh {
                vertices: mesh.vertices,
                triangles: mesh.triangles,
            };
            (here, geometry)
        }
        UrdfGeometry::Plane { .. } => return None,
    })
}

/// Lowest point of the robot's colliders when it is placed like this \[m\]; `None` without any.
pub(in super::super) fn lowest_when_placed(
    settings: &RunSettings,
    model: &RobotModel,
    options: &InsertOptions,
) -> Result<Option<f64>, CommandError> {
    let mut trial = World::new(settings)?;
    let robot = insert(&mut trial, model, options)?;
    Ok(lowest_point(&trial, &robot))
}

/// Lowest point of the robot's colliders \[m\].
pub(in super::super) fn lowest_point(world: &World, handles: &RobotHandles) -> Option<f64> {
    farthest(world, &handles.links, &-Vector3::z()).map(|far| -far)
}

/// How far the colliders of these links reach along a direction of unit length, from the world's
/// origin \[m\]; `None` without any.
pub(in super::super) fn farthest<'a>(
    world: &World,
    links: impl IntoIterator<Item = &'a LinkHandle>,
    direction: &Vector3<f64>,
) -> Option<f64> {
    let along = to_vector(direction);
    links
        .into_iter()
        .flat_map(|link| &link.colliders)
        .filter_map(|c| world.sets.colliders.get(*c))
        .map(|collider| {
            // The support point is exact where a bounding box of a turned shape is not.
            let point = match collider.shape().as_support_map() {
                Some(map) => vector(map.support_point(collider.position(), along)),
                None => {
                    let bounds = collider.compute_aabb();
                    let (low, high) = (vector(bounds.mins), vector(bounds.maxs));
                    low.zip_zip_map(&high, direction, |l, h, d| if d < 0.0 { l } else { h })
                }
            };
            direction.dot(&point)
        })
        .reduce(f64::max)
}
