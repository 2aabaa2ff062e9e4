//! Closed forms of what joints, loops and limits are placed by.

use nalgebra::{Isometry3, Vector3};

use super::*;
use crate::{Base, Closure, Drive, Hold, Joint, JointKind};

fn planar(axis: &str) -> Joint {
    let model = load(&pair(&format!("type='planar'>{ENDS}<axis xyz='{axis}'/>")));
    model.unwrap().joints[0].clone()
}

/// The plane's x and y are those of the joint frame, turned the shortest way that takes z to the
/// axis: about y by 90 degrees for x, about -x for y, half a turn about x for -z.
#[test]
fn axes_of_a_planar_joint() {
    let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
    for (axis, first, second) in [
        ("0 0 1", x, y),
        ("1 0 0", -z, y),
        ("0 1 0", x, -z),
        ("0 0 -1", x, -y),
    ] {
        let joint = planar(axis);
        let moved = |q: [f64; 3]| joint.motion_of(&q);
        let shift = |q: [f64; 3]| moved(q).translation.vector;
        assert!((shift([1.0, 0.0, 0.0]) - first).norm() < 1e-15, "{axis}");
        assert!((shift([0.0, 1.0, 0.0]) - second).norm() < 1e-15, "{axis}");
        // Right-handed; the turn is about the axis and doesn't move the origin.
        assert!((first.cross(&second) - joint.axis.into_inner()).norm() < 1e-15);
        assert_eq!(shift([0.3, 0.4, 0.0]), shift([0.3, 0.4, 2.0]));
        // A quarter turn takes x to y.
        let quarter = moved([0.0, 0.0, std::f64::consts::FRAC_PI_2]);
        assert!((quarter * first - second).norm() < 1e-15, "{axis}");
    }
}

/// A loop placed in one link: the other end is what coincides with it when all joints stand at zero,
/// X_2^-1 X_1 F. Here X_1 turns by 90 degrees about z at (1, 2, 0), X_2 lies at (0, 0, 3) unturned,
/// F at (1, 0, 0) turned by 90 degrees about x.
#[test]
fn the_other_end_of_a_loop() {
    let quarter = "1.5707963267948966";
    let joint = |name: &str, origin: &str, child: &str| {
        format!(
            "<joint name='{name}' type='continuous'>{origin}<parent link='r'/><child link='{child}'/></joint>"
        )
    };
    let model = load(&format!(
        "<link name='r'>{INERTIAL}</link><link name='a'>{INERTIAL}</link><link name='b'>{INERTIAL}</link>{}{}\
         <loop_joint name='c' type='revolute'><link1 link='a' xyz='1 0 0' rpy='{quarter} 0 0'/>\
         <link2 link='b'/></loop_joint>",
        joint("ja", &format!("<origin xyz='1 2 0' rpy='0 0 {quarter}'/>"), "a"),
        joint("jb", "<origin xyz='0 0 3'/>", "b"),
    ))
    .unwrap();
    let [first, second] = model.closures[0].frames;
    assert!((first.translation.vector - Vector3::x()).norm() < 1e-15);
    // X_1 takes (1, 0, 0) to (1, 2, 0) + (0, 1, 0).
    assert!((second.translation.vector - Vector3::new(1.0, 3.0, -3.0)).norm() < 1e-15);
    // Rz(90) Rx(90): x -> y, y -> z, z -> x.
    for (from, to) in [
        (Vector3::x(), Vector3::y()),
        (Vector3::y(), Vector3::z()),
        (Vector3::z(), Vector3::x()),
    ] {
        assert!((second.rotation * from - to).norm() < 1e-15);
    }
}

