//! Units on free bodies in fours, in single precision: four visits that act on no body in common are made at once.
//!
//! With impulses `f' = W^1/2 f` and rows `R' = W^-1/2 R~` every number is a root of an energy, a visit is
//! `f' <- Proj(f' - u')` without weights, and the range of single precision holds any masses and units of length.
//! Good to 1e-6 of the velocities: what moves is solved to 1e-4.

mod acts;
mod contact;
mod levels;
mod row;

use super::momentum::{Number, Present, SweepKernel};
use super::shares::Shares;
use crate::law::{Law, Unit, worse};
use crate::system::System;
use acts::{Acts, add, dot};
use contact::{Contact, ContactScale};
use levels::{Acting, Levels, NONE};

use crate::tolerances::WORTH;
use row::{Row, RowScale};
use std::ops::Range;
use wide::f32x4;

const ZERO: f32x4 = f32x4::splat(0.0);
/// Visits side by side.
const LANES: usize = 4;

impl Number for f32x4 {
    fn of(x: f64) -> Self {
        Self::splat(x as f32)
    }
}

/// One lane of numbers side by side.
trait Lane {
    fn set(&mut self, lane: usize, x: f64);
}

impl Lane for f32x4 {
    fn set(&mut self, lane: usize, x: f64) {
        self.as_mut_array()[lane] = x as f32;
    }
}

/// Kinds of units, by what they are visited as.
const CONTACT_OF_TWO: u32 = 0;
const CONTACT_OF_ONE: u32 = 1;
const ROW_OF_TWO: u32 = 2;
/// How many there are.
const KINDS: u32 = 4;

/// Units of one kind side by side; memory is reused.
#[derive(Clone, Debug)]
struct Kind<U, S> {
    units: Vec<U>,
    scales: Vec<S>,
}

impl<U, S> Default for Kind<U, S> {
    fn default() -> Self {
        Self {
            units: Vec::new(),
            scales: Vec::new(),
        }
    }
}

impl<U, S> Kind<U, S> {
    /// Empties it, with room for so many units: which of them share a four changes from solve to solve.
    fn clear(&mut self, units: usize) {
        self.units.clear();
        self.scales.clear();
        self.units.reserve(units / WORTH);
        self.scales.reserve(units / WORTH);
    }
}

/// An island whose units all act on free bodies, in fours; memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Quads {
    /// Kind and index of every four, in the order of visits.
    places: Vec<(u32, u32)>,
    contacts_of_two: Kind<Contact<2>, ContactScale>,
    contacts_of_one: Kind<Contact<1>, ContactScale>,
    rows_of_two: Kind<Row<2>, RowScale>,
    rows_of_one: Kind<Row<1>, RowScale>,
    /// Where the first impulse of every unit of the system is, and its lane.
    slots: Vec<(u32, u32)>,
    /// First impulse of every four that is likely to be left at nothing, which are visited last; [`NONE`] of the others.
    idle: Vec<u32>,
    v_free: Vec<f32x4>,
    levels: Levels,
    acting: Vec<Acting>,
}

/// What a method makes of four units, whichever they are.
macro_rules! of {
    ($quads:expr, $place:expr, ($units:ident, $scale:ident) => $made:expr) => {{
        let (kind, k) = $place;
        let k = k as usize;
        match kind {
            CONTACT_OF_TWO => of!(@ $quads.contacts_of_two, k, ($units, $scale) => $made),
            CONTACT_OF_ONE => of!(@ $quads.contacts_of_one, k, ($units, $scale) => $made),
            ROW_OF_TWO => of!(@ $quads.rows_of_two, k, ($units, $scale) => $made),
            _ => of!(@ $quads.rows_of_one, k, ($units, $scale) => $made),
        }
    }};
    (@ $kind:expr, $k:ident, ($units:ident, $scale:ident) => $made:expr) => {{
        let ($units, $scale) = (&$kind.units[$k], &$kind.scales[$k]);
        $made
    }};
}

