//! Transmissions with joints by index.

use std::collections::HashMap;

use crate::{
    findings::{Findings, Place},
    model::{Actuator, NoteKind, RobotModel, Transmission},
    scan::{ActuatorScan, TransmissionScan},
};

pub(super) fn convert(
    scans: &[TransmissionScan],
    model: &RobotModel,
    found: &mut Findings,
) -> Vec<Transmission> {
    let index: HashMap<&str, usize> = model
        .joints
        .iter()
        .enumerate()
        .map(|(i, j)| (j.name.as_str(), i))
        .collect();
    scans
        .iter()
        .map(|scan| {
            let place = Place::of(format!("transmission `{}`", scan.name));
            let mut joints = Vec::new();
            for name in &scan.joints {
                match index.get(name.as_str()) {
                    Some(&joint) => joints.push(joint),
                    None => found.note(
                        NoteKind::Ignored,
                        &place,
                        format!("drives joint `{name}`, which is not declared"),
                    ),
                }
            }
            Transmission {
                name: scan.name.clone(),
                kind: scan.kind.clone(),
                joints,
                actuators: scan.actuators.iter().map(actuator).collect(),
            }
        })
        .collect()
}

fn actuator(scan: &ActuatorScan) -> Actuator {
    Actuator {
        name: scan.name.clone(),
        reduction: scan.reduction.unwrap_or(1.0),
        rotor_inertia: scan.rotor_inertia,
    }
}
