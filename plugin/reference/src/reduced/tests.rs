//! The reduced problem against the same formulas with dense matrices.

use super::Reduced;
use nalgebra::{DMatrix, DVector};
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{ContactSolution, ModelName, ModelSettings};
use stickslip_core::problem::{
    ContactData, ContactProblem, GroupId, Island, ProblemBuilder, RowHalf, RowId, ScalarKind,
};
use stickslip_core::residual::{self, Rules};
use stickslip_random::Random;

fn numbers(r: &mut Random, k: usize) -> Vec<f64> {
    (0..k).map(|_| r.symmetric()).collect()
}

const DIM: usize = 5;

/// Three dense blocks in the chain 1 - 0 - 2 (the island's order is not that of the coordinates) of
/// contacts with spin; two bilateral rows, one of them twice, and a
/// limit and a drive.
fn chain(r: &mut Random, ratio: f64) -> ProblemBuilder {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mut blocks = Vec::new();
    for i in 0..3 {
        let a = DMatrix::from_fn(DIM, DIM, |_, _| r.symmetric());
        let m = (&a * a.transpose() + DMatrix::identity(DIM, DIM)) * ratio.powi(i);
        let mass = MassFactor::from_dense(&m).unwrap();
        blocks.push(builder.add_block(&mass, &[0.0; DIM], &numbers(r, DIM)));
    }
    let cols = [0, 1, 2, 3, 4];
    for i in 0..2 {
        let rows: Vec<Vec<f64>> = (0..12).map(|_| numbers(r, DIM)).collect();
        let half = |block: usize, from: usize| RowHalf {
            block: blocks[block],
            cols: &cols,
            rows: [&rows[from][..], &rows[from + 1], &rows[from + 2]],
        };
        let data = ContactData {
            key: i as u64,
            mu: 0.5,
            phi: if i == 0 { 0.0 } else { 0.01 },
            ..ContactData::default()
        };
        let contact = builder.add_contact(data, &[half(0, 0), half(i + 1, 3)]);
        builder.add_spin(contact, &[half(0, 6), half(i + 1, 9)]);
    }
    let bilateral = [numbers(r, DIM), numbers(r, DIM), numbers(r, DIM)];
    let kinds = [
        (0, 1, ScalarKind::Bilateral { velocity: 0.3 }),
        (1, 2, ScalarKind::Bilateral { velocity: -0.1 }),
        (0, 1, ScalarKind::Bilateral { velocity: 0.3 }),
        (0, 0, ScalarKind::Unilateral { gap: 0.0 }),
        (
            2,
            2,
            ScalarKind::Bounded {
                velocity: 0.0,
                limit: 0.1,
                compliance: 0.01,
            },
        ),
    ];
    for (key, (first, second, kind)) in kinds.into_iter().enumerate() {
        let half = |block: usize| RowHalf {
            block: blocks[block],
            cols: &cols,
            rows: [&bilateral[block][..]],
        };
        let halves = [half(first), half(second)];
        let count = if first == second { 1 } else { 2 };
        builder.add_scalar(key as u64, kind, &halves[..count]);
    }
    builder.finish().unwrap();
    builder
}

fn dense_row(problem: &ContactProblem, row: RowId) -> DVector<f64> {
    let mut x = DVector::zeros(problem.dim());
    for (col, value) in problem.row(row).iter() {
        x[col] = value;
    }
    x
}

fn dense_mass(problem: &ContactProblem) -> DMatrix<f64> {
    let m = problem.dim();
    let mut dense = DMatrix::zeros(m, m);
    for b in 0..problem.block_count() {
        let block = problem.block(b);
        for j in 0..block.dim() {
            let mut unit = vec![0.0; block.dim()];
            unit[j] = 1.0;
            let mut out = vec![0.0; block.dim()];
            block.add_momentum(&unit, &mut out);
            for (i, x) in out.into_iter().enumerate() {
                dense[(block.offset + i, block.offset + j)] = x;
            }
        }
    }
    dense
}

