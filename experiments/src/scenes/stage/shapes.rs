//! What a recorder is told of a scene: bodies with their shapes, joints, what it is about.

use super::super::super::stickslip::record::{collider_shape, inertial_record, is_anchored};
use super::world::{Entry, World};
use stickslip_record::{BodyRecord, SceneRecord, ViewRecord};

/// The scene as it stands, named after the scenario.
pub(in super::super) fn scene(world: &World, name: &str, view: ViewRecord) -> SceneRecord {
    let sets = &world.sets;
    SceneRecord {
        name: name.to_owned(),
        bodies: world
            .entries()
            .iter()
            .map(|entry| body(world, entry))
            .collect(),
        weight: world.weight(),
        gravity: world.gravity(),
        joints: world.joint_records(),
        anchored: is_anchored(&sets.bodies, &sets.impulse_joints, &sets.multibody_joints),
        view: ViewRecord {
            follow: world.followed(),
            ..view
        },
    }
}

fn body(world: &World, entry: &Entry) -> BodyRecord {
    let body = world.sets.bodies.get(entry.handle);
    let colliders = body.map(|b| b.colliders()).unwrap_or_default().iter();
    let found = colliders.filter_map(|c| world.sets.colliders.get(*c));
    let colliders = found.map(|collider| collider_shape(collider, entry.color));
    let (shapes, collision) = if entry.visuals.is_empty() {
        (colliders.collect(), Vec::new())
    } else {
        (entry.visuals.clone(), colliders.collect())
    };
    BodyRecord {
        name: entry.name.clone(),
        robot: entry.robot.clone(),
        moves: body.is_some_and(|b| b.is_dynamic()),
        shapes,
        collision,
        inertial: body.and_then(inertial_record),
        is_end: entry.is_end,
    }
}
