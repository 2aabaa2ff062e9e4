//! The semi-implicit velocity change: elimination along the tree, fallback, rest.

use super::*;

/// `|(M + D + h B) dv - h net|` over the largest of its terms, B from the bilinear recursion.
fn residual(
    tree: &Tree,
    state: &mut TreeState,
    diagonal: &[f64],
    [net, dv]: [&[f64]; 2],
    h: f64,
) -> f64 {
    let m = tree.dim();
    let (mut inertial, mut coriolis) = (vec![0.0; m], vec![0.0; m]);
    tree.mul_mass(state, dv, &mut inertial);
    tree.bias_derivative(state, dv, &mut coriolis);
    let (mut worst, mut size) = (0.0_f64, 0.0_f64);
    for i in 0..m {
        let terms = [
            inertial[i],
            diagonal[i] * dv[i],
            h * coriolis[i],
            -h * net[i],
        ];
        let sum: f64 = terms.iter().sum();
        assert!(sum.is_finite());
        worst = worst.max(sum.abs());
        size = terms.iter().fold(size, |s, t| s.max(t.abs()));
    }
    worst / size
}

#[test]
fn both_eliminations_solve_the_linearised_step() {
    let (mut tree_count, mut dense_count) = (0, 0);
    for seed in 0..40 {
        let mut random = Random::new(100 + seed);
        let tree = random_tree(&mut random, ROOTS[seed as usize % 4], 3 + seed as usize % 7);
        let mut state = random_state(&mut random, &tree);
        let m = tree.dim();
        let mut net = vec![0.0; m];
        random.fill(&mut net, 10.0);
        let diagonal = vec![0.05; m];
        let factor = factor(&tree, &mut state, &diagonal);
        for h in [1e-3, 1e-2, 0.3, 3.0] {
            let (mut dv, mut other) = (vec![f64::NAN; m], vec![0.0; m]);
            let path = tree.velocity_change(&mut state, &factor, h, &net, &mut dv);
            let left = residual(&tree, &mut state, &diagonal, [&net, &dv], h);
            assert!(left < 2e-13, "seed {seed}, h {h}: {left}, {path:?}");
            tree.assemble(&mut state, h);
            tree.impulse(h, &net, &mut other);
            assert!(tree.dense_change(&mut state.matrix, &mut other));
            close(&dv, &other, 1e-12);
            match path {
                VelocityPath::Tree => tree_count += 1,
                VelocityPath::Dense => dense_count += 1,
                path => panic!("{path:?} for a tree that moves"),
            }
        }
    }
    // Both paths were really taken.
    assert!(
        tree_count >= 80 && dense_count >= 5,
        "tree {tree_count}, dense {dense_count}"
    );
}

#[test]
fn a_tree_at_rest_takes_the_explicit_step() {
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
    let path = tree.velocity_change(&mut state, &factor, 2e-3, &net, &mut dv);
    assert_eq!(path, VelocityPath::Slow);
    explicit
        .iter_mut()
        .zip(&net)
        .for_each(|(x, n)| *x = 2e-3 * n);
    factor.solve(&mut explicit);
    assert_eq!(dv, explicit);
    // Hardly moving, it takes that step to round-off.
    let slow = 4.0 * f64::EPSILON / 2e-3 / m as f64;
    for factor_of_slow in [1.0, 4.0] {
        state.velocity_mut().fill(factor_of_slow * slow);
        tree.update_velocities(&mut state);
        let path = tree.velocity_change(&mut state, &factor, 2e-3, &net, &mut dv);
        assert_eq!(path, VelocityPath::Slow);
        close(&dv, &explicit, 1e-14);
    }
}

/// Slow motion: one correction of the explicit step solves the same system as the elimination, to
/// round-off, where the explicit step alone misses it by h w.
#[test]
fn slow_trees_take_one_correction() {
    let h = 2e-3;
    for seed in 0..12 {
        let mut random = Random::new(500 + seed);
        let tree = random_tree(&mut random, Root::Floating, 8);
        let mut state = random_state(&mut random, &tree);
        let m = tree.dim();
        let full = dense(&tree, &mut state);
        let factor = factor(&tree, &mut state, &vec![0.0; m]);
        let mut net = vec![0.0; m];
        random.fill(&mut net, 5.0);
        let speed: f64 = state.velocity().iter().map(|v| v.abs()).sum();
        for (displacement, wanted) in [(0.9e-9, VelocityPath::Slow), (1.1e-9, VelocityPath::Tree)] {
            let scale = displacement / (h * speed);
            for v in state.velocity_mut() {
                *v *= scale;
            }
            tree.update_velocities(&mut state);
            let mut dv = vec![0.0; m];
            let path = tree.velocity_change(&mut state, &factor, h, &net, &mut dv);
            for v in state.velocity_mut() {
                *v /= scale;
            }
            assert_eq!(path, wanted, "seed {seed}");
            let mut coriolis = vec![0.0; m];
            tree.bias_derivative(&mut state, &dv, &mut coriolis);
            let inertial = &full * DVector::from_row_slice(&dv);
            let worst = (0..m)
                .map(|i| (inertial[i] + h * coriolis[i] - h * net[i]).abs())
                .fold(0.0, f64::max);
            assert!(
                worst < 1e-13 * (h * 5.0 + inertial.amax()),
                "seed {seed}: {worst:e}, {path:?}"
            );
        }
    }
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
            let path = tree.velocity_change(&mut state, &factor, h, &net, &mut dv);
            assert_ne!(path, VelocityPath::Explicit);
            let mut coriolis = vec![0.0; m];
            tree.bias_derivative(&mut state, &dv, &mut coriolis);
            let inertial = &full * DVector::from_row_slice(&dv);
            for i in 0..m {
                if tree.prescribed[i] {
                    assert_eq!(dv[i], 0.0);
                } else {
                    let left = inertial[i] + diagonal[i] * dv[i] + h * coriolis[i];
                    let miss = (left - h * net[i]).abs();
                    let size = 1.0 + inertial.amax();
                    assert!(
                        miss < 1e-12 * size,
                        "seed {seed}, h {h}, row {i}: {miss} of {size}, {path:?}"
                    );
                }
            }
        }
    }
}
