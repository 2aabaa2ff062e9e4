//! What files say beyond the tree: drives and their limits, loops, semantic descriptions, scale.

use nalgebra::{Isometry3, UnitQuaternion, Vector3};

use super::*;
use crate::{JointKind, Srdf, Strictness};

#[test]
fn joint_extras_are_kept() {
    let model = load(&pair(&format!(
        "type='revolute'>{ENDS}<limit lower='-1' upper='1' effort='5' velocity='6' acceleration='7' \
         deceleration='7.5' jerk='8'/><dynamics damping='0.1' friction='0.2'/>\
         <safety_controller soft_lower_limit='-0.9' soft_upper_limit='0.8' k_position='20' \
         k_velocity='30'/><calibration rising='0.25'/>"
    )))
    .unwrap();
    let j = &model.joints[0];
    let limits = [j.effort, j.velocity, j.acceleration, j.deceleration, j.jerk];
    assert_eq!(limits.map(Option::unwrap), [5.0, 6.0, 7.0, 7.5, 8.0]);
    assert_eq!((j.damping, j.friction), (0.1, 0.2));
    let s = j.safety.unwrap();
    let soft = [s.soft_lower, s.soft_upper, s.k_position, s.k_velocity];
    assert_eq!(soft, [-0.9, 0.8, 20.0, 30.0]);
    let c = j.calibration.unwrap();
    assert_eq!((c.rising, c.falling), (Some(0.25), None));
}

#[test]
fn transmissions_reflect_their_rotors() {
    let robot = |transmission: &str| {
        load(&format!(
            "{}{transmission}",
            pair(&format!("type='continuous'>{ENDS}"))
        ))
    };
    let model = robot(
        "<transmission name='t'><type>transmission_interface/SimpleTransmission</type>\
         <joint name='j'/><actuator name='m'><mechanicalReduction>-50</mechanicalReduction>\
         <rotorInertia>2e-5</rotorInertia></actuator></transmission>\
         <transmission name='u'><joint name='elsewhere'/><actuator name='n'/></transmission>",
    )
    .unwrap();
    let t = &model.transmissions[0];
    assert_eq!(t.kind, "transmission_interface/SimpleTransmission");
    assert_eq!(
        (t.joints.as_slice(), t.actuators[0].reduction),
        (&[0][..], -50.0)
    );
    assert_eq!(model.reflected_inertia(0), Some(50.0 * 50.0 * 2e-5));
    assert_eq!(model.transmissions[1].actuators[0].reduction, 1.0);
    assert!(noted(&model, &["transmission `u`", "`elsewhere`"]));
    // Older files: attributes, the reduction beside the motor.
    let model = robot(
        "<transmission type='old' name='t'><actuator name='m'><rotor_inertia value='1e-4'/></actuator>\
         <joint name='j'/><mechanicalReduction>10</mechanicalReduction></transmission>",
    )
    .unwrap();
    assert_eq!(model.reflected_inertia(0), Some(100.0 * 1e-4));
    // Two motors on one joint add up, each by its own reduction, which wins over a common one.
    let model = robot(
        "<transmission name='t'><joint name='j'/><mechanicalReduction>10</mechanicalReduction>\
         <actuator name='m'><rotorInertia>2e-4</rotorInertia></actuator>\
         <actuator name='n'><mechanicalReduction>3</mechanicalReduction><rotorInertia>1e-4</rotorInertia>\
         </actuator></transmission>",
    )
    .unwrap();
    let both = model.reflected_inertia(0).unwrap();
    assert!((both - (100.0 * 2e-4 + 9.0 * 1e-4)).abs() < 1e-16, "{both}");
    // A place-holder that was never filled in.
    let model = robot(
        "<transmission name='t'><joint name='j'/><actuator name='m'>\
         <mechanicalReduction>reduction</mechanicalReduction></actuator></transmission>",
    )
    .unwrap();
    assert_eq!(model.transmissions[0].actuators[0].reduction, 1.0);
    assert!(noted(
        &model,
        &["repaired", "transmission `t`", "`reduction`"]
    ));
}

/// A four-bar: two uprights on a base; a coupler on one of them, to be closed on the other.
fn four_bar(closure: &str) -> String {
    let link = |name: &str| format!("<link name='{name}'>{INERTIAL}</link>");
    let joint = |name: &str, parent: &str, child: &str, x: f64, z: f64| {
        format!(
            "<joint name='{name}' type='continuous'><parent link='{parent}'/><child link='{child}'/>\
             <origin xyz='{x} 0 {z}'/><axis xyz='0 1 0'/></joint>"
        )
    };
    [
        link("base"),
        link("left"),
        link("right"),
        link("bar"),
        joint("jl", "base", "left", 0.0, 0.0),
        joint("jr", "base", "right", 2.0, 0.0),
        joint("jb", "left", "bar", 0.0, 1.0),
        closure.to_string(),
    ]
    .concat()
}

