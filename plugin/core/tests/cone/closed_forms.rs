//! Answers known in closed form.

use crate::body::{Body, exact};
use crate::common::*;
use nalgebra::Vector3;
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::ContactData;

const DIRECTIONS: usize = 7;

fn heading(i: usize) -> f64 {
    0.1 + std::f64::consts::TAU * i as f64 / DIRECTIONS as f64
}

/// A block on a slope of angle theta sticks iff tan theta <= mu; else it slides down with
/// `g (sin theta - mu cos theta)`: exactly, in every direction, since the cone is round.
#[test]
fn slope_threshold_and_acceleration_in_every_direction() {
    let (mu, h, steps) = (0.5_f64, 0.01, 40);
    for (name, settings) in exact() {
        for i in 0..DIRECTIONS {
            let (sin_a, cos_a) = heading(i).sin_cos();
            for share in [0.98, 1.02] {
                let theta = (share * mu).atan();
                let mut body = Body::cube(name, settings.clone(), h, mu);
                body.turn = 0.3;
                let along = G * theta.sin();
                body.gravity = Vector3::new(along * cos_a, along * sin_a, -G * theta.cos());
                body.run(steps);
                let time = h * steps as f64;
                let wanted = if share < 1.0 {
                    0.0
                } else {
                    G * (theta.sin() - mu * theta.cos()) * time
                };
                let wanted = Vector3::new(wanted * cos_a, wanted * sin_a, 0.0);
                let error = (body.velocity() - wanted).norm();
                assert!(error < 1e-6, "{name} {i} {share}: {error:.1e}");
                assert!(body.position.z.abs() < 1e-6, "{name} {}", body.position.z);
            }
        }
    }
}

/// A sliding block loses mu g h per step, so it stops after `v0^2 / (2 mu g) + O(h)`, straight on.
/// The corners' normal impulses differ (friction pitches the cube), but their centre moves along
/// the heading, so no torque about the normal arises and no heading is preferred.
#[test]
fn stopping_distance_and_heading_in_every_direction() {
    let (mu, v0) = (0.4, 2.0);
    for (name, settings) in exact() {
        for i in 0..DIRECTIONS {
            let a = heading(i);
            let exactly = v0 * v0 / (2.0 * mu * G);
            let mut errors = Vec::new();
            for h in [0.01, 0.005] {
                let mut body = Body::cube(name, settings.clone(), h, mu);
                body.turn = 1.1;
                (body.v[0], body.v[1]) = (v0 * a.cos(), v0 * a.sin());
                for _ in 0..200 {
                    if body.velocity().norm() > 1e-9 {
                        body.step();
                    }
                }
                let way = body.position;
                let off = (way.y * a.cos() - way.x * a.sin()).atan2(way.norm());
                assert!(off.abs() < 1e-6, "{name} {i}: heading off by {off:.1e} rad");
                assert!(body.v[5].abs() < 1e-6, "{name} {i}: yaw");
                errors.push((way.norm() - exactly).abs());
            }
            // The implicit step takes half a step's way off: h v0 / 2.
            assert!(errors[0] < 0.6 * 0.01 * v0, "{name} {errors:?}");
            assert!(errors[1] < 0.6 * 0.005 * v0, "{name} {errors:?}");
        }
    }
}

/// Torsional friction slows a spin about the normal by `mu_t m g / I`.
#[test]
fn torsional_spin_down() {
    let (h, mu_t, w0) = (0.01, 0.02, 3.0);
    let contact = ContactData {
        mu_torsional: mu_t,
        ..closed(1)
    };
    let mut body = Body::sphere(ModelName::Cone, h, 0.3, contact);
    body.v[5] = w0;
    let inertia = body.inertia[(2, 2)];
    for step in 1..80 {
        body.step();
        let time = h * f64::from(step);
        let wanted = (w0 - mu_t * body.mass * G * time / inertia).max(0.0);
        assert!((body.v[5] - wanted).abs() < 1e-8, "{step}: {}", body.v[5]);
    }
    assert!(body.v[5].abs() < 1e-9, "it ends at rest");
}

