//! The answer of a solve.

use crate::problem::{ContactProblem, Island, IslandProblem, Part, RowId};
use crate::report::IslandAnswer;

/// Impulses and velocities of one solve, with the signs of [`ContactProblem`]: impulses act on body 1. The vectors are resized, so they allocate only while the
/// problem grows beyond what they have held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactSolution {
    /// Velocity at the end of the step (m).
    pub v_plus: Vec<f64>,
    /// Impulse along each contact's normal [N s] (n), >= 0.
    pub f_n: Vec<f64>,
    /// Impulse along each contact's tangent s [N s] (n).
    pub f_s: Vec<f64>,
    /// Impulse along each contact's tangent t [N s] (n).
    pub f_t: Vec<f64>,
    /// Impulse of each scalar row [N s or N m s].
    pub f_scalar: Vec<f64>,
    /// Torsional impulse about n and rolling impulses about s and t of each contact \[N m s\] (n);
    /// zero without spin rows.
    pub f_spin: Vec<[f64; 3]>,
    /// Tangential speed of each contact at the end of the step, surface velocity taken off [m/s]
    /// (n).
    pub slip: Vec<f64>,
    /// Whether each contact's tangential rows were held (n).
    pub held: Vec<bool>,
    /// Blocks of the problem whose island moves by the exact cone, since its model had no answer for it.
    pub exact_cone: Vec<bool>,
    /// How each island of the problem was answered, in the order of [`ContactProblem::islands`].
    pub islands: Vec<IslandAnswer>,
    /// Rows of the problem ([`crate::problem::RowId`]) that the solve declares it could not meet,
    /// because they contradict others: they hold in the least-squares sense at best.
    pub unmet: Vec<bool>,
    /// Impulses of the compression by row ([`crate::problem::RowId`]) where bounces follow Poisson's
    /// law, as part of the impulses above; empty elsewhere.
    pub compression: Vec<f64>,
    /// Impulses by row of the frictionless answer that `drumwright-shell` measures itself against;
    /// empty elsewhere.
    pub frictionless: Vec<f64>,
    /// Multipliers by row that prove the optimality of `drumwright-shell`: of the gap conditions at
    /// normals and limits, of the separation bound at first tangents, of what holds bilateral rows;
    /// empty elsewhere.
    pub multipliers: Vec<f64>,
}

impl ContactSolution {
    /// Shapes the solution for a problem: `v_plus = v_free`, no impulse.
    pub fn reset(&mut self, problem: &ContactProblem) {
        self.v_plus.clear();
        self.v_plus.extend_from_slice(problem.v_free());
        let n = problem.contact_count();
        for x in [&mut self.f_n, &mut self.f_s, &mut self.f_t, &mut self.slip] {
            refill(x, n);
        }
        refill(&mut self.f_spin, n);
        refill(&mut self.held, n);
        refill(&mut self.exact_cone, problem.block_count());
        refill(&mut self.islands, problem.island_count());
        refill(&mut self.unmet, problem.row_count());
        refill(&mut self.f_scalar, problem.scalar_count());
        for x in self.by_row() {
            x.clear();
        }
    }

    /// Takes over the answer of an island from another solution of the same problem. The slip is
    /// read off at the end of a solve.
    pub(crate) fn adopt(&mut self, other: &Self, place: IslandProblem<'_>) {
        for (block, &b) in place.blocks().zip(place.island.blocks) {
            let range = block.range();
            self.v_plus[range.clone()].copy_from_slice(&other.v_plus[range]);
            self.exact_cone[b as usize] = other.exact_cone[b as usize];
        }
        for s in place.scalars() {
            self.f_scalar[s] = other.f_scalar[s];
        }
        for c in place.contacts() {
            self.f_n[c] = other.f_n[c];
            self.f_s[c] = other.f_s[c];
            self.f_t[c] = other.f_t[c];
            self.f_spin[c] = other.f_spin[c];
            self.slip[c] = other.slip[c];
            self.held[c] = other.held[c];
        }
        let lists = [&other.compression, &other.frictionless, &other.multipliers];
        for row in place.rows() {
            self.unmet[row.0] = other.unmet[row.0];
        }
        for (to, from) in self.by_row().into_iter().zip(lists) {
            if !from.is_empty() {
                to.resize(from.len(), 0.0);
                for row in place.rows() {
                    to[row.0] = from[row.0];
                }
            }
        }
    }

    /// Takes over velocities, impulses and held contacts of the answer to a part of a problem.
    pub(crate) fn adopt_part(
        &mut self,
        answer: &Self,
        problem: &ContactProblem,
        small: &ContactProblem,
        part: &Part,
    ) {
        for (n, &b) in part.blocks.iter().enumerate() {
            let [to, from] = [problem.block(b as usize), small.block(n)].map(|b| b.range());
            self.v_plus[to].copy_from_slice(&answer.v_plus[from]);
        }
        for (n, &c) in part.contacts.iter().enumerate() {
            let c = c as usize;
            self.f_n[c] = answer.f_n[n];
            self.f_s[c] = answer.f_s[n];
            self.f_t[c] = answer.f_t[n];
            self.f_spin[c] = answer.f_spin[n];
            self.held[c] = answer.held[n];
        }
        for (n, &s) in part.scalars.iter().enumerate() {
            self.f_scalar[s as usize] = answer.f_scalar[n];
        }
    }

    /// Takes over velocities and normal impulses of an answer to a problem that this is the answer to a part of.
    pub(crate) fn take_from(
        &mut self,
        whole: &Self,
        problem: &ContactProblem,
        small: &ContactProblem,
        part: &Part,
    ) {
        for (n, &b) in part.blocks.iter().enumerate() {
            let [from, to] = [problem.block(b as usize), small.block(n)].map(|b| b.range());
            self.v_plus[to].copy_from_slice(&whole.v_plus[from]);
        }
        for (f_n, &c) in self.f_n.iter_mut().zip(&part.contacts) {
            *f_n = whole.f_n[c as usize];
        }
    }

    /// Whether the exact cone answers for an island.
    pub(crate) fn is_exact_cone(&self, island: Island<'_>) -> bool {
        let first = island.blocks.first();
        first.is_some_and(|&b| self.exact_cone.get(b as usize) == Some(&true))
    }

    /// The lists by row that only some models fill.
    pub(crate) fn by_row(&mut self) -> [&mut Vec<f64>; 3] {
        [
            &mut self.compression,
            &mut self.frictionless,
            &mut self.multipliers,
        ]
    }

    /// Where the answer keeps a row's impulse.
    pub(crate) fn impulse_mut(&mut self, problem: &ContactProblem, row: RowId) -> &mut f64 {
        let contact_rows = 3 * problem.contact_count();
        let Some(rest) = row.0.checked_sub(contact_rows) else {
            let c = row.0 / 3;
            return match row.0 % 3 {
                0 => &mut self.f_n[c],
                1 => &mut self.f_s[c],
                _ => &mut self.f_t[c],
            };
        };
        match rest.checked_sub(problem.scalar_count()) {
            None => &mut self.f_scalar[rest],
            Some(spin) => {
                let c = problem.spins()[spin / 3] as usize;
                &mut self.f_spin[c][spin % 3]
            }
        }
    }
}

fn refill<T: Clone + Default>(list: &mut Vec<T>, n: usize) {
    list.clear();
    list.resize(n, T::default());
}
