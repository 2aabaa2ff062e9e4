//! What it takes to repeat a run, and to know whether it is the same.

use crate::provenance::Provenance;
use crate::settings::{Request, RunSettings};
use crate::trajectory::bytes_hash;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The manifest of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// What was asked for; running it again is the replay.
    pub request: Request,
    /// Every key of the scenario with its value, set or not.
    pub keys: BTreeMap<String, String>,
    /// Mark of the robot file's bytes, if there was one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub robot_hash: Option<String>,
    /// Mark of the scene file's bytes, if there was one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub scene_hash: Option<String>,
    /// Mark of everything that moved, see [`TrajectoryHash`](crate::trajectory::TrajectoryHash).
    #[serde(default)]
    pub trajectory_hash: String,
    /// Program, machine, time.
    pub made: Provenance,
}

impl Manifest {
    /// The manifest of a run about to start.
    pub fn new(settings: &RunSettings, made: Provenance) -> Self {
        let pairs = settings.keys.pairs();
        Self {
            request: settings.request.clone(),
            keys: pairs
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            robot_hash: settings.robot.as_deref().and_then(file_hash),
            scene_hash: settings.request.scene.as_deref().and_then(file_hash),
            trajectory_hash: String::new(),
            made,
        }
    }
}

/// The mark of a file; `None` where it can't be read, which the scene will say better.
pub fn file_hash(path: &Path) -> Option<String> {
    fs::read(path).ok().map(|bytes| bytes_hash(&bytes))
}

/// A command line that repeats a request.
pub fn command_line(request: &Request) -> String {
    let mut words = vec!["stickslip".to_owned(), "run".to_owned()];
    words.push(request.scenario.clone());
    let mut flag = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            words.extend([name.to_owned(), quoted(&value)]);
        }
    };
    let path = |path: &Path| path.display().to_string();
    flag("--model", request.model.clone());
    flag("--solver", request.solver.clone());
    flag("--dt", request.dt.map(|x| x.to_string()));
    flag("--duration", request.duration.map(|x| x.to_string()));
    flag("--robot", request.robot.as_deref().map(path));
    flag("--scene", request.scene.as_deref().map(path));
    for (name, value) in request.robot_args.flags() {
        flag(name, Some(value));
    }
    for name in request.robot_args.switches() {
        words.push(name.to_owned());
    }
    let mut flag = |name: &str, value: String| words.extend([name.to_owned(), quoted(&value)]);
    for setting in &request.set {
        flag("--set", setting.clone());
    }
    flag("--seed", request.seed.to_string());
    flag("--precision", request.precision.as_str().to_owned());
    words.join(" ")
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=./:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Precision;

    #[test]
    fn a_request_is_a_command_line() {
        let request = Request {
            scenario: "grasp".to_owned(),
            model: Some("cone".to_owned()),
            dt: Some(0.01),
            robot: Some("my robot's.urdf".into()),
            set: vec!["mu=0.5".to_owned()],
            seed: 3,
            precision: Precision::F32,
            ..Request::default()
        };
        assert_eq!(
            command_line(&request),
            r"stickslip run grasp --model cone --dt 0.01 --robot 'my robot'\''s.urdf' --set mu=0.5 --seed 3 --precision f32"
        );
        let text = serde_json::to_string(&request).unwrap();
        assert_eq!(serde_json::from_str::<Request>(&text).unwrap(), request);
    }
}
