//! Nesterov's momentum over symmetric sweeps, whatever form the rows of an island have.

use super::kernel::{Entry, Kernel, Present};
use super::shares::Lists;
use super::{Ended, Goal};
use crate::threads::in_pool;
use crate::tolerances::{BETWEEN_TESTS, MOMENTUM_HELD, PATIENCE, WORSE};
use std::ops::Range;

/// Impulses and velocities on their way; memory is reused.
#[derive(Clone, Debug)]
pub(super) struct AcceleratedGaussSeidel<T> {
    pub(super) z: Vec<T>,
    pub(super) v: Vec<T>,
    /// Impulses before the last two pairs of sweeps, and the velocity of the earlier ones.
    old: Vec<T>,
    before: Vec<T>,
    v_before: Vec<T>,
    /// The best impulses so far.
    pub(super) best: Vec<T>,
    /// A velocity computed from the impulses.
    scratch: Vec<T>,
}

impl<T> Default for AcceleratedGaussSeidel<T> {
    fn default() -> Self {
        Self {
            z: Vec::new(),
            v: Vec::new(),
            old: Vec::new(),
            before: Vec::new(),
            v_before: Vec::new(),
            best: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

/// Holds momentum back. The exact law is not the slope of a convex function: where contacts slide, errors may turn while they
/// decay, and momentum amplifies errors that turn. Sweeps without momentum converge there.
#[derive(Debug)]
struct MomentumRestart {
    /// Share of the last step that is not taken again, at least.
    held: f64,
    worse: usize,
    /// The best test since it changed.
    least: f64,
}

impl MomentumRestart {
    /// A test found this residual.
    fn test(&mut self, left: f64) {
        self.least = self.least.min(left);
        self.worse = match left > WORSE * self.least {
            true => self.worse + 1,
            false => 0,
        };
        if self.worse == PATIENCE {
            let held = match self.held < 1.0 {
                true => (2.0 * self.held).clamp(MOMENTUM_HELD, 1.0),
                false => 0.0,
            };
            *self = Self {
                held,
                ..Self::default()
            };
        }
    }
}

impl Default for MomentumRestart {
    fn default() -> Self {
        Self {
            held: 0.0,
            worse: 0,
            least: f64::INFINITY,
        }
    }
}

impl<T: Entry> AcceleratedGaussSeidel<T> {
    /// Accelerated symmetric sweeps from the impulses `z`; the best ones found are in `best`. A visit steps one contact
    /// against its velocities, the impulses of all others as they are,
    /// ```text
    /// f' = Proj(f - W^-1 u),   v~ += R~^T (f' - f)
    /// ```
    /// and a pair of sweeps (first to last, last to first) is one step of Nesterov's momentum, which
    /// restarts where the step and the way so far point apart in the metric W and is held back where it leads nowhere
    /// ([`MomentumRestart`]). v is linear in f, so extrapolating touches no rows. O(nonzeros of the rows) per sweep. The goal follows
    /// from the residual before, which is returned with how it ended.
    pub(super) fn run(
        &mut self,
        kernel: &impl Kernel<T>,
        goal: impl Fn(f64) -> Goal + Send,
    ) -> (f64, Ended) {
        in_pool(kernel.shares().lanes(), || self.steps(kernel, goal))
    }

    fn steps(&mut self, kernel: &impl Kernel<T>, goal: impl Fn(f64) -> Goal) -> (f64, Ended) {
        kernel.velocity_of(&self.z, &mut self.v);
        self.best.clone_from(&self.z);
        let first = kernel.residual(&self.z, &self.v);
        let goal = goal(first);
        let mut least = first;
        self.begin();
        let mut ahead = None;
        let mut theta = 1.0_f64;
        let mut restart = MomentumRestart::default();
        let mut done = 0;
        while done < goal.most && (least > goal.tolerance || least.is_nan()) {
            let turn = self.pair(kernel, ahead);
            done += 1;
            if done <= PATIENCE || done % BETWEEN_TESTS == 0 || done == goal.most {
                if T::DRIFTS {
                    kernel.velocity_of(&self.z, &mut self.v);
                    kernel.velocity_of(&self.before, &mut self.v_before);
                }
                let mut left = kernel.residual(&self.z, &self.v);
                if left <= goal.tolerance && !T::DRIFTS {
                    // Round-off of many small steps may hide what is left.
                    kernel.velocity_of(&self.z, &mut self.scratch);
                    left = kernel.residual(&self.z, &self.scratch);
                }
                if done > PATIENCE {
                    restart.test(left);
                }
                if left < least || least.is_nan() {
                    least = left;
                    self.best.clone_from(&self.z);
                }
                if left.is_nan() {
                    break;
                }
            }
            if turn > 0.0 {
                kernel.velocity_of(&self.z, &mut self.v);
                (ahead, theta) = (None, 1.0);
            } else {
                let next = 0.5 * (1.0 + (1.0 + 4.0 * theta * theta).sqrt());
                let beta = ((theta - 1.0) / next).min(1.0 - restart.held);
                (ahead, theta) = (Some(beta), next);
            }
        }
        let ended = Ended {
            iterations: done,
            residual: least,
        };
        (first, ended)
    }

    /// Reserves the buffers of the previous iterate, and of a velocity that may be computed again.
    pub(super) fn begin(&mut self) {
        self.scratch.clear();
        self.scratch.reserve(self.v.len());
        for (list, like) in [
            (&mut self.old, &self.z),
            (&mut self.before, &self.z),
            (&mut self.v_before, &self.v),
        ] {
            list.resize(like.len(), T::default());
        }
    }

    /// A pair of sweeps that begins `ahead` of the present impulses, by so much of the last step. Returns how far the step
    /// and the way so far point apart, `(f_0 - f)^T W (f - f_before)`.
    pub(super) fn pair(&mut self, kernel: &impl Kernel<T>, ahead: Option<f64>) -> f64 {
        let shares = kernel.shares();
        let mut lists = Lists {
            z: &mut self.z,
            old: &mut self.old,
            before: &mut self.before,
            v: &mut self.v,
            v_before: &mut self.v_before,
            from: [0; 2],
        };
        shares.even(lists.again(), &|visits, mut lists: Lists<'_, T>| {
            lists.begin(ahead);
            kernel.forward(visits, lists.present());
            0.0
        });
        shares.odd(
            lists.again(),
            &|visits: Range<usize>, mut lists: Lists<'_, T>| {
                kernel.forward(visits.clone(), lists.present());
                kernel.backward(visits, lists.present());
                0.0
            },
        );
        shares.even(lists, &|visits, mut lists: Lists<'_, T>| {
            kernel.backward(visits, lists.present());
            lists.turn()
        })
    }
}

