//! Every threshold of this crate, with its unit, what it is relative to, and its reason.
//!
//! Rapier's own numbers (its flags, the period of its broad phase) stay where they are used: they are not ours to choose.
//! Lengths are by the metre of the world (`length_unit`) where a step knows it; detection does not, its lengths are in
//! units of the world.

use rapier::prelude::Real;

const SINGLE: bool = size_of::<Real>() == 4;

// ---- Round-off ----

/// Round-off of a place \[-\], relative to the distance from the origin and the size of what it is computed from: 16 times
/// the epsilon of rapier's precision.
pub(crate) const ROUND_OFF: f64 = 16.0
    * if SINGLE {
        f32::EPSILON as f64
    } else {
        f64::EPSILON
    };

/// What round-off of the state leaves of a joint's row \[-\], relative to the motion it takes its part of.
pub(crate) const CANCELLED: f64 = if SINGLE { 1e-6 } else { 1e-13 };

/// How much earlier than the impact a body stops \[s\], besides [`SLOP`]: parry ends its search for the time once it gains
/// less than ten times the machine epsilon, in seconds.
pub(crate) const EARLY: f64 = if SINGLE { 2.4e-6 } else { 4.5e-15 };

/// Error of contact points and normals \[-\], relative to lengths: in f32 round-off, 16 times epsilon; in f64 normals by
/// iteration (round shapes) are good to the root of round-off, 1e-8 to 1e-7.
pub(crate) const UNCERTAIN: f64 = 2e-6;

/// A share that is as good as nothing \[-\]: the mass of a link without any by its tree's and its rotational inertia by the
/// largest; the ends of a capsule by its length; a difference of impulses by the pair's largest.
pub(crate) const NEGLIGIBLE: f64 = 1e-6;

/// A pivot of the mass matrix up to this share of what it was before the elimination \[-\] is zero but for round-off.
pub(crate) const NO_INERTIA: f64 = 1e-10;

/// Below this a direction can't be told from round-off [unit or -].
pub(crate) const NO_DIRECTION: f64 = 1e-12;

/// Error of a joint that is not worth a solve [unit or rad]: in f32 the state itself is rounded to 1e-7.
pub(crate) const NO_ERROR: f64 = if SINGLE { 1e-8 } else { 1e-10 };

/// Share of the errors of joints \[-\] that the first solve of the correction may leave to the next step: in f32 links that
/// turn by less than 0.03 rad a step need no second one. Who takes f64 wants joints as exact as it can tell.
pub(crate) const LEFT_ERROR: f64 = if SINGLE { 1e-3 } else { 0.0 };

/// Error of a joint by that before the step \[-\] from which on it grows: less is round-off
/// (`contradictory_joints_do_not_divide_steps_for_ever`).
pub(crate) const GROWS: f64 = 1.01;

/// As good as no limit [N, N s, N m s, or a coordinate]; products with it stay finite. Rapier's "no limit" is the largest
/// number of its precision.
pub(crate) const UNBOUNDED: f64 = 1e30;

// ---- Lengths ----

/// What counts as touching [m; in detection units of the world], far above round-off and what counts as closed, far below
/// what a passing body misses by. A contact nearer than this is in the problem however slow its bodies, and a sleeper's ground; a joint
/// wider open is told as open, and its step divided; round shapes that overlap polyhedra by more have their axis from another
/// method of parry's, whose points a face's plane does not hold (scene `junkyard`); parry's closest points, found by
/// iteration, may miss so much.
pub(crate) const TOUCHING: f64 = 1e-3;

/// What parry's closest points may miss besides [`TOUCHING`], as a share of their distance \[-\].
pub(crate) const STRAY: f64 = 0.1;

/// What is the same place [unit]: some ten times the round-off of an f32 pose ten metres from the origin.
pub(crate) const SAME_PLACE: f64 = 1e-5;

/// The same for small shapes, as a share of their size \[-\].
pub(crate) const SAME_SHARE: f64 = 1e-3;

/// By how much any point of a pair may have moved on the other body since the pair was updated, by the metre \[m\]: well below
/// what a gap has to be to count, and above the noise of relative poses.
pub(crate) const DRIFT: f64 = if SINGLE { 1e-6 } else { 1e-9 };

