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
//! `1 / (h mu_v)`: `v_s+ + f_s / (h mu_v) = c_s`. [`Damping`] decides by counting operations, and
//! holds the problem with the larger masses; everything else is `projected`'s.

use super::{DampingRoute, FEW, LARGE, ModelSettings};
use crate::lcp::dense_bytes;
use crate::problem::{ContactProblem, Island, Merged, NO_BLOCK, RowId, ScalarKind};

/// Largest `h mu_v D` (D the mobility of a contact along its tangents, about) that joins a mass. A factor of `M^` knows M
/// only to round-off of the friction's share, 1e-16 times this; with more, the momentum of the answer would be off by more
/// than what counts as solved.
const STIFF: f64 = 1e3;

/// The islands whose friction is part of their mass.
#[derive(Clone, Debug, Default)]
pub(super) struct Damping {
    merged: Merged,
    /// Whether an island of the source is merged.
    dense: Vec<bool>,
    /// First row on each block of the source, for the count of operations.
    first: Vec<u32>,
    /// `v_free` of the source in the merged problem's coordinates.
    free: Vec<f64>,
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

fn is_stiff(p: &ContactProblem, settings: &ModelSettings, island: Island<'_>) -> bool {
    let contacts = island.groups.iter().map(|&g| g as usize);
    let mut contacts = contacts.filter(|&g| g < p.contact_count());
    contacts.any(|c| {
        let rate = rate(settings, p, c);
        rate > 0.0
            && [1, 2].into_iter().any(|k| {
                let row = p.row(RowId(3 * c + k));
                let scaled = row.iter().map(|(i, x)| x * p.inv_diag(i));
                rate * scaled.map(|x| x * x).sum::<f64>() > STIFF
            })
    })
}

impl Damping {
    /// Chooses the islands that are cheaper with their friction in the mass and makes the problem
    /// with those masses; false if there is none. O(size of the problem + m^3 of those islands).
    pub(super) fn prepare(&mut self, source: &ContactProblem, settings: &ModelSettings) -> bool {
        self.dense.clear();
        self.first.clear();
        self.first.resize(source.block_count(), u32::MAX);
        for island in source.islands() {
            let blocks = island.blocks.iter().map(|&b| b as usize);
            let dim = blocks.map(|b| source.block(b).dim()).sum();
            let fits = (island.groups.len() <= LARGE || dim <= FEW)
                && !is_stiff(source, settings, island)
                && dense_bytes(1, dim) <= settings.budget.memory;
            let dense = match settings.viscous.route {
                DampingRoute::Cheapest => self.is_cheaper(source, settings, island),
                DampingRoute::Rows => false,
                DampingRoute::Mass => true,
            };
            self.dense.push(fits && dense);
        }
        while self.dense.contains(&true) {
            if self.enlarge(source, settings) {
                self.shift(settings);
                return true;
            }
        }
        false
    }

    /// Whether the island costs fewer operations with its friction in the mass. As rows, each tangent
    /// costs a substitution in a factor as wide as the rows before it on its blocks, and each
    /// normal that comes to press one through all of the factor; in the mass, the tangents cost
    /// their outer products, and each row that acts a whitening over all coordinates.
    fn is_cheaper(
        &mut self,
        p: &ContactProblem,
        settings: &ModelSettings,
        island: Island<'_>,
    ) -> bool {
        let blocks = island.blocks.iter().map(|&b| b as usize);
        let dim: usize = blocks.map(|b| p.block(b).dim()).sum();
        let (mut rows, mut tangents, mut normals) = (0_u32, 0_usize, 0_usize);
        let (mut envelope, mut by_rows, mut outer) = (0.0, 0.0, 0.0);
        for &g in island.groups {
            let g = g as usize;
            let (group, count) = match g.checked_sub(p.contact_count()) {
                None => {
                    normals += 1;
                    let has_friction = rate(settings, p, g) > 0.0;
                    (p.contact_group(g), if has_friction { 2 } else { 0 })
                }
                Some(i) => {
                    let (group, _) = p.group_of(p.scalar_row(i));
                    let held = matches!(p.scalars()[i].1, ScalarKind::Bilateral { .. });
                    (group, u32::from(held))
                }
            };
            if count == 0 {
                continue;
            }
            let mut first = rows;
            for b in group.blocks {
                if b != NO_BLOCK {
                    let known = &mut self.first[b as usize];
                    *known = (*known).min(rows);
                    first = first.min(*known);
                }
            }
            let width = f64::from(rows - first + 1);
            let nnz = f64::from(group.nnz);
            envelope += f64::from(count) * width;
            by_rows += f64::from(count) * (width * width + width * nnz + nnz * nnz);
            if g < p.contact_count() {
                tangents += 1;
                outer += nnz * nnz;
            }
            rows += count;
        }
        if tangents == 0 {
            return false;
        }
        let m = dim as f64;
        let pressing = normals.min(dim) as f64;
        by_rows += pressing * envelope;
        let held = rows as f64 - 2.0 * tangents as f64;
        let by_mass = outer + m * m * m / 3.0 + (pressing + held) * m * m;
        by_mass < by_rows
    }

