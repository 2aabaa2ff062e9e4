//! The convex models under the solvers of dense problems: the same velocities, whatever rows there
//! are.

use crate::common::*;
use crate::generator::Scene;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ProblemBuilder;
use stickslip_core::report::{SolveStatus, SolverName};

const DENSE: [SolverName; 5] = [
    SolverName::Lemke,
    SolverName::Dantzig,
    SolverName::PrincipalPivoting,
    SolverName::InteriorPoint,
    SolverName::Pgs,
];

#[test]
fn dense_solvers_find_the_velocity_of_the_active_set() {
    let mut builder = ProblemBuilder::new();
    let count = 300;
    for name in [ModelName::Frictionless, ModelName::NoSlip] {
        for solver in DENSE {
            let settings = ModelSettings {
                solver: Some(solver),
                ..ModelSettings::default()
            };
            let mut one = Solver::new(name, settings.clone());
            let (mut fallbacks, mut worst) = (0, 0.0_f64);
            for seed in 0..count {
                Scene::random(seed).build(&mut builder);
                let problem = builder.finished().unwrap();
                let reference = ModelSettings {
                    solver: Some(SolverName::ActiveSet),
                    ..ModelSettings::default()
                };
                let (wanted, _) = solve(problem, name, reference);
                one.warm.clear();
                let report = one.solve(problem);
                assert_eq!(
                    report.status,
                    SolveStatus::Solved,
                    "{name} {solver:?} seed {seed}"
                );
                let accepted = settings.acceptance(name, solver);
                let residual = report.residuals.max();
                assert!(
                    residual <= accepted,
                    "{name} {solver:?} {seed}: {residual:e}"
                );
                if report.fallbacks > 0 {
                    // The active set's own answer.
                    fallbacks += 1;
                    continue;
                }
                let off = worst_difference(&wanted.v_plus, &one.solution.v_plus);
                // A residual is an error of v+ times a condition number at most.
                assert!(
                    off < 1e4 * accepted,
                    "{name} {solver:?} seed {seed}: {off:e}"
                );
                worst = worst.max(off);
            }
            println!(
                "{name} {}: off {worst:.1e}, fallbacks {fallbacks}",
                solver.as_str()
            );
            assert!(
                fallbacks * 5 < count as usize,
                "{name} {solver:?}: {fallbacks}"
            );
        }
    }
}
