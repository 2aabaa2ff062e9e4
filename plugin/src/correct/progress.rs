//! Progress of the correction of one island.
//!
//! Newton's method closes the joints. Where their rows are nearly dependent, a step may be far too large; the solver rejects it and
//! repeats it with a compliance (Levenberg-Marquardt damping) until the error decreases. Each island converges independently of
//! the others.

use crate::base::frame::Frame;
use crate::base::tolerances;
use crate::joints::JointError;
use stickslip_core::kit::{ENERGY_SHARE, JOINT_PENALTY, PENALTY};
use stickslip_core::problem::IslandProblem;

/// The correction of an island.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// Largest errors of joints that the correction so far leaves, and those at which it ends.
    worst: JointError,
    enough: JointError,
    /// Fastest rate that a contact or a joint asks for [m/s or rad/s].
    speed: f64,
    /// Rows of joints with an error.
    pub(super) rows: usize,
    /// Whether contacts or joints are pushed, out of an overlap or back within limits, and whether they were.
    pushes: bool,
    has_pushed: bool,
    /// Compliance of the rows of joints.
    pub(super) softness: f64,
    /// Whether a solve of this step did not gain.
    has_failed: bool,
    pub(super) is_done: bool,
}

impl Progress {
    /// Adds the error of a row.
    pub(super) fn add_error(&mut self, error: JointError) {
        self.worst = self.worst.max(error);
        self.rows += usize::from(error.any() != 0.0);
        self.pushes |= error.limit > tolerances::NO_ERROR;
    }

    /// Adds a contact that is pushed apart [m/s].
    pub(super) fn add_push(&mut self, speed: f64) {
        self.speed = self.speed.max(speed);
        self.pushes = true;
    }

    /// Begins, once all errors are known.
    pub(super) fn begin(&mut self, frame: Frame) {
        let enough = |worst: f64| tolerances::NO_ERROR.max(tolerances::LEFT_ERROR * worst);
        self.enough = JointError {
            lock: enough(self.worst.lock),
            limit: enough(self.worst.limit),
        };
        let closing = (self.worst.any() / frame.h).min(frame.push_speed);
        self.speed = self.speed.max(closing);
        self.softness = JOINT_PENALTY;
        self.is_done = !self.pushes && self.worst.any() <= tolerances::NO_ERROR;
    }

    fn is_firm(&self) -> bool {
        self.softness == JOINT_PENALTY
    }

    /// Rejects a step whose kinetic energy shows that the joint rows are nearly dependent; the next one is damped. `energies`
    /// returns the energies of the correction, of the motion, and of all coordinates at a given speed \[J\].
    pub(super) fn diverges(&mut self, energies: impl FnOnce(f64) -> [f64; 3]) -> bool {
        if !self.is_firm() || self.rows == 0 {
            return false;
        }
        let [correction, step, asked] = energies(self.speed);
        let is_large = correction > asked.max(ENERGY_SHARE * step);
        if is_large {
            (self.softness, self.has_failed) = (PENALTY, true);
        }
        is_large
    }

    /// Judges a solve by the errors that it leaves: whether it is taken. Locked coordinates are closed first. A limit whose error a
    /// second solve does not reduce by a tenth is left to the next step.
    pub(super) fn judge(&mut self, left: JointError) -> bool {
        let (worst, has_pushed) = (self.worst, self.has_pushed);
        // What contradicts itself, a joint and a contact of its two bodies, gets no better.
        let is_stuck = self.pushes
            && self.is_firm()
            && left.lock > 0.9 * worst.lock
            && left.lock < 2.0 * worst.lock;
        let pushes_back = left.lock <= self.enough.lock && left.limit < worst.limit;
        // What is pushed goes first, whatever it does to joints.
        let is_taken = left.lock < worst.lock || pushes_back || self.pushes && !self.has_pushed;
        if is_taken {
            self.has_pushed = true;
            let gained = left.lock < tolerances::QUICK * worst.lock;
            self.worst = left;
            if !self.has_failed || gained {
                self.softness = (0.1 * self.softness).max(JOINT_PENALTY);
            }
        } else {
            self.softness = (10.0 * self.softness).max(PENALTY);
            self.has_failed = true;
        }
        let is_closed = self.worst.lock <= self.enough.lock || is_stuck;
        let is_within =
            self.worst.limit <= self.enough.limit || has_pushed && left.limit > 0.9 * worst.limit;
        self.is_done = is_closed && is_within;
        is_taken
    }
}

/// Kinetic energy of an island at some velocities \[J\].
pub(super) fn energy(place: IslandProblem<'_>, v: &[f64]) -> f64 {
    let blocks = place.island.blocks.iter();
    blocks
        .map(|&b| place.problem.kinetic_energy(b as usize, v))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use stickslip_core::mass::MassFactor;
    use stickslip_core::problem::{Island, ProblemBuilder};

    fn firm() -> Progress {
        Progress {
            rows: 1,
            speed: 3.0,
            softness: JOINT_PENALTY,
            ..Progress::default()
        }
    }

    /// A step of the correction is too large above the energy asked for and a share of the motion's, whichever is more; once.
    #[test]
    fn a_step_is_judged_by_its_energy() {
        let share = ENERGY_SHARE;
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

    fn errors(lock: f64, limit: f64) -> JointError {
        JointError { lock, limit }
    }

    /// A limit that cannot be kept does not hide that locked coordinates are open, nor does it take further solves.
    #[test]
    fn joints_close_whatever_their_limits_do() {
        let mut progress = Progress {
            worst: errors(1e-2, 1.0),
            enough: errors(1e-4, 1e-3),
            pushes: true,
            ..firm()
        };
        assert!(progress.judge(errors(2e-3, 0.99)));
        assert!(!progress.is_done, "open by 2 mm");
        assert!(progress.judge(errors(5e-5, 0.99)));
        assert!(progress.is_done);
        // What a closed joint gains of its limits is taken.
        progress.worst = errors(1e-5, 1.0);
        assert!(progress.judge(errors(2e-5, 0.5)) && !progress.is_done);
        assert!(!progress.judge(errors(1e-3, 0.4)), "opens the joint");
    }

    /// Limits that are exceeded are pushed back as overlaps are, in a solve that locked coordinates need not gain by.
    #[test]
    fn limits_push() {
        let mut progress = firm();
        progress.add_error(errors(1e-9, 1e-2));
        progress.enough = errors(1e-6, 1e-4);
        let mut idle = progress;
        idle.judge(errors(1e-9, 1e-2));
        assert!(
            !idle.is_done,
            "one solve that gains nothing is not the last"
        );
        assert!(progress.judge(errors(1e-6, 1e-5)));
        assert!(progress.is_done);
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
        let found = energy(problem.place(island), &v);
        assert!((found - (9.0 + 1.0)).abs() < 1e-12, "{found}");
    }
}
