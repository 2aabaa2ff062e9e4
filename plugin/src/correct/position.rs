//! Errors of position at the end of a step, put right by moving bodies: contacts that overlap, joints that opened.
//!
//! Velocities come from a problem that never pushes: overlapping contacts count as touching, joints hold the rates of
//! their coordinates. What is wrong at the positions it leads to is put right by the correction w of
//! [`stickslip_core::models::PositionCorrection`], bodies move by `h (v+ + w)`. No velocity comes of a push. Joints close by Newton's
//! steps: w grows by what closes them, and leaves contacts apart, to first order from where the last w led to. Contacts yield
//! to joints; an overlap at the anchor of a joint of its two bodies is the joint's, and stays.
//!
//! What of w belongs to the motion becomes velocity ([`super::keep`]).

use crate::base::contact::Contact;
use crate::base::frame::Frame;
use crate::base::tolerances;
use crate::joints::{ImpulseJoints, Movers};
use crate::read::bodies::Bodies;
use crate::read::multibody::Trees;
use nalgebra::UnitQuaternion;
use rapier::prelude::RigidBodySet;
#[cfg(feature = "serde-serialize")]
use stickslip_core::models::WarmStart;
use stickslip_core::models::{
    ContactSolution, Errors, ModelError, ModelSettings, PositionCorrection, RowCorrection,
};
use stickslip_core::problem::ContactProblem;
use stickslip_core::report::ReliefReport;

/// The correction of a step; buffers are kept.
#[derive(Debug)]
pub(crate) struct PositionCorrector {
    correction: PositionCorrection,
    /// Rate at which each contact has to part, or may close.
    approach: Vec<f64>,
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
        (problem, solution): (&ContactProblem, &ContactSolution),
        contacts: &[Contact],
        joints: &mut ImpulseJoints,
        (set, bodies, trees): (&RigidBodySet, &Bodies, &mut Trees),
        frame: Frame,
    ) -> ReliefReport {
        let mut report = ReliefReport::default();
        let v_plus = &solution.v_plus[..];
        self.velocity.clear();
        self.velocity.extend_from_slice(v_plus);
        self.impulses.clear();
        self.impulses.extend_from_slice(&solution.f_scalar);
        self.active = false;
        joints.measure((set, bodies, &mut *trees), problem, (v_plus, &[]));
        if !frame.splits {
            return report;
        }
        self.approach.clear();
        for contact in contacts {
            let end = contact.gap + frame.h * contact.velocity[0];
            let overlaps = contact.deep && end < -frame.left_overlap;
            let wanted = overlaps && !joints.pivots(&contact.point, -end);
            report.contacts += usize::from(wanted);
            // What is not pushed out is held where it is.
            self.approach.push(match wanted {
                true => (-frame.baumgarte * end / frame.h).min(frame.push_speed),
                false => -end.max(0.0) / frame.h,
            });
        }
        let mut worst = joints.off(frame);
        let enough = tolerances::NO_ERROR.max(tolerances::LEFT_ERROR * worst);
        report.joint_rows = joints.count_off(frame);
        self.active = report.contacts > 0 || worst > tolerances::NO_ERROR;
        if !self.active {
            return report;
        }
        joints.soften(Movers::new(set, bodies, trees, frame.h));
        self.w.clear();
        self.w.resize(v_plus.len(), 0.0);
        self.pushes.clear();
        self.pushes.resize(problem.scalar_count(), 0.0);
        self.correction.begin();
        let (mut softness, mut failed, mut pushed) = (tolerances::FIRM, false, false);
        // Whether the rows stand where the step and the best correction lead to, and were measured there.
        let (mut aimed, mut measured) = (false, true);
        let pushes = self.approach.iter().fold(0.0_f64, |most, x| most.max(*x));
        let speed = (worst / frame.h).min(frame.push_speed).max(pushes);
        loop {
            if report.solves >= tolerances::PASSES {
                break;
            }
            if !aimed {
                let m = Movers::new(set, bodies, trees, frame.h);
                joints.aim(m, problem, (v_plus, &self.w), frame);
                aimed = true;
            }
            self.gaps.clear();
            for (contact, approach) in self.approach.iter().enumerate() {
                let left = approach - problem.contact_dots(contact, &self.w)[0];
                // Of an overlap the share K is pushed out.
                let share = if left > 0.0 { frame.baumgarte } else { 1.0 };
                self.gaps.push(-left * frame.h / share);
            }
            self.trial.clear();
            (self.trial).extend(v_plus.iter().zip(&self.w).map(|(v, w)| v + w));
            let entries = joints.corrections((frame, softness), &mut self.rows);
            let errors = Errors {
                gaps: &self.gaps,
                rows: &self.rows,
                entries,
                margin: frame.margin,
            };
            report.missed = frame.h * self.correction.solve(problem, &self.trial, errors);
            report.solves += 1;
            self.trial.clear();
            let step = self.correction.velocity().iter();
            self.trial
                .extend(step.zip(&self.w).map(|(step, w)| step + w));
            let w = &self.trial[..];
            joints.measure((set, bodies, &mut *trees), problem, (v_plus, w));
            measured = false;
            if softness == tolerances::FIRM && report.joint_rows > 0 {
                let asked = &mut self.turn;
                asked.clear();
                asked.resize(problem.dim(), speed);
                let most = (tolerances::LARGE_ENERGY * energy(problem, v_plus))
                    .max(energy(problem, asked));
                if energy(problem, w) > most {
                    (softness, failed) = (tolerances::SOFT, true);
                    continue;
                }
            }
            let left = joints.off(frame);
            // What contradicts itself, a joint and a contact of its two bodies, gets no better.
            let is_stuck = report.contacts > 0
                && softness == tolerances::FIRM
                && left > 0.9 * worst
                && left < 2.0 * worst;
            // What pushes contacts out goes first, whatever it does to joints.
            if left < worst || report.contacts > 0 && !pushed {
                pushed = true;
                let gained = left < tolerances::QUICK * worst;
                worst = left;
                self.w.copy_from_slice(w);
                for (sum, push) in self.pushes.iter_mut().zip(self.correction.impulses()) {
                    *sum += push;
                }
                (aimed, measured) = (false, true);
                if !failed || gained {
                    softness = (0.1 * softness).max(tolerances::FIRM);
                }
            } else {
                (softness, failed) = ((10.0 * softness).max(tolerances::SOFT), true);
            }
            if worst <= enough || is_stuck {
                break;
            }
        }
        if !measured {
            joints.measure((set, bodies, &mut *trees), problem, (v_plus, &self.w));
        }
        if report.joint_rows > 0 {
            self.shake_velocity(problem, bodies, frame.h);
        }
        report
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

/// Kinetic energy \[J\].
fn energy(problem: &ContactProblem, v: &[f64]) -> f64 {
    let blocks = 0..problem.block_count();
    blocks.map(|b| problem.kinetic_energy(b, v)).sum()
}
