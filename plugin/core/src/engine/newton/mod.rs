//! Primal-dual Newton's method on the rows that act: robots, chains, jointed bodies and other small islands.
//!
//! Each step reads off what every unit does ([`crate::law::linear`]), sets the impulses of those that
//! do not act to what they must be, and solves for the others
//! ```text
//! G dz + H (W + soft + eps D) dz = r - H du       du: change of u by the impulses that were set
//! ```
//! with Delassus' operator `W = R M^-1 R^T`: by the dense matrix over the impulses ([`dense`]) or the sparse one over the
//! velocities ([`sparse`]), whichever is cheaper. The proximal weight eps makes the matrix regular where impulses are not unique, and
//! leaves the solution alone, since its centre moves along. Steps start from impulses that may lie outside
//! their bounds: projecting them between the steps loses what the next step needs. What is measured and kept is a projected copy.

mod dense;
mod equations;
mod sparse;

use super::Ended;
use crate::law::linear::{State, matrices, state, sticking};
use crate::law::natural::map;
use crate::law::{ConstraintBlock, by_width};
use crate::problem::IslandProblem;
use crate::system::System;
use crate::tolerances::{CENTRE_STEPS, FINE, LENGTHS, PATIENCE, PROGRESS, PROXIMAL_WEIGHTS};
use dense::Dense;
use equations::{Equations, Moving, weight};
use sparse::Sparse;

/// How a run of Newton's method steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StepRule {
    /// Whole steps: they pass through worse states on the way to right ones.
    Full,
    /// The same, but the first with every closed contact held, until that fails: for structures at rest without impulses
    /// yet, which tell nothing of what sticks. It shares loads as equal springs would; where those lie inside the cones,
    /// it has the answer.
    AllSticking,
    /// Steps shortened until the natural map falls in the 2-norm, towards the proximal point of a centre that stays for a few
    /// steps, with a weight that falls from round to round.
    Proximal,
}

/// What a run may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) rule: StepRule,
    /// Steps at most.
    pub(crate) steps: usize,
    /// Operations that a step may take.
    pub(crate) flops: usize,
    /// Residual at which the run ends.
    pub(crate) goal: f64,
}

/// Memory of the method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    moving: Vec<Moving>,
    /// The numbers of their equations.
    own: Vec<f64>,
    dense: Dense,
    sparse: Sparse,
    /// Whether the sparse matrix is the cheaper one.
    is_sparse: bool,
    /// Proximal weight, units and numbers of the matrix last factored in this run.
    factored: Option<f64>,
    factored_moving: Vec<Moving>,
    factored_own: Vec<f64>,
    /// The change of the moving impulses.
    dz: Vec<f64>,
    /// Velocities of all impulses before the fixed ones were set.
    u: Vec<f64>,
    /// Centre of the proximal point.
    centre: Vec<f64>,
    /// Impulses and velocity a step starts from.
    z: Vec<f64>,
    /// Projected impulses and their velocity.
    projected: Vec<f64>,
    v: Vec<f64>,
    best: Vec<f64>,
}

impl Newton {
    /// Runs from the impulses present, whose velocity the system has and whose residual is `known`; ends with the best
    /// projected ones. `None` if a step would take more operations than the run may.
    pub(crate) fn run(
        &mut self,
        place: IslandProblem<'_>,
        system: &mut System,
        run: Run,
        known: f64,
    ) -> Option<Ended> {
        let dense = Dense::flops(system.z.len(), system.dim());
        self.is_sparse = self.sparse.enter(place, system, run.flops.min(dense));
        if !self.is_sparse && dense > run.flops {
            return None;
        }
        self.begin(system);
        system.projected_to_bounds(&system.z, &mut self.projected);
        let is_sticking = matches!(run.rule, StepRule::AllSticking);
        let mut least = if is_sticking { f64::INFINITY } else { known };
        if self.projected == system.z {
            self.v.clone_from(&system.v);
        } else {
            least = self.measure(system);
        }
        self.best.clone_from(&self.projected);
        // Whether the velocity kept is that of the best impulses.
        let mut is_last = true;
        let (mut done, mut idle, mut before) = (0, 0, f64::INFINITY);
        let patience = match run.rule {
            StepRule::Proximal => PROXIMAL_WEIGHTS.len() * CENTRE_STEPS,
            _ => PATIENCE,
        };
        self.centre.clone_from(&system.z);
        // What comes to rest is solved two digits beyond the goal: the error of an impulse that is kept from step to
        // step is a speed that grows.
        let fine = FINE * run.goal;
        let goes_on = |least, idle| match idle {
            0 => least > fine,
            _ => least > run.goal && idle < patience,
        };
        let [.., last] = PROXIMAL_WEIGHTS;
        while done < run.steps && goes_on(least, idle) {
            let eps = match run.rule {
                StepRule::Proximal => {
                    if done % CENTRE_STEPS == 0 {
                        self.centre.clone_from(&system.z);
                    }
                    let weight = PROXIMAL_WEIGHTS.get(done / CENTRE_STEPS);
                    weight.copied().unwrap_or(last)
                }
                _ => {
                    self.centre.clone_from(&system.z);
                    last
                }
            };
            let rule = match run.rule {
                StepRule::AllSticking if done > 0 => StepRule::Full,
                rule => rule,
            };
            done += 1;
            if !self.step(system, eps, rule) {
                break;
            }
            system.projected_to_bounds(&system.z, &mut self.projected);
            let residual = self.measure(system);
            is_last = residual < least;
            if residual.is_nan() {
                break;
            }
            idle = if residual < PROGRESS * least {
                0
            } else {
                idle + 1
            };
            if residual < least {
                least = residual;
                self.best.clone_from(&self.projected);
            }
            if is_sticking && residual >= known.max(before) {
                break;
            }
            before = residual;
        }
        system.z.clone_from(&self.best);
        match is_last {
            true => system.v.clone_from(&self.v),
            false => system.refresh(),
        }
        Some(Ended {
            iterations: done,
            residual: least,
        })
    }

