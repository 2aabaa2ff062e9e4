//! All solutions of a small problem, basis by basis.

use super::{Lcp, Lemke, Limits, Start, zeroed};
use crate::factor::Lu;
use crate::lcp::nnls::Nnls;
use crate::report::SolveStatus;

/// Most pairs decided by enumeration: 4096 bases.
pub const MAX_DECIDED: usize = 12;

/// Residual below which a basis is too near a solution to be ruled out.
const NEAR: f64 = 1e-6;

/// Whether every complementary basis was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// Every one was: a basic solution that was not visited does not exist.
    Complete,
    /// Pairs that were not enumerated were left to Lemke's method, which finds one solution of
    /// possibly several for each choice, or none although there is one; or a basis missed being a
    /// solution by so little that round-off may be the reason.
    Partial,
}

/// Looks for the solutions of a problem by trying, for some of its pairs, every choice of which of
/// `z_i` and `w_i` is zero. For matrices of no known class, whose problems may have no solution or
/// several.
///
/// Each choice S of pairs with `w_i = 0` leaves a linear system for `z_S` (LU; where it is singular,
/// nonnegative least squares decide whether it has a solution with `z >= 0` and `w >= 0`), and a
/// smaller problem in the other pairs, for Lemke's method. 2^k of them for k enumerated pairs,
/// `O(n^3)` each.
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    lu: Lu,
    lemke: Lemke,
    nnls: Nnls,
    chosen: Vec<usize>,
    rest: Vec<usize>,
    /// `A_SS^-1 A_SR`, column by column, and `A_SS^-1 q_S` last.
    solved: Vec<f64>,
    a: Vec<f64>,
    q: Vec<f64>,
    z_rest: Vec<f64>,
    z: Vec<f64>,
}

impl Enumeration {
    /// Calls `visit` with every solution found, enumerating the pairs `decided` (the first
    /// [`MAX_DECIDED`] of them). The same solution may come more than once, by different bases.
    pub fn run(
        &mut self,
        lcp: Lcp,
        decided: &[usize],
        limits: &Limits,
        mut visit: impl FnMut(&[f64]),
    ) -> Coverage {
        let decided = &decided[..decided.len().min(MAX_DECIDED)];
        self.rest.clear();
        (self.rest).extend((0..lcp.dim()).filter(|i| !decided.contains(i)));
        let mut near = false;
        for choice in 0..1_usize << decided.len() {
            self.chosen.clear();
            let bits = decided.iter().enumerate();
            (self.chosen).extend(
                bits.filter(|(bit, _)| choice >> bit & 1 == 1)
                    .map(|(_, &i)| i),
            );
            if self.attempt(lcp, limits) {
                for z in &mut self.z {
                    *z = z.max(0.0);
                }
                let (residual, status) = lcp.check(&self.z);
                if status == SolveStatus::Solved {
                    visit(&self.z);
                } else {
                    near |= residual < NEAR;
                }
            }
        }
        if self.rest.is_empty() && !near {
            Coverage::Complete
        } else {
            Coverage::Partial
        }
    }

    /// The solution with `w = 0` on the chosen pairs and `z = 0` on the other decided ones, into
    /// `z`; false if none is found. Signs are left to the residual check.
    fn attempt(&mut self, lcp: Lcp, limits: &Limits) -> bool {
        let n = lcp.dim();
        let (s, r) = (self.chosen.len(), self.rest.len());
        let chosen = &self.chosen;
        let entry = |a: usize, b: usize| lcp.a()[chosen[a] * n + chosen[b]];
        if s > 0 && self.lu.factor(s, 1e-13, entry).is_err() {
            return r == 0 && self.feasible(lcp);
        }
        self.solved.clear();
        for at in 0..r {
            let j = self.rest[at];
            let start = self.solved.len();
            (self.solved).extend(self.chosen.iter().map(|&i| lcp.a()[i * n + j]));
            self.solve(start, s);
        }
        let start = self.solved.len();
        (self.solved).extend(self.chosen.iter().map(|&i| lcp.q()[i]));
        self.solve(start, s);
        zeroed(&mut self.z, n);
        if r > 0 && !self.solve_rest(lcp, limits) {
            return false;
        }
        for (at, &i) in self.chosen.iter().enumerate() {
            let mut z = -self.solved[r * s + at];
            for (column, &z_j) in self.z_rest.iter().take(r).enumerate() {
                z -= self.solved[column * s + at] * z_j;
            }
            self.z[i] = z;
        }
        for (&j, &z) in self.rest.iter().zip(&self.z_rest) {
            self.z[j] = z;
        }
        true
    }

