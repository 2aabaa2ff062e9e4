//! Bodies squeezed by what moves as prescribed: `u + d z = a` for the rows that ask, where there is no answer otherwise.

use crate::common::*;
use nalgebra::{Matrix3, Vector3};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{BlockId, ContactData, ProblemBuilder};
use stickslip_core::report::SolveStatus;

const H: f64 = 0.01;
const MODELS: [ModelName; 6] = [
    ModelName::Cone,
    ModelName::Ccp,
    ModelName::Frictionless,
    ModelName::NoSlip,
    ModelName::NoSlipReleasing,
    ModelName::Viscous,
];

/// Those, and a model over friction polygons where there is one.
fn models() -> impl Iterator<Item = ModelName> {
    MODELS.into_iter().chain(make::POLYGON)
}

fn ball(mass: f64) -> stickslip_core::mass::MassFactor {
    free_mass(mass, Matrix3::identity() * (0.4 * 0.01 * mass))
}

/// A contact of a ball with something fixed or prescribed whose normal points at the ball.
fn side(
    builder: &mut ProblemBuilder,
    (block, key): (BlockId, u64),
    (normal, speed, mu): (Vector3<f64>, f64, f64),
) {
    let data = ContactData {
        mu,
        mu_viscous: 1.0,
        normal_drift: -speed,
        ..closed(key)
    };
    let rows = point_rows(axes(normal, 0.0), normal * -0.1, 1.0);
    builder.add_contact(data, &[half(block, &rows)]);
}

/// Balls of 2 kg in a row from a wall on, with a plate behind the last one that comes at `speed`.
fn row(builder: &mut ProblemBuilder, count: usize, (wall, speed): (bool, f64)) {
    builder.begin(H);
    let blocks: Vec<_> = (0..count)
        .map(|_| builder.add_block(&ball(2.0), &[0.0; 6], &[0.0; 6]))
        .collect();
    let x = Vector3::x();
    if wall {
        side(builder, (blocks[0], 1), (x, 0.0, 0.3));
    }
    for (k, pair) in blocks.windows(2).enumerate() {
        let data = ContactData {
            mu: 0.3,
            mu_viscous: 1.0,
            ..closed(10 + k as u64)
        };
        let rows = [1.0, -1.0].map(|sign| point_rows(axes(x, 0.0), x * (-0.1 * sign), sign));
        let halves = [half(pair[1], &rows[0]), half(pair[0], &rows[1])];
        builder.add_contact(data, &halves);
    }
    side(builder, (blocks[count - 1], 2), (-x, speed, 0.3));
    builder.finish().unwrap();
}

/// Between a wall and a plate that comes at 3 m/s nothing moves, and the plate presses with `a / d`, d = 1/m of the ball it
/// touches: 6 N s; all of its speed is missed, and told.
#[test]
fn squeezed_balls_stay_and_the_plate_gives_in() {
    for count in [1, 3, 12, 60] {
        let mut builder = ProblemBuilder::new();
        row(&mut builder, count, (true, 3.0));
        // The polygon models meet what contradicts itself halfway, plate and wall alike.
        for model in MODELS {
            let problem = builder.finished().unwrap();
            let (answer, report) = solve(problem, model, ModelSettings::default());
            let place = format!("{count}, {model}: {report:?}");
            let moves = answer.v_plus.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
            assert!(moves < 1e-3, "{moves} {place}");
            let plate = answer.f_n[problem.contact_count() - 1];
            assert!((plate - 6.0).abs() < 2e-3, "{plate} {place}");
            assert!((report.relaxed - 3.0).abs() < 1e-3, "{place}");
            assert!(report.residuals.max() < 1e-4, "{place}");
            assert!(report.status <= SolveStatus::ExactCone, "{place}");
            assert_eq!((report.held_back, report.failures), (0, 0), "{place}");
        }
    }
}

/// Without the wall all bodies move with the plate, at its speed, and no row is relaxed.
#[test]
fn what_can_go_along_does() {
    for count in [1, 3, 12] {
        let mut builder = ProblemBuilder::new();
        row(&mut builder, count, (false, 3.0));
        for model in models() {
            let problem = builder.finished().unwrap();
            let (answer, report) = solve(problem, model, ModelSettings::default());
            let place = format!("{count}, {model}: {report:?}");
            assert_eq!(report.relaxed, 0.0, "{place}");
            assert_eq!(report.status, SolveStatus::Solved, "{place}");
            for v in answer.v_plus.chunks(6) {
                assert!((v[0] + 3.0).abs() < 1e-6, "{v:?} {place}");
            }
        }
    }
}

