//! Settings shared by the models, and their validation.

mod acceleration;
mod budget;
mod cone;
mod iteration;
mod name;
mod polygon;
mod quasi_static;
mod stage;
mod viscous;

pub use acceleration::{AccelerationSettings, Integrator, OnNoSolution, RollingFriction};
pub use budget::BudgetSettings;
pub(crate) use budget::{Budget, in_place_of};
pub(crate) use cone::Tolerances;
pub use cone::{ConeSettings, Hover, Sweep};
pub use iteration::IterationSettings;
pub use name::{ModelError, ModelName};
pub use polygon::{PolygonSettings, RestitutionLaw, Stabilisation};
pub use quasi_static::{PointednessCheck, QuasiStaticSettings};
pub use stage::Stage;
pub use viscous::{DampingRoute, ViscousSettings};

use crate::report::SolverName;
use crate::tolerances::ACCEPTED;
use serde::{Deserialize, Serialize};
use smart_default::SmartDefault;

/// What can be set. Every default just works.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SmartDefault)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSettings {
    /// Gap up to which a contact counts as closed \[m\]: only closed contacts hold tangentially and
    /// bounce. A physical threshold.
    #[default = 1e-6]
    pub closed_tolerance: f64,
    /// Share K of a penetration removed per step [-], in 0..=1.
    #[default = 0.2]
    pub baumgarte: f64,
    /// Largest velocity with which a penetration is pushed out [m/s].
    #[default = 1.0]
    pub push_speed: f64,
    /// Whether an answer that makes more kinetic energy than anything asked for is shortened until it does not
    /// ([`SolveStatus::EnergyBound`](crate::report::SolveStatus::EnergyBound)). Without, every answer is the
    /// exact one, however fast.
    #[default = true]
    pub energy_bound: bool,
    /// Approach speed from which a contact bounces [m/s].
    #[default = 0.1]
    pub restitution_threshold: f64,
    /// The solver tried first; `None`: the first of [`ModelName::solvers`].
    pub solver: Option<SolverName>,
    /// What counts as zero, relative to `1 + max |v_free|` [m/s]: round-off times condition.
    #[default = 1e-12]
    pub tolerance: f64,
    /// Changes of the active set after which a solver gives up on an island.
    #[default = 10_000]
    pub max_pivots: usize,
    /// Rounds after which the releasing form falls back to the bilateral one.
    #[default = 20]
    pub release_rounds: usize,
    /// A stage of the engine that is left out, to see what it is good for.
    pub without: Option<Stage>,
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

/// Most sliding contacts all choices of which are gone through: 4096 bases.
pub const MAX_DECIDED: usize = 12;

/// Names, values and bounds of settings.
macro_rules! named_numbers {
    ($settings:ident: $($first:ident $(. $field:ident)?: $bounds:expr,)+) => {
        [$((
            concat!(stringify!($first) $(, ".", stringify!($field))?),
            $settings.$first $(. $field)? as f64,
            $bounds,
        )),+]
    };
}

