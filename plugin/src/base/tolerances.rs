//! Every threshold of this crate, with its unit, what it is relative to, and its reason.
//!
//! Rapier's and parry's own numbers (flags, the period of the broad phase, the end of a search) stay where they are used: they are not ours to choose.
//! Lengths are by the metre of the world (`length_unit`) where a step knows it; detection does not, its lengths are in
//! units of the world. What fails without a threshold is named where it was tried: a test, or a run of the scenes (`heaps`);
//! what fails with a tenth and with ten times of each stands in docs/thresholds.md, which `benches/thresholds/run.py` makes.

use rapier::prelude::Real;

const SINGLE: bool = size_of::<Real>() == 4;

// ---- Round-off ----

/// Round-off of a place \[-\], relative to the distance from the origin and the size of what it is computed from: 16
/// times the epsilon of rapier's precision. A row of a joint with less of the motion that it takes its part of has no
/// direction, nor has a distance [unit] or a sine below it.
pub(crate) const ROUND_OFF: f64 = 16.0
    * if SINGLE {
        f32::EPSILON as f64
    } else {
        f64::EPSILON
    };

/// A share that is as good as nothing \[-\]: the mass of a link without any by its tree's and its rotational inertia by
/// the largest; the ends of a capsule by its length; a difference of impulses by the pair's largest; the error of
/// contact points and normals by lengths (in f32 round-off, eight times epsilon; in f64 the normals of round shapes are
/// found by iteration, good to the root of round-off). At twice the value `a_massless_root_gets_a_mass` fails.
pub(crate) const NEGLIGIBLE: f64 = 1e-6;

/// Error of a joint that is not worth a solve [unit or rad]: in f32 the state itself is rounded to 1e-7.
pub(crate) const NO_ERROR: f64 = if SINGLE { 1e-8 } else { 1e-10 };

/// As good as no limit [N, N s, N m s, or a coordinate]; products with it stay finite. Rapier's "no limit" is the
/// largest number of its precision.
pub(crate) const UNBOUNDED: f64 = 1e30;

// ---- Lengths ----

/// What counts as touching [m; in detection units of the world], far above round-off and what counts as closed, far
/// below what a passing body misses by. A contact nearer than this is in the problem however slow its bodies, and a
/// sleeper's ground; a joint wider open is told as open, and its step divided; round shapes that overlap polyhedra by
/// more have their axis from another method of parry's, whose points a face's plane does not hold (scene `junkyard`);
/// parry's closest points, found by iteration, may miss so much.
pub(crate) const TOUCHING: f64 = 1e-3;

/// What is the same place [unit; m for overlaps, of which less is left as it is], or the same normal of a contact on its way
/// \[rad\]: some ten times the round-off of an f32 pose ten metres from the origin. By the metre, how far before the impact
/// a fast body stops: beyond the surface it would be pushed out, and keep that velocity.
pub(crate) const SAME_PLACE: f64 = 1e-5;

/// By how much any point of a pair may have moved on the other body since the pair was updated, by the metre \[m\]:
/// well below what a gap has to be to count, and above the noise of relative poses. At 0
/// `a_start_from_rest_is_looked_at_from_farther` fails.
pub(crate) const DRIFT: f64 = if SINGLE { 1e-6 } else { 1e-9 };

/// Overlaps by which others count as deeper \[-\]: than those that are left, for planes of contacts (at 1
/// `cylinders_slide_over_flush_tiles` fails); where a mesh bends the normal of a contact, than that along the true normal, for
/// points that belong to another contact.
pub(crate) const DEEPER: f64 = 2.0;

/// Given error from which on a joint closes faster than at the push speed, in proportion [m or rad]: what is tied to
/// a place 5 m off is there within a second. Without it `a_joint_far_open_closes_in_a_second` fails.
pub(crate) const FAR: f64 = 0.2;

// ---- Angles ----

/// Directions that differ by less are one \[rad\]: normals of one surface; edges that are
/// parallel, and edges between faces that lie in one plane (parry's hulls are flat there but for round-off). Times the
/// size of a small shape, what is the same place on it.
pub(crate) const SAME_DIRECTION: f64 = 1e-3;

/// A turn that is small in a step \[rad\]: half the angle that one sweep of a fast body
/// covers: conservative advancement along the closest direction misses what a wider turn passes in between. From this
/// on, as an angle or a way, the energy of a tree is looked at. A correction of positions turns no joint of a tree by more, whose rows hold to
/// first order (`limbs_are_not_thrown_into_the_ground`). Squared, the share of energy that the turning of joints
/// may add to an island's until the next step takes it. Faces whose normals lie within it of the contact's take part beside the
/// nearest one. A face that contains the contact's normal to within it has no heights of its own (at 0 `heaps rain` has overlaps of metres).
pub(crate) const SMALL_TURN: f64 = 0.1;

