//! Every model under every solver.

use crate::checks::broken;
use crate::common::*;
use crate::rubble::{Recipe, Rubble, Start};
use std::collections::BTreeMap;
use std::time::Instant;
use stickslip_core::models::{ContactSolution, ModelName, ModelSettings};
use stickslip_core::problem::{ProblemBuilder, RowHalf, ScalarKind};
use stickslip_core::report::{SolveStatus, SolverName};

fn pairs() -> Vec<(ModelName, SolverName)> {
    let models = ModelName::ALL.into_iter();
    models
        .flat_map(|model| model.solvers().iter().map(move |&solver| (model, solver)))
        .collect()
}

fn with(solver: SolverName) -> ModelSettings {
    ModelSettings {
        solver: Some(solver),
        ..ModelSettings::default()
    }
}

/// Whether `v+` is unique: strictly convex programs in it.
fn is_unique(model: ModelName) -> bool {
    matches!(
        model,
        ModelName::Frictionless | ModelName::NoSlip | ModelName::Viscous | ModelName::Ccp
    )
}

/// Methods that may run out of iterations and then say so.
fn may_run_out(solver: SolverName) -> bool {
    matches!(
        solver,
        SolverName::Psor | SolverName::Apgd | SolverName::Pgs
    )
}

/// Bodies without inertia start from rest; heaps under models of accelerations do every other time.
fn start(model: ModelName, seed: u64) -> Start {
    match model {
        ModelName::QuasiStatic => Start::Rest,
        ModelName::ViscousAcceleration | ModelName::CoulombAcceleration
            if seed.is_multiple_of(2) =>
        {
            Start::Rest
        }
        _ => Start::Moving,
    }
}

/// How the solves of one pair ended.
#[derive(Default)]
struct Tally {
    statuses: BTreeMap<SolveStatus, usize>,
    fallbacks: usize,
    worst: f64,
    contacts: usize,
    seconds: f64,
    /// The slowest problem: seconds and seed.
    slowest: (f64, u64),
    unsolved: Vec<(u64, SolveStatus)>,
    broken: Vec<String>,
}

/// Solves the heaps of these seeds with one pair.
fn run(model: ModelName, solver: SolverName, seeds: std::ops::Range<u64>, recipe: Recipe) -> Tally {
    let mut tally = Tally::default();
    let mut builder = ProblemBuilder::new();
    let settings = with(solver);
    let mut one = Solver::new(model, settings.clone());
    for seed in seeds {
        Rubble::new(seed, recipe).build_from(start(model, seed), &mut builder);
        one.warm.clear();
        let begin = Instant::now();
        let report = one.solve(builder.finished().unwrap());
        let took = begin.elapsed().as_secs_f64();
        tally.seconds += took;
        if took > tally.slowest.0 {
            tally.slowest = (took, seed);
        }
        let fault = broken(
            builder.finished().unwrap(),
            model,
            &settings,
            (&one.solution, &report),
        );
        if let Some(fault) = fault {
            tally
                .broken
                .push(format!("{model}/{} seed {seed}: {fault}", solver.as_str()));
        }
        tally.contacts += report.contacts;
        *tally.statuses.entry(report.status).or_default() += 1;
        tally.fallbacks += report.fallbacks;
        if report.status == SolveStatus::Solved {
            tally.worst = tally.worst.max(report.residuals.max());
        } else {
            tally.unsolved.push((seed, report.status));
        }
    }
    tally
}

/// A line per pair as soon as it is through, so that a run cut short still says something.
fn print(model: ModelName, solver: SolverName, tally: &Tally) {
    let problems: usize = tally.statuses.values().sum();
    println!(
        "{model}/{}: {problems} problems, {:.1} contacts on average, {:?}, fallbacks {}, \
         worst residual of solved {:.1e}, {:.1} s (slowest {:.1} ms, seed {}), unsolved {:?}{}",
        solver.as_str(),
        tally.contacts as f64 / problems as f64,
        tally.statuses,
        tally.fallbacks,
        tally.worst,
        tally.seconds,
        1e3 * tally.slowest.0,
        tally.slowest.1,
        &tally.unsolved[..tally.unsolved.len().min(12)],
        if tally.unsolved.len() > 12 {
            " ..."
        } else {
            ""
        },
    );
    for fault in &tally.broken {
        println!("  broken: {fault}");
    }
}

/// Most contacts of the problems of the long campaign. A dense matrix with a row per direction of a
/// polygon takes seconds at two hundred contacts, all attempts at the exact cone a quarter of one:
/// those pairs get the short campaign for that size.
fn largest(model: ModelName) -> usize {
    match model {
        ModelName::Frictionless
        | ModelName::NoSlip
        | ModelName::NoSlipReleasing
        | ModelName::Viscous
        | ModelName::ViscousAcceleration
        | ModelName::Ccp => 200,
        ModelName::Cone => 60,
        ModelName::StewartTrinkle
        | ModelName::AnitescuPotra
        | ModelName::DrumwrightShell
        | ModelName::CoulombAcceleration
        | ModelName::QuasiStatic => 30,
    }
}

