//! The table by which every island is solved, whatever its size and laws.
//!
//! Newton's method converges from a start that is near enough. A stage makes such a start out of the best impulses so far, and Newton's
//! method follows. Stages are taken in the order of [`TABLE`] until one leaves a residual that is small enough for what the island does:
//! the tolerance of rest or of motion, or what lies between them for what comes to rest.
//!
//! Rows that prescribe a motion and contradict others have no answer: where the impulses show that
//! (`System::is_squeezed`), or a moving heap is far from an answer after a stage, the table ends.

use super::driver::{coming_to_rest, goals, taken};
use super::iterate::BestIterate;
use super::motion::MotionState;
use super::newton::{Run, StepRule};
use super::proximal::Path;
use super::{Engine, Goal};
use crate::law::Law;
use crate::problem::IslandProblem;
use crate::settings::{Budget, Stage, Tolerances};
use crate::tolerances::{
    CENTRE_STEPS, FACTOR_PER_VISIT, FACTORS, FEW_PAIRS, FINE, NEAR, PROXIMAL_WEIGHTS, STEPS,
};

/// How a stage makes its start.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Start {
    /// The best impulses as they are.
    Best,
    Held,
    Compliant,
    Descent,
    /// [`FEW_PAIRS`] pairs of sweeps.
    Few,
    /// The budget's pairs.
    Many,
    /// Newton's method by proximal points.
    Proximal,
}

/// The residual above which a stage is needed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Above {
    /// The tolerance of rest, for small islands; heaps as below.
    Rest,
    /// What is enough for the island as it moves.
    Enough,
    /// The tolerance of motion.
    Motion,
}

/// A stage, its start, when it is needed, and for which islands.
type Row = (Stage, Start, Above, fn(&Case) -> bool);

const TABLE: [Row; Stage::ALL.len()] = [
    (Stage::Held, Start::Held, Above::Enough, |c| c.is_fresh),
    (Stage::Descent, Start::Descent, Above::Enough, |c| {
        c.is_fresh || c.is_moving && c.is_linear
    }),
    (Stage::Newton, Start::Best, Above::Enough, |c| !c.is_moving),
    (Stage::Compliant, Start::Compliant, Above::Rest, |c| {
        !c.is_moving
    }),
    (Stage::SmallSweeps, Start::Few, Above::Rest, |c| !c.is_heap),
    (Stage::ConvexDescent, Start::Descent, Above::Rest, |c| {
        !c.is_moving && c.is_convex
    }),
    (Stage::Proximal, Start::Proximal, Above::Enough, |c| {
        !c.is_heap
    }),
    (Stage::LongSweeps, Start::Many, Above::Enough, |_| true),
    (Stage::MoreSweeps, Start::Many, Above::Enough, |c| {
        c.may_sweep_on && (c.is_moving || !c.is_heap)
    }),
    (
        Stage::LateDescent,
        Start::Descent,
        Above::Enough,
        |c| match c.is_convex {
            true => c.is_moving && !c.is_linear,
            false => c.is_alone || c.state < MotionState::Moves,
        },
    ),
    (Stage::LateProximal, Start::Proximal, Above::Motion, |c| {
        c.may_sweep_on && c.is_moving
    }),
];

/// What is known of an island before it is solved.
#[derive(Clone, Copy, Debug)]
struct Case {
    state: MotionState,
    /// Whether many loose bodies touch more than they are jointed, in a simulation that goes on or as a large heap.
    is_heap: bool,
    /// Whether it is a heap far from rest.
    is_moving: bool,
    /// Whether it stands without impulses.
    is_unloaded: bool,
    /// Whether it is a heap that does.
    is_fresh: bool,
    /// Whether nothing is known of a solve before, and it is no large heap.
    is_alone: bool,
    /// Whether every law is the slope of a convex function: the convex cone and all that is no cone.
    is_convex: bool,
    /// Whether no law is a cone.
    is_linear: bool,
    /// Whether every row is bilateral, so that Newton's first step is the answer.
    is_bilateral: bool,
    /// Whether the budget has more pairs of sweeps.
    may_sweep_on: bool,
}