impl Quads {
    /// Takes an island in, with its present impulses into `z`, parted into shares; whether it is worth it: all units act
    /// on one or two free bodies, and fours are half full at least. O(rows).
    pub(super) fn pack(
        &mut self,
        (system, weight): (&System, &[f64]),
        shares: &mut Shares,
        z: &mut Vec<f32x4>,
    ) -> bool {
        self.acting.clear();
        for unit in &system.units {
            let Some(acting) = acting(system, unit) else {
                return false;
            };
            self.acting.push(acting);
        }
        let units = system.units.len();
        if system.is_large() {
            shares.part(units, |i| {
                system.reach(&system.units[i]).unwrap_or_default()
            });
            // Two numbers of four a body.
            shares.each(|share| share.from[1] /= 3);
        } else {
            let classes = self.levels.sort(0..units, bodies(system), &self.acting);
            let fours = classes.chunk_by(|a, b| a.0 == b.0);
            let fours: usize = fours.map(|class| class.len().div_ceil(LANES)).sum();
            if units < WORTH * fours {
                return false;
            }
            shares.whole(units);
        }
        self.places.clear();
        self.idle.clear();
        let of = |kind: u32| self.acting.iter().filter(|unit| unit.kind == kind).count();
        let kinds = [CONTACT_OF_TWO, CONTACT_OF_ONE, ROW_OF_TWO, ROW_OF_TWO + 1];
        let [two, one, rows_of_two, rows_of_one] = kinds.map(of);
        self.contacts_of_two.clear(two);
        self.contacts_of_one.clear(one);
        self.rows_of_two.clear(rows_of_two);
        self.rows_of_one.clear(rows_of_one);
        self.places.reserve(units / WORTH);
        self.idle.reserve(units / WORTH);
        self.slots.clear();
        self.slots.resize(units, (0, 0));
        z.clear();
        z.reserve(system.z.len() / WORTH);
        shares.each(|share| {
            let first = self.places.len();
            share.from[0] = z.len();
            self.put_share(system, weight, share.units.clone(), z);
            share.units = first..self.places.len();
        });
        self.v_free.clear();
        for six in system.v_free.chunks(6) {
            let at = |j: usize| six.get(j).map_or(0.0, |v| *v as f32);
            self.v_free.push(f32x4::new([at(0), at(1), at(2), at(3)]));
            self.v_free.push(f32x4::new([at(4), at(5), 0.0, 0.0]));
        }
        true
    }

    /// Puts the units of a share into fours.
    fn put_share(
        &mut self,
        system: &System,
        weight: &[f64],
        units: Range<usize>,
        z: &mut Vec<f32x4>,
    ) {
        let sorted = (self.levels).sort(units, bodies(system), &self.acting);
        let mut last = None;
        let mut lane = 0;
        for &(class, i) in sorted {
            let unit = &system.units[i as usize];
            let kind = self.acting[i as usize].kind;
            lane += 1;
            let is_new = last != Some(class) || lane == LANES;
            (last, lane) = (Some(class), if is_new { 0 } else { lane });
            let start = z.len() as u32;
            let rows = (system, unit, &weight[unit.range()]);
            macro_rules! put {
                ($kind:expr, $empty:expr) => {{
                    if is_new {
                        self.places.push((kind, $kind.units.len() as u32));
                        self.idle.push(if self.acting[i as usize].is_idle {
                            start
                        } else {
                            NONE
                        });
                        $kind.units.push($empty);
                        $kind.scales.push(Default::default());
                        z.resize(z.len() + unit.width as usize, ZERO);
                    }
                    let k = $kind.units.len() - 1;
                    $kind.units[k].put(&mut $kind.scales[k], lane, rows);
                    $kind.units[k].z
                }};
            }
            let at = match kind {
                CONTACT_OF_TWO => put!(self.contacts_of_two, Contact::empty(start)),
                CONTACT_OF_ONE => put!(self.contacts_of_one, Contact::empty(start)),
                ROW_OF_TWO => put!(self.rows_of_two, Row::empty(start)),
                _ => put!(self.rows_of_one, Row::empty(start)),
            };
            self.slots[i as usize] = (at, lane as u32);
            let impulses = system.z[unit.range()].iter().zip(&weight[unit.range()]);
            for (k, (f, w)) in impulses.enumerate() {
                z[at as usize + k].set(lane, f * w.sqrt());
            }
        }
    }

