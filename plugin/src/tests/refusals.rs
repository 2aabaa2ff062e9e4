//! What a step must refuse, leaving the world as it was.

use super::{World, num, vec3};
use crate::StepError;
use rapier::prelude::*;

fn ball(world: &mut World) -> RigidBodyHandle {
    let builder = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 1.0));
    world.add(builder, ColliderBuilder::ball(num(0.1)))
}

#[test]
fn bad_time_steps_and_gravity_are_refused() {
    for h in [-0.01, f64::NAN, f64::INFINITY] {
        let mut world = World::new(h);
        assert!(matches!(
            world.try_step(&()),
            Err(StepError::BadTimeStep { .. })
        ));
    }
    let mut world = World::new(0.01);
    world.gravity = vec3(0.0, f64::NAN, 0.0);
    assert_eq!(world.try_step(&()), Err(StepError::BadGravity));
}

#[test]
fn unusable_impulse_joints_are_refused_by_name() {
    let nan = vec3(f64::NAN, 0.0, 0.0);
    let frame = FixedJointBuilder::new().local_anchor2(nan).build().data;
    let ranges = RevoluteJointBuilder::new(Vector::X);
    let limits = ranges.limits([num(1.0), num(0.5)]).build().data;
    let motor = ranges.motor_velocity(num(f64::NAN), num(1.0)).build().data;
    let mut tilt = GenericJointBuilder::new(JointAxesMask::LIN_AXES)
        .coupled_axes(JointAxesMask::ANG_AXES)
        .limits(JointAxis::AngX, [num(0.0), num(1.0)])
        .build();
    for (joint, what) in [
        (frame, "frame 2"),
        (limits, "limits of axis 3"),
        (motor, "motor of axis 3"),
        (tilt, "exactly two"),
    ] {
        let mut world = World::new(0.01);
        let (a, b) = (ball(&mut world), ball(&mut world));
        let handle = world.impulse_joints.insert(a, b, joint, true);
        let error = world.try_step(&()).unwrap_err();
        assert!(
            matches!(&error, StepError::ImpulseJoint { joint, .. } if *joint == handle),
            "{error}"
        );
        assert!(error.to_string().contains(what), "{error}");
        // Disabled it is nobody's business.
        tilt = joint;
        tilt.set_enabled(false);
        world.impulse_joints.get_mut(handle, true).unwrap().data = tilt;
        world.step();
    }
}

#[test]
fn universal_joints_are_refused_before_rapier_panics() {
    let mut world = World::new(0.01);
    let (a, b) = (ball(&mut world), ball(&mut world));
    let joint = GenericJointBuilder::new(JointAxesMask::LIN_AXES | JointAxesMask::ANG_Z);
    // Rapier panics while inserting such a joint already, in the kinematics of the link.
    let inserted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        world.multibody_joints.insert(a, b, joint, true)
    }));
    if matches!(inserted, Ok(Some(_))) {
        let error = world.try_step(&()).unwrap_err();
        assert!(matches!(error, StepError::UniversalJoint { link: 1, .. }));
    }
}

#[test]
fn locked_links_are_refused() {
    let mut world = World::new(0.01);
    let (a, b) = (ball(&mut world), ball(&mut world));
    let joint = RevoluteJointBuilder::new(Vector::X);
    world.multibody_joints.insert(a, b, joint, true);
    world.bodies[b].set_locked_axes(LockedAxes::ROTATION_LOCKED_X, true);
    assert_eq!(world.try_step(&()), Err(StepError::LockedLink { body: b }));
}

#[test]
fn links_that_are_not_dynamic_are_refused() {
    let mut world = World::new(0.01);
    let (a, b) = (ball(&mut world), ball(&mut world));
    let joint = RevoluteJointBuilder::new(Vector::X);
    world.multibody_joints.insert(a, b, joint, true);
    world.bodies[b].set_body_type(RigidBodyType::Fixed, true);
    assert_eq!(
        world.try_step(&()),
        Err(StepError::LinkNotDynamic { body: b, link: 1 })
    );
}

/// A listener that must not hear anything.
struct Deaf;

impl EventHandler for Deaf {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        panic!("a refused step sends {event:?}");
    }

    fn handle_contact_force_event(
        &self,
        _: Real,
        _: &RigidBodySet,
        _: &ColliderSet,
        _: &ContactPair,
        _: Real,
    ) {
        panic!("a refused step sends a force event");
    }

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}

