use super::*;

fn solve(c: &[f64], columns: &[&[f64]]) -> (Vec<f64>, f64) {
    let mut nnls = Nnls::default();
    nnls.begin(c);
    for column in columns {
        nnls.push().copy_from_slice(column);
    }
    let left = nnls.solve();
    (nnls.x().to_vec(), left)
}

#[test]
fn a_vector_inside_the_cone_is_met() {
    let (x, left) = solve(&[2.0, 3.0], &[&[1.0, 0.0], &[1.0, 1.0], &[0.0, 1.0]]);
    assert!(left < 1e-14);
    assert!((x[0] + x[1] - 2.0).abs() < 1e-14 && (x[1] + x[2] - 3.0).abs() < 1e-14);
}

#[test]
fn a_vector_outside_is_met_as_nearly_as_the_cone_allows() {
    // The nearest point of the first quadrant to (-1, 2) is (0, 2).
    let (x, left) = solve(&[-1.0, 2.0], &[&[1.0, 0.0], &[0.0, 1.0]]);
    assert_eq!(x, [0.0, 2.0]);
    assert!((left - 1.0).abs() < 1e-15);
}

#[test]
fn optimal_on_random_problems() {
    let mut state = 1_u64;
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let x = state.wrapping_mul(0x2545_f491_4f6c_dd1d);
        (x >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut nnls = Nnls::default();
    for trial in 0..2000 {
        let (m, n) = (1 + trial % 7, 1 + trial % 11);
        let c: Vec<f64> = (0..m).map(|_| next()).collect();
        nnls.begin(&c);
        let columns: Vec<Vec<f64>> = (0..n).map(|_| (0..m).map(|_| next()).collect()).collect();
        for column in &columns {
            nnls.push().copy_from_slice(column);
        }
        nnls.solve();
        let mut left = c.clone();
        for (column, &x) in columns.iter().zip(nnls.x()) {
            assert!(x >= 0.0);
            axpy(&mut left, -x, column);
        }
        for (column, &x) in columns.iter().zip(nnls.x()) {
            let gain = dot(column, &left);
            assert!(gain < 1e-11, "trial {trial}: {gain}");
            assert!((x * gain).abs() < 1e-9, "trial {trial}: {x} {gain}");
        }
    }
}