#[test]
fn matrix_and_free_velocity_are_those_of_the_projector() {
    let mut reduced = Reduced::default();
    for (seed, ratio) in [(1, 1.0), (2, 1.0), (3, 100.0), (4, 1e-3)] {
        let builder = chain(&mut Random::new(seed), ratio);
        let problem = builder.finished().unwrap();
        let island = problem.islands().next().unwrap();
        reduced.begin(problem.place(island));
        reduced.eliminate_bilateral(problem.place(island));
        reduced.keep_all(problem, island, &ModelSettings::default());
        reduced.assemble(problem.place(island));
        // n, s, t and spins of the closed contact, n of the open one, limit and drive.
        assert_eq!((reduced.rows().len(), reduced.rank()), (9, 2));

        let inverse = dense_mass(problem).try_inverse().unwrap();
        let first = 3 * problem.contact_count();
        let x = [0, 1].map(|i| dense_row(problem, RowId(first + i)).transpose());
        let x = DMatrix::from_rows(&x);
        let y = (&x * &inverse * x.transpose()).try_inverse().unwrap();
        let p = &inverse - &inverse * x.transpose() * &y * &x * &inverse;
        let free = DVector::from_row_slice(problem.v_free());
        let c = DVector::from_row_slice(&[0.3, -0.1]);
        let v = &free + &inverse * x.transpose() * &y * (c - &x * &free);
        let k = reduced.rows().len();
        for i in 0..k {
            let row = dense_row(problem, reduced.rows()[i]);
            let scale = reduced.diagonal(i);
            let exact = row.dot(&(&inverse * &row));
            assert!((scale - exact).abs() < 1e-12 * exact);
            assert!((reduced.q()[i] - row.dot(&v)).abs() < 1e-11, "seed {seed}");
            for j in 0..k {
                let other = dense_row(problem, reduced.rows()[j]);
                let bound = 1e-11 * (scale * reduced.diagonal(j)).sqrt();
                let off = reduced.w()[i * k + j] - row.dot(&(&p * other));
                assert!(off.abs() < bound, "seed {seed} ({i}, {j}): {off}");
            }
        }
    }
}

#[test]
fn any_impulses_give_a_velocity_that_balances_momentum_and_meets_the_bilateral_rows() {
    let mut reduced = Reduced::default();
    let settings = ModelSettings::default();
    for (seed, ratio) in [(1, 1.0), (2, 1e3), (3, 1e-3)] {
        let mut r = Random::new(seed);
        let builder = chain(&mut r, ratio);
        let problem = builder.finished().unwrap();
        let island = problem.islands().next().unwrap();
        reduced.begin(problem.place(island));
        reduced.eliminate_bilateral(problem.place(island));
        reduced.keep_all(problem, island, &settings);
        reduced.assemble(problem.place(island));
        let z = numbers(&mut r, reduced.rows().len());
        let mut solution = ContactSolution::default();
        solution.reset(problem);
        let missed = reduced.finish(problem.place(island), &z, 1e-9, &mut solution);
        assert_eq!(missed, 0.0);
        let rules = Rules {
            model: ModelName::StewartTrinkle,
            settings: &settings,
            release_failed: false,
            friction: None,
        };
        let check = &mut residual::Scratch::default();
        let left = residual::residuals(problem, rules, &mut solution, check);
        assert!(left.momentum < 1e-14, "{left:?}");
        // The velocities of the kept rows are W z + q.
        let k = z.len();
        for i in 0..k {
            let row = problem.row(reduced.rows()[i]).dot(&solution.v_plus);
            let products = reduced.w()[i * k..(i + 1) * k].iter().zip(&z);
            let dense = reduced.q()[i] + products.map(|(w, z)| w * z).sum::<f64>();
            assert!(
                (row - dense).abs() < 1e-10 * (1.0 + row.abs()),
                "{row} {dense}"
            );
        }
        let first = 3 * problem.contact_count();
        // Round-off is relative to the velocities: the impulses throw the lightest body at 1e6 m/s.
        let speed = solution.v_plus.iter().fold(1.0_f64, |a, v| a.max(v.abs()));
        for (i, c) in [(0, 0.3), (1, -0.1), (2, 0.3)] {
            let v = problem.row(RowId(first + i)).dot(&solution.v_plus);
            assert!((v - c).abs() < 1e-14 * speed, "row {i}: {v}");
        }
    }
}

#[test]
fn a_bilateral_row_that_contradicts_another_is_declared() {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mass = MassFactor::from_dense(&DMatrix::identity(1, 1)).unwrap();
    let block = builder.add_block(&mass, &[0.0], &[1.0]);
    for velocity in [0.0, 0.5] {
        let half = RowHalf {
            block,
            cols: &[0],
            rows: [&[1.0]],
        };
        builder.add_scalar(0, ScalarKind::Bilateral { velocity }, &[half]);
    }
    let problem = builder.finish().unwrap();
    let island = problem.islands().next().unwrap();
    let mut reduced = Reduced::default();
    reduced.begin(problem.place(island));
    reduced.eliminate_bilateral(problem.place(island));
    reduced.assemble(problem.place(island));
    let mut solution = ContactSolution::default();
    solution.reset(problem);
    let missed = reduced.finish(problem.place(island), &[], 1e-9, &mut solution);
    assert!((missed - 0.5).abs() < 1e-15);
    assert_eq!(solution.unmet, [false, true]);
    assert!(solution.v_plus[0].abs() < 1e-15);
}

