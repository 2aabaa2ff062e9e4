//! Units on free bodies packed for sweeps: all numbers of a visit in one place, widths fixed at compile time.

mod contact;
mod row;

use crate::law::worse;
use crate::system::System;
use contact::Contact;
use row::Row;
use std::ops::Range;

/// Where the velocities of `B` free bodies are, and `K` rows on each.
#[derive(Clone, Copy, Debug)]
struct Acts<const B: usize, const K: usize> {
    /// First coordinate of each body.
    at: [u32; B],
    rows: [[[f64; 6]; K]; B],
}

/// No impulse.
const NONE: u32 = u32::MAX;

/// Where a unit is visited.
#[derive(Clone, Copy, Debug)]
enum Place {
    ContactOfOne(u32),
    ContactOfTwo(u32),
    RowOfOne(u32),
    RowOfTwo(u32),
    /// Rows of joints, trees, spins: by the system.
    Apart,
}

/// All packed units of an island; memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Packed {
    places: Vec<Place>,
    /// Units in the order of visits, and the first impulse of those that are idle ([`NONE`] of others).
    order: Vec<(u32, u32)>,
    /// Idle ones on their way there; empty between uses.
    idle: Vec<(u32, u32)>,
    contacts_of_one: Vec<Contact<1>>,
    contacts_of_two: Vec<Contact<2>>,
    rows_of_one: Vec<Row<1>>,
    rows_of_two: Vec<Row<2>>,
}

/// What a method makes of a packed unit, whichever it is.
macro_rules! of {
    ($packed:expr, $place:expr, $unit:ident => $made:expr, else $apart:expr) => {
        match $place {
            Place::ContactOfOne(k) => {
                let $unit = &$packed.contacts_of_one[k as usize];
                $made
            }
            Place::ContactOfTwo(k) => {
                let $unit = &$packed.contacts_of_two[k as usize];
                $made
            }
            Place::RowOfOne(k) => {
                let $unit = &$packed.rows_of_one[k as usize];
                $made
            }
            Place::RowOfTwo(k) => {
                let $unit = &$packed.rows_of_two[k as usize];
                $made
            }
            Place::Apart => $apart,
        }
    };
}

impl Packed {
    /// Packs what can be packed. O(rows).
    pub(super) fn pack(&mut self, system: &System, weight: &[f64]) {
        self.places.clear();
        self.order.clear();
        self.contacts_of_one.clear();
        self.contacts_of_two.clear();
        self.rows_of_one.clear();
        self.rows_of_two.clear();
        for unit in &system.units {
            let weight = &weight[unit.range()];
            let place = if let Some(contact) = Contact::pack(system, unit, weight) {
                Place::ContactOfTwo(put(&mut self.contacts_of_two, contact))
            } else if let Some(row) = Row::pack(system, unit, weight) {
                Place::RowOfTwo(put(&mut self.rows_of_two, row))
            } else if let Some(contact) = Contact::pack(system, unit, weight) {
                Place::ContactOfOne(put(&mut self.contacts_of_one, contact))
            } else if let Some(row) = Row::pack(system, unit, weight) {
                Place::RowOfOne(put(&mut self.rows_of_one, row))
            } else {
                Place::Apart
            };
            self.places.push(place);
        }
    }

    /// Puts the idle ones of these units behind the others.
    pub(super) fn sort(&mut self, system: &System, units: Range<usize>) {
        for i in units {
            let unit = &system.units[i];
            match system.is_idle(unit) {
                true => self.idle.push((i as u32, unit.at)),
                false => self.order.push((i as u32, NONE)),
            }
        }
        self.order.append(&mut self.idle);
    }

    /// The units in the order of visits.
    #[cfg(test)]
    pub(super) fn visits(&self) -> Vec<Vec<usize>> {
        self.order.iter().map(|&(i, _)| vec![i as usize]).collect()
    }

    /// Whether no unit is visited by the system.
    pub(super) fn is_whole(&self) -> bool {
        !(self.places.iter()).any(|place| matches!(place, Place::Apart))
    }

    /// Visits units one after another; impulses and velocities begin at `from`, and `apart` visits what is not packed.
    pub(super) fn forward(
        &self,
        units: Range<usize>,
        ((z, v), from): ((&mut [f64], &mut [f64]), [usize; 2]),
        apart: &impl Fn(usize, (&mut [f64], &mut [f64])),
    ) {
        for &(i, _) in &self.order[units] {
            self.visit(i as usize, ((z, v), from), apart);
        }
    }

    /// The other way round.
    pub(super) fn backward(
        &self,
        units: Range<usize>,
        ((z, v), from): ((&mut [f64], &mut [f64]), [usize; 2]),
        apart: &impl Fn(usize, (&mut [f64], &mut [f64])),
    ) {
        for &(i, at) in self.order[units].iter().rev() {
            // What was just left at nothing waits for the next pair.
            if at == NONE || z[at as usize - from[0]] != 0.0 {
                self.visit(i as usize, ((z, v), from), apart);
            }
        }
    }

    #[inline(always)]
    fn visit(
        &self,
        i: usize,
        (lists, from): ((&mut [f64], &mut [f64]), [usize; 2]),
        apart: &impl Fn(usize, (&mut [f64], &mut [f64])),
    ) {
        match self.places[i] {
            Place::ContactOfTwo(k) => self.contacts_of_two[k as usize].visit(lists, from),
            Place::ContactOfOne(k) => self.contacts_of_one[k as usize].visit(lists, from),
            place => self.visit_other((i, place), (lists, from), apart),
        }
    }

    /// A call, so that contacts are visited in a small loop.
    #[inline(never)]
    fn visit_other(
        &self,
        (i, place): (usize, Place),
        (lists, from): ((&mut [f64], &mut [f64]), [usize; 2]),
        apart: &impl Fn(usize, (&mut [f64], &mut [f64])),
    ) {
        match place {
            Place::RowOfTwo(k) => self.rows_of_two[k as usize].visit(lists, from),
            Place::RowOfOne(k) => self.rows_of_one[k as usize].visit(lists, from),
            _ => apart(i, lists),
        }
    }

    /// The worst natural map of units ([`crate::law::natural`]); `apart` tells that of one that is not packed.
    pub(super) fn worst(
        &self,
        units: Range<usize>,
        lists: (&[f64], &[f64]),
        apart: impl Fn(usize) -> f64,
    ) -> f64 {
        let left =
            units.map(|i| of!(self, self.places[i], unit => unit.left(lists), else apart(i)));
        left.fold(0.0, worse)
    }
}

fn put<T>(list: &mut Vec<T>, unit: T) -> u32 {
    list.push(unit);
    list.len() as u32 - 1
}

/// The product in two interleaved sums, as vector units of two numbers take it.
#[inline(always)]
fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    (a[0] * b[0] + a[2] * b[2] + a[4] * b[4]) + (a[1] * b[1] + a[3] * b[3] + a[5] * b[5])
}

/// The velocity of a body.
#[inline(always)]
fn six(v: &[f64], at: usize) -> Option<&[f64; 6]> {
    v.get(at..at + 6)?.try_into().ok()
}

#[inline(always)]
fn six_mut(v: &mut [f64], at: usize) -> Option<&mut [f64; 6]> {
    v.get_mut(at..at + 6)?.try_into().ok()
}
