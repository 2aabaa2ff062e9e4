//! Contacts between bodies that a joint holds together, which rapier makes unless told otherwise.

use super::*;
use crate::tests::EPS;

/// Links that overlap at their joints swing from a hook.
fn chain(links: u32, contacts: bool) -> (World, Vec<RigidBodyHandle>, Vec<ImpulseJointHandle>) {
    let mut world = World::new(1.0 / 60.0);
    let mut last = anchor(&mut world);
    let (mut bodies, mut joints) = (Vec::new(), Vec::new());
    for k in 0..links {
        let at = vec3(0.15 + 0.3 * f64::from(k), 0.0, 0.0);
        let shape = ColliderBuilder::capsule_x(num(0.15), num(0.08));
        let next = world.add(RigidBodyBuilder::dynamic().translation(at), shape);
        let end = if k == 0 { 0.0 } else { 0.15 };
        let joint = SphericalJointBuilder::new()
            .local_anchor1(vec3(end, 0.0, 0.0))
            .local_anchor2(vec3(-0.15, 0.0, 0.0))
            .contacts_enabled(contacts);
        joints.push(world.impulse_joints.insert(last, next, joint, true));
        bodies.push(next);
        last = next;
    }
    (world, bodies, joints)
}

/// Cause: an overlap at the anchor was a contact besides the joint. Its pressure is any (the joint takes it), and so is its
/// friction; chains whipped at 100 m/s and opened by half a metre. Such an overlap is the joint's: the chain swings as
/// one without those contacts.
#[test]
fn overlaps_at_an_anchor_are_the_joints() {
    let (mut touching, bodies, joints) = chain(6, true);
    let (mut apart, others, _) = chain(6, false);
    for _ in 0..60 {
        touching.step();
        apart.step();
        for (a, b) in bodies.iter().zip(&others) {
            let off = touching.position(*a) - apart.position(*b);
            assert!(off.norm() < 100.0 * EPS, "{off}");
        }
        let gap = joints.iter().map(|joint| opening(&touching, *joint));
        let gap = gap.fold(0.0, f64::max);
        assert!(gap < 1e-4, "{gap}");
    }
    // Rapier does have them.
    let pairs = touching.narrow_phase.contact_pairs();
    let overlapping = pairs.filter(|pair| pair.has_any_active_contact()).count();
    assert!(overlapping >= 5, "{overlapping}");
}

/// What touches away from the anchor is a contact like any other: the second link of a hinge falls until it lies on the
/// first.
#[test]
fn touches_away_from_an_anchor_are_contacts() {
    let mut world = World::new(1.0 / 60.0);
    let hook = anchor(&mut world);
    let plate = ColliderBuilder::cuboid(num(1.0), num(1.0), num(0.1));
    world
        .colliders
        .insert_with_parent(plate, hook, &mut world.bodies);
    let rod = ColliderBuilder::cuboid(num(0.4), num(0.05), num(0.05));
    let place = RigidBodyBuilder::dynamic()
        .translation(vec3(-0.4, 0.0, 0.7))
        .rotation(vec3(0.0, 0.3, 0.0));
    let rod = world.add(place, rod);
    let joint = RevoluteJointBuilder::new(vec3(0.0, 1.0, 0.0))
        .local_anchor1(vec3(0.0, 0.0, 0.6))
        .local_anchor2(vec3(0.4, 0.0, 0.0));
    world.impulse_joints.insert(hook, rod, joint, true);
    for _ in 0..240 {
        world.step();
    }
    // Its corner at (-0.4, -0.05) from the centre, 0.8 and 0.05 from the pin, is on the plate 0.5 below that.
    let pose = isometry(world.bodies[rod].position());
    let lowest = [-0.05, 0.05].map(|z| (pose * nalgebra::Point3::new(-0.4, 0.0, z)).z);
    let lowest = lowest[0].min(lowest[1]);
    assert!((lowest - 0.1).abs() < 1e-4, "{lowest}");
}
