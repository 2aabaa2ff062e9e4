//! The rows of an island as sweeps read them: units on free bodies packed, in double precision one by one or in single precision
//! four side by side.
//!
//! With impulses `f' = W^1/2 f` and rows `R' = W^-1/2 R~` every number is a root of an energy, a visit is
//! `f' <- Proj(f' - u')` without weights, and the range of single precision holds any masses and units of length. Consecutive
//! units on the same bodies, as the points of a manifold are, make a group: the velocities of its bodies are read and written once.
//! Groups that act on no body in common are visited side by side.

mod apart;
mod contact;
mod kind;
mod number;
mod row;

use super::colours::{Colours, Group, NONE};
use super::kernel::Present;
use super::shares::Shares;
use crate::law::{ConstraintBlock, Law, worse};
use crate::system::System;
use crate::tolerances::WORTH;
use apart::Apart;
use contact::Contact;
use kind::Kind;
pub(super) use number::Lanes;
use row::Row;
use std::ops::Range;

/// A unit of a system, and the weights of its impulses.
#[derive(Clone, Copy)]
struct Rows<'a> {
    system: &'a System,
    unit: &'a ConstraintBlock,
    weight: &'a [f64],
}

/// Kinds of groups, by what they are visited as.
const CONTACT_OF_TWO: u32 = 0;
const CONTACT_OF_ONE: u32 = 1;
const ROW_OF_TWO: u32 = 2;
const ROW_OF_ONE: u32 = 3;
/// Rows of joints and trees, contacts with spin: one by one, by the system.
const APART: u32 = 4;

/// Groups of one kind that are visited at once.
#[derive(Clone, Copy, Debug)]
struct Visit {
    kind: u32,
    index: u32,
    /// Whether they are likely to be left at nothing, and visited last.
    is_idle: bool,
}

/// An island ready to be swept; memory is reused.
#[derive(Clone, Debug)]
pub(super) struct SweepKernel<T: Lanes> {
    visits: Vec<Visit>,
    contacts_of_two: Kind<T, Contact<T, 2>, 2>,
    contacts_of_one: Kind<T, Contact<T, 1>, 1>,
    rows_of_two: Kind<T, Row<T, 2>, 2>,
    rows_of_one: Kind<T, Row<T, 1>, 1>,
    apart: Vec<Apart>,
    /// Where the first impulse of every unit of the system is, and its lane.
    slots: Vec<(u32, u32)>,
    v_free: Vec<T>,
    groups: Vec<Group>,
    colours: Colours,
}

impl<T: Lanes> Default for SweepKernel<T> {
    fn default() -> Self {
        Self {
            visits: Vec::new(),
            contacts_of_two: Kind::default(),
            contacts_of_one: Kind::default(),
            rows_of_two: Kind::default(),
            rows_of_one: Kind::default(),
            apart: Vec::new(),
            slots: Vec::new(),
            v_free: Vec::new(),
            groups: Vec::new(),
            colours: Colours::default(),
        }
    }
}

/// What a method makes of groups, whichever they are.
macro_rules! of {
    ($kernel:expr, $visit:expr, $kind:ident => $made:expr, $apart:ident => $other:expr) => {
        match $visit.kind {
            CONTACT_OF_TWO => {
                let $kind = &$kernel.contacts_of_two;
                $made
            }
            CONTACT_OF_ONE => {
                let $kind = &$kernel.contacts_of_one;
                $made
            }
            ROW_OF_TWO => {
                let $kind = &$kernel.rows_of_two;
                $made
            }
            ROW_OF_ONE => {
                let $kind = &$kernel.rows_of_one;
                $made
            }
            _ => {
                let $apart = &$kernel.apart[$visit.index as usize];
                $other
            }
        }
    };
}

impl<T: Lanes> SweepKernel<T> {
    /// Takes an island in, with its present impulses into `z`, parted into shares; whether it can: where units are visited side by
    /// side, all of them act on one or two free bodies. O(rows).
    pub(super) fn pack(
        &mut self,
        system: &System,
        weight: &[f64],
        shares: &mut Shares,
        z: &mut Vec<T>,
    ) -> bool {
        let is_whole = self.group(system);
        let units = system.units.len();
        if T::COUNT > 1 && !is_whole {
            return false;
        }
        match system.is_large() && is_whole {
            true => shares.part(units, |i| {
                system.reach(&system.units[i]).unwrap_or_default()
            }),
            false => shares.whole(units),
        }
        self.clear(units / WORTH.min(T::COUNT));
        z.clear();
        z.reserve(system.z.len() / WORTH.min(T::COUNT));
        shares.each(|share| {
            let first = self.visits.len();
            share.from[0] = z.len();
            share.from[1] = share.from[1] * T::PER_SIX / 6;
            self.put_share(system, weight, share.units.clone(), z);
            share.units = first..self.visits.len();
        });
        T::velocities(&system.v_free, &mut self.v_free);
        true
    }

