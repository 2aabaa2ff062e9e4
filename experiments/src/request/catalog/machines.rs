//! Scenarios of mechanisms: loops closed by joints, parts that are put together.

use super::keys::{BEFORE_WALK, ITERATIONS, holding_mu, joints};
use super::scenario::{PLAIN, Scenario, ScenarioId};
use crate::keys::{FROM_ZERO, Key, POSITIVE};
use stickslip_core::models::ModelName;

const LENGTH: Key = Key::number("length", "1", POSITIVE, "length of a crank [m]");
const MASS: Key = Key::number("mass", "1", POSITIVE, "mass of a crank [kg]");
const AMPLITUDE: Key = Key::number(
    "amplitude",
    "60",
    (0.1, 80.0),
    "angle from the vertical at the start [deg]",
);
const JOINTS: Key = joints(
    "impulse",
    "hinges as rows between free bodies, or as coordinates of a multibody (loops are rows either way)",
);

pub(super) const PENDULUM: Scenario = Scenario {
    id: ScenarioId::Pendulum,
    name: "pendulum",
    doc: "a rod swings on a hinge: period against the closed form, drift of the joint [TA]",
    keys: &[LENGTH, MASS, AMPLITUDE, JOINTS, ITERATIONS],
    dt: 0.001,
    duration: 10.0,
    summary: &["period_error_rel", "joint_drift_max_m", "energy_error_rel"],
    ..PLAIN
};

pub(super) const FOUR_BAR: Scenario = Scenario {
    id: ScenarioId::FourBar,
    name: "four-bar",
    doc: "a parallelogram swings: a loop closed by joints, three of its rows redundant [TA]",
    keys: &[
        LENGTH,
        MASS,
        Key::number("coupler_mass", "1", POSITIVE, "mass of the coupler [kg]"),
        Key::number("span", "0.8", POSITIVE, "distance of the fixed hinges [m]"),
        AMPLITUDE,
        JOINTS,
        ITERATIONS,
    ],
    dt: 0.001,
    duration: 10.0,
    summary: &["period_error_rel", "joint_drift_max_m", "energy_error_rel"],
    ..PLAIN
};

pub(super) const HEXAPOD: Scenario = Scenario {
    id: ScenarioId::Hexapod,
    name: "hexapod",
    doc: "a walker of 37 moving parts, 12 loops and 12 motors walks in tripods [TA]",
    keys: &[
        Key::number("speed", "0.1", POSITIVE, "commanded forward speed [m/s]"),
        Key::number("period", "1", POSITIVE, "period of the gait [s]"),
        Key::number(
            "step_height",
            "0.02",
            FROM_ZERO,
            "lift of a swinging foot [m]",
        ),
        holding_mu("0.6"),
        joints(
            "multibody",
            "hinges of the tree as coordinates of a multibody, or as rows between free bodies",
        ),
        BEFORE_WALK,
        ITERATIONS,
    ],
    dt: 0.01,
    duration: 10.0,
    summary: &[
        "speed_mean_m_per_s",
        "speed_error_rel",
        "joint_drift_max_m",
        "tilt_max_rad",
    ],
    ..PLAIN
};

pub(super) const PEG: Scenario = Scenario {
    id: ScenarioId::Peg,
    name: "peg",
    doc: "a peg is pushed into a hole without inertia: it goes in, or is wedged within the first mu D of depth [G]",
    keys: &[
        Key::choice(
            "space",
            "plane",
            &["plane", "space"],
            "a slot and motion in its plane, or a square hole",
        ),
        Key::number(
            "clearance",
            "0.01",
            (1e-5, 0.3),
            "hole wider than the peg by this share of its width D",
        ),
        Key::number(
            "depth",
            "0.36",
            (0.01, 2.0),
            "how far the peg is in at the start, over D",
        ),
        Key::number("mu", "0.3", FROM_ZERO, "Coulomb coefficient [-]"),
        Key::number("speed", "0.02", POSITIVE, "speed of the pusher [m/s]"),
        ITERATIONS,
    ],
    dt: 0.01,
    duration: 6.0,
    model: ModelName::QuasiStatic,
    presets: &["directions=16"],
    summary: &["depth_m", "wedge_depth_theory_m", "lean_end_rad"],
    ..PLAIN
};
