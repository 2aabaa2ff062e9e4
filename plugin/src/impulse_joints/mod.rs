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
//! so in a step may have no end position that fits) the step holds rates alone.
//!
//! The joints' softness settings (natural frequency, damping ratio) have no meaning here: locked
//! axes and limits are rigid.

mod demand;
mod ends;
mod measure;
mod past;
mod readout;
mod rows;

pub(crate) use ends::Movers;
pub use readout::JointImpulse;

use crate::bodies::Bodies;
use crate::convert::isometry;
use crate::error::StepError;
use crate::frame::Frame;
use crate::multibody::Trees;
use ends::End;
use measure::Relative;
use nalgebra::Isometry3;
use past::Past;
use rapier::prelude::*;
use rows::{ROUND, Rows};
use stickslip_core::models::ContactSolution;
use stickslip_core::problem::{BlockId, ContactProblem, ProblemBuilder};

/// Rounds go astray once they leave this multiple of the smallest error: a row that comes into force
/// may raise it a little.
const ASTRAY: f64 = 4.0;

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
    /// Whether this step holds rates alone.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    straight: bool,
}

impl ImpulseJoints {
    /// Reads the joints and makes their rows; poses, masses and velocities of bodies and trees must
    /// be those of the step. O(joints), for links times their depth.
    pub(crate) fn gather(&mut self, joints: &ImpulseJointSet, m: Movers<'_>) {
        self.joints.clear();
        self.trees.clear();
        self.rows.clear();
        self.best = f64::INFINITY;
        self.straight = false;
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
        problem: &ContactProblem,
        solution: &ContactSolution,
    ) -> bool {
        if self.joints.is_empty() {
            return false;
        }
        let h = problem.h();
        for &tree in &self.trees {
            let range = problem.block_range(trees[tree].block);
            trees.look_ahead(tree, &solution.v_plus[range], h);
        }
        let m = Movers::new(set, bodies, trees, h);
        let mut worst = 0.0_f64;
        for (number, joint) in self.joints.iter().enumerate() {
            let poses = joint.ends.map(|end| {
                let v_plus = end.block(m).map_or(&[][..], |block| {
                    &solution.v_plus[problem.block_range(block)]
                });
                end.next_pose(m, v_plus)
            });
            let next = Relative::of(&joint.frames(poses), Some(&joint.relative));
            worst = worst.max(self.rows.measure(number, &next, problem, solution));
        }
        if self.straight || worst <= ROUND {
            return false;
        }
        if worst > ASTRAY * self.best {
            self.rows.straighten();
            self.straight = true;
        }
        self.best = self.best.min(worst);
        true
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
            if self.straight {
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
