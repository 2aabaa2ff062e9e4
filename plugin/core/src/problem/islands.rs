//! Splitting a problem into parts that share no block, and ordering the rows inside a part.

use super::{ContactId, Group, GroupId, NO_BLOCK, ScalarId};

/// No island.
pub(super) const NONE: u32 = u32::MAX;
/// An island that is still to be found.
const OPEN: u32 = NONE - 1;

/// One independent part of a problem: index lists into it, nothing is copied.
#[derive(Clone, Copy, Debug)]
pub struct Island<'a> {
    /// Its blocks, in breadth-first order from a block with few neighbours.
    pub blocks: &'a [u32],
    /// Its contacts and scalar rows in the order of their blocks, so that rows of neighbouring bodies are neighbours.
    pub groups: &'a [GroupId],
}

impl<'a> Island<'a> {
    /// The numbers of its contacts, in the order of [`Self::groups`].
    pub fn contacts(self) -> impl Iterator<Item = usize> + Clone + 'a {
        self.groups.iter().filter_map(|group| match *group {
            GroupId::Contact(c) => Some(c.0),
            GroupId::Scalar(_) => None,
        })
    }

    /// The numbers of its scalar rows, in the order of [`Self::groups`].
    pub fn scalars(self) -> impl Iterator<Item = usize> + Clone + 'a {
        self.groups.iter().filter_map(|group| match *group {
            GroupId::Contact(_) => None,
            GroupId::Scalar(s) => Some(s.0),
        })
    }
}

/// The split and the scratch memory to make it.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    /// Where the blocks and the groups of each island end; the next one's begin there.
    ends: Vec<[u32; 2]>,
    blocks: Vec<u32>,
    groups: Vec<GroupId>,
    island_of: Vec<u32>,
    /// Place of each block in `blocks`.
    place: Vec<u32>,
    /// The blocks that each one shares a row with, list after list, and where the lists begin.
    edge_start: Vec<u32>,
    edges: Vec<u32>,
    /// Groups by their islands and the places of their blocks there: the first of some one after another that share
    /// those, and how many they are.
    keys: Vec<(u32, [u32; 2], GroupId, u32)>,
    /// How many blocks and contacts were split last, and the blocks of all groups.
    counts: [usize; 2],
    pairs: Vec<[u32; 2]>,
}