    /// Forgets the last matrix, with room for the equations of all units: which of them move changes from step to step.
    fn begin(&mut self, system: &System) {
        self.factored = None;
        let widths = system.units.iter().map(|unit| unit.width as usize);
        let numbers = widths.map(|width| matrices(0, width).end + width).sum();
        for moving in [&mut self.moving, &mut self.factored_moving] {
            moving.clear();
            moving.reserve(system.units.len());
        }
        for own in [&mut self.own, &mut self.factored_own] {
            own.clear();
            own.reserve(numbers);
        }
    }

    /// The residual of the projected impulses; their velocity is kept.
    fn measure(&mut self, system: &System) -> f64 {
        system.velocity_of(&self.projected, &mut self.v);
        system.residual_at(&self.projected, &self.v)
    }

    /// One step; false where the matrix is singular or the step is not finite.
    fn step(&mut self, system: &mut System, eps: f64, rule: StepRule) -> bool {
        self.z.clone_from(&system.z);
        let is_whole = matches!(rule, StepRule::Full | StepRule::AllSticking);
        let merit = match is_whole {
            true => 0.0,
            false => self.merit(system, eps),
        };
        self.set(system, eps, rule);
        let is_known = self.is_known(system, eps);
        let equations = Equations {
            moving: &self.moving,
            own: &self.own,
            u: &self.u,
            centre: &self.centre,
            eps,
        };
        let solved = match self.is_sparse {
            true => (self.sparse).solve(system, &equations, is_known, &mut self.dz),
            false => (self.dense).solve(system, &equations, is_known, &mut self.dz),
        };
        self.factored = solved.then_some(eps);
        if !solved || !self.dz.iter().all(|x| x.is_finite()) {
            return false;
        }
        for moving in &self.moving {
            let unit = &system.units[moving.unit as usize];
            let at = moving.at as usize;
            let own = &self.dz[at..at + unit.width as usize];
            for (z, dz) in system.z[unit.range()].iter_mut().zip(own) {
                *z += dz;
            }
        }
        system.refresh();
        if !is_whole {
            self.shorten(system, merit, eps);
        }
        true
    }

    /// Whether the matrix is that of the last step: where nothing slides, steps take away what the proximal weight and
    /// round-off left of one before, and nothing changes but the right-hand side.
    fn is_known(&mut self, system: &System, eps: f64) -> bool {
        let (own, factored) = (&self.own, &self.factored_own);
        let is_same = |moving: &Moving| {
            let width = system.units[moving.unit as usize].width as usize;
            let numbers = matrices(moving.own as usize, width);
            own[numbers.clone()] == factored[numbers]
        };
        let is_known = self.factored == Some(eps)
            && self.factored_moving == self.moving
            && self.moving.iter().all(is_same);
        if !is_known {
            self.factored_moving.clone_from(&self.moving);
            self.factored_own.clone_from(&self.own);
        }
        is_known
    }

    /// Goes back on the way just gone until the map is smaller than it was; to the last length if it never is.
    fn shorten(&mut self, system: &mut System, merit: f64, eps: f64) {
        let mut length = 1.0;
        for next in &LENGTHS[1..] {
            if self.merit(system, eps) < merit {
                return;
            }
            for (z, start) in system.z.iter_mut().zip(&self.z) {
                *z = start + (*z - start) * (next / length);
            }
            length = *next;
            system.refresh();
        }
    }

    /// Finds out what every unit does, sets the impulses of those that do not move, and keeps in `u` the
    /// velocities as they were before.
    fn set(&mut self, system: &mut System, eps: f64, rule: StepRule) {
        self.moving.clear();
        self.own.clear();
        self.u.clear();
        let (mut at, mut any) = (0, false);
        for (number, unit) in system.units.iter().enumerate() {
            by_width!(unit, W => {
                let (z, u) = self.proximal::<W>(system, unit, eps);
                self.u.extend_from_slice(&u);
                let stuck = match rule {
                    StepRule::AllSticking => sticking(unit, &z, &u),
                    _ => None,
                };
                match stuck.unwrap_or_else(|| state(unit, &z, &u)) {
                    State::Fixed(to) => {
                        any |= z != to;
                        system.z[unit.range()].copy_from_slice(&to);
                    }
                    State::Moves(equations) => {
                        let own = self.own.len() as u32;
                        equations.put(&mut self.own);
                        self.moving.push(Moving { unit: number as u32, at, own });
                        at += unit.width;
                    }
                }
            });
        }
        if any {
            system.refresh();
        }
    }

    /// The impulses of a unit and its velocities in the proximal problem.
    #[inline]
    fn proximal<const W: usize>(
        &self,
        system: &System,
        unit: &ConstraintBlock,
        eps: f64,
    ) -> ([f64; W], [f64; W]) {
        let (z, centre) = (unit.of::<W>(&system.z), unit.of::<W>(&self.centre));
        let mut u: [f64; W] = system.velocity(unit, &system.v, z[0]);
        for k in 0..W {
            u[k] += weight(unit, k, eps) * (z[k] - centre[k]);
        }
        (z, u)
    }

    /// The square of the natural map of the proximal problem at the impulses present.
    fn merit(&self, system: &System, eps: f64) -> f64 {
        let squares = system.units.iter().map(|unit| {
            by_width!(unit, W => {
                let (z, u) = self.proximal::<W>(system, unit, eps);
                map(unit, &z, &u).iter().map(|x| x * x).sum::<f64>()
            })
        });
        squares.sum::<f64>()
    }
}