/// Both ends of a closure must be at this place when all joints stand at zero.
fn closes_at(model: &RobotModel, p: Vector3<f64>) {
    let [c] = model.closures.as_slice() else {
        panic!("{} closures", model.closures.len())
    };
    let poses = model.link_poses(&[]);
    for side in 0..2 {
        let at = poses[c.links[side]] * c.frames[side];
        assert!((at.translation.vector - p).norm() < 1e-15, "{side}: {at}");
    }
    assert_eq!(*c.axis, Vector3::y());
}

#[test]
fn every_way_to_close_a_loop() {
    let corner = Vector3::new(2.0, 0.0, 1.0);
    for closure in [
        "<loop_joint name='c' type='revolute'><link1 link='bar' xyz='2 0 0'/>\
         <link2 link='right' xyz='0 0 1' rpy='0 0 0'/><axis xyz='0 1 0'/></loop_joint>",
        "<loop name='c' type='revolute'><predecessor link='bar'><origin xyz='2 0 0'/></predecessor>\
         <successor link='right'><origin xyz='0 0 1'/></successor><axis xyz='0 1 0'/></loop>",
        "<loop_joint name='c' type='revolute'><link1 link='bar' xyz='2 0 0'/><link2 link='right'/>\
         <axis xyz='0 1 0'/></loop_joint>",
        "<gazebo><joint name='c' type='revolute'><parent>bar</parent><child>right</child>\
         <pose>0 0 1 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint></gazebo>",
    ] {
        let model = load(&four_bar(closure)).unwrap();
        assert_eq!(model.closures[0].kind, JointKind::Revolute);
        assert_eq!(model.closures[0].name, "c");
        closes_at(&model, corner);
    }
    // A frame that follows from the other is an assumption, and said to be.
    let one = "<loop_joint type='revolute'><link1 link='bar' xyz='2 0 0'/><link2 link='right'/></loop_joint>";
    assert!(noted(
        &load(&four_bar(one)).unwrap(),
        &["assumed", "`right`"]
    ));
}

/// Roll, pitch, yaw of a closure are about fixed axes as elsewhere, R = Rz Ry Rx, in every form; axes are
/// brought to length 1.
#[test]
fn frames_of_closures_are_turned_as_origins_are() {
    let about = |axis: Vector3<f64>, angle: f64| UnitQuaternion::from_scaled_axis(axis * angle);
    let turn = about(Vector3::z(), 0.7) * about(Vector3::y(), 0.5) * about(Vector3::x(), 0.3);
    for closure in [
        "<loop_joint type='revolute'><link1 link='bar' xyz='2 0 0'/>\
         <link2 link='right' xyz='0 0 1' rpy='0.3 0.5 0.7'/><axis xyz='0 3 4'/></loop_joint>",
        "<gazebo><joint name='c' type='revolute'><parent>bar</parent><child>right</child>\
         <pose>0 0 1 0.3 0.5 0.7</pose><axis><xyz>0 3 4</xyz></axis></joint></gazebo>",
    ] {
        let model = load(&four_bar(closure)).unwrap();
        let c = &model.closures[0];
        assert!(c.frames[1].rotation.angle_to(&turn) < 1e-15, "{closure}");
        let axis = c.axis.into_inner();
        assert!(
            (axis - Vector3::new(0.0, 0.6, 0.8)).norm() < 1e-15,
            "{axis}"
        );
    }
}

