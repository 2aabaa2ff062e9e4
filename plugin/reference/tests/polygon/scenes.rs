//! Small scenes with closed forms.

use crate::common::closed;
use nalgebra::{DMatrix, DVector};
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{ModelSettings, PolygonSettings};
use stickslip_core::problem::{BlockId, ContactData, ProblemBuilder, RowHalf};
use stickslip_core::report::{SolveReport, SolveStatus};

pub const H: f64 = 0.01;

/// Settings with a polygon of d corners.
pub fn polygon(directions: usize) -> ModelSettings {
    ModelSettings {
        polygon: PolygonSettings {
            directions,
            ..PolygonSettings::default()
        },
        ..ModelSettings::default()
    }
}

/// A closed contact with this coefficient.
pub fn mu(mu: f64) -> ContactData {
    ContactData { mu, ..closed(1) }
}

pub fn assert_solved(report: &SolveReport) {
    assert_eq!(report.status, SolveStatus::Solved, "{report:?}");
    assert!(report.residuals.max() < 1e-12, "{report:?}");
}

pub const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn axes(block: BlockId, cols: &[usize; 3]) -> RowHalf<'_, 3> {
    RowHalf {
        block,
        cols,
        rows: [&UNIT[0], &UNIT[1], &UNIT[2]],
    }
}

/// A point of mass m on one contact whose n, s, t are its three coordinates.
pub fn point(
    builder: &mut ProblemBuilder,
    mass: f64,
    (v, v_free): ([f64; 3], [f64; 3]),
    data: ContactData,
) {
    builder.begin(H);
    let block = point_block(builder, mass, (v, v_free));
    builder.add_contact(data, &[axes(block, &[0, 1, 2])]);
    builder.finish().unwrap();
}

pub fn point_block(
    builder: &mut ProblemBuilder,
    mass: f64,
    (v, v_free): ([f64; 3], [f64; 3]),
) -> BlockId {
    let mass = MassFactor::from_dense(&(DMatrix::identity(3, 3) * mass)).unwrap();
    builder.add_block(&mass, &v, &v_free)
}

/// A point of mass m with inertia i about n, s and t: coordinates n, s, t and three angular
/// velocities; its contact has spin rows.
pub fn spinner(
    builder: &mut ProblemBuilder,
    (mass, inertia): (f64, f64),
    v_free: [f64; 6],
    data: ContactData,
) {
    builder.begin(H);
    let diagonal = [mass, mass, mass, inertia, inertia, inertia];
    let dense = DMatrix::from_diagonal(&DVector::from_row_slice(&diagonal));
    let mass = MassFactor::from_dense(&dense).unwrap();
    let block = builder.add_block(&mass, &v_free, &v_free);
    let contact = builder.add_contact(data, &[axes(block, &[0, 1, 2])]);
    builder.add_spin(contact, &[axes(block, &[3, 4, 5])]);
    builder.finish().unwrap();
}
