//! What the XML says, links and joints by name.

use std::collections::BTreeMap;

use crate::findings::Place;

/// What the XML says.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The robot in plain URDF, repaired.
    pub text: String,
    pub links: Vec<LinkScan>,
    pub joints: BTreeMap<String, JointScan>,
    pub joint_count: usize,
    pub transmissions: Vec<TransmissionScan>,
    pub loops: Vec<LoopScan>,
}

/// What a link declares.
#[derive(Debug, Clone, Default)]
pub(crate) struct LinkScan {
    pub name: String,
    pub collisions: usize,
    pub visuals: usize,
}

/// What a joint states beyond what `urdf-rs` keeps.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct JointScan {
    /// Whether it states a lower or an upper limit.
    pub position: bool,
    /// Whether it states both.
    pub both: bool,
    pub effort: bool,
    pub velocity: bool,
    pub acceleration: Option<f64>,
    pub deceleration: Option<f64>,
    pub jerk: Option<f64>,
}

/// A transmission with joints by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct TransmissionScan {
    pub name: String,
    pub kind: String,
    pub joints: Vec<String>,
    pub actuators: Vec<ActuatorScan>,
}

/// A motor of a transmission.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActuatorScan {
    pub name: String,
    pub reduction: Option<f64>,
    pub rotor_inertia: Option<f64>,
}

/// A closing joint with links by name.
#[derive(Debug, Clone)]
pub(crate) struct LoopScan {
    pub name: String,
    pub place: Place,
    pub kind: String,
    pub ends: [LoopEnd; 2],
    pub axis: Option<[f64; 3]>,
    /// Whether it is written for another simulator: what can't be read of it is left out.
    pub foreign: bool,
}

/// One side of a closing joint. Without numbers its frame follows from the other side.
#[derive(Debug, Clone)]
pub(crate) struct LoopEnd {
    pub link: String,
    pub frame: Option<([f64; 3], [f64; 3])>,
}
