//! The scenarios: names, keys, defaults. Engine-neutral; `scenes` builds them.

mod friction;

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
    /// Default model.
    pub model: ModelName,
    /// Whether `--robot` means anything to it.
    pub takes_robot: bool,
}

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
    /// A floating robot without contact.
    FreeFlight,
    /// A box on a slope.
    Slope,
    /// A box or a sphere set sliding.
    Slide,
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
}

const POSITIVE: (f64, f64) = (1e-9, f64::MAX);
const FROM_ZERO: (f64, f64) = (0.0, f64::MAX);
const ANY: (f64, f64) = (-1e6, 1e6);

const ITERATIONS: Key = Key::number(
    "iterations",
    "4",
    (1.0, 10_000.0),
    "solver iterations of rapier's own solver (model host only)",
);
const SETTLE: Key = Key::number(
    "settle",
    "1",
    FROM_ZERO,
    "time before figures are taken [s]; by default half of a run no longer than that",
);

/// Every scenario, in the order of the list.
pub const SCENARIOS: &[Scenario] = &[
    Scenario {
        id: ScenarioId::Grasp,
        name: "grasp",
        doc: "a parallel-jaw gripper (URDF) squeezes two free cubes in a row [D15, Table I]",
        keys: &[
            Key::choice(
                "contacts",
                "engine",
                &["engine", "paper", "triplicated"],
                "rapier's contact points, the paper's 36, or each corner with all three face normals",
            ),
            Key::number(
                "squeeze",
                "200",
                FROM_ZERO,
                "inward force on each finger [N]",
            ),
            Key::number("mass", "1", POSITIVE, "mass of each cube [kg]"),
            Key::number(
                "mu",
                "1",
                FROM_ZERO,
                "Coulomb coefficient [-], for models that use one",
            ),
            Key::number(
                "settle",
                "0",
                FROM_ZERO,
                "time before figures are taken [s]",
            ),
            ITERATIONS,
        ],
        dt: 0.01,
        duration: 10.0,
        model: ModelName::NoSlip,
        takes_robot: true,
    },
    Scenario {
        id: ScenarioId::Pinch,
        name: "pinch",
        doc: "a 45 g capsule pinched between two pads on damped slides; creep is measured",
        keys: &[
            Key::number("squeeze", "30", FROM_ZERO, "inward force on each pad [N]"),
            Key::number(
                "mu",
                "0.7",
                FROM_ZERO,
                "Coulomb coefficient [-], for models that use one",
            ),
            Key::number("damping", "100", FROM_ZERO, "damping of the slides [N s/m]"),
            SETTLE,
            ITERATIONS,
        ],
        dt: 0.002,
        duration: 10.0,
        model: ModelName::NoSlip,
        takes_robot: false,
    },
    Scenario {
        id: ScenarioId::Box,
        name: "box",
        doc: "a box at rest on the ground; depth and drift are measured",
        keys: &[
            Key::number("mass", "1", POSITIVE, "mass [kg]"),
            Key::number("size", "0.1", POSITIVE, "side [m]"),
            Key::number(
                "mu",
                "0.5",
                FROM_ZERO,
                "Coulomb coefficient [-], for models that use one",
            ),
            SETTLE,
            ITERATIONS,
        ],
        dt: 0.005,
        duration: 5.0,
        model: ModelName::NoSlip,
        takes_robot: false,
    },
    Scenario {
        id: ScenarioId::Stack,
        name: "stack",
        doc: "ten boxes on top of each other; depth and drift are measured",
        keys: &[
            Key::number("count", "10", (1.0, 1000.0), "number of boxes"),
            Key::number("mass", "1", POSITIVE, "mass of each [kg]"),
            Key::number("size", "0.1", POSITIVE, "side [m]"),
            Key::number(
                "mu",
                "0.5",
                FROM_ZERO,
                "Coulomb coefficient [-], for models that use one",
            ),
            Key::choice(
                "multibody",
                "false",
                &["true", "false"],
                "each box a multibody with a floating root: half its mass on a link fixed to it",
            ),
            SETTLE,
            ITERATIONS,
        ],
        dt: 0.005,
        duration: 6.0,
        model: ModelName::NoSlip,
        takes_robot: false,
    },
    Scenario {
        id: ScenarioId::Stand,
        name: "stand",
        doc: "a legged robot (URDF) stands under joint PD control; foot slip is measured",
        keys: &[
            Key::number(
                "kp",
                "80",
                FROM_ZERO,
                "stiffness of the joint drives [N m/rad]",
            ),
            Key::number(
                "kd",
                "1",
                FROM_ZERO,
                "damping of the joint drives [N m s/rad]",
            ),
            Key::number(
                "mu",
                "0.8",
                FROM_ZERO,
                "Coulomb coefficient [-], for models that use one",
            ),
            Key::text(
                "pose",
                "",
                "joint:angle,... [rad] instead of the default standing pose",
            ),
            Key::number(
                "settle_damping",
                "8",
                (1.0, 1000.0),
                "factor on kd during the settling time, to end the sway; 1: none",
            ),
            Key::choice(
                "self_collision",
                "false",
                &["true", "false"],
                "whether links that no joint joins collide with each other",
            ),
            Key::choice(
                "effort",
                "urdf",
                &["urdf", "unlimited"],
                "whether the drives honour the effort limits of the file",
            ),
            SETTLE,
            ITERATIONS,
        ],
        dt: 0.002,
        duration: 5.0,
        model: ModelName::NoSlip,
        takes_robot: true,
    },
    Scenario {
        id: ScenarioId::FreeFlight,
        name: "free-flight",
        doc: "a robot (URDF) thrown spinning, its joints swinging; momentum is measured",
        keys: &[
            Key::number(
                "spin",
                "1",
                ANY,
                "angular speed of the base at the start [rad/s]",
            ),
            Key::number(
                "swing",
                "0.5",
                FROM_ZERO,
                "largest joint speed at the start [rad/s]",
            ),
            Key::number(
                "throw",
                "1",
                ANY,
                "upward speed of the base at the start [m/s]",
            ),
            Key::choice(
                "order",
                "true",
                &["true", "false"],
                "also run at 2h, h, h/2 and a fine step for the order of the joint angles",
            ),
            ITERATIONS,
        ],
        dt: 0.001,
        duration: 1.0,
        model: ModelName::NoSlip,
        takes_robot: true,
    },
    Scenario {
        id: ScenarioId::Slope,
        name: "slope",
        doc: "a box on a slope at a given share of the friction angle's tangent",
        keys: &[
            Key::number("mu", "0.5", FROM_ZERO, "Coulomb coefficient [-]"),
            Key::number(
                "ratio",
                "0.98",
                FROM_ZERO,
                "tangent of the slope over mu [-]",
            ),
            Key::number(
                "direction",
                "0",
                ANY,
                "downhill direction against the box's x axis [deg]",
            ),
            Key::number("mass", "1", POSITIVE, "mass [kg]"),
            ITERATIONS,
        ],
        dt: 0.005,
        duration: 2.0,
        model: ModelName::NoSlip,
        takes_robot: false,
    },
    Scenario {
        id: ScenarioId::Slide,
        name: "slide",
        doc: "a box or sphere set sliding on the ground: stopping distance, rolling speed",
        keys: &[
            Key::choice("shape", "box", &["box", "sphere"], "what slides"),
            Key::number("speed", "1", POSITIVE, "speed at the start [m/s]"),
            Key::number(
                "direction",
                "0",
                ANY,
                "direction of motion against the x axis [deg]",
            ),
            Key::number("mu", "0.5", POSITIVE, "Coulomb coefficient [-]"),
            Key::number("mass", "1", POSITIVE, "mass [kg]"),
            ITERATIONS,
        ],
        dt: 0.005,
        duration: 1.0,
        model: ModelName::NoSlip,
        takes_robot: false,
    },
    friction::HOVER,
    friction::SPIN,
    friction::ROLL,
    friction::POLYGON,
    friction::CONTACT_TABLE,
    friction::PAINLEVE,
];