    /// Writes impulses back to the system.
    pub(super) fn give(&self, z: &[f32x4], weight: &[f64], system: &mut System) {
        for (unit, &(at, lane)) in system.units.iter().zip(&self.slots) {
            let own = system.z[unit.range()].iter_mut();
            for (k, (f, w)) in own.zip(&weight[unit.range()]).enumerate() {
                let scaled = z[at as usize + k].as_array()[lane as usize];
                *f = f64::from(scaled) / w.sqrt();
            }
        }
    }

    /// The units of every visit, first to last.
    #[cfg(test)]
    pub(super) fn visits(&self) -> Vec<Vec<usize>> {
        let mut units: Vec<_> = (0..self.slots.len()).collect();
        units.sort_by_key(|&i| self.slots[i]);
        let same = |a: &usize, b: &usize| self.slots[*a].0 == self.slots[*b].0;
        units.chunk_by(same).map(<[usize]>::to_vec).collect()
    }

    /// Whether a four that is likely to be left at nothing has just been left at that: it waits for the next pair.
    #[inline(always)]
    fn is_left(&self, i: usize, z: &[f32x4], start: usize) -> bool {
        let at = self.idle[i];
        at != NONE && z[at as usize - start] == ZERO
    }

    #[inline(always)]
    fn visit(&self, i: usize, (lists, from): Present<'_, f32x4>) {
        match self.places[i] {
            (CONTACT_OF_TWO, k) => self.contacts_of_two.units[k as usize].visit(lists, from),
            (CONTACT_OF_ONE, k) => self.contacts_of_one.units[k as usize].visit(lists, from),
            (ROW_OF_TWO, k) => self.rows_of_two.units[k as usize].visit(lists, from),
            (_, k) => self.rows_of_one.units[k as usize].visit(lists, from),
        }
    }
}

impl SweepKernel for Quads {
    type Number = f32x4;

    const DRIFTS: bool = true;

    fn forward(&self, visits: Range<usize>, ((z, v), from): Present<'_, f32x4>) {
        for i in visits {
            self.visit(i, ((z, v), from));
        }
    }

    fn backward(&self, visits: Range<usize>, ((z, v), from): Present<'_, f32x4>) {
        for i in visits.rev() {
            if !self.is_left(i, z, from[0]) {
                self.visit(i, ((z, v), from));
            }
        }
    }

    fn worst(&self, visits: Range<usize>, lists: (&[f32x4], &[f32x4])) -> f64 {
        let mut worst = 0.0;
        for i in visits {
            let left = of!(self, self.places[i], (units, scale) => units.left(scale, lists));
            let left = left.unwrap_or(ZERO).to_array();
            worst = left.into_iter().map(f64::from).fold(worst, worse);
        }
        worst
    }

    fn velocity_of(&self, z: &[f32x4], v: &mut Vec<f32x4>) {
        v.clone_from(&self.v_free);
        for &place in &self.places {
            of!(self, place, (units, _scale) => units.add_to(z, v));
        }
    }

    fn turn(&self, _: usize, [old, z, before]: [&[f32x4]; 3]) -> f64 {
        let steps = old.iter().zip(z).zip(before);
        let turn = steps.map(|((old, z), before)| (*old - *z) * (*z - *before));
        turn.fold(ZERO, |a, b| a + b)
            .to_array()
            .map(f64::from)
            .iter()
            .sum()
    }
}

/// Sixes of coordinates: the free bodies.
fn bodies(system: &System) -> usize {
    system.dim().div_ceil(6)
}

/// What a unit acts on; none where it is not one of one or two free bodies.
fn acting(system: &System, unit: &Unit) -> Option<Acting> {
    let kind = match (unit.law, unit.width) {
        (Law::Cone | Law::Convex, 3) => CONTACT_OF_TWO,
        (Law::Half | Law::Box(_) | Law::Free, 1) => ROW_OF_TWO,
        _ => return None,
    };
    let [first, second] = system.body_offsets(unit)?;
    let bodies = [first? / 6, second.map_or(NONE, |at| at / 6)];
    let kind = kind + u32::from(second.is_none());
    Some(Acting {
        bodies,
        kind,
        is_idle: system.is_idle(unit),
    })
}
