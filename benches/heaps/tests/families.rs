//! Every family with a right value, in its short form, has it under `cone` in both precisions, whatever its seed.

use stickslip_heaps::engine::{Engine, Precision};
use stickslip_heaps::single::scenes;
use stickslip_heaps::turns::{self, Plan};

/// Seeds of every family that are run.
const SEEDS: u64 = 2;

fn is_right(precision: Precision) {
    let engine: Engine = "cone".parse().expect("a model");
    let mut faults = Vec::new();
    for entry in scenes::families() {
        let (size, steps) = entry.short;
        for seed in 0..SEEDS {
            let plan = Plan {
                scene: entry.name.to_owned(),
                size: Some(size),
                steps: Some(steps),
                dt: None,
                seed,
                precision,
                limit: 30.0,
            };
            let outcomes = turns::run(&plan, &[engine]).unwrap_or_else(|e| panic!("{e}"));
            let ours = &outcomes[0];
            let name = format!("{}:{size}#{seed}", entry.name);
            if ours.done < steps {
                faults.push(format!(
                    "{name}: ended after {} steps: {:?}",
                    ours.done, ours.stop
                ));
            }
            faults.extend(ours.unfit.iter().map(|reason| format!("{name}: {reason}")));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn families_have_their_right_values() {
    is_right(Precision::F32);
}

#[test]
fn families_have_their_right_values_in_f64() {
    is_right(Precision::F64);
}
