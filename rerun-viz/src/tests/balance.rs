//! Support polygons, centres of mass and wrenches against closed forms, and what a recording shows of them.

use super::*;
use crate::balance::{below, groups, margin, support};
use crate::wrenches::wrench;
use nalgebra::Matrix3;
use stickslip_record::InertialRecord;

fn points(list: &[[f64; 3]]) -> Vec<Point3<f64>> {
    list.iter().map(|p| Point3::from(*p)).collect()
}

#[test]
fn support_is_the_convex_hull_seen_from_above() {
    // A square with a point in it, one on an edge, one twice, at different heights.
    let square = points(&[
        [1.0, 1.0, 0.3],
        [0.0, 0.0, 0.0],
        [0.4, 0.5, 9.0],
        [0.5, 0.0, 0.0],
        [1.0, 0.0, 0.1],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0],
    ]);
    let corners = support(&square, &Vector3::z());
    assert_eq!(corners.len(), 4, "{corners:?}");
    // Counter-clockwise from above: twice the area by the shoelace formula is +2.
    let next = corners.iter().cycle().skip(1);
    let area: f64 = corners
        .iter()
        .zip(next)
        .map(|(a, b)| a.x * b.y - b.x * a.y)
        .sum();
    assert!((area - 2.0).abs() < 1e-12, "{area}");
    // With y up the same points are seen along y: heights don't count.
    let turned: Vec<_> = square.iter().map(|p| Point3::new(p.y, p.z, p.x)).collect();
    assert_eq!(support(&turned, &Vector3::y()).len(), 4);

    let line = points(&[
        [0.0, 0.0, 0.0],
        [2.0, 2.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.1, 0.1, 5.0],
    ]);
    let ends = support(&line, &Vector3::z());
    assert_eq!(ends.len(), 2, "{ends:?}");
    assert!((ends[0] - ends[1]).norm() > 2.8);
    let same = points(&[[0.5, 0.5, 0.0]; 3]);
    assert_eq!(support(&same, &Vector3::z()).len(), 1);
    assert_eq!(support(&[], &Vector3::z()).len(), 0);
}

