//! What must hold for every problem with viscous friction, on seeded random ones.

use crate::all_ways;
use crate::common::*;
use crate::generator::{Row, Scene};
use nalgebra::{Matrix3, Vector3};
use stickslip_core::models::{DampingRoute, ModelName, ModelSettings, ViscousSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::SolveStatus;

/// A random scene with viscous friction: a quarter not at all, a quarter with 1e6 N s/m, the rest from
/// 1e-3 to 1e3; a quarter of them is compliant.
fn damped(seed: u64) -> Scene {
    let mut scene = Scene::random(seed);
    let mut r = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1);
    for row in &mut scene.rows {
        if let Row::Contact(data, _) = row {
            data.mu_viscous = match r.below(4) {
                0 => 0.0,
                1 => 1e6,
                _ => 10f64.powf(3.0 * r.next()),
            };
            if r.below(4) == 0 {
                data.compliance = 1e-4 * r.next().abs();
            }
        }
    }
    scene
}

#[test]
fn both_routes_and_both_solvers_agree() {
    let mut builder = ProblemBuilder::new();
    let mut agreement = Agreement::default();
    for seed in 0..1000 {
        damped(seed).build(&mut builder);
        let problem = builder.finished().unwrap();
        let before = kinetic_energy(problem, problem.v_free());
        let mut first: Option<Vec<f64>> = None;
        for settings in all_ways() {
            let (s, report) = solve(problem, ModelName::Viscous, settings.clone());
            agreement.take(&report, format_args!("seed {seed} {settings:?}"));
            let after = kinetic_energy(problem, &s.v_plus);
            assert!(
                after <= before * (1.0 + 1e-10),
                "energy {before} -> {after}"
            );
            for (c, data) in problem.contacts().iter().enumerate() {
                assert!(s.f_n[c] >= 0.0);
                if data.phi > 1e-6 || data.mu_viscous == 0.0 {
                    assert_eq!((s.f_s[c], s.f_t[c]), (0.0, 0.0));
                }
            }
            match &first {
                None => first = Some(s.v_plus),
                Some(other) => {
                    agreement.compare(other, &s.v_plus, format_args!("seed {seed}"));
                }
            }
        }
    }
    agreement.finish();
}

#[test]
fn a_warm_start_changes_the_work_and_not_the_answer() {
    let mut builder = ProblemBuilder::new();
    let routes = [
        DampingRoute::Cheapest,
        DampingRoute::Rows,
        DampingRoute::Mass,
    ];
    for route in routes {
        let settings = ModelSettings {
            viscous: ViscousSettings { route },
            ..ModelSettings::default()
        };
        let mut repeats = 0;
        for seed in 0..150 {
            let mut scene = damped(seed);
            let mut solver = Solver::new(ModelName::Viscous, settings.clone());
            let mut r = Random(seed + 77);
            for step in 0..5 {
                scene.build(&mut builder);
                let report = solver.solve(builder.finished().unwrap());
                assert_eq!(report.status, SolveStatus::Solved, "seed {seed} {report:?}");
                assert!(report.residuals.max() <= 1e-9, "seed {seed} {report:?}");
                let (cold, _) = solve(
                    builder.finished().unwrap(),
                    ModelName::Viscous,
                    settings.clone(),
                );
                let off = worst_difference(&cold.v_plus, &solver.solution.v_plus);
                assert!(off < 1e-8, "seed {seed}: {off}");
                let again = solver.solve(builder.finished().unwrap());
                repeats += usize::from(again.pivots > 0);
                for v in scene.v_free.iter_mut().flatten() {
                    *v += 0.3 * r.next();
                }
                if step == 2 && !scene.rows.is_empty() {
                    scene.rows.remove(r.below(scene.rows.len()));
                }
            }
        }
        assert!(repeats < 8, "{route:?}: {repeats} of 750 repeats pivoted");
    }
}

/// An island solved alone or beside another gives the same numbers, merged or not.
#[test]
fn islands_do_not_disturb_each_other() {
    let mut builder = ProblemBuilder::new();
    for seed in 0..200 {
        for settings in all_ways() {
            let (one, two) = (damped(seed), damped(seed + 5000));
            let mut apart = Vec::new();
            for scene in [&one, &two] {
                scene.build(&mut builder);
                let (s, _) = solve(
                    builder.finished().unwrap(),
                    ModelName::Viscous,
                    settings.clone(),
                );
                apart.extend(s.v_plus);
            }
            one.beside(&two).build(&mut builder);
            let (s, _) = solve(builder.finished().unwrap(), ModelName::Viscous, settings);
            assert_eq!(s.v_plus, apart, "seed {seed}");
        }
    }
}

/// Without friction the model is the frictionless one.
#[test]
fn without_friction_it_is_the_frictionless_model() {
    let mut builder = ProblemBuilder::new();
    for seed in 0..300 {
        let mut scene = Scene::random(seed);
        for row in &mut scene.rows {
            if let Row::Contact(data, _) = row {
                data.mu_viscous = 0.0;
            }
        }
        scene.build(&mut builder);
        let settings = ModelSettings::default();
        let (smooth, _) = solve(
            builder.finished().unwrap(),
            ModelName::Frictionless,
            settings.clone(),
        );
        let (zero, _) = solve(builder.finished().unwrap(), ModelName::Viscous, settings);
        assert!(worst_difference(&smooth.v_plus, &zero.v_plus) < 1e-8);
    }
}

/// With a growing coefficient it tends to no-slip as a penalty does: the error falls as 1 / mu_v. A
/// box thrown at the floor on its four lower corners.
#[test]
fn with_much_friction_it_is_the_no_slip_model() {
    let mut builder = ProblemBuilder::new();
    let mut r = Random(5);
    for _ in 0..200 {
        let v = [0; 6].map(|_| r.next());
        let inertia = Matrix3::from_diagonal(&Vector3::new(0.1, 0.2, 0.3));
        let mut answer = |mu_viscous: f64, name| {
            builder.begin(0.01);
            let block = builder.add_block(&free_mass(1.5, inertia), &v, &v);
            for corner in 0..4_u64 {
                let side = |bit: u64| if corner & bit == 0 { -0.4 } else { 0.4 };
                let arm = Vector3::new(side(1), side(2), -0.3);
                let mut data = closed(corner);
                data.mu_viscous = mu_viscous;
                builder.add_contact(data, &[half(block, &point_rows(up(), arm, 1.0))]);
            }
            builder.finish().unwrap();
            solve(builder.finished().unwrap(), name, ModelSettings::default())
                .0
                .v_plus
        };
        let held = answer(0.0, ModelName::NoSlip);
        let off = [1e4, 1e6].map(|mu| worst_difference(&held, &answer(mu, ModelName::Viscous)));
        assert!(off[0] < 0.1 && off[1] < 0.011 * off[0] + 1e-12, "{off:?}");
    }
}
