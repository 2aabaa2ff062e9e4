//! Bilateral rows beside cones: Newton's method takes them as rows that always act.

use crate::common::*;
use crate::generator::{Extremes, Row, Scene};
use nalgebra::{Matrix3, Vector3};
use stickslip_core::models::{ContactSolution, ModelName, ModelSettings};
use stickslip_core::problem::{BlockId, ContactData, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::{SolveReport, SolveStatus, SolverName};

const H: f64 = 0.01;

fn bilateral(
    builder: &mut ProblemBuilder,
    key: u64,
    velocity: f64,
    halves: &[(BlockId, [f64; 6])],
) {
    let kind = ScalarKind::Bilateral { velocity };
    let halves: Vec<_> = halves
        .iter()
        .map(|(block, row)| RowHalf {
            block: *block,
            cols: &ALL6,
            rows: [&row[..]],
        })
        .collect();
    builder.add_scalar(key, kind, &halves);
}

fn axis(k: usize) -> [f64; 6] {
    std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 })
}

/// A cube of mass 2 and side 1 that falls for a step onto one point under its middle, its first
/// coordinates moved as `targets` say.
fn moved(targets: &[(usize, f64)], contact: ContactData) -> (ContactSolution, SolveReport) {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = free_mass(2.0, Matrix3::identity() * (2.0 / 6.0));
    let v_free = [0.0, 0.0, -G * H, 0.0, 0.0, 0.0];
    let block = builder.add_block(&mass, &[0.0; 6], &v_free);
    let rows = point_rows(up(), Vector3::new(0.0, 0.0, -0.5), 1.0);
    let id = builder.add_contact(contact, &[half(block, &rows)]);
    if contact.mu_torsional > 0.0 {
        let spins = [axis(5), axis(3), axis(4)];
        builder.add_spin(id, &[half(block, &spins)]);
    }
    for (key, &(k, velocity)) in targets.iter().enumerate() {
        bilateral(&mut builder, key as u64, velocity, &[(block, axis(k))]);
    }
    builder.finish().unwrap();
    solve(
        builder.finished().unwrap(),
        ModelName::Cone,
        ModelSettings::default(),
    )
}

/// A cube pulled along x at speed u without turning slides: `f_n = m g h`, `f_s = -mu m g h`, and the
/// pull is what friction takes and what the speed needs, `mu m g h + m u`. Turned about the vertical at a
/// rate w as well, torsional friction adds `-mu_t m g h` against `mu_t m g h + I w`.
#[test]
fn a_pull_overcomes_friction_and_inertia() {
    let (u, w, weight) = (0.5, 2.0, 2.0 * G * H);
    let contact = ContactData {
        mu: 0.3,
        mu_torsional: 0.05,
        ..closed(1)
    };
    let targets = [(0, u), (1, 0.0), (3, 0.0), (4, 0.0), (5, w)];
    let (answer, report) = moved(&targets, contact);
    assert_eq!(report.status, SolveStatus::Solved);
    let expected = [u, 0.0, 0.0, 0.0, 0.0, w];
    assert!(
        worst_difference(&answer.v_plus, &expected) < 1e-12,
        "{:?}",
        answer.v_plus
    );
    assert!((answer.f_n[0] - weight).abs() < 1e-12);
    assert!((answer.f_s[0] + 0.3 * weight).abs() < 1e-12);
    assert!((answer.f_spin[0][0] + 0.05 * weight).abs() < 1e-12);
    assert!((answer.f_scalar[0] - (0.3 * weight + 2.0 * u)).abs() < 1e-12);
    assert!((answer.f_scalar[4] - (0.05 * weight + 2.0 / 6.0 * w)).abs() < 1e-12);
}

/// Beside a contact too, two joints that prescribe different speeds of a coordinate give their mean, and both are reported.
#[test]
fn rows_that_contradict_each_other_are_declared() {
    let (answer, report) = moved(&[(0, 0.25), (0, 1.0)], closed(1));
    assert_eq!(report.status, SolveStatus::Relaxed);
    assert!((report.relaxed - 0.375).abs() < 1e-9, "{}", report.relaxed);
    // Three rows of the contact come first.
    assert_eq!(&answer.unmet[3..5], &[true, true]);
    assert!((answer.v_plus[0] - 0.625).abs() < 1e-8);
}