/// A rolling sphere with resistance torque `mu_r m g`: from `m a = -F` and
/// `I a / R = F R - mu_r m g` follows `a = -mu_r g R m / (I + m R^2) = -(5/7) mu_r g / R`.
#[test]
fn rolling_resistance() {
    let (h, radius, mu_r, v0) = (0.005, 0.25, 0.01, 1.0);
    let contact = ContactData {
        mu_rolling: mu_r,
        ..closed(1)
    };
    let mut body = Body::sphere(ModelName::Cone, h, radius, contact);
    // Rolling along a diagonal: omega = n x v / R.
    let (sin, cos) = 0.7_f64.sin_cos();
    body.v = [
        v0 * cos,
        v0 * sin,
        0.0,
        -v0 * sin / radius,
        v0 * cos / radius,
        0.0,
    ];
    for step in 1..400 {
        body.step();
        let time = h * f64::from(step);
        let wanted = (v0 - 5.0 / 7.0 * mu_r * G / radius * time).max(0.0);
        let error = (body.velocity() - Vector3::new(wanted * cos, wanted * sin, 0.0)).norm();
        assert!(error < 1e-7, "{step}: {error:.1e}");
    }
}

/// A solid sphere that slides without spin and grips at once rolls with 5/7 of its speed; down a slope
/// it accelerates with 5/7 g sin theta.
#[test]
fn sphere_grips_and_rolls_down() {
    let contact = ContactData {
        mu: 1e6,
        ..closed(1)
    };
    let mut body = Body::sphere(ModelName::Cone, 0.01, 0.25, contact);
    (body.v[0], body.v[1]) = (0.6, -0.8);
    body.step();
    let wanted = Vector3::new(0.6, -0.8, 0.0) * (5.0 / 7.0);
    assert!((body.velocity() - wanted).norm() < 1e-9);
    let theta = 0.3_f64;
    let mut body = Body::sphere(ModelName::Cone, 0.01, 0.25, closed(1));
    body.gravity = Vector3::new(0.0, G * theta.sin(), -G * theta.cos());
    body.run(50);
    let wanted = 5.0 / 7.0 * G * theta.sin() * 0.5;
    assert!((body.v[1] - wanted).abs() < 1e-8, "{}", body.v[1]);
}

/// Cone complementarity makes the normal velocity `mu |v_tan| - phi / h` while sliding above the plane,
/// so a body on the plane is thrown up with `mu |v_tan|`, and one that has come down again slides at
/// `phi = h mu |v_tan|` (K = 1 for a positive gap). The exact law stays on the plane. A contact that
/// is not closed has no friction, so the tolerance must cover the height.
#[test]
fn cone_complementarity_hovers_and_the_exact_law_does_not() {
    let (h, mu) = (0.01, 0.5);
    let settings = ModelSettings {
        closed_tolerance: 0.1,
        ..ModelSettings::default()
    };
    let mut body = Body::cube(ModelName::Ccp, settings.clone(), h, mu);
    body.v[0] = 6.0;
    body.step();
    assert!((body.v[2] - mu * body.v[0]).abs() < 1e-6, "{:?}", body.v);
    let mut body = Body::cube(ModelName::Ccp, settings.clone(), h, mu);
    body.v[0] = 6.0;
    body.position.z = h * mu * (6.0 - mu * G * h);
    for step in 0..20 {
        body.step();
        let wanted = h * mu * body.velocity().xy().norm();
        let height = body.position.z;
        assert!((height - wanted).abs() < 1e-7, "{step}: {height} {wanted}");
    }
    assert!(body.position.z > 0.024, "it flies: {}", body.position.z);
    for (name, other) in exact() {
        let settings = ModelSettings {
            closed_tolerance: 0.1,
            ..other
        };
        let mut body = Body::cube(name, settings, h, mu);
        body.v[0] = 6.0;
        body.run(20);
        assert!(body.position.z.abs() < 1e-8, "{name} {}", body.position.z);
        let wanted = 6.0 - mu * G * 0.2;
        assert!((body.v[0] - wanted).abs() < 1e-7, "{name} {}", body.v[0]);
    }
}

