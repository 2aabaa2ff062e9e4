//! Bases carried over from step to step.

use super::layout::{Layout, Part};
use crate::models::WarmStart;
use crate::problem::ContactProblem;

/// Fills the basis of the last solve; false if nothing is known of this island.
pub(super) fn recall(
    layout: &Layout,
    problem: &ContactProblem,
    warm: &mut WarmStart,
    basis: &mut Vec<bool>,
) -> bool {
    basis.clear();
    basis.resize(layout.variables.len(), false);
    let n = problem.contact_count();
    let mut known = false;
    for part in &layout.parts {
        let group = part.group as usize;
        let state = match group.checked_sub(n) {
            None => warm.contact(group, problem.contacts()[group].key),
            Some(scalar) => warm.scalar(scalar, problem.scalars()[scalar].0),
        };
        let Some(mut state) = state.filter(|&s| s != 0) else {
            continue;
        };
        known = true;
        while state != 0 {
            let at = part.first + (state & 0xff) - 1;
            if at < part.end {
                basis[at as usize] = true;
            }
            state >>= 8;
        }
    }
    known
}

/// Records the basis that a solve ended with, in a problem of so many contacts.
pub(super) fn record(layout: &Layout, basis: &[bool], (contacts, warm): (usize, &mut WarmStart)) {
    if basis.len() != layout.variables.len() {
        return;
    }
    for part in &layout.parts {
        let state = remember(part, basis);
        let group = part.group as usize;
        match group.checked_sub(contacts) {
            None => warm.record_contact(group, state),
            Some(scalar) => warm.record_scalar(scalar, state),
        }
    }
}

/// The basic variables of a group, counted from 1 in four bytes; 0 if there are more than four.
fn remember(part: &Part, basis: &[bool]) -> u32 {
    let mut state = 0_u32;
    for at in (part.first..part.end).rev() {
        if basis[at as usize] {
            if state >> 24 != 0 || at - part.first >= 255 {
                return 0;
            }
            state = state << 8 | (at - part.first + 1);
        }
    }
    state
}
