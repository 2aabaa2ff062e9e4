//! The solver `engine`: what it adds to the law, and what it refuses.

use crate::common::*;
use nalgebra::{Matrix3, Vector3};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::{SolveStatus, SolverName};

const H: f64 = 0.01;

fn settings() -> ModelSettings {
    ModelSettings {
        solver: Some(SolverName::Engine),
        ..ModelSettings::default()
    }
}

/// A cube of mass 2 and side 1 with the free velocity given, on the corners of its underside; their keys begin at
/// `key`, their gap is `phi`.
fn cube(builder: &mut ProblemBuilder, v_free: [f64; 6], (key, phi): (u64, f64)) {
    builder.begin(H);
    let mass = free_mass(2.0, Matrix3::identity() * (2.0 / 6.0));
    let block = builder.add_block(&mass, &[0.0; 6], &v_free);
    for corner in 0..4_u64 {
        let x = if corner & 1 == 0 { -0.5 } else { 0.5 };
        let y = if corner & 2 == 0 { -0.5 } else { 0.5 };
        let rows = point_rows(up(), Vector3::new(x, y, -0.5), 1.0);
        let data = ContactData {
            phi,
            mu: 0.4,
            ..closed(key + corner)
        };
        builder.add_contact(data, &[half(block, &rows)]);
    }
    builder.finish().unwrap();
}

/// A gap that closes within the step carries friction: a cube that falls at 1 m/s through a gap of 4 mm keeps 0.4 m/s
/// of it, so the floor gives `m (1 - 0.4)` N s, of which friction takes mu: v_x falls by `0.4 * 0.6`.
#[test]
fn contacts_that_close_during_the_step_have_friction() {
    let mut builder = ProblemBuilder::new();
    cube(&mut builder, [1.0, 0.0, -1.0, 0.0, 0.0, 0.0], (0, 0.004));
    let (answer, report) = solve(builder.finished().unwrap(), ModelName::Cone, settings());
    assert_eq!(report.status, SolveStatus::Solved, "{report:?}");
    // Friction below the centre of mass tips the cube, but not off its corners: it slides flat.
    let wanted = [1.0 - 0.4 * 0.6, 0.0, -0.4, 0.0, 0.0, 0.0];
    let off = worst_difference(&answer.v_plus, &wanted);
    assert!(off < 1e-9, "{:?}", answer.v_plus);
}

/// A gap wider than what the step covers carries nothing.
#[test]
fn contacts_that_stay_open_have_none() {
    let mut builder = ProblemBuilder::new();
    let free = [1.0, 0.0, -1.0, 0.0, 0.0, 0.0];
    cube(&mut builder, free, (0, 0.011));
    let (answer, report) = solve(builder.finished().unwrap(), ModelName::Cone, settings());
    assert_eq!(report.status, SolveStatus::Solved);
    assert!(worst_difference(&answer.v_plus, &free) < 1e-15);
    assert!(answer.f_n.iter().all(|f| *f == 0.0));
}

/// Two joints that prescribe different speeds of a coordinate give their mean, the least-squares answer, and both are
/// reported. The proximal weights leave 1e-8 of the difference.
#[test]
fn contradictory_joints_yield_by_the_least() {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = free_mass(2.0, Matrix3::identity());
    let block = builder.add_block(&mass, &[0.0; 6], &[0.0; 6]);
    for (key, velocity) in [(0, 0.25), (1, 1.0)] {
        let half = RowHalf::<1> {
            block,
            cols: &[0],
            rows: [&[1.0]],
        };
        builder.add_scalar(key, ScalarKind::Bilateral { velocity }, &[half]);
    }
    builder.finish().unwrap();
    let (answer, report) = solve(builder.finished().unwrap(), ModelName::Cone, settings());
    assert_eq!(report.status, SolveStatus::Relaxed, "{report:?}");
    assert!((report.relaxed - 0.375).abs() < 1e-8, "{}", report.relaxed);
    assert_eq!(&answer.unmet[..2], &[true, true]);
    assert!(
        (answer.v_plus[0] - 0.625).abs() < 1e-8,
        "{}",
        answer.v_plus[0]
    );
}

/// A column of cubes at rest, too large for a dense matrix: Newton's method on the sparse one settles it, cold to the
/// tolerance of motion at least, from its own answer to that of rest.
#[test]
fn a_wide_stack_settles() {
    let mut builder = ProblemBuilder::new();
    stack(&mut builder, 40, 0.005, 1.0);
    let mut one = Solver::new(ModelName::Cone, settings());
    let mut last = f64::INFINITY;
    for _ in 0..4 {
        last = one.solve(builder.finished().unwrap()).residuals.max();
        assert!(last <= 1e-4, "{last}");
    }
    assert!(last <= 1e-8, "{last}");
    let weight = 40.0 * G * 0.005;
    let carried: f64 = one.solution.f_n[..4].iter().sum();
    assert!((carried / weight - 1.0).abs() < 1e-6, "{carried} {weight}");
}

/// A tower that nothing has pressed yet: with every contact held each of a cube's four corners carries a fourth of what
/// stands above it and none of the friction, inside all cones. That is the answer: what is left to a few steps is the share
/// that the proximal weight leaves of each. From sweeps, 332 pairs and factors end at a residual of 1e-8, with other loads.
#[test]
fn a_tower_is_loaded_evenly_from_its_first_step() {
    let (mut builder, count, h) = (ProblemBuilder::new(), 30, 0.01);
    stack(&mut builder, count, h, 1.0);
    let problem = builder.finished().unwrap();
    let (answer, report) = solve(problem, ModelName::Cone, settings());
    assert_eq!(report.status, SolveStatus::Solved, "{report:?}");
    assert!(report.iterations <= 5, "{} iterations", report.iterations);
    let push = -problem.v_free()[2];
    for (c, f) in answer.f_n.iter().enumerate() {
        let wanted = (count - c / 4) as f64 * push / 4.0;
        assert!(
            (f - wanted).abs() < 1e-9 * wanted,
            "contact {c}: {f} N s, {wanted} wanted"
        );
        let friction = answer.f_s[c].hypot(answer.f_t[c]);
        assert!(
            friction < 1e-9 * wanted,
            "contact {c}: {friction} N s along it"
        );
    }
}
