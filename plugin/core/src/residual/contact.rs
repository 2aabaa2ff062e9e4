//! One contact of an answer: what its model says about it, and its share of the momentum.

use super::law::Law;
use super::{Check, Phase, length, raise, unmet};
use crate::problem::RowId;
use crate::settings::ModelName;

impl Check<'_> {
    /// Checks a contact by its model's law.
    #[inline]
    pub(super) fn contact(&mut self, c: usize, law: Law) {
        let (problem, settings) = (self.problem, self.rules.settings);
        let contact = &problem.contacts()[c];
        let [v_n, v_s, v_t] = problem.contact_dots(c, &self.solution.v_plus);
        let f = [
            self.solution.f_n[c],
            self.solution.f_s[c],
            self.solution.f_t[c],
        ];
        let closed = settings.is_closed(contact);
        let [mut b, still] = settings.demands(problem, c);
        // What presses in any case, and what pressed before.
        let (mut floor, mut before) = (0.0, 0.0);
        if !matches!(self.phase, Phase::Whole) {
            if let Phase::Expansion(compression) = self.phase {
                before = compression[3 * c];
                if b != still {
                    floor = contact.restitution * before;
                }
            }
            b = still;
        }
        let mut w = v_n + b;
        if contact.compliance > 0.0 {
            w += settings.softness(contact, problem.h()) * (f[0] + before);
        }
        let slip = [
            v_s - contact.surface_velocity[0],
            v_t - contact.surface_velocity[1],
        ];
        let speed = length(slip);
        self.solution.slip[c] = speed;
        if closed {
            raise(&mut self.r.slip, speed);
        }
        let spin = if problem.spins().is_empty() {
            None
        } else {
            problem.spin_rows(c)
        };
        // Over exact cones a contact that closes during the step has friction too: it can't hold what it does not
        // touch, since its friction ends with its pressure.
        let has_friction = closed || matches!(self.rules.model, ModelName::Cone | ModelName::Ccp);
        if law == Law::Convex && has_friction {
            self.convex(c, spin, w, slip);
            self.take_impulses(c, spin);
            return;
        }
        if w < 0.0 {
            w = unmet(w, self.solution.unmet[3 * c], &mut self.r);
        }
        let pressure = self.unilateral(RowId(3 * c), f[0] - floor, w);
        match law {
            Law::Polygon(_) | Law::Cone
                if closed
                    && self.rules.model == ModelName::CoulombAcceleration
                    && contact.sliding_friction.is_some() =>
            {
                self.sliding(c);
            }
            Law::Hold => {
                self.held(c, closed, pressure, slip);
                self.no_spin(c, spin);
            }
            Law::Viscous if closed => self.viscous(c, slip, spin),
            Law::Polygon(_) | Law::Cone | Law::Convex if has_friction => {
                self.friction(c, spin, law, slip);
            }
            Law::Frictionless | Law::Viscous | Law::Polygon(_) | Law::Cone | Law::Convex => {
                self.untouched(c, spin)
            }
        }
        self.take_impulses(c, spin);
    }

    /// Counts a contact's impulses in the momentum balance.
    pub(super) fn take_impulses(&mut self, c: usize, spin: Option<[RowId; 3]>) {
        if self.is_made {
            return;
        }
        let s = &*self.solution;
        self.scratch
            .take_contact(self.problem, c, [s.f_n[c], s.f_s[c], s.f_t[c]]);
        if let Some(rows) = spin {
            for (row, f) in rows.into_iter().zip(self.solution.f_spin[c]) {
                self.scratch.take(self.problem.row(row), f);
            }
        }
    }

    /// Tangential rows that the model holds at zero.
    #[inline]
    fn held(&mut self, c: usize, closed: bool, mut pressure: f64, slip: [f64; 2]) {
        let model = self.rules.model;
        let f_n = self.solution.f_n[c];
        // A contact that does not press may have yielded.
        let yielded = model == ModelName::NoSlip && closed && !self.solution.held[c];
        if (model == ModelName::NoSlipReleasing || yielded) && f_n != 0.0 {
            pressure = f_n * self.scratch.diagonal(self.problem, RowId(3 * c));
        }
        // A releasing contact at the edge of pressing may be taken either way.
        let edge = 10.0 * self.rules.settings.tolerance * self.speed;
        let (holds, may_hold) = if model == ModelName::NoSlipReleasing {
            let kept = self.rules.release_failed && self.solution.held[c];
            let holds = closed && (pressure > edge || kept);
            (holds, closed && (f_n > 0.0 || kept))
        } else {
            (closed && !(yielded && pressure <= edge), closed && !yielded)
        };
        if holds {
            for (k, v) in slip.into_iter().enumerate() {
                let declared = self.solution.unmet[3 * c + 1 + k];
                let v = unmet(v, declared, &mut self.r);
                raise(&mut self.r.bilateral, v.abs());
            }
        }
        if !may_hold {
            self.untouched(c, None);
        }
    }

    /// No tangential impulse is allowed here.
    pub(super) fn untouched(&mut self, c: usize, spin: Option<[RowId; 3]>) {
        let f = [self.solution.f_s[c], self.solution.f_t[c]];
        let rows = [RowId(3 * c + 1), RowId(3 * c + 2)];
        self.none(rows.into_iter().zip(f));
        self.no_spin(c, spin);
    }

    /// No torsional or rolling impulse is.
    pub(super) fn no_spin(&mut self, c: usize, spin: Option<[RowId; 3]>) {
        let f = self.solution.f_spin[c];
        self.none(spin.into_iter().flatten().zip(f));
    }

    fn none(&mut self, impulses: impl Iterator<Item = (RowId, f64)>) {
        for (row, f) in impulses {
            if f != 0.0 {
                let d = self.scratch.diagonal(self.problem, row);
                raise(&mut self.r.cone, f.abs() * d);
            }
        }
    }
}
