//! Nesterov's momentum over symmetric sweeps, whatever form the rows of an island have.

use super::shares::{Lists, Shares};
use super::threads::in_pool;
use super::{Ended, Goal};
use crate::tolerances::{BETWEEN_TESTS, FIRST_TESTS, MOMENTUM_HELD, WORSE, WORSE_TESTS};
use std::fmt::Debug;
use std::ops::{Add, Mul, Range, Sub};

/// A number, or several side by side.
pub(super) trait Number:
    Copy + Debug + Send + Sync + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// This number, as often as it takes.
    fn of(x: f64) -> Self;
}

impl Number for f64 {
    fn of(x: f64) -> Self {
        x
    }
}

/// The rows of an island in a form that is swept: sheets of numbers that a visit reads one after another.
pub(super) trait SweepKernel: Sync {
    type Number: Number;

    /// Whether every test computes velocities from the impulses again: extrapolating multiplies their round-off by
    /// the square of the pairs since.
    const DRIFTS: bool;

    /// Visits one after another; impulses and velocities begin at `from`.
    fn forward(&self, visits: Range<usize>, lists: Present<'_, Self::Number>);

    /// The other way round.
    fn backward(&self, visits: Range<usize>, lists: Present<'_, Self::Number>);

    /// The worst natural map ([`crate::law::natural`]) of these visits [m/s].
    fn worst(&self, visits: Range<usize>, lists: (&[Self::Number], &[Self::Number])) -> f64;

    /// `v = v_free + R~^T f`.
    fn velocity_of(&self, z: &[Self::Number], v: &mut Vec<Self::Number>);

    /// `(f_0 - f)^T W (f - f_before)` of impulses that begin at `from`.
    fn turn(&self, from: usize, steps: [&[Self::Number]; 3]) -> f64;
}

/// Impulses and velocities as they are, and where they begin.
pub(super) type Present<'a, T> = ((&'a mut [T], &'a mut [T]), [usize; 2]);

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
        if self.worse == WORSE_TESTS {
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

impl<T: Number> AcceleratedGaussSeidel<T> {
    /// Accelerated symmetric sweeps from the impulses `z`; the best ones found are in `best`. `speed` is what residuals
    /// are relative to. A visit steps one contact against its velocities, the impulses of all others as they are,
    /// ```text
    /// f' = Proj(f - W^-1 u),   v~ += R~^T (f' - f)
    /// ```
    /// and a pair of sweeps (first to last, last to first) is one step of Nesterov's momentum, which
    /// restarts where the step and the way so far point apart in the metric W and is held back where it leads nowhere
    /// ([`MomentumRestart`]). v is linear in f, so extrapolating touches no rows. O(nonzeros of the rows) per sweep.
    pub(super) fn run<S: SweepKernel<Number = T>>(
        &mut self,
        (kernel, shares): (&S, &Shares),
        (goal, speed): (Goal, f64),
    ) -> Ended {
        in_pool(shares.lanes(), || {
            self.steps((kernel, shares), (goal, speed))
        })
    }

    fn steps<S: SweepKernel<Number = T>>(
        &mut self,
        (kernel, shares): (&S, &Shares),
        (goal, speed): (Goal, f64),
    ) -> Ended {
        let residual = |z: &[T], v: &[T]| {
            shares.worst(&|visits: Range<usize>| kernel.worst(visits, (z, v))) / speed
        };
        kernel.velocity_of(&self.z, &mut self.v);
        self.best.clone_from(&self.z);
        let mut least = residual(&self.z, &self.v);
        self.begin();
        let mut ahead = None;
        let mut theta = 1.0_f64;
        let mut restart = MomentumRestart::default();
        let mut done = 0;
        while done < goal.most && (least > goal.tolerance || least.is_nan()) {
            let turn = self.pair((kernel, shares), ahead);
            done += 1;
            if done <= FIRST_TESTS || done % BETWEEN_TESTS == 0 || done == goal.most {
                if S::DRIFTS {
                    kernel.velocity_of(&self.z, &mut self.v);
                    kernel.velocity_of(&self.before, &mut self.v_before);
                }
                let mut left = residual(&self.z, &self.v);
                if left <= goal.tolerance && !S::DRIFTS {
                    // Round-off of many small steps may hide what is left.
                    kernel.velocity_of(&self.z, &mut self.scratch);
                    left = residual(&self.z, &self.scratch);
                }
                if done > FIRST_TESTS {
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
        Ended {
            iterations: done,
            residual: least,
        }
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
            list.resize(like.len(), T::of(0.0));
        }
    }

    /// A pair of sweeps that begins `ahead` of the present impulses, by so much of the last step. Returns how far the step
    /// and the way so far point apart, `(f_0 - f)^T W (f - f_before)`.
    pub(super) fn pair<S: SweepKernel<Number = T>>(
        &mut self,
        (kernel, shares): (&S, &Shares),
        ahead: Option<f64>,
    ) -> f64 {
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
            kernel.turn(lists.from[0], [&*lists.old, &*lists.z, &*lists.before])
        })
    }
}

impl<T: Number> Lists<'_, T> {
    fn present(&mut self) -> Present<'_, T> {
        ((self.z, self.v), self.from)
    }

    /// Begins a pair of sweeps `ahead` of the present ones.
    fn begin(&mut self, ahead: Option<f64>) {
        let Some(beta) = ahead.map(T::of) else {
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