/// Overlap that is left as it is, by what counts as closed \[-\].
pub(crate) const LEFT_OVERLAP: f64 = if SINGLE { 1.0 } else { 10.0 };

/// Overlaps that matter for planes of contacts, by those that are left \[-\].
pub(crate) const DEEPER: f64 = 2.0;

/// How far before the impact a body stops, by the metre \[m\]: what a time of impact misses by round-off. Beyond the surface it
/// would be pushed out, and keep that velocity; before it, the gap is closed and no more.
pub(crate) const SLOP: f64 = if SINGLE { 1e-4 } else { 1e-8 };

/// Given error from which on a joint closes faster than at the push speed, in proportion [unit or rad]: what is tied to a
/// place 5 m off is there within a second.
pub(crate) const FAR: f64 = 0.2;

// ---- Angles ----

/// Directions that differ by less are one \[rad\]: normals of one surface, edges that are parallel, and edges between faces
/// that lie in one plane (parry's hulls are flat there but for round-off).
pub(crate) const SAME_DIRECTION: f64 = 1e-3;

/// Normals that differ by less on a way are one \[rad\]: round-off of single precision.
pub(crate) const STRAIGHT: f64 = 1e-5;

/// A turn that is small in a step \[rad\]. Half the angle that one sweep of a fast body covers: conservative advancement
/// along the closest direction misses what a wider turn passes in between. From this on, as an angle or a way, the energy of a tree is looked
/// at. Squared, the share of energy that the turning of joints may add to an island's until the next step takes it.
pub(crate) const SMALL_TURN: f64 = 0.1;

/// Largest turn of one part of a flight \[rad\].
pub(crate) const FLIGHT_TURN: f64 = 0.5;

/// Faces whose normals are this near to the contact's (cosine, 6 degrees) take part beside the nearest one: a sole of two
/// faces rocks from one to the other.
pub(crate) const BESIDE: f64 = 0.995;

/// Two faces with normals so near to the contact's (cosine) touch flat.
pub(crate) const FLAT: f64 = 0.999;

/// A face that is seen from the side (cosine) has no heights of its own, its edges have.
pub(crate) const STEEP: f64 = 0.05;

/// The normals up to here (cosine) are served by the first of two bases, the others by the second:
/// [`tangents`](crate::base::contact::tangents) jumps between them. Impulses are remembered along tangents, so none of the normals of ground,
/// walls and boxes may lie there.
pub(crate) const SEAM: f64 = -0.85;

// ---- Shares of shapes and overlaps ----

/// Share of its size by which a corner of a hull may be off the plane of its face \[-\]: parry merges faces that differ by
/// 1.5 degrees in f32.
pub(crate) const BENT: f64 = 0.03;

/// An overlap along an axis of edges must be smaller than that along the best face by this share of it \[-\]: faces stay the
/// same from step to step, edges come and go.
pub(crate) const EDGE_SHARE: f64 = 0.05;

/// Overlaps that a corner must lie within the sides of a face for it to be the axis beyond doubt \[-\]: the plane of another
/// axis would be turned by 169 degrees or more.
pub(crate) const WITHIN: f64 = 10.0;

/// Where a mesh has the normal of a contact bent, points deeper than so many times the overlap along the true normal \[-\]
/// are none of this contact's (as in parry).
pub(crate) const TOO_DEEP: f64 = 5.0;

/// A point this near to a corner has its name, in [`SAME_PLACE`]s \[-\]: bodies lie corner on corner to within the tolerance,
/// and seldom just this far off.
pub(crate) const NEAR_CORNER: f64 = 100.0;

// ---- Speeds and ways ----

/// Tangential speed up to which a pressed contact is recorded as sticking [m/s]: far above round-off, far below anything the
/// eye could see.
pub const STICKING_SPEED: f64 = 1e-6;

/// Speed at which a driven coordinate counts as standing [m/s by the metre, or rad/s]: far above what a solve to its tolerance
/// leaves at rest, and a tenth of that of the hour hand of a clock.
pub(crate) const STANDS: f64 = 1e-5;

