//! Coefficients of all sizes, and the residual that checks them.

use crate::all_ways;
use crate::common::*;
use crate::generator::{Row, Scene};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::SolveStatus;
use stickslip_core::residual::{Rules, Scratch, residuals};

/// The same coefficient at all contacts, 1e-9 to 1e9 N s/m.
#[test]
fn every_size_of_coefficient_is_solved_to_round_off() {
    let mut builder = ProblemBuilder::new();
    for exponent in -9..=9 {
        let mut worst = 0.0_f64;
        for seed in 0..60 {
            let mut scene = Scene::random(seed);
            for row in &mut scene.rows {
                if let Row::Contact(data, _) = row {
                    data.mu_viscous = 10f64.powi(exponent);
                }
            }
            scene.build(&mut builder);
            for settings in all_ways() {
                let (_, report) = solve(
                    builder.finished().unwrap(),
                    ModelName::Viscous,
                    settings.clone(),
                );
                assert_eq!(
                    report.status,
                    SolveStatus::Solved,
                    "1e{exponent} seed {seed} {settings:?} {report:?}"
                );
                worst = worst.max(report.residuals.max());
            }
        }
        println!("mu_v = 1e{exponent}: residual {worst:.1e}");
        assert!(worst <= 1e-9, "1e{exponent}: {worst:.1e}");
    }
}

/// The residual sees a wrong impulse as the velocity it is worth, for every coefficient: an answer
/// without any friction is off by the velocity that friction would have taken away.
#[test]
fn the_residual_measures_missing_friction_in_velocity() {
    let mut builder = ProblemBuilder::new();
    for exponent in -9..=9 {
        let mu_viscous = 10f64.powi(exponent);
        builder.begin(0.01);
        let mass = free_mass(2.0, nalgebra::Matrix3::identity() * 0.2);
        let v = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let block = builder.add_block(&mass, &v, &v);
        let mut data = closed(1);
        data.mu_viscous = mu_viscous;
        let rows = point_rows(up(), nalgebra::Vector3::zeros(), 1.0);
        builder.add_contact(data, &[half(block, &rows)]);
        builder.finish().unwrap();
        let settings = ModelSettings::default();
        let (mut s, _) = solve(
            builder.finished().unwrap(),
            ModelName::Viscous,
            settings.clone(),
        );
        let rules = Rules {
            model: ModelName::Viscous,
            settings: &settings,
            release_failed: false,
            friction: None,
        };
        let mut scratch = Scratch::default();
        let right = residuals(builder.finished().unwrap(), rules, &mut s, &mut scratch);
        assert!(right.max() < 1e-15, "1e{exponent} {right:?}");
        let taken = 1.0 - s.v_plus[0];
        s.v_plus.copy_from_slice(&v);
        s.f_s[0] = 0.0;
        let wrong = residuals(builder.finished().unwrap(), rules, &mut s, &mut scratch);
        // Divided by 1 + max |v_free| = 2.
        let expected = 0.5 * taken;
        assert!(
            (wrong.dissipation - expected).abs() < 1e-6 * expected + 1e-16,
            "1e{exponent}: {} {expected}",
            wrong.dissipation
        );
    }
}
