//! What a solve says about itself: status, solver used, pivots, residuals.

use crate::named::named;
use serde::{Deserialize, Serialize};

named! {
    /// How a solve ended, from best to worst. Numerics only: malformed input is a `Result` error
    /// instead.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SolveStatus {
        /// Every complementarity pair holds to tolerance.
        #[default]
        Solved = "solved",
        /// The residual is above the tolerance at rest and below that in motion, where a smaller one would only
        /// select another of many answers.
        SolvedInMotion = "solved-in-motion",
        /// The constraints contradict each other: rows with a prescribed motion are compliant where it is not possible, others
        /// hold in the least-squares sense only.
        Relaxed = "relaxed",
        /// Several different answers satisfy the conditions; one of them was taken.
        SeveralSolutions = "several-solutions",
        /// The answer made more kinetic energy than anything asked for, and was shortened until it did not.
        EnergyBound = "energy-bound",
        /// The model's own solver gave up on an island; the exact cone answers for it.
        ExactCone = "exact-cone",
        /// The model's problem of an island would take more memory or work than allowed; the exact cone, or the engine
        /// under the model's own law, answers for it.
        TooLarge = "too-large",
        /// The iteration budget ran out before the set tolerance was reached; the answer is the best
        /// found.
        IterationLimit = "iteration-limit",
        /// The solver ended as solved, but its answer fails the residual test.
        Inaccurate = "inaccurate",
        /// The anchors of an impulse joint are more than a millimetre apart at the end of the step, along the axes that it
        /// locks (`StepReport::joint_gap` of `stickslip-record`).
        JointsOpen = "joints-open",
        /// The pivot budget ran out.
        PivotLimit = "pivot-limit",
        /// A set of active rows came back: the method would go round for ever.
        Cycled = "cycled",
        /// Lemke's method left on a ray: it found no solution, and there may be none.
        RayTermination = "ray-termination",
        /// The constraints contradict each other and no relaxation was allowed.
        Infeasible = "infeasible",
        /// No impulses or forces satisfy the conditions.
        NoSolution = "no-solution",
        /// Bodies are wedged: contact forces of any size balance each other.
        Jammed = "jammed",
        /// The step is beyond the stability limit of an explicit integration: velocities grew for no
        /// reason.
        Unstable = "unstable",
        /// A number that is not finite appeared.
        NonFinite = "non-finite",
    }
}

impl SolveStatus {
    /// Whether the impulses may be applied.
    pub fn is_usable(self) -> bool {
        matches!(
            self,
            Self::Solved
                | Self::SolvedInMotion
                | Self::Relaxed
                | Self::SeveralSolutions
                | Self::EnergyBound
                | Self::ExactCone
                | Self::TooLarge
                | Self::IterationLimit
                | Self::Inaccurate
                | Self::JointsOpen
        )
    }
}

named! {
    /// The solver that produced an answer.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SolverName {
        /// Modified principal pivoting [D15, Alg. 1].
        #[default]
        Ppm = "ppm",
        /// Dual active-set quadratic programming \[GI83\].
        ActiveSet = "active-set",
        /// Lemke's method with the lexicographic ratio test [CPS, Alg. 4.4.5].
        Lemke = "lemke",
        /// Baraff's direct method, after Cottle and Dantzig \[B94\].
        Dantzig = "dantzig",
        /// Principal pivoting on the full matrix \[CPS\].
        PrincipalPivoting = "principal-pivoting",
        /// Interior-point method, from any start \[K91\].
        InteriorPoint = "interior-point",
        /// Projected Gauss-Seidel on the full matrix.
        Pgs = "pgs",
        /// Projected successive over-relaxation over cones, matrix-free \[TA\].
        Psor = "psor",
        /// Accelerated projected gradient with adaptive restart.
        Apgd = "apgd",
        /// The engine's own choice by the kind of island.
        Engine = "engine",
        ;
        /// A model of the caller's ([`ContactModel`](crate::models::ContactModel)).
        Own = "own",
    }
}

