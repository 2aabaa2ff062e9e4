//! The semi-implicit velocity change: series, fallback, rest.

use super::*;

/// (M + D + h B) dv - h net, B by columns.
fn residual(
    tree: &Tree,
    state: &mut TreeState,
    diagonal: &[f64],
    h: f64,
    net: &[f64],
    dv: &[f64],
) -> Vec<f64> {
    let m = tree.dim();
    let (mut inertial, mut coriolis) = (vec![0.0; m], vec![0.0; m]);
    tree.mul_mass(state, dv, &mut inertial);
    tree.bias_derivative(state, dv, &mut coriolis);
    (0..m)
        .map(|i| inertial[i] + diagonal[i] * dv[i] + h * coriolis[i] - h * net[i])
        .collect()
}

#[test]
fn series_and_elimination_solve_the_same_system() {
    let (mut series, mut dense_count) = (0, 0);
    for seed in 0..40 {
        let mut random = Random::new(100 + seed);
        let tree = random_tree(&mut random, ROOTS[seed as usize % 4], 3 + seed as usize % 7);
        let mut state = random_state(&mut random, &tree);
        let m = tree.dim();
        let mut net = vec![0.0; m];
        random.fill(&mut net, 10.0);
        let diagonal = vec![0.05; m];
        let factor = factor(&tree, &mut state, &diagonal);
        for h in [1e-3, 1e-2, 0.3] {
            let (mut dv, mut other) = (vec![f64::NAN; m], vec![0.0; m]);
            let report = tree.velocity_change(&mut state, &factor, h, &net, &mut dv);
            let left = residual(&tree, &mut state, &diagonal, h, &net, &dv);
            close(&left, &vec![0.0; m], 2e-13);
            other.iter_mut().zip(&net).for_each(|(o, n)| *o = h * n);
            let (mut unit, mut column) = (vec![0.0; m], vec![0.0; m]);
            let path =
                tree.dense_change(&mut state, &factor, h, &mut other, [&mut unit, &mut column]);
            assert_eq!(path, VelocityPath::Dense);
            close(&dv, &other, 1e-12);
            match report.path {
                VelocityPath::Series => series += 1,
                VelocityPath::Dense => dense_count += 1,
                path => panic!("{path:?} for a tree that moves"),
            }
            assert!(report.rounds <= 30);
        }
    }
    // Both paths were really taken.
    assert!(
        series >= 40 && dense_count >= 10,
        "series {series}, dense {dense_count}"
    );
}

#[test]
fn a_tree_at_rest_costs_no_pass_and_a_slow_one_costs_one() {
    let mut random = Random::new(8);
    let tree = random_tree(&mut random, Root::Floating, 6);
    let mut state = random_state(&mut random, &tree);
    let m = tree.dim();
    state.velocity_mut().fill(0.0);
    update(&tree, &mut state);
    let factor = factor(&tree, &mut state, &vec![0.0; m]);
    let net: Vec<f64> = bias(&tree, &mut state, &GRAVITY)
        .iter()
        .map(|b| -b)
        .collect();
    let (mut dv, mut explicit) = (vec![0.0; m], vec![0.0; m]);
    let report = tree.velocity_change(&mut state, &factor, 2e-3, &net, &mut dv);
    assert_eq!((report.path, report.rounds), (VelocityPath::AtRest, 0));
    explicit
        .iter_mut()
        .zip(&net)
        .for_each(|(x, n)| *x = 2e-3 * n);
    factor.solve(&mut explicit);
    assert_eq!(dv, explicit);
    random.fill(state.velocity_mut(), 1e-9);
    tree.update_velocities(&mut state);
    let report = tree.velocity_change(&mut state, &factor, 2e-3, &net, &mut dv);
    assert_eq!((report.path, report.rounds), (VelocityPath::Series, 1));
}

/// A kinematic joint amid the tree: its coordinates don't change, the others solve the system that is
/// left when its rows and columns are struck out, by either path.
#[test]
fn prescribed_coordinates_stay() {
    for seed in 0..12 {
        let mut random = Random::new(300 + seed);
        let plain = random_tree(&mut random, ROOTS[seed as usize % 4], 8);
        let mut specs: Vec<LinkSpec> = (0..8).map(|l| *plain.link(l)).collect();
        specs[1 + seed as usize % 4].joint.kinematic = true;
        if seed % 3 == 0 {
            specs[0].joint.kinematic = true;
        }
        let tree = Tree::new(&specs).unwrap();
        let mut state = random_state(&mut random, &tree);
        let m = tree.dim();
        let full = dense(&tree, &mut state);
        let diagonal = vec![0.02; m];
        let factor = factor(&tree, &mut state, &diagonal);
        let mut net = vec![0.0; m];
        random.fill(&mut net, 5.0);
        for h in [2e-3, 0.5] {
            let mut dv = vec![f64::NAN; m];
            let report = tree.velocity_change(&mut state, &factor, h, &net, &mut dv);
            assert_ne!(report.path, VelocityPath::Explicit);
            let mut coriolis = vec![0.0; m];
            tree.bias_derivative(&mut state, &dv, &mut coriolis);
            let inertial = &full * DVector::from_row_slice(&dv);
            for i in 0..m {
                if tree.is_prescribed(i) {
                    assert_eq!(dv[i], 0.0);
                } else {
                    let left = inertial[i] + diagonal[i] * dv[i] + h * coriolis[i];
                    let miss = (left - h * net[i]).abs();
                    let size = 1.0 + inertial.amax();
                    assert!(
                        miss < 1e-12 * size,
                        "seed {seed}, h {h}, row {i}: {miss} of {size}, {report:?}"
                    );
                }
            }
        }
    }
}
