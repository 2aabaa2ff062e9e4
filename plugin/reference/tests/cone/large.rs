//! Islands so large that contacts which stay open are left out between the tests of the residual, and that
//! their units are parted into lanes.

use crate::common::*;
use std::sync::Arc;
use stickslip_core::mass::{MassFactor, MassPattern, NO_PARENT};
use stickslip_core::models::{ModelName, ModelSettings};
use stickslip_core::problem::{ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::{SolveStatus, SolverName};

/// More than Newton's method takes on.
const BEADS: usize = 1600;
/// By how much each bead is faster than the one behind it [m/s].
const SPREAD: f64 = 1e-3;

fn settings(solver: SolverName, tolerance: f64) -> ModelSettings {
    let mut settings = ModelSettings {
        solver: Some(solver),
        ..ModelSettings::default()
    };
    settings.iteration.max_iterations = 20_000;
    settings.iteration.tolerance = tolerance;
    settings
}

/// Beads of 1 kg in a row on a wire, each in touch with the next and a little slower than it, but the first at `push`.
fn beads(push: f64) -> ProblemBuilder {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let pattern = MassPattern::from_parents(&[NO_PARENT]).unwrap();
    let mut mass = MassFactor::new(Arc::new(pattern));
    *mass.entry_mut(0, 0) = 1.0;
    mass.factor().unwrap();
    let speed = |i: usize| if i == 0 { push } else { SPREAD * i as f64 };
    let blocks: Vec<_> = (0..BEADS)
        .map(|i| builder.add_block(&mass, &[0.0], &[speed(i)]))
        .collect();
    for (i, pair) in blocks.windows(2).enumerate() {
        let end = |k: usize, row| RowHalf {
            block: pair[k],
            cols: &[0],
            rows: [row],
        };
        let kind = ScalarKind::Unilateral { gap: 0.0 };
        builder.add_scalar(i as u64, kind, &[end(0, &[-1.0]), end(1, &[1.0])]);
    }
    builder.finish().unwrap();
    builder
}

/// Rigid, inelastic beads move as the nearest speeds that do not fall along the row (isotonic regression): the first K
/// of them at their mean `(push + SPREAD K (K - 1) / 2) / K`, with the least K at which that is no more than the
/// next one's speed, `push <= SPREAD K (K + 1) / 2`; the others as before. Every contact but the first is open
/// when the solve begins, and 39 or 299 of them, one after the other, find that they must press.
#[test]
fn a_push_travels_through_contacts_that_were_left_out() {
    for (solver, carried) in [(SolverName::Psor, 40), (SolverName::Apgd, 300)] {
        let k = carried as f64;
        let push = SPREAD * k * k / 2.0;
        let builder = beads(push);
        let mut one = Solver::new(ModelName::Ccp, settings(solver, 1e-10));
        let report = one.solve(builder.finished().unwrap());
        assert_eq!(report.status, SolveStatus::Solved, "{solver:?}: {report:?}");
        assert_eq!((report.fallbacks, report.islands), (0, 1));
        let mean = (push + SPREAD * k * (k - 1.0) / 2.0) / k;
        for (i, v) in one.solution.v_plus.iter().enumerate() {
            let wanted = if i < carried { mean } else { SPREAD * i as f64 };
            assert!(
                (v - wanted).abs() < 1e-6,
                "{solver:?}, bead {i}: {v} m/s, {wanted} wanted"
            );
        }
    }
}

/// Pushes every which way: a part of the spheres rises, neighbours part or meet.
fn scattered(i: usize) -> [f64; 6] {
    let push = |k: usize| 0.5 * ((i + k * 7919).pow(2) as f64).sin();
    std::array::from_fn(|k| push(k) + if k == 2 { 0.2 } else { 0.0 })
}

/// The velocities of the convex law are unique: the accelerated gradient finds those that sweeps
/// approach slowly (the speeds are up to 0.7 m/s), where many contacts are open.
///
/// How far two answers may be apart: with residuals `r = z - P(z - u / d)` of two impulses z the projection P onto a
/// convex cone gives `(du - d dr) . (dz - dr) <= 0`, d being differences; so `dv^T M dv = sum du . dz <= sum (|du| / d + |dz|)
/// (e_1 + e_2)`, e = d |r| what the tolerances allow. Here no d is below 1 / kg.
#[test]
fn gradient_and_sweeps_agree() {
    let mut builder = ProblemBuilder::new();
    carpet(&mut builder, 26, scattered);
    let answers =
        [(SolverName::Apgd, 1e-6), (SolverName::Psor, 1e-3)].map(|(solver, tolerance)| {
            let mut one = Solver::new(ModelName::Ccp, settings(solver, tolerance));
            let report = one.solve(builder.finished().unwrap());
            assert_eq!(report.status, SolveStatus::Solved, "{solver:?}: {report:?}");
            assert_eq!((report.fallbacks, report.islands), (0, 1));
            one.solution
        });
    let open = answers[0].f_n.iter().filter(|f| **f == 0.0).count();
    let count = answers[0].f_n.len();
    assert!(
        count > 1900 && (count / 8..3 * count / 4).contains(&open),
        "{open} of {count} open"
    );
    let problem = builder.finished().unwrap();
    let fastest = problem.v_free().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let allowed = (1e-6 + 1e-3) * (1.0 + fastest);
    let [a, b] = &answers;
    let dv: Vec<f64> = (a.v_plus.iter().zip(&b.v_plus))
        .map(|(a, b)| a - b)
        .collect();
    let mut terms = 0.0;
    for c in 0..count {
        for (a, b) in [(&a.f_n, &b.f_n), (&a.f_s, &b.f_s), (&a.f_t, &b.f_t)] {
            terms += (a[c] - b[c]).abs();
        }
        let du = problem.contact_dots(c, &dv);
        terms += du.iter().map(|u| u.abs()).sum::<f64>();
    }
    // M is 1 kg, 0.1 kg m^2.
    let weighted = dv.chunks(6).map(|v| {
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        square(&v[..3]) + 0.1 * square(&v[3..])
    });
    let apart = weighted.sum::<f64>();
    println!("apart {apart:.1e}, allowed {:.1e}", allowed * terms);
    assert!(apart <= allowed * terms, "{apart:e} {:e}", allowed * terms);
    // Of what moves, a thousandth: the two do not agree by moving nothing.
    let moving = a.v_plus.iter().map(|v| v * v).sum::<f64>();
    assert!(allowed * terms < 1e-2 * moving, "{terms} {moving}");
}