    /// Whether the lanes are full enough to be worth it.
    pub(super) fn is_full(&self) -> bool {
        self.groups.len() >= WORTH * self.visits.len()
    }

    /// Groups the units; whether all of them act on free bodies whose coordinates begin at multiples of six.
    fn group(&mut self, system: &System) -> bool {
        self.groups.clear();
        let mut is_whole = true;
        for (i, unit) in system.units.iter().enumerate() {
            let (kind, bodies) = acting(system, unit);
            let is_aligned = |at: &u32| *at == NONE || at.is_multiple_of(6);
            is_whole &= kind != APART && bodies.iter().all(is_aligned);
            let is_idle = system.is_idle(unit);
            let i = i as u32;
            match self.groups.last_mut() {
                Some(last) if kind != APART && (last.kind, last.bodies) == (kind, bodies) => {
                    last.units.end = i + 1;
                    last.is_idle &= is_idle;
                }
                _ => self.groups.push(Group {
                    kind,
                    bodies,
                    units: i..i + 1,
                    is_idle,
                }),
            }
        }
        is_whole
    }

    fn clear(&mut self, units: usize) {
        self.visits.clear();
        self.visits.reserve(units);
        self.apart.clear();
        self.slots.clear();
        let mut count = [0; APART as usize + 1];
        for group in &self.groups {
            count[group.kind as usize] += group.units.len();
        }
        let room = |kind: u32| count[kind as usize] / WORTH.min(T::COUNT);
        self.contacts_of_two.clear(room(CONTACT_OF_TWO));
        self.contacts_of_one.clear(room(CONTACT_OF_ONE));
        self.rows_of_two.clear(room(ROW_OF_TWO));
        self.rows_of_one.clear(room(ROW_OF_ONE));
        let units = self.groups.last().map_or(0, |group| group.units.end);
        self.slots.resize(units as usize, (0, 0));
    }

    /// Puts the groups of some units into visits.
    fn put_share(&mut self, system: &System, weight: &[f64], units: Range<usize>, z: &mut Vec<T>) {
        let at = |unit: usize| {
            self.groups
                .partition_point(|group| (group.units.start as usize) < unit)
        };
        let own = at(units.start)..at(units.end);
        let bodies = system.dim().div_ceil(6);
        let sorted = (self.colours).sort(T::COUNT > 1, own, bodies, &self.groups);
        let mut last = None;
        let mut lane = 0;
        for place in sorted {
            let group = &self.groups[place.group as usize];
            lane += 1;
            let joins = last.is_some_and(|last| place.may_join(last));
            let is_new = !joins || lane == T::COUNT;
            (last, lane) = (Some(place), if is_new { 0 } else { lane });
            let range = group.units.start as usize..group.units.end as usize;
            let mut index = self.apart.len() as u32;
            macro_rules! put {
                ($kind:expr) => {{
                    if is_new {
                        index = $kind.begin(z.len());
                    }
                    let units = &system.units[range.clone()];
                    let mut at = $kind.put(lane, system, units, weight, z);
                    for (slot, unit) in self.slots[range].iter_mut().zip(units) {
                        *slot = (at, lane as u32);
                        at += unit.width;
                    }
                }};
            }
            match group.kind {
                CONTACT_OF_TWO => put!(self.contacts_of_two),
                CONTACT_OF_ONE => put!(self.contacts_of_one),
                ROW_OF_TWO => put!(self.rows_of_two),
                ROW_OF_ONE => put!(self.rows_of_one),
                _ => {
                    self.slots[range.start] = (z.len() as u32, 0);
                    (self.apart).push(Apart::new(system, range.start, weight, z));
                }
            }
            if is_new {
                self.visits.push(Visit {
                    kind: group.kind,
                    index,
                    is_idle: group.is_idle,
                });
            }
        }
    }

    /// Writes impulses back to the system.
    pub(super) fn give(&self, z: &[T], weight: &[f64], system: &mut System) {
        for (unit, &(at, lane)) in system.units.iter().zip(&self.slots) {
            let own = system.z[unit.range()].iter_mut();
            for (k, (f, w)) in own.zip(&weight[unit.range()]).enumerate() {
                *f = z[at as usize + k].lane(lane as usize) / w.sqrt();
            }
        }
    }

