use super::*;
use crate::engine::tests::heap;
use crate::mass::MassFactor;
use crate::problem::{ContactData, ProblemBuilder, RowHalf};
use crate::settings::{BudgetSettings, ModelSettings};
use crate::solution::ContactSolution;
use crate::system::{Friction, Start};
use crate::tolerances::BETWEEN_TESTS;
use crate::warm::WarmStart;
use nalgebra::DMatrix;
use stickslip_random::Random;

/// A small island that moves and goes on from the last step.
fn small() -> Case {
    Case {
        state: MotionState::Moves,
        is_heap: false,
        is_moving: false,
        is_unloaded: false,
        is_fresh: false,
        is_alone: false,
        is_convex: false,
        is_linear: false,
        is_bilateral: false,
        may_sweep_on: true,
    }
}

fn aims(case: &Case) -> Aims {
    let tolerances = Tolerances {
        rest: 1e-8,
        motion: 1e-4,
        loose: 1e-3,
    };
    case.aims(0.1, 1e-8, tolerances)
}

/// Newton's method ends on a moving heap within the tolerance of motion.
#[test]
fn newtons_method_aims_at_what_a_moving_heap_is_solved_to() {
    let heap = Case {
        is_heap: true,
        is_moving: true,
        ..small()
    };
    assert_eq!(aims(&heap).newton(1e-12, &heap), 1e-4);
    let rests = Case {
        is_moving: false,
        ..heap
    };
    assert_eq!(aims(&rests).newton(1e-12, &rests), 1e-12);
}

/// A factor may take as long as the sweeps in its place, but for heaps with impulses; as long as a run where one is enough.
#[test]
fn factors_are_as_large_as_what_they_spare() {
    let budget = Budget {
        instead: 70,
        ..BudgetSettings::default().engine(false)
    };
    let flops = |case: Case| case.flops(1000, budget);
    let bilateral = Case {
        is_bilateral: true,
        ..small()
    };
    assert_eq!(flops(small()), 70);
    assert_eq!(flops(bilateral), STEPS * 70);
    let hung_up = Case {
        is_unloaded: true,
        ..bilateral
    };
    assert_eq!(flops(hung_up), FACTORS * 70);
    let loaded = Case {
        is_heap: true,
        ..small()
    };
    assert_eq!(flops(loaded), budget.flops);
    let unloaded = Case {
        is_unloaded: true,
        ..loaded
    };
    assert_eq!(flops(unloaded), 70);
    let moving = Case {
        is_moving: true,
        ..small()
    };
    assert_eq!(flops(moving), 1000 * FACTOR_PER_VISIT);
}

/// What comes to rest converges quadratically; what is far from it is solved to the tolerance of motion.
#[test]
fn what_is_enough_falls_with_the_square_of_the_residual() {
    for (first, share) in [
        (1.0, 1.0),
        (NEAR, 1.0),
        (0.5 * NEAR, 0.25),
        (0.1 * NEAR, 0.01),
    ] {
        let enough = coming_to_rest(first, 3e-4);
        assert!((enough / (share * 3e-4) - 1.0).abs() < 1e-12, "{first}");
    }
}

/// The last way of a heap takes several times as long as its sweeps: where these were cut for its size, the next step goes on instead.
#[test]
fn heaps_whose_sweeps_were_cut_go_on_in_the_next_step() {
    let heap = Case {
        is_heap: true,
        is_moving: true,
        ..small()
    };
    let huge = Case {
        may_sweep_on: false,
        ..heap
    };
    let last_of = |case: &Case| TABLE.iter().rfind(|row| (row.3)(case)).unwrap().0;
    assert_eq!(last_of(&heap), Stage::LateProximal);
    assert_eq!(last_of(&huge), Stage::LongSweeps);
}

