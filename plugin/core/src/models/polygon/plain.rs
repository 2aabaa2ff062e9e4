//! The problem without friction variables, for models that hold or leave their tangents: unilateral rows and
//! bounded rows.

use super::super::driver::Effort;
use super::super::reduced::Reduced;
use super::Sweep;
use super::layout::{Bounces, Friction, Layout, Plan};
use super::matrix::{Given, Matrix, impulses};
use crate::lcp::dense::Lcp;
use crate::models::{IterationSettings, ModelSettings};
use crate::problem::{ContactProblem, Island};

/// Layout and matrix of unilateral rows and bounded rows.
#[derive(Clone, Debug, Default)]
pub(in crate::models) struct Plain {
    layout: Layout,
    matrix: Matrix,
    none: Given,
}

impl Plain {
    /// Keeps the rows of the island's unilateral rows and bounded scalars.
    pub(in crate::models) fn lay_out(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        settings: &ModelSettings,
        reduced: &mut Reduced,
    ) {
        let plan = Plan {
            problem,
            island,
            settings,
            friction: Friction::None,
            bounces: Bounces::AtOnce,
        };
        self.layout.lay_out(plan, reduced);
    }

    /// Fills matrix and vector from the assembled reduced problem.
    pub(in crate::models) fn assemble(&mut self, reduced: &Reduced) {
        self.matrix.assemble(&self.layout, reduced, &self.none);
    }

    /// Number of variables.
    pub(in crate::models) fn dim(&self) -> usize {
        self.layout.variables.len()
    }

    /// The complementarity problem; none if a number is not finite.
    pub(in crate::models) fn lcp(&self) -> Option<Lcp<'_>> {
        Lcp::new(&self.matrix.a, &self.matrix.q).ok()
    }

    /// Impulses of the kept rows from the variables.
    pub(in crate::models) fn impulses(&self, reduced: &Reduced, z: &[f64], out: &mut Vec<f64>) {
        let given = (&self.none, reduced.rows().len());
        impulses(&self.layout, z, given, out);
    }

    /// Projected Gauss-Seidel from zero.
    pub(in crate::models) fn sweep(
        &self,
        reduced: &Reduced,
        settings: &IterationSettings,
        sweep: &mut Sweep,
        out: &mut Vec<f64>,
    ) -> Effort {
        out.clear();
        out.resize(reduced.rows().len(), 0.0);
        let free = (&self.matrix.free[..], &self.none);
        sweep.run((&self.layout, reduced), settings, free, out)
    }
}
