//! Large heaps of loose bodies in motion are swept first, without whitened rows.

use super::accept::make;
use super::attempt::{IslandContext, free};
use super::by_engine::{Answer, Task, mark};
use super::{ModelName, SolveContext};
use crate::engine::Engine;
use crate::law::Law;
use crate::report::Residuals;
use crate::system::{Friction, Start};
use crate::tolerances::PROGRESS;

/// An answer of the sweeps, what is wrong with it, and whether that is enough. Else the engine goes on from it.
pub(super) struct Loose {
    pub(super) answer: Answer,
    pub(super) residuals: Residuals,
    pub(super) is_enough: bool,
}

/// Sweeps an island that no attempt has an answer for, by the exact cone, and writes the answer. Returns `None`, and writes nothing,
/// where it is not a large heap of loose bodies in motion.
pub(super) fn sweep(
    here: IslandContext<'_>,
    task: Task<'_>,
    solving: &mut SolveContext<'_>,
    is_exact: bool,
) -> Option<Loose> {
    let context = here.context;
    let is_cone = matches!(task.friction, Friction::Law(Law::Cone));
    let own_law = context.friction.is_some() || context.name == ModelName::NoSlipReleasing;
    if !is_cone || own_law || solving.own.best.attempt.is_some() {
        return None;
    }
    let (warm, own, solution) = solving.parts();
    let budget = task.settings.budget.engine(task.is_past_deadline);
    let (start, tolerances) = (Start::Last(warm), task.tolerances);
    let swept = (own.engine).sweep_loose(task.place, task.settings, start, tolerances, budget)?;
    free(task.place, solution);
    own.engine.write_loose(solution);
    make(task.place, solution);
    if is_exact {
        mark(here.island, solution);
    }
    let residuals = solving.residuals(here, false);
    let answer = Answer {
        residual: residuals.max(),
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::engine::tests::heap;
    use crate::models::Solver;
    use crate::report::SolveStatus;
    use crate::settings::{ModelName, ModelSettings};
    use stickslip_random::Random;

    /// A large heap in motion is solved to its tolerance. Where the budget ends sooner, the engine goes on with whitened rows, unless
    /// much of the motion that rows ask for is missed; the report has the residual of the answer.
    #[test]
    fn what_sweeps_leave_goes_on() {
        let mut random = Random::new(5);
        let mut builder = heap(60, 1.0, &mut random, |_, _| {});
        builder.finish().unwrap();
        let problem = builder.finished().unwrap();
        for (pairs, is_solved, is_missed) in
            [(600, true, false), (6, false, false), (2, false, true)]
        {
            let mut settings = ModelSettings::default();
            settings.budget.pairs = pairs;
            settings.budget.factor = 0;
            let mut solver = Solver::new(ModelName::Cone, settings).unwrap();
            let report = solver.solve(problem);
            let left = report.residuals.max();
            assert_eq!(left <= 1e-3, is_solved, "{left}");
            let status = match is_solved {
                true => SolveStatus::SolvedInMotion,
                false => SolveStatus::IterationLimit,
            };
            assert_eq!(report.status, status);
            let iterations = report.iterations;
            assert_eq!(left > 0.1, is_missed, "{left}");
            // The budget's pairs, and as many again where they are not enough.
            match (is_solved, is_missed) {
                (true, _) => assert!(iterations <= pairs, "{iterations}"),
                (false, true) => assert_eq!(iterations, pairs, "{left}"),
                (false, false) => {
                    assert_eq!(iterations, 2 * pairs, "{left}");
                    assert!(
                        left > 0.01,
                        "a residual that is not squared would end it: {left}"
                    );
                }
            }
            assert!(solver.solution().f_n.iter().all(|f| *f >= 0.0));
            // The velocity is that of the impulses, by rows and masses that the sweeps did not use.
            let momentum = report.residuals.momentum;
            assert!(momentum > 0.0 && momentum < 1e-12, "{momentum}");
        }
    }
}
