//! Transmissions: motors, their reductions and rotors.

use roxmltree::Node;

use super::{
    numbers::LARGEST,
    said::{ActuatorScan, TransmissionScan},
    scanner::{Scanner, child, elements},
};
use crate::findings::Place;

/// Where files write the turns of the motor per turn of the joint.
const REDUCTION: [&str; 4] = [
    "mechanicalReduction",
    "mechanical_reduction",
    "gear_ratio",
    "gearRatio",
];

/// Where files write the inertia of the rotor; the format has no place for it.
const ROTOR: [&str; 4] = [
    "rotor_inertia",
    "rotorInertia",
    "motorInertia",
    "motor_inertia",
];

impl Scanner<'_, '_> {
    pub(super) fn transmission(&mut self, node: Node) {
        let name = node.attribute("name").unwrap_or_default();
        let place = self.place(node, format!("transmission `{name}`"));
        self.found.stands_at(&place);
        let kind = node
            .attribute("type")
            .or_else(|| child(node, "type").and_then(|n| n.text()))
            .unwrap_or_default();
        let joints: Vec<Node> = elements(node)
            .filter(|n| n.tag_name().name() == "joint")
            .collect();
        // Older files write the reduction beside the motor or with the joint.
        let common = self.quantity(node, &REDUCTION, &place).or_else(|| {
            joints
                .iter()
                .find_map(|j| self.quantity(*j, &REDUCTION, &place))
        });
        let mut actuators = Vec::new();
        for motor in elements(node).filter(|n| n.tag_name().name() == "actuator") {
            actuators.push(ActuatorScan {
                name: motor.attribute("name").unwrap_or_default().into(),
                reduction: self.quantity(motor, &REDUCTION, &place).or(common),
                rotor_inertia: self.quantity(motor, &ROTOR, &place),
            });
        }
        self.out.transmissions.push(TransmissionScan {
            name: name.into(),
            kind: kind.trim().into(),
            joints: joints
                .iter()
                .filter_map(|j| j.attribute("name"))
                .map(str::to_string)
                .collect(),
            actuators,
        });
    }

    /// A number in a child element, as its text or its attribute `value`.
    fn quantity(&mut self, node: Node, names: &[&str], place: &Place) -> Option<f64> {
        let found = elements(node).find(|n| names.contains(&n.tag_name().name()))?;
        let text = found.attribute("value").or(found.text())?.trim();
        match text.parse::<f64>() {
            Ok(x) if x.abs() <= LARGEST => Some(x),
            _ => {
                let place = self.place(found, place.element.clone());
                let tag = found.tag_name().name();
                let slip = format!("<{tag}> is `{text}`, no number, and is left out");
                self.found.repaired(&place, slip);
                None
            }
        }
    }
}
