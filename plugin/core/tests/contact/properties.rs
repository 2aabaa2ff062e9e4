//! What must hold for every problem, on thousands of seeded random ones.

use crate::common::*;
use crate::generator::{Row, Scene};
use proptest::prelude::*;
use stickslip_core::models::{ContactSolution, ModelName, ModelSettings};
use stickslip_core::problem::{ContactProblem, ProblemBuilder, ScalarKind};
use stickslip_core::report::{SolveReport, SolveStatus, SolverName};

fn with(solver: SolverName) -> ModelSettings {
    ModelSettings {
        solver: Some(solver),
        ..ModelSettings::default()
    }
}

fn checked(
    problem: &ContactProblem,
    name: ModelName,
    solver: SolverName,
) -> (ContactSolution, SolveReport) {
    let (solution, report) = solve(problem, name, with(solver));
    assert_eq!(report.status, SolveStatus::Solved, "{solver:?} {report:?}");
    assert_eq!(report.failures, 0);
    // What the solvers promise: conditions up to 1e10 (the dependence threshold) times round-off.
    let accepted = with(solver).acceptance(name, solver);
    assert!(report.residuals.max() <= accepted, "{solver:?} {report:?}");
    let (before, after) = (
        kinetic_energy(problem, problem.v_free()),
        kinetic_energy(problem, &solution.v_plus),
    );
    assert!(
        after <= before * (1.0 + 1e-10),
        "energy {before} -> {after}"
    );
    assert!(solution.f_n.iter().all(|&f| f >= 0.0));
    (solution, report)
}

#[test]
fn both_solvers_agree_on_the_velocity() {
    let mut builder = ProblemBuilder::new();
    let (mut worst, mut fallbacks) = (0.0_f64, 0);
    for seed in 0..3000 {
        let scene = Scene::random(seed);
        scene.build(&mut builder);
        let problem = builder.finished().unwrap();
        for name in [ModelName::NoSlip, ModelName::Frictionless] {
            let (ppm, first) = checked(problem, name, SolverName::Ppm);
            let (dual, second) = checked(problem, name, SolverName::ActiveSet);
            assert_eq!(second.fallbacks, 0, "the guaranteed route needs no help");
            fallbacks += first.fallbacks;
            let difference = worst_difference(&ppm.v_plus, &dual.v_plus);
            assert!(difference < 1e-8, "seed {seed} {name}: {difference}");
            worst = worst.max(difference);
            let pressing = ppm.f_n.iter().filter(|&&f| f > 0.0).count();
            assert!(pressing <= problem.dim());
        }
    }
    println!("largest difference {worst:.1e}, fallbacks of ppm {fallbacks} of 6000");
    // The pivoting method is not guaranteed, but it must be the rule.
    assert!(fallbacks < 60, "{fallbacks}");
}

#[test]
fn order_of_rows_and_choice_of_tangents_do_not_matter() {
    let mut builder = ProblemBuilder::new();
    for seed in 0..1000 {
        let scene = Scene::random(seed);
        scene.build(&mut builder);
        let (one, _) = checked(
            builder.finished().unwrap(),
            ModelName::NoSlip,
            SolverName::Ppm,
        );
        scene.shuffled_and_turned(seed + 1).build(&mut builder);
        let (two, _) = checked(
            builder.finished().unwrap(),
            ModelName::NoSlip,
            SolverName::Ppm,
        );
        let difference = worst_difference(&one.v_plus, &two.v_plus);
        assert!(difference < 1e-8, "seed {seed}: {difference}");
    }
}

#[test]
fn islands_solved_together_or_apart_are_the_same_bit_for_bit() {
    let mut builder = ProblemBuilder::new();
    for seed in 0..300 {
        let (one, two) = (Scene::random(seed), Scene::random(seed + 5000));
        let mut apart = Vec::new();
        for scene in [&one, &two] {
            scene.build(&mut builder);
            let (solution, _) = solve(
                builder.finished().unwrap(),
                ModelName::NoSlip,
                ModelSettings::default(),
            );
            apart.extend(solution.v_plus);
        }
        one.beside(&two).build(&mut builder);
        let (together, report) = solve(
            builder.finished().unwrap(),
            ModelName::NoSlip,
            ModelSettings::default(),
        );
        assert_eq!(together.v_plus, apart, "seed {seed}");
        assert_eq!(
            report.islands,
            builder.finished().unwrap().islands().count()
        );
    }
}

