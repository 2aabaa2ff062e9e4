//! What arrives in rapier's sets.

use nalgebra::{Isometry3, Vector3};

use super::*;
use crate::{Base, Drive, FixedJoints, JointKind, MeshCollision, SelfCollision, Surface};

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
                assert!(close(motor.target_pos, handle.initial, epsilon));
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
    assert_eq!(elbow.initial, 0.3);
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
    assert_eq!(robot.joint("elbow").unwrap().initial, 2.6);
    assert_eq!(robot.joint("right_jaw").unwrap().initial, 0.01);
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

/// Merged or kept, a robot has the same mass, the same links in the same places and falls alike.
#[test]
fn merged_and_kept_fixed_joints_agree() {
    let model = asset("quadruped.urdf");
    let mut options = InsertOptions {
        self_collision: SelfCollision::Off,
        ..Default::default()
    };
    options.initial.insert("lf_thigh".into(), 0.6);
    let mut merged = Scene::default();
    let a = merged.insert(&model, &options).unwrap();
    options.fixed_joints = FixedJoints::Keep;
    let mut kept = Scene::default();
    let b = kept.insert(&model, &options).unwrap();
    assert_eq!((a.bodies.len(), b.bodies.len()), (13, model.links.len()));
    assert_eq!(a.collider_count(), b.collider_count());
    let mass = |scene: &Scene| -> Real { scene.bodies.iter().map(|(_, b)| b.mass()).sum() };
    let tolerance = 64.0 * f64::from(Real::EPSILON);
    assert!(close(mass(&merged), 1.34, tolerance) && close(mass(&kept), 1.34, tolerance));
    for (x, y) in a.links.iter().zip(&b.links) {
        let (p, q) = (
            x.pose(&merged.bodies).unwrap(),
            y.pose(&kept.bodies).unwrap(),
        );
        assert!(
            p.translation.distance(q.translation) < real(tolerance),
            "{}",
            x.name
        );
        assert_eq!(x.colliders.len(), y.colliders.len());
    }
}

#[test]
fn self_collision_choices() {
    let model = asset("arm.urdf");
    for (choice, whole, neighbours) in [
        (SelfCollision::Off, false, false),
        (SelfCollision::ExcludeAdjacent, true, false),
        (SelfCollision::On, true, true),
    ] {
        let options = InsertOptions {
            self_collision: choice,
            ..InsertOptions::default()
        };
        let mut scene = Scene::default();
        let robot = scene.insert(&model, &options).unwrap();
        let multibody = scene.multibody(&robot);
        assert_eq!(multibody.self_contacts_enabled(), whole);
        for link in multibody.links().filter(|l| !l.is_root()) {
            assert_eq!(link.joint().data.contacts_enabled(), neighbours);
        }
    }
}

#[test]
fn overlapping_links_are_told() {
    let text = |x: f64| {
        let ball = "<collision><geometry><sphere radius='0.1'/></geometry></collision>";
        format!(
            "<link name='a'>{INERTIAL}{ball}</link><link name='b'>{INERTIAL}</link>\
             <link name='c'>{INERTIAL}{ball}</link><joint name='j' type='continuous'>{ENDS}</joint>\
             <joint name='k' type='continuous'><origin xyz='{x} 0 0'/>\
             <parent link='b'/><child link='c'/></joint>"
        )
    };
    let warnings = |x: f64, choice| {
        let options = InsertOptions {
            self_collision: choice,
            ..InsertOptions::default()
        };
        Scene::default()
            .insert(&load(&text(x)).unwrap(), &options)
            .unwrap()
            .warnings
    };
    let told = warnings(0.19, SelfCollision::ExcludeAdjacent);
    assert!(
        told.len() == 1 && told[0].contains("`a` and `c`"),
        "{told:?}"
    );
    assert!(warnings(0.21, SelfCollision::ExcludeAdjacent).is_empty());
    assert!(warnings(0.19, SelfCollision::Off).is_empty());
}

/// c follows b follows a; every member is coupled to the one before it.
#[test]
fn mimic_chain() {
    let model = load(&format!(
        "<link name='r'>{INERTIAL}</link><link name='a'>{INERTIAL}</link>\
         <link name='b'>{INERTIAL}</link><link name='c'>{INERTIAL}</link>\
         <joint name='jc' type='continuous'><parent link='r'/><child link='c'/>\
         <mimic joint='jb' multiplier='-2' offset='0.1'/></joint>\
         <joint name='jb' type='prismatic'><parent link='r'/><child link='b'/>\
         <mimic joint='ja' multiplier='3'/></joint>\
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
    assert_eq!(robot.joint("jb").unwrap().initial, 1.5);
    assert_eq!(robot.joint("jc").unwrap().initial, -2.0 * 1.5 + 0.1);
    let couplings = scene.multibody(&robot).couplings();
    let id = |name: &str| robot.joint(name).unwrap().coordinates.unwrap().link_id;
    let pairs: Vec<_> = couplings
        .iter()
        .map(|c| (c.link1, c.link2, c.coeff))
        .collect();
    assert_eq!(
        pairs,
        [(id("jb"), id("jc"), -2.0), (id("ja"), id("jb"), 3.0)]
    );
    assert_eq!((couplings[0].axis1, couplings[0].axis2), (0, 3));
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

#[test]
fn exact_mesh_and_flat_hull() {
    let dir = TempDir::new("flat");
    dir.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    dir.write(
        "tetra.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
    );
    let robot = |mesh: &str| {
        let text = format!(
            "<link name='a'>{INERTIAL}<collision><geometry><mesh filename='{mesh}'/></geometry>\
             </collision></link>"
        );
        let file = dir.write("r.urdf", urdf(&text));
        RobotModel::from_file(&file, &LoadOptions::default()).unwrap()
    };
    let exact = InsertOptions {
        mesh_collision: MeshCollision::Exact,
        ..Default::default()
    };
    let mut scene = Scene::default();
    let tetra = scene.insert(&robot("tetra.obj"), &exact).unwrap();
    let shape = scene.colliders[tetra.links[0].colliders[0]].shape();
    assert_eq!(shape.as_trimesh().unwrap().indices().len(), 4);
    assert_eq!(
        scene
            .insert(&robot("flat.obj"), &exact)
            .unwrap()
            .collider_count(),
        1
    );
}
