//! The impulse that an impact to come keeps, against its closed form.

#![allow(clippy::unwrap_used)]

use nalgebra::DMatrix;
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{Impacts, Model, ModelName, ModelSettings, Solver};
use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf};

const H: f64 = 0.01;
const G: f64 = 9.81;
/// Speed of approach before forces, and gap: closed by the free motion after half of the step or so.
const U: f64 = 1.0;
const PHI: f64 = 0.006;
/// Rows n, s, t of body 1 of a contact, and of its body 0.
const UP: [&[f64]; 3] = [&[0.0, 0.0, 1.0], &[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]];
const DOWN: [&[f64]; 3] = [&[0.0, 0.0, -1.0], &[-1.0, 0.0, 0.0], &[0.0, -1.0, 0.0]];

/// Impulse of the ground and velocity of a point mass that falls onto it; `above`: with a heavier one on top, by so much faster [m/s].
fn answer(mass: f64, above: Option<f64>) -> (f64, f64) {
    let block = |m: f64| MassFactor::from_dense(&DMatrix::from_diagonal_element(3, 3, m)).unwrap();
    let half = |block, rows: [&'static [f64]; 3]| RowHalf {
        block,
        cols: &[0, 1, 2],
        rows,
    };
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let lower = builder.add_block(&block(mass), &[0.0, 0.0, -U], &[0.0, 0.0, -U - G * H]);
    let ground = ContactData {
        phi: PHI,
        restitution: 0.5,
        ..ContactData::default()
    };
    builder.add_contact(ground, &[half(lower, UP)]);
    if let Some(speed) = above {
        let v = [0.0, 0.0, -U - speed];
        let upper = builder.add_block(&block(100.0 * mass), &v, &[0.0, 0.0, v[2] - G * H]);
        let between = ContactData::default();
        builder.add_contact(between, &[half(lower, DOWN), half(upper, UP)]);
    }
    let mut solver = Solver::new(ModelName::Cone, ModelSettings::default()).unwrap();
    let problem = builder.finish().unwrap();
    solver.solve(problem);
    let mut impacts = Impacts::default();
    let mut model = Model::new(solver.model().name(), solver.model().settings().clone()).unwrap();
    assert!(
        impacts
            .solve(&mut model, problem, solver.solution())
            .is_some()
    );
    assert!(impacts.comes(0));
    let answer = impacts.answer();
    (answer.f_n[0], answer.v_plus[2])
}

/// `m (1 - phi / (h u_f)) (u_f - u)`: what gravity does after the impact is taken back.
fn kept(mass: f64) -> f64 {
    let free = U + G * H;
    mass * (1.0 - PHI / (H * free)) * (free - U)
}

#[test]
fn a_body_that_falls_arrives_with_the_speed_of_the_impact() {
    let (f, v) = answer(2.0, None);
    assert!((f - kept(2.0)).abs() < 1e-12);
    assert!((v - (-U - G * H + kept(2.0) / 2.0)).abs() < 1e-12);
}

#[test]
fn what_others_push_is_not_kept() {
    // The upper body presses with a hundred times the impulse of gravity; the ground keeps gravity's own.
    let (f, _) = answer(2.0, Some(5.0));
    assert!((f - kept(2.0)).abs() < 1e-12, "{f} for {}", kept(2.0));
}
