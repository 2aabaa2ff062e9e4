//! Limits of joints: those far from closing are left out of a solve until its answer breaks them.

use crate::common::*;
use nalgebra::{DMatrix, DVector};
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{
    ContactSolution, Errors, ModelName, ModelSettings, PositionCorrection, RowCorrection,
};
use stickslip_core::problem::{BlockId, ProblemBuilder, RowHalf, ScalarId, ScalarKind};
use stickslip_core::report::SolveStatus;

const H: f64 = 0.01;

/// A row over the first coordinates of a block.
fn row(builder: &mut ProblemBuilder, block: BlockId, key: u64, (kind, row): (ScalarKind, &[f64])) {
    let cols: Vec<usize> = (0..row.len()).collect();
    let half = RowHalf {
        block,
        cols: &cols,
        rows: [row],
    };
    builder.add_scalar(key, kind, &[half]);
}

/// The row `v_k <= gap / H`, for a negative sign `v_k >= -gap / H`, over n coordinates.
fn limit(n: usize, (k, sign): (usize, f64), gap: f64) -> (ScalarKind, Vec<f64>) {
    let row = (0..n).map(|i| if i == k { -sign } else { 0.0 }).collect();
    (ScalarKind::Unilateral { gap }, row)
}

/// Three equal masses at rest with limits at 0.5, 1.1 and 100, and a row that sums up their velocities.
fn three(builder: &mut ProblemBuilder, velocity: f64) {
    builder.begin(H);
    let mass = MassFactor::from_dense(&DMatrix::identity(3, 3)).unwrap();
    let block = builder.add_block(&mass, &[0.0; 3], &[0.0; 3]);
    let sum = ScalarKind::Bilateral { velocity };
    row(builder, block, 0, (sum, &[1.0; 3]));
    for (k, most) in [0.5, 1.1, 100.0].into_iter().enumerate() {
        let (kind, entries) = limit(3, (k, 1.0), most * H);
        row(builder, block, 1 + k as u64, (kind, &entries));
    }
    builder.finish().unwrap();
}

/// The velocities shall sum up to 3: alone (1, 1, 1). The first may not go beyond 0.5, so the others go at 1.25, of which
/// the second may have 1.1: `(0.5, 1.1, 1.4)`. None of the limits is near in a step that begins at rest; the third is
/// never reached.
#[test]
fn limits_that_answers_break_are_met_one_after_another() {
    for model in [ModelName::Cone, ModelName::Ccp] {
        let mut builder = ProblemBuilder::new();
        three(&mut builder, 3.0);
        let settings = ModelSettings::default();
        let (answer, report) = solve(builder.finished().unwrap(), model, settings);
        assert_eq!(report.status, SolveStatus::Solved, "{model:?}");
        let off = worst_difference(&answer.v_plus, &[0.5, 1.1, 1.4]);
        assert!(off < 1e-9, "{model:?}: {:?}", answer.v_plus);
        let pushes = worst_difference(&answer.f_scalar, &[1.4, 0.9, 0.3, 0.0]);
        assert!(pushes < 1e-9, "{model:?}: {:?}", answer.f_scalar);
    }
}

/// The same as a correction of positions: an error of the sum is taken away by `h (0.5, 1.1, 1.4)`, to the weight of its
/// penalties.
#[test]
fn limits_that_corrections_break_are_met_one_after_another() {
    let mut builder = ProblemBuilder::new();
    three(&mut builder, 0.0);
    let problem = builder.finished().unwrap();
    let mut correction = PositionCorrection::new(&ModelSettings::default()).unwrap();
    correction.begin();
    let wanted = RowCorrection {
        row: ScalarId(0),
        kind: ScalarKind::Bilateral { velocity: 3.0 },
        entries: [0, 0],
    };
    let errors = Errors {
        gaps: &[],
        rows: &[wanted],
        entries: &[],
        islands: &[true],
        margin: 0.0,
    };
    let missed = correction.solve(problem, &[0.0; 3], errors);
    let off = worst_difference(correction.velocity(), &[0.5, 1.1, 1.4]);
    assert!(
        off < 1e-5 && missed < 1e-5,
        "{missed:e} {:?}",
        correction.velocity()
    );
}

/// What is wrong with an answer to `M (v - v_free) = R^T f` with limits `0 <= f, 0 <= r v + b, f (r v + b) = 0` after
/// two rows with targets.
fn error(
    rows: &[(Vec<f64>, f64)],
    (m, v_free): (&DMatrix<f64>, &[f64]),
    answer: &ContactSolution,
) -> f64 {
    let v = DVector::from_column_slice(&answer.v_plus);
    let mut momentum = m * (&v - DVector::from_column_slice(v_free));
    let mut worst = 0.0_f64;
    for (i, ((row, b), f)) in rows.iter().zip(&answer.f_scalar).enumerate() {
        let row = DVector::from_column_slice(row);
        let u = row.dot(&v) + b;
        let left = if i < 2 { u } else { f.min(u) };
        worst = worst.max(left.abs());
        momentum -= row * *f;
    }
    worst.max(momentum.amax())
}

/// Random masses with both limits at every coordinate, moved by two rows that ask for a motion: the answer meets all
/// conditions of all rows, among them many that are beyond 20 times the free velocity.
#[test]
fn limits_far_and_near_are_met() {
    let n = 8;
    let mut random = Random(7);
    let mut builder = ProblemBuilder::new();
    let mut far = 0;
    for seed in 0..400 {
        let mut entry = |size: f64| size * random.next();
        let a = DMatrix::from_fn(n, n, |_, _| entry(1.0));
        let m = &a * a.transpose() + DMatrix::identity(n, n) * 0.1;
        let v_free: Vec<f64> = (0..n).map(|_| entry(0.01)).collect();
        builder.begin(H);
        let block = builder.add_block(&MassFactor::from_dense(&m).unwrap(), &vec![0.0; n], &v_free);
        let gaps: Vec<f64> = (0..2 * n).map(|_| H * 10.0_f64.powf(entry(1.0))).collect();
        // A velocity that the limits allow, and is another one than that of least effort.
        let within: Vec<f64> = (0..n)
            .map(|k| {
                let share = entry(1.0);
                share * gaps[2 * k + usize::from(share < 0.0)] / H
            })
            .collect();
        let mut rows = Vec::new();
        for key in 0..2 {
            let entries: Vec<f64> = (0..n).map(|_| entry(1.0)).collect();
            let velocity = entries.iter().zip(&within).map(|(r, v)| r * v).sum();
            row(
                &mut builder,
                block,
                key,
                (ScalarKind::Bilateral { velocity }, &entries),
            );
            rows.push((entries, -velocity));
        }
        for (k, gap) in gaps.into_iter().enumerate() {
            let (kind, entries) = limit(n, (k / 2, [1.0, -1.0][k % 2]), gap);
            row(&mut builder, block, 2 + k as u64, (kind, &entries));
            rows.push((entries, gap / H));
        }
        builder.finish().unwrap();
        let problem = builder.finished().unwrap();
        let (answer, report) = solve(problem, ModelName::Cone, ModelSettings::default());
        assert_eq!(report.status, SolveStatus::Solved, "{seed}: {report:?}");
        let off = error(&rows, (&m, &v_free), &answer);
        assert!(off < 1e-7, "{seed}: {off:e}");
        let pushed = rows.iter().zip(&answer.f_scalar).skip(2);
        far += pushed.filter(|((_, b), f)| **f > 0.0 && *b > 0.2).count();
    }
    assert!(far > 100, "{far}");
}