/// A mass and an inertia of 2 on the ground, pressed at 0.1 m/s, that moves along it and spins, with coefficients of both; and the
/// engine made ready from the answer of the exact law.
fn pushed([speed, spin]: [f64; 2], [mu, mu_torsional]: [f64; 2]) -> Engine {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mass = MassFactor::from_dense(&DMatrix::from_diagonal_element(4, 4, 2.0)).unwrap();
    let block = builder.add_block(&mass, &[speed, 0.0, 0.0, spin], &[speed, 0.0, -0.1, spin]);
    let data = ContactData {
        mu,
        mu_torsional,
        ..ContactData::default()
    };
    let (cols, axes) = (&[0, 1, 2, 3], DMatrix::<f64>::identity(4, 4));
    let [x, y, z, w] = [0, 1, 2, 3].map(|k| axes.column(k).into_owned());
    let half = |rows| RowHalf { block, cols, rows };
    let contact = builder.add_contact(data, &[half([z.as_slice(), x.as_slice(), y.as_slice()])]);
    if mu_torsional > 0.0 {
        builder.add_spin(contact, &[half([w.as_slice(), &[0.0; 4], &[0.0; 4]])]);
    }
    builder.finish().unwrap();
    let problem = builder.finished().unwrap();
    let mut answer = ContactSolution::default();
    answer.reset(problem);
    answer.f_n[0] = 0.2;
    answer.f_s[0] = -(0.2 * mu).min(2.0 * speed);
    answer.f_spin[0][0] = -(0.2 * mu_torsional).min(2.0 * spin);
    let mut engine = Engine::default();
    let (settings, start) = (ModelSettings::default(), Start::Answer(&answer));
    let place = problem.place(problem.island(0));
    engine.begin(place, &settings, Friction::Law(Law::Cone), start);
    engine
}

/// The convex law has a contact that slides part by `sum mu |u|`, which the exact law counts up to `d f_n`.
#[test]
fn the_convex_law_answers_what_sticks() {
    for (speeds, coefficients, parting) in [
        ([1.0, 0.0], [0.5, 0.0], 0.1),
        ([1.0, 0.0], [0.05, 0.0], 0.05 * (1.0 - 0.005)),
        ([1.0, 0.5], [0.02, 0.03], 0.02 * 0.998 + 0.03 * 0.497),
        ([0.01, 0.0], [0.5, 0.0], 0.0),
    ] {
        let mut engine = pushed(speeds, coefficients);
        let parting = parting / (1.0 + f64::max(speeds[0], 0.1));
        let found = engine.system.parting();
        assert!((found - parting).abs() < 1e-15, "{found} {parting}");
        let mut iterate = BestIterate::begin(&mut engine);
        assert!(iterate.residual < 1e-15, "the answer");
        assert_eq!(iterate.slides(&mut engine), parting > 0.0);
        iterate.residual = 1.01 * parting + 1e-15;
        assert!(!iterate.slides(&mut engine), "worse than that already");
    }
}

/// Iterations of a heap that slides and creeps, and the residual that is left.
fn creeping(seed: u64) -> (usize, f64) {
    let mut random = Random::new(seed);
    let mut builder = heap(60, 0.02, &mut random, |_, _| {});
    builder.finish().unwrap();
    let problem = builder.finished().unwrap();
    let place = problem.place(problem.island(0));
    let settings = ModelSettings::default();
    let (warm, mut engine) = (WarmStart::default(), Engine::default());
    let start = Start::Last(&warm);
    engine.begin(place, &settings, Friction::Law(Law::Cone), start);
    let budget = settings.budget.engine(false);
    let answer = engine.solve(place, settings.tolerances(), budget);
    (answer.iterations, answer.residual)
}

/// Newton's method takes no factor that takes longer than the sweeps that brought a moving heap within motion: sweeps alone are made.
#[test]
fn a_heap_within_motion_takes_no_long_factor() {
    let left = (1..40).map(|seed| (seed, creeping(seed)));
    let left: Vec<_> = left.filter(|(_, (_, left))| *left > 1e-6).collect();
    assert!(left.len() > 2, "{left:?}");
    for (seed, (iterations, left)) in left {
        assert!(left <= 1e-4, "{seed}: {left}");
        assert_eq!(iterations % BETWEEN_TESTS, 0, "{seed}");
    }
}
