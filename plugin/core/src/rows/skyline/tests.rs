use super::*;
use nalgebra::{DMatrix, DVector};

/// A banded positive definite matrix and its factor.
fn banded(n: usize, band: usize) -> (DMatrix<f64>, Skyline) {
    let g = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => 4.0 + i as f64,
        d if d <= band => ((3 * i.min(j) + 5 * d) % 7) as f64 / 7.0 - 0.4,
        _ => 0.0,
    });
    let mut factor = Skyline::default();
    for i in 0..n {
        let first = i.saturating_sub(band);
        let mut col: Vec<f64> = (0..i).map(|j| g[(i, j)]).collect();
        let square = factor.forward(first, &mut col);
        factor.push(first, &col, g[(i, i)] - square);
    }
    (g, factor)
}

fn solve_error(g: &DMatrix<f64>, factor: &Skyline) -> f64 {
    let n = g.nrows();
    let b = DVector::from_fn(n, |i, _| (i as f64 * 1.7).sin());
    let mut x: Vec<f64> = b.iter().copied().collect();
    factor.forward(0, &mut x);
    factor.backward(&mut x);
    (g * DVector::from_vec(x) - b).amax()
}

#[test]
fn removing_any_row_leaves_the_factor_of_the_smaller_matrix() {
    for band in [1, 3, 8] {
        for k in 0..9 {
            let (g, mut factor) = banded(9, band);
            factor.remove(k);
            let smaller = g.remove_row(k).remove_column(k);
            assert!(
                solve_error(&smaller, &factor) < 1e-14,
                "band {band}, row {k}"
            );
        }
    }
}

#[test]
fn many_removals_and_appends_agree_with_a_fresh_factor() {
    let (mut g, mut factor) = banded(12, 4);
    for k in [11, 0, 4, 4, 2] {
        factor.remove(k);
        g = g.remove_row(k).remove_column(k);
    }
    let n = factor.len();
    let mut col: Vec<f64> = (0..n).map(|j| 0.1 * j as f64).collect();
    let old = g.clone();
    g = g.insert_row(n, 0.0).insert_column(n, 0.0);
    for j in 0..n {
        g[(n, j)] = col[j];
        g[(j, n)] = col[j];
    }
    g[(n, n)] = 9.0;
    let square = factor.forward(0, &mut col);
    factor.push(0, &col, 9.0 - square);
    assert!(solve_error(&g, &factor) < 1e-14);
    assert_eq!(old.nrows() + 1, factor.len());
}
