//! The paper's grasp (A1) under polygonal friction.

use crate::common::*;
use crate::scenes::polygon;
use stickslip_core::models::ModelName;
use stickslip_core::problem::{ContactProblem, ProblemBuilder};
use stickslip_core::report::SolveStatus;

/// The grasp with this coefficient at every contact.
fn with_mu(mu: f64) -> ContactProblem {
    let mut builder = ProblemBuilder::new();
    grasp_with(&mut builder, mu);
    builder.into_problem().unwrap()
}

/// Two free cubes of 1 kg hang on the two outer pairs, each pressed with 200 N: they hold iff
/// `2 mu 200 N >= 2 kg g`, mu >= 0.04905. Below that they fall by
/// `(g - 2 mu 200 N / 2 kg) h` in the first step. The normals are not unique; this is so where the load
/// is spread over each pair's corners (all on one corner, the cubes would turn about it). The tangents are along the edges, so the polygon's
/// corners see gravity exactly.
#[test]
fn grasp_holds_above_its_threshold_and_drops_below() {
    let h = 0.01;
    for d in [4, 8] {
        for mu in [0.0, 0.02, 0.0490, 0.0491, 0.1, 0.5, 100.0] {
            let problem = with_mu(mu);
            let (answer, report) = solve(&problem, ModelName::StewartTrinkle, polygon(d));
            assert_eq!(report.status, SolveStatus::Solved, "mu {mu} {report:?}");
            let drop = (G - mu * 200.0).max(0.0) * h;
            let v = [1, 2].map(|cube| answer.v_plus[6 * cube + 2]);
            if drop == 0.0 {
                assert!(v[0].abs().max(v[1].abs()) < 1e-9, "d {d} mu {mu}: {v:?}");
            } else {
                assert!(
                    (v[0] + drop).abs().max((v[1] + drop).abs()) < 1e-9,
                    "d {d} mu {mu}: {v:?}"
                );
            }
            // The grippers' squeeze: 200 N over the step through every pair.
            let pressed: f64 = answer.f_n[..12].iter().sum();
            assert!((pressed - 2.0).abs() < 1e-9, "{pressed}");
        }
    }
}

/// 36 contacts with 4 directions each: `36 (1 + 4 + 1) = 216` variables; 36 without friction.
#[test]
fn grasp_has_the_paper_s_number_of_variables() {
    let (_, report) = solve(&with_mu(0.5), ModelName::StewartTrinkle, polygon(4));
    assert_eq!(report.variables, 216);
    let (_, report) = solve(&with_mu(0.0), ModelName::StewartTrinkle, polygon(4));
    assert_eq!(report.variables, 36);
}
