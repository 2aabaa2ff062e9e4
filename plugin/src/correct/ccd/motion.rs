//! How bodies move in a step at most, and around which box.

use super::{Mover, Scene, Twist};
use crate::base::convert::{real, to_real, to_vector};
use crate::read::bodies::Role;
use crate::read::prescribed::prescribed_twist;
use rapier::parry::bounding_volume::Aabb;
use rapier::parry::query::NonlinearRigidMotion;
use rapier::prelude::*;

impl Scene<'_> {
    /// The colliders of bodies that go farther than their boxes cover. O(bodies).
    pub(super) fn find_movers(&self, movers: &mut Vec<Mover>) {
        let free = self.bodies.free().iter().map(|body| body.handle);
        let links = self.trees.awake();
        let links = links.flat_map(|(_, tree)| tree.links.iter().copied());
        for body in free
            .chain(links)
            .chain(self.bodies.kinematic().iter().copied())
        {
            let Some(twist) = self.twist(body) else {
                continue;
            };
            let Some(rb) = self.world.bodies.get(body) else {
                continue;
            };
            if self.way(rb, twist) <= self.reach.covered(body) {
                continue;
            }
            for &collider in rb.colliders() {
                let Some(co) = self.world.colliders.get(collider) else {
                    continue;
                };
                if co.is_enabled() && !co.is_sensor() {
                    let area = self.area(rb, co, twist);
                    movers.push(Mover {
                        body,
                        collider,
                        area,
                    });
                }
            }
        }
        movers.sort_by(|a, b| a.area.mins.x.total_cmp(&b.area.mins.x));
    }

    /// How far the points of a body go at most \[m\].
    pub(super) fn way(&self, rb: &RigidBody, (linear, angular): Twist) -> f64 {
        self.h * (linear.norm() + angular.norm() * real(rb.mass_properties().max_extent()))
    }

    /// Around the way of a collider.
    pub(super) fn area(&self, rb: &RigidBody, collider: &Collider, twist: Twist) -> Aabb {
        let shape = collider.shape();
        let end = motion_of(collider, Some(rb), twist).position_at_time(to_real(self.h));
        // Between its end poses a turning body bulges by the height of its arc.
        let half_turn = (0.5 * self.h * twist.1.norm()).min(std::f64::consts::FRAC_PI_2);
        let arc = real(rb.mass_properties().max_extent()) * (1.0 - half_turn.cos());
        let now = shape.compute_aabb(collider.position());
        now.merged(&shape.compute_aabb(&end)).loosened(to_real(arc))
    }

    /// Mean velocities of a body over the step: linear at its centre of mass, angular.
    pub(super) fn twist(&self, handle: RigidBodyHandle) -> Option<Twist> {
        let rb = self.world.bodies.get(handle)?;
        Some(match self.bodies.role(handle) {
            Role::Absent => return None,
            Role::Prescribed => {
                let (linear, angular, _) = prescribed_twist(rb, self.h);
                (linear, angular)
            }
            Role::Free(number) => {
                let body = &self.bodies.free()[number];
                body.twist(body.part_of(self.problem, &self.solution.v_plus))
            }
            Role::Link { tree, link } => {
                let tree = &self.trees[tree];
                let now = tree.tree.link_pose(&tree.state, link);
                let next = tree.pose_ahead(link);
                let com = crate::base::convert::point(rb.local_center_of_mass());
                let turn = next.rotation * now.rotation.inverse();
                (
                    (next * com - now * com) / self.h,
                    turn.scaled_axis() / self.h,
                )
            }
        })
    }
}

/// The motion of a collider that its body's twist makes.
pub(super) fn motion_of(
    collider: &Collider,
    rb: Option<&RigidBody>,
    twist: Twist,
) -> NonlinearRigidMotion {
    let start = *collider.position();
    let com = rb.map_or(start.translation, RigidBody::center_of_mass);
    NonlinearRigidMotion::new(
        start,
        start.inverse_transform_point(com),
        to_vector(&twist.0),
        to_vector(&twist.1),
    )
}
