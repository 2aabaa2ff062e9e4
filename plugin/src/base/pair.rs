//! Names of pairs of colliders, whichever of the two comes first.

use rapier::prelude::ColliderHandle;

/// Index and generation of the two colliders of a pair, the lower first.
pub(crate) type Ends = [(u32, u32); 2];

/// The name of a pair.
#[inline]
pub(crate) fn ends(first: ColliderHandle, second: ColliderHandle) -> Ends {
    let (a, b) = (first.into_raw_parts(), second.into_raw_parts());
    if a <= b { [a, b] } else { [b, a] }
}
