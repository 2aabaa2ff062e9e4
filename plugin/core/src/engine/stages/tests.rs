use super::*;
use crate::mass::MassFactor;
use crate::problem::{ContactData, ProblemBuilder, RowHalf};
use crate::settings::{BudgetSettings, ModelSettings};
use crate::solution::ContactSolution;
use crate::system::{Friction, Start};
use nalgebra::DMatrix;

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

/// The answer of the exact law for a mass of 2 on the ground, pressed at 0.1 m/s and pushed along it at `speed`, with the coefficient
/// `mu`, and the engine made ready from it.
fn pushed(speed: f64, mu: f64) -> Engine {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mass = MassFactor::from_dense(&DMatrix::from_diagonal_element(3, 3, 2.0)).unwrap();
    let block = builder.add_block(&mass, &[speed, 0.0, 0.0], &[speed, 0.0, -0.1]);
    let data = ContactData {
        mu,
        ..ContactData::default()
    };
    let rows: [&[f64]; 3] = [&[0.0, 0.0, 1.0], &[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]];
    let cols = &[0, 1, 2];
    builder.add_contact(data, &[RowHalf { block, cols, rows }]);
    builder.finish().unwrap();
    let problem = builder.finished().unwrap();
    let mut answer = ContactSolution::default();
    answer.reset(problem);
    answer.f_n[0] = 0.2;
    answer.f_s[0] = -(0.2 * mu).min(2.0 * speed);
    let mut engine = Engine::default();
    let (settings, start) = (ModelSettings::default(), Start::Answer(&answer));
    let place = problem.place(problem.island(0));
    engine.begin(place, &settings, Friction::Law(Law::Cone), start);
    engine
}

/// The convex law has a contact that slides part by `mu |u_t|`, which the exact law counts up to `d f_n`.
#[test]
fn the_convex_law_answers_what_sticks() {
    for (speed, mu, parting) in [
        (1.0, 0.5, 0.1),
        (1.0, 0.05, 0.05 * (1.0 - 0.005)),
        (0.01, 0.5, 0.0),
    ] {
        let mut engine = pushed(speed, mu);
        let parting = parting / (1.0 + f64::max(speed, 0.1));
        assert!((engine.system.parting() - parting).abs() < 1e-15);
        let mut iterate = BestIterate::begin(&mut engine);
        assert!(iterate.residual < 1e-15, "the answer");
        assert_eq!(iterate.slides(&mut engine), parting > 0.0);
        iterate.residual = 1.01 * parting + 1e-15;
        assert!(!iterate.slides(&mut engine), "worse than that already");
    }
}
