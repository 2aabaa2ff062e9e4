//! What the format's own readers (urdfdom, PyBullet) load, loads: a note per slip, and the model that they make.

use nalgebra::{Isometry3, Vector3};

use super::*;
use crate::{Base, Geometry, JointKind, Limits, NoteKind, diagnose};

const FILE: &str = "made/up.urdf";

/// Loads with one repair of these words, and is refused where nothing may be repaired.
#[track_caller]
fn once(inside: &str, words: &[&str]) -> RobotModel {
    let error = load_strict(inside).expect_err("strictness refuses it");
    assert!(error.to_string().contains(FILE));
    let model = load(inside).unwrap();
    let told = model.notes.iter().filter(|n| n.kind == NoteKind::Repaired);
    let told: Vec<_> = told.map(ToString::to_string).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    for word in words {
        assert!(told[0].contains(word), "`{word}` in {}", told[0]);
    }
    model
}

#[test]
fn the_first_of_several_counts() {
    let visual = |inside: &str| format!("<link name='a'><visual>{inside}</visual></link>");
    let sphere = "<geometry><sphere radius='1'/></geometry>";
    let colour = |rgba: &str| format!("<material name='{rgba}'><color rgba='{rgba}'/></material>");
    let two = format!("{sphere}{}{}", colour("1 0 0 1"), colour("0 1 0 1"));
    let model = once(
        &visual(&two),
        &["line 1, link `a`, visual 1", "2 <material>", "first"],
    );
    assert_eq!(model.links[0].visuals[0].color, Some([1.0, 0.0, 0.0, 1.0]));
    let shapes = "<geometry><box size='1 1 1'/><sphere radius='1'/></geometry>";
    let collision = format!("<link name='a'><collision>{shapes}</collision></link>");
    let model = once(&collision, &["link `a`, collision 1", "2 shapes", "first"]);
    let size = Vector3::repeat(1.0);
    assert_eq!(
        model.links[0].collisions[0].geometry,
        Geometry::Box { size }
    );
    let text = urdf(&pair(&format!("type='fixed' type='floating'>{ENDS}")));
    let model = RobotModel::from_urdf(&text, Path::new(FILE), &LoadOptions::default()).unwrap();
    assert_eq!(model.joints[0].kind, JointKind::Fixed);
    assert!(noted(
        &model,
        &["repaired", "attribute given twice", "robot"]
    ));
}

#[test]
fn axes() {
    let joint = |kind: &str, axis: &str| pair(&format!("type='{kind}'>{ENDS}{axis}"));
    for (kind, axis, word) in [
        ("continuous", "<axis/>", "no xyz"),
        ("continuous", "<axis xyz='0 0 0'/>", "zero vector"),
        ("fixed", "<axis xyz='0 1'/>", "no vector"),
        ("floating", "<axis xyz='up'/>", "no vector"),
        ("fixed", "<axis rpy='0 0 0'/>", "no xyz"),
    ] {
        let model = once(&joint(kind, axis), &["joint `j`", word]);
        assert_eq!(*model.joints[0].axis, Vector3::x());
    }
    let model = load_strict(&joint("fixed", "<axis xyz='0 0 0'/>")).unwrap();
    assert!(model.notes.is_empty());
    assert!(load(&joint("continuous", "<axis xyz='0 1'/>")).is_err());
}

#[test]
fn limits_without_end() {
    let limits = |lower: &str, upper: &str| {
        let limit =
            format!("<limit lower='{lower}' upper='{upper}' effort='1e99' velocity='inf'/>");
        load(&pair(&format!("type='revolute'>{ENDS}{limit}"))).unwrap()
    };
    for (lower, upper, wanted) in [
        ("-inf", "inf", None),
        ("-1e300", "1e300", None),
        ("0", "inf", Some([0.0, 1e6])),
        ("-inf", "2", Some([-1e6, 2.0])),
    ] {
        let model = limits(lower, upper);
        let joint = &model.joints[0];
        let wanted = wanted.map(|[lower, upper]| Limits { lower, upper });
        assert_eq!(
            (joint.limits, joint.effort, joint.velocity),
            (wanted, None, None)
        );
        assert!(noted(
            &model,
            &["repaired", "joint `j`", "effort=\"1e99\"", "not limited"]
        ));
    }
    let nan = "<limit lower='nan' upper='1' effort='1' velocity='1'/>";
    assert!(load(&pair(&format!("type='revolute'>{ENDS}{nan}"))).is_err());
}

