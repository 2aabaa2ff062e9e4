//! The same worlds in other units of length, as users have them that count in centimetres or pixels: everything is as
//! many times as long, and gravity as many times as strong, so that it takes the same time.

use super::entry::Entry;
use super::kit::*;
use super::medley::{drawn, fill, pick};

pub(super) const ENTRIES: &[Entry] = &[drawn(
    "units",
    "a medley in kilometres to millimetres, by seed",
    units,
)];

/// Units of length to the metre: kilometres to millimetres.
const UNITS: [f64; 6] = [1e-3, 1e-2, 0.1, 10.0, 100.0, 1000.0];

/// Sides of a shape that has no round ones of its own.
const SIDES: u32 = 12;

fn units(setup: &mut Setup, n: usize) {
    let unit = UNITS[pick(&mut setup.random, UNITS.len())];
    let says_so = setup.random.unit() < 0.7;
    fill(setup, n);
    // Masses stay as they are.
    scale_shapes(setup, real(unit));
    scale_bodies(setup, real(unit));
    scale_joints(setup, real(unit));
    setup.world.gravity *= real(unit);
    setup.ground *= unit;
    setup.driven_speed *= unit;
    setup.unit = unit;
    if says_so {
        setup.world.integration_parameters.length_unit = real(unit);
    }
    if let Some(mut drive) = setup.drive.take() {
        setup.each_step(move |world, step| {
            drive(world, step);
            let moving = world.bodies.iter_mut().map(|(_, rb)| rb);
            for rb in moving.filter(|rb| rb.is_kinematic()) {
                let v = rb.linvel() * real(unit);
                rb.set_linvel(v, true);
            }
        });
    }
}

fn scale_shapes(setup: &mut Setup, unit: Real) {
    for (_, collider) in setup.world.colliders.iter_mut() {
        if let Some(shape) = times(collider.shape(), unit) {
            collider.set_shape(shape);
        }
        let density = collider.density() / unit.powi(3);
        collider.set_density(density);
        match collider.position_wrt_parent().copied() {
            Some(pose) => {
                collider.set_position_wrt_parent(scaled(pose, unit));
            }
            None => {
                let pose = scaled(*collider.position(), unit);
                collider.set_position(pose);
            }
        }
    }
}

/// A shape as many times as large; none where that has no meaning.
fn times(shape: &dyn Shape, unit: Real) -> Option<SharedShape> {
    // The engine's own scaling leaves the rounding of edges as it is.
    if let Some(round) = shape.as_round_cuboid() {
        let [x, y, z] = [0, 1, 2].map(|k| unit * round.inner_shape.half_extents[k]);
        return Some(SharedShape::round_cuboid(
            x,
            y,
            z,
            unit * round.border_radius,
        ));
    }
    if let Some(round) = shape.as_round_cylinder() {
        let inner = round.inner_shape;
        let [half, radius, edge] = [inner.half_height, inner.radius, round.border_radius];
        return Some(SharedShape::round_cylinder(
            unit * half,
            unit * radius,
            unit * edge,
        ));
    }
    let scaled = shape.scale_dyn(Vector::splat(unit), SIDES);
    scaled.map(|shape| SharedShape(shape.into()))
}

fn scaled(pose: Pose, unit: Real) -> Pose {
    Pose::from_parts(pose.translation * unit, pose.rotation)
}

fn scale_bodies(setup: &mut Setup, unit: Real) {
    let PhysicsWorld {
        bodies, colliders, ..
    } = &mut setup.world;
    for (_, rb) in bodies.iter_mut() {
        rb.set_translation(rb.translation() * unit, true);
        rb.set_linvel(rb.linvel() * unit, true);
        rb.recompute_mass_properties_from_colliders(colliders);
    }
}

fn scale_joints(setup: &mut Setup, unit: Real) {
    let PhysicsWorld {
        impulse_joints,
        multibody_joints,
        ..
    } = &mut setup.world;
    for (_, joint) in impulse_joints.iter_mut() {
        scale_joint(&mut joint.data, unit);
    }
    let links: Vec<_> = multibody_joints.iter().map(|(handle, ..)| handle).collect();
    for handle in links {
        if let Some((multibody, link)) = multibody_joints.get_mut(handle)
            && let Some(link) = multibody.link_mut(link)
        {
            scale_joint(&mut link.joint.data, unit);
        }
    }
}

fn scale_joint(joint: &mut GenericJoint, unit: Real) {
    joint.local_frame1 = scaled(joint.local_frame1, unit);
    joint.local_frame2 = scaled(joint.local_frame2, unit);
    for (axis, (motor, limits)) in joint.motors.iter_mut().zip(&mut joint.limits).enumerate() {
        let (length, force) = match axis < 3 {
            true => (unit, unit),
            false => (1.0, unit * unit),
        };
        limits.min *= length;
        limits.max *= length;
        motor.target_pos *= length;
        motor.target_vel *= length;
        motor.max_force *= force;
        // Springs and dampers in units of force per length; those of the host's default are per mass.
        if motor.model == MotorModel::ForceBased {
            motor.stiffness *= force / length;
            motor.damping *= force / length;
        }
    }
}
