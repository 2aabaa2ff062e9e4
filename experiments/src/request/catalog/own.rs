//! The scenario whose scene is the user's.

use super::keys::ITERATIONS;
use super::scenario::{PLAIN, Scenario, ScenarioId};
use crate::figures::figures;

pub(super) const SCENE: Scenario = Scenario {
    id: ScenarioId::Scene,
    name: "scene",
    doc: "a scene of your own from a file (--scene FILE.toml, docs/scene_file.md); without one, a sample",
    keys: &[ITERATIONS],
    dt: 0.005,
    duration: 2.0,
    figures: figures! {
        &["scene"] => {
            slip_max_m: "longest path that two touching surfaces slid along each other since the settling time";
            penetration_max_m: "deepest penetration of a closed contact since the settling time";
            drift_m: "NAME.drift_m: largest distance of a body, robot or link from its place at the settling time", "by the file";
            height_end_m: "NAME.height_end_m: height of its origin at the end", "by the file";
            speed_end_m_per_s: "NAME.speed_end_m_per_s: its speed at the end", "by the file";
            tilt_max_rad: "NAME.tilt_max_rad: its largest turn since the settling time", "by the file";
            force_up_mean_N: "NAME.force_up_mean_N: mean upward force of its contacts since the settling time", "by the file";
        }
    },
    summary: &["slip_max_m", "penetration_max_m"],
    ..PLAIN
};
