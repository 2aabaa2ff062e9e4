//! Impulse joints as rows of the contact problem, of every kind rapier builds: fixed, revolute,
//! prismatic, spherical, rope, spring, generic with locked, limited, driven and coupled axes;
//! between free bodies, links of multibodies and whatever moves as prescribed, so that loops close.
//!
//! With a coordinate q of the joint (see [`measure`]), its row r and the rate `t` that bodies moving as
//! prescribed add:
//! ```text
//! locked   r v+ = -t
//! limited  r v+ + t + max(q - lower, 0)/h >= 0 with an impulse >= 0; likewise upper - q
//! driven   force = kp (q* - q) + (kd + h kp)(v* - (r v+ + t)), |force| <= max_force
//! ```
//! The last is the implicit form of `kp (q* + h v* - q+) + kd (v* - q'+)` with `q+ = q + h q'+`, as
//! rapier's own motors have it: with `g = h kd + h^2 kp` the row
//! `r v+ + f/g = v* + kp (q* - q)/(kd + h kp) - t` with `|f| <= h max_force`. An acceleration-based
//! motor has `kp` and `kd` times the inertia `1/(r M^-1 r^T)`.
//!
//! No error of position enters the velocities. What a step leaves of q, because bodies turn, is put right at its end by
//! moving them (see [`crate::correct::position`]): an error that the world was given loses the share K, at the push speed at
//! most; one that steps made is taken back whole.
//!
//! The joints' softness settings (natural frequency, damping ratio) have no meaning here: locked
//! axes and limits are rigid.

mod demand;
mod driving;
mod ends;
mod measure;
mod past;
mod pivots;
mod readout;
mod rows;

pub(crate) use driving::driven_rates;
pub(crate) use ends::{Movers, StepEnd};
pub(crate) use measure::only_coordinate;
pub use readout::JointImpulse;

use crate::base::contact::ContactPoint;
use crate::base::convert::isometry;
use crate::base::error::StepError;
use crate::base::frame::Frame;
use crate::read::bodies::Bodies;
use crate::read::multibody::Trees;
use ends::End;
use measure::Relative;
use nalgebra::Isometry3;
use past::Past;
use pivots::Pivots;
use rapier::prelude::*;
use rows::Rows;
use stickslip_core::kit::FINE;
use stickslip_core::models::RowCorrection;
use stickslip_core::problem::{BlockId, ProblemBuilder, ScalarId};

/// Refuses joints whose numbers would poison a step. O(joints).
pub(crate) fn check(joints: &ImpulseJointSet) -> Result<(), StepError> {
    for (joint, data) in joints.iter().filter(|(_, j)| j.data.is_enabled()) {
        if let Some(reason) = demand::fault(&data.data) {
            return Err(StepError::ImpulseJoint { joint, reason });
        }
    }
    Ok(())
}

/// Errors of joints: of coordinates that are locked, and of limits [m or rad].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointError {
    pub(crate) lock: f64,
    pub(crate) limit: f64,
}

impl JointError {
    /// The larger errors of each kind.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            lock: self.lock.max(other.lock),
            limit: self.limit.max(other.limit),
        }
    }

    /// The largest of any kind.
    pub(crate) fn any(self) -> f64 {
        self.lock.max(self.limit)
    }
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
    /// At its end, with the correction of positions as last measured.
    next: Relative,
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
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    pivots: Pivots,
    /// Trees that a joint touches, each once.
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    trees: Vec<usize>,
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    read: Vec<JointImpulse>,
    /// A velocity over all coordinates (m).
    #[cfg_attr(feature = "serde-serialize", serde(skip))]
    sum: Vec<f64>,
}

