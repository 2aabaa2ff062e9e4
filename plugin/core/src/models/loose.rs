//! Large heaps of loose bodies that move: swept from the problem itself, before any island is made ready.

use super::accept::make;
use super::attempt::{Context, free};
use super::by_engine::{Answer, Task, mark};
use super::{ModelName, SolveContext};
use crate::engine::Engine;
use crate::law::Law;
use crate::problem::Island;
use crate::report::Residuals;
use crate::system::{Friction, Start};
use crate::tolerances::PROGRESS;

/// An answer of the sweeps, what is wrong with it, and whether that is enough. Else the engine goes on from it.
pub(super) struct Loose {
    pub(super) answer: Answer,
    pub(super) residuals: Residuals,
    pub(super) is_enough: bool,
}

/// Sweeps an island that no attempt has an answer for, by the exact cone, and writes the answer; none, and nothing written, where it
/// is not a large heap of loose bodies in motion.
pub(super) fn sweep(
    (context, island): (Context<'_>, Island<'_>),
    task: Task<'_>,
    solving: &mut SolveContext<'_>,
    is_exact: bool,
) -> Option<Loose> {
    let is_cone = matches!(task.friction, Friction::Law(Law::Cone));
    let own_law = context.friction.is_some() || context.name == ModelName::NoSlipReleasing;
    if !is_cone || own_law || solving.own.best.attempt.is_some() {
        return None;
    }
    let (warm, own, solution) = solving.parts();
    let budget = task.settings.budget.engine(task.is_past_deadline);
    let limits = (task.tolerances, budget);
    let start = (task.settings, Start::Last(warm));
    free(context.problem, island, solution);
    let swept = own
        .engine
        .sweep_loose(task.place, start, limits, solution)?;
    make(context.problem, island, solution);
    if is_exact {
        mark(island, solution);
    }
    let residuals = solving.residuals((context, island), false);
    let answer = Answer {
        residual: residuals.max().max(swept.ended.residual),
        iterations: swept.ended.iterations,
        missed: 0.0,
        is_beyond_factors: false,
        has_gained: swept.ended.residual < PROGRESS * swept.first,
    };
    Some(Loose {
        answer,
        residuals,
        is_enough: residuals.max() <= Engine::in_motion(task.place, task.tolerances),
    })
}
