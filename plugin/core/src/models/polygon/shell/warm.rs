//! The bases that the next solve starts from.
//!
//! A contact remembers a bit for each of its own variables, at most 134, then for its multiplier, for l (the
//! same for all) and for its unilateral row in the frictionless problem; a scalar the same with less room.

use super::super::layout::{Bound, Layout};
use super::Memory;
use crate::models::WarmStart;
use crate::models::warm::Bits;
use crate::problem::ContactProblem;

/// The bit of a multiplier, of l, and the first one of the frictionless problem.
type Places = [usize; 3];
const CONTACT: Places = [160, 161, 162];
const SCALAR: Places = [16, 17, 18];

/// A variable of one of the two problems.
#[derive(Clone, Copy)]
enum Slot {
    Whole(usize),
    Bare(usize),
}

/// Visits every variable with its group and its bit there.
fn pair_up(
    (layout, bare): (&Layout, &Layout),
    contacts: usize,
    mut visit: impl FnMut(u32, usize, Slot),
) {
    let (own, unilaterals) = (layout.variables.len(), layout.unilaterals.len());
    let mut unilateral = 0;
    let mut bounded = bare.units.iter();
    for part in &layout.parts {
        let [nu, l, first] = if (part.group as usize) < contacts {
            CONTACT
        } else {
            SCALAR
        };
        for i in part.first..part.end {
            visit(
                part.group,
                (i - part.first) as usize,
                Slot::Whole(i as usize),
            );
        }
        let its = layout.unilaterals.get(unilateral);
        if its.is_some_and(|its| its.variable == part.first) {
            visit(part.group, nu, Slot::Whole(own + unilateral));
            visit(part.group, l, Slot::Whole(own + unilaterals));
            visit(part.group, first, Slot::Bare(unilateral));
            unilateral += 1;
        } else if part.end > part.first
            && let Some(unit) = bounded.next()
        {
            debug_assert!(matches!(unit.bound, Bound::Constant(_)));
            for i in 0..=unit.count as usize {
                visit(part.group, first + i, Slot::Bare(unit.first as usize + i));
            }
        }
    }
}

impl Memory {
    /// Fills both starts with the bases of the last solve; false if there was none.
    pub(super) fn recall(&mut self, problem: &ContactProblem, warm: &WarmStart) -> bool {
        let n = self.layout.variables.len() + self.layout.unilaterals.len() + 1;
        let [whole, bare] = [&mut self.start, &mut self.bare_start];
        for (list, n) in [(&mut *whole, n), (&mut *bare, self.bare.variables.len())] {
            list.clear();
            list.resize(n, false);
        }
        let contacts = problem.contact_count();
        let mut known = false;
        pair_up((&self.layout, &self.bare), contacts, |group, bit, slot| {
            let bits = warm.group_basis(problem, group as usize);
            known |= bits.is_some();
            let on = bits.is_some_and(|bits| bits[bit / 64] >> (bit % 64) & 1 == 1);
            match slot {
                // Every contact knows l.
                Slot::Whole(i) => whole[i] |= on,
                Slot::Bare(i) => bare[i] |= on,
            }
        });
        known
    }

    /// Records the bases of this solve.
    pub(super) fn record(&self, problem: &ContactProblem, warm: &mut WarmStart) {
        let contacts = problem.contact_count();
        let mut last: Option<(u32, Bits)> = None;
        let mut write = |group: u32, bits: Bits| match (group as usize).checked_sub(contacts) {
            None => warm.record_basis(problem, group as usize, bits),
            Some(scalar) => warm.record_scalar(scalar, bits[0] as u32),
        };
        pair_up((&self.layout, &self.bare), contacts, |group, bit, slot| {
            if let Some((old, bits)) = last
                && old != group
            {
                write(old, bits);
                last = None;
            }
            let on = match slot {
                Slot::Whole(i) => self.basis.get(i),
                Slot::Bare(i) => self.bare_basis.get(i),
            };
            let (_, bits) = last.get_or_insert((group, Bits::default()));
            bits[bit / 64] |= u64::from(on.copied().unwrap_or(false)) << (bit % 64);
        });
        if let Some((group, bits)) = last {
            write(group, bits);
        }
    }
}