/// All pairs over the seeds, on so many threads; panics with everything broken. The environment may
/// narrow it: `PAIRS` (part of `model/solver`) and `SEEDS` (`first..last`).
fn survey(count: u64, most: impl Fn(ModelName) -> usize + Sync, threads: usize) {
    let part = std::env::var("PAIRS").unwrap_or_default();
    let mut all = pairs();
    all.retain(|(model, solver)| format!("{model}/{}", solver.as_str()).contains(&part));
    let seeds = std::env::var("SEEDS").ok().map_or(0..count, |range| {
        let (first, last) = range.split_once("..").unwrap();
        first.parse().unwrap()..last.parse().unwrap()
    });
    let problems = seeds.end - seeds.start;
    let next = std::sync::atomic::AtomicUsize::new(0);
    let faults = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&(model, solver)) =
                    all.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    let recipe = Recipe {
                        contacts: most(model),
                        decades: 3.0,
                    };
                    let tally = run(model, solver, seeds.clone(), recipe);
                    print(model, solver, &tally);
                    let mut faults = faults.lock().unwrap();
                    // A step beyond the stability limit of explicit friction has no answer.
                    let answers = [SolveStatus::Solved, SolveStatus::Unstable];
                    let counts = answers.iter().filter_map(|s| tally.statuses.get(s));
                    let solved = counts.sum::<usize>() as f64 / problems as f64;
                    // The engine's work is bounded: of masses and coefficients over six decades it leaves some unsolved.
                    let wanted = match solver {
                        SolverName::Engine => 0.9,
                        solver if may_run_out(solver) => 0.5,
                        _ => 0.99,
                    };
                    if solved < wanted && model != ModelName::CoulombAcceleration {
                        let name = solver.as_str();
                        faults.push(format!("{model}/{name}: only {solved} are solved"));
                    }
                    faults.extend(tally.broken);
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_pair_keeps_the_invariants() {
    survey(60, |_| 12, 2);
}

#[test]
#[ignore = "10,000 problems a pair: cargo test --release --test invariants -- --ignored --nocapture"]
fn every_pair_keeps_the_invariants_ten_thousand_times() {
    survey(10_000, largest, 1);
}

#[test]
#[ignore = "up to 200 contacts: cargo test --release --test invariants -- --ignored --nocapture"]
fn every_pair_keeps_the_invariants_with_two_hundred_contacts() {
    survey(60, |_| 200, 1);
}

#[test]
fn solvers_of_a_convex_model_agree() {
    let recipe = Recipe {
        contacts: 12,
        decades: 0.5,
    };
    let mut builder = ProblemBuilder::new();
    for model in ModelName::ALL.into_iter().filter(|&m| is_unique(m)) {
        let mut compared = 0;
        for seed in 0..150 {
            Rubble::new(seed, recipe).build(&mut builder);
            let problem = builder.finished().unwrap();
            let mut first: Option<(SolverName, ContactSolution, f64)> = None;
            for &solver in model.solvers() {
                let settings = with(solver);
                let accepted = settings.acceptance(model, solver);
                let (solution, report) = solve(problem, model, settings);
                if report.status != SolveStatus::Solved {
                    continue;
                }
                if let Some((other, one, tolerance)) = &first {
                    let difference = worst_difference(&one.v_plus, &solution.v_plus);
                    // A residual is an error of v+ times a condition number at most.
                    let allowed = 1e3 * accepted.max(*tolerance);
                    assert!(
                        difference < allowed,
                        "{model} seed {seed}: {} and {} differ by {difference:.1e}",
                        other.as_str(),
                        solver.as_str()
                    );
                    compared += 1;
                } else {
                    first = Some((solver, solution, accepted));
                }
            }
        }
        assert!(compared > 100, "{model}: only {compared} compared");
    }
}

#[test]
fn order_of_contacts_and_choice_of_tangents_do_not_matter() {
    let recipe = Recipe {
        contacts: 8,
        decades: 0.5,
    };
    let (mut one, mut two) = (ProblemBuilder::new(), ProblemBuilder::new());
    let models = [
        ModelName::NoSlip,
        ModelName::Cone,
        ModelName::Ccp,
        ModelName::Viscous,
    ];
    for model in models.into_iter().filter(|m| ModelName::ALL.contains(m)) {
        let (mut same, mut count) = (0, 0);
        for seed in 0..200 {
            let heap = Rubble::new(seed, recipe);
            heap.build(&mut one);
            heap.shuffled_and_turned(seed + 1).build(&mut two);
            let mut settings = ModelSettings::default();
            settings.cone.tolerance_in_motion = 0.0;
            let accepted = settings.acceptance(model, settings.solver_for(model));
            let (a, first) = solve(one.finished().unwrap(), model, settings.clone());
            let (b, second) = solve(two.finished().unwrap(), model, settings);
            if first.status != SolveStatus::Solved || second.status != SolveStatus::Solved {
                continue;
            }
            count += 1;
            same += usize::from(worst_difference(&a.v_plus, &b.v_plus) < 1e3 * accepted);
        }
        println!("{model}: {same} of {count} the same");
        // The exact cone may have several solutions; all others are unique.
        let wanted = if model == ModelName::Cone { 0.9 } else { 1.0 };
        assert!(count >= 190, "{model}: {count}");
        assert!(
            same as f64 >= wanted * f64::from(count as u32),
            "{model}: {same} of {count}"
        );
    }
}

