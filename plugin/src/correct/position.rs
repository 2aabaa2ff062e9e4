//! Errors of position at the end of a step, put right by moving bodies: contacts that overlap, joints that opened.
//!
//! Velocities come from a problem that never pushes: overlapping contacts count as touching, joints hold the rates of
//! their coordinates. What is wrong at the positions it leads to is put right by the correction w of
//! [`stickslip_core::models::PositionCorrection`], bodies move by `h (v+ + w)`. No velocity comes of a push. Joints close by Newton's
//! steps: w grows by what closes them, and leaves contacts apart, to first order from where the last w led to. Contacts yield
//! to joints; an overlap at the anchor of a joint of its two bodies is the joint's, and stays. Locked
//! coordinates are closed even where contacts hold a body beyond a limit.
//!
//! What of w belongs to the motion becomes velocity ([`super::shake`]).

use super::StepAnswer;
use super::progress::{Progress, energy};
use crate::base::contact::Contact;
use crate::base::frame::Frame;
use crate::base::tolerances;
use crate::joints::{ImpulseJoints, JointError, Movers, StepEnd};
use crate::read::bodies::Bodies;
use crate::read::multibody::Trees;
use nalgebra::UnitQuaternion;
use rapier::prelude::RigidBodySet;
#[cfg(feature = "serde-serialize")]
use stickslip_core::models::WarmStart;
use stickslip_core::models::{
    ContactSolution, Errors, ModelError, ModelSettings, PositionCorrection, RowCorrection,
};
use stickslip_core::problem::{ContactProblem, ScalarId};
use stickslip_record::ReliefReport;

/// The correction of a step; buffers are kept.
#[derive(Debug)]
pub(crate) struct PositionCorrector {
    correction: PositionCorrection,
    /// Rate at which each contact has to part, or may close.
    pub(super) approach: Vec<f64>,
    gaps: Vec<f64>,
    rows: Vec<RowCorrection>,
    /// What the impulses of the correction do along the rows of the step's start (m).
    pub(super) turn: Vec<f64>,
    /// Velocities at the end of the step (m).
    pub(super) velocity: Vec<f64>,
    /// The best correction so far (m), and its impulses of the scalar rows.
    pub(super) w: Vec<f64>,
    /// One that is tried (m).
    trial: Vec<f64>,
    /// How far every island is, and which are corrected; the island of every scalar row.
    progress: Vec<Progress>,
    open: Vec<bool>,
    islands: Vec<usize>,
    /// Largest errors of joints that a trial leaves, by island.
    left: Vec<JointError>,
    pub(super) pushes: Vec<f64>,
    /// Impulses of the scalar rows with what became velocity.
    pub(super) impulses: Vec<f64>,
    /// How bodies turned in the step, backwards, by block.
    pub(super) back: Vec<UnitQuaternion<f64>>,
    /// Velocities at the end of the step as bodies turned back to their start see them (m).
    pub(super) seen: Vec<f64>,
    /// Whether this step has a correction.
    active: bool,
}

impl PositionCorrector {
    pub(crate) fn new(settings: &ModelSettings) -> Result<Self, ModelError> {
        Ok(Self {
            correction: PositionCorrection::new(settings)?,
            approach: Vec::new(),
            gaps: Vec::new(),
            rows: Vec::new(),
            turn: Vec::new(),
            velocity: Vec::new(),
            w: Vec::new(),
            trial: Vec::new(),
            progress: Vec::new(),
            open: Vec::new(),
            islands: Vec::new(),
            left: Vec::new(),
            pushes: Vec::new(),
            impulses: Vec::new(),
            back: Vec::new(),
            seen: Vec::new(),
            active: false,
        })
    }

    /// Changes the largest velocity with which a penetration is pushed out [m/s].
    pub(crate) fn set_push_speed(&mut self, speed: f64) {
        self.correction.set_push_speed(speed);
    }

