//! What a solve may cost.

use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

/// What a model may take for one island. All but the milliseconds is counted, not measured: the same problem gives
/// the same bits on any machine and any number of threads.
///
/// What would not fit is not begun (status [`TooLarge`](crate::report::SolveStatus::TooLarge)); what runs out of work
/// ends with the best answer found. The engine then answers for the island.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, SmartDefault)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetSettings {
    /// Operations of the pivoting and interior-point methods, all their runs together.
    #[default = 1e10]
    pub work: f64,
    /// Bytes of the dense matrices of an island.
    #[default(256 << 20)]
    pub memory: usize,
    /// Pairs of sweeps of the engine.
    #[default = 300]
    pub pairs: usize,
    /// Operations that one sparse factor of the engine may take.
    #[default = 20_000_000]
    pub factor: usize,
    /// Time of a whole solve \[ms\]: islands whose turn comes later get few sweeps. The answer then depends on the
    /// machine.
    pub milliseconds: Option<f64>,
}

/// What the methods of the engine may do on one island.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Pairs of sweeps.
    pub(crate) pairs: usize,
    /// Operations that a sparse factor may take.
    pub(crate) flops: usize,
}

/// Pairs of sweeps of an island whose turn comes after the time is over: what rests stays at rest.
const HURRIED: usize = 10;

impl BudgetSettings {
    /// What the engine may do on one island; `is_late` where the time is over.
    pub(crate) fn engine(&self, is_late: bool) -> Budget {
        if is_late {
            return Budget {
                pairs: self.pairs.min(HURRIED),
                flops: 0,
            };
        }
        Budget {
            pairs: self.pairs,
            flops: self.factor,
        }
    }
}
