//! Closed forms of what joints, loops and limits are placed by.

use nalgebra::{Isometry3, Vector3};

use super::*;
use crate::{Base, Joint};

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
