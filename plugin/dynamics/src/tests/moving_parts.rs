//! Prescribed motion: moving roots and kinematic joints.

use super::*;

fn turntable(kinematic: bool) -> Tree {
    let fixed = JointSpec::fixed(Isometry3::identity(), Isometry3::identity());
    let mut specs = vec![link(None, fixed, 1.0, [0.0; 3], [1.0; 3])];
    if kinematic {
        let mut joint = JointSpec::revolute(Isometry3::identity(), Isometry3::identity(), 2);
        joint.kinematic = true;
        specs.push(link(Some(0), joint, 5.0, [0.0; 3], [1.0, 1.0, 0.4]));
    }
    let rail = JointSpec::prismatic(Isometry3::identity(), Isometry3::identity(), 0);
    specs.push(link(
        Some(specs.len() - 1),
        rail,
        1.5,
        [0.0; 3],
        [0.1, 0.1, 0.2],
    ));
    Tree::new(&specs).unwrap()
}

/// A bead at distance r on a rail that turns at a steady rate W: seen along the rail it only feels
/// the centrifugal force, bias = -m W^2 r, also if the root's origin moves at a steady velocity.
#[test]
fn bead_on_a_turning_root() {
    let tree = turntable(false);
    let mut state = tree.new_state();
    state.positions_mut()[1].linear.x = 0.8;
    state.velocity_mut()[0] = 2.0;
    state.root_velocity = Twist::new(Vector3::new(3.0, -1.0, 0.5), Vector3::z() * 4.0);
    update(&tree, &mut state);
    close(
        bias(&tree, &mut state, &GRAVITY).as_slice(),
        &[-1.5 * 16.0 * 0.8],
        1e-14,
    );
    let seen = tree.prescribed_twist(&state, 1);
    assert_eq!(seen, state.root_velocity);
}

/// The same with a kinematic hinge instead. Its own entry is the torque that keeps the rate,
/// d/dt (m r^2) W = 2 m r r' W; the mass matrix has no coupling and the solve leaves it alone.
#[test]
fn bead_on_a_kinematic_hinge() {
    let (m, r, rate, speed) = (1.5, 0.8, 4.0, 2.0);
    let tree = turntable(true);
    let mut state = tree.new_state();
    state.positions_mut()[2].linear.x = r;
    state.velocity_mut().copy_from_slice(&[rate, speed]);
    update(&tree, &mut state);
    let b = bias(&tree, &mut state, &GRAVITY);
    close(
        b.as_slice(),
        &[2.0 * m * r * speed * rate, -m * rate * rate * r],
        1e-14,
    );
    assert_eq!(tree.prescribed, [true, false]);
    assert!(tree.row_path(1).is_empty());
    assert_eq!(tree.row_path(2), &[1]);
    let factor = factor(&tree, &mut state, &[7.0, 0.0]);
    close(factor.values(), &[1.0, m.sqrt()], 1e-15);
    // One coordinate: d(bias)/d(speed) = 0, so dv = -h bias / m.
    let mut dv = [f64::NAN; 2];
    let net = [-b[0], -b[1]];
    tree.velocity_change(&mut state, &factor, 1e-2, &net, &mut dv);
    close(&dv, &[0.0, 1e-2 * rate * rate * r], 1e-14);
    // The bead's velocity is its row plus what the hinge gives: rate x r along y.
    let p = Vector3::new(r, 0.0, 0.0);
    let mut row = [f64::NAN];
    tree.point_row(&state, 2, &p, &Vector3::x(), &mut row);
    close(&row, &[1.0], 1e-15);
    let given = tree
        .prescribed_twist(&state, 2)
        .at(&(p - state.reference()));
    close(given.as_slice(), &[0.0, rate * r, 0.0], 1e-15);
    close(
        tree.point_velocity(&state, 2, &p).as_slice(),
        &[speed, rate * r, 0.0],
        1e-15,
    );
}

/// Moving a fixed root by its frame changes the world pose and nothing else.
#[test]
fn root_pose_can_be_changed() {
    let mut random = Random::new(3);
    let mut tree = random_tree(&mut random, Root::Fixed, 6);
    let mut state = random_state(&mut random, &tree);
    state.root_velocity = Twist::default();
    update(&tree, &mut state);
    let (before, last) = (dense(&tree, &mut state), tree.link_count() - 1);
    let (old_root, old_last) = (tree.link_pose(&state, 0), tree.link_pose(&state, last));
    let pose = random.pose();
    tree.set_frames(0, pose, Isometry3::identity()).unwrap();
    update(&tree, &mut state);
    let expected = pose * old_root.inverse() * old_last;
    let found = tree.link_pose(&state, last);
    assert!((expected.to_homogeneous() - found.to_homogeneous()).amax() < 1e-14);
    close(
        dense(&tree, &mut state).as_slice(),
        before.as_slice(),
        1e-13,
    );
}

/// Setters give the tree that construction would have given.
#[test]
fn setters_equal_construction() {
    let mut random = Random::new(17);
    for root in ROOTS {
        let mut tree = random_tree(&mut random, root, 7);
        let mut specs: Vec<LinkSpec> = (0..7).map(|l| *tree.link(l)).collect();
        for (l, spec) in specs.iter_mut().enumerate().skip(1) {
            spec.inertia = random.inertia();
            (spec.joint.frame1, spec.joint.frame2) = (random.pose(), random.pose());
            tree.set_link_inertia(l, spec.inertia).unwrap();
            tree.set_frames(l, spec.joint.frame1, spec.joint.frame2)
                .unwrap();
        }
        let fresh = Tree::new(&specs).unwrap();
        let mut state = random_state(&mut random, &tree);
        let mut other = state.clone();
        update(&fresh, &mut other);
        let (a, b) = (
            bias(&tree, &mut state, &GRAVITY),
            bias(&fresh, &mut other, &GRAVITY),
        );
        close(a.as_slice(), b.as_slice(), 1e-15);
    }
}
