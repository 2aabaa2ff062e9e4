//! Mechanisms whose mass matrix and bias are derived by hand.

use super::*;

const I: Isometry3<f64> = Isometry3 {
    rotation: UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(1.0, 0.0, 0.0, 0.0)),
    translation: Translation3::new(0.0, 0.0, 0.0),
};

fn ground() -> LinkSpec {
    link(None, JointSpec::fixed(I, I), 7.0, [1.0, 2.0, 3.0], [1.0; 3])
}

/// Turning by q about y takes the mass at (0, 0, -l) to (-l sin q, 0, -l cos q). T = (I + m l^2)
/// q'^2 / 2, U = -m g l cos q: M = I + m l^2, bias = dU/dq = m g l sin q, whatever q'.
#[test]
fn pendulum() {
    let (m, l, i, q) = (1.3, 0.7, 0.05, 0.4_f64);
    let arm = link(
        Some(0),
        JointSpec::revolute(at(0.2, 0.1, 5.0), I, 1),
        m,
        [0.0, 0.0, -l],
        [0.3, i, 0.1],
    );
    let tree = Tree::new(&[ground(), arm]).unwrap();
    let mut state = tree.new_state();
    state.positions_mut()[1].angle = q;
    state.velocity_mut()[0] = 3.0;
    update(&tree, &mut state);
    close(&[dense(&tree, &mut state)[0]], &[i + m * l * l], 1e-15);
    close(
        bias(&tree, &mut state, &GRAVITY).as_slice(),
        &[m * 9.81 * l * q.sin()],
        1e-15,
    );
    close(
        &[potential_energy(&tree, &state)],
        &[m * 9.81 * (5.0 - l * q.cos())],
        1e-15,
    );
    close(
        &[tree.kinetic_energy(&state)],
        &[0.5 * (i + m * l * l) * 9.0],
        1e-15,
    );
}

/// Point masses at the ends of two massless rods, second angle relative to the first.
/// v2^2 = l1^2 q1'^2 + l2^2 (q1' + q2')^2 + 2 l1 l2 cos(q2) q1' (q1' + q2'). Collecting T gives
/// M11 = m1 l1^2 + m2 (l1^2 + l2^2 + 2 l1 l2 c2), M12 = m2 (l2^2 + l1 l2 c2), M22 = m2 l2^2.
/// With k = m2 l1 l2 s2, Lagrange's equations leave b1 = -k (2 q1' q2' + q2'^2) + dU/dq1 and
/// b2 = k q1'^2 + dU/dq2; U = -(m1 + m2) g l1 cos q1 - m2 g l2 cos(q1 + q2).
#[test]
fn double_pendulum() {
    let (m1, m2, l1, l2, g) = (1.1, 0.6, 0.8, 0.5, 9.81);
    let (q1, q2, v1, v2) = (0.3_f64, -1.1_f64, 1.7, -2.4);
    let upper = link(
        Some(0),
        JointSpec::revolute(I, I, 1),
        m1,
        [0.0, 0.0, -l1],
        [0.0; 3],
    );
    // Origin of the second link at its tip: frame 2 is above it.
    let lower = link(
        Some(1),
        JointSpec::revolute(at(0.0, 0.0, -l1), at(0.0, 0.0, l2), 1),
        m2,
        [0.0; 3],
        [0.0; 3],
    );
    let tree = Tree::new(&[ground(), upper, lower]).unwrap();
    let mut state = tree.new_state();
    state.positions_mut()[1].angle = q1;
    state.positions_mut()[2].angle = q2;
    state.velocity_mut().copy_from_slice(&[v1, v2]);
    update(&tree, &mut state);
    let c2 = q2.cos();
    let m12 = m2 * (l2 * l2 + l1 * l2 * c2);
    let m11 = m1 * l1 * l1 + m2 * (l1 * l1 + l2 * l2 + 2.0 * l1 * l2 * c2);
    let expected = [m11, m12, m12, m2 * l2 * l2];
    close(dense(&tree, &mut state).as_slice(), &expected, 1e-14);
    let k = m2 * l1 * l2 * q2.sin();
    let (s1, s12) = (q1.sin(), (q1 + q2).sin());
    let b1 = -k * (2.0 * v1 * v2 + v2 * v2) + (m1 + m2) * g * l1 * s1 + m2 * g * l2 * s12;
    let b2 = k * v1 * v1 + m2 * g * l2 * s12;
    close(
        bias(&tree, &mut state, &GRAVITY).as_slice(),
        &[b1, b2],
        1e-14,
    );
    let mut factor = MassFactor::new(tree.pattern().clone());
    tree.mass_matrix(&mut state, &[0.25, 0.5], &mut factor);
    close(
        factor.values(),
        &[m11 + 0.25, m12, m2 * l2 * l2 + 0.5],
        1e-14,
    );
}