impl Islands {
    /// The split of another problem; the scratch memory stays.
    pub(super) fn copy_from(&mut self, source: &Self) {
        self.ends.clone_from(&source.ends);
        self.blocks.clone_from(&source.blocks);
        self.groups.clone_from(&source.groups);
        self.pairs.clone_from(&source.pairs);
        self.counts = source.counts;
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, i: usize) -> Island<'_> {
        let end = |i: usize| self.ends[i].map(|end| end as usize);
        let from = i.checked_sub(1).map_or([0; 2], end);
        Island {
            blocks: &self.blocks[from[0]..end(i)[0]],
            groups: &self.groups[from[1]..end(i)[1]],
        }
    }

    /// Follows the groups from block to block. O(blocks + groups log groups). Islands whose groups have not changed
    /// are kept.
    pub(super) fn split(&mut self, block_count: usize, contacts: &[Group], scalars: &[Group]) {
        self.split_along(block_count, contacts, scalars, |_| true);
    }

    /// [`Self::split`] as if there were no other groups than those that `keeps` names.
    pub(super) fn split_along(
        &mut self,
        block_count: usize,
        contacts: &[Group],
        scalars: &[Group],
        keeps: impl Fn(GroupId) -> bool + Copy,
    ) {
        let names = || {
            let contacts = (0..contacts.len()).map(|c| GroupId::Contact(ContactId(c)));
            contacts.chain((0..scalars.len()).map(|s| GroupId::Scalar(ScalarId(s))))
        };
        let groups = || {
            let all = names().zip(contacts.iter().chain(scalars));
            all.map(|(name, group)| match keeps(name) {
                true => group.blocks,
                false => [NO_BLOCK; 2],
            })
        };
        let counts = [block_count, contacts.len()];
        if counts == self.counts && groups().eq(self.pairs.iter().copied()) {
            return;
        }
        self.counts = counts;
        self.pairs.clear();
        self.pairs.extend(groups());
        self.ends.clear();
        self.blocks.clear();
        self.join(block_count, groups().filter(|blocks| blocks[1] != NO_BLOCK));
        self.island_of.clear();
        self.island_of.resize(block_count, NONE);
        self.place.resize(block_count, 0);
        for b in groups().flatten().filter(|&b| b != NO_BLOCK) {
            self.island_of[b as usize] = OPEN;
        }
        for b in 0..block_count {
            if self.island_of[b] == OPEN {
                self.find(b as u32);
            }
        }
        let (ends, places) = (&mut self.ends, &self.place);
        self.keys.clear();
        let kept = groups()
            .zip(names())
            .filter(|(blocks, _)| blocks[0] != NO_BLOCK);
        for ([a, b], g) in kept {
            let island = self.island_of[a as usize];
            let a = places[a as usize];
            let b = places.get(b as usize).copied().unwrap_or(a);
            let first = match island {
                0 => 0,
                island => ends[island as usize - 1][0],
            };
            // Rows of islands of one or two blocks stay as they came.
            let is_small = ends[island as usize][0] - first <= 2;
            let place = if is_small {
                [0; 2]
            } else {
                [a.max(b), a.min(b)]
            };
            match self.keys.last_mut() {
                // Most contacts of a pair of bodies: there are fewer to sort.
                Some((i, p, first, count))
                    if (*i, *p) == (island, place) && first.after(*count) == g =>
                {
                    *count += 1;
                }
                _ => self.keys.push((island, place, g, 1)),
            }
        }
        self.keys.sort_unstable();
        self.groups.clear();
        for &(island, _, first, count) in &self.keys {
            self.groups.extend((0..count).map(|k| first.after(k)));
            let end = self.groups.len() as u32;
            ends[island as usize][1] = end;
        }
    }

    /// Lists the neighbours of each block.
    fn join(&mut self, block_count: usize, pairs: impl Iterator<Item = [u32; 2]> + Clone) {
        self.edge_start.clear();
        self.edge_start.resize(block_count + 1, 0);
        for b in pairs.clone().flatten() {
            self.edge_start[b as usize] += 1;
        }
        let mut total = 0;
        for start in &mut self.edge_start {
            total += *start;
            *start = total;
        }
        self.edges.clear();
        self.edges.resize(total as usize, 0);
        for [a, b] in pairs {
            for (from, to) in [(a, b), (b, a)] {
                let at = &mut self.edge_start[from as usize];
                *at -= 1;
                self.edges[*at as usize] = to;
            }
        }
    }

    /// Adds the island of a block. Three blocks or more stand breadth first from one with few neighbours, so that the
    /// factor of a chain or stack is banded.
    fn find(&mut self, block: u32) {
        let from = self.blocks.len();
        self.walk(block);
        let members = &self.blocks[from..];
        let degree = |b: u32| self.edge_start[b as usize + 1] - self.edge_start[b as usize];
        let first = members.iter().copied().min_by_key(|&b| (degree(b), b));
        if let Some(first) = first.filter(|_| members.len() > 2) {
            for &b in members {
                self.island_of[b as usize] = OPEN;
            }
            self.blocks.truncate(from);
            self.walk(first);
        }
        self.ends.push([self.blocks.len() as u32, 0]);
    }

    /// Appends a block and all those joined to it, breadth first.
    fn walk(&mut self, first: u32) {
        let island = self.ends.len() as u32;
        let mut head = self.blocks.len();
        self.island_of[first as usize] = island;
        self.blocks.push(first);
        while head < self.blocks.len() {
            let b = self.blocks[head] as usize;
            self.place[b] = head as u32;
            head += 1;
            for e in self.edge_start[b]..self.edge_start[b + 1] {
                let next = self.edges[e as usize];
                if self.island_of[next as usize] != island {
                    self.island_of[next as usize] = island;
                    self.blocks.push(next);
                }
            }
        }
    }
}
