//! What a recorder needs of rapier's sets, as the engine-neutral records of `stickslip-record`, which are here too.
//!
//! [`Attached`] does all of it for a scene of any kind; the rest are its parts, for those who name and pick
//! what is recorded themselves. Nothing here changes the sets.

mod attached;
mod joints;
mod shapes;

pub use crate::base::contact::contact_state;
pub use crate::base::tolerances::STICKING_SPEED;
pub use attached::{Attached, Sets};
pub use joints::JointProbe;
pub use shapes::collider_shape;
pub use stickslip_record::*;

use crate::base::convert::{local_inertia, point, real, vector};
use crate::read::multibody::multibodies;
use nalgebra::Vector3;
use rapier::prelude::*;

/// Colours for bodies by turns, so that neighbours differ.
pub const COLORS: [[u8; 4]; 4] = [
    [86, 140, 200, 255],
    [226, 148, 72, 255],
    [110, 170, 120, 255],
    [180, 130, 180, 255],
];

/// Mass, centre of mass and inertia of a body; `None` of one that forces don't move.
pub fn inertial_record(body: &RigidBody) -> Option<InertialRecord> {
    body.is_dynamic().then(|| InertialRecord {
        mass: real(body.mass()),
        center: point(body.local_center_of_mass()),
        inertia: local_inertia(&body.mass_properties().local_mprops),
        gravity_scale: real(body.gravity_scale()),
    })
}

/// How a body moves.
pub fn motion_record(body: &RigidBody) -> MotionRecord {
    MotionRecord {
        linear: vector(body.linvel()),
        angular: vector(body.angvel()),
    }
}

/// Sum of the forces that the user applies to bodies that move \[N\]. O(bodies).
pub fn applied_force(bodies: &RigidBodySet) -> Vector3<f64> {
    let moving = bodies.iter().filter(|(_, body)| body.is_dynamic());
    moving.map(|(_, body)| vector(body.user_force())).sum()
}

/// Whether a joint holds a body that moves to one that doesn't. O(joints).
pub fn is_anchored(
    bodies: &RigidBodySet,
    impulse_joints: &ImpulseJointSet,
    multibody_joints: &MultibodyJointSet,
) -> bool {
    let moves = |handle| bodies.get(handle).is_some_and(RigidBody::is_dynamic);
    let mut joints = impulse_joints.iter().map(|(_, joint)| joint);
    // Loaders put joints without locked axes between bodies that must not touch.
    let holds = |joint: &ImpulseJoint| {
        !joint.data.locked_axes.is_empty() && moves(joint.body1()) != moves(joint.body2())
    };
    let tree = |multibody: &Multibody| {
        multibody.num_links() > 1 && !moves(multibody.root().rigid_body_handle())
    };
    joints.any(holds) || multibodies(multibody_joints).any(tree)
}