/// A loop at a link that is fixed to another: the frame moves with the offset of the merged body.
#[test]
fn loops_at_merged_links() {
    let model = load(&format!(
        "<link name='r'>{INERTIAL}</link><link name='a'>{INERTIAL}</link><link name='tip'>{INERTIAL}</link>\
         <joint name='ja' type='continuous'><parent link='r'/><child link='a'/></joint>\
         <joint name='f' type='fixed'><origin xyz='0 0 2' rpy='0 0 1.5707963267948966'/><parent link='a'/>\
         <child link='tip'/></joint>\
         <loop_joint name='c' type='ball'><link1 link='r' xyz='0 0.5 2'/>\
         <link2 link='tip' xyz='0.5 0 0'/></loop_joint>"
    ))
    .unwrap();
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &InsertOptions::default()).unwrap();
    let joint = scene.impulse_joints.get(robot.closures[0].joint).unwrap();
    // Rz(90) (0.5, 0, 0) + (0, 0, 2), in the body of `a`.
    let at = joint.data.local_frame2.translation;
    for (have, want) in [(at.x, 0.0), (at.y, 0.5), (at.z, 2.0)] {
        assert!(close(have, want, 4.0 * f64::from(Real::EPSILON)), "{at:?}");
    }
    assert!(robot.warnings.is_empty(), "{:?}", robot.warnings);
}

/// In a step a joint gets as far as its speed limit lets it, and never past its stops.
#[test]
fn speed_limits_move_the_stops() {
    let text = |limit: &str| {
        pair(&format!(
            "type='prismatic'>{ENDS}<limit {limit} effort='1'/>"
        ))
    };
    let (lower, upper) = (0.0, 1.0);
    for (q, speed, stops) in [
        // Within, near either stop, no limit at all.
        (0.5, 2.0, [0.3, 0.7]),
        (0.1, 2.0, [0.0, 0.3]),
        (0.95, 2.0, [0.75, 1.0]),
        (0.5, 0.0, [0.0, 1.0]),
    ] {
        let limit = format!("lower='{lower}' upper='{upper}' velocity='{speed}'");
        let model = load(&text(&limit)).unwrap();
        let options = InsertOptions {
            base: Base::Fixed,
            initial: [("j".to_string(), q)].into(),
            pose: Isometry3::identity(),
            ..InsertOptions::default()
        };
        let mut scene = Scene::default();
        let robot = scene.insert(&model, &options).unwrap();
        let c = robot.joint("j").unwrap().coordinates.unwrap();
        let limits = |scene: &Scene| {
            let link = scene.multibody(&robot).link(c.link_id).unwrap();
            let limits = link.joint().data.limits[c.axis as usize];
            [f64::from(limits.min), f64::from(limits.max)]
        };
        robot.keep_speed_limits(&mut scene.joints, 0.1);
        for (have, want) in limits(&scene).into_iter().zip(stops) {
            assert!(
                (have - want).abs() < 2.0 * f64::from(Real::EPSILON),
                "{q}: {have}"
            );
        }
        robot.restore_limits(&mut scene.joints);
        assert_eq!(limits(&scene), [lower, upper]);
    }
}

/// Without stops of its own a joint gets as far as its speed takes it both ways; one beyond a stop comes
/// back to it, and as far as its speed takes it from there: 1.0 - 0.2 here.
#[test]
fn speed_limits_without_stops_and_beyond_them() {
    let tolerance = 4.0 * f64::from(Real::EPSILON);
    for (limits, q, stops) in [
        ("", 1.5, [1.3, 1.7]),
        ("lower='0' upper='1'", 1.5, [0.8, 1.0]),
    ] {
        let kind = format!("type='prismatic'>{ENDS}<limit {limits} effort='1' velocity='2'/>");
        let model = load(&pair(&kind)).unwrap();
        let options = InsertOptions {
            base: Base::Fixed,
            ..InsertOptions::default()
        };
        let mut scene = Scene::default();
        let robot = scene.insert(&model, &options).unwrap();
        let index = robot.multibody.unwrap();
        let multibody = scene.joints.get_multibody_mut(index).unwrap();
        multibody.apply_displacements(&[real(q)]);
        robot.keep_speed_limits(&mut scene.joints, 0.1);
        let c = robot.joint("j").unwrap().coordinates.unwrap();
        let link = scene.multibody(&robot).link(c.link_id).unwrap();
        let found = link.joint().data.limits[c.axis as usize];
        for (have, want) in [found.min, found.max].into_iter().zip(stops) {
            assert!(close(have, want, tolerance), "{limits}: {have} for {want}");
        }
    }
}

