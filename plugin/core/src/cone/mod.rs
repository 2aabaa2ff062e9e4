//! Exact friction cones: projection, matrix-free iterations, the conic program, Newton's method.
//!
//! A contact's impulses are the normal `f_n` and up to three friction parts, each a disc whose radius
//! grows with `f_n`: the tangential pair (radius `mu f_n`), torsion about n (`mu_torsional f_n`) and
//! the rolling pair (`mu_rolling f_n`). Together they form a convex cone K. Elliptic friction becomes
//! a disc once each tangential row is scaled by its share of the larger coefficient.
//!
//! Two laws are solved over the same rows (`u = N v+ + b + (C/h^2) f_n` along the normal, slip along
//! the others):
//! ```text
//! convex [TA]       K contains f,  K* contains u,  f . u = 0
//! exact  [D15]      the same with u_n + sum_k mu_k |u_k| in place of u_n
//! ```
//! The exact law written with one projection per part is
//! `f_n = max(0, f_n - u_n / d)`, `f_k = Proj_{mu_k f_n}(f_k - u_k / d)`; in the convex one
//! `u_n - sum_k mu_k |u_k|` takes the place of `u_n`.

mod alm;
mod apgd;
mod conic;
mod lane;
mod linear;
mod local;
mod lu;
mod natural;
mod newton;
mod projection;
mod psor;
mod schemes;
mod system;

pub(crate) use projection::{Disc, onto_cone, onto_disc};

pub(crate) use psor::Iteration;
pub(crate) use schemes::{Base, Solvers, Start};

use apgd::Gradient;
use conic::conic;
use system::System;

/// Which law holds between the impulses of a contact and its velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Friction {
    /// Cone complementarity, the gradient of a convex function \[TA\].
    Convex,
    /// Coulomb's law with maximum dissipation [D15, eq. 23-28].
    Exact,
}
