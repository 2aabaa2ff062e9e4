//! Quasi-static problems in the symbols of \[G\].

use super::super::driver::Context;
use super::pointed::{Pointedness, pointedness};
use crate::mass::{MassError, MassFactor};
use crate::models::{
    ContactSolution, ModelName, ModelSettings, QuasiStaticSettings, WarmStart, Workspace,
};
use crate::problem::{ContactData, ContactProblem, ProblemBuilder, ProblemError, RowHalf};
use crate::report::{Residuals, SolveStatus};
use nalgebra::DMatrix;

/// Rows along which friction acts: generalized force per unit of friction (m each).
#[derive(Clone, Debug, PartialEq)]
pub enum Friction {
    /// One tangent, two directions: the paper's planar case.
    Planar(Vec<f64>),
    /// Two tangents at right angles, d directions among them
    /// ([`crate::models::PolygonSettings::directions`]).
    Spatial([Vec<f64>; 2]),
}

/// A contact of a [`QuasiStaticProblem`].
#[derive(Clone, Debug, PartialEq)]
pub struct QuasiStaticContact {
    /// `W_n`: generalized force per unit of normal force (m).
    pub w_n: Vec<f64>,
    /// `W_f`.
    pub w_f: Friction,
    /// `Psi_n`: the gap \[m\], negative = penetration.
    pub psi: f64,
    /// `dPsi_n/dt`: rate of the gap with v = 0, from bodies that move as prescribed [m/s].
    pub psi_rate: f64,
    /// `dPsi_f/dt`: slip along the tangents with v = 0 [m/s].
    pub slip_rate: [f64; 2],
    /// Coulomb coefficient (`U`) [-].
    pub mu: f64,
}

/// `E v = W_n l_n + W_f l_f + f_ext` over a step, in units of the paper: forces, not impulses.
#[derive(Clone, Debug, PartialEq)]
pub struct QuasiStaticProblem {
    /// Time step h \[s\].
    pub h: f64,
    /// Symmetric positive definite damping: the blocks of E along its diagonal, one for all of it
    /// [N s/m, N s, N m s].
    pub damping: Vec<DMatrix<f64>>,
    /// Applied load (m) [N, N m].
    pub f_ext: Vec<f64>,
    /// The contacts; every one given takes part, with friction, also one with a gap that the step
    /// may close.
    pub contacts: Vec<QuasiStaticContact>,
}

/// Why a quasi-static problem was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QuasiStaticError {
    /// A damping block is no symmetric positive definite matrix.
    #[error("damping block {block}: {reason}; E must be symmetric positive definite")]
    Damping {
        /// Index of the block.
        block: usize,
        /// What is wrong with it as a matrix.
        reason: MassError,
    },
    /// A damping block is not square.
    #[error("damping block {block} is {rows} x {cols}; it must be square")]
    NotSquare {
        /// Index of the block.
        block: usize,
        /// Its rows.
        rows: usize,
        /// Its columns.
        cols: usize,
    },
    /// A vector has the wrong length.
    #[error("{what} has {found} entries; E has {wanted} rows")]
    Length {
        /// Which vector.
        what: String,
        /// Its length.
        found: usize,
        /// The number of coordinates.
        wanted: usize,
    },
    /// A number is out of range.
    #[error("{0}")]
    Number(#[from] ProblemError),
}

/// Velocities and forces of a quasi-static step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuasiStaticAnswer {
    /// Generalized velocity (m) [m/s, rad/s].
    pub v: Vec<f64>,
    /// Normal forces `l_n` \[N\] (n).
    pub l_n: Vec<f64>,
    /// Friction along the tangents \[N\] (n): the sum over the directions of `l_f`.
    pub l_f: Vec<[f64; 2]>,
    /// Slip speeds `sigma` [m/s] (n).
    pub sigma: Vec<f64>,
    /// How the solve ended; with a status that is not usable, forces are zero.
    pub status: SolveStatus,
    /// Whether contact forces of any size balance each other.
    pub wedged: bool,
    /// What is wrong with the answer.
    pub residuals: Residuals,
}

/// Memory of [`QuasiStaticProblem::solve`], which also starts a solve from the last one's active set.
#[derive(Clone, Debug, Default)]
pub struct QuasiStaticMemory {
    builder: ProblemBuilder,
    warm: WarmStart,
    workspace: Workspace,
    solution: ContactSolution,
}

impl QuasiStaticProblem {
    /// Number of coordinates m.
    pub fn dim(&self) -> usize {
        self.damping.iter().map(DMatrix::nrows).sum()
    }

