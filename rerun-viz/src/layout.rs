//! What of a scene is shown where.

use crate::balance::BALANCE;
use crate::details::{CONTACT_CONES, CONTACT_TANGENTS};
use crate::paths;
use crate::plots::has_group;
use crate::track::Track;
use crate::wrenches::WRENCHES;
use re_log_types::EntityPath;
use re_sdk_types::blueprint::components::Corner2D;
use stickslip_record::{CurveGroup, Layer, SceneRecord};

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

/// What the steps of a recording state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// Joints and wrenches too.
    Parts,
    /// No curves of joints and wrenches, as in recordings of runs side by side.
    Whole,
}

/// The groups whose curves exist: those shown at first sight, and the rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Curves {
    pub first: Vec<CurveGroup>,
    pub rest: Vec<CurveGroup>,
}

/// Picks the curves of a scene.
pub(crate) fn curves(scene: &SceneRecord, given: Given) -> Curves {
    let of_parts = |group| {
        matches!(
            group,
            CurveGroup::JointPosition | CurveGroup::JointEffort | CurveGroup::Wrench
        )
    };
    let exists = |group: &CurveGroup| {
        has_group(scene, *group) && (given == Given::Parts || !of_parts(*group))
    };
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

/// A legend of more curves than this covers more than half a view.
const MOST_NAMED: usize = 5;

/// How many curves a view has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    joints: usize,
    ends: usize,
    /// Runs side by side.
    runs: usize,
}

impl Counts {
    /// Of a scene and of the runs in its recording.
    pub fn new(scene: &SceneRecord, tracks: &[Track]) -> Self {
        Self {
            joints: scene.joints.len(),
            ends: scene.bodies.iter().filter(|body| body.is_end).count(),
            runs: tracks.len(),
        }
    }

    /// Whether the view of a group, the `number`th of its tab, shows a legend. Runs have the same names and colours in every
    /// view, so the first one tells them.
    pub fn has_legend(self, group: CurveGroup, number: usize) -> bool {
        if self.runs > 0 {
            return number == 0;
        }
        // Each with a second curve: the target, the limits, the torque.
        let curves = match group {
            CurveGroup::JointPosition | CurveGroup::JointEffort => 2 * self.joints,
            CurveGroup::Wrench => 2 * self.ends,
            _ => 0,
        };
        curves <= MOST_NAMED
    }
}

/// Every layer that can be hidden.
const LAYERS: [Layer; 7] = [
    Layer::Collision,
    Layer::Frames,
    Layer::JointAxes,
    Layer::Tangents,
    Layer::Cones,
    Layer::Balance,
    Layer::Wrenches,
];
/// Those shown of a scene that doesn't say which.
const USUAL_LAYERS: [Layer; 2] = [Layer::Balance, Layer::Wrenches];

/// The entities that are recorded and not shown at first sight, of every run.
pub(crate) fn hidden(scene: &SceneRecord, tracks: &[Track]) -> Vec<EntityPath> {
    let shown = scene.view.layers.as_deref().unwrap_or(&USUAL_LAYERS);
    let names: Vec<_> = match tracks {
        [] => vec![None],
        tracks => tracks
            .iter()
            .map(|track| Some(track.name.as_str()))
            .collect(),
    };
    let layers = || LAYERS.into_iter().filter(|layer| !shown.contains(layer));
    let of = |name: Option<&str>| {
        layers()
            .flat_map(|layer| entities(layer, scene, name))
            .collect::<Vec<_>>()
    };
    names.into_iter().flat_map(of).collect()
}

/// The entities of a layer, of one run.
fn entities(layer: Layer, scene: &SceneRecord, track: Option<&str>) -> Vec<EntityPath> {
    let one = |path| vec![paths::of_track(path, track)];
    let below = |part: &str, has: &dyn Fn(usize) -> bool| {
        let bodies = paths::body_paths_in(scene, track).into_iter().enumerate();
        let found = bodies.filter(|(number, _)| has(*number));
        found.map(|(_, path)| paths::below(&path, part)).collect()
    };
    let bodies = &scene.bodies;
    match layer {
        Layer::Collision => below(paths::COLLISION, &|b| !bodies[b].collision.is_empty()),
        Layer::Frames => below(paths::FRAME, &|b| {
            bodies[b].robot.is_some() && bodies[b].moves
        }),
        Layer::JointAxes => below(paths::JOINTS, &|b| scene.joints.iter().any(|j| j.body == b)),
        Layer::Tangents => one(CONTACT_TANGENTS),
        Layer::Cones => one(CONTACT_CONES),
        Layer::Balance => one(BALANCE),
        Layer::Wrenches => one(WRENCHES),
    }
}

/// Folder below `plots`, title, and the corner where the legend hides least.
pub(crate) fn view(group: CurveGroup) -> (&'static str, &'static str, Corner2D) {
    use Corner2D::{RightBottom, RightTop};
    match group {
        CurveGroup::Gap => ("gap", "Gap [mm]", RightBottom),
        CurveGroup::Slip => ("slip", "Slip [log10 m/s]", RightTop),
        CurveGroup::Force => ("force", "Normal force [N]", RightBottom),
        CurveGroup::Utilisation => ("utilisation", "Friction / its bound", RightTop),
        CurveGroup::Residual => ("residual", "Residual [log10]", RightTop),
        CurveGroup::Solver => ("solver", "Solver: pivots, ..", RightTop),
        CurveGroup::Time => ("time", "Time per step [us]", RightTop),
        CurveGroup::Energy => ("energy", "Energy [J]", RightTop),
        CurveGroup::Momentum => ("momentum", "Momentum error [log10 N s]", RightTop),
        CurveGroup::JointPosition => ("joint_position", "Joint positions [rad, m]", RightTop),
        CurveGroup::JointEffort => ("joint_effort", "Joint efforts [N m, N]", RightTop),
        CurveGroup::Wrench => ("wrench", "Feet and fingers [N, N m]", RightTop),
    }
}
