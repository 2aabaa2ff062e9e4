//! Factors against dense matrices.

use super::*;

/// Two branches on a common root: 0 <- 1 <- 2, 0 <- 3.
fn branched() -> (MassFactor, DMatrix<f64>) {
    let parents = [NO_PARENT, 0, 1, 0];
    let pattern = Arc::new(MassPattern::from_parents(&parents).unwrap());
    let dense = DMatrix::from_row_slice(
        4,
        4,
        &[
            9.0, 1.0, 0.5, 2.0, //
            1.0, 5.0, 0.7, 0.0, //
            0.5, 0.7, 3.0, 0.0, //
            2.0, 0.0, 0.0, 4.0,
        ],
    );
    let mut factor = MassFactor::new(pattern.clone());
    for i in 0..4 {
        for (d, &j) in pattern.path(i).iter().enumerate() {
            *factor.entry_mut(i, d) = dense[(i, j)];
        }
    }
    factor.factor().unwrap();
    (factor, dense)
}

#[test]
fn products_and_solves_match_the_dense_matrix() {
    let (factor, dense) = branched();
    let x = [0.3, -1.0, 2.0, 0.25];
    let x_column = nalgebra::DVector::from_row_slice(&x);
    let mut momentum = factor.dense() * &x_column;
    let expected = &dense * x_column;
    for i in 0..4 {
        assert!((momentum[i] - expected[i]).abs() < 1e-14);
    }
    factor.solve(momentum.as_mut_slice());
    for i in 0..4 {
        assert!((momentum[i] - x[i]).abs() < 1e-14);
    }
}

#[test]
fn dense_matrices_that_are_not_spd_are_refused_with_the_place() {
    let skew = DMatrix::from_row_slice(2, 2, &[1.0, 0.5, 0.0, 1.0]);
    assert_eq!(
        MassFactor::from_dense(&skew).unwrap_err(),
        MassError::NotSymmetric { row: 1, col: 0 }
    );
    let indefinite = DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0]);
    assert!(matches!(
        MassFactor::from_dense(&indefinite).unwrap_err(),
        MassError::NonPositivePivot { index: 0, .. }
    ));
    let nan = DMatrix::from_row_slice(1, 1, &[f64::NAN]);
    assert!(MassFactor::from_dense(&nan).is_err());
}

#[test]
fn a_stated_factor_is_the_factor_to_the_bit() {
    let (factor, dense) = branched();
    let again = MassFactor::from_factor(factor.pattern().clone(), factor.values().to_vec());
    let again = again.unwrap();
    assert_eq!(again.values(), factor.values());
    assert_eq!(again.inv_diag(), factor.inv_diag());
    assert!((again.dense() - &dense).amax() < 1e-14);
    let mut wrong = factor.values().to_vec();
    let last = wrong.len() - 1;
    for bad in [0.0, -1.0, f64::NAN] {
        wrong[last] = bad;
        let refused = MassFactor::from_factor(factor.pattern().clone(), wrong.clone());
        assert!(matches!(
            refused,
            Err(MassError::NonPositivePivot { index: 3, .. })
        ));
    }
    assert!(matches!(
        MassFactor::from_factor(factor.pattern().clone(), vec![1.0; 3]),
        Err(MassError::WrongLength {
            found: 3,
            wanted: 8
        })
    ));
}

/// A free body's factor is that of the dense matrix, of any inertia, and a bad pivot is named.
#[test]
fn a_free_body_s_factor_is_its_matrix() {
    let pattern = Arc::new(MassPattern::from_parents(&BODY).unwrap());
    let body = |diagonal: [f64; 6]| {
        let mut factor = MassFactor::new(pattern.clone());
        let [x, y, z, a, b, c] = diagonal;
        let entries = [x, y, z, a, 0.3, b, -0.2, 0.4, c];
        factor.values_mut().copy_from_slice(&entries);
        factor.factor().map(|()| factor)
    };
    let factor = body([2.0, 2.0, 3.0, 1.5, 2.5, 0.7]).unwrap();
    let turning = [[1.5, 0.3, -0.2], [0.3, 2.5, 0.4], [-0.2, 0.4, 0.7]];
    let mut wanted = DMatrix::from_diagonal(&nalgebra::dvector![2.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
    for (i, row) in turning.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            wanted[(3 + i, 3 + j)] = *entry;
        }
    }
    assert!((factor.dense() - wanted).amax() < 1e-15);
    for (i, inverse) in factor.inv_diag().iter().enumerate() {
        let root = factor.values()[factor.pattern().row(i).end - 1];
        assert_eq!(*inverse, 1.0 / root);
    }
    for index in 0..6 {
        let mut diagonal = [2.0; 6];
        diagonal[index] = if index % 2 == 0 { f64::NAN } else { -1.0 };
        let refused = body(diagonal).map(|_| ());
        let at = matches!(refused, Err(MassError::NonPositivePivot { index: i, .. }) if i == index);
        assert!(at, "{index}: {refused:?}");
    }
}

/// A free body's factor is that of the dense matrix with the mass three times and the inertia.
#[test]
fn a_free_body_is_a_small_forest() {
    let inertia = Matrix3::new(0.3, 0.02, 0.0, 0.02, 0.4, 0.01, 0.0, 0.01, 0.5);
    let mut dense = DMatrix::identity(6, 6) * 2.0;
    dense.view_mut((3, 3), (3, 3)).copy_from(&inertia);
    let whole = MassFactor::from_dense(&dense).unwrap();
    let body = MassFactor::free_body(2.0, &inertia).unwrap();
    let [mut a, mut b] = [[1.0, -2.0, 3.0, 0.5, 0.25, -1.0]; 2];
    whole.solve(&mut a);
    body.solve(&mut b);
    let off = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f64::max) < 1e-14, "{a:?} {b:?}");
    assert!(MassFactor::free_body(0.0, &inertia).is_err());
}
