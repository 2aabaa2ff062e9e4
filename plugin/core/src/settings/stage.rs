//! Names of the engine's stages.

use crate::named::named;
use serde::{Deserialize, Serialize};

named! {
    /// A stage of the engine, in the order in which they are tried. A heap is an island of many loose bodies; a moving one is
    /// one whose last impulses are far from an answer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Stage {
        /// Newton's steps whose first holds all closed contacts: heaps at rest without impulses, which do not tell yet what
        /// sticks.
        Held = "held",
        /// The proximal descent of the convex law, which always converges: the same heaps, since the exact law without slip is the
        /// convex one, and moving heaps without cones.
        Descent = "descent",
        /// Newton's method from the last impulses: all that is no moving heap. Most islands need one or two factors.
        Newton = "newton",
        /// Bilateral rows that contradict each other are compliant from here on, since no impulse meets them.
        Compliant = "compliant",
        /// Few sweeps, which find what sticks and what slides: small islands.
        SmallSweeps = "small-sweeps",
        /// The descent: small islands under convex laws, heaps under them that come to rest.
        ConvexDescent = "convex-descent",
        /// Shortened steps towards proximal points, where whole ones cycle: small islands.
        Proximal = "proximal",
        /// Many sweeps, which converge where Newton's method does not: the first stage of moving heaps with cones.
        LongSweeps = "long-sweeps",
        /// As many again, where the island is small enough.
        MoreSweeps = "more-sweeps",
        /// The descent: moving heaps of the convex cone, and cones that hardly move or belong to a problem by itself.
        LateDescent = "late-descent",
        /// Proximal points: moving heaps above the tolerance of motion.
        LateProximal = "late-proximal",
    }
}
