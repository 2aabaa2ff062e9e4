//! Contact models: what turns a [`ContactProblem`](crate::problem::ContactProblem) into impulses.
//!
//! All models at velocity level share the scheme
//! ```text
//! M (v+ - v_free) = J^T f_j + N^T f_n + S^T f_s + T^T f_t,   J v+ = c
//! 0 <= f_n  complementary to  N v+ + b + (C/h^2) f_n >= 0
//! ```
//! with `b` of [`ModelSettings::gap_velocity`] and the compliance C of a contact (0 = rigid). They
//! differ in what happens along the tangents:
//!
//! | name | at closed contacts | source ([references](crate#references)) |
//! |---|---|---|
//! | `frictionless` | nothing | \[D15\] with X = J |
//! | `no-slip` | no tangential velocity, pressed or not (the paper's bilateral form) | \[D15, sec. VI\] |
//! | `no-slip-releasing` | the same, only where the contact presses | this crate |
//! | `viscous` | `f = -h mu_v slip`, pressed or not, at the velocity of the step's end | implicit form of \[D15, sec. IV\] |
//! | `viscous-acceleration` | the same on forces and accelerations, by RK4 | \[D15, sec. IV\] |
//! | `cone` | the exact friction ellipse, torsion, rolling; most dissipation | \[D15, eq. 23-28\] |
//! | `ccp` | cone complementarity: convex, but a sliding body hovers at `h mu \|v_tan\| / K` | \[TA\] |
//! | `coulomb-acceleration` | Coulomb friction on forces and accelerations; maybe no answer or several | \[D15, sec. III-B; T95\] |
//! | `stewart-trinkle` | Coulomb friction bounded by a polygon, maximum dissipation | \[ST96\] |
//! | `anitescu-potra` | the same, bouncing by Poisson's law | \[AP97\] |
//! | `drumwright-shell` | the impulses within the polygon that leave the least kinetic energy | \[DS\] |
//! | `quasi-static` | polygonal friction on bodies with damping `E = M / tau` in place of inertia | \[G\] |
//!
//! A model of one's own is a [`ContactModel`].
//!
//! Where the normal row of a penetrating contact lies in the span of the held rows of `no-slip`, contacts that do not press
//! release their tangential rows, the one with the largest share first. A contact that presses never slips: a penetration
//! among such contacts remains, and is reported as a contradiction.

mod accept;
mod asked;
pub(crate) mod attempt;
mod by_engine;
mod correction;
pub(crate) mod driver;
mod energy;
mod fallback;
mod impacts;
mod loose;
pub(crate) mod model;
mod own;
mod projected;
mod relax;
mod releasing;
pub(crate) mod replace;
mod share;
mod solver;
mod sweeps;
mod viscous;
pub(crate) mod workspace;

pub use crate::settings::{
    AccelerationSettings, BudgetSettings, ConeSettings, DampingRoute, Hover, Integrator,
    IterationSettings, ModelError, ModelName, ModelSettings, OnNoSolution, PointednessCheck,
    PolygonSettings, QuasiStaticSettings, RestitutionLaw, RollingFriction, Stabilisation, Stage,
    Sweep, ViscousSettings,
};
pub use crate::solution::ContactSolution;
pub use crate::warm::WarmStart;
pub use correction::{Errors, PositionCorrection, RowCorrection};
pub use impacts::Impacts;
pub use model::Model;
pub use own::ContactModel;
pub use solver::Solver;
pub use sweeps::Sweeps;
pub use workspace::Workspace;

use workspace::SolveContext;
