//! Settings shared by the models, and their validation.

mod acceleration;
mod budget;
mod cone;
mod iteration;
mod polygon;
mod quasi_static;
mod viscous;

pub use acceleration::{AccelerationSettings, Integrator, OnNoSolution, RollingFriction};
pub use budget::BudgetSettings;
pub use cone::{ConeSettings, Hover, Sweep};
pub use iteration::IterationSettings;
pub use polygon::{PolygonSettings, RestitutionLaw, Stabilisation};
pub use quasi_static::{PointednessCheck, QuasiStaticSettings};
pub use viscous::{DampingRoute, ViscousSettings};

use super::ModelName;
use crate::engine::Tolerances;
use crate::problem::ContactData;
use crate::report::SolverName;
use serde::{Deserialize, Serialize};

/// What can be set. Every default just works.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSettings {
    /// Gap up to which a contact counts as closed \[m\]: only closed contacts hold tangentially and
    /// bounce. A physical threshold.
    pub closed_tolerance: f64,
    /// Share K of a penetration removed per step [-], in 0..=1.
    pub baumgarte: f64,
    /// Largest velocity with which a penetration is pushed out [m/s].
    pub push_speed: f64,
    /// Whether an answer that makes more kinetic energy than anything asked for is shortened until it does not
    /// ([`SolveStatus::EnergyBound`](crate::report::SolveStatus::EnergyBound)). Without, every answer is the
    /// exact one, however fast.
    pub energy_bound: bool,
    /// Approach speed from which a contact bounces [m/s].
    pub restitution_threshold: f64,
    /// The solver tried first; `None`: the first of [`ModelName::solvers`].
    pub solver: Option<SolverName>,
    /// What counts as zero, relative to `1 + max |v_free|` [m/s]: round-off times condition.
    pub tolerance: f64,
    /// Changes of the active set after which a solver gives up on an island.
    pub max_pivots: usize,
    /// Rounds after which the releasing form falls back to the bilateral one.
    pub release_rounds: usize,
    /// What a solve may cost.
    pub budget: BudgetSettings,
    /// Friction polygons.
    pub polygon: PolygonSettings,
    /// Iterative solvers.
    pub iteration: IterationSettings,
    /// Implicit viscous friction.
    pub viscous: ViscousSettings,
    /// Friction cones.
    pub cone: ConeSettings,
    /// Models at acceleration level.
    pub acceleration: AccelerationSettings,
    /// Bodies without inertia.
    pub quasi_static: QuasiStaticSettings,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            closed_tolerance: 1e-6,
            baumgarte: 0.2,
            push_speed: 1.0,
            energy_bound: true,
            restitution_threshold: 0.1,
            solver: None,
            tolerance: 1e-12,
            max_pivots: 10_000,
            release_rounds: 20,
            budget: BudgetSettings::default(),
            polygon: PolygonSettings::default(),
            iteration: IterationSettings::default(),
            viscous: ViscousSettings::default(),
            cone: ConeSettings::default(),
            acceleration: AccelerationSettings::default(),
            quasi_static: QuasiStaticSettings::default(),
        }
    }
}

/// Why a model could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// No model of that name.
    #[error("unknown model `{name}`; the models are {}", names(ModelName::ALL.map(ModelName::as_str)))]
    UnknownModel {
        /// The name given.
        name: String,
    },
    /// The model's problem is not of the kind the solver solves.
    #[error("model `{model}` can't be solved by `{solver}`; solvers that fit: {fit}")]
    UnfitSolver {
        /// The model.
        model: &'static str,
        /// The solver.
        solver: &'static str,
        /// The solvers that fit.
        fit: String,
    },
    /// A setting is out of range.
    #[error("setting `{name}` must be {wanted}, not {value}")]
    BadSetting {
        /// Name of the setting.
        name: &'static str,
        /// What is allowed.
        wanted: &'static str,
        /// The value given.
        value: f64,
    },
}

fn names<const K: usize>(names: [&'static str; K]) -> String {
    names.join(", ")
}

impl ModelName {
    /// The solvers that can solve this model's problem, the default one first.
    pub fn solvers(self) -> &'static [SolverName] {
        match self {
            // Strictly convex programs in v+.
            Self::Frictionless | Self::NoSlip => &[
                SolverName::Ppm,
                SolverName::ActiveSet,
                SolverName::Lemke,
                SolverName::Dantzig,
                SolverName::PrincipalPivoting,
                SolverName::InteriorPoint,
                SolverName::Pgs,
            ],
            Self::NoSlipReleasing | Self::Viscous | Self::ViscousAcceleration => {
                &[SolverName::Ppm, SolverName::ActiveSet]
            }
            // Over cones.
            Self::Ccp => &[SolverName::Engine, SolverName::Psor, SolverName::Apgd],
            Self::Cone => &[SolverName::Engine, SolverName::Psor],
            // Copositive-plus.
            Self::StewartTrinkle | Self::AnitescuPotra => &[
                SolverName::Lemke,
                SolverName::InteriorPoint,
                SolverName::Pgs,
            ],
            Self::DrumwrightShell | Self::QuasiStatic => {
                &[SolverName::Lemke, SolverName::InteriorPoint]
            }
            // No class of matrices with a guarantee.
            Self::CoulombAcceleration => &[SolverName::Lemke, SolverName::InteriorPoint],
        }
    }
}

