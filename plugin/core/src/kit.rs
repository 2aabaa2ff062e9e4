//! What methods outside this crate are written with: those of `stickslip-reference`.
//!
//! It changes with every version. A model of one's own needs [`ContactModel`](crate::models::ContactModel) alone.
//!
//! A method solves a whole problem ([`Method`]); [`drive`] does so island by island with an [`IslandSolver`], whose answers
//! the residual function verifies, and lets the engine answer where it gives up.

pub use crate::factor::{Lu, Singular, make_room, max_abs};
pub use crate::law::polygon::corner;
pub use crate::lcp::{Limits, Meter, dense_bytes};
pub use crate::models::attempt::{Attempt, Context, Effort, IslandSolver, Wanted};
pub use crate::models::driver::drive;
pub use crate::models::model::{Method, solve_by_name};
pub use crate::models::replace::replace;
pub use crate::models::workspace::SolveContext;
pub use crate::rows::{ActiveRows, White};
pub use crate::settings::MAX_DECIDED;
/// Thresholds that the steps around a solve share with it.
pub use crate::tolerances::{DEPENDENT, ENERGY_SHARE, FINE, HOPS, JOINT_PENALTY, PENALTY, TURN};
pub use crate::warm::Bits;

use crate::law::linear::{State, state};
use crate::law::{ConstraintBlock, Law, by_width, natural};
use crate::models::{ContactSolution, WarmStart, Workspace};
use crate::problem::{ContactData, ContactId, ContactProblem, GroupId, Island, RowId, ScalarKind};
use crate::residual::Scratch;

/// Islands over cones, row by row: what an iteration is written with.
pub mod cones {
    pub use crate::engine::{Ended, Goal, step};
    pub use crate::law::project::projected;
    pub use crate::law::{ConstraintBlock, Law, PART};
    pub use crate::system::System;
    pub use crate::tolerances::{BETWEEN_TESTS, PATIENCE};
}

/// The innermost loops.
pub mod kernel {
    pub use crate::factor::kernel::{axpy, dot};
    /// `a . b` of rows, in the order of a body's coordinates.
    pub use crate::kernel::dot as dot_rows;
    pub use crate::law::polygon::into_polygon;
    pub use crate::report::worse;
}

/// Problems derived from others. What is set comes from a validated problem or a method's own arithmetic and is not
/// validated again: a number that is not finite ends as a status of the solve.
pub trait Derived {
    /// Makes this problem equal to another. O(size of the problem).
    fn copy_from(&mut self, source: &Self);
    /// Sets the time step h \[s\].
    fn set_time_step(&mut self, h: f64);
    /// Sets the velocities at the start of the step and after forces (m each).
    fn set_velocities(&mut self, v: &[f64], v_free: &[f64]);
    /// These velocities, to write (m each).
    fn velocities_mut(&mut self) -> (&mut [f64], &mut [f64]);
    /// The contacts' data, to write.
    fn contacts_mut(&mut self) -> &mut [ContactData];
    /// Key and demand of each scalar row, to write.
    fn scalars_mut(&mut self) -> &mut [(u64, ScalarKind)];
    /// `M <- factor M`, `factor > 0`.
    fn scale_mass(&mut self, factor: f64);
    /// Reciprocal of a diagonal entry of `L`, by coordinate of the whole problem.
    fn inv_diag(&self, coordinate: usize) -> f64;
}

impl Derived for ContactProblem {
    fn copy_from(&mut self, source: &Self) {
        self.copy_from(source);
    }
    fn set_time_step(&mut self, h: f64) {
        self.set_time_step(h);
    }
    fn set_velocities(&mut self, v: &[f64], v_free: &[f64]) {
        self.set_velocities(v, v_free);
    }
    fn velocities_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        self.velocities_mut()
    }
    fn contacts_mut(&mut self) -> &mut [ContactData] {
        self.contacts_mut()
    }
    fn scalars_mut(&mut self) -> &mut [(u64, ScalarKind)] {
        self.scalars_mut()
    }
    fn scale_mass(&mut self, factor: f64) {
        self.scale_mass(factor);
    }
    fn inv_diag(&self, coordinate: usize) -> f64 {
        self.inv_diag(coordinate)
    }
}

/// What one solve leaves to the next.
pub trait LastSolve {
    /// Impulses of a contact in the last solve: n, s, t and the three spins.
    fn contact_impulse(&self, index: usize, key: u64) -> Option<[f64; 6]>;
    /// Impulse of a scalar row in the last solve.
    fn scalar_impulse(&self, index: usize, key: u64) -> Option<f64>;
    /// Basic variables of a group of the problem, contact or scalar, in the last solve.
    fn group_basis(&self, group: GroupId) -> Option<Bits>;
    /// Sets the recorded basic variables of a group: those of its own that `basic` numbers.
    fn record_basis(&mut self, group: GroupId, basic: impl Iterator<Item = usize>);
}