/// What an island is solved to.
#[derive(Clone, Copy, Debug)]
struct Aims {
    /// Residual that is aimed at.
    goal: f64,
    /// Residual that is enough for the island as it moves.
    enough: f64,
    /// Residual at which sweeps end.
    swept: f64,
    motion: f64,
}

impl Case {
    /// Operations that a factor may take beside sweeps that visit so many contacts and rows, or would.
    fn flops(&self, visits: usize, budget: Budget) -> usize {
        if self.is_moving {
            return FACTOR_PER_VISIT.saturating_mul(visits).min(budget.flops);
        }
        // Heaps that have impulses go on from them by sweeps.
        let flops = match self.is_heap && !self.is_unloaded {
            true => budget.flops,
            false => budget.instead,
        };
        // One factor where others take a run; what comes to rest by it takes none for long.
        let runs = match (self.is_bilateral, self.is_unloaded) {
            (true, true) => FACTORS,
            (true, false) => STEPS,
            _ => 1,
        };
        flops.saturating_mul(runs)
    }

    fn aims(&self, first: f64, taken: f64, tolerances: Tolerances) -> Aims {
        let (rest, motion) = (tolerances.rest, tolerances.motion);
        let goal = match (self.is_moving, self.state) {
            (true, MotionState::Moves) => motion,
            _ if self.is_heap => taken,
            _ => rest,
        };
        let enough = match self.state {
            MotionState::Stands => goal,
            // No next step goes on from here.
            _ if self.is_alone => goal,
            MotionState::Creeps if first > NEAR => FINE * motion,
            _ if first > NEAR => motion,
            _ => goal.max(coming_to_rest(first, motion)),
        };
        let swept = match (self.is_moving, self.state) {
            (true, MotionState::Stands) => FINE * motion,
            (true, _) => motion,
            _ => enough,
        };
        // Sweeps measure the convex law's two parts one by one; their common length bounds the distance of the velocities to
        // the dual cone.
        let share = match self.is_convex && !self.is_linear {
            true => std::f64::consts::FRAC_1_SQRT_2,
            false => 1.0,
        };
        Aims {
            goal: share * goal,
            enough,
            swept: share * swept,
            motion,
        }
    }
}

impl Aims {
    fn above(&self, above: Above, case: &Case) -> f64 {
        match above {
            Above::Rest if !case.is_heap => self.goal,
            Above::Motion => self.motion,
            _ => self.enough,
        }
    }

    /// The residual that Newton's method aims at: `exact`, but for what moves and is not solved to it.
    fn newton(&self, exact: f64, case: &Case) -> f64 {
        match case.is_moving {
            true => self.goal,
            false => exact,
        }
    }
}