    /// Finds the correction of a step, and the velocities it ends with. O(contacts + joints) where there is none.
    pub(crate) fn find(
        &mut self,
        answer: StepAnswer<'_>,
        joints: &mut ImpulseJoints,
        set: &RigidBodySet,
        bodies: &Bodies,
        trees: &mut Trees,
    ) -> ReliefReport {
        let StepAnswer {
            problem,
            solution,
            contacts,
            frame,
        } = answer;
        let mut report = ReliefReport::default();
        let v_plus = &solution.v_plus[..];
        self.velocity.clear();
        self.velocity.extend_from_slice(v_plus);
        self.impulses.clear();
        self.impulses.extend_from_slice(&solution.f_scalar);
        self.active = false;
        joints.measure(
            set,
            bodies,
            trees,
            StepEnd {
                problem,
                v_plus,
                w: &[],
            },
        );
        if !frame.splits {
            return report;
        }
        report.contacts = self.push_apart(contacts, joints, frame);
        self.begin(problem, joints, frame);
        report.joint_rows = self.progress.iter().map(|island| island.rows).sum();
        self.active = self.progress.iter().any(|island| !island.is_done);
        if !self.active {
            return report;
        }
        joints.soften(Movers::new(set, bodies, trees, frame.h));
        self.w.clear();
        self.w.resize(v_plus.len(), 0.0);
        self.pushes.clear();
        self.pushes.resize(problem.scalar_count(), 0.0);
        self.correction.begin();
        while report.solves < tolerances::PASSES && self.progress.iter().any(|i| !i.is_done) {
            let m = Movers::new(set, bodies, trees, frame.h);
            let w = &self.w;
            joints.aim(m, StepEnd { problem, v_plus, w }, frame);
            let missed = self.solve(problem, v_plus, joints, frame);
            self.shorten(problem, trees, frame.h);
            report.missed = report.missed.max(missed);
            report.solves += 1;
            let w = &self.trial;
            joints.measure(set, bodies, trees, StepEnd { problem, v_plus, w });
            if !self.take(problem, v_plus, joints, frame) {
                let w = &self.w;
                joints.measure(set, bodies, trees, StepEnd { problem, v_plus, w });
            }
        }
        if report.joint_rows > 0 {
            self.shake_velocity(problem, bodies, frame.h);
        }
        report
    }

    /// Finds the rate at which each contact has to part, or may close; how many have to part.
    fn push_apart(
        &mut self,
        contacts: &[Contact],
        joints: &mut ImpulseJoints,
        frame: Frame,
    ) -> usize {
        self.approach.clear();
        let mut count = 0;
        for contact in contacts {
            let end = contact.gap + frame.h * contact.velocity[0];
            let overlaps = contact.deep && end < -frame.left_overlap;
            let wanted = overlaps && !joints.pivots(&contact.point, -end);
            count += usize::from(wanted);
            // What is not pushed out is held where it is.
            self.approach.push(match wanted {
                true => (-frame.baumgarte * end / frame.h).min(frame.push_speed),
                false => -end.max(0.0) / frame.h,
            });
        }
        count
    }

    /// Begins the correction of every island. O(contacts + rows).
    fn begin(&mut self, problem: &ContactProblem, joints: &ImpulseJoints, frame: Frame) {
        self.progress.clear();
        self.islands.clear();
        self.islands.resize(problem.scalar_count(), 0);
        for (number, island) in problem.islands().enumerate() {
            let mut progress = Progress::default();
            let pushes = island.contacts().map(|contact| self.approach[contact]);
            (pushes.filter(|push| *push > 0.0)).for_each(|push| progress.add_push(push));
            self.progress.push(progress);
            island.scalars().for_each(|i| self.islands[i] = number);
        }
        for (row, error) in joints.errors(frame) {
            self.progress[self.islands[row.0]].add_error(error);
        }
        self.progress
            .iter_mut()
            .for_each(|island| island.begin(frame));
    }

    /// Finds in `trial` what the correction becomes by one more step of Newton's in the islands that are not done. Returns
    /// by how much contacts and rows miss at most what they ask for \[m\].
    fn solve(
        &mut self,
        problem: &ContactProblem,
        v_plus: &[f64],
        joints: &ImpulseJoints,
        frame: Frame,
    ) -> f64 {
        self.gaps.clear();
        let is_first = self.w.iter().all(|w| *w == 0.0);
        for (contact, approach) in self.approach.iter().enumerate() {
            let left = match is_first {
                true => *approach,
                false => approach - problem.contact_dots(contact, &self.w)[0],
            };
            // Of an overlap the share K is pushed out.
            let share = if left > 0.0 { frame.baumgarte } else { 1.0 };
            self.gaps.push(-left * frame.h / share);
        }
        self.trial.clear();
        (self.trial).extend(v_plus.iter().zip(&self.w).map(|(v, w)| v + w));
        let progress = &self.progress;
        let softness = |row: ScalarId| progress[self.islands[row.0]].softness;
        let entries = joints.corrections(frame, softness, &mut self.rows);
        self.open.clear();
        self.open.extend(progress.iter().map(|i| !i.is_done));
        let errors = Errors {
            gaps: &self.gaps,
            rows: &self.rows,
            entries,
            islands: &self.open,
            margin: frame.margin,
        };
        let missed = frame.h * self.correction.solve(problem, &self.trial, errors);
        self.trial.clear();
        let steps = self.correction.velocity().iter();
        self.trial
            .extend(steps.zip(&self.w).map(|(step, w)| step + w));
        missed
    }

