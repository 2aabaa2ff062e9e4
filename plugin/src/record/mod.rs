//! What a recorder needs of rapier's sets, as the engine-neutral records of the core.
//!
//! [`Attached`] does all of it for a scene of any kind; the rest are its parts, for those who name and pick
//! what is recorded themselves. Nothing here changes the sets.

mod attached;
mod joints;
mod shapes;

pub use attached::{Attached, Sets};
pub use joints::JointProbe;
pub use shapes::collider_shape;

use crate::contacts::Contact;
use crate::convert::{local_inertia, point, real, vector};
use crate::pipeline::ContactPipeline;
use nalgebra::Vector3;
use rapier::prelude::*;
use stickslip_core::record::{ContactRecord, InertialRecord, MotionRecord};

/// Colours for bodies by turns, so that neighbours differ.
pub const COLORS: [[u8; 4]; 4] = [
    [86, 140, 200, 255],
    [226, 148, 72, 255],
    [110, 170, 120, 255],
    [180, 130, 180, 255],
];

/// Tangential speed up to which a pressed contact is recorded as sticking [m/s]: far above round-off, far
/// below anything the eye could see.
pub const STICKING_SPEED: f64 = 1e-6;

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
    joints.any(holds) || multibody_joints.multibodies().any(tree)
}

impl ContactPipeline {
    /// Coulomb coefficients along the tangents s and t of [`Self::contacts`]`[c]`, as the last step had them.
    pub fn friction_of(&self, c: usize) -> Option<[f64; 2]> {
        let data = self.problem().contacts().get(c)?;
        Some([data.mu, data.mu_across.unwrap_or(data.mu)])
    }

    /// The contacts of the last step, of length `h` \[s\], as a recorder takes them; `number` gives bodies
    /// their places in the scene. O(contacts).
    pub fn contact_records<F>(&self, h: f64, number: F) -> impl Iterator<Item = ContactRecord>
    where
        F: Fn(RigidBodyHandle) -> Option<usize>,
    {
        let contacts = self.contacts().iter().enumerate();
        contacts.map(move |(c, contact)| {
            contact_record(
                contact,
                self.friction_of(c),
                (h, contact.point.bodies.map(|b| b.and_then(&number))),
            )
        })
    }
}

fn contact_record(
    contact: &Contact,
    friction: Option<[f64; 2]>,
    (h, bodies): (f64, [Option<usize>; 2]),
) -> ContactRecord {
    let [s, t] = contact.tangents;
    let [about_n, about_s, about_t] = contact.spin_impulse;
    ContactRecord {
        bodies,
        point: contact.point.midpoint(),
        normal: contact.point.normal,
        tangent: s,
        friction,
        gap: contact.gap,
        normal_force: contact.impulse[0] / h,
        friction_force: (s * contact.impulse[1] + t * contact.impulse[2]) / h,
        spin_torque: (contact.point.normal * about_n + s * about_s + t * about_t) / h,
        slip_velocity: s * contact.velocity[1] + t * contact.velocity[2],
        state: contact.state(STICKING_SPEED),
    }
}
