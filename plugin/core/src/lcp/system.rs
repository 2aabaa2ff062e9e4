//! The state all pivoting solvers share: rows, active set, impulses and the velocity they make.

use super::{LcpRow, RowKind, RowState};
use crate::problem::{ContactProblem, Island, RowId};
use crate::report::SolveStatus;
use crate::rows::{ActiveRows, Candidate};

/// Relative compliance that the relaxation of contradictory rows gives to unilateral ones: the
/// compromise is the least-squares one to this accuracy.
const RELAXATION: f64 = 1e-6;

/// What the solvers stop at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Relative to `1 + max |v_free|`.
    pub(crate) tolerance: f64,
    pub(crate) max_pivots: usize,
}

/// Memory of a [`System`], kept between islands and steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) rows: Vec<LcpRow>,
    /// Rows by position in the factor.
    active: Vec<u32>,
    basis: ActiveRows,
    /// `L (v+ - v_free)` over all coordinates.
    delta: Vec<f64>,
    rho: Vec<f64>,
    d: Vec<f64>,
    pub(super) seen: Vec<u64>,
}

/// How a dual step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The row is met and in the factor, or at its own bound.
    Done,
    /// Another row reached its bound and left the factor.
    Blocked,
    /// The row can't be met together with the active ones and was dropped: it depends on free rows
    /// alone.
    Dropped,
    /// The row contradicts active rows with bounds.
    Infeasible,
}

/// One island being solved.
pub(crate) struct System<'a> {
    pub(crate) problem: &'a ContactProblem,
    pub(crate) island: Island<'a>,
    pub(crate) memory: &'a mut Memory,
    /// End velocity over all coordinates; the island's part is written.
    pub(crate) v_plus: &'a mut [f64],
    pub(crate) limits: Limits,
    /// `1 + max |v_free|` of the island.
    pub(crate) speed: f64,
    pub(crate) pivots: usize,
    pub(crate) refinements: usize,
    /// Whether unilateral rows carry the compliance of the relaxation.
    pub(crate) relaxed: bool,
    /// Hash of the states of all rows.
    pub(super) hash: u64,
}

impl<'a> System<'a> {
    /// A system without rows; push them to `memory.rows`.
    pub(crate) fn new(
        problem: &'a ContactProblem,
        island: Island<'a>,
        memory: &'a mut Memory,
        v_plus: &'a mut [f64],
        limits: Limits,
    ) -> Self {
        memory.rows.clear();
        memory.active.clear();
        memory.basis.begin(problem);
        memory.delta.resize(problem.dim(), 0.0);
        let mut speed = 0.0_f64;
        for &b in island.blocks {
            let range = problem.block(b as usize).range();
            memory.delta[range.clone()].fill(0.0);
            for v in &problem.v_free()[range] {
                speed = speed.max(v.abs());
            }
        }
        Self {
            problem,
            island,
            memory,
            v_plus,
            limits,
            speed: 1.0 + speed,
            pivots: 0,
            refinements: 0,
            relaxed: false,
            hash: 0,
        }
    }

    /// Number of coordinates of the island.
    pub(crate) fn dim(&self) -> usize {
        let blocks = self.island.blocks.iter();
        blocks.map(|&b| self.problem.block(b as usize).dim()).sum()
    }

    /// Number of rows in the factor.
    pub(crate) fn rank(&self) -> usize {
        self.memory.active.len()
    }

    /// Takes every row out again: impulses zero, velocity free. Rows that are off stay off.
    pub(crate) fn restart(&mut self) {
        self.memory.basis.clear();
        self.memory.active.clear();
        for row in &mut self.memory.rows {
            row.z = 0.0;
            if row.state != RowState::Off {
                row.state = RowState::Out;
            }
        }
        for &b in self.island.blocks {
            let range = self.problem.block(b as usize).range();
            self.memory.delta[range].fill(0.0);
        }
    }

    /// Gives all unilateral rows the compliance of the relaxation.
    pub(crate) fn relax(&mut self) {
        self.relaxed = true;
        for i in 0..self.memory.rows.len() {
            if self.memory.rows[i].kind == RowKind::Unilateral {
                self.whiten(i);
                let row = &mut self.memory.rows[i];
                row.eps = RELAXATION * row.white.diag;
            }
        }
    }