/// Hooks that must not be asked.
impl PhysicsHooks for Deaf {
    fn filter_contact_pair(&self, _: &PairFilterContext<'_>) -> Option<SolverFlags> {
        panic!("a refused step asks a hook");
    }
}

/// Everything a step may change.
fn picture(world: &World) -> Vec<u8> {
    let mut lines = Vec::new();
    for (handle, rb) in world.bodies.iter() {
        let (now, next) = (rb.position(), rb.next_position());
        let (activation, speeds) = (rb.activation(), rb.vels());
        lines.push(format!(
            "{handle:?} {now:?} {next:?} {speeds:?} {activation:?}"
        ));
        lines.push(format!("{:?} {}", rb.user_force(), rb.is_enabled()));
    }
    for (handle, co) in world.colliders.iter() {
        lines.push(format!("{handle:?} {:?}", co.position()));
    }
    for multibody in world.multibody_joints.multibodies() {
        let speeds: Vec<_> = multibody.generalized_velocity().iter().copied().collect();
        lines.push(format!("{speeds:?}"));
        let links = multibody.links();
        lines.extend(links.map(|link| format!("{:?}", link.local_to_world())));
    }
    let pairs = world.narrow_phase.contact_pairs();
    lines.extend(pairs.map(|pair| format!("{:?}", (pair.collider1, pair.collider2))));
    #[allow(unused_mut, reason = "what serializes is compared to the last byte")]
    let mut picture = lines.join("\n").into_bytes();
    #[cfg(feature = "serde-serialize")]
    {
        picture.extend(bincode::serialize(&world.islands).unwrap());
        picture.extend(bincode::serialize(&world.broad_phase).unwrap());
        picture.extend(bincode::serialize(&world.narrow_phase).unwrap());
        picture.extend(bincode::serialize(&world.bodies).unwrap());
        picture.extend(bincode::serialize(&world.colliders).unwrap());
        picture.extend(bincode::serialize(&world.impulse_joints).unwrap());
        picture.extend(bincode::serialize(&world.multibody_joints).unwrap());
    }
    picture
}

/// A busy world in which much is due: someone was woken and someone put to sleep, a robot got other
/// coordinates, a body and a force are new.
fn due() -> (World, [RigidBodyHandle; 2]) {
    let mut world = super::busy::scene(crate::ModelName::NoSlip);
    world.run(60);
    let sleeper = world.bodies.iter().find(|(_, rb)| rb.is_sleeping());
    let sleeper = sleeper.map(|(handle, _)| handle).unwrap();
    world.bodies[sleeper].wake_up(true);
    let awake = |(_, rb): &(RigidBodyHandle, &RigidBody)| rb.is_dynamic() && !rb.is_sleeping();
    let last = world.bodies.iter().filter(awake).last().unwrap().0;
    world.bodies[last].sleep();
    let links = world.multibody_joints.multibodies();
    let links: Vec<_> = links
        .map(|m| [0, 1].map(|k| m.link(k).unwrap().rigid_body_handle()))
        .collect();
    for link in &links {
        let dim = world.multibody(link[0]).ndofs();
        let turn = vec![num(0.01); dim];
        world.multibody(link[0]).apply_displacements(&turn);
    }
    let new = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.1));
    let shape = ColliderBuilder::ball(num(0.2))
        .active_events(ActiveEvents::COLLISION_EVENTS)
        .active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS);
    world.add(new, shape);
    (world, links[0])
}

struct Bad(crate::ContactPoint);

impl crate::ContactSource for Bad {
    fn contacts(
        &mut self,
        _: &RigidBodySet,
        _: &ColliderSet,
        h: f64,
        out: &mut Vec<crate::ContactPoint>,
    ) {
        assert!(h > 0.0);
        out.push(self.0);
    }
}

fn bad_point(body: RigidBodyHandle) -> crate::ContactPoint {
    crate::ContactPoint {
        surfaces: [crate::Surface::Flat; 2],
        friction: f64::NAN,
        ..crate::ContactPoint::new([None, Some(body)], [Vector::ZERO; 2], Vector::Z)
    }
}

/// Spoils a world so that its next step is refused.
type Spoil = fn(&mut World, [RigidBodyHandle; 2]);