/// A body is fast when it moves by more than this share of its thinnest extent in a step \[-\]: rapier's.
pub(crate) const FAST_SHARE: f64 = 0.5;

/// Share of the user's prediction distance that is enough while nearly everything is slow \[-\]: fewer pairs to look at. Two
/// levels only, since every change of the distance touches the broad phase.
pub(crate) const SLOW_SHARE: f64 = 0.125;

/// The farthest that contacts are looked for, as a multiple of the user's prediction distance \[-\]: beyond it the closest
/// features say too little about where bodies meet, and continuous detection is the right tool.
pub(crate) const MAX_GROWTH: f64 = 10.0;

// ---- Correction of positions ----

/// Compliance of the correction \[-\], relative to that of each row alone, where its joints are independent.
pub(crate) const FIRM: f64 = 1e-8;

/// The same where they nearly depend on each other (a bridge stretched flat) and would ask for any correction: the damping
/// of Levenberg and Marquardt. A solve that did not gain has ten times as much follow.
pub(crate) const SOFT: f64 = 0.03;

/// Share of the error that a solve leaves where it converges \[-\]: a tenth of the damping follows. In a step in which one
/// failed it stays otherwise, or the next fails again.
pub(crate) const QUICK: f64 = 0.1;

/// Kinetic energy of a correction above which joints count as nearly dependent \[-\], relative to that of the motion: bodies
/// that turn by less than 0.6 rad a step are corrected with less. Where little moves it is that of all coordinates at the
/// speed of the error, the push speed at most.
pub(crate) const LARGE_ENERGY: f64 = 0.1;

// ---- Numbers of rounds and parts ----

/// Solves in which the correction makes up for what turning bodies does to their joints: Newton's steps, the first gains a
/// factor of the angle turned, squared.
pub(crate) const SOLVES: usize = 5;

/// Passes over bodies that hinder each other: sweeps of fast bodies, again where one stopped that another was to meet; and
/// sweeps over the contacts that hold a body back.
pub(crate) const PASSES: usize = 4;

/// How many contacts a motion is passed on by in a step, as far as that decides what is left out.
pub(crate) const HOPS: usize = 2;

/// The most poses at which a motion is looked at: two shapes on their way, and the parts of a flight, beyond which a body
/// is too fast for its step to be worth more.
pub(crate) const MOST_POSES: f64 = 64.0;

/// Halvings of the time between two poses.
pub(crate) const HALVINGS: usize = 24;

/// Newton steps for the mean momentum of a flight; three or four is what happens.
pub(crate) const ROUNDS: usize = 30;

/// Into how many parts a step is divided at most: a power of two.
pub(crate) const MOST_PARTS: f64 = 16.0;

/// Equal steps in a row before the next one is not made, and steps without anyone falling asleep or waking before the
/// sleepers are taken out of detection. More than rapier's period of tidying its broad phase.
pub(crate) const CALM: u8 = 10;

/// Steps after which the journal of lost contacts is emptied in any case.
pub(crate) const LONG: u32 = 10_000;

// ---- Costs: no answer depends on them ----

/// One in so many is few: fast bodies among slow ones, and bodies and colliders looked at for each awake body (a look costs
/// a fiftieth of the step of a body in a heap).
pub(crate) const FEW: usize = 16;

/// So many must be asleep for each that is awake, for the pairs of the awake ones to be looked at one by one.
pub(crate) const SPARSE: usize = 4;

/// Overlapping pairs of moving bodies that a scene may have for each collider; 13 is what touching balls of a dense heap
/// have. With [`CROWD_BESIDES`] a crowd in one place that is too large is at least 8 / sqrt(n) of n bodies.
pub(crate) const CROWD_EACH: usize = 32;

/// Overlapping pairs that a scene may have besides.
pub(crate) const CROWD_BESIDES: usize = 20_000;

/// What such a pair counts for, beside one with a body that does not move: many of those are what the boxes of a large
/// building make, and they grow with the bodies only.
pub(crate) const CROWD_MOVING: usize = 16;

/// So many bodies of a sample must have been moved: a few always may be.
pub(crate) const SEVERAL: usize = 2;
