//! Motion against closed forms: periods, energy, bodies that move as prescribed.

use super::*;
use std::f64::consts::PI;

/// Period of a pendulum released at `amplitude`: `4 sqrt(I / (m g l)) K(sin(amplitude / 2))`, the
/// complete elliptic integral by the arithmetic-geometric mean.
fn period(inertia_over_moment: f64, amplitude: f64) -> f64 {
    let (mut a, mut g) = (1.0, (amplitude / 2.0).cos());
    for _ in 0..8 {
        (a, g) = ((a + g) / 2.0, (a * g).sqrt());
    }
    4.0 * inertia_over_moment.sqrt() * PI / (2.0 * a)
}

/// A rod on a hinge swings with the period of the closed form; leapfrog errs by (omega h)^2 / 24.
#[test]
fn a_pendulum_has_its_period() {
    let (h, mass, arm, inertia, amplitude) = (1e-3, 1.2, 0.7, 0.05, 1.0_f64);
    let mut world = World::new(h);
    let root = anchor(&mut world);
    let rod = body(&mut world, mass, [inertia; 3], [0.0; 3]);
    let start = Isometry3::rotation(Vector3::y() * amplitude) * Translation3::new(0.0, 0.0, -arm);
    world.bodies[rod].set_position(to_pose(&start), true);
    let joint = RevoluteJointBuilder::new(Vector::Y).local_anchor2(vec3(0.0, 0.0, arm));
    let joint = world.impulse_joints.insert(root, rod, joint, true);
    let expected = period((inertia + mass * arm * arm) / (mass * G * arm), amplitude);
    let mut crossings = Vec::new();
    let mut before = world.position(rod).x;
    for step in 1..8000 {
        world.step();
        let now = world.position(rod).x;
        if before < 0.0 && now >= 0.0 {
            crossings.push((f64::from(step) - now / (now - before)) * h);
        }
        before = now;
        assert!(opening(&world, joint) <= CLOSED);
    }
    let periods = crossings.len() - 1;
    assert!(periods >= 3);
    let measured = (crossings[periods] - crossings[0]) / periods as f64;
    let tolerance = if size_of::<Real>() == 4 { 1e-4 } else { 2e-6 };
    assert_close(measured / expected, 1.0, tolerance);
}

/// The energy of a double pendulum swings with h and goes nowhere.
#[test]
fn a_double_pendulum_keeps_its_energy() {
    let worst = |h: f64, seconds: f64| {
        let mut world = World::new(h);
        let root = anchor(&mut world);
        let inertia = [0.02; 3];
        let upper = body(&mut world, 1.0, inertia, [0.5, 0.0, 0.0]);
        let lower = body(&mut world, 1.0, inertia, [1.5, 0.0, 0.0]);
        let hinge = RevoluteJointBuilder::new(Vector::Y).local_anchor2(vec3(-0.5, 0.0, 0.0));
        world.impulse_joints.insert(root, upper, hinge, true);
        let hinge = hinge.local_anchor1(vec3(0.5, 0.0, 0.0));
        world.impulse_joints.insert(upper, lower, hinge, true);
        let links = [upper, lower];
        let start = energy(&world, &links);
        let steps = (seconds / h).round() as usize;
        let mut sums = [0.0_f64; 2];
        let mut worst = 0.0_f64;
        for step in 0..steps {
            world.step();
            let error = energy(&world, &links) - start;
            worst = worst.max(error.abs());
            sums[2 * step / steps] += error;
        }
        (worst, (sums[1] - sums[0]) / (steps as f64 / 2.0))
    };
    // Energies are of the order of m g l = 10 J; velocities belong to the half steps.
    let (coarse, _) = worst(4e-3, 4.0);
    let (fine, drift) = worst(1e-3, 4.0);
    assert!(fine < 0.15 && coarse / fine > 3.0, "{coarse} {fine}");
    assert!(drift.abs() < 0.02, "{drift}");
}

