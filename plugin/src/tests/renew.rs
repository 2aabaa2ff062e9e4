//! Pairs that detection leaves as they are while nothing moves, and what has it look all the same.

use super::{G, World, assert_close, num, vec3};
use crate::ModelName;
use crate::base::convert::real;
use rapier::prelude::*;

const H: f64 = 0.01;

fn cube(world: &mut World, at: Vector) -> (RigidBodyHandle, ColliderHandle) {
    let body = RigidBodyBuilder::dynamic().translation(at);
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.5)).mass(num(2.0));
    let body = world.add(body, shape.friction(num(1.0)));
    (body, world.bodies[body].colliders()[0])
}

/// A floor with an end: rapier measures the drift of a pair at its farthest point, whose noise grows with the distance in f32,
/// and passes over none with a half space.
fn floor(world: &mut World) -> ColliderHandle {
    let floor = ColliderBuilder::cuboid(num(1.0), num(1.0), num(1.0));
    let floor = floor.translation(vec3(0.0, 0.0, -1.0)).friction(num(1.0));
    world.colliders.insert(floor)
}

fn shown(world: &World, a: ColliderHandle, b: ColliderHandle) -> f64 {
    let pair = world.narrow_phase.contact_pair(a, b);
    pair.map_or(0.0, |pair| real(pair.total_impulse_magnitude()))
}

/// A load that grows on a cube at rest: what is shown follows it, one step late, and so does a single load far below the
/// weight.
#[test]
fn changed_impulses_are_shown_although_nothing_moves() {
    let mut world = World::with_model(H, ModelName::Cone);
    let ground = floor(&mut world);
    let (body, side) = cube(&mut world, vec3(0.0, 0.0, 0.5));
    world.run(20);
    for load in [1.0, 7.0, 7.001, 7.0] {
        world.bodies[body].reset_forces(true);
        world.bodies[body].add_force(vec3(0.0, 0.0, -load), true);
        world.run(2);
        assert_close(shown(&world, ground, side), (2.0 * G + load) * H, 1e-6);
    }
}

/// Friction taken from a cube that sticks on a slope of 30 degrees: it slides in the very next step.
#[test]
fn changed_friction_counts_although_nothing_moved() {
    let mut world = World::with_model(H, ModelName::Cone);
    world.gravity = vec3(G * 0.5, 0.0, -G * 0.75_f64.sqrt());
    floor(&mut world);
    let (body, side) = cube(&mut world, vec3(0.0, 0.0, 0.5));
    world.run(20);
    assert!(real(world.bodies[body].linvel().x) < 1e-6);
    world.colliders[side].set_friction(num(0.0));
    world.colliders[side].set_friction_combine_rule(CoefficientCombineRule::Min);
    world.step();
    assert_close(real(world.bodies[body].linvel().x), G * 0.5 * H, 1e-6);
}

/// A joint that takes the contacts of its two bodies away, put between two that rest on each other.
#[test]
fn a_new_joint_takes_contacts_away_although_nothing_moved() {
    let mut world = World::with_model(H, ModelName::Cone);
    floor(&mut world);
    let [(low, a), (high, b)] = [0.5, 1.5].map(|z| cube(&mut world, vec3(0.0, 0.0, z)));
    world.run(5);
    assert!(world.pipeline.contacts_between(a, b).count() >= 4);
    let joint = FixedJointBuilder::new()
        .local_anchor1(vec3(0.0, 0.0, 1.0))
        .contacts_enabled(false);
    world.impulse_joints.insert(low, high, joint, true);
    world.step();
    assert_eq!(world.pipeline.contacts_between(a, b).count(), 0);
}

/// Rapier leaves pairs as they are over centimetres of drift. A pipeline that takes over from it in mid-motion computes
/// them again: two cubes that slid under rapier by less than that are where they are.
#[test]
fn pairs_that_rapier_left_are_found_anew() {
    let mut world = World::with_model(H, ModelName::Cone);
    world.gravity = Vector::ZERO;
    let [(_, a), (high, b)] = [0.0, 1.0].map(|z| cube(&mut world, vec3(0.0, 0.0, z)));
    let mut rapier = PhysicsPipeline::new();
    for _ in 0..3 {
        rapier.step(
            Vector::ZERO,
            &world.params,
            &mut world.islands,
            &mut world.broad_phase,
            &mut world.narrow_phase,
            &mut world.bodies,
            &mut world.colliders,
            &mut world.impulse_joints,
            &mut world.multibody_joints,
            &mut world.soft_bodies,
            &mut world.ccd,
            &(),
            &(),
        );
        let at = world.bodies[high].translation() + vec3(0.01, 0.0, 0.0);
        world.bodies[high].set_translation(at, true);
    }
    world.run(2);
    let points = world.pipeline.contacts_between(a, b);
    let corners = points.map(|contact| real(contact.point.position().x).abs());
    let shift = real(world.bodies[high].translation().x);
    assert!(shift > 0.02);
    let nearest = corners.fold(f64::INFINITY, f64::min);
    assert_close(nearest, 0.5 - shift, 1e-6);
}

