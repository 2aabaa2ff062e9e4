//! Every threshold of the core: its unit, what it is relative to, and what it is for. Residuals and velocities are relative to
//! `1 + max |v_free|` where nothing else is said; counts and shares have no unit. What fails with a tenth and with ten times of each
//! stands in docs/thresholds.md, which `benches/thresholds/run.py` makes.

// Islands: how large, how fast, how far.

/// Residual of what goes on in the next step: that of the last impulses below which a large island comes to rest, and above which it
/// moves; of a correction of positions by sweeps, by the largest error or the largest velocity asked for.
pub(crate) const NEAR: f64 = 1e-3;
/// Impulses from which on a heap is large: what are fewer are solved to round-off, at the cost of a small dense matrix.
pub(crate) const LARGE_HEAP: usize = 200;
/// Free bodies from which on an island counts as a heap.
pub(crate) const HEAP: usize = 5;
/// Contacts and rows from which on an island with as many coordinates goes to the engine: the work of pivoting grows with the cube
/// of the active rows, of which there are no more than coordinates.
pub(crate) const PIVOTING: usize = 100;

// Stages.

/// Pairs of sweeps of a start, and of a correction of positions, which goes on in the next step.
pub(crate) const FEW_PAIRS: usize = 30;
/// Steps of a run of Newton's method. Visits of a row by one run of pivoting before it counts as cycling by round-off: in exact
/// arithmetic a row that is met stays met until it blocks another one, which happens a few times at most.
pub(crate) const STEPS: usize = 20;
/// Factors of a descent, and Newton steps of one of its proximal steps. Runs of one factor in whose place an island of bilateral rows at
/// rest without impulses takes one.
pub(crate) const FACTORS: usize = 60;
/// Operations of a factor of a moving heap for each visit of a contact or row by sweeps: a run of Newton's method then takes
/// about as long as the sweeps before it.
pub(crate) const FACTOR_PER_VISIT: usize = 17;
/// Two digits: a ratio below this one is small \[-\].
/// - A heap that stands or creeps is solved to this share of the tolerance of motion; a larger residual sets it in motion.
/// - Newton's method aims at this share of the tolerance of rest, on small islands at its square: an error of an impulse that is
///   kept from step to step is a speed that grows.
/// - A body stands if it is slower than this share of the velocity that forces add in a step.
/// - Rows contradict each other if this share of the work of impulses exceeds the energies of the answer.
/// - What rows ask for is missed, not left unfinished, where the square of the residual of a moving heap exceeds this share.
/// - Refinement after pivoting ends at the square of this share of `ACCEPTED`.
/// - A step of the interior point stops short of the boundary by this share of the way.
/// - Sweeps under a law of the caller's end when no row changes by more than this share of the tolerance.
/// - A joint opens if its error grows by more than this share in a step; a corner is this reciprocal times as large as what is the
///   same place.
pub const FINE: f64 = 0.01;
/// Operations of a factor for each entry of a row and pair of sweeps that may be made in its place, of a solve or of a heap's
/// correction of positions. At 4 `heaps large-pyramid:40` is left to sweeps.
pub(crate) const FACTOR_PER_ENTRY: usize = 5;
/// How many times the tolerance of motion is enough for a large heap of loose bodies that moves under the exact cone: what is left is spread over many
/// contacts, and the next step goes on from it. At 1 `heaps pile-box` takes a third more time for the same depth.
pub(crate) const LOOSE: f64 = 10.0;

// Newton's method and the proximal descent.

/// Weight of a row that holds in a proximal step, relative to a contact's.
pub(crate) const FIRM: f64 = 1e-3;
/// Gradient at which a minimum counts as reached: of a proximal step, relative to the gradient it starts from; of the least-squares
/// error of bilateral rows, relative to that error.
pub(crate) const MINIMUM: f64 = 1e-8;
/// Steps, proximal steps and tests without progress after which a method gives up: runs of Newton's method; descents at the last
/// weight, and from the first one on under the exact law, which is the convex one without slip, where something slides;
/// steps after round-off hides the descent; steps of the interior point; tests of sweeps in a row, each worse than the best one, after which momentum is held
/// back. Sweeps are looked at after each of the first so many pairs.
pub const PATIENCE: usize = 4;
/// Share that is clearly less: what a residual falls to by progress, and what of a goal single precision goes to, so that the
/// residual in double precision is within it.
pub(crate) const PROGRESS: f64 = 0.9;
/// Lengths of a falling step, tried in order.
pub(crate) const LENGTHS: [f64; 5] = [1.0, 0.4, 0.16, 0.064, 0.0256];
/// Weights of proximal points, relative to the diagonal of W, the last one again and again, and in every whole Newton step: the
/// first ones shape the answer where a small weight would make long, stiff descents; below the last one round-off of the velocity
/// (over the weight) would be impulse. The last is also the compliance that unilateral rows get where pivoting finds that rows contradict
/// each other: the compromise is that of least squares to this accuracy.
pub(crate) const PROXIMAL_WEIGHTS: [f64; 5] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
/// Newton steps towards each proximal point.
pub(crate) const CENTRE_STEPS: usize = 5;

