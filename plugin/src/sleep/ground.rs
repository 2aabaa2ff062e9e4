//! What a sleeping body lies on, to tell whether anything changed there.
//!
//! Rapier wakes the partners of every collider that a user changed, as far as their bounding boxes
//! overlap; and the poses that a step writes back look like a user's changes. So a body that passes a
//! sleeper wakes it, however far it stays away. Sleepers that nothing but such a body woke, for all that can
//! be told, sleep on; a touch wakes them through its contacts.

use crate::base::convert::real;
use crate::base::tolerances;
use crate::read::world::World;
use rapier::math::Pose;
use rapier::prelude::*;

/// What is around a body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    /// Fingerprint of its colliders and joints and of what touches it, awake bodies left out.
    pub(super) ground: u64,
    /// Whether an awake body is near that does not touch it.
    pub(super) passed: bool,
}

/// Looks around a body. O(contacts and joints).
pub(super) fn around(
    world: &World<'_>,
    handle: RigidBodyHandle,
    is_awake: impl Fn(RigidBodyHandle) -> bool,
) -> Around {
    let mut around = Around {
        ground: joints(world, handle),
        passed: false,
    };
    let mut add = |collider: ColliderHandle| {
        let print = world.colliders.get(collider).map(|co| {
            let mut print = Print::of(collider.into_raw_parts());
            print.collider(co);
            print.0
        });
        around.ground = around.ground.wrapping_add(print.unwrap_or(0));
    };
    let own = world
        .bodies
        .get(handle)
        .map_or(&[][..], RigidBody::colliders);
    for &own in own {
        add(own);
        for pair in world.narrow_phase.contact_pairs_with(own) {
            let other = if pair.collider1 == own {
                pair.collider2
            } else {
                pair.collider1
            };
            let parent = world.colliders.get(other).and_then(Collider::parent);
            match (parent.is_some_and(&is_awake), touches(pair)) {
                (true, touches) => around.passed |= !touches,
                (false, true) => add(other),
                (false, false) => {}
            }
        }
    }
    around
}

fn touches(pair: &ContactPair) -> bool {
    let points = pair.manifolds().iter().flat_map(|m| &m.points);
    points
        .map(|p| real(p.dist))
        .any(|gap| gap < tolerances::TOUCHING)
}

/// Fingerprint of a body's joints and of where their other ends are.
fn joints(world: &World<'_>, handle: RigidBodyHandle) -> u64 {
    let mut sum = 0_u64;
    for (a, b, id, joint) in world.impulse_joints.attached_joints(handle) {
        let mut print = Print::of(id.0.into_raw_parts());
        print.joint(&joint.data);
        for end in [a, b] {
            print.words([u64::from(end.into_raw_parts().0)]);
            if let Some(rb) = world.bodies.get(end) {
                print.pose(rb.position());
            }
        }
        sum = sum.wrapping_add(print.0);
    }
    let id = world.multibody_joints.rigid_body_link(handle);
    let link = id.and_then(|id| {
        let multibody = world.multibody_joints.get_multibody(id.multibody)?;
        multibody.link(id.id)
    });
    if let Some(link) = link {
        let mut print = Print::of(handle.into_raw_parts());
        print.joint(&link.joint().data);
        sum = sum.wrapping_add(print.0);
    }
    sum
}

/// A fingerprint in the making: FNV-1a by words, turned so that sums of fingerprints say as much as each.
struct Print(u64);

impl Print {
    fn of((index, generation): (u32, u32)) -> Self {
        let mut print = Self(0xcbf2_9ce4_8422_2325);
        print.words([u64::from(index), u64::from(generation)]);
        print
    }

    fn words(&mut self, words: impl IntoIterator<Item = u64>) {
        for word in words {
            let mixed = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
            self.0 = mixed.rotate_left(29);
        }
    }

    fn lengths(&mut self, lengths: impl IntoIterator<Item = Real>) {
        self.words(lengths.into_iter().map(|x| real(x).to_bits()));
    }

    fn pose(&mut self, pose: &Pose) {
        let (at, turn) = (pose.translation, pose.rotation);
        self.lengths([at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w]);
    }

    /// Where a collider is, how large, and what it touches at all.
    fn collider(&mut self, collider: &Collider) {
        self.pose(collider.position());
        let size = collider.shape().compute_local_aabb();
        let corners = [size.mins, size.maxs];
        self.lengths(corners.into_iter().flat_map(|p| [p.x, p.y, p.z]));
        let groups = [collider.collision_groups(), collider.solver_groups()];
        let bits = groups.map(|g| [g.memberships.bits(), g.filter.bits()]);
        self.words(bits.into_iter().flatten().map(u64::from));
    }

    /// Everything of a joint that acts.
    fn joint(&mut self, joint: &GenericJoint) {
        self.pose(&joint.local_frame1);
        self.pose(&joint.local_frame2);
        let coupled = joint.coupled_axes;
        let axes = [
            joint.locked_axes,
            joint.limit_axes,
            joint.motor_axes,
            coupled,
        ];
        self.words(axes.map(|mask| u64::from(mask.bits())));
        self.words([
            u64::from(joint.is_enabled()),
            u64::from(joint.contacts_enabled),
        ]);
        let limits = joint.limits.iter();
        self.lengths(limits.flat_map(|limit| [limit.min, limit.max]));
        for motor in &joint.motors {
            self.lengths([motor.target_vel, motor.target_pos, motor.stiffness]);
            self.lengths([motor.damping, motor.max_force]);
            self.words([motor.model as u64]);
        }
    }
}
