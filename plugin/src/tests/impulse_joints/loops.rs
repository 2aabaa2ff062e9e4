//! Closed loops: of free bodies, and of a multibody tree through an impulse joint.

use super::*;

/// A four-bar linkage in the xz plane; ground, crank, coupler and rocker are four bodies. All
/// out-of-plane rows are redundant.
#[test]
fn a_four_bar_loop_stays_closed() {
    let mut world = World::new(2e-3);
    let ground = anchor(&mut world);
    // Joints of the loop: not a parallelogram, not at a dead centre.
    let points = [[0.0, 0.0], [0.1, 0.4], [0.9, 0.6], [1.0, 0.0]];
    let mut bodies = vec![ground];
    for k in 0..3 {
        let [a, b] = [points[k], points[k + 1]];
        let middle = [(a[0] + b[0]) / 2.0, 0.0, (a[1] + b[1]) / 2.0];
        bodies.push(body(&mut world, 1.0, [0.02, 0.03, 0.02], middle));
    }
    bodies.push(ground);
    let mut joints = Vec::new();
    for k in 0..4 {
        let [x, z] = points[k];
        let arm = |world: &World, body| {
            let at = world.position(body);
            vec3(x - at.x, 0.0, z - at.z)
        };
        let hinge = RevoluteJointBuilder::new(Vector::Y)
            .local_anchor1(arm(&world, bodies[k]))
            .local_anchor2(arm(&world, bodies[k + 1]));
        let handle = world
            .impulse_joints
            .insert(bodies[k], bodies[k + 1], hinge, true);
        joints.push(handle);
    }
    let start = energy(&world, &bodies[1..4]);
    let (mut widest, mut worst, mut fastest): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for _ in 0..5000 {
        world.step();
        widest = joints
            .iter()
            .map(|j| opening(&world, *j))
            .fold(widest, f64::max);
        worst = worst.max((energy(&world, &bodies[1..4]) - start).abs());
        fastest = fastest.max(world.linvel(bodies[2]).norm());
    }
    assert!(fastest > 0.5, "{fastest}");
    assert!(widest <= CLOSED, "{widest:e}");
    assert!(worst < 0.3, "{worst}");
}

/// Hips and knees of a leg of two chains that meet at the foot, in the xz plane from the base.
const HIP: [f64; 2] = [0.1, 0.0];
const KNEE: [f64; 2] = [0.3, -0.15];
const FOOT: [f64; 2] = [0.0, -0.4];

/// A five-bar leg: two chains of two links from `base`, closed at the foot by an impulse joint.
fn leg(world: &mut World, base: RigidBodyHandle) -> ([RigidBodyHandle; 4], ImpulseJointHandle) {
    let mut links = Vec::new();
    for side in [-1.0, 1.0] {
        let mut parent = (base, [0.0, 0.0]);
        for (from, to) in [(HIP, KNEE), (KNEE, FOOT)] {
            let ends = [from, to].map(|p| [side * p[0], p[1]]);
            let middle = [0, 1].map(|i| (ends[0][i] + ends[1][i]) / 2.0);
            let link = body(world, 0.3, [2e-3; 3], [middle[0], 0.0, middle[1]]);
            let arm = |of: [f64; 2]| vec3(ends[0][0] - of[0], 0.0, ends[0][1] - of[1]);
            let hinge = RevoluteJointBuilder::new(Vector::Y)
                .local_anchor1(arm(parent.1))
                .local_anchor2(arm(middle));
            world
                .multibody_joints
                .insert(parent.0, link, hinge, true)
                .unwrap();
            parent = (link, middle);
            links.push(link);
        }
    }
    let links: [RigidBodyHandle; 4] = links.try_into().unwrap();
    let tip = |side: f64| {
        vec3(
            (FOOT[0] - KNEE[0]) / 2.0 * side,
            0.0,
            (FOOT[1] - KNEE[1]) / 2.0,
        )
    };
    let foot = SphericalJointBuilder::new()
        .local_anchor1(tip(-1.0))
        .local_anchor2(tip(1.0));
    let foot = world.impulse_joints.insert(links[1], links[3], foot, true);
    world.settle_root(base);
    (links, foot)
}

