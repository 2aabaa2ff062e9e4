//! The project's own robots.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_8};

use nalgebra::{Isometry3, Point3, Vector3};

use super::*;
use crate::{Base, Geometry, JointKind};

#[test]
fn gripper_touches_two_cubes_at_zero() {
    let model = asset("gripper.urdf");
    assert!(model.notes.is_empty(), "{:?}", model.notes);
    let poses = model.link_poses(&vec![0.0; model.joints.len()]);
    for (name, x, sign) in [("left_finger", -0.15, 1.0), ("right_finger", 0.15, -1.0)] {
        let joint = &model.joints[model.joint_index(name).unwrap()];
        assert_eq!(joint.kind, JointKind::Prismatic);
        assert_eq!(joint.axis.into_inner(), Vector3::x() * sign);
        assert!(joint.effort.unwrap() >= 200.0);
        let link = &model.links[joint.child];
        let i = link.inertial.unwrap();
        assert_eq!(i.mass, 1.0);
        // m s^2 / 6.
        assert!((i.inertia - nalgebra::Matrix3::identity() * 0.01 / 6.0).norm() < 1e-17);
        assert_eq!(link.collisions.len(), 1);
        let size = Vector3::repeat(0.1);
        assert_eq!(link.collisions[0].geometry, Geometry::Box { size });
        assert!((poses[joint.child].translation.vector - Vector3::x() * x).norm() < 1e-17);
    }
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &InsertOptions::default()).unwrap();
    assert_eq!(robot.base, Base::Fixed);
    assert_eq!(scene.multibody(&robot).ndofs(), 2);
    assert_eq!((robot.bodies.len(), robot.collider_count()), (3, 2));
    assert!(robot.warnings.is_empty(), "{:?}", robot.warnings);
}

/// Table A2: parts, masses and places of the paper's robot.
#[test]
fn quadruped_is_the_papers() {
    let model = asset("quadruped.urdf");
    // The paper states no speed limits.
    let other = model.notes.iter().find(|n| !n.text.contains("no velocity"));
    assert_eq!(other, None);
    assert!((model.mass() - 1.34).abs() < 1e-12);
    let moving: Vec<_> = model
        .joints
        .iter()
        .filter(|j| j.kind != JointKind::Fixed)
        .collect();
    assert_eq!(moving.len(), 12);
    assert!(
        moving
            .iter()
            .all(|j| j.effort == Some(4.0) && j.limits.is_none())
    );
    assert_eq!(model.collision_count(), 6);

    let at = |q: &[f64], name: &str| {
        model.link_poses(q)[model.link_index(name).unwrap()]
            .translation
            .vector
    };
    let zero = vec![0.0; model.joints.len()];
    for (leg, sx, sy) in [
        ("lf", 1.0, 1.0),
        ("rf", 1.0, -1.0),
        ("lh", -1.0, 1.0),
        ("rh", -1.0, -1.0),
    ] {
        for (part, x) in [
            ("leg1", 0.10),
            ("leg2", 0.15),
            ("leg3", 0.25),
            ("foot", 0.35),
        ] {
            let expected = Vector3::new(x * sx, 0.06 * sy, 0.0);
            assert!((at(&zero, &format!("{leg}_{part}")) - expected).norm() < 1e-15);
        }
    }
    // The standing start puts all four feet at one height, 0.2 sin(pi/4) cos(pi/8) below the hip.
    let mut start = zero.clone();
    for (leg, sign) in [("lf", 1.0), ("rf", -1.0), ("lh", -1.0), ("rh", 1.0)] {
        for (joint, value) in [
            ("hip", FRAC_PI_8),
            ("thigh", FRAC_PI_4),
            ("knee", FRAC_PI_2),
        ] {
            start[model.joint_index(&format!("{leg}_{joint}")).unwrap()] = sign * value;
        }
    }
    let (a, b) = (FRAC_PI_4, FRAC_PI_4 + FRAC_PI_2);
    let depth = -0.1 * (a.sin() + b.sin()) * FRAC_PI_8.cos();
    for leg in ["lf", "rf", "lh", "rh"] {
        assert!((at(&start, &format!("{leg}_foot")).z - depth).abs() < 1e-15);
    }

    let mut scene = Scene::default();
    let robot = scene.insert(&model, &InsertOptions::default()).unwrap();
    assert_eq!(robot.base, Base::Floating);
    assert_eq!(scene.multibody(&robot).ndofs(), 18);
    assert_eq!((robot.bodies.len(), robot.collider_count()), (13, 6));
}

/// Every link of the arm where the model's own kinematics put it, off its zero.
#[test]
fn arm_links_are_where_the_model_says() {
    let model = asset("arm.urdf");
    let wanted = [
        ("turret", 0.7),
        ("shoulder", -0.4),
        ("elbow", 1.1),
        ("telescope", 0.05),
        ("wrist", -0.9),
        ("left_jaw", 0.02),
    ];
    let mut options = InsertOptions {
        pose: Isometry3::new(Vector3::new(0.3, -0.2, 0.5), Vector3::new(0.1, 0.2, -0.3)),
        ..InsertOptions::default()
    };
    options.initial = wanted.map(|(n, q)| (n.to_string(), q)).into();
    let mut scene = Scene::default();
    let robot = scene.insert(&model, &options).unwrap();
    assert!(robot.warnings.is_empty(), "{:?}", robot.warnings);
    let mut q = vec![0.0; model.joints.len()];
    for (name, value) in wanted {
        q[model.joint_index(name).unwrap()] = value;
    }
    q[model.joint_index("right_jaw").unwrap()] = 0.02;
    // Five rotations and six offsets of about 1 m in all, each rounded a few times.
    let tolerance = 64.0 * f64::from(Real::EPSILON);
    for (link, pose) in robot.links.iter().zip(model.link_poses(&q)) {
        let (have, want) = (link.pose(&scene.bodies).unwrap(), options.pose * pose);
        for point in [Vector3::zeros(), Vector3::x(), Vector3::y()] {
            let p = Vector::from_array(point.data.0[0].map(real));
            let (h, w) = (have * p, want * Point3::from(point));
            for k in 0..3 {
                assert!(close(h[k], w[k], tolerance), "{}: {h} {w}", link.name);
            }
        }
        for &c in &link.colliders {
            assert_eq!(scene.colliders[c].parent(), Some(link.body));
        }
    }
    for joint in &robot.joints {
        if let Some(have) = joint.position(&scene.joints) {
            assert!(close(have, joint.initial[0], f64::from(Real::EPSILON)));
        }
    }
}
