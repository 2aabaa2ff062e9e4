//! The worst of the steps between two frames.

use super::series::{COUNT, GAP_FLOOR, LOG_FLOOR, SLIP_FLOOR};
use crate::load::{Loads, Pressing, is_held};
use stickslip_record::{StepRecord, StepReport};

/// The worst of the steps since the last frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worst {
    /// Smallest gap \[m\], if there was a contact.
    gap: Option<f64>,
    /// Largest gap of a joint \[m\], if it is known.
    joint_gap: Option<f64>,
    /// Largest slip speed at loaded contacts [m/s].
    slip: f64,
    /// Largest share of a friction bound, if one is known.
    utilisation: Option<f64>,
    /// The sum of normal forces farthest from the weight \[N\].
    force: Option<f64>,
    /// Whether a step said anything about itself; rapier's own pipeline doesn't, which leaves holes in
    /// the curves of solver and times.
    reported: bool,
    residual: f64,
    /// Contacts, pivots, fallbacks, failures, bodies asleep.
    counts: [usize; 5],
    /// Whole step, detect, assemble, solve, integrate \[us\].
    times: [f64; 5],
}

/// Shares of a friction bound are drawn up to this: without a bound, a contact that hardly presses uses any
/// multiple of it, and the curve would show nothing else.
const MOST_USED: f64 = 10.0;

/// The larger of two numbers, a NaN counting as larger than any.
fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// A gap as its curve shows it \[mm\].
fn millimetres(gap: f64) -> f64 {
    if gap.abs() < GAP_FLOOR {
        0.0
    } else {
        gap * 1e3
    }
}

/// A number on a logarithmic curve.
pub(super) fn log(x: f64) -> f64 {
    worse(LOG_FLOOR, x).log10()
}

impl Worst {
    /// Before any step.
    pub const NONE: Self = Self {
        gap: None,
        joint_gap: None,
        slip: 0.0,
        utilisation: None,
        force: None,
        reported: false,
        residual: 0.0,
        counts: [0; 5],
        times: [0.0; 5],
    };

    /// Takes the largest gap of a joint in \[m\].
    pub fn take_joint_gap(&mut self, gap: f64) {
        self.joint_gap = Some(worse(self.joint_gap.unwrap_or(0.0), gap));
    }

    /// Takes a step in; `weight` is what the sum of normal forces is compared with, `pressing` is of the step
    /// before. O(contacts).
    pub fn take(&mut self, step: &StepRecord, weight: f64, pressing: &Pressing) {
        let mut force = 0.0;
        let loads = Loads::of(&step.contacts);
        for contact in &step.contacts {
            self.gap = Some(self.gap.map_or(contact.gap, |gap| gap.min(contact.gap)));
            force += contact.normal_force;
            if loads.is_loaded(contact) && pressing.did(contact) && is_held(contact) {
                self.slip = worse(self.slip, contact.slip_velocity.norm());
                // Friction without a bound has no share of it.
                let used = contact.utilisation().filter(|u| !u.is_infinite());
                self.utilisation = match (self.utilisation, used) {
                    (Some(kept), Some(new)) => Some(worse(kept, new)),
                    (kept, new) => kept.or(new),
                };
            }
        }
        let error = |f: f64| (f - weight).abs();
        self.force = match self.force {
            Some(kept) if error(kept) >= error(force) => Some(kept),
            _ => Some(force),
        };
        // A report says 0 where no joint is held by rows.
        if step.report.joint_gap > 0.0 {
            self.take_joint_gap(step.report.joint_gap);
        }
        self.reported |= step.report != StepReport::default();
        let solve = &step.report.solve;
        self.residual = worse(self.residual, solve.residuals.max());
        let counts = [
            step.contacts.len(),
            solve.pivots,
            solve.fallbacks,
            solve.failures,
            step.report.activity.asleep,
        ];
        for (kept, new) in self.counts.iter_mut().zip(counts) {
            *kept = (*kept).max(new);
        }
        let t = &step.report.times;
        let times = [t.total(), t.detect, t.assemble, t.solve, t.integrate];
        for (kept, new) in self.times.iter_mut().zip(times) {
            *kept = worse(*kept, new);
        }
    }

    /// The values of [`super::SERIES`]; `None` leaves a hole in the curve. `balance` is that of the ledger.
    pub(super) fn values(&self, weight: f64, balance: [Option<f64>; 3]) -> [Option<f64>; COUNT] {
        let count = |k: usize| Some(self.counts[k] as f64);
        let solver = |k: usize| count(k).filter(|_| self.reported);
        let time = |k: usize| Some(self.times[k]).filter(|_| self.reported);
        let [change, work, error] = balance;
        [
            self.gap.map(millimetres),
            Some(log(worse(SLIP_FLOOR, self.slip))),
            self.force,
            Some(weight),
            Some(log(self.residual)).filter(|_| self.reported),
            count(0),
            solver(1),
            solver(2),
            solver(3),
            time(0),
            time(1),
            time(2),
            time(3),
            time(4),
            self.utilisation.map(|used| used.min(MOST_USED)),
            change,
            work,
            error.map(log),
            solver(4),
            self.joint_gap.map(millimetres),
        ]
    }
}
