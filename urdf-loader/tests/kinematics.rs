//! Forward kinematics against the crate `k`, and inverse kinematics by it.
//!
//! `k` reads the files itself here (through urdf-rs), so that nothing of ours stands on both sides.
//! The project's own robots are always there; public ones come from the folder that STICKSLIP_ROBOTS names.

#![allow(clippy::unwrap_used)] // A test may stop at the first surprise.

mod common;

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use nalgebra::{Isometry3, Point3, Quaternion, Translation3, UnitQuaternion};
use stickslip_random::Random;
use stickslip_urdf::{
    IkOptions, IkTarget, JointKind, KinematicsError, LoadOptions, RobotModel, UrdfError,
};

/// Metres and radians. Round-off of some twenty rotations of poses of a metre is 1e-14.
const TOLERANCE: f64 = 1e-9;

fn load(path: &Path) -> Result<RobotModel, UrdfError> {
    RobotModel::from_file(path, &LoadOptions::default())
}

fn assets() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets");
    ["gripper.urdf", "quadruped.urdf", "arm.urdf"]
        .map(|f| folder.join(f))
        .into()
}

fn random_positions(model: &RobotModel, random: &mut Random) -> Vec<f64> {
    let mut q: Vec<f64> = model
        .joints
        .iter()
        .map(|joint| match (joint.limits, joint.kind.dofs()) {
            (Some(l), 1) => random.between(l.lower, l.upper),
            (None, 1) => random.between(-PI, PI),
            _ => 0.0,
        })
        .collect();
    model.follow(&mut q);
    q
}

/// Largest difference of link poses over random configurations (m or rad).
fn worst(model: &RobotModel, chain: &k::Chain<f64>, configurations: usize) -> f64 {
    let mut random = Random::new(7);
    let mut worst = 0.0f64;
    for _ in 0..configurations {
        let q = random_positions(model, &mut random);
        for (joint, q) in model.joints.iter().zip(&q) {
            if joint.kind.dofs() == 1 {
                chain
                    .find(&joint.name)
                    .unwrap()
                    .set_joint_position_unchecked(*q);
            }
        }
        chain.update_transforms();
        let ours = model.link_poses(&q);
        for joint in &model.joints {
            let theirs = chain.find(&joint.name).unwrap().world_transform().unwrap();
            let (t, r) = (theirs.translation.vector, theirs.rotation.coords);
            let theirs = Isometry3::from_parts(
                Translation3::new(t.x, t.y, t.z),
                UnitQuaternion::new_unchecked(Quaternion::new(r.w, r.x, r.y, r.z)),
            );
            let apart = ours[joint.child].inv_mul(&theirs);
            worst = worst
                .max(apart.translation.vector.norm())
                .max(apart.rotation.angle());
        }
    }
    worst
}

#[test]
fn forward_kinematics_is_ks() {
    // urdf-rs refuses limits without a velocity, which the quadruped has: k gets that one from us alone.
    assert_eq!(agree_with_k(&assets()), 2);
}

#[test]
#[ignore = "needs public robots: set STICKSLIP_ROBOTS, see CONTRIBUTING.md"]
fn forward_kinematics_of_public_robots_is_ks() {
    let robots = common::robots("STICKSLIP_ROBOTS");
    let compared = agree_with_k(&robots);
    assert!(compared >= 10, "k read {compared} of {}", robots.len());
}

/// Fails where poses differ from k's; how many files k could read itself.
fn agree_with_k(robots: &[PathBuf]) -> usize {
    let mut compared = 0;
    for path in robots {
        let name = path.file_name().unwrap().to_string_lossy();
        let model = match load(path) {
            Ok(model) => model,
            Err(reason @ UrdfError::MeshNotFound { .. }) => {
                println!("{name}: skipped, {reason}");
                continue;
            }
            Err(reason) => panic!("{reason}"),
        };
        for joint in &model.joints {
            if joint.kind.dofs() > 1 {
                println!(
                    "{name}: k has no {:?} joint: `{}` stands still",
                    joint.kind, joint.name
                );
            }
        }
        match urdf_rs::read_file(path) {
            Ok(robot) => {
                let apart = worst(&model, &k::Chain::from(&robot), 1000);
                println!(
                    "{name}: {} links, k's reading {apart:.1e}",
                    model.links.len()
                );
                assert!(apart <= TOLERANCE, "{name}: {apart:e}");
                compared += 1;
            }
            Err(reason) => println!("{name}: k can't read it: {reason}"),
        }
        let apart = worst(&model, &model.k_chain().unwrap(), 1000);
        println!("{name}: by k_chain {apart:.1e}");
        assert!(apart <= TOLERANCE, "{name} by k_chain: {apart:e}");
    }
    compared
}