#[test]
fn a_row_in_the_span_of_the_eliminated_ones_has_no_matrix_entries() {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let m = DMatrix::from_row_slice(2, 2, &[2.0, 0.3, 0.3, 1.0]);
    let mass = MassFactor::from_dense(&m).unwrap();
    let block = builder.add_block(&mass, &[0.0; 2], &[1.0, 2.0]);
    let kinds = [
        ScalarKind::Bilateral { velocity: 0.0 },
        ScalarKind::Unilateral { gap: 0.0 },
    ];
    for (kind, scale) in kinds.into_iter().zip([1.0, -0.7]) {
        let half = RowHalf {
            block,
            cols: &[0, 1],
            rows: [&[0.6 * scale, 0.8 * scale]],
        };
        builder.add_scalar(0, kind, &[half]);
    }
    let problem = builder.finish().unwrap();
    let island = problem.islands().next().unwrap();
    let mut reduced = Reduced::default();
    reduced.begin(problem.place(island));
    reduced.eliminate_bilateral(problem.place(island));
    reduced.keep_all(problem, island, &ModelSettings::default());
    reduced.assemble(problem.place(island));
    assert_eq!(reduced.w(), [0.0]);
    assert!(reduced.q()[0].abs() < 1e-15);
}

/// Three blocks of one coordinate, visited in the order 1, 2, 0: a row that the elimination spreads
/// over all of them still meets a row on block 0 alone. Unit masses, `J = e_1 - e_2` eliminated:
/// `P = diag(1, 1, 1) - J^T J / 2`, and with A = e_2 - e_0, B = e_0: `A P B^T = -1`.
#[test]
fn rows_meet_whatever_the_order_of_the_blocks() {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mass = MassFactor::from_dense(&DMatrix::identity(1, 1)).unwrap();
    let blocks = [0.0; 3].map(|v| builder.add_block(&mass, &[v], &[v]));
    let mut add = |kind, halves: &[(usize, f64)]| {
        let values: Vec<[f64; 1]> = halves.iter().map(|h| [h.1]).collect();
        let halves = halves.iter().zip(&values);
        let halves: Vec<_> = halves
            .map(|(h, value)| RowHalf {
                block: blocks[h.0],
                cols: &[0],
                rows: [&value[..]],
            })
            .collect();
        builder.add_scalar(0, kind, &halves);
    };
    let limit = ScalarKind::Unilateral { gap: 0.0 };
    add(
        ScalarKind::Bilateral { velocity: 0.0 },
        &[(1, 1.0), (2, -1.0)],
    );
    add(limit, &[(2, 1.0), (0, -1.0)]);
    add(limit, &[(2, 1.0), (0, -1.0)]);
    add(limit, &[(0, 1.0)]);
    let problem = builder.finish().unwrap();
    let island = problem.islands().next().unwrap();
    assert_eq!(island.blocks, [1, 2, 0]);
    let mut reduced = Reduced::default();
    reduced.begin(problem.place(island));
    reduced.eliminate_bilateral(problem.place(island));
    for scalar in 1..4 {
        reduced.keep(problem, problem.scalar_row(scalar));
    }
    reduced.assemble(problem.place(island));
    let wanted = [1.5, 1.5, -1.0, 1.5, 1.5, -1.0, -1.0, -1.0, 1.0];
    for (w, wanted) in reduced.w().iter().zip(wanted) {
        assert!((w - wanted).abs() < 1e-15, "{:?}", reduced.w());
    }
}

impl Reduced {
    /// Keeps, in the island's order, n, s, t and spin rows of its closed contacts, n of the others,
    /// and its unilateral and bounded scalars.
    pub(super) fn keep_all(
        &mut self,
        problem: &ContactProblem,
        island: Island<'_>,
        settings: &ModelSettings,
    ) {
        for &g in island.groups {
            let g = match g {
                GroupId::Contact(c) => c.0,
                GroupId::Scalar(s) => {
                    if !matches!(problem.scalars()[s.0].1, ScalarKind::Bilateral { .. }) {
                        self.keep(problem, problem.scalar_row(s.0));
                    }
                    continue;
                }
            };
            let closed = settings.is_closed(&problem.contacts()[g]);
            for k in 0..if closed { 3 } else { 1 } {
                self.keep(problem, RowId(3 * g + k));
            }
            if closed {
                for row in problem.spin_rows(g).into_iter().flatten() {
                    self.keep(problem, row);
                }
            }
        }
    }

    /// Rank r of the eliminated rows.
    pub(super) fn rank(&self) -> usize {
        self.selected.len()
    }
}
