//! A contact that is open at the start of a step and closes in it is under the same law as one that is closed.

use super::{EPS, G, World, assert_close, num, vec3};
use crate::ModelName;
use rapier::prelude::*;

const H: f64 = 0.01;
/// Gap under the ball \[m\], its speed downwards and its speed along the ground [m/s].
const GAP: f64 = 2e-3;
const FALL: f64 = 1.0;
const SLIDE: f64 = 3.0;
/// Rapier's default friction, and the mean of two such.
const MU: f64 = 0.5;

/// A ball that comes down aslant, after the step in which it touches the ground.
fn landed(model: ModelName) -> (World, RigidBodyHandle) {
    let mut world = World::with_model(H, model);
    world.ground();
    let ball = RigidBodyBuilder::dynamic()
        .translation(vec3(0.0, 0.0, 0.5 + GAP))
        .linvel(vec3(SLIDE, 0.0, -FALL));
    let ball = world.add(ball, ColliderBuilder::ball(num(0.5)));
    world.step();
    (world, ball)
}

/// The normal impulse is what leaves the ball with the speed of its gap over the step, and it slides, so that friction
/// takes `mu` times as much from its way along the ground. Cause: open contacts had no friction, and a car whose wheels
/// turn at 15 rad/s went at 1.4 m/s instead of 6.
#[test]
fn friction_acts_in_the_step_that_closes_the_gap() {
    let (world, ball) = landed(ModelName::Cone);
    let pressed = FALL + G * H - GAP / H;
    let velocity = world.linvel(ball);
    assert_close(velocity.z, -GAP / H, 10.0 * EPS);
    assert_close(velocity.x, SLIDE - MU * pressed, 10.0 * EPS);
    for model in [ModelName::Cone, ModelName::Ccp] {
        let (world, _) = landed(model);
        let [contact] = world.pipeline.contacts() else {
            panic!("one contact");
        };
        assert!(!contact.closed && contact.gap > 0.9 * GAP);
        let [n, s, t] = contact.impulse;
        assert!(n > 0.0);
        assert_close(s.hypot(t) / n, MU, 10.0 * EPS);
    }
}

/// The fall of a ball at rest over a gap, after a step [m/s].
fn fall(model: ModelName, gap: f64) -> f64 {
    let mut world = World::with_model(H, model);
    world.ground();
    let ball = RigidBodyBuilder::dynamic().translation(vec3(0.0, 0.0, 0.5 + gap));
    let ball = world.add(ball, ColliderBuilder::ball(num(0.5)));
    world.step();
    -world.linvel(ball).z
}

/// A gap below a micrometre asks for nothing and stays; a wider one is closed within the step. Under the convex law, whose
/// gaps are its own, the narrow one is closed too, where it is no round-off.
#[test]
fn gaps_below_a_micrometre_stay() {
    let round_off = 1e-7 / H * f64::from(u8::from(size_of::<Real>() == 4));
    assert_close(fall(ModelName::Cone, 5e-7), 0.0, 1e-9);
    assert_close(fall(ModelName::Cone, 5e-6), 5e-6 / H, 1e-9 + round_off);
    let convex = if size_of::<Real>() == 4 {
        0.0
    } else {
        5e-7 / H
    };
    assert_close(fall(ModelName::Ccp, 5e-7), convex, 1e-9);
}
