//! A model with its memory.

use super::{
    ContactModel, ContactSolution, Model, ModelError, ModelName, ModelSettings, WarmStart,
    Workspace,
};
use crate::problem::ContactProblem;
use crate::report::SolveReport;

/// A contact model, its memory from solve to solve, and the last answer.
///
/// A box of 2 kg that gravity has pulled for one step of 1/100 s onto the ground: the four corners carry its
/// weight, `sum f_n = m g h`, and it stays where it is.
/// ```
/// use nalgebra::{DMatrix, DVector, Vector3};
/// use stickslip_core::mass::MassFactor;
/// use stickslip_core::models::{ModelName, ModelSettings, Solver};
/// use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf};
///
/// let (m, g, h) = (2.0, 9.81, 0.01);
/// // Coordinates: linear and angular velocity of the centre of mass.
/// let diagonal = DVector::from_vec(vec![m, m, m, m / 6.0, m / 6.0, m / 6.0]);
/// let mass = MassFactor::from_dense(&DMatrix::from_diagonal(&diagonal))?;
/// let mut builder = ProblemBuilder::new();
/// builder.begin(h);
/// let block = builder.add_block(&mass, &[0.0; 6], &[0.0, 0.0, -g * h, 0.0, 0.0, 0.0]);
/// for (key, (x, y)) in [(0, (-0.5, -0.5)), (1, (0.5, -0.5)), (2, (-0.5, 0.5)), (3, (0.5, 0.5))] {
///     let corner = Vector3::new(x, y, -0.5);
///     // A row is the direction and its moment about the centre of mass: n, s, t.
///     let rows = [Vector3::z(), Vector3::x(), Vector3::y()].map(|e| {
///         let moment = corner.cross(&e);
///         [e.x, e.y, e.z, moment.x, moment.y, moment.z]
///     });
///     let half = RowHalf { block, cols: &[0, 1, 2, 3, 4, 5], rows: [&rows[0], &rows[1], &rows[2]] };
///     builder.add_contact(ContactData { key, mu: 0.5, ..ContactData::default() }, &[half]);
/// }
/// let mut solver = Solver::new(ModelName::Cone, ModelSettings::default())?;
/// let report = solver.solve(builder.finish()?);
/// assert!(report.residuals.max() < 1e-8);
/// let carried: f64 = solver.solution().f_n.iter().sum();
/// assert!((carried - m * g * h).abs() < 1e-9);
/// assert!(solver.solution().v_plus.iter().all(|v| v.abs() < 1e-9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    model: Model,
    warm: WarmStart,
    workspace: Workspace,
    solution: ContactSolution,
}

impl Solver {
    /// The model `name` with these settings; nothing is remembered yet.
    ///
    /// # Errors
    /// As [`Model::new`].
    pub fn new(name: ModelName, settings: ModelSettings) -> Result<Self, ModelError> {
        Ok(Self::of(Model::new(name, settings)?))
    }

    /// A model of the caller's with these settings.
    ///
    /// # Errors
    /// As [`Model::own`].
    pub fn own(model: Box<dyn ContactModel>, settings: ModelSettings) -> Result<Self, ModelError> {
        Ok(Self::of(Model::own(model, settings)?))
    }

    /// A model; nothing is remembered yet.
    pub fn of(model: Model) -> Self {
        Self {
            model,
            warm: WarmStart::default(),
            workspace: Workspace::default(),
            solution: ContactSolution::default(),
        }
    }

    /// Solves a problem, starting from what the last one left under the same keys. Never fails: the status
    /// says how good the answer is. After a problem of the same size no memory is allocated.
    pub fn solve(&mut self, problem: &ContactProblem) -> SolveReport {
        let (warm, workspace) = (&mut self.warm, &mut self.workspace);
        (self.model).solve(problem, warm, workspace, &mut self.solution)
    }

    /// The last answer: end velocities and impulses; empty before the first.
    pub fn solution(&self) -> &ContactSolution {
        &self.solution
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Forgets the last problem: the next solve starts cold.
    pub fn forget(&mut self) {
        self.warm.clear();
    }
}