/// Balls in a square, each touching its neighbours, that move across while a plate comes at one side. Few sweeps end far from
/// the answer, in which all go with the plate. The problem has an answer, so no row of the plate may be relaxed, however large
/// the residual is.
#[test]
fn an_unfinished_push_stays_rigid() {
    const SIDE: usize = 12;
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let v = [0.0, 5.0, 0.0, 0.0, 0.0, 0.0];
    let blocks = (0..SIDE * SIDE).map(|_| builder.add_block(&ball(2.0), &v, &v));
    let blocks: Vec<_> = blocks.collect();
    let mut key = 0;
    for k in 0..SIDE * SIDE {
        key += 10;
        let (row, column) = (k / SIDE, k % SIDE);
        if column + 1 == SIDE {
            side(&mut builder, (blocks[k], key), (-Vector3::x(), 3.0, 0.3));
        }
        let after = [
            (column + 1 < SIDE, 1, Vector3::x()),
            (row + 1 < SIDE, SIDE, Vector3::y()),
        ];
        for (n, (_, step, normal)) in after.into_iter().enumerate().filter(|(_, a)| a.0) {
            let data = ContactData {
                mu: 0.3,
                mu_viscous: 1.0,
                ..closed(key + 1 + n as u64)
            };
            let rows =
                [1.0, -1.0].map(|sign| point_rows(axes(normal, 0.0), normal * (-0.1 * sign), sign));
            let halves = [half(blocks[k + step], &rows[0]), half(blocks[k], &rows[1])];
            builder.add_contact(data, &halves);
        }
    }
    builder.finish().unwrap();
    let problem = builder.finished().unwrap();
    for pairs in [6, 8, 10] {
        let mut settings = ModelSettings::default();
        settings.budget.pairs = pairs;
        let (_, report) = solve(problem, ModelName::Cone, settings);
        let place = format!("{pairs}: {report:?}");
        assert_eq!(report.status, SolveStatus::IterationLimit, "{place}");
        assert!(report.residuals.max() > 1e-3, "{place}");
        assert_eq!(report.relaxed, 0.0, "{place}");
    }
}

/// Balls in a corner of two walls and the floor, touching each other in any direction, with a plate that comes at them from
/// any side: whatever rows contradict each other, no model adds energy that the plate's speed does not account for, and
/// every answer is one but for what it tells to be missed.
#[test]
fn no_squeeze_makes_speed() {
    const SPEED: f64 = 4.0;
    let (mut relaxed, mut left) = (0, 0);
    for seed in 1..=200 {
        let mut r = Random(u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15) | 1);
        let mut builder = ProblemBuilder::new();
        builder.begin(H);
        let count = 1 + r.below(10);
        let blocks: Vec<_> = (0..count)
            .map(|_| {
                let mass = 10f64.powf(r.next());
                let v = [r.next(), r.next(), -0.1, 0.0, 0.0, 0.0];
                builder.add_block(&ball(mass), &v, &v)
            })
            .collect();
        let mut key = 0;
        let mut next = || {
            key += 1;
            key
        };
        for i in 0..count {
            for normal in [Vector3::x(), Vector3::y(), Vector3::z()] {
                if r.below(3) > 0 {
                    side(&mut builder, (blocks[i], next()), (normal, 0.0, 0.5));
                }
            }
            if i == 0 || r.below(4) == 0 {
                let normal = (r.unit() - Vector3::new(0.5, 0.5, 0.5)).normalize();
                side(&mut builder, (blocks[i], next()), (normal, SPEED, 0.5));
            }
            for j in 0..i {
                if j + 1 == i || r.below(4) == 0 {
                    let n = r.unit();
                    let rows =
                        [-1.0, 1.0].map(|sign| point_rows(axes(n, 0.3), n * (-0.1 * sign), sign));
                    let data = ContactData {
                        mu: 0.5,
                        mu_viscous: 1.0,
                        ..closed(next())
                    };
                    let halves = [half(blocks[j], &rows[0]), half(blocks[i], &rows[1])];
                    builder.add_contact(data, &halves);
                }
            }
        }
        builder.finish().unwrap();
        let problem = builder.finished().unwrap();
        let energy = |v: &[f64]| {
            let blocks = 0..problem.block_count();
            blocks.map(|b| problem.kinetic_energy(b, v)).sum::<f64>()
        };
        let all = vec![1.0; problem.dim()];
        let most = energy(problem.v_free()) + SPEED * SPEED * energy(&all);
        for model in models() {
            let (answer, report) = solve(problem, model, ModelSettings::default());
            let end = energy(&answer.v_plus);
            assert!(end <= most * (1.0 + 1e-6), "{seed} {model}: {end} {most}");
            relaxed += usize::from(report.relaxed > 1e-3);
            left += usize::from(report.residuals.max() > 1e-4);
        }
    }
    println!("{relaxed} relaxed, {left} far from an answer");
    assert!(relaxed > 100, "{relaxed}");
    assert!(left <= 14, "{left} of 1400");
}
