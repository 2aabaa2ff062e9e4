//! Random bodies in contact: answers hold, the momentum balances, and with the step the difference to
//! the velocity level goes away.

use crate::common::*;
use nalgebra::{Matrix3, Vector3};
use std::collections::BTreeMap;
use stickslip_core::models::{ConeSettings, Hover, ModelName, ModelSettings, RollingFriction};
use stickslip_core::problem::{ContactData, ContactProblem, ProblemBuilder};
use stickslip_core::report::{SolveStatus, SolverName};

/// Some bodies, some contacts; velocities with which no contact approaches.
struct Pile {
    seed: u64,
    /// Share of the contacts that slide, in quarters.
    sliding: usize,
    mu: f64,
}

impl Pile {
    fn build(&self, builder: &mut ProblemBuilder, h: f64) {
        let mut r = Random(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        builder.begin(h);
        let bodies = 1 + r.below(3);
        let slides = r.below(4) < self.sliding;
        let mut blocks = Vec::new();
        for _ in 0..bodies {
            let m = 1.0 + 0.5 * r.next();
            let mass = free_mass(m, Matrix3::identity() * (0.2 * m));
            let mut v = [0.0; 6];
            if slides {
                // Translation along x slides every contact whose normal is across.
                v[0] = 1.0 + 0.3 * r.next();
            }
            let a: [f64; 6] = std::array::from_fn(|_| 5.0 * r.next());
            let v_free: [f64; 6] = std::array::from_fn(|i| v[i] + h * a[i]);
            blocks.push(builder.add_block(&mass, &v, &v_free));
        }
        let contacts = 1 + r.below(4);
        for key in 0..contacts as u64 {
            let angle = 3.0 * r.next();
            // Across x, so that the bodies' slides don't approach.
            let normal = Vector3::new(0.0, angle.cos(), angle.sin());
            let axes = axes(normal, 3.0 * r.next());
            let a = r.below(bodies);
            let b = (a + 1) % bodies;
            let data = ContactData {
                mu: self.mu,
                ..closed(key)
            };
            let first = point_rows(axes, r.unit() * 0.5, 1.0);
            let second = point_rows(axes, r.unit() * 0.5, -1.0);
            if bodies > 1 && r.below(2) == 0 {
                builder.add_contact(data, &[half(blocks[a], &first), half(blocks[b], &second)]);
            } else {
                builder.add_contact(data, &[half(blocks[a], &first)]);
            }
        }
        builder.finish().unwrap();
    }
}

/// Builds one pile after another and hands each over with its seed.
fn for_piles(
    count: u64,
    (sliding, mu): (usize, f64),
    h: f64,
    mut each: impl FnMut(u64, &ContactProblem),
) {
    let mut builder = ProblemBuilder::new();
    for seed in 0..count {
        let pile = Pile { seed, sliding, mu };
        pile.build(&mut builder, h);
        each(seed, builder.finished().unwrap());
    }
}

fn momentum_error(problem: &ContactProblem, solver: &Solver) -> f64 {
    let solution = &solver.solution;
    let dv: Vec<f64> = (solution.v_plus.iter().zip(problem.v_free()))
        .map(|(after, free)| after - free)
        .collect();
    let mut p = momentum(problem, &dv);
    for c in 0..problem.contact_count() {
        let f = [solution.f_n[c], solution.f_s[c], solution.f_t[c]];
        for (k, f) in f.into_iter().enumerate() {
            problem
                .row(stickslip_core::problem::RowId(3 * c + k))
                .add_to(-f, &mut p);
        }
    }
    p.iter().fold(0.0, |m, p| m.max(p.abs()))
}

#[test]
fn random_piles_are_solved_and_balanced() {
    for rolling in [RollingFriction::Pyramid, RollingFriction::Cone] {
        let mut settings = ModelSettings::default();
        settings.acceleration.rolling = rolling;
        let mut solver = Solver::new(ModelName::CoulombAcceleration, settings);
        let mut statuses: BTreeMap<SolveStatus, usize> = BTreeMap::new();
        let mut worst = 0.0_f64;
        for_piles(1500, (2, 0.4), 0.01, |seed, problem| {
            let report = solver.solve(problem);
            *statuses.entry(report.status).or_default() += 1;
            if report.status.is_usable() {
                assert!(report.residuals.max() < 1e-9, "seed {seed}: {report:?}");
                worst = worst.max(report.residuals.max());
            } else {
                assert!(report.exact_cone > 0);
            }
            let off = momentum_error(problem, &solver);
            assert!(off < 1e-12, "seed {seed}: {off}");
        });
        println!("{rolling:?}: {statuses:?}, worst residual {worst:.1e}");
        // Little friction: the unsymmetric matrices are tame.
        assert!(statuses[&SolveStatus::Solved] > 1400, "{statuses:?}");
        assert!(!statuses.contains_key(&SolveStatus::Inaccurate));
    }
}

#[test]
fn much_friction_gives_every_status_and_each_is_true() {
    let mut solver = Solver::new(ModelName::CoulombAcceleration, ModelSettings::default());
    let mut statuses: BTreeMap<SolveStatus, usize> = BTreeMap::new();
    for_piles(1500, (4, 2.0), 1e-7, |seed, problem| {
        let report = solver.solve(problem);
        *statuses.entry(report.status).or_default() += 1;
        if report.status.is_usable() {
            assert!(report.residuals.max() < 1e-9, "seed {seed}: {report:?}");
        }
    });
    println!("{statuses:?}");
    for status in [
        SolveStatus::Solved,
        SolveStatus::SeveralSolutions,
        SolveStatus::NoSolution,
    ] {
        assert!(
            statuses.get(&status).is_some_and(|&n| n > 10),
            "{statuses:?}"
        );
    }
}

#[test]
fn with_the_step_the_difference_to_the_velocity_level_goes_away() {
    // Friction opposes the slip at the start of the step here, at its end there: v+ differs by the
    // turn of the slip, O(h), times the impulses, O(h).
    let mut here = ModelSettings::default();
    here.acceleration.rolling = RollingFriction::Cone;
    let mut there = ModelSettings {
        cone: ConeSettings {
            hover: Hover::Remove,
            ..ConeSettings::default()
        },
        ..ModelSettings::default()
    };
    there.iteration.max_iterations = 200_000;
    there.iteration.tolerance = 1e-11;
    let mut builder = ProblemBuilder::new();
    let (mut compared, mut orders) = (0, Vec::new());
    for seed in 0..60 {
        let mut differences = Vec::new();
        // Slips of 1 mm/s must not turn much within a step.
        for h in [4e-5, 2e-5, 1e-5] {
            let pile = Pile {
                seed,
                sliding: 3,
                mu: 0.3,
            };
            pile.build(&mut builder, h);
            let problem = builder.finished().unwrap();
            let (one, first) = solve(problem, ModelName::CoulombAcceleration, here.clone());
            let (other, second) = solve(problem, ModelName::Ccp, there.clone());
            if first.status != SolveStatus::Solved || second.status != SolveStatus::Solved {
                break;
            }
            differences.push(worst_difference(&one.v_plus, &other.v_plus));
        }
        if differences.len() < 3 {
            continue;
        }
        compared += 1;
        // Above what the other model's tolerance leaves.
        if differences[2] > 1e-9 {
            orders.push((differences[0] / differences[2]).log2() / 2.0);
        }
    }
    println!("{compared} compared, orders {orders:.2?}");
    assert!(compared > 50 && orders.len() > 5, "{compared} {orders:?}");
    assert!(orders.iter().all(|&p| p > 1.7), "{orders:?}");
}

#[test]
fn the_interior_point_method_gives_the_same_accelerations() {
    let (mut same, mut fallbacks) = (0, 0);
    for_piles(400, (2, 0.4), 0.01, |_, problem| {
        for name in [ModelName::CoulombAcceleration, ModelName::QuasiStatic] {
            let (one, first) = solve(problem, name, ModelSettings::default());
            let settings = ModelSettings {
                solver: Some(SolverName::InteriorPoint),
                ..ModelSettings::default()
            };
            let (other, second) = solve(problem, name, settings);
            if first.status == SolveStatus::Solved && second.status == SolveStatus::Solved {
                assert!(second.residuals.max() < 1e-9, "{second:?}");
                fallbacks += second.fallbacks;
                // Polygons may have several answers at velocity level too; most have one.
                let difference = worst_difference(&one.v_plus, &other.v_plus);
                same += usize::from(difference < 1e-7);
            }
        }
    });
    println!("{same} of 800 the same, {fallbacks} fallbacks");
    assert!(same > 700 && fallbacks < 80, "{same} {fallbacks}");
}

#[test]
fn quasi_static_piles_under_loads_are_solved() {
    let mut solver = Solver::new(ModelName::QuasiStatic, ModelSettings::default());
    let (mut wedged, mut pressed) = (0, 0);
    for_piles(1500, (2, 0.6), 0.01, |seed, problem| {
        let report = solver.solve(problem);
        // Rest is feasible, so there is an answer even where the cone is not pointed.
        assert_eq!(report.status, SolveStatus::Solved, "seed {seed}");
        assert!(report.residuals.max() < 1e-9, "seed {seed}: {report:?}");
        wedged += usize::from(report.wedged > 0);
        pressed += usize::from(solver.solution.f_n.iter().any(|&f| f > 0.0));
    });
    println!("{wedged} wedged, {pressed} pressed");
    assert!(wedged > 5 && pressed > 1000, "{wedged} {pressed}");
}
