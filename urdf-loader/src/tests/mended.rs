//! What is repaired unless strictness is asked for: a note per repair, and a model that stands.

use nalgebra::{Matrix3, SymmetricEigen, Vector3};
use proptest::prelude::*;

use super::*;
use crate::{Base, Inertial, JointKind, Limits, NoteKind, inertia};

/// The repairs of a model, as `element: text`.
fn repairs(model: &RobotModel) -> Vec<String> {
    let notes = model.notes.iter().filter(|n| n.kind == NoteKind::Repaired);
    notes
        .map(|n| format!("{}: {}", n.element, n.text))
        .collect()
}

/// Link `a`, and link `b` with this body on a continuous joint.
fn on_a(body: &str) -> String {
    format!(
        "<link name='a'>{INERTIAL}</link><link name='b'>{body}</link>\
         <joint name='j' type='continuous'>{ENDS}</joint>"
    )
}

/// Loads what strictness refuses; one repair with these words.
#[track_caller]
fn mended(inside: &str, words: &[&str]) -> RobotModel {
    load_strict(inside).expect_err("strictness refuses it");
    let model = load(inside).unwrap();
    let told = repairs(&model);
    assert_eq!(told.len(), 1, "{told:?}");
    for word in words {
        assert!(
            told[0].contains(word),
            "`{word}` is missing in: {}",
            told[0]
        );
    }
    let mut scene = Scene::default();
    scene.insert(&model, &InsertOptions::default()).unwrap();
    model
}

fn inertial(model: &RobotModel, link: usize) -> Inertial {
    model.links[link].inertial.unwrap()
}

/// I_1 + I_2 = I_3 has the normal (1, 1, -1)/sqrt(3): what breaks it by v moves by v/3 in each moment;
/// 1, 1, 3.5 breaks it by 1.5 and becomes 1.5, 1.5, 3. The floor under thin ones adds 2e-4 x 3.5.
#[test]
fn impossible_inertia_becomes_the_nearest() {
    let body = "<inertial><mass value='1'/>\
                <inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='3.5'/></inertial>";
    let model = mended(
        &on_a(body),
        &["link `b`", "3.500000e0 replaced by the nearest"],
    );
    let found = inertial(&model, 1);
    let expected = Vector3::new(1.5, 1.5, 3.0);
    assert!((found.inertia.diagonal() - expected).norm() < 2e-4 * 3.5 * 2.0);
    assert_eq!(found.mass, 1.0);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The set of possible inertias is a convex cone K, so P is the nearest of A in K exactly when
    /// (A - P) : P = 0 and (A - P) : Q <= 0 for every Q of K. K is spanned by 1 - u u^T over unit
    /// vectors u, so the second says that tr(A - P) is at most the smallest eigenvalue of A - P. The
    /// floor that keeps P definite shifts K by 2 THINNEST |A|, hence the slack.
    #[test]
    fn nearest_inertia_is_nearest(entries in prop::array::uniform6(-10.0..10.0f64)) {
        let [a, b, c, d, e, f] = entries;
        let given = Matrix3::new(a, d, e, d, b, f, e, f, c);
        let found = inertia::nearest(&given);
        let rest = given - found;
        let size = given.norm();
        let slack = 12.0 * inertia::THINNEST * size * size;
        prop_assert!(inertia::check_triangle(&found).is_ok());
        prop_assert!(rest.dot(&found).abs() <= slack, "{} {slack}", rest.dot(&found));
        let smallest = SymmetricEigen::new(rest).eigenvalues.min();
        prop_assert!(rest.trace() - smallest <= 12.0 * inertia::THINNEST * size);
    }
}

