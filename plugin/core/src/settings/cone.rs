//! Settings of the models over exact cones.

use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

/// The order in which the contacts are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sweep {
    /// First to last, every time.
    Forward,
    /// First to last and last to first in turn.
    #[default]
    Symmetric,
}

/// What `ccp` does about its known artefact: while sliding, a body hovers at
/// `phi = h mu |v_tan| / K`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hover {
    /// The convex model as it is \[TA\].
    #[default]
    Keep,
    /// De Saxce's fixed point is run to its end: the answer is that of `cone`, and checked as such.
    Remove,
}

/// Settings of `ccp` and `cone`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, SmartDefault)]
#[serde(default, deny_unknown_fields)]
pub struct ConeSettings {
    /// The order in which `psor` visits the contacts.
    pub sweep: Sweep,
    /// What `ccp` does about hovering.
    pub hover: Hover,
    /// Residual at which an answer of the engine counts as solved, relative to `1 + max |v_free|`.
    #[default = 1e-8]
    pub tolerance_at_rest: f64,
    /// Residual at which large islands in motion count as solved, relative to `1 + max |v_free|`; under `cone` ten times as much
    /// is enough for heaps of more than 200 impulses without joints. Below it a smaller one only selects another of many answers; that at rest,
    /// for both, asks for all there is. Positions are corrected by steps that are good to this share of the fastest velocity.
    #[default = 1e-4]
    pub tolerance_in_motion: f64,
}

/// What counts as solved, relative to `1 + max |v_free|`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerances {
    /// Of what rests: a smaller error moves nothing that can be seen.
    pub(crate) rest: f64,
    /// Of what moves: below it a smaller residual only selects another of many answers.
    pub(crate) motion: f64,
    /// Of large heaps without joints that move.
    pub(crate) loose: f64,
}
