//! Dominance that comes back to the dominant body.
//!
//! A dominant body moves the other one of a contact and takes no impulse. Where joints, contacts or other dominant bodies lead from the
//! other one back to it, each round adds momentum and energy: one body is pushed, and it takes the dominant one along. So
//! there is no dominance between bodies that are in such a loop. Bodies pass motion on to each other through joints and through
//! contacts of equal dominance, in both directions; a dominant one to what it touches; none that no force moves.
//! Parts that pass motion on to each other are vertices of a graph, the other contacts its edges. A part that nothing leads to, or that
//! leads to nothing, is in no loop; what is left without such parts is.

use crate::base::contact::ContactPoint;
use crate::read::multibody::multibodies;
use crate::read::world::World;
use rapier::prelude::*;

/// Finds the loops; the memory is kept.
#[derive(Debug, Default)]
pub(crate) struct Loops {
    /// By index of a body, one of the same part; itself for the first one.
    parents: Vec<u32>,
    /// Contacts between moving bodies of which one dominates: its part, the other one's, and the number of the point.
    edges: Vec<([u32; 2], usize)>,
    /// By part, whether something leads to it, and from it.
    leads: Vec<[bool; 2]>,
}

impl Loops {
    /// Takes the dominance off contacts that are part of a loop. O(points), and O(joints) and for every level of dominance
    /// O(points) where one body that moves dominates another.
    pub(crate) fn free(&mut self, world: &World<'_>, points: &mut [ContactPoint]) {
        let (joints, trees) = (&*world.impulse_joints, &*world.multibody_joints);
        if joints.is_empty() && multibodies(trees).next().is_none() {
            return;
        }
        let moves =
            |body: RigidBodyHandle| world.bodies.get(body).is_some_and(|rb| rb.is_dynamic());
        let movers = |point: &ContactPoint| match point.bodies {
            [Some(a), Some(b)] if moves(a) && moves(b) => Some([a, b]),
            _ => None,
        };
        let dominates = |point: &ContactPoint| point.dominance != 0 && movers(point).is_some();
        if !points.iter().any(dominates) {
            return;
        }
        self.parents.clear();
        for (_, joint) in joints.iter().filter(|(_, joint)| joint.data.is_enabled()) {
            let bodies = [joint.body1(), joint.body2()];
            if bodies.into_iter().all(moves) {
                self.join(bodies);
            }
        }
        for tree in multibodies(trees) {
            let links = tree.links().map(|link| link.rigid_body_handle());
            let mut links = links.filter(|link| moves(*link));
            if let Some(first) = links.next() {
                links.for_each(|link| self.join([first, link]));
            }
        }
        let equal = points.iter().filter(|point| point.dominance == 0);
        equal.filter_map(movers).for_each(|pair| self.join(pair));
        self.edges.clear();
        for (number, point) in points.iter().enumerate() {
            if let (true, Some([a, b])) = (point.dominance != 0, movers(point)) {
                let pair = if point.dominance > 0 { [a, b] } else { [b, a] };
                let parts = pair.map(|body| self.first(body));
                self.edges.push((parts, number));
            }
        }
        self.prune();
        for &(_, number) in &self.edges {
            points[number].dominance = 0;
        }
    }

    /// Leaves the edges of loops only.
    fn prune(&mut self) {
        loop {
            self.leads.clear();
            self.leads.resize(self.parents.len(), [false; 2]);
            for &([from, to], _) in &self.edges {
                self.leads[to as usize][0] = true;
                self.leads[from as usize][1] = true;
            }
            let count = self.edges.len();
            let leads = &self.leads;
            let is_passed = |part: u32| leads[part as usize] == [true; 2];
            (self.edges).retain(|([from, to], _)| is_passed(*from) && is_passed(*to));
            if self.edges.len() == count {
                return;
            }
        }
    }

    fn join(&mut self, bodies: [RigidBodyHandle; 2]) {
        let [a, b] = bodies.map(|body| self.first(body));
        self.parents[a.max(b) as usize] = a.min(b);
    }

    /// The first body of a part.
    fn first(&mut self, body: RigidBodyHandle) -> u32 {
        let mut at = body.into_raw_parts().0;
        let known = self.parents.len() as u32;
        self.parents.extend(known..=at);
        while self.parents[at as usize] != at {
            let next = self.parents[at as usize];
            self.parents[at as usize] = self.parents[next as usize];
            at = next;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts in a row, a loop of three, and a part that dominates itself through joints.
    #[test]
    fn loops_alone_are_left() {
        let edges = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 2], [4, 5], [6, 6]];
        let mut loops = Loops {
            parents: (0..7).collect(),
            edges: edges.into_iter().zip(0..).collect(),
            leads: Vec::new(),
        };
        loops.prune();
        let left: Vec<usize> = loops.edges.iter().map(|edge| edge.1).collect();
        assert_eq!(left, [2, 3, 4, 6]);
    }
}
