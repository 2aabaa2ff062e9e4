//! Models of the caller's: one island in, impulses and a status out.

use super::attempt::{Attempt, Context, Effort, Fallback, IslandSolver};
use super::driver;
use super::workspace::SolveContext;
use super::{ModelError, ModelName, ModelSettings};
use crate::law::FrictionLaw;
use crate::problem::{ContactProblem, GroupId, Island, IslandProblem, RowId};
use crate::report::{Route, SolveReport, SolveStatus, SolverName};
use crate::warm::WarmStart;
use std::fmt::Debug;
use std::sync::Arc;

/// A contact model of one's own.
///
/// It finds the impulses z of an island's rows R; the velocity follows, `v+ = v_free + M^-1 R^T z`. A
/// [`Solver`](super::Solver) takes it by [`Solver::own`](super::Solver::own). Islands are solved one after another.
///
/// The residual function ([`crate::residual`]) checks each answer against [`Self::law`]. One whose residual is within
/// [`IterationSettings::tolerance`](super::IterationSettings::tolerance) is [`SolveStatus::Solved`]; any other finite one
/// is applied too, as [`SolveStatus::Inaccurate`] with its residual in the report. An island whose impulses are not
/// finite, or whose status is not usable ([`SolveStatus::is_usable`]), moves by the exact cone
/// ([`SolveStatus::ExactCone`]). The bound of energy
/// ([`ModelSettings::energy_bound`]) holds for these models too.
///
/// Without friction and restitution, `0 <= z` complementary to `W z + q + b >= 0`, by Gauss-Seidel sweeps:
/// ```
/// use stickslip_core::models::{ContactModel, ModelName, ModelSettings, Solver};
/// use stickslip_core::problem::{Delassus, GroupId, IslandProblem};
/// use stickslip_core::report::SolveStatus;
///
/// #[derive(Debug, Default)]
/// struct Normals(Delassus);
///
/// impl ContactModel for Normals {
///     fn law(&self) -> ModelName {
///         ModelName::Frictionless
///     }
///
///     fn solve(
///         &mut self,
///         place: IslandProblem<'_>,
///         settings: &ModelSettings,
///         impulses: &mut [f64],
///     ) -> SolveStatus {
///         self.0.fill(place);
///         for _ in 0..100 {
///             for (group, rows) in place.groups() {
///                 let GroupId::Contact(c) = group else { continue };
///                 let contact = &place.problem.contacts()[c.0];
///                 let b = settings.contact_velocity(contact, 0.0, place.problem.h());
///                 let (n, w) = (rows.start, self.0.row(rows.start)[rows.start]);
///                 let u = self.0.velocity(n, impulses) + b;
///                 impulses[n] = (impulses[n] - u / w).max(0.0);
///             }
///         }
///         SolveStatus::Solved
///     }
/// }
///
/// let solver = Solver::own(Box::new(Normals::default()), ModelSettings::default())?;
/// assert_eq!(solver.model().name(), ModelName::Frictionless);
/// # Ok::<(), stickslip_core::models::ModelError>(())
/// ```
pub trait ContactModel: Debug + Send + Sync {
    /// The law that answers are held against: `frictionless`, `no-slip`, `viscous`, `stewart-trinkle`, `cone` or `ccp`.
    fn law(&self) -> ModelName {
        ModelName::Cone
    }

    /// The law along the tangents that answers are held against in place of that of [`Self::law`], which must be `cone`.
    fn friction(&self) -> Option<Arc<dyn FrictionLaw>> {
        None
    }

    /// Finds the impulses [N s or N m s] of the rows of an island, in the order of [`IslandProblem::rows`], with the signs
    /// of [`ContactProblem`]. They come in as the last solve left them under the same keys, else zero. The status is the
    /// model's own account.
    fn solve(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        impulses: &mut [f64],
    ) -> SolveStatus;
}

/// Checks law and settings of a model.
pub(super) fn check(law: ModelName, settings: &ModelSettings) -> Result<(), ModelError> {
    let fits = [
        ModelName::Frictionless,
        ModelName::NoSlip,
        ModelName::Viscous,
        ModelName::StewartTrinkle,
        ModelName::Cone,
        ModelName::Ccp,
    ];
    if !fits.contains(&law) {
        let fit = fits.map(ModelName::as_str).join(", ");
        let law = law.as_str();
        return Err(ModelError::UnfitLaw { law, fit });
    }
    if let Some(solver) = settings.solver {
        return Err(ModelError::UnfitSolver {
            model: SolverName::Own.as_str(),
            solver: solver.as_str(),
            fit: "none: it solves its problem itself".into(),
        });
    }
    settings.check(law)
}

/// Solves a problem by a model of the caller's.
pub(super) fn solve(
    context: Context<'_>,
    model: &mut dyn ContactModel,
    solving: &mut SolveContext<'_>,
) -> SolveReport {
    let friction = model.friction().filter(|_| context.name == ModelName::Cone);
    let context = Context {
        chosen: SolverName::Own,
        fallback: Fallback::Nobody,
        friction: friction.as_deref(),
        ..context
    };
    driver::drive_alone(context, &mut Run { context, model }, solving)
}

struct Run<'a> {
    context: Context<'a>,
    model: &'a mut dyn ContactModel,
}

impl IslandSolver for Run<'_> {
    fn attempts(&self) -> &[Attempt] {
        const { &[Attempt::new(Route::Warm, SolverName::Own)] }
    }

    fn attempt(
        &mut self,
        _: Attempt,
        island: Island<'_>,
        solving: &mut SolveContext<'_>,
    ) -> Option<Effort> {
        let (problem, settings) = (self.context.problem, self.context.settings);
        let place = problem.place(island);
        let (warm, own, solution) = solving.parts();
        let impulses = &mut own.impulses;
        impulses.clear();
        impulses.extend(place.rows().map(|row| last(problem, warm, row)));
        let status = self.model.solve(place, settings, impulses);
        if !status.is_usable() || impulses.iter().any(|z| !z.is_finite()) {
            let is_proven = matches!(status, SolveStatus::NoSolution | SolveStatus::Jammed);
            return is_proven.then(|| Effort::ended(status));
        }
        place.velocity(impulses, &mut solution.v_plus);
        for (row, &z) in place.rows().zip(&*impulses) {
            *solution.impulse_mut(problem, row) = z;
        }
        for (group, _) in place.groups() {
            if let GroupId::Contact(c) = group {
                let is_closed = settings.is_closed(&problem.contacts()[c.0]);
                solution.held[c.0] = self.context.name == ModelName::NoSlip && is_closed;
            }
        }
        Some(Effort::ended(status))
    }

    fn starts_from_impulses(&self) -> bool {
        true
    }
}

/// Impulse of a row in the last solve, 0 where there was none.
fn last(problem: &ContactProblem, warm: &WarmStart, row: RowId) -> f64 {
    let n = problem.contact_count();
    let of = |c: usize, k: usize| {
        let known = warm.contact_impulse(c, problem.contacts()[c].key);
        known.map(|f| f[k])
    };
    let known = match row.0.checked_sub(3 * n) {
        None => of(row.0 / 3, row.0 % 3),
        Some(rest) => match problem.scalars().get(rest) {
            Some((key, _)) => warm.scalar_impulse(rest, *key),
            None => {
                let spin = rest - problem.scalar_count();
                of(problem.spins()[spin / 3] as usize, 3 + spin % 3)
            }
        },
    };
    known.unwrap_or(0.0)
}
