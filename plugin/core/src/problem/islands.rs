//! Splitting a problem into parts that share no block, and ordering the rows inside a part.

use super::{Group, NO_BLOCK};

/// No island.
pub(super) const NONE: u32 = u32::MAX;

/// One independent part of a problem: index lists into it, nothing is copied.
#[derive(Clone, Copy, Debug)]
pub struct Island<'a> {
    /// Its blocks, in breadth-first order from a block with few neighbours.
    pub blocks: &'a [u32],
    /// Its groups in the order of their blocks, so that rows of neighbouring bodies are neighbours:
    /// `c < n` is contact `c`, `n + s` is scalar `s`.
    pub groups: &'a [u32],
}

#[derive(Clone, Copy, Debug, Default)]
struct Span {
    blocks: (u32, u32),
    groups: (u32, u32),
}

/// The split and the scratch memory to make it.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    spans: Vec<Span>,
    blocks: Vec<u32>,
    groups: Vec<u32>,
    root: Vec<u32>,
    island_of: Vec<u32>,
    order: Vec<u32>,
    edge_start: Vec<u32>,
    edges: Vec<u32>,
    /// Groups of an island by the places of their two blocks.
    keys: Vec<(u64, u32)>,
}

fn find(root: &mut [u32], mut i: u32) -> u32 {
    while root[i as usize] != i {
        let up = root[root[i as usize] as usize];
        root[i as usize] = up;
        i = up;
    }
    i
}

impl Islands {
    /// The split of another problem; the scratch memory stays.
    pub(super) fn copy_from(&mut self, source: &Self) {
        self.spans.clone_from(&source.spans);
        self.blocks.clone_from(&source.blocks);
        self.groups.clone_from(&source.groups);
    }

    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Island<'_>> + '_ {
        (0..self.spans.len()).map(|i| self.get(i))
    }

