//! Whether the total friction cone of an island is pointed.
//!
//! The cone holds the generalized forces `sum_i n_i l_n,i + D_i l_f,i` that closed contacts can exert
//! on the movable bodies, bilateral rows and reached limits adding theirs. It is pointed if no forces
//! but zero balance each other; then the problem of the quasi-static step has a solution whatever the
//! loads \[G\]. If it is not, bodies are wedged: forces of any size are in balance.
//!
//! Decided by the distance of the origin from the hull of the generators `g_k` (the corners of the
//! polygons' cones, of length 1): it is positive exactly when the cone is pointed, and comes out of
//! one nonnegative least-squares problem, `min |sum g_k x_k|^2 + (1 - sum x_k)^2` over `x >= 0`, whose smallest
//! value is `d^2 / (1 + d^2)`. Its optimality conditions are a complementarity problem with the matrix `G^T G` of the
//! columns `(g_k, 1)`, positive semidefinite; generators of bilateral rows and limits have a 0 in place of the 1.

use crate::lcp::{Lcp, LcpSolver, Lemke, Limits, Start};
use stickslip_core::kit::corner;
use stickslip_core::kit::kernel::{axpy, dot};
use stickslip_core::kit::max_abs;
use stickslip_core::kit::{Derived, dense_bytes};
use stickslip_core::models::ModelSettings;
use stickslip_core::problem::{ContactProblem, GroupId, Island, RowId, RowView, ScalarKind};

/// Distance up to which the origin lies in the hull of the generators: round-off of a least-squares
/// solve with a condition of 1e6.
const TOUCHING: f64 = 1e-9;

/// Share of the largest force below which a contact is not involved.
const INVOLVED: f64 = 1e-9;

/// What [`pointedness`] says of an island.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointedness {
    /// No contact forces but zero balance each other.
    Pointed,
    /// Contact forces of any size balance each other.
    Jammed {
        /// The contacts of one such balance, ascending; without any one of them the others do not
        /// balance.
        contacts: Vec<usize>,
    },
}

/// Whether the total friction cone of an island is pointed \[G\], see [`Pointedness`]; friction bounded
/// by the polygon of the settings, at closed contacts. Cost O(m k^2) for k generators, n d of the contacts, and m
/// coordinates, and O(k^2) per pivot.
pub fn pointedness(
    problem: &ContactProblem,
    settings: &ModelSettings,
    island: Island<'_>,
) -> Pointedness {
    let mut memory = Memory::default();
    if memory.is_pointed(problem, settings, island) {
        return Pointedness::Pointed;
    }
    // Contacts without which there is still a balance are not involved.
    let mut kept: Vec<u32> = island.contacts().map(|c| c as u32).collect();
    kept.sort_unstable();
    let mut next = kept.len();
    while next > 0 {
        next -= 1;
        let others: Vec<u32> = kept.iter().copied().filter(|&c| c != kept[next]).collect();
        if memory.balances(problem, settings, island, Some(&others)) {
            kept.clone_from(&memory.contacts);
            next = next.min(kept.len());
        }
    }
    let contacts = kept.iter().map(|&c| c as usize).collect();
    Pointedness::Jammed { contacts }
}

/// Memory of the check.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// The columns `(g_k, 1)`, one after the other.
    columns: Vec<f64>,
    a: Vec<f64>,
    q: Vec<f64>,
    x: Vec<f64>,
    /// What of `(0, 1)` the columns leave.
    left: Vec<f64>,
    lemke: Lemke,
    /// The contact of every generator, or none.
    owners: Vec<u32>,
    /// The coordinates in the island's own numbering.
    local: Vec<usize>,
    generator: Vec<f64>,
    /// The contacts of the balance last found, ascending.
    pub(super) contacts: Vec<u32>,
}

const NOBODY: u32 = u32::MAX;

impl Memory {
    /// Whether the cone is pointed; if not, `contacts` are those of a balance. An island whose matrices would not fit the
    /// budget is taken for pointed.
    pub(super) fn is_pointed(
        &mut self,
        problem: &ContactProblem,
        settings: &ModelSettings,
        island: Island<'_>,
    ) -> bool {
        !self.balances(problem, settings, island, None)
    }

