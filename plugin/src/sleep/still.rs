//! What counts as still, and as touching.

use crate::base::contact::ContactPoint;
use crate::base::convert::{point, real, vector};
use crate::read::world::World;
use nalgebra::Vector3;
use rapier::prelude::*;

/// Whether a contact is closed or may close in the coming step: the gap against what the two surfaces approach
/// each other along the normal, and what gravity, `drop` a body, may add to that.
pub(super) fn closes(set: &RigidBodySet, contact: &ContactPoint, drop: f64, h: f64) -> bool {
    let gap = contact.gap();
    let advance = |side: usize, along: Vector3<f64>| {
        let rb = contact.bodies[side].and_then(|handle| set.get(handle));
        rb.map_or(0.0, |rb| {
            let arm = contact.points[side] - point(rb.center_of_mass());
            let velocity = vector(rb.linvel()) + vector(rb.angvel()).cross(&arm);
            h * velocity.dot(&along) + drop
        })
    };
    gap <= 0.0 || gap <= advance(0, contact.normal) + advance(1, -contact.normal)
}

/// Rapier's rule, with the end velocity for the drift of a step: half the speed of the farthest
/// point below the linear threshold, and, for bodies without colliders, the angular speed below the
/// angular one. A platform must not move at all.
pub(super) fn is_still(rb: &RigidBody, length_unit: Real) -> bool {
    let activation = rb.activation();
    let (linear, angular) = (rb.linvel().length(), rb.angvel().length());
    if rb.is_kinematic() {
        return linear == 0.0 && angular == 0.0 && rb.position() == rb.next_position();
    }
    let extent = rb.mass_properties().max_extent();
    let threshold = activation.normalized_linear_threshold * length_unit;
    let turns_slowly = if extent > 0.0 {
        activation.angular_threshold >= 0.0 && real(angular) < std::f64::consts::FRAC_PI_2
    } else {
        angular < activation.angular_threshold
    };
    turns_slowly && 0.5 * (linear + angular * extent) < threshold
}

/// Puts a body to sleep: without velocity, joints included.
pub(super) fn lay_down(world: &mut World<'_>, handle: RigidBodyHandle) {
    if let Some(rb) = world.bodies.get_mut(handle) {
        rb.sleep();
    }
    let Some(id) = world.multibody_joints.rigid_body_link(handle) else {
        return;
    };
    let multibody = id.multibody;
    if let Some(multibody) = world.multibody_joints.get_multibody_mut(multibody) {
        multibody.generalized_velocity_mut().fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::convert::to_real;
    use crate::base::surface::Surface;
    use nalgebra::Point3;

    /// A body at the origin, above (`side` 1) or below (`side` 0) a fixed surface; the point of contact lies 0.1 m
    /// from its centre in x and y. Normals point from body 0 to body 1, along y.
    fn contact(
        set: &mut RigidBodySet,
        side: usize,
        gap: f64,
        linear: f64,
        spin: f64,
    ) -> ContactPoint {
        let body = RigidBodyBuilder::dynamic()
            .additional_mass(1.0)
            .linvel(Vector::new(0.3, to_real(linear), 0.0))
            .angvel(Vector::new(0.0, 0.0, to_real(spin)));
        let mut bodies = [None, None];
        bodies[side] = Some(set.insert(body));
        let y = if side == 1 { -0.1 } else { 0.1 };
        let mut points = [Point3::new(0.1, y, 0.0); 2];
        points[0].y -= if side == 1 { gap } else { 0.0 };
        points[1].y += if side == 1 { 0.0 } else { gap };
        ContactPoint {
            colliders: [None; 2],
            bodies,
            points,
            normal: Vector3::y(),
            surfaces: [Surface::default(); 2],
            friction: 0.5,
            restitution: 0.0,
            surface_velocity: Vector3::zeros(),
            dominance: 0,
            key: 0,
            manifold: 0,
        }
    }

    /// In a step of 0.1 s: a body that falls at 0.1 m/s covers 0.01 m, one that turns at 1 rad/s about z moves its
    /// point at x = 0.1 m by as much; sliding at 0.3 m/s along the surface closes nothing, nor does going away.
    #[test]
    fn contacts_close_along_their_normals_only() {
        let h = 0.1;
        for side in [0, 1] {
            let toward = if side == 1 { -1.0 } else { 1.0 };
            for (linear, spin, gap, expected) in [
                (0.0, 0.0, 0.0, true),
                (0.0, 0.0, 1e-3, false),
                (0.1 * toward, 0.0, 0.009, true),
                (0.1 * toward, 0.0, 0.011, false),
                (-0.1 * toward, 0.0, 1e-3, false),
                (0.0, toward, 0.009, true),
                (0.0, toward, 0.011, false),
                (0.0, -toward, 1e-3, false),
                (-0.1 * toward, 0.0, -1e-3, true),
            ] {
                let mut set = RigidBodySet::new();
                let contact = contact(&mut set, side, gap, linear, spin);
                let closes = closes(&set, &contact, 0.0, h);
                assert_eq!(
                    closes, expected,
                    "side {side}, gap {gap}, {linear} m/s, {spin} rad/s"
                );
            }
            // What gravity may add in the step counts as approach.
            let mut set = RigidBodySet::new();
            let contact = contact(&mut set, side, 1e-3, 0.0, 0.0);
            assert!(closes(&set, &contact, 2e-3, h));
        }
    }
}
