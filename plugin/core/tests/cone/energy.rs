//! The bound on energy: `|v+|^2 <= |v_free|^2 + 3/2 sum m d^2` of bodies that impulses connect.

use crate::common::*;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use std::sync::Arc;
use stickslip_core::mass::{MassFactor, MassPattern, NO_PARENT};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{BlockId, ContactData, ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::{SolveStatus, SolverName};

const H: f64 = 0.01;

fn settings() -> ModelSettings {
    ModelSettings {
        solver: Some(SolverName::Engine),
        ..ModelSettings::default()
    }
}

/// A body of 1 kg with the velocity `v_free` along its first coordinate, and the row `entry v = asked` of it.
fn levered(builder: &mut ProblemBuilder, [x, y]: [f64; 2], (entry, asked): (f64, f64)) -> BlockId {
    let mass = free_mass(1.0, Matrix3::identity() * 1e6);
    let block = builder.add_block(&mass, &[0.0; 6], &[x, y, 0.0, 0.0, 0.0, 0.0]);
    let kind = ScalarKind::Bilateral { velocity: asked };
    let half = RowHalf::<1> {
        block,
        cols: &[0],
        rows: [&[entry]],
    };
    builder.add_scalar(0, kind, &[half]);
    block
}

/// A heavy body at rest under a light one, and the contact between them.
fn on_heavy(builder: &mut ProblemBuilder, light: BlockId, contact: ContactData) {
    let mass = free_mass(1e4, Matrix3::identity() * 1e4);
    let heavy = builder.add_block(&mass, &[0.0; 6], &[0.0; 6]);
    let frame = axes(Vector3::y(), 0.0);
    let rows = [1.0, -1.0].map(|sign| point_rows(frame, Vector3::zeros(), sign));
    builder.add_contact(contact, &[half(light, &rows[0]), half(heavy, &rows[1])]);
}

/// A body pulled by a drive through a lever: the row `10 v = 3 * 10` asks for 30, the answer moves with 3. What moves with
/// all that is asked for stays. The same row over a coordinate that must move 100 times as fast, `0.01 v = 3`, asks
/// for 3 and would make v = 300: it is shortened to 3 in three directions; where the body has 4 m/s to begin with, to
/// `v^2 = 4^2 + 3^2 3`. How hard the body is to turn, a matter of the unit of length, has no part in it.
#[test]
fn energy_that_nothing_asked_for_is_taken_back() {
    for (v_free, entry, asked) in [(0.0, 10.0, 30.0), (0.0, 0.01, 3.0), (4.0, 0.01, 3.0)] {
        let mut builder = ProblemBuilder::new();
        builder.begin(H);
        levered(&mut builder, [v_free, 0.0], (entry, asked));
        builder.finish().unwrap();
        let (answer, report) = solve(builder.finished().unwrap(), ModelName::Cone, settings());
        let most = (v_free * v_free + asked * asked * 3.0).sqrt();
        let wanted = asked / entry;
        let held = wanted > most;
        assert_eq!(report.held_back, usize::from(held), "{report:?}");
        let v = answer.v_plus[0];
        if held {
            assert_eq!(report.status, SolveStatus::EnergyBound);
            assert!((v - most).abs() < 1e-6, "{v} {most}");
            // The impulse goes along: M dv.
            assert!((answer.f_scalar[0] * entry - (v - v_free)).abs() < 1e-6);
        } else {
            assert_eq!(report.status, SolveStatus::Solved);
            assert!((v - wanted).abs() < 1e-9, "{v}");
        }
    }
}

/// A plane body of a tree, 1 kg of 0.2 m, that rests on its tip and that a row pulls through a lever: it is held to the speed that is
/// asked for in three directions, in any unit of length.
#[test]
fn trees_are_held_alike_in_all_units() {
    let speed = |unit: f64| {
        let mut builder = ProblemBuilder::new();
        builder.begin(H);
        let inertia = 0.04 * unit * unit;
        let mass = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 1.0, inertia]));
        let mass = MassFactor::from_dense(&mass).unwrap();
        let v = [0.0, -0.1 * unit, 0.0];
        let block = builder.add_block(&mass, &v, &v);
        let lever = 0.3 * unit;
        let rows = [[0.0, 1.0, lever], [1.0, 0.0, 0.0], [0.0; 3]];
        let tip = RowHalf {
            block,
            cols: &[0, 1, 2],
            rows: [&rows[0][..], &rows[1], &rows[2]],
        };
        builder.add_contact(closed(1), &[tip]);
        let kind = ScalarKind::Bilateral {
            velocity: 3.0 * unit,
        };
        let pull = RowHalf::<1> {
            block,
            cols: &[0],
            rows: [&[0.01]],
        };
        builder.add_scalar(0, kind, &[pull]);
        builder.finish().unwrap();
        let (answer, report) = solve(builder.finished().unwrap(), ModelName::Cone, settings());
        assert_eq!(report.held_back, 1, "{report:?}");
        answer.v_plus[0] / unit
    };
    let metre = speed(1.0);
    // 3 m/s in three directions, and a little that the body had.
    assert!((metre / 27.0_f64.sqrt() - 1.0).abs() < 1e-3, "{metre}");
    for unit in [1e-2, 1e2, 1e3] {
        assert!((speed(unit) / metre - 1.0).abs() < 1e-9, "{unit}");
    }
}

