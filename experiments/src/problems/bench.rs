//! A model with its memory, and one problem after another.

use crate::error::CommandError;
use crate::session::{ContactSample, StepProblem, StepSample};
use crate::settings::{Model, RunSettings};
use nalgebra::{Point3, Vector3};
use std::time::Instant;
use stickslip::record::contact_state;
use stickslip_core::models::{ContactSolution, Solver};
use stickslip_core::problem::{ProblemBuilder, RowId};
use stickslip_record::{ContactRecord, StageTimes, StepReport};

/// A model at work on problems that are built in place.
pub(super) struct Bench {
    /// Builds the next problem.
    pub(super) builder: ProblemBuilder,
    /// Contacts of the last one.
    pub(super) contacts: Vec<ContactSample>,
    solver: Solver,
    start: Instant,
}

impl Bench {
    /// The model of a run.
    ///
    /// # Errors
    /// Under the model `host`, and when a setting is out of range.
    pub(super) fn new(settings: &RunSettings) -> Result<Self, CommandError> {
        let Model::Ours(name) = settings.model else {
            return Err(CommandError::Usage(format!(
                "scenario `{}` is made of bare contact problems: model `host` can't run it",
                settings.scenario.name
            )));
        };
        let model = stickslip::model(name, settings.model_settings.clone())
            .map_err(|e| CommandError::Usage(e.to_string()))?;
        Ok(Self {
            builder: ProblemBuilder::new(),
            contacts: Vec::new(),
            solver: Solver::of(model),
            start: Instant::now(),
        })
    }

    /// Starts a problem with time step `h` \[s\], and its clock.
    pub(super) fn begin(&mut self, h: f64) {
        self.start = Instant::now();
        self.contacts.clear();
        self.builder.begin(h);
    }

    /// Forgets the last answer: the next solve starts from nothing.
    pub(super) fn forget(&mut self) {
        self.solver.forget();
    }

    /// Completes and solves the problem.
    ///
    /// # Errors
    /// When the problem is malformed, in words.
    pub(super) fn solve(&mut self) -> Result<StepSample, String> {
        let problem = self.builder.finish().map_err(|e| e.to_string())?;
        let assemble = self.start.elapsed().as_secs_f64() * 1e6;
        let begun = Instant::now();
        let solve = self.solver.solve(problem);
        let solving = begun.elapsed().as_secs_f64() * 1e6;
        Ok(StepSample {
            wall: assemble + solving,
            report: Some(StepReport {
                solve,
                times: StageTimes {
                    assemble,
                    solve: solving,
                    ..StageTimes::default()
                },
                ..StepReport::default()
            }),
        })
    }

    /// The answer of the last problem.
    pub(super) fn solution(&self) -> &ContactSolution {
        self.solver.solution()
    }

    /// What the model was given in the last step.
    pub(super) fn problem(&self) -> Option<StepProblem<'_>> {
        Some(StepProblem {
            problem: self.builder.finished().ok()?,
            model: self.solver.model(),
        })
    }

    /// Adds what contact `c` did to the list, given where it is: on body 1 of the scene, against
    /// body 0.
    pub(super) fn read(&mut self, c: usize, point: Point3<f64>, axes: [Vector3<f64>; 3]) {
        let Ok(problem) = self.builder.finished() else {
            return;
        };
        let (h, data) = (problem.h(), &problem.contacts()[c]);
        let solution = self.solver.solution();
        let along = |k: usize| problem.row(RowId(3 * c + k)).dot(&solution.v_plus);
        let [n, s, t] = axes;
        let [slip_s, slip_t] = [1, 2].map(|k| along(k) - data.surface_velocity[k - 1]);
        let slip_velocity = s * slip_s + t * slip_t;
        let [f_n, f_s, f_t] = [solution.f_n[c], solution.f_s[c], solution.f_t[c]];
        let pressed = f_n > 0.0 || f_s != 0.0 || f_t != 0.0;
        let closed = data.phi <= self.solver.model().settings().closed_tolerance;
        self.contacts.push(ContactSample {
            pair: 0,
            colliders: [None; 2],
            closed,
            record: ContactRecord {
                bodies: [Some(0), Some(1)],
                point,
                normal: n,
                tangent: s,
                friction: Some([data.mu, data.mu_across.unwrap_or(data.mu)]),
                gap: data.phi,
                normal_force: f_n / h,
                friction_force: (s * f_s + t * f_t) / h,
                spin_torque: Vector3::zeros(),
                slip_velocity,
                state: contact_state(pressed, slip_velocity.norm()),
            },
        });
    }
}