    /// Whether forces of the contacts (of these only, if given, ascending) balance each other.
    fn balances(
        &mut self,
        problem: &ContactProblem,
        settings: &ModelSettings,
        island: Island<'_>,
        only: Option<&[u32]>,
    ) -> bool {
        self.contacts.clear();
        self.begin(problem, island);
        let is_left_out = |c: u32| only.is_some_and(|only| only.binary_search(&c).is_err());
        for &g in island.groups {
            match g {
                GroupId::Contact(c) if is_left_out(c.0 as u32) => {}
                GroupId::Contact(c) => self.contact(problem, settings, c.0),
                GroupId::Scalar(s) => self.scalar(problem, settings, s.0),
            }
        }
        let is_large = dense_bytes(3, self.owners.len()) > settings.budget.memory;
        if is_large || self.owners.iter().all(|&owner| owner == NOBODY) {
            return false;
        }
        let left = self.least();
        if left.is_nan() || left > TOUCHING {
            return false;
        }
        let forces = self.x.iter().zip(&self.owners);
        let largest = max_abs(&self.x);
        let pressing = forces.filter(|&(&x, &owner)| owner != NOBODY && x > INVOLVED * largest);
        self.contacts.extend(pressing.map(|(_, &owner)| owner));
        self.contacts.sort_unstable();
        self.contacts.dedup();
        true
    }

    fn begin(&mut self, problem: &ContactProblem, island: Island<'_>) {
        self.owners.clear();
        self.local.resize(problem.dim(), 0);
        let blocks = island.blocks.iter();
        let mut m = 0;
        for coordinate in blocks.flat_map(|&b| problem.block(b as usize).range()) {
            self.local[coordinate] = m;
            m += 1;
        }
        self.columns.clear();
        self.left.clear();
        self.left.resize(m + 1, 0.0);
    }

    /// Solves the least-squares problem for `x`; returns the root of its smallest value.
    fn least(&mut self) -> f64 {
        let m = self.left.len() - 1;
        let columns = || self.columns.chunks_exact(m + 1);
        self.a.clear();
        (self.a).extend(columns().flat_map(|g| columns().map(|h| dot(g, h))));
        self.q.clear();
        self.q.extend(columns().map(|g| -g[m]));
        let Ok(lcp) = Lcp::new(&self.a, &self.q) else {
            return f64::NAN;
        };
        (self.lemke).solve(lcp, &Limits::default(), Start::Cold, &mut self.x);
        self.left.fill(0.0);
        self.left[m] = 1.0;
        for (g, x) in self.columns.chunks_exact(m + 1).zip(&self.x) {
            axpy(&mut self.left, -x, g);
        }
        dot(&self.left, &self.left).sqrt()
    }

    /// Adds `share` times a row to the generator, in the island's coordinates, each divided by the
    /// root of its own inertia so that metres and radians weigh alike.
    fn add(&mut self, problem: &ContactProblem, row: RowView<'_>, share: f64) {
        if share == 0.0 {
            return;
        }
        for (coordinate, value) in row.iter() {
            self.generator[self.local[coordinate]] += share * value * problem.inv_diag(coordinate);
        }
    }

    fn clear(&mut self) {
        self.generator.clear();
        self.generator.resize(self.left.len() - 1, 0.0);
    }

    /// Hands the generator over, `owner` being the contact it belongs to. One that acts on nothing is
    /// no force.
    fn push(&mut self, owner: u32) {
        let length = self.generator.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            return;
        }
        (self.columns).extend(self.generator.iter().map(|g| g / length));
        self.columns.push(if owner == NOBODY { 0.0 } else { 1.0 });
        self.owners.push(owner);
    }

    fn contact(&mut self, problem: &ContactProblem, settings: &ModelSettings, c: usize) {
        let contact = &problem.contacts()[c];
        if !settings.is_closed(contact) {
            return;
        }
        let mu = contact.friction();
        let corners = settings.polygon.directions;
        let count = if mu == [0.0; 2] { 1 } else { corners };
        for k in 0..count {
            let [s, t] = corner(k, corners);
            self.clear();
            self.add(problem, problem.row(RowId(3 * c)), 1.0);
            self.add(problem, problem.row(RowId(3 * c + 1)), mu[0] * s);
            self.add(problem, problem.row(RowId(3 * c + 2)), mu[1] * t);
            self.push(c as u32);
        }
    }

    fn scalar(&mut self, problem: &ContactProblem, settings: &ModelSettings, scalar: usize) {
        let row = problem.row(problem.scalar_row(scalar));
        let signs: &[f64] = match problem.scalars()[scalar].1 {
            ScalarKind::Bilateral { .. } => &[1.0, -1.0],
            ScalarKind::Unilateral { gap } if gap <= settings.closed_tolerance => &[1.0],
            _ => &[],
        };
        for &sign in signs {
            self.clear();
            self.add(problem, row, sign);
            self.push(NOBODY);
        }
    }
}