/// A sphere of radius 0.1 without an inertial: m = 4/3 pi r^3 1000, I = 2/5 m r^2. With a mass of
/// the file that mass is kept.
#[test]
fn missing_inertia_comes_from_the_shapes() {
    let sphere = "<collision><geometry><sphere radius='0.1'/></geometry></collision>";
    let model = mended(
        &on_a(sphere),
        &["link `b`", "no mass", "from its shapes", "4.188790"],
    );
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    let i = inertial(&model, 1);
    assert!((i.mass / ball - 1.0).abs() < 1e-14);
    assert!((i.inertia / (0.004 * ball) - Matrix3::identity()).norm() < 1e-14);
    let massive = format!(
        "<inertial><mass value='2'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/>\
         </inertial>{sphere}"
    );
    let model = mended(
        &on_a(&massive),
        &["link `b`", "no inertia", "from its shapes"],
    );
    assert_eq!(inertial(&model, 1).mass, 2.0);
    assert!((inertial(&model, 1).inertia[(0, 0)] / 0.008 - 1.0).abs() < 1e-14);
}

/// A square of 1 m as a mesh encloses nothing: a sheet of a hundredth of its edge, 10 kg at water's
/// density, I = m/12 (1 + 0.01^2) about its sides and m/6 across. A visual mesh, which is read for it.
#[test]
fn missing_inertia_of_an_open_mesh_is_that_of_its_box() {
    let dir = TempDir::new("mended-sheet");
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
    dir.write("square.obj", square);
    let mesh = "<visual><geometry><mesh filename='square.obj'/></geometry></visual>";
    let file = dir.write("r.urdf", urdf(&on_a(mesh)));
    let model = RobotModel::from_file(&file, &LoadOptions::default()).unwrap();
    let i = inertial(&model, 1);
    assert!((i.mass - 10.0).abs() < 1e-12);
    assert!((i.com - Vector3::new(0.5, 0.5, 0.0)).norm() < 1e-15);
    let side = 10.0 / 12.0 * (1.0 + 1e-4);
    let expected = Vector3::new(side, side, 10.0 / 6.0);
    assert!((i.inertia.diagonal() - expected).norm() < 1e-14);
}

/// A mass and nothing else: a ball of water, r = (3 m / (4 pi 1000))^(1/3), I = 2/5 m r^2.
#[test]
fn a_mass_without_shape_is_a_ball() {
    let body = "<inertial><origin xyz='1 2 3'/><mass value='0.5'/>\
                <inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial>";
    let model = mended(
        &on_a(body),
        &["link `b`", "no inertia and no shapes", "ball of 5.0"],
    );
    let i = inertial(&model, 1);
    let r = (3.0 * 0.5 / (4000.0 * std::f64::consts::PI)).cbrt();
    assert!((i.inertia[(1, 1)] / (0.2 * r * r) - 1.0).abs() < 1e-14);
    assert_eq!((i.mass, i.com), (0.5, Vector3::new(1.0, 2.0, 3.0)));
    // `<inertial>` without `<inertia>` says as much, and that is a slip of its own.
    let model = load(&on_a("<inertial><mass value='0.5'/></inertial>")).unwrap();
    assert_eq!(repairs(&model).len(), 2);
    assert_eq!(inertial(&model, 1).inertia, i.inertia);
}

/// Two empty links between moving joints and one at the end: each gets a thousandth of the mass on
/// it, from the tip, or of the robot. Every joint of the file stays what it is.
#[test]
fn empty_links_get_a_thousandth() {
    let next = |name: &str, parent: &str, child: &str| {
        format!(
            "<joint name='{name}' type='continuous'><parent link='{parent}'/><child link='{child}'/>\
             </joint>"
        )
    };
    let text = format!(
        "<link name='a'>{INERTIAL}</link><link name='b'/><link name='c'/><link name='d'>{INERTIAL}\
         </link><link name='e'/>{}{}{}{}",
        next("j", "a", "b"),
        next("k", "b", "c"),
        next("l", "c", "d"),
        next("m", "a", "e"),
    );
    assert!(load_strict(&text).is_err());
    let model = load(&text).unwrap();
    let masses: Vec<_> = (1..5).map(|l| inertial(&model, l).mass).collect();
    assert_eq!(masses, [1.001e-3, 1e-3, 1.0, 2e-3]);
    assert!(model.joints.iter().all(|j| j.kind == JointKind::Continuous));
    assert_eq!(repairs(&model).len(), 3);
    let mut scene = Scene::default();
    scene.insert(&model, &InsertOptions::default()).unwrap();
    scene.run(Vector::ZERO, 3);
    assert!(scene.bodies.iter().all(|(_, b)| b.position().is_finite()));
    // Nothing has a mass at all: it is given one all the same.
    let bare = load(&text.replace(INERTIAL, "")).unwrap();
    assert!(bare.mass() > 0.0);
}

