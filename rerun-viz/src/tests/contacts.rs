//! Cones against closed forms, the size of marks, and which contacts are shown and counted.

use super::*;
use crate::bounds::Extent;
use crate::contacts::Scale;
use crate::details::Cone;

const SCALE: Scale = Scale {
    meters_per_newton: 0.01,
    size: 2.0,
    arrows: stickslip_record::Arrows::Parts,
    is_heap: false,
};

#[test]
fn a_cone_holds_just_the_forces_that_its_bound_allows() {
    let mut contact = contact(ContactState::Sticking, 20.0);
    contact.normal = Vector3::x();
    contact.tangent = Vector3::y();
    contact.friction = Some([0.5, 0.25]);
    let cone = Cone::of(&contact, &SCALE).expect("pressed");
    // As high as the arrow of 20 N, 0.2 m; half widths mu h.
    assert!(
        (cone.size - Vector3::new(0.1, 0.05, 0.2)).norm() < 1e-7,
        "{cone:?}"
    );
    for (axis, expected) in [
        (Vector3::z(), Vector3::x()),
        (Vector3::x(), Vector3::y()),
        (Vector3::y(), Vector3::z()),
    ] {
        assert!(
            (cone.R_WC * axis - expected).norm() < 1e-12,
            "{axis} {cone:?}"
        );
    }
    // A force on the bound ends on the rim: 20 N along the normal, 0.5 * 20 along s.
    let force = Vector3::new(20.0, 10.0, 0.0);
    let rim = cone.R_WC * Vector3::new(cone.size.x, 0.0, cone.size.z);
    assert!((force * SCALE.meters_per_newton - rim).norm() < 1e-7);

    // Without a tangent the axis is still the normal, also where that is -z.
    contact.tangent = Vector3::zeros();
    contact.normal = -Vector3::z();
    let cone = Cone::of(&contact, &SCALE).expect("pressed");
    assert!((cone.R_WC * Vector3::z() + Vector3::z()).norm() < 1e-12);
}

#[test]
fn what_has_no_bound_has_no_cone() {
    let with = |friction, force| {
        let mut contact = contact(ContactState::Sticking, force);
        contact.friction = friction;
        Cone::of(&contact, &SCALE)
    };
    assert!(with(Some([0.5, 0.5]), 1.0).is_some());
    assert_eq!(with(None, 1.0), None);
    assert_eq!(with(Some([0.5, 0.5]), 0.0), None);
    assert_eq!(with(Some([0.0, 0.0]), 1.0), None);
    assert_eq!(with(Some([100.0, 100.0]), 1.0), None, "as good as none");
}

/// 240 bodies stand 2 = (240 / 30)^(1/3) times as close as 30 would in the same room: marks are half as long, and
/// a contact carries a quarter of what one of a few would.
#[test]
fn marks_in_a_heap_fit_between_its_bodies() {
    let extent = Extent {
        center: Point3::origin(),
        half: Vector3::repeat(2.0 / 3f64.sqrt()),
        size: 2.0,
    };
    let few = Scale::new(&extent, &scene(), &[], None);
    assert_eq!(few.size, 2.0);
    let mut heap = scene();
    heap.bodies = vec![heap.bodies[2].clone(); 240];
    let many = Scale::new(&extent, &heap, &[], None);
    assert!((many.size - 1.0).abs() < 1e-12, "{many:?}");
    let longer = many.meters_per_newton / few.meters_per_newton;
    assert!(
        (longer - 2.0).abs() < 1e-12,
        "half as long per quarter: {longer}"
    );
}

/// A heap of forty balls: what carries is coloured by how much, and the rest is not drawn; of a few bodies
/// everything is.
#[test]
fn a_heap_shows_what_carries() {
    let mut heap = scene();
    heap.bodies.truncate(1);
    for k in 0..40 {
        heap.bodies.push(BodyRecord {
            name: format!("ball {k}"),
            ..scene().bodies[2].clone()
        });
    }
    let mut contacts = vec![contact(ContactState::Separated, 0.0); 10];
    contacts.push(contact(ContactState::Sliding, 20.0));
    contacts.push(contact(ContactState::Sticking, 5.0));
    contacts.push(contact(ContactState::Sticking, 0.1));
    let one = |scene: &SceneRecord, name: &str| {
        let mut step = step(0, 0.01, contacts.clone());
        step.body_poses = vec![Isometry3::identity(); scene.bodies.len()];
        let read = written(name, options(Frames::EverySteps(1)), scene, &[step]);
        read.numbers(&format!("/{CONTACT_POINTS}"), "Points3D:colors")
    };
    let colors = one(&heap, "heap");
    assert_eq!(colors[0], [1.0, 0.25].map(|share| rgba(load_color(share))));
    assert_eq!(load_color(1.0), [255, 255, 255, 255]);
    assert_eq!(one(&scene(), "few")[0].len(), 13);
}

