//! Cause: beyond the stability limit of explicit friction velocities grew by a factor per step, until
//! 1e157 m/s stood in the state: finite, so that no test for NaN saw it.

use crate::common::*;
use nalgebra::DMatrix;
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{AccelerationSettings, Integrator, ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf};
use stickslip_core::report::{SolveReport, SolveStatus};

const H: f64 = 0.01;

/// A point mass of 1 kg that slides at v on four closed contacts, mu_v = rate / (4 h) each, so that
/// `h lambda = rate`; the surface under it moves at `belt` along x.
fn step(solver: &mut Solver, v: [f64; 3], rate: f64, belt: f64) -> (SolveReport, [f64; 3]) {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = MassFactor::from_dense(&DMatrix::identity(3, 3)).unwrap();
    let v_free = [v[0], v[1], v[2] - 9.81 * H];
    let block = builder.add_block(&mass, &v, &v_free);
    for key in 0..4 {
        let data = ContactData {
            key,
            mu_viscous: rate / (4.0 * H),
            surface_velocity: [belt, 0.0],
            ..ContactData::default()
        };
        let half = RowHalf {
            block,
            cols: &[0, 1, 2],
            rows: [&[0.0, 0.0, 1.0], &[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]],
        };
        builder.add_contact(data, &[half]);
    }
    builder.finish().unwrap();
    let report = solver.solve(builder.finished().unwrap());
    let v = [0, 1, 2].map(|k| solver.solution.v_plus[k]);
    (report, v)
}

fn solver(integrator: Integrator) -> Solver {
    let settings = ModelSettings {
        acceleration: AccelerationSettings {
            integrator,
            ..AccelerationSettings::default()
        },
        ..ModelSettings::default()
    };
    Solver::new(ModelName::ViscousAcceleration, settings)
}

/// The factor per step is 1 - z by Euler and 1 - z + z^2/2 - z^3/6 + z^4/24 by RK4, z = h lambda.
#[test]
fn within_the_limit_friction_decays() {
    for (integrator, z, factor) in [
        (Integrator::SemiImplicitEuler, 1.99, -0.99),
        (Integrator::Rk4, 2.78, 0.992_048_273_333),
    ] {
        let mut solver = solver(integrator);
        let mut v = [1.0, 0.0, 0.0];
        for _ in 0..100 {
            let (report, next) = step(&mut solver, v, z, 0.0);
            assert_eq!(report.status, SolveStatus::Solved, "{integrator:?}");
            assert!((next[0] - factor * v[0]).abs() < 1e-6, "{next:?}");
            v = next;
        }
    }
}

#[test]
fn beyond_it_the_status_says_so_and_no_velocity_grows() {
    for (integrator, z) in [
        (Integrator::SemiImplicitEuler, 2.002),
        (Integrator::SemiImplicitEuler, 50.0),
        (Integrator::Rk4, 2.788),
        (Integrator::Rk4, 1e6),
    ] {
        let mut solver = solver(integrator);
        let mut v = [1.0, 0.5, 0.0];
        for _ in 0..50 {
            let (report, next) = step(&mut solver, [v[0], v[1], 0.0], z, 0.0);
            assert_eq!(report.status, SolveStatus::Unstable, "{integrator:?} {z}");
            assert_eq!((report.failures, report.exact_cone), (0, 1));
            let [before, after] = [v, next].map(|v| v[0].hypot(v[1]));
            // The exact cone, here without Coulomb friction.
            assert!(after <= before, "{before} {after}");
            assert!(next[2].abs() < 1e-8, "it stays on the ground: {next:?}");
            v = next;
        }
    }
}

/// A belt gives a resting body its speed: that is no instability.
#[test]
fn a_belt_may_make_velocities_grow() {
    let mut solver = solver(Integrator::Rk4);
    let mut v = [0.0; 3];
    for _ in 0..100 {
        let (report, next) = step(&mut solver, v, 1.0, 30.0);
        assert_eq!(report.status, SolveStatus::Solved);
        v = next;
    }
    assert!((v[0] - 30.0).abs() < 1e-9, "{v:?}");
}
