//! Scenarios about friction itself: what a model makes of sliding, spinning and rolling.

use super::{FROM_ZERO, ITERATIONS, POSITIVE, Scenario, ScenarioId};
use crate::keys::Key;
use stickslip_core::models::ModelName;

pub(super) const HOVER: Scenario = Scenario {
    id: ScenarioId::Hover,
    name: "hover",
    doc: "a cube slides fast; how far friction lifts it off the ground is measured",
    keys: &[
        Key::number("speed", "6", POSITIVE, "speed at the start [m/s]"),
        Key::number("mu", "0.5", POSITIVE, "Coulomb coefficient [-]"),
        Key::number("mass", "1", POSITIVE, "mass [kg]"),
        Key::number("size", "0.1", POSITIVE, "side [m]"),
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 1.5,
    model: ModelName::NoSlip,
    takes_robot: false,
};

pub(super) const SPIN: Scenario = Scenario {
    id: ScenarioId::Spin,
    name: "spin",
    doc: "a ball spins about its contact normal, slowed by mu_torsional (a key of every scenario)",
    keys: &[
        Key::number("spin", "10", POSITIVE, "angular speed at the start [rad/s]"),
        Key::number("mu", "0.5", FROM_ZERO, "Coulomb coefficient [-]"),
        Key::number("mass", "1", POSITIVE, "mass [kg]"),
        Key::number("radius", "0.1", POSITIVE, "radius [m]"),
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 0.5,
    model: ModelName::NoSlip,
    takes_robot: false,
};

pub(super) const ROLL: Scenario = Scenario {
    id: ScenarioId::Roll,
    name: "roll",
    doc: "a ball rolls on the ground, slowed by mu_rolling (a key of every scenario)",
    keys: &[
        Key::number("speed", "1", POSITIVE, "rolling speed at the start [m/s]"),
        Key::number("mu", "0.5", FROM_ZERO, "Coulomb coefficient [-]"),
        Key::number("mass", "1", POSITIVE, "mass [kg]"),
        Key::number("radius", "0.1", POSITIVE, "radius [m]"),
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 0.5,
    model: ModelName::NoSlip,
    takes_robot: false,
};

/// 1440 steps by default: every quarter of a degree, so that the directions midway between the
/// corners of up to 16 are among them.
pub(super) const POLYGON: Scenario = Scenario {
    id: ScenarioId::Polygon,
    name: "polygon",
    doc: "a block slides in every direction of a full turn: share of friction along each [TSL]",
    keys: &[
        Key::number("speed", "1", POSITIVE, "speed in each direction [m/s]"),
        Key::number("mu", "0.5", POSITIVE, "Coulomb coefficient [-]"),
        Key::number("mass", "1", POSITIVE, "mass [kg]"),
    ],
    dt: 0.001,
    duration: 1.44,
    model: ModelName::NoSlip,
    takes_robot: false,
};

pub(super) const CONTACT_TABLE: Scenario = Scenario {
    id: ScenarioId::ContactTable,
    name: "contact-table",
    doc: "random contact problems of 16 to 170 unknowns: share solved by the chosen solver [T95]",
    keys: &[
        Key::number("mu", "0.8", FROM_ZERO, "largest Coulomb coefficient [-]"),
        Key::number("sliding", "1", FROM_ZERO, "size of the velocities [m/s]"),
    ],
    dt: 0.01,
    duration: 0.8,
    model: ModelName::NoSlip,
    takes_robot: false,
};

pub(super) const PAINLEVE: Scenario = Scenario {
    id: ScenarioId::Painleve,
    name: "painleve",
    doc: "a rod slides on its end where no force at acceleration level can hold it [T95]",
    keys: &[
        Key::number(
            "angle",
            "60",
            (1.0, 89.0),
            "angle to the ground at the start [deg]",
        ),
        Key::number("speed", "1", FROM_ZERO, "speed at the start [m/s]"),
        Key::number("mu", "2", FROM_ZERO, "Coulomb coefficient [-]"),
        Key::number("mass", "1", POSITIVE, "mass [kg]"),
        Key::number("length", "1", POSITIVE, "length [m]"),
    ],
    dt: 0.001,
    duration: 0.2,
    model: ModelName::NoSlip,
    takes_robot: false,
};
