//! Every scene whose parameters others published, in its short form, has its right figure under `cone`, in both precisions.

use stickslip_heaps::engine::{Engine, Precision};
use stickslip_heaps::single::scenes;
use stickslip_heaps::turns::{self, Plan};

fn are_right(precision: Precision) {
    let cone: Engine = "cone".parse().expect("a model");
    let mut faults = Vec::new();
    for entry in scenes::published() {
        let (size, steps) = entry.short;
        let plan = Plan {
            scene: entry.name.to_owned(),
            size: Some(size),
            steps: Some(steps),
            dt: None,
            seed: 0,
            precision,
            limit: 30.0,
        };
        let outcomes = turns::run(&plan, &[cone]).unwrap_or_else(|e| panic!("{e}"));
        let ours = &outcomes[0];
        if ours.done < steps {
            faults.push(format!("{}: {:?}", entry.name, ours.stop));
        }
        assert!(ours.figure.is_some(), "{}: no figure", entry.name);
        let reasons = ours.unfit.iter();
        faults.extend(reasons.map(|reason| format!("{}: {reason}", entry.name)));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn published_scenes_have_their_right_figures() {
    are_right(Precision::F32);
}

#[test]
fn published_scenes_have_their_right_figures_in_f64() {
    are_right(Precision::F64);
}

/// A factor of this pyramid takes more operations than `budget.factor`: it is solved once all the same, when it begins to stand.
#[test]
fn a_structure_of_large_factors_comes_to_rest() {
    let plan = Plan {
        scene: "large-pyramid".to_owned(),
        size: Some(26),
        steps: Some(10),
        dt: None,
        seed: 0,
        precision: Precision::F32,
        limit: 60.0,
    };
    let cone: Engine = "cone".parse().expect("a model");
    let outcomes = turns::run(&plan, &[cone]).unwrap_or_else(|e| panic!("{e}"));
    let ours = &outcomes[0];
    assert_eq!(ours.done, 10);
    assert_eq!(
        ours.statuses.get("solved"),
        Some(&10),
        "{:?}",
        ours.statuses
    );
}

/// A card house and an arch of a hundred stones come to rest to a digit more than the tolerance of rest, within a second.
#[test]
fn structures_rest() {
    let cone: Engine = "cone".parse().expect("a model");
    for precision in [Precision::F32, Precision::F64] {
        for (scene, size, steps) in [("house", 10, 320), ("arch", 101, 80)] {
            let plan = Plan {
                scene: scene.to_owned(),
                size: Some(size),
                steps: Some(steps),
                dt: None,
                seed: 0,
                precision,
                limit: 60.0,
            };
            let outcomes = turns::run(&plan, &[cone]).unwrap_or_else(|e| panic!("{e}"));
            let residual = outcomes[0].residual_tail;
            assert!(
                residual.is_some_and(|r| r < 1e-9),
                "{scene} {precision:?}: {residual:?}"
            );
        }
    }
}

/// Planes of contacts that are moved to the moment of meeting, and normals taken from faces, hold heaps that are pushed: nothing sinks
/// into anything by more than a tenth of its size.
#[test]
fn pushed_heaps_do_not_sink() {
    let cone: Engine = "cone".parse().expect("a model");
    for (scene, size, steps, most) in [("washer", 6, 200, 0.04), ("junkyard", 8, 250, 0.05)] {
        let plan = Plan {
            scene: scene.to_owned(),
            size: Some(size),
            steps: Some(steps),
            dt: None,
            seed: 0,
            precision: Precision::F32,
            limit: 60.0,
        };
        let outcomes = turns::run(&plan, &[cone]).unwrap_or_else(|e| panic!("{e}"));
        let depth = outcomes[0].depth;
        assert!(depth < most, "{scene} {size}: {depth} m");
    }
}