#[test]
fn closures_from_a_side_file() {
    let dir = TempDir::new("closures");
    let robot = dir.write("r.urdf", urdf(&four_bar("")));
    let options = |text: &str| LoadOptions {
        closures: Some(dir.write("loops.xml", text)),
        ..LoadOptions::default()
    };
    let good = options(
        "<loops><loop_joint name='c' type='ball'><link1 link='bar' xyz='2 0 0'/><link2 link='right'/>\
         <axis xyz='0 1 0'/></loop_joint></loops>",
    );
    let model = RobotModel::from_file(&robot, &good).unwrap();
    assert_eq!(model.closures[0].kind, JointKind::Spherical);
    closes_at(&model, Vector3::new(2.0, 0.0, 1.0));
    for (bad, word) in [
        ("<loops/>", "no <loop_joint>"),
        ("<loops>\n<loop_joint/></loops>", "line 2"),
        ("loops", "not well-formed"),
        (
            "<loops><loop_joint type='screw'><link1 link='bar' xyz='0 0 0'/><link2 link='right'/></loop_joint></loops>",
            "screw",
        ),
        (
            "<loops><loop_joint><link1 link='bar'/><link2 link='right'/></loop_joint></loops>",
            "neither",
        ),
        (
            "<loops><loop_joint><link1 link='bar' xyz='0 0 0'/><link2 link='gone'/></loop_joint></loops>",
            "`gone`",
        ),
    ] {
        let error = RobotModel::from_file(&robot, &options(bad))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("loops.xml") && error.contains(word),
            "{error}"
        );
    }
}

#[test]
fn semantic_description() {
    let text = "<robot name='r'>\n<group name='g'/>\n\
        <group_state name='home' group='g'><joint name='j' value='0.5'/><joint name='k' value='1 2 3'/></group_state>\n\
        <disable_collisions link1='a' link2='b' reason='Adjacent'/>\n\
        <disable_default_collisions link='c'/><enable_collisions link1='c' link2='a'/>\n\
        <rotor_params><joint name='j' mass='2e-5' gear_ratio='9'/></rotor_params><what/></robot>";
    let file = Path::new("r.srdf");
    let srdf = Srdf::from_text(text, file, Strictness::Tolerant).unwrap();
    let home = srdf.state("home").unwrap();
    assert_eq!((home.group.as_str(), &home.joints["j"]), ("g", &vec![0.5]));
    assert_eq!(home.joints["k"], [1.0, 2.0, 3.0]);
    for (pair, touch) in [
        ("ab", false),
        ("ba", false),
        ("ac", true),
        ("bc", false),
        ("ad", true),
    ] {
        assert_eq!(srdf.collides(&pair[..1], &pair[1..]), touch, "{pair}");
    }
    assert_eq!(srdf.rotors["j"].reflected_inertia(), 81.0 * 2e-5);
    assert!(srdf.notes[0].to_string().contains("line 6, <what>"));
    // Names that the robot lacks.
    let model = load(&pair(&format!("type='continuous'>{ENDS}"))).unwrap();
    let told: Vec<_> = srdf.check(&model).iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[2].contains("group_state `home`") && told[2].contains("`k`"));
    for (bad, word) in [
        ("<sdf/>", "<sdf>"),
        (
            "<robot><group_state name='h'><joint name='j' value='x'/></group_state></robot>",
            "`h`",
        ),
        ("<robot", "not well-formed"),
    ] {
        let error = Srdf::from_text(bad, file, Strictness::Tolerant)
            .unwrap_err()
            .to_string();
        assert!(error.contains("r.srdf") && error.contains(word), "{error}");
    }
    let lacking = "<robot><disable_collisions link1='a'/></robot>";
    assert!(Srdf::from_text(lacking, file, Strictness::Tolerant).is_ok());
    assert!(Srdf::from_text(lacking, file, Strictness::Strict).is_err());
}

/// Poses of a scaled robot are those of the original with positions scaled, at scaled travel.
#[test]
fn scale() {
    let text = urdf(&format!(
        "<link name='a'>{INERTIAL}<collision><origin xyz='1 0 0'/><geometry><box size='1 2 3'/></geometry>\
         </collision></link><link name='b'>{INERTIAL}</link><link name='c'>{INERTIAL}</link>\
         <joint name='j' type='prismatic'>{ENDS}<origin xyz='0 1 0' rpy='0 0 1'/>\
         <limit lower='-1' upper='2' effort='3' velocity='4'/></joint>\
         <joint name='k' type='continuous'><parent link='b'/><child link='c'/><origin xyz='0 0 1'/>\
         <mimic joint='j' multiplier='2' offset='0.5'/></joint>"
    ));
    let with = |scale: f64| {
        let options = LoadOptions {
            scale,
            ..LoadOptions::default()
        };
        RobotModel::from_urdf(&text, Path::new("u"), &options)
    };
    let (plain, half) = (with(1.0).unwrap(), with(0.5).unwrap());
    let limits = half.joints[0].limits.unwrap();
    assert_eq!([limits.lower, limits.upper], [-0.5, 1.0]);
    assert_eq!(
        (half.joints[0].velocity, half.joints[0].effort),
        (Some(2.0), Some(3.0))
    );
    assert_eq!(half.mass(), plain.mass());
    assert_eq!(half.links[0].inertial.unwrap().inertia[(0, 0)], 0.25);
    // The follower keeps its angle: 2 x 0.6 + 0.5 = 4 x 0.3 + 0.5.
    let (m, n) = (
        plain.joints[1].mimic.unwrap(),
        half.joints[1].mimic.unwrap(),
    );
    assert_eq!(m.multiplier * 0.6 + m.offset, n.multiplier * 0.3 + n.offset);
    for (x, y) in plain
        .link_poses(&[0.6, 1.7])
        .iter()
        .zip(half.link_poses(&[0.3, 1.7]))
    {
        let scaled = Isometry3::from_parts((x.translation.vector * 0.5).into(), x.rotation);
        assert!((scaled.to_homogeneous() - y.to_homogeneous()).amax() < 1e-15);
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            with(bad).unwrap_err(),
            UrdfError::BadOption { .. }
        ));
    }
}

