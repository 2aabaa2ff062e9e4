//! Joints with several coordinates, loops, pairs that don't touch, and drives that suit their joints.

use nalgebra::{Isometry3, Vector3};

use super::*;
use crate::{Base, Drive, EffortLimits, Hold, JointKind, RotorInertia, SelfCollision, Srdf};

fn placed(kind: &str, axis: &str, coordinates: &[f64]) -> (RobotModel, Scene, RobotHandles) {
    let inside = pair(&format!(
        "type='{kind}'><origin xyz='0 0 1' rpy='0.3 -0.2 0.5'/>{axis}{ENDS}"
    ));
    let model = load(&inside).unwrap();
    let options = InsertOptions {
        base: Base::Fixed,
        initial_coordinates: [("j".to_string(), coordinates.to_vec())].into(),
        ..InsertOptions::default()
    };
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &options).unwrap();
    (model, scene, robot)
}

/// Bodies stand where the model's own kinematics has the links, at every coordinate of every kind.
#[test]
fn several_coordinates_start_where_asked() {
    let axis = "<axis xyz='0.2 -0.5 0.8'/>";
    for (kind, axis, coordinates) in [
        ("planar", axis, &[0.3, -0.4, 1.1][..]),
        ("planar", "<axis xyz='0 0 -1'/>", &[0.3, -0.4, 1.1]),
        ("spherical", "", &[0.4, -0.7, 0.2]),
    ] {
        let (model, scene, robot) = placed(kind, axis, coordinates);
        let joint = &model.joints[0];
        let want = joint.origin * joint.motion_of(coordinates);
        let have = robot.link("b").unwrap().pose(&scene.bodies).unwrap();
        let (t, r) = (have.translation, have.rotation);
        let tolerance = 4.0 * f64::from(Real::EPSILON);
        for (have, want) in [t.x, t.y, t.z]
            .into_iter()
            .zip(want.translation.vector.iter())
        {
            assert!(close(have, *want, tolerance), "{kind}: {have} {want}");
        }
        let turned = want.rotation.coords;
        let dot = f64::from(r.x) * turned.x
            + f64::from(r.y) * turned.y
            + f64::from(r.z) * turned.z
            + f64::from(r.w) * turned.w;
        assert!(1.0 - dot.abs() <= tolerance, "{kind}: {dot}");
        let handle = robot.joint("j").unwrap();
        assert_eq!(handle.initial, coordinates);
        assert_eq!(scene.multibody(&robot).ndofs(), 3);
        assert_eq!(handle.coordinates.unwrap().count, 3);
    }
}

/// A planar joint leaves two translations in its plane and the turn about its normal.
#[test]
fn planar_stays_in_its_plane() {
    let (model, mut scene, robot) = placed("planar", "<axis xyz='0 0 1'/>", &[0.0; 3]);
    let normal = model.joints[0].origin.rotation * Vector3::z();
    let body = robot.link("b").unwrap().body;
    let start = robot
        .link("b")
        .unwrap()
        .pose(&scene.bodies)
        .unwrap()
        .translation;
    scene.run(Vector::new(1.0, 0.0, 0.0), 200);
    let moved = scene.bodies[body].position().translation - start;
    let across = f64::from(moved.x) * normal.x
        + f64::from(moved.y) * normal.y
        + f64::from(moved.z) * normal.z;
    assert!(f64::from(moved.length()) > 0.01, "it didn't move");
    assert!(across.abs() < 1e-5, "{across}");
}

#[test]
fn wrong_numbers_of_coordinates_are_refused() {
    let model = load(&pair(&format!("type='spherical'>{ENDS}"))).unwrap();
    let refuse = |coordinates: Vec<f64>| {
        let options = InsertOptions {
            initial_coordinates: [("j".to_string(), coordinates)].into(),
            ..InsertOptions::default()
        };
        let error = Scene::default().insert(&model, &options).unwrap_err();
        error.to_string()
    };
    assert!(refuse(vec![0.0; 2]).contains("rotation vector"));
    assert!(refuse(vec![0.0, f64::NAN, 0.0]).contains("`j`"));
}

