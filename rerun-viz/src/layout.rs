//! What of a scene is shown where.

use crate::plots::has_group;
use re_sdk_types::blueprint::components::Corner2D;
use stickslip_core::record::{CurveGroup, SceneRecord};

/// Every group, in the order in which they are listed.
const ALL: [CurveGroup; 12] = [
    CurveGroup::Gap,
    CurveGroup::Slip,
    CurveGroup::Force,
    CurveGroup::Utilisation,
    CurveGroup::Residual,
    CurveGroup::Solver,
    CurveGroup::Time,
    CurveGroup::Energy,
    CurveGroup::Momentum,
    CurveGroup::JointPosition,
    CurveGroup::JointEffort,
    CurveGroup::Wrench,
];
/// Those shown at first sight of a scene that doesn't say which.
const USUAL: [CurveGroup; 6] = [
    CurveGroup::Gap,
    CurveGroup::Slip,
    CurveGroup::Force,
    CurveGroup::Residual,
    CurveGroup::Solver,
    CurveGroup::Time,
];
/// More views of curves than this at once can't be read.
const MOST: usize = 6;

/// The groups whose curves exist: those shown at first sight, and the rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Curves {
    pub first: Vec<CurveGroup>,
    pub rest: Vec<CurveGroup>,
}

/// Picks the curves of a scene; `joints` says whether the steps state what joints do.
pub(crate) fn curves(scene: &SceneRecord, joints: bool) -> Curves {
    let of_joints = |group| matches!(group, CurveGroup::JointPosition | CurveGroup::JointEffort);
    let exists = |group: &CurveGroup| has_group(scene, *group) && (joints || !of_joints(*group));
    let asked = match &scene.view.curves[..] {
        [] => &USUAL[..],
        asked => asked,
    };
    let mut first: Vec<_> = asked.iter().copied().filter(exists).collect();
    first.truncate(MOST);
    let left = ALL.into_iter().filter(exists);
    Curves {
        rest: left.filter(|group| !first.contains(group)).collect(),
        first,
    }
}

/// Folder below `plots`, title, and the corner where the legend hides least.
pub(crate) fn view(group: CurveGroup) -> (&'static str, &'static str, Corner2D) {
    use Corner2D::{RightBottom, RightTop};
    match group {
        CurveGroup::Gap => ("gap", "Gap", RightBottom),
        CurveGroup::Slip => ("slip", "Slip", RightTop),
        CurveGroup::Force => ("force", "Normal force", RightBottom),
        CurveGroup::Utilisation => ("utilisation", "Friction used", RightTop),
        CurveGroup::Residual => ("residual", "Residual", RightTop),
        CurveGroup::Solver => ("solver", "Solver", RightTop),
        CurveGroup::Time => ("time", "Time per step", RightTop),
        CurveGroup::Energy => ("energy", "Energy", RightTop),
        CurveGroup::Momentum => ("momentum", "Momentum error", RightTop),
        CurveGroup::JointPosition => ("joint_position", "Joint positions", RightTop),
        CurveGroup::JointEffort => ("joint_effort", "Joint efforts", RightTop),
        CurveGroup::Wrench => ("wrench", "Feet and fingers", RightTop),
    }
}