impl ModelSettings {
    pub(crate) fn check(&self, model: ModelName) -> Result<(), ModelError> {
        let eps = match self.polygon.stabilisation {
            Stabilisation::None => 0.0,
            Stabilisation::Scaled(eps) | Stabilisation::Tikhonov(eps) => eps,
        };
        let milliseconds = self.budget.milliseconds.unwrap_or(0.0);
        let (positive, any) = (f64::MIN_POSITIVE, f64::MAX);
        // Least, most, and both in words.
        let size = (0.0, any, "finite and >= 0");
        let share = (0.0, 1.0, "in 0..=1");
        let residual = (0.0, 1e-1, "in 0..=0.1");
        let numbers = named_numbers! { self:
            closed_tolerance: size,
            baumgarte: share,
            push_speed: size,
            restitution_threshold: size,
            tolerance: (0.0, 1e-3, "in 0..=1e-3"),
            budget.work: size,
            polygon.directions: (4.0, 64.0, "an even number in 4..=64"),
            iteration.max_iterations: (1.0, any, "at least 1"),
            iteration.tolerance: residual,
            iteration.omega: (positive, 2.0_f64.next_down(), "in 0..2"),
            iteration.lambda: (positive, 1.0, "above 0, at most 1"),
            cone.tolerance_at_rest: residual,
            cone.tolerance_in_motion: residual,
            acceleration.touching_speed: share,
            acceleration.sliding_speed: share,
            acceleration.enumerate_up_to: (0.0, MAX_DECIDED as f64, "at most 12"),
            quasi_static.damping_time: (positive, any, "positive and finite"),
        };
        let others = [
            ("budget.milliseconds", milliseconds, size),
            ("polygon.stabilisation", eps, (0.0, 1e-2, "in 0..=1e-2")),
        ];
        for (name, value, (least, most, wanted)) in numbers.into_iter().chain(others) {
            let is_odd = name == "polygon.directions" && value % 2.0 != 0.0;
            if is_odd || !(least..=most).contains(&value) {
                return Err(ModelError::BadSetting {
                    name,
                    wanted,
                    value,
                });
            }
        }
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

    /// The same settings where a metre is `length_unit` units long: lengths and speeds grow with it, as far as
    /// they may.
    pub fn in_units(&self, length_unit: f64) -> Self {
        let mut settings = self.clone();
        let times = |x: f64, most: f64| (x * length_unit).min(most);
        settings.closed_tolerance = times(self.closed_tolerance, f64::MAX);
        settings.push_speed = times(self.push_speed, f64::MAX);
        settings.restitution_threshold = times(self.restitution_threshold, f64::MAX);
        let (own, given) = (&mut settings.acceleration, self.acceleration);
        own.touching_speed = times(given.touching_speed, 1.0);
        own.sliding_speed = times(given.sliding_speed, 1.0);
        settings
    }

    /// The solver tried first for a model.
    pub fn solver_for(&self, model: ModelName) -> SolverName {
        let default = model.solvers().first().copied().unwrap_or_default();
        self.solver.unwrap_or(default)
    }

    /// The largest residual ([`crate::report::Residuals::max`]) with which an answer of this solver
    /// counts as solved: 1e-9 for pivoting, active-set and interior-point methods, [`ConeSettings::tolerance_at_rest`]
    /// for the engine, the set tolerance for iterations and models of the caller's.
    pub fn acceptance(&self, model: ModelName, solver: SolverName) -> f64 {
        match solver {
            SolverName::Psor | SolverName::Apgd if model == ModelName::Cone => {
                self.cone.tolerance_at_rest
            }
            SolverName::Engine => self.cone.tolerance_at_rest,
            SolverName::Pgs | SolverName::Psor | SolverName::Apgd | SolverName::Own => {
                self.iteration.tolerance
            }
            _ => ACCEPTED,
        }
    }

    /// What the engine takes for solved.
    pub(crate) fn tolerances(&self) -> Tolerances {
        let motion = (self.cone.tolerance_in_motion).max(self.cone.tolerance_at_rest);
        Tolerances {
            rest: self.cone.tolerance_at_rest,
            motion,
            loose: motion,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::settings::ModelSettings;

    /// Lengths and speeds, and nothing else; what is at its largest stays there.
    #[test]
    fn a_metre_of_many_units_scales_lengths_and_speeds() {
        let mut settings = ModelSettings {
            push_speed: f64::MAX,
            ..ModelSettings::default()
        };
        settings.acceleration.touching_speed = 0.5;
        let millimetres = settings.in_units(1000.0);
        let mut wanted = settings.clone();
        wanted.closed_tolerance = 1e-3;
        wanted.restitution_threshold = 100.0;
        wanted.acceleration.touching_speed = 1.0;
        wanted.acceleration.sliding_speed *= 1000.0;
        assert_eq!(millimetres, wanted);
        let kilometres = ModelSettings::default().in_units(1e-3);
        assert_eq!(kilometres.push_speed, 1e-3);
    }
}
