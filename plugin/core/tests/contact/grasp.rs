//! The paper's grasp (A1), built straight as a problem.

use crate::common::*;
use nalgebra::DMatrix;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{ContactProblem, ProblemBuilder, RowId};
use stickslip_core::report::{SolveReport, SolveStatus, SolverName};

/// Dense rows `ids` of a problem times `L^-1`: whitened by solving with the dense mass matrix.
fn rank_of_f(problem: &ContactProblem) -> (usize, usize) {
    let m = problem.dim();
    let mut inverse = DMatrix::zeros(m, m);
    for k in 0..m {
        let mut column = vec![0.0; m];
        column[k] = 1.0;
        for b in 0..problem.block_count() {
            let block = problem.block(b);
            block.solve_lt(&mut column[block.range()]);
        }
        // Row k of L^-1 transposed; M^-1 = L^-1 L^-T.
        inverse.set_column(k, &nalgebra::DVector::from_vec(column));
    }
    let dense = |ids: &[usize]| {
        let mut rows = DMatrix::zeros(ids.len(), m);
        for (i, &id) in ids.iter().enumerate() {
            for (c, v) in problem.row(RowId(id)).iter() {
                rows[(i, c)] = v;
            }
        }
        rows * inverse.transpose()
    };
    let n = problem.contact_count();
    let normals = dense(&(0..n).map(|c| 3 * c).collect::<Vec<_>>());
    let mut x: Vec<usize> = (0..problem.scalar_count()).map(|s| 3 * n + s).collect();
    x.extend((0..n).flat_map(|c| [3 * c + 1, 3 * c + 2]));
    let x = dense(&x);
    // N P N^T = N (1 - Q Q^T) N^T with Q an orthonormal basis of the rows of X.
    let svd = x.transpose().svd(true, false);
    let rank = svd.rank(1e-9);
    let q = svd.u.unwrap().columns(0, rank).into_owned();
    let projected = &normals - &normals * &q * q.transpose();
    (rank, projected.rank(1e-9))
}

#[test]
fn the_published_figures_hold() {
    let mut builder = ProblemBuilder::new();
    grasp(&mut builder, false);
    let problem = builder.finished().unwrap();
    assert_eq!((problem.dim(), problem.contact_count()), (24, 36));
    assert_eq!(rank_of_f(problem), (18, 5));
    for solver in [SolverName::Ppm, SolverName::ActiveSet] {
        let settings = ModelSettings {
            solver: Some(solver),
            ..ModelSettings::default()
        };
        let (solution, report) = solve(problem, ModelName::NoSlip, settings);
        assert_eq!(report.status, SolveStatus::Solved);
        assert_eq!(report.rank, 18);
        assert_eq!((report.tangent_rows, report.tangent_rows_kept), (72, 8));
        assert!(report.pivots <= 7, "{} pivots", report.pivots);
        if solver == SolverName::Ppm {
            assert_eq!(report.pivots, 5);
        }
        for pair in 0..3 {
            let sum: f64 = solution.f_n[12 * pair..12 * (pair + 1)].iter().sum();
            assert!((sum - 2.0).abs() < 1e-12, "{sum}");
        }
        let speed = solution.v_plus.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        assert!(speed < 1e-13, "{speed}");
        assert!(report.residuals.max() < 1e-13, "{report:?}");
    }
}

#[test]
fn a_second_solve_needs_no_pivot() {
    for triplicated in [false, true] {
        let mut builder = ProblemBuilder::new();
        grasp(&mut builder, triplicated);
        let mut solver = Solver::new(ModelName::NoSlip, ModelSettings::default());
        let first = solver.solve(builder.finished().unwrap());
        let cold = solver.solution.clone();
        let second = solver.solve(builder.finished().unwrap());
        assert_eq!(first.status, SolveStatus::Solved);
        assert_eq!((second.pivots, second.fallbacks), (0, 0));
        let kept = |report: &SolveReport| {
            let rows = [report.tangent_rows, report.tangent_rows_kept];
            (rows, report.rank, report.yielded)
        };
        assert_eq!(kept(&second), kept(&first));
        assert!(worst_difference(&solver.solution.v_plus, &cold.v_plus) < 1e-13);
        // The second answer is the first one, its active rows are known still: another squeeze needs no pivot either.
        grasp_squeezed(&mut builder, triplicated, 150.0);
        let third = solver.solve(builder.finished().unwrap());
        assert_eq!((third.pivots, third.status), (0, SolveStatus::Solved));
        assert_eq!(kept(&third), kept(&first));
        assert!(worst_difference(&solver.solution.v_plus, &cold.v_plus) < 1e-13);
    }
}

/// A report tells of an answer that is the last one what it told when it was found: also of contacts that do not press.
#[test]
fn an_answer_that_is_the_last_one_is_counted_alike() {
    for name in PROJECTED {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        let mass = free_mass(2.0, nalgebra::Matrix3::identity());
        let rows = point_rows(up(), -nalgebra::Vector3::z(), 1.0);
        for (key, v_z) in [-0.1, 0.1].into_iter().enumerate() {
            let v_free = [0.02, 0.0, v_z, 0.0, 0.0, 0.0];
            let block = builder.add_block(&mass, &[0.0; 6], &v_free);
            builder.add_contact(closed(key as u64), &[half(block, &rows)]);
        }
        let mut solver = Solver::new(name, ModelSettings::default());
        let [first, second] = [(); 2].map(|()| solver.solve(builder.finish().unwrap()));
        let counts = |report: &SolveReport| {
            let rows = [report.tangent_rows, report.tangent_rows_kept];
            (report.status, rows, report.rank, report.yielded)
        };
        assert_eq!(counts(&second), counts(&first), "{name:?}");
        assert_eq!(second.pivots, 0, "{name:?}");
    }
}

/// The footnote's set: every corner contact with all three face normals. Sideways normals lie in the
/// span of the tangents, so the pair's normals must still carry the squeeze, or the tangents do:
/// either way nothing moves.
#[test]
fn the_triplicated_set_holds_too() {
    let mut builder = ProblemBuilder::new();
    grasp(&mut builder, true);
    assert_eq!(builder.finished().unwrap().contact_count(), 108);
    for solver in [SolverName::Ppm, SolverName::ActiveSet] {
        let settings = ModelSettings {
            solver: Some(solver),
            ..ModelSettings::default()
        };
        let (solution, report) = solve(builder.finished().unwrap(), ModelName::NoSlip, settings);
        assert_eq!(report.status, SolveStatus::Solved);
        let speed = solution.v_plus.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        assert!(speed < 1e-13, "{speed}");
        assert!(report.residuals.max() < 1e-12, "{report:?}");
    }
}