#[test]
fn negative_damping_is_none() {
    let model = once(
        &pair(&format!(
            "type='continuous'>{ENDS}<dynamics damping='-1' friction='2'/>"
        )),
        &["joint `j`", "damping = -1", "taken as 0"],
    );
    assert_eq!(
        (model.joints[0].damping, model.joints[0].friction),
        (0.0, 2.0)
    );
}

/// A four-bar linkage as some exporters write it: two joints lead to one link. The second closes the loop.
#[test]
fn a_second_parent_closes_a_loop() {
    let link = |name: &str| format!("<link name='{name}'>{INERTIAL}</link>");
    let joint = |name: &str, ends: [&str; 2], x: f64| {
        format!(
            "<joint name='{name}' type='revolute'><origin xyz='{x} 0 0' rpy='0 0 0.5'/><axis xyz='0 2 0'/>\
             <parent link='{}'/><child link='{}'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint>",
            ends[0], ends[1]
        )
    };
    let text = ["base", "left", "right", "bar"].map(link).concat()
        + &joint("a", ["base", "left"], 0.0)
        + &joint("b", ["base", "right"], 1.0)
        + &joint("c", ["left", "bar"], 0.5)
        + &joint("d", ["right", "bar"], 0.25);
    let model = once(
        &text,
        &[
            "joint `d`",
            "link `bar`, as joint `c` does",
            "closing a loop",
        ],
    );
    assert_eq!((model.joints.len(), model.closures.len()), (3, 1));
    let closure = &model.closures[0];
    let links = closure.links.map(|l| model.links[l].name.as_str());
    assert_eq!((closure.name.as_str(), links), ("d", ["right", "bar"]));
    assert_eq!(
        (closure.kind, *closure.axis),
        (JointKind::Revolute, Vector3::y())
    );
    let origin = Isometry3::new(Vector3::x() * 0.25, Vector3::z() * 0.5);
    assert!(
        (closure.frames[0].inv_mul(&origin))
            .translation
            .vector
            .norm()
            < 1e-15
    );
    assert_eq!(closure.frames[1], Isometry3::identity());
    let mut scene = Scene::default();
    let options = InsertOptions {
        base: Base::Fixed,
        ..InsertOptions::default()
    };
    assert_eq!(scene.insert(&model, &options).unwrap().closures.len(), 1);
    // What can't close a loop is left out.
    let floating = text.replacen("'d' type='revolute'", "'d' type='floating'", 1);
    assert!(load(&floating).unwrap().closures.is_empty());
}

#[test]
fn loops_of_links_that_are_not_there_are_left_out() {
    let with = |inside: &str| {
        format!(
            "<link name='a'/><link name='b'/><joint name='j' type='fixed'>{ENDS}</joint>{inside}"
        )
    };
    let sdf = |kind: &str, inside: &str| {
        with(&format!(
            "<gazebo><joint name='g' type='{kind}'>{inside}</joint></gazebo>"
        ))
    };
    for (text, word) in [
        (
            with(
                "<loop_joint name='c'><link1 link='a' xyz='0 0 0'/><link2 link='gone'/></loop_joint>",
            ),
            "`gone`",
        ),
        (
            with("<loop name='c'><predecessor link='gone'/><successor link='a'/></loop>"),
            "`gone`",
        ),
        (
            sdf("ball", "<parent>gone</parent><child>a</child>"),
            "`gone`",
        ),
        (
            sdf("screw", "<parent>a</parent><child>b</child>"),
            "`screw`",
        ),
        (sdf("ball", "<child>b</child>"), "<parent>"),
        (
            sdf("ball", "<parent>a</parent><child>b</child><pose>0 0</pose>"),
            "six numbers",
        ),
        (
            sdf(
                "hinge",
                "<parent>a</parent><child>b</child><axis><xyz>1</xyz></axis>",
            ),
            "3 numbers",
        ),
    ] {
        let model = once(&text, &["joint `", word, "left out"]);
        assert!(model.closures.is_empty());
    }
    let own = with(
        "<loop_joint name='c' type='screw'><link1 link='a' xyz='0 0 0'/><link2 link='b'/></loop_joint>",
    );
    assert!(matches!(
        load(&own).unwrap_err(),
        UrdfError::BadClosure { .. }
    ));
}

