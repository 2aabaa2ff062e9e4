//! A mixed scene for very many steps: `cargo run --release -p stickslip-f64 --example soak [-- STEPS [SEED]]`,
//! a million steps unless told otherwise.
//!
//! Bodies of every shape rain into a tray in which a paddle turns and a chain, a hinged door and a
//! multibody arm hang; some are removed again, some pushed or thrown, and now and then all are left alone until
//! they sleep. Ends with exit status 1 if a step is refused or fails, a number is not finite, or a body
//! leaves the tray or is flung; prints every tenth how the solves ended, which fallbacks there were, how
//! large the process is, and what a step of that tenth took of the processor.
#![allow(clippy::print_stdout, reason = "a report is what it is for")]

mod scene;

use scene::Scene;
use std::collections::BTreeMap;
use std::process::ExitCode;
use stickslip_f64::rapier::prelude::*;
use stickslip_f64::{ContactPipeline, StepReport};

/// Share of the steps after which a line is printed.
const LINES: usize = 10;

/// What the steps so far reported.
#[derive(Default)]
struct Tally {
    statuses: BTreeMap<&'static str, usize>,
    fallbacks: usize,
    failures: usize,
    unverified: usize,
    relieved: usize,
    /// Bodies, each in each step: asleep, and all that are dynamic.
    asleep: usize,
    dynamic: usize,
    fastest: f64,
    contacts_max: usize,
    step_us_max: f64,
}

impl Tally {
    fn add(&mut self, report: &StepReport, world: &PhysicsWorld) {
        *self
            .statuses
            .entry(report.solve.status.as_str())
            .or_default() += 1;
        self.fallbacks += report.solve.fallbacks;
        self.failures += report.solve.failures;
        self.unverified += report.solve.unverified;
        self.relieved += usize::from(report.relief.contacts + report.relief.joint_rows > 0);
        self.contacts_max = self.contacts_max.max(report.solve.contacts);
        self.step_us_max = self.step_us_max.max(report.times.total());
        for (_, rb) in world.bodies.iter().filter(|(_, rb)| rb.is_dynamic()) {
            self.asleep += usize::from(rb.is_sleeping());
            self.dynamic += 1;
            self.fastest = self.fastest.max(rb.linvel().length());
        }
    }
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.0} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Resident memory of this process \[MB\], where the system tells.
fn memory() -> Option<f64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: f64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096.0 / 1e6)
}

/// Time that this process has had on a processor \[us\], where the system tells.
fn processor() -> Option<f64> {
    let nanoseconds = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = nanoseconds.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e3)
}

fn shown(figure: Option<f64>) -> String {
    figure.map_or("?".into(), |figure| format!("{figure:.0}"))
}

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|a| a.parse::<usize>());
    let mut next = |default| numbers.next().unwrap_or(Ok(default));
    let (Ok(steps), Ok(seed)) = (next(1_000_000), next(1)) else {
        eprintln!("usage: soak [STEPS [SEED]], both whole numbers");
        return ExitCode::from(2);
    };
    let mut scene = Scene::new(seed as u64);
    let mut pipeline = ContactPipeline::default();
    let mut tally = Tally::default();
    println!(
        "| steps | statuses | fallbacks | failures | unverified | relieved | asleep | bodies | most contacts | fastest m/s | slowest step us | mean of this tenth us | memory MB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let tenth = (steps / LINES).max(1);
    let mut before = processor();
    for step in 1..=steps {
        scene.disturb(step);
        let report = match pipeline.step_world(&mut scene.world) {
            Ok(report) => *report,
            Err(error) => {
                println!("\nstep {step} was refused: {error}");
                return ExitCode::FAILURE;
            }
        };
        tally.add(&report, &scene.world);
        if let Err(reason) = scene.check() {
            println!("\nstep {step}: {reason}; {report:?}");
            return ExitCode::FAILURE;
        }
        if step % tenth == 0 {
            let now = processor();
            let spent = before.zip(now).map(|(from, to)| (to - from) / tenth as f64);
            before = now;
            let statuses = tally.statuses.iter().map(|(s, n)| format!("{s} {n}"));
            println!(
                "| {step} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {:.0} | {} | {} |",
                statuses.collect::<Vec<_>>().join(", "),
                tally.fallbacks,
                tally.failures,
                tally.unverified,
                tally.relieved,
                percent(tally.asleep, tally.dynamic),
                scene.world.bodies.len(),
                tally.contacts_max,
                tally.fastest,
                tally.step_us_max,
                shown(spent),
                shown(memory()),
            );
        }
    }
    if tally.failures > 0 {
        println!("\n{} islands failed", tally.failures);
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
