//! Properties on random trees, against constructions that share no code with the recursions.

use super::*;

/// Step of the central differences: truncation about e^2, round-off about 1e-16 / e.
const E: f64 = 1e-5;

fn cases() -> impl Iterator<Item = (Tree, TreeState, Random)> {
    (0..24).map(|seed| {
        let mut random = Random::new(seed);
        let root = ROOTS[seed as usize % ROOTS.len()];
        let tree = random_tree(&mut random, root, 2 + seed as usize % 9);
        let state = random_state(&mut random, &tree);
        (tree, state, random)
    })
}

/// The state a time `dt` later at constant coordinate velocities, the root carried along.
fn later(tree: &Tree, state: &TreeState, dt: f64) -> (Tree, TreeState) {
    let (mut tree, mut state) = (tree.clone(), state.clone());
    let root = *tree.link(0);
    if root.joint.linear == [false; 3] && root.joint.angular == [false; 3] {
        let pose = root.joint.frame1 * root.joint.frame2.inverse();
        let moved = Isometry3::from_parts(
            Translation3::from(pose.translation.vector + state.root_velocity.linear * dt),
            UnitQuaternion::from_scaled_axis(state.root_velocity.angular * dt) * pose.rotation,
        );
        tree.set_frames(0, moved * root.joint.frame2, root.joint.frame2)
            .unwrap();
    }
    tree.integrate(&mut state, dt);
    update(&tree, &mut state);
    (tree, state)
}

/// Poses by multiplying the transforms of the convention, link by link.
#[test]
fn poses_follow_the_convention() {
    for (tree, state, _) in cases() {
        let mut poses: Vec<Isometry3<f64>> = Vec::new();
        for l in 0..tree.link_count() {
            let LinkSpec { parent, joint, .. } = *tree.link(l);
            let position = state.positions()[l];
            let shift = Vector3::from_fn(|i, _| {
                if joint.linear[i] {
                    position.linear[i]
                } else {
                    0.0
                }
            });
            let turn = match joint.angular {
                [false, false, false] => UnitQuaternion::identity(),
                [true, true, true] => position.rotation,
                axis => UnitQuaternion::from_scaled_axis(
                    Vector3::from_fn(|i, _| f64::from(u8::from(axis[i]))) * position.angle,
                ),
            };
            let relative =
                joint.frame1 * Isometry3::from_parts(shift.into(), turn) * joint.frame2.inverse();
            poses.push(parent.map_or(Isometry3::identity(), |p| poses[p]) * relative);
            let found = tree.link_pose(&state, l).to_homogeneous();
            assert!(
                (found - poses[l].to_homogeneous()).amax() < 1e-13,
                "link {l}"
            );
            let com = poses[l] * nalgebra::Point3::from(tree.link(l).inertia.com);
            close(
                tree.link_com(&state, l).as_slice(),
                com.coords.as_slice(),
                1e-13,
            );
        }
    }
}

/// Velocities and rows against central differences of positions.
#[test]
fn rows_are_the_derivative_of_positions() {
    for (tree, state, mut random) in cases() {
        let ((tree_a, a), (tree_b, b)) = (later(&tree, &state, -E), later(&tree, &state, E));
        for l in 0..tree.link_count() {
            let local = nalgebra::Point3::from(random.vector());
            let p = (tree.link_pose(&state, l) * local).coords;
            let (pose_a, pose_b) = (tree_a.link_pose(&a, l), tree_b.link_pose(&b, l));
            let difference = ((pose_b * local) - (pose_a * local)) / (2.0 * E);
            let velocity = tree.point_velocity(&state, l, &p);
            close(velocity.as_slice(), difference.as_slice(), 1e-8);
            let spin = (pose_b.rotation * pose_a.rotation.inverse()).scaled_axis() / (2.0 * E);
            let twist = tree.link_velocity(&state, l);
            close(twist.angular.as_slice(), spin.as_slice(), 1e-8);

            let path = tree.row_path(l);
            let given = tree.prescribed_twist(&state, l);
            let directions = [random.vector(), random.vector(), random.vector()];
            let mut rows = vec![f64::NAN; 3 * path.len()];
            tree.point_rows(&state, l, &p, &directions, &mut rows);
            for (k, d) in directions.iter().enumerate() {
                let three = &rows[k * path.len()..(k + 1) * path.len()];
                let mut row = vec![f64::NAN; path.len()];
                tree.point_row(&state, l, &p, d, &mut row);
                close(three, &row, 1e-13);
                let along = |row: &[f64]| -> f64 {
                    row.iter()
                        .zip(path)
                        .map(|(r, &i)| r * state.velocity()[i])
                        .sum()
                };
                let total = along(&row) + given.at(&(p - state.reference())).dot(d);
                close(&[total], &[velocity.dot(d)], 1e-12);
                tree.angular_row(&state, l, d, &mut row);
                close(
                    &[along(&row) + given.angular.dot(d)],
                    &[twist.angular.dot(d)],
                    1e-12,
                );
            }
        }
    }
}

