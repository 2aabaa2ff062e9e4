//! Floating bases: offset mass, momentum, free flight.

use super::*;

fn skew(c: &Vector3<f64>) -> Matrix3<f64> {
    c.cross_matrix()
}

/// A free body whose mass is at c = R com from its origin. v_c = v + w x c, so
/// T = m |v|^2 / 2 + m v . (w x c) + w . (I + m (c.c 1 - c c^T)) w / 2, which is
/// M = [m 1, -m c^; m c^, I_o]. With v' = w' = 0 the mass accelerates by w x (w x c): the force is
/// f = m (w x (w x c) - g), the torque about the origin w x I w + c x f.
#[test]
fn offset_body() {
    let com = Vector3::new(0.2, -0.1, 0.4);
    let (m, diagonal) = (2.0, Vector3::new(0.3, 0.5, 0.6));
    let spec = link(None, JointSpec::floating(), m, com.into(), diagonal.into());
    let tree = Tree::new(&[spec]).unwrap();
    let mut state = tree.new_state();
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.5, 1.0, -0.7));
    state.positions_mut()[0].rotation = turn;
    state.positions_mut()[0].linear = Vector3::new(100.0, -50.0, 3.0);
    let (v, w) = (Vector3::new(1.0, 2.0, -0.5), Vector3::new(-2.0, 1.0, 3.0));
    state.velocity_mut()[..3].copy_from_slice(v.as_slice());
    state.velocity_mut()[3..].copy_from_slice(w.as_slice());
    update(&tree, &mut state);
    let c = turn * com;
    let r = turn.to_rotation_matrix();
    let inertia = r.matrix() * Matrix3::from_diagonal(&diagonal) * r.matrix().transpose();
    let mut expected = DMatrix::zeros(6, 6);
    expected
        .view_mut((0, 0), (3, 3))
        .copy_from(&(Matrix3::identity() * m));
    expected
        .view_mut((0, 3), (3, 3))
        .copy_from(&(-skew(&c) * m));
    expected.view_mut((3, 0), (3, 3)).copy_from(&(skew(&c) * m));
    expected
        .view_mut((3, 3), (3, 3))
        .copy_from(&(inertia - skew(&c) * skew(&c) * m));
    close(
        dense(&tree, &mut state).as_slice(),
        expected.as_slice(),
        1e-14,
    );
    let force = (w.cross(&w.cross(&c)) - GRAVITY) * m;
    let torque = w.cross(&(inertia * w)) + c.cross(&force);
    let b = bias(&tree, &mut state, &GRAVITY);
    close(&b.as_slice()[..3], force.as_slice(), 1e-14);
    close(&b.as_slice()[3..], torque.as_slice(), 1e-14);
    let momentum = tree.momentum(&state);
    close(
        momentum.linear.as_slice(),
        ((v + w.cross(&c)) * m).as_slice(),
        1e-14,
    );
    close(momentum.angular.as_slice(), (inertia * w).as_slice(), 1e-14);
    close(
        momentum.com.as_slice(),
        (state.positions()[0].linear + c).as_slice(),
        1e-15,
    );
}

/// The corrected base velocity gives the target momentum and leaves the joints alone.
#[test]
fn base_corrections() {
    for root in [Root::Floating, Root::Turned] {
        let mut random = Random::new(5);
        let tree = random_tree(&mut random, root, 7);
        let mut state = random_state(&mut random, &tree);
        let before = state.clone();
        let (linear, angular) = (random.vector() * 4.0, random.vector() * 4.0);
        tree.correct_base_momentum(&mut state, &linear, &angular)
            .unwrap();
        assert_eq!(&state.velocity()[6..], &before.velocity()[6..]);
        let momentum = tree.momentum(&state);
        close(momentum.linear.as_slice(), linear.as_slice(), 1e-13);
        close(momentum.angular.as_slice(), angular.as_slice(), 1e-13);
    }
}

/// Flies a jointed tree without forces for a time 0.2 at h and returns the drift of its momentum.
fn drift(h: f64) -> (f64, f64) {
    let mut random = Random::new(11);
    let tree = random_tree(&mut random, Root::Floating, 6);
    let mut state = random_state(&mut random, &tree);
    let m = tree.dim();
    let start = tree.momentum(&state);
    let mut dv = vec![0.0; m];
    for _ in 0..(0.2 / h).round() as usize {
        let net: Vec<f64> = bias(&tree, &mut state, &Vector3::zeros())
            .iter()
            .map(|b| -b)
            .collect();
        let factor = factor(&tree, &mut state, &vec![0.0; m]);
        tree.velocity_change(&mut state, &factor, h, &net, &mut dv);
        state
            .velocity_mut()
            .iter_mut()
            .zip(&dv)
            .for_each(|(v, d)| *v += d);
        tree.integrate(&mut state, h);
        update(&tree, &mut state);
    }
    let end = tree.momentum(&state);
    (
        (end.linear - start.linear).norm(),
        (end.angular - start.angular).norm(),
    )
}

/// The scheme is of first order: momentum drifts as O(h) without correction, so a tenth of the step
/// leaves about a tenth of the drift, and neither is large.
#[test]
fn free_flight_drifts_with_the_step() {
    let (coarse, fine) = (drift(1e-3), drift(1e-4));
    for (coarse, fine) in [(coarse.0, fine.0), (coarse.1, fine.1)] {
        assert!(coarse < 0.1, "drift {coarse}");
        let order = coarse / fine;
        assert!(
            (8.0..12.5).contains(&order),
            "drifts {coarse} and {fine}: ratio {order}"
        );
    }
}
