//! Positions and efforts of the joints, with what they aim at and what bounds them.

use super::many::{Bundle, Style};
use crate::chunks::{Times, Writer};
use crate::error::RerunError;
use stickslip_record::{JointMotion, SceneRecord, StepRecord};

/// Positions of the joints.
pub const JOINT_POSITIONS: &str = "plots/joint_position/actual";
/// Positions the drives aim at.
pub const JOINT_TARGETS: &str = "plots/joint_position/target";
/// Efforts of the drives.
pub const JOINT_EFFORTS: &str = "plots/joint_effort/actual";
/// The largest efforts, positive and negative.
pub const JOINT_LIMITS: &str = "plots/joint_effort/limit";

/// Rows of the joints waiting to be sent. Which of them have targets and efforts is known with the first
/// step.
#[derive(Debug)]
pub(crate) struct JointColumns {
    with_target: Vec<usize>,
    with_effort: Vec<usize>,
    limits: Vec<f64>,
    positions: Bundle,
    targets: Bundle,
    efforts: Bundle,
    bounds: Bundle,
}

impl JointColumns {
    /// No rows yet. O(joints).
    pub fn new(scene: &SceneRecord, first: &StepRecord) -> Self {
        let joints = first.joints.iter().enumerate();
        let with = |known: fn(&stickslip_record::JointSample) -> bool| {
            let found = joints.clone().filter(move |(_, joint)| known(joint));
            found.map(|(k, _)| k).collect::<Vec<_>>()
        };
        let with_target = with(|joint| joint.target.is_some());
        let with_effort = with(|joint| joint.effort.is_some());
        let name = |k: usize, of: &str, units: [&str; 2]| {
            let joint = &scene.joints[k];
            let unit = units[usize::from(joint.motion == JointMotion::Sliding)];
            (format!("{}{of} [{unit}]", joint.name), k)
        };
        let position = ["rad", "m"];
        let effort = ["N m", "N"];
        let bounded = with_effort
            .iter()
            .filter_map(|&k| Some((k, scene.joints[k].effort?)));
        let bounded: Vec<_> = bounded.collect();
        let both = bounded
            .iter()
            .flat_map(|(k, most)| [(*k, *most), (*k, -most)]);
        let signs =
            |k: usize, most: f64| name(k, if most < 0.0 { " least" } else { " most" }, effort);
        Self {
            limits: both.clone().map(|(_, most)| most).collect(),
            positions: Bundle::new(
                JOINT_POSITIONS,
                Style::Plain,
                (0..first.joints.len()).map(|k| name(k, "", position)),
            ),
            targets: Bundle::new(
                JOINT_TARGETS,
                Style::Pale,
                with_target.iter().map(|&k| name(k, " target", position)),
            ),
            efforts: Bundle::new(
                JOINT_EFFORTS,
                Style::Plain,
                with_effort.iter().map(|&k| name(k, "", effort)),
            ),
            bounds: Bundle::new(
                JOINT_LIMITS,
                Style::Dark,
                both.map(|(k, most)| signs(k, most)),
            ),
            with_target,
            with_effort,
        }
    }

    fn bundles(&mut self) -> [&mut Bundle; 4] {
        [
            &mut self.positions,
            &mut self.targets,
            &mut self.efforts,
            &mut self.bounds,
        ]
    }

    /// Logs names and colours.
    pub fn put_static(&mut self, out: &mut Writer<'_>) -> Result<(), RerunError> {
        let mut bundles = self.bundles().into_iter();
        bundles.try_for_each(|bundle| bundle.put_static(out))
    }

    /// Adds a row. A drive that aims at no position for now is shown to aim where the joint is.
    pub fn push(&mut self, step: &StepRecord) {
        let joints = &step.joints;
        self.positions
            .push(joints.iter().map(|joint| joint.position));
        let targets = self.with_target.iter().map(|&k| &joints[k]);
        self.targets
            .push(targets.map(|joint| joint.target.unwrap_or(joint.position)));
        let efforts = self.with_effort.iter().map(|&k| &joints[k]);
        self.efforts
            .push(efforts.map(|joint| joint.effort.unwrap_or(0.0)));
        self.bounds.push(self.limits.iter().copied());
    }

    /// Sends the rows and starts over.
    pub fn flush(&mut self, out: &mut Writer<'_>, times: &Times) -> Result<(), RerunError> {
        let mut bundles = self.bundles().into_iter();
        bundles.try_for_each(|bundle| bundle.flush(out, times))
    }
}
