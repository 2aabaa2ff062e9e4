//! Impacts to come, where the surfaces are curved.
//!
//! A contact that bounces and closes during the step ends the motion of the step in contact, by the plane of its start
//! ([`stickslip_core::models::Impacts`]); its bounce is that of the next step. Where the plane turns on the way, as between
//! two balls that pass each other, the pose at the end is not that of the impact, nor is its normal. So two bodies without
//! joints that press nothing else that gives way move until they meet, at the time t of the step h. What touches nothing
//! else then has the velocity
//! ```text
//! v + t / h (v_free - v)
//! ```
//! They are late by what is left of the step. Those that do not meet within it move as if there were no contact.

use super::StepAnswer;
use crate::base::contact::Contact;
use crate::base::convert::real;
use crate::base::frame::Frame;
use crate::base::tolerances;
use crate::contacts::ghosts::slack;
use crate::contacts::sight::Sight;
use crate::contacts::way::{Meeting, Way, is_polyhedron, with_part};
use crate::read::bodies::{Bodies, Role};
use crate::read::prescribed::prescribed_twist;
use crate::read::world::World;
use nalgebra::Vector3;
use rapier::prelude::*;
use stickslip_core::models::Impacts;

/// Linear and angular velocity of both bodies.
type Twists = [[Vector3<f64>; 2]; 2];

/// Finds where they meet; buffers are kept.
#[derive(Default)]
pub(crate) struct Arrivals {
    /// By block: how many others it presses or is joined to, and how many of them give way.
    others: Vec<[u32; 2]>,
    probe: ContactManifold,
}

impl std::fmt::Debug for Arrivals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Arrivals").finish_non_exhaustive()
    }
}

impl Arrivals {
    /// Ends the motion of free bodies where their impacts come. O(contacts), and a few queries for each impact.
    pub(crate) fn stop(
        &mut self,
        world: &World<'_>,
        bodies: &mut Bodies,
        answer: StepAnswer<'_>,
        impacts: &mut Impacts,
    ) {
        self.count(bodies, answer);
        for c in 0..answer.contacts.len() {
            if impacts.comes(c) {
                self.stop_at_impact(world, bodies, answer, impacts, c);
            }
        }
    }

    fn count(
        &mut self,
        bodies: &Bodies,
        StepAnswer {
            problem, contacts, ..
        }: StepAnswer<'_>,
    ) {
        self.others.clear();
        self.others.resize(problem.block_count(), [0; 2]);
        for run in contacts.chunk_by(|a, b| a.point.bodies == b.point.bodies) {
            if run.iter().all(|contact| contact.impulse[0] == 0.0) {
                continue;
            }
            let roles = run[0].point.bodies.map(|body| role(bodies, body));
            for (own, other) in [(roles[0], roles[1]), (roles[1], roles[0])] {
                if let Role::Free(number) = own
                    && let Some(block) = bodies.free()[number].block()
                {
                    let gives_way = !matches!(other, Role::Absent | Role::Prescribed);
                    let [all, movable] = &mut self.others[block.0];
                    *all += 1;
                    *movable += u32::from(gives_way);
                }
            }
        }
        // What a joint holds would leave it.
        for block in
            (0..problem.scalar_count()).flat_map(|row| problem.row_blocks(problem.scalar_row(row)))
        {
            self.others[block.0] = [u32::MAX; 2];
        }
    }

