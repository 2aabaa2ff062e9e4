//! What a scenario is to the command.

use crate::figures::Figure;
use crate::keys::Key;
use stickslip_core::models::ModelName;

/// A scenario as the command lists it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scenario {
    /// Which one.
    pub id: ScenarioId,
    /// Name on the command line.
    pub name: &'static str,
    /// One line: what happens and what is measured.
    pub doc: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
    /// Default time step \[s\].
    pub dt: f64,
    /// Default duration \[s\].
    pub duration: f64,
    /// Default model: the exact friction cone, unless the scenario is about another law.
    pub model: ModelName,
    /// Whether `--robot` means anything to it.
    pub takes_robot: bool,
    /// What of it is random, so that the seed changes it.
    pub random: Option<&'static str>,
    /// Settings from the keys of every scenario that differ here, unless the user says otherwise.
    pub presets: &'static [&'static str],
    /// What its figures mean, beside those that several scenarios have ([`FIGURES`](crate::figures::FIGURES)).
    pub figures: &'static [Figure],
    /// Its figures in the table of many models, a row each.
    pub summary: &'static [&'static str],
}

/// What most scenarios are: under the exact friction cone, without a robot file, with nothing random and no
/// settings of their own. Each says the rest itself.
pub(super) const PLAIN: Scenario = Scenario {
    id: ScenarioId::Box,
    name: "",
    doc: "",
    keys: &[],
    dt: f64::NAN,
    duration: f64::NAN,
    model: ModelName::Cone,
    takes_robot: false,
    random: None,
    presets: &[],
    figures: &[],
    summary: &[],
};

/// The scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScenarioId {
    /// Two cubes held by a gripper.
    Grasp,
    /// A capsule pinched by two pads.
    Pinch,
    /// A box at rest.
    Box,
    /// A stack of boxes.
    Stack,
    /// A legged robot standing.
    Stand,
    /// Any robot falling onto the ground.
    Drop,
    /// A floating robot without contact.
    FreeFlight,
    /// A box on a slope.
    Slope,
    /// A box or a sphere set sliding.
    Slide,
    /// A box set on a moving belt.
    Conveyor,
    /// A fast cube: does friction lift it?
    Hover,
    /// A ball spinning about its contact normal.
    Spin,
    /// A ball rolling to rest.
    Roll,
    /// A block sliding in every direction.
    Polygon,
    /// Random contact problems of growing size.
    ContactTable,
    /// A rod sliding on its end.
    Painleve,
    /// A gripper that carries a cube.
    Carry,
    /// An arm that picks an object up and is shaken.
    Shake,
    /// A quadruped walking.
    Trot,
    /// A peg pushed into a hole.
    Peg,
    /// A rod on a hinge.
    Pendulum,
    /// A parallelogram of rods.
    FourBar,
    /// A six-legged walker with loops.
    Hexapod,
    /// Spheres in a box with a slot.
    Granular,
    /// A heavy box on a light one.
    MassRatio,
    /// A bouncing ball.
    Bounce,
    /// A scene from a file.
    Scene,
    /// The shortest scenario, to start from.
    #[cfg(test)]
    Example,
}