#[test]
fn problems_at_the_edge_of_meaning() {
    let mut builder = ProblemBuilder::new();
    let chain = stickslip_core::mass::MassFactor::from_dense(&nalgebra::DMatrix::identity(1, 1));
    let line = chain.unwrap();
    for (model, solver) in pairs() {
        let name = format!("{model}/{}", solver.as_str());
        // Nothing at all; a body that nothing touches.
        builder.begin(0.01);
        builder.finish().unwrap();
        let (solution, report) = solve(builder.finished().unwrap(), model, with(solver));
        assert_eq!(report.status, SolveStatus::Solved, "{name}");
        assert!(solution.v_plus.is_empty());
        // One coordinate, pressed against a wall: it stops.
        builder.begin(0.01);
        let block = builder.add_block(&line, &[0.0], &[-1.0]);
        let wall = RowHalf {
            block,
            cols: &[0],
            rows: [&[1.0], &[0.0], &[0.0]],
        };
        builder.add_contact(closed(1), &[wall]);
        builder.finish().unwrap();
        let (solution, report) = solve(builder.finished().unwrap(), model, with(solver));
        assert_eq!(report.status, SolveStatus::Solved, "{name} {report:?}");
        let accepted = with(solver).acceptance(model, solver);
        assert!(
            solution.v_plus[0].abs() < 10.0 * accepted,
            "{name} {:?}",
            solution.v_plus
        );
        assert!((solution.f_n[0] - 1.0).abs() < 10.0 * accepted, "{name}");
        // A body held in all its coordinates, with a contact that can change nothing.
        builder.begin(0.01);
        let mass = free_mass(2.0, nalgebra::Matrix3::identity());
        let block = builder.add_block(&mass, &[0.0; 6], &[0.0, 0.3, -1.0, 0.2, 0.0, 0.1]);
        let rows = point_rows(up(), nalgebra::Vector3::new(0.1, 0.0, -0.5), 1.0);
        builder.add_contact(closed(1), &[half(block, &rows)]);
        for col in 0..6 {
            let held = RowHalf {
                block,
                cols: &[col],
                rows: [&[1.0]],
            };
            let kind = ScalarKind::Bilateral { velocity: 0.0 };
            builder.add_scalar(col as u64, kind, &[held]);
        }
        builder.finish().unwrap();
        let (solution, report) = solve(builder.finished().unwrap(), model, with(solver));
        assert_eq!(report.status, SolveStatus::Solved, "{name} {report:?}");
        let fastest = solution.v_plus.iter().fold(0.0_f64, |a, v| a.max(v.abs()));
        assert!(fastest < 10.0 * accepted, "{name} {:?}", solution.v_plus);
    }
}

#[test]
fn problems_that_once_broke_a_solver() {
    let broke = [
        // Round-off let the raised pair's own z block, and its w enter while basic.
        (ModelName::NoSlip, SolverName::PrincipalPivoting, 200, 13),
        // Heavy bodies on light ones: large impulses were taken for a contradiction.
        (ModelName::NoSlip, SolverName::Ppm, 200, 163),
        // The factor of the Gram matrix had no digits left.
        (ModelName::NoSlip, SolverName::Ppm, 200, 253),
        (ModelName::NoSlip, SolverName::ActiveSet, 200, 9343),
        // Dependent rows were off by more than the residual check accepts, and nothing looked at them.
        (ModelName::NoSlip, SolverName::Ppm, 200, 889),
        // Coefficients of a million: sweeps go round in circles.
        (ModelName::Cone, SolverName::Psor, 30, 193),
        (ModelName::Cone, SolverName::Psor, 30, 227),
        // Impulses just outside their cones, a million times as long along the tangent once put right.
        (ModelName::Ccp, SolverName::Psor, 200, 37),
        (ModelName::Ccp, SolverName::Apgd, 200, 206),
    ];
    for (model, solver, contacts, seed) in broke {
        let recipe = Recipe {
            contacts,
            decades: 3.0,
        };
        let tally = run(model, solver, seed..seed + 1, recipe);
        assert!(tally.broken.is_empty(), "{:?}", tally.broken);
        let left = |(_, status): &&(u64, SolveStatus)| *status != SolveStatus::SolvedInMotion;
        let left: Vec<_> = tally.unsolved.iter().filter(left).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}
