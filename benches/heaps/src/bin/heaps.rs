//! Steps common rapier scenes under rapier and under stickslip in turns, and prints what was
//! measured.

use clap::Parser;
use std::{path::PathBuf, process::ExitCode};
use stickslip::core::models::Stage;
use stickslip_heaps::engine::{Engine, Precision};
use stickslip_heaps::families;
use stickslip_heaps::measure::Outcome;
use stickslip_heaps::page;
use stickslip_heaps::single::scenes;
use stickslip_heaps::table;
use stickslip_heaps::turns::{self, Plan};

/// Steps scenes under several engines in turns and prints a row per scene and engine.
///
/// Times are microseconds, speeds m/s; `/host` is the mean step by rapier's over the same steps, `res` the
/// residual, `>1e-4` the steps with a larger one, `tail_mm` the depth in the last quarter of the run, `excess`
/// the most kinetic energy that a step made beyond the work of gravity, by the energy in play.
#[derive(Debug, Parser)]
struct Arguments {
    /// Scenes, each with a size and a number of steps if it shall not have its own; none: all.
    #[arg(value_name = "SCENE[:N[:STEPS]]")]
    scenes: Vec<String>,
    /// Who steps them: contact models of stickslip (`cone`, or with a solver: `cone/engine`), `host` for rapier, and
    /// `host~recycling` for rapier with every contact computed in every step.
    #[arg(long, value_delimiter = ',', default_value = "cone,no-slip,ccp,host")]
    models: Vec<Engine>,
    /// Runs every model once more for each of these stages of the engine, without it: what fails then is what it is for
    /// (`all`: every stage).
    #[arg(long, value_delimiter = ',', value_name = "STAGE")]
    without: Vec<String>,
    /// Precisions of rapier's state: f32, f64, or both one after the other.
    #[arg(long, value_delimiter = ',', default_value = "f32")]
    precision: Vec<Precision>,
    /// How many seeds.
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// The first of them.
    #[arg(long, default_value_t = 0)]
    first_seed: u64,
    /// Time step \[s\], instead of the scene's own.
    #[arg(long, value_parser = time_step)]
    dt: Option<f64>,
    /// Writes everything measured to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Writes a page of tables to a file: docs/scenes.md, with `--families` docs/families.md.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Runs the short forms of the scenes named, as the tests do.
    #[arg(long)]
    short: bool,
    /// Time that an engine may step a scene \[s\]; a step once begun is not interrupted.
    #[arg(long, default_value_t = 10.0)]
    limit_seconds: f64,
    /// Takes the families with a right value each instead of the battery, where no scene is named.
    #[arg(long)]
    families: bool,
    /// Takes the scenes whose parameters others published, where no scene is named (docs/benchmarks.md).
    #[arg(long, conflicts_with = "families")]
    published: bool,
    /// Names the scenes and ends.
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.list {
        list(&arguments);
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("heaps: {reason}");
            ExitCode::from(2)
        }
    }
}

/// The scenes that stand for no names.
fn unnamed(arguments: &Arguments) -> Vec<scenes::Entry> {
    if arguments.families {
        scenes::families()
    } else if arguments.published {
        scenes::published()
    } else {
        scenes::all()
    }
}

