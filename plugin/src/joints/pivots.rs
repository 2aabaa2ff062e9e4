//! Where joints hold two bodies together.

use crate::base::contact::ContactPoint;
use nalgebra::Point3;
use rapier::prelude::RigidBodyHandle;

type Pair = [(u32, u32); 2];

/// The points that joints of three locked linear axes hold together, by the pair of their bodies.
#[derive(Debug, Default)]
pub(super) struct Pivots {
    points: Vec<(Pair, Point3<f64>)>,
    is_sorted: bool,
}

impl Pivots {
    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.is_sorted = false;
    }

    pub(super) fn push(&mut self, bodies: [RigidBodyHandle; 2], at: Point3<f64>) {
        self.points.push((pair(bodies), at));
    }

    /// Whether one of the bodies' points is within a distance of where they touch. O(log of the number of joints); the
    /// first call of a step sorts.
    pub(super) fn is_within(&mut self, contact: &ContactPoint, distance: f64) -> bool {
        let [Some(one), Some(two)] = contact.bodies else {
            return false;
        };
        if !self.is_sorted {
            self.points.sort_unstable_by_key(|(pair, _)| *pair);
            self.is_sorted = true;
        }
        let wanted = pair([one, two]);
        let from = self.points.partition_point(|(pair, _)| *pair < wanted);
        let same = self.points[from..].iter();
        let middle = nalgebra::center(&contact.points[0], &contact.points[1]);
        same.take_while(|(pair, _)| *pair == wanted)
            .any(|(_, at)| (at - middle).norm() <= distance)
    }
}

fn pair(bodies: [RigidBodyHandle; 2]) -> Pair {
    let [one, two] = bodies.map(RigidBodyHandle::into_raw_parts);
    [one.min(two), one.max(two)]
}
