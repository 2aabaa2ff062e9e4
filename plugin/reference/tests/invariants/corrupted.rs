//! The residual sees every wrong number of an answer, for every law and every kind of row.
//!
//! The scenes are points and single coordinates whose answer is unique. A number is changed in three ways: an impulse
//! alone, a velocity alone (both upset the momentum), and an impulse together with the velocity that it makes, so that
//! only the law of its row can tell.

use nalgebra::DMatrix;
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{ContactSolution, ModelName, ModelSettings};
use stickslip_core::problem::{
    BlockId, ContactData, ContactProblem, ProblemBuilder, RowHalf, RowId, ScalarKind,
};
use stickslip_core::residual::{Rules, Scratch, residuals};

use crate::common::{G, half, solve};

const H: f64 = 0.01;
const MASS: f64 = 2.0;
/// What a step's fall asks of the contact [N s].
const WEIGHT: f64 = MASS * G * H;
/// Residual of a right answer, and of a wrong one: a change of a tenth of the weight or of 0.1 m/s is ten times that at
/// least, over speeds of up to 2 m/s.
const RIGHT: f64 = 1e-7;
const WRONG: f64 = 1e-3;

fn block(builder: &mut ProblemBuilder, v_free: &[f64]) -> BlockId {
    let dim = v_free.len();
    let mass = MassFactor::from_dense(&(DMatrix::identity(dim, dim) * MASS)).unwrap();
    builder.add_block(&mass, &vec![0.0; dim], v_free)
}

/// A point on a contact: its coordinates are its velocities along n, s and t, and the spin about them.
fn contact(builder: &mut ProblemBuilder, (data, slip): (ContactData, [f64; 2]), spin: [f64; 3]) {
    let v_free = [-G * H, slip[0], slip[1], spin[0], spin[1], spin[2]];
    let block = block(builder, &v_free);
    let rows = |first: usize| {
        [0, 1, 2].map(|k| {
            let mut row = [0.0; 6];
            row[first + k] = 1.0;
            row
        })
    };
    let [own, turn] = [rows(0), rows(3)];
    let contact = builder.add_contact(data, &[half(block, &own)]);
    if spin != [0.0; 3] {
        builder.add_spin(contact, &[half(block, &turn)]);
    }
}

fn scalar(builder: &mut ProblemBuilder, kind: ScalarKind, v_free: f64) {
    let block = block(builder, &[v_free]);
    let row = RowHalf {
        block,
        cols: &[0],
        rows: [&[1.0]],
    };
    builder.add_scalar(1, kind, &[row]);
}

fn touching() -> ContactData {
    ContactData {
        mu: 0.5,
        mu_viscous: 20.0,
        ..ContactData::default()
    }
}

/// Contacts that slide, hold, turn, are apart, give, bounce, lie on a belt; rows of each kind, at and off their bounds.
fn scenes() -> Vec<(&'static str, ProblemBuilder)> {
    let bounded = |limit| ScalarKind::Bounded {
        velocity: 0.5,
        limit,
        compliance: 0.1,
    };
    let still = [0.0; 3];
    type Fill = Box<dyn Fn(&mut ProblemBuilder)>;
    let touch = |data: ContactData, slip: [f64; 2], spin: [f64; 3]| -> Fill {
        Box::new(move |b| contact(b, (data, slip), spin))
    };
    let row = |kind, v: f64| -> Fill { Box::new(move |b| scalar(b, kind, v)) };
    let resisting = ContactData {
        mu_torsional: 0.1,
        mu_rolling: 0.1,
        ..touching()
    };
    let fills: Vec<(&'static str, Fill)> = vec![
        ("sliding", touch(touching(), [1.0, 0.0], still)),
        ("holding", touch(touching(), [0.01, 0.005], still)),
        ("turning", touch(resisting, [1.0, 0.0], [1.0, 0.5, 0.0])),
        (
            "apart",
            touch(
                ContactData {
                    phi: 1.0,
                    ..touching()
                },
                [1.0, 0.0],
                still,
            ),
        ),
        (
            "compliant",
            touch(
                ContactData {
                    compliance: 1e-4,
                    ..touching()
                },
                [1.0, 0.0],
                still,
            ),
        ),
        (
            "on a belt",
            touch(
                ContactData {
                    surface_velocity: [0.5, 0.0],
                    ..touching()
                },
                [0.0; 2],
                still,
            ),
        ),
        (
            "equation",
            row(ScalarKind::Bilateral { velocity: 0.5 }, 0.0),
        ),
        ("limit", row(ScalarKind::Unilateral { gap: 0.0 }, -0.5)),
        ("far limit", row(ScalarKind::Unilateral { gap: 1.0 }, -0.5)),
        ("drive", row(bounded(10.0), 0.0)),
        ("drive at its limit", row(bounded(0.4), 0.0)),
    ];
    let build = |(name, fill): (&'static str, Fill)| {
        let mut builder = ProblemBuilder::new();
        builder.begin(H);
        fill(&mut builder);
        builder.finish().unwrap();
        (name, builder)
    };
    fills.into_iter().map(build).collect()
}

/// The model whose answer is right under the rules of `name`: the stages of the models at acceleration level, and the step
/// without inertia, have the laws of these.
fn answers(name: ModelName) -> ModelName {
    match name {
        ModelName::ViscousAcceleration => ModelName::Frictionless,
        ModelName::CoulombAcceleration | ModelName::QuasiStatic => ModelName::StewartTrinkle,
        name => name,
    }
}