/// A follower's limits hold for the joint it follows: b = 2 a + 0.1 within 0.5 keeps a below 0.2.
#[test]
fn leaders_start_where_their_followers_can() {
    let limit = |u: &str| format!("<limit lower='-1' upper='{u}' effort='1' velocity='1'/>");
    let model = load(&format!(
        "<link name='r'>{INERTIAL}</link><link name='a'>{INERTIAL}</link><link name='b'>{INERTIAL}</link>\
         <joint name='ja' type='revolute'>{}<parent link='r'/><child link='a'/></joint>\
         <joint name='jb' type='revolute'>{}<parent link='r'/><child link='b'/>\
         <mimic joint='ja' multiplier='2' offset='0.1'/></joint>",
        limit("1"),
        limit("0.5"),
    ))
    .unwrap();
    let options = InsertOptions {
        initial: [("ja".to_string(), 0.9)].into(),
        ..InsertOptions::default()
    };
    let robot = Scene::default().insert(&model, &options).unwrap();
    assert!((robot.joint("ja").unwrap().initial[0] - 0.2).abs() < 1e-12);
    assert!(
        robot.warnings.iter().any(|w| w.contains("follow")),
        "{:?}",
        robot.warnings
    );
}

/// The same for b = -2 a + 0.1 between -1 and 0.5: a stays between -0.2 and 0.55.
#[test]
fn leaders_of_mirrored_followers_start_where_these_can() {
    let limit =
        |l: &str, u: &str| format!("<limit lower='{l}' upper='{u}' effort='1' velocity='1'/>");
    let model = load(&format!(
        "<link name='r'>{INERTIAL}</link><link name='a'>{INERTIAL}</link><link name='b'>{INERTIAL}</link>\
         <joint name='ja' type='revolute'>{}<parent link='r'/><child link='a'/></joint>\
         <joint name='jb' type='revolute'>{}<parent link='r'/><child link='b'/>\
         <mimic joint='ja' multiplier='-2' offset='0.1'/></joint>",
        limit("-1", "1"),
        limit("-1", "0.5"),
    ))
    .unwrap();
    for (asked, stands) in [(0.9, 0.55), (-0.9, -0.2), (0.3, 0.3)] {
        let options = InsertOptions {
            initial: [("ja".to_string(), asked)].into(),
            ..InsertOptions::default()
        };
        let robot = Scene::default().insert(&model, &options).unwrap();
        let start = |name: &str| robot.joint(name).unwrap().initial[0];
        assert!((start("ja") - stands).abs() < 1e-12, "{asked}");
        assert!(
            (start("jb") - (0.1 - 2.0 * stands)).abs() < 1e-12,
            "{asked}"
        );
    }
}

/// A rod of 2 kg, its centre of mass 0.5 m below the hinge, I = 0.1 about it: the hinge feels
/// 0.1 + 2 * 0.25 = 0.6 kg m^2.
#[test]
fn held_joints_get_gains_that_suit_them() {
    let model = load(&format!(
        "<link name='a'>{INERTIAL}</link><link name='b'><inertial><origin xyz='0 0 -0.5'/>\
         <mass value='2'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial>\
         </link><joint name='j' type='revolute'><axis xyz='1 0 0'/>\
         <limit lower='-1' upper='1' effort='0' velocity='1'/>{ENDS}</joint>"
    ))
    .unwrap();
    let mut options = InsertOptions {
        base: Base::Fixed,
        hold: Some(Hold {
            frequency: 10.0,
            damping_ratio: 0.5,
        }),
        ..InsertOptions::default()
    };
    let drives = |options: &InsertOptions| {
        Scene::default()
            .insert(&model, options)
            .unwrap()
            .joint("j")
            .unwrap()
            .drives
            .clone()
    };
    // Effort 0 means undriven, unless the limits of the file are left aside.
    assert!(drives(&options).is_empty());
    options.effort = EffortLimits::Unlimited;
    let [Drive { stiffness, damping }] = drives(&options)[..] else {
        panic!("one drive")
    };
    assert!((stiffness - 60.0).abs() < 1e-12 && (damping - 6.0).abs() < 1e-12);
    // A floating base of 1 kg m^2 about the same axis is the larger side.
    options.base = Base::Floating;
    let [Drive { stiffness, .. }] = drives(&options)[..] else {
        panic!("one drive")
    };
    assert!((stiffness - 100.0).abs() < 1e-12, "{stiffness}");
}

