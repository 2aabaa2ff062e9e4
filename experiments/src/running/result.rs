//! The result of a run as JSON states it.

use crate::ignored::Ignored;
use crate::manifest::Manifest;
use crate::metrics::{larger, percentiles};
use crate::provenance::versions;
use crate::session::{Metrics, StepSample};
use crate::settings::RunSettings;
use crate::verdict::{Criterion, Warned};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use stickslip_core::report::SolveReport;

/// Result of one run.
#[derive(Clone, Debug, Serialize)]
pub struct RunResult {
    /// Scenario name.
    pub scenario: &'static str,
    /// Model name.
    pub model: &'static str,
    /// Solver tried first; `rapier` for the model `host`.
    pub solver: &'static str,
    /// Precision of the engine.
    pub precision: &'static str,
    /// Time step \[s\].
    pub dt: f64,
    /// Steps done.
    pub steps: u64,
    /// Seed.
    pub seed: u64,
    /// How it ended, in a word.
    pub outcome: String,
    /// Figures; names carry their unit.
    #[serde(serialize_with = "as_map")]
    pub metrics: Metrics,
    /// The bounds behind the outcome, absent where the scenario sets none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<Criterion>,
    /// What the scenario says about its outcome, a sentence each; left out of the JSON if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The warnings of the steps by kind, absent where there was none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warned>,
    /// Settings of the user that the model ignores, absent where it takes all.
    #[serde(skip_serializing_if = "Ignored::is_empty")]
    pub ignored: Ignored,
    /// What loading and placing the robot of `--robot` had to say, absent where it was nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub robot_notes: Vec<String>,
    /// What the solver did.
    pub solver_stats: SolverStats,
    /// Wall-clock times \[us\].
    pub timing_us: Timing,
    /// How it did beside the others, in a comparison only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// Why it ended before its time, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Contacts of the last step, or of every step where that was asked for: rows as in `contacts.csv`. Absent
    /// unless the result goes to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contacts: Option<Vec<Value>>,
    /// The same of what bodies and links do to each other: rows as in `forces.csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forces: Option<Vec<Value>>,
    /// Versions of what took part.
    pub versions: BTreeMap<String, String>,
    /// What it takes to repeat the run, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Manifest>,
    /// The scenario's main figures, by name.
    #[serde(skip)]
    pub summary: &'static [&'static str],
    /// Lines for the reader of the table.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// Times against those of the first run of a comparison, step by step in turn with this one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// Median solve time of the first run over this run's [-]; `None` (null) where one of them is
    /// rapier's own.
    pub solve_speedup_to_first: Option<f64>,
    /// The same of the sums of all solve times [-].
    pub solve_total_speedup_to_first: Option<f64>,
    /// Median step time of the first run over this run's [-].
    pub step_speedup_to_first: Option<f64>,
    /// What the paper reports of its own programs for these two [-], where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_speedup_to_first: Option<f64>,
}

impl Comparison {
    /// The ratios with their names; what is published only where it is.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, Option<f64>)> {
        let own = [
            ("solve_speedup_to_first", self.solve_speedup_to_first),
            (
                "solve_total_speedup_to_first",
                self.solve_total_speedup_to_first,
            ),
            ("step_speedup_to_first", self.step_speedup_to_first),
        ];
        let published = self.published_speedup_to_first;
        let published = published.map(|x| ("published_speedup_to_first", Some(x)));
        own.into_iter().chain(published)
    }
}

fn as_map<S: Serializer>(metrics: &Metrics, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(metrics.len()))?;
    for (name, value) in metrics {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

/// What the solver did over the run; `None` (null) where rapier's own solver doesn't say.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct SolverStats {
    /// Islands that ended without a usable answer, over all steps.
    pub failures: Option<usize>,
    /// Islands whose first solver failed, over all steps.
    pub fallbacks: Option<usize>,
    /// Pivots per step, mean.
    pub pivots_mean: Option<f64>,
    /// Pivots per step, largest.
    pub pivots_max: Option<usize>,
    /// Inner iterations per step, mean.
    pub iterations_mean: Option<f64>,
    /// Largest residual of any step, dimensionless.
    pub residual_max: Option<f64>,
    /// Steps whose residual is above 1e-8, what a Newton method reaches.
    pub steps_above_1e_8: Option<usize>,
    /// Steps whose residual is above 1e-6.
    pub steps_above_1e_6: Option<usize>,
    /// Steps whose residual is above 1e-4.
    pub steps_above_1e_4: Option<usize>,
    /// Contacts of a step, at most, whose torsional and rolling coefficients the model leaves out; absent
    /// if none are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spins_left_out_max: Option<usize>,
    /// Contacts per step, mean.
    pub contacts_mean: f64,
    /// Contacts per step, largest.
    pub contacts_max: usize,
}

/// Wall-clock times of the step call \[us\]; stages, of the steps that were not repetitions, are `None` (null) for rapier's own
/// pipeline.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Timing {
    /// Median of the whole step.
    pub step_median: f64,
    /// 99th percentile of the whole step.
    pub step_p99: f64,
    /// Mean of the whole step.
    pub step_mean: f64,
    /// The longest step.
    pub step_max: f64,
    /// Median of collision detection.
    pub detect_median: Option<f64>,
    /// Median of dynamics and assembly.
    pub assemble_median: Option<f64>,
    /// Median of the solve.
    pub solve_median: Option<f64>,
    /// Sum of all solves of the run.
    pub solve_total: Option<f64>,
    /// Median of write-back and integration.
    pub integrate_median: Option<f64>,
}

