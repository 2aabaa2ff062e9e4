//! The trees of a world.

use super::TreeBody;
use crate::bodies::Bodies;
use crate::error::StepError;
use nalgebra::Vector3;
use rapier::prelude::*;
use stickslip_core::problem::BlockId;

/// The trees of a world, in the order of rapier's multibodies; kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Trees {
    trees: Vec<TreeBody>,
}

impl std::ops::Index<usize> for Trees {
    type Output = TreeBody;

    fn index(&self, number: usize) -> &TreeBody {
        &self.trees[number]
    }
}

impl Trees {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &TreeBody> {
        self.trees.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut TreeBody> {
        self.trees.iter_mut()
    }

    /// Whether a multibody is as the last step left it.
    pub(crate) fn is_fresh(
        &self,
        number: usize,
        multibody: &Multibody,
        set: &RigidBodySet,
    ) -> bool {
        self.trees
            .get(number)
            .is_some_and(|tree| tree.is_fresh(multibody, set))
    }

    /// Keeps the trees in step with rapier's multibodies: rebuilds those whose topology changed.
    fn follow(&mut self, set: &RigidBodySet, joints: &MultibodyJointSet) -> Result<(), StepError> {
        let mut count = 0;
        for multibody in joints.multibodies() {
            let known = (count..self.trees.len()).find(|&k| self.trees[k].is_for(multibody));
            match known {
                Some(k) => self.trees.swap(count, k),
                None => {
                    let tree = TreeBody::new(set, multibody)?;
                    self.trees.insert(count, tree);
                }
            }
            count += 1;
        }
        self.trees.truncate(count);
        Ok(())
    }

    /// Reads every multibody and announces its links. Needs fresh poses: after detection.
    pub(crate) fn gather(
        &mut self,
        set: &RigidBodySet,
        joints: &MultibodyJointSet,
        bodies: &mut Bodies,
        h: f64,
    ) -> Result<(), StepError> {
        self.follow(set, joints)?;
        for (number, (tree, multibody)) in
            self.trees.iter_mut().zip(joints.multibodies()).enumerate()
        {
            for (link, &handle) in tree.links.iter().enumerate() {
                bodies.set_link(handle, number, link);
            }
            tree.read(set, multibody, h)?;
        }
        Ok(())
    }

    /// Mass matrices and free velocities of all trees.
    pub(crate) fn dynamics(&mut self, gravity: &Vector3<f64>, h: f64) -> Result<(), StepError> {
        self.trees
            .iter_mut()
            .try_for_each(|tree| tree.dynamics(gravity, h))
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
        for tree in &mut self.trees {
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
        for tree in &mut self.trees {
            tree.axes.release(&v_plus[range(tree.block)], h);
        }
    }
}