    pub(super) fn get(&self, i: usize) -> Island<'_> {
        let s = &self.spans[i];
        Island {
            blocks: &self.blocks[s.blocks.0 as usize..s.blocks.1 as usize],
            groups: &self.groups[s.groups.0 as usize..s.groups.1 as usize],
        }
    }

    /// Union-find over blocks through groups, O(blocks + groups) apart from ordering the groups of
    /// islands with three blocks or more.
    pub(super) fn split(&mut self, block_count: usize, contacts: &[Group], scalars: &[Group]) {
        self.spans.clear();
        self.blocks.clear();
        self.groups.clear();
        let count = contacts.len() + scalars.len();
        if count == 0 {
            return;
        }
        if block_count == 1 {
            self.blocks.push(0);
            self.groups.extend(0..count as u32);
            self.spans.push(Span {
                blocks: (0, 1),
                groups: (0, count as u32),
            });
            return;
        }
        self.union(block_count, contacts, scalars);
        self.number(block_count, contacts, scalars);
        self.bucket(contacts, scalars);
        self.order_inside(block_count, contacts, scalars);
    }

    fn union(&mut self, block_count: usize, contacts: &[Group], scalars: &[Group]) {
        self.root.clear();
        self.root.extend(0..block_count as u32);
        for group in contacts.iter().chain(scalars) {
            let [a, b] = group.blocks;
            if b != NO_BLOCK {
                let (a, b) = (find(&mut self.root, a), find(&mut self.root, b));
                // The lower index is the root: islands are numbered by their first block.
                self.root[a.max(b) as usize] = a.min(b);
            }
        }
    }

    /// Numbers the islands that have groups and counts their blocks and groups.
    fn number(&mut self, block_count: usize, contacts: &[Group], scalars: &[Group]) {
        self.island_of.clear();
        self.island_of.resize(block_count, NO_BLOCK);
        for group in contacts.iter().chain(scalars) {
            let root = find(&mut self.root, group.blocks[0]);
            self.island_of[root as usize] = 0;
        }
        for b in 0..block_count as u32 {
            let root = find(&mut self.root, b);
            if root == b && self.island_of[b as usize] == 0 {
                self.island_of[b as usize] = self.spans.len() as u32;
                self.spans.push(Span::default());
            } else {
                self.island_of[b as usize] = self.island_of[root as usize];
            }
            if let Some(span) = self.spans.get_mut(self.island_of[b as usize] as usize) {
                span.blocks.1 += 1;
            }
        }
        for group in contacts.iter().chain(scalars) {
            let island = self.island_of[group.blocks[0] as usize];
            self.spans[island as usize].groups.1 += 1;
        }
        let (mut blocks, mut groups) = (0, 0);
        for span in &mut self.spans {
            let (nb, ng) = (span.blocks.1, span.groups.1);
            span.blocks = (blocks, blocks);
            span.groups = (groups, groups);
            blocks += nb;
            groups += ng;
        }
        self.blocks.resize(blocks as usize, 0);
        self.groups.resize(groups as usize, 0);
    }

    /// Fills the index lists in ascending order.
    fn bucket(&mut self, contacts: &[Group], scalars: &[Group]) {
        for (b, &island) in self.island_of.iter().enumerate() {
            if let Some(span) = self.spans.get_mut(island as usize) {
                self.blocks[span.blocks.1 as usize] = b as u32;
                span.blocks.1 += 1;
            }
        }
        for (g, group) in contacts.iter().chain(scalars).enumerate() {
            let span = &mut self.spans[self.island_of[group.blocks[0] as usize] as usize];
            self.groups[span.groups.1 as usize] = g as u32;
            span.groups.1 += 1;
        }
    }

    /// Breadth-first order of the blocks of large islands, and their groups after it, so that the
    /// factor of a chain or stack is banded.
    fn order_inside(&mut self, block_count: usize, contacts: &[Group], scalars: &[Group]) {
        if self.spans.iter().all(|s| s.blocks.1 - s.blocks.0 < 3) {
            return;
        }
        let pairs = || {
            let groups = contacts.iter().chain(scalars);
            groups.filter(|g| g.blocks[1] != NO_BLOCK).map(|g| g.blocks)
        };
        self.edge_start.clear();
        self.edge_start.resize(block_count + 1, 0);
        for [a, b] in pairs() {
            self.edge_start[a as usize] += 1;
            self.edge_start[b as usize] += 1;
        }
        let mut total = 0;
        for start in &mut self.edge_start {
            total += *start;
            *start = total;
        }
        self.edges.clear();
        self.edges.resize(total as usize, 0);
        for [a, b] in pairs() {
            for (from, to) in [(a, b), (b, a)] {
                let at = &mut self.edge_start[from as usize];
                *at -= 1;
                self.edges[*at as usize] = to;
            }
        }
        self.order.clear();
        self.order.resize(block_count, NO_BLOCK);
        let n = contacts.len();
        let blocks_of = |g: u32| {
            let g = g as usize;
            if g < n {
                contacts[g].blocks
            } else {
                scalars[g - n].blocks
            }
        };
        for span in &self.spans {
            let (from, to) = (span.blocks.0 as usize, span.blocks.1 as usize);
            if to - from < 3 {
                continue;
            }
            let degree = |b: u32| self.edge_start[b as usize + 1] - self.edge_start[b as usize];
            let list = &mut self.blocks[from..to];
            let first = list.iter().copied().min_by_key(|&b| (degree(b), b));
            let Some(first) = first else { continue };
            list[0] = first;
            self.order[first as usize] = 0;
            let (mut head, mut tail) = (0, 1);
            while head < tail {
                let b = list[head] as usize;
                head += 1;
                let range = self.edge_start[b] as usize..self.edge_start[b + 1] as usize;
                for &next in &self.edges[range] {
                    if self.order[next as usize] == NO_BLOCK {
                        self.order[next as usize] = tail as u32;
                        list[tail] = next;
                        tail += 1;
                    }
                }
            }
            let groups = &mut self.groups[span.groups.0 as usize..span.groups.1 as usize];
            self.keys.clear();
            self.keys.extend(groups.iter().map(|&g| {
                let [a, b] = blocks_of(g);
                let a = self.order[a as usize];
                let b = match b {
                    NO_BLOCK => a,
                    b => self.order[b as usize],
                };
                (u64::from(a.max(b)) << 32 | u64::from(a.min(b)), g)
            }));
            self.keys.sort_unstable();
            for (group, &(_, g)) in groups.iter_mut().zip(&self.keys) {
                *group = g;
            }
        }
    }
}
