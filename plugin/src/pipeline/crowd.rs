//! Crowds in one place are refused: n bodies there are n (n - 1) / 2 pairs, 10,000 of them take more memory than there is.

use crate::base::convert::real;
use crate::base::error::StepError;
use rapier::parry::bounding_volume::BoundingVolume;
use rapier::prelude::*;

/// Overlapping pairs of moving bodies that a scene may have for each collider, and besides; 13 is what touching balls of a
/// dense heap have.
const EACH: usize = 32;
const BESIDES: usize = 20_000;

/// What such a pair counts for, beside one with a body that does not move: many of those are what the boxes of a large
/// building make, and they grow with the bodies only.
const MOVING: usize = 16;

/// Looks for crowds where colliders were added; the buffer is kept.
#[derive(Debug, Default)]
pub(crate) struct Crowd {
    /// Colliders when it last looked.
    counted: usize,
    boxes: Vec<Boxed>,
}

/// A collider that others may collide with.
#[derive(Clone, Copy, Debug)]
struct Boxed {
    aabb: Aabb,
    parent: Option<RigidBodyHandle>,
    moves: bool,
    groups: InteractionGroups,
}

impl Crowd {
    /// Refuses what is too crowded. O(1) while the colliders have not grown by an eighth, else about O(n^(5/3)) for a heap of
    /// n.
    ///
    /// # Errors
    /// [`StepError::Crowded`].
    pub(crate) fn check(
        &mut self,
        bodies: &RigidBodySet,
        colliders: &ColliderSet,
    ) -> Result<(), StepError> {
        if colliders.len() < self.counted / 2 {
            self.counted = colliders.len();
        }
        if colliders.len() <= self.counted + self.counted / 8 {
            return Ok(());
        }
        self.boxes.clear();
        let solid = colliders
            .iter()
            .filter(|(_, co)| co.is_enabled() && !co.is_sensor());
        self.boxes.extend(solid.filter_map(|(_, co)| {
            let aabb = co.compute_aabb();
            let moves = |body| bodies.get(body).is_some_and(RigidBody::is_dynamic);
            let is_finite = aabb.mins.is_finite() && aabb.maxs.is_finite();
            is_finite.then(|| Boxed {
                aabb,
                parent: co.parent(),
                moves: co.parent().is_some_and(moves),
                groups: co.collision_groups(),
            })
        }));
        let most = EACH * colliders.len() + BESIDES;
        if self.exceeds(most) {
            return Err(StepError::Crowded { most });
        }
        self.counted = colliders.len();
        Ok(())
    }

    /// Whether more than `most` pairs of moving bodies overlap, or as much besides: a sweep along the axis that the colliders spread along most.
    fn exceeds(&mut self, most: usize) -> bool {
        let axis = self.widest();
        let boxes = &mut self.boxes;
        boxes.sort_unstable_by(|a, b| real(a.aabb.mins[axis]).total_cmp(&real(b.aabb.mins[axis])));
        let mut weight = 0;
        for (i, one) in boxes.iter().enumerate() {
            let ahead = boxes[i + 1..].iter();
            let ahead = ahead.take_while(|two| two.aabb.mins[axis] <= one.aabb.maxs[axis]);
            let met = ahead.filter(|two| one.meets(two));
            let weights = met.map(|two| if one.moves && two.moves { MOVING } else { 1 });
            weight += weights.sum::<usize>();
            if weight > MOVING * most {
                return true;
            }
        }
        false
    }

    fn widest(&self) -> usize {
        let spread = [0, 1, 2].map(|axis| {
            let centres = self.boxes.iter().filter(|one| one.moves);
            let centres = centres.map(|one| real(one.aabb.center()[axis]));
            let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
            for x in centres {
                (count, sum, squares) = (count + 1.0, sum + x, squares + x * x);
            }
            squares - sum * sum / f64::max(count, 1.0)
        });
        let axes = [1, 2].into_iter();
        axes.fold(0, |widest, axis| {
            if spread[axis] > spread[widest] {
                axis
            } else {
                widest
            }
        })
    }
}

impl Boxed {
    fn meets(&self, other: &Self) -> bool {
        (self.moves || other.moves)
            && (self.parent.is_none() || self.parent != other.parent)
            && self.aabb.intersects(&other.aabb)
            && self.groups.test(other.groups)
    }
}