fn made_up(inside: &str) -> RobotModel {
    let inertial = r#"<inertial><mass value="1"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>"#;
    let text = format!(
        "<robot name='r'>{}</robot>",
        inside.replace("{I}", inertial)
    );
    RobotModel::from_urdf(&text, Path::new("made/up.urdf"), &LoadOptions::default()).unwrap()
}

/// Links a, b, ... joined in a row by joints j1, j2, ... of the given inner text.
fn row(joints: &[&str]) -> RobotModel {
    let name = |i: usize| char::from(b'a' + i as u8);
    let mut text = String::from("<link name='a'/>");
    for (i, joint) in joints.iter().enumerate() {
        let (parent, child, number) = (name(i), name(i + 1), i + 1);
        text += &format!(
            "<link name='{child}'>{{I}}</link><joint name='j{number}' {joint}\
             <origin xyz='0 0 1'/><parent link='{parent}'/><child link='{child}'/></joint>"
        );
    }
    made_up(&text)
}

/// q1 leads q2 = 2 q1 + 0.1, which leads q3 = -3 q2 + 0.2 = -6 q1 - 0.1.
#[test]
fn a_chain_of_mimics_is_led_by_its_first_joint() {
    let follow = |joint: &str, m: &str, o: &str| {
        format!(
            "type='continuous'><mimic joint='{joint}' multiplier='{m}' offset='{o}'/><axis xyz='1 0 0'/>"
        )
    };
    let second = follow("j1", "2", "0.1");
    let third = follow("j2", "-3", "0.2");
    let model = row(&["type='continuous'><axis xyz='1 0 0'/>", &second, &third]);
    let m = model.leader(2);
    assert_eq!(m.joint, 0);
    assert!((m.multiplier + 6.0).abs() < 1e-15 && (m.offset + 0.1).abs() < 1e-15);
    let mut q = [0.5, 9.0, 9.0];
    model.follow(&mut q);
    assert!(
        (q[1] - 1.1).abs() < 1e-15 && (q[2] + 3.1).abs() < 1e-15,
        "{q:?}"
    );
    // k itself passes a position on by one joint only; k_chain knows the leader.
    let chain = model.k_chain().unwrap();
    chain.find("j1").unwrap().set_joint_position(0.5).unwrap();
    let third = chain.find("j3").unwrap().joint_position().unwrap();
    assert!((third - q[2]).abs() < 1e-15, "{third}");
}

#[test]
fn inverse_kinematics_reaches_what_is_reachable() {
    let cases = [
        ("quadruped.urdf", "lf_foot", false),
        ("quadruped.urdf", "rh_foot", false),
    ];
    reaches(&assets(), &cases);
}

#[test]
#[ignore = "needs public robots: set STICKSLIP_ROBOTS, see CONTRIBUTING.md"]
fn public_robots_reach_what_is_reachable() {
    let cases = [
        ("panda.urdf", "panda_link8", true),
        ("a1.urdf", "FL_foot", false),
        ("solo12.urdf", "FR_FOOT", false),
        ("allegro_right_hand.urdf", "link_3.0_tip", false),
    ];
    reaches(&common::robots("STICKSLIP_ROBOTS"), &cases);
}

/// Every pose that forward kinematics makes is found again, and the answer is within limits: file, link,
/// whether its rotation counts.
fn reaches(robots: &[PathBuf], cases: &[(&str, &str, bool)]) {
    for &(file, link, with_rotation) in cases {
        let path = robots.iter().find(|p| p.ends_with(file)).unwrap();
        let model = load(path).unwrap();
        let end = model.link_index(link).unwrap();
        let mut random = Random::new(3);
        let (mut worst, mut tries) = (0.0f64, 0);
        for _ in 0..50 {
            let pose = model.link_poses(&random_positions(&model, &mut random))[end];
            let target = if with_rotation {
                IkTarget::pose(pose)
            } else {
                IkTarget::position(Point3::from(pose.translation.vector))
            };
            let found = model.ik(link, &target, &IkOptions::default());
            let found = found.unwrap_or_else(|e| panic!("{file}: {e}"));
            let there = model.link_poses(&found.positions)[end];
            let (distance, angle) = target.distance(&there);
            assert!(
                distance <= 1e-6 && angle <= 1e-6,
                "{file}: {distance:e} {angle:e}"
            );
            for (joint, q) in model.joints.iter().zip(&found.positions) {
                assert!(
                    joint.limits.is_none_or(|l| l.clamp(*q) == *q),
                    "{file}: {}",
                    joint.name
                );
            }
            worst = worst.max(distance).max(angle);
            tries = tries.max(found.tries);
        }
        println!("{file}: 50 targets, at most {worst:.1e} left, at most {tries} starts");
    }
}

