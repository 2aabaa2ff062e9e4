//! Slips of published files: each is repaired with a note that names line and element, and refused
//! when strictness is asked for.

use super::*;
use crate::{Geometry, NoteKind, Strictness};

/// The robot text must load, with a repair noted at this line and element with this word; strictly
/// it must be refused with the same line.
fn repaired(text: &str, line: u32, element: &str, word: &str) -> RobotModel {
    let file = Path::new("made/up.urdf");
    let model = RobotModel::from_urdf(text, file, &LoadOptions::default())
        .unwrap_or_else(|e| panic!("{text}: {e}"));
    let noted = model.notes.iter().any(|n| {
        n.kind == NoteKind::Repaired
            && n.line == Some(line)
            && n.element.contains(element)
            && n.text.contains(word)
    });
    assert!(noted, "{word}: {:#?}", model.notes);
    let strict = LoadOptions {
        strictness: Strictness::Strict,
        ..LoadOptions::default()
    };
    let error = RobotModel::from_urdf(text, file, &strict).unwrap_err();
    assert!(matches!(error, UrdfError::NotStrict { .. }), "{error}");
    let message = error.to_string();
    for expected in ["made/up.urdf", &format!("line {line}"), element] {
        assert!(message.contains(expected), "`{expected}` in {message}");
    }
    model
}

/// Lines 1 to 4 hold the links `a` and `b` and the start of joint `j`; `inside` begins in line 5.
fn with_joint(kind: &str, inside: &str) -> String {
    format!(
        "<robot name='r'>\n<link name='a'/>\n<link name='b'>{}</link>\n\
         <joint name='j' type='{kind}'>\n{inside}\n{ENDS}</joint></robot>",
        INERTIAL.replace('\n', " ")
    )
}

#[test]
fn texture_without_a_file_and_material_without_a_name() {
    let text =
        "<robot name='r'>\n<material name='m'>\n<texture/></material><link name='a'/></robot>";
    repaired(text, 2, "material `m`", "<texture>");
    let text = "<robot name='r'><link name='a'><visual>\n<geometry><sphere radius='1'/></geometry>\n\
                <material><color rgba='1 0 0 1'/></material></visual></link></robot>";
    let model = repaired(text, 3, "material", "no name");
    assert_eq!(model.links[0].visuals[0].color, Some([1.0, 0.0, 0.0, 1.0]));
}

#[test]
fn commas_between_numbers() {
    let text = with_joint("fixed", "<origin xyz='0.5, 0, -0.25' rpy='0,0,1'/>");
    let model = repaired(&text, 5, "joint `j`, <origin>", "commas");
    let x = &model.joints[0].origin;
    assert_eq!(
        x.translation.vector,
        nalgebra::Vector3::new(0.5, 0.0, -0.25)
    );
    assert!((x.rotation.angle() - 1.0).abs() < 1e-15);
}

#[test]
fn a_fourth_number() {
    let text = with_joint("fixed", "<origin xyz='1 2 3' rpy='-1.5 0 0 0'/>");
    let model = repaired(&text, 5, "joint `j`", "fourth");
    assert!((model.joints[0].origin.rotation.angle() - 1.5).abs() < 1e-15);
    // Which three of these are meant is anybody's guess.
    let text = with_joint("fixed", "<origin xyz='1 2 3 4'/>");
    let error = RobotModel::from_urdf(&text, Path::new("u"), &LoadOptions::default()).unwrap_err();
    assert!(
        matches!(&error, UrdfError::BadNumber { line: Some(5), .. }),
        "{error:?}"
    );
}

#[test]
fn doubled_axis() {
    let text = with_joint("continuous", "<axis xyz='0 1 0'/>\n<axis xyz='1 0 0'/>");
    let model = repaired(&text, 4, "joint `j`", "2 <axis>");
    assert_eq!(*model.joints[0].axis, nalgebra::Vector3::y());
}

#[test]
fn limits_without_velocity_or_effort() {
    let text = with_joint("revolute", "<limit lower='-1' upper='1' effort='2'/>");
    let model = repaired(&text, 5, "joint `j`", "no velocity");
    assert_eq!(
        (model.joints[0].velocity, model.joints[0].effort),
        (None, Some(2.0))
    );
    let text = with_joint("revolute", "<limit lower='-1' upper='1' velocity='2'/>");
    let model = repaired(&text, 5, "joint `j`", "no effort");
    assert_eq!(
        (model.joints[0].velocity, model.joints[0].effort),
        (Some(2.0), None)
    );
}