/// A block on a rail that climbs at angle t: M = m, bias = m g sin t. Turning by -t about y takes x
/// to (cos t, 0, sin t).
#[test]
fn slider_on_a_slope() {
    let (m, t) = (2.5, 0.35_f64);
    let slope = Isometry3::rotation(Vector3::y() * -t);
    let block = link(
        Some(0),
        JointSpec::prismatic(slope, I, 0),
        m,
        [0.1, 0.2, 0.3],
        [1.0, 2.0, 3.0],
    );
    let tree = Tree::new(&[ground(), block]).unwrap();
    let mut state = tree.new_state();
    state.positions_mut()[1].linear.x = 2.0;
    state.velocity_mut()[0] = -1.0;
    update(&tree, &mut state);
    close(dense(&tree, &mut state).as_slice(), &[m], 1e-15);
    close(
        bias(&tree, &mut state, &GRAVITY).as_slice(),
        &[m * 9.81 * t.sin()],
        1e-15,
    );
    let origin = tree.link_pose(&state, 1).translation.vector;
    close(
        origin.as_slice(),
        &[2.0 * t.cos(), 0.0, 2.0 * t.sin()],
        1e-15,
    );
}

/// Pole standing on a cart: x_c = x + l sin q, z_c = l cos q. T gives M = [[M + m, m l cos q],
/// [m l cos q, I + m l^2]]; bias = [-m l sin q q'^2, -m g l sin q].
#[test]
fn cart_and_pole() {
    let (cart, m, l, i, q, w) = (3.0, 0.4, 0.6, 0.02, 0.5_f64, 2.2);
    let body = link(
        Some(0),
        JointSpec::prismatic(I, I, 0),
        cart,
        [0.0; 3],
        [1.0; 3],
    );
    let pole = link(
        Some(1),
        JointSpec::revolute(I, I, 1),
        m,
        [0.0, 0.0, l],
        [0.5, i, 0.5],
    );
    let tree = Tree::new(&[ground(), body, pole]).unwrap();
    let mut state = tree.new_state();
    state.positions_mut()[2].angle = q;
    state.velocity_mut().copy_from_slice(&[1.5, w]);
    update(&tree, &mut state);
    let off = m * l * q.cos();
    close(
        dense(&tree, &mut state).as_slice(),
        &[cart + m, off, off, i + m * l * l],
        1e-15,
    );
    let expected = [-m * l * q.sin() * w * w, -m * 9.81 * l * q.sin()];
    close(
        bias(&tree, &mut state, &GRAVITY).as_slice(),
        &expected,
        1e-14,
    );
}

/// Point mass at r = R (0, 0, -l) on a ball joint: M = m (r.r 1 - r r^T);
/// bias = r x m (w x (w x r)) - r x m g = m (w.r) r x w - m r x g.
#[test]
fn spherical_pendulum() {
    let (m, l) = (0.9, 1.2);
    let bob = link(
        Some(0),
        JointSpec::ball(at(1.0, 0.0, 2.0), I),
        m,
        [0.0, 0.0, -l],
        [0.0; 3],
    );
    let tree = Tree::new(&[ground(), bob]).unwrap();
    let mut state = tree.new_state();
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -0.8, 0.3));
    let w = Vector3::new(1.1, -0.7, 2.0);
    state.positions_mut()[1].rotation = turn;
    state.velocity_mut().copy_from_slice(w.as_slice());
    update(&tree, &mut state);
    let r = turn * Vector3::new(0.0, 0.0, -l);
    let expected = (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * m;
    close(
        dense(&tree, &mut state).as_slice(),
        expected.as_slice(),
        1e-15,
    );
    let expected = r.cross(&w) * (m * w.dot(&r)) - r.cross(&GRAVITY) * m;
    close(
        bias(&tree, &mut state, &GRAVITY).as_slice(),
        expected.as_slice(),
        1e-14,
    );
}

/// A body on a screwless cylindrical joint (slides along and turns about z) with its mass off the
/// axis by a: M = diag(m, I + m a^2), bias = (m g, 0): no force couples turning to sliding.
#[test]
fn cylindrical_joint() {
    let (m, a, i) = (1.4, 0.3, 0.07);
    let mut joint = JointSpec::prismatic(I, I, 2);
    joint.angular[2] = true;
    let tree = Tree::new(&[
        ground(),
        link(Some(0), joint, m, [a, 0.0, 0.0], [1.0, 1.0, i]),
    ])
    .unwrap();
    let mut state = tree.new_state();
    state.positions_mut()[1].angle = 0.9;
    state.velocity_mut().copy_from_slice(&[0.5, -4.0]);
    update(&tree, &mut state);
    close(
        dense(&tree, &mut state).as_slice(),
        &[m, 0.0, 0.0, i + m * a * a],
        1e-15,
    );
    close(
        bias(&tree, &mut state, &GRAVITY).as_slice(),
        &[m * 9.81, 0.0],
        1e-14,
    );
}
