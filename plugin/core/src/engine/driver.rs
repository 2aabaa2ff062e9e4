//! Which method an island is solved by, and what follows where that is not enough.

use super::Ended;
use super::apgd::Gradient;
use super::interior::{Interior, Path};
use super::newton::{Newton, Run, Stride};
use super::pairs::Pairs;
use super::proximal::Proximal;
use super::sweeps::{Goal, Relaxation, Sweeps};
use crate::law::Friction;
use crate::models::{ModelSettings, WarmStart};
use crate::problem::{ContactProblem, Island};
use crate::report::SolverName;
use crate::system::System;

/// What counts as solved, relative to `1 + max |v_free|`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerances {
    /// Of what rests: a smaller error moves nothing that can be seen.
    pub(crate) rest: f64,
    /// Of what moves: below it a smaller residual only selects another of many answers.
    pub(crate) motion: f64,
}

/// What the methods may do on one island.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Pairs of sweeps of an island in motion.
    pub(crate) pairs: usize,
    /// Pairs of sweeps of an island near rest.
    pub(crate) settling_pairs: usize,
    /// Operations that a sparse factor may take.
    pub(crate) flops: usize,
}

/// How an island was solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// The method whose impulses were kept.
    pub(crate) method: SolverName,
    pub(crate) residual: f64,
    pub(crate) iterations: usize,
}

/// An island made ready, and the memory of everything that works on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Engine {
    pub(crate) system: System,
    newton: Newton,
    sweeps: Sweeps,
    gradient: Gradient,
    interior: Interior,
    proximal: Proximal,
    pairs: Pairs,
    /// The start without what pairs of bodies remember.
    start: Vec<f64>,
    best: Vec<f64>,
}

/// Residual a small island aims at: a few digits above round-off, so that what holds does not creep.
const EXACT: f64 = 1e-13;
/// Residual at which the impulses of the last step are taken as they are in a large island.
const NEAR: f64 = 1e-3;
/// Speed `1 + max |v_free|` below which nothing is fast.
const SLOW: f64 = 2.0;
/// Residual up to which sweeps go on where nothing is fast.
const SETTLED: f64 = 1e-6;
/// Impulses up to which an island is small enough for a dense matrix.
const SMALL: usize = 200;
/// Coordinates up to which an island of few bodies is.
const FEW: usize = 600;
/// Free bodies from which on an island counts as a heap.
const HEAP: usize = 5;
/// Residual above which the last steps of the chain for small islands are worth their time.
const POOR: f64 = 1e-5;

/// Proximal weight of whole Newton steps, and of falling ones.
const EPS: f64 = 1e-6;