    fn solve(&mut self, start: usize, len: usize) {
        if len > 0 {
            self.lu.solve(&mut self.solved[start..start + len]);
        }
    }

    /// The problem of the other pairs with the chosen ones eliminated.
    fn solve_rest(&mut self, lcp: Lcp, limits: &Limits) -> bool {
        let n = lcp.dim();
        let (s, r) = (self.chosen.len(), self.rest.len());
        self.a.clear();
        self.q.clear();
        for &i in &self.rest {
            let row = &lcp.a()[i * n..(i + 1) * n];
            let through = |column: usize| -> f64 {
                let solved = &self.solved[column * s..(column + 1) * s];
                let pairs = self.chosen.iter().zip(solved);
                pairs.map(|(&k, x)| row[k] * x).sum()
            };
            for (column, &j) in self.rest.iter().enumerate() {
                self.a.push(row[j] - through(column));
            }
            self.q.push(lcp.q()[i] - through(r));
        }
        let Ok(smaller) = Lcp::new(&self.a, &self.q) else {
            return false;
        };
        let outcome = self
            .lemke
            .solve(smaller, limits, Start::Cold, &mut self.z_rest);
        outcome.status == SolveStatus::Solved
    }

    /// Whether the chosen pairs have any solution, for a singular system without other pairs.
    fn feasible(&mut self, lcp: Lcp) -> bool {
        let n = lcp.dim();
        self.q.clear();
        self.q.extend(lcp.q().iter().map(|q| -q));
        self.nnls.begin(&self.q);
        for &j in &self.chosen {
            let column = self.nnls.push();
            for (i, x) in column.iter_mut().enumerate() {
                *x = lcp.a()[i * n + j];
            }
        }
        for i in (0..n).filter(|i| !self.chosen.contains(i)) {
            self.nnls.push()[i] = -1.0;
        }
        let left = self.nnls.solve();
        if left > 1e-9 * (1.0 + super::max_abs(lcp.q())) {
            return false;
        }
        zeroed(&mut self.z, n);
        for (&j, &x) in self.chosen.iter().zip(self.nnls.x()) {
            self.z[j] = x;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(a: &[f64], q: &[f64], decided: &[usize]) -> (Vec<Vec<f64>>, Coverage) {
        let mut found: Vec<Vec<f64>> = Vec::new();
        let lcp = Lcp::new(a, q).unwrap();
        let coverage = Enumeration::default().run(lcp, decided, &Limits::default(), |z| {
            let known = |x: &Vec<f64>| x.iter().zip(z).all(|(a, b)| (a - b).abs() < 1e-9);
            if !found.iter().any(known) {
                found.push(z.to_vec());
            }
        });
        (found, coverage)
    }

    #[test]
    fn a_negative_number_gives_none_or_two() {
        assert_eq!(all(&[-2.0], &[-1.0], &[0]), (vec![], Coverage::Complete));
        let (found, _) = all(&[-2.0], &[1.0], &[0]);
        assert_eq!(found, [vec![0.0], vec![0.5]]);
        assert_eq!(all(&[2.0], &[-1.0], &[0]).0, [vec![0.5]]);
    }

    #[test]
    fn three_solutions_of_a_matrix_that_is_no_p_matrix() {
        // Off-diagonal 2: each alone, and both.
        let (found, coverage) = all(&[1.0, 2.0, 2.0, 1.0], &[-1.0, -1.0], &[0, 1]);
        assert_eq!(coverage, Coverage::Complete);
        let third = [1.0 / 3.0; 2];
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.contains(&vec![1.0, 0.0]) && found.contains(&vec![0.0, 1.0]));
        assert!(found.iter().any(|z| (z[0] - third[0]).abs() < 1e-12));
        // The second pair left to Lemke's method: those with z_0 = 0 and with w_0 = 0 and z_1 either.
        let (found, coverage) = all(&[1.0, 2.0, 2.0, 1.0], &[-1.0, -1.0], &[0]);
        assert_eq!(coverage, Coverage::Partial);
        assert!(found.len() >= 2, "{found:?}");
    }

    #[test]
    fn a_singular_system_is_decided() {
        // z_0 + z_1 = 1 in both rows: a line of solutions.
        let (found, coverage) = all(&[1.0; 4], &[-1.0, -1.0], &[0, 1]);
        assert_eq!(coverage, Coverage::Complete);
        assert!(found.len() >= 2);
        // Contradictory: row 1 asks for -(z_0 + z_1) >= 1.
        let (found, coverage) = all(&[1.0, 1.0, -1.0, -1.0], &[-1.0, -1.0], &[0, 1]);
        assert_eq!((found, coverage), (vec![], Coverage::Complete));
    }
}