/// Two links of 1 m in a plane: a target 5 m away leaves 5 - 2 - 1 (the shoulder's height).
#[test]
fn out_of_reach_says_how_far() {
    let hinge = "type='continuous'><axis xyz='1 0 0'/>";
    let slide =
        "type='prismatic'><limit lower='-1' upper='1' effort='1' velocity='1'/><axis xyz='1 0 0'/>";
    let model = row(&[slide, hinge, hinge]);
    let target = IkTarget::position(Point3::new(5.0, 0.0, 3.0));
    let error = model.ik("d", &target, &IkOptions::default()).unwrap_err();
    let KinematicsError::NotReached { distance, .. } = error else {
        panic!("{error}");
    };
    // The slide reaches x = 1 and the arm stands upright, as high as the target.
    assert!((4.0..4.5).contains(&distance), "{distance}");
    assert!(error.to_string().contains("link `d`"));
}

#[test]
fn what_k_would_panic_on_is_refused() {
    let hinge = "type='continuous'><axis xyz='1 0 0'/>";
    let limited =
        "type='revolute'><limit lower='-1' upper='1' effort='1' velocity='1'/><axis xyz='0 1 0'/>";
    let mut model = row(&[hinge, limited, hinge]);
    let target = IkTarget::position(Point3::new(0.0, 0.5, 2.0));
    let options = IkOptions::default();
    let refuse = |model: &RobotModel, link: &str, target: &IkTarget, options: &IkOptions| {
        model.ik(link, target, options).unwrap_err().to_string()
    };
    assert!(refuse(&model, "nose", &target, &options).contains("`nose`"));
    assert!(refuse(&model, "c", &target, &options).contains("2 independent joints"));
    let far = IkTarget::position(Point3::new(f64::NAN, 0.0, 0.0));
    assert!(refuse(&model, "d", &far, &options).contains("target"));
    let far = IkTarget::position(Point3::new(1e300, 0.0, 0.0));
    assert!(refuse(&model, "d", &far, &options).contains("target"));
    let with = |change: &dyn Fn(&mut IkOptions)| {
        let mut options = IkOptions::default();
        change(&mut options);
        refuse(&model, "d", &target, &options)
    };
    assert!(with(&|o| o.tolerance = 0.0).contains("tolerance"));
    assert!(with(&|o| o.iterations = 0).contains("iterations"));
    assert!(
        with(&|o| {
            o.start.insert("nose".into(), 0.0);
        })
        .contains("`nose`")
    );
    assert!(
        with(&|o| {
            o.start.insert("j1".into(), f64::NAN);
        })
        .contains("`j1`")
    );
    // Nothing held: the start will do.
    let anywhere = IkTarget {
        held: [false; 6],
        ..target
    };
    assert_eq!(model.ik("d", &anywhere, &options).unwrap().tries, 1);
    // Models changed by hand.
    let mut broken = model.clone();
    broken.joints[1].limits.as_mut().unwrap().lower = 2.0;
    assert!(refuse(&broken, "d", &target, &options).contains("`j2`"));
    assert!(broken.k_chain().is_err());
    model.joints[0].origin.translation.vector.z = f64::NAN;
    assert!(model.k_chain().is_err() && model.ik("d", &target, &options).is_err());
}

/// A finger that mirrors another stands still while the arm reaches for it.
#[test]
fn followers_stay_with_their_leaders() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets");
    let model = load(&folder.join("arm.urdf")).unwrap();
    let follower = model.joints.iter().find(|j| j.mimic.is_some()).unwrap();
    let (link, leader) = (
        &model.links[follower.child].name,
        follower.mimic.unwrap().joint,
    );
    let start = [(model.joints[leader].name.clone(), 0.01)];
    let options = IkOptions {
        start: start.into(),
        ..IkOptions::default()
    };
    let mut goal = vec![0.0; model.joints.len()];
    goal[leader] = 0.01;
    for (q, joint) in goal.iter_mut().zip(&model.joints) {
        let moves = joint.kind == JointKind::Revolute || joint.kind == JointKind::Continuous;
        if moves {
            *q = joint.limits.map_or(0.3, |l| l.clamp(0.3));
        }
    }
    model.follow(&mut goal);
    let pose = model.link_poses(&goal)[follower.child];
    let target = IkTarget::position(Point3::from(pose.translation.vector));
    let found = model.ik(link, &target, &options).unwrap();
    let mut followed = found.positions.clone();
    model.follow(&mut followed);
    assert_eq!(found.positions, followed);
    assert_eq!(found.positions[leader], 0.01);
    let there = model.link_poses(&found.positions)[follower.child]
        .translation
        .vector;
    assert!((there - pose.translation.vector).norm() <= 1e-6);
}