impl<T: Entry> Lists<'_, T> {
    fn present(&mut self) -> Present<'_, T> {
        Present {
            z: self.z,
            v: self.v,
            from: self.from,
        }
    }

    /// `(f_0 - f)^T W (f - f_before)`.
    fn turn(&self) -> f64 {
        let steps = self.old.iter().zip(&*self.z).zip(&*self.before);
        let turn = steps.map(|((old, z), before)| (*old - *z) * (*z - *before));
        turn.fold(T::default(), |a, b| a + b).sum()
    }

    /// Begins a pair of sweeps `ahead` of the present ones.
    fn begin(&mut self, ahead: Option<f64>) {
        let Some(beta) = ahead.map(T::all) else {
            self.before.copy_from_slice(self.z);
            self.old.copy_from_slice(self.z);
            self.v_before.copy_from_slice(self.v);
            return;
        };
        let impulses = self.z.iter_mut().zip(&mut *self.before);
        for ((z, before), old) in impulses.zip(&mut *self.old) {
            let next = *z + beta * (*z - *before);
            (*before, *z, *old) = (*z, next, next);
        }
        for (v, before) in self.v.iter_mut().zip(&mut *self.v_before) {
            let next = *v + beta * (*v - *before);
            (*before, *v) = (*v, next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that fall, stay within half more than the best, or are worse now and then leave momentum alone; four worse in
    /// a row take a fifth of it, then each time twice as much, and what follows is judged by what follows.
    #[test]
    fn what_is_worse_again_and_again_is_held_back() {
        let mut restart = MomentumRestart::default();
        for left in [1.0, 0.5, 0.74, 0.9, 0.9, 0.9, 0.6, 0.4] {
            restart.test(left);
            assert_eq!(restart.held, 0.0, "{left}");
        }
        for held in [0.2, 0.4, 0.8, 1.0, 0.0, 0.2] {
            restart.test(0.4);
            for left in [0.7, 0.8, 0.7] {
                let before = restart.held;
                restart.test(left);
                assert_eq!(restart.held, before);
            }
            restart.test(0.7);
            assert_eq!(restart.held, held);
            restart.test(5.0);
            assert_eq!(restart.held, held);
        }
    }
}
