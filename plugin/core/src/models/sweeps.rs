//! Friction laws of the caller's, solved by sweeps.

use super::own::ContactModel;
use super::{ModelName, ModelSettings};
use crate::law::{FrictionLaw, onto_disc};
use crate::problem::{ContactData, GroupId, IslandProblem, ScalarKind};
use crate::report::SolveStatus;
use crate::residual;
use crate::rows::{ActiveRows, White};
use crate::tolerances::FINE;
use std::ops::Range;
use std::sync::Arc;

/// A contact model with a friction law of one's own: Gauss-Seidel sweeps over all rows, each brought to its own law, without
/// a matrix. It ends when a sweep changes nothing by more than a tenth of
/// [`IterationSettings::tolerance`](super::IterationSettings::tolerance), at the latest after
/// [`max_iterations`](super::IterationSettings::max_iterations). O(rows and their depth in the tree) per sweep.
///
/// Friction that weakens with speed, `mu(v) = mu (0.6 + 0.4 exp(-(v / v_s)^2))`:
/// ```
/// use std::sync::Arc;
/// use stickslip_core::law::{FrictionLaw, onto_disc};
/// use stickslip_core::models::{ModelSettings, Solver, Sweeps};
/// use stickslip_core::problem::ContactData;
///
/// #[derive(Debug)]
/// struct Stribeck {
///     speed: f64,
/// }
///
/// impl FrictionLaw for Stribeck {
///     fn project(&self, c: &ContactData, normal: f64, slip: [f64; 2], wanted: [f64; 2]) -> [f64; 2] {
///         let v = slip[0].hypot(slip[1]) / self.speed;
///         let mu = c.mu * (0.6 + 0.4 * (-v * v).exp());
///         onto_disc(wanted, mu * normal)
///     }
/// }
///
/// let model = Box::new(Sweeps::new(Arc::new(Stribeck { speed: 0.01 })));
/// let solver = Solver::own(model, ModelSettings::default())?;
/// # Ok::<(), stickslip_core::models::ModelError>(())
/// ```
#[derive(Debug)]
pub struct Sweeps {
    law: Arc<dyn FrictionLaw>,
    basis: ActiveRows,
    /// The rows of the island and their velocities without impulses.
    whites: Vec<White>,
    free: Vec<f64>,
    /// Whitened change of velocity over all coordinates (m).
    delta: Vec<f64>,
}

impl Sweeps {
    /// Sweeps under a law.
    pub fn new(law: Arc<dyn FrictionLaw>) -> Self {
        Self {
            law,
            basis: ActiveRows::default(),
            whites: Vec::new(),
            free: Vec::new(),
            delta: Vec::new(),
        }
    }

    /// Whitens the rows of an island and adds what their impulses do.
    fn begin(&mut self, place: IslandProblem<'_>, impulses: &[f64]) {
        let problem = place.problem;
        self.basis.begin(problem);
        self.whites.clear();
        self.free.clear();
        self.delta.clear();
        self.delta.resize(problem.dim(), 0.0);
        for (row, &z) in place.rows().zip(impulses) {
            let white = self.basis.whiten(problem, row);
            self.whites.push(white);
            self.free.push(problem.row(row).dot(problem.v_free()));
            self.basis.add_to(&white, z, &mut self.delta);
        }
    }

    fn velocity(&self, i: usize) -> f64 {
        self.free[i] + self.basis.dot(&self.whites[i], &self.delta)
    }

    /// Sets an impulse; returns by how much that changes the row's own velocity.
    fn set(&mut self, i: usize, to: f64, impulses: &mut [f64]) -> f64 {
        let change = to - std::mem::replace(&mut impulses[i], to);
        if change == 0.0 {
            return 0.0;
        }
        self.basis.add_to(&self.whites[i], change, &mut self.delta);
        (change * self.whites[i].diag).abs()
    }

    /// The impulse of a row that would bring its velocity to a target; as it is where nothing moves.
    fn meets(&self, i: usize, z: f64, target: f64, soft: f64) -> f64 {
        let d = self.whites[i].diag + soft;
        if d > 0.0 {
            z - (self.velocity(i) + soft * z - target) / d
        } else {
            z
        }
    }