#[test]
fn a_warm_start_changes_the_work_and_not_the_answer() {
    let mut builder = ProblemBuilder::new();
    for name in PROJECTED {
        let mut worst = 0.0_f64;
        let (mut repeats, mut kept) = (0, 0);
        for seed in 0..400 {
            let mut scene = Scene::random(seed);
            let mut solver = Solver::new(name, ModelSettings::default());
            let mut r = Random(seed + 77);
            for step in 0..6 {
                scene.build(&mut builder);
                let report = solver.solve(builder.finished().unwrap());
                assert_eq!(report.status, SolveStatus::Solved, "seed {seed} {report:?}");
                assert!(report.residuals.max() < 1e-10, "seed {seed} {report:?}");
                if name != ModelName::NoSlipReleasing {
                    // The releasing form may have several consistent sets.
                    let (cold, _) =
                        solve(builder.finished().unwrap(), name, ModelSettings::default());
                    worst = worst.max(worst_difference(&cold.v_plus, &solver.solution.v_plus));
                }
                let again = solver.solve(builder.finished().unwrap());
                kept += usize::from(again.release_failed);
                // Contacts that were held without pressing are let go first.
                repeats += usize::from(again.pivots > 0 && !report.release_failed);
                for v in scene.v_free.iter_mut().flatten() {
                    *v += 0.3 * r.next();
                }
                if step == 2 && !scene.rows.is_empty() {
                    // Rows come and go: found again by key, not by index.
                    scene.rows.remove(r.below(scene.rows.len()));
                }
            }
        }
        println!(
            "{name}: warm against cold {worst:.1e}, repeated solves with pivots {repeats}, \
             release failed {kept}, of 2400"
        );
        assert!(worst < 1e-8, "{name}: {worst}");
        assert!(repeats < 24, "{name}: {repeats}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 256,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Scaling all free velocities and gaps scales the answer: no threshold decides anything.
    #[test]
    fn the_answer_is_homogeneous(seed in 10_000_u64..1_000_000, scale in 0.2_f64..5.0) {
        prop_assert!(inhomogeneity(seed, scale) < 1e-8);
    }
}

/// By how much the answer changes when all free velocities are scaled by `scale` and the answer by its
/// inverse.
fn inhomogeneity(seed: u64, scale: f64) -> f64 {
    let mut scene = Scene::random(seed);
    for row in &mut scene.rows {
        match row {
            Row::Contact(data, _) => data.phi = 0.0,
            Row::Scalar(_, ScalarKind::Bilateral { .. }, _) => {}
            Row::Scalar(_, kind, _) => *kind = ScalarKind::Unilateral { gap: 0.0 },
        }
    }
    let mut builder = ProblemBuilder::new();
    scene.build(&mut builder);
    let (one, _) = checked(
        builder.finished().unwrap(),
        ModelName::NoSlip,
        SolverName::Ppm,
    );
    for v in scene.v_free.iter_mut().flatten() {
        *v *= scale;
    }
    scene.build(&mut builder);
    let (two, _) = checked(
        builder.finished().unwrap(),
        ModelName::NoSlip,
        SolverName::Ppm,
    );
    let scaled: Vec<f64> = one.v_plus.iter().map(|v| v * scale).collect();
    worst_difference(&scaled, &two.v_plus)
}

/// A row a few thousandths from the span of the others makes round-off of theirs: it was taken for
/// penetration, and contacts yielded to it.
#[test]
fn large_impulses_are_no_contradiction() {
    assert!(inhomogeneity(778_760, 0.2) < 1e-8);
}

#[test]
#[ignore = "30,000 scenes: cargo test --release --test contact -- --ignored --nocapture"]
fn the_answer_is_homogeneous_thirty_thousand_times() {
    let mut r = Random(77);
    let mut worst = (0.0, 0);
    for seed in 1_000_000..1_030_000 {
        let off = inhomogeneity(seed, 0.2 + 2.4 * (1.0 + r.next()));
        assert!(off < 1e-8, "seed {seed}: {off:.1e}");
        worst = if off > worst.0 { (off, seed) } else { worst };
    }
    println!("worst {:.1e} (seed {})", worst.0, worst.1);
}
