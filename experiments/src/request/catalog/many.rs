//! Scenarios of many bodies, of unlike bodies and of bouncing ones.

use super::keys::{ITERATIONS, NO_SETTLE, RADIUS, SETTLE, SIZE, holding_mu};
use super::scenario::{PLAIN, Scenario, ScenarioId};
use crate::keys::{FROM_ZERO, Key, POSITIVE};
use stickslip_core::models::ModelName;

pub(super) const GRANULAR: Scenario = Scenario {
    id: ScenarioId::Granular,
    name: "granular",
    doc: "spheres fall into a box and flow out through a slot; overlap is measured [TA]",
    keys: &[
        Key::whole("count", "1000", (1, 1_000_000), "number of spheres"),
        Key::number("radius", "0.05", POSITIVE, "radius of a sphere [m]"),
        Key::number("density", "1000", POSITIVE, "density of a sphere [kg/m^3]"),
        Key::number(
            "slot",
            "6",
            FROM_ZERO,
            "height of the slot in radii; 0: the box is closed",
        ),
        holding_mu("0.3"),
        NO_SETTLE,
        ITERATIONS,
    ],
    dt: 0.01,
    duration: 2.0,
    model: ModelName::Ccp,
    random: Some("the places the spheres start from"),
    // Of `psor` and `apgd`: overlaps stay below 0.002 of the radius.
    presets: &["iteration_tolerance=2e-4"],
    summary: &["overlap_max_radii", "overlap_mean_radii", "flowed_out"],
    ..PLAIN
};

pub(super) const MASS_RATIO: Scenario = Scenario {
    id: ScenarioId::MassRatio,
    name: "mass-ratio",
    doc: "a heavy box rests on a light one; depth is measured",
    keys: &[
        Key::number(
            "ratio",
            "1000",
            POSITIVE,
            "mass of the upper over the lower",
        ),
        Key::number("mass", "1", POSITIVE, "mass of the lower box [kg]"),
        SIZE,
        holding_mu("0.5"),
        SETTLE,
        ITERATIONS,
    ],
    dt: 0.005,
    duration: 5.0,
    summary: &["penetration_max_m", "drift_m"],
    ..PLAIN
};

pub(super) const BOUNCE: Scenario = Scenario {
    id: ScenarioId::Bounce,
    name: "bounce",
    doc: "a ball falls and bounces: rebound heights against e^2 h",
    keys: &[
        Key::number("e", "0.5", (0.0, 1.0), "coefficient of restitution [-]"),
        Key::number("height", "1", POSITIVE, "height of fall [m]"),
        RADIUS,
        holding_mu("0.5"),
        ITERATIONS,
    ],
    dt: 0.0005,
    duration: 2.0,
    summary: &["rebound_error_rel", "energy_gain_rel"],
    ..PLAIN
};