/// Three links in a row, the first and last overlapping.
fn row_of_boxes(last: f64) -> RobotModel {
    let cube = |x: f64| {
        format!(
            "{INERTIAL}<collision><origin xyz='{x} 0 0'/><geometry><box size='1 1 1'/></geometry></collision>"
        )
    };
    load(&format!(
        "<link name='a'>{}</link><link name='b'>{}</link><link name='c'>{}</link>\
         <joint name='j' type='continuous'>{ENDS}</joint>\
         <joint name='k' type='continuous'><parent link='b'/><child link='c'/></joint>",
        cube(0.0),
        cube(5.0),
        cube(last),
    ))
    .unwrap()
}

#[test]
fn overlapping_links_and_disabled_pairs_are_kept_apart() {
    let model = row_of_boxes(0.4);
    let place = |self_collision, srdf: Option<&str>| {
        let read = |text| Srdf::from_text(text, Path::new("r.srdf"), Default::default()).unwrap();
        let options = InsertOptions {
            self_collision,
            srdf: srdf.map(read),
            ..Default::default()
        };
        let mut scene = Scene::default();
        let robot = scene.insert(&model, &options).unwrap();
        let apart: Vec<_> = robot
            .filters
            .iter()
            .map(|&f| {
                let joint = scene.impulse_joints.get(f).unwrap();
                assert!(!joint.data.contacts_enabled && joint.data.locked_axes.is_empty());
                [joint.body1(), joint.body2()]
            })
            .collect();
        let ends = ["a", "c"].map(|l| robot.link(l).unwrap().body);
        (
            apart == [ends],
            robot.warnings.iter().any(|w| w.contains("overlap")),
        )
    };
    let disabled =
        "<robot name='r'><disable_collisions link1='c' link2='a' reason='Never'/></robot>";
    assert_eq!(place(SelfCollision::ExcludeAdjacent, None), (false, true));
    assert_eq!(
        place(SelfCollision::ExcludeOverlapping, None),
        (true, false)
    );
    assert_eq!(
        place(SelfCollision::ExcludeAdjacent, Some(disabled)),
        (true, false)
    );
    assert_eq!(place(SelfCollision::Off, Some(disabled)), (false, false));
}

/// Faces drawn flush are in each other's way as well, a gap of a millimetre is not. (Such boxes, drawn
/// flush, jammed the legs of a public quadruped until its speeds had no bound.)
#[test]
fn links_that_touch_are_kept_apart_like_those_that_overlap() {
    for (last, kept_apart) in [(1.0, 1), (1.00005, 1), (1.001, 0)] {
        let options = InsertOptions {
            self_collision: SelfCollision::ExcludeOverlapping,
            ..Default::default()
        };
        let robot = Scene::default().insert(&row_of_boxes(last), &options);
        assert_eq!(robot.unwrap().filters.len(), kept_apart, "{last}");
        let robot = Scene::default().insert(&row_of_boxes(last), &InsertOptions::default());
        assert!(robot.unwrap().warnings.is_empty(), "{last}");
    }
}

#[test]
fn rotors_of_the_srdf_count_when_asked() {
    let model = load(&pair(&format!("type='continuous'>{ENDS}"))).unwrap();
    let text = "<robot name='r'><rotor_params><joint name='j' mass='2e-5' gear_ratio='10'/></rotor_params></robot>";
    let mut options = InsertOptions {
        base: Base::Fixed,
        joint_armature: [("j".to_string(), 0.5)].into(),
        srdf: Some(Srdf::from_text(text, Path::new("r.srdf"), Default::default()).unwrap()),
        ..InsertOptions::default()
    };
    for (rotor_inertia, want) in [(RotorInertia::Ignore, 0.5), (RotorInertia::Add, 0.502)] {
        options.rotor_inertia = rotor_inertia;
        let mut scene = Scene::default();
        let robot = scene.insert(&model, &options).unwrap();
        let have = scene.multibody(&robot).armature()[0];
        assert!(close(have, want, f64::from(Real::EPSILON)), "{have}");
    }
}

