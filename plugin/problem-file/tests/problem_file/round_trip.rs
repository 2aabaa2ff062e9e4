//! Write, read: the same problem to the bit, and so the same answer to the bit.

use crate::common::*;
use crate::generator::{Row, Scene};
use std::sync::Arc;
use stickslip_core::mass::{MassFactor, MassPattern, NO_PARENT};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{
    BlockId, ContactData, ContactId, ContactProblem, GroupId, ProblemBuilder, RowHalf, RowId,
    ScalarKind,
};
use stickslip_problem_file::{Context, parse_problem, problem_json};

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

/// Everything a model can see of two problems, bit for bit.
pub fn assert_same(a: &ContactProblem, b: &ContactProblem, name: &str) {
    assert_eq!(a.h().to_bits(), b.h().to_bits(), "{name}: h");
    assert_eq!(bits(a.v()), bits(b.v()), "{name}: v");
    assert_eq!(bits(a.v_free()), bits(b.v_free()), "{name}: v_free");
    assert_eq!(a.block_count(), b.block_count(), "{name}: blocks");
    for k in 0..a.block_count() {
        let (x, y) = (a.block(k), b.block(k));
        assert_eq!(x.pattern, y.pattern, "{name}: block {k}");
        assert_eq!(bits(x.values), bits(y.values), "{name}: block {k}");
        assert_eq!(bits(x.inv_diag), bits(y.inv_diag), "{name}: block {k}");
    }
    // The text of a number tells every bit of it but those of a NaN.
    let data = |p: &ContactProblem| format!("{:?} {:?}", p.contacts(), p.scalars());
    assert_eq!(data(a), data(b), "{name}");
    assert_eq!(a.spins(), b.spins(), "{name}");
    assert_eq!(a.row_count(), b.row_count(), "{name}");
    for row in (0..a.row_count()).map(RowId) {
        let (x, y) = (a.row(row), b.row(row));
        assert_eq!(x.runs, y.runs, "{name}: {row:?}");
        assert_eq!(bits(x.values), bits(y.values), "{name}: {row:?}");
    }
    let islands = |p: &ContactProblem| -> Vec<(Vec<u32>, Vec<GroupId>)> {
        let own = p.islands();
        own.map(|i| (i.blocks.to_vec(), i.groups.to_vec()))
            .collect()
    };
    assert_eq!(islands(a), islands(b), "{name}: islands");
}

/// The problem read back.
fn copy(problem: &ContactProblem, name: &str) -> ContactProblem {
    let text = problem_json(problem, &Context::default());
    let read = parse_problem(text.as_bytes())
        .unwrap_or_else(|error| panic!("{name}: {error}\n{text}"))
        .problem;
    assert_same(&read, problem, name);
    read
}

fn same_answer(problem: &ContactProblem, name: &str) {
    let read = copy(problem, name);
    for model in [ModelName::NoSlip, ModelName::Frictionless] {
        let (a, first) = solve(problem, model, ModelSettings::default());
        let (b, second) = solve(&read, model, ModelSettings::default());
        assert_eq!(format!("{a:?}"), format!("{b:?}"), "{name}: {model}");
        assert_eq!(first, second, "{name}: {model}");
    }
}

#[test]
fn scenes_come_back_to_the_bit() {
    let mut builder = ProblemBuilder::new();
    stack(&mut builder, 5, 0.01, 1.7);
    same_answer(builder.finished().unwrap(), "stack");
    quadruped(&mut builder, 1.0 / 300.0);
    same_answer(builder.finished().unwrap(), "quadruped");
    grasp(&mut builder, true);
    same_answer(builder.finished().unwrap(), "grasp");
    many(&mut builder, 30, 0.003);
    same_answer(builder.finished().unwrap(), "many");
}

/// A tree comes back as one that floats, and as one that does not; `copy` compares the patterns.
#[test]
fn floating_trees_come_back() {
    let chain = |i: usize| i.checked_sub(1).unwrap_or(NO_PARENT);
    let parents: Vec<_> = (0..7).map(chain).collect();
    for floats in [false, true] {
        let pattern = MassPattern::from_parents(&parents).unwrap();
        let mut mass = MassFactor::new(Arc::new(pattern.floating(floats)));
        for i in 0..7 {
            *mass.entry_mut(i, i) = 1.0 + i as f64;
        }
        mass.factor().unwrap();
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        builder.add_block(&mass, &[0.0; 7], &[0.1; 7]);
        builder.finish().unwrap();
        let read = copy(builder.finished().unwrap(), "tree");
        assert_eq!(read.block(0).pattern.translates(), floats);
    }
}

