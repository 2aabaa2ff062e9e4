//! The methods tried on an island, one after another, and the best impulses of all.

use super::newton::Run;
use super::proximal::Path;
use super::{Answer, Ended, Engine, Goal};
use crate::problem::IslandProblem;
use crate::tolerances::PROGRESS;

/// The methods tried so far on an island. Each starts from the best impulses of those before it.
pub(super) struct BestIterate {
    /// Of the present impulses, the best ones.
    pub(super) residual: f64,
    /// Whether the velocity of the system is theirs.
    is_fresh: bool,
    pub(super) iterations: usize,
    /// That of the impulses it began with.
    first: f64,
    /// Whether Newton's method was refused a factor.
    is_beyond_factors: bool,
}

impl BestIterate {
    pub(super) fn begin(engine: &mut Engine) -> Self {
        let mut residual = engine.known.take().unwrap_or_else(|| {
            engine.system.refresh();
            engine.system.residual()
        });
        if residual.is_nan() {
            engine.system.forget();
            residual = engine.system.residual();
        }
        engine.best.clone_from(&engine.system.z);
        Self {
            residual,
            is_fresh: true,
            iterations: 0,
            first: residual,
            is_beyond_factors: false,
        }
    }

    pub(super) fn is_done(&self, goal: f64) -> bool {
        self.residual <= goal
    }

    /// Computes the velocity of the best impulses, where it is that of others.
    fn freshen(&mut self, engine: &mut Engine) {
        if !self.is_fresh {
            engine.system.refresh();
            self.is_fresh = true;
        }
    }

    /// Whether the present impulses are far from an answer and grow without bound.
    pub(super) fn is_squeezed(&mut self, engine: &mut Engine) -> bool {
        self.freshen(engine);
        engine.system.is_squeezed()
    }

    /// Whether contacts slide so fast that an answer of the convex law, whose contacts part by `mu |u_t|` there, would be worse.
    pub(super) fn slides(&mut self, engine: &mut Engine) -> bool {
        self.freshen(engine);
        engine.system.parting() > self.residual
    }

    /// Computes the residual of the present impulses again, after targets have changed.
    pub(super) fn measure(&mut self, engine: &Engine) {
        self.residual = engine.system.residual();
    }

    pub(super) fn newton(&mut self, engine: &mut Engine, place: IslandProblem<'_>, run: Run) {
        self.freshen(engine);
        let ended = (engine.newton).run(place, &mut engine.system, run, self.residual);
        self.is_beyond_factors |= ended.is_none();
        self.take_some(engine, ended);
    }

    /// Newton's steps of an island without impulses, which are no start: what the steps find counts, whatever it leaves. Loads
    /// that balance are a better one.
    pub(super) fn hold(&mut self, engine: &mut Engine, place: IslandProblem<'_>, run: Run) {
        let before = self.residual;
        let ended = engine.newton.run(place, &mut engine.system, run, before);
        self.residual = f64::INFINITY;
        self.take_some(engine, ended);
        if self.residual == f64::INFINITY {
            self.residual = before;
        }
    }

    pub(super) fn sweep(&mut self, engine: &mut Engine, goal: Goal) {
        let ended = engine.sweeps.accelerated(&mut engine.system, goal);
        self.take(engine, ended);
    }

    /// The same in single precision alone, as far as that goes; whether it went.
    pub(super) fn sweep_roughly(&mut self, engine: &mut Engine, goal: Goal) -> bool {
        let ended = engine.sweeps.roughly(&mut engine.system, goal);
        ended.is_some_and(|ended| {
            self.take(engine, ended);
            true
        })
    }

    /// Proximal steps of the convex laws.
    pub(super) fn descend(&mut self, engine: &mut Engine, place: IslandProblem<'_>, path: Path) {
        let ended = engine.proximal.run(place, &mut engine.system, path);
        self.take_some(engine, ended);
    }

    /// The interior point of the convex laws.
    pub(super) fn interior_point(
        &mut self,
        engine: &mut Engine,
        place: IslandProblem<'_>,
        path: Path,
    ) {
        let ended = engine.interior.run(place, &mut engine.system, path);
        self.take_some(engine, ended);
    }

    /// Back to the best impulses.
    fn go_back(&mut self, engine: &mut Engine) {
        self.is_fresh = false;
        engine.system.z.clone_from(&engine.best);
    }

    /// What a method left that was let go, else the best impulses.
    fn take_some(&mut self, engine: &mut Engine, ended: Option<Ended>) {
        match ended {
            Some(ended) => self.take(engine, ended),
            None => self.go_back(engine),
        }
    }

    fn take(&mut self, engine: &mut Engine, ended: Ended) {
        self.iterations += ended.iterations;
        if ended.residual < self.residual || self.residual.is_nan() {
            self.residual = ended.residual;
            self.is_fresh = true;
            engine.best.clone_from(&engine.system.z);
        } else {
            self.go_back(engine);
        }
    }

    pub(super) fn end(mut self, engine: &mut Engine) -> Answer {
        let changed = engine.system.project_to_bounds();
        if !changed && !self.is_fresh {
            engine.system.refresh();
        }
        if changed || !self.is_fresh {
            self.residual = engine.system.residual();
        }
        Answer {
            residual: self.residual,
            iterations: self.iterations,
            is_beyond_factors: self.is_beyond_factors,
            has_gained: self.residual < PROGRESS * self.first,
        }
    }
}
