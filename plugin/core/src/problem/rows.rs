//! Rows on their way into a problem: those of contacts may be added by several threads, each to a list of its own.

use super::data::all_finite;
use super::{Block, ContactData, ContactId, Group, NO_BLOCK, RowHalf, Run};
use crate::mass::NO_PARENT;

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
    /// A problem was asked for before [`finish`](super::ProblemBuilder::finish).
    #[error("the problem is not finished: call `finish` after its last row")]
    Unfinished,
}

/// The blocks of a problem in the making, that rows are added to.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a>(pub(super) &'a [Block]);

/// Contacts with their rows, one after another; memory is reused.
#[derive(Clone, Debug, Default)]
pub struct ContactRows {
    pub(super) runs: Vec<Run>,
    pub(super) vals: Vec<f64>,
    pub(super) contacts: Vec<ContactData>,
    pub(super) contact_groups: Vec<Group>,
    pub(super) spins: Vec<u32>,
    pub(super) spin_groups: Vec<Group>,
    /// The first thing found wrong.
    pub(super) error: Option<ProblemError>,
    /// Ordinal of the group that last used a coordinate, for the closure test.
    stamp: Vec<u32>,
    stamps: u32,
    /// Columns and values of a group whose halves lie in the same block.
    merged: (Vec<usize>, Vec<f64>),
}