/// Bounds above which the residuals of steps are counted [-].
const RESIDUALS: [f64; 3] = [1e-8, 1e-6, 1e-4];

/// Collects what the steps of a run report.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    steps: usize,
    contacts: usize,
    contacts_max: usize,
    walls: Vec<f64>,
    stages: [Vec<f64>; 4],
    reported: usize,
    failures: usize,
    fallbacks: usize,
    pivots: usize,
    pivots_max: usize,
    iterations: usize,
    residual_max: f64,
    /// Steps above each of [`RESIDUALS`].
    above: [usize; 3],
    spins_left_out: usize,
}

impl Statistics {
    /// Takes one step with its number of contacts.
    pub fn add(&mut self, sample: &StepSample, contacts: usize) {
        self.steps += 1;
        self.contacts += contacts;
        self.contacts_max = self.contacts_max.max(contacts);
        self.walls.push(sample.wall);
        if let Some(report) = &sample.report {
            let times = report.times;
            let values = [times.detect, times.assemble, times.solve, times.integrate];
            // In a world that stands the last step is repeated, and no stage of it is made.
            if times.assemble > 0.0 {
                for (stage, value) in self.stages.iter_mut().zip(values) {
                    stage.push(value);
                }
            }
            self.add_solve(&report.solve);
        }
    }

    fn add_solve(&mut self, solve: &SolveReport) {
        self.reported += 1;
        self.failures += solve.failures;
        self.fallbacks += solve.fallbacks;
        self.pivots += solve.pivots;
        self.pivots_max = self.pivots_max.max(solve.pivots);
        self.iterations += solve.iterations;
        self.spins_left_out = self.spins_left_out.max(solve.spins_left_out);
        let residual = solve.residuals.max();
        self.residual_max = larger(self.residual_max, residual);
        for (count, bound) in self.above.iter_mut().zip(RESIDUALS) {
            // One that is not a number counts.
            *count += usize::from(residual.is_nan() || residual > bound);
        }
    }

    /// What the solver did.
    pub fn solver(&self) -> SolverStats {
        let mean = |sum: usize, count: usize| sum as f64 / count.max(1) as f64;
        let mut stats = SolverStats {
            contacts_mean: mean(self.contacts, self.steps),
            contacts_max: self.contacts_max,
            ..SolverStats::default()
        };
        if self.reported > 0 {
            stats.failures = Some(self.failures);
            stats.fallbacks = Some(self.fallbacks);
            stats.pivots_mean = Some(mean(self.pivots, self.reported));
            stats.pivots_max = Some(self.pivots_max);
            stats.iterations_mean = Some(mean(self.iterations, self.reported));
            stats.residual_max = Some(self.residual_max);
            let [above_8, above_6, above_4] = self.above.map(Some);
            stats.steps_above_1e_8 = above_8;
            stats.steps_above_1e_6 = above_6;
            stats.steps_above_1e_4 = above_4;
            stats.spins_left_out_max = (self.spins_left_out > 0).then_some(self.spins_left_out);
        }
        stats
    }

    /// The times, sorted and summed up.
    pub fn timing(&mut self) -> Timing {
        let step_mean = self.walls.iter().sum::<f64>() / self.walls.len().max(1) as f64;
        let step_max = self.walls.iter().copied().fold(0.0, larger);
        let [step_median, step_p99] = percentiles(&mut self.walls);
        let solves = &self.stages[2];
        let solve_total = (!solves.is_empty()).then(|| solves.iter().sum());
        let mut medians = self.stages.iter_mut().map(|stage| {
            let [median, _] = percentiles(stage);
            (!median.is_nan()).then_some(median)
        });
        let mut next = || medians.next().flatten();
        Timing {
            step_median,
            step_p99,
            step_mean,
            step_max,
            detect_median: next(),
            assemble_median: next(),
            solve_median: next(),
            solve_total,
            integrate_median: next(),
        }
    }
}

impl RunResult {
    /// The frame of a result; figures and statistics are filled in by the runner.
    pub fn new(settings: &RunSettings) -> Self {
        Self {
            scenario: settings.scenario.name,
            model: settings.model.as_str(),
            solver: settings.solver_name(),
            precision: settings.precision.as_str(),
            dt: settings.dt,
            steps: 0,
            seed: settings.seed,
            outcome: String::new(),
            metrics: Metrics::new(),
            criteria: Vec::new(),
            remarks: Vec::new(),
            warnings: Vec::new(),
            ignored: settings.ignored.clone(),
            robot_notes: Vec::new(),
            solver_stats: SolverStats::default(),
            timing_us: Timing::default(),
            comparison: None,
            error: None,
            contacts: None,
            forces: None,
            versions: versions(),
            manifest: None,
            summary: settings.scenario.summary,
            notes: Vec::new(),
        }
    }

    /// A figure by name.
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, value)| *value)
    }
}