/// Lengths that a scale of 2 doubles: centres of mass, sizes, mesh scales, frames of loops, and a sliding
/// follower's offset and travel per radian of its leader.
#[test]
fn scale_reaches_every_length() {
    let dir = TempDir::new("scaled");
    dir.write("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let text = urdf(&format!(
        "<link name='a'>{INERTIAL}<collision><geometry><cylinder radius='0.1' length='0.4'/></geometry>\
         </collision><visual><geometry><mesh filename='m.obj' scale='1 2 3'/></geometry></visual></link>\
         <link name='b'><inertial><origin xyz='0 0 0.3'/><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' \
         iyy='1' iyz='0' izz='1'/></inertial></link><link name='c'>{INERTIAL}</link>\
         <joint name='j' type='continuous'>{ENDS}</joint>\
         <joint name='k' type='prismatic'><parent link='b'/><child link='c'/>\
         <limit lower='-9' upper='9' effort='1' velocity='1'/>\
         <mimic joint='j' multiplier='3' offset='0.5'/></joint>\
         <loop_joint type='ball'><link1 link='a' xyz='1 0 0'/><link2 link='c' xyz='0 0 1'/></loop_joint>"
    ));
    let options = LoadOptions {
        scale: 2.0,
        ..LoadOptions::default()
    };
    let model = RobotModel::from_urdf(&text, &dir.0.join("r.urdf"), &options).unwrap();
    let [a, b, _] = &model.links[..] else {
        panic!("three links")
    };
    let cylinder = crate::Geometry::Cylinder {
        radius: 0.2,
        length: 0.8,
    };
    assert_eq!(a.collisions[0].geometry, cylinder);
    let crate::Geometry::Mesh(mesh) = &a.visuals[0].geometry else {
        panic!("a mesh")
    };
    assert_eq!(mesh.scale, Vector3::new(2.0, 4.0, 6.0));
    assert_eq!(b.inertial.unwrap().com, Vector3::z() * 0.6);
    let m = model.joints[1].mimic.unwrap();
    assert_eq!((m.multiplier, m.offset), (6.0, 1.0));
    let places = model.closures[0].frames.map(|x| x.translation.vector);
    assert_eq!(places, [Vector3::x() * 2.0, Vector3::z() * 2.0]);
}

/// A planar joint moves across its axis and turns about it, whatever the axis.
#[test]
fn planar_joint() {
    for axis in [Vector3::z(), -Vector3::z(), Vector3::new(1.0, -2.0, 0.5)] {
        let [x, y, z] = axis.into();
        let model = load(&pair(&format!(
            "type='planar'>{ENDS}<axis xyz='{x} {y} {z}'/>"
        )))
        .unwrap();
        let joint = &model.joints[0];
        assert_eq!((joint.kind, joint.kind.dofs()), (JointKind::Planar, 3));
        let motion = joint.motion_of(&[0.3, -0.4, 0.7]);
        let shift = motion.translation.vector;
        assert!(shift.dot(&axis).abs() < 1e-15 && (shift.norm() - 0.5).abs() < 1e-15);
        let turn = motion.rotation.scaled_axis();
        assert!((turn - axis.normalize() * 0.7).norm() < 1e-15, "{turn}");
    }
    let model = load(&pair(&format!("type='planar'>{ENDS}<axis xyz='0 0 1'/>"))).unwrap();
    let motion = model.joints[0].motion_of(&[0.3, -0.4, 0.0]);
    assert_eq!(motion.translation.vector, Vector3::new(0.3, -0.4, 0.0));
}