/// A tree on a fixed root, closed by an impulse joint: the loop holds while it swings, and the
/// energy errs with the step as that of trees does.
#[test]
fn a_tree_closed_by_an_impulse_joint_stays_closed() {
    let mut errors = [0.0_f64; 2];
    for (h, error) in [2e-3, 5e-4].into_iter().zip(&mut errors) {
        let mut world = World::new(h);
        let base = anchor(&mut world);
        let (links, foot) = leg(&mut world, base);
        // Rapier damps every joint unless told otherwise.
        for damping in world.multibody(base).damping_mut().iter_mut() {
            *damping = num(0.0);
        }
        let start = energy(&world, &links);
        let (mut widest, mut moved): (f64, f64) = (0.0, 0.0);
        for _ in 0..(2.0 / h).round() as usize {
            world.step();
            widest = widest.max(opening(&world, foot));
            *error = error.max((energy(&world, &links) - start).abs());
            moved = moved.max((world.position(links[0]).x + 0.2).abs());
        }
        assert!(moved > 0.05, "{moved}");
        assert!(widest <= CLOSED, "{widest:e}");
    }
    // Of about 5 J that go to and fro.
    assert!(errors[0] < 0.5 && errors[1] < 0.4 * errors[0], "{errors:?}");
}

/// The same on a flying base: the closure is an inner force, momentum and centre of mass follow
/// free fall.
#[test]
fn a_flying_closed_tree_keeps_its_momentum() {
    let mut world = World::new(5e-3);
    world.gravity = Vector::ZERO;
    let base = body(&mut world, 2.0, [0.02, 0.03, 0.04], [0.0; 3]);
    let (links, foot) = leg(&mut world, base);
    for damping in world.multibody(base).damping_mut().iter_mut() {
        *damping = num(0.0);
    }
    world.bodies[base].set_angvel(vec3(0.5, 1.5, -0.4), true);
    world.run(2);
    let all: Vec<_> = std::iter::once(base).chain(links).collect();
    let momenta = |world: &World| {
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        for &handle in &all {
            let rb = &world.bodies[handle];
            let turn = isometry(rb.position()).rotation;
            let local = vector(rb.mass_properties().local_mprops.principal_inertia());
            let spin = turn * local.component_mul(&(turn.inverse() * world.angvel(handle)));
            let p = world.linvel(handle) * real(rb.mass());
            linear += p;
            angular += world.position(handle).cross(&p) + spin;
        }
        (linear, angular)
    };
    let (linear, angular) = momenta(&world);
    let mut widest: f64 = 0.0;
    for _ in 0..1000 {
        world.step();
        widest = widest.max(opening(&world, foot));
    }
    let (linear_end, angular_end) = momenta(&world);
    assert!((linear_end - linear).norm() < FINE, "{linear} {linear_end}");
    assert!(
        (angular_end - angular).norm() < FINE,
        "{angular} {angular_end}"
    );
    assert!(widest <= CLOSED, "{widest:e}");
    // At rest it was not.
    assert!(angular.norm() > 0.05);
}

/// A free body hung on a link's tip by an impulse joint: weight passes through the tree.
#[test]
fn a_body_hangs_on_a_link() {
    let mut world = World::new(5e-3);
    let base = anchor(&mut world);
    let link = body(&mut world, 1.0, [0.01; 3], [0.0, 0.0, -0.25]);
    let hinge = RevoluteJointBuilder::new(Vector::Y).local_anchor2(vec3(0.0, 0.0, 0.25));
    world
        .multibody_joints
        .insert(base, link, hinge, true)
        .unwrap();
    world.settle_root(link);
    let bob = body(&mut world, 3.0, [0.02; 3], [0.0, 0.0, -0.7]);
    let ball = SphericalJointBuilder::new()
        .local_anchor1(vec3(0.0, 0.0, -0.25))
        .local_anchor2(vec3(0.0, 0.0, 0.2));
    let ball = world.impulse_joints.insert(link, bob, ball, true);
    world.run(20);
    let pull = world.pipeline.joint_impulses(ball).unwrap().force();
    assert_close(pull[2], 3.0 * G, 1e3 * FINE);
    world.bodies[bob].set_linvel(vec3(1.0, 0.5, 0.0), true);
    let mut widest: f64 = 0.0;
    for _ in 0..600 {
        world.step();
        widest = widest.max(opening(&world, ball));
    }
    assert!(widest <= CLOSED, "{widest:e}");
}
