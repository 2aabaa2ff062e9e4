//! What is read from a file, and how much at most.

use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ContactProblem;

/// The version of the format that is written; files without a version are read as this one.
pub const FORMAT: u64 = 1;
/// Largest file that is read \[bytes\]. Its text takes up to eight times as much in memory, as empty lists.
pub const MAX_BYTES: u64 = 1 << 28;
/// Most coordinates of one dense block of the mass matrix: its factorization costs the cube.
pub const MAX_DENSE: usize = 4096;

/// What a file says beside the problem: who solved it, with which settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// The model of the step that wrote the file.
    pub model: Option<ModelName>,
    /// Its settings, the solver among them.
    pub settings: Option<ModelSettings>,
    /// Free text: where the problem comes from.
    pub note: Option<String>,
}

/// A problem read from a file.
#[derive(Clone, Debug)]
pub struct ProblemFile {
    /// The problem.
    pub problem: ContactProblem,
    /// What the file says beside it.
    pub context: Context,
}
