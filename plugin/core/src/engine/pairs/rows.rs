//! Groups of eight pairs of bodies in the order of visits, as a machine sweeps them.

use super::contact::Contact;
use super::eight::{Eight, LANES, Machine};
use super::point::{Group, Point, Scale, put};
use crate::engine::kernel::{Kernel, Present};
use crate::engine::shares::Shares;
use crate::law::worse;
use std::ops::Range;

/// Groups on `B` bodies; memory is reused.
#[derive(Clone, Debug)]
pub(super) struct Groups<const B: usize> {
    groups: Vec<Group<B>>,
    points: Vec<Point<B>>,
    scales: Vec<Scale>,
}

impl<const B: usize> Default for Groups<B> {
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            points: Vec::new(),
            scales: Vec::new(),
        }
    }
}

/// A group in the order of visits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub(super) is_of_two: bool,
    pub(super) index: u32,
    /// Whether its contacts are likely to be left at nothing, and visited last.
    pub(super) is_idle: bool,
}

/// The rows of an island.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub(super) visits: Vec<Visit>,
    pub(super) of_two: Groups<2>,
    pub(super) of_one: Groups<1>,
    /// Velocity and reciprocal mass of each body without impulses.
    pub(super) v_free: Vec<Eight>,
}

impl Rows {
    /// Empties it, with room for so many points.
    pub(super) fn clear(&mut self, points: usize) {
        self.visits.clear();
        self.visits.reserve(points);
        self.of_two.clear(points);
        self.of_one.clear(points);
    }
}

impl<const B: usize> Groups<B> {
    fn clear(&mut self, points: usize) {
        self.groups.clear();
        self.points.clear();
        self.scales.clear();
        self.groups.reserve(points);
        self.points.reserve(points);
        self.scales.reserve(points);
    }

    /// Puts the points of a pair into a lane of the last group, or, the first lane, of a new one; the group.
    pub(super) fn put(
        &mut self,
        lane: usize,
        contacts: &[Contact],
        z: &mut Vec<Eight>,
        slots: &mut [(u32, u32)],
    ) -> u32 {
        if lane == 0 {
            self.groups.push(Group {
                bodies: [[0; LANES]; B],
                first: self.points.len() as u32,
                count: 0,
                z: z.len() as u32,
                directions: [[Eight::ZERO; 3]; 3],
            });
        }
        let index = self.groups.len() as u32 - 1;
        let Some(group) = self.groups.last_mut() else {
            return index;
        };
        if let Some(contact) = contacts.first() {
            for (places, at) in group.bodies.iter_mut().zip(contact.bodies) {
                match lane {
                    // A lane that is not used has the bodies of the first one and no rows.
                    0 => places.fill(at / 6),
                    _ => places[lane] = at / 6,
                }
            }
            for (to, from) in group.directions.iter_mut().zip(&contact.directions) {
                put(to, lane, from);
            }
        }
        for (k, (contact, slot)) in contacts.iter().zip(slots).enumerate() {
            if k == group.count as usize {
                self.points.push(Point::EMPTY);
                self.scales.push(Scale::default());
                z.extend([Eight::ZERO; 3]);
                group.count += 1;
            }
            let at = group.first as usize + k;
            self.points[at].put(lane, contact);
            self.scales[at].put(lane, contact);
            let first = group.z as usize + 3 * k;
            *slot = (first as u32, lane as u32);
            for (z, f) in z[first..first + 3].iter_mut().zip(contact.z) {
                z.0[lane] = f;
            }
        }
        index
    }
}

/// The rows of an island on a machine.
pub(super) struct On<'a, M> {
    pub(super) machine: M,
    pub(super) rows: &'a Rows,
    pub(super) shares: &'a Shares,
    pub(super) speed: f64,
}

impl<M: Machine> On<'_, M> {
    #[inline(always)]
    fn visit(&self, visit: Visit, present: Present<'_, Eight>) {
        let (rows, index) = (self.rows, visit.index as usize);
        match visit.is_of_two {
            true => rows.of_two.groups[index].visit(self.machine, &rows.of_two.points, present),
            false => rows.of_one.groups[index].visit(self.machine, &rows.of_one.points, present),
        }
    }

    /// Whether no contact of a group has an impulse.
    #[inline(always)]
    fn is_empty(&self, visit: Visit, z: &[Eight], start: usize) -> bool {
        let (rows, index) = (self.rows, visit.index as usize);
        let own = match visit.is_of_two {
            true => rows.of_two.groups[index].impulses(start),
            false => rows.of_one.groups[index].impulses(start),
        };
        for z in &z[own] {
            if !self.machine.is_zero(*z) {
                return false;
            }
        }
        true
    }
}

impl<M: Machine> Kernel<Eight> for On<'_, M> {
    fn shares(&self) -> &Shares {
        self.shares
    }

    fn forward(&self, visits: Range<usize>, Present { z, v, from }: Present<'_, Eight>) {
        self.machine.run(
            #[inline(always)]
            || {
                for &visit in &self.rows.visits[visits] {
                    self.visit(visit, Present { z, v, from });
                }
            },
        );
    }

    fn backward(&self, visits: Range<usize>, Present { z, v, from }: Present<'_, Eight>) {
        self.machine.run(
            #[inline(always)]
            || {
                for &visit in self.rows.visits[visits].iter().rev() {
                    if !(visit.is_idle && self.is_empty(visit, z, from[0])) {
                        self.visit(visit, Present { z, v, from });
                    }
                }
            },
        );
    }

    fn residual(&self, z: &[Eight], v: &[Eight]) -> f64 {
        let (rows, m) = (self.rows, self.machine);
        let look = |visits: Range<usize>| {
            self.machine.run(
                #[inline(always)]
                || {
                    let mut all = 0.0;
                    for &visit in &rows.visits[visits] {
                        let index = visit.index as usize;
                        let left = match visit.is_of_two {
                            true => {
                                let own = &rows.of_two;
                                own.groups[index].left(m, &own.points, &own.scales, z, v)
                            }
                            false => {
                                let own = &rows.of_one;
                                own.groups[index].left(m, &own.points, &own.scales, z, v)
                            }
                        };
                        all = left.0.iter().map(|x| f64::from(*x)).fold(all, worse);
                    }
                    all
                },
            )
        };
        self.shares.worst(&look) / self.speed
    }

    fn velocity_of(&self, z: &[Eight], v: &mut Vec<Eight>) {
        v.clone_from(&self.rows.v_free);
        let (rows, m) = (self.rows, self.machine);
        m.run(
            #[inline(always)]
            || {
                for &visit in &rows.visits {
                    if self.is_empty(visit, z, 0) {
                        continue;
                    }
                    let index = visit.index as usize;
                    match visit.is_of_two {
                        true => rows.of_two.groups[index].add_to(m, &rows.of_two.points, z, v),
                        false => rows.of_one.groups[index].add_to(m, &rows.of_one.points, z, v),
                    }
                }
            },
        );
    }
}
