//! Snapshots of the Python package `rapier3d`.

use super::adopt::adopt;
use super::{Labels, Sets, read};
use crate::error::{Error, Outcome};
use crate::scene::Scene;
use serde_json::Value;
use stickslip_f64::core::models::ModelSettings;
use stickslip_f64::{ModelName, Sleeping};

/// The places of what is read in the payload of a snapshot, version 1.
const PLACES: [(usize, &str); 6] = [
    (0, "bodies"),
    (1, "colliders"),
    (2, "impulse joints"),
    (3, "multibody joints"),
    (8, "integration parameters"),
    (9, "gravity"),
];

/// A scene from the text of `PhysicsWorld.snapshot_json`: bodies, colliders and joints as they are; contacts are found anew.
///
/// # Errors
/// A text of another kind or version.
pub fn scene(text: &str, model: (ModelName, ModelSettings), sleeping: Sleeping) -> Outcome<Scene> {
    let foreign = |why: &str| {
        Error::Input(format!(
            "this is no snapshot of a world of rapier3d 0.36 (PhysicsWorld.snapshot_json): {why}"
        ))
    };
    let whole: Value = serde_json::from_str(text).map_err(|error| foreign(&error.to_string()))?;
    if whole.get("_magic").and_then(Value::as_str) != Some("RPYS") {
        return Err(foreign("its mark is missing"));
    }
    let version = whole.get("_version").and_then(Value::as_u64);
    if version != Some(1) {
        return Err(foreign("it is of another version"));
    }
    let part = |k: usize| -> Outcome<Value> {
        let (place, what) = PLACES[k];
        let found = whole.get("payload").and_then(|all| all.get(place));
        found
            .cloned()
            .ok_or_else(|| foreign(&format!("it has no {what}")))
    };
    let gravity: [f64; 3] = read("gravity", part(5)?)?;
    let dt = part(4)?.get("dt").and_then(Value::as_f64);
    let dt = dt.ok_or_else(|| foreign("it has no time step"))?;
    let mut scene = Scene::new(dt, gravity, model, sleeping)?;
    let sets = Sets {
        bodies: read(PLACES[0].1, part(0)?)?,
        colliders: read(PLACES[1].1, part(1)?)?,
        impulse_joints: read(PLACES[2].1, part(2)?)?,
        multibody_joints: read(PLACES[3].1, part(3)?)?,
    };
    let mut labels = Labels {
        robot: "robot".to_owned(),
        ..Labels::default()
    };
    let numbered = |kind: &str, (index, _): (u32, u32)| format!("{kind}_{index}");
    for (handle, _) in sets.bodies.iter() {
        let name = numbered("body", handle.into_raw_parts());
        labels.bodies.insert(handle, name);
        let name = numbered("joint", handle.into_raw_parts());
        labels.joints.insert(handle, name);
    }
    for (handle, _) in sets.colliders.iter() {
        let name = numbered("collider", handle.into_raw_parts());
        labels.colliders.insert(handle, name);
    }
    adopt(&mut scene, &sets, &labels)?;
    Ok(scene)
}