#[test]
fn xacro_left_in_a_urdf() {
    let text = |inside: &str| {
        format!(
            "<robot name='r' xmlns:xacro='http://ros.org/xacro'>\n<link name='a'/>\n{inside}</robot>"
        )
    };
    for (inside, word) in [
        (
            "<xacro:arm_gazebo/>",
            "macro `arm_gazebo` is not defined; dropped",
        ),
        (
            "<xacro:arm side='left'><origin xyz='0 0 0'/></xacro:arm><xacro:arm/>",
            "dropped (2 times)",
        ),
        ("<xacro:include filename='gone.xacro'/>", "no file"),
        (
            "<xacro:include filename='$(find gone)/gone.xacro'/>",
            "no file",
        ),
        (
            "<xacro:macro name='m' params='x'><xacro:n/></xacro:macro><xacro:m x='1'/>",
            "`n` is not defined",
        ),
    ] {
        let load = |name: &str| {
            RobotModel::from_urdf(&text(inside), Path::new(name), &LoadOptions::default())
        };
        let model = load("made/up.urdf").unwrap();
        assert_eq!(model.links.len(), 1);
        assert!(
            noted(&model, &["repaired: line 3, <xacro:", word]),
            "{word}: {:#?}",
            model.notes
        );
        let error = load("made/up.xacro").unwrap_err();
        assert!(matches!(error, UrdfError::Xacro { .. }), "{error}");
    }
}

#[test]
fn misspelt_elements_are_asked_about() {
    let model = load("<link name='a'><colision/><verbose/></link><Joint/>").unwrap();
    assert!(noted(
        &model,
        &[
            "doubtful: line 1, <link>: <colision>",
            "is <collision> meant?"
        ]
    ));
    assert!(noted(
        &model,
        &["doubtful: line 1, <robot>: <Joint>", "is <joint> meant?"]
    ));
    assert!(noted(
        &model,
        &["ignored: line 1, <link>: <verbose> has no effect here"]
    ));
}

/// Characters that XML forbids and the format's readers take.
#[test]
fn text_that_is_nearly_xml() {
    let body = "<link name='a & b'/>\n<!-- a -- b -->\n<link name='c' name='d'/><joint name='j'type='fixed'>\
                <parent link='a & b'/>\n<child link='c'/></joint>";
    let text =
        format!("<!-- head -->\n<?xml version='1.0'?>\n<robot name='r'>{body}</robot>\n<robot/>");
    let model = RobotModel::from_urdf(&text, Path::new(FILE), &LoadOptions::default()).unwrap();
    assert_eq!(model.links[0].name, "a & b");
    for words in [
        ["line 2", "declaration"],
        ["line 4", "`--`"],
        ["line 5", "given twice"],
        ["line 5", "no blank between"],
        ["line 3", "`&`"],
    ] {
        assert!(noted(&model, &words), "{words:?}: {:#?}", model.notes);
    }
    let options = LoadOptions {
        strictness: Strictness::Strict,
        ..LoadOptions::default()
    };
    let dir = TempDir::new("nearly");
    let found = diagnose(&dir.write("r.urdf", text), &options);
    assert!(!found.errors.is_empty());
    assert!(
        found
            .errors
            .iter()
            .all(|e| matches!(e, UrdfError::NotStrict { .. }))
    );
}

#[test]
fn later_versions_of_the_format() {
    let joint = |origin: &str, limit: &str| {
        pair(&format!(
            "type='revolute'><origin {origin}/>{ENDS}<limit {limit}/>"
        ))
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let whole = "lower='-1' upper='1' effort='1' velocity='1'";
    let model = load_strict(&joint(&format!("quat_xyzw='0 0 {half} {half}'"), whole)).unwrap();
    let turn = nalgebra::UnitQuaternion::from_euler_angles(0.0, 0.0, std::f64::consts::FRAC_PI_2);
    assert!(model.joints[0].origin.rotation.angle_to(&turn) < 1e-15);
    assert!(load(&joint("quat_xyzw='0 0 0 0'", whole)).is_err());
    let model = once(
        &joint("rpy='0 0 0' quat_xyzw='0 0 1 1'", whole),
        &["joint `j`", "rpy counts"],
    );
    assert_eq!(model.joints[0].origin.rotation.angle(), 0.0);
    let one = joint("xyz='0 0 0'", "upper='2' acceleration='3'");
    let text = urdf(&one).replace("<robot", "<robot version='1.2'");
    let model = RobotModel::from_urdf(&text, Path::new(FILE), &LoadOptions::default()).unwrap();
    let (joint, upper) = (&model.joints[0], 2.0);
    assert_eq!(joint.limits, Some(Limits { lower: -1e6, upper }));
    assert_eq!(
        (joint.effort, joint.velocity, joint.deceleration),
        (None, None, Some(3.0))
    );
    assert!(!noted(&model, &["no effort"]));
    let limits = load(&one).unwrap().joints[0].limits;
    assert_eq!(limits, Some(Limits { lower: 0.0, upper }));
}
