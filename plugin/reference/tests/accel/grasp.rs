//! The paper's grasp (A1) at acceleration level.

use crate::common::*;
use stickslip_core::models::{ModelName, ModelSettings, RollingFriction};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::SolveStatus;
use stickslip_problem_file::parse_problem;

/// Two free cubes of 1 kg hang on the two outer pairs, each pressed with 200 N: they hold iff
/// `2 mu 200 N >= 2 kg g`, mu >= 0.04905, and fall with `g - mu 200 N / 1 kg` below that. Rigid
/// corners share a load in any way, and where one corner carries it all the cubes turn about it: that
/// too fulfils every condition of the model. The answer is the one with the load spread.
#[test]
fn it_holds_above_its_threshold_and_falls_below() {
    for rolling in [RollingFriction::Pyramid, RollingFriction::Cone] {
        let mut settings = ModelSettings::default();
        settings.acceleration.rolling = rolling;
        for mu in [0.0, 0.02, 0.0490, 0.0491, 0.05, 0.06, 0.1, 0.5, 100.0] {
            let mut builder = ProblemBuilder::new();
            grasp_with(&mut builder, mu);
            let h = builder.finished().unwrap().h();
            let mut solver = Solver::new(ModelName::CoulombAcceleration, settings.clone());
            // The second from the basis of the first.
            for round in 0..2 {
                let report = solver.solve(builder.finished().unwrap());
                let what = format!("{rolling:?} mu {mu} round {round}");
                assert_eq!(report.status, SolveStatus::Solved, "{what}: {report:?}");
                let fall = (G - mu * 200.0).max(0.0) * h;
                let v = &solver.solution.v_plus;
                for cube in [1, 2] {
                    let off = v[6 * cube..6 * cube + 6].iter().enumerate();
                    // Turning, as the speed of a corner's arm.
                    let off = off.map(|(i, v)| match i {
                        2 => v + fall,
                        0..3 => *v,
                        _ => 0.05 * v,
                    });
                    let worst = off.fold(0.0_f64, |a, v| a.max(v.abs()));
                    assert!(worst < 1e-9, "{what}: {worst}");
                }
                let pressed: f64 = solver.solution.f_n[..12].iter().sum();
                assert!((pressed - 2.0).abs() < 1e-9, "{what}: {pressed}");
            }
        }
    }
}

/// The grasp with rapier's own contacts, the four corners of each face (step 0 of `grasp` with mu 1,
/// written by `run --dump-problems`): what round-off leaves without compliance once missed the tolerance,
/// and the cubes swung about the corner that Lemke's method chose.
#[test]
fn four_corners_a_face_share_the_load() {
    let text = include_bytes!("grasp_of_four_corners.json");
    let file = parse_problem(text).unwrap();
    for name in [ModelName::CoulombAcceleration, ModelName::QuasiStatic] {
        let (answer, report) = solve(&file.problem, name, ModelSettings::default());
        assert_eq!(report.status, SolveStatus::Solved, "{name}");
        let fastest = answer.v_plus.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        assert!(fastest < 1e-9, "{name}: {fastest}");
        assert!(
            answer.f_n.iter().all(|&f| f > 0.4 && f < 0.6),
            "{name}: {:?}",
            answer.f_n
        );
    }
}
