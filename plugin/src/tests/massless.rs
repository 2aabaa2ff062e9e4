//! Links without mass: how they move, what drives and pushes them, and where the forces on them go.

use super::quarantine::arm;
use super::{G, World, assert_close, num, vec3};
use crate::ModelName;
use crate::base::convert::real;
use rapier::prelude::*;

/// A link without mass goes on as it moves, in no field of gravity and with every model, and is driven by
/// its motor.
#[test]
fn a_massless_link_moves() {
    for model in [ModelName::NoSlip, ModelName::Cone, ModelName::Ccp] {
        let mut world = World::with_model(0.01, model);
        let [root, link] = arm(&mut world, 0.0);
        world.multibody(root).generalized_velocity_mut()[0] = num(2.0);
        world.run(50);
        assert!(world.pipeline.quarantined().is_empty());
        assert_close(world.coordinate(link, 0), 1.0, 1e-5);
        assert_close(world.linvel(link).x, 2.0, 1e-6);
        // Pushed by a body that comes the other way, it gives way: 4 kg at 3 m/s lose nothing to speak of.
        let wall = ColliderBuilder::cuboid(num(0.1), num(0.1), num(0.1)).density(num(0.0));
        world
            .colliders
            .insert_with_parent(wall, link, &mut world.bodies);
        let heavy = RigidBodyBuilder::dynamic()
            .translation(vec3(2.0, 0.0, 0.0))
            .linvel(vec3(-3.0, 0.0, 0.0))
            .gravity_scale(num(0.0));
        let shape = ColliderBuilder::cuboid(num(0.1), num(0.1), num(0.1)).mass(num(4.0));
        let heavy = world.add(heavy, shape);
        for _ in 0..50 {
            world.try_step(&()).unwrap();
        }
        assert_close(world.linvel(heavy).x, -3.0, 1e-3);
        assert!(world.linvel(link).x < -2.99, "{model:?}");
    }
}

/// A root without mass slides on a link of 50 kg along an axis that is nearly, but not quite, one of the world's, and the
/// link turns: no force acts on the root but what its own motion asks for, and it does not fly off. Its inertia along the
/// axis is one of round-off, of either sign.
#[test]
fn a_massless_root_slides() {
    for model in [ModelName::NoSlip, ModelName::Cone, ModelName::Ccp] {
        for tilt in [0.0, 1e-3, 0.3] {
            let mut world = World::with_model(0.01, model);
            let joint = PrismaticJointBuilder::new(vec3(tilt, 1e-4, 1.0).normalize());
            let [root, link] = light_root(&mut world, joint);
            world.run(1);
            {
                let mut v = world.multibody(root).generalized_velocity_mut();
                v[3] = num(0.4);
                v[4] = num(-0.3);
                v[6] = num(0.5);
            }
            let mut fastest: f64 = 0.0;
            for _ in 0..200 {
                world.step();
                fastest = fastest.max(world.linvel(root).norm());
            }
            assert!(world.pipeline.quarantined().is_empty(), "{model:?} {tilt}");
            // A bead on a rod that turns at w from the middle with v: v exp(w t) at most.
            assert!(
                fastest < 0.5 * 1.0_f64.exp() * 1.2,
                "{model:?} {tilt}: {fastest}"
            );
            // The link turns on, but for rapier's damping of roots (0.1 1/s for 2 s).
            assert_close(world.angvel(link).norm(), 0.455, 0.01);
        }
    }
}

/// A root without mass and a link of 50 kg, in no field of gravity.
fn light_root(world: &mut World, joint: impl Into<GenericJoint>) -> [RigidBodyHandle; 2] {
    let body = || RigidBodyBuilder::dynamic().gravity_scale(num(0.0));
    let root = world.bodies.insert(body());
    let heavy = ColliderBuilder::cuboid(num(0.1), num(0.2), num(0.3)).mass(num(50.0));
    let link = world.add(body(), heavy);
    (world.multibody_joints).insert(root, link, joint, true);
    [root, link]
}

/// The inertia that a drive with damping c and target speed vt finds along the joint of a link, from rest: `v = vt h c / (m + h c)`
/// after a step.
fn driven(world: &mut World, link: RigidBodyHandle, axis: JointAxis) -> f64 {
    let (target, damping) = (3.0, 1e-3);
    let drive = |world: &mut World, damping: f64| {
        let multibody = world.multibody(link);
        multibody.damping_mut().fill(num(0.0));
        multibody.generalized_velocity_mut().fill(num(0.0));
        let data = &mut multibody.link_mut(1).unwrap().joint.data;
        data.set_motor_model(axis, MotorModel::ForceBased);
        data.set_motor_velocity(axis, num(target), num(damping));
    };
    drive(world, 0.0);
    world.run(1);
    drive(world, damping);
    world.run(1);
    let v = real(world.multibody(link).generalized_velocity()[6]);
    drive(world, 0.0);
    0.01 * damping * (target / v - 1.0)
}