/// Every kind of refusal comes before anything changes: no body woken or put to sleep, no link moved, no event
/// sent, no pair added, no hook asked. Cause: bodies were woken, links moved and events sent before the bodies
/// and the contacts were looked at.
///
/// Universal joints can't be made (see above), and `StepError::Problem` is not known to be reachable.
#[test]
fn a_refused_step_changes_nothing() {
    let spoils: [(&str, Spoil); 10] = [
        ("BadTimeStep", |world, _| world.params.dt = num(-1.0)),
        ("BadGravity", |world, _| world.gravity.x = num(f64::NAN)),
        ("SoftBodies", |world, _| {
            let [a, b] = [0.0, 1.0].map(|z| vec3(50.0, 0.0, z));
            let rope = SoftBodyBuilder::rope(a, b, 4);
            (world.soft_bodies).insert(rope, &mut world.bodies, &mut world.colliders);
        }),
        ("ImpulseJoint", |world, [a, b]| {
            let frame = FixedJointBuilder::new().local_anchor2(vec3(f64::NAN, 0.0, 0.0));
            world.impulse_joints.insert(a, b, frame, true);
        }),
        ("LockedLink", |world, [_, b]| {
            world.bodies[b].set_locked_axes(LockedAxes::ROTATION_LOCKED_X, true);
        }),
        ("LinkNotDynamic", |world, [_, b]| {
            world.bodies[b].set_body_type(RigidBodyType::Fixed, true);
        }),
        ("CoupledAxes", |world, [_, b]| {
            let link = world.multibody(b).link_mut(1).unwrap();
            link.joint.data.coupled_axes = JointAxesMask::ANG_AXES;
        }),
        ("Multibody", |world, [_, b]| {
            let link = world.multibody(b).link_mut(1).unwrap();
            link.joint.data.local_frame1.translation.x = num(f64::NAN);
        }),
        ("Crowded", |world, _| {
            for _ in 0..500 {
                ball(world);
            }
        }),
        ("ContactSource", |world, [a, _]| {
            let source = Bad(bad_point(a));
            world.pipeline.set_contact_source(Some(Box::new(source)));
        }),
    ];
    for sleeping in [crate::Sleeping::Allowed, crate::Sleeping::Never] {
        for (name, spoil) in &spoils {
            let (mut world, links) = due();
            world.pipeline.set_sleeping(sleeping);
            spoil(&mut world, links);
            let before = picture(&world);
            let error = world.try_hooked(&Deaf, &Deaf).unwrap_err();
            assert!(format!("{error:?}").starts_with(name), "{name}: {error:?}");
            let after = picture(&world);
            let same = before.iter().zip(&after).take_while(|(a, b)| a == b);
            let from = same.count().saturating_sub(300);
            let part = |all: &[u8]| String::from_utf8_lossy(&all[from..from + 600]).into_owned();
            assert!(
                after == before,
                "{name} changes {} to {}",
                part(&before),
                part(&after)
            );
        }
    }
}

/// Nor does the pipeline remember a refused step: the next ones are those of a twin that was never refused.
#[test]
fn a_refused_step_is_forgotten() {
    let [(mut refused, _), (mut twin, _)] = [due(), due()];
    let dt = std::mem::replace(&mut refused.params.dt, num(f64::NAN));
    refused.try_step(&()).unwrap_err();
    refused.params.dt = dt;
    let gravity = refused.gravity;
    refused.gravity = vec3(f64::INFINITY, 0.0, 0.0);
    refused.try_step(&()).unwrap_err();
    refused.gravity = gravity;
    for world in [&mut refused, &mut twin] {
        world.run(40);
    }
    assert_eq!(super::busy::bits(&refused), super::busy::bits(&twin));
}

/// Models and solvers of the literature have their names with the feature `reference`; without it the error says which to
/// switch on.
#[test]
fn models_of_the_literature_are_made_or_name_their_feature() {
    use stickslip_core::models::{ModelError, ModelName, ModelSettings};
    use stickslip_core::report::SolverName;
    let by = |solver| ModelSettings {
        solver: Some(solver),
        ..ModelSettings::default()
    };
    for (name, settings) in [
        (ModelName::StewartTrinkle, ModelSettings::default()),
        (ModelName::NoSlip, by(SolverName::Lemke)),
        (ModelName::Cone, by(SolverName::Psor)),
        (ModelName::Ccp, by(SolverName::Apgd)),
    ] {
        let made = crate::ContactPipeline::new(name, settings).map(|made| made.model().name());
        if cfg!(feature = "reference") {
            assert_eq!(made, Ok(name));
        } else {
            let error = made.unwrap_err();
            assert!(matches!(error, ModelError::InReference { .. }));
            let said = error.to_string();
            assert!(said.contains("feature `reference`"), "{said}");
        }
    }
}