/// A ball that stands still just above a floor is not looked at; given a speed, it is before it has moved, from as far as
/// it goes, and stopped at the surface.
#[test]
fn a_start_from_rest_is_looked_at_from_farther() {
    for gap in [0.0005, 0.001, 0.0015, 0.003, 0.08] {
        let counted = super::impulses::Counting::default();
        let mut world = World::with_model(H, ModelName::Cone);
        world.narrow_phase.set_query_dispatcher(counted.clone());
        world.gravity = Vector::ZERO;
        // Detection alone has to see it.
        world.params.max_ccd_substeps = 0;
        floor(&mut world);
        let ball = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.5 + gap));
        let ball = world.add(ball, ColliderBuilder::ball(num(0.5)));
        world.run(5);
        let before = counted.manifolds();
        world.run(5);
        assert_eq!(counted.manifolds(), before);
        world.bodies[ball].set_linvel(vec3(0.0, 0.0, -20.0), true);
        world.step();
        assert!(counted.manifolds() > before, "{gap}");
        let low = real(world.bodies[ball].translation().z) - 0.5;
        assert!(low > -1e-5, "{gap}: {low}");
    }
}

/// Contacts are looked for farther where gravity or the length of a step grow: contacts of bodies at rest are computed again.
#[test]
fn longer_steps_and_more_gravity_look_farther() {
    let counted = super::impulses::Counting::default();
    let mut world = World::with_model(H, ModelName::Cone);
    world.narrow_phase.set_query_dispatcher(counted.clone());
    world.gravity = Vector::ZERO;
    floor(&mut world);
    let ball = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.501));
    // Nothing pulls it, so that it stands still in every step.
    world.add(ball.gravity_scale(0.0), ColliderBuilder::ball(num(0.5)));
    world.run(5);
    let changes: [fn(&mut World); 3] = [
        |world| world.gravity = vec3(0.0, 0.0, -G),
        |world| world.params.dt = num(2.0 * H),
        |world| world.params.normalized_prediction_distance *= num(2.0),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let before = counted.manifolds();
        change(&mut world);
        world.step();
        assert!(counted.manifolds() > before, "{number}");
        let before = counted.manifolds();
        world.run(5);
        assert_eq!(counted.manifolds(), before, "{number}");
    }
}

/// A bounce back to where a pair was last updated, while recycling is off and while it is on: points are those of the
/// present pose.
#[test]
fn a_pair_brought_back_is_found_where_it_is() {
    let mut world = World::with_model(H, ModelName::Cone);
    floor(&mut world);
    let (body, side) = cube(&mut world, vec3(0.0, 0.0, 0.5));
    let start = *world.bodies[body].position();
    world.run(5);
    for recycles in [false, true, false] {
        world.params.contact_recycling = recycles;
        let turned = Pose::new(vec3(3.0, 0.0, 0.5), vec3(0.0, 0.0, 0.5));
        world.bodies[body].set_position(turned, true);
        world.run(2);
        world.bodies[body].set_position(start, true);
        world.params.contact_recycling = true;
        world.run(2);
        let points = world.pipeline.contacts();
        let of_side = points
            .iter()
            .filter(|c| c.point.colliders.contains(&Some(side)));
        let mut count = 0;
        for contact in of_side {
            let at = contact.point.position();
            assert_close(real(at.x).abs(), 0.5, 1e-5);
            assert_close(real(at.y).abs(), 0.5, 1e-5);
            count += 1;
        }
        assert_eq!(count, 4, "{recycles}");
    }
}

/// No hook of the user's is called for the flag that has pairs computed again, and no collider keeps it.
#[test]
fn the_flag_is_nobodys() {
    struct Never;
    impl PhysicsHooks for Never {
        fn filter_contact_pair(&self, _: &PairFilterContext) -> Option<SolverFlags> {
            unreachable!("no collider asks for it")
        }
        fn modify_solver_contacts(&self, _: &mut ContactModificationContext) {
            unreachable!("no collider asks for it")
        }
    }
    let mut world = World::with_model(H, ModelName::Cone);
    floor(&mut world);
    let (body, _) = cube(&mut world, vec3(0.0, 0.0, 0.6));
    for _ in 0..40 {
        world.try_hooked(&Never, &()).unwrap();
        let mut hooks = world.colliders.iter().map(|(_, c)| c.active_hooks());
        assert!(hooks.all(|hooks| hooks.is_empty()));
    }
    assert_close(real(world.bodies[body].translation().z), 0.5, 1e-5);
}

/// The dispatcher behind is asked for a ball's points while it falls, and no more once it lies still.
#[test]
fn what_lies_still_is_not_looked_at() {
    let counted = super::impulses::Counting::default();
    let mut world = World::with_model(H, ModelName::Cone);
    world.narrow_phase.set_query_dispatcher(counted.clone());
    floor(&mut world);
    let ball = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.6));
    world.add(ball, ColliderBuilder::ball(num(0.5)));
    world.run(60);
    let before = counted.manifolds();
    world.run(60);
    assert_eq!(counted.manifolds(), before);
    assert!(before > 5);
}
