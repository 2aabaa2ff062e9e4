//! Files that would take all memory or time end in an error, and so does everything a mutation
//! makes of a robot.

use std::time::{Duration, Instant};

use super::*;

/// Reads a text that must be refused with this word, well within the time of a coffee break: the
/// bound is generous for busy machines, a blow-up would miss it by orders of magnitude.
fn refused_quickly(text: &str, word: &str) {
    let start = Instant::now();
    let error = RobotModel::from_urdf(text, Path::new("made/up.urdf"), &LoadOptions::default())
        .expect_err(word);
    assert!(error.to_string().contains(word), "{error}");
    let took = start.elapsed();
    assert!(took < Duration::from_secs(60), "{word}: {took:?}");
}

#[test]
fn entity_bombs() {
    let level = |k: usize| format!("<!ENTITY e{} '&e{k};&e{k};&e{k};&e{k};&e{k};'>", k + 1);
    let levels: String = (0..30).map(level).collect();
    let text = format!(
        "<!DOCTYPE robot [<!ENTITY e0 'x'>{levels}]><robot name='&e30;'><link name='a'/></robot>"
    );
    refused_quickly(&text, "XML entity");
}

#[test]
fn millions_of_links_and_elements() {
    let mut text = String::from("<robot name='r'>");
    (0..200_000).for_each(|i| text += &format!("<link name='l{i}'/>"));
    text += "</robot>";
    refused_quickly(&text, "more than 10000 links");
    let text = format!("<robot name='r'>{}</robot>", "<a/>".repeat(1_100_000));
    refused_quickly(&text, "XML nodes");
    let text = format!(
        "<robot name='{}'><link name='a'/></robot>",
        "x".repeat(33 << 20)
    );
    refused_quickly(&text, "bytes");
}

/// What can be opened and has no end.
#[cfg(unix)]
#[test]
fn files_without_end() {
    let error = RobotModel::from_file(Path::new("/dev/zero"), &LoadOptions::default()).unwrap_err();
    assert!(matches!(error, UrdfError::TooLarge { .. }), "{error}");
}

#[test]
fn deep_nesting() {
    let deep = |n: usize| format!("{}{}", "<a>".repeat(n), "</a>".repeat(n));
    // Inside what is ignored it does no harm.
    let text = format!(
        "<robot name='r'><link name='a'/><gazebo>{}</gazebo></robot>",
        deep(100_000)
    );
    let model = RobotModel::from_urdf(&text, Path::new("u"), &LoadOptions::default());
    assert_eq!(model.unwrap().links.len(), 1);
    refused_quickly(&deep(100_000), "<a>, not <robot>");
    refused_quickly(&"<a>".repeat(100_000), "not well-formed");
}

/// A chain as long as a robot may be, every joint following the one before.
#[test]
fn the_longest_chain_there_may_be() {
    let mut text = format!("<robot name='r'><link name='l0'>{INERTIAL}</link>");
    for i in 1..2_000 {
        let mimic = if i > 1 {
            format!("<mimic joint='j{}'/>", i - 1)
        } else {
            String::new()
        };
        text += &format!(
            "<link name='l{i}'>{INERTIAL}</link><joint name='j{i}' type='continuous'>\
             <parent link='l{}'/><child link='l{i}'/>{mimic}</joint>",
            i - 1
        );
    }
    text += "</robot>";
    let model = RobotModel::from_urdf(&text, Path::new("u"), &LoadOptions::default()).unwrap();
    assert_eq!(model.leader(1998).joint, 0);
}

#[test]
fn other_formats_are_pointed_elsewhere() {
    for (text, word) in [
        ("<sdf version='1.7'><model name='m'/></sdf>", "SDF"),
        ("<mujoco model='m'><worldbody/></mujoco>", "rapier3d-mjcf"),
        ("<COLLADA/>", "mesh"),
    ] {
        refused_quickly(text, word);
    }
}

mod mutations {
    use std::sync::LazyLock;

    use proptest::{prelude::*, sample::Index};

    use super::*;