/// Where the answer of an island came from: the routes of the fallback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Route {
    /// The chosen solver from its warm start.
    Warm,
    /// The chosen solver from nothing.
    Cold,
    /// The guaranteed route, or Lemke's method with regularisation.
    Guaranteed,
    /// The best approximation to be had.
    BestEffort,
}

/// How many islands each route solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RouteCounts {
    /// By the chosen solver from its warm start.
    pub warm: usize,
    /// By the chosen solver from nothing.
    pub cold: usize,
    /// By the guaranteed route, or Lemke's method with regularisation.
    pub guaranteed: usize,
    /// By the best approximation to be had.
    pub best_effort: usize,
}

impl RouteCounts {
    /// Counts one island.
    pub fn add(&mut self, route: Route) {
        *match route {
            Route::Warm => &mut self.warm,
            Route::Cold => &mut self.cold,
            Route::Guaranteed => &mut self.guaranteed,
            Route::BestEffort => &mut self.best_effort,
        } += 1;
    }
}

/// A solver's name that isn't known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown solver `{name}`; the solvers are {}", SolverName::ALL.map(SolverName::as_str).join(", "))]
pub struct UnknownSolver {
    /// The name given.
    pub name: String,
}

impl std::str::FromStr for SolverName {
    type Err = UnknownSolver;

    fn from_str(s: &str) -> Result<Self, UnknownSolver> {
        let found = Self::ALL.into_iter().find(|n| n.as_str() == s);
        found.ok_or_else(|| UnknownSolver { name: s.into() })
    }
}

/// Errors of an answer, computed from problem and answer alone (`w` is the residual velocity of a row, `z` its impulse). Velocities
/// are divided by `1 + max |v_free|`; everything but the slip is therefore dimensionless.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Residuals {
    /// max |min(z D, w)| over unilateral rows, D the row's diagonal `row M^-1 row^T`.
    pub signorini: f64,
    /// Largest `max(-w, 0)` over unilateral rows.
    pub penetration: f64,
    /// Largest breach of a friction bound, `(|f_t| - mu f_n) D`; 0 for models without a bound.
    pub cone: f64,
    /// Dissipation (tangential) error; 0 for models without sliding friction.
    pub dissipation: f64,
    /// Largest `|X v+ - c|` over bilateral rows, and the box error of bounded rows.
    pub bilateral: f64,
    /// Largest shortfall of the rows that the answer itself declares unmet, because they contradict
    /// others (status [`SolveStatus::Relaxed`]); those rows count here and not above. A property of
    /// the problem, not an error of the answer, so [`Self::max`] leaves it out.
    pub contradiction: f64,
    /// Largest tangential speed at closed contacts [m/s], not scaled.
    pub slip: f64,
    /// Largest `|M (v+ - v_free) - sum of row impulses|` of a coordinate, divided by the sum of the
    /// terms' magnitudes plus the coordinate's own inertia times `1 + max |v_free|`.
    pub momentum: f64,
}

impl Residuals {
    /// The largest dimensionless residual: what a tolerance is held against.
    pub fn max(&self) -> f64 {
        let mut own = *self;
        let [dimensionless @ .., _, _] = own.parts();
        dimensionless.into_iter().fold(0.0, |a, b| worse(a, *b))
    }

    fn parts(&mut self) -> [&mut f64; 8] {
        [
            &mut self.signorini,
            &mut self.penetration,
            &mut self.cone,
            &mut self.dissipation,
            &mut self.bilateral,
            &mut self.momentum,
            &mut self.contradiction,
            &mut self.slip,
        ]
    }

    /// Row by row the larger of two residuals.
    pub fn merge(&mut self, other: &Self) {
        for (a, b) in self.parts().into_iter().zip({ *other }.parts()) {
            *a = worse(*a, *b);
        }
    }
}

