//! A user's physics hooks, asked once a step.
//!
//! A step may look at a pair more than once: in detection, in the real step that takes sleepers out of it
//! ([`crate::sleep`]), in a sweep of continuous detection. The hooks answer in the first of these; the
//! others are given the same answer, so that a hook that counts or draws lots does so once.

use crate::base::pair::{Ends, ends};
use rapier::math::{Real, Vector};
use rapier::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What hooks made of one manifold.
#[derive(Clone, Copy, Debug)]
struct Modified {
    of: (Ends, [u32; 2]),
    /// Where its solver contacts stand among all.
    from: usize,
    count: usize,
    normal: Vector,
    friction: Real,
    restitution: Real,
    user_data: u32,
}

/// What the hooks said in this step; buffers are kept from step to step.
#[derive(Default)]
pub(crate) struct Answers {
    contact_pairs: Vec<(Ends, Option<SolverFlags>)>,
    intersections: Vec<(Ends, bool)>,
    manifolds: Vec<Modified>,
    points: Vec<SolverContact>,
    /// Whether the first look at all pairs is over: the lists are then sorted.
    sorted: bool,
}

impl Answers {
    fn clear(&mut self) {
        self.contact_pairs.clear();
        self.intersections.clear();
        self.manifolds.clear();
        self.points.clear();
        self.sorted = false;
    }
}

/// The hooks of a user, each asked once.
pub(crate) struct Once<'a> {
    hooks: &'a dyn PhysicsHooks,
    answers: Mutex<Answers>,
}

impl<'a> Once<'a> {
    /// For a new step. `answers` is empty or that of an earlier step.
    pub(crate) fn new(hooks: &'a dyn PhysicsHooks, mut answers: Answers) -> Self {
        answers.clear();
        Self {
            hooks,
            answers: Mutex::new(answers),
        }
    }

    /// The buffers, for the next step.
    pub(crate) fn into_answers(self) -> Answers {
        self.answers
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// A part of the step ended: contacts lie elsewhere now.
    pub(crate) fn ask_again(&self) {
        self.lock().clear();
    }

    /// Every pair has been looked at: from here on answers are repeated.
    pub(crate) fn repeat(&self) {
        let mut answers = self.lock();
        answers.contact_pairs.sort_unstable_by_key(|x| x.0);
        answers.intersections.sort_unstable_by_key(|x| x.0);
        answers.manifolds.sort_unstable_by_key(|x| x.of);
        answers.sorted = true;
    }

    /// Whether hooks changed contacts in this step.
    pub(crate) fn modify(&self) -> bool {
        !self.lock().manifolds.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer in one of the lists, asked for if it is not there yet.
    fn ask_once<T: Copy>(
        &self,
        of: Ends,
        list: fn(&mut Answers) -> &mut Vec<(Ends, T)>,
        ask: impl FnOnce() -> T,
    ) -> T {
        let mut answers = self.lock();
        if answers.sorted {
            let list = list(&mut answers);
            if let Ok(at) = list.binary_search_by_key(&of, |x| x.0) {
                return list[at].1;
            }
        }
        drop(answers);
        // The user's code runs outside of the lock.
        let answer = ask();
        let mut answers = self.lock();
        let sorted = answers.sorted;
        let list = list(&mut answers);
        let at = if sorted {
            list.partition_point(|x| x.0 < of)
        } else {
            list.len()
        };
        list.insert(at, (of, answer));
        answer
    }
}

fn of_filter(context: &PairFilterContext<'_>) -> Ends {
    ends(context.collider1, context.collider2)
}

impl PhysicsHooks for Once<'_> {
    fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
        self.ask_once(
            of_filter(context),
            |answers| &mut answers.contact_pairs,
            || self.hooks.filter_contact_pair(context),
        )
    }

    fn filter_intersection_pair(&self, context: &PairFilterContext<'_>) -> bool {
        self.ask_once(
            of_filter(context),
            |answers| &mut answers.intersections,
            || self.hooks.filter_intersection_pair(context),
        )
    }

    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        let pair = ends(context.collider1, context.collider2);
        let parts = |rigid: &ModifiableManifold<'_>| {
            let manifold = rigid.manifold;
            (pair, [manifold.subshape1, manifold.subshape2])
        };
        // Soft surfaces are not stepped.
        let Some(of) = context.rigid().map(parts) else {
            return self.hooks.modify_solver_contacts(context);
        };
        let answers = self.lock();
        if answers.sorted
            && let Ok(at) = answers.manifolds.binary_search_by_key(&of, |x| x.of)
            && let Some(rigid) = context.rigid_mut()
        {
            let found = answers.manifolds[at];
            let points = &answers.points[found.from..found.from + found.count];
            // Found once more a manifold may have lost points (see [`crate::contacts::memory`]).
            let there = rigid.manifold.points.len();
            let is_there = |point: &&SolverContact| {
                usize::try_from(point.contact_indices()[0]).is_ok_and(|index| index < there)
            };
            rigid.solver_contacts.clear();
            rigid
                .solver_contacts
                .extend(points.iter().filter(is_there).copied());
            *rigid.normal = found.normal;
            *rigid.friction = found.friction;
            *rigid.restitution = found.restitution;
            *rigid.user_data = found.user_data;
            return;
        }
        drop(answers);
        self.hooks.modify_solver_contacts(context);
        let Some(rigid) = context.rigid() else { return };
        let mut answers = self.lock();
        let new = Modified {
            of,
            from: answers.points.len(),
            count: rigid.solver_contacts.len(),
            normal: *rigid.normal,
            friction: *rigid.friction,
            restitution: *rigid.restitution,
            user_data: *rigid.user_data,
        };
        let points = rigid.solver_contacts.iter().copied();
        answers.points.extend(points);
        let at = if answers.sorted {
            answers.manifolds.partition_point(|x| x.of < of)
        } else {
            answers.manifolds.len()
        };
        answers.manifolds.insert(at, new);
    }
}
