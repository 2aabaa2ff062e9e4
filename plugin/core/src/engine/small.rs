//! Small islands: robots, chains, few bodies.

use super::chain::{Chain, HOPELESS};
use super::driver::{EPS, EXACT, LEFT, NEAR, STANDING, STILL, coming, path, rests, taken};
use super::newton::{Run, Stride};
use super::{Engine, Goal};
use crate::problem::{ContactProblem, Island};
use crate::settings::{Budget, Tolerances};

impl Engine {
    /// Newton's method, after sweeps where it does not see at once what sticks and slides, then with safer steps. What
    /// moves is done once its residual is small enough for that.
    pub(super) fn small(
        &mut self,
        place: (&ContactProblem, Island<'_>),
        chain: &mut Chain,
        tolerances: Tolerances,
        budget: Budget,
    ) {
        let taken = taken(place, EXACT);
        if chain.is_done(taken) {
            return;
        }
        let run = |stride, steps| Run {
            stride,
            eps: EPS,
            steps,
            flops: budget.flops,
            goal: taken,
            enough: tolerances.rest,
        };
        let path = path(tolerances, budget);
        let moves = chain.residual > NEAR;
        let enough = match moves {
            true => tolerances.motion,
            false => tolerances.rest,
        };
        let heap_moves = moves && self.is_heap();
        // Up to which it is sought further: a heap that moves is left at that, and what comes to rest where the next step
        // goes on.
        let (sought, swept) = match heap_moves {
            true => (enough, enough),
            false if moves => (tolerances.rest, EXACT),
            false => (coming(chain.residual, tolerances), EXACT),
        };
        let sweeps = |most| Goal {
            most,
            tolerance: swept,
        };
        let asks = self.system.asks();
        // Held and unilateral rows have a descent that always converges.
        let is_swept = heap_moves && !chain.is_linear;
        let left = match is_swept {
            true => LEFT * enough,
            false => enough,
        };
        if heap_moves {
            chain.sweep(self, sweeps(30));
            if is_swept && chain.is_done(enough) && !rests(place, STILL) {
                return;
            }
        }
        chain.newton(self, place, run(Stride::Full, 20));
        if chain.is_done(tolerances.rest) {
            return;
        }
        if self.system.yield_contradictory(tolerances.rest) {
            chain.measure(self);
            chain.newton(self, place, run(Stride::Full, 20));
            if chain.is_done(tolerances.rest) {
                return;
            }
        }
        if asks && chain.is_squeezed(self) {
            return;
        }
        if is_swept && self.sweep_on(place, chain, (run(Stride::Full, 20), enough), budget) {
            return;
        }
        if chain.is_convex {
            let gains = chain.descend(self, place, path(200));
            // A descent that gains nothing far from an answer has no answer to find. Of held and unilateral rows it stops
            // at rows that contradict each other.
            let is_hopeless = gains.is_some_and(|gains| {
                let is_stuck = chain.is_linear && !chain.is_done(tolerances.motion);
                is_stuck || !gains && !chain.is_done(HOPELESS)
            });
            if is_hopeless || chain.is_done(tolerances.rest) {
                return;
            }
        }
        chain.sweep(self, sweeps(30));
        for stride in [Stride::Full, Stride::Falling, Stride::Proximal] {
            if asks && chain.is_squeezed(self) {
                return;
            }
            chain.newton(self, place, run(stride, 20));
            // What is nearly at rest's tolerance goes on: a humanoid ends above it in 0.4 % of its steps instead of 5.2 %.
            let is_near = !heap_moves && chain.is_done(STANDING * enough);
            if chain.is_done(sought) || chain.is_done(left) && !is_near {
                return;
            }
        }
        if chain.is_done(left) {
            return;
        }
        // An island with prescribed motion that is still this far from an answer is mostly squeezed between rows that
        // contradict each other; the methods below rarely improve it, or a heap that is pushed.
        if chain.is_done(sought) || asks && (is_swept || !chain.is_done(HOPELESS)) {
            return;
        }
        chain.sweep(self, sweeps(budget.pairs));
        chain.newton(self, place, run(Stride::Full, 20));
        // The remaining methods start from zero impulses.
        for method in [Anew::Sweeps, Anew::Factors] {
            if chain.is_done(sought) {
                return;
            }
            self.system.forget();
            match method {
                Anew::Sweeps => chain.sweep(self, sweeps(budget.pairs)),
                Anew::Factors if chain.is_convex => {
                    chain.descend(self, place, path(1500));
                }
                Anew::Factors => chain.newton(self, place, run(Stride::Proximal, 40)),
            }
            chain.newton(self, place, run(Stride::Full, 20));
        }
        // What is farther off after all this has no answer as a rule: bodies squeezed by what moves as prescribed. What is
        // near may have one (`problems_that_once_broke_a_solver`), but for convex laws that are pushed, of which a descent
        // finds it. Without factors it was not much.
        let hopes = budget.flops == 0 || chain.is_done(NEAR) && !(chain.is_convex && asks);
        if !hopes || chain.is_done(tolerances.motion) {
            return;
        }
        chain.newton(self, place, run(Stride::Proximal, 100));
        if chain.is_done(tolerances.motion) {
            return;
        }
        chain.sweep(self, sweeps(10 * budget.pairs));
        chain.newton(self, place, run(Stride::Full, 20));
        chain.newton(self, place, run(Stride::Proximal, 100));
    }

    /// A heap in motion is swept to the end before safer methods: 20 proximal steps take as long as 300 pairs of sweeps and
    /// gain less. What is near the tolerance then gets more sweeps, what is farther away goes to other methods. Returns whether
    /// the residual is small enough.
    fn sweep_on(
        &mut self,
        place: (&ContactProblem, Island<'_>),
        chain: &mut Chain,
        (run, enough): (Run, f64),
        budget: Budget,
    ) -> bool {
        let stands = rests(place, STILL);
        let tolerance = match stands {
            true => STANDING * enough,
            false => enough,
        };
        for most in [budget.pairs, 3 * budget.pairs] {
            chain.sweep(self, Goal { most, tolerance });
            if stands || !chain.is_done(enough) {
                chain.newton(self, place, run);
            }
            if chain.is_done(enough) || !chain.is_done(LEFT * enough) {
                break;
            }
        }
        chain.is_done(LEFT * enough)
    }
}

/// How an island starts again where the last impulses are a bad start.
#[derive(Clone, Copy)]
enum Anew {
    Sweeps,
    Factors,
}
