//! Which method an island is solved by, and what follows where that is not enough.

use super::interior::Interior;
use super::iterate::BestIterate;
use super::motion::MotionState;
use super::newton::Newton;
use super::pairs::Pairs;
use super::proximal::Proximal;
use super::sweeps::Sweeps;
use super::{Ended, Goal};
use crate::problem::{Island, IslandProblem};
use crate::settings::{Budget, ModelSettings, Stage, Tolerances, in_place_of};
use crate::solution::ContactSolution;
use crate::system::{Friction, Start, System};
use crate::tolerances::{
    FEW_PAIRS, FINE, HEAP, JOINT_PENALTY, LARGE_HEAP, NEAR, PENALTY, PROGRESS,
};

/// How an island was solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) residual: f64,
    pub(crate) iterations: usize,
    /// Whether a factor would have taken more operations than it may.
    pub(crate) is_beyond_factors: bool,
    /// Whether the residual fell by [`crate::tolerances::PROGRESS`] from that of the impulses it started from.
    pub(crate) has_gained: bool,
}

/// How sweeps before anything else ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swept {
    /// Residual of the impulses they started from.
    pub(crate) first: f64,
    pub(crate) ended: Ended,
}

/// An island made ready, and the memory of everything that works on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Engine {
    pub(crate) system: System,
    pub(super) newton: Newton,
    pub(super) sweeps: Sweeps,
    pairs: Pairs,
    /// Pairs of sweeps that were made before its rows were whitened.
    pub(crate) swept: usize,
    pub(super) proximal: Proximal,
    pub(super) interior: Interior,
    /// Residual of the impulses that [`Self::begin`] left.
    pub(super) known: Option<f64>,
    pub(super) best: Vec<f64>,
    /// Whether nothing is known of a solve before, as of a problem by itself.
    pub(crate) is_alone: bool,
    /// A stage that is left out.
    pub(super) without: Option<Stage>,
}

impl Engine {
    /// Makes an island ready, with the impulses it starts from.
    pub(crate) fn begin(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        friction: Friction<'_>,
        start: Start<'_>,
    ) {
        let system = &mut self.system;
        system.build(place, settings, friction);
        self.without = settings.without;
        self.swept = 0;
        system.start_from(place.problem, start);
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
        place: IslandProblem<'_>,
        tolerances: Tolerances,
        budget: Budget,
    ) -> Answer {
        let mut iterate = BestIterate::begin(self);
        let budget = budget.of_island(self.system.units.len(), self.system.entries());
        self.stages(place, &mut iterate, tolerances, budget);
        iterate.end(self)
    }

    /// Residual up to which the last impulses of an island at rest answer as they are, before it is made ready; none for
    /// what moves.
    pub(crate) fn at_rest(place: IslandProblem<'_>, tolerances: Tolerances) -> Option<f64> {
        if MotionState::of(place, tolerances.rest) > MotionState::Stands {
            return None;
        }
        // What the engine would take them at itself.
        let [accepted, _] = goals(Size::of(place.island).is_large(), tolerances);
        Some(taken(place, accepted))
    }

    /// Sweeps a large heap without joints that moves, under the exact cone, without whitened rows. Returns the residual
    /// before and how the sweeps ended; `None` where the island is another one, or they gained nothing.
    pub(crate) fn sweep_loose(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        start: Start<'_>,
        tolerances: Tolerances,
        budget: Budget,
    ) -> Option<Swept> {
        if !is_loose(place, tolerances) || !self.pairs.pack(place, settings, start) {
            return None;
        }
        let motion = Self::in_motion(place, tolerances);
        let reached = self.pairs.reached();
        let pairs = budget.of_island(place.island.groups.len(), 0).pairs;
        let goal = move |first: f64| {
            let enough = coming_to_rest(first, motion);
            Goal {
                // What comes nearer to rest than single precision sees is left to others.
                most: if enough < reached && first <= NEAR {
                    0
                } else {
                    pairs
                },
                tolerance: PROGRESS * enough.max(reached),
            }
        };
        let (first, ended) = self.pairs.run(goal);
        // A NaN is no gain either.
        if ended.residual.is_nan() || ended.residual >= first {
            return None;
        }
        Some(Swept { first, ended })
    }

    /// Writes the impulses that [`Self::sweep_loose`] found.
    pub(crate) fn write_loose(&self, solution: &mut ContactSolution) {
        self.pairs.give(solution);
    }

