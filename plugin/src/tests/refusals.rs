//! What a step must refuse, leaving the world as it was.

use super::{World, num, vec3};
use crate::StepError;
use rapier::prelude::*;

fn ball(world: &mut World) -> RigidBodyHandle {
    let builder = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 1.0));
    world.add(builder, ColliderBuilder::ball(num(0.1)))
}

#[test]
fn numbers_that_are_not_finite_name_the_body_and_change_nothing() {
    for quantity in ["pose", "velocity", "force", "torque"] {
        let mut world = World::new(0.01);
        world.ground();
        let good = ball(&mut world);
        let bad = ball(&mut world);
        world.run(3);
        let rb = &mut world.bodies[bad];
        let nan = vec3(f64::NAN, 0.0, 0.0);
        match quantity {
            "pose" => rb.set_translation(nan, true),
            "velocity" => rb.set_linvel(nan, true),
            "force" => rb.add_force(nan, true),
            _ => rb.add_torque(nan, true),
        }
        let before = *world.bodies[good].position();
        let error = world.try_step(&()).unwrap_err();
        assert_eq!(
            error,
            StepError::NonFinite {
                body: bad,
                quantity
            }
        );
        assert!(error.to_string().contains(quantity));
        assert_eq!(*world.bodies[good].position(), before);
        assert!(world.bodies[bad].is_enabled(), "{quantity}");
    }
}

#[test]
fn bad_time_steps_and_gravity_are_refused() {
    for h in [0.0, -0.01, f64::NAN, f64::INFINITY] {
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
