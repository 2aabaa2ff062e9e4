//! Other engines on this machine, as `benches/peers/run.py` measured them, beside ours.

use crate::page::{Section, ahead, head, row, short};
use crate::scenes;
use crate::source::Published;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use stickslip_experiments::runner::run;
use stickslip_experiments::settings::{Request, RunSettings};

/// The file of the peers.
#[derive(Debug, Deserialize)]
struct Peers {
    /// Name of the machine's processor.
    machine: String,
    /// Day of the run.
    date: String,
    /// Engines with their versions; why those are missing that are.
    engines: BTreeMap<String, String>,
    rows: Vec<Row>,
}

/// A scene under an engine.
#[derive(Debug, Deserialize)]
struct Row {
    scene: String,
    engine: String,
    /// Settings other than the engine's own.
    #[serde(default)]
    options: String,
    /// Whether it held, stands, rests, if that is the question.
    #[serde(default)]
    outcome: String,
    /// The error of the scene, if it has one.
    error: Option<f64>,
    /// Deepest overlap \[m\].
    #[serde(default)]
    depth: Option<f64>,
    /// Median time of a step \[us\].
    step_us: f64,
}

/// A scene of ours: its name in the file, how it is run here, and the figure that is its error.
struct Ours {
    scene: &'static str,
    run: &'static str,
    dt: f64,
    duration: f64,
    set: &'static [&'static str],
    error: &'static str,
}

const SCENES: [Ours; 11] = [
    ours("stack", "stack", 0.005, 6.0, &[], "drift_m"),
    ours("pinch", "pinch", 0.002, 6.0, &[], "creep_m_per_s"),
    ours(
        "slope",
        "slope",
        0.005,
        2.0,
        &["ratio=0.98", "direction=45"],
        "drift_m",
    ),
    ours(
        "slide",
        "slide",
        0.005,
        1.0,
        &["direction=22.5"],
        "stop_distance_error_rel",
    ),
    ours(
        "contacts-100",
        "box",
        0.005,
        2.0,
        &["feet=100"],
        "penetration_max_m",
    ),
    ours(
        "contacts-1000",
        "box",
        0.005,
        1.0,
        &["feet=1000"],
        "penetration_max_m",
    ),
    ours(
        "shake-cube-2ms",
        "shake",
        0.002,
        20.0,
        &["object=cube"],
        "slip_in_hand_max_m",
    ),
    ours(
        "shake-cube-10ms",
        "shake",
        0.01,
        20.0,
        &["object=cube"],
        "slip_in_hand_max_m",
    ),
    ours(
        "shake-ball-2ms",
        "shake",
        0.002,
        20.0,
        &["object=ball"],
        "slip_in_hand_max_m",
    ),
    ours(
        "shake-ball-10ms",
        "shake",
        0.01,
        20.0,
        &["object=ball"],
        "slip_in_hand_max_m",
    ),
    ours("grasp", "grasp", 0.01, 10.0, &[], "creep_m_per_s"),
];

const fn ours(
    scene: &'static str,
    run: &'static str,
    dt: f64,
    duration: f64,
    set: &'static [&'static str],
    error: &'static str,
) -> Ours {
    Ours {
        scene,
        run,
        dt,
        duration,
        set,
        error,
    }
}

/// Who is ahead, where the other one did what is asked.
fn compared(ours: f64, other: &Row) -> String {
    match other.outcome.as_str() {
        "dropped" | "moves" => other.outcome.clone(),
        _ => ahead(ours, other.step_us, &other.engine),
    }
}

/// Scenes of `stickslip-heaps`: name in the file, scene, size, steps, time step \[s\].
const HEAPS: [(&str, &str, usize, usize, f64); 3] = [
    ("pyramid-10", "large-pyramid", 10, 200, 1.0 / 60.0),
    ("pyramid-20", "large-pyramid", 20, 200, 1.0 / 60.0),
    ("666", "666", 6, 2000, 0.005),
];