    /// The units of every visit, first to last, in their order.
    #[cfg(test)]
    pub(super) fn units(&self) -> Vec<Vec<usize>> {
        let mut units: Vec<_> = (0..self.slots.len()).collect();
        units.sort_by_key(|&i| self.slots[i]);
        let first = |visit: &Visit| of!(self, visit, kind => kind.first(visit.index), apart => apart.first());
        let mut starts: Vec<_> = self.visits.iter().map(first).collect();
        starts.push(u32::MAX);
        let at = |z: u32| units.partition_point(|&i| self.slots[i].0 < z);
        let of_visit = |ends: &[u32]| units[at(ends[0])..at(ends[1])].to_vec();
        starts.windows(2).map(of_visit).collect()
    }

    /// Visits the units one after another; impulses and velocities begin at `from`.
    pub(super) fn forward(
        &self,
        system: &System,
        visits: Range<usize>,
        Present { z, v, from }: Present<'_, T>,
    ) {
        for &visit in &self.visits[visits] {
            self.visit(system, visit, Present { z, v, from });
        }
    }

    /// The other way round; what is likely to be left at nothing, and was just left at that, waits for the next pair.
    pub(super) fn backward(
        &self,
        system: &System,
        visits: Range<usize>,
        Present { z, v, from }: Present<'_, T>,
    ) {
        for &visit in self.visits[visits].iter().rev() {
            let is_left = visit.is_idle
                && of!(self, visit, kind => kind.is_empty(visit.index, z, from[0]),
                    apart => apart.is_empty(z));
            if !is_left {
                self.visit(system, visit, Present { z, v, from });
            }
        }
    }

    #[inline(always)]
    fn visit(&self, system: &System, visit: Visit, Present { z, v, from }: Present<'_, T>) {
        of!(self, visit, kind => kind.visit(visit.index, Present { z, v, from }),
            apart => apart.visit(system, z, v));
    }

    /// The worst natural map ([`crate::law::natural`]) of visits [m/s].
    pub(super) fn worst(&self, system: &System, visits: Range<usize>, z: &[T], v: &[T]) -> f64 {
        let mut all = 0.0;
        for &visit in &self.visits[visits] {
            let left = of!(self, visit, kind => kind.left(visit.index, z, v),
                apart => apart.left(system, z, v));
            all = (0..T::COUNT).map(|lane| left.lane(lane)).fold(all, worse);
        }
        all
    }

    /// `v = v_free + R'^T f'`.
    pub(super) fn velocity_of(&self, system: &System, z: &[T], v: &mut Vec<T>) {
        v.clone_from(&self.v_free);
        for &visit in &self.visits {
            of!(self, visit, kind => kind.add_to(visit.index, z, v),
                apart => apart.add_to(system, z, v));
        }
    }
}

/// What a unit is visited as, and the first coordinates of the bodies that it acts on.
fn acting(system: &System, unit: &ConstraintBlock) -> (u32, [u32; 2]) {
    let kind = match (unit.law, unit.width) {
        (Law::Cone | Law::Convex, 3) => CONTACT_OF_TWO,
        (Law::Half | Law::Box(_) | Law::Free, 1) => ROW_OF_TWO,
        _ => return (APART, [NONE; 2]),
    };
    if let Some(bodies) = system.body_offsets(unit) {
        (kind, bodies)
    } else if let Some([body]) = system.body_offsets(unit) {
        (kind + CONTACT_OF_ONE, [body, NONE])
    } else {
        (APART, [NONE; 2])
    }
}

/// Puts a unit's rows, divided by `root`, into a lane.
fn whitened<T: Lanes, const B: usize, const K: usize>(
    rows: &mut [[[T; 6]; K]; B],
    lane: usize,
    Rows { system, unit, .. }: Rows<'_>,
    root: [f64; K],
) {
    let Some(on) = system.bodies::<B, K>(unit) else {
        return;
    };
    for (rows, values) in rows.iter_mut().zip(on.rows) {
        for ((row, values), root) in rows.iter_mut().zip(values).zip(root) {
            let scale = 1.0 / root;
            for (to, x) in row.iter_mut().zip(values) {
                to.set(lane, x * scale);
            }
        }
    }
}

/// Products of rows and velocities, in as few steps that wait for each other as there are.
#[inline(always)]
fn dot<T: Lanes>(a: &[T; 6], b: &[T; 6]) -> T {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5])
}

/// `x += rows^T change`.
#[inline(always)]
fn add<T: Lanes, const K: usize>(x: &mut [T; 6], change: &[T; K], rows: &[[T; 6]; K]) {
    for (j, x) in x.iter_mut().enumerate() {
        let mut sum = change[0] * rows[0][j];
        for k in 1..K {
            sum += change[k] * rows[k][j];
        }
        *x += sum;
    }
}