#[test]
fn undeclared_namespace() {
    let text = "<?xml version='1.0'?>\n<!-- <robot> -->\n<robot name='r'><link name='a'/>\n\
                <sensor:camera name='c'/></robot>";
    let model = repaired(text, 3, "robot", "`sensor:`");
    assert!(noted(&model, &["line 4", "<camera> has no effect"]));
    // A declared one is nothing to speak of, nor is a namespace of the robot itself.
    for text in [
        "<robot name='r' xmlns:s='x'><link name='a'/><s:camera/></robot>",
        "<robot name='r' xmlns='http://www.ros.org'><link name='a'/></robot>",
        "<u:robot name='r' xmlns:u='http://www.ros.org'><u:link name='a'/></u:robot>",
    ] {
        let model = RobotModel::from_urdf(
            text,
            Path::new("u"),
            &LoadOptions {
                strictness: Strictness::Strict,
                ..LoadOptions::default()
            },
        );
        assert_eq!(model.unwrap().links.len(), 1);
    }
}

#[test]
fn text_around_the_document() {
    let body = "<robot name='r'>\n<link name='a'/></robot>\n";
    let text = format!("\n\n<?xml version='1.0'?>\n{body}");
    repaired(&text, 3, "robot", "declaration");
    let model = RobotModel::from_urdf(
        &format!("\u{feff}<?xml version='1.0'?>{body}"),
        Path::new("u"),
        &LoadOptions::default(),
    );
    assert!(model.unwrap().notes.is_empty());
    let file = Path::new("u");
    let text = format!("{body}\0\0");
    let model = RobotModel::from_urdf(&text, file, &LoadOptions::default()).unwrap();
    assert!(noted(&model, &["zeros"]));
    // Lines are those of the file, whatever was cut off.
    let text = format!(
        "\n\n<?xml version='1.0'?>\n{}",
        with_joint("fixed", "<origin xyz='a'/>")
    );
    let error = RobotModel::from_urdf(&text, file, &LoadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("line 8, joint `j`"), "{error}");
}

#[test]
fn latin_1_file() {
    let dir = TempDir::new("latin");
    let file = dir.write(
        "r.urdf",
        b"<robot name='M\xfcller'><link name='a'/></robot>",
    );
    let model = RobotModel::from_file(&file, &LoadOptions::default()).unwrap();
    assert_eq!(model.name, "M\u{fc}ller");
}

#[test]
fn inertia_without_products_and_colour_without_opacity() {
    let text = "<robot name='r'><link name='a'><inertial><mass value='1'/>\n\
                <inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>";
    let model = repaired(text, 1, "link `a`", "no ixy");
    let inertia = model.links[0].inertial.unwrap().inertia;
    assert_eq!(inertia, nalgebra::Matrix3::identity());
    let text = "<robot name='r'><material name='m'>\n<color rgba='1 0 0'/></material>\n\
                <link name='a'/></robot>";
    repaired(text, 2, "material `m`", "opacity");
}

#[test]
fn planes_are_half_spaces() {
    let model = load(
        "<link name='a'><collision><geometry><plane normal='0 0 2'/></geometry></collision></link>",
    )
    .unwrap();
    let Geometry::Plane { normal } = &model.links[0].collisions[0].geometry else {
        panic!("a plane")
    };
    assert_eq!(**normal, nalgebra::Vector3::z());
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &InsertOptions::default()).unwrap();
    let collider = &scene.colliders[robot.links[0].colliders[0]];
    assert!(collider.shape().as_halfspace().is_some());
    let flat =
        "<link name='a'><collision><geometry><plane normal='0 0 0'/></geometry></collision></link>";
    assert!(matches!(
        load(flat).unwrap_err(),
        UrdfError::EmptyGeometry { .. }
    ));
}

/// What has no effect is told once per kind, with its first line.
#[test]
fn ignored_elements_are_told() {
    let text = "<robot name='r'><link name='a'><contact/></link>\n<gazebo/>\n<gazebo><plugin/></gazebo>\n\
                <gazebo><plugin/></gazebo></robot>";
    let file = Path::new("u");
    let model = RobotModel::from_urdf(text, file, &LoadOptions::default()).unwrap();
    let told: Vec<_> = model.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "ignored: line 1, <link>: <contact> has no effect here",
            "ignored: line 3, <robot>: <gazebo> has no effect here (2 times)",
        ]
    );
}

/// A shape that is only seen may be of a kind that isn't known.
#[test]
fn unknown_visual_shapes_are_left_out() {
    let model = load(
        "<link name='a'><visual><geometry><cdf filename='x'/></geometry></visual>\
         <visual><geometry><sphere radius='1'/></geometry></visual></link>",
    )
    .unwrap();
    assert_eq!(model.links[0].visuals.len(), 1);
    assert!(noted(&model, &["link `a`, visual 1", "<cdf>"]));
}
