//! Large heaps of free bodies as they move: in single precision, eight pairs of bodies at a time, from the problem itself.
//!
//! Whitened rows in double precision are made for what these sweeps do not solve. A pair of bodies has its normal and tangents
//! once for all points at which it touches; of a body, velocity and reciprocal mass are read and written once for all of them.
//! With the roots of the weights W, `f' = W^1/2 f` and `u' = W^-1/2 u`, a visit is `f' <- Proj(f' - u')`. Pairs that have no body in
//! common are visited side by side ([`super::colours`]).

mod contact;
mod eight;
mod point;
mod rows;

use super::colours::{Colours, Group as Pair, NONE};
use super::kernel::Entry;
use super::momentum::AcceleratedGaussSeidel;
use super::shares::Shares;
use super::sweeps::single_reaches;
use super::{Ended, Goal};
use crate::problem::{ContactId, GroupId, IslandProblem};
use crate::settings::ModelSettings;
use crate::solution::ContactSolution;
use crate::system::Start;
use crate::threads::append;
use crate::tolerances::{LARGE_SYSTEM, WORTH};
use contact::Contact;
use eight::{Eight, LANES, Machine, Portable};
use rows::{On, Rows, Visit};

impl Entry for Eight {
    const DRIFTS: bool = true;

    fn all(x: f64) -> Self {
        Self::all(x as f32)
    }

    fn sum(self) -> f64 {
        self.0.iter().map(|x| f64::from(*x)).sum()
    }
}

/// An island swept in single precision; memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    rows: Rows,
    shares: Shares,
    iterate: AcceleratedGaussSeidel<Eight>,
    contacts: Vec<Contact>,
    /// Those that other threads make.
    beside: Vec<Vec<Contact>>,
    pairs: Vec<Pair>,
    colours: Colours,
    /// First impulse and lane of each contact.
    slots: Vec<(u32, u32)>,
    /// First coordinate of each block of the problem in the island.
    local: Vec<u32>,
    /// Contacts in the order of the first body they act on.
    order: Vec<(u32, u32)>,
    speed: f64,
}

impl Pairs {
    /// Takes an island in; whether it can, and lanes are full enough to be worth it. O(contacts).
    pub(super) fn pack(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        start: Start<'_>,
    ) -> bool {
        if !self.bodies(place) || !self.gather(place, settings, start) {
            return false;
        }
        self.pair();
        let contacts = &self.contacts;
        match contacts.len() >= LARGE_SYSTEM {
            true => self.shares.part(contacts.len(), |i| {
                let [a, b] = contacts[i].bodies.map(|at| at as usize);
                let b = if b == NONE as usize { a } else { b };
                a.min(b)..a.max(b) + 6
            }),
            false => self.shares.whole(contacts.len()),
        }
        self.group();
        self.pairs.len() >= WORTH * self.rows.visits.len()
    }

    /// Notes the bodies and their velocities.
    fn bodies(&mut self, place: IslandProblem<'_>) -> bool {
        let problem = place.problem;
        self.local.resize(problem.block_count(), 0);
        self.rows.v_free.clear();
        let mut fastest = 0.0_f64;
        for (block, &b) in place.blocks().zip(place.island.blocks) {
            self.local[b as usize] = 6 * self.rows.v_free.len() as u32;
            let v = &problem.v_free()[block.range()];
            let Ok(v) = <&[f64; 6]>::try_from(v) else {
                return false;
            };
            fastest = v.iter().fold(fastest, |most, v| most.max(v.abs()));
            let mass = (block.inv_diag[0] * block.inv_diag[0]) as f32;
            if !mass.is_normal() {
                return false;
            }
            let [w_0, w_1, w_2] = [3, 4, 5].map(|i| block.white(i, v) as f32);
            let [x, y, z] = [v[0], v[1], v[2]].map(|v| v as f32);
            (self.rows.v_free).push(Eight([x, y, z, mass, w_0, w_1, w_2, 0.0]));
        }
        self.speed = 1.0 + fastest;
        true
    }

    /// Lists the contacts, those of a large island in the order of the first body they act on.
    fn gather(
        &mut self,
        place: IslandProblem<'_>,
        settings: &ModelSettings,
        start: Start<'_>,
    ) -> bool {
        let (problem, local) = (place.problem, &self.local);
        let first = |c: usize| problem.first_of(GroupId::Contact(ContactId(c)), local);
        self.order.clear();
        (self.order).extend(place.contacts().map(|c| (first(c), c as u32)));
        if self.order.len() >= LARGE_SYSTEM {
            self.order.sort_unstable();
        }
        self.contacts.clear();
        let (order, contacts) = (&self.order, &mut self.contacts);
        append(
            order.len(),
            contacts,
            &mut self.beside,
            &|own, contacts: &mut Vec<Contact>| {
                let of =
                    |&(_, c): &(u32, u32)| Contact::of(problem, c as usize, settings, start, local);
                // Stops at the first contact of another kind; the island is left to the whitened rows then.
                contacts.extend(order[own].iter().map_while(of));
            },
        );
        contacts.len() == order.len()
    }

