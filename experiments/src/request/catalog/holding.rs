//! Scenarios about holding, standing and keeping momentum.

use super::keys::{ITERATIONS, MASS, NO_SETTLE, SETTLE, SIZE, effort, holding_mu, yes_no};
use super::scenario::{PLAIN, Scenario, ScenarioId};
use crate::keys::{ANY, FROM_ZERO, Key, POSITIVE};

pub(super) const GRASP: Scenario = Scenario {
    id: ScenarioId::Grasp,
    name: "grasp",
    doc: "a parallel-jaw gripper (URDF) squeezes two free cubes in a row [D15, Table I]; with another hand or --object it is `carry`",
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
            "mass_2",
            "0",
            FROM_ZERO,
            "mass of the second cube [kg]; 0: as the first",
        ),
        holding_mu("1"),
        NO_SETTLE,
        ITERATIONS,
    ],
    dt: 0.01,
    duration: 10.0,
    takes_robot: true,
    summary: &[
        "drop_m",
        "drop_expected_m",
        "slip_max_m",
        "creep_m_per_s",
        "creep_expected_m_per_s",
    ],
    ..PLAIN
};

pub(super) const PINCH: Scenario = Scenario {
    id: ScenarioId::Pinch,
    name: "pinch",
    doc: "a 45 g capsule pinched between two pads on damped slides; creep is measured",
    keys: &[
        Key::number("squeeze", "30", FROM_ZERO, "inward force on each pad [N]"),
        holding_mu("0.7"),
        Key::number("damping", "100", FROM_ZERO, "damping of the slides [N s/m]"),
        SETTLE,
        ITERATIONS,
    ],
    dt: 0.002,
    duration: 10.0,
    summary: &["creep_m_per_s", "drop_m", "slip_max_m"],
    ..PLAIN
};

pub(super) const BOX: Scenario = Scenario {
    id: ScenarioId::Box,
    name: "box",
    doc: "a box at rest on the ground; depth and drift are measured",
    keys: &[
        MASS,
        SIZE,
        Key::whole(
            "feet",
            "0",
            (0, 100_000),
            "number of small spheres below it that it stands on, a contact each; 0: its own corners",
        ),
        holding_mu("0.5"),
        SETTLE,
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 5.0,
    summary: &["drift_m", "penetration_max_m"],
    ..PLAIN
};

pub(super) const STACK: Scenario = Scenario {
    id: ScenarioId::Stack,
    name: "stack",
    doc: "ten boxes on top of each other; depth and drift are measured",
    keys: &[
        Key::whole("count", "10", (1, 1000), "number of boxes"),
        Key::number("mass", "1", POSITIVE, "mass of each [kg]"),
        SIZE,
        holding_mu("0.5"),
        yes_no(
            "multibody",
            "false",
            "each box a multibody with a floating root: half its mass on a link fixed to it",
        ),
        SETTLE,
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 6.0,
    summary: &["drift_m", "penetration_max_m"],
    ..PLAIN
};

pub(super) const STAND: Scenario = Scenario {
    id: ScenarioId::Stand,
    name: "stand",
    doc: "a legged robot (URDF) stands under joint PD control; foot slip is measured",
    keys: &[
        Key::number(
            "kp",
            "80",
            FROM_ZERO,
            "stiffness of the joint drives [N m/rad]; without kp and kd, robots whose joint names tell no pose get gains that suit their inertias",
        ),
        Key::number(
            "kd",
            "1",
            FROM_ZERO,
            "damping of the joint drives [N m s/rad]",
        ),
        holding_mu("0.8"),
        Key::text(
            "pose",
            "",
            "joint:angle,... [rad], or the name of a pose of --srdf, instead of the default standing pose",
        ),
        Key::number(
            "settle_damping",
            "8",
            (1.0, 1000.0),
            "factor on kd during the settling time, to end the sway; 1: none",
        ),
        Key::number(
            "push",
            "0",
            FROM_ZERO,
            "sideways force on the base over the robot's weight, from the settling time on [-]; friction holds it up to mu",
        ),
        yes_no(
            "self_collision",
            "false",
            "whether links that no joint joins collide with each other",
        ),
        effort("urdf"),
        SETTLE,
        ITERATIONS,
    ],
    dt: 0.002,
    duration: 5.0,
    takes_robot: true,
    summary: &["slip_max_m", "penetration_max_m", "normal_force_error_rel"],
    ..PLAIN
};

pub(super) const DROP: Scenario = Scenario {
    id: ScenarioId::Drop,
    name: "drop",
    doc: "any robot (URDF) falls onto the ground with its joints held, and should come to rest",
    keys: &[
        Key::number(
            "height",
            "0.05",
            FROM_ZERO,
            "height of the lowest point above the ground at the start [m]",
        ),
        holding_mu("0.8"),
        Key::number(
            "frequency",
            "30",
            FROM_ZERO,
            "of the joint drives, whose gains suit what each joint moves [rad/s]",
        ),
        Key::number(
            "damping_ratio",
            "1",
            FROM_ZERO,
            "of the joint drives; 1 is critical",
        ),
        Key::text(
            "pose",
            "",
            "joint:angle,... [rad], or the name of a pose of --srdf",
        ),
        effort("unlimited"),
        ITERATIONS,
    ],
    dt: 0.002,
    duration: 5.1,
    takes_robot: true,
    summary: &[
        "settled",
        "settle_time_s",
        "residual_speed_m_per_s",
        "joint_limit_violation_max_rad",
        "penetration_max_m",
    ],
    ..PLAIN
};

pub(super) const FREE_FLIGHT: Scenario = Scenario {
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
        yes_no(
            "order",
            "true",
            "also run at 2h, h, h/2 and a fine step for the order of the joint angles",
        ),
        ITERATIONS,
    ],
    dt: 0.001,
    duration: 1.0,
    takes_robot: true,
    random: Some("the speeds of the joints at the start"),
    summary: &["com_error_m", "angular_momentum_error_rel"],
    ..PLAIN
};
