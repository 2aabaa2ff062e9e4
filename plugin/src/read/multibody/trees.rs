//! The trees of a world.

use super::TreeBody;
use crate::base::error::StepError;
use crate::read::bodies::{Bodies, Role};
use crate::read::quarantine;
use nalgebra::Vector3;
use rapier::prelude::*;
use stickslip_core::problem::BlockId;

/// The trees of a world, in the order of rapier's multibodies; kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Trees {
    pub(super) trees: Vec<TreeBody>,
    /// What the trees of a saved pipeline knew, until the first step makes them again.
    #[cfg(feature = "serde-serialize")]
    pub(super) restored: Vec<super::past::Past>,
}

/// Rapier's multibodies, but for those of one link: what a joint that rapier refused leaves behind
/// (docs/upstream/refused_joint.md). No body is a link of those.
pub(crate) fn multibodies(joints: &MultibodyJointSet) -> impl Iterator<Item = &Multibody> {
    joints
        .multibodies()
        .filter(|multibody| multibody.num_links() > 1)
}

impl std::ops::Index<usize> for Trees {
    type Output = TreeBody;

    fn index(&self, number: usize) -> &TreeBody {
        &self.trees[number]
    }
}

impl Trees {
    /// The trees that are awake, with their numbers.
    pub(crate) fn awake(&self) -> impl Iterator<Item = (usize, &TreeBody)> {
        let trees = self.trees.iter().enumerate();
        trees.filter(|(_, tree)| tree.is_stepped())
    }

    /// The trees that are awake.
    pub(crate) fn awake_mut(&mut self) -> impl Iterator<Item = &mut TreeBody> {
        self.trees.iter_mut().filter(|tree| tree.is_stepped())
    }

    /// Whether a sleeping multibody got other coordinates, joints or drives since it fell asleep.
    pub(crate) fn is_disturbed(
        &self,
        number: usize,
        multibody: &Multibody,
        set: &RigidBodySet,
    ) -> bool {
        #[cfg(feature = "serde-serialize")]
        if let Some(past) = self.restored.get(number) {
            return past.is_disturbed(multibody, set);
        }
        self.trees
            .get(number)
            .is_some_and(|tree| tree.is_asleep() && tree.is_disturbed(multibody, set))
    }

    /// Whether a multibody is as the last step left it.
    pub(crate) fn is_fresh(
        &self,
        number: usize,
        multibody: &Multibody,
        set: &RigidBodySet,
    ) -> bool {
        #[cfg(feature = "serde-serialize")]
        if let Some(past) = self.restored.get(number) {
            return past.is_fresh(multibody, set);
        }
        self.trees
            .get(number)
            .is_some_and(|tree| tree.is_fresh(multibody, set))
    }

    /// Keeps the trees in step with rapier's multibodies: rebuilds those whose topology changed.
    /// Nothing of theirs is read.
    ///
    /// # Errors
    /// [`StepError::Multibody`] for one that makes no tree.
    pub(crate) fn follow(&mut self, joints: &MultibodyJointSet) -> Result<(), StepError> {
        let mut count = 0;
        for multibody in multibodies(joints) {
            let known = (count..self.trees.len()).find(|&k| self.trees[k].is_for(multibody));
            match known {
                // Trees are large, and stand where they stood but when some are removed.
                Some(k) if k == count => {}
                Some(k) => self.trees.swap(count, k),
                None => {
                    #[cfg_attr(not(feature = "serde-serialize"), expect(unused_mut))]
                    let mut tree = TreeBody::new(multibody)?;
                    #[cfg(feature = "serde-serialize")]
                    tree.restore(&self.restored);
                    self.trees.insert(count, tree);
                }
            }
            count += 1;
        }
        self.trees.truncate(count);
        #[cfg(feature = "serde-serialize")]
        {
            self.restored = Vec::new();
        }
        Ok(())
    }

    /// Reads every multibody that is awake and announces its links; one whose numbers are unusable is left
    /// out and named in `bad`. Needs fresh poses: after detection.
    ///
    /// # Errors
    /// As [`Self::follow`], to which rapier's kinematics add nothing but what a new root is.
    pub(crate) fn gather(
        &mut self,
        set: &RigidBodySet,
        joints: &MultibodyJointSet,
        bodies: &mut Bodies,
        h: f64,
        bad: &mut Vec<RigidBodyHandle>,
    ) -> Result<(), StepError> {
        self.follow(joints)?;
        for (number, (tree, multibody)) in
            self.trees.iter_mut().zip(multibodies(joints)).enumerate()
        {
            tree.quarantined = quarantine::is_out(multibody, set);
            // All links share one state, but a fixed root is never asleep.
            let asleep =
                |link: &RigidBodyHandle| set.get(*link).is_some_and(RigidBody::is_sleeping);
            if tree.links.iter().any(asleep) {
                tree.fall_asleep(multibody);
                continue;
            }
            tree.wake();
            if tree.quarantined {
                continue;
            }
            tree.time = h;
            if !tree.read(set, multibody, h) {
                tree.quarantined = true;
                bad.push(tree.root());
                continue;
            }
            for (link, &handle) in tree.links.iter().enumerate() {
                bodies.set_link(handle, number, link);
            }
        }
        Ok(())
    }

    /// Mass matrices and free velocities of all trees; one that has none is left out and named in `bad`.
    pub(crate) fn dynamics(
        &mut self,
        gravity: &Vector3<f64>,
        h: f64,
        bad: &mut Vec<RigidBodyHandle>,
    ) {
        for tree in self.awake_mut() {
            if !tree.dynamics(gravity, h) {
                tree.quarantined = true;
                bad.push(tree.root());
            }
        }
    }

    /// Takes the links of trees, given by their roots, out of the scene.
    pub(crate) fn leave_out(&self, roots: &[RigidBodyHandle], bodies: &mut Bodies) {
        for root in roots {
            let Role::Link { tree, .. } = bodies.role(*root) else {
                continue;
            };
            for &link in &self.trees[tree].links {
                bodies.leave_out(link);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.trees.len()
    }

    /// Ends the motion of a tree after `time` of the step \[s\].
    pub(crate) fn set_time(&mut self, tree: usize, time: f64) {
        self.trees[tree].time = time;
    }

    /// [`TreeBody::look_ahead`] of one tree.
    pub(crate) fn look_ahead(&mut self, tree: usize, v_plus: &[f64], h: f64) {
        self.trees[tree].look_ahead(v_plus, h);
    }

    /// Turns drives past their effort limit into bounded rows. True if any: assemble again.
    pub(crate) fn saturate(
        &mut self,
        v_plus: &[f64],
        range: impl Fn(BlockId) -> std::ops::Range<usize>,
        h: f64,
    ) -> bool {
        let mut changed = false;
        for tree in self.awake_mut() {
            changed |= tree.axes.saturate(&v_plus[range(tree.block)], h);
        }
        changed
    }

    /// Lets drives well inside their limit return to the mass matrix in the next step.
    pub(crate) fn release(
        &mut self,
        v_plus: &[f64],
        range: impl Fn(BlockId) -> std::ops::Range<usize>,
        h: f64,
    ) {
        for tree in self.awake_mut() {
            tree.axes.release(&v_plus[range(tree.block)], h);
        }
    }
}
