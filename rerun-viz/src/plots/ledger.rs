//! Where energy and momentum come from and go to.

#![allow(non_snake_case)] // R_WB turns B's axes into W's

use nalgebra::Vector3;
use stickslip_record::{CurveGroup, SceneRecord, StepRecord, StepReport};

/// Kinetic energy plus height times weight \[J\]: the sum over bodies of
/// `m |v|^2 / 2 + w . R I R^T w / 2 - s m g . c`, s the body's share of gravity. O(bodies).
pub(crate) fn energy(scene: &SceneRecord, step: &StepRecord) -> f64 {
    let bodies = scene
        .bodies
        .iter()
        .zip(&step.body_poses)
        .zip(&step.body_motions);
    let of = bodies.filter_map(|((body, X_WB), motion)| {
        let own = body.inertial?;
        let turning = X_WB.rotation.inverse() * motion.angular;
        let kinetic = 0.5 * own.mass * motion.linear.norm_squared()
            + 0.5 * turning.dot(&(own.inertia * turning));
        let center = (X_WB * own.center).coords;
        Some(kinetic - own.gravity_scale * own.mass * scene.gravity.dot(&center))
    });
    of.sum()
}

/// Sum of mass times velocity [N s]. O(bodies).
pub(crate) fn momentum(scene: &SceneRecord, step: &StepRecord) -> Vector3<f64> {
    let bodies = scene.bodies.iter().zip(&step.body_motions);
    let of = bodies.filter_map(|(body, motion)| Some(body.inertial?.mass * motion.linear));
    of.sum()
}

/// Force on what moves from what doesn't, with the weight and what the user applies \[N\]. O(contacts).
pub(crate) fn outer_force(
    scene: &SceneRecord,
    step: &StepRecord,
    weight: Vector3<f64>,
) -> Vector3<f64> {
    let moves = |body: Option<usize>| {
        let body = body.and_then(|b| scene.bodies.get(b));
        body.is_some_and(|b| b.inertial.is_some())
    };
    let contacts = step.contacts.iter().map(|c| {
        let force = c.normal * c.normal_force + c.friction_force;
        match c.bodies.map(moves) {
            [false, true] => force,
            [true, false] => -force,
            _ => Vector3::zeros(),
        }
    });
    contacts.sum::<Vector3<f64>>() + weight + step.applied_force
}

/// The books of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ledger {
    weight: Vector3<f64>,
    has_energy: bool,
    has_momentum: bool,
    /// Energy and momentum at the end of the first step.
    start: Option<(f64, Vector3<f64>)>,
    last_time: f64,
    /// Impulse from outside since then [N s].
    impulse: Vector3<f64>,
    /// Work of the drives since then \[J\].
    work: f64,
}

impl Ledger {
    /// Empty books.
    pub fn new(scene: &SceneRecord) -> Self {
        let pulled = scene.bodies.iter().filter_map(|body| body.inertial);
        Self {
            weight: scene.gravity * pulled.map(|i| i.mass * i.gravity_scale).sum::<f64>(),
            has_energy: super::has_group(scene, CurveGroup::Energy),
            has_momentum: super::has_group(scene, CurveGroup::Momentum),
            ..Self::default()
        }
    }

    /// Enters a step: what came from outside, and the work of the drives (effort times path; one
    /// whose effort is not known counts as none). `before` are the joint positions at the step before. O(contacts + joints).
    pub fn enter(&mut self, scene: &SceneRecord, step: &StepRecord, before: &[f64]) {
        if step.body_motions.is_empty() {
            return;
        }
        if self.start.is_none() {
            self.start = Some((energy(scene, step), momentum(scene, step)));
        } else {
            let h = step.time - self.last_time;
            if self.has_momentum {
                self.impulse += h * outer_force(scene, step, self.weight);
            }
            let joints = step.joints.iter().zip(before);
            let work = joints.filter_map(|(joint, q)| Some(joint.effort? * (joint.position - q)));
            self.work += work.sum::<f64>();
        }
        self.last_time = step.time;
    }

    /// The balance at a step: energy since the start, work of the drives since the start \[J\], size of the
    /// momentum from nowhere [N s]. `None` where the scene doesn't state what it takes. O(bodies).
    pub fn balance(&self, scene: &SceneRecord, step: &StepRecord) -> [Option<f64>; 3] {
        let Some((first, p)) = self
            .start
            .filter(|_| self.has_energy && !step.body_motions.is_empty())
        else {
            return [None; 3];
        };
        // Rapier's own pipeline doesn't state its forces.
        let stated = self.has_momentum && step.report != StepReport::default();
        let error = stated.then(|| (momentum(scene, step) - p - self.impulse).norm());
        let work = step.joints.iter().any(|joint| joint.effort.is_some());
        [
            Some(energy(scene, step) - first),
            work.then_some(self.work),
            error,
        ]
    }
}
