//! Problems derived from others, in memory that is used again: the same rows with other velocities,
//! demands or masses. Models that solve a problem in stages make theirs here.
//!
//! What is set here comes from a validated problem or from the model's own arithmetic, so it is not
//! validated again: a number that is not finite ends as a status of the solve.

use super::{ContactData, ContactProblem, ScalarKind};

impl ContactProblem {
    /// Makes this problem equal to `source`. Allocates only while the problem grows beyond what it has
    /// held. O(size of the problem).
    pub(crate) fn copy_from(&mut self, source: &Self) {
        self.h = source.h;
        self.runs.clone_from(&source.runs);
        self.vals.clone_from(&source.vals);
        self.contacts.clone_from(&source.contacts);
        self.contact_groups.clone_from(&source.contact_groups);
        self.scalars.clone_from(&source.scalars);
        self.scalar_groups.clone_from(&source.scalar_groups);
        self.spins.clone_from(&source.spins);
        self.spin_groups.clone_from(&source.spin_groups);
        self.blocks.clone_from(&source.blocks);
        self.values.clone_from(&source.values);
        self.inv_diag.clone_from(&source.inv_diag);
        self.v.clone_from(&source.v);
        self.v_free.clone_from(&source.v_free);
        self.islands.copy_from(&source.islands);
    }

    /// Splits the problem into islands again, as if it had no other groups (contacts, then scalar rows) than those that `keeps` names: the
    /// others are in no island. O(blocks + groups).
    pub(crate) fn split_along(&mut self, keeps: &[bool]) {
        let (blocks, n) = (self.blocks.len(), self.contacts.len());
        let (contacts, scalars) = (&self.contact_groups, &self.scalar_groups);
        (self.islands).split_along(blocks, contacts, scalars, |g| keeps[g.place(n)]);
    }

    /// Gives a scalar row other entries, in the order of its columns; one of another length is left as it is.
    pub(crate) fn set_scalar_row(&mut self, scalar: usize, entries: &[f64]) {
        let group = &self.scalar_groups[scalar];
        let start = group.val_start as usize;
        if entries.len() == group.nnz as usize {
            self.vals[start..start + entries.len()].copy_from_slice(entries);
        }
    }

    /// Sets the time step h \[s\].
    pub(crate) fn set_time_step(&mut self, h: f64) {
        self.h = h;
    }

    /// Sets the velocities at the start of the step and after forces (m each).
    pub(crate) fn set_velocities(&mut self, v: &[f64], v_free: &[f64]) {
        self.v.copy_from_slice(v);
        self.v_free.copy_from_slice(v_free);
    }

    /// Velocities at the start of the step and after forces, to write (m each).
    pub(crate) fn velocities_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.v, &mut self.v_free)
    }

    /// The contacts' data, to write.
    pub(crate) fn contacts_mut(&mut self) -> &mut [ContactData] {
        &mut self.contacts
    }

    /// Key and demand of each scalar row, to write.
    pub(crate) fn scalars_mut(&mut self) -> &mut [(u64, ScalarKind)] {
        &mut self.scalars
    }

    /// `M <- factor M` for all blocks, `factor > 0`: `L <- sqrt(factor) L`.
    pub(crate) fn scale_mass(&mut self, factor: f64) {
        let root = factor.sqrt();
        for l in &mut self.values {
            *l *= root;
        }
        for d in &mut self.inv_diag {
            *d /= root;
        }
    }
}
