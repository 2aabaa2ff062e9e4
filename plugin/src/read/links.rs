//! Links and colliders that the user moved by halves are brought in line before they are read.

use crate::read::multibody::{Trees, multibodies};
use crate::read::quarantine;
use crate::read::world::World;
use rapier::prelude::*;

/// Whether a user moved links or bodies whose bodies or colliders don't stand there yet. O(links + colliders).
pub(crate) fn are_out_of_sync(trees: &Trees, world: &World<'_>) -> bool {
    let set = &*world.bodies;
    let mut joined = multibodies(world.multibody_joints).enumerate();
    let mut colliders = world.colliders.iter();
    joined.any(|(number, multibody)| !trees.is_fresh(number, multibody, set))
        || colliders.any(|(_, co)| {
            let parent = co.parent().and_then(|body| set.get(body));
            let local = co.position_wrt_parent();
            let place = parent.zip(local).map(|(rb, local)| rb.position() * local);
            place.is_some_and(|place| place != *co.position())
        })
}

/// Brings link bodies and colliders in line with joint coordinates that changed between steps;
/// a zero-length step moves link bodies but not their colliders.
pub(crate) fn sync_links(
    trees: &Trees,
    stale: &mut Vec<RigidBodyHandle>,
    set: &mut RigidBodySet,
    joints: &mut MultibodyJointSet,
) {
    stale.clear();
    for (number, multibody) in multibodies(joints).enumerate() {
        if !trees.is_fresh(number, multibody, set) && !quarantine::is_out(multibody, set) {
            stale.push(multibody.root().rigid_body_handle());
        }
    }
    for &root in stale.iter() {
        let Some(id) = joints.rigid_body_link(root) else {
            continue;
        };
        let index = id.multibody;
        let Some(multibody) = joints.get_multibody_mut(index) else {
            continue;
        };
        multibody.forward_kinematics(set, true);
        for link in multibody.links() {
            if let Some(rb) = set.get_mut(link.rigid_body_handle()) {
                // The next kinematic pose of a root must survive.
                if rb.is_dynamic() {
                    rb.set_position(*link.local_to_world(), false);
                }
            }
        }
    }
}