/// A base without mass stands still as before; one that is said to float gets what it needs.
#[test]
fn only_a_base_that_floats_is_given_a_mass() {
    let shape = "<collision><geometry><sphere radius='0.1'/></geometry></collision>";
    let text = format!(
        "<link name='a'>{shape}</link><link name='b'>{INERTIAL}</link>\
         <joint name='j' type='continuous'>{ENDS}</joint>"
    );
    let model = load_strict(&text).unwrap();
    assert_eq!(model.links[0].inertial, None);
    let floating = format!(
        "<link name='a'/><link name='b'>{shape}</link><joint name='j' type='floating'>{ENDS}</joint>"
    );
    // Whether a base floats is known once it is placed: strictness leaves this one to that.
    let place = |model: &RobotModel| {
        Scene::default()
            .insert(model, &InsertOptions::default())
            .map(|r| r.base)
    };
    assert!(matches!(
        place(&load_strict(&floating).unwrap()),
        Err(InsertError::Base(UrdfError::NoMass { .. }))
    ));
    let model = load(&floating).unwrap();
    assert!(noted(&model, &["link `b`", "from its shapes"]));
    assert_eq!(place(&model).unwrap(), Base::Floating);
}

#[test]
fn crossed_limits_are_swapped_or_dropped() {
    let joint = |limit: &str| {
        pair(&format!(
            "type='revolute'>{ENDS}<limit {limit} effort='1' velocity='1'/>"
        ))
    };
    let model = mended(
        &joint("lower='1.5' upper='-0.5'"),
        &["joint `j`", "swapped"],
    );
    let swapped = Limits {
        lower: -0.5,
        upper: 1.5,
    };
    assert_eq!(model.joints[0].limits, Some(swapped));
    // What simulators that know no `continuous` write for it, and half a statement.
    for none in ["lower='0' upper='-1'", "lower='1' upper='-1'", "lower='2'"] {
        let model = mended(&joint(none), &["joint `j`", "unlimited"]);
        assert_eq!(model.joints[0].limits, None);
    }
}

#[test]
fn an_undeclared_world_is_the_world() {
    let text = |parents: [&str; 2]| {
        format!(
            "<link name='a'>{INERTIAL}</link><link name='b'>{INERTIAL}</link>\
             <joint name='i' type='fixed'><origin xyz='0 0 1'/><parent link='{}'/><child link='a'/>\
             </joint><joint name='j' type='continuous'><parent link='{}'/><child link='b'/></joint>",
            parents[0], parents[1]
        )
    };
    // One joint on it, or all of them.
    for parents in [["world", "a"], ["world", "world"]] {
        let model = mended(&text(parents), &["joint `i`", "`world` is not declared"]);
        assert_eq!(model.links[0].name, "world");
        assert_eq!(model.links.len(), 3);
        assert_eq!(model.joints[0].origin.translation.vector, Vector3::z());
        let mut scene = Scene::default();
        let robot = scene.insert(&model, &InsertOptions::default()).unwrap();
        assert_eq!(robot.base, Base::Fixed);
    }
    // Any other name is a mistake.
    let error = load(&text(["wrold", "a"])).unwrap_err();
    assert!(matches!(error, UrdfError::UnknownLink { .. }), "{error}");
}

