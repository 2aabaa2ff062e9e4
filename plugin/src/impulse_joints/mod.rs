//! Impulse joints as rows of the contact problem, of every kind rapier builds: fixed, revolute,
//! prismatic, spherical, rope, spring, generic with locked, limited, driven and coupled axes;
//! between free bodies, links of multibodies and whatever moves as told, so that loops close.
//!
//! With a coordinate q of the joint (see [`measure`]), its row r, the rate `t` that bodies moving as
//! told add, and the share K of an error removed per step:
//! ```text
//! locked   r v+ = -(K/h) q - t - c
//! limited  r v+ + t + c + b(q - lower) >= 0 with an impulse >= 0; likewise upper - q
//! driven   force = kp (q* - q) + (kd + h kp)(v* - (r v+ + t)), |force| <= max_force
//! ```
//! The last is the implicit form of `kp (q* + h v* - q+) + kd (v* - q'+)` with `q+ = q + h q'+`, as
//! rapier's own motors have it: with `g = h kd + h^2 kp` the row
//! `r v+ + f/g = v* + kp (q* - q)/(kd + h kp) - t` with `|f| <= h max_force`. An acceleration-based
//! motor has `kp` and `kd` times the inertia `1/(r M^-1 r^T)`.
//!
//! `c` is what the curvature of q adds over the step, `(q(x+) - q(x))/h - (r v+ + t)`: with it the
//! coordinate itself, not its rate, is held at the end of the step, and nothing drifts. (Without
//! errors and with a constant mass matrix that is the SHAKE form of leapfrog, which conserves
//! energy on average.) `c` depends on v+: it is guessed from the last two steps and, where the end
//! of the step shows the guess to be off, corrected and solved for again; each round gains a factor
//! of the angle turned per step. Where the rounds go astray instead (a joint that turns by a radian or
//! so in a step may have no end position that fits), or where taking errors back makes energy (see
//! [`overdone`]), the step holds rates alone, `r v+ = -t` with a vanishing compliance, and errors of position are
//! put right at its end without velocity.
//!
//! The joints' softness settings (natural frequency, damping ratio) have no meaning here: locked
//! axes and limits are rigid.

mod demand;
mod ends;
mod measure;
mod overdone;
mod past;
mod readout;
mod rows;

pub(crate) use ends::Movers;
pub(crate) use measure::only_coordinate;
pub use readout::JointImpulse;

use crate::bodies::Bodies;
use crate::convert::isometry;
use crate::error::StepError;
use crate::frame::Frame;
use crate::multibody::Trees;
use ends::End;
use measure::Relative;
use nalgebra::Isometry3;
use overdone::Overdone;
use past::Past;
use rapier::prelude::*;
use rows::{Hold, ROUND, Row, Rows};
use stickslip_core::models::{ContactSolution, RowCorrection};
use stickslip_core::problem::{BlockId, ContactProblem, ProblemBuilder};

/// Rounds go astray once they leave this multiple of the smallest error: a row that comes into force
/// may raise it a little.
const ASTRAY: f64 = 4.0;

/// Rounds for the curvature of joints; one or two is what happens.
const ROUNDS: usize = 9;

/// Error after all rounds from which they count as astray [m or rad].
const FAR: f64 = 1e-6;

/// Refuses joints whose numbers would poison a step. O(joints).
pub(crate) fn check(joints: &ImpulseJointSet) -> Result<(), StepError> {
    for (joint, data) in joints.iter().filter(|(_, j)| j.data.is_enabled()) {
        if let Some(reason) = demand::fault(&data.data) {
            return Err(StepError::ImpulseJoint { joint, reason });
        }
    }
    Ok(())
}

/// A joint of the current step.
#[derive(Clone, Copy, Debug)]
struct Joint {
    handle: ImpulseJointHandle,
    ends: [End; 2],
    /// Frames of the joint in the axes of its bodies.
    local: [Isometry3<f64>; 2],
    /// At the start of the step.
    relative: Relative,
}