impl ContactRows {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.runs.clear();
        self.vals.clear();
        self.contacts.clear();
        self.contact_groups.clear();
        self.spins.clear();
        self.spin_groups.clear();
        self.error = None;
        self.stamp.clear();
        self.stamps = 0;
    }

    /// [`ProblemBuilder::add_contact`](super::ProblemBuilder::add_contact) to this list; the id counts in it.
    pub fn add_contact(
        &mut self,
        blocks: Blocks<'_>,
        data: ContactData,
        halves: &[RowHalf<'_, 3>],
    ) -> ContactId {
        let id = self.contacts.len();
        let group = self.group(blocks, "contact", id, data.fault(), halves);
        self.contact_groups.extend(group);
        self.contacts.push(data);
        ContactId(id)
    }

    /// [`ProblemBuilder::add_spin`](super::ProblemBuilder::add_spin) to a contact of this list.
    pub fn add_spin(&mut self, blocks: Blocks<'_>, contact: ContactId, halves: &[RowHalf<'_, 3>]) {
        let last = self.spins.last();
        let reason = if contact.0 >= self.contact_groups.len() {
            Some("spin rows of a contact that is not there".to_owned())
        } else if last.is_some_and(|&last| last as usize >= contact.0) {
            Some("spin rows must come in the order of the contacts, once each".to_owned())
        } else {
            None
        };
        let Some(group) = self.group(blocks, "contact", contact.0, reason, halves) else {
            return;
        };
        let own = self.contact_groups[contact.0].blocks;
        let strange = |&b: &u32| b != NO_BLOCK && !own.contains(&b);
        if group.blocks.iter().any(strange) {
            let reason = "its spin rows touch a block its other rows don't";
            self.fail("contact", contact.0, reason);
        }
        self.spins.push(contact.0 as u32);
        self.spin_groups.push(group);
    }

    /// Takes over the contacts of another list, behind those that are there.
    pub fn append(&mut self, other: &mut Self) {
        let (first, run, val) = (self.contacts.len(), self.runs.len(), self.vals.len());
        if let (None, Some(mut error)) = (&self.error, other.error.take()) {
            if let ProblemError::Malformed { index, .. } = &mut error {
                *index += first;
            }
            self.error = Some(error);
        }
        let behind = |group: Group| Group {
            run_start: group.run_start + run as u32,
            val_start: group.val_start + val as u32,
            ..group
        };
        self.runs.append(&mut other.runs);
        self.vals.append(&mut other.vals);
        self.contacts.append(&mut other.contacts);
        (self.contact_groups).extend(other.contact_groups.drain(..).map(behind));
        (self.spins).extend(other.spins.drain(..).map(|c| c + first as u32));
        (self.spin_groups).extend(other.spin_groups.drain(..).map(behind));
        other.clear();
    }

    pub(super) fn fail(&mut self, part: &'static str, index: usize, reason: impl Into<String>) {
        self.error.get_or_insert_with(|| ProblemError::Malformed {
            part,
            index,
            reason: reason.into(),
        });
    }

    /// Stores rows that share their columns, unless something is wrong with them or with what they belong to.
    pub(super) fn group<const K: usize>(
        &mut self,
        blocks: Blocks<'_>,
        part: &'static str,
        index: usize,
        fault: Option<String>,
        halves: &[RowHalf<'_, K>],
    ) -> Option<Group> {
        let mut faults = halves
            .iter()
            .filter_map(|half| check_half(blocks, half).err());
        if let Some(reason) = fault.or_else(|| faults.next()) {
            self.fail(part, index, reason);
            return None;
        }
        let mut group = Group {
            run_start: self.runs.len() as u32,
            run_count: 0,
            split: 0,
            val_start: self.vals.len() as u32,
            nnz: 0,
            blocks: [NO_BLOCK; 2],
            closed: true,
        };
        match *halves {
            [only] => self.store(blocks, &mut group, &[only]),
            [a, b] if a.block == b.block => self.store_merged(blocks, &mut group, [a, b]),
            [a, b] if a.block < b.block => self.store(blocks, &mut group, &[a, b]),
            [a, b] => self.store(blocks, &mut group, &[b, a]),
            _ => {
                self.fail(
                    part,
                    index,
                    format!("has {} halves, wants 1 or 2", halves.len()),
                );
                return None;
            }
        }
        group.run_count = self.runs.len() as u32 - group.run_start;
        Some(group)
    }

    fn store<const K: usize>(
        &mut self,
        blocks: Blocks<'_>,
        group: &mut Group,
        halves: &[RowHalf<'_, K>],
    ) {
        for (i, half) in halves.iter().enumerate() {
            group.blocks[i] = half.block.0 as u32;
            group.nnz += half.cols.len() as u32;
            group.closed &= self.push_runs(&blocks.0[half.block.0], half.cols);
            if i == 0 {
                group.split = self.runs.len() as u32 - group.run_start;
            }
        }
        for k in 0..K {
            for half in halves {
                push(&mut self.vals, half.rows[k]);
            }
        }
    }

    /// Two halves in one block as one: the union of their columns, values added where both have one.
    fn store_merged<const K: usize>(
        &mut self,
        blocks: Blocks<'_>,
        group: &mut Group,
        halves: [RowHalf<'_, K>; 2],
    ) {
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
        self.store::<K>(blocks, group, &[whole]);
        self.merged = (cols, vals);
    }

    /// Appends the runs of block-local columns; returns whether they hold all their ancestors.
    fn push_runs(&mut self, block: &Block, cols: &[usize]) -> bool {
        let Block {
            offset, pattern, ..
        } = block;
        if cols.len() == pattern.dim() && !cols.is_empty() {
            // Ascending and within range: all of them.
            self.runs.push(Run {
                start: *offset as u32,
                len: cols.len() as u32,
            });
            return true;
        }
        if let [col] = *cols {
            self.runs.push(Run {
                start: (offset + col) as u32,
                len: 1,
            });
            return pattern.parent(col) == NO_PARENT;
        }
        self.stamps += 1;
        if self.stamp.len() < offset + pattern.dim() {
            self.stamp.resize(offset + pattern.dim(), 0);
        }
        let mut closed = true;
        let mut next = usize::MAX;
        for &col in cols {
            self.stamp[offset + col] = self.stamps;
            let parent = pattern.parent(col);
            closed &= parent == NO_PARENT || self.stamp[offset + parent] == self.stamps;
            match self.runs.last_mut() {
                Some(run) if col == next => run.len += 1,
                _ => self.runs.push(Run {
                    start: (offset + col) as u32,
                    len: 1,
                }),
            }
            next = col + 1;
        }
        closed
    }
}

fn check_half<const K: usize>(blocks: Blocks<'_>, half: &RowHalf<'_, K>) -> Result<(), String> {
    let Some(block) = blocks.0.get(half.block.0) else {
        return Err(format!(
            "names block {}, there are {}",
            half.block.0,
            blocks.0.len()
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

/// Appends a row; those of free bodies without a call.
#[inline]
fn push(vals: &mut Vec<f64>, row: &[f64]) {
    match <&[f64; 6]>::try_from(row) {
        Ok(row) => vals.extend_from_slice(row),
        Err(_) => vals.extend_from_slice(row),
    }
}
