//! A problem of some islands of another one.

use super::{Block, ContactProblem, Group, Island, NO_BLOCK, Run};

/// What a part has of the whole, by the numbers in the whole, ascending; memory is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) blocks: Vec<u32>,
    pub(crate) contacts: Vec<u32>,
    pub(crate) scalars: Vec<u32>,
    /// The number in the part of each block of the whole, [`NO_BLOCK`] outside.
    local: Vec<u32>,
}

impl Part {
    /// Whether an island is in it.
    pub(crate) fn has(&self, island: Island<'_>) -> bool {
        let mut blocks = island.blocks.iter();
        blocks.all(|&b| self.local.get(b as usize).is_some_and(|n| *n != NO_BLOCK))
    }

    /// Whether each of the contacts, then of the scalar rows of the part is flagged in a list of the whole, which has so many contacts.
    pub(crate) fn flags(&self, all: &[bool], contacts: usize, out: &mut Vec<bool>) {
        out.clear();
        out.extend(self.contacts.iter().map(|&c| all[c as usize]));
        out.extend(self.scalars.iter().map(|&s| all[contacts + s as usize]));
    }

    fn list<'a>(&mut self, blocks: usize, islands: impl Iterator<Item = Island<'a>>) {
        for list in [&mut self.blocks, &mut self.contacts, &mut self.scalars] {
            list.clear();
        }
        for island in islands {
            self.blocks.extend(island.blocks);
            self.contacts.extend(island.contacts().map(|c| c as u32));
            self.scalars.extend(island.scalars().map(|s| s as u32));
        }
        for list in [&mut self.blocks, &mut self.contacts, &mut self.scalars] {
            list.sort_unstable();
        }
        self.local.clear();
        self.local.resize(blocks, NO_BLOCK);
        for (n, &b) in (0..).zip(&self.blocks) {
            self.local[b as usize] = n;
        }
    }
}

impl ContactProblem {
    /// Makes this problem of some islands of `source`, in the same order; it is not yet split into islands. Allocates only while
    /// it grows beyond what it has held. O(blocks of the source + size of the islands).
    pub(crate) fn copy_part<'a>(
        &mut self,
        source: &Self,
        islands: impl Iterator<Item = Island<'a>>,
        part: &mut Part,
    ) {
        part.list(source.block_count(), islands);
        self.h = source.h;
        self.blocks.clear();
        for list in [
            &mut self.values,
            &mut self.inv_diag,
            &mut self.v,
            &mut self.v_free,
            &mut self.vals,
        ] {
            list.clear();
        }
        self.runs.clear();
        for &b in &part.blocks {
            let (from, block) = (&source.blocks[b as usize], source.block(b as usize));
            self.blocks.push(Block {
                offset: self.v.len(),
                value_start: self.values.len(),
                pattern: from.pattern.clone(),
            });
            self.values.extend_from_slice(block.values);
            self.inv_diag.extend_from_slice(block.inv_diag);
            self.v.extend_from_slice(&source.v[block.range()]);
            self.v_free.extend_from_slice(&source.v_free[block.range()]);
        }
        self.contacts.clear();
        self.contact_groups.clear();
        self.spins.clear();
        self.spin_groups.clear();
        for (n, &c) in (0..).zip(&part.contacts) {
            let c = c as usize;
            self.contacts.push(source.contacts[c]);
            let group = self.copy_group(source, &source.contact_groups[c], 3, part);
            self.contact_groups.push(group);
            if let Ok(spin) = source.spins.binary_search(&(c as u32)) {
                let group = self.copy_group(source, &source.spin_groups[spin], 3, part);
                self.spins.push(n);
                self.spin_groups.push(group);
            }
        }
        self.scalars.clear();
        self.scalar_groups.clear();
        for &s in &part.scalars {
            let s = s as usize;
            self.scalars.push(source.scalars[s]);
            let group = self.copy_group(source, &source.scalar_groups[s], 1, part);
            self.scalar_groups.push(group);
        }
    }

    /// Adds the columns and values of a group of so many rows; the group.
    fn copy_group(&mut self, source: &Self, group: &Group, rows: usize, part: &Part) -> Group {
        let local = |b: u32| part.local.get(b as usize).copied().unwrap_or(NO_BLOCK);
        let copy = Group {
            run_start: self.runs.len() as u32,
            val_start: self.vals.len() as u32,
            blocks: group.blocks.map(local),
            ..*group
        };
        for (k, run) in source.group_runs(group).iter().enumerate() {
            let side = usize::from(k >= group.split as usize);
            let [from, to] = [
                source.blocks[group.blocks[side] as usize].offset,
                self.blocks[copy.blocks[side] as usize].offset,
            ];
            self.runs.push(Run {
                start: run.start - from as u32 + to as u32,
                len: run.len,
            });
        }
        let start = group.val_start as usize;
        let values = &source.vals[start..start + rows * group.nnz as usize];
        self.vals.extend_from_slice(values);
        copy
    }
}