impl Joint {
    fn frames(&self, poses: [Isometry3<f64>; 2]) -> [Isometry3<f64>; 2] {
        [poses[0] * self.local[0], poses[1] * self.local[1]]
    }
}

/// The impulse joints of a world; buffers are kept from step to step.
#[derive(Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct ImpulseJoints {
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    joints: Vec<Joint>,
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    rows: Rows,
    past: Past,
    /// Trees that a joint touches, each once.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    trees: Vec<usize>,
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    read: Vec<JointImpulse>,
    /// Smallest error that a round of this step left.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    best: f64,
    /// Rounds of this step so far.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    round: usize,
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    overdone: Overdone,
    /// Zeros, one per scalar row.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    still: Vec<f64>,
}

impl ImpulseJoints {
    /// Reads the joints and makes their rows; poses, masses and velocities of bodies and trees must
    /// be those of the step. O(joints), for links times their depth.
    pub(crate) fn gather(&mut self, joints: &ImpulseJointSet, m: Movers<'_>) {
        self.joints.clear();
        self.trees.clear();
        self.rows.clear();
        self.begin_rounds();
        for (handle, joint) in joints.iter() {
            if !joint.data.is_enabled() || joint.body1() == joint.body2() {
                continue;
            }
            let ends = [joint.body1(), joint.body2()].map(|body| End::new(body, m.bodies));
            let [Some(one), Some(two)] = ends else {
                continue;
            };
            let ends = [one, two];
            if !ends.iter().any(|end| end.moves(m)) {
                continue;
            }
            let local = [&joint.data.local_frame1, &joint.data.local_frame2].map(isometry);
            let mut new = Joint {
                handle,
                ends,
                local,
                relative: Relative::of(&local, None),
            };
            let frames = new.frames(ends.map(|end| end.pose(m)));
            new.relative = Relative::of(&frames, None);
            for tree in ends.iter().filter_map(End::tree) {
                if !self.trees.contains(&tree) {
                    self.trees.push(tree);
                }
            }
            let (number, guesses) = (self.joints.len(), self.past.guesses(handle));
            demand::demands(&joint.data, |demand| {
                self.rows
                    .push(&new, number, demand, guesses[demand.tag()], m);
            });
            self.joints.push(new);
        }
    }

    /// The rounds of a step start over, from the curvature known so far.
    pub(crate) fn begin_rounds(&mut self) {
        self.best = f64::INFINITY;
        self.round = 0;
    }

    /// Adds the rows to a problem that has its blocks.
    pub(crate) fn add_rows(
        &mut self,
        builder: &mut ProblemBuilder,
        bodies: &Bodies,
        trees: &Trees,
        (set, frame): (&RigidBodySet, Frame),
    ) {
        let h = frame.h;
        let m = Movers::new(set, bodies, trees, h);
        self.rows.add_to(builder, &self.joints, m, frame);
    }

    /// Measures the curvature terms at the end of the step that a solution leads to. True if one was
    /// guessed too badly: the problem must then be built again, with what was measured.
    pub(crate) fn bend(
        &mut self,
        (set, bodies, trees): (&RigidBodySet, &Bodies, &mut Trees),
        (problem, solution): (&ContactProblem, &ContactSolution),
        frame: Frame,
    ) -> bool {
        if self.joints.is_empty() {
            return false;
        }
        let answer = (&solution.v_plus[..], &solution.f_scalar[..]);
        let worst = self.measure((set, bodies, trees), problem, answer);
        let m = Movers::new(set, bodies, trees, frame.h);
        if self.rows.hold() == Hold::Rates {
            return false;
        }
        self.round += 1;
        let last = self.round >= ROUNDS;
        let ends = worst <= ROUND || last;
        let astray = worst > ASTRAY * self.best || last && worst > FAR;
        let answer = (problem, solution);
        if astray || ends && self.overdone.is_overdone(answer, self.rows.all(), frame) {
            self.rows.straighten(&self.joints, m);
            return true;
        }
        self.best = self.best.min(worst);
        !ends
    }

