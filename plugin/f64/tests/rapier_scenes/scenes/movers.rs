//! Kinematic bodies, hooks, characters and vehicles.

use super::{End, Scene, Setup, at, cube, within};
use rapier::control::KinematicCharacterController;
use rapier::prelude::*;
use stickslip_f64::{ModelName, rapier};

pub fn scenes() -> Vec<Scene> {
    vec![
        Scene::new("kinematic-platforms", 300, End::Motion(1e-4), platforms),
        Scene::new("conveyor", 120, End::Motion(1e-6), conveyor),
        Scene::new("one-way-platform", 180, End::Motion(1e-3), one_way),
        Scene::new("character", 240, End::Motion(2e-2), character).under(ModelName::Cone),
        Scene::new("vehicle", 240, End::Motion(1e-3), vehicle),
    ]
}

/// A lift by position and a slider by velocity, each with a box aboard.
fn platforms() -> Setup {
    let mut setup = Setup::with_floor();
    let plate = || ColliderBuilder::cuboid(1.0, 0.1, 1.0);
    let lift = setup.put(
        RigidBodyBuilder::kinematic_position_based(),
        [0.0, 0.3, 0.0],
        plate(),
    );
    let slider = setup.put(
        RigidBodyBuilder::kinematic_velocity_based(),
        [4.0, 0.3, 0.0],
        plate(),
    );
    let boxes = [
        setup.add([0.0, 0.65, 0.0], cube(0.25)),
        setup.add([4.0, 0.65, 0.0], cube(0.25)),
    ];
    let setup = setup.driven(move |world, step| {
        let t = step as f64 / 60.0;
        let y = 0.3 + 0.5 * (1.0 - t.cos());
        world.bodies[lift].set_next_kinematic_translation(Vector::new(0.0, y, 0.0));
        let v = 0.5 * (2.0 * t).sin();
        world.bodies[slider].set_linvel(Vector::new(v, 0.0, 0.0), true);
    });
    setup.checked(move |world| {
        for (load, carrier) in boxes.into_iter().zip([lift, slider]) {
            let offset = at(world, load) - at(world, carrier);
            within("height aboard", offset.y, 0.349, 0.351)?;
            within("slip aboard", offset.x.hypot(offset.z), 0.0, 1e-6)?;
        }
        Ok(())
    })
}

struct Belt(Vector);

impl PhysicsHooks for Belt {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let Some(manifold) = context.rigid_mut() else {
            return;
        };
        // The belt is the collider without a body, and is the first of the pair.
        let sign = if context_first_is_fixed(manifold) {
            -1.0
        } else {
            1.0
        };
        for contact in manifold.solver_contacts.iter_mut() {
            contact.tangent_velocity = self.0 * sign;
        }
    }
}

fn context_first_is_fixed(manifold: &ModifiableManifold<'_>) -> bool {
    manifold.manifold.data.rigid_body1.is_none()
}

fn conveyor() -> Setup {
    let mut setup = Setup::new();
    let belt = ColliderBuilder::cuboid(50.0, 0.5, 5.0)
        .translation(Vector::new(0.0, -0.5, 0.0))
        .active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
    setup.world.colliders.insert(belt);
    let rider = setup.add([0.0, 0.25, 0.0], cube(0.25));
    setup.hooks = Box::new(Belt(Vector::new(-1.5, 0.0, 0.0)));
    setup.checked(move |world| {
        let speed = world.bodies[rider].linvel().x.abs();
        within("speed", speed, 1.4, 1.5 + 1e-6)
    })
}

struct OneWay;

impl PhysicsHooks for OneWay {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext) {
        let platform_first = context.rigid_body1.is_none();
        let up = if platform_first {
            Vector::Y
        } else {
            -Vector::Y
        };
        context.update_as_oneway_platform(up, 0.1);
    }
}

/// A ball shot up through the platform lands on it.
fn one_way() -> Setup {
    let mut setup = Setup::with_floor();
    let platform = ColliderBuilder::cuboid(3.0, 0.05, 3.0)
        .translation(Vector::Y * 2.0)
        .active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
    setup.world.colliders.insert(platform);
    let up = RigidBodyBuilder::dynamic().linvel(Vector::Y * 8.0);
    let ball = setup.put(up, [0.0, 0.3, 0.0], ColliderBuilder::cuboid(0.2, 0.2, 0.2));
    setup.hooks = Box::new(OneWay);
    setup.checked(move |world| within("height", at(world, ball).y, 2.249, 2.251))
}

/// A capsule led by rapier's controller pushes a box along and doesn't enter it.
fn character() -> Setup {
    let mut setup = Setup::with_floor();
    let capsule = ColliderBuilder::capsule_y(0.4, 0.3);
    let body = RigidBodyBuilder::kinematic_position_based();
    let walker = setup.put(body, [0.0, 0.71, 0.0], capsule);
    let crate_ = setup.add([1.5, 0.4, 0.0], cube(0.4));
    let controller = KinematicCharacterController::default();
    let setup = setup.driven(move |world, _| {
        let dt = world.integration_parameters.dt;
        let pose = *world.bodies[walker].position();
        let shape = SharedShape::capsule_y(0.4, 0.3);
        let filter = QueryFilter::exclude_dynamic().exclude_rigid_body(walker);
        let queries = world.broad_phase.as_query_pipeline(
            world.narrow_phase.query_dispatcher(),
            &world.bodies,
            &world.colliders,
            filter,
        );
        let wanted = Vector::new(0.8 * dt, -0.1 * dt, 0.0);
        let motion = controller.move_shape(dt, &queries, &*shape, &pose, wanted, |_| {});
        let next = pose.translation + motion.translation;
        world.bodies[walker].set_next_kinematic_translation(next);
    });
    setup.checked(move |world| {
        let gap = at(world, crate_).x - at(world, walker).x;
        within("distance", gap, 0.68, 1.6)?;
        within("way", at(world, crate_).x, 2.5, 6.0)
    })
}

/// A chassis on four driven wheels.
fn vehicle() -> Setup {
    let mut setup = Setup::with_floor();
    let chassis = ColliderBuilder::cuboid(1.0, 0.15, 0.5).density(100.0);
    let chassis = setup.add([0.0, 0.6, 0.0], chassis);
    for (x, z) in [(-0.8, -0.7), (-0.8, 0.7), (0.8, -0.7), (0.8, 0.7)] {
        // The wheel's collider is turned, not its body.
        let wheel = ColliderBuilder::cylinder(0.1, 0.3)
            .rotation(Vector::X * std::f64::consts::FRAC_PI_2)
            .density(100.0)
            .friction(1.0);
        let wheel = setup.add([x, 0.35, z], wheel);
        let joint = RevoluteJointBuilder::new(Vector::Z)
            .local_anchor1(Vector::new(x, -0.25, z))
            .motor_velocity(-6.0, 30.0);
        setup.world.insert_impulse_joint(chassis, wheel, joint);
    }
    setup.checked(move |world| {
        let rb = &world.bodies[chassis];
        within("way", rb.translation().x.abs(), 1.0, 20.0)?;
        within("straightness", rb.translation().z.abs(), 0.0, 0.2)?;
        within("height", rb.translation().y, 0.5, 0.6)
    })
}
