//! The scenarios: names, keys, defaults. Engine-neutral; `scenes` builds them.

mod friction;
mod holding;
mod keys;
mod machines;
mod many;
mod own;
mod robots;
mod scenario;
mod views;

use crate::error::CommandError;
#[cfg(test)]
use crate::keys::Key;
#[cfg(test)]
use scenario::PLAIN;
pub use scenario::{Scenario, ScenarioId};

/// The entry of the shortest scenario, to start from.
#[cfg(test)]
const EXAMPLE: Scenario = Scenario {
    id: ScenarioId::Example,
    name: "example",
    doc: "a box is pushed along the ground",
    keys: &[
        Key::number("push", "4", crate::keys::FROM_ZERO, "force on the box [N]"),
        Key::number("mu", "0.5", crate::keys::FROM_ZERO, "Coulomb coefficient"),
        keys::ITERATIONS,
    ],
    dt: 0.01,
    duration: 1.0,
    figures: crate::figures::figures! {
        &["example"] => {
            moved_m: "way of the box along the push", "at most 1e-6";
        }
    },
    summary: &["moved_m"],
    ..PLAIN
};

/// Every scenario, in the order of the list.
pub const SCENARIOS: &[Scenario] = &[
    holding::GRASP,
    holding::PINCH,
    holding::BOX,
    holding::STACK,
    many::MASS_RATIO,
    holding::STAND,
    holding::DROP,
    robots::CARRY,
    robots::SHAKE,
    robots::TROT,
    holding::FREE_FLIGHT,
    friction::SLOPE,
    friction::SLIDE,
    friction::CONVEYOR,
    friction::HOVER,
    friction::SPIN,
    friction::ROLL,
    friction::POLYGON,
    friction::CONTACT_TABLE,
    friction::PAINLEVE,
    many::BOUNCE,
    many::GRANULAR,
    machines::PEG,
    machines::PENDULUM,
    machines::FOUR_BAR,
    machines::HEXAPOD,
    own::SCENE,
    #[cfg(test)]
    EXAMPLE,
];

/// The scenario of that name.
///
/// # Errors
/// A usage error that lists the scenarios.
pub(super) fn find(name: &str) -> Result<&'static Scenario, CommandError> {
    SCENARIOS.iter().find(|s| s.name == name).ok_or_else(|| {
        let known: Vec<_> = SCENARIOS.iter().map(|s| s.name).collect();
        CommandError::Usage(format!(
            "unknown scenario `{name}`; the scenarios are {}",
            known.join(", ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::SCENARIOS;
    use std::collections::HashSet;

    #[test]
    fn every_scenario_says_what_it_is() {
        for scenario in SCENARIOS {
            let name = scenario.name;
            assert!(!name.is_empty() && !scenario.doc.is_empty(), "{name}");
            assert!(
                scenario.dt > 0.0 && scenario.duration >= scenario.dt,
                "{name}"
            );
            assert!(
                !scenario.keys.is_empty() && !scenario.summary.is_empty(),
                "{name}"
            );
            let keys: HashSet<_> = scenario.keys.iter().map(|key| key.name).collect();
            assert_eq!(keys.len(), scenario.keys.len(), "{name}: a key twice");
        }
        let ids: HashSet<_> = SCENARIOS.iter().map(|s| s.id).collect();
        let names: HashSet<_> = SCENARIOS.iter().map(|s| s.name).collect();
        assert_eq!([ids.len(), names.len()], [SCENARIOS.len(); 2]);
    }
}