    /// Measures every row at the end of a step with the given velocities. Returns the largest error
    /// that the curvature terms in force leave [m or rad].
    fn measure(
        &mut self,
        (set, bodies, trees): (&RigidBodySet, &Bodies, &mut Trees),
        problem: &ContactProblem,
        (v_plus, forces): (&[f64], &[f64]),
    ) -> f64 {
        let h = problem.h();
        for &tree in &self.trees {
            let range = problem.block_range(trees[tree].block);
            trees.look_ahead(tree, &v_plus[range], h);
        }
        let m = Movers::new(set, bodies, trees, h);
        let mut worst = 0.0_f64;
        for (number, joint) in self.joints.iter().enumerate() {
            let poses = joint.ends.map(|end| {
                let part = end
                    .block(m)
                    .map_or(&[][..], |block| &v_plus[problem.block_range(block)]);
                end.next_pose(m, part)
            });
            let next = Relative::of(&joint.frames(poses), Some(&joint.relative));
            let answer = (v_plus, forces);
            worst = worst.max(self.rows.measure(number, &next, problem, answer));
        }
        worst
    }

    /// Prepares what is put right at the end of the step.
    pub(crate) fn begin_relief(&mut self, frame: Frame) {
        self.rows.begin_relief(frame);
    }

    /// Measures the joints after the step with a correction of positions, `velocities` being their sum.
    /// True if the correction opened one and must be found again.
    pub(crate) fn refine_relief(
        &mut self,
        movers: (&RigidBodySet, &Bodies, &mut Trees),
        problem: &ContactProblem,
        velocities: &[f64],
        frame: Frame,
    ) -> bool {
        if self.joints.is_empty() {
            return false;
        }
        // No force: limits are not asked for.
        self.still.clear();
        self.still.resize(problem.scalar_count(), 0.0);
        let forces = std::mem::take(&mut self.still);
        self.measure(movers, problem, (velocities, &forces));
        self.still = forces;
        self.rows.refine_relief(frame) > ROUND
    }

    /// Locked axes that are put right at the end of the step, without velocity.
    pub(crate) fn reliefs(&self) -> impl Iterator<Item = RowCorrection> + '_ {
        self.rows.all().iter().filter_map(Row::relief)
    }

    /// Reads the impulses out of the solution that the step ends with, calls `pushed` for every
    /// block that another one or the world moved through a joint, and remembers the curvatures.
    pub(crate) fn read(
        &mut self,
        m: Movers<'_>,
        solution: &ContactSolution,
        mut pushed: impl FnMut(BlockId),
    ) {
        self.read.clear();
        for (number, joint) in self.joints.iter().enumerate() {
            let axes = *joint.relative.basis();
            let mut entry = JointImpulse::new(joint.handle, axes, m.h);
            self.rows.sum(number, solution, &mut entry);
            // What a joint does within one tree leaves its momentum alone.
            let blocks = joint.ends.map(|end| end.block(m));
            if blocks[0] != blocks[1] && entry.impulse != [0.0; 6] {
                blocks.into_iter().flatten().for_each(&mut pushed);
            }
            self.read.push(entry);
            if self.rows.hold() == Hold::Rates {
                self.past.forget(joint.handle);
            } else {
                self.past.remember(joint.handle, self.rows.of(number));
            }
        }
    }

    /// Puts the impulses where rapier shows them.
    pub(crate) fn write_back(&self, set: &mut ImpulseJointSet) {
        readout::write_back(&self.read, set);
    }

    /// What every joint of the last step did.
    pub(crate) fn impulses(&self) -> &[JointImpulse] {
        &self.read
    }
}
