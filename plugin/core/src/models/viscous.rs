//! Viscous friction, implicit at velocity level: a tangential impulse `f_s = -h mu_v (v_s+ - c_s)` at
//! every closed contact, whatever presses there, `c` the surface velocity. Written into the momentum
//! balance,
//! ```text
//! M^ (v+ - v^_free) = J^T f_j + N^T f_n,   M^ = M + h (S^T mu_v S + T^T mu_v T)
//! v^_free = v_free - M^^-1 h (S^T mu_v (S v_free - c_s) + T^T mu_v (T v_free - c_t))
//! ```
//! it is the frictionless problem with a larger mass: symmetric positive semidefinite, stable for
//! every h.
//!
//! An island may instead keep its mass and take every tangential row with the compliance
//! `1 / (h mu_v)`: `v_s+ + f_s / (h mu_v) = c_s`. A single body or robot with at least as many tangential rows as
//! coordinates is cheaper with them in its mass, whose factor is dense then; [`Damping`] holds the problem with these
//! masses. Everything else is `projected`'s.

use super::{DampingRoute, ModelSettings};
use crate::lcp::dense_bytes;
use crate::problem::{ContactProblem, Dense, Island, RowId};
use crate::tolerances::STIFF;

/// The islands whose friction is part of their mass.
#[derive(Clone, Debug, Default)]
pub(super) struct Damping {
    dense: Dense,
    /// By block.
    chosen: Vec<bool>,
    change: Vec<f64>,
}

/// `h mu_v` of a contact that is closed \[N s / (m/s)\], else 0.
#[inline]
pub(super) fn rate(settings: &ModelSettings, problem: &ContactProblem, contact: usize) -> f64 {
    let contact = &problem.contacts()[contact];
    if settings.is_closed(contact) {
        problem.h() * contact.mu_viscous
    } else {
        0.0
    }
}

/// The contacts of an island with friction.
fn rubbing<'a>(
    problem: &'a ContactProblem,
    settings: &'a ModelSettings,
    island: Island<'a>,
) -> impl Iterator<Item = usize> + 'a {
    (island.contacts()).filter(|&c| rate(settings, problem, c) > 0.0)
}

fn is_stiff(p: &ContactProblem, settings: &ModelSettings, island: Island<'_>) -> bool {
    rubbing(p, settings, island).any(|c| {
        let rate = rate(settings, p, c);
        [1, 2].into_iter().any(|k| {
            let row = p.row(RowId(3 * c + k));
            let scaled = row.iter().map(|(i, x)| x * p.inv_diag(i));
            rate * scaled.map(|x| x * x).sum::<f64>() > STIFF
        })
    })
}

impl Damping {
    /// Chooses the islands whose friction joins their mass and makes the problem with those masses; false if there is
    /// none. O(size of the problem + m^3 of those islands).
    pub(super) fn prepare(&mut self, source: &ContactProblem, settings: &ModelSettings) -> bool {
        self.chosen.clear();
        self.chosen.resize(source.block_count(), false);
        for island in source.islands() {
            if let [block] = *island.blocks {
                let dim = source.block(block as usize).dim();
                let joins = match settings.viscous.route {
                    DampingRoute::Cheapest => 2 * rubbing(source, settings, island).count() >= dim,
                    DampingRoute::Rows => false,
                    DampingRoute::Mass => true,
                };
                let fits = dense_bytes(1, dim) <= settings.budget.memory;
                self.chosen[block as usize] = joins && fits && !is_stiff(source, settings, island);
            }
        }
        if !self.chosen.contains(&true) {
            return false;
        }
        self.dense.build(source, &self.chosen);
        let (dense, chosen) = (&mut self.dense, &self.chosen);
        let chosen = |island: &Island<'_>| chosen[island.blocks[0] as usize];
        let islands = source.islands().filter(chosen);
        for c in islands.flat_map(|island| rubbing(source, settings, island)) {
            dense.add_tangents(c, rate(settings, source, c));
        }
        self.dense.factor(source);
        self.shift(settings);
        true
    }

    /// `v_free <- v^_free` of the damped blocks.
    fn shift(&mut self, settings: &ModelSettings) {
        let mut change = std::mem::take(&mut self.change);
        let p = self.problem();
        change.clear();
        change.resize(p.dim(), 0.0);
        for island in p.islands().filter(|&island| self.holds(island)) {
            for c in rubbing(p, settings, island) {
                let rate = rate(settings, p, c);
                let [_, v_s, v_t] = p.contact_dots(c, p.v_free());
                let [c_s, c_t] = p.contacts()[c].surface_velocity;
                let [s, t] = [1, 2].map(|k| p.row(RowId(3 * c + k)));
                s.add_to(-rate * (v_s - c_s), &mut change);
                t.add_to(-rate * (v_t - c_t), &mut change);
            }
            let block = p.block(island.blocks[0] as usize);
            let change = &mut change[block.range()];
            block.solve_lt(change);
            block.solve_l(change);
        }
        let v_free = self.dense.problem_mut().velocities_mut().1;
        for (v, d) in v_free.iter_mut().zip(&change) {
            *v += d;
        }
        self.change = change;
    }

    /// The problem with the larger masses.
    pub(super) fn problem(&self) -> &ContactProblem {
        self.dense.problem()
    }

    /// Whether the friction of an island is part of its mass.
    pub(super) fn holds(&self, island: Island<'_>) -> bool {
        self.dense.is_dense(island.blocks[0] as usize)
    }

    /// Whether a contact's friction is part of the mass.
    pub(super) fn has_friction(&self, contact: usize) -> bool {
        let block = self.problem().contact_group(contact).blocks[0];
        self.dense.is_dense(block as usize)
    }

    /// Reads the friction off an island whose mass holds it: `f_s = -h mu_v (S v+ - c_s)`, and the same for t.
    pub(super) fn friction(
        &self,
        island: Island<'_>,
        settings: &ModelSettings,
        v_plus: &[f64],
        f_s: &mut [f64],
        f_t: &mut [f64],
    ) {
        let p = self.problem();
        for c in rubbing(p, settings, island) {
            let rate = rate(settings, p, c);
            let [_, v_s, v_t] = p.contact_dots(c, v_plus);
            let [c_s, c_t] = p.contacts()[c].surface_velocity;
            f_s[c] = -rate * (v_s - c_s);
            f_t[c] = -rate * (v_t - c_t);
        }
    }
}
