//! What a step says about itself: its solve, corrections of position, times.

use serde::Serialize;
use stickslip_core::report::SolveReport;

/// Wall-clock times of the stages of one step, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StageTimes {
    /// Collision detection (the engine's own).
    pub detect: f64,
    /// Dynamics and building the contact problem.
    pub assemble: f64,
    /// Solving it.
    pub solve: f64,
    /// Writing back and integrating.
    pub integrate: f64,
}

impl StageTimes {
    /// All stages together \[us\].
    pub fn total(&self) -> f64 {
        self.detect + self.assemble + self.solve + self.integrate
    }
}

/// Errors of position that were corrected by moving bodies, without velocity
/// ([`PositionCorrection`](stickslip_core::models::PositionCorrection)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ReliefReport {
    /// Contacts that overlapped.
    pub contacts: usize,
    /// Locked axes and limits of impulse joints that were off.
    pub joint_rows: usize,
    /// What the correction misses at most, where errors contradict each other \[m\].
    pub missed: f64,
    /// Solves for it: 0 where there was nothing to correct, more than one where joints turned far.
    pub solves: usize,
}

/// How many of the bodies that can move do: an island that sleeps has no contacts in the step's problem, and its
/// contact forces are stated by no record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Activity {
    /// Bodies awake during the step.
    pub awake: usize,
    /// Bodies asleep.
    pub asleep: usize,
}

/// Everything one step reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StepReport {
    /// The solve.
    pub solve: SolveReport,
    /// Problems solved for the velocities: a second one where the first showed a drive past its limit.
    pub solves: usize,
    /// Parts that the step was divided into, because its joints turned far.
    pub substeps: usize,
    /// Largest distance of the two anchors of an impulse joint along the axes it locks, at the end of the
    /// step \[m\].
    pub joint_gap: f64,
    /// The errors of position that were corrected without velocity.
    pub relief: ReliefReport,
    /// Times of the stages \[us\].
    pub times: StageTimes,
    /// Who slept.
    pub activity: Activity,
}

impl StepReport {
    /// Adds the part of a step that follows: the worst of what is wrong, sums of what was done, the rest as the last part
    /// left it.
    pub fn absorb(&mut self, next: &Self) {
        let before = std::mem::replace(self, *next);
        self.solve.absorb(&before.solve);
        self.solves += before.solves;
        self.substeps += before.substeps;
        self.relief.missed = self.relief.missed.max(before.relief.missed);
        self.relief.solves += before.relief.solves;
        self.times.detect += before.times.detect;
        self.times.assemble += before.times.assemble;
        self.times.solve += before.times.solve;
        self.times.integrate += before.times.integrate;
    }
}