/// Two faces with normals so near to the contact's (cosine) touch flat. Without it `flush_faces_let_each_other_pass`
/// fails.
pub(crate) const FLAT: f64 = 0.999;

/// The normals up to here (cosine) are served by the first of two bases, the others by the second:
/// [`tangents`](crate::base::contact::tangents) jumps between them. Impulses are remembered along tangents, so none of
/// the normals of ground, walls and boxes may lie there.
pub(crate) const SEAM: f64 = -0.85;

// ---- Shares of shapes and overlaps ----

/// Depths that differ by less than this share are one \[-\]. An overlap along an axis of edges must be smaller than
/// that along the best face by more: faces stay the same from step to step, edges come and go. Parry's closest points,
/// found by iteration, miss no more of a distance, besides [`TOUCHING`]. Of the size of a hull, a corner may be off the
/// plane of its face: parry merges faces that differ by 1.5 degrees in f32. At 0
/// `corners_deeper_than_the_closest_points_are_none` fails.
pub(crate) const SAME_DEPTH: f64 = 0.05;

/// Overlaps that a corner must lie within the sides of a face for it to be the axis beyond doubt \[-\]: the plane of
/// another axis would be turned by 169 degrees or more. Without it `corners_over_a_face_leave_no_doubt` fails.
pub(crate) const WITHIN: f64 = 10.0;

// ---- Speeds and ways ----

/// Tangential speed up to which a pressed contact is recorded as sticking [m/s]: far above round-off, far below
/// anything the eye could see. Driven coordinates that are as slow stand still [m/s by the metre, or rad/s].
pub const STICKING_SPEED: f64 = 1e-6;

/// The farthest that contacts are looked for, as a multiple of the user's prediction distance \[-\]: beyond it the
/// closest features say too little about where bodies meet, and continuous detection is the right tool. Without it
/// `only_bullets_stop_at_dynamic_walls` fails. As small a share of it is enough while nearly everything is slow: fewer pairs
/// to look at. Two levels only, since every change of the distance touches the broad phase.
pub(crate) const MAX_GROWTH: f64 = 10.0;

// ---- Correction of positions ----

/// Share of the error that a solve leaves where it converges \[-\]: a tenth of the damping follows. In a step in which
/// one failed it stays otherwise, or the next fails again. At 1 `heaps bridge:12 --dt 0.0333` gains five times the
/// energy in a step.
pub(crate) const QUICK: f64 = 0.1;

/// Share of the errors of joints \[-\] that the first solve of the correction may leave to the next step: in f32 links
/// that turn by less than 0.03 rad a step need no second one. Who takes f64 wants joints as exact as it can tell.
pub(crate) const LEFT_ERROR: f64 = if SINGLE { 1e-3 } else { 0.0 };

// ---- Numbers of rounds and parts ----

/// Passes over what depends on each other: sweeps of fast bodies, again where one stopped that another was to meet;
/// sweeps over the contacts that hold a body back; solves in which the correction makes up for what turning bodies does
/// to their joints (Newton's steps, the first gains a factor of the angle turned, squared).
pub(crate) const PASSES: usize = 5;

/// Into how many parts a step is divided at most, a power of two; the most poses at which a motion is looked at, of two shapes on
/// their way and of a flight.
pub(crate) const MOST_PARTS: f64 = 16.0;

/// Equal steps in a row before the next one is not made, and steps without anyone falling asleep or waking before the
/// sleepers are taken out of detection. More than rapier's period of tidying its broad phase.
pub(crate) const CALM: u8 = 10;

/// Steps after which the journal of lost contacts is emptied in any case.
pub(crate) const LONG: u32 = 10_000;

// ---- Costs and crowds ----

/// One in so many is few: fast bodies among slow ones; awake ones among sleepers, whose pairs are then looked at one by
/// one; bodies and colliders looked at for each awake body (a look costs a fiftieth of the step of a body in a heap).
/// Overlapping pairs of which one body does not move count one in so many: the boxes of a large building make many, and
/// they grow with the bodies only.
pub(crate) const FEW: usize = 16;

/// Overlapping pairs of moving bodies that a scene may have for each collider; 13 is what touching balls of a dense
/// heap have. With [`CROWD_BESIDES`] a crowd in one place that is too large is at least 8 / sqrt(n) of n bodies.
pub(crate) const CROWD_EACH: usize = 32;

/// Overlapping pairs that a scene may have besides.
pub(crate) const CROWD_BESIDES: usize = 20_000;