/// A tree of 2 kg that floats, pulled by a row of an angle alone, in a unit of length that makes its inertia a million: it is held to
/// the energy of its mass, `1/2 I w^2 = 3/2 2 3^2`. Inertia by row would be no bound at all.
#[test]
fn a_floating_tree_is_held_by_its_mass() {
    let parents: Vec<_> = (0..7)
        .map(|i: usize| i.checked_sub(1).unwrap_or(NO_PARENT))
        .collect();
    let pattern = MassPattern::from_parents(&parents).unwrap().floating(true);
    let mut mass = MassFactor::new(Arc::new(pattern));
    for (i, m) in [2.0, 2.0, 2.0, 1e6, 1e6, 1e6, 1.0].into_iter().enumerate() {
        *mass.entry_mut(i, i) = m;
    }
    mass.factor().unwrap();
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let block = builder.add_block(&mass, &[0.0; 7], &[0.0; 7]);
    let pull = RowHalf::<1> {
        block,
        cols: &[3],
        rows: [&[0.01]],
    };
    builder.add_scalar(0, ScalarKind::Bilateral { velocity: 3.0 }, &[pull]);
    builder.finish().unwrap();
    let (answer, report) = solve(builder.finished().unwrap(), ModelName::Cone, settings());
    assert_eq!(report.held_back, 1, "{report:?}");
    let rate = (3.0 * 2.0 * 9.0 / 1e6_f64).sqrt();
    assert!(
        (answer.v_plus[3] / rate - 1.0).abs() < 1e-6,
        "{:?}",
        answer.v_plus
    );
}

/// A hinge with the inertia 0.5 kg m^2, whose contact lies 0.5 m off, counts as `0.5 / 0.5^2 = 2` kg. A row asks for 3 m/s and would make
/// 300 rad/s; the contact pushes a slider of 1 kg along at 0.3 m a radian. `1/2 (0.5 + 0.3^2) w^2 = 3/2 2 3^2` is left.
#[test]
fn a_hinge_is_held_by_its_lever_in_all_units() {
    for unit in [1.0, 1e-2, 1e2] {
        let mut builder = ProblemBuilder::new();
        builder.begin(H);
        let mass = DMatrix::from_diagonal(&DVector::from_vec(vec![0.5 * unit * unit, 1.0]));
        let mass = MassFactor::from_dense(&mass).unwrap();
        let block = builder.add_block(&mass, &[0.0; 2], &[0.0; 2]);
        let rows = [[-0.3 * unit, 1.0], [0.4 * unit, 0.0], [0.0; 2]];
        let tip = RowHalf {
            block,
            cols: &[0, 1],
            rows: [&rows[0][..], &rows[1], &rows[2]],
        };
        let contact = ContactData {
            mu: 0.0,
            ..closed(1)
        };
        builder.add_contact(contact, &[tip]);
        let kind = ScalarKind::Bilateral {
            velocity: 3.0 * unit,
        };
        let pull = RowHalf::<1> {
            block,
            cols: &[0],
            rows: [&[0.01 * unit]],
        };
        builder.add_scalar(0, kind, &[pull]);
        builder.finish().unwrap();
        let (answer, report) = solve(builder.finished().unwrap(), ModelName::Cone, settings());
        assert_eq!(report.held_back, 1, "{report:?}");
        let rate = (3.0 * 2.0 * 9.0 / (0.5 + 0.09_f64)).sqrt();
        assert!(
            (answer.v_plus[0] / rate - 1.0).abs() < 1e-6,
            "{unit}: {:?}",
            answer.v_plus
        );
    }
}

