//! Progress of the correction of one island.
//!
//! Newton's method closes the joints. Where their rows are nearly dependent, a step may be far too large; the solver rejects it and
//! repeats it with a compliance (Levenberg-Marquardt damping) until the error decreases. Each island converges independently of
//! the others.

use crate::base::frame::Frame;
use crate::base::tolerances;
use stickslip_core::kit::PENALTY;
use stickslip_core::problem::{ContactProblem, Island};

/// The correction of an island.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// Largest error of a joint that the correction so far leaves, and the one at which it ends [m or rad].
    worst: f64,
    enough: f64,
    /// Fastest rate that a contact or a joint asks for [m/s or rad/s].
    speed: f64,
    /// Rows of joints with an error.
    pub(super) rows: usize,
    /// Whether contacts are pushed apart, and whether they were.
    pushes: bool,
    has_pushed: bool,
    /// Compliance of the rows of joints.
    pub(super) softness: f64,
    /// Whether a solve of this step did not gain.
    has_failed: bool,
    pub(super) is_done: bool,
}

impl Progress {
    /// Adds the error of a row [m or rad].
    pub(super) fn add_error(&mut self, error: f64) {
        self.worst = self.worst.max(error);
        self.rows += usize::from(error != 0.0);
    }

    /// Adds a contact that is pushed apart [m/s].
    pub(super) fn add_push(&mut self, speed: f64) {
        self.speed = self.speed.max(speed);
        self.pushes = true;
    }

    /// Begins, once all errors are known.
    pub(super) fn begin(&mut self, frame: Frame) {
        self.enough = tolerances::NO_ERROR.max(tolerances::LEFT_ERROR * self.worst);
        let closing = (self.worst / frame.h).min(frame.push_speed);
        self.speed = self.speed.max(closing);
        self.softness = tolerances::FIRM;
        self.is_done = !self.pushes && self.worst <= tolerances::NO_ERROR;
    }

    fn is_firm(&self) -> bool {
        self.softness == tolerances::FIRM
    }

    /// Rejects a step whose kinetic energy shows that the joint rows are nearly dependent; the next one is damped. `energies`
    /// returns the energies of the correction, of the motion, and of all coordinates at a given speed \[J\].
    pub(super) fn diverges(&mut self, energies: impl FnOnce(f64) -> [f64; 3]) -> bool {
        if !self.is_firm() || self.rows == 0 {
            return false;
        }
        let [correction, step, asked] = energies(self.speed);
        let is_large = correction > asked.max(tolerances::LARGE_ENERGY * step);
        if is_large {
            (self.softness, self.has_failed) = (PENALTY, true);
        }
        is_large
    }

    /// Judges a solve that leaves joints with an error of `left` [m or rad]: whether it is taken.
    pub(super) fn judge(&mut self, left: f64) -> bool {
        // What contradicts itself, a joint and a contact of its two bodies, gets no better.
        let is_stuck =
            self.pushes && self.is_firm() && left > 0.9 * self.worst && left < 2.0 * self.worst;
        // What pushes contacts out goes first, whatever it does to joints.
        let is_taken = left < self.worst || self.pushes && !self.has_pushed;
        if is_taken {
            self.has_pushed = true;
            let gained = left < tolerances::QUICK * self.worst;
            self.worst = left;
            if !self.has_failed || gained {
                self.softness = (0.1 * self.softness).max(tolerances::FIRM);
            }
        } else {
            self.softness = (10.0 * self.softness).max(PENALTY);
            self.has_failed = true;
        }
        self.is_done = self.worst <= self.enough || is_stuck;
        is_taken
    }
}

/// Kinetic energy of an island at some velocities \[J\].
pub(super) fn energy((problem, island): (&ContactProblem, Island<'_>), v: &[f64]) -> f64 {
    let blocks = island.blocks.iter();
    blocks.map(|&b| problem.kinetic_energy(b as usize, v)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use stickslip_core::mass::MassFactor;
    use stickslip_core::problem::ProblemBuilder;

    fn firm() -> Progress {
        Progress {
            rows: 1,
            speed: 3.0,
            softness: tolerances::FIRM,
            ..Progress::default()
        }
    }

    /// A step of the correction is too large above the energy asked for and a share of the motion's, whichever is more; once.
    #[test]
    fn a_step_is_judged_by_its_energy() {
        let share = tolerances::LARGE_ENERGY;
        for (correction, step, asked, wanted) in [
            (1.01, 0.0, 1.0, true),
            (0.99, 0.0, 1.0, false),
            (1.01 * share, 1.0, 0.5 * share, true),
            (0.99 * share, 1.0, 0.5 * share, false),
        ] {
            let mut progress = firm();
            let found = progress.diverges(|speed| {
                assert_eq!(speed, 3.0);
                [correction, step, asked]
            });
            assert_eq!(found, wanted, "{correction} {step} {asked}");
            assert_eq!(progress.softness == PENALTY, wanted);
            assert!(!wanted || !progress.diverges(|_| [1e9, 0.0, 0.0]), "damped");
        }
        let mut contacts = Progress { rows: 0, ..firm() };
        assert!(!contacts.diverges(|_| [1e9, 0.0, 0.0]), "no joints");
    }

    /// `1/2 m |v|^2` of the bodies of an island alone.
    #[test]
    fn the_energy_is_that_of_the_island() {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        for m in [2.0, 8.0, 50.0] {
            let mass = DMatrix::from_diagonal(&DVector::from_element(3, m));
            let mass = MassFactor::from_dense(&mass).unwrap();
            builder.add_block(&mass, &[0.0; 3], &[0.0; 3]);
        }
        builder.finish().unwrap();
        let problem = builder.finished().unwrap();
        let island = Island {
            blocks: &[0, 1],
            groups: &[],
        };
        let v = [1.0, 2.0, 2.0, 0.0, 0.0, 0.5, 9.0, 9.0, 9.0];
        let found = energy((problem, island), &v);
        assert!((found - (9.0 + 1.0)).abs() < 1e-12, "{found}");
    }
}