// Sweeps.

/// Residual that single precision reaches, relative to the velocities that an island has and asks for. Extrapolation multiplies
/// round-off by a hundred for what all units have in common.
pub(crate) const SINGLE: f64 = 1e-5;
/// The same, relative to the largest velocity that an impulse makes by itself: less for what single units do. At ten times the value
/// `heaps bridge` takes a fifth more time.
pub(crate) const SINGLE_MADE: f64 = 1e-6;
/// Groups of a four in the mean from which on fours pay.
pub(crate) const WORTH: usize = 2;
/// Pairs of sweeps between two tests, and of an island whose turn comes after the time is over: what rests stays at rest.
pub const BETWEEN_TESTS: usize = 10;
/// How much worse than the best residual a test is that counts against momentum.
pub(crate) const WORSE: f64 = 1.5;
/// Share of the last step that is held back first.
pub(crate) const MOMENTUM_HELD: f64 = 0.2;
/// Groups from which on an island counts as large and is parted into shares of half as many, and from half as many rows on outside
/// the largest island, or contacts, pairs and rows of other work for each part of it, a second thread is asked: so many visits take
/// many times what waking a thread does, and the lanes of a share, which is coloured by itself, are nearly as full as those of the whole.
pub(crate) const LARGE_SYSTEM: usize = 1000;

// Corrections of positions.

/// Compliance of what corrects positions, relative to that of each row alone, where rows may contradict each other: the share of an
/// overlap's push, or of a joint's error, that is left, but for what rests on it. With a smaller one contacts against joints turn
/// links by any angle for a little less overlap, and joints that nearly depend on each other ask for any correction.
pub const PENALTY: f64 = 3e-2;
/// The same of joints, which are closed whatever overlaps, where they are independent of each other. Where they nearly depend
/// (a bridge stretched flat) it is [`PENALTY`], and ten times as much after each solve that did not gain (the damping of Levenberg and
/// Marquardt).
pub const JOINT_PENALTY: f64 = 1e-8;
/// How many contacts a push or a motion is passed on by in a step, as far as that decides which contacts are left out. At 0
/// `heaps pile-ball bullets` has overlaps ten times as deep.
pub const HOPS: usize = 2;

// Rows that contradict each other, energies.

/// Share of the kinetic energy of a motion that another energy must exceed to matter beside it: the work of impulses along what
/// is missed, by the energies at both ends of the step, beyond which rows contradict each other; the energy of a correction of
/// positions, beyond which its joints nearly depend on each other.
pub const ENERGY_SHARE: f64 = 0.1;
/// Angle that an explicit step may turn something by \[rad\]. What turns velocities by an angle a, `v+ = v + h a`, makes them
/// longer, `|v+|^2 = (1 + a^2) |v|^2`: an energy may grow by its square.
pub const TURN: f64 = 0.5;
/// How much faster than what drives it a body may become, and how much farther than it is pushed it may go: as much as a lever of
/// four to one makes it. A smaller factor cuts answers of heaps that are pushed without a contradiction (`what_is_pushed_may_go_along`).
pub(crate) const LEVERAGE: f64 = 4.0;

// Models and pivoting.

/// Residual of an answer that counts as solved, for methods that end with a basis. They hold themselves to half of it; in an energy
/// twice as much of it is round-off. A row whose limit would make a speed by which the island's is no more than this is bilateral:
/// drives without limit are.
pub(crate) const ACCEPTED: f64 = 1e-9;
/// Largest `h mu_v D` (D the mobility of a contact along its tangents, about) that joins a mass. A factor of `M^` knows M
/// only to round-off of the friction's share, 1e-16 times this; with more, the momentum of the answer would be off by more
/// than what counts as solved.
pub(crate) const STIFF: f64 = 1e3;
/// A pivot (a squared length) up to this share of what it was before the elimination is zero: round-off (1e-16) times the condition
/// of what was eliminated. Such a row depends on the active ones; such a coordinate has no inertia once the rest may move. The interior
/// point adds it to every row, so that dependent ones are regular.
pub const DEPENDENT: f64 = 1e-10;