#[test]
fn joints_without_a_leader_move_by_themselves() {
    let text = |k: &str, l: &str| {
        format!(
            "<link name='a'>{INERTIAL}</link><link name='b'>{INERTIAL}</link>\
             <link name='c'>{INERTIAL}</link>\
             <joint name='j' type='continuous'>{ENDS}{k}</joint>\
             <joint name='k' type='continuous'><parent link='b'/><child link='c'/>{l}</joint>"
        )
    };
    let model = mended(
        &text("", "<mimic joint='gone'/>"),
        &["joint `k`", "`gone`", "by itself"],
    );
    assert_eq!(model.joints[1].mimic, None);
    // A circle is opened at one joint; the other follows it.
    let circle = text("<mimic joint='k' multiplier='2'/>", "<mimic joint='j'/>");
    let model = mended(&circle, &["joint `j`", "comes back", "by itself"]);
    assert_eq!(model.joints[0].mimic, None);
    assert_eq!(model.leader(1).joint, 0);
}

#[test]
fn a_second_dot_is_dropped() {
    let text = pair(&format!(
        "type='revolute'>{ENDS}<limit lower='-1.57.' upper='1' effort='1' velocity='1'/>"
    ));
    let model = mended(&text, &["joint `j`", "-1.57.", "dot"]);
    assert_eq!(model.joints[0].limits.unwrap().lower, -1.57);
    assert!(load(&text.replace("-1.57.", "-1.57.2")).is_err());
}

/// A sphere of radius zero touches nothing; a sheet and a disc do.
#[test]
fn collision_shapes_that_are_points_are_left_out() {
    let shape = |geometry: &str| {
        format!(
            "<link name='a'>{INERTIAL}<collision><geometry>{geometry}</geometry></collision></link>"
        )
    };
    let model = mended(
        &shape("<sphere radius='0.0'/>"),
        &["link `a`", "collision 1", "left out"],
    );
    assert_eq!(model.collision_count(), 0);
    for (given, word, wanted) in [
        (
            "<box size='1 0 2'/>",
            "size y = 0; taken as thin",
            [1.0, 0.02, 2.0],
        ),
        (
            "<box size='-1 2 3'/>",
            "size x = -1; taken as positive",
            [1.0, 2.0, 3.0],
        ),
        (
            "<cylinder radius='0.5' length='0'/>",
            "length = 0",
            [1.0, 1.0, 0.005],
        ),
        ("<sphere radius='-1'/>", "radius = -1", [2.0; 3]),
        (
            "<capsule radius='0.5' length='0'/>",
            "length = 0",
            [1.0, 1.0, 1.005],
        ),
    ] {
        let model = mended(&shape(given), &["link `a`, collision 1", word]);
        let (low, high) = model.links[0].collisions[0].geometry.bounds().unwrap();
        assert!(
            (high - low - Vector3::from(wanted)).norm() < 1e-15,
            "{given}"
        );
    }
}

#[test]
fn a_colour_that_is_none_is_left_out() {
    let text = "<link name='a'><visual><geometry><sphere radius='1'/></geometry>\
                <material name='m'><color rgba='0.1 0.1 0.1 0 1'/></material></visual></link>";
    let model = mended(text, &["material `m`", "0.1 0.1 0.1 0 1", "left out"]);
    assert_eq!(model.links[0].visuals[0].color, None);
}

#[test]
fn negative_mass_is_refused() {
    // On a base, on a moving link and on one fixed to a heavy one.
    let negative = INERTIAL.replace("value=\"1\"", "value=\"-1\"");
    for text in [
        format!("<link name='b'>{negative}</link>"),
        on_a(&negative),
        on_a(&negative).replace("continuous", "fixed"),
    ] {
        let error = load(&text).unwrap_err().to_string();
        for word in ["made/up.urdf", "link `b`", "-1 kg", "give it"] {
            assert!(error.contains(word), "{error}");
        }
    }
}