/// The rows of scenes of the heaps.
fn heaps(peers: &Peers, quick: bool) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for (name, scene, size, steps, dt) in HEAPS {
        let rows: Vec<_> = peers.rows.iter().filter(|r| r.scene == name).collect();
        if rows.is_empty() {
            continue;
        }
        eprintln!("  {name}");
        let published = Published {
            scene,
            size,
            steps: Some(steps),
            dt: Some(dt),
            time: None,
            note: "",
        };
        let mut first = f64::NAN;
        let mut what = "";
        for (outcome, who) in scenes::outcomes(&published, true, quick)?
            .iter()
            .zip(["cone", "rapier"])
        {
            if who == "cone" {
                first = outcome.step_us.median;
            }
            what = outcome.figure.map_or("", |f| f.right.name);
            let error = outcome.figure.map_or("-".to_owned(), |f| short(f.value));
            let (depth, step) = (short(outcome.depth_tail), short(outcome.step_us.median));
            text += &row([name, what, who, "", &error, &depth, &step, ""]);
        }
        for other in rows {
            text += &theirs(name, what, other, first);
        }
    }
    Ok(text)
}

/// A row of another engine; `first` is our time.
fn theirs(scene: &str, error: &str, other: &Row, first: f64) -> String {
    let who = format!("{} {}", other.engine, other.options);
    row([
        scene,
        error,
        who.trim(),
        &other.outcome,
        &other.error.map_or("-".to_owned(), short),
        &other.depth.map_or("-".to_owned(), short),
        &short(other.step_us),
        &compared(first, other),
    ])
}

/// The section, or a sentence on how to get it.
pub fn section(file: Option<&Path>, quick: bool) -> Result<Section, Box<dyn Error>> {
    let title = "Other engines on the same machine";
    let how = "`python benches/peers/run.py --out peers.json` in an environment with what \
               `benches/peers/requirements.txt` names measures other engines; `benchmarks --peers peers.json` sets ours beside them.";
    let Some(file) = file else {
        let text = format!("Left out: no `--peers FILE` was given. {how}\n");
        return Ok(Section { title, text });
    };
    let said = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
    let text = std::fs::read_to_string(file).map_err(|e| said(&e))?;
    let peers: Peers = serde_json::from_str(&text).map_err(|e| said(&e))?;
    let engines = peers
        .engines
        .iter()
        .map(|(name, version)| format!("{name} {version}"));
    let engines = engines.collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "Measured on {}, {}: {engines}. {how} Times are medians of a step, collision detection among \
         them. `stiff` are contacts as stiff as MuJoCo allows at this step (a time constant of two steps, friction ten times as stiff); MuJoCo \
         4.0.0 has a wrong sparse factor (its issue 3767). The arm is that of assets/panda.urdf, as benches/peers/panda.xml has it.\n\n{}",
        peers.machine,
        peers.date,
        head(&[
            "scene",
            "error",
            "engine",
            "outcome",
            "its error",
            "overlap [m]",
            "median step [us]",
            "ahead in time"
        ])
    );
    for scene in &SCENES {
        let rows = peers.rows.iter().filter(|r| r.scene == scene.scene);
        let rows: Vec<_> = rows.collect();
        if rows.is_empty() {
            continue;
        }
        eprintln!("  {}", scene.scene);
        let mut first = f64::NAN;
        for model in ["cone", "no-slip", "host"] {
            let request = Request {
                scenario: scene.run.to_owned(),
                model: Some(model.to_owned()),
                dt: Some(scene.dt),
                duration: Some(if quick {
                    0.2_f64.max(2.0 * scene.dt)
                } else {
                    scene.duration
                }),
                set: scene.set.iter().map(|s| (*s).to_owned()).collect(),
                ..Request::default()
            };
            let result = run(&RunSettings::new(&request)?)?;
            let step = result.timing_us.step_median;
            if model == "cone" {
                first = step;
            }
            text += &row([
                scene.scene,
                scene.error,
                if model == "host" { "rapier" } else { model },
                &result.outcome,
                &result.metric(scene.error).map_or("-".to_owned(), short),
                &result
                    .metric("penetration_max_m")
                    .map_or("-".to_owned(), short),
                &short(step),
                "",
            ]);
        }
        for other in rows {
            text += &theirs(scene.scene, scene.error, other, first);
        }
    }
    text += &heaps(&peers, quick)?;
    Ok(Section { title, text })
}