/// Sum over links of J_c^T m (a_c - scale g) + J_w^T d/dt(I w): the bias by d'Alembert's principle,
/// a_c and d/dt(I w) from central differences along the motion at constant coordinate velocities.
/// Fixed roots move and turn here.
#[test]
fn bias_is_what_dalembert_says() {
    for (tree, mut state, mut random) in cases() {
        let ((tree_a, a), (tree_b, b)) = (later(&tree, &state, -E), later(&tree, &state, E));
        let gravity = random.vector() * 9.0;
        let mut expected = DVector::zeros(tree.dim());
        let com_velocity = |t: &Tree, s: &TreeState, l| t.point_velocity(s, l, &t.link_com(s, l));
        let spin = |t: &Tree, s: &TreeState, l: usize| {
            let r = t.link_pose(s, l).rotation.to_rotation_matrix();
            r * t.link(l).inertia.inertia * r.inverse() * t.link_velocity(s, l).angular
        };
        state.clear_forces();
        for l in 0..tree.link_count() {
            let inertia = tree.link(l).inertia;
            let accel = (com_velocity(&tree_b, &b, l) - com_velocity(&tree_a, &a, l)) / (2.0 * E);
            let mut force = (accel - gravity * inertia.gravity_scale) * inertia.mass;
            let mut torque = (spin(&tree_b, &b, l) - spin(&tree_a, &a, l)) / (2.0 * E);
            if l % 2 == 1 {
                let (f, t) = (random.vector(), random.vector());
                tree.add_force(&mut state, l, &f, &t);
                force -= f;
                torque -= t;
            }
            let path = tree.row_path(l);
            let (mut row, com) = (vec![0.0; path.len()], tree.link_com(&state, l));
            for k in 0..3 {
                let d = Vector3::ith(k, 1.0);
                tree.point_row(&state, l, &com, &d, &mut row);
                path.iter()
                    .zip(&row)
                    .for_each(|(&i, r)| expected[i] += r * force[k]);
                tree.angular_row(&state, l, &d, &mut row);
                path.iter()
                    .zip(&row)
                    .for_each(|(&i, r)| expected[i] += r * torque[k]);
            }
        }
        close(
            bias(&tree, &mut state, &gravity).as_slice(),
            expected.as_slice(),
            2e-8,
        );
    }
}

/// The mass matrix three ways: composite bodies, unit accelerations, and the sum over links of
/// m J_c^T J_c + J_w^T I J_w.
#[test]
fn mass_matrix_is_the_sum_over_links() {
    for (tree, mut state, mut random) in cases() {
        let m = tree.dim();
        let mut expected = DMatrix::zeros(m, m);
        for l in 0..tree.link_count() {
            let inertia = tree.link(l).inertia;
            let path = tree.row_path(l);
            let com = tree.link_com(&state, l);
            let (mut j_c, mut j_w) = (DMatrix::zeros(3, m), DMatrix::zeros(3, m));
            let mut row = vec![0.0; path.len()];
            for k in 0..3 {
                let d = Vector3::ith(k, 1.0);
                tree.point_row(&state, l, &com, &d, &mut row);
                path.iter().zip(&row).for_each(|(&i, r)| j_c[(k, i)] = *r);
                tree.angular_row(&state, l, &d, &mut row);
                path.iter().zip(&row).for_each(|(&i, r)| j_w[(k, i)] = *r);
            }
            let r = tree.link_pose(&state, l).rotation.to_rotation_matrix();
            let world = r.matrix() * inertia.inertia * r.matrix().transpose();
            expected += j_c.transpose() * &j_c * inertia.mass + j_w.transpose() * world * &j_w;
        }
        close(
            dense(&tree, &mut state).as_slice(),
            expected.as_slice(),
            1e-13,
        );
        let mut diagonal = vec![0.0; m];
        random.fill(&mut diagonal, 0.1);
        let mut factor = MassFactor::new(tree.pattern().clone());
        tree.mass_matrix(&mut state, &diagonal, &mut factor);
        for i in 0..m {
            let path = tree.pattern().path(i);
            let row = &factor.values()[tree.pattern().row(i)];
            for (&j, &entry) in path.iter().zip(row) {
                let add = if i == j { diagonal[i] } else { 0.0 };
                close(&[entry], &[expected[(i, j)] + add], 1e-12);
            }
            // What the pattern leaves out is zero.
            let outside = (0..i).filter(|j| !path.contains(j));
            outside.for_each(|j| assert!(expected[(i, j)].abs() < 1e-12));
        }
    }
}

