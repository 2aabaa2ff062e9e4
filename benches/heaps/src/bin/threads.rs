//! What more threads give, and that they give the same bits.

use clap::Parser;
use std::process::ExitCode;
use stickslip::ModelName;
use stickslip_heaps::engine::{Engine, Precision};
use stickslip_heaps::measure::{StepSample, Stepper};
use stickslip_heaps::turns::{self, Plan};

type Failure = Box<dyn std::error::Error>;

/// Steps scenes by one thread and by several in turns, under stickslip and under rapier, and prints the stages of a step.
///
/// Times are means in milliseconds by the wall's clock, of the steps that were made: in a world that stands none is. `each thread`
/// is the processor time that each thread took, of all steps, waiting for work included. Ends with exit status 1 where bodies are not in the same places, bit for bit.
#[derive(Debug, Parser)]
struct Arguments {
    /// Scenes, each with a size and a number of steps if it shall not have its own.
    #[arg(value_name = "SCENE[:N[:STEPS]]", required = true)]
    scenes: Vec<String>,
    /// How many threads, beside one.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The model.
    #[arg(long, default_value = "cone")]
    model: ModelName,
    /// Precision of rapier's state: f32 or f64.
    #[arg(long, default_value = "f32")]
    precision: Precision,
    /// Steps that are left out at the beginning.
    #[arg(long, default_value_t = 1)]
    skip: usize,
}

/// A world by so many threads.
struct Lane {
    stepper: Box<dyn Stepper>,
    /// Sums over the steps that were made \[us\]: the stages, and the whole.
    sums: [f64; 5],
    made: usize,
}

impl Lane {
    fn step(&mut self, counts: bool) -> Result<StepSample, String> {
        let sample = self.stepper.step()?;
        let times = sample.report.map(|report| report.times);
        if counts && times.is_none_or(|times| times.assemble > 0.0) {
            let [a, b, c, d] =
                times.map_or([0.0; 4], |t| [t.detect, t.assemble, t.solve, t.integrate]);
            let own = [a, b, c, d, sample.wall_us];
            self.sums
                .iter_mut()
                .zip(own)
                .for_each(|(sum, own)| *sum += own);
            self.made += 1;
        }
        Ok(sample)
    }

    fn means(&self) -> [f64; 5] {
        self.sums.map(|sum| 1e-3 * sum / self.made as f64)
    }
}

fn plan(name: &str, precision: Precision) -> Result<Plan, String> {
    let mut parts = name.split(':');
    let scene = parts.next().unwrap_or_default().to_owned();
    let mut number = || {
        parts
            .next()
            .map(|n| n.parse().map_err(|_| format!("`{name}`: {n} is no number")))
    };
    Ok(Plan {
        scene,
        size: number().transpose()?,
        steps: number().transpose()?,
        dt: None,
        seed: 0,
        precision,
        limit: f64::INFINITY,
    })
}

/// Prints the rows of a scene; whether the bits are the same.
fn rows(name: &str, arguments: &Arguments) -> Result<bool, Failure> {
    let plan = plan(name, arguments.precision)?;
    let ours = Engine::Model(arguments.model, None, None);
    let mut same = true;
    for engine in [ours, Engine::Host] {
        let mut lanes = Vec::new();
        for count in [1, arguments.threads] {
            let mut stepper = turns::stepper(&plan, engine)?;
            stepper.set_threads(count)?;
            lanes.push(Lane {
                stepper,
                sums: [0.0; 5],
                made: 0,
            });
        }
        let steps = lanes[0].stepper.label().steps;
        let mut islands = 0.0;
        for step in 0..steps {
            for lane in &mut lanes {
                let sample = lane.step(step >= arguments.skip)?;
                islands += sample.report.map_or(0, |report| report.solve.islands) as f64;
            }
            same &= lanes[0].stepper.bits() == lanes[1].stepper.bits();
        }
        let [one, several] = [0, 1].map(|k| lanes[k].means());
        let cell = |k: usize| {
            format!(
                "{:.2} {:.2} ({:.2})",
                one[k],
                several[k],
                one[k] / several[k]
            )
        };
        let each = lanes.iter().map(|lane| {
            let times = lane.stepper.thread_times().into_iter();
            let times = times.map(|time| format!("{:.2}", 1e-3 * time / steps as f64));
            times.collect::<Vec<_>>().join(" + ")
        });
        let each = each.collect::<Vec<_>>().join(", ");
        match engine {
            Engine::Host | Engine::HostAfresh => {
                println!("| {name} | rapier | | | | | | {} | {each} |", cell(4))
            }
            _ => println!(
                "| {name} | {} | {:.0} | {} | {} | {} | {} | {} | {each} |",
                lanes[0].made,
                islands / (2 * steps) as f64,
                cell(0),
                cell(1),
                cell(2),
                cell(3),
                cell(4)
            ),
        }
    }
    Ok(same)
}

fn run(arguments: &Arguments) -> Result<bool, Failure> {
    println!(
        "Milliseconds by 1 thread and by {}, and how many times less.\n\n\
        | scene | steps made | islands | detect | assemble | solve | integrate | step | each thread |\n|---|---|---|---|---|---|---|---|---|",
        arguments.threads
    );
    let mut same = true;
    for name in &arguments.scenes {
        same &= rows(name, arguments)?;
    }
    Ok(same)
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!("\nThe bodies are not in the same places.");
            ExitCode::FAILURE
        }
        Err(reason) => {
            eprintln!("threads: {reason}");
            ExitCode::from(2)
        }
    }
}