/// The larger of two; a NaN stays.
#[inline]
pub fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// What the solve of one problem (all its islands) reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SolveReport {
    /// The worst status of the islands.
    pub status: SolveStatus,
    /// The solver whose answer was kept (of the island that needed the most help).
    pub solver_used: SolverName,
    /// Islands whose first choice failed and whose answer came from a later route.
    pub fallbacks: usize,
    /// Islands without any answer, as the problem's own numbers overflow: they moved with their free velocity.
    pub failures: usize,
    /// Islands whose model had no answer, by its solver's account or by proof: they moved by the exact cone.
    pub exact_cone: usize,
    /// Bytes that the largest island refused for its size would have taken; 0 where all fitted.
    pub memory_wanted: usize,
    /// Operations that it would have taken at least; 0 where all fitted.
    pub work_wanted: f64,
    /// Islands whose answer is applied although its residual misses the tolerance.
    pub unverified: usize,
    /// Which routes solved the islands.
    pub routes: RouteCounts,
    /// Changes of the active set, all islands together; 0 from a right warm start.
    pub pivots: usize,
    /// Inner iterations of iterative solvers, refinement steps of direct ones.
    pub iterations: usize,
    /// Islands with at least one row.
    pub islands: usize,
    /// Contacts in the problem.
    pub contacts: usize,
    /// Variables of the complementarity problems of models that work on one, all islands together.
    pub variables: usize,
    /// Tangential rows offered to the row selection.
    pub tangent_rows: usize,
    /// Tangential rows the selection kept.
    pub tangent_rows_kept: usize,
    /// Rank of the bilateral and tangential rows together.
    pub rank: usize,
    /// Contacts whose tangential rows gave way to a penetrating normal they would have pinned; they
    /// do not press.
    pub yielded: usize,
    /// Islands whose contact forces balance each other at any size, whether their step has an answer
    /// or not; only `quasi-static` looks for them
    /// (`stickslip_reference::pointedness` names the contacts).
    pub wedged: usize,
    /// Contacts with a torsional or rolling coefficient under a model that has no such friction: it is
    /// left out.
    pub spins_left_out: usize,
    /// Largest violation left by relaxing contradictory rows [m/s].
    pub relaxed: f64,
    /// Islands whose answer made more kinetic energy than anything asked for, and was shortened.
    pub held_back: usize,
    /// Whether the releasing form had to fall back to the bilateral one.
    pub release_failed: bool,
    /// What is wrong with the answer.
    pub residuals: Residuals,
}

impl SolveReport {
    /// Adds what another part of the same solve reports: the worst status, residuals and misses, the sum of what is
    /// counted.
    pub fn absorb(&mut self, part: &Self) {
        self.status = self.status.max(part.status);
        for (own, part) in [
            (&mut self.fallbacks, part.fallbacks),
            (&mut self.failures, part.failures),
            (&mut self.exact_cone, part.exact_cone),
            (&mut self.unverified, part.unverified),
            (&mut self.routes.warm, part.routes.warm),
            (&mut self.routes.cold, part.routes.cold),
            (&mut self.routes.guaranteed, part.routes.guaranteed),
            (&mut self.routes.best_effort, part.routes.best_effort),
            (&mut self.pivots, part.pivots),
            (&mut self.iterations, part.iterations),
            (&mut self.variables, part.variables),
            (&mut self.tangent_rows, part.tangent_rows),
            (&mut self.tangent_rows_kept, part.tangent_rows_kept),
            (&mut self.rank, part.rank),
            (&mut self.yielded, part.yielded),
            (&mut self.wedged, part.wedged),
            (&mut self.held_back, part.held_back),
        ] {
            *own += part;
        }
        self.memory_wanted = self.memory_wanted.max(part.memory_wanted);
        self.work_wanted = self.work_wanted.max(part.work_wanted);
        self.relaxed = self.relaxed.max(part.relaxed);
        self.release_failed |= part.release_failed;
        self.residuals.merge(&part.residuals);
    }
}

/// How one island of a solve was answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct IslandAnswer {
    /// How its solve ended.
    pub status: SolveStatus,
    /// Whose answer was kept.
    pub solver: SolverName,
    /// [`Residuals::max`] of the answer.
    pub residual: f64,
}

impl IslandAnswer {
    /// Takes in another part of the same answer: the worse status with its solver, the larger residual.
    pub fn absorb(&mut self, part: &Self) {
        if part.status >= self.status {
            (self.status, self.solver) = (part.status, part.solver);
        }
        self.residual = worse(self.residual, part.residual);
    }
}