impl Engine {
    /// Makes an island ready, with the impulses of the last step: by the names of its rows, and where that leaves
    /// a residual by pairs of bodies, if that leaves a smaller one.
    pub(crate) fn begin(
        &mut self,
        (problem, island): (&ContactProblem, Island<'_>),
        (settings, friction): (&ModelSettings, Friction),
        warm: &WarmStart,
    ) {
        let system = &mut self.system;
        system.build(problem, island, settings);
        system.start_from(problem, warm);
        let residual = system.residual(friction);
        if residual <= settings.tolerances().rest {
            return;
        }
        self.start.clone_from(&system.z);
        self.pairs.give(problem, warm, system);
        // Negated so that a NaN goes back.
        let better = system.residual(friction) <= residual;
        if !better {
            system.z.clone_from(&self.start);
            system.refresh();
        }
    }

    /// Solves the system from the impulses it has; ends with the best ones found.
    pub(crate) fn solve(
        &mut self,
        place: (&ContactProblem, Island<'_>),
        friction: Friction,
        tolerances: Tolerances,
        budget: Budget,
    ) -> Answer {
        let mut chain = Chain::begin(self, friction);
        if self.is_small() {
            self.small(place, &mut chain, tolerances, budget);
        } else {
            self.large(place, &mut chain, tolerances, budget);
        }
        chain.end(self)
    }

    /// Whether a dense matrix of the rows is worth its time.
    fn is_small(&self) -> bool {
        let rows = self.system.z.len();
        rows <= SMALL || (self.system.dim() <= FEW && !self.is_heap())
    }

    /// Whether many loose bodies touch more than they are jointed.
    fn is_heap(&self) -> bool {
        let blocks = self.system.blocks();
        let contacts = self.system.units.iter().filter(|unit| unit.width > 1);
        blocks > HEAP && contacts.count() > blocks
    }

    /// Newton's method with ever safer steps, sweeps in between to find out what sticks and slides.
    fn small(
        &mut self,
        place: (&ContactProblem, Island<'_>),
        chain: &mut Chain,
        tolerances: Tolerances,
        budget: Budget,
    ) {
        if chain.is_done(EXACT) {
            return;
        }
        let run = |stride, steps| Run {
            stride,
            eps: EPS,
            steps,
            goal: EXACT,
        };
        let sweeps = |most| Goal {
            most,
            tolerance: EXACT,
        };
        if self.is_heap() && chain.residual > NEAR {
            chain.sweep(self, sweeps(30));
        }
        chain.newton(self, run(Stride::Full, 20));
        if chain.is_done(tolerances.rest) {
            return;
        }
        if self.system.yield_contradictory(tolerances.rest) {
            chain.judge(self);
            chain.newton(self, run(Stride::Full, 20));
            if chain.is_done(tolerances.rest) {
                return;
            }
        }
        chain.newton(self, run(Stride::Falling, 20));
        if chain.is_done(tolerances.rest) {
            return;
        }
        chain.sweep(self, sweeps(30));
        chain.newton(self, run(Stride::Falling, 20));
        if chain.is_done(tolerances.rest) {
            return;
        }
        chain.newton(self, run(Stride::Proximal, 20));
        if chain.is_done(tolerances.rest) {
            return;
        }
        let finer = Run {
            eps: 1e-8,
            ..run(Stride::Falling, 20)
        };
        chain.newton(self, finer);
        if chain.residual > POOR {
            chain.sweep(self, sweeps(budget.pairs));
            chain.newton(self, run(Stride::Full, 20));
        }
        // What is still left is begun anew, from nothing.
        if chain.residual > tolerances.rest {
            self.system.forget();
            chain.sweep(self, sweeps(budget.pairs));
            chain.newton(self, run(Stride::Full, 20));
            let path = Path {
                factors: if chain.friction == Friction::Convex {
                    1500
                } else {
                    40
                },
                flops: budget.flops,
                goal: tolerances.rest,
            };
            if !chain.is_done(tolerances.rest) {
                self.system.forget();
                chain.follow(self, place, path);
                chain.newton(self, run(Stride::Full, 20));
            }
            if chain.residual > tolerances.motion {
                chain.sweep(self, sweeps(budget.settling_pairs));
                chain.newton(self, run(Stride::Full, 20));
                chain.newton(self, run(Stride::Proximal, 100));
            }
        }
    }

    /// The interior point near rest and sweeps in motion.
    fn large(
        &mut self,
        place: (&ContactProblem, Island<'_>),
        chain: &mut Chain,
        tolerances: Tolerances,
        budget: Budget,
    ) {
        if chain.is_done(tolerances.rest) {
            return;
        }
        let goal = (1e-3 * chain.residual).clamp(tolerances.rest, tolerances.motion);
        let (resting, slow) = (chain.residual < NEAR, self.system.speed < SLOW);
        let path = |factors| Path {
            factors,
            flops: budget.flops,
            goal: tolerances.rest,
        };
        if resting {
            chain.follow(self, place, path(8));
            if chain.is_done(goal) {
                return;
            }
        }
        let sweeps = |most, tolerance| Goal { most, tolerance };
        chain.sweep(self, sweeps(budget.pairs, goal));
        if chain.is_done(tolerances.rest) {
            return;
        }
        if !chain.is_done(goal) || slow {
            chain.follow(self, place, path(25));
        }
        let near = goal.max(SETTLED);
        if resting && slow && !chain.is_done(near) {
            chain.sweep(self, sweeps(budget.settling_pairs, near));
        }
    }

    /// Solves by the iteration of the literature alone.
    pub(crate) fn iterate(
        &mut self,
        friction: Friction,
        method: SolverName,
        how: (Goal, Relaxation),
    ) -> Answer {
        let ended = match (method, friction) {
            (SolverName::Apgd, Friction::Convex) => self.gradient.run(&mut self.system, how.0),
            _ => self.sweeps.relaxed(&mut self.system, friction, how),
        };
        Answer {
            method,
            residual: ended.residual,
            iterations: ended.iterations,
        }
    }
}

/// The methods tried so far on an island. Each starts from the best impulses of those before it.
struct Chain {
    friction: Friction,
    method: SolverName,
    residual: f64,
    iterations: usize,
}

impl Chain {
    fn begin(engine: &mut Engine, friction: Friction) -> Self {
        engine.system.refresh();
        let mut residual = engine.system.residual(friction);
        if residual.is_nan() {
            engine.system.forget();
            residual = engine.system.residual(friction);
        }
        engine.best.clone_from(&engine.system.z);
        Self {
            friction,
            method: SolverName::Sweeps,
            residual,
            iterations: 0,
        }
    }

    fn is_done(&self, goal: f64) -> bool {
        self.residual <= goal
    }

    /// Judges the present impulses anew, after targets have changed.
    fn judge(&mut self, engine: &Engine) {
        self.residual = engine.system.residual(self.friction);
    }

    fn newton(&mut self, engine: &mut Engine, run: Run) {
        let ended = engine.newton.run(&mut engine.system, self.friction, run);
        self.take(engine, SolverName::Newton, ended);
    }

    fn sweep(&mut self, engine: &mut Engine, goal: Goal) {
        let ended = engine
            .sweeps
            .accelerated(&mut engine.system, self.friction, goal);
        self.take(engine, SolverName::Sweeps, ended);
    }

    /// By a sparse factor: the interior point for the exact law, proximal steps for the convex one.
    fn follow(&mut self, engine: &mut Engine, place: (&ContactProblem, Island<'_>), path: Path) {
        let (ended, method) = match self.friction {
            Friction::Exact => (
                engine.interior.run(place, &mut engine.system, path),
                SolverName::InteriorPoint,
            ),
            Friction::Convex => (
                engine.proximal.run(place, &mut engine.system, path),
                SolverName::Newton,
            ),
        };
        if let Some(ended) = ended {
            self.take(engine, method, ended);
        }
    }

    fn take(&mut self, engine: &mut Engine, method: SolverName, ended: Ended) {
        self.iterations += ended.iterations;
        if ended.residual < self.residual || self.residual.is_nan() {
            self.residual = ended.residual;
            self.method = method;
            engine.best.clone_from(&engine.system.z);
        } else {
            engine.system.z.clone_from(&engine.best);
        }
    }

    fn end(self, engine: &mut Engine) -> Answer {
        engine.system.z.clone_from(&engine.best);
        engine.system.tidy();
        Answer {
            method: self.method,
            residual: engine.system.residual(self.friction),
            iterations: self.iterations,
        }
    }
}
