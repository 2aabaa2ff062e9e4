//! Centre of mass and momentum of a robot, from what rapier's sets state publicly.
//!
//! Velocities come from the generalized velocity by an outward recursion over the links: rapier's
//! link velocities are stale after its own step, and its Jacobians wrong for a floating base with an
//! offset centre of mass.

use super::super::super::rapier::prelude::*;
use super::super::super::urdf::RobotHandles;
use super::super::stage::convert::{inertia, isometry, point, real, vector};
use nalgebra::{Matrix3, Vector3};

/// Sums over the bodies of a robot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in super::super) struct Total {
    /// Centre of mass \[m\].
    pub(in super::super) com: Vector3<f64>,
    /// Its velocity [m/s].
    pub(in super::super) velocity: Vector3<f64>,
    /// Angular momentum about the centre of mass [kg m^2/s].
    pub(in super::super) angular: Vector3<f64>,
}

/// A body's velocity: of its origin, and angular, both in world axes.
#[derive(Clone, Copy, Debug, Default)]
struct Twist {
    origin: Vector3<f64>,
    linear: Vector3<f64>,
    angular: Vector3<f64>,
}

impl Twist {
    fn at(&self, p: &Vector3<f64>) -> Vector3<f64> {
        self.linear + self.angular.cross(&(p - self.origin))
    }
}

/// Sums over the bodies of a robot in its present state. O(bodies).
pub(in super::super) fn total(sets: &PhysicsWorld, robot: &RobotHandles) -> Total {
    let multibody = robot
        .multibody
        .and_then(|m| sets.multibody_joints.get_multibody(m));
    let twists: Vec<(RigidBodyHandle, Twist)> = match multibody {
        Some(multibody) => link_twists(multibody),
        None => sets
            .bodies
            .get(robot.root)
            .map(|body| (robot.root, stated(body)))
            .into_iter()
            .collect(),
    };
    let (mut mass, mut out) = (0.0, Total::default());
    let bodies = || {
        twists
            .iter()
            .filter_map(|(h, twist)| Some((sets.bodies.get(*h)?, twist)))
    };
    for (body, twist) in bodies() {
        let m = real(body.mass());
        let com = point(body.center_of_mass()).coords;
        mass += m;
        out.com += com * m;
        out.velocity += twist.at(&com) * m;
    }
    out.com /= mass;
    out.velocity /= mass;
    for (body, twist) in bodies() {
        let props = &body.mass_properties().local_mprops;
        let r = isometry(body.position()).rotation.to_rotation_matrix();
        let inertia: Matrix3<f64> = r.matrix() * inertia(props) * r.matrix().transpose();
        let com = point(body.center_of_mass()).coords;
        let momentum = (twist.at(&com) - out.velocity) * real(body.mass());
        out.angular += inertia * twist.angular + (com - out.com).cross(&momentum);
    }
    out
}

fn stated(body: &RigidBody) -> Twist {
    Twist {
        origin: point(body.center_of_mass()).coords,
        linear: vector(body.linvel()),
        angular: vector(body.angvel()),
    }
}

/// `twist(child) = twist(parent) + sum over free axes of axis * rate`, axes of the joint's first
/// frame; a floating root's six coordinates are its origin's velocity and angular velocity in
/// world axes.
fn link_twists(multibody: &Multibody) -> Vec<(RigidBodyHandle, Twist)> {
    let rates = multibody.generalized_velocity();
    let mut twists: Vec<(RigidBodyHandle, Twist)> = Vec::with_capacity(multibody.num_links());
    for link in multibody.links() {
        let pose = isometry(link.local_to_world());
        let parent = link
            .parent_id()
            .and_then(|id| Some((multibody.link(id)?, twists.get(id)?.1)));
        let (axes, anchor, mut twist) = match parent {
            Some((above, twist)) => {
                let above = isometry(above.local_to_world());
                let frame = above * isometry(&link.joint().data.local_frame1);
                let anchor = pose * isometry(&link.joint().data.local_frame2);
                (frame.rotation, anchor.translation.vector, twist)
            }
            None => (
                nalgebra::UnitQuaternion::identity(),
                pose.translation.vector,
                Twist::default(),
            ),
        };
        twist.linear = twist.at(&anchor);
        twist.origin = anchor;
        let locked = link.joint().data.locked_axes.bits();
        let mut coordinate = link.assembly_id();
        for axis in 0..6 {
            if locked >> axis & 1 == 1 {
                continue;
            }
            let rate = rates.get(coordinate).copied().map_or(0.0, real);
            coordinate += 1;
            let mut unit = Vector3::zeros();
            unit[axis % 3] = rate;
            let change = axes * unit;
            if axis < 3 {
                twist.linear += change;
            } else {
                twist.angular += change;
            }
        }
        let origin = pose.translation.vector;
        twist.linear = twist.at(&origin);
        twist.origin = origin;
        twists.push((link.rigid_body_handle(), twist));
    }
    twists
}
