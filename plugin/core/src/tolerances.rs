//! Every threshold of the core: its unit, what it is relative to, and what it is for. Residuals and velocities are relative to
//! `1 + max |v_free|` where nothing else is said; counts and shares have no unit. What fails with a tenth and with ten times of each
//! stands in docs/thresholds.md, which `benches/thresholds/run.py` makes.

// Islands: how large, how fast, how far.

/// Residual of the last impulses below which a large island comes to rest; above it moves.
pub(crate) const NEAR: f64 = 1e-3;
/// Residual a small island aims at: a few digits above round-off, so that what holds does not creep.
pub(crate) const EXACT: f64 = 1e-12;
/// Impulses from which on a heap is large: what are fewer are solved to round-off, at the cost of a small dense matrix.
pub(crate) const LARGE_HEAP: usize = 200;
/// Free bodies from which on an island counts as a heap.
pub(crate) const HEAP: usize = 5;
/// Share of the velocity that forces add in one step below which a body stands.
pub(crate) const STANDING: f64 = 0.01;
/// Contacts and rows from which on an island goes to the engine: the work of pivoting grows with the cube of the active rows.
pub(crate) const PIVOTING_GROUPS: usize = 80;
/// Coordinates up to which it does not, however many contacts there are: no more rows than coordinates are active.
pub(crate) const PIVOTING_ROWS: usize = 120;
/// Groups from which on an island counts as large.
pub(crate) const LARGE_SYSTEM: usize = 1000;
/// How many times its motion in a step a row must be open to be left out. A smaller factor leaves out more rows, but more
/// often one of them closes and the island is solved again.
pub(crate) const FAR_OPEN: f64 = 16.0;
/// Speed, relative to the island's, that the limit of a row would have to make to act: drives without limit are
/// bilateral rows.
pub(crate) const UNREACHED: f64 = 1e9;

// Stages.

/// Pairs of sweeps of a start, and of a correction of positions, which goes on in the next step.
pub(crate) const FEW_PAIRS: usize = 30;
/// Steps of a run of Newton's method.
pub(crate) const STEPS: usize = 20;
/// Factors of a descent, and Newton steps of one of its proximal steps.
pub(crate) const FACTORS: usize = 60;
/// Operations of a factor of a moving heap for each visit of a contact or row by sweeps: a run of Newton's method then takes
/// about as long as the sweeps before it.
pub(crate) const FACTOR_PER_VISIT: usize = 17;
/// Two digits: share of the tolerance of motion to which a heap is solved that stands or creeps, since what is left sets it in
/// motion; share of the tolerance of rest that a factor is aimed at, so that bodies at rest are not solved again in the next step,
/// since the error of an impulse that is kept from step to step is a speed that grows.
pub(crate) const FINE: f64 = 0.01;
/// Operations of a factor for each entry of a row and pair of sweeps that may be made in its place. At 4 `heaps large-pyramid:40` is
/// left to sweeps.
pub(crate) const FACTOR_PER_ENTRY: usize = 5;
/// How many times the tolerance of motion is enough for a large heap of loose bodies that moves under the exact cone: what is left is spread over many
/// contacts, and the next step goes on from it. At 1 `heaps pile-box` takes a third more time for the same depth.
pub(crate) const LOOSE: f64 = 10.0;

// Newton's method and the proximal descent.

/// Weight of a row that holds in a proximal step, relative to a contact's.
pub(crate) const FIRM: f64 = 1e-3;
/// Steps without progress after which a run ends.
pub(crate) const NEWTON_PATIENCE: usize = 4;
/// Progress: the residual falls to less than this share.
pub(crate) const PROGRESS: f64 = 0.9;
/// Residual above which something happened: two digits more ([`FINE`]) are aimed at then.
pub(crate) const EVENT: f64 = 1e-6;
/// Lengths of a falling step, tried in order.
pub(crate) const LENGTHS: [f64; 5] = [1.0, 0.4, 0.16, 0.064, 0.0256];
/// Weights of proximal points, relative to the diagonal of W, the last one again and again, and in every whole Newton step: the
/// first ones shape the answer where a small weight would make long, stiff descents; below the last one round-off of the velocity
/// (over the weight) would be impulse.
pub(crate) const PROXIMAL_WEIGHTS: [f64; 5] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
/// Newton steps towards each proximal point.
pub(crate) const CENTRE_STEPS: usize = 5;
/// Proximal steps without progress after which the run ends: at the last weight, and from the first one on under the exact law,
/// which is the convex one without slip; where something slides, they find the answer of another law.
pub(crate) const PROXIMAL_PATIENCE: usize = 3;
/// Share of the fastest velocity up to which a penalty's are known.
pub(crate) const PENALTY_GOAL: f64 = 1e-4;
/// Share of its first gradient up to which a proximal step is made.
pub(crate) const STEP_GOAL: f64 = 1e-8;
/// Newton steps after round-off hides the descent.
pub(crate) const BLIND: usize = 3;

// Sweeps.

