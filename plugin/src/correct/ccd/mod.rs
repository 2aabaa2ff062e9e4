//! Fast bodies stop at the first thing in their way.
//!
//! A contact within the prediction distance is a row of the problem and stops a body by itself. What moves
//! farther than that in one step, and by more than half of its thinnest extent, is swept along its motion
//! with the end velocities (Mirtich's conservative advancement in parry) against what lies ahead; it
//! goes on to the first impact only, and the next step finds the contact closed. The velocity
//! stays what it was, so the impact has its restitution. Every fast body stops at fixed colliders; two of which one has
//! `ccd_enabled` stop at each other. Off when `max_ccd_substeps` is 0. A tree stops as a whole.
//!
//! Of two that meet, both stop: one that went on would leave the other behind. Whoever was to meet one of them later
//! is swept again, with that one at rest from then on. A kinematic body can't stop; it carries along what it met.

mod motion;
mod sweep;
mod target;

use super::StepAnswer;
use crate::base::contact::Contact;
use crate::base::pair::{Ends, ends};
use crate::base::tolerances;
use crate::detect::reach::Reach;
use crate::read::bodies::{Bodies, Role};
use crate::read::multibody::Trees;
use crate::read::world::World;
use nalgebra::Vector3;
use rapier::parry::bounding_volume::Aabb;
use rapier::prelude::*;
use stickslip_core::models::ContactSolution;
use stickslip_core::problem::ContactProblem;

/// The first impact of a body.
#[derive(Clone, Copy, Debug)]
struct Hit {
    body: RigidBodyHandle,
    /// When \[s\].
    time: f64,
    /// What it meets, if that moves far.
    target: Option<RigidBodyHandle>,
    /// Velocity of that at the body's centre of mass, if it can't stop [m/s].
    carries: Vector3<f64>,
}

/// A collider of a body that goes farther than the boxes of the broad phase cover.
#[derive(Clone, Copy, Debug)]
struct Mover {
    body: RigidBodyHandle,
    collider: ColliderHandle,
    /// Around its way.
    area: Aabb,
}

/// What sweeps found; kept for its memory.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    found: Vec<Hit>,
    /// By the least x of their areas.
    movers: Vec<Mover>,
    /// The pairs that are in contact, sorted.
    touching: Vec<Ends>,
}

/// What a sweep reads.
struct Scene<'a> {
    world: &'a World<'a>,
    bodies: &'a Bodies,
    trees: &'a Trees,
    solution: &'a ContactSolution,
    problem: &'a ContactProblem,
    /// The pairs with contacts in the step, sorted: what is in contact is not swept against.
    touching: &'a [Ends],
    movers: &'a [Mover],
    h: f64,
    /// [`tolerances::SAME_PLACE`] in units of the world.
    slop: f64,
    reach: &'a Reach,
}

/// A collider that is swept, and how its body moves.
#[derive(Clone, Copy)]
struct Swept<'a> {
    body: RigidBodyHandle,
    handle: ColliderHandle,
    collider: &'a Collider,
    twist: Twist,
}

/// Shortens the motion of fast bodies and trees. `reach` says within which distance every contact of a body
/// is a row. O(awake bodies), and where one is fast O(contacts log contacts) and a sweep for each.
pub(crate) fn clamp(
    world: &World<'_>,
    bodies: &mut Bodies,
    trees: &mut Trees,
    answer: StepAnswer<'_>,
    reach: &Reach,
    hits: &mut Hits,
) {
    let StepAnswer {
        problem,
        solution,
        contacts,
        frame,
    } = answer;
    let h = frame.h;
    // Every tree first: one may be what another or a free body meets.
    for number in 0..trees.len() {
        if trees[number].is_stepped() {
            let range = problem.block_range(trees[number].block);
            trees.look_ahead(number, &solution.v_plus[range], h);
        }
    }
    hits.touching.clear();
    hits.movers.clear();
    for pass in 1..=tolerances::PASSES {
        let mut scene = Scene {
            world,
            bodies,
            trees,
            solution,
            problem,
            touching: &[],
            movers: &[],
            h,
            slop: tolerances::SAME_PLACE * frame.length_unit,
            reach,
        };
        if pass == 1 {
            scene.find_movers(&mut hits.movers);
            if hits.movers.is_empty() {
                return;
            }
            note_touching(contacts, &mut hits.touching);
        }
        scene.touching = &hits.touching;
        scene.movers = &hits.movers;
        hits.found.clear();
        for body in scene.bodies.free() {
            hits.found.extend(scene.first_impact(body.handle));
        }
        for (number, _) in scene.trees.awake() {
            let links = scene.trees[number].links.iter();
            let first = links.filter_map(|&link| scene.first_impact(link));
            hits.found
                .extend(first.min_by(|a, b| a.time.total_cmp(&b.time)));
        }
        if hits.found.is_empty() {
            break;
        }
        hits.found.sort_by(|a, b| a.time.total_cmp(&b.time));
        for hit in &hits.found {
            // What had stopped before is not where it was to be met. In the last pass the body stops all the same.
            let met = hit.target.map(|target| time(bodies, trees, target, h));
            if met.is_some_and(|time| time < hit.time) && pass < tolerances::PASSES {
                continue;
            }
            stop(bodies, trees, hit.body, hit.time);
            if let Some(target) = hit.target {
                stop(bodies, trees, target, hit.time);
            }
            if let Role::Free(number) = bodies.role(hit.body) {
                bodies.stop_mut(number).carried = hit.carries * (h - hit.time);
            }
        }
        if hits.movers.len() < 2 {
            break;
        }
    }
}

/// Notes the pairs that have contacts, sorted.
fn note_touching(contacts: &[Contact], touching: &mut Vec<Ends>) {
    let pairs = contacts
        .chunk_by(|a, b| a.point.colliders == b.point.colliders)
        .filter_map(|run| match run[0].point.colliders {
            [Some(a), Some(b)] => Some(ends(a, b)),
            _ => None,
        });
    touching.extend(pairs);
    touching.sort_unstable();
}

/// Until when a body moves \[s\].
fn time(bodies: &Bodies, trees: &Trees, body: RigidBodyHandle, h: f64) -> f64 {
    match bodies.role(body) {
        Role::Free(number) => bodies.stop(number).time,
        Role::Link { tree, .. } => trees[tree].time,
        Role::Absent | Role::Prescribed => h,
    }
}

/// Ends the motion of a body after a time \[s\], unless it ends before.
fn stop(bodies: &mut Bodies, trees: &mut Trees, body: RigidBodyHandle, time: f64) {
    match bodies.role(body) {
        Role::Free(number) => {
            let own = &mut bodies.stop_mut(number).time;
            *own = own.min(time);
        }
        Role::Link { tree, .. } => {
            let time = time.min(trees[tree].time);
            trees.set_time(tree, time);
        }
        Role::Absent | Role::Prescribed => {}
    }
}

type Twist = (Vector3<f64>, Vector3<f64>);

/// Whether the parameters ask for continuous detection.
pub(crate) fn is_wanted(params: &IntegrationParameters) -> bool {
    params.max_ccd_substeps > 0
}
