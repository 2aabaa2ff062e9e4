//! Bodies that can't be pushed out of what they are in, because they stick to it.
//!
//! A ball in a valley that sticks to both of its walls has no velocity that leaves both. The answer is then a
//! compromise, and the step is solved again with its penetrations put right without velocity. As such a body
//! stays where it is, that is what becomes of its penetrations from the start for a while: one island that is
//! pinched neither costs every step a second solve nor takes the pushes from the others.

use crate::contacts::Contact;
use rapier::prelude::RigidBodyHandle;
use stickslip_core::problem::{ContactProblem, Island};

/// For how many steps a body counts as pinched.
const STEPS: u64 = 100;

/// The bodies that were pinched lately.
#[derive(Debug, Default)]
#[cfg_attr(
    feature = "serde-serialize",
    derive(serde::Serialize, serde::Deserialize)
)]
pub(crate) struct Pinched {
    /// Number of the step.
    now: u64,
    /// By the index of the body, the step up to which it counts as pinched.
    until: Vec<Option<(RigidBodyHandle, u64)>>,
}

fn index(handle: RigidBodyHandle) -> usize {
    handle.into_raw_parts().0 as usize
}

/// Whether a row of the island was not met.
fn falls_short(problem: &ContactProblem, island: Island<'_>, unmet: &[bool]) -> bool {
    let n = problem.contact_count();
    let is_unmet = |row: usize| unmet.get(row).copied().unwrap_or(false);
    island.groups.iter().any(|&group| {
        let group = group as usize;
        match group.checked_sub(n) {
            None => (3 * group..3 * group + 3).any(is_unmet),
            Some(scalar) => is_unmet(problem.scalar_row(scalar).0),
        }
    })
}

impl Pinched {
    /// The next step begins.
    pub(crate) fn begin(&mut self) {
        self.now += 1;
    }

    /// Whether the body was pinched lately.
    #[inline]
    pub(crate) fn holds(&self, body: RigidBodyHandle) -> bool {
        let known = self.until.get(index(body)).copied().flatten();
        known.is_some_and(|(handle, until)| handle == body && until >= self.now)
    }

    /// Takes the bodies that are pushed out of something (`pushed`: those of a contact that the
    /// problem solves for) in islands where rows were not met for pinched ones. True if that is news of any.
    /// O(groups).
    pub(crate) fn learn(
        &mut self,
        problem: &ContactProblem,
        unmet: &[bool],
        contacts: &[Contact],
        pushed: impl Fn(usize) -> [Option<RigidBodyHandle>; 2],
    ) -> bool {
        let mut news = false;
        for island in problem.islands() {
            if !falls_short(problem, island, unmet) {
                continue;
            }
            for &group in island.groups {
                let contact = contacts.get(group as usize);
                if contact.is_some_and(Contact::is_pushed) {
                    for body in pushed(group as usize).into_iter().flatten() {
                        news |= self.take(body);
                    }
                }
            }
        }
        news
    }

    /// Counts a body as pinched from now on; false if it did before.
    fn take(&mut self, body: RigidBodyHandle) -> bool {
        let known = self.holds(body);
        let index = index(body);
        if self.until.len() <= index {
            self.until.resize(index + 1, None);
        }
        self.until[index] = Some((body, self.now + STEPS));
        !known
    }
}