    /// Ends the motion of two bodies where they meet, unless the step ends with the normal of that moment.
    fn stop_at_impact(
        &mut self,
        world: &World<'_>,
        bodies: &mut Bodies,
        answer: StepAnswer<'_>,
        impacts: &mut Impacts,
        c: usize,
    ) -> Option<()> {
        let StepAnswer { problem, frame, .. } = answer;
        let contact = &answer.contacts[c];
        let mut numbers = [None; 2];
        let mut twists: [Twists; 2] = Default::default();
        let of = |number: usize, v: &[f64]| {
            let body = &bodies.free()[number];
            let (linear, angular) = body.twist(body.part_of(problem, v));
            [linear, angular]
        };
        for (k, &body) in contact.point.bodies.iter().enumerate() {
            match role(bodies, body) {
                Role::Free(number) if self.others_of(bodies, number)[1] < 2 => {
                    numbers[k] = Some(number);
                    let is_free = self.others_of(bodies, number)[0] < 2;
                    let meets = match is_free {
                        true => problem.v_free(),
                        false => &impacts.answer().v_plus,
                    };
                    twists[0][k] = of(number, meets);
                    twists[1][k] = of(number, &answer.solution.v_plus);
                }
                Role::Prescribed => {
                    if let Some(rb) = body.and_then(|body| world.bodies.get(body)) {
                        let (linear, angular, _) = prescribed_twist(rb, frame.h);
                        (twists[0][k], twists[1][k]) = ([linear, angular], [linear, angular]);
                    }
                }
                _ => return None,
            }
        }
        let slack = slack(&contact.point, frame);
        let [met, end] = self.find(world, contact, frame, slack, &twists)?;
        let meets = met.gap <= slack;
        if meets && (met.normal - end.normal).norm() <= tolerances::SAME_PLACE {
            return None;
        }
        let time = if meets { met.time } else { frame.h };
        for (k, number) in numbers.into_iter().enumerate() {
            let Some(number) = number else { continue };
            if self.others_of(bodies, number)[0] < 2 {
                let range = problem.block_range(bodies.free()[number].block()?);
                let end = &mut impacts.answer_mut().v_plus[range.clone()];
                let velocities = problem.v()[range.clone()]
                    .iter()
                    .zip(&problem.v_free()[range]);
                for (end, (v, free)) in end.iter_mut().zip(velocities) {
                    *end = v + time / frame.h * (free - v);
                }
            }
            let body = &bodies.free()[number];
            let (meets, _) = body.twist(body.part_of(problem, &impacts.answer().v_plus));
            let stop = bodies.stop_mut(number);
            if time <= stop.time {
                stop.time = time;
                stop.carried = (meets - twists[1][k][0]) * time;
            }
        }
        if !meets {
            impacts.put_off(c);
        }
        Some(())
    }

    fn others_of(&self, bodies: &Bodies, number: usize) -> [u32; 2] {
        let block = bodies.free()[number].block();
        block.map_or([0; 2], |block| self.others[block.0])
    }

    /// Two parts where they meet first or are closest with the first twists, and at the end of the step with the second
    /// ones.
    fn find(
        &mut self,
        world: &World<'_>,
        contact: &Contact,
        frame: Frame,
        slack: f64,
        twists: &[Twists; 2],
    ) -> Option<[Sight; 2]> {
        let point = &contact.point;
        let handles = [point.colliders[0]?, point.colliders[1]?];
        let pair = (world.narrow_phase).contact_pair(handles[0], handles[1])?;
        let manifold = (pair.rigid()?.solver_manifolds()).get(point.manifold as usize)?;
        let a = world.colliders.get(handles[0])?;
        let b = world.colliders.get(handles[1])?;
        // Of voxels side by side the dispatcher leaves out the edges that they share; a part by itself has them.
        if [a, b].iter().any(|co| co.shape().as_voxels().is_some()) {
            return None;
        }
        let parts = [manifold.subshape_pos1(), manifold.subshape_pos2()];
        let of = |k: usize, twist| Way::of(world, [a, b][k], parts[k], point.bodies[k], twist);
        let ways = twists.map(|of_both| [of(0, of_both[0]), of(1, of_both[1])]);
        let probe = &mut self.probe;
        (probe.subshape1, probe.subshape2) = (manifold.subshape1, manifold.subshape2);
        let mut found = None;
        with_part(a.shape(), manifold.subshape1, &mut |first| {
            with_part(b.shape(), manifold.subshape2, &mut |second| {
                let shapes = [first, second];
                // Their planes do not turn.
                if shapes.into_iter().all(is_polyhedron) {
                    return;
                }
                let [meets, moves] = ways.each_ref().map(|ways| Meeting {
                    shapes,
                    ways,
                    skin: real(a.contact_skin()) + real(b.contact_skin()),
                    reach: point.gap().max(0.0) + slack,
                    dispatcher: world.narrow_phase.query_dispatcher(),
                });
                let end = moves.look(frame.h, slack, probe);
                let met = meets.closest(frame.h, 0.0, slack, probe);
                found = met.zip(end).map(|(met, end)| [met, end]);
            });
        });
        found
    }
}

/// What a body is; a collider without one stays where it is.
fn role(bodies: &Bodies, body: Option<RigidBodyHandle>) -> Role {
    body.map_or(Role::Prescribed, |body| bodies.role(body))
}
