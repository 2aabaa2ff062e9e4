//! The scenarios: names, keys, defaults. Engine-neutral; `scenes` builds them.

mod friction;
mod holding;
mod keys;
mod machines;
mod many;
mod own;
mod robots;
mod views;

use crate::figures::Figure;
use crate::keys::Key;
use stickslip_core::models::ModelName;

/// A scenario as the command lists it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenario {
    /// Which one.
    pub id: ScenarioId,
    /// Name on the command line.
    pub name: &'static str,
    /// One line: what happens and what is measured.
    pub doc: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
    /// Default time step \[s\].
    pub dt: f64,
    /// Default duration \[s\].
    pub duration: f64,
    /// Default model: the exact friction cone, unless the scenario is about another law.
    pub model: ModelName,
    /// Whether `--robot` means anything to it.
    pub takes_robot: bool,
    /// What of it is random, so that the seed changes it.
    pub random: Option<&'static str>,
    /// Settings from the keys of every scenario that differ here, unless the user says otherwise.
    pub presets: &'static [&'static str],
    /// What its figures mean, beside those that several scenarios have ([`FIGURES`](crate::figures::FIGURES)).
    pub figures: &'static [Figure],
    /// Its figures in the table of many models, a row each.
    pub summary: &'static [&'static str],
}

/// What most scenarios are: under the exact friction cone, without a robot file, with nothing random and no
/// settings of their own. Each says the rest itself.
const PLAIN: Scenario = Scenario {
    id: ScenarioId::Box,
    name: "",
    doc: "",
    keys: &[],
    dt: f64::NAN,
    duration: f64::NAN,
    model: ModelName::Cone,
    takes_robot: false,
    random: None,
    presets: &[],
    figures: &[],
    summary: &[],
};

/// The scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScenarioId {
    /// Two cubes held by a gripper.
    Grasp,
    /// A capsule pinched by two pads.
    Pinch,
    /// A box at rest.
    Box,
    /// A stack of boxes.
    Stack,
    /// A legged robot standing.
    Stand,
    /// Any robot falling onto the ground.
    Drop,
    /// A floating robot without contact.
    FreeFlight,
    /// A box on a slope.
    Slope,
    /// A box or a sphere set sliding.
    Slide,
    /// A box set on a moving belt.
    Conveyor,
    /// A fast cube: does friction lift it?
    Hover,
    /// A ball spinning about its contact normal.
    Spin,
    /// A ball rolling to rest.
    Roll,
    /// A block sliding in every direction.
    Polygon,
    /// Random contact problems of growing size.
    ContactTable,
    /// A rod sliding on its end.
    Painleve,
    /// A gripper that carries a cube.
    Carry,
    /// An arm that picks an object up and is shaken.
    Shake,
    /// A quadruped walking.
    Trot,
    /// A peg pushed into a hole.
    Peg,
    /// A rod on a hinge.
    Pendulum,
    /// A parallelogram of rods.
    FourBar,
    /// A six-legged walker with loops.
    Hexapod,
    /// Spheres in a box with a slot.
    Granular,
    /// A heavy box on a light one.
    MassRatio,
    /// A bouncing ball.
    Bounce,
    /// A scene from a file.
    Scene,
    /// The shortest scenario, to start from.
    #[cfg(test)]
    Example,
}

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
