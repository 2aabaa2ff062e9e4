//! Contact models and their engine. The other models of the literature are in `stickslip-reference`, the dynamics of
//! articulated trees in `stickslip-dynamics`, problems as files in `stickslip-problem-file`, records for viewers in
//! `stickslip-record`.
//!
//! The crate depends on no physics engine, and its numbers are `f64`. A [`problem::ProblemBuilder`] collects [`mass`] blocks
//! and contact rows into a [`problem::ContactProblem`]; a model of [`models`] solves it; [`residual`] checks the answer; a
//! report says how each island was solved ([`report::SolveReport`]).
//!
//! # Example
//! A point mass of 1 kg lies on the ground (friction coefficient 0.5) and is pushed sideways with 8 N for a step of 0.01 s.
//! The ground pushes up with m g h. Friction is at its bound mu m g h, against the motion:
//! ```
//! use nalgebra::DMatrix;
//! use stickslip_core::mass::MassFactor;
//! use stickslip_core::models::{ModelName, ModelSettings, Solver};
//! use stickslip_core::problem::{ContactData, ProblemBuilder, RowHalf};
//!
//! let (m, g, h, mu, push) = (1.0, 9.81, 0.01, 0.5, 8.0);
//! let mass = MassFactor::from_dense(&DMatrix::from_diagonal_element(3, 3, m))?;
//! let mut builder = ProblemBuilder::new();
//! builder.begin(h);
//! // Velocity at the start, and after gravity and push but before the contact.
//! let block = builder.add_block(&mass, &[0.0; 3], &[push * h / m, 0.0, -g * h]);
//! // Rows n, s, t of a contact with the world: the point's velocity along z, x and y.
//! let [n, s, t] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let half = RowHalf { block, cols: &[0, 1, 2], rows: [&n, &s, &t] };
//! builder.add_contact(ContactData { mu, ..ContactData::default() }, &[half]);
//!
//! let mut solver = Solver::new(ModelName::Cone, ModelSettings::default())?;
//! solver.solve(builder.finish()?);
//! let answer = solver.solution();
//! assert!((answer.f_n[0] - m * g * h).abs() < 1e-8);
//! assert!((answer.f_s[0] + mu * m * g * h).abs() < 1e-8);
//! assert!((answer.v_plus[0] - (push / m - mu * g) * h).abs() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! The sign of rows and impulses: [`problem::ContactProblem`]. A box on four corners: [`models::Solver`].
//!
//! # References
//! Marks in brackets are those of `docs/references.md` in the repository:
//! [AP97](https://doi.org/10.1023/A:1008292328909),
//! [D15](https://arxiv.org/abs/1504.00719),
//! [ST96](https://doi.org/10.1002/(SICI)1097-0207(19960815)39:15%3C2673::AID-NME972%3E3.0.CO;2-I); DS, G, T95 and TA are
//! there.

mod engine;
mod factor;
mod kernel;
pub mod kit;
pub mod law;
mod lcp;
pub mod mass;
pub mod models;
mod named;
pub mod problem;
pub mod report;
pub mod residual;
mod rows;
mod settings;
mod solution;
mod system;
pub mod threads;
mod tolerances;
mod warm;

#[cfg(test)]
mod tests;
