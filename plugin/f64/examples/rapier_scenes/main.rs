//! The scenes of rapier's own examples and tests, rebuilt: host and ours side by side.
//!
//! `cargo run --release -p stickslip-f64 --example rapier_scenes [-- NAME...]` prints a table: whether
//! the final state is sane, the largest depth on the way and at the end, the change of mechanical energy and
//! the median time of a step. The exit status is 1 if one of ours is not sane or is deeper than its
//! scene allows.
#![allow(clippy::print_stdout, reason = "a table is what it is for")]

#[path = "../../tests/rapier_scenes/scenes/mod.rs"]
mod scenes;

use scenes::{Engine, Outcome, Scene};
use std::process::ExitCode;

fn row(scene: &Scene, host: &Outcome, ours: &Outcome) -> String {
    let sane = |outcome: &Outcome| if outcome.sane { "yes" } else { "NO" };
    format!(
        "| {} | {} | {} / {} | {:.1e} / {:.1e} | {:.1e} / {:.1e} | {:+.1e} / {:+.1e} | {:.0} / {:.0} | {} |",
        scene.name,
        scene.model,
        sane(host),
        sane(ours),
        host.depth_max,
        ours.depth_max,
        host.depth_end,
        ours.depth_end,
        host.energy_change,
        ours.energy_change,
        host.step_us,
        ours.step_us,
        ours.fallbacks,
    )
}

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "Each cell: host / ours. Depths in m, energy in J, times in us (median step).\n\n\
        | scene | our model | sane | deepest | deepest at the end | energy change | step | our fallbacks |\n\
        |---|---|---|---|---|---|---|---|"
    );
    let mut failed = Vec::new();
    for scene in scenes::all() {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == scene.name) {
            continue;
        }
        let host = scene.run(Engine::Host);
        let ours = scene.run(Engine::Ours);
        println!("{}", row(&scene, &host, &ours));
        if let Err(reason) = scene.judge(&ours) {
            let known = scene.known_defect.unwrap_or("not known");
            failed.push(format!("{}: {reason} ({known})", scene.name));
        }
    }
    for line in &failed {
        println!("\n{line}");
    }
    ExitCode::from(u8::from(!failed.is_empty()))
}
