//! What must hold for every problem at acceleration level, on seeded random ones.

use crate::common::*;
use crate::generator::{Row, Scene};
use stickslip_core::models::{AccelerationSettings, Integrator, ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::{SolveStatus, SolverName};

const MODEL: ModelName = ModelName::ViscousAcceleration;

/// A random scene with coefficients well inside the explicit limit, a quarter of them zero.
fn damped(seed: u64) -> Scene {
    let mut scene = Scene::random(seed);
    let mut r = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1);
    for row in &mut scene.rows {
        if let Row::Contact(data, _) = row {
            data.mu_viscous = (0.03 * r.next()).max(0.0);
            // Biases that would part the bodies: the opposite ones may contradict other rows.
            data.acceleration_bias = [r.next().abs(), r.next(), r.next()];
            if r.below(4) == 0 {
                data.compliance = 1e-4 * r.next().abs();
            }
        }
    }
    scene
}

fn with(solver: SolverName, integrator: Integrator) -> ModelSettings {
    ModelSettings {
        solver: Some(solver),
        acceleration: AccelerationSettings {
            integrator,
            ..AccelerationSettings::default()
        },
        ..ModelSettings::default()
    }
}

/// Random velocities before and after forces, so both impacts and accelerations take part: every
/// stage solved and checked, both solvers agree, the momentum of the whole step balances.
#[test]
fn both_solvers_agree() {
    let mut builder = ProblemBuilder::new();
    let mut agreement = Agreement::default();
    for seed in 0..500 {
        let scene = damped(seed);
        let mut r = Random(seed + 99);
        let mut v = scene.v_free.clone();
        for v in v.iter_mut().flatten() {
            *v += 0.2 * r.next();
        }
        scene.build_from(&v, &mut builder);
        let problem = builder.finished().unwrap();
        for integrator in [Integrator::Rk4, Integrator::SemiImplicitEuler] {
            let answers = [SolverName::Ppm, SolverName::ActiveSet].map(|solver| {
                let (s, report) = solve(problem, MODEL, with(solver, integrator));
                agreement.take(&report, format_args!("seed {seed}"));
                assert!(s.f_n.iter().all(|&f| f >= 0.0));
                s.v_plus
            });
            agreement.compare(&answers[0], &answers[1], format_args!("seed {seed}"));
        }
    }
    agreement.finish();
}

/// Without forces and biases nothing gives energy.
#[test]
fn energy_does_not_grow() {
    let mut builder = ProblemBuilder::new();
    for seed in 0..500 {
        let mut scene = damped(seed);
        for row in &mut scene.rows {
            if let Row::Contact(data, _) = row {
                data.acceleration_bias = [0.0; 3];
            }
        }
        scene.build(&mut builder);
        let problem = builder.finished().unwrap();
        let before = kinetic_energy(problem, problem.v());
        for integrator in [Integrator::Rk4, Integrator::SemiImplicitEuler] {
            let (s, _) = solve(problem, MODEL, with(SolverName::Ppm, integrator));
            let after = kinetic_energy(problem, &s.v_plus);
            assert!(
                after <= before * (1.0 + 1e-10),
                "seed {seed}: {before} -> {after}"
            );
        }
    }
}

/// Without friction, gaps and impacts a step of semi-implicit Euler is the frictionless step: the
/// same problem, divided by h. RK4's stages are then all alike.
#[test]
fn without_friction_it_is_the_frictionless_model() {
    let mut builder = ProblemBuilder::new();
    for seed in 0..300 {
        let mut scene = damped(seed);
        for row in &mut scene.rows {
            if let Row::Contact(data, _) = row {
                data.mu_viscous = 0.0;
                data.phi = 0.0;
                data.acceleration_bias = [0.0; 3];
            }
        }
        for v in scene.v_free.iter_mut().flatten() {
            *v *= 0.05;
        }
        let mut r = Random(seed + 3);
        let mut v = scene.v_free.clone();
        for v in v.iter_mut().flatten() {
            *v += 0.05 * r.next();
        }
        scene.build_from(&v, &mut builder);
        let (expected, _) = solve(
            builder.finished().unwrap(),
            ModelName::Frictionless,
            // The exact answer, whatever energy its lever arms make.
            ModelSettings {
                energy_bound: false,
                ..ModelSettings::default()
            },
        );
        for integrator in [Integrator::Rk4, Integrator::SemiImplicitEuler] {
            let mut settings = with(SolverName::Ppm, integrator);
            settings.energy_bound = false;
            settings.acceleration.touching_speed = 1.0;
            let (s, report) = solve(builder.finished().unwrap(), MODEL, settings);
            assert_eq!(report.status, SolveStatus::Solved);
            let off = worst_difference(&expected.v_plus, &s.v_plus);
            assert!(off < 1e-8, "seed {seed} {integrator:?}: {off}");
        }
    }
}
