//! One small broken file per error: the right variant, and a message with file and element.

use super::*;

/// The file must be refused with this variant, and the message must contain these words.
macro_rules! refused {
    // With nothing repaired, where that makes the difference.
    (strictly, $text:expr, $variant:pat, $($word:expr),+) => {
        refused!(by load_strict, $text, $variant, $($word),+)
    };
    (by $load:ident, $text:expr, $variant:pat, $($word:expr),+) => {{
        let error = $load(&$text).expect_err("must be refused");
        assert!(matches!(error, $variant), "{error:?}");
        let message = error.to_string();
        for word in ["made/up.urdf", $($word),+] {
            assert!(message.contains(word), "`{word}` is missing in: {message}");
        }
        assert_eq!(error.file(), Path::new("made/up.urdf"));
    }};
    ($text:expr, $variant:pat, $($word:expr),+) => {
        refused!(by load, $text, $variant, $($word),+)
    };
}
pub(super) use refused;

#[test]
fn missing_file_is_named() {
    let error =
        RobotModel::from_file(Path::new("no/such.urdf"), &LoadOptions::default()).unwrap_err();
    assert!(matches!(error, UrdfError::Unreadable { .. }));
    assert!(error.to_string().contains("no/such.urdf"));
}

#[test]
fn text_that_is_no_urdf() {
    let file = Path::new("made/up.urdf");
    for text in [
        "",
        "not xml",
        "<robot><link name='a'>",
        "<sdf/>",
        "\u{0}\u{1}",
    ] {
        let error = RobotModel::from_urdf(text, file, &LoadOptions::default()).unwrap_err();
        assert!(
            matches!(error, UrdfError::NotUrdf { .. }),
            "{text}: {error:?}"
        );
        assert!(error.to_string().contains("made/up.urdf"));
    }
}

#[test]
fn no_links() {
    refused!("", UrdfError::NoLinks { .. }, "no links");
    // Links in the wrong place vanish in the parser without a word.
    refused!(
        "<group><link name='a'/></group>",
        UrdfError::NoLinks { .. },
        "no links"
    );
}

#[test]
fn tree_faults() {
    refused!(
        "<link name='a'/><link name='b'/><link name='c'/>",
        UrdfError::SeveralRoots { .. },
        "a, b, c"
    );
    refused!(
        pair(r#"type="fixed"><parent link="a"/><child link="zz"/>"#),
        UrdfError::UnknownLink { role: "child", .. },
        "joint `j`",
        "`zz`"
    );
    refused!(
        pair(r#"type="fixed"><parent link="zz"/><child link="b"/>"#),
        UrdfError::UnknownLink { role: "parent", .. },
        "joint `j`",
        "`zz`"
    );
    refused!(
        strictly,
        format!(
            "{}<joint name='k' type='fixed'>{ENDS}</joint>",
            pair(&format!("type='fixed'>{ENDS}"))
        ),
        UrdfError::TwoParents { .. },
        "link `b`",
        "`j`",
        "`k`"
    );
    // A root beside a circle of two.
    refused!(
        "<link name='r'/><link name='a'/><link name='b'/>\
         <joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\
         <joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>",
        UrdfError::Loop { .. },
        "circle"
    );
    // No root at all.
    refused!(
        "<link name='a'/><joint name='j' type='fixed'><parent link='a'/><child link='a'/></joint>",
        UrdfError::Loop { .. },
        "link `a`",
        "joint `j`"
    );
}

#[test]
fn duplicate_names() {
    refused!(
        "<link name='a'/><link name='a'/>",
        UrdfError::DuplicateName { .. },
        "link `a`"
    );
    refused!(
        "<link name='a'/><link name='b'/><link name='c'/>\
         <joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\
         <joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint>",
        UrdfError::DuplicateName { .. },
        "joint `j`"
    );
}

#[test]
fn joint_faults() {
    let limit = "<limit lower='1' upper='-1' effort='1' velocity='1'/>";
    refused!(
        strictly,
        pair(&format!("type='revolute'>{ENDS}{limit}")),
        UrdfError::LimitsCrossed { .. },
        "joint `j`",
        "1",
        "-1"
    );
    refused!(
        strictly,
        pair(&format!("type='revolute'>{ENDS}<axis xyz='0 0 0'/>")),
        UrdfError::ZeroAxis { .. },
        "joint `j`"
    );
    refused!(
        pair(&format!("type='screw'>{ENDS}")),
        UrdfError::BadElement { .. },
        "joint `j`",
        "screw"
    );
    refused!(
        strictly,
        pair(&format!("type='revolute'>{ENDS}<dynamics damping='-1'/>")),
        UrdfError::NegativeJointValue { .. },
        "joint `j`",
        "damping"
    );
    refused!(
        pair("type='revolute'><parent link='a'/>"),
        UrdfError::BadElement { .. },
        "joint `j`",
        "child"
    );
}

#[test]
fn numbers_that_are_none() {
    for bad in ["nan 0 0", "0 0", "0,5 0,5 0,5", "1 2 three", "inf 0 0", ""] {
        refused!(
            pair(&format!("type='fixed'>{ENDS}<origin xyz='{bad}'/>")),
            UrdfError::BadNumber { .. },
            "joint `j`",
            "xyz",
            bad
        );
    }
    refused!(
        "<link name='a'><inertial><mass value='NaN'/>\
         <inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>",
        UrdfError::BadNumber { .. },
        "link `a`",
        "value"
    );
    refused!(
        "<link name='a'><collision><geometry><sphere radius='big'/></geometry></collision></link>",
        UrdfError::BadNumber { .. },
        "link `a`",
        "radius"
    );
}

#[test]
fn xacro_that_lacks_something() {
    refused!(
        pair(&format!("type='fixed'>{ENDS}<origin xyz='${{x}} 0 0'/>")),
        UrdfError::Xacro { .. },
        "<origin>",
        "`x` is not defined"
    );
}

#[test]
fn mimic_faults() {
    let three = |m1: &str, m2: &str| {
        format!(
            "<link name='a'>{INERTIAL}</link><link name='b'>{INERTIAL}</link>\
             <link name='c'>{INERTIAL}</link>\
             <joint name='j' type='continuous'>{ENDS}{m1}</joint>\
             <joint name='k' type='continuous'><parent link='b'/><child link='c'/>{m2}</joint>"
        )
    };
    refused!(
        strictly,
        three("", "<mimic joint='zz'/>"),
        UrdfError::BadMimic { .. },
        "joint `k`",
        "`zz`"
    );
    refused!(
        strictly,
        three("", "<mimic joint='k'/>"),
        UrdfError::BadMimic { .. },
        "itself"
    );
    refused!(
        strictly,
        three("<mimic joint='k'/>", "<mimic joint='j'/>"),
        UrdfError::BadMimic { .. },
        "comes back"
    );
    refused!(
        three("", "<mimic multiplier='2'/>"),
        UrdfError::BadElement { .. },
        "joint `k`"
    );
}
