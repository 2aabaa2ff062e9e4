//! Which method an island is solved by, and what follows where that is not enough.

use super::Goal;
use super::apgd::Gradient;
use super::chain::Chain;
use super::newton::{Newton, Run, Stride};
use super::proximal::{Path, Proximal};
use super::sweeps::{Relaxation, Sweeps};
use crate::problem::{ContactProblem, Island};
use crate::report::SolverName;
use crate::settings::{Budget, ModelSettings, Tolerances};
use crate::system::{Friction, Start, System};

/// How an island was solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) residual: f64,
    pub(crate) iterations: usize,
}

/// An island made ready, and the memory of everything that works on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Engine {
    pub(crate) system: System,
    pub(super) newton: Newton,
    pub(super) sweeps: Sweeps,
    gradient: Gradient,
    pub(super) proximal: Proximal,
    /// Residual of the impulses that [`Self::begin`] left.
    pub(super) known: Option<f64>,
    pub(super) best: Vec<f64>,
}

/// Residual a small island aims at: a few digits above round-off, so that what holds does not creep.
pub(super) const EXACT: f64 = 1e-12;
/// Residual of the last impulses below which a large island comes to rest; above it moves.
pub(super) const NEAR: f64 = 1e-3;
/// What comes to rest converges quadratically from step to step: the residual aimed at is so many squares of the present
/// one, which is the tolerance of motion at [`NEAR`].
const COMING: f64 = 100.0;
/// Speed of what nearly stands [m/s or rad/s].
pub(super) const STILL: f64 = 1e-3;
/// Residual at which a heap in motion is left where more sweeps gain nothing, by the tolerance of motion.
pub(super) const LEFT: f64 = 10.0;
/// Share of the tolerance of motion to which an island is solved that stood at the start of its step: an error of the
/// whole tolerance would set it in motion.
pub(super) const STANDING: f64 = 0.01;
/// Speed up to which something creeps [m/s or rad/s], as the stones of `arch-gap` that close their joints: held and
/// unilateral rows are solved to that share too, and cones are descended where sweeps don't get there.
const CREEPING: f64 = 0.2;
/// Share of the tolerance that a factor is aimed at: bodies at rest are not solved again in the next step.
const BEYOND: f64 = 0.01;
/// Factors that the descent of a structure at rest may take.
const STANDING_FACTORS: usize = 120;
/// The same of one whose factors are large.
const LARGE_FACTORS: usize = 12;
/// The same of what creeps.
const CREEPING_FACTORS: usize = 60;
/// Speed `1 + max |v_free|` below which nothing is fast.
const SLOW: f64 = 2.0;
/// Residual above which convex laws are descended where nothing is fast.
const SETTLED: f64 = 1e-6;
/// Impulses from which on a heap is large: a dense matrix of fewer takes less time than anything else.
const LARGE: usize = 200;
/// Free bodies from which on an island counts as a heap.
const HEAP: usize = 5;
/// Proximal weight of whole Newton steps, and of falling ones.
pub(super) const EPS: f64 = 1e-6;

/// Weight of the penalty that corrects positions: the share of an overlap's push that it leaves, but for what rests on
/// it. Where contacts and joints contradict each other a smaller one turns links by any angle for a little less overlap.
const PENALTY: f64 = 3e-2;
/// The same of joints, which are closed whatever overlaps.
const JOINT_PENALTY: f64 = 1e-7;
/// Operations of a factor up to which it corrects a heap sooner than sweeps do.
const HEAP_FLOPS: usize = 500_000;
/// Pairs of sweeps that correct positions, and the share of the largest error to which they do; the next step goes on.
const PROJECTION_PAIRS: usize = 30;
const PROJECTION_GOAL: f64 = 1e-3;