/// Below the plane K phi / h takes the place of phi / h: at rest the body hovers nowhere, sliding it
/// is driven out at `mu |v| + K |phi| / h`.
#[test]
fn sliding_lifts_a_penetrating_body_by_its_share_only() {
    let (h, mu, depth) = (0.01, 0.5, 0.001);
    let mut body = Body::cube(ModelName::Ccp, ModelSettings::default(), h, mu);
    body.position.z = -depth;
    body.v[0] = 1.0;
    body.step();
    let wanted = mu * body.v[0] + 0.2 * depth / h;
    assert!((body.v[2] - wanted).abs() < 1e-6, "{} {wanted}", body.v[2]);
}

/// Largest dissipation over the ellipse `(f_s/mu_s)^2 + (f_t/mu_t)^2 <= f_n^2` against the slip v:
/// `f = -f_n (mu_s^2 v_s, mu_t^2 v_t) / |(mu_s v_s, mu_t v_t)|` (Lagrange's condition).
#[test]
fn anisotropic_friction_follows_the_ellipse() {
    for (name, settings) in exact() {
        for i in 0..DIRECTIONS {
            let a = heading(i);
            let mut body = Body::cube(name, settings.clone(), 0.01, 0.6);
            body.contact.mu_across = Some(0.2);
            (body.v[0], body.v[1]) = (3.0 * a.cos(), 3.0 * a.sin());
            body.step();
            let frame = axes(Vector3::z(), 0.0);
            for (c, point) in body.points.iter().enumerate() {
                let spin = Vector3::new(body.v[3], body.v[4], body.v[5]);
                let v = body.velocity() + spin.cross(point);
                let (v_s, v_t) = (frame[1].dot(&v), frame[2].dot(&v));
                let s = &body.solver.solution;
                let scale = -s.f_n[c] / (0.6 * v_s).hypot(0.2 * v_t);
                let wanted = [scale * 0.36 * v_s, scale * 0.04 * v_t];
                let error = (s.f_s[c] - wanted[0]).hypot(s.f_t[c] - wanted[1]);
                assert!(error < 1e-7, "{name} {i} {c}: {error:.1e}");
            }
        }
    }
}

/// A compliant contact carries the force F at the depth C F.
#[test]
fn compliance_carries_the_weight_at_its_depth() {
    for name in [ModelName::Cone, ModelName::Ccp] {
        let mut body = Body::cube(name, ModelSettings::default(), 0.01, 0.5);
        body.contact.compliance = 2e-5;
        body.run(400);
        // Four contacts share the weight.
        let wanted = -2e-5 * body.mass * G / 4.0;
        let depth = body.position.z;
        assert!(
            (depth / wanted - 1.0).abs() < 1e-4,
            "{name}: {depth} {wanted}"
        );
    }
}

/// A moving surface drags a body along with mu g until it keeps up; a bounce returns e of its speed.
#[test]
fn conveyor_and_bounce() {
    for (name, settings) in exact() {
        let mut body = Body::cube(name, settings.clone(), 0.01, 0.5);
        // Tangents of the frame at angle 0 are world axes up to their order.
        let frame = axes(Vector3::z(), 0.0);
        body.contact.surface_velocity = [0.6, 0.8];
        body.run(10);
        let way = frame[1] * 0.6 + frame[2] * 0.8;
        let wanted = way * (0.5 * G * 0.1);
        assert!((body.velocity() - wanted).norm() < 1e-7, "{name}");
        body.run(40);
        assert!((body.velocity() - way).norm() < 1e-7, "{name}");
        let mut body = Body::cube(name, settings, 0.01, 0.5);
        body.contact.restitution = 0.5;
        body.v[2] = -2.0;
        body.step();
        assert!((body.v[2] - 1.0).abs() < 1e-7, "{name} {}", body.v[2]);
    }
}
