//! Scenarios about friction itself: what a model makes of sliding, spinning and rolling.

use super::keys::{ITERATIONS, MASS, MU, RADIUS, SIZE, SOME_MU, direction, speed};
use super::scenario::{PLAIN, Scenario, ScenarioId};
use crate::keys::{FROM_ZERO, Key, POSITIVE};
use stickslip_core::models::ModelName;

pub(super) const SLOPE: Scenario = Scenario {
    id: ScenarioId::Slope,
    name: "slope",
    doc: "a box on a slope at a given share of the friction angle's tangent",
    keys: &[
        MU,
        Key::number(
            "ratio",
            "0.98",
            FROM_ZERO,
            "tangent of the slope over mu [-]",
        ),
        direction("downhill direction against the x axis, which the box faces [deg]"),
        MASS,
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 2.0,
    summary: &[
        "drift_m",
        "acceleration_error_rel",
        "heading_error_rad",
        "closed_form_error_m_per_s",
    ],
    ..PLAIN
};

pub(super) const SLIDE: Scenario = Scenario {
    id: ScenarioId::Slide,
    name: "slide",
    doc: "a box or sphere set sliding on the ground: stopping distance, rolling speed",
    keys: &[
        Key::choice("shape", "box", &["box", "sphere"], "what slides"),
        speed("1", "speed at the start [m/s]"),
        direction("direction of motion against the x axis [deg]"),
        SOME_MU,
        MASS,
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 1.0,
    summary: &[
        "stop_distance_error_rel",
        "heading_error_rad",
        "closed_form_error_m_per_s",
        "rolling_speed_error_rel",
    ],
    ..PLAIN
};

pub(super) const CONVEYOR: Scenario = Scenario {
    id: ScenarioId::Conveyor,
    name: "conveyor",
    doc: "a box set down at rest on a belt: friction brings it to the belt's speed, then it rides",
    keys: &[
        speed("1", "speed of the belt [m/s]"),
        direction("direction of the belt against the x axis, which the box faces [deg]"),
        SOME_MU,
        MASS,
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 1.0,
    summary: &[
        "speed_end_m_per_s",
        "ride_time_s",
        "slip_max_m",
        "heading_error_rad",
        "closed_form_error_m_per_s",
    ],
    ..PLAIN
};

pub(super) const HOVER: Scenario = Scenario {
    id: ScenarioId::Hover,
    name: "hover",
    doc: "a cube slides fast; how far the model lifts it off the ground is measured",
    keys: &[
        speed("6", "speed at the start [m/s]"),
        SOME_MU,
        MASS,
        SIZE,
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 1.5,
    model: ModelName::Ccp,
    summary: &["hover_height_m", "hover_predicted_m", "lift_max_m"],
    ..PLAIN
};

pub(super) const SPIN: Scenario = Scenario {
    id: ScenarioId::Spin,
    name: "spin",
    doc: "a ball spins about its contact normal, slowed by torsional friction",
    keys: &[
        Key::number("spin", "10", POSITIVE, "angular speed at the start [rad/s]"),
        MU,
        MASS,
        RADIUS,
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 0.5,
    presets: &["mu_torsional=0.005"],
    summary: &["speed_end_rad_per_s", "closed_form_error_rel"],
    ..PLAIN
};

pub(super) const ROLL: Scenario = Scenario {
    id: ScenarioId::Roll,
    name: "roll",
    doc: "a ball rolls on the ground, slowed by rolling friction",
    keys: &[
        speed("1", "rolling speed at the start [m/s]"),
        MU,
        MASS,
        RADIUS,
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 0.5,
    presets: &["mu_rolling=0.005"],
    summary: &["speed_end_m_per_s", "closed_form_error_rel"],
    ..PLAIN
};

/// 1440 steps by default: every quarter of a degree, so that the directions midway between the
/// corners of up to 16 are among them.
pub(super) const POLYGON: Scenario = Scenario {
    id: ScenarioId::Polygon,
    name: "polygon",
    doc: "a block slides in every direction of a full turn: share of friction along each [TSL]",
    keys: &[speed("1", "speed in each direction [m/s]"), SOME_MU, MASS],
    dt: 0.001,
    duration: 1.44,
    model: ModelName::StewartTrinkle,
    summary: &[
        "friction_share_min",
        "friction_share_max",
        "polygon_error_rel",
        "heading_error_max_rad",
    ],
    ..PLAIN
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
    model: ModelName::StewartTrinkle,
    random: Some("the problems"),
    summary: &[
        "solved_share_016",
        "solved_share_050",
        "solved_share_100",
        "solved_share_170",
    ],
    ..PLAIN
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
        Key::number(
            "turn",
            "0",
            FROM_ZERO,
            "angular speed at the start [rad/s]; fast ones have two answers",
        ),
        Key::number("mu", "2", FROM_ZERO, "Coulomb coefficient [-]"),
        MASS,
        Key::number("length", "1", POSITIVE, "length [m]"),
    ],
    dt: 0.001,
    duration: 0.2,
    model: ModelName::CoulombAcceleration,
    summary: &["angle_rad", "foot_speed_m_per_s", "normal_force_max_N"],
    ..PLAIN
};