/// What a heavy neighbour could take is not granted to a light body that it exerts nothing on: between them is a contact
/// that stays open.
#[test]
fn the_bound_is_that_of_what_hangs_together() {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let light = levered(&mut builder, [0.0; 2], (0.01, 3.0));
    let apart = ContactData {
        phi: 0.1,
        ..closed(1)
    };
    on_heavy(&mut builder, light, apart);
    builder.finish().unwrap();
    let problem = builder.finished().unwrap();
    assert_eq!(problem.island_count(), 1);
    let (answer, report) = solve(problem, ModelName::Cone, settings());
    assert_eq!(report.held_back, 1, "{report:?}");
    let most = 3.0 * 3.0_f64.sqrt();
    assert!(
        (answer.v_plus[0] - most).abs() < 1e-6,
        "{}",
        answer.v_plus[0]
    );
}

/// The same light body, resting on a heavy one by a contact that presses: the two could take 9 * 3 * 10,001 J, enough for all
/// that the row wants, v = 300. One by one they are held to four times what is asked: `v^2 = (4 * 3)^2 * 3`.
#[test]
fn one_body_does_not_take_what_is_granted_to_all() {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let light = levered(&mut builder, [0.0, -0.1], (0.01, 3.0));
    let smooth = ContactData {
        mu: 0.0,
        ..closed(1)
    };
    on_heavy(&mut builder, light, smooth);
    builder.finish().unwrap();
    let (answer, report) = solve(builder.finished().unwrap(), ModelName::Cone, settings());
    assert_eq!(report.held_back, 1, "{report:?}");
    let squared: f64 = answer.v_plus[..3].iter().map(|v| v * v).sum();
    let most = (4.0_f64 * 3.0).powi(2) * 3.0;
    assert!((squared / most - 1.0).abs() < 1e-6, "{squared} {most}");
}

/// A light body on a heavy one beside one of 20 m/s, which loses nothing: what the light one is granted is four times what its
/// row asks for, whatever its neighbour does.
#[test]
fn a_fast_neighbour_grants_nothing() {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let light = levered(&mut builder, [0.0, -0.1], (0.01, 3.0));
    let mass = free_mass(1.0, Matrix3::identity());
    let fast = [20.0, -1e-4, 0.0, 0.0, 0.0, 0.0];
    let fast = builder.add_block(&mass, &fast, &fast);
    let mass = free_mass(1e4, Matrix3::identity() * 1e4);
    let heavy = builder.add_block(&mass, &[0.0; 6], &[0.0; 6]);
    for (key, body) in [(1, light), (2, fast)] {
        let frame = axes(Vector3::y(), 0.0);
        let rows = [1.0, -1.0].map(|sign| point_rows(frame, Vector3::zeros(), sign));
        let smooth = ContactData {
            mu: 0.0,
            ..closed(key)
        };
        builder.add_contact(smooth, &[half(body, &rows[0]), half(heavy, &rows[1])]);
    }
    builder.finish().unwrap();
    let (answer, report) = solve(builder.finished().unwrap(), ModelName::Cone, settings());
    assert_eq!(report.held_back, 1, "{report:?}");
    let squared: f64 = answer.v_plus[..3].iter().map(|v| v * v).sum();
    let most = (4.0_f64 * 3.0).powi(2) * 3.0;
    assert!((squared / most - 1.0).abs() < 1e-6, "{squared} {most}");
}