impl Engine {
    /// Makes an island ready, with the impulses it starts from.
    pub(crate) fn begin(
        &mut self,
        (problem, island): (&ContactProblem, Island<'_>),
        (settings, friction): (&ModelSettings, Friction<'_>),
        start: Start<'_>,
    ) {
        let system = &mut self.system;
        system.build_with(problem, island, (settings, friction));
        system.start_from(problem, start);
        self.known = Some(system.residual());
    }

    /// Makes rows with a prescribed motion compliant ([`System::relax`]); whether there are any.
    pub(crate) fn relax(&mut self) -> bool {
        let any = self.system.relax();
        if any {
            self.known = None;
        }
        any
    }

    /// Solves the system from the impulses it has; ends with the best ones found.
    pub(crate) fn solve(
        &mut self,
        place: (&ContactProblem, Island<'_>),
        tolerances: Tolerances,
        budget: Budget,
    ) -> Answer {
        let mut chain = Chain::begin(self);
        let budget = budget.of_island(self.system.units.len());
        match self.size().is_large() {
            true => self.large(place, &mut chain, tolerances, budget),
            false => self.small(place, &mut chain, tolerances, budget),
        }
        chain.end(self)
    }

    /// Residual up to which the last impulses of an island at rest answer as they are, before it is made ready; none for
    /// what moves.
    pub(crate) fn at_rest(
        place: (&ContactProblem, Island<'_>),
        tolerances: Tolerances,
    ) -> Option<f64> {
        let (problem, island) = place;
        if !rests(place, STILL) {
            return None;
        }
        let is_contact = |&&g: &&u32| (g as usize) < problem.contact_count();
        let contacts = island.groups.iter().filter(is_contact).count();
        let size = Size {
            rows: island.groups.len() + 2 * contacts,
            contacts,
            blocks: island.blocks.len(),
        };
        // What the engine would take them at itself.
        let goal = match size.is_large() {
            true => tolerances.rest,
            false => EXACT,
        };
        Some(taken(place, goal))
    }

    fn size(&self) -> Size {
        Size {
            rows: self.system.z.len(),
            contacts: self.system.contacts(),
            blocks: self.system.blocks(),
        }
    }

    pub(super) fn is_heap(&self) -> bool {
        self.size().is_heap()
    }

    /// Whether nothing presses yet.
    fn is_unloaded(&self) -> bool {
        self.system.z.iter().all(|z| *z == 0.0)
    }

    /// Newton's method near rest and sweeps in motion.
    fn large(
        &mut self,
        place: (&ContactProblem, Island<'_>),
        chain: &mut Chain,
        tolerances: Tolerances,
        budget: Budget,
    ) {
        if chain.is_done(taken(place, tolerances.rest)) {
            return;
        }
        let path = path(tolerances, budget);
        let (resting, slow) = (chain.residual < NEAR, self.system.speed < SLOW);
        let (stands, creeps) = (rests(place, STILL), rests(place, CREEPING));
        // Sweeps leave an error that sets a structure at rest in motion, so what is slow is solved by Newton's method.
        let is_exact = slow && !chain.is_linear;
        let is_held = slow && !resting && stands && self.is_unloaded();
        let goal = match resting {
            true => coming(chain.residual, tolerances),
            // Joints of a held structure add up their errors, so it is solved to the tolerance of rest.
            false if is_held => tolerances.rest,
            false if stands || chain.is_linear && creeps => STANDING * tolerances.motion,
            false => tolerances.motion,
        };
        let newton = |stride, steps| Run {
            stride,
            eps: EPS,
            steps,
            flops: budget.flops,
            goal: BEYOND * tolerances.rest,
            enough: tolerances.rest,
        };
        if resting {
            // One factor where nothing changes between sticking, sliding and open.
            chain.newton(self, place, newton(Stride::Full, 3));
        }
        if is_held {
            chain.hold(self, place, newton(Stride::Held, 20));
        }
        if (is_held || chain.is_linear) && !chain.is_done(goal) {
            // Held and unilateral rows have a descent that always converges. So have cones where nothing moves: the exact
            // law and the convex one are the same without slip.
            let (goal, factors) = match stands {
                true => (tolerances.rest, STANDING_FACTORS),
                false => (goal, 40),
            };
            let gains = chain.descend(
                self,
                place,
                Path {
                    goal,
                    ..path(factors)
                },
            );
            if is_held && gains.is_none() {
                // Sweeps would be made again in every step; what is solved needs no work from then on.
                let flops = budget.structure;
                let run = newton(Stride::Held, LARGE_FACTORS);
                chain.hold(self, place, Run { flops, ..run });
                let path = path(LARGE_FACTORS);
                chain.descend(self, place, Path { flops, ..path });
            }
            if is_held && is_exact && !chain.is_done(goal) {
                chain.newton(self, place, newton(Stride::Full, 8));
            }
        }
        let sweeps = |most| Goal {
            most,
            tolerance: goal,
        };
        if !chain.is_done(goal) {
            chain.sweep(self, sweeps(budget.pairs));
            if chain.is_done(tolerances.rest) {
                return;
            }
            if is_exact {
                chain.newton(self, place, newton(Stride::Full, 8));
            }
        }
        if is_exact && creeps && !resting && !chain.is_done(goal) {
            // Newton's method alone may stall while joints of a structure close.
            let gains = chain.descend(self, place, path(CREEPING_FACTORS));
            if gains == Some(true) && !chain.is_done(goal) {
                chain.newton(self, place, newton(Stride::Full, 8));
            }
        }
        if !resting && budget.more > 0 && !chain.is_done(goal) && chain.is_done(LEFT * goal) {
            // What moves and is near gets there by more of them (balls in a bin, in half of such steps); what comes to rest goes
            // on in the next step (dominoes swept 600 pairs for nothing).
            chain.sweep(self, sweeps(budget.more));
        }
        if resting && slow && chain.is_convex && !chain.is_done(goal.max(SETTLED)) {
            // Where whole steps went astray, those with a descent don't: `tiny` under `ccp`.
            chain.descend(self, place, path(60));
        }
    }

    /// Corrects positions: the least motion that takes away what rows ask for, a compromise where they contradict
    /// each other. Returns what it misses at most [m/s].
    pub(crate) fn project(
        &mut self,
        place: (&ContactProblem, Island<'_>),
        (asked, budget): (f64, Budget),
    ) -> f64 {
        // Sweeps are quick at pushing loose bodies apart and slow at closing joints.
        let flops = match self.is_heap() {
            true => HEAP_FLOPS,
            false => budget.flops,
        };
        let system = &mut self.system;
        for unit in system.units.iter_mut().filter(|unit| unit.yields < 1.0) {
            unit.yields = JOINT_PENALTY / PENALTY;
        }
        let ended = (self.proximal).penalise(place, system, (PENALTY, flops));
        let ended = ended.unwrap_or_else(|| {
            let goal = Goal {
                most: PROJECTION_PAIRS,
                tolerance: PROJECTION_GOAL * asked,
            };
            self.sweeps.accelerated(system, goal)
        });
        self.system.tidy();
        ended.residual
    }

    /// Solves by an iteration of the literature alone: the accelerated gradient for the convex law, else relaxed
    /// sweeps.
    pub(crate) fn iterate(&mut self, method: SolverName, how: (Goal, Relaxation)) -> Answer {
        self.known = None;
        let ended = match method {
            SolverName::Apgd => self.gradient.run(&mut self.system, how.0),
            _ => self.sweeps.relaxed(&mut self.system, how),
        };
        Answer {
            residual: ended.residual,
            iterations: ended.iterations,
        }
    }
}

/// The residual that what comes to rest is aimed at.
pub(super) fn coming(residual: f64, tolerances: Tolerances) -> f64 {
    (COMING * residual * residual).max(tolerances.rest)
}

/// Proximal steps to rest, by the factors they may take.
pub(super) fn path(tolerances: Tolerances, budget: Budget) -> impl Fn(usize) -> Path {
    move |factors| Path {
        factors,
        flops: budget.flops,
        goal: tolerances.rest,
    }
}

/// What decides how an island is solved.
struct Size {
    /// Impulses.
    rows: usize,
    contacts: usize,
    blocks: usize,
}

impl Size {
    /// Whether it is solved by sweeps in motion. Joints go through loose bodies faster than sweeps do, and 10,000 contacts on
    /// one body are a factor of six coordinates.
    fn is_large(&self) -> bool {
        self.is_heap() && self.rows > LARGE
    }

    /// Whether many loose bodies touch more than they are jointed.
    fn is_heap(&self) -> bool {
        self.blocks > HEAP && self.contacts > self.blocks
    }
}

/// Residual up to which the last impulses are taken as they are. Impulses that left a speed d are answered by ones that
/// take it away, which leave -d in the next step, where nothing moves: there less than half is taken, or d would come
/// and go for ever.
pub(super) fn taken(place: (&ContactProblem, Island<'_>), goal: f64) -> f64 {
    match rests(place, 0.125 * goal) {
        true => 0.4 * goal,
        false => goal,
    }
}

/// Whether nothing in an island is faster than this, in any coordinate.
pub(super) fn rests((problem, island): (&ContactProblem, Island<'_>), speed: f64) -> bool {
    let ranges = island.blocks.iter();
    let mut ranges = ranges.map(|&b| problem.block(b as usize).range());
    ranges.all(|range| problem.v()[range].iter().all(|v| v.abs() < speed))
}
