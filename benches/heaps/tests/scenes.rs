//! Every scene, in its short form, stays sane under our step: it is built, no step is refused, nothing is
//! not-a-number, no body is faster than what moves it allows, no joint is wider open than rapier's by more than a
//! millimetre, what should stand
//! stands, and all steps are done in seconds.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use stickslip_heaps::engine::{Engine, Precision};
use stickslip_heaps::measure::{Outcome, Stop};
use stickslip_heaps::turns::{self, Plan};
use stickslip_heaps::{double, single, verdict};

/// What the steps of one short form may take of their thread \[s\]. They take a tenth of it, unoptimised, where the
/// solver does its work.
const LIMIT: f64 = 2.0;

/// A single step can't be interrupted: after this time the test ends without it. Far above [`LIMIT`], for a machine
/// may have other things to do.
const PATIENCE: Duration = Duration::from_secs(45);

/// The short form of a scene.
fn short(scene: &str, precision: Precision) -> Plan {
    let short = match precision {
        Precision::F32 => single::scenes::find(scene).map(|entry| entry.short),
        Precision::F64 => double::scenes::find(scene).map(|entry| entry.short),
    };
    let (size, steps) = short.expect("a scene of that name");
    Plan {
        scene: scene.to_owned(),
        size: Some(size),
        steps: Some(steps),
        seed: 0,
        precision,
        limit: LIMIT,
    }
}

/// Runs a plan on a thread that is left behind when it takes too long.
fn run(plan: Plan, engines: Vec<Engine>) -> Result<Vec<Outcome>, String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // Nobody listens any more when it took too long.
        let _ = sender.send(turns::run(&plan, &engines).map_err(|e| e.to_string()));
    });
    match receiver.recv_timeout(PATIENCE) {
        Ok(outcomes) => outcomes,
        Err(mpsc::RecvTimeoutError::Timeout) => Err(format!("still running after {PATIENCE:?}")),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err("a step panicked".to_owned()),
    }
}

fn stays_sane(scene: &str, model: &str, precision: Precision) {
    let engine: Engine = model.parse().expect("a model of that name");
    let plan = short(scene, precision);
    let outcomes = run(plan, vec![engine, Engine::Host]).unwrap_or_else(|e| panic!("{scene}: {e}"));
    let [ours, host] = &outcomes[..] else {
        panic!("two engines ran");
    };
    let mut faults = verdict::shortcomings(ours, Some(host));
    if let Some(Stop::Limit(limit)) = ours.stop {
        let (done, steps) = (ours.done, ours.label.steps);
        faults.push(format!("{done} of {steps} steps took {limit} s"));
    }
    assert!(
        faults.is_empty(),
        "{scene} under {model}, {}: {}",
        precision.as_str(),
        faults.join("; ")
    );
}

macro_rules! scenes {
    ($($test:ident: $name:literal,)*) => {
        /// The scenes that have tests here.
        const TESTED: &[&str] = &[$($name),*];

        $(mod $test {
            use super::{Precision, stays_sane};

            #[test]
            #[ignore = "states what the engine must reach as the default; run with --ignored"]
            fn no_slip() {
                stays_sane($name, "no-slip", Precision::F32);
            }

            #[test]
            #[ignore = "states what the engine must reach as the default; run with --ignored"]
            fn cone() {
                stays_sane($name, "cone", Precision::F32);
            }

            #[test]
            #[ignore = "states what the engine must reach as the default; run with --ignored"]
            fn no_slip_in_f64() {
                stays_sane($name, "no-slip", Precision::F64);
            }
        })*
    };
}

scenes! {
    pile_box: "pile-box",
    pile_ball: "pile-ball",
    wall: "wall",
    pyramid: "pyramid",
    slide: "slide",
    boxes: "boxes",
    coincident: "coincident",
    domino: "domino",
    rotor: "rotor",
    platform: "platform",
    tumbler: "tumbler",
    shake: "shake",
    press: "press",
    drag: "drag",
    belt: "belt",
    car: "car",
    chain: "chain",
    chain_heavy: "chain-heavy",
    chain_touching: "chain-touching",
    cradle: "cradle",
    bridge: "bridge",
    massless: "massless",
    arch: "arch",
    arch_gap: "arch-gap",
    house: "house",
    cards: "cards",
    planks: "planks",
    kapla: "kapla",
    bin_hulls: "bin-hulls",
    bin_capsules: "bin-capsules",
    bin_cylinders: "bin-cylinders",
    bin_plates: "bin-plates",
    bin_jacks: "bin-jacks",
    bin_round: "bin-round",
    bin_bouncing: "bin-bouncing",
    spawn: "spawn",
    funnel: "funnel",
    rain: "rain",
    ragdolls: "ragdolls",
    ragdolls_multi: "ragdolls-multi",
    quadruped: "quadruped",
    tiny: "tiny",
    huge: "huge",
    densities: "densities",
    overlap: "overlap",
    bullets: "bullets",
    nan_body: "nan-body",
}

#[test]
fn every_scene_has_its_tests() {
    let names: Vec<_> = single::scenes::all()
        .iter()
        .map(|entry| entry.name)
        .collect();
    assert_eq!(names.len(), TESTED.len());
    assert!(names.iter().all(|name| TESTED.contains(name)), "{names:?}");
}

/// Limits that rapier's own steps pass are not too tight for a game.
#[test]
fn rapier_stays_within_the_limits() {
    let mut faults = Vec::new();
    for &scene in TESTED {
        let outcomes = run(short(scene, Precision::F32), vec![Engine::Host]);
        let outcomes = outcomes.unwrap_or_else(|e| panic!("{scene}: {e}"));
        let found = verdict::faults(&outcomes[0], None);
        faults.extend(found.iter().map(|fault| format!("{scene}: {fault}")));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn equal_seeds_build_equal_worlds_and_others_do_not() {
    let entry = single::scenes::find("pile-box").expect("a scene");
    let places = |seed| -> Vec<_> {
        let scene = entry.build(8, seed);
        let bodies = scene.world.bodies.iter();
        bodies.map(|(_, rb)| *rb.position()).collect()
    };
    assert_eq!(places(1), places(1));
    assert_ne!(places(1), places(2));
}