/// A heavy body of 20 m/s that is asked for 0.1 m/s along x takes a light one along: the light one has 200 times what is asked,
/// all of which the heavy one lost. Nothing is held back, and the momentum stays.
#[test]
fn what_is_hit_gains_what_the_other_lost() {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let light = builder.add_block(&free_mass(1.0, Matrix3::identity()), &[0.0; 6], &[0.0; 6]);
    let v = [0.0, 20.0, 0.0, 0.0, 0.0, 0.0];
    let heavy = builder.add_block(&free_mass(9.0, Matrix3::identity()), &v, &v);
    let rows = [1.0, -1.0].map(|sign| point_rows(axes(Vector3::y(), 0.0), Vector3::zeros(), sign));
    builder.add_contact(closed(1), &[half(light, &rows[0]), half(heavy, &rows[1])]);
    let asked = RowHalf::<1> {
        block: heavy,
        cols: &[0],
        rows: [&[1.0]],
    };
    builder.add_scalar(0, ScalarKind::Bilateral { velocity: 0.1 }, &[asked]);
    builder.finish().unwrap();
    let (answer, report) = solve(builder.finished().unwrap(), ModelName::Cone, settings());
    assert_eq!(report.status, SolveStatus::Solved, "{report:?}");
    assert_eq!(report.held_back, 0, "{report:?}");
    for v in [answer.v_plus[1], answer.v_plus[7]] {
        assert!((v - 18.0).abs() < 1e-9, "{v}");
    }
}

/// A ball that bounces off a bat that comes at it: the bat's 2 m/s and 0.9 of the approach of 5 on top, `v = 2 + 0.9 * 5`.
#[test]
fn bounces_off_what_moves_stay() {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let v = [0.0, 0.0, -3.0, 0.0, 0.0, 0.0];
    let block = builder.add_block(&free_mass(2.0, Matrix3::identity() * 0.02), &v, &v);
    let data = ContactData {
        restitution: 0.9,
        normal_drift: -2.0,
        ..closed(0)
    };
    let rows = point_rows(up(), Vector3::new(0.0, 0.0, -0.1), 1.0);
    builder.add_contact(data, &[half(block, &rows)]);
    builder.finish().unwrap();
    let (answer, report) = solve(builder.finished().unwrap(), ModelName::Cone, settings());
    assert_eq!(report.held_back, 0, "{report:?}");
    assert!((answer.v_plus[2] - 6.5).abs() < 1e-9, "{:?}", answer.v_plus);
}

/// Cause: a ball that arrives within what counts as closed bounced with `e v - phi / h`, at small steps a tenth too slow. It
/// bounces with e times its approach wherever it is within that.
#[test]
fn a_bounce_loses_nothing_to_a_closed_gap() {
    for (phi, h) in [(0.0, 1e-3), (5e-6, 1e-3), (9e-6, 1e-4), (1e-5, 1e-4)] {
        let mut builder = ProblemBuilder::new();
        builder.begin(h);
        let v = [0.0, 0.0, -2.0, 0.0, 0.0, 0.0];
        let block = builder.add_block(&free_mass(1.0, Matrix3::identity() * 0.02), &v, &v);
        let data = ContactData {
            phi,
            restitution: 0.5,
            ..closed(0)
        };
        let rows = point_rows(up(), Vector3::new(0.0, 0.0, -0.1), 1.0);
        builder.add_contact(data, &[half(block, &rows)]);
        builder.finish().unwrap();
        for model in [ModelName::Cone, ModelName::NoSlip, ModelName::Frictionless] {
            let settings = ModelSettings {
                closed_tolerance: 1e-5,
                ..ModelSettings::default()
            };
            let (answer, _) = solve(builder.finished().unwrap(), model, settings);
            let up = answer.v_plus[2];
            assert!((up - 1.0).abs() < 1e-9, "{model:?}, {phi} m, {h} s: {up}");
        }
    }
}

