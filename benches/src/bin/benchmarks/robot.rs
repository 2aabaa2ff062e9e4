//! ANYmal under PD control, where its file is at hand.

use crate::page::{ahead, head, row, short};
use std::error::Error;
use std::path::{Path, PathBuf};
use stickslip_experiments::runner::run;
use stickslip_experiments::settings::{Request, RunSettings};

const FILE: &str = "example-robot-data/robots/anymal_b_simple_description/robots/anymal.urdf";
/// Published times of a step \[us\].
const THEIRS: [(&str, f64); 3] = [("RaiSim", 8.2), ("MuJoCo, no-slip", 37.6), ("DART", 118.0)];

/// A robot's file, if it is at hand.
pub fn file(robots: Option<&Path>, file: &str) -> Option<PathBuf> {
    robots
        .map(|folder| folder.join(file))
        .filter(|f| f.exists())
}

/// That a robot's file is not at hand.
pub fn missing(file: &str) -> String {
    format!("{file} is not at hand (`--robots DIR`, CONTRIBUTING.md).")
}

/// The section about the standing robot, or the reason why it is left out.
pub fn lines(robots: Option<&Path>, quick: bool) -> Result<String, Box<dyn Error>> {
    let Some(file) = file(robots, FILE) else {
        let missing = missing(FILE);
        return Ok(format!(
            "\nANYmal under PD control is left out: {missing}\n"
        ));
    };
    let mut text = String::from(
        "\nANYmal (URDF, 18 coordinates) stands under PD control with kp 400 and kd 1, step 5 ms, 250 s:\n\n",
    ) + &head(&[
        "model",
        "outcome",
        "slip of the feet [m]",
        "median step [us]",
        "published [us]",
    ]);
    let mut first = None;
    for model in ["cone", "no-slip", "host"] {
        let sets = ["kp=400", "kd=1", "mu=0.9", "settle_damping=8"];
        let request = Request {
            scenario: "stand".to_owned(),
            model: Some(model.to_owned()),
            dt: Some(0.005),
            duration: Some(if quick { 2.0 } else { 250.0 }),
            robot: Some(file.clone()),
            set: sets.map(str::to_owned).to_vec(),
            ..Request::default()
        };
        let result = run(&RunSettings::new(&request)?)?;
        let step = result.timing_us.step_median;
        let ours = *first.get_or_insert(step);
        let theirs = THEIRS.map(|(who, t)| format!("{who} {} ({})", short(t), ahead(ours, t, who)));
        text += &row([
            if model == "host" { "rapier" } else { model }.to_owned(),
            result.outcome.clone(),
            short(result.metric("slip_max_m").unwrap_or(f64::NAN)),
            short(step),
            if model == "cone" {
                theirs.join("; ")
            } else {
                String::new()
            },
        ]);
    }
    Ok(text)
}
