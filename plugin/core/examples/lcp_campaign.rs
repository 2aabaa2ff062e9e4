//! Random Stewart-Trinkle problems by the million: how often each rung of the ladder gives a
//! verified answer.
//!
//! `cargo run --release -p stickslip-core --example lcp_campaign -- [count] [seed] [threads] [directions] [kind] [log]`
//!
//! Kind 1: only problems that have a solution by theorem, nothing penetrates, bounces or is driven;
//! kind 0 (the default): everything. Draw a problem again with
//! `campaign::draw(builder, seed, (2, 60), kind)`.
//!
//! The log is a table: a row for every thousand seeds with its sums, and one for every seed that
//! needed more than the first rung or ended unverified. A campaign that is stopped goes on where its
//! log ends. `... --example lcp_campaign -- again LOG [threads]` solves the seeds of a log once more:
//! those that a change of the later rungs can have touched.
//!
//! Times are of one thread: wall-clock of `solve`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Solver, campaign, campaign::Kind};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::time::Instant;
use stickslip_core::models::{ModelName, ModelSettings, PolygonSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::{RungCounts, SolveReport, SolveStatus};

/// Seeds of a row of sums.
const CHUNK: u64 = 1000;

const HEADER: &str = "\
# seed,SEED,rung,status,residual,pivots,ms
# chunk,FIRST,problems,islands,contacts,pivots,pivots_max,cold,guaranteed,precise,best_effort,solved,relaxed,unverified,residual_max,ms,ms_max
";

/// What was counted; the numbers of a row of the log.
#[derive(Clone, Debug, Default)]
struct Sums {
    problems: usize,
    islands: usize,
    contacts: usize,
    pivots: usize,
    pivots_max: usize,
    /// Islands solved by each rung.
    rungs: RungCounts,
    solved: usize,
    relaxed: usize,
    unverified: usize,
    residual_max: f64,
    ms: f64,
    ms_max: f64,
}

impl Sums {
    fn add(&mut self, other: &Self) {
        self.problems += other.problems;
        self.islands += other.islands;
        self.contacts += other.contacts;
        self.pivots += other.pivots;
        self.pivots_max = self.pivots_max.max(other.pivots_max);
        self.rungs.cold += other.rungs.cold;
        self.rungs.guaranteed += other.rungs.guaranteed;
        self.rungs.precise += other.rungs.precise;
        self.rungs.best_effort += other.rungs.best_effort;
        self.solved += other.solved;
        self.relaxed += other.relaxed;
        self.unverified += other.unverified;
        self.residual_max = self.residual_max.max(other.residual_max);
        self.ms += other.ms;
        self.ms_max = self.ms_max.max(other.ms_max);
    }

    /// The sums of one problem.
    fn of(report: &SolveReport, ms: f64) -> Self {
        let verified = verified(report);
        Self {
            problems: 1,
            islands: report.islands,
            contacts: report.contacts,
            pivots: report.pivots,
            pivots_max: report.pivots,
            rungs: report.rungs,
            solved: usize::from(verified && report.status == SolveStatus::Solved),
            relaxed: usize::from(verified && report.status == SolveStatus::Relaxed),
            unverified: usize::from(!verified),
            residual_max: if verified {
                report.residuals.max()
            } else {
                0.0
            },
            ms,
            ms_max: ms,
        }
    }

    fn row(&self, first: u64) -> String {
        let (s, r) = (self, &self.rungs);
        format!(
            "chunk,{first},{},{},{},{},{},{},{},{},{},{},{},{},{:.2e},{:.1},{:.1}\n",
            s.problems,
            s.islands,
            s.contacts,
            s.pivots,
            s.pivots_max,
            r.cold,
            r.guaranteed,
            r.precise,
            r.best_effort,
            s.solved,
            s.relaxed,
            s.unverified,
            s.residual_max,
            s.ms,
            s.ms_max
        )
    }

    /// A row's numbers, after its first seed.
    fn parse(fields: &[&str]) -> Self {
        let count = |i: usize| fields[i].parse::<usize>().unwrap();
        let real = |i: usize| fields[i].parse::<f64>().unwrap();
        Self {
            problems: count(0),
            islands: count(1),
            contacts: count(2),
            pivots: count(3),
            pivots_max: count(4),
            rungs: RungCounts {
                warm: 0,
                cold: count(5),
                guaranteed: count(6),
                precise: count(7),
                best_effort: count(8),
            },
            solved: count(9),
            relaxed: count(10),
            unverified: count(11),
            residual_max: real(12),
            ms: real(13),
            ms_max: real(14),
        }
    }

    fn print(&self) {
        let n = self.problems as f64;
        println!(
            "{} problems, {} islands, {:.1} contacts on average",
            self.problems,
            self.islands,
            self.contacts as f64 / n
        );
        println!(
            "verified: {} solved, {} with contradictory walls relaxed; not verified: {}",
            self.solved, self.relaxed, self.unverified
        );
        println!("islands by rung: {:?}", self.rungs);
        println!(
            "pivots: {:.1} on average, {} at most; largest verified residual {:.1e}",
            self.pivots as f64 / n,
            self.pivots_max,
            self.residual_max
        );
        println!(
            "solve: {:.3} ms on average, {:.1} ms at most",
            self.ms / n,
            self.ms_max
        );
    }
}

fn verified(report: &SolveReport) -> bool {
    matches!(report.status, SolveStatus::Solved | SolveStatus::Relaxed)
        && report.residuals.max() <= 1e-9
}

/// The last rung that solved an island.
fn last_rung(rungs: &RungCounts) -> &'static str {
    let used = [
        (rungs.best_effort, "best-effort"),
        (rungs.precise, "precise"),
        (rungs.guaranteed, "guaranteed"),
        (rungs.cold, "cold"),
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
    /// Solves the problems of the seeds on all threads; their rows, by seed, and the sums.
    fn run(self, seeds: &[u64]) -> (BTreeMap<u64, String>, Sums) {
        let share = seeds.len().div_ceil(self.threads as usize).max(1);
        let parts: Vec<_> = std::thread::scope(|scope| {
            let handles: Vec<_> = seeds
                .chunks(share)
                .map(|own| scope.spawn(move || self.work(own)))
                .collect();
            handles.into_iter().map(|h| h.join().unwrap()).collect()
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
        let settings = ModelSettings {
            polygon: PolygonSettings {
                directions: self.directions,
                ..PolygonSettings::default()
            },
            ..ModelSettings::default()
        };
        let mut solver = Solver::new(ModelName::StewartTrinkle, settings);
        let (mut rows, mut all) = (BTreeMap::new(), Sums::default());
        for &seed in seeds {
            campaign::draw(&mut builder, seed, (2, 60), self.kind);
            solver.warm.clear();
            let start = Instant::now();
            let report = solver.solve(builder.problem());
            let ms = 1e3 * start.elapsed().as_secs_f64();
            all.add(&Sums::of(&report, ms));
            if !verified(&report) || report.fallbacks > 0 || report.failures > 0 {
                let row = format!(
                    "seed,{seed},{},{},{:.2e},{},{ms:.1}\n",
                    last_rung(&report.rungs),
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

/// The rows of a log: the first seeds of what is done, the seeds that stood out, and the sums.
fn read(log: &str) -> (BTreeSet<u64>, BTreeSet<u64>, Sums) {
    let (mut done, mut seeds, mut all) = (BTreeSet::new(), BTreeSet::new(), Sums::default());
    for line in log.lines() {
        let fields: Vec<&str> = line.split(',').collect();
        match fields[0] {
            "seed" => {
                seeds.insert(fields[1].parse().unwrap());
            }
            "chunk" if done.insert(fields[1].parse().unwrap()) => {
                all.add(&Sums::parse(&fields[2..]));
            }
            _ => {}
        }
    }
    (done, seeds, all)
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let start = Instant::now();
    let number = |i: usize, or: u64| args.get(i).map_or(or, |a| a.parse().unwrap());
    let kind = |wanted: bool| if wanted { Kind::WellPosed } else { Kind::Any };
    if args.first().is_some_and(|a| a == "again") {
        let log = fs::read_to_string(&args[1]).unwrap();
        let campaign = Campaign {
            directions: log
                .strip_prefix("# d=")
                .and_then(|rest| rest.split(' ').next())
                .map_or(4, |d| d.parse().unwrap()),
            kind: kind(log.lines().next().unwrap().contains("well-posed")),
            threads: number(2, 1),
        };
        let seeds: Vec<u64> = read(&log).1.into_iter().collect();
        campaign.run(&seeds).1.print();
        return;
    }
    let (count, first) = (number(0, 1000), number(1, 1));
    let campaign = Campaign {
        directions: number(3, 4) as usize,
        kind: kind(number(4, 0) == 1),
        threads: number(2, 1).max(1),
    };
    let mut log = args.get(5).map(|path| {
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(path)
            .unwrap();
        (log, read(&fs::read_to_string(path).unwrap()))
    });
    if let Some((file, (done, ..))) = &mut log
        && done.is_empty()
    {
        let kind = if campaign.kind == Kind::WellPosed {
            "well-posed"
        } else {
            "any"
        };
        write!(file, "# d={} {kind}\n{HEADER}", campaign.directions).unwrap();
    }
    let mut all = log.as_ref().map_or(Sums::default(), |l| l.1.2.clone());
    let end = first + count;
    for from in (first..end).step_by(CHUNK as usize) {
        if log
            .as_ref()
            .is_some_and(|(_, (done, ..))| done.contains(&from))
        {
            continue;
        }
        let seeds: Vec<u64> = (from..end.min(from + CHUNK)).collect();
        let (rows, sums) = campaign.run(&seeds);
        all.add(&sums);
        if let Some((file, _)) = &mut log {
            let rows: String = rows.into_values().chain([sums.row(from)]).collect();
            file.write_all(rows.as_bytes()).unwrap();
        }
    }
    all.print();
    println!("{:.1} s", start.elapsed().as_secs_f64());
}