fn left(problem: &ContactProblem, name: ModelName, answer: &ContactSolution) -> f64 {
    let settings = ModelSettings::default();
    let rules = Rules {
        model: name,
        settings: &settings,
        release_failed: false,
        friction: None,
    };
    let mut answer = answer.clone();
    residuals(problem, rules, &mut answer, &mut Scratch::default()).max()
}

/// Where an answer keeps the impulse of a row.
fn impulse<'a>(
    problem: &ContactProblem,
    row: usize,
    answer: &'a mut ContactSolution,
) -> &'a mut f64 {
    let (contacts, scalars) = (problem.contact_count(), problem.scalar_count());
    match row {
        _ if row < 3 * contacts => match row % 3 {
            0 => &mut answer.f_n[row / 3],
            1 => &mut answer.f_s[row / 3],
            _ => &mut answer.f_t[row / 3],
        },
        _ if row < 3 * contacts + scalars => &mut answer.f_scalar[row - 3 * contacts],
        _ => &mut answer.f_spin[0][row - 3 * contacts - scalars],
    }
}

/// Adds an impulse, and what it does to the velocity if asked for.
fn add(
    problem: &ContactProblem,
    row: usize,
    (dz, moves): (f64, bool),
    answer: &mut ContactSolution,
) {
    *impulse(problem, row, answer) += dz;
    if moves {
        let mut p = vec![0.0; problem.dim()];
        problem.row(RowId(row)).add_to(dz, &mut p);
        for (v, p) in answer.v_plus.iter_mut().zip(p) {
            *v += p / MASS;
        }
    }
}

#[test]
fn every_wrong_number_is_seen_under_every_law() {
    let mut seen = 0;
    for name in ModelName::ALL {
        for (scene, builder) in scenes() {
            let problem = builder.finished().unwrap();
            let (right, report) = solve(problem, answers(name), ModelSettings::default());
            let own = left(problem, name, &right);
            assert!(own < RIGHT, "{name}, {scene}: {own:e} {report:?}");
            let wrong = |answer: &ContactSolution, what: &str| {
                let left = left(problem, name, answer);
                let is_seen = left > WRONG || left.is_nan();
                assert!(is_seen, "{name}, {scene}, {what}: {left:e}");
            };
            for row in 0..problem.row_count() {
                for dz in [0.5 * WEIGHT, -0.5 * WEIGHT, f64::NAN] {
                    for moves in [false, true] {
                        let mut answer = right.clone();
                        add(problem, row, (dz, moves), &mut answer);
                        wrong(&answer, &format!("row {row} by {dz}, moves: {moves}"));
                        seen += 1;
                    }
                }
            }
            for x in 0..problem.dim() {
                for dv in [0.1, -0.1, f64::NAN] {
                    let mut answer = right.clone();
                    answer.v_plus[x] += dv;
                    wrong(&answer, &format!("velocity {x} by {dv}"));
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 3000, "{seen}");
}

/// Friction of a contact that slides, in a stage of `coulomb-acceleration`: a fixed share of the normal force.
#[test]
fn wrong_friction_of_a_sliding_stage_is_seen() {
    let share = [-0.4, 0.3];
    let data = ContactData {
        sliding_friction: Some(share),
        ..touching()
    };
    let mut builder = ProblemBuilder::new();
    builder.begin(1.0);
    contact(&mut builder, (data, [1.0, 0.0]), [0.0; 3]);
    let problem = builder.finish().unwrap();
    let mut right = ContactSolution::default();
    right.reset(problem);
    for (row, z) in [WEIGHT, share[0] * WEIGHT, share[1] * WEIGHT]
        .into_iter()
        .enumerate()
    {
        add(problem, row, (z, true), &mut right);
    }
    let name = ModelName::CoulombAcceleration;
    assert!(left(problem, name, &right) < RIGHT);
    for row in 0..3 {
        for dz in [0.5 * WEIGHT, -0.5 * WEIGHT] {
            let mut answer = right.clone();
            add(problem, row, (dz, true), &mut answer);
            assert!(left(problem, name, &answer) > WRONG, "row {row} by {dz}");
        }
    }
}

/// Bounces by Poisson's law are checked phase by phase: the impulses of the compression are part of the answer.
#[test]
fn a_wrong_bounce_is_seen() {
    let data = ContactData {
        restitution: 0.5,
        ..touching()
    };
    let mass = MassFactor::from_dense(&(DMatrix::identity(3, 3) * MASS)).unwrap();
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let v = [-1.0, 0.2, 0.0];
    let block = builder.add_block(&mass, &v, &v);
    let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let half = RowHalf {
        block,
        cols: &[0, 1, 2],
        rows: [&unit[0], &unit[1], &unit[2]],
    };
    builder.add_contact(data, &[half]);
    let problem = builder.finish().unwrap();
    for name in ModelName::ALL.map(answers) {
        let (right, _) = solve(problem, name, ModelSettings::default());
        assert!(left(problem, name, &right) < RIGHT, "{name}");
        for dz in [0.2, -0.2] {
            let mut answer = right.clone();
            add(problem, 0, (dz, true), &mut answer);
            assert!(left(problem, name, &answer) > WRONG, "{name} by {dz}");
            if !right.compression.is_empty() {
                // The whole as it was, its parts not.
                answer = right.clone();
                answer.compression[0] += dz;
                assert!(left(problem, name, &answer) > WRONG, "{name}, compression");
            }
        }
    }
}