    /// The project's own robots, and one text with everything in it.
    static SEEDS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let assets = assets();
        let mut out: Vec<String> = ["gripper.urdf", "arm.urdf"]
            .iter()
            .map(|f| std::fs::read_to_string(assets.join(f)).unwrap())
            .collect();
        out.push(EVERYTHING.into());
        out
    });

    const EVERYTHING: &str = "<?xml version='1.0'?><robot name='r' xmlns:xacro='http://ros.org/xacro'>\
        <xacro:property name='m' value='${2*0.5}'/><xacro:macro name='rod' params='name *o l:=1'>\
        <link name='${name}'><inertial><xacro:insert_block name='o'/><mass value='${m}'/>\
        <inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial><collision><geometry>\
        <cylinder radius='0.1' length='${l}'/></geometry></collision></link></xacro:macro>\
        <xacro:rod name='a'><origin xyz='0 0 0'/></xacro:rod><xacro:rod name='b' l='2'>\
        <origin xyz='0, 0, 1'/></xacro:rod><xacro:if value='${m > 0}'><material name='x'><texture/>\
        <color rgba='1 0 0'/></material></xacro:if><joint name='j' type='revolute'><parent link='a'/>\
        <child link='b'/><axis xyz='0 1 0'/><axis xyz='1 0 0'/><limit lower='-1' upper='1'/>\
        <dynamics damping='1' friction='0.1'/><safety_controller soft_lower_limit='0'/>\
        <calibration rising='0'/></joint><transmission name='t'><joint name='j'/><actuator name='m'>\
        <mechanicalReduction>3</mechanicalReduction></actuator></transmission><loop_joint name='c'>\
        <link1 link='a' xyz='0 0 0'/><link2 link='b'/></loop_joint><gazebo><joint name='g' type='ball'>\
        <parent>a</parent><child>b</child></joint><joint name='h'><parent>z</parent></joint></gazebo>\
        <link name='c'><visual><geometry><box size='1 0 1'/><sphere radius='-1'/></geometry>\
        <material name='y'/><material name='z'/></visual><colision/></link><joint name='k' type='fixed'>\
        <axis/><parent link='a'/><child link='c'/></joint><joint name='l' type='prismatic'><parent link='b'/>\
        <child link='c'/><axis xyz='0 0 0'/><limit lower='-inf' upper='1e99'/><dynamics damping='-1'/></joint>\
        <xacro:gone/><!-- a -- b --></robot>";

    /// Words that mean something to one of the readers.
    const WORDS: [&str; 25] = [
        "",
        "'",
        "<",
        ">",
        "/>",
        "&",
        "]]>",
        "<!--",
        "${",
        "}",
        "$(arg ",
        "nan",
        "-1",
        "1e308",
        "xmlns:a='b' ",
        "<xacro:rod name='${m}'/>",
        "planar",
        "floating",
        "a",
        " a=1",
        " & ",
        "inf",
        "<mesh filename='package://a//%20\\..'/>",
        "<?xml ?>",
        "\u{0}",
    ];

    /// Replaces a stretch by a word or by another stretch.
    fn mutate(text: &str, at: (Index, usize), from: (Index, usize), word: Option<usize>) -> String {
        let span = |(start, length): (Index, usize)| {
            let start = start.index(text.len() + 1);
            let start = text.floor_char_boundary(start);
            start..text.floor_char_boundary(start + length)
        };
        let (cut, copy) = (span(at), span(from));
        let new = word.map_or(&text[copy], |w| WORDS[w]);
        format!("{}{new}{}", &text[..cut.start], &text[cut.end..])
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever a few mutations make of a robot: an error or a model, no panic, and the model
        /// is a tree.
        #[test]
        fn mutated_robots_load_or_say_why(
            seed in 0usize..3,
            changes in prop::collection::vec(
                (any::<(Index, Index)>(), 0usize..40, 0usize..200, prop::option::of(0..WORDS.len())),
                1..6,
            ),
        ) {
            let mut text = SEEDS[seed].clone();
            for ((at, from), cut, copy, word) in changes {
                text = mutate(&text, (at, cut), (from, copy), word);
            }
            let found = RobotModel::from_urdf(&text, Path::new("made/up.urdf"), &LoadOptions::default());
            match found {
                Ok(model) => {
                    prop_assert_eq!(model.joints.len() + 1, model.links.len());
                    for (i, joint) in model.joints.iter().enumerate() {
                        prop_assert!(joint.child == i + 1 && joint.parent <= i);
                    }
                    prop_assert!(model.mass().is_finite());
                }
                Err(error) => prop_assert!(error.to_string().contains("made/up.urdf")),
            }
        }
    }
}