/// The robot file's rotor, 5^2 * 0.01, counts before the SRDF's, 10^2 * 2e-5.
#[test]
fn rotors_of_the_robot_file_come_first() {
    let model = load(&format!(
        "{}<transmission name='t'><joint name='j'/><actuator name='m'>\
         <mechanicalReduction>5</mechanicalReduction><rotorInertia>0.01</rotorInertia></actuator></transmission>",
        pair(&format!("type='continuous'>{ENDS}"))
    ))
    .unwrap();
    let text = "<robot name='r'><rotor_params><joint name='j' mass='2e-5' gear_ratio='10'/></rotor_params></robot>";
    let options = InsertOptions {
        base: Base::Fixed,
        srdf: Some(Srdf::from_text(text, Path::new("r.srdf"), Default::default()).unwrap()),
        rotor_inertia: RotorInertia::Add,
        ..InsertOptions::default()
    };
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &options).unwrap();
    let have = scene.multibody(&robot).armature()[0];
    assert!(close(have, 0.25, f64::from(Real::EPSILON)), "{have}");
}

/// Two pendulums side by side whose tips a loop joins.
#[test]
fn loops_become_joints_and_open_ones_are_said() {
    let hang = |x: &str, n: &str| {
        format!(
            "<joint name='j{n}' type='continuous'><origin xyz='{x} 0 0'/><axis xyz='0 1 0'/>\
             <parent link='r'/><child link='{n}'/></joint>"
        )
    };
    let mut model = load(&format!(
        "<link name='r'>{INERTIAL}</link><link name='a'>{INERTIAL}</link><link name='b'>{INERTIAL}</link>{}{}",
        hang("0", "a"),
        hang("0.2", "b"),
    ))
    .unwrap();
    let at = |x: f64| Isometry3::translation(x, 0.0, -1.0);
    model.closures.push(crate::Closure {
        name: "bar".into(),
        kind: JointKind::Revolute,
        links: [1, 2],
        frames: [at(0.1), at(-0.1)],
        axis: Vector3::y_axis(),
    });
    let mut options = InsertOptions::default();
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &options).unwrap();
    assert_eq!(robot.closures[0].name, "bar");
    let joint = scene.impulse_joints.get(robot.closures[0].joint).unwrap();
    assert_eq!(joint.data.locked_axes, JointAxesMask::LOCKED_REVOLUTE_AXES);
    assert!(!joint.data.contacts_enabled && robot.warnings.is_empty());
    let gap = |scene: &Scene, robot: &RobotHandles| {
        let gap = robot.closures[0].gap(&scene.bodies, &scene.impulse_joints);
        gap.unwrap()
    };
    let tolerance = 8.0 * f64::from(Real::EPSILON);
    assert!(gap(&scene, &robot).iter().all(|g| *g < tolerance));
    // A point at distance r from the hinge that turns by q moves by 2 r sin(q/2); the turn itself is
    // about the closure's free axis.
    options.initial.insert("ja".into(), 0.3);
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &options).unwrap();
    assert!(robot.warnings[0].contains("`bar`") && robot.warnings[0].contains("open"));
    let moved = 2.0 * 1.01f64.sqrt() * 0.15f64.sin();
    let [open, turned] = gap(&scene, &robot);
    assert!(
        (open - moved).abs() < tolerance && turned < 1e-3,
        "{open} {turned}"
    );
    // Welded ends don't leave the turn free.
    model.closures[0].kind = JointKind::Fixed;
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &options).unwrap();
    let [open, turned] = gap(&scene, &robot);
    assert!(
        (open - moved).abs() < tolerance && (turned - 0.3).abs() < tolerance,
        "{turned}"
    );
}
