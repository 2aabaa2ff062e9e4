//! Settings of the models over exact cones.

use serde::{Deserialize, Serialize};

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
    /// De Saxce's fixed point is run to its end: the answer is that of `cone`, and judged as such.
    Remove,
}

/// Settings of `ccp` and `cone`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConeSettings {
    /// The order in which `psor` visits the contacts.
    pub sweep: Sweep,
    /// What `ccp` does about hovering.
    pub hover: Hover,
}