impl ImpulseJoints {
    /// Reads the joints and makes their rows; poses, masses and velocities of bodies and trees must
    /// be those of the step. O(joints), for links times their depth.
    pub(crate) fn gather(&mut self, joints: &ImpulseJointSet, m: Movers<'_>) {
        self.joints.clear();
        self.pivots.clear();
        self.trees.clear();
        self.rows.clear();
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
                next: Relative::of(&local, None),
            };
            let frames = new.frames(ends.map(|end| end.pose(m)));
            new.relative = Relative::of(&frames, None);
            self.trees.extend(ends.iter().filter_map(End::tree));
            if joint.data.locked_axes.contains(JointAxesMask::LIN_AXES) {
                (self.pivots).push(ends.map(|end| end.handle), new.relative.at);
            }
            let number = self.joints.len();
            let left = self.past.left(handle);
            demand::demands(&joint.data, |demand| {
                let tag = demand.tag();
                (self.rows).push(&new, number, demand, left[tag], m);
            });
            self.joints.push(new);
        }
        self.trees.sort_unstable();
        self.trees.dedup();
    }

    /// Adds the rows to a problem that has its blocks.
    pub(crate) fn add_rows(
        &mut self,
        builder: &mut ProblemBuilder,
        bodies: &Bodies,
        trees: &Trees,
        set: &RigidBodySet,
        frame: Frame,
    ) {
        let h = frame.h;
        let m = Movers::new(set, bodies, trees, h);
        self.rows.add_to(builder, &self.joints, m, frame);
    }

    /// Measures the joints at the end of the step.
    pub(crate) fn measure(
        &mut self,
        set: &RigidBodySet,
        bodies: &Bodies,
        trees: &mut Trees,
        StepEnd { problem, v_plus, w }: StepEnd<'_>,
    ) {
        if self.joints.is_empty() {
            return;
        }
        let h = problem.h();
        self.sum.clear();
        self.sum.extend_from_slice(v_plus);
        self.sum.iter_mut().zip(w).for_each(|(v, w)| *v += w);
        for &tree in &self.trees {
            let range = problem.block_range(trees[tree].block);
            trees.look_ahead(tree, &self.sum[range], h);
        }
        let m = Movers::new(set, bodies, trees, h);
        for (number, joint) in self.joints.iter_mut().enumerate() {
            let poses = joint.ends.map(|end| {
                let part = |v| end.part(m, problem, v);
                end.next_pose(m, part(v_plus), part(w))
            });
            let next = Relative::of(&joint.frames(poses), Some(&joint.relative));
            self.rows.measure(number, &next);
            joint.next = next;
        }
    }

    /// The error of every row of the problem, as last measured.
    pub(crate) fn errors(&self, frame: Frame) -> impl Iterator<Item = (ScalarId, JointError)> + '_ {
        self.rows.errors(frame)
    }

    /// Prepares the rows for a correction of positions.
    pub(crate) fn soften(&mut self, m: Movers<'_>) {
        self.rows.soften(&self.joints, m);
    }

    /// Computes the rows again where the step and the correction so far lead to, as last measured, and what they ask of
    /// its next step.
    pub(crate) fn aim(&mut self, m: Movers<'_>, end: StepEnd<'_>, frame: Frame) {
        self.rows.turn(&self.joints, m, end);
        self.rows.aim(frame);
    }

    /// What the rows demand of the correction of positions, after [`Self::aim`] and each with its
    /// relative softness, and their entries.
    pub(crate) fn corrections(
        &self,
        frame: Frame,
        softness: impl Fn(ScalarId) -> f64,
        out: &mut Vec<RowCorrection>,
    ) -> &[f64] {
        out.clear();
        out.extend(self.rows.corrections(frame, softness));
        self.rows.turned()
    }

    /// Whether a joint holds the two bodies of a contact together at a point that is no farther from it than they overlap:
    /// turning about that point does not take such an overlap away.
    pub(crate) fn pivots(&mut self, contact: &ContactPoint, depth: f64) -> bool {
        self.pivots.is_within(contact, depth)
    }

    /// Remembers what the correction could not put right.
    pub(crate) fn leave(&mut self, frame: Frame) {
        self.past.turn_over();
        for (number, joint) in self.joints.iter().enumerate() {
            self.past.leave(joint.handle, self.rows.left(number, frame));
        }
    }

    /// Largest distance of the anchors of a joint along its locked axes, as last measured \[m\].
    pub(crate) fn gap(&self) -> f64 {
        let all = 0..self.joints.len();
        all.map(|joint| self.rows.gap(joint)).fold(0.0, f64::max)
    }

    /// Whether the step leaves a joint with an error of more than `most` \[m\], and more than the step before it left: joints that
    /// contradict each other are as far open in any step.
    pub(crate) fn opens(&self, most: f64, frame: Frame) -> bool {
        let opened = |joint| self.rows.opened(joint, frame);
        (0..self.joints.len())
            .map(opened)
            .any(|[before, after]| after > most.max((1.0 + FINE) * before))
    }

    /// Reads the impulses of the joints out of those of the scalar rows, and calls `pushed` for every
    /// block that another one or the world moved through a joint.
    pub(crate) fn read(
        &mut self,
        m: Movers<'_>,
        impulses: &[f64],
        mut pushed: impl FnMut(BlockId),
    ) {
        self.read.clear();
        for (number, joint) in self.joints.iter().enumerate() {
            let axes = *joint.relative.basis();
            let mut entry = JointImpulse::new(joint.handle, axes, m.h);
            self.rows.sum(number, impulses, &mut entry);
            // What a joint does within one tree leaves its momentum alone.
            let blocks = joint.ends.map(|end| end.block(m));
            if blocks[0] != blocks[1] && entry.impulse != [0.0; 6] {
                blocks.into_iter().flatten().for_each(&mut pushed);
            }
            self.read.push(entry);
        }
    }

    /// Adds what the joints did in earlier parts of a step of `h` \[s\]. O(n log n).
    pub(crate) fn add(&mut self, earlier: &mut [JointImpulse], h: f64) {
        readout::add(&mut self.read, earlier, h);
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
