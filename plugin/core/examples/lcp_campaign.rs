//! Random Stewart-Trinkle problems by the thousand: how often each rung of the ladder gives a
//! verified answer.
//!
//! `cargo run --release -p stickslip-core --example lcp_campaign -- [count] [seed] [threads] [directions] [well-posed]`
//!
//! With `well-posed` (1) only problems that have a solution by theorem: nothing penetrates, bounces or
//! is driven.
//!
//! Every problem whose answer is not verified is printed with its seed; draw it again with
//! `campaign::draw(builder, seed, (2, 60), kind)`. Times are of one thread: wall-clock of `solve`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Solver, campaign, campaign::Kind};
use std::collections::BTreeMap;
use std::time::Instant;
use stickslip_core::models::{ModelName, ModelSettings, PolygonSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::{RungCounts, SolveStatus};

/// What a thread counted.
#[derive(Default)]
struct Tally {
    problems: usize,
    islands: usize,
    contacts: usize,
    /// Islands solved by each rung.
    rungs: RungCounts,
    statuses: BTreeMap<String, usize>,
    bad: Vec<(u64, String)>,
    pivots: usize,
    pivots_max: usize,
    seconds: f64,
    seconds_max: (f64, u64),
    /// Number of problems and seconds spent, by the last rung that an island of them needed.
    seconds_by_rung: BTreeMap<&'static str, (usize, f64)>,
    residual_max: f64,
    solved: usize,
    relaxed: usize,
}

impl Tally {
    fn print(&self, directions: usize, elapsed: f64) {
        for (seed, line) in &self.bad {
            println!("seed {seed}: {line}");
        }
        let n = self.problems as f64;
        println!(
            "{} problems, {} islands, {:.1} contacts on average, {directions} directions",
            self.problems,
            self.islands,
            self.contacts as f64 / n
        );
        println!(
            "verified: {} solved, {} with contradictory walls relaxed; not verified: {} {:?}",
            self.solved,
            self.relaxed,
            self.bad.len(),
            self.statuses
        );
        println!("islands by rung: {:?}", self.rungs);
        for (rung, (problems, seconds)) in &self.seconds_by_rung {
            println!("last rung {rung}: {problems} problems, {seconds:.1} s");
        }
        println!(
            "pivots: {:.1} on average, {} at most; largest verified residual {:.1e}",
            self.pivots as f64 / n,
            self.pivots_max,
            self.residual_max
        );
        println!(
            "solve: {:.3} ms on average, {:.1} ms at most (seed {}); {:.1} s in all",
            1e3 * self.seconds / n,
            1e3 * self.seconds_max.0,
            self.seconds_max.1,
            elapsed
        );
    }
}

/// The last rung that solved an island.
fn last_rung(rungs: &RungCounts) -> &'static str {
    match rungs {
        RungCounts {
            best_effort: 1.., ..
        } => "best effort",
        RungCounts { precise: 1.., .. } => "precise",
        RungCounts {
            guaranteed: 1.., ..
        } => "guaranteed",
        RungCounts { cold: 1.., .. } => "cold",
        _ => "none",
    }
}

fn run((first, step): (u64, u64), count: u64, directions: usize, kind: Kind) -> Tally {
    let mut builder = ProblemBuilder::new();
    let settings = ModelSettings {
        polygon: PolygonSettings {
            directions,
            ..PolygonSettings::default()
        },
        ..ModelSettings::default()
    };
    let mut solver = Solver::new(ModelName::StewartTrinkle, settings);
    let mut t = Tally::default();
    let mut seed = first;
    while t.problems < count as usize {
        campaign::draw(&mut builder, seed, (2, 60), kind);
        let problem = builder.problem();
        solver.warm.clear();
        let start = Instant::now();
        let report = solver.solve(problem);
        let seconds = start.elapsed().as_secs_f64();
        t.problems += 1;
        t.islands += report.islands;
        t.contacts += report.contacts;
        t.pivots += report.pivots;
        t.pivots_max = t.pivots_max.max(report.pivots);
        t.seconds += seconds;
        let by_rung = t
            .seconds_by_rung
            .entry(last_rung(&report.rungs))
            .or_default();
        by_rung.0 += 1;
        by_rung.1 += seconds;
        if seconds > t.seconds_max.0 {
            t.seconds_max = (seconds, seed);
        }
        t.rungs.warm += report.rungs.warm;
        t.rungs.cold += report.rungs.cold;
        t.rungs.guaranteed += report.rungs.guaranteed;
        t.rungs.precise += report.rungs.precise;
        t.rungs.best_effort += report.rungs.best_effort;
        let verified = report.residuals.max() <= 1e-9;
        match report.status {
            SolveStatus::Solved if verified => t.solved += 1,
            SolveStatus::Relaxed if verified => t.relaxed += 1,
            status => {
                *t.statuses.entry(format!("{status:?}")).or_default() += 1;
                let line = format!(
                    "{status:?}, {} contacts, residuals {:?}, rungs {:?}, {:.1} ms",
                    report.contacts,
                    report.residuals,
                    report.rungs,
                    1e3 * seconds
                );
                t.bad.push((seed, line));
            }
        }
        if verified {
            t.residual_max = t.residual_max.max(report.residuals.max());
        }
        if t.problems % 20_000 == 0 && t.problems < count as usize {
            println!("-- so far, seeds {first} to {seed} by {step}:");
            t.print(directions, 0.0);
        }
        seed += step;
    }
    t
}

fn main() {
    let mut args = std::env::args().skip(1).map(|a| a.parse::<u64>().unwrap());
    let count = args.next().unwrap_or(1000);
    let seed = args.next().unwrap_or(1);
    let threads = args.next().unwrap_or(1).max(1);
    let directions = args.next().unwrap_or(4) as usize;
    let kind = if args.next().unwrap_or(0) == 1 {
        Kind::WellPosed
    } else {
        Kind::Any
    };
    let start = Instant::now();
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads)
            .map(|i| {
                let own = count / threads + u64::from(i < count % threads);
                scope.spawn(move || run((seed + i, threads), own, directions, kind))
            })
            .collect();
        handles.into_iter().map(|h| h.join().unwrap()).collect()
    });
    let mut all = Tally::default();
    for t in tallies {
        all.problems += t.problems;
        all.islands += t.islands;
        all.contacts += t.contacts;
        all.rungs.warm += t.rungs.warm;
        all.rungs.cold += t.rungs.cold;
        all.rungs.guaranteed += t.rungs.guaranteed;
        all.rungs.precise += t.rungs.precise;
        all.rungs.best_effort += t.rungs.best_effort;
        for (status, n) in t.statuses {
            *all.statuses.entry(status).or_default() += n;
        }
        all.bad.extend(t.bad);
        all.pivots += t.pivots;
        all.pivots_max = all.pivots_max.max(t.pivots_max);
        all.seconds += t.seconds;
        for (rung, (n, seconds)) in t.seconds_by_rung {
            let by_rung = all.seconds_by_rung.entry(rung).or_default();
            by_rung.0 += n;
            by_rung.1 += seconds;
        }
        if t.seconds_max.0 > all.seconds_max.0 {
            all.seconds_max = t.seconds_max;
        }
        all.residual_max = all.residual_max.max(t.residual_max);
        all.solved += t.solved;
        all.relaxed += t.relaxed;
    }
    all.bad.sort();
    all.print(directions, start.elapsed().as_secs_f64());
}
