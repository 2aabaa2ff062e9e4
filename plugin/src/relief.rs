//! What a step leaves to put right without velocity: deep penetrations, joints that held their rates.

use crate::bodies::Bodies;
use crate::contacts::Contact;
use crate::frame::Frame;
use crate::impulse_joints::ImpulseJoints;
use crate::multibody::Trees;
use rapier::prelude::RigidBodySet;
use stickslip_core::models::{Errors, ModelError, ModelSettings, Relief, RowCorrection};
use stickslip_core::problem::ContactProblem;
use stickslip_core::report::ReliefReport;

/// Rounds in which the correction makes up for what it opens of joints by turning bodies; each gains a
/// factor of the angle turned.
const ROUNDS: usize = 6;

/// The correction of a step; buffers are kept.
#[derive(Debug)]
pub(crate) struct Reliever {
    relief: Relief,
    gaps: Vec<f64>,
    rows: Vec<RowCorrection>,
    /// End velocity and correction together (m).
    sum: Vec<f64>,
    /// Whether this step has a correction.
    active: bool,
}

impl Reliever {
    pub(crate) fn new(settings: &ModelSettings) -> Result<Self, ModelError> {
        Ok(Self {
            relief: Relief::new(settings)?,
            gaps: Vec::new(),
            rows: Vec::new(),
            sum: Vec::new(),
            active: false,
        })
    }

    /// Finds the correction of a step that ends with `v_plus`. O(contacts + joints) where there is none.
    pub(crate) fn find(
        &mut self,
        (problem, v_plus): (&ContactProblem, &[f64]),
        contacts: &[Contact],
        joints: &mut ImpulseJoints,
        (set, bodies, trees): (&RigidBodySet, &Bodies, &mut Trees),
        frame: Frame,
    ) -> ReliefReport {
        let mut report = ReliefReport::default();
        self.gaps.clear();
        for contact in contacts {
            let end = contact.gap + frame.h * contact.velocity[0];
            let wanted = contact.deep && end < 0.0;
            report.contacts += usize::from(wanted);
            // What is pushed by a velocity, or not at all, is held here.
            self.gaps.push(if wanted { end } else { end.max(0.0) });
        }
        joints.begin_relief(frame);
        report.joint_rows = joints.reliefs().count();
        self.active = report.contacts + report.joint_rows > 0;
        if !self.active {
            return report;
        }
        for _ in 0..ROUNDS {
            self.rows.clear();
            self.rows.extend(joints.reliefs());
            let errors = Errors {
                gaps: &self.gaps,
                rows: &self.rows,
            };
            report.status = self.relief.solve(problem, v_plus, errors).status;
            let w = self.relief.velocity();
            self.sum.clear();
            self.sum.extend(v_plus.iter().zip(w).map(|(v, w)| v + w));
            let movers = (set, bodies, &mut *trees);
            if !joints.refine_relief(movers, problem, &self.sum, frame) {
                break;
            }
        }
        report
    }

    /// The correction w: bodies move by `h w` (m); `None` in steps without one.
    pub(crate) fn velocity(&self) -> Option<&[f64]> {
        self.active.then(|| self.relief.velocity())
    }
}
