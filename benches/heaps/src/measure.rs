//! What a step did, and what a run amounts to.

use crate::engine::{Engine, Precision};
use serde::Serialize;
use std::collections::BTreeMap;
use stickslip::StepReport;

/// Which world: the same for every engine that steps it.
#[derive(Clone, Debug, Serialize)]
pub struct Label {
    /// Name of the scene.
    pub scene: &'static str,
    /// Its size: how many of whatever it is made of.
    pub size: usize,
    /// The seed of its numbers.
    pub seed: u64,
    /// Steps a whole run has.
    pub steps: usize,
    /// Time step \[s\].
    pub dt: f64,
    /// Bodies that can move, at the start.
    pub bodies: usize,
    /// The precision of the engine's state.
    pub precision: Precision,
}

/// What a scene allows.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Limits {
    /// No body may be faster \[m/s\].
    pub speed: f64,
    /// Bodies that the scene itself spoils.
    pub strays: usize,
    /// Whether no step may make kinetic energy: no motors, moving bodies, bounces or overlaps.
    pub passive: bool,
}

/// What a figure of a scene should be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Right {
    /// What is measured, with its unit.
    pub name: &'static str,
    /// The smallest right value.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

impl Right {
    /// Whether a value is right; NaN is not.
    pub fn has(&self, value: f64) -> bool {
        self.least <= value && value <= self.most
    }
}

/// A figure as a run left it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// What it should be.
    #[serde(flatten)]
    pub right: Right,
    /// Its value after the last step done.
    pub value: f64,
}

/// What one step did.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepSample {
    /// The whole step \[us\], by [`Stopwatch`](crate::clock::Stopwatch).
    pub step_us: f64,
    /// The same by the wall's clock.
    pub wall_us: f64,
    /// What stickslip says of it; none under rapier.
    pub report: Option<StepReport>,
    /// Contact points the solver was given.
    pub contacts: usize,
    /// Speed of the fastest body's centre of mass after it \[m/s\].
    pub speed: f64,
    /// Kinetic energy after it \[J\].
    pub kinetic: f64,
    /// Kinetic energy before it \[J\].
    pub kinetic_before: f64,
    /// Work of gravity in it \[J\].
    pub work: f64,
    /// Potential energy after it, from the origin \[J\].
    pub potential: f64,
    /// Kinetic energy made beyond the work of gravity \[J\].
    pub excess: f64,
    /// Deepest penetration at its start \[m\].
    pub depth: f64,
    /// Largest distance of an impulse joint's anchors along locked axes after it \[m\].
    pub gap: f64,
    /// Bodies not finite, or set aside, after it.
    pub lost: usize,
}

/// A world under an engine, one step at a time.
pub trait Stepper {
    /// Moves what the scene moves and steps.
    ///
    /// # Errors
    /// Why the step was refused.
    fn step(&mut self) -> Result<StepSample, String>;

    /// What the scene allows.
    fn limits(&self) -> Limits;

    /// Whether the scene is as it should be after its last step.
    ///
    /// # Errors
    /// What is wrong.
    fn check(&self) -> Result<(), String>;

    /// The figure of the scene after the last step, where it has one.
    fn figure(&self) -> Option<Measured>;

    /// Has so many threads step it from now on.
    ///
    /// # Errors
    /// Why there are no such threads.
    #[cfg(feature = "parallel")]
    fn set_threads(&mut self, count: usize) -> Result<(), String>;

    /// Processor time of each of these threads so far \[us\].
    #[cfg(feature = "parallel")]
    fn thread_times(&self) -> Vec<f64>;

    /// A digest of all poses and velocities, to the last bit.
    fn bits(&self) -> u64;

    /// Which world it is.
    fn label(&self) -> &Label;
}

/// A distribution: only what a table shows.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Spread {
    /// Half are at most this.
    pub median: f64,
    /// 99 in 100 are at most this.
    pub p99: f64,
    /// The largest.
    pub max: f64,
    /// The mean.
    pub mean: f64,
}

