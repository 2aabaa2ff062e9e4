//! Drives that move what they drive keep it awake.
//!
//! A body may creep below rapier's thresholds and yet be on its way: a motor that starts slowly, a servo that is far from
//! its target. So a drive is at rest only where its coordinate stands. It stands at its target, and where it can't get
//! there: against a stop, against a load that its force limit does not lift.

use crate::base::convert::real;
use crate::base::tolerances;
use crate::joints::driven_rates;
use crate::read::multibody::multibodies;
use crate::read::world::World;
use rapier::prelude::*;

/// The speeds below which driven coordinates stand.
#[derive(Clone, Copy, Debug)]
struct Standing {
    /// Time step \[s\].
    h: f64,
    /// Units of length to the metre.
    length_unit: f64,
}

impl Standing {
    /// Whether a rate is too small to tell from none: below [`tolerances::STICKING_SPEED`], or lost in a step to the rounding of a coordinate
    /// of this `size` [unit or rad].
    fn has(self, rate: f64, is_angle: bool, size: f64) -> bool {
        let unit = if is_angle { 1.0 } else { self.length_unit };
        let rounding = 2.0 * real(Real::EPSILON) * size / self.h;
        rate.abs() <= f64::max(tolerances::STICKING_SPEED * unit, rounding)
    }
}

/// Calls `found` with the bodies that a drive moves. O(impulse joints and links).
pub(super) fn moved(
    world: &World<'_>,
    params: &IntegrationParameters,
    mut found: impl FnMut(RigidBodyHandle),
) {
    let standing = Standing {
        h: real(params.dt),
        length_unit: real(params.length_unit),
    };
    for (_, joint) in world.impulse_joints.iter() {
        if !joint.data.is_enabled() || joint.data.motor_axes.is_empty() {
            continue;
        }
        let ends = [joint.body1(), joint.body2()];
        let places = ends.map(|body| world.bodies.get(body).map(RigidBody::translation));
        let reach = places.into_iter().flatten();
        let reach = reach.fold(0.0, |far, at| f64::max(far, real(at.abs().max_element())));
        let mut moves = false;
        driven_rates(joint, world.bodies, |rate, is_angle| {
            let size = if is_angle { 1.0 } else { reach };
            moves |= !standing.has(rate, is_angle, size);
        });
        if moves {
            ends.into_iter().for_each(&mut found);
        }
    }
    for multibody in multibodies(world.multibody_joints) {
        for link in multibody.links() {
            if is_moved(multibody, link, standing) {
                found(link.rigid_body_handle());
            }
        }
    }
}

/// Whether a drive, or a kinematic joint, moves a link against its parent.
fn is_moved(multibody: &Multibody, link: &MultibodyLink, standing: Standing) -> bool {
    let joint = link.joint();
    let data = &joint.data;
    let free = !data.locked_axes.bits() & 0b11_1111;
    if data.motor_axes.is_empty() && !joint.kinematic {
        return false;
    }
    let velocity = multibody.generalized_velocity();
    let axes = (0..6).filter(|axis| free >> axis & 1 == 1);
    axes.enumerate().any(|(number, axis)| {
        let rate = velocity.get(link.assembly_id() + number);
        let rate = rate.map_or(0.0, |rate| real(*rate));
        if joint.kinematic {
            return rate != 0.0;
        }
        let motor = &data.motors[axis];
        let drives = motor.stiffness > 0.0 || motor.damping > 0.0 && motor.target_vel != 0.0;
        let is_on = data.motor_axes.bits() >> axis & 1 == 1 && drives && motor.max_force > 0.0;
        let is_angle = axis >= 3;
        // Angles count on beyond a turn.
        let size = f64::max(
            real(joint.coords()[axis]).abs(),
            if is_angle { 1.0 } else { 0.0 },
        );
        is_on && !standing.has(rate, is_angle, size)
    })
}