    /// Shortens `trial` for each tree whose joints it would turn by more than [`tolerances::SMALL_TURN`]: its rows are not computed again
    /// where the correction leads, and one with a short lever asks for any turn. What is left is corrected in the steps that follow.
    fn shorten(&mut self, problem: &ContactProblem, trees: &Trees, h: f64) {
        for (_, tree) in trees.awake() {
            let w = &mut self.trial[problem.block_range(tree.block)];
            let rates = tree.state.columns().iter().zip(&*w);
            let turns = rates.map(|(column, w)| h * column.angular.norm() * w.abs());
            let turn = turns.fold(0.0, f64::max);
            if turn > tolerances::SMALL_TURN {
                w.iter_mut()
                    .for_each(|w| *w *= tolerances::SMALL_TURN / turn);
            }
        }
    }

    /// Takes from `trial` the islands in which it gains, as last measured; whether it is taken as a whole.
    fn take(
        &mut self,
        problem: &ContactProblem,
        v_plus: &[f64],
        joints: &ImpulseJoints,
        frame: Frame,
    ) -> bool {
        self.left.clear();
        self.left.resize(self.progress.len(), JointError::default());
        for (row, error) in joints.errors(frame) {
            let left = &mut self.left[self.islands[row.0]];
            *left = left.max(error);
        }
        let mut all = true;
        for (number, island) in problem.islands().enumerate() {
            let progress = &mut self.progress[number];
            if progress.is_done {
                continue;
            }
            let place = problem.place(island);
            let ranges = place.blocks().map(|block| block.range());
            let diverges = progress.diverges(|speed| {
                self.turn.resize(problem.dim(), 0.0);
                (ranges.clone().flatten()).for_each(|i| self.turn[i] = speed);
                [&self.trial[..], v_plus, &self.turn].map(|v| energy(place, v))
            });
            let is_taken = !diverges && progress.judge(self.left[number]);
            all &= is_taken;
            if is_taken {
                ranges.for_each(|range| {
                    self.w[range.clone()].copy_from_slice(&self.trial[range]);
                });
                for i in island.scalars() {
                    self.pushes[i] += self.correction.impulses()[i];
                }
            }
        }
        all
    }

    /// What the correction remembers of the last step.
    #[cfg(feature = "serde-serialize")]
    pub(crate) fn warm(&self) -> &WarmStart {
        self.correction.warm()
    }

    /// Starts the next correction from that of a saved simulation.
    #[cfg(feature = "serde-serialize")]
    pub(crate) fn set_warm(&mut self, warm: WarmStart) {
        self.correction.set_warm(warm);
    }

    /// Velocities at the end of the step (m).
    pub(crate) fn velocities(&self) -> &[f64] {
        &self.velocity
    }

    /// Takes over the velocities and impulses of a step whose motion had others.
    pub(crate) fn add_impacts(&mut self, motion: &ContactSolution, answer: &ContactSolution) {
        let velocities = answer.v_plus.iter().zip(&motion.v_plus);
        for (v, (new, old)) in self.velocity.iter_mut().zip(velocities) {
            *v += new - old;
        }
        let impulses = answer.f_scalar.iter().zip(&motion.f_scalar);
        for (f, (new, old)) in self.impulses.iter_mut().zip(impulses) {
            *f += new - old;
        }
    }

    /// Impulses of the scalar rows of the problem, with those of the correction that became velocity.
    pub(crate) fn impulses(&self) -> &[f64] {
        &self.impulses
    }

    /// The correction w: bodies move by `h w` (m); `None` in steps without one.
    pub(crate) fn velocity(&self) -> Option<&[f64]> {
        self.active.then_some(&self.w[..])
    }
}
