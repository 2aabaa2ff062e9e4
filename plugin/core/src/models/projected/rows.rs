//! The rows of an island, and where each starts from.

use super::super::releasing::HELD;
use super::super::viscous;
use super::pivoting::{ACTIVE, HIGH, LOW, NORMAL, OFF, Pivoting, TANGENT_S, TANGENT_T};
use crate::lcp::{LcpRow, RowKind, RowState, System};
use crate::models::{ModelName, WarmStart};
use crate::problem::{RowId, ScalarKind};
use crate::rows::White;

impl Pivoting<'_> {
    /// All rows of the island, but for limits that did not act last time: most never do, so they only join the
    /// problem once the answer without them violates them. Not in the releasing form, whose rounds need all rows.
    pub(super) fn lay_out(
        &self,
        system: &mut System<'_>,
        warm: &WarmStart,
        (idle, plan): (&mut Vec<u32>, &mut Vec<u32>),
    ) {
        plan.clear();
        idle.clear();
        let (p, name) = (self.problem, self.context.name);
        let is_idle = |g: usize| {
            let Some(i) = g.checked_sub(p.contact_count()) else {
                return false;
            };
            let (key, kind) = p.scalars()[i];
            matches!(kind, ScalarKind::Unilateral { .. })
                && name != ModelName::NoSlipReleasing
                && warm.scalar(i, key).unwrap_or(0) == 0
        };
        for &g in system.island.groups {
            if is_idle(g as usize) {
                idle.push(g);
            } else {
                self.push_group(g as usize, warm, system, plan);
            }
        }
    }

    /// Appends the rows of a contact or scalar, and the states they had last time.
    pub(super) fn push_group(
        &self,
        g: usize,
        warm: &WarmStart,
        system: &mut System<'_>,
        plan: &mut Vec<u32>,
    ) {
        let (p, settings, name) = (self.problem, self.context.settings, self.context.name);
        let n = p.contact_count();
        let mut push =
            |(row, free): (usize, f64), kind, target: f64, (limit, eps): (f64, f64), start: u32| {
                let q = free - target;
                system.memory.rows.push(LcpRow {
                    row: row as u32,
                    kind,
                    state: if start == OFF {
                        RowState::Off
                    } else {
                        RowState::Out
                    },
                    whitened: false,
                    position: 0,
                    target,
                    limit,
                    eps,
                    softness: eps,
                    q,
                    z: 0.0,
                    doubt: 0.0,
                    visits: 0,
                    w: q,
                    white: White::default(),
                });
                plan.push(start);
            };
        if let Some(contact) = p.contacts().get(g) {
            let [n_free, s_free, t_free] = p.contact_dots(g, p.v_free());
            let [normal, tangent_s, tangent_t] =
                [(3 * g, n_free), (3 * g + 1, s_free), (3 * g + 2, t_free)];
            let known = warm.contact(g, contact.key);
            let bits = known.unwrap_or(0);
            let start = |bit: u32| if bits & bit != 0 { ACTIVE } else { 0 };
            let closed = settings.is_closed(contact);
            let [c_s, c_t] = contact.surface_velocity;
            if name == ModelName::Viscous {
                let rate = viscous::rate(settings, p, g);
                let in_mass = self.damping.is_some_and(|d| d.has_friction(g));
                // A reciprocal that overflows is friction too weak for any effect.
                let eps = 1.0 / rate;
                if !in_mass && eps.is_finite() {
                    // Without bounds they always act.
                    let start = if known.is_some() { ACTIVE } else { 0 };
                    push(tangent_s, RowKind::Free, c_s, (0.0, eps), start);
                    push(tangent_t, RowKind::Free, c_t, (0.0, eps), start);
                }
            } else if closed && name != ModelName::Frictionless {
                let off = name == ModelName::NoSlipReleasing
                    && !self.holds_all
                    && known.is_some_and(|bits| bits & HELD == 0);
                let [s, t] = [TANGENT_S, TANGENT_T].map(|b| if off { OFF } else { start(b) });
                push(tangent_s, RowKind::Free, c_s, (0.0, 0.0), s);
                push(tangent_t, RowKind::Free, c_t, (0.0, 0.0), t);
            }
            let [b, _] = settings.demands(p, g);
            let soft = settings.softness(contact, p.h());
            push(normal, RowKind::Unilateral, -b, (0.0, soft), start(NORMAL));
            return;
        }
        let (key, kind) = p.scalars()[g - n];
        let start = warm.scalar(g - n, key).unwrap_or(0);
        let row = 3 * n + (g - n);
        let row = (row, p.row(RowId(row)).dot(p.v_free()));
        match kind {
            ScalarKind::Bilateral { velocity } => {
                push(row, RowKind::Free, velocity, (0.0, 0.0), start);
            }
            ScalarKind::Unilateral { gap } => {
                let b = settings.gap_velocity(gap, p.h());
                push(row, RowKind::Unilateral, -b, (0.0, 0.0), start);
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => push(row, RowKind::Bounded, velocity, (limit, compliance), start),
        }
    }

    /// Puts the rows back where they were last time, in the order of the bodies.
    pub(super) fn recall(&self, system: &mut System<'_>, plan: &[u32]) {
        let contact_rows = 3 * self.problem.contact_count();
        let mut i = 0;
        while i < plan.len() {
            let row = system.memory.rows[i].row as usize;
            if row < contact_rows && row % 3 == 1 {
                let wanted = [0, 1, 2].map(|k| plan[i + k] == ACTIVE);
                if wanted == [true; 3] {
                    system.activate_contact(i);
                } else {
                    // One or two are cheaper apart.
                    for k in (0..3).filter(|&k| wanted[k]) {
                        system.activate(i + k);
                    }
                }
                i += 3;
                continue;
            }
            match plan[i] {
                ACTIVE => {
                    system.activate(i);
                }
                LOW => system.put_at_bound(i, RowState::AtLow),
                HIGH => system.put_at_bound(i, RowState::AtHigh),
                _ => {}
            }
            i += 1;
        }
    }
}