impl Spread {
    /// Of the values given; NaN counts as larger than everything.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut all: Vec<_> = values.collect();
        all.sort_by(f64::total_cmp);
        let Some(&max) = all.last() else {
            return Self::default();
        };
        let rank = |share: f64| all[((all.len() - 1) as f64 * share).round() as usize];
        Self {
            median: rank(0.5),
            p99: rank(0.99),
            max,
            mean: all.iter().sum::<f64>() / all.len() as f64,
        }
    }
}

/// Why a run ended before its last step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// The limit of time was used up \[s\].
    Limit(f64),
    /// A step was refused.
    Error(String),
    /// A number was not finite.
    Lost,
}

/// Everything measured of one scene under one engine.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Which world.
    #[serde(flatten)]
    pub label: Label,
    /// Who stepped it.
    pub engine: Engine,
    /// Steps done.
    pub done: usize,
    /// Why it ended early.
    pub stop: Option<Stop>,
    /// Whole steps \[us\].
    pub step_us: Spread,
    /// Solves \[us\]; none under rapier.
    pub solve_us: Option<Spread>,
    /// Collision detection, building of the problem, and writing back: medians \[us\].
    pub other_us: Option<[f64; 3]>,
    /// Largest step time by the median of the steps that were made.
    pub max_over_median: f64,
    /// Mean step time by that of rapier over the same steps.
    pub ratio_to_host: Option<f64>,
    /// Residuals of the solves; none under rapier.
    pub residual: Option<Spread>,
    /// Largest residual of the last quarter of the steps done.
    pub residual_tail: Option<f64>,
    /// Steps with a residual above 1e-4.
    pub above: usize,
    /// Steps with a residual above 1e-8, and above 1e-6.
    pub above_small: [usize; 2],
    /// Mean number of iterations, pivots among them.
    pub iterations: Option<f64>,
    /// Contacts in a step.
    pub contacts: Spread,
    /// Fastest body of all steps \[m/s\].
    pub speed: f64,
    /// The fastest that the scene allows \[m/s\].
    pub speed_allowed: f64,
    /// Deepest penetration of all steps \[m\].
    pub depth: f64,
    /// Deepest penetration of the last quarter of the steps done \[m\].
    pub depth_tail: f64,
    /// Widest joint of all steps \[m\].
    pub gap: f64,
    /// Most kinetic energy made by a step beyond the work of gravity \[J\]; none where something else
    /// does work.
    pub excess: Option<f64>,
    /// The same by the energy in play: kinetic at the start and the work of gravity since.
    pub excess_relative: Option<f64>,
    /// Bodies not finite or set aside at the end, but for those the scene itself spoils.
    pub lost: usize,
    /// Steps by status.
    pub statuses: BTreeMap<String, usize>,
    /// What is not as it should be after the last step, if that was reached.
    pub unfit: Option<String>,
    /// The figure with a right value, where the scene has one.
    pub figure: Option<Measured>,
    /// `sane`, or what broke.
    pub verdict: String,
}

/// Keeps what the steps of one world did.
#[derive(Debug, Default)]
pub struct Tally {
    samples: Vec<StepSample>,
    /// Why it ended early.
    pub stop: Option<Stop>,
}

impl Tally {
    /// Adds a step.
    pub fn add(&mut self, sample: StepSample) {
        self.samples.push(sample);
    }

    /// Time of all steps \[s\].
    pub fn seconds(&self) -> f64 {
        1e-6 * self.samples.iter().map(|s| s.step_us).sum::<f64>()
    }

    /// The steps so far.
    pub fn samples(&self) -> &[StepSample] {
        &self.samples
    }

    /// Times of the steps that were made \[us\]: in a world that stands stickslip repeats the last one.
    fn made(&self) -> Spread {
        let is_made = |s: &&StepSample| s.report.is_none_or(|r| r.times.assemble > 0.0);
        Spread::of(self.samples.iter().filter(is_made).map(|s| s.step_us))
    }