impl LastSolve for WarmStart {
    fn contact_impulse(&self, index: usize, key: u64) -> Option<[f64; 6]> {
        self.contact_impulse(index, key)
    }
    fn scalar_impulse(&self, index: usize, key: u64) -> Option<f64> {
        self.scalar_impulse(index, key)
    }
    fn group_basis(&self, group: GroupId) -> Option<Bits> {
        self.group_basis(group)
    }
    fn record_basis(&mut self, group: GroupId, basic: impl Iterator<Item = usize>) {
        self.record_basis(group, basic);
    }
}

/// An answer in the making.
pub trait Answer {
    /// Where the answer keeps a row's impulse.
    fn impulse_mut(&mut self, problem: &ContactProblem, row: RowId) -> &mut f64;
    /// Whether the exact cone answers for an island.
    fn is_exact_cone(&self, island: Island<'_>) -> bool;
}

impl Answer for ContactSolution {
    fn impulse_mut(&mut self, problem: &ContactProblem, row: RowId) -> &mut f64 {
        self.impulse_mut(problem, row)
    }
    fn is_exact_cone(&self, island: Island<'_>) -> bool {
        self.is_exact_cone(island)
    }
}

/// The memory of a solve.
pub trait Memory {
    /// Memory of a method, made when first asked for; it holds nothing from one solve to the next. That of another type is
    /// dropped.
    fn beside<T: std::any::Any + Default + Send + Sync>(&mut self) -> &mut T;
    /// Work that is left for the island at hand.
    fn meter(&self) -> Meter;
    /// Memory of the residual function.
    fn scratch(&mut self) -> &mut Scratch;
}

impl Memory for Workspace {
    fn beside<T: std::any::Any + Default + Send + Sync>(&mut self) -> &mut T {
        self.beside()
    }
    fn meter(&self) -> Meter {
        self.meter
    }
    fn scratch(&mut self) -> &mut Scratch {
        &mut self.scratch
    }
}

/// The law of a row or contact as a dense Newton method sees it: 1 or 3 impulses z and velocities u.
#[derive(Clone, Copy, Debug)]
pub struct LawBlock(ConstraintBlock);

/// What a unit does in a Newton step; lists are as long as it is wide.
#[derive(Clone, Copy, Debug)]
pub enum LawStep {
    /// Its impulses go to these.
    Fixed([f64; 3]),
    /// `G dz + H du = r`.
    Moves {
        /// G.
        g: [[f64; 3]; 3],
        /// H.
        h: [[f64; 3]; 3],
        /// r.
        r: [f64; 3],
    },
}

impl LawBlock {
    /// `0 <= z` complementary to `u >= 0`, with the first of its impulses at `at` and its diagonal `d`.
    pub fn half(at: usize, d: f64) -> Self {
        Self::new(Law::Half, at, d)
    }

    /// `|z| <= limit`.
    pub fn bounded(at: usize, d: f64, limit: f64) -> Self {
        Self::new(Law::Box(limit), at, d)
    }

    fn new(law: Law, at: usize, d: f64) -> Self {
        Self(ConstraintBlock {
            at: at as u32,
            d: [d; 4],
            ..ConstraintBlock::new(law, GroupId::Contact(ContactId(0)), 0.0)
        })
    }

    /// The same as a contact with friction in the disc of radius `mu f_n`, whose diagonal is `d`.
    pub fn with_friction(mut self, d: f64, mu: f64) -> Self {
        self.0.law = Law::Cone;
        self.0.width = 3;
        self.0.d[1] = d;
        self.0.mu[0] = mu;
        self
    }

    /// Its places in the lists of impulses and velocities.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.0.range()
    }

    /// The diagonal of impulse `k`.
    pub fn diagonal(&self, k: usize) -> f64 {
        self.0.d[crate::law::PART[k]]
    }

    /// The largest entry of its natural map [m/s], zero exactly at a solution.
    pub fn natural_size(&self, z: &[f64], u: &[f64]) -> f64 {
        let unit = &self.0;
        by_width!(unit, W => natural::size(&natural::map(unit, &unit.of::<W>(z), &unit.of(u))))
    }

    /// Its Newton step.
    pub fn step(&self, z: &[f64], u: &[f64]) -> LawStep {
        let unit = &self.0;
        by_width!(unit, W => wide(state(unit, &unit.of::<W>(z), &unit.of(u))))
    }
}

fn wide<const W: usize>(state: State<W>) -> LawStep {
    let list = |x: [f64; W]| std::array::from_fn(|k| x.get(k).copied().unwrap_or(0.0));
    let matrix =
        |x: [[f64; W]; W]| std::array::from_fn(|k| x.get(k).map_or([0.0; 3], |x| list(*x)));
    match state {
        State::Fixed(to) => LawStep::Fixed(list(to)),
        State::Moves(own) => LawStep::Moves {
            g: matrix(own.g),
            h: matrix(own.h),
            r: list(own.r),
        },
    }
}
