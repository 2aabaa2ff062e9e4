//! Every length of a robot times a factor, masses kept.

use nalgebra::{Isometry3, Point3, Translation3};

use crate::model::{Geometry, Inertial, Joint, JointKind, Limits, Link, RobotModel};

/// Lengths times `factor`, inertias times its square; efforts, dampings and frictions stay.
pub(super) fn apply(model: &mut RobotModel, factor: f64) {
    if factor == 1.0 {
        return;
    }
    model.links.iter_mut().for_each(|l| link(l, factor));
    for i in 0..model.joints.len() {
        joint(&mut model.joints[i], factor);
        // offset = q - multiplier q', each in rad or in m.
        if let Some(mut m) = model.joints[i].mimic {
            let own = length(&model.joints[i], factor);
            m.offset *= own;
            m.multiplier *= own / length(&model.joints[m.joint], factor);
            model.joints[i].mimic = Some(m);
        }
    }
    for closure in &mut model.closures {
        closure.frames.iter_mut().for_each(|x| place(x, factor));
    }
}

fn link(link: &mut Link, factor: f64) {
    if let Some(Inertial { com, inertia, .. }) = &mut link.inertial {
        *com *= factor;
        *inertia *= factor * factor;
    }
    for shape in link.visuals.iter_mut().chain(&mut link.collisions) {
        place(&mut shape.origin, factor);
        match &mut shape.geometry {
            Geometry::Box { size } => *size *= factor,
            Geometry::Sphere { radius } => *radius *= factor,
            Geometry::Cylinder { radius, length } | Geometry::Capsule { radius, length } => {
                *radius *= factor;
                *length *= factor;
            }
            Geometry::Plane { .. } => {}
            Geometry::Mesh(mesh) => mesh.scale *= factor,
        }
    }
}

fn joint(joint: &mut Joint, factor: f64) {
    place(&mut joint.origin, factor);
    let k = length(joint, factor);
    if let Some(Limits { lower, upper }) = &mut joint.limits {
        *lower *= k;
        *upper *= k;
    }
    let rates = [
        &mut joint.velocity,
        &mut joint.acceleration,
        &mut joint.deceleration,
        &mut joint.jerk,
    ];
    rates.into_iter().flatten().for_each(|x| *x *= k);
    if let Some(s) = &mut joint.safety {
        s.soft_lower *= k;
        s.soft_upper *= k;
    }
    if let Some(c) = &mut joint.calibration {
        let both = [&mut c.rising, &mut c.falling];
        both.into_iter().flatten().for_each(|x| *x *= k);
    }
}

/// The factor on positions of a joint: they are lengths for a prismatic one, else angles.
fn length(joint: &Joint, factor: f64) -> f64 {
    if joint.kind == JointKind::Prismatic {
        factor
    } else {
        1.0
    }
}

fn place(x: &mut Isometry3<f64>, factor: f64) {
    x.translation = Translation3::from(Point3::from(x.translation.vector * factor).coords);
}