    /// What it amounts to. `host` is the tally of rapier's own steps of the same world.
    pub fn outcome(
        &self,
        label: &Label,
        engine: Engine,
        limits: Limits,
        host: Option<&Tally>,
    ) -> Outcome {
        let all = &self.samples;
        let step_us = Spread::of(all.iter().map(|s| s.step_us));
        let reports: Vec<_> = all.iter().filter_map(|s| s.report).collect();
        let spread = |value: fn(&StepReport) -> f64| {
            (!reports.is_empty()).then(|| Spread::of(reports.iter().map(value)))
        };
        let largest = |value: fn(&StepSample) -> f64| worst(all.iter().map(value));
        let tail = &all[all.len() * 3 / 4..];
        let mut statuses = BTreeMap::new();
        for report in &reports {
            *statuses
                .entry(report.solve.status.as_str().to_owned())
                .or_default() += 1;
        }
        let excess = (limits.passive && !all.is_empty()).then(|| largest(|s| s.excess));
        let median = |value| spread(value).map(|s| s.median);
        let others = || {
            Some([
                median(|r| r.times.detect)?,
                median(|r| r.times.assemble)?,
                median(|r| r.times.integrate)?,
            ])
        };
        Outcome {
            label: label.clone(),
            engine,
            done: all.len(),
            stop: self.stop.clone(),
            step_us,
            solve_us: spread(|r| r.times.solve),
            other_us: others(),
            max_over_median: step_us.max / self.made().median,
            ratio_to_host: host.and_then(|host| ratio(all, host.samples())),
            residual: spread(|r| r.solve.residuals.max()),
            residual_tail: (tail.iter().filter_map(|s| s.report))
                .map(|r| r.solve.residuals.max())
                .reduce(f64::max),
            above: reports.iter().filter(|r| misses(r, 1e-4)).count(),
            above_small: [1e-8, 1e-6].map(|b| reports.iter().filter(|r| misses(r, b)).count()),
            iterations: spread(|r| (r.solve.iterations + r.solve.pivots) as f64).map(|s| s.mean),
            contacts: Spread::of(all.iter().map(|s| s.contacts as f64)),
            speed: largest(|s| s.speed),
            speed_allowed: limits.speed,
            depth: largest(|s| s.depth),
            depth_tail: worst(tail.iter().map(|s| s.depth)),
            gap: largest(|s| s.gap),
            excess,
            excess_relative: excess.map(|e| e / in_play(all)),
            lost: all
                .last()
                .map_or(0, |s| s.lost.saturating_sub(limits.strays)),
            statuses,
            unfit: None,
            figure: None,
            verdict: String::new(),
        }
    }
}

/// Whether the residual of a step is above a bound; 1e-4 is what the project asks of steps in motion.
fn misses(report: &StepReport, bound: f64) -> bool {
    let residual = report.solve.residuals.max();
    residual > bound || residual.is_nan()
}

/// The largest, at least 0; NaN stays.
fn worst(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
}

/// Mean step time by the host's over the steps that both did.
fn ratio(ours: &[StepSample], host: &[StepSample]) -> Option<f64> {
    let both = ours.len().min(host.len());
    let sum = |all: &[StepSample]| all[..both].iter().map(|s| s.step_us).sum::<f64>();
    (both > 0).then(|| sum(ours) / sum(host))
}

/// Energy that could have become motion: kinetic at the start, and what gravity gave since. A thousandth of
/// the potential energy stands for both where nothing moves.
fn in_play(all: &[StepSample]) -> f64 {
    let Some(first) = all.first() else {
        return f64::NAN;
    };
    let given: f64 = all.iter().map(|s| s.work.max(0.0)).sum();
    first.kinetic_before + f64::max(given, 1e-3 * first.potential.abs())
}