    fn set_state(&mut self, i: usize, state: RowState) {
        let mix = |state: RowState| {
            let x = ((i as u64) << 3 | state as u64).wrapping_add(1);
            let x = (x ^ (x >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
        };
        let row = &mut self.memory.rows[i];
        self.hash ^= mix(row.state) ^ mix(state);
        row.state = state;
    }

    pub(super) fn whiten(&mut self, i: usize) {
        let row = &mut self.memory.rows[i];
        if !row.whitened {
            row.white = self
                .memory
                .basis
                .whiten(self.problem, RowId(row.row as usize));
            row.whitened = true;
        }
    }

    /// Puts the wanted ones of a contact's rows s, t, n, which start at row `i`, into the factor
    /// unless they depend on the rows there.
    pub(crate) fn activate_contact(&mut self, i: usize, wanted: [bool; 3]) {
        let memory = &mut *self.memory;
        let contact = memory.rows[i].row as usize / 3;
        let [n, s, t] = memory.basis.whiten_contact(self.problem, contact);
        let whites = [s, t, n];
        for (row, white) in memory.rows[i..i + 3].iter_mut().zip(whites) {
            (row.white, row.whitened) = (white, true);
        }
        let taken = memory.basis.offer_three(&whites, wanted);
        for (k, taken) in taken.into_iter().enumerate() {
            if taken {
                self.enter(i + k);
            }
        }
    }

    /// Puts a row into the factor unless it depends on the rows there.
    pub(crate) fn activate(&mut self, i: usize) -> bool {
        self.whiten(i);
        let row = self.memory.rows[i];
        let taken = self.memory.basis.offer(&row.white, row.eps);
        if taken {
            self.enter(i);
        }
        taken
    }

    fn enter(&mut self, i: usize) {
        self.memory.rows[i].position = self.memory.active.len() as u32;
        self.memory.active.push(i as u32);
        self.set_state(i, RowState::Active);
    }

    /// Sets a bounded row to one of its bounds.
    pub(crate) fn put_at_bound(&mut self, i: usize, state: RowState) {
        self.whiten(i);
        let z = match state {
            RowState::AtLow => -self.memory.rows[i].limit,
            _ => self.memory.rows[i].limit,
        };
        self.set_impulse(i, z);
        self.set_state(i, state);
    }

    fn set_impulse(&mut self, i: usize, z: f64) {
        let memory = &mut *self.memory;
        let row = &mut memory.rows[i];
        memory
            .basis
            .add_to(&row.white, z - row.z, &mut memory.delta);
        row.z = z;
    }

    /// Cold selection: free scalar rows, then free rows of contacts in order [D15, Alg. 2].
    pub(crate) fn select(&mut self) {
        let dim = self.dim();
        let first_scalar = 3 * self.problem.contact_count();
        for scalars in [true, false] {
            for i in 0..self.memory.rows.len() {
                if self.rank() == dim {
                    return;
                }
                let row = &self.memory.rows[i];
                let scalar = row.row as usize >= first_scalar;
                if row.kind == RowKind::Free && row.state == RowState::Out && scalar == scalars {
                    self.activate(i);
                }
            }
        }
    }

    /// Solves `w = 0` for the active rows, the others' impulses given. A correction to the current
    /// impulses, repeated while it still improves: that is iterative refinement at no extra code.
    pub(crate) fn settle(&mut self) {
        // Without impulses so far the velocity is the free one.
        let fresh = self.memory.rows.iter().all(|row| row.z == 0.0);
        let memory = &mut *self.memory;
        let floor = 1e-14 * self.speed;
        let mut last = f64::INFINITY;
        for round in 0..6 {
            memory.rho.clear();
            let mut worst = 0.0_f64;
            for (position, &i) in memory.active.iter().enumerate() {
                let row = &memory.rows[i as usize];
                let mut w = row.q;
                if round > 0 || !fresh {
                    w += memory.basis.dot_at(position, &memory.delta) + row.eps * row.z;
                }
                memory.rho.push(-w);
                worst = worst.max(w.abs());
            }
            if worst <= floor || (round > 1 && worst > 0.5 * last) {
                break;
            }
            last = worst;
            self.refinements += usize::from(round > 0);
            memory.basis.solve(&mut memory.rho);
            for (position, &i) in memory.active.iter().enumerate() {
                let dz = memory.rho[position];
                memory.rows[i as usize].z += dz;
                memory.basis.add_at(position, dz, &mut memory.delta);
            }
        }
    }

    /// Sums the velocity anew from the impulses and settles again: sheds the round-off that many
    /// pivots left behind.
    pub(crate) fn polish(&mut self) {
        for &b in self.island.blocks {
            let range = self.problem.block(b as usize).range();
            self.memory.delta[range].fill(0.0);
        }
        let memory = &mut *self.memory;
        for row in memory.rows.iter().filter(|r| r.z != 0.0) {
            memory.basis.add_to(&row.white, row.z, &mut memory.delta);
        }
        self.settle();
    }

    /// `v+ = v_free + L^-1 delta`, and `w` of every row outside the factor.
    pub(crate) fn evaluate(&mut self) {
        let v_free = self.problem.v_free();
        for &b in self.island.blocks {
            let block = self.problem.block(b as usize);
            let range = block.range();
            let v = &mut self.v_plus[range.clone()];
            v.copy_from_slice(&self.memory.delta[range.clone()]);
            block.solve_l(v);
            for (v, f) in v.iter_mut().zip(&v_free[range]) {
                *v += f;
            }
        }
        for row in &mut self.memory.rows {
            if !matches!(row.state, RowState::Active | RowState::Off) {
                let view = self.problem.row(RowId(row.row as usize));
                row.w = view.dot(self.v_plus) + row.eps * row.z - row.target;
            }
        }
    }

    /// What counts as zero velocity: the tolerance, or the round-off of the largest impulse, whose
    /// velocity `z D` may cancel against another's.
    pub(super) fn zero(&self) -> f64 {
        let mut largest = 0.0_f64;
        for (position, &i) in self.memory.active.iter().enumerate() {
            let z = self.memory.rows[i as usize].z;
            largest = largest.max(z.abs() * self.memory.basis.diag(position));
        }
        (self.limits.tolerance * self.speed).max(8.0 * f64::EPSILON * largest)
    }

    /// The most violated row outside the factor and the sign its impulse must change with; free
    /// rows come first, ties go to the lower index.
    pub(super) fn most_violated(&self, zero: f64) -> Option<(usize, f64)> {
        let mut found = None;
        let mut worst = zero;
        let mut free = false;
        for (i, row) in self.memory.rows.iter().enumerate() {
            let (violation, sign) = row.violation();
            if violation <= zero || (row.kind == RowKind::Bounded && row.limit == 0.0) {
                continue;
            }
            let is_free = row.kind == RowKind::Free;
            if violation > worst && is_free == free || is_free && !free {
                (worst, free) = (violation, is_free);
                found = Some((i, sign));
            }
        }
        found
    }

    /// The active row furthest outside its bounds, as a velocity `z D`.
    pub(super) fn worst_multiplier(&self, zero: f64) -> Option<usize> {
        let mut found = None;
        let mut worst = zero;
        for (position, &i) in self.memory.active.iter().enumerate() {
            let row = &self.memory.rows[i as usize];
            let excess = match row.kind {
                RowKind::Free => continue,
                RowKind::Unilateral => -row.z,
                RowKind::Bounded => row.z.abs() - row.limit,
            } * self.memory.basis.diag(position);
            if excess > worst {
                worst = excess;
                found = Some(position);
            }
        }
        found
    }

    /// Takes the row at a position out of the factor and puts its impulse on the nearer bound.
    pub(super) fn drop_at(&mut self, position: usize) {
        let i = self.memory.active[position] as usize;
        self.memory.basis.remove(position);
        self.memory.active.remove(position);
        for (p, &j) in self.memory.active.iter().enumerate().skip(position) {
            self.memory.rows[j as usize].position = p as u32;
        }
        let row = &self.memory.rows[i];
        let (state, z) = match row.kind {
            RowKind::Bounded if row.z > 0.0 => (RowState::AtHigh, row.limit),
            RowKind::Bounded => (RowState::AtLow, -row.limit),
            _ => (RowState::Out, 0.0),
        };
        self.set_impulse(i, z);
        self.set_state(i, state);
        self.pivots += 1;
    }

    /// Takes a row out of the problem: impulse zero, state off.
    pub(crate) fn switch_off(&mut self, i: usize) {
        if self.memory.rows[i].state == RowState::Active {
            self.drop_at(self.memory.rows[i].position as usize);
        }
        self.set_state(i, RowState::Off);
    }

    /// One step of the dual method [GI83] for row `p`, whose impulse must change with `sign`:
    /// ```text
    /// d = G^-1 R~ r~_p,   dz_p = sign t,   dz = -sign t d,   dw_p = sign t (r~_p . r~_p - r~_p . R~^T d)
    /// ```
    /// with `t` the shortest of: `w_p = 0`, an active row at a bound, `p` at its own other bound. A
    /// row that depends on the active ones takes the last two only (exchange).
    pub(super) fn dual_step(&mut self, p: usize, sign: f64) -> Step {
        self.whiten(p);
        let row = self.memory.rows[p];
        let candidate: Candidate = self.memory.basis.candidate(&row.white, row.eps);
        let mut d = std::mem::take(&mut self.memory.d);
        self.memory.basis.coefficients(&mut d);

        let mut t = f64::INFINITY;
        if !candidate.dependent {
            let w = row.q + self.memory.basis.dot(&row.white, &self.memory.delta) + row.eps * row.z;
            t = (-sign * w / candidate.schur).max(0.0);
        }
        let (low, high) = row.bounds();
        let own = if sign > 0.0 {
            high - row.z
        } else {
            row.z - low
        };
        let at_own_bound = own <= t;
        t = t.min(own.max(0.0));
        let mut blocking = None;
        // Noise in a coefficient, as a length in units of the row's own.
        let noise = 1e-9 * row.white.diag.sqrt();
        let mut leans_on_bounds = false;
        for (position, &i) in self.memory.active.iter().enumerate() {
            let other = &self.memory.rows[i as usize];
            let dz = -sign * d[position];
            let diag = self.memory.basis.diag(position);
            if other.kind == RowKind::Free || dz.abs() * diag.sqrt() <= noise {
                continue;
            }
            leans_on_bounds = true;
            let (low, high) = other.bounds();
            let room = if dz < 0.0 {
                other.z - low
            } else {
                high - other.z
            };
            let reach = (room / dz.abs()).max(0.0);
            if reach < t {
                t = reach;
                blocking = Some(position);
            }
        }
        let stuck = t.is_infinite();
        // Under relaxation a row in the span of the free rows would only wedge them apart.
        let wedge = self.relaxed
            && !leans_on_bounds
            && candidate.schur - row.eps <= crate::rows::DEPENDENT * row.white.diag;
        if !stuck && !wedge {
            for (position, &i) in self.memory.active.iter().enumerate() {
                let dz = -sign * t * d[position];
                self.memory.rows[i as usize].z += dz;
                self.memory
                    .basis
                    .add_at(position, dz, &mut self.memory.delta);
            }
            let z = row.z + sign * t;
            self.set_impulse(p, z);
        }
        self.memory.d = d;
        if stuck || wedge {
            if leans_on_bounds && !wedge {
                return Step::Infeasible;
            }
            self.set_impulse(p, 0.0);
            self.set_state(p, RowState::Dropped);
            return Step::Dropped;
        }
        if let Some(position) = blocking {
            self.drop_at(position);
            return Step::Blocked;
        }
        self.pivots += 1;
        if at_own_bound {
            let state = if sign > 0.0 {
                RowState::AtHigh
            } else {
                RowState::AtLow
            };
            self.put_at_bound(p, state);
        } else {
            self.memory.basis.accept(&row.white, candidate);
            self.enter(p);
        }
        Step::Done
    }

    /// Ends a solve: sheds round-off if the active set changed, and checks for finite numbers.
    pub(super) fn conclude(&mut self) -> SolveStatus {
        if self.pivots > 0 {
            self.polish();
            self.evaluate();
        }
        if self.is_sound() {
            SolveStatus::Solved
        } else {
            SolveStatus::NonFinite
        }
    }

    /// Whether all impulses and velocities are finite (a NaN compares as met).
    pub(super) fn is_sound(&self) -> bool {
        let rows = self.memory.rows.iter().map(|r| r.z).sum::<f64>();
        let blocks = self.island.blocks.iter();
        let v = blocks.map(|&b| {
            let range = self.problem.block(b as usize).range();
            self.v_plus[range].iter().sum::<f64>()
        });
        (rows + v.sum::<f64>()).is_finite()
    }

    /// Largest violation left on rows that could not be met [m/s].
    pub(crate) fn leftover(&self) -> f64 {
        let mut worst = 0.0_f64;
        for row in &self.memory.rows {
            let left = match (row.kind, row.state) {
                (RowKind::Free, RowState::Dropped) => row.w.abs(),
                (RowKind::Unilateral, RowState::Active) => row.eps * row.z,
                (RowKind::Unilateral, RowState::Dropped | RowState::Out) => -row.w,
                _ => 0.0,
            };
            worst = worst.max(left);
        }
        worst
    }
}
