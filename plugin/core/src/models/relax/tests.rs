use super::*;
use crate::mass::MassFactor;
use crate::models::{Model, WarmStart, Workspace};
use crate::problem::{ContactData, ProblemBuilder, RowHalf};
use nalgebra::DMatrix;

/// Impulse and missed work of the one group of a body of 2 kg that falls at 3 m/s.
fn solved(add: impl Fn(&mut ProblemBuilder, RowHalf<'_, 1>, RowHalf<'_, 3>)) -> (f64, f64) {
    let mut builder = ProblemBuilder::new();
    builder.begin(0.01);
    let mass = MassFactor::from_dense(&(DMatrix::identity(3, 3) * 2.0)).unwrap();
    let v = [-3.0, 0.0, 0.0];
    let block = builder.add_block(&mass, &v, &v);
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let cols = &[0, 1, 2];
    let row = RowHalf {
        block,
        cols,
        rows: [&axes[0][..]],
    };
    let contact = RowHalf {
        block,
        cols,
        rows: [&axes[0][..], &axes[1][..], &axes[2][..]],
    };
    add(&mut builder, row, contact);
    let problem = builder.finish().unwrap();
    let settings = ModelSettings::default();
    let mut model = Model::new(ModelName::Cone, ModelSettings::default()).unwrap();
    let mut solution = ContactSolution::default();
    let (mut warm, mut workspace) = (WarmStart::new(), Workspace::new());
    model.solve(problem, &mut warm, &mut workspace, &mut solution);
    let impulses = solution.f_n.iter().chain(&solution.f_scalar);
    let mut groups = problem.islands().flat_map(|island| island.groups);
    let work = missed_work(problem, *groups.next().unwrap(), &settings, &solution);
    (impulses.sum(), work)
}

/// Impulses of an answer do no work along what is missed, whatever a row asks for and however it gives.
#[test]
fn an_answer_misses_nothing() {
    let kinds = [
        ScalarKind::Bilateral { velocity: 1.5 },
        ScalarKind::Unilateral { gap: -1e-3 },
        ScalarKind::Unilateral { gap: 2e-3 },
    ];
    let rows = kinds.map(|kind| {
        solved(|builder, row, _| {
            builder.add_scalar(1, kind, &[row]);
        })
    });
    // A gap, a pusher, a bounce, a spring under the contact.
    let contacts = [
        (1e-3, 0.0, 0.0, 0.0),
        (0.0, -2.0, 0.0, 0.0),
        (0.0, 0.0, 0.5, 0.0),
        (-1e-3, 0.0, 0.0, 1e-4),
    ];
    let contacts = contacts.map(|(phi, normal_drift, restitution, compliance)| {
        let data = ContactData {
            key: 1,
            phi,
            normal_drift,
            restitution,
            compliance,
            mu: 0.5,
            ..ContactData::default()
        };
        solved(|builder, _, contact| {
            builder.add_contact(data, &[contact]);
        })
    });
    for (impulse, work) in rows.into_iter().chain(contacts) {
        assert!(impulse > 1.0, "{impulse}");
        assert!(work < 1e-9, "{impulse} {work}");
    }
}
