//! The state all pivoting solvers share: rows, active set, impulses and the velocity they make.

use super::{LcpRow, Limits, Meter, RowKind, RowState};
use crate::problem::{IslandProblem, RowId};
use crate::rows::ActiveRows;
use crate::tolerances::{ACCEPTED, FINE, PROXIMAL_WEIGHTS};

/// Memory of a [`System`], kept between islands and steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) rows: Vec<LcpRow>,
    /// Rows by position in the factor.
    pub(super) active: Vec<u32>,
    pub(super) basis: ActiveRows,
    /// `L (v+ - v_free)` over all coordinates.
    pub(super) delta: Vec<f64>,
    pub(super) rho: Vec<f64>,
    pub(super) d: Vec<f64>,
    pub(super) seen: Vec<u64>,
    /// Rows s of contacts whose tangential rows must not yield (again).
    pub(super) firm: Vec<u32>,
}

/// One island being solved.
pub(crate) struct System<'a> {
    pub(crate) place: IslandProblem<'a>,
    pub(crate) memory: &'a mut Memory,
    /// End velocity over all coordinates; the island's part is written.
    pub(crate) v_plus: &'a mut [f64],
    /// Relative to `1 + max |v_free|`; of one run.
    pub(crate) limits: Limits,
    pub(crate) meter: Meter,
    /// `1 + max |v_free|` of the island.
    pub(crate) speed: f64,
    pub(crate) pivots: usize,
    pub(crate) refinements: usize,
    /// Whether unilateral rows carry the compliance of the relaxation.
    pub(crate) relaxed: bool,
    /// Whether tangential rows may yield ([`System::give_way`]).
    pub(crate) yielding: bool,
    /// Whether a contact has yielded.
    pub(super) yielded: bool,
    /// Largest `|w|` of an active row after the last settling.
    pub(super) left: f64,
    /// Hash of the states of all rows.
    pub(super) hash: u64,
}

impl<'a> System<'a> {
    /// A system without rows; push them to `memory.rows`.
    pub(crate) fn new(
        place: IslandProblem<'a>,
        memory: &'a mut Memory,
        v_plus: &'a mut [f64],
        limits: Limits,
        meter: Meter,
    ) -> Self {
        let problem = place.problem;
        memory.rows.clear();
        memory.active.clear();
        memory.firm.clear();
        memory.basis.begin(problem);
        memory.delta.resize(problem.dim(), 0.0);
        let mut speed = 0.0_f64;
        for block in place.blocks() {
            let range = block.range();
            memory.delta[range.clone()].fill(0.0);
            for v in &problem.v_free()[range] {
                speed = speed.max(v.abs());
            }
        }
        Self {
            place,
            memory,
            v_plus,
            limits,
            meter,
            speed: 1.0 + speed,
            pivots: 0,
            refinements: 0,
            relaxed: false,
            yielding: false,
            yielded: false,
            left: 0.0,
            hash: 0,
        }
    }

    /// Number of coordinates of the island.
    pub(crate) fn dim(&self) -> usize {
        self.place.blocks().map(|block| block.dim()).sum()
    }

    /// Number of rows in the factor.
    pub(crate) fn rank(&self) -> usize {
        self.memory.active.len()
    }

    /// Velocity of the active rows at which refinement ends [m/s].
    pub(super) fn settled(&self) -> f64 {
        FINE * FINE * ACCEPTED * self.speed
    }

    /// Gives all unilateral rows the compliance of the relaxation.
    pub(crate) fn relax(&mut self) {
        self.relaxed = true;
        let [.., least] = PROXIMAL_WEIGHTS;
        for i in 0..self.memory.rows.len() {
            if self.memory.rows[i].kind == RowKind::Unilateral {
                self.whiten(i);
                let row = &mut self.memory.rows[i];
                row.eps = row.softness + least * row.white.diag;
            }
        }
    }

