//! The rows of an island, and where each starts from.

use super::super::viscous;
use super::pivoting::{ACTIVE, HIGH, LOW, NORMAL, Pivoting, TANGENT_S, TANGENT_T};
use crate::lcp::{LcpRow, RowKind, RowState, System};
use crate::models::{ModelName, WarmStart};
use crate::problem::{GroupId, ScalarKind};
use crate::warm::HELD;

/// The states in which rows of a contact start.
fn started(bits: u32, own: u32) -> RowState {
    match bits & own {
        0 => RowState::Out,
        _ => RowState::Active,
    }
}

impl Pivoting<'_> {
    /// Appends the rows of the island, and the states they had last time.
    pub(super) fn lay_out(&self, system: &mut System<'_>, warm: &WarmStart) {
        for &g in system.place.island.groups {
            match g {
                GroupId::Contact(c) => self.push_contact(c.0, warm, system),
                GroupId::Scalar(s) => self.push_scalar(s.0, warm, system),
            }
        }
    }

    fn push_contact(&self, c: usize, warm: &WarmStart, system: &mut System<'_>) {
        let (p, settings, name) = (self.problem, self.context.settings, self.context.name);
        let contact = &p.contacts()[c];
        let free = p.contact_dots(c, p.v_free());
        let known = warm.contact(c, contact.key);
        let bits = known.unwrap_or(0);
        let mut tangents = |eps: f64, starts: [RowState; 2]| {
            for k in [1, 2] {
                let target = contact.surface_velocity[k - 1];
                let row = LcpRow::new(3 * c + k, free[k], RowKind::Free, target);
                let start = starts[k - 1];
                system.memory.rows.push(row.soft(eps).starting(start));
            }
        };
        if name == ModelName::Viscous {
            let in_mass = self.damping.is_some_and(|d| d.has_friction(c));
            // A reciprocal that overflows is friction too weak for any effect.
            let eps = 1.0 / viscous::rate(settings, p, c);
            if !in_mass && eps.is_finite() {
                // Without bounds they always act.
                tangents(eps, [started(u32::from(known.is_some()), 1); 2]);
            }
        } else if settings.is_closed(contact) && name != ModelName::Frictionless {
            let is_off = name == ModelName::NoSlipReleasing
                && !self.holds_all
                && known.is_some_and(|bits| bits & HELD == 0);
            let starts = [TANGENT_S, TANGENT_T].map(|own| match is_off {
                true => RowState::Off,
                false => started(bits, own),
            });
            tangents(0.0, starts);
        }
        let [b, _] = settings.demands(p, c);
        let normal = LcpRow::new(3 * c, free[0], RowKind::Unilateral, -b);
        let normal = normal.soft(settings.softness(contact, p.h()));
        let start = started(bits, NORMAL);
        system.memory.rows.push(normal.starting(start));
    }

    fn push_scalar(&self, scalar: usize, warm: &WarmStart, system: &mut System<'_>) {
        let p = self.problem;
        let (key, kind) = p.scalars()[scalar];
        let start = match warm.scalar(scalar, key).unwrap_or(0) {
            ACTIVE => RowState::Active,
            LOW => RowState::AtLow,
            HIGH => RowState::AtHigh,
            _ => RowState::Out,
        };
        let row = p.scalar_row(scalar);
        let free = p.row(row).dot(p.v_free());
        let row = match kind {
            ScalarKind::Bilateral { velocity } => LcpRow::new(row.0, free, RowKind::Free, velocity),
            ScalarKind::Unilateral { gap } => {
                let b = self.context.settings.gap_velocity(gap, p.h());
                LcpRow::new(row.0, free, RowKind::Unilateral, -b)
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => LcpRow {
                limit,
                ..LcpRow::new(row.0, free, RowKind::Bounded, velocity).soft(compliance)
            },
        };
        system.memory.rows.push(row.starting(start));
    }

    /// Puts the rows back where they were last time, in the order of the bodies.
    pub(super) fn start_from_last(&self, system: &mut System<'_>) {
        for i in 0..system.memory.rows.len() {
            match system.memory.rows[i].start {
                RowState::Active => {
                    system.activate(i);
                }
                start @ (RowState::AtLow | RowState::AtHigh) => system.put_at_bound(i, start),
                _ => {}
            }
        }
    }
}