/// d/dt (kinetic + potential) = v . tau for any accelerations, without moving roots; and the kinetic
/// energy is v^T M v / 2.
#[test]
fn efforts_deliver_the_power() {
    for (tree, mut state, mut random) in cases() {
        state.root_velocity = Twist::default();
        update(&tree, &mut state);
        let m = tree.dim();
        let mut accel = vec![0.0; m];
        random.fill(&mut accel, 3.0);
        let v = DVector::from_row_slice(state.velocity());
        let matrix = dense(&tree, &mut state);
        let energy = 0.5 * v.dot(&(&matrix * &v));
        close(&[tree.kinetic_energy(&state)], &[energy], 1e-13);
        let tau = &matrix * DVector::from_row_slice(&accel) + bias(&tree, &mut state, &GRAVITY);
        let at = |dt: f64| {
            let (_, mut moved) = later(&tree, &state, dt);
            moved
                .velocity_mut()
                .iter_mut()
                .zip(&accel)
                .for_each(|(v, a)| *v += dt * a);
            update(&tree, &mut moved);
            tree.kinetic_energy(&moved) + potential_energy(&tree, &moved)
        };
        close(&[(at(E) - at(-E)) / (2.0 * E)], &[tau.dot(&v)], 1e-7);
    }
}

/// The bias is quadratic, so bias(v + u) - bias(v - u) = 2 (d bias / d v) u without truncation.
#[test]
fn bias_derivative_is_exact() {
    for (tree, mut state, mut random) in cases() {
        let m = tree.dim();
        let (mut u, mut derivative) = (vec![0.0; m], vec![f64::NAN; m]);
        random.fill(&mut u, 1.0);
        tree.bias_derivative(&mut state, &u, &mut derivative);
        let at = |sign: f64| {
            let mut moved = state.clone();
            moved
                .velocity_mut()
                .iter_mut()
                .zip(&u)
                .for_each(|(v, u)| *v += sign * u);
            tree.update_velocities(&mut moved);
            bias(&tree, &mut moved, &GRAVITY)
        };
        let expected = (at(1.0) - at(-1.0)) * 0.5;
        close(&derivative, expected.as_slice(), 1e-13);
    }
}

/// Momentum is the sum over links, whatever is merged.
#[test]
fn momentum_is_the_sum_over_links() {
    for (tree, state, _) in cases() {
        let momentum = tree.momentum(&state);
        let fixed = |l: usize| tree.link_body[l] == 0;
        let (mut mass, mut linear, mut angular) = (0.0, Vector3::zeros(), Vector3::zeros());
        let mut com = Vector3::zeros();
        for l in (0..tree.link_count()).filter(|&l| !fixed(l)) {
            let inertia = tree.link(l).inertia;
            let r = tree.link_pose(&state, l).rotation.to_rotation_matrix();
            let c = tree.link_com(&state, l);
            let p = tree.point_velocity(&state, l, &c) * inertia.mass;
            mass += inertia.mass;
            com += c * inertia.mass;
            linear += p;
            angular += c.cross(&p)
                + r * inertia.inertia * r.inverse() * tree.link_velocity(&state, l).angular;
        }
        if mass > 0.0 {
            com /= mass;
            angular -= com.cross(&linear);
        } else {
            com = state.reference();
        }
        close(&[momentum.mass], &[mass], 1e-14);
        close(momentum.com.as_slice(), com.as_slice(), 1e-13);
        close(momentum.linear.as_slice(), linear.as_slice(), 1e-13);
        close(momentum.angular.as_slice(), angular.as_slice(), 1e-12);
    }
}