    pub(super) fn set_state(&mut self, i: usize, state: RowState) {
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
                .whiten(self.place.problem, RowId(row.row as usize));
            row.whitened = true;
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

    pub(super) fn enter(&mut self, i: usize) {
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

    pub(super) fn set_impulse(&mut self, i: usize, z: f64) {
        let memory = &mut *self.memory;
        let row = &mut memory.rows[i];
        memory
            .basis
            .add_to(&row.white, z - row.z, &mut memory.delta);
        row.z = z;
    }

    /// Cold selection: free scalar rows, then free rows of contacts in order [D15, Alg. 2]. Compliant
    /// rows all go in, also beyond the number of coordinates.
    pub(crate) fn select(&mut self) {
        let dim = self.dim();
        let first_scalar = 3 * self.place.problem.contact_count();
        for scalars in [true, false] {
            for i in 0..self.memory.rows.len() {
                let row = &self.memory.rows[i];
                let scalar = row.row as usize >= first_scalar;
                let free = row.kind == RowKind::Free && row.state == RowState::Out;
                if free && scalar == scalars && (row.eps > 0.0 || self.rank() < dim) {
                    self.activate(i);
                }
            }
        }
    }

    /// Solves `w = 0` for the active rows, the others' impulses given. A correction to the current
    /// impulses, repeated while it still improves: that is iterative refinement at no extra code.
    pub(crate) fn refine(&mut self) {
        // Without impulses so far the velocity is the free one.
        let fresh = self.memory.rows.iter().all(|row| row.z == 0.0);
        let floor = self.settled();
        let memory = &mut *self.memory;
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
            self.left = worst;
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

    /// Sums the velocity from the impulses and settles again, which removes the round-off of many
    /// pivots.
    pub(crate) fn polish(&mut self) {
        for block in self.place.blocks() {
            self.memory.delta[block.range()].fill(0.0);
        }
        let memory = &mut *self.memory;
        for row in memory.rows.iter().filter(|r| r.z != 0.0) {
            memory.basis.add_to(&row.white, row.z, &mut memory.delta);
        }
        self.refine();
    }

    /// `v+ = v_free + L^-1 delta`, and `w` of every row outside the factor.
    pub(crate) fn evaluate(&mut self) {
        let v_free = self.place.problem.v_free();
        for block in self.place.blocks() {
            let range = block.range();
            let v = &mut self.v_plus[range.clone()];
            v.copy_from_slice(&self.memory.delta[range.clone()]);
            block.solve_l(v);
            for (v, f) in v.iter_mut().zip(&v_free[range]) {
                *v += f;
            }
        }
        let contact_rows = 3 * self.place.problem.contact_count();
        let (mut contact, mut along) = (usize::MAX, [0.0; 3]);
        for row in &mut self.memory.rows {
            if matches!(row.state, RowState::Active | RowState::Off) {
                continue;
            }
            let id = row.row as usize;
            let v = if id < contact_rows {
                // The rows of a contact are neighbours.
                if id / 3 != contact {
                    contact = id / 3;
                    along = self.place.problem.contact_dots(contact, self.v_plus);
                }
                along[id % 3]
            } else {
                self.place.problem.row(RowId(id)).dot(self.v_plus)
            };
            row.w = v + row.eps * row.z - row.target;
        }
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

    /// By how much a row that could not be met falls short \[m/s\].
    pub(crate) fn shortfall(row: &LcpRow) -> f64 {
        match (row.kind, row.state) {
            (RowKind::Free, RowState::Dropped) => row.w.abs(),
            (RowKind::Unilateral, RowState::Active) => (row.eps - row.softness) * row.z,
            (RowKind::Unilateral, RowState::Dropped | RowState::Out) => -row.w,
            _ => 0.0,
        }
    }

    /// From which shortfall on a row counts as not met: round-off times the condition the solve may
    /// have had.
    pub(crate) fn met_within(&self) -> f64 {
        1e3 * self.limits.tolerance * self.speed
    }
}