    /// Brings a contact to its laws: normal, slip, torsion, rolling.
    fn contact(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        c: usize,
        rows: Range<usize>,
        z: &mut [f64],
    ) -> f64 {
        let problem = place.problem;
        let contact = &problem.contacts()[c];
        let n = rows.start;
        let [b, _] = settings.demands(problem, c);
        let soft = settings.softness(contact, problem.h());
        let normal = self.meets(n, z[n], -b, soft).max(0.0);
        let mut changed = self.set(n, normal, z);
        let law = self.law.clone();
        let slip = |u: [f64; 2], wanted: [f64; 2], target: [f64; 2]| {
            let slip = [u[0] - target[0], u[1] - target[1]];
            law.project(contact, normal, slip, wanted)
        };
        changed = changed.max(self.pair(n + 1, contact.surface_velocity, slip, z));
        if rows.len() == 6 {
            let ContactData {
                mu_torsional,
                mu_rolling,
                ..
            } = *contact;
            let torsion = self.meets(n + 3, z[n + 3], 0.0, 0.0);
            let bound = mu_torsional * normal;
            changed = changed.max(self.set(n + 3, torsion.clamp(-bound, bound), z));
            let rolling = |_: [f64; 2], wanted, _: [f64; 2]| onto_disc(wanted, mu_rolling * normal);
            changed = changed.max(self.pair(n + 4, [0.0; 2], rolling, z));
        }
        changed
    }

    /// Brings two rows to what `onto` makes of their velocities, of the impulses that the step wants, and of the target.
    fn pair(
        &mut self,
        first: usize,
        target: [f64; 2],
        onto: impl Fn([f64; 2], [f64; 2], [f64; 2]) -> [f64; 2],
        z: &mut [f64],
    ) -> f64 {
        let d = self.whites[first].diag.max(self.whites[first + 1].diag);
        if d <= 0.0 {
            return 0.0;
        }
        let u = [self.velocity(first), self.velocity(first + 1)];
        let wanted = [0, 1].map(|k| z[first + k] - (u[k] - target[k]) / d);
        let [s, t] = onto(u, wanted, target);
        let changed = self.set(first, s, z);
        changed.max(self.set(first + 1, t, z))
    }

    fn scalar(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        scalar: usize,
        i: usize,
        z: &mut [f64],
    ) -> f64 {
        let problem = place.problem;
        let to = match problem.scalars()[scalar].1 {
            ScalarKind::Bilateral { velocity } => self.meets(i, z[i], velocity, 0.0),
            ScalarKind::Unilateral { gap } => {
                let target = -settings.gap_velocity(gap, problem.h());
                self.meets(i, z[i], target, 0.0).max(0.0)
            }
            ScalarKind::Bounded {
                velocity,
                limit,
                compliance,
            } => self
                .meets(i, z[i], velocity, compliance)
                .clamp(-limit, limit),
        };
        self.set(i, to, z)
    }
}

impl ContactModel for Sweeps {
    fn law(&self) -> ModelName {
        ModelName::Cone
    }

    fn friction(&self) -> Option<Arc<dyn FrictionLaw>> {
        Some(self.law.clone())
    }

    fn solve(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        impulses: &mut [f64],
    ) -> SolveStatus {
        self.begin(place, impulses);
        let speed = residual::speed(place);
        let goal = FINE * settings.iteration.tolerance * speed;
        for _ in 0..settings.iteration.max_iterations {
            let mut changed = 0.0_f64;
            for (group, rows) in place.groups() {
                let change = match group {
                    GroupId::Contact(c) => self.contact(place, settings, c.0, rows, impulses),
                    GroupId::Scalar(s) => self.scalar(place, settings, s.0, rows.start, impulses),
                };
                changed = changed.max(change);
            }
            if changed <= goal {
                return SolveStatus::Solved;
            }
        }
        SolveStatus::IterationLimit
    }
}