/// Parts that joints hold together are a machine, however many there are.
#[test]
fn a_machine_of_many_parts_is_no_heap() {
    let mut machine = scene();
    let part = machine.bodies[2].clone();
    machine.bodies.resize(40, part);
    let extent = Extent {
        center: Point3::origin(),
        half: Vector3::repeat(2.0 / 3f64.sqrt()),
        size: 2.0,
    };
    assert!(Scale::new(&extent, &machine, &[], None).is_heap);
    machine.joints = vec![stickslip_record::JointRecord::default(); 36];
    assert!(!Scale::new(&extent, &machine, &[], None).is_heap);
}

/// A foot that hardly touches slips as it likes: neither curve nor colour says that something is wrong. Loaded,
/// it does.
#[test]
fn slip_of_contacts_without_a_load_is_no_alarm() {
    let foot = |force: f64, speed: f64| {
        let mut contact = contact(ContactState::Sliding, force);
        contact.slip_velocity = Vector3::new(speed, 0.0, 0.0);
        contact
    };
    let steps = [
        step(0, 0.01, vec![foot(100.0, 3e-16), foot(0.9, 1.0)]),
        step(1, 0.01, vec![foot(100.0, 3e-16), foot(5.1, 1.0)]),
    ];
    let read = written("feet", options(Frames::EverySteps(1)), &scene(), &steps);
    let slip = read.curve("/plots/slip/max");
    assert!((slip[0][0] - SLIP_FLOOR.log10()).abs() < 1e-12, "{slip:?}");
    assert!(slip[1][0].abs() < 1e-12, "{slip:?}");
    let used = read.curve("/plots/utilisation/max");
    // 3 N at mu = 0.4 under 100 N, and under 5.1 N.
    assert!((used[0][0] - 3.0 / 40.0).abs() < 1e-12, "{used:?}");
    assert!((used[1][0] - 3.0 / 2.04).abs() < 1e-12, "{used:?}");
    let colors = read.numbers(&format!("/{CONTACT_POINTS}"), "Points3D:colors");
    assert_eq!(colors[0], [rgba(SLIDING), rgba(SEPARATED)]);
    assert_eq!(colors[1], [rgba(SLIDING), rgba(SLIDING)]);
}

/// The step that sets a foot down stops it, and is no slip; the next one is.
#[test]
fn slip_begins_with_the_step_after_the_touch() {
    let foot = |state: ContactState| {
        let mut contact = contact(state, 100.0);
        contact.slip_velocity = Vector3::new(1.0, 0.0, 0.0);
        vec![contact]
    };
    let states = [
        ContactState::Separated,
        ContactState::Sliding,
        ContactState::Sliding,
    ];
    let steps = states.into_iter().enumerate();
    let steps: Vec<_> = steps
        .map(|(k, state)| step(k as u64, 0.01, foot(state)))
        .collect();
    let read = written("touch", options(Frames::EverySteps(1)), &scene(), &steps);
    let slip = read.curve("/plots/slip/max");
    let floor = SLIP_FLOOR.log10();
    for (row, expected) in slip.iter().zip([floor, floor, 0.0]) {
        assert!((row[0] - expected).abs() < 1e-12, "{slip:?}");
    }
}

/// A foot is stopped from above the ground without friction, over some steps: no slip. What slides on a gap that
/// its model leaves open, with friction, slips.
#[test]
fn what_comes_down_without_friction_does_not_slip() {
    let above = |gap: f64, friction: f64| {
        let mut contact = contact(ContactState::Sliding, 100.0);
        contact.gap = gap;
        contact.friction_force = Vector3::new(friction, 0.0, 0.0);
        contact.slip_velocity = Vector3::new(1.0, 0.0, 0.0);
        vec![contact]
    };
    // A foot comes down over 5 um too: models hold it from 1 um on.
    let steps = [(1e-3, 0.0), (5e-6, 0.0), (1e-3, 40.0)];
    let steps = steps.map(|(gap, friction)| step(0, 0.01, above(gap, friction)));
    let read = written("above", options(Frames::EverySteps(1)), &scene(), &steps);
    let slip = read.curve("/plots/slip/max");
    let floor = SLIP_FLOOR.log10();
    for (row, expected) in slip.iter().zip([floor, floor, 0.0]) {
        assert!((row[0] - expected).abs() < 1e-12, "{slip:?}");
    }
}
