//! The pattern of a factor: the order of elimination, what joins what, and where the values lie.

use super::{Blocks, Edge, NONE};
use std::cmp::Reverse;

impl Blocks {
    /// Lays out the pattern of nodes of these sizes, joined by the pairs (ascending, without repeats): false if a
    /// factor takes more than `most` operations. Nothing is done where the graph is as it was.
    pub(crate) fn lay_out(
        &mut self,
        sizes: impl Iterator<Item = usize> + Clone,
        pairs: &[[u32; 2]],
        most: usize,
    ) -> bool {
        let sizes = sizes.map(|size| size as u32);
        let known = self.size.iter().copied();
        let same = known.eq(sizes.clone()) && self.graph == pairs && self.flops > 0;
        // The operations of a pattern given up are counted no farther than to where it was.
        if same && (self.is_ready || self.flops > most) {
            return self.is_ready && self.flops <= most;
        }
        self.size.clear();
        self.size.extend(sizes);
        self.graph.clear();
        self.graph.extend_from_slice(pairs);
        self.first.clear();
        let mut at = 0;
        for size in &self.size {
            self.first.push(at);
            at += size;
        }
        self.flops = self.eliminate(most);
        for list in &mut self.neighbours {
            list.reserve(self.longest.saturating_sub(list.len()));
        }
        self.is_ready = self.flops <= most;
        if self.is_ready {
            self.number();
        }
        self.is_ready
    }

    /// Orders the nodes by least degree; the later neighbours of each stay in `neighbours`. Returns the operations of
    /// a factor, counted up to a little more than `most`.
    fn eliminate(&mut self, most: usize) -> usize {
        let n = self.size.len();
        self.neighbours
            .resize(n.max(self.neighbours.len()), Vec::new());
        // Room for as many as any node has had: which nodes fill in changes with the contacts, how much hardly does.
        for list in &mut self.neighbours[..n] {
            list.clear();
            list.reserve(self.longest);
        }
        for &[a, b] in &self.graph {
            self.neighbours[a as usize].push(b);
            self.neighbours[b as usize].push(a);
        }
        self.order.clear();
        self.place.clear();
        self.place.resize(n, NONE);
        let mut flops = 1;
        self.waiting.clear();
        for (node, list) in self.neighbours[..n].iter_mut().enumerate() {
            list.sort_unstable();
            self.waiting.push(Reverse((list.len(), node as u32)));
        }
        while let Some(Reverse((degree, node))) = self.waiting.pop() {
            let done = self.place[node as usize] != NONE;
            if done || degree != self.neighbours[node as usize].len() {
                continue;
            }
            self.place[node as usize] = self.order.len() as u32;
            self.order.push(node);
            let own = &self.neighbours[node as usize];
            let width: usize = own.iter().map(|&i| self.size[i as usize] as usize).sum();
            let size = self.size[node as usize] as usize;
            flops += 2 * size * (size + width) * (size + width);
            if flops > most {
                return flops;
            }
            let own = std::mem::take(&mut self.neighbours[node as usize]);
            for &i in &own {
                let list = &mut self.neighbours[i as usize];
                union(list, &own, [i, node], &mut self.merged);
                let before = list.len();
                list.clone_from(&self.merged);
                self.longest = self.longest.max(list.len());
                if list.len() != before {
                    self.waiting.push(Reverse((list.len(), i)));
                }
            }
            self.neighbours[node as usize] = own;
        }
        flops
    }

    /// Numbers the values of all blocks and the targets of all updates.
    fn number(&mut self) {
        let n = self.size.len();
        self.diagonal.clear();
        self.edges.clear();
        self.ends.clear();
        self.targets.clear();
        let mut at = 0;
        for size in &self.size {
            self.diagonal.push(at);
            at += size * size;
        }
        for &node in &self.order {
            let list = &mut self.neighbours[node as usize];
            list.sort_unstable_by_key(|&i| self.place[i as usize]);
            for &to in list.iter() {
                let entries = self.size[node as usize] * self.size[to as usize];
                self.edges.push(Edge {
                    to,
                    below: at,
                    right: at + entries,
                });
                at += 2 * entries;
            }
            self.ends.push(self.edges.len() as u32);
        }
        for k in 0..n {
            for i in self.range(k) {
                for j in self.range(k) {
                    let target = self.find(self.edges[i].to, self.edges[j].to);
                    self.targets.push(target);
                }
            }
        }
        self.values.clear();
        self.values.resize(at as usize, 0.0);
        let dim = self.size.iter().sum::<u32>() as usize;
        self.swaps.clear();
        self.swaps.resize(dim, 0);
    }
}

/// `list := (list + own) - without`, both ascending.
fn union(list: &[u32], own: &[u32], without: [u32; 2], out: &mut Vec<u32>) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while i < list.len() || j < own.len() {
        let (a, b) = (list.get(i).copied(), own.get(j).copied());
        let next = a.unwrap_or(NONE).min(b.unwrap_or(NONE));
        i += usize::from(a == Some(next));
        j += usize::from(b == Some(next));
        if !without.contains(&next) {
            out.push(next);
        }
    }
}