/// Gives every contact numbers of all kinds, and every third one spin rows.
fn decorate(scene: &Scene, seed: u64) -> ProblemBuilder {
    let mut r = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1);
    let mut scene = scene.clone();
    for row in &mut scene.rows {
        if let Row::Contact(data, _) = row {
            *data = ContactData {
                key: r.next_u64(),
                phi: if r.below(3) == 0 {
                    -0.0
                } else {
                    1e-3 * r.next()
                },
                mu: r.next().abs(),
                mu_across: (r.below(2) == 0).then(|| r.next().abs()),
                mu_torsional: 1e-300 * r.next().abs(),
                mu_rolling: r.next().abs() / 3.0,
                compliance: if r.below(2) == 0 { 0.0 } else { 1e-7 / 3.0 },
                mu_viscous: 1e20 * r.next().abs(),
                restitution: r.next().abs(),
                surface_velocity: [r.next(), 0.0],
                impact_velocity: -r.next().abs(),
                normal_drift: r.next(),
                acceleration_bias: [r.next(), -0.0, f64::MIN_POSITIVE / 8.0],
                sliding_friction: None,
            };
        }
    }
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01 / 3.0);
    for (mass, v) in scene.masses.iter().zip(&scene.v_free) {
        let start: Vec<f64> = v.iter().map(|x| x / 7.0).collect();
        builder.add_block(mass, &start, v);
    }
    let mut contacts = 0;
    for row in &scene.rows {
        match row {
            Row::Contact(data, halves) => {
                let own: Vec<_> = halves
                    .iter()
                    .map(|h| RowHalf {
                        block: BlockId(h.block),
                        cols: &h.cols,
                        rows: [&h.rows[0][..], &h.rows[1], &h.rows[2]],
                    })
                    .collect();
                builder.add_contact(*data, &own);
                if contacts % 3 == 0 {
                    let turned: Vec<_> = own
                        .iter()
                        .map(|h| RowHalf {
                            rows: [h.rows[1], h.rows[2], h.rows[0]],
                            ..*h
                        })
                        .collect();
                    builder.add_spin(ContactId(contacts), &turned);
                }
                contacts += 1;
            }
            Row::Scalar(key, kind, halves) => {
                let own: Vec<_> = halves
                    .iter()
                    .map(|h| RowHalf {
                        block: BlockId(h.block),
                        cols: &h.cols,
                        rows: [&h.rows[0][..]],
                    })
                    .collect();
                builder.add_scalar(key << 40 | 1, *kind, &own);
            }
        }
    }
    builder.finish().unwrap();
    builder
}

#[test]
fn random_problems_come_back_to_the_bit() {
    for seed in 0..60 {
        let scene = Scene::random(seed);
        let builder = decorate(&scene, seed);
        same_answer(builder.finished().unwrap(), &format!("seed {seed}"));
    }
}

/// Columns that the values alone would not tell: zeros, and a second block without any.
#[test]
fn stored_zeros_and_empty_halves_come_back() {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mass = free_mass(2.0, nalgebra::Matrix3::identity());
    let blocks = [0, 1].map(|_| builder.add_block(&mass, &[0.0; 6], &[-1.0; 6]));
    let zero = [0.0, -0.0];
    let half = |block, cols| RowHalf {
        block,
        cols,
        rows: [&[1.0, 0.0][..], &zero, &zero],
    };
    let nothing = RowHalf {
        block: blocks[1],
        cols: &[],
        rows: [&[][..]; 3],
    };
    builder.add_contact(closed(7), &[half(blocks[0], &[2, 5]), nothing]);
    builder.add_contact(closed(8), &[nothing]);
    builder.add_spin(ContactId(1), &[nothing]);
    let kind = ScalarKind::Bounded {
        velocity: -0.0,
        limit: 0.5,
        compliance: 1e-3,
    };
    let row = RowHalf {
        block: blocks[1],
        cols: &[0, 1],
        rows: [&zero[..]],
    };
    builder.add_scalar(3, kind, &[row]);
    builder.finish().unwrap();
    copy(builder.finished().unwrap(), "zeros");
}

#[test]
fn a_problem_without_anything_comes_back() {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.5);
    builder.finish().unwrap();
    same_answer(builder.finished().unwrap(), "empty");
}

/// A heap too large for dense rows: 400 spheres would be 3 million values.
#[test]
fn large_scenes_have_sparse_rows() {
    let mut builder = ProblemBuilder::new();
    stack(&mut builder, 400, 0.01, 1.0);
    let problem = builder.finished().unwrap();
    let text = problem_json(problem, &Context::default());
    assert!(text.contains("\"cols\""));
    // 1,600 contacts with at most 36 values each.
    assert!(text.len() < 3_000_000, "{} bytes", text.len());
    copy(problem, "heap");
}

#[test]
fn the_context_comes_back() {
    let mut builder = ProblemBuilder::new();
    stack(&mut builder, 1, 0.01, 1.0);
    let mut settings = ModelSettings {
        solver: Some(stickslip_core::report::SolverName::ActiveSet),
        baumgarte: 0.1 + 0.2,
        ..ModelSettings::default()
    };
    settings.polygon.directions = 12;
    settings.polygon.stabilisation = stickslip_core::models::Stabilisation::Tikhonov(1e-9);
    let context = Context {
        model: Some(ModelName::NoSlipReleasing),
        settings: Some(settings),
        note: Some("step 3 of \"box\"\n\u{7}".to_owned()),
    };
    let text = problem_json(builder.finished().unwrap(), &context);
    let read = parse_problem(text.as_bytes()).unwrap();
    assert_eq!(read.context, context);
    let model_alone = Context {
        model: Some(ModelName::Frictionless),
        ..Context::default()
    };
    let text = problem_json(builder.finished().unwrap(), &model_alone);
    let read = parse_problem(text.as_bytes()).unwrap().context;
    assert_eq!(read.model, model_alone.model);
    assert_eq!(read.settings, Some(ModelSettings::default()));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    use stickslip_problem_file::read_problem;
    let folder = std::env::temp_dir().join(format!("stickslip-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut builder = ProblemBuilder::new();
    stack(&mut builder, 2, 0.01, 1.0);
    let path = folder.join("problem.json");
    let text = problem_json(builder.finished().unwrap(), &Context::default());
    std::fs::write(&path, text).unwrap();
    let read = read_problem(&path).unwrap();
    assert_same(&read.problem, builder.finished().unwrap(), "file");
    let error = read_problem(&folder.join("nowhere").join("problem.json")).unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
    let error = read_problem(&folder).unwrap_err();
    assert!(error.to_string().contains("folder"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}