/// Residuals that single precision reaches, relative to the velocities that an island has and asks for, and to the largest
/// that an impulse makes by itself. Extrapolation multiplies round-off: by a hundred for what all units have in common,
/// less for what single ones do.
pub(crate) const SINGLE: f64 = 1e-5;
/// The same, relative to the largest velocity that an impulse makes by itself.
pub(crate) const SINGLE_MADE: f64 = 1e-6;
/// Units from which on fours may pay.
pub(crate) const FOURS_PAY: usize = 64;
/// Share of the goal to which it goes, so that the residual in double precision is within it.
pub(crate) const WITHIN: f64 = 0.95;
/// Groups of a four in the mean from which on fours pay.
pub(crate) const WORTH: usize = 2;
/// Pairs of sweeps after which the residual is looked at first.
pub const FIRST_TESTS: usize = 3;
/// Pairs of sweeps between two tests, and of an island whose turn comes after the time is over: what rests stays at rest.
pub const BETWEEN_TESTS: usize = 10;
/// So many tests in a row, each worse than the best one by this factor, hold momentum back: by a fifth, then by twice as
/// much each time, until no momentum is left; then it begins again.
pub(crate) const WORSE_TESTS: usize = 4;
/// How much worse than the best one such a test is.
pub(crate) const WORSE: f64 = 1.5;
/// Share of the last step that is held back first.
pub(crate) const MOMENTUM_HELD: f64 = 0.2;
/// Units of a share from which on parting pays: so many visits take many times what waking a thread does, and the lanes of a
/// share, which is coloured by itself, are nearly as full as those of the whole.
pub(crate) const SHARES_PAY: usize = 400;
/// Rows outside the largest island, or contacts, pairs and rows of a part of other work, from which on a second thread is asked: the
/// cheapest model solves so many in about 0.1 ms, several times what waking a thread takes.
#[cfg(feature = "parallel")]
pub(crate) const THREADS_PAY: usize = 200;

// Corrections of positions.

/// Compliance of what corrects positions, relative to that of each row alone, where rows may contradict each other: the share of an
/// overlap's push, or of a joint's error, that is left, but for what rests on it. With a smaller one contacts against joints turn
/// links by any angle for a little less overlap, and joints that nearly depend on each other ask for any correction.
pub const PENALTY: f64 = 3e-2;
/// The same of joints, which are closed whatever overlaps.
pub(crate) const JOINT_PENALTY: f64 = 1e-7;
/// Operations of a factor up to which it corrects a heap sooner than sweeps do.
pub(crate) const HEAP_FLOPS: usize = 500_000;
/// Share of the largest error, or of the largest velocity asked for, to which sweeps correct positions.
pub(crate) const PROJECTION_GOAL: f64 = 1e-3;
/// How many contacts a push or a motion is passed on by in a step, as far as that decides which contacts are left out. At 0
/// `heaps pile-ball bullets` has overlaps ten times as deep.
pub const HOPS: usize = 2;
/// Sweeps that correct the positions of a heap.
pub(crate) const HEAP_SWEEPS: usize = 12;

// Rows that contradict each other, energies.

/// What is left of the least squares of bilateral rows, relative to what they miss, up to which they are at their least.
pub(crate) const UNDECIDED: f64 = 1e-8;
/// Work of impulses against each other, by the energies of the answer, from which on rows contradict each other. Impulses of an
/// answer do no more work than the energies account for; the factor leaves room for the error of an unfinished one.
pub(crate) const SQUEEZED: f64 = 100.0;
/// Work of impulses along what is missed, by the kinetic energy at both ends of the step, beyond which rows contradict each
/// other.
pub(crate) const MISSED: f64 = 0.1;
/// Growth of the energy in an explicit step whose rows turn by half a radian: what turns velocities by an angle a,
/// `v+ = v + h a`, makes them longer, `|v+|^2 = (1 + a^2) |v|^2`.
pub(crate) const TURNING: f64 = 0.25;
/// How much faster than what drives it a body may become, and how much farther than it is pushed it may go: as much as a lever of
/// four to one makes it. A smaller factor cuts answers of heaps that are pushed without a contradiction (`what_is_pushed_may_go_along`).
pub(crate) const LEVERAGE: f64 = 4.0;

// Models and pivoting.

/// Residual of an answer that counts as solved, for methods that end with a basis. They hold themselves to half of it; in an energy
/// twice as much of it is round-off.
pub(crate) const ACCEPTED: f64 = 1e-9;
/// Share of the tolerance of an iteration below which a sweep must change no row's velocity by its own impulse.
pub(crate) const CHANGE: f64 = 0.1;
/// Largest `h mu_v D` (D the mobility of a contact along its tangents, about) that joins a mass. A factor of `M^` knows M
/// only to round-off of the friction's share, 1e-16 times this; with more, the momentum of the answer would be off by more
/// than what counts as solved.
pub(crate) const STIFF: f64 = 1e3;
/// How often one run meets the same row before it counts as cycling by round-off: in exact arithmetic a row that is met stays
/// met until it blocks another one, which happens a few times in a run at most.
pub(crate) const VISITS: u32 = 20;
/// Relative compliance that the relaxation of contradictory rows gives to unilateral ones: the
/// compromise is the least-squares one to this accuracy.
pub(crate) const RELAXATION: f64 = 1e-6;
/// Velocity of the active rows, relative to `1 + max |v_free|`, at which refinement ends.
pub(crate) const SETTLED: f64 = 1e-14;
/// A pivot (a squared length) up to this share of what it was before the elimination is zero: round-off (1e-16) times the condition
/// of what was eliminated. Such a row depends on the active ones; such a coordinate has no inertia once the rest may move.
pub const DEPENDENT: f64 = 1e-10;
