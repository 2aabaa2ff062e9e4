//! What of a correction belongs to the motion and becomes velocity.
//!
//! A joint opens because its bodies turn: velocities along the tangent lead off the circle, by `l (h omega)^2 / 2`, and
//! the correction w leads back. If no velocity came of that, the next step would find v+ beside its new tangents and take
//! the part across them: a share `(h omega)^2` of a pendulum's energy per step. So what the impulses f of the
//! correction's joints do along the rows r of the step's start becomes velocity, island by island:
//! ```text
//! v = v+ + a u,   u = M^-1 r^T f,   T(v) = T(v+) + a^2 T(u) <= E = max(T(v_free), 1.01 T(v+)),   T(v) = 1/2 v^T M v
//! ```
//! with the largest such a <= 1. With a = 1 it is the SHAKE form of leapfrog (Ryckaert, Ciccotti and Berendsen 1977),
//! which conserves energy on average; beyond 0.2 rad a step joints give back no more than the step took. Pushes of
//! contacts have no part in u, so none becomes speed. Joints answer to those pushes as well, and what they do against them would press
//! bodies into what they rest on, faster from step to step (`heaps medley:24`, seed 28). So a is also the largest with which no contact
//! closes faster, by a u, than by its gap at the end of the step and by what forces add in one.
//!
//! M is the mass matrix of the step's start. The next step has that of its end, where a free body has turned by D, its
//! inertia with it: `T'(v) = T(D^-1 v)`, D^-1 on angular velocities. v+ itself turns the body about its own axis and has
//! the same energy there, u and the turning by w have not. Where `T'(v) > E`, the spins of the island's free bodies are
//! slowed to E; the rest of the energy is the same in any pose, and linear momentum stays. Trees are held when they are
//! written.

use super::position::PositionCorrector;
use super::progress::energy;
use crate::base::tolerances;
use crate::read::bodies::Bodies;
use nalgebra::{UnitQuaternion, Vector3};
use stickslip_core::problem::{ContactProblem, IslandProblem};

impl PositionCorrector {
    /// Makes velocity of what belongs to the motion in the correction of a step of `h` \[s\]. O(bodies and their rows).
    pub(super) fn shake_velocity(&mut self, problem: &ContactProblem, bodies: &Bodies, h: f64) {
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
            let scalars = island.scalars();
            if scalars.clone().all(|i| self.pushes[i] == 0.0) {
                continue;
            }
            let place = problem.place(island);
            for block in place.blocks() {
                let part = &mut self.turn[block.range()];
                block.solve_lt(part);
                block.solve_l(part);
            }
            let coordinates = place.blocks().flat_map(|block| block.range());
            let here = |v: &[f64]| energy(place, v);
            let (velocity, turn) = (&mut self.velocity, &self.turn);
            let (begun, turned) = (here(velocity), here(turn));
            let most = here(problem.v_free()).max((1.0 + tolerances::SMALL_TURN.powi(2)) * begun);
            coordinates.clone().for_each(|i| velocity[i] += turn[i]);
            let share = share([begun, turned, here(velocity)], most);
            let share = share.min(room(place, &self.approach, turn));
            coordinates.for_each(|i| velocity[i] -= (1.0 - share) * turn[i]);
            scalars.for_each(|i| self.impulses[i] += share * self.pushes[i]);
            self.hold_spins(place, most);
        }
    }

    /// Slows the spins of an island's free bodies to no more kinetic energy than `most` in the poses that the step ends in.
    fn hold_spins(&mut self, place: IslandProblem<'_>, most: f64) {
        let IslandProblem { problem, island } = place;
        let (back, seen) = (&self.back, &mut self.seen);
        for block in place.blocks() {
            let range = block.range();
            seen[range.clone()].copy_from_slice(&self.velocity[range]);
        }
        let turned = island.blocks.iter().map(|&b| b as usize);
        let turned = turned.filter(|&b| back[b] != UnitQuaternion::identity());
        let spins = turned.map(|b| (b, problem.block(b).offset + 3));
        for (b, i) in spins.clone() {
            let spin = back[b] * Vector3::new(seen[i], seen[i + 1], seen[i + 2]);
            seen[i..i + 3].copy_from_slice(spin.as_slice());
        }
        let now = energy(place, seen);
        if now <= most {
            return;
        }
        let angles = spins.flat_map(|(_, i)| i..i + 3);
        angles.clone().for_each(|i| seen[i] = 0.0);
        let rest = energy(place, seen);
        let slower = ((most - rest) / (now - rest)).max(0.0).sqrt();
        angles.for_each(|i| self.velocity[i] *= slower);
    }

    /// Finds out how free bodies turn in the step and by its correction, backwards; trees and bodies with locked axes
    /// are left as they are.
    fn look_back(&mut self, problem: &ContactProblem, bodies: &Bodies, h: f64) {
        self.back.clear();
        self.back
            .resize(problem.block_count(), UnitQuaternion::identity());
        for body in bodies.free().iter().filter(|body| body.dim() == 6) {
            let Some(block) = body.block() else { continue };
            let range = problem.block_range(block);
            let [v, w] = [&self.velocity, &self.w].map(|v| body.twist(&v[range.clone()]).1);
            let turn = |v: Vector3<f64>| UnitQuaternion::from_scaled_axis(-v * h);
            self.back[block.0] = turn(v) * turn(w);
        }
    }
}