#[test]
fn the_margin_is_the_distance_to_the_nearest_edge() {
    let up = Vector3::z();
    let square = support(
        &points(&[
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [2.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
        ]),
        &up,
    );
    let at = |corners: &[Point3<f64>], x: f64, y: f64| {
        margin(corners, &Point3::new(x, y, 3.0), &up).expect("support")
    };
    assert!((at(&square, 0.3, 0.5) - 0.3).abs() < 1e-12);
    assert!((at(&square, 1.0, 0.9) - 0.1).abs() < 1e-12);
    // Beside a corner: 3, 4 -> 5.
    assert!((at(&square, 2.3, 1.4) + 0.5).abs() < 1e-12);
    let segment = points(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    assert!((at(&segment, 0.5, 0.2) + 0.2).abs() < 1e-12);
    assert!((at(&points(&[[1.0, 1.0, 0.0]]), 1.0, 3.0) + 2.0).abs() < 1e-12);
    assert_eq!(margin(&[], &Point3::origin(), &up), None);
}

#[test]
fn a_wrench_is_the_sum_of_forces_about_the_centre_of_pressure() {
    let mut pair = [
        contact(ContactState::Sticking, 10.0),
        contact(ContactState::Sticking, 30.0),
    ];
    // Body 1 is the second of the first contact and the first of the other, whose forces on it are turned.
    pair[0].point = Point3::new(0.0, 0.0, 0.0);
    pair[0].friction_force = Vector3::new(0.0, 4.0, 0.0);
    pair[1].point = Point3::new(0.4, 0.0, 0.0);
    pair[1].bodies = [Some(1), Some(0)];
    pair[1].normal = -Vector3::z();
    pair[1].friction_force = Vector3::new(0.0, 4.0, 0.0);
    // Torsional and rolling friction, turned like the forces.
    pair[0].spin_torque = Vector3::new(0.5, 0.25, 2.0);
    pair[1].spin_torque = Vector3::new(0.25, 0.5, -1.0);
    let mut other = contact(ContactState::Sticking, 99.0);
    other.bodies = [Some(0), Some(2)];
    let step = step(0, 0.01, [pair.to_vec(), vec![other]].concat());
    let found = wrench(1, &step).expect("pressed");
    assert!((found.point - Point3::new(0.3, 0.0, 0.0)).norm() < 1e-12);
    assert!((found.force - Vector3::new(0.0, 0.0, 40.0)).norm() < 1e-12);
    // -0.3 x (0, 4, 10) + 0.1 x (0, -4, 30): about z -1.2 - 0.4, about y 3 - 3; and the first spin less the other.
    let torque = Vector3::new(0.25, -0.25, -1.6 + 3.0);
    assert!((found.torque - torque).norm() < 1e-12, "{found:?}");
    assert_eq!(wrench(7, &step), None);
}

/// The test scene with masses: the robot's only link, 2 kg, and a ball of 1 kg.
fn heavy() -> SceneRecord {
    let mut scene = scene();
    for (body, mass) in scene.bodies[1..].iter_mut().zip([2.0, 1.0]) {
        body.inertial = Some(InertialRecord {
            mass,
            center: Point3::new(0.5, 0.0, 0.0),
            inertia: Matrix3::identity(),
            gravity_scale: 1.0,
        });
    }
    scene.gravity = Vector3::new(0.0, 0.0, -10.0);
    scene
}

#[test]
fn what_stands_is_a_robot_or_the_free_bodies() {
    let scene = heavy();
    let step = step(0, 0.01, vec![]);
    let robot = groups(&scene);
    assert_eq!(robot.len(), 1, "the ball is no part of it");
    // The link is turned by a quarter about z: its centre of mass lies along y.
    let center = robot[0].center(&scene, &step).expect("mass");
    assert!(
        (center - Point3::new(0.0, 0.5, 0.1)).norm() < 1e-12,
        "{center}"
    );

    let mut free = scene.clone();
    free.bodies[1].robot = None;
    let both = groups(&free);
    assert_eq!(both.len(), 1);
    // (2 (0, 0.5, 0.1) + (0.5, 1, 0.1)) / 3.
    let center = both[0].center(&free, &step).expect("mass");
    let expected = Point3::new(0.5 / 3.0, 2.0 / 3.0, 0.1);
    assert!((center - expected).norm() < 1e-12, "{center}");

    let mut fixed = scene.clone();
    fixed.bodies[0].robot = fixed.bodies[1].robot.clone();
    fixed.bodies.truncate(2);
    assert!(groups(&fixed).is_empty(), "a fixed base needs no balance");
}

/// The normal points from the first body to the second: a body on the ground is carried by one upwards as second and by
/// one downwards as first, and hangs on the others.
#[test]
fn feet_are_found_whichever_body_comes_first() {
    let of = |bodies, normal| {
        let mut contact = contact(ContactState::Sticking, 10.0);
        (contact.bodies, contact.normal) = (bodies, normal);
        contact
    };
    let group = &groups(&heavy())[0];
    let up = Vector3::z();
    for (bodies, carries) in [([Some(0), Some(1)], 1.0), ([Some(1), Some(0)], -1.0)] {
        for sign in [1.0, -1.0] {
            let found = group.feet(&step(0, 0.01, vec![of(bodies, up * sign)]), &up);
            assert_eq!(found.len(), usize::from(sign == carries), "{bodies:?}");
        }
    }
}

/// A foot on a slope of 59 degrees carries, on one of 61 degrees it does not; nor does one that nothing presses.
#[test]
fn feet_carry_up_to_sixty_degrees_and_under_pressure() {
    let up = Vector3::z();
    let group = &groups(&heavy())[0];
    for (degrees, force, carries) in [(59.0, 10.0, 1), (61.0, 10.0, 0), (0.0, 0.0, 0)] {
        let tilt = f64::to_radians(degrees);
        let mut foot = contact(ContactState::Sticking, force);
        foot.normal = Vector3::new(tilt.sin(), 0.0, tilt.cos());
        let found = group.feet(&step(0, 0.01, vec![foot]), &up);
        assert_eq!(found.len(), carries, "{degrees} degrees, {force} N");
    }
}

/// Corners at heights of 0, 0 and 0.3 m along a tilted vertical, the body 1.1 m above the plane through the
/// origin: down to 0.1 m.
#[test]
fn the_plumb_line_ends_at_the_height_of_the_support() {
    let up = Vector3::new(0.6, 0.0, 0.8);
    let across = [Vector3::y(), Vector3::new(0.8, 0.0, -0.6)];
    let corners: Vec<_> = [across[0], across[1] * 2.0, -across[0] + up * 0.3]
        .map(Point3::from)
        .into();
    let body = Point3::from(across[0] * 0.2 + across[1] * 0.4 + up * 1.1);
    let foot = below(&body, &corners, &up);
    assert!((foot - (body - up)).norm() < 1e-15, "{foot}");
}

#[test]
fn balance_wrenches_cones_and_tangents_are_recorded() {
    let mut scene = heavy();
    scene.bodies[1].is_end = true;
    let corner = |x: f64, y: f64| {
        let mut contact = contact(ContactState::Sticking, 10.0);
        contact.point = Point3::new(x, y, 0.0);
        contact.friction_force = Vector3::zeros();
        contact
    };
    let mut around = vec![corner(-1.0, 0.0), corner(1.0, 0.0), corner(0.0, 2.0)];
    around[1].spin_torque = Vector3::new(0.0, 0.3, 0.4);
    // The centre of mass at (0, 0.5): inside, then beside, though the world's origin is inside.
    let beside = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(0.0, 0.4)];
    let mut steps = [
        step(0, 0.01, around),
        step(1, 0.01, beside),
        step(2, 0.01, vec![]),
    ];
    for step in &mut steps {
        step.body_poses[1].translation.vector.x = 0.0;
    }
    steps[1].report.solve.fallbacks = 1;
    let read = written("details", RecorderOptions::default(), &scene, &steps);
    let lens = |rows: Vec<Vec<[f32; 3]>>| rows.iter().map(Vec::len).collect::<Vec<_>>();

    let centers = read.vectors(&format!("/{CENTER_OF_MASS}"), "Points3D:positions");
    assert_eq!(centers.len(), 3);
    for row in &centers {
        let off = Vector3::from(row[0]) - Vector3::new(0.0, 0.5, 0.1);
        assert!(off.norm() < 1e-6, "{centers:?}");
    }
    let colors = read.numbers(&format!("/{SUPPORT}"), "LineStrips3D:colors");
    assert_eq!(
        colors,
        [
            vec![rgba([235, 235, 240, 255])],
            vec![rgba(TROUBLED)],
            vec![]
        ]
    );
    assert_eq!(read.rows(&format!("/{PLUMB_LINE}")), 3);

    let forces = read.vectors(&format!("/{WRENCH_FORCES}"), "Arrows3D:vectors");
    assert_eq!(lens(forces), [1, 1, 0]);
    let at = read.vectors(&format!("/{WRENCH_FORCES}"), "Arrows3D:origins");
    assert!((at[0][0][1] - 2.0 / 3.0).abs() < 1e-6, "{at:?}");
    assert_eq!(
        read.curve(&format!("/{WRENCH_FORCE_CURVES}")),
        [[30.0], [30.0], [0.0]]
    );
    // Equal forces about their mean: the torques of spinning friction alone.
    let torques = read.curve(&format!("/{WRENCH_TORQUE_CURVES}"));
    let torques: Vec<f64> = torques.iter().map(|row| row[0]).collect();
    assert!((torques[0] - 0.5).abs() < 1e-6, "{torques:?}");
    assert_eq!(torques[1..], [0.0, 0.0]);
    let names = read.words(&format!("/{WRENCH_TORQUE_CURVES}"), "SeriesLines:names");
    assert_eq!(names, ["base link torque [N m]"]);

    let tangents = read.vectors(&format!("/{CONTACT_TANGENTS}"), "Arrows3D:vectors");
    assert_eq!(lens(tangents), [6, 6, 0]);
    let cones = read.vectors(&format!("/{CONTACT_CONES}"), "InstancePoses3D:scales");
    // Without a contact one of size zero: else the viewer would draw the mesh itself.
    assert_eq!(cones.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3, 1]);
    assert_eq!(cones[2][0], [0.0; 3]);
    assert!((cones[0][0][0] / cones[0][0][2] - 0.4).abs() < 1e-6, "mu");

    // What carries in a step that fell back is orange.
    let points = read.numbers(&format!("/{CONTACT_POINTS}"), "Points3D:colors");
    assert_eq!(points[0], [rgba(STICKING); 3]);
    assert_eq!(points[1], [rgba(TROUBLED); 3]);
}
