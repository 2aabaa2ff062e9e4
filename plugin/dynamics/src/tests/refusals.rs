//! Malformed trees are refused with the link and the reason.

use super::*;

fn floating() -> LinkSpec {
    link(None, JointSpec::floating(), 1.0, [0.0; 3], [1.0; 3])
}

fn hinge(parent: Option<usize>) -> LinkSpec {
    let joint = JointSpec::revolute(Isometry3::identity(), Isometry3::identity(), 0);
    link(parent, joint, 1.0, [0.0; 3], [1.0; 3])
}

#[test]
fn topology() {
    assert_eq!(Tree::new(&[]).unwrap_err(), TreeError::Empty);
    assert_eq!(
        Tree::new(&[hinge(Some(0))]).unwrap_err(),
        TreeError::RootHasParent
    );
    assert_eq!(
        Tree::new(&[floating(), hinge(None)]).unwrap_err(),
        TreeError::SecondRoot { link: 1 }
    );
    assert_eq!(
        Tree::new(&[floating(), hinge(Some(2))]).unwrap_err(),
        TreeError::BadParent { link: 1, parent: 2 }
    );
}

#[test]
fn universal_joints_name_the_link() {
    let mut bad = hinge(Some(0));
    bad.joint.angular = [true, false, true];
    let error = Tree::new(&[floating(), hinge(Some(0)), bad]).unwrap_err();
    assert_eq!(error, TreeError::TwoAngularAxes { link: 2 });
    assert!(error.to_string().contains("link 2"));
}

#[test]
fn numbers() {
    let mut tree = Tree::new(&[floating(), hinge(Some(0))]).unwrap();
    let good = tree.link(1).inertia;
    let negative = LinkInertia { mass: -1.0, ..good };
    assert_eq!(
        tree.set_link_inertia(1, negative).unwrap_err(),
        TreeError::BadMass {
            link: 1,
            mass: -1.0
        }
    );
    let mut skewed = good;
    skewed.inertia[(0, 1)] = 0.5;
    assert_eq!(
        tree.set_link_inertia(1, skewed).unwrap_err(),
        TreeError::BadInertia { link: 1 }
    );
    skewed.inertia[(0, 1)] = f64::NAN;
    assert_eq!(
        tree.set_link_inertia(1, skewed).unwrap_err(),
        TreeError::BadInertia { link: 1 }
    );
    let lost = LinkInertia {
        com: Vector3::repeat(f64::INFINITY),
        ..good
    };
    assert!(matches!(
        tree.set_link_inertia(1, lost).unwrap_err(),
        TreeError::NotFinite { link: 1, .. }
    ));
    assert_eq!(
        tree.set_link_inertia(2, good).unwrap_err(),
        TreeError::NoSuchLink { link: 2, count: 2 }
    );
    let nan = at(f64::NAN, 0.0, 0.0);
    assert!(matches!(
        tree.set_frames(1, nan, nan).unwrap_err(),
        TreeError::NotFinite { link: 1, .. }
    ));
    // Refused changes leave the tree as it was.
    assert_eq!(tree.link(1).inertia, good);
    assert_eq!(tree.link(1).joint, hinge(Some(0)).joint);
}

/// A massless leaf is accepted, but its mass matrix can't be factored; a massless link that carries
/// mass can.
#[test]
fn massless_links() {
    let empty = link(Some(0), hinge(None).joint, 0.0, [0.0; 3], [0.0; 3]);
    let tree = Tree::new(&[floating(), empty]).unwrap();
    let mut state = tree.new_state();
    update(&tree, &mut state);
    let mut factor = MassFactor::new(tree.pattern().clone());
    tree.mass_matrix(&mut state, &[0.0; 7], &mut factor);
    assert!(matches!(
        factor.factor().unwrap_err(),
        stickslip_core::mass::MassError::NonPositivePivot { index: 6, .. }
    ));
    let mut across = hinge(Some(1));
    across.joint.angular = [false, true, false];
    let tree = Tree::new(&[floating(), empty, across]).unwrap();
    let mut state = tree.new_state();
    update(&tree, &mut state);
    let mut factor = MassFactor::new(tree.pattern().clone());
    tree.mass_matrix(&mut state, &[0.0; 8], &mut factor);
    factor.factor().unwrap();
}

#[test]
fn base_corrections_need_a_floating_base() {
    let fixed = JointSpec::fixed(Isometry3::identity(), Isometry3::identity());
    let tree = Tree::new(&[link(None, fixed, 1.0, [0.0; 3], [1.0; 3]), hinge(Some(0))]).unwrap();
    let mut state = tree.new_state();
    let zero = Vector3::zeros();
    assert_eq!(
        tree.correct_base_momentum(&mut state, &zero, &zero),
        Err(BaseError::NotFloating)
    );
    let point = link(None, JointSpec::floating(), 1.0, [0.0; 3], [0.0; 3]);
    let tree = Tree::new(&[point]).unwrap();
    let mut state = tree.new_state();
    update(&tree, &mut state);
    assert_eq!(
        tree.correct_base_momentum(&mut state, &zero, &zero),
        Err(BaseError::Singular)
    );
}
