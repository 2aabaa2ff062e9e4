use super::*;
use crate::mass::MassFactor;
use crate::models::attempt::Context;
use crate::models::{Model, ModelName, ModelSettings, Workspace};
use crate::problem::{ContactData, ProblemBuilder, RowHalf, ScalarKind};
use crate::report::Residuals;
use crate::residual;
use nalgebra::{DMatrix, DVector};

/// Two bodies of unlike inertia pressed on each other and the ground at one contact each, off their centres, with a drive.
fn problem(second: u64) -> ProblemBuilder {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mut blocks = Vec::new();
    for (m, push) in [(2.0, -0.1), (5.0, -0.3)] {
        let inertia = DVector::from_vec(vec![m, m, m, 0.1 * m, 0.2 * m, 0.3 * m]);
        let mass = MassFactor::from_dense(&DMatrix::from_diagonal(&inertia)).unwrap();
        let free = [0.02, 0.0, push, 0.0, 0.01, 0.0];
        blocks.push(builder.add_block(&mass, &[0.0; 6], &free));
    }
    let up = |z: f64| {
        [
            [0.0, 0.0, 1.0, 0.2, -0.1, 0.0],
            [1.0, 0.0, 0.0, 0.0, z, -0.2],
            [0.0, 1.0, 0.0, -z, 0.0, 0.1],
        ]
    };
    let cols = &[0, 1, 2, 3, 4, 5];
    let (below, above) = (up(-0.5), up(0.5).map(|row| row.map(|x| -x)));
    let half = |block, rows: &'static [[f64; 6]; 3]| RowHalf {
        block,
        cols,
        rows: [&rows[0], &rows[1], &rows[2]],
    };
    let [below, above]: [&'static _; 2] = [below, above].map(|rows| &*Box::leak(Box::new(rows)));
    let contact = |key| ContactData {
        key,
        mu: 0.3,
        ..ContactData::default()
    };
    builder.add_contact(contact(1), &[half(blocks[0], below)]);
    builder.add_contact(
        contact(second),
        &[half(blocks[0], above), half(blocks[1], below)],
    );
    let drive = ScalarKind::Bounded {
        velocity: 0.1,
        limit: 1.0,
        compliance: 0.1,
    };
    let turn = RowHalf {
        block: blocks[1],
        cols: &[5],
        rows: [&[1.0][..]],
    };
    builder.add_scalar(3, drive, &[turn]);
    builder.finish().unwrap();
    builder
}

#[test]
fn remembered_impulses_lead_to_the_velocity_they_led_to() {
    let mut model = Model::new(ModelName::Cone, ModelSettings::default()).unwrap();
    let (mut warm, mut workspace) = (WarmStart::default(), Workspace::default());
    let mut solution = ContactSolution::default();
    let builder = problem(2);
    let stated = builder.finished().unwrap();
    model.solve(stated, &mut warm, &mut workspace, &mut solution);
    let mut again = ContactSolution::default();
    again.reset(stated);
    assert_eq!(stated.island_count(), 1);
    assert!(accept_last(
        stated.place(stated.island(0)),
        &warm,
        &mut again
    ));
    assert!(solution.f_n.iter().all(|f| *f > 0.0) && solution.f_scalar[0] != 0.0);
    assert_eq!(
        (&again.f_n, &again.f_s, &again.f_t),
        (&solution.f_n, &solution.f_s, &solution.f_t)
    );
    assert_eq!(again.f_scalar, solution.f_scalar);
    // The driver leaves out what holds by how the velocity is made.
    let rules = Rules {
        model: ModelName::Cone,
        settings: model.settings(),
        release_failed: false,
        friction: None,
    };
    let mut scratch = Scratch::default();
    let of = stated.place(stated.island(0));
    let made = residual::of_made(of, rules, &mut again, &mut scratch);
    let whole = residual::of_island(of, rules, &mut again, &mut scratch);
    assert!(whole.momentum < 1e-14 && made.max() < 1e-9, "{whole:?}");
    assert_eq!(
        Residuals {
            momentum: 0.0,
            ..whole
        },
        made
    );
    for (ours, theirs) in again.v_plus.iter().zip(&solution.v_plus) {
        assert!((ours - theirs).abs() < 1e-13, "{ours} {theirs}");
    }
    let other = problem(7);
    let other = other.finished().unwrap();
    again.reset(other);
    assert!(
        !accept_last(other.place(other.island(0)), &warm, &mut again),
        "a new contact"
    );
}

