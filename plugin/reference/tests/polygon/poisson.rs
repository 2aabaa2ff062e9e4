//! Bounces by Poisson's law.

use crate::common::*;
use crate::scenes::*;
use stickslip_core::models::{ModelName, ModelSettings, PolygonSettings, RestitutionLaw};
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::SolveStatus;

const AP: ModelName = ModelName::AnitescuPotra;

/// The compression stops what comes with `v - g h`, `c_n = m (|v| + g h)`; the expansion adds
/// `e c_n`: it leaves with `e (|v| + g h)`. Friction slides through both phases:
/// `mu (1 + e) c_n / m` off the tangential speed.
#[test]
fn bounce_returns_poisson_s_share_of_the_impulse() {
    let mut builder = ProblemBuilder::new();
    let (speed, e, mass) = (2.0, 0.6, 3.0);
    let data = ContactData {
        restitution: e,
        ..mu(0.1)
    };
    let v = [-speed, 1.5, 0.0];
    let free = [-speed - G * H, 1.5, 0.0];
    point(&mut builder, mass, (v, free), data);
    let (answer, report) = solve(builder.finished().unwrap(), AP, ModelSettings::default());
    assert_solved(&report);
    let stopped = speed + G * H;
    assert!((answer.v_plus[0] - e * stopped).abs() < 1e-13);
    assert!((answer.v_plus[1] - (1.5 - 0.1 * (1.0 + e) * stopped)).abs() < 1e-13);
    assert!((answer.compression[0] - mass * stopped).abs() < 1e-12);
    assert!((answer.f_n[0] - (1.0 + e) * mass * stopped).abs() < 1e-12);
    // Newton's law on request: e times the speed it came with.
    let settings = ModelSettings {
        polygon: PolygonSettings {
            restitution: Some(RestitutionLaw::Newton),
            ..PolygonSettings::default()
        },
        ..ModelSettings::default()
    };
    let (answer, report) = solve(builder.finished().unwrap(), AP, settings);
    assert_solved(&report);
    assert!((answer.v_plus[0] - e * speed).abs() < 1e-13);
    assert!(answer.compression.is_empty());
}

/// Three equal masses on a line, the first strikes the other two at rest and in touch. Newton's law
/// with e = 1 asks for a separation at the struck contact only; Poisson's compression makes all three
/// one body at v/3 with impulses `2/3 m v` and `1/3 m v`, and the expansion doubles both:
/// velocities `v (1 - 4/3), v (4/3 - 2/3), v 2/3`.
#[test]
fn chain_of_three_expands_every_compressed_contact() {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let one = nalgebra::DMatrix::identity(1, 1);
    let mass = stickslip_core::mass::MassFactor::from_dense(&one).unwrap();
    let blocks = [1.5, 0.0, 0.0].map(|v| builder.add_block(&mass, &[v], &[v]));
    for i in 0..2 {
        let data = ContactData {
            key: i as u64,
            restitution: 1.0,
            impact_velocity: -1.5,
            ..mu(0.0)
        };
        let half = |k: usize, n: &'static [f64]| RowHalf {
            block: blocks[i + k],
            cols: &[0],
            rows: [n, &[0.0], &[0.0]],
        };
        builder.add_contact(data, &[half(0, &[-1.0]), half(1, &[1.0])]);
    }
    let problem = builder.finish().unwrap();
    let (answer, report) = solve(problem, AP, ModelSettings::default());
    assert_solved(&report);
    for (v, wanted) in answer.v_plus.iter().zip([-0.5, 1.0, 1.0]) {
        assert!((v - wanted).abs() < 1e-13, "{:?}", answer.v_plus);
    }
}

/// A drive keeps its limit over both phases together.
#[test]
fn drives_keep_their_limit_through_both_phases() {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let v = [-2.0, 0.0, 1.0];
    let block = point_block(&mut builder, 1.0, (v, v));
    let contact = RowHalf {
        block,
        cols: &[0, 1, 2],
        rows: [&UNIT[0], &UNIT[1], &UNIT[2]],
    };
    let data = ContactData {
        restitution: 0.5,
        ..mu(0.1)
    };
    builder.add_contact(data, &[contact]);
    let row = RowHalf {
        block,
        cols: &[2],
        rows: [&[1.0]],
    };
    let kind = ScalarKind::Bounded {
        velocity: 0.0,
        limit: 0.4,
        compliance: 0.0,
    };
    builder.add_scalar(1, kind, &[row]);
    builder.finish().unwrap();
    let (answer, report) = solve(builder.finished().unwrap(), AP, ModelSettings::default());
    assert_solved(&report);
    // Friction 0.1 (1 + e) 2 and the drive's 0.4 brake together.
    assert!((answer.v_plus[2] - (1.0 - 0.3 - 0.4)).abs() < 1e-13);
    assert!((answer.f_scalar[0] + 0.4).abs() < 1e-13);
}

/// Random bouncing problems: verified phase by phase.
#[test]
fn random_bounces_are_verified() {
    let mut builder = ProblemBuilder::new();
    let mut solver = Solver::new(AP, ModelSettings::default());
    let (mut bounced, mut relaxed) = (0, 0);
    for seed in 0..250 {
        campaign::draw(&mut builder, seed, (2, 12), campaign::Kind::Bouncing);
        solver.warm.clear();
        let report = solver.solve(builder.finished().unwrap());
        assert!(report.residuals.max() <= 1e-9, "seed {seed} {report:?}");
        relaxed += usize::from(report.status == SolveStatus::Relaxed);
        let pairs = solver
            .solution
            .f_n
            .iter()
            .zip(solver.solution.compression.iter().step_by(3));
        bounced += usize::from(pairs.into_iter().any(|(f, c)| *f > 1.01 * c && *c > 0.0));
    }
    println!("{bounced} bounced, {relaxed} relaxed of 250");
    assert!(bounced > 30 && relaxed == 0, "{bounced} {relaxed}");
}
