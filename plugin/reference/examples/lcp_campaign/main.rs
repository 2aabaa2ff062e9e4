//! Random Stewart-Trinkle problems by the million: how often each route gives a
//! verified answer.
//!
//! `cargo run --release -p stickslip-reference --example lcp_campaign -- [count] [seed] [threads] [directions] [kind] [log]`
//!
//! Kind 1: only problems that have a solution by theorem, nothing penetrates, bounces or is driven;
//! kind 0 (the default): everything. Draw a problem again with
//! `campaign::draw(builder, seed, (2, 60), kind)`.
//!
//! The log is a table: a row for every thousand seeds with its sums, and one for every seed that
//! needed more than the first route or ended unverified. A campaign that is stopped goes on where its
//! log ends. `... --example lcp_campaign -- again LOG [threads]` solves the seeds of a log once more:
//! those that a change of the later routes can have touched.
//!
//! Times are of one thread: wall-clock of `solve`.
#![allow(clippy::print_stdout)]

#[path = "../../tests/common/mod.rs"]
mod common;
mod log;

use common::{Solver, campaign, campaign::Kind};
use log::{Log, Progress, Sums, verified};
use std::collections::BTreeMap;
use std::time::Instant;
use stickslip_core::models::{ModelName, ModelSettings, PolygonSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::RouteCounts;

/// Seeds of a row of sums.
const CHUNK: u64 = 1000;

/// Kinds by number, with their names in a log.
const KINDS: [(Kind, &str); 2] = [(Kind::Any, "any"), (Kind::WellPosed, "well-posed")];

const USAGE: &str = "\
arguments: [count] [seed] [threads] [directions] [kind] [log], or: again LOG [threads]";

/// The last route that solved an island.
fn last_rung(routes: &RouteCounts) -> &'static str {
    let used = [
        (routes.best_effort, "best-effort"),
        (routes.guaranteed, "guaranteed"),
        (routes.cold, "cold"),
    ];
    let last = used.into_iter().find(|(count, _)| *count > 0);
    last.map_or("none", |(_, name)| name)
}

/// What is the same for all problems of a campaign.
#[derive(Clone, Copy)]
struct Campaign {
    directions: usize,
    kind: Kind,
    threads: u64,
}

impl Campaign {
    /// The first line of its log.
    fn title(self) -> String {
        let kind = KINDS.iter().find(|(kind, _)| *kind == self.kind);
        format!("# d={} {}", self.directions, kind.map_or("", |k| k.1))
    }

    /// The campaign of a log with this first line.
    fn of_title(title: &str, threads: u64) -> Option<Self> {
        let (directions, name) = title.strip_prefix("# d=")?.split_once(' ')?;
        Some(Self {
            directions: directions.parse().ok()?,
            kind: KINDS.iter().find(|(_, own)| *own == name)?.0,
            threads,
        })
    }

    fn settings(self) -> ModelSettings {
        ModelSettings {
            polygon: PolygonSettings {
                directions: self.directions,
                ..PolygonSettings::default()
            },
            ..ModelSettings::default()
        }
    }

    /// Solves the problems of the seeds on all threads; their rows, by seed, and the sums.
    fn run(self, seeds: &[u64]) -> (BTreeMap<u64, String>, Sums) {
        let share = seeds.len().div_ceil(self.threads as usize).max(1);
        let parts: Vec<_> = std::thread::scope(|scope| {
            let handles: Vec<_> = seeds
                .chunks(share)
                .map(|own| scope.spawn(move || self.work(own)))
                .collect();
            let ended = handles.into_iter().map(|h| h.join());
            ended
                .map(|part| part.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let mut all = (BTreeMap::new(), Sums::default());
        for (rows, sums) in parts {
            all.0.extend(rows);
            all.1.add(&sums);
        }
        all
    }

    fn work(self, seeds: &[u64]) -> (BTreeMap<u64, String>, Sums) {
        let mut builder = ProblemBuilder::new();
        let mut solver = Solver::new(ModelName::StewartTrinkle, self.settings());
        let (mut rows, mut all) = (BTreeMap::new(), Sums::default());
        for &seed in seeds {
            campaign::draw(&mut builder, seed, (2, 60), self.kind);
            solver.warm.clear();
            let start = Instant::now();
            let Ok(problem) = builder.finished() else {
                continue;
            };
            let report = solver.solve(problem);
            let ms = 1e3 * start.elapsed().as_secs_f64();
            all.add(&Sums::of(&report, ms));
            if !verified(&report) || report.fallbacks > 0 || report.failures > 0 {
                let row = format!(
                    "seed,{seed},{},{},{:.2e},{},{ms:.1}\n",
                    last_rung(&report.routes),
                    report.status.as_str(),
                    report.residuals.max(),
                    report.pivots
                );
                if !verified(&report) {
                    print!("{row}");
                }
                rows.insert(seed, row);
            }
        }
        (rows, all)
    }
}

/// The whole number at a place of the command line.
fn number(args: &[String], i: usize, or: u64) -> Result<u64, String> {
    args.get(i).map_or(Ok(or), |arg| {
        let number = arg.parse();
        number.map_err(|_| format!("`{arg}` is no whole number; {USAGE}"))
    })
}

/// Solves the seeds of a log once more.
fn again(args: &[String]) -> Result<(), String> {
    let path = args.get(1).ok_or(USAGE)?;
    let progress = Progress::read(path)?;
    let campaign = Campaign::of_title(&progress.title, number(args, 2, 1)?.max(1))
        .ok_or_else(|| format!("{path} does not begin as a log does: `{}`", progress.title))?;
    let seeds: Vec<u64> = progress.seeds.into_iter().collect();
    campaign.run(&seeds).1.print();
    Ok(())
}

fn main() -> Result<(), String> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "again") {
        return again(&args);
    }
    let start = Instant::now();
    let (count, first) = (number(&args, 0, 1000)?, number(&args, 1, 1)?);
    let campaign = Campaign {
        threads: number(&args, 2, 1)?.max(1),
        directions: number(&args, 3, 4)? as usize,
        kind: KINDS[number(&args, 4, 0)?.min(1) as usize].0,
    };
    stickslip_reference::model(ModelName::StewartTrinkle, campaign.settings())
        .map_err(|e| e.to_string())?;
    let (mut log, progress) = match args.get(5) {
        Some(path) => {
            let (log, progress) = Log::open(path, &campaign.title())?;
            (Some(log), progress)
        }
        None => (None, Progress::default()),
    };
    let mut all = progress.sums;
    let end = first.saturating_add(count);
    for from in (first..end).step_by(CHUNK as usize) {
        if progress.done.contains(&from) {
            continue;
        }
        let seeds: Vec<u64> = (from..end.min(from + CHUNK)).collect();
        let (rows, sums) = campaign.run(&seeds);
        all.add(&sums);
        if let Some(log) = &mut log {
            let rows: String = rows.into_values().chain([sums.row(from)]).collect();
            log.write(&rows)?;
        }
    }
    all.print();
    println!("{:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}