/// About the hinge that joins it to a heavy link a root without mass has a millionth of the link's inertia, the sum of
/// `m/3 (b^2 + c^2)` over the axes.
#[test]
fn a_massless_root_turns() {
    let mut world = World::with_model(0.01, ModelName::Cone);
    let axis = vec3(1e-4, 0.3, 1.0).normalize();
    let [_, link] = light_root(&mut world, RevoluteJointBuilder::new(axis));
    world.run(1);
    let inertia = 1e-6 * 50.0 / 3.0 * 2.0 * (0.01 + 0.04 + 0.09);
    let found = driven(&mut world, link, JointAxis::AngX);
    assert_close(found / inertia, 1.0, 1e-3);
    assert!(world.angvel(link).norm() < 1e-4, "{}", world.angvel(link));
}

/// A root without mass on a slider gets a millionth of 50 kg. Once it weighs 2 kg it is one of 2 kg.
#[test]
fn a_massless_root_gets_a_mass() {
    let mut world = World::with_model(0.01, ModelName::Cone);
    let [root, link] = light_root(&mut world, PrismaticJointBuilder::new(Vector::X));
    world.run(1);
    let with = |world: &mut World, mass: f64| {
        world.bodies[root].set_additional_mass(num(mass), true);
        driven(world, link, JointAxis::LinX)
    };
    assert_close(with(&mut world, 0.0) / 50e-6, 1.0, 1e-3);
    // What the two find that are pushed apart.
    let reduced = 2.0 * 50.0 / 52.0;
    assert_close(with(&mut world, 2.0) / reduced, 1.0, 1e-3);
    assert_close(with(&mut world, 0.0) / 50e-6, 1.0, 1e-3);
    assert!(world.pipeline.quarantined().is_empty());
}

/// Round-off is as often positive as negative: along a slider of any direction a root without mass has the millionth of
/// 50 kg, and is neither thrown nor set aside.
#[test]
fn a_massless_root_is_pushed_along_any_slider() {
    for k in 0..60 {
        let angle = f64::from(k);
        let way = [angle.cos(), (0.7 * angle).sin(), (1.3 * angle).cos() + 0.1];
        let axis = vec3(way[0], way[1], way[2]).normalize();
        let mut world = World::with_model(0.01, ModelName::Cone);
        let [_, link] = light_root(&mut world, PrismaticJointBuilder::new(axis));
        world.run(1);
        let found = driven(&mut world, link, JointAxis::LinX);
        assert!(world.pipeline.quarantined().is_empty(), "{k}");
        assert_close(found / 50e-6, 1.0, 1e-3);
        assert!(world.linvel(link).norm() < 1e-4, "{k}");
    }
}

/// A chain of links a metre apart along z, joined by sliders. One of them weighs 50 kg, the others have no mass.
fn sliders(world: &mut World, count: usize, heavy: usize) -> Vec<RigidBodyHandle> {
    let body = || RigidBodyBuilder::dynamic().gravity_scale(num(0.0));
    let links: Vec<_> = (0..count).map(|_| world.bodies.insert(body())).collect();
    let cuboid = ColliderBuilder::cuboid(num(0.1), num(0.2), num(0.3)).mass(num(50.0));
    world
        .colliders
        .insert_with_parent(cuboid, links[heavy], &mut world.bodies);
    for (k, pair) in links.windows(2).enumerate() {
        let axis = [Vector::X, Vector::Y][k % 2];
        let joint = PrismaticJointBuilder::new(axis).local_anchor2(vec3(0.0, 0.0, -1.0));
        (world.multibody_joints).insert(pair[0], pair[1], joint, true);
    }
    world.run(1);
    world.multibody(links[0]).damping_mut().fill(num(0.0));
    links
}

