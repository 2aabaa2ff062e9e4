//! Which bodies may touch each other; those that overlap from the start push each other apart: say
//! so.

use std::collections::{BTreeMap, BTreeSet};

use rapier::{
    geometry::{Collider, ColliderSet},
    math::Real,
    parry::{bounding_volume::BoundingVolume, query},
};

use super::{handles::RobotHandles, options::SelfCollision, plan::Plan};

/// Depth (m) above which two links count as overlapping, and distance below which they count as
/// touching: a physical threshold, well above single-precision round-off at robot scale.
const DEPTH: Real = 1e-4;

/// Pairs of bodies (indices into `assembly.bodies`, smaller first) that [`InsertOptions`] keeps
/// from touching, beside those that a joint joins; a warning per pair of links that may touch and
/// overlap by more than [`DEPTH`].
///
/// [`InsertOptions`]: super::InsertOptions
pub(super) fn apart(
    plan: &Plan,
    out: &mut RobotHandles,
    colliders: &ColliderSet,
) -> BTreeSet<(usize, usize)> {
    if plan.options.self_collision == SelfCollision::Off {
        return BTreeSet::new();
    }
    let mut apart = disabled(plan, out);
    let places = plan.assembly.places(plan.model.links.len());
    let joined = match plan.options.self_collision {
        SelfCollision::On => BTreeSet::new(),
        _ => adjacent(plan),
    };
    // Parts that are drawn flush are in each other's way as much as those that overlap: faces that
    // lie on each other over a whole mechanism leave it nowhere to go.
    let nearest = match plan.options.self_collision {
        SelfCollision::ExcludeOverlapping => DEPTH,
        _ => -DEPTH,
    };
    for (i, first) in out.links.iter().enumerate() {
        for (k, second) in out.links.iter().enumerate().skip(i + 1) {
            let (Some((a, _)), Some((b, _))) = (places[i], places[k]) else {
                continue;
            };
            let pair = (a.min(b), a.max(b));
            if a == b || apart.contains(&pair) || joined.contains(&pair) {
                continue;
            }
            let of = |c| colliders.get(c);
            let deep = first.colliders.iter().filter_map(|&c| of(c)).any(|c1| {
                let others = second.colliders.iter().filter_map(|&c| of(c));
                others.into_iter().any(|c2| nearer(c1, c2, nearest))
            });
            if !deep {
                continue;
            }
            if plan.options.self_collision == SelfCollision::ExcludeOverlapping {
                apart.insert(pair);
            } else {
                let (a, b) = (&first.name, &second.name);
                out.warnings.push(format!(
                    "links `{a}` and `{b}` overlap at the initial configuration and will push each \
                     other apart; start elsewhere, or turn self-collision off"
                ));
            }
        }
    }
    apart
}

/// The links with shapes that two bodies could touch by.
#[derive(Default)]
struct LinkPairs {
    /// How many pairs there are.
    all: usize,
    /// How many of them the SRDF disables.
    disabled: usize,
    /// The first of these.
    first: Option<[usize; 2]>,
}

/// Pairs of bodies whose links the SRDF keeps from touching. Where bodies of several links are only
/// partly disabled, they touch, with a warning.
fn disabled(plan: &Plan, out: &mut RobotHandles) -> BTreeSet<(usize, usize)> {
    let Some(srdf) = &plan.options.srdf else {
        return BTreeSet::new();
    };
    let places = plan.assembly.places(plan.model.links.len());
    let mut pairs: BTreeMap<(usize, usize), LinkPairs> = BTreeMap::new();
    let solid: Vec<usize> = (0..out.links.len())
        .filter(|&i| !out.links[i].colliders.is_empty())
        .collect();
    for (n, &i) in solid.iter().enumerate() {
        for &k in &solid[n + 1..] {
            let (Some((a, _)), Some((b, _))) = (places[i], places[k]) else {
                continue;
            };
            if a != b {
                let entry = pairs.entry((a.min(b), a.max(b))).or_default();
                entry.all += 1;
                if !srdf.collides(&out.links[i].name, &out.links[k].name) {
                    entry.disabled += 1;
                    entry.first.get_or_insert([i, k]);
                }
            }
        }
    }
    let mut apart = BTreeSet::new();
    for (pair, of) in pairs {
        if of.disabled == of.all {
            apart.insert(pair);
        } else if let Some([i, k]) = of.first {
            let (a, b) = (&out.links[i].name, &out.links[k].name);
            out.warnings.push(format!(
                "links `{a}` and `{b}` are disabled by the SRDF but merged with links that may \
                 touch, so they touch too; keep fixed joints to have them apart"
            ));
        }
    }
    apart
}

/// Pairs of bodies that a joint or a closure joins.
fn adjacent(plan: &Plan) -> BTreeSet<(usize, usize)> {
    let bodies = plan.assembly.bodies.iter().enumerate();
    let places = plan.assembly.places(plan.model.links.len());
    let closed = plan.model.closures.iter().filter_map(|closure| {
        let [a, b] = closure.links.map(|l| places[l].map(|(body, _)| body));
        Some((a?.min(b?), a?.max(b?)))
    });
    bodies
        .filter(|(_, body)| body.joint.is_some())
        .map(|(number, body)| (body.parent, number))
        .chain(closed)
        .collect()
}

/// Whether two shapes are nearer to each other than `distance`; negative: deeper in each other.
fn nearer(c1: &Collider, c2: &Collider, distance: Real) -> bool {
    let room = distance.max(0.0);
    let (box1, box2) = (c1.compute_aabb().loosened(room), c2.compute_aabb());
    box1.intersects(&box2)
        && query::contact(c1.position(), c1.shape(), c2.position(), c2.shape(), room)
            .ok()
            .flatten()
            .is_some_and(|c| c.dist < distance)
}
