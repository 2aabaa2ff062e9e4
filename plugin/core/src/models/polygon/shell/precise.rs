//! The whole problem with 32 digits.

use super::super::super::driver::Effort;
use super::super::matrix::impulses;
use super::super::solve::MET;
use super::{Memory, limits};
use crate::lcp::dense::{Lcp, Low, PreciseLemke, Taken};
use crate::models::ModelSettings;
use crate::report::SolveStatus;

/// Shares of their diagonals that impulses and multipliers are softened by, in turn; taken back on the
/// basis found. Far above the round-off of the matrix, which makes it indefinite where rows depend on
/// each other.
const SOFT: [f64; 3] = [1e-9, 1e-11, 1e-13];

impl Memory {
    /// Lemke's method on the whole problem, for bases nearer singular than 16 digits can tell.
    pub(super) fn run_precisely(&mut self, settings: &ModelSettings, effort: &mut Effort) {
        let n = self.q.len();
        let mut work = settings.polygon.precise_work;
        self.start.clear();
        self.zeros.clear();
        self.zeros.resize(n * n, 0.0);
        let mut status = SolveStatus::Inaccurate;
        for share in SOFT {
            self.soften(share);
            let Ok(lcp) = Lcp::new(&self.a, &self.q) else {
                status = SolveStatus::NonFinite;
                break;
            };
            let low = Low {
                a: &self.zeros,
                q: &self.zeros[..n],
                soft: &self.soft,
                grip: &self.zeros,
            };
            let allowed = (&limits(settings, n), &mut work);
            let (ended, pivots) = self.precise.solve((lcp, low), allowed, &self.start);
            effort.pivots += pivots;
            if ended != SolveStatus::Solved {
                continue;
            }
            self.start.clear();
            self.start.extend_from_slice(self.precise.basis());
            let basis = (&self.start[..], Taken::Back(1.0));
            let z = [&mut self.z, &mut self.z_low];
            let steps = self.precise.on_basis((lcp, low), basis, z);
            effort.iterations += steps.unwrap_or(0);
            let z = [&self.z[..], &self.z_low[..]];
            let left = PreciseLemke::residual((lcp, low), Taken::Back(1.0), z);
            if steps.is_some() && left <= MET * self.reduced.speed() {
                status = SolveStatus::Solved;
                break;
            }
        }
        self.z.resize(n, 0.0);
        self.basis.clear();
        self.basis.extend_from_slice(&self.start);
        effort.status = effort.status.max(status);
        let k = self.reduced.rows().len();
        impulses(&self.layout, &self.z, (&[], k), &mut self.impulses);
    }

    fn soften(&mut self, share: f64) {
        let n = self.q.len();
        let own = self.layout.variables.len();
        self.soft.clear();
        self.soft.resize(n, 0.0);
        for (i, soft) in self.soft[..own].iter_mut().enumerate() {
            *soft = share * self.a[i * n + i].max(0.0);
        }
        for (soft, wall) in self.soft[own..].iter_mut().zip(&self.layout.walls) {
            *soft = share * self.reduced.diagonal(wall.place as usize);
        }
    }
}