/// A force on a link without mass acts on the nearest link with mass, below or above it, as if the two were welded: 50 kg get its whole
/// impulse, and the moment `r x F` of its place. No link is thrown. Where no link has mass it has no effect, as on a free body
/// without mass under rapier.
#[test]
fn forces_on_links_without_mass_are_the_others() {
    for model in [ModelName::NoSlip, ModelName::Cone, ModelName::Ccp] {
        let force = vec3(30.0, 0.0, 40.0);
        for (count, heavy, light) in [
            (2, 1, 0),
            (2, 0, 1),
            (3, 0, 2),
            (3, 2, 0),
            (3, 1, 0),
            (3, 1, 2),
        ] {
            let mut world = World::with_model(0.01, model);
            let links = sliders(&mut world, count, heavy);
            world.bodies[links[light]].add_force(force, true);
            world.run(1);
            let gained = world.linvel(links[heavy]);
            assert_close(gained.x, 30.0 * 0.01 / 50.0, 1e-5);
            assert_close(gained.z, 40.0 * 0.01 / 50.0, 1e-5);
            let arm = light as f64 - heavy as f64;
            let inertia = 50.0 / 3.0 * (0.01 + 0.09);
            let turned = world.angvel(links[heavy]);
            assert_close(turned.y, arm * 30.0 * 0.01 / inertia, 1e-4);
            assert!(turned.x.abs() < 1e-5 && turned.z.abs() < 1e-5, "{turned}");
            world.run(20);
            let fastest = links.iter().map(|&link| world.linvel(link).norm());
            assert!(
                fastest.fold(0.0, f64::max) < 20.0,
                "{count} {heavy} {light}"
            );
            assert!(world.pipeline.quarantined().is_empty());
        }
        let mut world = World::with_model(0.01, model);
        let [root, link] = light_root(&mut world, PrismaticJointBuilder::new(Vector::X));
        let collider = world.bodies[link].colliders()[0];
        world.colliders[collider].set_mass(num(0.0));
        for body in [root, link] {
            world.bodies[body].add_force(force, true);
            world.bodies[body].add_torque(force, true);
        }
        world.run(20);
        for body in [root, link] {
            assert_eq!(world.linvel(body).norm(), 0.0);
            assert_eq!(world.angvel(body).norm(), 0.0);
        }
    }
}

/// The same on a hinge to the world: the force turns 50 kg by its moment about the axis, `w = h (r x F) / J`.
#[test]
fn a_force_on_a_massless_link_turns_what_it_hangs_on() {
    let mut world = World::with_model(0.01, ModelName::Cone);
    let base = world.bodies.insert(RigidBodyBuilder::fixed());
    let body = || RigidBodyBuilder::dynamic().gravity_scale(num(0.0));
    let cuboid = ColliderBuilder::cuboid(num(0.1), num(0.2), num(0.3)).mass(num(50.0));
    let heavy = world.add(body(), cuboid);
    let light = world.bodies.insert(body());
    let hinge = RevoluteJointBuilder::new(Vector::Y);
    (world.multibody_joints).insert(base, heavy, hinge, true);
    let slider = PrismaticJointBuilder::new(Vector::X).local_anchor2(vec3(0.0, 0.0, -1.0));
    (world.multibody_joints).insert(heavy, light, slider, true);
    world.multibody(heavy).damping_mut().fill(num(0.0));
    world.run(1);
    world.bodies[light].add_force(vec3(30.0, 0.0, 40.0), true);
    world.run(1);
    let inertia = 50.0 / 3.0 * (0.01 + 0.09);
    assert_close(world.angvel(heavy).y, 30.0 * 0.01 / inertia, 1e-4);
}

/// A link without mass on a slider of a rod that turns ten times as far in a second: it has no centrifugal force, which would fling it
/// out by `exp(w t)`, and goes on along the slider as it moves. It touches nothing and pushes nothing.
#[test]
fn a_massless_link_is_not_flung_off_a_turning_rod() {
    for model in [ModelName::NoSlip, ModelName::Cone, ModelName::Ccp] {
        let mut world = World::with_model(0.01, model);
        let links = sliders(&mut world, 2, 0);
        {
            let mut v = world.multibody(links[0]).generalized_velocity_mut();
            v[4] = num(10.0);
            v[6] = num(0.5);
        }
        world.run(100);
        assert_close(world.coordinate(links[1], 0), 0.5, 0.1);
        assert_close(world.angvel(links[0]).norm(), 10.0, 0.1);
    }
}

/// A pendulum of a gram on a decimetre, a point without inertia of its own, behind a link without mass on the same axis:
/// nothing but the sum of the two angles moves it. From level it falls by `g t^2 / 2`.
#[test]
fn a_massless_link_leaves_a_pendulum_alone() {
    let mut world = World::with_model(1e-3, ModelName::Cone);
    let root = world.bodies.insert(RigidBodyBuilder::fixed());
    let between = world.bodies.insert(RigidBodyBuilder::dynamic());
    let point = MassProperties::new(Vector::ZERO, num(1e-3), Vector::ZERO);
    let point = RigidBodyBuilder::dynamic().additional_mass_properties(point);
    let point = world.bodies.insert(point);
    let hinge = || RevoluteJointBuilder::new(Vector::Y);
    (world.multibody_joints).insert(root, between, hinge(), true);
    let arm = hinge().local_anchor2(vec3(-0.1, 0.0, 0.0));
    (world.multibody_joints).insert(between, point, arm, true);
    world.settle_root(root);
    world.multibody(root).damping_mut().fill(num(0.0));
    world.run(20);
    assert!(world.pipeline.quarantined().is_empty());
    // Steps of velocity first: t^2 + t h.
    let fall = 0.5 * G * (0.02 * 0.02 + 0.02 * 1e-3);
    assert_close(world.position(point).z / -fall, 1.0, 2e-3);
}
