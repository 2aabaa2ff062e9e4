//! The scenario whose scene is the user's.

use super::keys::ITERATIONS;
use super::{PLAIN, Scenario, ScenarioId};

pub(super) const SCENE: Scenario = Scenario {
    id: ScenarioId::Scene,
    name: "scene",
    doc: "a scene of your own from a file (--scene FILE.toml, docs/scene_file.md); without one, a sample",
    keys: &[ITERATIONS],
    dt: 0.005,
    duration: 2.0,
    summary: &["slip_max_m", "penetration_max_m"],
    ..PLAIN
};