fn list(arguments: &Arguments) {
    for entry in unnamed(arguments) {
        let (name, size, steps) = (entry.name, entry.size, entry.steps);
        println!("{name:<20} {size:>5} {steps:>5}  {}", entry.about);
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let plans = plans(arguments)?;
    let engines = engines(arguments)?;
    println!("{}", table::head());
    let mut all: Vec<Outcome> = Vec::new();
    for plan in &plans {
        let outcomes = turns::run(plan, &engines).map_err(|e| e.to_string())?;
        for outcome in &outcomes {
            println!("{}", table::row(outcome));
        }
        all.extend(outcomes);
        // After every scene: a run that is interrupted keeps what it has.
        write(arguments, &all)?;
    }
    let broken = all
        .iter()
        .filter(|outcome| outcome.verdict != "sane")
        .count();
    println!(
        "{broken} of {} runs are not sane or were cut short",
        all.len()
    );
    Ok(())
}

/// The engines named, each followed by itself without the stages named.
fn engines(arguments: &Arguments) -> Result<Vec<Engine>, String> {
    let mut engines = Vec::new();
    for &engine in &arguments.models {
        engines.push(engine);
        if engine.is_host() {
            continue;
        }
        for name in &arguments.without {
            let stages: Vec<_> = match name.as_str() {
                "all" => Stage::ALL.map(Stage::as_str).to_vec(),
                name => vec![name],
            };
            for stage in stages {
                let engine: Result<Engine, _> = format!("{engine}~{stage}").parse();
                engines.push(engine.map_err(|e| e.to_string())?);
            }
        }
    }
    Ok(engines)
}

fn write(arguments: &Arguments, all: &[Outcome]) -> Result<(), String> {
    let put = |path: &PathBuf, text: String| {
        stickslip_files::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
    };
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(all).map_err(|e| e.to_string())?;
        put(path, text + "\n")?;
    }
    if let Some(path) = &arguments.page {
        let about = |name: &str| scenes::find(name).map(|entry| entry.about);
        let page = if arguments.families {
            families::page(&command(), about, all)
        } else {
            page::page(&command(), about, all)
        };
        put(path, page)?;
    }
    Ok(())
}

/// The command as it is given from the root of the sources.
fn command() -> String {
    let own = std::env::args().skip(1);
    let all = ["cargo run --release -p stickslip-heaps --bin heaps --".to_owned()].into_iter();
    all.chain(own).collect::<Vec<_>>().join(" ")
}

fn plans(arguments: &Arguments) -> Result<Vec<Plan>, String> {
    let named = if arguments.scenes.is_empty() {
        let names = unnamed(arguments)
            .into_iter()
            .map(|entry| entry.name.to_owned());
        names.collect()
    } else {
        arguments.scenes.clone()
    };
    let mut plans = Vec::new();
    for text in &named {
        let first = arguments.first_seed;
        for seed in first..first.saturating_add(arguments.seeds) {
            plans.push(plan(text, seed, arguments)?);
        }
    }
    let at = |&precision| {
        let plans = plans.iter().cloned();
        plans.map(move |plan| Plan { precision, ..plan })
    };
    let plans = arguments.precision.iter().flat_map(at).collect();
    Ok(plans)
}

/// Reads `SCENE[:N[:STEPS]]`.
fn plan(text: &str, seed: u64, arguments: &Arguments) -> Result<Plan, String> {
    let mut parts = text.split(':');
    let scene = parts.next().unwrap_or_default().to_owned();
    let Some(entry) = scenes::find(&scene) else {
        return Err(format!("unknown scene `{scene}`; `--list` names them"));
    };
    let mut number = |what: &str| match parts.next() {
        None | Some("") => Ok(None),
        Some(part) => match part.parse::<usize>() {
            Ok(number) if number > 0 => Ok(Some(number)),
            _ => Err(format!(
                "`{text}`: its {what} `{part}` is not a positive number"
            )),
        },
    };
    let (mut size, mut steps) = (number("size")?, number("number of steps")?);
    if parts.next().is_some() {
        return Err(format!("`{text}`: a scene is SCENE[:N[:STEPS]]"));
    }
    if arguments.short {
        let (short_size, short_steps) = entry.short;
        size = size.or(Some(short_size));
        steps = steps.or(Some(short_steps));
    }
    Ok(Plan {
        scene,
        size,
        steps,
        dt: arguments.dt,
        seed,
        precision: Precision::default(),
        limit: arguments.limit_seconds,
    })
}

/// Reads a time step.
fn time_step(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(dt) if dt > 0.0 && dt.is_finite() => Ok(dt),
        _ => Err("not a number of seconds above zero".to_owned()),
    }
}
