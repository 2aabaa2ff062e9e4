//! The mixed complementarity problem of one island and its solvers, one file per algorithm.
//!
//! Every row has an impulse `z` in `[lo, hi]` and a velocity `w = row . v+ + eps z - c`:
//! `z = lo` asks `w >= 0`, `z = hi` asks `w <= 0`, in between `w = 0`. Bilateral rows have no
//! bounds, unilateral ones `[0, inf)`. Together these are the optimality conditions of the strictly
//! convex program `min 1/2 (v+ - v_free)^T M (v+ - v_free)` under `X v+ = c, N v+ >= -b`, so `v+` is
//! unique although `z` need not be.

mod active_set;
mod conclude;
mod dual;
mod meter;
mod ppm;
mod system;

use active_set::active_set;
pub use meter::{Limits, Meter, dense_bytes};
use ppm::ppm;
pub(crate) use system::{Memory, System};

use crate::report::{SolveStatus, SolverName};
use crate::rows::White;

/// What bounds a row's impulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// Nothing.
    Free,
    /// `[0, inf)`.
    Unilateral,
    /// `[-limit, limit]`.
    Bounded,
}

/// Where a row's impulse is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowState {
    /// `z = 0`, not in the factor: a unilateral row at its bound, a free row not selected, a bounded
    /// row not yet touched.
    Out,
    /// In the factor.
    Active,
    /// Bounded, at `-limit`.
    AtLow,
    /// Bounded, at `limit`.
    AtHigh,
    /// Its equation can't be met and is left alone, `z = 0`; what is left is reported.
    Dropped,
    /// Tangential, given up for a penetrating normal (see `System::give_way`), `z = 0`.
    Yielded,
    /// Not part of the problem this time, `z = 0`.
    Off,
}

/// One row of an island's problem.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LcpRow {
    /// The row of the contact problem.
    pub(crate) row: u32,
    pub(crate) kind: RowKind,
    pub(crate) state: RowState,
    /// The state it is put in at first, where that of the last solve is taken over.
    pub(crate) start: RowState,
    /// Whether `white` is filled.
    pub(crate) whitened: bool,
    /// Position in the factor while active.
    pub(crate) position: u32,
    /// Target velocity c.
    pub(crate) target: f64,
    /// Bound on |z| of a bounded row.
    pub(crate) limit: f64,
    /// Compliance in force.
    pub(crate) eps: f64,
    /// The part of it that belongs to the row itself; the rest is relaxation.
    pub(crate) softness: f64,
    /// `row . v_free - c`.
    pub(crate) q: f64,
    /// Impulse.
    pub(crate) z: f64,
    /// Violation up to which round-off may be all of it.
    pub(crate) doubt: f64,
    /// How often the active-set method had to meet it in the present run.
    pub(crate) visits: u32,
    /// `row . v+ + eps z - c` when last evaluated.
    pub(crate) w: f64,
    pub(crate) white: White,
}

impl LcpRow {
    /// A rigid row of the contact problem with its velocity at `v_free`.
    pub(crate) fn new(row: usize, free: f64, kind: RowKind, target: f64) -> Self {
        let q = free - target;
        Self {
            row: row as u32,
            kind,
            state: RowState::Out,
            start: RowState::Out,
            whitened: false,
            position: 0,
            target,
            limit: 0.0,
            eps: 0.0,
            softness: 0.0,
            q,
            z: 0.0,
            doubt: 0.0,
            visits: 0,
            w: q,
            white: White::default(),
        }
    }

    /// The same with compliance.
    pub(crate) fn soft(self, eps: f64) -> Self {
        let softness = eps;
        Self {
            eps,
            softness,
            ..self
        }
    }

    /// The same with this start; a row that starts off stays so.
    pub(crate) fn starting(self, start: RowState) -> Self {
        let state = match start {
            RowState::Off => start,
            _ => self.state,
        };
        Self {
            state,
            start,
            ..self
        }
    }

    /// The bounds of `z`.
    #[inline]
    pub(crate) fn bounds(&self) -> (f64, f64) {
        match self.kind {
            RowKind::Free => (f64::NEG_INFINITY, f64::INFINITY),
            RowKind::Unilateral => (0.0, f64::INFINITY),
            RowKind::Bounded => (-self.limit, self.limit),
        }
    }

    /// By how much the row is violated while not in the factor, and the sign its impulse must
    /// change with.
    #[inline]
    pub(crate) fn violation(&self) -> (f64, f64) {
        match (self.state, self.kind) {
            (RowState::Out, RowKind::Unilateral) | (RowState::AtLow, _) => (-self.w, 1.0),
            (RowState::Out, _) if self.w > 0.0 => (self.w, -1.0),
            (RowState::Out, _) => (-self.w, 1.0),
            (RowState::AtHigh, _) => (self.w, -1.0),
            (RowState::Active | RowState::Dropped | RowState::Yielded | RowState::Off, _) => {
                (0.0, 1.0)
            }
        }
    }
}

impl System<'_> {
    /// One run, within the work that is left: a pivot is a substitution through the factor of the active rows, no more
    /// than there are coordinates, and a look at every row.
    pub(crate) fn run(&mut self, solver: SolverName) -> SolveStatus {
        let (limits, before) = (self.limits, self.pivots);
        let rows = self.memory.rows.len() as f64;
        let pivot = rows * rows.min(self.dim() as f64);
        self.limits.max_pivots = limits.max_pivots.min(self.meter.pivots(pivot));
        let status = match solver {
            SolverName::Ppm => ppm(self),
            _ => active_set(self),
        };
        self.limits = limits;
        self.meter.spend((self.pivots - before) as f64 * pivot);
        status
    }
}