    /// Joins points of the same pair that follow each other.
    fn pair(&mut self) {
        self.pairs.clear();
        for i in 0..self.contacts.len() {
            let contact = &self.contacts[i];
            let joins = i > 0 && self.contacts[i - 1].joins(contact);
            match self.pairs.last_mut() {
                Some(last) if joins => {
                    last.units.end += 1;
                    last.is_idle &= contact.is_idle;
                }
                _ => {
                    self.pairs.push(Pair {
                        bodies: contact.bodies,
                        kind: u32::from(contact.bodies[1] == NONE),
                        units: i as u32..i as u32 + 1,
                        is_idle: contact.is_idle,
                    });
                }
            }
        }
    }

    /// Puts pairs into the lanes of groups, share by share.
    fn group(&mut self) {
        // How full lanes are changes from solve to solve.
        let most = self.contacts.len() / WORTH;
        self.rows.clear(most);
        self.iterate.z.clear();
        self.iterate.z.reserve(3 * most);
        self.slots.clear();
        self.slots.resize(self.contacts.len(), (0, 0));
        let (pairs, contacts) = (&self.pairs, &self.contacts);
        let (rows, colours) = (&mut self.rows, &mut self.colours);
        let (z, slots) = (&mut self.iterate.z, &mut self.slots);
        let bodies = rows.v_free.len();
        self.shares.each(|share| {
            let first = rows.visits.len();
            let at = |unit: usize| pairs.partition_point(|pair| (pair.units.start as usize) < unit);
            let own = at(share.units.start)..at(share.units.end);
            share.from = [z.len(), share.from[1] / 6];
            let mut last = None;
            let mut lane = 0;
            for place in colours.sort(true, own, bodies, pairs) {
                let pair = &pairs[place.group as usize];
                lane += 1;
                let joins = last.is_some_and(|last| place.may_join(last)) && lane < LANES;
                (last, lane) = (Some(place), if joins { lane } else { 0 });
                let own = pair.units.start as usize..pair.units.end as usize;
                let (points, slots) = (&contacts[own.clone()], &mut slots[own]);
                let is_of_two = pair.kind == 0;
                let index = match is_of_two {
                    true => rows.of_two.put(lane, points, z, slots),
                    false => rows.of_one.put(lane, points, z, slots),
                };
                if !joins {
                    rows.visits.push(Visit {
                        is_of_two,
                        index,
                        is_idle: pair.is_idle,
                    });
                }
            }
            share.units = first..rows.visits.len();
        });
    }

    /// The residual that single precision reaches ([`single_reaches`]).
    pub(super) fn reached(&self) -> f64 {
        let made = self.contacts.iter().map(|contact| contact.speeds[0]);
        let made = made.fold(0.0, f64::max);
        let asked = self.contacts.iter().map(|contact| contact.speeds[1]);
        single_reaches(made, asked, self.speed)
    }

    /// Sweeps what was packed to a goal that follows from the residual before; that residual, and how it ended.
    pub(super) fn run(&mut self, goal: impl Fn(f64) -> Goal + Send) -> (f64, Ended) {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx) = eight::Avx::here() {
            return self.run_on(avx, goal);
        }
        self.run_on(Portable, goal)
    }

    fn run_on<M: Machine>(
        &mut self,
        machine: M,
        goal: impl Fn(f64) -> Goal + Send,
    ) -> (f64, Ended) {
        let kernel = On {
            machine,
            rows: &self.rows,
            shares: &self.shares,
            speed: self.speed,
        };
        self.iterate.run(&kernel, goal)
    }

    /// Writes the best impulses, put right to the last digit.
    pub(super) fn give(&self, solution: &mut ContactSolution) {
        for (contact, &(at, lane)) in self.contacts.iter().zip(&self.slots) {
            let best = &self.iterate.best[at as usize..at as usize + 3];
            let [root_n, root_t] = contact.root_of_weight;
            let at = |k: usize, root: f64| f64::from(best[k].0[lane as usize]) / root;
            let f_n = at(0, root_n).max(0.0);
            let [f_s, f_t] =
                crate::law::onto_disc([at(1, root_t), at(2, root_t)], contact.mu * f_n);
            let c = contact.index as usize;
            (solution.f_n[c], solution.f_s[c], solution.f_t[c]) = (f_n, f_s, f_t);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod tests;
