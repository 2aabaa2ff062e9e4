//! Seeded generators of contact problems, for benchmarks of cost against size.
//!
//! All gaps are zero, so rest is feasible and every problem has an answer.

pub mod cost;
pub mod motion;

use nalgebra::{DMatrix, Matrix3, Vector3};
use std::fmt;
use stickslip_core::mass::{MassError, MassFactor};
use stickslip_core::models::{ModelError, ModelName, ModelSettings, Solver};
use stickslip_core::problem::{ContactData, ProblemBuilder, ProblemError, RowHalf};
use stickslip_random::Random;

/// Time step of the problems \[s\].
const H: f64 = 0.005;
const GRAVITY: f64 = 9.81;

/// Why a problem could not be made.
#[derive(Debug)]
pub enum GeneratorError {
    /// The mass matrix is not positive definite.
    Mass(MassError),
    /// The problem is malformed.
    Problem(ProblemError),
}

impl fmt::Display for GeneratorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mass(error) => error.fmt(f),
            Self::Problem(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GeneratorError {}

impl From<MassError> for GeneratorError {
    fn from(error: MassError) -> Self {
        Self::Mass(error)
    }
}

impl From<ProblemError> for GeneratorError {
    fn from(error: ProblemError) -> Self {
        Self::Problem(error)
    }
}

/// Any model with its memory, those of the literature among them.
///
/// # Errors
/// When a setting is out of range.
pub fn solver(name: ModelName, settings: ModelSettings) -> Result<Solver, ModelError> {
    Ok(Solver::of(stickslip_reference::model(name, settings)?))
}

fn closed(key: usize) -> ContactData {
    ContactData {
        key: key as u64,
        mu: 1.0,
        ..ContactData::default()
    }
}

/// A problem of one block: its velocities before and without contact forces, and each contact with its rows.
fn one_block(
    mass: &MassFactor,
    [v, v_free]: [&[f64]; 2],
    contacts: impl Iterator<Item = (ContactData, [Vec<f64>; 3])>,
) -> Result<ProblemBuilder, GeneratorError> {
    let mut builder = ProblemBuilder::new();
    builder.begin(H);
    let block = builder.add_block(mass, v, v_free);
    let cols: Vec<usize> = (0..v.len()).collect();
    for (data, [n, s, t]) in contacts {
        let (cols, rows) = (&cols[..], [&n[..], &s[..], &t[..]]);
        builder.add_contact(data, &[RowHalf { block, cols, rows }]);
    }
    builder.finish()?;
    Ok(builder)
}

/// One block of `dim` coordinates with a full random mass matrix and `contacts` contacts with
/// random rows: nothing is aligned, so every row counts until the rank is reached.
///
/// # Errors
/// When the draw gives an unusable mass matrix (it is diagonally shifted, so it should not).
pub fn random_rows(
    seed: u64,
    dim: usize,
    contacts: usize,
) -> Result<ProblemBuilder, GeneratorError> {
    let mut random = Random::new(seed);
    let a = DMatrix::from_fn(dim, dim, |_, _| random.symmetric());
    let mass = MassFactor::from_dense(&(&a * a.transpose() + DMatrix::identity(dim, dim)))?;
    let v: Vec<f64> = (0..dim).map(|_| random.symmetric()).collect();
    let mut row = || -> Vec<f64> { (0..dim).map(|_| random.symmetric()).collect() };
    let contacts = (0..contacts).map(|key| (closed(key), [row(), row(), row()]));
    one_block(&mass, [&v, &v], contacts)
}

/// One body of `dim` coordinates that stands with `contacts` contacts on level ground: the flat body of
/// [`flat_body`] with more ways to move. In a random basis of the coordinates, the normals have the
/// first as common direction (so that it falls onto all of them) and the rest of one half as arms; the
/// tangents span the other half. Full random mass matrix, so that everything is coupled.
///
/// # Errors
/// As [`random_rows`].
pub fn grounded(seed: u64, dim: usize, contacts: usize) -> Result<ProblemBuilder, GeneratorError> {
    let mut random = Random::new(seed);
    let a = DMatrix::from_fn(dim, dim, |_, _| random.symmetric());
    let scale = 1.0 / dim as f64;
    let mass = MassFactor::from_dense(&(&a * a.transpose() * scale + DMatrix::identity(dim, dim)))?;
    let basis = DMatrix::from_fn(dim, dim, |_, _| random.symmetric())
        .qr()
        .q();
    let half = dim / 2;
    let v_free: Vec<f64> = (0..dim)
        .map(|i| -GRAVITY * H * basis[(i, 0)] + 0.01 * random.symmetric())
        .collect();
    let contacts = (0..contacts).map(|key| {
        let mut row = |first: f64, from: usize, to: usize| -> Vec<f64> {
            let mut weights = vec![0.0; dim];
            for weight in &mut weights[from..to] {
                *weight = 0.5 * random.symmetric();
            }
            weights[0] += first;
            let along = |i: usize| (0..dim).map(|k| basis[(i, k)] * weights[k]).sum();
            (0..dim).map(along).collect()
        };
        let rows = [row(1.0, 1, half), row(0.0, half, dim), row(0.0, half, dim)];
        let mu_viscous = 0.1;
        (
            ContactData {
                mu_viscous,
                ..closed(key)
            },
            rows,
        )
    });
    one_block(&mass, [&vec![0.0; dim], &v_free], contacts)
}

/// One free body falling onto `contacts` contacts scattered over its flat underside: six
/// coordinates, however many contacts [experiments.md D8].
///
/// # Errors
/// As [`random_rows`].
pub fn flat_body(seed: u64, contacts: usize) -> Result<ProblemBuilder, GeneratorError> {
    let mut random = Random::new(seed);
    let mut dense = DMatrix::identity(6, 6) * 2.0;
    let inertia = Matrix3::new(0.3, 0.02, 0.0, 0.02, 0.4, 0.01, 0.0, 0.01, 0.5);
    dense.view_mut((3, 3), (3, 3)).copy_from(&inertia);
    let mass = MassFactor::from_dense(&dense)?;
    let v_free = [0.1, 0.0, -GRAVITY * H, 0.02, -0.01, 0.03];
    let contacts = (0..contacts).map(|key| {
        let arm = Vector3::new(0.5 * random.symmetric(), 0.5 * random.symmetric(), -0.2);
        let rows = [Vector3::z(), Vector3::x(), Vector3::y()].map(|axis| {
            let moment = arm.cross(&axis);
            vec![axis.x, axis.y, axis.z, moment.x, moment.y, moment.z]
        });
        (closed(key), rows)
    });
    one_block(&mass, [&[0.0; 6], &v_free], contacts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_core::report::SolveStatus;

    #[test]
    fn generated_problems_are_solved() {
        let mut builders = Vec::new();
        for seed in 0..10 {
            builders.push(random_rows(seed, 18, 40).unwrap());
            builders.push(flat_body(seed, 60).unwrap());
        }
        for name in ModelName::ALL {
            let mut solver = solver(name, ModelSettings::default()).unwrap();
            for builder in &builders {
                solver.forget();
                let report = solver.solve(builder.finished().unwrap());
                assert!(report.status.is_usable(), "{name}: {:?}", report.status);
                let settings = solver.model().settings();
                let accepted = match report.status {
                    SolveStatus::SolvedInMotion => settings.cone.tolerance_in_motion,
                    _ => settings.acceptance(name, report.solver_used),
                };
                assert!(
                    report.residuals.max() <= accepted,
                    "{name}, {:?}: {:?}",
                    report.status,
                    report.residuals
                );
            }
        }
    }

    #[test]
    fn equal_seeds_give_equal_problems() {
        let [a, b] = [random_rows(3, 6, 5).unwrap(), random_rows(3, 6, 5).unwrap()];
        assert_eq!(
            a.finished().unwrap().v_free(),
            b.finished().unwrap().v_free()
        );
    }
}