impl Engine {
    /// Solves the system from the impulses it has.
    pub(super) fn stages(
        &mut self,
        place: IslandProblem<'_>,
        iterate: &mut BestIterate,
        tolerances: Tolerances,
        budget: Budget,
    ) {
        let tolerances = Tolerances {
            motion: Self::in_motion(place, tolerances),
            ..tolerances
        };
        let [accepted, exact] = goals(self.is_large(), tolerances);
        let accepted = taken(place, accepted);
        if iterate.is_done(accepted) {
            return;
        }
        let case = self.case(place, iterate.residual, tolerances, budget);
        let aims = case.aims(iterate.residual, taken(place, tolerances.rest), tolerances);
        let units = self.system.units.len();
        let flops_of = |pairs: usize| case.flops(pairs.saturating_mul(units), budget);
        let few = FEW_PAIRS.min(budget.pairs);
        let mut flops = flops_of(budget.pairs);
        let asks = self.system.asks();
        let mut is_first = true;
        // Sweeps that improved nothing would be the same again, and so would Newton's method.
        let mut in_vain = None;
        let mut stuck = None;
        for (stage, start, above, is_for) in TABLE {
            if !is_for(&case) || self.without == Some(stage) {
                continue;
            }
            // The last impulses are not accepted, whatever is enough.
            if !is_first && iterate.is_done(aims.above(above, &case)) {
                continue;
            }
            if !is_first && start != Start::Compliant && asks && iterate.is_squeezed(self) {
                return;
            }
            is_first = false;
            // The convex law has another answer where something slides, and is a start where nothing else is within motion.
            let is_last = start == Start::Descent && !case.is_convex && case.is_moving;
            if is_last && iterate.is_done(aims.motion) && iterate.slides(self) {
                continue;
            }
            let before = iterate.residual;
            let mut has_swept = false;
            let mut run = Run {
                rule: StepRule::Full,
                steps: STEPS,
                flops,
                goal: aims.newton(exact.min(accepted), &case),
            };
            match start {
                Start::Best => {}
                Start::Held => {
                    run.rule = StepRule::AllSticking;
                    iterate.hold(self, place, run);
                    continue;
                }
                Start::Compliant => {
                    if !self.system.yield_contradictory(tolerances.rest) {
                        continue;
                    }
                    iterate.measure(self);
                    stuck = None;
                }
                Start::Descent => {
                    // A run takes several times as many factors as one of Newton's method.
                    let pairs = if case.is_convex { budget.pairs } else { few };
                    let path = Path {
                        factors: FACTORS,
                        flops: flops_of(pairs),
                        goal: aims.goal,
                    };
                    // What sweeps left that did not converge may be a bad start.
                    if case.is_alone {
                        iterate.interior_point(self, place, path);
                    }
                    let is_answered = case.is_alone && !case.is_convex;
                    if !(is_answered || iterate.is_done(aims.goal)) {
                        iterate.descend(self, place, path);
                    }
                }
                Start::Few | Start::Many => {
                    if start != Start::Few && iterate.is_done(aims.swept) || in_vain == Some(start)
                    {
                        continue;
                    }
                    let all = if start == Start::Few {
                        few
                    } else {
                        budget.pairs
                    };
                    // Those that were made before the rows were whitened count.
                    let swept = std::mem::take(&mut self.swept);
                    let most = all.saturating_sub(swept);
                    let begun = iterate.iterations;
                    has_swept = most > 0;
                    let tolerance = aims.swept;
                    // What stands on its first impulses may be held then, and goes on from them.
                    let first = Goal {
                        most: budget.fresh,
                        tolerance,
                    };
                    if most > 0 && !(case.is_fresh && iterate.sweep_roughly(self, first)) {
                        iterate.sweep(self, Goal { most, tolerance });
                    }
                    // The descent that follows under a convex law takes longer than a run of Newton's method.
                    run.flops = flops_of(match case.is_convex {
                        true => all,
                        false => swept + iterate.iterations - begun,
                    });
                }
                Start::Proximal => {
                    run.rule = StepRule::Proximal;
                    run.steps = PROXIMAL_WEIGHTS.len() * CENTRE_STEPS;
                }
            }
            flops = run.flops;
            let left = iterate.residual;
            let is_again = stuck == Some((left, run.rule, flops));
            if start == Start::Best || !(is_again || iterate.is_done(aims.goal)) {
                iterate.newton(self, place, run);
                if iterate.residual == left {
                    stuck = Some((left, run.rule, flops));
                }
            }
            in_vain = (has_swept && iterate.residual >= before).then_some(start);
            // A motion that is asked for and still missed by so much is missed by any answer, as a rule.
            if case.is_moving && asks && iterate.residual.powi(2) > FINE {
                return;
            }
        }
    }

    fn case(
        &self,
        place: IslandProblem<'_>,
        residual: f64,
        tolerances: Tolerances,
        budget: Budget,
    ) -> Case {
        let state = MotionState::of(place, tolerances.rest);
        let is_alone = self.is_alone && !self.is_large();
        let is_heap = self.is_heap() && !is_alone;
        let is_unloaded = state == MotionState::Stands && self.is_unloaded();
        let is_fresh = is_heap && is_unloaded;
        let units = &self.system.units;
        let is_convex = units.iter().all(|unit| unit.law != Law::Cone);
        Case {
            state,
            is_heap,
            is_moving: is_heap && residual > NEAR && !is_fresh,
            is_unloaded,
            is_fresh,
            is_alone,
            is_convex,
            is_linear: is_convex && units.iter().all(|unit| unit.law != Law::Convex),
            is_bilateral: units.iter().all(|unit| unit.law == Law::Free),
            may_sweep_on: budget.may_sweep_on,
        }
    }
}

#[cfg(test)]
mod tests;
