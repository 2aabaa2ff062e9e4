//! Errors of position put right by moving bodies, not by making them fast.
//!
//! A push that takes a penetration or an open joint back within a step is a velocity that stays: what
//! overlaps deeply flies apart, and where rows nearly contradict each other (exact sticking against
//! a push, loops redundant in velocity but not in position) any speed may come of it. So large
//! errors are left out of the step's own problem and corrected here, at its end, on a
//! problem with the same masses and rows at rest:
//! ```text
//! min 1/2 w^T M w     N w + b(phi+) >= 0,  r w = 0 for what is held,  r w + C f = rate for rows to correct
//! ```
//! without friction, phi+ being the gaps after the step and b of
//! [`ModelSettings::gap_velocity`]. Bodies move by `h w` and no velocity changes, so no energy but that
//! of lifted weights comes of it.

use super::{ContactModel, ContactSolution, ModelError, ModelName, ModelSettings};
use super::{WarmStart, Workspace, model};
use crate::problem::{ContactData, ContactProblem, ScalarId, ScalarKind};
use crate::report::SolveReport;

/// Largest speed of a correction as a multiple of the push speed: a wedge moves a body faster than its
/// faces move apart.
const FASTEST: f64 = 4.0;

/// Largest impulse of a row that is corrected [N s or N m s]; products with it stay finite.
const UNBOUNDED: f64 = 1e30;

/// A bilateral or bounded row to correct.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowCorrection {
    /// The row.
    pub row: ScalarId,
    /// The wanted rate of correction, `row w` [m/s or rad/s].
    pub rate: f64,
    /// Compliance C of the correction [1/kg or 1/(kg m^2)], > 0 where rows may contradict each other.
    pub compliance: f64,
}

/// What a step leaves to correct.
#[derive(Clone, Copy, Debug)]
pub struct Errors<'a> {
    /// Gap phi+ of every contact of the problem at the end of the step \[m\] (n); negative ones are pushed
    /// out.
    pub gaps: &'a [f64],
    /// Rows that are corrected; the other bilateral ones are held, and bounded ones exert nothing.
    pub rows: &'a [RowCorrection],
}

/// Corrects positions; memory is reused.
#[derive(Debug)]
pub struct Relief {
    model: Box<dyn ContactModel>,
    problem: ContactProblem,
    warm: WarmStart,
    workspace: Workspace,
    solution: ContactSolution,
}

impl Relief {
    /// With the share K and the push speed of `settings`.
    ///
    /// # Errors
    /// When one of them is out of range.
    pub fn new(settings: &ModelSettings) -> Result<Self, ModelError> {
        let own = ModelSettings {
            baumgarte: settings.baumgarte,
            push_speed: settings.push_speed,
            ..ModelSettings::default()
        };
        Ok(Self {
            model: model(ModelName::Frictionless, own)?,
            problem: ContactProblem::default(),
            warm: WarmStart::new(),
            workspace: Workspace::new(),
            solution: ContactSolution::default(),
        })
    }

    /// Finds the correction for a step of `source` that ends with `v_plus` (m). Where errors contradict
    /// each other the correction is a compromise, and where none is found it is zero; the report says so.
    /// Cost: a frictionless solve from a cold start.
    pub fn solve(
        &mut self,
        source: &ContactProblem,
        v_plus: &[f64],
        errors: Errors<'_>,
    ) -> SolveReport {
        let h = source.h();
        let problem = &mut self.problem;
        problem.copy_from(source);
        let (v, v_free) = problem.velocities_mut();
        v.fill(0.0);
        v_free.fill(0.0);
        for (contact, gap) in problem.contacts_mut().iter_mut().zip(errors.gaps) {
            *contact = ContactData {
                key: contact.key,
                phi: *gap,
                ..ContactData::default()
            };
        }
        for (i, (_, kind)) in problem.scalars_mut().iter_mut().enumerate() {
            match kind {
                ScalarKind::Bilateral { velocity } => *velocity = 0.0,
                ScalarKind::Bounded {
                    velocity, limit, ..
                } => (*velocity, *limit) = (0.0, 0.0),
                ScalarKind::Unilateral { gap } => {
                    *gap += h * source.row(source.scalar_row(i)).dot(v_plus);
                }
            }
        }
        let settings = self.model.settings();
        for wanted in errors.rows {
            let velocity = wanted.rate;
            if let Some((_, kind)) = problem.scalars_mut().get_mut(wanted.row.0) {
                *kind = if wanted.compliance == 0.0 {
                    ScalarKind::Bilateral { velocity }
                } else {
                    ScalarKind::Bounded {
                        velocity,
                        limit: UNBOUNDED,
                        compliance: wanted.compliance,
                    }
                };
            }
        }
        self.warm.clear();
        let solution = &mut self.solution;
        let report = (self.model).solve(problem, &mut self.warm, &mut self.workspace, solution);
        let w = &mut solution.v_plus;
        let fastest = w.iter().fold(0.0_f64, |a, w| a.max(w.abs()));
        let sum = w.iter().sum::<f64>();
        let most = FASTEST * settings.push_speed;
        if !report.status.is_usable() || !sum.is_finite() {
            w.fill(0.0);
        } else if fastest > most {
            w.iter_mut().for_each(|w| *w *= most / fastest);
        }
        report
    }

    /// The correction w last found (m): bodies move by `h w`.
    pub fn velocity(&self) -> &[f64] {
        &self.solution.v_plus
    }
}
