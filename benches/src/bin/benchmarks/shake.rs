//! Grasp and shake.

use crate::page::{Section, head, row, short};
use std::error::Error;
use stickslip_experiments::result::RunResult;
use stickslip_experiments::runner::run;
use stickslip_experiments::settings::{Request, RunSettings};

const MODELS: [&str; 3] = ["cone", "no-slip", "host"];

/// A run of the scene.
fn shaken(
    object: &str,
    dt: f64,
    model: &str,
    seed: u64,
    quick: bool,
) -> Result<RunResult, Box<dyn Error>> {
    let request = Request {
        scenario: "shake".to_owned(),
        model: Some(model.to_owned()),
        dt: Some(dt),
        duration: quick.then_some(4.5),
        set: vec![format!("object={object}")],
        seed,
        ..Request::default()
    };
    Ok(run(&RunSettings::new(&request)?)?)
}

/// The table, a row for each object, step and model.
pub fn section(seeds: u64, quick: bool) -> Result<Section, Box<dyn Error>> {
    let seeds = if quick { 1 } else { seeds };
    let mut text = String::from(
        "A Panda picks an object from the floor, lifts it and is shaken for 16 s; it passes if the object stays above 4 cm. \
         Parameters: phys-bench (Motphys, January 2026). Published there, of six objects and steps: MuJoCo 0, Genesis 2, MotrixSim 6. \
         The arm here is our own (`assets/panda.urdf`); the bottle is a prism of 16 sides with a cap. One run: `stickslip run shake \
         --set object=cube --dt 0.01`; the table: `stickslip compare shake --models cone,no-slip,host`.\n\n",
    );
    text += &head(&[
        "object",
        "step [ms]",
        "model",
        "held",
        "lost at [s]",
        "slip in the hand, at most [mm]",
        "mean step [us]",
        "median [us]",
        "longest [us]",
        "steps above 1e-8 / 1e-6 / 1e-4 a run",
    ]);
    let (mut passed, mut held, mut count) = ([0; 3], [0; 3], 0);
    for object in ["cube", "ball", "bottle"] {
        for dt in [0.002, 0.01] {
            eprintln!("  {object} {dt}");
            count += seeds;
            for ((model, passed), held) in MODELS.iter().zip(&mut passed).zip(&mut held) {
                let runs: Vec<_> = (0..seeds)
                    .map(|seed| shaken(object, dt, model, seed, quick))
                    .collect::<Result<_, _>>()?;
                *passed += usize::from(runs.iter().all(|r| r.outcome == "held"));
                *held += runs.iter().filter(|r| r.outcome == "held").count();
                text += &line(object, dt, model, &runs);
            }
        }
    }
    let [cone, no_slip, host] = passed;
    text += &format!(
        "\nOf six objects and steps, those held with every seed: `cone` {cone}, `no-slip` {no_slip}, rapier {host}.\n"
    );
    let [ours, _, host] = held.map(|held| format!("{held} of {count}"));
    let mut section = Section::new("Grasp and shake", text);
    section.headline = vec![[
        format!(
            "grasp and shake (cube, ball, bottle; 2 and 10 ms; {seeds} seeds each): objects held"
        ),
        ours,
        host,
        "published, of 6: MuJoCo 0, Genesis 2, MotrixSim 6".to_owned(),
    ]];
    Ok(section)
}

fn line(object: &str, dt: f64, model: &str, runs: &[RunResult]) -> String {
    let count = runs.len();
    let held = runs.iter().filter(|r| r.outcome == "held").count();
    let mean =
        |value: &dyn Fn(&RunResult) -> f64| runs.iter().map(value).sum::<f64>() / count as f64;
    let most = |value: &dyn Fn(&RunResult) -> f64| runs.iter().map(value).fold(0.0, f64::max);
    let metric = |name: &'static str| move |r: &RunResult| r.metric(name).unwrap_or(0.0);
    let lost: Vec<_> = runs.iter().filter_map(|r| r.metric("lost_at_s")).collect();
    let above = |count: fn(&RunResult) -> Option<usize>| match runs
        .iter()
        .map(count)
        .sum::<Option<usize>>()
    {
        Some(sum) => short(sum as f64 / runs.len() as f64),
        None => "-".to_owned(),
    };
    row([
        object.to_owned(),
        short(1e3 * dt),
        if model == "host" { "rapier" } else { model }.to_owned(),
        format!("{held} of {count}"),
        lost.iter()
            .map(|t| format!("{t:.2}"))
            .collect::<Vec<_>>()
            .join(", "),
        short(1e3 * most(&metric("slip_in_hand_max_m"))),
        short(mean(&|r| r.timing_us.step_mean)),
        short(mean(&|r| r.timing_us.step_median)),
        short(most(&|r| r.timing_us.step_max)),
        format!(
            "{} / {} / {}",
            above(|r| r.solver_stats.steps_above_1e_8),
            above(|r| r.solver_stats.steps_above_1e_6),
            above(|r| r.solver_stats.steps_above_1e_4)
        ),
    ])
}
