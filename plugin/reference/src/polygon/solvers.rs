//! The solvers of an island's dense problem, within the work that is left for it.

use super::matrix::Matrix;
use crate::lcp::work;
use crate::lcp::{Dantzig, InteriorPoint, Lcp, LcpSolver, Lemke, Limits, PrincipalPivoting, Start};
use stickslip_core::kit::Effort;
use stickslip_core::kit::Meter;
use stickslip_core::models::ModelSettings;
use stickslip_core::report::{SolveStatus, SolverName};

/// Their memory, and what counts their work.
#[derive(Clone, Debug, Default)]
pub(super) struct Solvers {
    pub(super) lemke: Lemke,
    dantzig: Dantzig,
    principal: PrincipalPivoting,
    interior: InteriorPoint,
    pub(super) meter: Meter,
}

impl Solvers {
    /// A run on `n` variables that solves takes a few pivots per variable; more are a wrong turn.
    pub(super) fn limits(&self, settings: &ModelSettings, n: usize) -> Limits {
        let most = settings.max_pivots.min(6 * n + 50);
        work::limits(&self.meter, settings.tolerance, most, n)
    }

    /// Solves the problem of a matrix and a vector by the solver of this name, into `z`; zeros where it is not begun.
    /// Pivoting methods start from the variables marked in `basis`, if there are n; Lemke's leaves its own there.
    pub(super) fn solve(
        &mut self,
        solver: SolverName,
        matrix: &Matrix,
        settings: &ModelSettings,
        basis: &mut [bool],
        z: &mut Vec<f64>,
    ) -> Effort {
        z.clear();
        z.resize(matrix.q.len(), 0.0);
        let Ok(lcp) = Lcp::new(&matrix.a, &matrix.q) else {
            return Effort::ended(SolveStatus::NonFinite);
        };
        let n = lcp.dim();
        let whole = work::interior_point(n);
        let is_interior = solver == SolverName::InteriorPoint;
        if is_interior && !self.meter.allows(whole) {
            return Effort::ended(SolveStatus::IterationLimit);
        }
        let limits = self.limits(settings, n);
        let method: &mut dyn LcpSolver = match solver {
            SolverName::Dantzig => &mut self.dantzig,
            SolverName::PrincipalPivoting => &mut self.principal,
            SolverName::InteriorPoint => &mut self.interior,
            _ => &mut self.lemke,
        };
        let outcome = method.solve(lcp, &limits, Start::Basis(basis), z);
        match is_interior {
            true => self.meter.spend(whole),
            false => work::count(&mut self.meter, &outcome, n),
        }
        if solver == SolverName::Lemke && basis.len() == n {
            basis.copy_from_slice(self.lemke.basis());
        }
        Effort {
            status: outcome.status,
            pivots: outcome.pivots,
            iterations: outcome.iterations,
        }
    }
}