    /// The tolerance of motion of an island: that of large heaps without joints, where one moves.
    pub(crate) fn in_motion(place: IslandProblem<'_>, tolerances: Tolerances) -> f64 {
        match is_loose(place, tolerances) {
            true => tolerances.loose,
            false => tolerances.motion,
        }
    }

    /// Whether every body of an island is slower than [`crate::tolerances::FINE`] allows at a velocity.
    pub(crate) fn stands(
        place: IslandProblem<'_>,
        velocity: &[f64],
        tolerances: Tolerances,
    ) -> bool {
        MotionState::at(place, velocity, tolerances.rest) == MotionState::Stands
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

    pub(super) fn is_large(&self) -> bool {
        self.size().is_large()
    }

    /// Whether nothing presses yet.
    pub(super) fn is_unloaded(&self) -> bool {
        self.system.z.iter().all(|z| *z == 0.0)
    }

    /// Corrects positions: the least motion that takes away what rows ask for, a compromise where they contradict
    /// each other. Returns what it misses at most [m/s].
    pub(crate) fn project(
        &mut self,
        place: IslandProblem<'_>,
        asked: f64,
        tolerances: Tolerances,
        budget: Budget,
    ) -> f64 {
        // Sweeps are quick at pushing loose bodies apart and slow at closing joints.
        let flops = match self.is_heap() {
            true => in_place_of(FEW_PAIRS, self.system.entries()),
            false => budget.flops,
        };
        let system = &mut self.system;
        for unit in system
            .units
            .iter_mut()
            .filter(|unit| unit.proximal_weight < 1.0)
        {
            unit.proximal_weight = JOINT_PENALTY / PENALTY;
        }
        let ended = (self.proximal).penalise(place, system, PENALTY, tolerances.motion, flops);
        let ended = ended.unwrap_or_else(|| {
            let goal = Goal {
                most: FEW_PAIRS,
                tolerance: NEAR * asked,
            };
            self.sweeps.accelerated(system, goal)
        });
        self.system.project_to_bounds();
        ended.residual
    }
}

/// Whether an island is a large heap without joints that moves.
fn is_loose(place: IslandProblem<'_>, tolerances: Tolerances) -> bool {
    let size = Size::of(place.island);
    size.is_large()
        && size.contacts == place.island.groups.len()
        && MotionState::of(place, tolerances.rest) == MotionState::Moves
}

/// The residual that is enough for an island that moves, by that of its last impulses: what comes to rest converges quadratically
/// from step to step.
pub(super) fn coming_to_rest(first: f64, motion: f64) -> f64 {
    motion * (first / NEAR).min(1.0).powi(2)
}

/// Residuals up to which the last impulses are accepted, and that Newton's method is aimed at. Small islands are solved to
/// round-off, so that what holds does not creep.
pub(super) fn goals(is_large: bool, tolerances: Tolerances) -> [f64; 2] {
    match is_large {
        true => [tolerances.rest, FINE * tolerances.rest],
        false => [FINE * FINE * tolerances.rest; 2],
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
    /// The size of an island, from its groups alone.
    fn of(island: Island<'_>) -> Self {
        let contacts = island.contacts().count();
        Self {
            rows: island.groups.len() + 2 * contacts,
            contacts,
            blocks: island.blocks.len(),
        }
    }

    /// Whether it is not worth solving to round-off.
    fn is_large(&self) -> bool {
        self.is_heap() && self.rows > LARGE_HEAP
    }

    /// Whether many loose bodies touch more than they are jointed.
    fn is_heap(&self) -> bool {
        self.blocks > HEAP && self.contacts > self.blocks
    }
}

/// Residual up to which the last impulses are taken as they are. Impulses that left a speed d are answered by ones that
/// take it away, which leave -d in the next step, where nothing moves: there a tenth is taken, or d would come and go for ever.
pub(super) fn taken(place: IslandProblem<'_>, goal: f64) -> f64 {
    let tenth = 0.1 * goal;
    match rests(place, tenth) {
        true => tenth,
        false => goal,
    }
}

/// Whether nothing in an island is faster than this, in any coordinate.
pub(super) fn rests(place: IslandProblem<'_>, speed: f64) -> bool {
    let v = place.problem.v();
    (place.blocks()).all(|block| v[block.range()].iter().all(|v| v.abs() < speed))
}