/// The constant in front of d: a wall moves along x into a heap of balls that touch each other in any direction and rub on
/// each other and on the floor, masses from 0.03 to 30 kg. All of them could go with it: without friction they take
/// `1/2 m d^2` each at most besides what there was, and with friction not much more (1.18 times that was the most in 6,000
/// heaps). The bound grants all three directions, so none is held back.
#[test]
fn what_is_pushed_may_go_along() {
    const SPEED: f64 = 2.0;
    let mut most = 0.0_f64;
    for seed in 1..=300 {
        let mut r = Random(u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15) | 1);
        let mut builder = ProblemBuilder::new();
        builder.begin(H);
        let count = 2 + r.below(12);
        let (mut blocks, mut total, mut free) = (Vec::new(), 0.0, 0.0);
        for _ in 0..count {
            let mass = 10f64.powf(1.5 * r.next());
            let inertia = Matrix3::identity() * (0.4 * 0.01 * mass);
            let mut v = [0.0; 6];
            let still = r.below(2) == 0;
            v.iter_mut()
                .take(3)
                .for_each(|v| *v = if still { 0.0 } else { r.next() });
            let v_free = [v[0], v[1], v[2] - G * H, 0.0, 0.0, 0.0];
            total += mass;
            free += 0.5 * mass * v_free.iter().map(|v| v * v).sum::<f64>();
            blocks.push(builder.add_block(&free_mass(mass, inertia), &v, &v_free));
        }
        let ball = |n: Vector3<f64>, sign: f64| point_rows(axes(n, 0.3), n * (-0.1 * sign), sign);
        let mut key = 0;
        let mut data = |mu: f64, drift: f64| {
            key += 1;
            ContactData {
                mu,
                normal_drift: drift,
                ..closed(key)
            }
        };
        for i in 0..count {
            let mu = r.below(3) as f64 * 0.4;
            if i == 0 || r.below(4) == 0 {
                let rows = ball(Vector3::x(), 1.0);
                builder.add_contact(data(mu, -SPEED), &[half(blocks[i], &rows)]);
            }
            if r.below(2) == 0 {
                let rows = ball(Vector3::z(), 1.0);
                builder.add_contact(data(mu, 0.0), &[half(blocks[i], &rows)]);
            }
            for j in 0..i {
                if j + 1 == i || r.below(4) == 0 {
                    let n = r.unit();
                    let rows = [ball(n, -1.0), ball(n, 1.0)];
                    let halves = [half(blocks[j], &rows[0]), half(blocks[i], &rows[1])];
                    builder.add_contact(data(mu, 0.0), &halves);
                }
            }
        }
        builder.finish().unwrap();
        let problem = builder.finished().unwrap();
        for model in [ModelName::Cone, ModelName::Frictionless] {
            let unbound = ModelSettings {
                energy_bound: false,
                ..ModelSettings::default()
            };
            let (answer, report) = solve(problem, model, unbound);
            if report.residuals.max() > 1e-6 {
                continue;
            }
            let end: f64 = (0..problem.block_count())
                .map(|b| problem.kinetic_energy(b, &answer.v_plus))
                .sum();
            let share = (end - free) / (0.5 * total * SPEED * SPEED);
            let allowed = match model {
                ModelName::Frictionless => 1.0 + 1e-6,
                _ => 1.5,
            };
            assert!(share <= allowed, "seed {seed}, {model:?}: {share}");
            most = most.max(share);
            let (_, report) = solve(problem, model, ModelSettings::default());
            assert_eq!(report.held_back, 0, "seed {seed}, {model:?}");
        }
    }
    // Some heaps do go along.
    assert!(most > 0.5, "{most}");
}
