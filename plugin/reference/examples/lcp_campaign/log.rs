//! The table a campaign leaves, and goes on from.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use stickslip_core::report::{RouteCounts, SolveReport, SolveStatus};

const HEADER: &str = "\
# seed,SEED,route,status,residual,pivots,ms
# chunk,FIRST,problems,islands,contacts,pivots,pivots_max,cold,guaranteed,best_effort,solved,relaxed,unverified,residual_max,ms,ms_max
";

/// What was counted; the numbers of a row of the log.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    pub problems: usize,
    pub islands: usize,
    pub contacts: usize,
    pub pivots: usize,
    pub pivots_max: usize,
    /// Islands solved by each route.
    pub routes: RouteCounts,
    pub solved: usize,
    pub relaxed: usize,
    pub unverified: usize,
    pub residual_max: f64,
    pub ms: f64,
    pub ms_max: f64,
}

impl Sums {
    /// The sums of one problem.
    pub fn of(report: &SolveReport, ms: f64) -> Self {
        let verified = verified(report);
        Self {
            problems: 1,
            islands: report.islands,
            contacts: report.contacts,
            pivots: report.pivots,
            pivots_max: report.pivots,
            routes: report.routes,
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

    pub fn add(&mut self, other: &Self) {
        self.problems += other.problems;
        self.islands += other.islands;
        self.contacts += other.contacts;
        self.pivots += other.pivots;
        self.pivots_max = self.pivots_max.max(other.pivots_max);
        self.routes.cold += other.routes.cold;
        self.routes.guaranteed += other.routes.guaranteed;
        self.routes.best_effort += other.routes.best_effort;
        self.solved += other.solved;
        self.relaxed += other.relaxed;
        self.unverified += other.unverified;
        self.residual_max = self.residual_max.max(other.residual_max);
        self.ms += other.ms;
        self.ms_max = self.ms_max.max(other.ms_max);
    }

    pub fn row(&self, first: u64) -> String {
        let (s, r) = (self, &self.routes);
        format!(
            "chunk,{first},{},{},{},{},{},{},{},{},{},{},{},{:.2e},{:.1},{:.1}\n",
            s.problems,
            s.islands,
            s.contacts,
            s.pivots,
            s.pivots_max,
            r.cold,
            r.guaranteed,
            r.best_effort,
            s.solved,
            s.relaxed,
            s.unverified,
            s.residual_max,
            s.ms,
            s.ms_max
        )
    }

    /// A row's numbers, after its first seed; none if one is missing or not a number.
    fn parse(fields: &[&str]) -> Option<Self> {
        let count = |i: usize| fields.get(i)?.parse::<usize>().ok();
        let real = |i: usize| fields.get(i)?.parse::<f64>().ok();
        Some(Self {
            problems: count(0)?,
            islands: count(1)?,
            contacts: count(2)?,
            pivots: count(3)?,
            pivots_max: count(4)?,
            routes: RouteCounts {
                warm: 0,
                cold: count(5)?,
                guaranteed: count(6)?,
                best_effort: count(7)?,
            },
            solved: count(8)?,
            relaxed: count(9)?,
            unverified: count(10)?,
            residual_max: real(11)?,
            ms: real(12)?,
            ms_max: real(13)?,
        })
    }

    pub fn print(&self) {
        let n = self.problems.max(1) as f64;
        println!(
            "{} problems, {} islands, {:.1} contacts on average",
            self.problems,
            self.islands,
            self.contacts as f64 / n
        );
        println!(
            "verified: {} solved, {} with contradictory rows relaxed; not verified: {}",
            self.solved, self.relaxed, self.unverified
        );
        println!("islands by route: {:?}", self.routes);
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

pub fn verified(report: &SolveReport) -> bool {
    matches!(report.status, SolveStatus::Solved | SolveStatus::Relaxed)
        && report.residuals.max() <= 1e-9
}

/// What a log says is done.
#[derive(Debug, Default)]
pub struct Progress {
    /// The first line: directions and kind.
    pub title: String,
    /// First seeds of the rows of sums.
    pub done: BTreeSet<u64>,
    /// Seeds that needed more than the first route or ended unverified.
    pub seeds: BTreeSet<u64>,
    pub sums: Sums,
}

impl Progress {
    pub fn read(path: &str) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|e| format!("can't read {path}: {e}"))?;
        let mut progress = Self {
            title: text.lines().next().unwrap_or_default().to_owned(),
            ..Self::default()
        };
        for (i, line) in text.lines().enumerate() {
            let fields: Vec<&str> = line.split(',').collect();
            let first = || fields.get(1)?.parse::<u64>().ok();
            let bad = || format!("{path}, line {}: `{line}` is no row of a log", i + 1);
            match fields[0] {
                "seed" => {
                    progress.seeds.insert(first().ok_or_else(bad)?);
                }
                "chunk" => {
                    let sums = Sums::parse(&fields[2..]).ok_or_else(bad)?;
                    if progress.done.insert(first().ok_or_else(bad)?) {
                        progress.sums.add(&sums);
                    }
                }
                _ if line.starts_with('#') => {}
                _ => return Err(bad()),
            }
        }
        Ok(progress)
    }
}

/// A log that rows are added to.
#[derive(Debug)]
pub struct Log {
    file: fs::File,
    path: String,
}

impl Log {
    /// Opens a log or begins one with this title, and tells what is in it. The rest of a row that a
    /// killed campaign began is cut off.
    pub fn open(path: &str, title: &str) -> Result<(Self, Progress), String> {
        let wrong = |e: std::io::Error| format!("can't write {path}: {e}");
        let mut file = fs::File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(wrong)?;
        let bytes = fs::read(path).map_err(wrong)?;
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        file.set_len(whole as u64).map_err(wrong)?;
        file.seek(SeekFrom::End(0)).map_err(wrong)?;
        let mut log = Self {
            file,
            path: path.to_owned(),
        };
        if whole == 0 {
            log.write(&format!("{title}\n{HEADER}"))?;
        }
        let progress = Progress::read(path)?;
        if progress.title == title {
            return Ok((log, progress));
        }
        Err(format!(
            "{path} is the log of another campaign: `{}`, not `{title}`",
            progress.title
        ))
    }

    pub fn write(&mut self, rows: &str) -> Result<(), String> {
        let wrong = |e: std::io::Error| format!("can't write {}: {e}", self.path);
        self.file.write_all(rows.as_bytes()).map_err(wrong)
    }
}
