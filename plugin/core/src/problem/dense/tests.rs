use super::*;
use crate::mass::{MassFactor, NO_PARENT};
use crate::problem::{BlockId, ContactData, ProblemBuilder, RowHalf, RowId, ScalarKind};
use nalgebra::{DMatrix, DVector};

/// A tree 0 <- 1 <- 2, 0 <- 3 with the entries of `L` drawn from a fixed sequence.
fn tree(seed: f64) -> MassFactor {
    let pattern = MassPattern::from_parents(&[NO_PARENT, 0, 1, 0]).unwrap();
    let mut l = DMatrix::zeros(4, 4);
    for i in 0..4 {
        for &j in pattern.path(i) {
            l[(i, j)] = (seed + (3 * i + 5 * j) as f64).sin() + if i == j { 2.0 } else { 0.0 };
        }
    }
    let dense = l.transpose() * l;
    let mut mass = MassFactor::new(Arc::new(pattern.clone()));
    for i in 0..4 {
        for (depth, &j) in pattern.path(i).iter().enumerate() {
            *mass.entry_mut(i, depth) = dense[(i, j)];
        }
    }
    mass.factor().unwrap();
    mass
}

/// Two trees, each alone on its contact, at three and at two coordinates.
fn scene(builder: &mut ProblemBuilder) {
    builder.begin(0.01);
    for b in 0..2 {
        let v = [0.1, 0.2, 0.3, 0.4].map(|x| x * f64::from(b + 1));
        builder.add_block(&tree(f64::from(b)), &v, &v.map(|x| -x));
    }
    for (block, cols) in [&[0, 1, 3][..], &[0, 2]].into_iter().enumerate() {
        let rows = [0.0, 1.0, 2.0].map(|k| [0.7, 0.2, -0.4].map(|x| (x + k + block as f64).cos()));
        let half = RowHalf {
            block: BlockId(block),
            cols,
            rows: [
                &rows[0][..cols.len()],
                &rows[1][..cols.len()],
                &rows[2][..cols.len()],
            ],
        };
        let data = ContactData {
            key: block as u64,
            ..ContactData::default()
        };
        builder.add_contact(data, &[half]);
    }
    let half = RowHalf {
        block: BlockId(1),
        cols: &[0, 3],
        rows: [&[1.5, 2.5][..]],
    };
    builder.add_scalar(9, ScalarKind::Bilateral { velocity: 0.0 }, &[half]);
    builder.finish().unwrap();
}

/// The dense mass matrix by unit momenta.
fn matrix(p: &ContactProblem) -> DMatrix<f64> {
    let m = p.dim();
    let mut dense = DMatrix::zeros(m, m);
    for k in 0..m {
        let mut x = vec![0.0; m];
        x[k] = 1.0;
        let mut out = vec![0.0; m];
        for b in 0..p.block_count() {
            let block = p.block(b);
            let range = block.range();
            block.add_momentum(&x[range.clone()], &mut out[range]);
        }
        dense.set_column(k, &DVector::from_vec(out));
    }
    dense
}

fn dense_row(p: &ContactProblem, row: usize) -> DVector<f64> {
    let mut x = DVector::zeros(p.dim());
    for (c, v) in p.row(RowId(row)).iter() {
        x[c] = v;
    }
    x
}

#[test]
fn a_dense_block_has_the_same_rows_and_the_mass_with_what_was_added() {
    let mut builder = ProblemBuilder::new();
    scene(&mut builder);
    let source = builder.finished().unwrap();
    let original = matrix(source);
    let mut made = Dense::default();
    // Whatever was there before does not matter.
    for dense in [[true, true], [false, false], [true, false], [false, true]] {
        made.build(source, &dense);
        let mut wanted = original.clone();
        let weight = 3.5;
        for (contact, _) in dense.iter().enumerate().filter(|(_, chosen)| **chosen) {
            made.add_tangents(contact, weight);
            for k in [1, 2] {
                let row = dense_row(source, 3 * contact + k);
                wanted += &row * row.transpose() * weight;
            }
        }
        made.factor(source);
        assert_eq!([0, 1].map(|b| made.is_dense(b)), dense);
        let off = (matrix(made.problem()) - wanted).abs().max();
        assert!(off < 1e-13, "{dense:?}: {off}");
        assert_eq!(made.problem().v(), source.v());
        assert_eq!(made.problem().v_free(), source.v_free());
        for row in 0..source.row_count() {
            assert_eq!(dense_row(made.problem(), row), dense_row(source, row));
        }
        assert_eq!(made.problem().island_count(), 2);
    }
}

#[test]
fn whitened_rows_of_a_dense_block_give_its_diagonals() {
    let mut builder = ProblemBuilder::new();
    scene(&mut builder);
    let source = builder.finished().unwrap();
    let mut made = Dense::default();
    made.build(source, &[true, true]);
    made.add_tangents(0, 2.0);
    made.factor(source);
    let p = made.problem();
    let inverse = matrix(p).try_inverse().unwrap();
    let mut rows = crate::rows::ActiveRows::default();
    rows.begin(p);
    for row in 0..p.row_count() {
        let white = rows.whiten(p, RowId(row));
        let dense = dense_row(p, row);
        let wanted = (dense.transpose() * &inverse * &dense)[(0, 0)];
        assert!((white.diag - wanted).abs() < 1e-12 * wanted, "row {row}");
    }
}

#[test]
fn a_mass_that_overflows_is_what_it_was() {
    let mut builder = ProblemBuilder::new();
    scene(&mut builder);
    let source = builder.finished().unwrap();
    let mut made = Dense::default();
    made.build(source, &[true, false]);
    made.add_tangents(0, f64::INFINITY);
    made.factor(source);
    assert!(!made.is_dense(0));
    assert_eq!(matrix(made.problem()), matrix(source));
}