/// The largest a up to 1 with which no contact of an island closes by `a u` faster than by its gap at the end of the step, and by what
/// forces add in one. `approach` is the rate at which each has to part, or may close. O(contacts).
fn room(place: IslandProblem<'_>, approach: &[f64], turn: &[f64]) -> f64 {
    let problem = place.problem;
    let closes = place.contacts().map(|c| {
        let [u, v, free] =
            [turn, problem.v(), problem.v_free()].map(|v| problem.contact_dots(c, v)[0]);
        let granted = (-approach[c]).max(0.0) + (free - v).abs();
        if u < 0.0 { granted / -u } else { 1.0 }
    });
    closes.fold(1.0, f64::min)
}

/// The largest a up to 1 with which `v+ + a u` has no more than `most` (>= `begun`), from the energies at v+, of u, and at
/// v+ + u: `begun + a cross + a^2 turned`.
fn share([begun, turned, whole]: [f64; 3], most: f64) -> f64 {
    let cross = whole - begun - turned;
    let root = (cross * cross + 4.0 * turned * (most - begun)).sqrt();
    match turned > 0.0 {
        true => ((root - cross) / (2.0 * turned)).clamp(0.0, 1.0),
        false => 0.0,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;
    use stickslip_core::mass::MassFactor;
    use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf};

    /// A body that falls at 3 m/s and by 0.1 m/s more in the step, over a contact.
    #[test]
    fn contacts_leave_room_for_their_gap_and_for_forces() {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        let mass = MassFactor::from_dense(&DMatrix::identity(1, 1)).unwrap();
        let block = builder.add_block(&mass, &[-3.0], &[-3.1]);
        let normal = RowHalf {
            block,
            cols: &[0],
            rows: [&[1.0], &[0.0], &[0.0]],
        };
        builder.add_contact(ContactData::default(), &[normal]);
        let problem = builder.finish().unwrap();
        let place = problem.place(problem.islands().next().unwrap());
        for (approach, u, wanted) in [
            (0.0, 5.0, 1.0),
            (0.0, -0.05, 1.0),
            (0.0, -1.0, 0.1),
            (0.2, -1.0, 0.1),
            (-0.3, -1.0, 0.4),
            (-0.3, -0.2, 1.0),
        ] {
            let found = room(place, &[approach], &[u]);
            assert!((found - wanted).abs() < 1e-12, "{approach} {u}: {found}");
        }
    }

    /// Against a search in steps of 1e-4, whatever u does to v+.
    #[test]
    fn the_share_is_the_largest_that_is_granted() {
        for (begun, turned, whole) in [
            (1.0, 0.5, 1.2),
            (1.0, 0.5, 1.8),
            (1.0, 2.0, 0.9),
            (1.0, 0.3, 4.0),
            (1.0, 0.0, 1.0),
            (2.0, 0.1, 2.0),
        ] {
            let at = |a: f64| begun + a * (whole - begun - turned + a * turned);
            assert!((at(1.0) - whole).abs() < 1e-12);
            for most in [1.01 * begun, 1.3 * begun, 5.0 * begun] {
                let granted = (0..=10_000).map(|k| f64::from(k) * 1e-4);
                let largest = granted.take_while(|&a| at(a) <= most + 1e-12).last();
                let wanted = if turned > 0.0 { largest.unwrap() } else { 0.0 };
                let share = share([begun, turned, whole], most);
                assert!(
                    (share - wanted).abs() <= 1.001e-4,
                    "{begun} {turned} {whole} {most}: {share}"
                );
            }
        }
    }
}
