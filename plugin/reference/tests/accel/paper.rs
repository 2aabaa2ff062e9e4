//! Quasi-static problems in the symbols of \[G\], which the model is held against.

use nalgebra::DMatrix;
use stickslip_core::mass::MassFactor;
use stickslip_core::models::{
    ContactSolution, ModelName, ModelSettings, QuasiStaticSettings, WarmStart, Workspace,
};
use stickslip_core::problem::{ContactData, ContactProblem, ProblemBuilder, RowHalf};
use stickslip_core::report::{Residuals, SolveStatus};
use stickslip_reference::{Pointedness, pointedness};

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
    pub fn solve(
        &self,
        settings: &ModelSettings,
        memory: &mut QuasiStaticMemory,
    ) -> QuasiStaticAnswer {
        let settings = self.own_settings(settings);
        let QuasiStaticMemory {
            builder,
            warm,
            workspace,
            solution,
        } = memory;
        let mut model = stickslip_reference::model(ModelName::QuasiStatic, settings).unwrap();
        let report = model.solve(self.build(builder), warm, workspace, solution);
        let per_time = |f: f64| f / self.h;
        let tangents = solution.f_s.iter().zip(&solution.f_t);
        QuasiStaticAnswer {
            v: solution.v_plus.clone(),
            l_n: solution.f_n.iter().map(|&f| per_time(f)).collect(),
            l_f: tangents.map(|(&s, &t)| [s, t].map(per_time)).collect(),
            sigma: solution.slip.clone(),
            status: report.status,
            wedged: report.wedged > 0,
            residuals: report.residuals,
        }
    }

    /// Whether the total friction cone of all contacts is pointed: then the step has an answer under
    /// every load \[G\].
    pub fn pointedness(&self, settings: &ModelSettings) -> Pointedness {
        let mut builder = ProblemBuilder::new();
        let problem = self.build(&mut builder);
        let settings = self.own_settings(settings);
        let mut islands = problem.islands();
        islands.next().map_or(Pointedness::Pointed, |island| {
            pointedness(problem, &settings, island)
        })
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
    fn build<'a>(&self, builder: &'a mut ProblemBuilder) -> &'a ContactProblem {
        let m = self.dim();
        let mut e = DMatrix::zeros(m, m);
        let mut at = 0;
        for part in &self.damping {
            let rows = part.nrows();
            e.view_mut((at, at), (rows, rows)).copy_from(part);
            at += rows;
        }
        builder.begin(self.h);
        let mut v_free = self.f_ext.clone();
        MassFactor::from_dense(&e).unwrap().solve(&mut v_free);
        let mass = MassFactor::from_dense(&(e * self.h)).unwrap();
        let block = builder.add_block(&mass, &vec![0.0; m], &v_free);
        let cols: Vec<usize> = (0..m).collect();
        let none = vec![0.0; m];
        for (key, contact) in self.contacts.iter().enumerate() {
            let (s, t, across) = match &contact.w_f {
                Friction::Planar(s) => (s, &none, Some(0.0)),
                Friction::Spatial([s, t]) => (s, t, None),
            };
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
        builder.finish().unwrap()
    }
}
