//! Builds [`ContactProblem`]s, one after another, in the same memory.

use super::data::all_finite;
use super::rows::{Blocks, ContactRows, ProblemError};
use super::{
    Block, BlockId, ContactData, ContactId, ContactProblem, RowHalf, ScalarId, ScalarKind,
};
use crate::mass::MassFactor;
use std::mem::swap;

/// Owns all buffers of a problem and fills them in every step: [`Self::begin`], blocks, rows,
/// [`Self::finish`]. The first error is kept and returned by `finish`.
#[derive(Clone, Debug, Default)]
pub struct ProblemBuilder {
    pub(super) problem: ContactProblem,
    /// Rows of contacts and scalars, which become the problem's as it is finished.
    rows: ContactRows,
    finished: bool,
}

impl ProblemBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a new problem with time step `h` \[s\].
    pub fn begin(&mut self, h: f64) {
        self.open();
        self.rows.clear();
        let p = &mut self.problem;
        p.h = h;
        p.blocks.clear();
        p.values.clear();
        p.inv_diag.clear();
        p.v.clear();
        p.v_free.clear();
        p.scalars.clear();
        p.scalar_groups.clear();
        if !(h.is_finite() && h > 0.0) {
            self.rows.error = Some(ProblemError::BadTimeStep { h });
        }
    }

    /// Adds a block of the mass matrix with its velocity `v` and free velocity `v_free`; the factor
    /// is copied.
    pub fn add_block(&mut self, mass: &MassFactor, v: &[f64], v_free: &[f64]) -> BlockId {
        let p = &mut self.problem;
        let id = p.blocks.len();
        let dim = mass.pattern().dim();
        let reason = if v.len() != dim || v_free.len() != dim {
            Some(format!(
                "the mass matrix has {dim} coordinates, v has {} and v_free {}",
                v.len(),
                v_free.len()
            ))
        } else if !all_finite(v) || !all_finite(v_free) {
            Some("a velocity is not finite".into())
        } else if !all_finite(mass.values()) || !all_finite(mass.inv_diag()) {
            Some("an entry of the mass factor is not finite".into())
        } else if mass.inv_diag().iter().any(|&d| d <= 0.0) {
            Some("the mass matrix has not been factored".into())
        } else {
            None
        };
        p.blocks.push(Block {
            offset: p.v_free.len(),
            value_start: p.values.len(),
            pattern: mass.pattern().clone(),
        });
        p.values.extend_from_slice(mass.values());
        p.inv_diag.extend_from_slice(mass.inv_diag());
        let end = p.inv_diag.len();
        for (list, own) in [(&mut p.v, v), (&mut p.v_free, v_free)] {
            list.extend_from_slice(own);
            list.resize(end, 0.0);
        }
        if let Some(reason) = reason {
            self.rows.fail("mass block", id, reason);
        }
        BlockId(id)
    }

    /// Adds a contact with its rows n, s, t in one or two halves, which may lie in the same block. The half of body 1 has its
    /// velocity along n, s, t, that of body 0 the negative ([`ContactProblem`], signs).
    pub fn add_contact(&mut self, data: ContactData, halves: &[RowHalf<'_, 3>]) -> ContactId {
        self.open();
        let blocks = Blocks(&self.problem.blocks);
        self.rows.add_contact(blocks, data, halves)
    }

    /// Gives a contact its spin rows: the relative angular velocity of body 1 against body 0 about
    /// n, s and t, in the blocks of the contact. Torsional and rolling friction act through them.
    /// Contacts get theirs in ascending order, each at most once.
    pub fn add_spin(&mut self, contact: ContactId, halves: &[RowHalf<'_, 3>]) {
        self.open();
        let blocks = Blocks(&self.problem.blocks);
        self.rows.add_spin(blocks, contact, halves);
    }

    /// The rows so far and the blocks, for threads that add contacts side by side: each to a list of its own, which is
    /// appended to the rows ([`ContactRows::append`]).
    pub fn rows_mut(&mut self) -> (Blocks<'_>, &mut ContactRows) {
        self.open();
        (Blocks(&self.problem.blocks), &mut self.rows)
    }

    /// Adds a scalar row in one or two halves; `key` names it for the warm start.
    pub fn add_scalar(
        &mut self,
        key: u64,
        kind: ScalarKind,
        halves: &[RowHalf<'_, 1>],
    ) -> ScalarId {
        self.open();
        let id = self.problem.scalars.len();
        let blocks = Blocks(&self.problem.blocks);
        let group = (self.rows).group(blocks, "scalar row", id, kind.fault(), halves);
        self.problem.scalar_groups.extend(group);
        self.problem.scalars.push((key, kind));
        ScalarId(id)
    }

    /// Completes the problem: splits it into islands.
    ///
    /// # Errors
    /// The first thing found wrong since [`Self::begin`].
    pub fn finish(&mut self) -> Result<&ContactProblem, ProblemError> {
        if let Some(error) = &self.rows.error {
            return Err(error.clone());
        }
        if !self.finished {
            self.exchange();
        }
        let p = &mut self.problem;
        p.islands
            .split(p.blocks.len(), &p.contact_groups, &p.scalar_groups);
        self.finished = true;
        Ok(&self.problem)
    }

    /// Completes the problem and hands it over with its memory.
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub fn into_problem(mut self) -> Result<ContactProblem, ProblemError> {
        self.finish()?;
        Ok(self.problem)
    }

    /// The problem last finished.
    ///
    /// # Errors
    /// The first thing found wrong since [`Self::begin`], else [`ProblemError::Unfinished`] before [`Self::finish`].
    pub fn finished(&self) -> Result<&ContactProblem, ProblemError> {
        match &self.rows.error {
            Some(error) => Err(error.clone()),
            None if self.finished => Ok(&self.problem),
            None => Err(ProblemError::Unfinished),
        }
    }

    /// Goes on after a problem was finished: its rows are in the making again.
    fn open(&mut self) {
        if std::mem::replace(&mut self.finished, false) {
            self.exchange();
        }
    }

    fn exchange(&mut self) {
        let (p, rows) = (&mut self.problem, &mut self.rows);
        swap(&mut p.runs, &mut rows.runs);
        swap(&mut p.vals, &mut rows.vals);
        swap(&mut p.contacts, &mut rows.contacts);
        swap(&mut p.contact_groups, &mut rows.contact_groups);
        swap(&mut p.spins, &mut rows.spins);
        swap(&mut p.spin_groups, &mut rows.spin_groups);
    }
}
