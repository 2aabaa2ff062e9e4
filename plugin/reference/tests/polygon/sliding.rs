//! Closed forms of sliding and sticking.

use crate::common::*;
use crate::scenes::*;
use std::f64::consts::{PI, TAU};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder};

const ST: ModelName = ModelName::StewartTrinkle;

/// Gravity along heading psi in the plane of a slope theta asks for an impulse `m g h sin(theta)`
/// against it; the polygon grants `mu f_n` times its reach there: `cos(pi/d) / cos(psi')`, psi' the
/// angle of the heading from the middle of its edge. It sticks iff
/// `tan(theta) <= mu cos(pi/d) / cos(psi')`: mu exactly at a corner, `mu cos(pi/d)` mid-edge.
#[test]
fn slope_sticks_up_to_the_polygon_s_reach_in_every_direction() {
    let friction = 0.6_f64;
    let mut builder = ProblemBuilder::new();
    for d in [4, 6, 8, 12, 16, 64] {
        let settings = polygon(d);
        let sector = TAU / d as f64;
        let worst = (PI / d as f64).cos();
        for i in 0..48 {
            let psi = TAU * f64::from(i) / 48.0 + 0.01 * f64::from(i % 3);
            let from_middle = psi.rem_euclid(sector) - 0.5 * sector;
            let reach = friction * worst / from_middle.cos();
            assert!(reach <= friction * (1.0 + 1e-15) && reach >= friction * worst);
            for (share, sticks) in [(1.0 - 1e-6, true), (1.0 + 1e-6, false)] {
                let (sin, cos) = (reach * share).atan().sin_cos();
                let pull = G * H * sin;
                let v_free = [-G * H * cos, pull * psi.cos(), pull * psi.sin()];
                point(&mut builder, 2.0, ([0.0; 3], v_free), mu(friction));
                let (answer, report) = solve(builder.finished().unwrap(), ST, settings.clone());
                assert_solved(&report);
                let speed = answer.slip[0];
                assert_eq!(speed < 1e-12, sticks, "d {d}, heading {psi}: {speed:e}");
                assert!((answer.f_n[0] - 2.0 * G * H * cos).abs() < 1e-12);
            }
        }
    }
}

/// Beyond the threshold a point accelerates by `g (sin - mu cos)` along a corner's direction.
#[test]
fn slope_slides_with_coulomb_s_acceleration_along_a_corner() {
    let mut builder = ProblemBuilder::new();
    let (sin, cos) = 0.8_f64.sin_cos();
    for d in [4, 6, 8, 16] {
        for k in 0..d {
            let (y, x) = (TAU * k as f64 / d as f64).sin_cos();
            let v_free = [-G * H * cos, G * H * sin * x, G * H * sin * y];
            point(&mut builder, 3.0, ([0.0; 3], v_free), mu(0.3));
            let (answer, report) = solve(builder.finished().unwrap(), ST, polygon(d));
            assert_solved(&report);
            let gain = G * H * (sin - 0.3 * cos);
            assert!((answer.v_plus[1] - gain * x).abs() < 1e-13);
            assert!((answer.v_plus[2] - gain * y).abs() < 1e-13);
        }
    }
}

/// Each step takes `mu g h` off the speed and the position moves with the new one: with
/// `n = v0 / (mu g h)` steps the way is `mu g h^2 n (n - 1) / 2 = v0^2 / (2 mu g) - v0 h / 2`.
#[test]
fn sliding_point_stops_after_its_closed_distance() {
    let (friction, steps) = (0.5, 200.0);
    let v0 = friction * G * H * steps;
    let mut builder = ProblemBuilder::new();
    let mut solver = Solver::new(ST, ModelSettings::default());
    let (mut v, mut x) = (v0, 0.0);
    for _ in 0..220 {
        let speeds = ([0.0, v, 0.0], [-G * H, v, 0.0]);
        point(&mut builder, 1.0, speeds, mu(friction));
        assert_solved(&solver.solve(builder.finished().unwrap()));
        v = solver.solution.v_plus[1];
        x += H * v;
    }
    let wanted = v0 * v0 / (2.0 * friction * G) - 0.5 * v0 * H;
    assert!((x - wanted).abs() < 1e-10, "{x} {wanted}");
    assert!(v.abs() < 1e-12);
}

/// The ellipse `(f_s / mu_s)^2 + (f_t / mu_t)^2 <= f_n^2` touches its polygon at the axes.
#[test]
fn anisotropic_friction_has_its_own_threshold_along_each_tangent() {
    let mut builder = ProblemBuilder::new();
    for d in [4, 8, 16] {
        for (axis, coefficient) in [(1, 0.8), (2, 0.2)] {
            for (share, sticks) in [(0.999, true), (1.001, false)] {
                let mut v_free = [-1.0, 0.0, 0.0];
                v_free[axis] = coefficient * share;
                let data = ContactData {
                    mu_across: Some(0.2),
                    ..mu(0.8)
                };
                point(&mut builder, 1.0, ([0.0; 3], v_free), data);
                let (answer, report) = solve(builder.finished().unwrap(), ST, polygon(d));
                assert_solved(&report);
                assert_eq!(answer.slip[0] < 1e-12, sticks, "d {d} axis {axis} {share}");
            }
        }
    }
    // No friction at all along t.
    let data = ContactData {
        mu_across: Some(0.0),
        ..mu(0.8)
    };
    point(&mut builder, 1.0, ([0.0; 3], [-1.0, 0.1, 0.1]), data);
    let (answer, report) = solve(builder.finished().unwrap(), ST, polygon(8));
    assert_solved(&report);
    assert!(answer.v_plus[1].abs() < 1e-13 && (answer.v_plus[2] - 0.1).abs() < 1e-13);
}

/// A conveyor at speed c takes a resting point along: `mu g h` per step until it moves with it.
#[test]
fn conveyor_drags_with_coulomb_s_force_and_no_faster_than_itself() {
    let mut builder = ProblemBuilder::new();
    let mut v = 0.0;
    for step in 1..100 {
        let data = ContactData {
            surface_velocity: [0.0, 0.7],
            ..mu(0.4)
        };
        let speeds = ([0.0, 0.0, v], [-G * H, 0.0, v]);
        point(&mut builder, 1.0, speeds, data);
        let (answer, report) = solve(builder.finished().unwrap(), ST, ModelSettings::default());
        assert_solved(&report);
        v = answer.v_plus[2];
        let wanted = (0.4 * G * H * f64::from(step)).min(0.7);
        assert!((v - wanted).abs() < 1e-12, "step {step}: {v} {wanted}");
    }
}