/// A body fixed to a turning, moving kinematic one moves as if it were part of it.
#[test]
fn a_body_follows_a_kinematic_one() {
    for by_position in [false, true] {
        let mut world = World::new(0.01);
        let cart = world.bodies.insert(if by_position {
            RigidBodyBuilder::kinematic_position_based()
        } else {
            RigidBodyBuilder::kinematic_velocity_based()
        });
        let rider = body(&mut world, 1.0, [0.1, 0.2, 0.3], [0.6, 0.0, 0.0]);
        let joint = FixedJointBuilder::new().local_anchor1(vec3(0.6, 0.0, 0.0));
        let joint = world.impulse_joints.insert(cart, rider, joint, true);
        let (v, w) = (Vector3::new(0.5, 0.2, 0.1), Vector3::new(0.3, -1.0, 2.0));
        let mut widest: f64 = 0.0;
        for step in 0..300 {
            if by_position {
                let t = 0.01 * f64::from(step + 1);
                let next = pose((v * t).into(), (w * t).into());
                world.bodies[cart].set_next_kinematic_position(to_pose(&next));
            } else {
                world.bodies[cart].set_linvel(crate::base::convert::to_vector(&v), true);
                world.bodies[cart].set_angvel(crate::base::convert::to_vector(&w), true);
            }
            world.step();
            // The first step starts from rest: an impact.
            widest = widest.max(opening(&world, joint));
        }
        assert!(widest <= CLOSED, "{widest:e}");
    }
}

/// A rope is slack, catches, and from then on its end swings on a sphere.
#[test]
fn a_rope_is_slack_and_then_taut() {
    let (h, length) = (0.01, 1.5);
    let mut world = World::new(h);
    let root = anchor(&mut world);
    let ball = body(&mut world, 2.0, [0.01; 3], [1.0, 0.0, 0.0]);
    let rope = RopeJointBuilder::new(num(length));
    let rope = world.impulse_joints.insert(root, ball, rope, true);
    let mut longest: f64 = 0.0;
    let mut caught = None;
    for step in 1..1000 {
        world.step();
        let distance = world.position(ball).norm();
        longest = longest.max(distance);
        let pull = world.pipeline.joint_impulses(rope).unwrap().impulse;
        if caught.is_none() && pull != [0.0; 6] {
            caught = Some(step);
            assert_close(distance, length, CLOSED);
        } else if caught.is_none() {
            // Free fall, symplectic Euler.
            let z = -G * h * h * f64::from(step * (step + 1)) / 2.0;
            assert_close(world.position(ball).z, z, FINE);
        }
    }
    // sqrt(1 + z^2) = 1.5 at z = -1.118: 0.4775 s.
    assert_eq!(caught, Some(48));
    assert!(longest <= length + CLOSED, "{:e}", longest - length);
}

/// A kinematic body tows a ball by a rope faster than any penetration would be pushed out.
#[test]
fn a_rope_tows() {
    let mut world = World::new(0.01);
    world.gravity = Vector::ZERO;
    let tug = world
        .bodies
        .insert(RigidBodyBuilder::kinematic_velocity_based().linvel(vec3(7.0, 0.0, 0.0)));
    let ball = body(&mut world, 2.0, [0.01; 3], [-1.0, 0.0, 0.0]);
    let rope = RopeJointBuilder::new(num(1.0));
    world.impulse_joints.insert(tug, ball, rope, true);
    world.run(1);
    assert_close(world.linvel(ball).x, 7.0, FINE);
    world.run(50);
    assert_close(world.linvel(ball).x, 7.0, FINE);
    let distance = (world.position(tug) - world.position(ball)).norm();
    assert_close(distance, 1.0, 10.0 * CLOSED);
}

