//! The motion of a body that the contacts hold back which close first.

use super::{Ghosts, Scene, compare};
use crate::base::convert::{real, vector};
use crate::base::tolerances;
use crate::read::prescribed::prescribed_twist;
use crate::read::world::World;
use nalgebra::{Point3, Vector3};
use rapier::prelude::*;

/// How a body moves: linear velocity of its centre of mass, angular, and that centre.
type Moves = (Vector3<f64>, Vector3<f64>, Point3<f64>);

impl Ghosts {
    /// How a body moves, held back by the contacts that close `before` a given one.
    pub(super) fn held_back(
        &self,
        scene: Scene<'_>,
        body: Option<RigidBodyHandle>,
        before: &[f64; 2],
        slack: f64,
    ) -> Moves {
        let (world, h) = (scene.world, scene.frame.h);
        let mut own = moves(world, body, h);
        let Some(handle) = body.filter(|body| is_movable(world, Some(*body))) else {
            return own;
        };
        if let Some(rb) = world.bodies.get(handle) {
            let force = vector(rb.user_force()) / real(rb.mass()).max(f64::MIN_POSITIVE);
            let pull = scene.gravity * real(rb.gravity_scale()) + force;
            own.0 += pull * h;
        }
        let runs = self.runs_of(body);
        for _ in 0..tolerances::PASSES {
            let mut still = true;
            for run in runs.clone() {
                if run.fresh.is_some() || compare(&run.order, before).is_ge() {
                    continue;
                }
                for point in &scene.points[run.first..run.end] {
                    let sign = if point.bodies[1] == Some(handle) {
                        1.0
                    } else {
                        -1.0
                    };
                    let other = point.bodies[usize::from(sign < 0.0)];
                    // What it meets may give way, but not what it lies on.
                    if point.gap() > slack && is_movable(world, other) {
                        continue;
                    }
                    let at = point.midpoint();
                    let apart = velocity(&own, &at) - velocity(&moves(world, other, h), &at);
                    let least = -point.gap().max(0.0) / h;
                    let missing = least - sign * apart.dot(&point.normal);
                    if missing > 0.0 {
                        own.0 += point.normal * (sign * missing);
                        still = false;
                    }
                }
            }
            if still {
                break;
            }
        }
        own
    }
}

/// Whether contacts move a body.
pub(super) fn is_movable(world: &World<'_>, body: Option<RigidBodyHandle>) -> bool {
    let rb = body.and_then(|body| world.bodies.get(body));
    rb.is_some_and(|rb| rb.is_dynamic() && !rb.is_sleeping())
}

/// How a body moves at present.
pub(super) fn moves(world: &World<'_>, body: Option<RigidBodyHandle>, h: f64) -> Moves {
    match body.and_then(|body| world.bodies.get(body)) {
        Some(rb) => prescribed_twist(rb, h),
        None => (Vector3::zeros(), Vector3::zeros(), Point3::origin()),
    }
}

pub(super) fn velocity((linear, angular, com): &Moves, at: &Point3<f64>) -> Vector3<f64> {
    linear + angular.cross(&(at - com))
}
