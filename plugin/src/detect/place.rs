//! Where things lie in memory, as a name: rapier tells a query dispatcher no handles.

use rapier::geometry::ContactManifold;
use rapier::parry::shape::Shape;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Something known by place. Places are looked up for every pair, and they are nobody's input: what mixes them need not
/// withstand an attack.
pub(crate) type ByPlace<T> = HashMap<usize, T, BuildHasherDefault<Mix>>;

/// Mixes a place.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_usize(usize::from(byte));
        }
    }

    fn write_usize(&mut self, place: usize) {
        let x = (self.0 ^ place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = x ^ (x >> 29);
    }
}

/// Where a shape lies.
pub(crate) fn of_shape(shape: &dyn Shape) -> usize {
    std::ptr::from_ref(shape).addr()
}

/// Where manifolds lie.
pub(crate) fn of_manifolds(manifolds: &[ContactManifold]) -> usize {
    manifolds.as_ptr().addr()
}
