//! Crowds in one place are refused: n bodies there are n (n - 1) / 2 pairs, 10,000 of them take more memory than there is.

use crate::base::convert::real;
use crate::base::error::StepError;
use crate::base::tolerances;
use rapier::parry::bounding_volume::BoundingVolume;
use rapier::prelude::*;

/// Looks for crowds where colliders were added or bodies moved by hand; the buffer is kept.
#[derive(Debug, Default)]
pub(crate) struct Crowd {
    /// Colliders when it last looked.
    counted: usize,
    /// Where the next sample of the bodies begins.
    offset: usize,
    pub(super) boxes: Vec<Boxed>,
}

/// A collider that others may collide with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boxed {
    aabb: Aabb,
    collider: ColliderHandle,
    moves: bool,
}

impl Crowd {
    /// Refuses what is too crowded, where colliders have grown by an eighth or bodies were moved by hand. O(sqrt(n)) for n
    /// bodies otherwise, else about O(n^(5/3)) for a heap of n.
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
        let has_grown = colliders.len() > self.counted + self.counted / 8;
        if !self.are_moved(bodies, colliders) && !has_grown {
            return Ok(());
        }
        self.boxes.clear();
        let solid = colliders
            .iter()
            .filter(|(_, co)| co.is_enabled() && !co.is_sensor());
        self.boxes.extend(solid.filter_map(|(collider, co)| {
            let parent = co.parent().and_then(|body| bodies.get(body));
            let aabb = match (parent, co.position_wrt_parent()) {
                // Where detection will find it, at the latest in the next step.
                (Some(rb), Some(place)) => co.shape().compute_aabb(&(rb.next_position() * place)),
                _ => co.compute_aabb(),
            };
            let is_finite = aabb.mins.is_finite() && aabb.maxs.is_finite();
            is_finite.then(|| Boxed {
                aabb,
                collider,
                moves: parent.is_some_and(|rb| rb.body_type() != RigidBodyType::Fixed),
            })
        }));
        let most = tolerances::CROWD_EACH * colliders.len() + tolerances::CROWD_BESIDES;
        if self.exceeds(most, bodies, colliders) {
            // Looked at again in any case.
            self.counted = 0;
            return Err(StepError::Crowded { most });
        }
        self.counted = colliders.len();
        Ok(())
    }

    /// Whether several of a sample of sqrt(n) / 2 bodies, others in every step, were moved by hand since the last step, or
    /// are about to be: of a crowd that is just too large four are expected among them, of a larger one all the more.
    pub(crate) fn are_moved(&mut self, bodies: &RigidBodySet, colliders: &ColliderSet) -> bool {
        let stride = 2 * bodies.len().isqrt().max(1);
        self.offset = (self.offset + 1) % stride;
        let sample = (self.offset..bodies.len()).step_by(stride);
        let mut moved = sample.filter(|&i| {
            let rb = u32::try_from(i)
                .ok()
                .and_then(|i| bodies.get_unknown_gen(i));
            rb.is_some_and(|(rb, _)| is_moved(rb, colliders))
        });
        // One may always be.
        moved.nth(1).is_some()
    }

    /// Whether more than `most` pairs of moving bodies overlap, or as much besides: a sweep along the axis that the colliders spread along most.
    fn exceeds(&mut self, most: usize, bodies: &RigidBodySet, colliders: &ColliderSet) -> bool {
        let axis = self.widest();
        let boxes = &mut self.boxes;
        boxes.sort_unstable_by(|a, b| real(a.aabb.mins[axis]).total_cmp(&real(b.aabb.mins[axis])));
        let mut weight = 0;
        for (i, one) in boxes.iter().enumerate() {
            let ahead = boxes[i + 1..].iter();
            let ahead = ahead.take_while(|two| two.aabb.mins[axis] <= one.aabb.maxs[axis]);
            let met = ahead.filter(|two| one.meets(two, bodies, colliders));
            let weights = met.map(|two| {
                if one.moves && two.moves {
                    tolerances::FEW
                } else {
                    1
                }
            });
            weight += weights.sum::<usize>();
            if weight > tolerances::FEW * most {
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
    /// Whether rapier makes a pair of the two.
    fn meets(&self, other: &Self, bodies: &RigidBodySet, colliders: &ColliderSet) -> bool {
        // Most boxes that are ahead of each other along the axis lie apart across it.
        if !self.aabb.intersects(&other.aabb) {
            return false;
        }
        let [Some(one), Some(two)] = [self, other].map(|own| colliders.get(own.collider)) else {
            return false;
        };
        let types = [one, two].map(|co| {
            let parent = co.parent().and_then(|body| bodies.get(body));
            parent.map_or(RigidBodyType::Fixed, RigidBody::body_type)
        });
        let tests = |co: &Collider| co.active_collision_types().test(types[0], types[1]);
        (tests(one) || tests(two))
            && (one.parent().is_none() || one.parent() != two.parent())
            && one.collision_groups().test(two.collision_groups())
    }
}

/// Whether a body stands elsewhere than its colliders do, which a step brings in line, or is sent elsewhere.
fn is_moved(rb: &RigidBody, colliders: &ColliderSet) -> bool {
    if rb.next_position() != rb.position() {
        return true;
    }
    let first = rb.colliders().first().and_then(|co| colliders.get(*co));
    first.is_some_and(|co| {
        let place = co.position_wrt_parent();
        place.is_some_and(|place| rb.position() * place != *co.position())
    })
}