/// A closure measures what it holds, in its own frame: shifts across and along its axis y, turns about
/// x and y. A prismatic one holds the shift across and every turn, a revolute one every shift and the turn
/// across, a planar one the shift along and the turn across, a ball the shifts.
#[test]
fn a_loop_is_as_open_as_what_it_holds() {
    let origin = "<origin xyz='0.5 0 0' rpy='0 0 0.4'/>";
    let mut model = load(&pair(&format!("type='continuous'>{ENDS}{origin}"))).unwrap();
    let frame = Isometry3::new(Vector3::new(0.1, -0.3, 0.2), Vector3::new(0.3, 1.0, -0.5));
    let (across, along) = (Vector3::new(0.3, 0.0, 0.4), Vector3::y() * 0.7);
    let tolerance = 64.0 * f64::from(Real::EPSILON);
    let shift = 0.74f64.sqrt();
    for (kind, turn, gap) in [
        (JointKind::Prismatic, Vector3::y() * 0.2, [0.5, 0.2]),
        (JointKind::Prismatic, Vector3::x() * 0.3, [0.5, 0.3]),
        (JointKind::Revolute, Vector3::y() * 0.2, [shift, 0.0]),
        (JointKind::Revolute, Vector3::x() * 0.3, [shift, 0.3]),
        (JointKind::Planar, Vector3::y() * 0.2, [0.7, 0.0]),
        (JointKind::Planar, Vector3::x() * 0.3, [0.7, 0.3]),
        (JointKind::Spherical, Vector3::x() * 0.3, [shift, 0.0]),
        (JointKind::Fixed, Vector3::z() * 0.3, [shift, 0.3]),
    ] {
        // About the axis that stays free the ends may be turned as they like.
        let spin = match kind {
            JointKind::Revolute | JointKind::Planar => Isometry3::rotation(Vector3::y()),
            _ => Isometry3::identity(),
        };
        let apart = Isometry3::new(across + along, turn) * spin;
        // Both frames coincide, but for `apart`, while the joint stands at zero.
        let in_child = model.joints[0].origin.inverse() * frame * apart;
        model.closures = vec![Closure {
            name: "c".into(),
            kind,
            links: [0, 1],
            frames: [frame, in_child],
            axis: Vector3::y_axis(),
        }];
        let mut scene = Scene::default();
        let robot = scene.insert(&model, &InsertOptions::default()).unwrap();
        let found = robot.closures[0].gap(&scene.bodies, &scene.impulse_joints);
        for (have, want) in found.unwrap().into_iter().zip(gap) {
            // The angle between nearly equal axes is known to the root of the round-off.
            let tolerance = if want == 0.0 {
                tolerance.sqrt()
            } else {
                tolerance
            };
            assert!(
                (have - want).abs() < tolerance,
                "{kind:?} {turn}: {have} for {want}"
            );
        }
    }
}

/// What a hold's gains are worth, `N m/rad per (rad/s)^2`: inertia about the axis in the world, with the
/// followers' times multiplier^2. The joint frame takes x to y, y to z, z to x. The joint turns its
/// child about the child's x: 1 + 2 * 0.5^2 = 1.5 kg m^2, and 0.1 kg m^2 that turn back three times as
/// fast: 0.9 kg m^2.
#[test]
fn held_leaders_in_turned_frames_carry_their_followers() {
    let quarter = "1.5707963267948966";
    let inertial = |com: &str, mass: &str, i: [&str; 3]| {
        format!(
            "<inertial><origin xyz='{com}'/><mass value='{mass}'/><inertia ixx='{}' ixy='0' ixz='0' \
             iyy='{}' iyz='0' izz='{}'/></inertial>",
            i[0], i[1], i[2]
        )
    };
    let model = load(&format!(
        "<link name='a'>{INERTIAL}</link><link name='b'>{}</link><link name='c'>{}</link>\
         <joint name='j' type='continuous'><origin xyz='1 2 3' rpy='{quarter} 0 {quarter}'/>{ENDS}</joint>\
         <joint name='k' type='continuous'><parent link='a'/><child link='c'/>\
         <mimic joint='j' multiplier='-3'/></joint>",
        inertial("0 0.5 0", "2", ["1", "2", "2.5"]),
        inertial("0 0 0", "1", ["0.1", "0.1", "0.1"]),
    ))
    .unwrap();
    let options = InsertOptions {
        base: Base::Fixed,
        hold: Some(Hold {
            frequency: 10.0,
            damping_ratio: 0.5,
        }),
        ..InsertOptions::default()
    };
    let robot = Scene::default().insert(&model, &options).unwrap();
    let [Drive { stiffness, damping }] = robot.joint("j").unwrap().drives[..] else {
        panic!("one drive")
    };
    assert!((stiffness - 240.0).abs() < 1e-12, "{stiffness}");
    assert!((damping - 24.0).abs() < 1e-12, "{damping}");
}

