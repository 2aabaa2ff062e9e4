//! What of a correction belongs to the motion and becomes velocity.
//!
//! A joint opens because its bodies turn: velocities along the tangent lead off the circle, by `l (h omega)^2 / 2`, and
//! the correction w leads back. If no velocity came of that, the next step would find v+ beside its new tangents and take
//! the part across them: a share `(h omega)^2` of a pendulum's energy per step. So what the impulses f of the
//! correction's joints do along the rows r of the step's start becomes velocity, island by island:
//! ```text
//! v = v+ + a u,   u = M^-1 r^T f,   T'(v) <= E = max(T(v_free), 1.01 T(v+))
//! ```
//! with the largest such a <= 1. T is the kinetic energy with the masses M of the step's start, T' that in the poses the
//! step ends in, where the velocity is that of the next step: an inertia turns with its body, by D for a free one, and
//! `T'(v) = T(D^-1 v)` with D^-1 on angular velocities. (With T in its place three thin rods on joints that turn by half a
//! radian a step gain a factor of 1e7 in energy.) Where w turns bodies so far that v+ alone has more than E, the island is
//! slowed to E. With a = 1 it is the SHAKE form of leapfrog (Ryckaert, Ciccotti and Berendsen 1977), which conserves energy
//! on average; beyond 0.2 rad a step joints give back no more than the step took. Pushes of contacts have no part
//! in u, so none becomes speed. The masses of trees are taken as they were: a fast tree's energy is held when it is written.
//!
//! A string pulled straight has velocities that its rows allow and that lead nowhere: w is then nearly `-v+`. Where
//! `T'(v+ + w)` is less than half of `T(v+)`, the island ends the step with `v+ + w`.

use super::position::PositionCorrector;
use crate::read::bodies::Bodies;
use nalgebra::{UnitQuaternion, Vector3};
use stickslip_core::problem::{ContactProblem, Island};

/// Kinetic energy that a correction leaves of an island, by that before it, below which it is a stop.
const STOPS: f64 = 0.5;

/// Energy that the turning of joints may add to an island's, relative to it, until the next step takes it: that of
/// 0.2 rad a step.
const SMALL_TURN: f64 = 0.01;

impl PositionCorrector {
    /// Makes velocity of what belongs to the motion in the correction of a step of `h` \[s\]. O(bodies and their rows).
    pub(super) fn keep(&mut self, problem: &ContactProblem, bodies: &Bodies, h: f64) {
        let contacts = problem.contact_count();
        self.turn.clear();
        self.turn.resize(problem.dim(), 0.0);
        for (i, push) in self.pushes.iter().enumerate() {
            problem
                .row(problem.scalar_row(i))
                .add_to(*push, &mut self.turn);
        }
        self.look_back(problem, bodies, h);
        self.seen.resize(problem.dim(), 0.0);
        for island in problem.islands() {
            let groups = island.groups.iter().map(|&group| group as usize);
            let scalars = groups.filter_map(|group| group.checked_sub(contacts));
            if scalars.clone().all(|i| self.pushes[i] == 0.0) {
                continue;
            }
            for &b in island.blocks {
                let block = problem.block(b as usize);
                let part = &mut self.turn[block.range()];
                block.solve_lt(part);
                block.solve_l(part);
            }
            let ranges = (island.blocks.iter()).map(|&b| problem.block(b as usize).range());
            let coordinates = ranges.flatten();
            let (back, seen) = (&self.back, &mut self.seen);
            let mut at_end = |v: &[f64]| energy_at_end((problem, island), (back, v), seen);
            let (velocity, w, turn) = (&mut self.velocity, &self.w, &self.turn);
            let (start, free) = (
                energy((problem, island), velocity),
                energy((problem, island), problem.v_free()),
            );
            let (begun, turned) = (at_end(velocity), at_end(turn));
            coordinates.clone().for_each(|i| velocity[i] += w[i]);
            if at_end(velocity) < STOPS * start {
                continue;
            }
            coordinates
                .clone()
                .for_each(|i| velocity[i] += turn[i] - w[i]);
            let cross = at_end(velocity) - begun - turned;
            // T'(v+ + a u) = begun + a cross + a^2 turned.
            let most = free.max((1.0 + SMALL_TURN) * start);
            let spare = (most - begun).max(0.0);
            let root = (cross * cross + 4.0 * turned * spare).sqrt();
            let share = match turned > 0.0 {
                true => ((root - cross) / (2.0 * turned)).clamp(0.0, 1.0),
                false => 0.0,
            };
            let of_all = match begun > most {
                true => (most / (begun + share * (cross + share * turned))).sqrt(),
                false => 1.0,
            };
            coordinates.for_each(|i| {
                velocity[i] = of_all.min(1.0) * (velocity[i] - (1.0 - share) * turn[i])
            });
            scalars.for_each(|i| self.impulses[i] += share * self.pushes[i]);
        }
    }

    /// Finds out how free bodies turn in the step and by its correction, backwards; trees and bodies with locked axes
    /// are left as they are.
    fn look_back(&mut self, problem: &ContactProblem, bodies: &Bodies, h: f64) {
        self.back.clear();
        self.back
            .resize(problem.block_count(), UnitQuaternion::identity());
        for body in bodies.free().iter().filter(|body| body.dim == 6) {
            let range = problem.block_range(body.block);
            let [v, w] = [&self.velocity, &self.w].map(|v| body.twist(&v[range.clone()]).1);
            let turn = |v: Vector3<f64>| UnitQuaternion::from_scaled_axis(-v * h);
            self.back[body.block.0] = turn(v) * turn(w);
        }
    }
}

fn energy((problem, island): (&ContactProblem, Island<'_>), v: &[f64]) -> f64 {
    let blocks = island.blocks.iter();
    blocks.map(|&b| problem.kinetic_energy(b as usize, v)).sum()
}

/// The kinetic energy of an island in the poses that bodies end the step in: with masses as they were of the velocity
/// turned `back`, which is left in `seen`.
fn energy_at_end(
    (problem, island): (&ContactProblem, Island<'_>),
    (back, v): (&[UnitQuaternion<f64>], &[f64]),
    seen: &mut [f64],
) -> f64 {
    for &b in island.blocks {
        let range = problem.block(b as usize).range();
        let (own, to) = (&v[range.clone()], &mut seen[range]);
        to.copy_from_slice(own);
        let turn = &back[b as usize];
        if let (&[.., x, y, z], [.., a, b, c]) = (own, to)
            && *turn != UnitQuaternion::identity()
        {
            [*a, *b, *c] = (turn * Vector3::new(x, y, z)).into();
        }
    }
    energy((problem, island), seen)
}
