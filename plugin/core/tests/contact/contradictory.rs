//! Problems with contradictory rows: penetrating contacts on every side, as a robot whose links
//! overlap makes them while it lies on the ground. Found by running such robots; the scenes here
//! are seeded ones of the same kind.

use crate::common::*;
use crate::generator::{Row, Scene};
use nalgebra::{DMatrix, Vector3};
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::{SolveStatus, SolverName};

/// A random scene whose contacts and limits penetrate by up to 1 cm.
fn penetrating(seed: u64) -> Scene {
    let mut scene = Scene::random(seed);
    let mut r = Random(seed ^ 0x5eed | 1);
    for row in &mut scene.rows {
        let depth = -0.01 * r.next().max(0.0);
        match row {
            Row::Contact(data, _) => data.phi = depth,
            Row::Scalar(_, ScalarKind::Unilateral { gap }, _) => *gap = depth,
            Row::Scalar(..) => {}
        }
    }
    scene
}

#[test]
fn penetrating_scenes_never_fail_and_never_hide_an_error() {
    let mut builder = ProblemBuilder::new();
    for name in PROJECTED {
        for solver in [SolverName::Ppm, SolverName::ActiveSet] {
            let (mut relaxed, mut yielded, mut fallbacks, mut worst) = (0, 0, 0, 0.0_f64);
            for seed in 0..3000 {
                penetrating(seed).build(&mut builder);
                // Lever arms make seed 106 faster than the bound of the energy allows; here the exact answer is wanted.
                let settings = ModelSettings {
                    solver: Some(solver),
                    energy_bound: false,
                    ..ModelSettings::default()
                };
                let mut solver = Solver::new(name, settings);
                for _ in 0..3 {
                    let report = solver.solve(builder.finished().unwrap());
                    assert_eq!(report.failures, 0, "{name} seed {seed}: {report:?}");
                    let max = report.residuals.max();
                    // Conditions up to 1e10 (the dependence threshold) times round-off, refined.
                    assert!(max < 1e-9, "{name} seed {seed}: {report:?}");
                    worst = worst.max(max);
                    let contradicts = report.residuals.contradiction > 0.0;
                    assert_eq!(contradicts, report.status == SolveStatus::Relaxed);
                    relaxed += usize::from(contradicts);
                    yielded += usize::from(report.yielded > 0);
                    fallbacks += report.fallbacks;
                }
            }
            println!(
                "{name} {solver:?}: of 9000 relaxed {relaxed}, yielded {yielded}, fallbacks \
                 {fallbacks}, worst residual {worst:.1e}"
            );
            assert!(relaxed > 0 && fallbacks > 0, "the scenes are hard ones");
            assert_eq!(yielded > 0, name == ModelName::NoSlip);
        }
    }
}

/// A particle touches a ceiling it leaves and is 1 cm deep in a wall. The ceiling's tangents pin it
/// along the wall's normal; as the ceiling does not press, they yield and the wall pushes with
/// K phi / h = 0.2 m/s. The wall presses, so its own tangents hold y and z.
#[test]
fn a_contact_that_does_not_press_yields_to_a_penetrating_one() {
    let ceiling = [-Vector3::z(), Vector3::y(), Vector3::x()];
    let wall = [Vector3::x(), Vector3::y(), Vector3::z()];
    for solver in [SolverName::Ppm, SolverName::ActiveSet] {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        let mass = MassFactor::from_dense(&DMatrix::identity(3, 3)).unwrap();
        let v = [-1.0, 0.3, -1.0];
        let block = builder.add_block(&mass, &v, &v);
        for (key, phi, axes) in [(0, 0.0, ceiling), (1, -0.01, wall)] {
            let rows = axes.map(|a| [a.x, a.y, a.z]);
            let half = RowHalf {
                block,
                cols: &[0, 1, 2],
                rows: [&rows[0], &rows[1], &rows[2]],
            };
            builder.add_contact(ContactData { phi, ..closed(key) }, &[half]);
        }
        builder.finish().unwrap();
        let settings = ModelSettings {
            solver: Some(solver),
            ..ModelSettings::default()
        };
        let mut solver = Solver::new(ModelName::NoSlip, settings);
        for _ in 0..3 {
            let report = solver.solve(builder.finished().unwrap());
            assert_eq!((report.status, report.yielded), (SolveStatus::Solved, 1));
            assert!(worst_difference(&solver.solution.v_plus, &[0.2, 0.0, 0.0]) < 1e-12);
            assert_eq!(solver.solution.held, [false, true]);
            assert!((solver.solution.f_n[1] - 1.2).abs() < 1e-12);
            assert!(report.residuals.max() < 1e-12, "{report:?}");
        }
    }
}
