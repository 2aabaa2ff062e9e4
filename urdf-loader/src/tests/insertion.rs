//! What arrives in rapier's sets.

use nalgebra::Isometry3;

use super::*;
use crate::{Base, Drive, JointKind, Surface};

#[test]
fn joint_values_are_the_files() {
    let model = asset("arm.urdf");
    let mut scene = Scene::default();
    let options = InsertOptions {
        drive: Some(Drive {
            stiffness: 80.0,
            damping: 2.0,
        }),
        armature: 0.01,
        surface: Surface {
            friction: 0.9,
            restitution: 0.1,
        },
        ..InsertOptions::default()
    };
    let robot = scene.insert(&model, &options).unwrap();
    let multibody = scene.multibody(&robot);
    assert_eq!(multibody.ndofs(), 7);
    let epsilon = f64::from(Real::EPSILON);
    for (handle, joint) in robot.joints.iter().zip(&model.joints) {
        assert_eq!(handle.name, joint.name);
        let Some(c) = handle.coordinates else {
            assert_eq!(joint.kind, JointKind::Fixed);
            continue;
        };
        assert!(close(
            multibody.damping()[c.first],
            joint.damping,
            joint.damping * epsilon
        ));
        assert!(close(
            multibody.frictions()[c.first],
            joint.friction,
            epsilon
        ));
        assert!(close(multibody.armature()[c.first], 0.01, epsilon));
        let data = multibody.link(c.link_id).unwrap().joint().data;
        match (data.limits(c.axis), joint.limits) {
            (Some(have), Some(want)) => {
                assert!(close(have.min, want.lower, epsilon * 2.0));
                assert!(close(have.max, want.upper, epsilon * 2.0));
            }
            (have, want) => assert!(have.is_none() && want.is_none()),
        }
        match data.motor(c.axis) {
            Some(motor) => {
                assert!(close(motor.max_force, joint.effort.unwrap(), epsilon));
                assert!(close(motor.target_pos, handle.initial[0], epsilon));
                assert_eq!((motor.stiffness, motor.damping), (80.0, 2.0));
                assert_eq!(motor.model, MotorModel::ForceBased);
            }
            // The jaw that follows is not driven.
            None => assert_eq!(joint.name, "right_jaw"),
        }
    }
    assert_eq!(multibody.couplings().len(), 1);
    for (_, collider) in scene.colliders.iter() {
        assert_eq!((collider.friction(), collider.restitution()), (0.9, 0.1));
        assert_eq!(collider.mass(), 0.0);
    }
    // The elbow can't stand at zero: it starts at its limit and says so.
    let elbow = robot.joint("elbow").unwrap();
    assert_eq!(elbow.initial, [0.3]);
    assert!(
        robot
            .warnings
            .iter()
            .any(|w| w.contains("`elbow`") && w.contains("0.3"))
    );
}

#[test]
fn no_damping_of_the_engines_own() {
    let model = asset("quadruped.urdf");
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &InsertOptions::default()).unwrap();
    assert_eq!(scene.multibody(&robot).damping().amax(), 0.0);
}

#[test]
fn initial_configuration_is_clamped_and_said() {
    let model = asset("arm.urdf");
    let asked = [("elbow", 9.0), ("right_jaw", 0.04), ("left_jaw", 0.01)];
    let options = InsertOptions {
        initial: asked.map(|(n, q)| (n.to_string(), q)).into(),
        ..InsertOptions::default()
    };
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &options).unwrap();
    assert_eq!(robot.joint("elbow").unwrap().initial, [2.6]);
    assert_eq!(robot.joint("right_jaw").unwrap().initial, [0.01]);
    assert!(
        robot
            .warnings
            .iter()
            .any(|w| w.contains("`elbow`") && w.contains("asked for"))
    );
    assert!(
        robot
            .warnings
            .iter()
            .any(|w| w.contains("`right_jaw`") && w.contains("mimics"))
    );
}

