//! How the iterations and Newton's method are put together.

use super::newton::{Effort, LARGEST, Newton};
use super::psor::{Ended, Iteration, psor};
use super::{Friction, Gradient, System, conic};

/// The rows of an island and the memory of everything that works on them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solvers {
    pub(crate) system: System,
    newton: Newton,
    gradient: Gradient,
    /// Impulses a second method starts from.
    start: Vec<f64>,
}

/// How the convex problem is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// Projected successive over-relaxation.
    Psor,
    /// Accelerated projected gradient.
    Apgd,
    /// Interior-point method.
    Conic,
    /// Proximal steps by Newton's method.
    Proximal,
}

/// Residual that Newton's method aims at: a few digits above round-off.
const GOAL: f64 = 1e-12;
/// Residual it may leave where it stops short of its aim.
const ENOUGH: f64 = 1e-10;
/// What Newton's method may do in one go.
const FINISH: Effort = Effort {
    steps: 30,
    goal: GOAL,
    eps: 1e-8,
};
/// Sweeps before Newton's method is first tried, doubled from try to try.
const FIRST_SWEEPS: usize = 20;
/// Solves of the convex problem on the way to the exact law.
const SHIFTS: usize = 30;
/// Those without progress after which the fixed point is given up.
const PATIENCE: usize = 4;

/// Where an iteration starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// From impulses that solved a problem much like this one.
    Warm,
    /// From nothing.
    Cold,
}

impl Solvers {
    /// Whether the island is small enough for Newton's method.
    pub(crate) fn is_small(&self) -> bool {
        self.system.v_free.len() <= LARGEST
    }

    /// Newton's method, where the island is small enough for it.
    fn finish(&mut self, friction: Friction, ended: Ended) -> Ended {
        if !self.is_small() || ended.residual <= GOAL || ended.residual.is_nan() {
            return ended;
        }
        let (steps, residual) = self.newton.run(&mut self.system, friction, &FINISH);
        Ended {
            iterations: ended.iterations + steps,
            residual,
        }
    }

    /// Newton's method from the impulses at hand: by steps that improve, failing that by full ones.
    pub(crate) fn polish(&mut self, friction: Friction) -> Ended {
        let residual = self.system.residual(friction);
        self.start.clone_from(&self.system.z);
        let mut ended = self.finish(
            friction,
            Ended {
                iterations: 0,
                residual,
            },
        );
        // Negated so that a NaN goes on.
        let enough = ended.residual <= ENOUGH;
        if !enough && self.is_small() {
            self.system.z.clone_from(&self.start);
            let (steps, residual) = self.newton.boldly(&mut self.system, friction, &FINISH);
            ended = Ended {
                iterations: ended.iterations + steps,
                residual,
            };
        }
        ended
    }

    /// Solves by the scheme that fits the law and the base.
    pub(crate) fn solve(
        &mut self,
        friction: Friction,
        base: Base,
        (start, how): (Start, &Iteration),
    ) -> Ended {
        match (friction, base) {
            (Friction::Convex, _) => self.convex(base, how),
            (Friction::Exact, Base::Psor) => self.alternating(start, how),
            (Friction::Exact, _) => self.shifted(base, how),
        }
    }

    /// The convex problem, with the lifts as they are.
    fn convex(&mut self, base: Base, how: &Iteration) -> Ended {
        let system = &mut self.system;
        match base {
            Base::Psor => psor(system, Friction::Convex, how),
            Base::Apgd => self.gradient.run(system, how),
            Base::Conic => {
                let iterations = conic(system).unwrap_or(0);
                let residual = system.residual(Friction::Convex);
                let ended = Ended {
                    iterations,
                    residual,
                };
                self.finish(Friction::Convex, ended)
            }
            Base::Proximal => {
                let (iterations, residual) = self.newton.proximal(system, GOAL);
                let ended = Ended {
                    iterations,
                    residual,
                };
                self.finish(Friction::Convex, ended)
            }
        }
    }

    /// The exact law by sweeps and Newton's method in turn: the sweeps find out which contacts
    /// separate, stick and slide, Newton's method finishes on what they found. Where the island is
    /// too large for that, sweeps alone.
    fn alternating(&mut self, start: Start, how: &Iteration) -> Ended {
        if !self.is_small() {
            return psor(&mut self.system, Friction::Exact, how);
        }
        let mut sweeps = match start {
            Start::Warm => 0,
            Start::Cold => FIRST_SWEEPS,
        };
        let mut iterations = 0;
        let mut left = how.sweeps;
        loop {
            let round = Iteration {
                sweeps: sweeps.min(left),
                tolerance: GOAL,
                ..*how
            };
            let ended = psor(&mut self.system, Friction::Exact, &round);
            left -= round.sweeps;
            iterations += ended.iterations;
            let ended = self.finish(
                Friction::Exact,
                Ended {
                    iterations,
                    ..ended
                },
            );
            iterations = ended.iterations;
            // Negated so that a NaN ends it.
            let goes_on = ended.residual > ENOUGH && left > 0;
            if !goes_on {
                return ended;
            }
            sweeps = (2 * sweeps).max(FIRST_SWEEPS);
        }
    }

    /// The exact law by De Saxce's fixed point: the convex problem with the normal velocities
    /// raised by `mu |v_tan|` of its own last solution, until nothing changes. Newton's method
    /// on the exact law is tried from every one of these solutions.
    fn shifted(&mut self, base: Base, how: &Iteration) -> Ended {
        let mut iterations = 0;
        let mut last = Ended {
            iterations: 0,
            residual: f64::INFINITY,
        };
        let (mut least, mut waited) = (f64::INFINITY, 0);
        for _ in 0..SHIFTS {
            iterations += self.convex(base, how).iterations;
            let ended = Ended {
                iterations,
                residual: self.system.residual(Friction::Exact),
            };
            // The next shift is that of the convex solution, whatever Newton's method makes of it.
            self.system.freeze_lift();
            last = self.finish(Friction::Exact, ended);
            iterations = last.iterations;
            let enough = if self.is_small() {
                ENOUGH
            } else {
                how.tolerance
            };
            // Negated so that a NaN ends it.
            let goes_on = last.residual > enough;
            waited = if last.residual < 0.5 * least {
                0
            } else {
                waited + 1
            };
            least = least.min(last.residual);
            if !goes_on || waited > PATIENCE {
                break;
            }
        }
        self.system.drop_lift();
        last
    }
}
