//! Builds [`ContactProblem`]s, one after another, in the same memory.

use super::data::all_finite;
use super::{
    Block, BlockId, ContactData, ContactId, ContactProblem, Group, NO_BLOCK, RowHalf, Run,
    ScalarId, ScalarKind,
};
use crate::mass::{MassFactor, NO_PARENT};

/// Why a problem was refused. Indices are those of the ids handed out while building.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// The time step is not a positive finite number.
    #[error("the time step must be positive and finite, not {h}")]
    BadTimeStep {
        /// The step given.
        h: f64,
    },
    /// A mass block, contact or scalar row is malformed.
    #[error("{part} {index}: {reason}")]
    Malformed {
        /// `mass block`, `contact` or `scalar row`.
        part: &'static str,
        /// Its index.
        index: usize,
        /// What is wrong.
        reason: String,
    },
    /// A problem was asked for before [`ProblemBuilder::finish`].
    #[error("the problem is not finished: call `finish` after its last row")]
    Unfinished,
}

/// Owns all buffers of a problem and fills them in every step: [`Self::begin`], blocks, rows,
/// [`Self::finish`]. The first error is kept and returned by `finish`.
#[derive(Clone, Debug, Default)]
pub struct ProblemBuilder {
    pub(super) problem: ContactProblem,
    error: Option<ProblemError>,
    finished: bool,
    /// Ordinal of the group that last used a coordinate, for the closure test.
    stamp: Vec<u32>,
    stamps: u32,
    /// Columns and values of a group whose halves lie in the same block.
    merged: (Vec<usize>, Vec<f64>),
}