#[test]
fn refusals_leave_the_sets_alone() {
    let model = asset("arm.urdf");
    let with = |change: &dyn Fn(&mut InsertOptions)| {
        let mut options = InsertOptions::default();
        change(&mut options);
        let mut scene = Scene::default();
        let error = scene.insert(&model, &options).unwrap_err();
        assert!(scene.bodies.is_empty() && scene.colliders.is_empty());
        assert_eq!(scene.joints.multibodies().count(), 0);
        error.to_string()
    };
    let unknown = with(&|o| {
        o.initial.insert("nose".into(), 0.0);
    });
    assert!(
        unknown.contains("`nose`") && unknown.contains("wrist"),
        "{unknown}"
    );
    assert!(
        with(&|o| {
            o.initial.insert("wrist".into(), f64::NAN);
        })
        .contains("`wrist`")
    );
    let drive = Drive {
        stiffness: -1.0,
        damping: 0.0,
    };
    assert!(with(&|o| o.drive = Some(drive)).contains("stiffness"));
    assert!(
        with(&|o| {
            o.joint_drives.insert("table".into(), drive);
        })
        .contains("`table`")
    );
    assert!(with(&|o| o.surface.friction = f64::NAN).contains("friction"));
    assert!(with(&|o| o.pose.translation.vector.x = f64::INFINITY).contains("pose"));
    assert!(with(&|o| o.armature = -1.0).contains("armature"));
}

#[test]
fn base_of_every_kind() {
    let base = |text: &str, asked: Base| {
        let mut scene = Scene::default();
        let options = InsertOptions {
            base: asked,
            ..InsertOptions::default()
        };
        let robot = scene.insert(&load(text).unwrap(), &options)?;
        Ok::<_, InsertError>((robot.base, scene.multibody(&robot).ndofs()))
    };
    let tree = |root: &str, kind: &str| {
        format!(
            "<link name='{root}'/><link name='a'>{INERTIAL}</link><link name='b'>{INERTIAL}</link>\
             <joint name='i' type='{kind}'><parent link='{root}'/><child link='a'/></joint>\
             <joint name='j' type='continuous'>{ENDS}</joint>"
        )
    };
    // An empty root with the real base fixed to it floats, unless it is the world.
    assert_eq!(
        base(&tree("base", "fixed"), Base::Auto),
        Ok((Base::Floating, 7))
    );
    assert_eq!(
        base(&tree("base", "fixed"), Base::Fixed),
        Ok((Base::Fixed, 1))
    );
    assert_eq!(
        base(&tree("world", "fixed"), Base::Auto),
        Ok((Base::Fixed, 1))
    );
    assert_eq!(
        base(&tree("world", "fixed"), Base::Floating),
        Ok((Base::Floating, 7))
    );
    // An empty root with a moving child is welded, and can't float.
    assert_eq!(
        base(&tree("stand", "continuous"), Base::Auto),
        Ok((Base::Fixed, 2))
    );
    let error = base(&tree("stand", "continuous"), Base::Floating).unwrap_err();
    assert!(
        matches!(error, InsertError::Base(UrdfError::NoMass { .. })),
        "{error:?}"
    );
    // A floating joint from the world says it outright.
    assert_eq!(
        base(&tree("odom", "floating"), Base::Auto),
        Ok((Base::Floating, 7))
    );
    assert_eq!(
        base(&tree("world", "floating"), Base::Fixed),
        Ok((Base::Fixed, 1))
    );
}

#[test]
fn floating_joint_places_the_base() {
    let model = load(&format!(
        "<link name='world'/><link name='a'>{INERTIAL}</link><link name='b'>{INERTIAL}</link>\
         <joint name='i' type='floating'><origin xyz='0 0 2'/><parent link='world'/>\
         <child link='a'/></joint><joint name='j' type='continuous'>{ENDS}</joint>"
    ))
    .unwrap();
    let mut scene = Scene::default();
    let options = InsertOptions {
        pose: Isometry3::translation(1.0, 0.0, 0.0),
        ..InsertOptions::default()
    };
    let robot = scene.insert(&model, &options).unwrap();
    let at = |name: &str| {
        robot
            .link(name)
            .unwrap()
            .pose(&scene.bodies)
            .unwrap()
            .translation
    };
    assert_eq!(at("a"), Vector::new(1.0, 0.0, 2.0));
    assert_eq!(at("world"), Vector::new(1.0, 0.0, 0.0));
}
