//! xacro files as robots: includes, packages, arguments, and the lines of the original.

use super::*;
use crate::{NoteKind, Strictness};

const HEAD: &str = "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>";

#[test]
fn a_robot_in_two_files() {
    let dir = TempDir::new("xacro");
    dir.write(
        "arm_description/urdf/parts.xacro",
        "<robot xmlns:xacro='http://www.ros.org/wiki/xacro'>\n<xacro:property name='density' value='2'/>\n\
         <xacro:macro name='rod' params='name length'>\n<link name='${name}'><inertial>\
         <mass value='${density*length}'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>\
         </inertial>\n<contact/></link></xacro:macro></robot>",
    );
    let file = dir.write(
        "arm_description/urdf/arm.xacro",
        format!(
            "{HEAD}\n<xacro:include filename='$(find arm_description)/urdf/parts.xacro'/>\n\
             <xacro:arg name='l' default='0.5'/>\n<xacro:rod name='a' length='1'/>\n\
             <xacro:rod name='b' length='$(arg l)'/>\n<joint name='j' type='continuous'>{ENDS}\n\
             <origin xyz='0, 0, ${{2*density}}'/></joint></robot>"
        ),
    );
    let options = |pairs: &[(&str, &str)]| LoadOptions {
        xacro_args: pairs
            .iter()
            .map(|(k, v)| (k.to_string(), v.to_string()))
            .collect(),
        ..LoadOptions::default()
    };
    let model = RobotModel::from_file(&file, &options(&[])).unwrap();
    assert_eq!(model.mass(), 3.0);
    assert_eq!(model.joints[0].origin.translation.z, 4.0);
    let model = RobotModel::from_file(&file, &options(&[("l", "2")])).unwrap();
    assert_eq!(model.mass(), 6.0);
    // Notes name the line of the file that was written by hand.
    assert!(noted(
        &model,
        &["repaired", "line 7", "joint `j`", "commas"]
    ));
    let ignored = model
        .notes
        .iter()
        .find(|n| n.text.contains("<contact>"))
        .unwrap();
    assert_eq!(ignored.kind, NoteKind::Ignored);
}

/// Macros left over in a URDF are a slip; in a file called so they are not.
#[test]
fn leftovers() {
    let text = format!(
        "{HEAD}<link name='a'/><link name='b'>{INERTIAL}</link><joint name='j' type='fixed'>{ENDS}\
         <origin xyz='$(optenv STICKSLIP_NO_SUCH_VARIABLE 1 2 3)'/></joint></robot>"
    );
    let load = |name: &str, strictness| {
        let options = LoadOptions {
            strictness,
            ..LoadOptions::default()
        };
        RobotModel::from_urdf(&text, Path::new(name), &options)
    };
    let model = load("r.urdf", Strictness::Tolerant).unwrap();
    assert_eq!(model.joints[0].origin.translation.z, 3.0);
    assert!(noted(&model, &["repaired", "$(optenv"]));
    assert!(matches!(
        load("r.urdf", Strictness::Strict).unwrap_err(),
        UrdfError::NotStrict { .. }
    ));
    assert!(load("r.xacro", Strictness::Strict).is_ok());
}

#[test]
fn missing_parts_are_named() {
    let dir = TempDir::new("missing");
    dir.write("bad.xacro", "<robot>\n<link name='${gone}'/></robot>");
    for (body, words) in [
        (
            "<xacro:include filename='bad.xacro'/>",
            ["line 2 of", "`gone`"],
        ),
        (
            "<xacro:include filename='none.xacro'/>",
            ["line 2", "none.xacro"],
        ),
        (
            "<link name='$(find nowhere_at_all)'/>",
            ["line 2", "nowhere_at_all"],
        ),
    ] {
        let file = dir.write("r.xacro", format!("{HEAD}\n{body}</robot>"));
        let error = RobotModel::from_file(&file, &LoadOptions::default()).unwrap_err();
        assert!(matches!(error, UrdfError::Xacro { .. }), "{error:?}");
        let message = error.to_string();
        for word in ["r.xacro", words[0], words[1]] {
            assert!(message.contains(word), "`{word}` in {message}");
        }
    }
}
