//! The answer as JSON states it.

use serde::Serialize;
use stickslip_core::models::{ContactSolution, ModelName};
use stickslip_core::problem::{ContactProblem, ScalarKind};
use stickslip_core::report::{Residuals, SolveReport, SolveStatus, SolverName};

/// The answer to one problem; impulses in N s (N m s where a row turns).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Answer {
    /// How the solve ended.
    pub(super) status: SolveStatus,
    /// The model.
    pub(super) model: &'static str,
    /// The solver whose answer this is.
    pub(super) solver_used: SolverName,
    /// Velocity at the end of the step (m).
    pub(super) v_plus: Vec<f64>,
    /// Impulses along the contacts' normals (n).
    pub(super) f_n: Vec<f64>,
    /// Along their tangents s (n).
    pub(super) f_s: Vec<f64>,
    /// Along their tangents t (n).
    pub(super) f_t: Vec<f64>,
    /// Of the rows of `J`.
    pub(super) f_j: Vec<f64>,
    /// Of the rows of `limits`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) f_limits: Vec<f64>,
    /// Of the rows of `bounded`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) f_bounded: Vec<f64>,
    /// Torsional impulse about n, rolling impulses about s and t (n x 3).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) f_spin: Vec<[f64; 3]>,
    /// What is wrong with the answer.
    pub(super) residuals: Residuals,
    /// Changes of the active set.
    pub(super) pivots: usize,
    /// Iterations of iterative solvers, refinement steps of direct ones.
    pub(super) iterations: usize,
    /// Independent parts of the problem.
    pub(super) islands: usize,
    /// Those that the chosen solver left to another one.
    pub(super) fallbacks: usize,
    /// Those that nothing solved: they keep their free velocity.
    pub(super) failures: usize,
    /// Contacts whose torsional and rolling coefficients the model leaves out.
    pub(super) spins_left_out: usize,
}

impl Answer {
    pub(super) fn new(
        problem: &ContactProblem,
        model: ModelName,
        solution: &ContactSolution,
        report: &SolveReport,
    ) -> Self {
        let scalars = |wanted: fn(&ScalarKind) -> bool| {
            let all = problem.scalars().iter().zip(&solution.f_scalar);
            all.filter(|((_, kind), _)| wanted(kind))
                .map(|(_, f)| *f)
                .collect()
        };
        let f_spin = if problem.spins().is_empty() {
            Vec::new()
        } else {
            solution.f_spin.clone()
        };
        Self {
            status: report.status,
            model: model.as_str(),
            solver_used: report.solver_used,
            v_plus: solution.v_plus.clone(),
            f_n: solution.f_n.clone(),
            f_s: solution.f_s.clone(),
            f_t: solution.f_t.clone(),
            f_j: scalars(|kind| matches!(kind, ScalarKind::Bilateral { .. })),
            f_limits: scalars(|kind| matches!(kind, ScalarKind::Unilateral { .. })),
            f_bounded: scalars(|kind| matches!(kind, ScalarKind::Bounded { .. })),
            f_spin,
            residuals: report.residuals,
            pivots: report.pivots,
            iterations: report.iterations,
            islands: report.islands,
            fallbacks: report.fallbacks,
            failures: report.failures,
            spins_left_out: report.spins_left_out,
        }
    }
}