/// Limits of a hinge and of a slider stop where they are.
#[test]
fn limits_are_reached_and_not_passed() {
    let mut world = World::new(0.01);
    let root = anchor(&mut world);
    let door = body(&mut world, 1.0, [0.1; 3], [0.5, 0.0, 0.0]);
    // Falling about y turns x towards -z: a positive angle.
    let hinge = RevoluteJointBuilder::new(Vector::Y)
        .local_anchor2(vec3(-0.5, 0.0, 0.0))
        .limits([num(-0.4), num(0.9)]);
    let hinge = world.impulse_joints.insert(root, door, hinge, true);
    let slider = body(&mut world, 1.0, [0.1; 3], [0.0; 3]);
    let rail = PrismaticJointBuilder::new(Vector::Z).limits([num(-0.3), num(0.2)]);
    let rail = world.impulse_joints.insert(root, slider, rail, true);
    for _ in 0..200 {
        world.step();
        let angle = -2.0 * relative(&world, hinge).rotation.imag().norm().asin();
        assert!(-angle <= 0.9 + CLOSED, "{angle}");
        let x = relative(&world, rail).translation.vector.x;
        assert!(x >= -0.3 - CLOSED, "{x}");
    }
    let angle = 2.0 * relative(&world, hinge).rotation.imag().norm().asin();
    assert_close(angle, 0.9, 10.0 * CLOSED);
    assert_close(relative(&world, rail).translation.vector.x, -0.3, CLOSED);
    let held = world.pipeline.joint_impulses(rail).unwrap();
    assert_close(held.limit[0] / 0.01, G, 1e3 * FINE);
    let shown = world.impulse_joints.get(rail).unwrap().data.limits[0].impulse;
    assert_close(real(shown), -G * 0.01, FINE);
    // m g l cos(0.9) about the hinge.
    let held = world.pipeline.joint_impulses(hinge).unwrap();
    assert_close(held.limit[3] / 0.01, -G * 0.5 * 0.9_f64.cos(), 1e3 * FINE);
}

/// A joint that starts open closes by the share K of the error per step, 0.2 by default, below the push speed of 1 m/s
/// or rad/s.
#[test]
fn an_open_joint_closes_by_its_share_per_step() {
    let mut world = World::new(0.01);
    world.gravity = Vector::ZERO;
    let root = anchor(&mut world);
    let plate = body(&mut world, 1.0, [0.1, 0.2, 0.3], [0.04, 0.02, -0.03]);
    let turned = pose([0.04, 0.02, -0.03], [0.02, -0.04, 0.03]);
    world.bodies[plate].set_position(to_pose(&turned), true);
    let joint = FixedJointBuilder::new();
    let joint = world.impulse_joints.insert(root, plate, joint, true);
    let start = relative(&world, joint);
    for step in 1..40 {
        world.step();
        let share = 0.8_f64.powi(step);
        let now = relative(&world, joint);
        let off = now.translation.vector - start.translation.vector * share;
        assert!(off.norm() < 10.0 * CLOSED, "{off}");
        let turn = now.rotation.imag() - start.rotation.imag() * share;
        assert!(turn.norm() < 10.0 * CLOSED, "{turn}");
    }
}

/// What is tied to a place five metres off is there after a second, and was no faster than the push speed.
#[test]
fn a_joint_far_open_closes_in_a_second() {
    let mut world = World::new(1.0 / 60.0);
    let root = anchor(&mut world);
    let bob = body(&mut world, 1.0, [0.01; 3], [5.0, 0.0, 0.0]);
    let joint = FixedJointBuilder::new();
    let joint = world.impulse_joints.insert(root, bob, joint, true);
    for step in 0..60 {
        world.step();
        let speed = world.linvel(bob).norm();
        assert!(speed < 1.01, "{speed} m/s at step {step}");
    }
    let open = opening(&world, joint);
    assert!(open < 5e-3, "{open} m");
}

/// Joints that turn by up to four radians in a step don't run away: the peak of the first steps
/// passes, the joint closes, and the energy does not grow.
#[test]
fn a_joint_too_fast_for_its_step_does_not_run_away() {
    for speed in [50.0, 100.0, 150.0, 250.0, 400.0] {
        let mut world = World::new(0.01);
        world.gravity = Vector::ZERO;
        let root = anchor(&mut world);
        let bob = body(&mut world, 1.0, [0.02; 3], [0.5, 0.0, 0.0]);
        let joint = SphericalJointBuilder::new().local_anchor2(vec3(-0.5, 0.0, 0.0));
        world.impulse_joints.insert(root, bob, joint, true);
        world.bodies[bob].set_linvel(vec3(0.0, speed * 0.5, 0.0), true);
        world.bodies[bob].set_angvel(vec3(0.0, 0.0, speed), true);
        let kinetic = |world: &World| {
            world.linvel(bob).norm_squared() + 0.02 * world.angvel(bob).norm_squared()
        };
        let start = kinetic(&world);
        world.run(300);
        let end = kinetic(&world) / start;
        assert!(end < 1.1, "{speed}: {end}");
        assert_close(world.position(bob).norm(), 0.5, 1e-3);
    }
}

