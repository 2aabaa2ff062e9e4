/// The first pivot is zero, so rows must swap: x = (1, -2, 3).
#[test]
fn pivots_and_refuses_singular_matrices() {
    let mut a = [0.0, 2.0, 1.0, 1.0, 1.0, 1.0, 4.0, 0.0, -1.0];
    let mut b = [-1.0, 2.0, 1.0];
    assert!(super::solve(&mut a, &mut b));
    for (x, e) in b.iter().zip([1.0, -2.0, 3.0]) {
        assert!((x - e).abs() < 1e-15);
    }
    let mut a = [1.0, 2.0, 2.0, 4.0];
    assert!(!super::solve(&mut a, &mut [1.0, 1.0]));
}