/// Remembered impulses that leave a speed below the goal are an answer at velocity zero as well, and no other is: neither
/// one with a larger speed, nor one of a body on the way.
#[test]
fn what_stands_within_the_tolerance_stands() {
    let model = Model::new(ModelName::Frictionless, ModelSettings::default()).unwrap();
    let rules = Rules {
        model: ModelName::Frictionless,
        settings: model.settings(),
        release_failed: false,
        friction: None,
    };
    for (push, drift, stands) in [(-0.1, 0.0, true), (-0.1, 1e-9, false), (0.1, 0.0, false)] {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        let mass = MassFactor::from_dense(&DMatrix::from_element(1, 1, 2.0)).unwrap();
        let block = builder.add_block(&mass, &[0.0], &[push]);
        let half = RowHalf {
            block,
            cols: &[0],
            rows: [&[1.0], &[0.0], &[0.0]],
        };
        builder.add_contact(ContactData::default(), &[half]);
        builder.finish().unwrap();
        let problem = builder.finished().unwrap();
        let mut solution = ContactSolution::default();
        solution.reset(problem);
        // 1e-13 m/s are left of the push, and a drift.
        let left = 1e-13 + drift;
        solution.f_n[0] = if push < 0.0 { 2.0 * (left - push) } else { 0.0 };
        solution.v_plus[0] = if push < 0.0 { left } else { push };
        let before = solution.v_plus[0];
        let mut scratch = Scratch::default();
        let of = problem.place(problem.island(0));
        let found = stand(of, rules, &mut solution, &mut scratch, 1e-12);
        assert_eq!(found.is_some(), stands, "{push} {drift}: {found:?}");
        assert_eq!(solution.v_plus[0], if stands { 0.0 } else { before });
    }
}

/// One body of mass 2 on the ground that falls by 0.1 m/s in a step, at rest before it: held up to the error of its answer, `n r (1 + max
/// |v_free|)` = 1.1 r, below a hundredth of what its weight adds, and not where a surface asks for a motion.
#[test]
fn what_an_unfinished_answer_may_have_wrong_is_held() {
    let settings = ModelSettings::default();
    let tolerances = settings.tolerances();
    let held = |v: f64, left: f64, surface: f64| {
        let mut builder = ProblemBuilder::new();
        builder.begin(0.01);
        let mass = DMatrix::from_diagonal(&DVector::from_element(3, 2.0));
        let mass = MassFactor::from_dense(&mass).unwrap();
        let block = builder.add_block(&mass, &[0.0; 3], &[0.0, 0.0, -0.1]);
        let rows = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let contact = ContactData {
            key: 7,
            mu: 0.5,
            surface_velocity: [surface, 0.0],
            ..ContactData::default()
        };
        let half = RowHalf {
            block,
            cols: &[0, 1, 2],
            rows: [&rows[0], &rows[1], &rows[2]],
        };
        builder.add_contact(contact, &[half]);
        builder.finish().unwrap();
        let problem = builder.finished().unwrap();
        let (mut warm, mut workspace) = (WarmStart::default(), Workspace::default());
        let mut solution = ContactSolution::default();
        solution.reset(problem);
        warm.begin(problem);
        // The weight but for what leaves the speed v.
        solution.f_n[0] = 2.0 * (0.1 + v);
        solution.v_plus.copy_from_slice(&[0.0, 0.0, v]);
        let context = Context::new(problem, ModelName::Cone, &settings);
        let mut solving = SolveContext::new(&mut warm, &mut workspace, &mut solution);
        let found = hold(
            context.at(problem.island(0)),
            &mut solving,
            left,
            true,
            tolerances,
        );
        assert_eq!(found.is_some(), solution.v_plus == [0.0; 3], "{v} {left}");
        found.map(|left| left.momentum)
    };
    // Of the balance, v is left over by the weight, the impulse and the inertia at 1.1 m/s.
    let momentum = held(5e-4, 1e-3, 0.0).unwrap();
    assert!(momentum > 0.0 && momentum < 5e-4, "{momentum}");
    assert!(held(0.99 * 1.1e-5, 1e-5, 0.0).is_some());
    assert!(
        held(1.01 * 1.1e-5, 1e-5, 0.0).is_none(),
        "faster than its error"
    );
    assert!(held(0.99e-3, 1e-2, 0.0).is_some());
    assert!(
        held(1.01e-3, 1e-2, 0.0).is_none(),
        "a hundredth of its weight"
    );
    assert!(held(5e-4, 1e-3, 0.01).is_none(), "asked to move");
    assert!(held(1e-9, tolerances.rest, 0.0).is_none(), "finished");
}