/// A planar joint turns its child about the child's own origin, wherever that stands in the plane: 2 kg at
/// 0.5 m of it are 0.5 kg m^2 beside the body's own 1 kg m^2.
#[test]
fn a_held_plane_turns_about_where_its_child_stands() {
    let model = load(&format!(
        "<link name='a'>{INERTIAL}</link><link name='b'><inertial><origin xyz='0.5 0 0'/><mass value='2'/>\
         <inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>\
         <joint name='j' type='planar'>{ENDS}<axis xyz='0 0 1'/></joint>"
    ))
    .unwrap();
    let options = InsertOptions {
        base: Base::Fixed,
        hold: Some(Hold {
            frequency: 10.0,
            damping_ratio: 1.0,
        }),
        initial_coordinates: [("j".to_string(), vec![3.0, -4.0, 0.7])].into(),
        ..InsertOptions::default()
    };
    let robot = Scene::default().insert(&model, &options).unwrap();
    let drives = &robot.joint("j").unwrap().drives;
    let stiffness: Vec<_> = drives.iter().map(|d| d.stiffness).collect();
    for (have, want) in stiffness.iter().zip([200.0, 200.0, 150.0]) {
        assert!((have - want).abs() < 1e-10, "{stiffness:?}");
    }
}

/// A floating base stands at the pose of the robot, Rz(90), then at its joint's origin, (1, 2, 0) Rx(90),
/// then at its coordinates, (0, 3, 0) Ry(0.4): Rz(90) ((1, 2, 0) + (0, 0, 3)) = (-2, 1, 3), turned by
/// Rz(90) Rx(90) Ry(0.4), which takes y to z and x to (-sin 0.4, cos 0.4, 0).
#[test]
fn a_floating_base_is_placed_from_the_outside_in() {
    let model = load(&format!(
        "<link name='world'/><link name='a'>{INERTIAL}</link><joint name='i' type='floating'>\
         <origin xyz='1 2 0' rpy='1.5707963267948966 0 0'/><parent link='world'/><child link='a'/></joint>"
    ))
    .unwrap();
    let options = InsertOptions {
        pose: Isometry3::rotation(Vector3::z() * std::f64::consts::FRAC_PI_2),
        initial_coordinates: [("i".to_string(), vec![0.0, 3.0, 0.0, 0.0, 0.4, 0.0])].into(),
        ..InsertOptions::default()
    };
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &options).unwrap();
    let at = robot.link("a").unwrap().pose(&scene.bodies).unwrap();
    let tolerance = 16.0 * f64::from(Real::EPSILON);
    for (have, want) in at.translation.to_array().into_iter().zip([-2.0, 1.0, 3.0]) {
        assert!(close(have, want, tolerance), "{at:?}");
    }
    let (sin, cos) = 0.4f64.sin_cos();
    let axes = [(Vector::Y, [0.0, 0.0, 1.0]), (Vector::X, [-sin, cos, 0.0])];
    for (axis, want) in axes {
        let have = (at.rotation * axis).to_array();
        assert!(
            (0..3).all(|k| close(have[k], want[k], tolerance)),
            "{have:?}"
        );
    }
}

/// A mimic that states no numbers follows one to one.
#[test]
fn a_mimic_without_numbers_follows_one_to_one() {
    let model = load(&format!(
        "{}<link name='c'>{INERTIAL}</link><joint name='k' type='continuous'><parent link='a'/>\
         <child link='c'/><mimic joint='j'/></joint>",
        pair(&format!("type='continuous'>{ENDS}"))
    ))
    .unwrap();
    let follower = model.joint_index("k").unwrap();
    let m = model.leader(follower);
    assert_eq!((m.joint, m.multiplier, m.offset), (0, 1.0, 0.0));
}