    /// Merges the chosen islands and factors their larger masses. An island whose mass can't be
    /// factored is given up: false then.
    fn enlarge(&mut self, source: &ContactProblem, settings: &ModelSettings) -> bool {
        self.merged.build(source, &self.dense);
        let islands = source.islands();
        for (island, _) in islands.zip(&self.dense).filter(|&(_, &dense)| dense) {
            for &c in island.groups {
                let c = c as usize;
                if c < source.contact_count() {
                    let rate = rate(settings, source, c);
                    if rate > 0.0 {
                        self.merged.add_tangents(c, rate);
                    }
                }
            }
        }
        let mut sound = true;
        for (island, dense) in source.islands().zip(&mut self.dense) {
            if *dense {
                let block = self.merged.block_of(island.blocks[0] as usize);
                *dense = self.merged.factor(block);
                sound &= *dense;
            }
        }
        self.free.clear();
        self.free.extend_from_slice(self.merged.problem().v_free());
        sound
    }

    /// `v_free <- v^_free` in the merged blocks.
    fn shift(&mut self, settings: &ModelSettings) {
        let p = self.merged.problem();
        self.change.clear();
        self.change.resize(p.dim(), 0.0);
        for c in 0..p.contact_count() {
            let rate = rate(settings, p, c);
            if rate > 0.0 && self.merged.is_dense(p.contact_group(c).blocks[0] as usize) {
                let [_, v_s, v_t] = p.contact_dots(c, p.v_free());
                let [c_s, c_t] = p.contacts()[c].surface_velocity;
                let [s, t] = [1, 2].map(|k| p.row(RowId(3 * c + k)));
                s.add_to(-rate * (v_s - c_s), &mut self.change);
                t.add_to(-rate * (v_t - c_t), &mut self.change);
            }
        }
        for b in (0..p.block_count()).filter(|&b| self.merged.is_dense(b)) {
            let block = p.block(b);
            let change = &mut self.change[block.range()];
            block.solve_lt(change);
            block.solve_l(change);
        }
        let v_free = self.merged.problem_mut().velocities_mut().1;
        for (v, d) in v_free.iter_mut().zip(&self.change) {
            *v += d;
        }
    }

    /// The problem with the larger masses.
    pub(super) fn problem(&self) -> &ContactProblem {
        self.merged.problem()
    }

    /// Whether the friction of an island of [`Self::problem`] is part of its mass.
    pub(super) fn holds(&self, island: Island<'_>) -> bool {
        self.merged.is_dense(island.blocks[0] as usize)
    }

    /// Whether a contact's friction is part of the mass.
    pub(super) fn has_friction(&self, contact: usize) -> bool {
        let block = self.problem().contact_group(contact).blocks[0];
        self.merged.is_dense(block as usize)
    }

    /// This problem's coordinate of one of the source.
    pub(super) fn coordinate(&self, source: usize) -> usize {
        self.merged.coordinate(source)
    }

    /// Reads the friction off an island whose mass holds it: `f_s = -h mu_v (S v+ - c_s)`, and the same for t.
    pub(super) fn friction(
        &self,
        island: Island<'_>,
        settings: &ModelSettings,
        v_plus: &[f64],
        (f_s, f_t): (&mut [f64], &mut [f64]),
    ) {
        let p = self.problem();
        let contacts = island.groups.iter().map(|&g| g as usize);
        for c in contacts.filter(|&g| g < p.contact_count()) {
            let rate = rate(settings, p, c);
            if rate > 0.0 {
                let [_, v_s, v_t] = p.contact_dots(c, v_plus);
                let [c_s, c_t] = p.contacts()[c].surface_velocity;
                f_s[c] = -rate * (v_s - c_s);
                f_t[c] = -rate * (v_t - c_t);
            }
        }
    }
}
