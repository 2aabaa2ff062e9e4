//! What a sleeping body lies on, to tell whether anything changed there.
//!
//! The engine wakes the partners of every collider that a user changed, as far as their bounding boxes
//! overlap; and the poses that a step writes back look like a user's changes. So a body that passes a
//! sleeper wakes it, however far it stays away. Sleepers that nothing but such a body woke, for all that can
//! be told, sleep on; a touch wakes them through its contacts.

use crate::convert::real;
use crate::detect::World;
use rapier::math::Pose;
use rapier::prelude::*;

/// Colliders nearer than this touch: far above round-off and what counts as closed, far below what a
/// passing body misses by \[m\].
const TOUCH: f64 = 1e-3;

/// What is around a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    /// Fingerprint of its colliders and of those that touch it, awake bodies left out. None if it has
    /// joints: what changes in them is not seen here.
    pub(super) ground: Option<u64>,
    /// Whether an awake body is near that does not touch it.
    pub(super) passed: bool,
}

/// Looks around a body. O(contacts).
pub(super) fn around(
    world: &World<'_>,
    handle: RigidBodyHandle,
    is_awake: impl Fn(RigidBodyHandle) -> bool,
) -> Around {
    let jointed = world
        .impulse_joints
        .attached_joints(handle)
        .next()
        .is_some()
        || world.multibody_joints.rigid_body_link(handle).is_some();
    let mut around = Around {
        ground: None,
        passed: false,
    };
    let Some(rb) = world.bodies.get(handle).filter(|_| !jointed) else {
        return around;
    };
    let mut sum = 0_u64;
    for &own in rb.colliders() {
        sum = sum.wrapping_add(print(world.colliders, own));
        for pair in world.narrow_phase.contact_pairs_with(own) {
            let other = if pair.collider1 == own {
                pair.collider2
            } else {
                pair.collider1
            };
            let parent = world.colliders.get(other).and_then(Collider::parent);
            let awake = parent.is_some_and(&is_awake);
            match (awake, touches(pair)) {
                (true, touches) => around.passed |= !touches,
                (false, true) => sum = sum.wrapping_add(print(world.colliders, other)),
                (false, false) => {}
            }
        }
    }
    around.ground = Some(sum);
    around
}

fn touches(pair: &ContactPair) -> bool {
    let points = pair.manifolds().iter().flat_map(|m| &m.points);
    points.map(|p| real(p.dist)).any(|gap| gap < TOUCH)
}

/// Fingerprint of a collider: which one, where, how large, and what it touches at all.
fn print(colliders: &ColliderSet, handle: ColliderHandle) -> u64 {
    let Some(collider) = colliders.get(handle) else {
        return 0;
    };
    let Pose {
        translation: at,
        rotation: turn,
        ..
    } = *collider.position();
    let size = collider.shape().compute_local_aabb();
    let groups = [collider.collision_groups(), collider.solver_groups()];
    let (index, generation) = handle.into_raw_parts();
    let words = [u64::from(index), u64::from(generation)].into_iter();
    let lengths = [at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w];
    let corners = [size.mins, size.maxs].map(|p| [p.x, p.y, p.z]);
    let lengths = lengths.into_iter().chain(corners.into_iter().flatten());
    let words = words.chain(lengths.map(|x| real(x).to_bits()));
    let words = words
        .chain(groups.map(|g| u64::from(g.memberships.bits()) << 32 | u64::from(g.filter.bits())));
    // FNV-1a by words, then mixed so that sums of prints say as much as the prints.
    let hash = words.fold(0xcbf2_9ce4_8422_2325_u64, |hash, word| {
        (hash ^ word)
            .wrapping_mul(0x0000_0100_0000_01b3)
            .rotate_left(29)
    });
    hash ^ hash >> 32
}
