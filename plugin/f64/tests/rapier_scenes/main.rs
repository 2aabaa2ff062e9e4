//! Every scene of rapier's examples ends sane under our step, and at rest no deeper than it may.
//!
//! The table with the host beside: `cargo run --release -p stickslip-f64 --example rapier_scenes`.
#![allow(dead_code, reason = "the scenes serve the example too")]

mod scenes;

use scenes::Engine;

#[test]
fn there_are_at_least_twenty_five_scenes_with_names_of_their_own() {
    let mut names: Vec<_> = scenes::all().iter().map(|scene| scene.name).collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() >= 25, "{}", names.len());
    assert_eq!(names.len(), scenes::all().len());
}

/// Scenes with a known defect must show it: once they don't, they are no longer to be excused.
#[test]
fn every_scene_ends_as_it_should() {
    let mut wrong = Vec::new();
    for scene in scenes::all() {
        match (scene.judge(&scene.run(Engine::Ours)), scene.known_defect) {
            (Err(reason), None) => wrong.push(format!("{}: {reason}", scene.name)),
            (Ok(()), Some(defect)) => wrong.push(format!("{}: no longer {defect}", scene.name)),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