/// `count` cubes in a row along x, of masses 1 and 1000 in turn, welded by six equations each, on the
/// corners of the first and the last.
fn train(builder: &mut ProblemBuilder, count: usize, speed: f64, mu: f64) {
    builder.begin(H);
    let v_free = [speed, 0.0, -G * H, 0.0, 0.0, 0.0];
    let blocks: Vec<BlockId> = (0..count)
        .map(|i| {
            let m = if i % 2 == 0 { 1.0 } else { 1000.0 };
            let mass = free_mass(m, Matrix3::identity() * (m / 6.0));
            builder.add_block(&mass, &[speed, 0.0, 0.0, 0.0, 0.0, 0.0], &v_free)
        })
        .collect();
    for (i, pair) in blocks.windows(2).enumerate() {
        let [ahead, behind] = [0.5, -0.5].map(|x| Vector3::new(x, 0.0, 0.0));
        let one = point_rows(up(), ahead, -1.0);
        let two = point_rows(up(), behind, 1.0);
        for k in 0..3 {
            let key = 6 * i as u64 + k as u64;
            bilateral(builder, key, 0.0, &[(pair[0], one[k]), (pair[1], two[k])]);
            let turn = axis(3 + k);
            let against = turn.map(|x| -x);
            bilateral(
                builder,
                key + 3,
                0.0,
                &[(pair[0], against), (pair[1], turn)],
            );
        }
    }
    for (number, block) in [blocks[0], blocks[count - 1]].into_iter().enumerate() {
        for corner in 0..4_u64 {
            let x = if corner & 1 == 0 { -0.5 } else { 0.5 };
            let y = if corner & 2 == 0 { -0.5 } else { 0.5 };
            let rows = point_rows(up(), Vector3::new(x, y, -0.5), 1.0);
            let data = ContactData {
                mu,
                ..closed(4 * number as u64 + corner)
            };
            builder.add_contact(data, &[half(block, &rows)]);
        }
    }
    builder.finish().unwrap();
}

/// Welded cubes slide as one body does: every one of them ends at `v0 - mu g h` and does not turn, and the
/// ground carries the weight of all. By sweeps 10 cubes take 95 iterations and 40 take 200.
#[test]
fn a_welded_train_slides_as_one_body_in_a_few_iterations() {
    for count in [2, 10, 40] {
        let (v0, mu) = (1.0, 0.4);
        let mut builder = ProblemBuilder::new();
        train(&mut builder, count, v0, mu);
        let (answer, report) = solve(
            builder.finished().unwrap(),
            ModelName::Cone,
            ModelSettings::default(),
        );
        assert_eq!(report.status, SolveStatus::Solved, "{count}: {report:?}");
        assert!(report.iterations < 60, "{count}: {}", report.iterations);
        let end = [v0 - mu * G * H, 0.0, 0.0, 0.0, 0.0, 0.0];
        for v in answer.v_plus.chunks(6) {
            assert!(worst_difference(v, &end) < 1e-9, "{count}: {v:?}");
        }
        let mass = (count / 2) as f64 * 1001.0;
        let carried: f64 = answer.f_n.iter().sum();
        assert!((carried / (mass * G * H) - 1.0).abs() < 1e-9, "{count}");
    }
}

/// An equation is a bounded row whose bound is never reached, with another law in the code: both must lead
/// to the same end velocity, which is unique in the convex problem.
#[test]
fn equations_give_the_answer_of_bounded_rows() {
    let (mut eliminated, mut iterated) = (ProblemBuilder::new(), ProblemBuilder::new());
    let mut compared = 0;
    let settings = ModelSettings {
        solver: Some(SolverName::Engine),
        ..ModelSettings::default()
    };
    for seed in 0..300 {
        let scene = Scene::random_cones(seed, Extremes::Mild);
        let mut twin = scene.clone();
        let mut equations = 0;
        for row in &mut twin.rows {
            if let Row::Scalar(_, kind, _) = row
                && let ScalarKind::Bilateral { velocity } = *kind
            {
                equations += 1;
                *kind = ScalarKind::Bounded {
                    velocity,
                    limit: 1e9,
                    compliance: 0.0,
                };
            }
        }
        scene.build(&mut eliminated);
        twin.build(&mut iterated);
        let [one, two] = [&eliminated, &iterated]
            .map(|b| solve(b.finished().unwrap(), ModelName::Ccp, settings.clone()));
        let solved = [&one.1, &two.1].map(|report| report.status == SolveStatus::Solved);
        if equations == 0 || solved != [true; 2] {
            continue;
        }
        compared += 1;
        let off = worst_difference(&one.0.v_plus, &two.0.v_plus);
        // `dv^T M dv <= e sum (|dz| + |du| / d)` (see `large`): residuals of 1e-8 against impulses and speeds of up to 1 leave
        // the root of that.
        assert!(off < 1e-4, "seed {seed}: {off:e}");
    }
    assert!(compared > 50, "{compared}");
}
