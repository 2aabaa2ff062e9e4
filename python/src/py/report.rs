//! What a step says of itself.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use stickslip_f64::StepReport;

/// What the last step says of itself.
#[pyclass(frozen, get_all, module = "stickslip")]
pub struct Report {
    /// How the solve ended: `solved`, `solved-in-motion`, ...
    pub status: &'static str,
    /// Largest dimensionless residual of the answer.
    pub residual: f64,
    /// The solver whose answer was kept.
    pub solver: &'static str,
    /// Contacts of the problem.
    pub contacts: usize,
    /// Islands with at least one row.
    pub islands: usize,
    /// Changes of the active set.
    pub pivots: usize,
    /// Inner iterations.
    pub iterations: usize,
    /// Islands whose first choice failed.
    pub fallbacks: usize,
    /// Islands without any answer.
    pub failures: usize,
    /// Largest gap of a joint along the axes that it locks [m].
    pub joint_gap: f64,
    /// Bodies awake.
    pub awake: usize,
    /// Bodies asleep.
    pub asleep: usize,
    times: [f64; 4],
}

impl Report {
    /// Of a step.
    pub fn of(report: &StepReport) -> Self {
        let solve = &report.solve;
        let times = &report.times;
        Self {
            status: solve.status.as_str(),
            residual: solve.residuals.max(),
            solver: solve.solver_used.as_str(),
            contacts: solve.contacts,
            islands: solve.islands,
            pivots: solve.pivots,
            iterations: solve.iterations,
            fallbacks: solve.fallbacks,
            failures: solve.failures,
            joint_gap: report.joint_gap,
            awake: report.activity.awake,
            asleep: report.activity.asleep,
            times: [times.detect, times.assemble, times.solve, times.integrate],
        }
    }
}

#[pymethods]
impl Report {
    /// Wall-clock times of the stages [us].
    #[getter]
    fn times_us<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        let names = ["detect", "assemble", "solve", "integrate"];
        for (name, time) in names.into_iter().zip(self.times) {
            out.set_item(name, time)?;
        }
        Ok(out)
    }

    fn __repr__(&self) -> String {
        format!(
            "Report(status='{}', residual={:.1e}, contacts={}, islands={}, iterations={})",
            self.status, self.residual, self.contacts, self.islands, self.iterations
        )
    }
}
