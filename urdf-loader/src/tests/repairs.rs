//! Repairs of inertias that are asked for.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::*;
use crate::{ImpossibleInertia, InertiaPolicy, JointKind, MissingInertia, NoteKind, inertia};

fn rotated(moments: [f64; 3]) -> Matrix3<f64> {
    let r = UnitQuaternion::from_euler_angles(0.3, -0.7, 1.1).to_rotation_matrix();
    r * Matrix3::from_diagonal(&Vector3::from(moments)) * r.transpose()
}

/// The floor f under each second moment moves the three moments by 2 f each.
fn floor_slack(largest: f64) -> f64 {
    2.0 * 3f64.sqrt() * inertia::THINNEST * largest
}

/// With one inequality broken by v, the nearest moments move by v/3 each: the cone's face
/// I_1 + I_2 = I_3 has the normal (1, 1, -1).
#[test]
fn nearest_inertia_lies_on_the_broken_face() {
    for [a, b, c] in [[1.0, 1.0, 3.0], [0.2, 0.5, 1.0], [2.0, 3.0, 6.5]] {
        let v = c - a - b;
        let expected = rotated([a + v / 3.0, b + v / 3.0, c - v / 3.0]);
        let found = inertia::nearest(&rotated([a, b, c]));
        assert!((found - expected).norm() < floor_slack(c));
        assert!(inertia::check_triangle(&found).is_ok());
    }
}

/// No possible inertia of a fine grid is nearer than the one found.
#[test]
fn nearest_inertia_beats_a_grid() {
    for moments in [
        [-1.0, 0.5, 2.0],
        [-1.0, -2.0, 3.0],
        [-3.0, -2.0, -1.0],
        [0.1, 0.1, 5.0],
    ] {
        let found = inertia::nearest(&Matrix3::from_diagonal(&Vector3::from(moments)));
        let wanted = Vector3::from(moments);
        let distance = (found.diagonal() - wanted).norm();
        let step = |i: usize| i as f64 * 0.125;
        for s in (0..25usize.pow(3)).map(|n| [step(n % 25), step(n / 25 % 25), step(n / 625)]) {
            let grid = Vector3::new(s[1] + s[2], s[0] + s[2], s[0] + s[1]);
            let slack = floor_slack(wanted.amax());
            assert!(
                (grid - wanted).norm() > distance - slack,
                "{moments:?} {s:?}"
            );
        }
    }
}

/// A possible inertia is its own nearest, up to the floor under thin ones.
#[test]
fn possible_inertia_stays() {
    let i = rotated([2.0, 3.0, 4.0]);
    assert!((inertia::nearest(&i) - i).norm() < 1e-14);
}

fn with(policy: InertiaPolicy, inside: &str) -> Result<RobotModel, UrdfError> {
    let options = LoadOptions {
        inertia: policy,
        ..LoadOptions::default()
    };
    RobotModel::from_urdf(&urdf(inside), Path::new("made/up.urdf"), &options)
}

#[test]
fn nearest_on_request() {
    let text = format!(
        "<link name='a'>{INERTIAL}</link><link name='b'><inertial><mass value='1'/>\
         <inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='3.5'/></inertial></link>\
         <joint name='j' type='continuous'>{ENDS}</joint>"
    );
    let refused = with(InertiaPolicy::refuse(), &text).unwrap_err();
    assert!(refused.to_string().contains("3.500000e0"), "{refused}");
    let policy = InertiaPolicy {
        impossible: ImpossibleInertia::Nearest,
        ..InertiaPolicy::refuse()
    };
    let model = with(policy, &text).unwrap();
    let izz = model.links[1].inertial.unwrap().inertia[(2, 2)];
    assert!((izz - 3.0).abs() < 1e-3, "{izz}");
    let note = model
        .notes
        .iter()
        .find(|n| n.kind == NoteKind::Changed)
        .unwrap();
    assert_eq!((note.element.as_str(), note.line), ("link `b`", Some(2)));
    assert!(note.text.contains("3.500000e0 replaced"), "{note}");
    // It is no answer to a missing one.
    let missing = text.replace("<mass value='1'/>", "<mass value='0'/>");
    assert!(with(policy, &missing).is_err());
}

/// Two links without mass in a row, both moving: they become part of the link that carries them.
#[test]
fn merging_links_without_mass() {
    let text = format!(
        "<link name='a'>{INERTIAL}</link><link name='b'/><link name='c'/><link name='d'>{INERTIAL}</link>\
         <joint name='j' type='continuous'>{ENDS}</joint>\
         <joint name='k' type='prismatic'><parent link='b'/><child link='c'/><limit lower='0' upper='1' \
         effort='1' velocity='1'/></joint>\
         <joint name='l' type='continuous'><parent link='c'/><child link='d'/></joint>"
    );
    let error = with(InertiaPolicy::refuse(), &text).unwrap_err();
    assert!(
        matches!(&error, UrdfError::NoMass { link, .. } if link == "b"),
        "{error}"
    );
    let policy = InertiaPolicy {
        missing: MissingInertia::MergeIntoParent,
        ..InertiaPolicy::default()
    };
    let model = with(policy, &text).unwrap();
    let kinds: Vec<_> = model.joints.iter().map(|j| j.kind).collect();
    assert_eq!(
        kinds,
        [JointKind::Fixed, JointKind::Fixed, JointKind::Continuous]
    );
    assert!(noted(
        &model,
        &["changed", "joint `k`", "link `c`", "prismatic"]
    ));
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &InsertOptions::default()).unwrap();
    assert_eq!(robot.bodies.len(), 2);
    // A joint that follows one of them has nothing to follow.
    let following = text.replacen(
        "<child link='d'/>",
        "<child link='d'/><mimic joint='j'/>",
        1,
    );
    assert!(matches!(
        with(policy, &following).unwrap_err(),
        UrdfError::BadMimic { .. }
    ));
}