impl ProblemBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a new problem with time step `h` \[s\].
    pub fn begin(&mut self, h: f64) {
        let p = &mut self.problem;
        p.h = h;
        p.blocks.clear();
        p.values.clear();
        p.inv_diag.clear();
        p.v.clear();
        p.v_free.clear();
        p.runs.clear();
        p.vals.clear();
        p.contacts.clear();
        p.contact_groups.clear();
        p.scalars.clear();
        p.scalar_groups.clear();
        p.spins.clear();
        p.spin_groups.clear();
        self.stamp.clear();
        self.stamps = 0;
        self.finished = false;
        self.error = None;
        if !(h.is_finite() && h > 0.0) {
            self.error = Some(ProblemError::BadTimeStep { h });
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
        self.stamp.resize(end, 0);
        if let Some(reason) = reason {
            self.fail("mass block", id, reason);
        }
        BlockId(id)
    }

    /// Adds a contact with its rows n, s, t in one or two halves, which may lie in the same block. The half of body 1 has its
    /// velocity along n, s, t, that of body 0 the negative ([`ContactProblem`], signs).
    pub fn add_contact(&mut self, data: ContactData, halves: &[RowHalf<'_, 3>]) -> ContactId {
        let id = self.problem.contacts.len();
        let group = self.group("contact", id, data.fault(), halves);
        self.problem.contact_groups.extend(group);
        self.problem.contacts.push(data);
        ContactId(id)
    }

    /// Gives a contact its spin rows: the relative angular velocity of body 1 against body 0 about
    /// n, s and t, in the blocks of the contact. Torsional and rolling friction act through them.
    /// Contacts get theirs in ascending order, each at most once.
    pub fn add_spin(&mut self, contact: ContactId, halves: &[RowHalf<'_, 3>]) {
        let last = self.problem.spins.last();
        let reason = if contact.0 >= self.problem.contact_groups.len() {
            Some("spin rows of a contact that is not there".to_owned())
        } else if last.is_some_and(|&last| last as usize >= contact.0) {
            Some("spin rows must come in the order of the contacts, once each".to_owned())
        } else {
            None
        };
        let Some(group) = self.group("contact", contact.0, reason, halves) else {
            return;
        };
        let own = self.problem.contact_groups[contact.0].blocks;
        let strange = |&b: &u32| b != NO_BLOCK && !own.contains(&b);
        if group.blocks.iter().any(strange) {
            let reason = "its spin rows touch a block its other rows don't";
            self.fail("contact", contact.0, reason);
        }
        self.problem.spins.push(contact.0 as u32);
        self.problem.spin_groups.push(group);
    }

    /// Adds a scalar row in one or two halves; `key` names it for the warm start.
    pub fn add_scalar(
        &mut self,
        key: u64,
        kind: ScalarKind,
        halves: &[RowHalf<'_, 1>],
    ) -> ScalarId {
        let id = self.problem.scalars.len();
        let group = self.group("scalar row", id, kind.fault(), halves);
        self.problem.scalar_groups.extend(group);
        self.problem.scalars.push((key, kind));
        ScalarId(id)
    }

    /// Completes the problem: splits it into islands.
    ///
    /// # Errors
    /// The first thing found wrong since [`Self::begin`].
    pub fn finish(&mut self) -> Result<&ContactProblem, ProblemError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
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
        match &self.error {
            Some(error) => Err(error.clone()),
            None if self.finished => Ok(&self.problem),
            None => Err(ProblemError::Unfinished),
        }
    }

    fn fail(&mut self, part: &'static str, index: usize, reason: impl Into<String>) {
        self.error.get_or_insert_with(|| ProblemError::Malformed {
            part,
            index,
            reason: reason.into(),
        });
    }

    /// Stores rows that share their columns, unless something is wrong with them or with what they belong to.
    fn group<const K: usize>(
        &mut self,
        part: &'static str,
        index: usize,
        fault: Option<String>,
        halves: &[RowHalf<'_, K>],
    ) -> Option<Group> {
        let mut faults = halves.iter().filter_map(|half| self.check_half(half).err());
        if let Some(reason) = fault.or_else(|| faults.next()) {
            self.fail(part, index, reason);
            return None;
        }
        let mut group = Group {
            run_start: self.problem.runs.len() as u32,
            run_count: 0,
            split: 0,
            val_start: self.problem.vals.len() as u32,
            nnz: 0,
            blocks: [NO_BLOCK; 2],
            closed: true,
        };
        match *halves {
            [only] => self.store(&mut group, &[only]),
            [a, b] if a.block == b.block => self.store_merged(&mut group, [a, b]),
            [a, b] if a.block < b.block => self.store(&mut group, &[a, b]),
            [a, b] => self.store(&mut group, &[b, a]),
            _ => {
                self.fail(
                    part,
                    index,
                    format!("has {} halves, wants 1 or 2", halves.len()),
                );
                return None;
            }
        }
        group.run_count = self.problem.runs.len() as u32 - group.run_start;
        Some(group)
    }

    fn check_half<const K: usize>(&self, half: &RowHalf<'_, K>) -> Result<(), String> {
        let Some(block) = self.problem.blocks.get(half.block.0) else {
            return Err(format!(
                "names block {}, there are {}",
                half.block.0,
                self.problem.blocks.len()
            ));
        };
        if half.cols.windows(2).any(|w| w[0] >= w[1]) {
            return Err("its columns are not strictly ascending".into());
        }
        let dim = block.pattern.dim();
        if let Some(&last) = half.cols.last()
            && last >= dim
        {
            return Err(format!(
                "column {last} is out of range, block {} has {dim}",
                half.block.0
            ));
        }
        for (k, row) in half.rows.iter().enumerate() {
            if row.len() != half.cols.len() {
                return Err(format!(
                    "row {k} has {} values for {} columns",
                    row.len(),
                    half.cols.len()
                ));
            }
            if !all_finite(row) {
                return Err(format!("row {k} holds a number that is not finite"));
            }
        }
        Ok(())
    }

    fn store<const K: usize>(&mut self, group: &mut Group, halves: &[RowHalf<'_, K>]) {
        for (i, half) in halves.iter().enumerate() {
            group.blocks[i] = half.block.0 as u32;
            group.nnz += half.cols.len() as u32;
            group.closed &= self.push_runs(half.block.0, half.cols);
            if i == 0 {
                group.split = self.problem.runs.len() as u32 - group.run_start;
            }
        }
        for k in 0..K {
            for half in halves {
                push(&mut self.problem.vals, half.rows[k]);
            }
        }
    }

    /// Two halves in one block as one: the union of their columns, values added where both have one.
    fn store_merged<const K: usize>(&mut self, group: &mut Group, halves: [RowHalf<'_, K>; 2]) {
        let (mut cols, mut vals) = std::mem::take(&mut self.merged);
        cols.clear();
        cols.extend(halves.iter().flat_map(|half| half.cols));
        cols.sort_unstable();
        cols.dedup();
        let len = cols.len();
        vals.clear();
        vals.resize(K * len, 0.0);
        for half in halves {
            for (i, col) in half.cols.iter().enumerate() {
                let at = cols.partition_point(|c| c < col);
                for k in 0..K {
                    vals[k * len + at] += half.rows[k][i];
                }
            }
        }
        let whole = RowHalf {
            block: halves[0].block,
            cols: &cols,
            rows: std::array::from_fn(|k| &vals[k * len..(k + 1) * len]),
        };
        self.store::<K>(group, &[whole]);
        self.merged = (cols, vals);
    }

    /// Appends the runs of block-local columns; returns whether they hold all their ancestors.
    fn push_runs(&mut self, block: usize, cols: &[usize]) -> bool {
        let p = &mut self.problem;
        let Block {
            offset, pattern, ..
        } = &p.blocks[block];
        if cols.len() == pattern.dim() && !cols.is_empty() {
            // Ascending and within range: all of them.
            p.runs.push(Run {
                start: *offset as u32,
                len: cols.len() as u32,
            });
            return true;
        }
        if let [col] = *cols {
            p.runs.push(Run {
                start: (offset + col) as u32,
                len: 1,
            });
            return pattern.parent(col) == NO_PARENT;
        }
        self.stamps += 1;
        let mut closed = true;
        let mut next = usize::MAX;
        for &col in cols {
            self.stamp[offset + col] = self.stamps;
            let parent = pattern.parent(col);
            closed &= parent == NO_PARENT || self.stamp[offset + parent] == self.stamps;
            match p.runs.last_mut() {
                Some(run) if col == next => run.len += 1,
                _ => p.runs.push(Run {
                    start: (offset + col) as u32,
                    len: 1,
                }),
            }
            next = col + 1;
        }
        closed
    }
}

/// Appends a row; those of free bodies without a call.
#[inline]
fn push(vals: &mut Vec<f64>, row: &[f64]) {
    match <&[f64; 6]>::try_from(row) {
        Ok(row) => vals.extend_from_slice(row),
        Err(_) => vals.extend_from_slice(row),
    }
}
