//! Physics hooks are asked once a step, however often a step looks at a pair.
//!
//! Cause: bringing rapier's bounding-volume tree back took another pass over all pairs, and so did taking
//! sleepers out of detection; both called the hooks again.

use super::{World, num, vec3};
use rapier::prelude::*;
use std::collections::HashMap;
use std::sync::Mutex;

/// Counts what it is asked, and takes away every contact of the colliders that say so.
#[derive(Default)]
struct Counting {
    asked: Mutex<HashMap<(&'static str, ColliderHandle, ColliderHandle), u32>>,
}

impl Counting {
    fn count(&self, what: &'static str, context: (ColliderHandle, ColliderHandle)) {
        let mut asked = self.asked.lock().unwrap();
        *asked.entry((what, context.0, context.1)).or_default() += 1;
    }
}

impl PhysicsHooks for Counting {
    fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
        self.count("contact", (context.collider1, context.collider2));
        Some(SolverFlags::COMPUTE_RIGID_IMPULSES)
    }

    fn filter_intersection_pair(&self, context: &PairFilterContext<'_>) -> bool {
        self.count("intersection", (context.collider1, context.collider2));
        true
    }

    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        self.count("modify", (context.collider1, context.collider2));
        let through = [context.collider1, context.collider2].map(|co| {
            let collider = context.colliders.get(co);
            collider.is_some_and(|co| co.user_data == 1)
        });
        if let Some(rigid) = context.rigid_mut()
            && through.contains(&true)
        {
            rigid.solver_contacts.clear();
        }
    }
}

fn hooked(shape: ColliderBuilder) -> ColliderBuilder {
    shape.active_hooks(ActiveHooks::all())
}

/// 300 cubes, enough of them for rapier to put its tree in order between the steps, fall asleep one row
/// after another; a fast ball crosses, and one falls through a plate that a hook takes the contacts of.
#[test]
fn every_pair_is_asked_about_once_a_step() {
    let mut world = World::new(0.01);
    world.pipeline.set_sleeping(crate::Sleeping::Allowed);
    world.ground();
    for k in 0..300 {
        let (i, j) = (k % 20, k / 20);
        let at = vec3(0.5 * f64::from(i), 0.5 * f64::from(j), 0.1);
        let body = RigidBodyBuilder::dynamic().translation(at);
        let cube = ColliderBuilder::cuboid(num(0.1), num(0.1), num(0.1));
        let body = world.add(body, hooked(cube));
        world.bodies[body].activation_mut().time_until_sleep = num(0.01 * f64::from(j));
    }
    let sensor = ColliderBuilder::cuboid(num(5.0), num(5.0), num(0.05)).sensor(true);
    world.colliders.insert(hooked(sensor));
    let plate = ColliderBuilder::cuboid(num(0.5), num(0.5), num(0.02)).user_data(1);
    world
        .colliders
        .insert(hooked(plate.translation(vec3(-2.0, 0.0, 2.0))));
    let ball = || hooked(ColliderBuilder::ball(num(0.05)));
    let falling = RigidBodyBuilder::dynamic().translation(vec3(-2.0, 0.0, 2.2));
    let falling = world.add(falling, ball());
    let fast = RigidBodyBuilder::dynamic()
        .translation(vec3(-1.0, 0.02, 0.15))
        .linvel(vec3(40.0, 0.0, 0.0))
        .ccd_enabled(true);
    world.add(fast, ball());
    for step in 0..120 {
        let hooks = Counting::default();
        world.try_hooked(&hooks, &()).unwrap();
        let asked = hooks.asked.into_inner().unwrap();
        for (what, times) in &asked {
            assert_eq!(*times, 1, "step {step}: {what:?}");
        }
    }
    assert!(world.pipeline.report().activity.asleep > 200);
    // What the hook said held in every pass.
    assert!(world.position(falling).z < 1.9);
}