/// A hinged plank falls flat on the ground: contacts and hinge carry its weight together.
#[test]
fn a_hinged_plank_rests_on_the_ground() {
    let mut world = World::new(0.01);
    world.ground();
    let root = anchor(&mut world);
    let start = Translation3::new(0.0, 0.0, 0.05)
        * Isometry3::rotation(Vector3::y() * -0.5)
        * Translation3::new(0.6, 0.0, 0.0);
    let shape = ColliderBuilder::cuboid(num(0.5), num(0.1), num(0.05)).mass(num(2.0));
    let plank = world.add(RigidBodyBuilder::dynamic().pose(to_pose(&start)), shape);
    let hinge = RevoluteJointBuilder::new(Vector::Y)
        .local_anchor1(vec3(0.0, 0.0, 0.05))
        .local_anchor2(vec3(-0.6, 0.0, 0.0));
    let hinge = world.impulse_joints.insert(root, plank, hinge, true);
    let mut widest: f64 = 0.0;
    for _ in 0..300 {
        world.step();
        widest = widest.max(opening(&world, hinge));
    }
    assert!(widest <= CLOSED, "{widest:e}");
    // The corners 0.1 m from the hinge are closed, and hold without slip, at a gap of the tolerance:
    // the middle, 0.6 m away, is then six times as high.
    let high = 6.5 * crate::default_settings().closed_tolerance;
    assert_close(world.position(plank).z, 0.05, high);
    let pushed: f64 = world
        .pipeline
        .contacts()
        .iter()
        .map(|c| real(c.impulse_world().z))
        .sum();
    let held = world.pipeline.joint_impulses(hinge).unwrap();
    let held = real(held.linear_world().z);
    assert_close((pushed.abs() + held) / 0.01, 2.0 * G, 1e3 * FINE);
}

/// Cause: the correction kept the rows of the uncorrected step's end; links that turn by a radian and more went round
/// without closing. Their turning is along all axes, so that a Jacobian with a wrong sign does not close them either.
#[test]
fn links_that_turn_by_a_radian_a_step_stay_joined() {
    let mut world = World::new(1.0 / 60.0);
    world.gravity = Vector::ZERO;
    let inertia = [0.01, 0.08, 0.08];
    let links: Vec<_> = (0..6)
        .map(|k| body(&mut world, 1.0, inertia, [f64::from(k), 0.0, 0.0]))
        .collect();
    let joints: Vec<_> = (links.windows(2))
        .map(|pair| {
            let joint = SphericalJointBuilder::new()
                .local_anchor1(vec3(0.5, 0.0, 0.0))
                .local_anchor2(vec3(-0.5, 0.0, 0.0));
            world.impulse_joints.insert(pair[0], pair[1], joint, true)
        })
        .collect();
    for (k, link) in links.iter().enumerate() {
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        world.bodies[*link].set_angvel(vec3(30.0, 70.0 * side, 50.0), true);
    }
    let mut widest = 0.0_f64;
    for _ in 0..30 {
        world.step();
        for joint in &joints {
            widest = widest.max(opening(&world, *joint));
        }
    }
    assert!(widest < 1e-4, "{widest:e}");
}

