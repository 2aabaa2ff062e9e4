//! Which row moves next, and the dual step that moves it.

use super::system::System;
use super::{RowKind, RowState};
use crate::rows::Candidate;
use crate::tolerances::DEPENDENT;

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
    /// The row depends on the active ones and its violation is no larger than their round-off makes
    /// it: nothing to do.
    Met,
}

impl System<'_> {
    /// The most violated row outside the factor and the sign its impulse must change with; free
    /// rows come first, ties go to the lower index.
    pub(super) fn most_violated(&self, zero: f64) -> Option<(usize, f64)> {
        let mut found = None;
        let mut worst = zero;
        let mut free = false;
        for (i, row) in self.memory.rows.iter().enumerate() {
            let (violation, sign) = row.violation();
            if violation <= zero.max(row.doubt)
                || (row.kind == RowKind::Bounded && row.limit == 0.0)
            {
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

        if candidate.dependent && row.z == 0.0 {
            // What round-off of the active rows' velocities makes of this one's (a step of the scene `drag` under
            // `no-slip-releasing` is relaxed otherwise).
            let most = self.allowed();
            let doubt = self.round_off() * d.iter().map(|d| d.abs()).sum::<f64>();
            if row.violation().0 <= doubt.min(most) {
                self.memory.rows[p].doubt = doubt.min(most);
                self.memory.d = d;
                return Step::Met;
            }
        }
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
        // Noise in a coefficient, as a length in units of the row's own: round-off, and for a row that
        // counts as dependent the part of it that was neglected to say so.
        let share = if candidate.dependent {
            DEPENDENT.sqrt()
        } else {
            1e-9
        };
        let noise = share * row.white.diag.sqrt();
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
            && candidate.schur - row.eps <= DEPENDENT * row.white.diag;
        if (stuck || wedge) && row.z == 0.0 && self.give_way(p, &d, noise) {
            self.memory.d = d;
            return Step::Blocked;
        }
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
            // A relaxed row gives way, so only one that depends on it too faintly to be moved by it is
            // stuck here.
            if leans_on_bounds && !self.relaxed {
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

    /// Row `p`, a violated normal or limit, lies in the span of the free rows with coefficients `d`:
    /// no impulse can move it. The tangential rows of the contact that pins it most, of those
    /// contacts that do not press, yield: they leave the problem and the contact may slip. False if
    /// there is none; a contact that presses never slips.
    fn give_way(&mut self, p: usize, d: &[f64], noise: f64) -> bool {
        if !self.yielding || self.memory.rows[p].kind != RowKind::Unilateral {
            return false;
        }
        let contact_rows = 3 * self.place.problem.contact_count();
        let own = self.memory.rows[p].row as usize;
        let zero = self.zero();
        let mut found = None;
        let mut most = noise;
        for (position, &i) in self.memory.active.iter().enumerate() {
            let i = i as usize;
            let row = self.memory.rows[i].row as usize;
            if row >= contact_rows || row.is_multiple_of(3) || row - row % 3 == own {
                continue;
            }
            let share = d[position].abs() * self.memory.basis.diag(position).sqrt();
            let first = i + 1 - row % 3;
            let normal = &self.memory.rows[first + 2];
            let presses = normal.state == RowState::Active && normal.z * normal.white.diag > zero;
            if share > most && !presses && !self.is_firm(first) {
                (most, found) = (share, Some(first));
            }
        }
        let Some(first) = found else { return false };
        for i in [first, first + 1] {
            if self.memory.rows[i].state == RowState::Active {
                self.drop_at(self.memory.rows[i].position as usize);
            }
            self.set_state(i, RowState::Yielded);
        }
        self.yielded = true;
        self.look_again();
        self.refine();
        true
    }

    /// What was dropped for its dependence on free rows may not depend on those that are left.
    pub(crate) fn look_again(&mut self) {
        for i in 0..self.memory.rows.len() {
            if self.memory.rows[i].state == RowState::Dropped {
                self.set_state(i, RowState::Out);
            }
        }
    }

    /// Whether the contact whose row s is `first` holds for good.
    pub(crate) fn is_firm(&self, first: usize) -> bool {
        self.memory.firm.contains(&(first as u32))
    }

    /// The same is said of it from now on.
    pub(crate) fn hold_for_good(&mut self, first: usize) {
        self.memory.firm.push(first as u32);
    }

    /// Takes back the tangential rows of contacts that yielded and press now, for good. False if
    /// there was none.
    pub(crate) fn hold_firm(&mut self) -> bool {
        if !self.yielded {
            return false;
        }
        let zero = self.zero();
        let mut changed = false;
        for first in 0..self.memory.rows.len().saturating_sub(2) {
            let normal = &self.memory.rows[first + 2];
            if self.memory.rows[first].state == RowState::Yielded
                && self.memory.rows[first].row == normal.row + 1
                && normal.state == RowState::Active
                && normal.z * normal.white.diag > zero
            {
                self.set_state(first, RowState::Out);
                self.set_state(first + 1, RowState::Out);
                self.hold_for_good(first);
                changed = true;
            }
        }
        changed
    }
}