/// Largest residual of an answer that counts as solved, for methods that end with a basis.
const DIRECT_ACCEPTANCE: f64 = 1e-9;

impl ModelSettings {
    pub(super) fn check(&self, model: ModelName) -> Result<(), ModelError> {
        let positive = "finite and >= 0";
        let checks = [
            (
                "closed_tolerance",
                self.closed_tolerance,
                f64::MAX,
                positive,
            ),
            ("baumgarte", self.baumgarte, 1.0, "in 0..=1"),
            ("push_speed", self.push_speed, f64::MAX, positive),
            (
                "restitution_threshold",
                self.restitution_threshold,
                f64::MAX,
                positive,
            ),
            ("tolerance", self.tolerance, 1e-3, "in 0..=1e-3"),
        ];
        for (name, value, top, wanted) in checks {
            if !(0.0..=top).contains(&value) {
                return Err(ModelError::BadSetting {
                    name,
                    wanted,
                    value,
                });
            }
        }
        self.budget.check()?;
        self.polygon.check()?;
        self.iteration.check()?;
        self.cone.check()?;
        self.acceleration.check()?;
        self.quasi_static.check()?;
        let Some(solver) = self.solver else {
            return Ok(());
        };
        if !model.solvers().contains(&solver) {
            let fit: Vec<_> = model.solvers().iter().map(|s| s.as_str()).collect();
            return Err(ModelError::UnfitSolver {
                model: model.as_str(),
                solver: solver.as_str(),
                fit: fit.join(", "),
            });
        }
        Ok(())
    }

    /// The solver tried first for a model.
    pub fn solver_for(&self, model: ModelName) -> SolverName {
        let default = model.solvers().first().copied().unwrap_or_default();
        self.solver.unwrap_or(default)
    }

    /// The largest residual ([`crate::report::Residuals::max`]) with which an answer of this solver
    /// counts as solved: 1e-9 for pivoting, active-set and interior-point methods, [`ConeSettings::tolerance_at_rest`]
    /// for the engine, the set tolerance for iterations.
    pub fn acceptance(&self, model: ModelName, solver: SolverName) -> f64 {
        match solver {
            SolverName::Psor | SolverName::Apgd if model == ModelName::Cone => {
                self.cone.tolerance_at_rest
            }
            SolverName::Engine => self.cone.tolerance_at_rest,
            SolverName::Pgs | SolverName::Psor | SolverName::Apgd => self.iteration.tolerance,
            _ => DIRECT_ACCEPTANCE,
        }
    }

    /// What the engine takes for solved.
    pub(crate) fn tolerances(&self) -> Tolerances {
        Tolerances {
            rest: self.cone.tolerance_at_rest,
            motion: (self.cone.tolerance_in_motion).max(self.cone.tolerance_at_rest),
        }
    }

    /// What a contact's compliance adds to its normal row, `C / h^2` [1/kg].
    #[inline]
    pub fn softness(&self, contact: &ContactData, h: f64) -> f64 {
        if contact.compliance == 0.0 {
            0.0
        } else {
            contact.compliance / (h * h)
        }
    }

    /// `b` of a gap alone: `phi / h` for `phi >= 0` (the row may close during the step and no
    /// further), else `max(K phi / h, -push_speed)` [m/s].
    #[inline]
    pub fn gap_velocity(&self, phi: f64, h: f64) -> f64 {
        if phi >= 0.0 {
            phi / h
        } else {
            (self.baumgarte * phi / h).max(-self.push_speed)
        }
    }

    /// `b` of a contact: [`Self::gap_velocity`] (for a compliant contact `phi / h` throughout, so that
    /// it rests at the depth of its compliance) and the drift of bodies that move as prescribed, plus
    /// Newton's restitution `e min(N v + drift, impact velocity)` where a closed contact approaches
    /// faster than the threshold. `normal_velocity` is its `N v` [m/s].
    #[inline]
    pub fn contact_velocity(&self, contact: &ContactData, normal_velocity: f64, h: f64) -> f64 {
        let gap = if contact.compliance > 0.0 {
            contact.phi / h
        } else {
            self.gap_velocity(contact.phi, h)
        };
        let b = gap + contact.normal_drift;
        let approach = (normal_velocity + contact.normal_drift).min(contact.impact_velocity);
        if self.is_closed(contact) && -approach > self.restitution_threshold {
            // What counts as closed has arrived: what is left of its gap is no part of the bounce.
            b.min(contact.normal_drift) + contact.restitution * approach
        } else {
            b
        }
    }

    /// Whether a contact counts as closed.
    #[inline]
    pub fn is_closed(&self, contact: &ContactData) -> bool {
        contact.phi <= self.closed_tolerance
    }
}
