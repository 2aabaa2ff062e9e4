//! Links that overlap from the start push each other apart: say so.

use std::collections::BTreeSet;

use rapier::{geometry::ColliderSet, math::Real, parry::query};

use super::{Plan, RobotHandles, SelfCollision};

/// Depth (m) above which two links count as overlapping: a physical threshold, well above
/// single-precision round-off at robot scale.
const DEPTH: Real = 1e-4;

/// Adds a warning per pair of links that may touch and overlap by more than [`DEPTH`].
pub(super) fn warn(plan: &Plan, out: &mut RobotHandles, colliders: &ColliderSet) {
    if plan.options.self_collision == SelfCollision::Off {
        return;
    }
    let places = plan.assembly.places(plan.model.links.len());
    let adjacent = |a: usize, b: usize| {
        let child_of = |c: usize, p: usize| {
            plan.assembly.bodies[c].joint.is_some() && plan.assembly.bodies[c].parent == p
        };
        child_of(a, b) || child_of(b, a)
    };
    let skip_adjacent = plan.options.self_collision == SelfCollision::ExcludeAdjacent;
    let mut pairs = BTreeSet::new();
    for (i, first) in out.links.iter().enumerate() {
        for (k, second) in out.links.iter().enumerate().skip(i + 1) {
            let (Some((a, _)), Some((b, _))) = (places[i], places[k]) else {
                continue;
            };
            if a == b || (skip_adjacent && adjacent(a, b)) {
                continue;
            }
            let deep = first.colliders.iter().any(|&c1| {
                second.colliders.iter().any(|&c2| {
                    let (Some(c1), Some(c2)) = (colliders.get(c1), colliders.get(c2)) else {
                        return false;
                    };
                    query::contact(c1.position(), c1.shape(), c2.position(), c2.shape(), 0.0)
                        .ok()
                        .flatten()
                        .is_some_and(|c| c.dist < -DEPTH)
                })
            });
            if deep {
                pairs.insert((i, k));
            }
        }
    }
    for (i, k) in pairs {
        let (a, b) = (&out.links[i].name, &out.links[k].name);
        out.warnings.push(format!(
            "links `{a}` and `{b}` overlap at the initial configuration and will push each other \
             apart; start elsewhere, or turn self-collision off"
        ));
    }
}