/// Two bodies on a joint in empty space, one of which turns by up to three radians in a step: the joint stays closed and
/// the energy what it was, or less.
#[test]
fn joints_make_no_energy_however_fast_their_bodies_turn() {
    for spin in [2.0, 10.0, 40.0, 200.0] {
        for locked in [
            JointAxesMask::LIN_X | JointAxesMask::LIN_Z,
            JointAxesMask::LOCKED_PRISMATIC_AXES,
            JointAxesMask::LOCKED_REVOLUTE_AXES,
            JointAxesMask::LOCKED_SPHERICAL_AXES,
            JointAxesMask::LOCKED_FIXED_AXES,
        ] {
            let mut world = World::new(1.0 / 60.0);
            world.gravity = Vector::ZERO;
            let first = body(&mut world, 2.0, [0.02, 0.03, 0.04], [0.0; 3]);
            let second = body(&mut world, 1.0, [0.002, 0.003, 0.004], [0.3, 0.5, 0.1]);
            let joint = GenericJointBuilder::new(locked)
                .local_anchor1(vec3(0.2, 0.2, 0.05))
                .local_anchor2(vec3(-0.1, -0.3, -0.05));
            world.impulse_joints.insert(first, second, joint, true);
            let turn = vec3(0.3 * spin, 0.2 * spin, spin);
            world.bodies[second].set_angvel(turn, true);
            let energy = |world: &World| {
                let of = [first, second].map(|h| real(world.bodies[h].kinetic_energy()));
                of[0] + of[1]
            };
            world.step();
            let start = energy(&world);
            for step in 0..240 {
                world.step();
                let (now, gap) = (energy(&world), world.pipeline.report().joint_gap);
                assert!(
                    now < 1.002 * start,
                    "{locked:?} {spin}, {step}: {now} of {start}"
                );
                assert!(gap < 1e-4, "{locked:?} {spin}, {step}: {gap}");
            }
        }
    }
}

/// Three thin rods on joints in empty space that turn by up to ten radians a step. Their inertia along and across differs
/// by a hundred: with energy measured in the poses of the step's start they gained a factor of 1e7, and at a radian a step
/// by the gyroscopic torque alone one of 1e3. Linear momentum stays.
#[test]
fn thin_rods_on_joints_make_no_energy() {
    for rate in [0.2, 0.5, 1.0, 2.0, 10.0] {
        for seed in 0..8 {
            let mut world = World::new(1.0 / 60.0);
            world.gravity = Vector::ZERO;
            let thick = if seed % 2 == 0 { 0.01 } else { 0.1 };
            let rods: Vec<_> = (0..3)
                .map(|k| {
                    let inertia = [thick, 1.0 + thick, 1.0 + f64::from(k) * thick];
                    body(&mut world, 12.0, inertia, [1.1 * f64::from(k), 0.0, 0.0])
                })
                .collect();
            for pair in rods.windows(2) {
                let joint = SphericalJointBuilder::new()
                    .local_anchor1(vec3(0.55, 0.0, 0.0))
                    .local_anchor2(vec3(-0.55, 0.0, 0.0));
                world.impulse_joints.insert(pair[0], pair[1], joint, true);
            }
            let drift = vec3(3.0, -1.0, 2.0);
            let phase = f64::from(seed);
            let way = [
                (1.3 * phase).sin(),
                (2.1 * phase + 1.0).sin(),
                (0.7 * phase + 2.0).sin(),
            ];
            let speed = 60.0 * rate / way.iter().map(|x| x * x).sum::<f64>().sqrt();
            let spin = vec3(way[0] * speed, way[1] * speed, way[2] * speed);
            for (k, rod) in rods.iter().enumerate() {
                let arm = vec3(1.1 * (k as f64 - 1.0), 0.0, 0.0);
                world.bodies[*rod].set_angvel(spin, true);
                world.bodies[*rod].set_linvel(spin.cross(arm) + drift, true);
            }
            let momentum = |world: &World| {
                let of = rods
                    .iter()
                    .map(|h| world.bodies[*h].linvel() * world.bodies[*h].mass());
                of.fold(Vector::ZERO, |sum, p| sum + p)
            };
            let carried = momentum(&world);
            let energy = |world: &World| -> f64 {
                let of = rods.iter().map(|h| real(world.bodies[*h].kinetic_energy()));
                of.sum()
            };
            let start = energy(&world);
            for step in 0..200 {
                world.step();
                let now = energy(&world);
                assert!(
                    now < 1.03 * start,
                    "{rate} {seed}, {step}: {now} of {start}"
                );
                // Each of up to 16 parts of a step rounds the velocity of each rod.
                let lost = real((momentum(&world) - carried).length());
                let written = 16.0 * 3.0 * f64::from(step + 1);
                let fastest = rods.iter().map(|h| world.bodies[*h].linvel().length());
                let fastest = real(fastest.fold(3.0, Real::max)) * 12.0;
                let rounded = 0.5 * real(Real::EPSILON) * written * fastest;
                assert!(
                    lost < rounded,
                    "{rate} {seed}, {step}: {lost:e} of {rounded:e}"
                );
            }
        }
    }
}
