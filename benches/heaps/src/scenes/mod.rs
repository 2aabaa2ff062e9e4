//! Every scene, over one precision of the engine.

mod anchors;
mod bins;
mod box3d;
mod bullets;
mod coulomb;
mod drives;
mod entry;
mod extremes;
mod heaps;
mod impacts;
mod jaws;
mod joints;
pub(super) mod kit;
mod meddled;
mod medley;
mod movers;
mod parts;
mod robots;
mod ropes;
mod simbench;
mod squeezed;
mod structures;
mod tiles;
mod units;

pub use entry::{Entry, Scene};
pub use parts::{Check, Drive, Energy, Figure, Measure};

/// Every scene, in the order of the battery.
pub fn all() -> Vec<Entry> {
    [
        heaps::ENTRIES,
        movers::ENTRIES,
        joints::ENTRIES,
        structures::ENTRIES,
        bins::ENTRIES,
        robots::ENTRIES,
        extremes::ENTRIES,
        medley::ENTRIES,
        meddled::ENTRIES,
        units::ENTRIES,
    ]
    .concat()
}

/// Families with a right value each, of what failed in other people's hands: every scene has a [`Figure`]. Seeds vary
/// speeds, shapes and places.
pub fn families() -> Vec<Entry> {
    [
        ropes::ENTRIES,
        impacts::ENTRIES,
        tiles::ENTRIES,
        squeezed::ENTRIES,
        bullets::ENTRIES,
        drives::ENTRIES,
        jaws::ENTRIES,
        anchors::ENTRIES,
    ]
    .concat()
}

/// Scenes whose parameters others published with their figures: docs/benchmarks.md.
pub fn published() -> Vec<Entry> {
    [coulomb::ENTRIES, simbench::ENTRIES, box3d::ENTRIES].concat()
}

/// The scene of that name, of the battery, of the families or of those published.
pub fn find(name: &str) -> Option<Entry> {
    let mut every = all().into_iter().chain(families()).chain(published());
    every.find(|entry| entry.name == name)
}
