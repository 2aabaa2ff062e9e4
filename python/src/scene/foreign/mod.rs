//! Rapier's sets of single precision, from elsewhere, into a scene. They travel as JSON: rapier writes a number of single
//! precision as the shortest decimal that means it, and the decimal is read as the nearest number of double precision.

pub mod adopt;
pub mod log;
pub mod mjcf;
pub mod snapshot;

use crate::error::{Error, Outcome};
use rapier3d_f64::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;

/// Rapier's sets as they were read.
#[derive(Default, Deserialize)]
pub struct Sets {
    /// Bodies.
    pub bodies: RigidBodySet,
    /// Colliders.
    pub colliders: ColliderSet,
    /// Joints between two bodies.
    pub impulse_joints: ImpulseJointSet,
    /// Articulated bodies.
    pub multibody_joints: MultibodyJointSet,
}

/// What the parts of [`Sets`] are called, by their handles there.
#[derive(Default)]
pub struct Labels {
    /// Bodies.
    pub bodies: HashMap<RigidBodyHandle, String>,
    /// Colliders that no body carries.
    pub colliders: HashMap<ColliderHandle, String>,
    /// Joints of articulated bodies, by the body that they move.
    pub joints: HashMap<RigidBodyHandle, String>,
    /// Bodies that only stand between two joints of one body.
    pub between: Vec<RigidBodyHandle>,
    /// What a robot is called that is the only one.
    pub robot: String,
}

/// Reads a set, with single precision taken out of it.
///
/// # Errors
/// Where it does not fit.
pub fn read<T: DeserializeOwned>(what: &str, mut json: Value) -> Outcome<T> {
    widen(&mut json);
    let read = serde_path_to_error::deserialize(json);
    read.map_err(|error| Error::Input(format!("{what}: {}: {}", error.path(), error.inner())))
}

/// Rotations get unit length in double precision; the largest number stays the largest, which rapier takes as no bound.
fn widen(json: &mut Value) {
    match json {
        Value::Array(all) => all.iter_mut().for_each(widen),
        Value::Object(all) => {
            for (key, value) in all {
                widen(value);
                if matches!(
                    &**key,
                    "rotation" | "principal_inertia_local_frame" | "joint_rot"
                ) {
                    to_unit(value);
                }
            }
        }
        Value::Number(number) => {
            let largest = number.as_f64().filter(|x| x.abs() >= f64::from(f32::MAX));
            let wide = largest.and_then(|x| serde_json::Number::from_f64(Real::MAX.copysign(x)));
            if let Some(wide) = wide {
                *number = wide;
            }
        }
        _ => {}
    }
}

fn to_unit(json: &mut Value) {
    let Value::Array(all) = json else { return };
    let numbers: Vec<f64> = all.iter().filter_map(Value::as_f64).collect();
    let length = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
    if numbers.len() == 4 && (0.9..1.1).contains(&length) {
        *all = numbers.iter().map(|x| Value::from(x / length)).collect();
    }
}
