//! `drumwright-shell`: the impulses within the friction bounds that leave the least kinetic energy
//! \[DS\].
//!
//! ```text
//! min 1/2 v+^T M v+   over  f_n >= 0,  f within the polygons of mu f_n,
//! under  N v+ + b >= 0  (multipliers nu),   1^T N v+ <= kappa  (multiplier l)
//! ```
//! kappa is what separates in the frictionless answer, so that one is feasible and energy never
//! grows. With conveyors and drives the energy is that of the motion relative to what they ask for:
//! the gradient along a row is its slip. Optimality, with `u = v+ + P N^T (l 1 - nu)`:
//! ```text
//! 0 <= f_n  complementary to  u_n - C/h^2 nu - sum mu s >= 0
//! 0 <= f_d  complementary to  u_d - target + s >= 0
//! 0 <= s    complementary to  mu f_n - sum f_d >= 0
//! 0 <= nu   complementary to  N v+ + b + C/h^2 f_n >= 0
//! 0 <= l    complementary to  kappa - 1^T N v+ >= 0
//! ```
//! a monotone linear complementarity problem: Lemke's method and the interior-point method solve it.
//! The multipliers and the frictionless impulses are part of the answer, so the residual check needs no
//! solver.
//!
//! Unilateral rows that contradict each other have no frictionless answer; the exact cone answers then.

use super::Memory;
use super::matrix::impulses;
use super::variables::Bound;
use stickslip_core::kit::Effort;
use stickslip_core::kit::kernel::dot;
use stickslip_core::models::{ContactSolution, ModelSettings};
use stickslip_core::problem::IslandProblem;
use stickslip_core::report::SolverName;

impl Memory {
    /// Solves the frictionless problem, into `frictionless`, from its own part of the start.
    pub(super) fn without_friction(&mut self, settings: &ModelSettings) -> Effort {
        (self.matrix).assemble(&self.bare, &self.reduced, &self.given);
        let basis = &mut self.start[self.layout.variables.len()..];
        let (matrix, z) = (&self.matrix, &mut self.z);
        let effort = (self.solvers).solve(SolverName::Lemke, matrix, settings, basis, z);
        let (k, out) = (self.reduced.rows().len(), &mut self.frictionless);
        impulses(&self.bare, &self.z, &self.given, k, out);
        effort
    }

    /// Makes the polygon's matrix that of the least energy, whose multipliers' rows are the negated transposes of their
    /// columns: it is positive semidefinite. O(N^2).
    pub(super) fn add_multipliers(&mut self) {
        let (layout, k) = (&self.layout, self.reduced.rows().len());
        let (a, q) = (&mut self.matrix.a, &mut self.matrix.q);
        let (n, last) = (q.len(), q.len() - 1);
        // What separates in the frictionless answer beyond the free motion.
        let mut kappa = 0.0;
        for (i, nu) in layout.multipliers() {
            let row = &layout.variables[i];
            q[nu] = q[i];
            // Energy knows neither gap nor compliance.
            q[i] -= row.offset;
            a[i * n + i] -= row.softness;
            for (j, _) in layout
                .variables
                .iter()
                .enumerate()
                .filter(|(_, v)| v.acts())
            {
                let x = a[i * n + j];
                a[nu * n + j] += x;
                a[j * n + nu] -= x;
                if row.is_contact() {
                    a[last * n + j] -= x;
                    a[j * n + last] += x;
                }
            }
            a[nu * n + i] += row.softness;
            a[i * n + nu] -= row.softness;
            if row.is_contact() {
                kappa += dot(
                    &self.reduced.w()[row.place() * k..][..k],
                    &self.frictionless,
                );
            }
        }
        q[last] = kappa;
        for unit in &layout.units {
            let slip = unit.slip as usize;
            for i in unit.variables() {
                a[i * n + slip] = unit.weight;
            }
            if let Bound::Normal { variable, mu } = unit.bound {
                a[variable as usize * n + slip] = -unit.weight * mu;
            }
        }
    }

    /// Multipliers by row: nu of unilateral rows, l at the first tangent of every contact, and those of the
    /// bilateral rows that keep `u - v+` within what they allow.
    pub(super) fn write_multipliers(
        &mut self,
        place: IslandProblem<'_>,
        solution: &mut ContactSolution,
    ) {
        let l = self.z.last().copied().unwrap_or(0.0);
        self.tension.clear();
        self.tension.resize(self.reduced.rows().len(), 0.0);
        for (i, nu) in self.layout.multipliers() {
            let (row, nu) = (&self.layout.variables[i], self.z[nu]);
            self.tension[row.place()] = if row.is_contact() { l - nu } else { -nu };
        }
        self.reduced.respond(place, &self.tension);
        solution.multipliers.resize(place.problem.row_count(), 0.0);
        for row in place.rows() {
            solution.multipliers[row.0] = 0.0;
        }
        for (row, f) in self.reduced.responses() {
            solution.multipliers[row.0] = f;
        }
        for (i, nu) in self.layout.multipliers() {
            let variable = &self.layout.variables[i];
            let row = self.reduced.rows()[variable.place()];
            solution.multipliers[row.0] = self.z[nu];
            if variable.is_contact() {
                solution.multipliers[row.0 + 1] = l;
            }
        }
    }
}