    /// Solves the step. Of the settings the polygon, the tolerances and the pivots count; penetrations
    /// are removed within the step, as in the paper.
    ///
    /// # Errors
    /// When E is not symmetric positive definite, shapes don't fit, or a number is not finite.
    pub fn solve(
        &self,
        settings: &ModelSettings,
        memory: &mut QuasiStaticMemory,
    ) -> Result<QuasiStaticAnswer, QuasiStaticError> {
        let settings = self.own_settings(settings);
        let QuasiStaticMemory {
            builder,
            warm,
            workspace,
            solution,
        } = memory;
        let problem = self.build(builder)?;
        let context = Context::new(problem, ModelName::QuasiStatic, &settings);
        let report = super::solve(context, warm, workspace, solution);
        let per_time = |f: f64| f / self.h;
        let tangents = solution.f_s.iter().zip(&solution.f_t);
        Ok(QuasiStaticAnswer {
            v: solution.v_plus.clone(),
            l_n: solution.f_n.iter().map(|&f| per_time(f)).collect(),
            l_f: tangents.map(|(&s, &t)| [s, t].map(per_time)).collect(),
            sigma: solution.slip.clone(),
            status: report.status,
            wedged: report.wedged > 0,
            residuals: report.residuals,
        })
    }

    /// Whether the total friction cone of all contacts is pointed: then the step has an answer under
    /// every load \[G\].
    ///
    /// # Errors
    /// As [`Self::solve`].
    pub fn pointedness(&self, settings: &ModelSettings) -> Result<Pointedness, QuasiStaticError> {
        let mut builder = ProblemBuilder::new();
        let problem = self.build(&mut builder)?;
        let settings = self.own_settings(settings);
        let mut islands = problem.islands();
        Ok(islands.next().map_or(Pointedness::Pointed, |island| {
            pointedness(problem, &settings, island)
        }))
    }

    /// Every contact has friction and every penetration goes at once.
    fn own_settings(&self, settings: &ModelSettings) -> ModelSettings {
        ModelSettings {
            closed_tolerance: f64::MAX,
            baumgarte: 1.0,
            push_speed: f64::MAX,
            quasi_static: QuasiStaticSettings {
                // Mass h E in the problem below, so that (h / tau) M is it again.
                damping_time: self.h,
                ..settings.quasi_static
            },
            ..settings.clone()
        }
    }

    /// The contact problem with mass `h E`, `v = 0` and `v_free = E^-1 f_ext`.
    fn build<'a>(
        &self,
        builder: &'a mut ProblemBuilder,
    ) -> Result<&'a ContactProblem, QuasiStaticError> {
        let m = self.dim();
        let mut e = DMatrix::zeros(m, m);
        let mut at = 0;
        for (block, part) in self.damping.iter().enumerate() {
            let (rows, cols) = part.shape();
            if rows != cols {
                return Err(QuasiStaticError::NotSquare { block, rows, cols });
            }
            MassFactor::from_dense(part)
                .map_err(|reason| QuasiStaticError::Damping { block, reason })?;
            e.view_mut((at, at), (rows, rows)).copy_from(part);
            at += rows;
        }
        length("f_ext", &self.f_ext, m)?;
        builder.begin(self.h);
        let failed = |reason| QuasiStaticError::Damping { block: 0, reason };
        let unit = MassFactor::from_dense(&e).map_err(failed)?;
        let mut v_free = self.f_ext.clone();
        unit.solve(&mut v_free);
        // A step that is no positive number is refused by the builder.
        let h = if self.h > 0.0 { self.h } else { 1.0 };
        let mass = MassFactor::from_dense(&(e * h)).map_err(failed)?;
        let block = builder.add_block(&mass, &vec![0.0; m], &v_free);
        let cols: Vec<usize> = (0..m).collect();
        let none = vec![0.0; m];
        for (key, contact) in self.contacts.iter().enumerate() {
            let name = |part: &str| format!("contact {key}: {part}");
            length(&name("w_n"), &contact.w_n, m)?;
            let (s, t, across) = match &contact.w_f {
                Friction::Planar(s) => (s, &none, Some(0.0)),
                Friction::Spatial([s, t]) => (s, t, None),
            };
            length(&name("w_f"), s, m)?;
            length(&name("w_f"), t, m)?;
            let data = ContactData {
                key: key as u64,
                phi: contact.psi,
                mu: contact.mu,
                mu_across: across,
                normal_drift: contact.psi_rate,
                surface_velocity: contact.slip_rate.map(|rate| -rate),
                ..ContactData::default()
            };
            let rows = RowHalf {
                block,
                cols: &cols,
                rows: [&contact.w_n[..], s, t],
            };
            builder.add_contact(data, &[rows]);
        }
        Ok(builder.finish()?)
    }
}

fn length(what: &str, x: &[f64], wanted: usize) -> Result<(), QuasiStaticError> {
    if x.len() == wanted {
        return Ok(());
    }
    Err(QuasiStaticError::Length {
        what: what.to_owned(),
        found: x.len(),
        wanted,
    })
}
