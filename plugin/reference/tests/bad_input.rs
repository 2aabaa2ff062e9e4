//! What no program should give a model, and some will: rows that contradict each other, masses and coefficients beyond
//! reason, numbers that are not finite, sizes that no memory holds. Every model ends in bounded time with a status, or the
//! problem is refused with an error that names the row.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use nalgebra::{Matrix3, Vector3};
use std::time::{Duration, Instant};
use stickslip_core::models::{ContactSolution, ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ContactProblem, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::{SolveReport, SolveStatus};

const H: f64 = 0.01;

/// Far above what any of these problems takes (seconds, two of them on a busy machine), far below for ever.
const BOUND: Duration = Duration::from_secs(120);

/// Solves by every model; numbers are finite, no contact pulls, and no island was left to itself.
fn by_all(
    problem: &ContactProblem,
    mut check: impl FnMut(ModelName, &ContactSolution, &SolveReport),
) {
    for name in ModelName::ALL {
        let start = Instant::now();
        let (answer, report) = solve(problem, name, ModelSettings::default());
        let took = start.elapsed();
        println!(
            "{name}: {:?} in {took:?}, residual {:.1e}",
            report.status,
            report.residuals.max()
        );
        assert!(took < BOUND, "{name}: {took:?}");
        assert_eq!(report.failures, 0, "{name}: {report:?}");
        let lists = [&answer.v_plus, &answer.f_n, &answer.f_s, &answer.f_t];
        let mut numbers = lists.into_iter().flatten().chain(&answer.f_scalar);
        assert!(numbers.all(|x| x.is_finite()), "{name}: {report:?}");
        assert!(answer.f_n.iter().all(|&f| f >= 0.0), "{name}");
        check(name, &answer, &report);
    }
}

/// A body of 1 kg that falls for a step.
fn body(builder: &mut ProblemBuilder) -> stickslip_core::problem::BlockId {
    builder.begin(H);
    let mass = free_mass(1.0, Matrix3::identity() * 0.1);
    builder.add_block(&mass, &[0.0; 6], &[0.0, 0.0, -G * H, 0.0, 0.0, 0.0])
}

/// Two equations on one coordinate, 1 m/s apart, under a body on the ground: each misses half of it at best, the status
/// is not `Solved`, and the rows are named.
#[test]
fn equations_that_contradict_each_other_are_named() {
    let mut builder = ProblemBuilder::new();
    let block = body(&mut builder);
    let rows = point_rows(up(), Vector3::zeros(), 1.0);
    builder.add_contact(closed(0), &[half(block, &rows)]);
    for (key, velocity) in [(1, 0.0), (2, 1.0)] {
        let row = RowHalf {
            block,
            cols: &[0],
            rows: [&[1.0]],
        };
        builder.add_scalar(key, ScalarKind::Bilateral { velocity }, &[row]);
    }
    let problem = builder.finish().unwrap();
    by_all(problem, |name, answer, report| {
        assert_ne!(report.status, SolveStatus::Solved, "{name}");
        let named = [0, 1].map(|i| answer.unmet[problem.scalar_row(i).0]);
        let reported = report.residuals.max() > 1e-3;
        assert!(named.contains(&true) || reported, "{name}: {report:?}");
        // Between the two.
        let v = answer.v_plus[0];
        assert!((-1e-6..=1.0 + 1e-6).contains(&v), "{name}: {v}");
    });
}

/// Walls on both sides that come together at 1 m/s each: the contacts, and the limits, can't both be kept.
#[test]
fn contacts_that_contradict_each_other_are_told_and_make_nothing_fast() {
    let mut builder = ProblemBuilder::new();
    let block = body(&mut builder);
    for (key, sign) in [(0, 1.0), (1, -1.0)] {
        let rows = point_rows(axes(Vector3::x() * sign, 0.0), Vector3::zeros(), 1.0);
        let data = ContactData {
            normal_drift: -1.0,
            ..closed(key)
        };
        builder.add_contact(data, &[half(block, &rows)]);
    }
    let problem = builder.finish().unwrap();
    by_all(problem, |name, answer, report| {
        assert_ne!(report.status, SolveStatus::Solved, "{name}");
        assert!(answer.v_plus[0].abs() <= 1.0, "{name}: {:?}", answer.v_plus);
    });
}

/// A heavy body on a light one, 1e12 to one and the other way round: an honest status.
#[test]
fn masses_a_trillion_to_one_are_solved_or_told() {
    let mut builder = ProblemBuilder::new();
    for ratio in [1e12, 1e-12] {
        stack(&mut builder, 2, H, ratio);
        let problem = builder.finished().unwrap();
        by_all(problem, |name, answer, report| {
            if report.status == SolveStatus::Solved {
                assert!(report.residuals.max() < 1e-6, "{name}: {report:?}");
                // Neither falls: what rests stays, to round-off of the light one's share.
                for body in [2, 8] {
                    assert!(
                        answer.v_plus[body].abs() < 1e-4,
                        "{name}: {:?}",
                        answer.v_plus
                    );
                }
            }
        });
    }
}

/// One body on 10,000 contacts at the same point: it rests, whoever carries it.
#[test]
fn ten_thousand_coincident_contacts_hold_a_body() {
    let mut builder = ProblemBuilder::new();
    let block = body(&mut builder);
    let rows = point_rows(up(), Vector3::zeros(), 1.0);
    for key in 0..10_000 {
        builder.add_contact(closed(key), &[half(block, &rows)]);
    }
    let problem = builder.finish().unwrap();
    by_all(problem, |name, answer, report| {
        let v = answer.v_plus[2];
        assert!(v.abs() < 1e-5, "{name}: {v}, {report:?}");
        if report.status == SolveStatus::TooLarge {
            assert!(report.memory_wanted > ModelSettings::default().budget.memory);
        }
    });
}

/// Coefficients of a million: a body that slides at 1 m/s is held by them and stays on the ground.
#[test]
fn coefficients_of_a_million_are_solved_or_told() {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let mass = free_mass(1.0, Matrix3::identity() * 0.1);
    let block = builder.add_block(
        &mass,
        &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        &[1.0, 0.0, -G * H, 0.0, 0.0, 0.0],
    );
    for key in 0..4 {
        let [x, y] = [(key & 1) as f64 - 0.5, (key >> 1) as f64 - 0.5];
        let rows = point_rows(up(), Vector3::new(x, y, -0.5), 1.0);
        let data = ContactData {
            mu: 1e6,
            mu_viscous: 1e6,
            ..closed(key)
        };
        builder.add_contact(data, &[half(block, &rows)]);
    }
    let problem = builder.finish().unwrap();
    by_all(problem, |name, answer, report| {
        let speed = answer.v_plus.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        // No energy comes of it: the slip and what gravity adds.
        assert!(speed < 10.0, "{name}: {:?}", answer.v_plus);
        let reported = report.status != SolveStatus::Solved;
        assert!(
            reported || report.residuals.max() < 1e-6,
            "{name}: {report:?}"
        );
        let penetrating = (0..4)
            .map(|c| problem.contact_dots(c, &answer.v_plus)[0])
            .fold(0.0, f64::min);
        assert!(penetrating > -1e-6, "{name}: {penetrating}");
    });
}

/// The polygon's matrix for 4,000 contacts takes gigabytes: refused with a status that says how many, and the body rests.
#[test]
fn what_would_not_fit_memory_is_refused_and_still_stands() {
    let mut builder = ProblemBuilder::new();
    many(&mut builder, 4000, H);
    let problem = builder.finished().unwrap();
    by_all(problem, |name, answer, report| {
        let is_dense = matches!(
            name,
            ModelName::StewartTrinkle
                | ModelName::AnitescuPotra
                | ModelName::DrumwrightShell
                | ModelName::CoulombAcceleration
                | ModelName::QuasiStatic
        );
        let settings = ModelSettings::default();
        if is_dense {
            assert_eq!(report.status, SolveStatus::TooLarge, "{name}");
            // Two matrices over 12,000 rows at least.
            assert!(report.memory_wanted > 2 * 8 * 12_000 * 12_000, "{name}");
            assert!(report.memory_wanted > settings.budget.memory);
            assert_eq!((report.exact_cone, answer.exact_cone[0]), (1, true));
        } else {
            assert_eq!(report.memory_wanted, 0, "{name}");
            // So many viscous contacts on so little mass are beyond the stability limit of an explicit step.
            let unstable = name == ModelName::ViscousAcceleration;
            assert_eq!(report.status == SolveStatus::Unstable, unstable, "{name}");
            assert_eq!(report.exact_cone, usize::from(unstable), "{name}");
        }
        // It does not fall; under `ccp` it hovers while it slides.
        let v = answer.v_plus[2];
        assert!(v > -1e-4 && v < 0.1, "{name}: {v}");
    });
    // A hundred contacts fit, but pivots on them take seconds.
    many(&mut builder, 100, H);
    let problem = builder.finished().unwrap();
    let settings = ModelSettings::default();
    let (answer, report) = solve(problem, ModelName::StewartTrinkle, settings.clone());
    assert_eq!(report.status, SolveStatus::TooLarge);
    assert!(report.memory_wanted < settings.budget.memory);
    assert!(report.work_wanted > settings.budget.work);
    assert!(report.residuals.max() < 1e-8 && answer.v_plus[2].abs() < 1e-8);
    // Room for less than a handful of contacts is a budget as well.
    let mut small = ModelSettings::default();
    small.budget.memory = 1000;
    many(&mut builder, 4, H);
    let problem = builder.finished().unwrap();
    let (answer, report) = solve(problem, ModelName::StewartTrinkle, small);
    assert_eq!(report.status, SolveStatus::TooLarge);
    assert!(report.residuals.max() < 1e-8, "{report:?}");
    assert!(answer.v_plus[2].abs() < 1e-8);
}

/// Without work no pivoting ends: the engine answers, and says so.
#[test]
fn what_runs_out_of_work_is_answered_all_the_same() {
    let mut builder = ProblemBuilder::new();
    stack(&mut builder, 3, H, 1.0);
    let problem = builder.finished().unwrap();
    for name in ModelName::ALL {
        for milliseconds in [None, Some(0.0)] {
            let mut settings = ModelSettings::default();
            settings.budget.milliseconds = milliseconds;
            if milliseconds.is_none() {
                settings.budget.work = 0.0;
            }
            let (answer, report) = solve(problem, name, settings);
            assert_eq!(report.failures, 0, "{name}: {report:?}");
            let worst = answer.v_plus.chunks(6).map(|v| v[2].abs());
            // Few sweeps leave a share of a step's fall.
            assert!(worst.fold(0.0, f64::max) < G * H, "{name} {milliseconds:?}");
        }
    }
}

type Spoil = fn(&mut ContactData, f64);

/// The names of the fields of a contact, and how to spoil each.
const CONTACT_FIELDS: [(&str, Spoil); 16] = [
    ("phi", |c, x| c.phi = x),
    ("mu", |c, x| c.mu = x),
    ("mu_across", |c, x| c.mu_across = Some(x)),
    ("mu_torsional", |c, x| c.mu_torsional = x),
    ("mu_rolling", |c, x| c.mu_rolling = x),
    ("compliance", |c, x| c.compliance = x),
    ("mu_viscous", |c, x| c.mu_viscous = x),
    ("restitution", |c, x| c.restitution = x),
    ("surface_velocity", |c, x| c.surface_velocity[0] = x),
    ("surface_velocity", |c, x| c.surface_velocity[1] = x),
    ("impact_velocity", |c, x| c.impact_velocity = x),
    ("normal_drift", |c, x| c.normal_drift = x),
    ("acceleration_bias", |c, x| c.acceleration_bias[0] = x),
    ("acceleration_bias", |c, x| c.acceleration_bias[1] = x),
    ("acceleration_bias", |c, x| c.acceleration_bias[2] = x),
    ("sliding_friction", |c, x| {
        c.sliding_friction = Some([0.0, x]);
    }),
];

/// Every number of a contact, a scalar row, a block, a row and the step, made NaN and infinite in turn: the error names
/// what it is in.
#[test]
fn a_number_that_is_none_is_refused_by_name_wherever_it_is() {
    let good = point_rows(up(), Vector3::zeros(), 1.0);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let refused = |fill: &dyn Fn(&mut ProblemBuilder), names: [&str; 2]| {
            let mut builder = ProblemBuilder::new();
            fill(&mut builder);
            let text = builder.finish().unwrap_err().to_string();
            for name in names {
                assert!(text.contains(name), "`{text}` does not name {name}");
            }
            assert_eq!(builder.finished().unwrap_err().to_string(), text);
        };
        refused(&|b| b.begin(bad), ["time step", ""]);
        for (name, spoil) in CONTACT_FIELDS {
            let fill = |b: &mut ProblemBuilder| {
                let block = body(b);
                b.add_contact(closed(0), &[half(block, &good)]);
                let mut data = closed(1);
                spoil(&mut data, bad);
                b.add_contact(data, &[half(block, &good)]);
            };
            refused(&fill, ["contact 1", name]);
        }
        for row in 0..3 {
            let fill = |b: &mut ProblemBuilder| {
                let block = body(b);
                let mut rows = good;
                rows[row][4] = bad;
                b.add_contact(closed(0), &[half(block, &rows)]);
            };
            refused(&fill, ["contact 0", "row"]);
            let spin = |b: &mut ProblemBuilder| {
                let block = body(b);
                let contact = b.add_contact(closed(0), &[half(block, &good)]);
                let mut rows = good;
                rows[row][4] = bad;
                b.add_spin(contact, &[half(block, &rows)]);
            };
            refused(&spin, ["contact 0", "row"]);
        }
        let bounded = |velocity, limit, compliance| ScalarKind::Bounded {
            velocity,
            limit,
            compliance,
        };
        for (kind, name) in [
            (ScalarKind::Bilateral { velocity: bad }, "velocity"),
            (ScalarKind::Unilateral { gap: bad }, "gap"),
            (bounded(bad, 1.0, 0.0), "velocity"),
            (bounded(0.0, bad, 0.0), "limit"),
            (bounded(0.0, 1.0, bad), "compliance"),
        ] {
            let fill = |b: &mut ProblemBuilder| {
                let block = body(b);
                let row = RowHalf {
                    block,
                    cols: &[2],
                    rows: [&[1.0]],
                };
                b.add_scalar(7, kind, &[row]);
            };
            refused(&fill, ["scalar row 0", name]);
        }
        for which in 0..2 {
            let fill = |b: &mut ProblemBuilder| {
                body(b);
                let mass = free_mass(1.0, Matrix3::identity());
                let mut velocities = [[0.0; 6]; 2];
                velocities[which][5] = bad;
                b.add_block(&mass, &velocities[0], &velocities[1]);
            };
            refused(&fill, ["mass block 1", "velocity"]);
        }
    }
    // Rows of columns that no block has.
    let mut builder = ProblemBuilder::new();
    let block = body(&mut builder);
    let row = RowHalf {
        block,
        cols: &[usize::MAX],
        rows: [&[1.0]],
    };
    builder.add_scalar(0, ScalarKind::Unilateral { gap: 0.0 }, &[row]);
    let text = builder.finish().unwrap_err().to_string();
    assert!(
        text.starts_with("scalar row 0") && text.contains("out of range"),
        "{text}"
    );
}
