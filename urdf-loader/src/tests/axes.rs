//! Axes, coordinates and couplings of joints in rapier's sets.

use nalgebra::Vector3;

use super::*;
use crate::{Base, Drive, SelfCollision};

/// c follows b follows a; both are coupled to a: c = -2 (3 a + 0.2) + 0.1 = -6 a - 0.3.
#[test]
fn mimic_chain() {
    let model = load(&format!(
        "<link name='r'>{INERTIAL}</link><link name='a'>{INERTIAL}</link>\
         <link name='b'>{INERTIAL}</link><link name='c'>{INERTIAL}</link>\
         <joint name='jc' type='continuous'><parent link='r'/><child link='c'/>\
         <mimic joint='jb' multiplier='-2' offset='0.1'/></joint>\
         <joint name='jb' type='prismatic'><parent link='r'/><child link='b'/>\
         <mimic joint='ja' multiplier='3' offset='0.2'/></joint>\
         <joint name='ja' type='continuous'><parent link='r'/><child link='a'/></joint>"
    ))
    .unwrap();
    let mut options = InsertOptions {
        base: Base::Fixed,
        ..InsertOptions::default()
    };
    options.initial.insert("ja".into(), 0.5);
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &options).unwrap();
    let start = |name: &str| robot.joint(name).unwrap().initial[0];
    assert!((start("jb") - 1.7).abs() < 1e-15 && (start("jc") + 3.3).abs() < 1e-15);
    let couplings = scene.multibody(&robot).couplings();
    let id = |name: &str| robot.joint(name).unwrap().coordinates.unwrap().link_id;
    let pairs: Vec<_> = couplings
        .iter()
        .map(|c| (c.link1, c.link2, c.coeff))
        .collect();
    assert_eq!(
        pairs,
        [(id("ja"), id("jc"), -6.0), (id("ja"), id("jb"), 3.0)]
    );
    assert_eq!((couplings[0].axis1, couplings[0].axis2), (3, 3));
    assert_eq!((couplings[1].axis1, couplings[1].axis2), (3, 0));
    let offset = |i: usize| f64::from(couplings[i].offset);
    let tolerance = f64::from(Real::EPSILON);
    assert!((offset(0) + 0.3).abs() < tolerance && (offset(1) - 0.2).abs() < tolerance);
}

/// Under rapier's own step the coupled jaws stay together while one is pushed by its drive.
#[test]
fn coupled_jaws_move_together_in_the_engine() {
    let model = asset("arm.urdf");
    let mut options = InsertOptions {
        self_collision: SelfCollision::Off,
        ..Default::default()
    };
    options.drive = Some(Drive {
        stiffness: 500.0,
        damping: 20.0,
    });
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &options).unwrap();
    let jaw = robot.joint("left_jaw").unwrap().clone();
    let c = jaw.coordinates.unwrap();
    {
        let index = robot.multibody.unwrap();
        let multibody = scene.joints.get_multibody_mut(index).unwrap();
        let link = multibody.link_mut(c.link_id).unwrap();
        link.joint
            .data
            .set_motor_position(c.axis, 0.03, 500.0, 20.0);
    }
    scene.run(Vector::new(0.0, 0.0, -9.81), 300);
    let (left, right) = (
        jaw.position(&scene.joints).unwrap(),
        robot
            .joint("right_jaw")
            .unwrap()
            .position(&scene.joints)
            .unwrap(),
    );
    assert!(left > 0.02, "the drive opens the jaw: {left}");
    // The engine's coupling is soft; this only shows that it acts on the right coordinates.
    assert!((left - right).abs() < 2e-3, "{left} {right}");
}

#[test]
fn spherical_joint_has_three_coordinates() {
    let model = load(&pair(&format!(
        "type='spherical'>{ENDS}<dynamics damping='0.3'/>"
    )))
    .unwrap();
    let options = InsertOptions {
        base: Base::Fixed,
        ..InsertOptions::default()
    };
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &options).unwrap();
    let c = robot.joints[0].coordinates.unwrap();
    assert_eq!((c.first, c.count), (0, 3));
    let multibody = scene.multibody(&robot);
    assert_eq!(multibody.ndofs(), 3);
    assert!(multibody.damping().iter().all(|d| close(*d, 0.3, 1e-7)));
    assert_eq!(robot.joints[0].position(&scene.joints), None);
}

/// Axis along -x has no unique shortest turn from x; all signs of all axes must come out right.
#[test]
fn axes_of_every_sign() {
    for axis in [
        Vector3::x(),
        Vector3::y(),
        Vector3::z(),
        Vector3::new(1.0, 2.0, -3.0),
    ] {
        for sign in [1.0, -1.0] {
            let a = axis * sign;
            let model = load(&pair(&format!(
                "type='revolute'>{ENDS}<axis xyz='{} {} {}'/><limit lower='-3' upper='3'/>",
                a.x, a.y, a.z
            )))
            .unwrap();
            let mut options = InsertOptions {
                base: Base::Fixed,
                ..InsertOptions::default()
            };
            options.initial.insert("j".into(), 0.8);
            let mut scene = Scene::default();
            let robot = scene.insert(&model, &options).unwrap();
            let have = robot
                .link("b")
                .unwrap()
                .pose(&scene.bodies)
                .unwrap()
                .rotation;
            let want = nalgebra::UnitQuaternion::from_scaled_axis(a.normalize() * 0.8);
            let p = have * Vector::new(0.3, -0.5, 0.7);
            let q = want * Vector3::new(0.3, -0.5, 0.7);
            for k in 0..3 {
                assert!(
                    close(p[k], q[k], 8.0 * f64::from(Real::EPSILON)),
                    "{a}: {p} {q}"
                );
            }
        }
    }
}
