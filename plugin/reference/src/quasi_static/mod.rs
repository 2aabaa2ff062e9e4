//! `quasi-static`: bodies without inertia, moved by others through contacts with friction \[G\].
//!
//! ```text
//! E v = W_n l_n + W_f l_f + f                E symmetric positive definite damping [N s/m]
//! 0 <= l_n  complementary to  W_n^T h v + Psi_n + h dPsi_n/dt >= 0
//! ```
//! with friction bounded by the polygon. Motion comes from bodies that move as prescribed (their part is in
//! `dPsi/dt`: a contact's drift and surface velocity) and from the applied load f, which the paper
//! does not have.
//!
//! On a [`ContactProblem`] the damping is `E = M / tau`
//! ([`QuasiStaticSettings::damping_time`](stickslip_core::models::QuasiStaticSettings::damping_time)) and the load is
//! what changed the velocity over the step, `h f = M (v_free - v)`. The step is therefore the polygon
//! problem of the velocity level with
//! ```text
//! mass h E = (h / tau) M,     free velocity E^-1 f = (tau / h) (v_free - v)
//! ```
//! and impulses `h l`. Nothing bounces; torsional and rolling friction are not part of the model.
//!
//! The problem is copositive and solvable for every load if the total friction cone is pointed
//! ([`pointedness`]). Where it is not the island is wedged, which the report counts; if its step has
//! no answer either, its status is `Jammed` and it moves by the exact cone.

mod pointed;

pub use pointed::{Pointedness, pointedness};

use crate::polygon::Run;
use stickslip_core::kit::{Answer, Context, Derived, Memory as _, SolveContext, drive};
use stickslip_core::models::PointednessCheck;
use stickslip_core::problem::ContactProblem;
use stickslip_core::report::{SolveReport, SolveStatus};

/// Memory of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pointed: pointed::Memory,
    step: ContactProblem,
}

/// `quasi-static`.
pub(super) fn solve(context: Context<'_>, solving: &mut SolveContext<'_>) -> SolveReport {
    let mut step = std::mem::take(&mut solving.own.beside::<crate::Memory>().quasi_static.step);
    without_inertia(context, &mut step);
    let settings = context.settings;
    let context = context.part(&step, context.name, settings);
    let mut report = drive(context, Run::new(context), solving);
    let pointed = &mut solving.own.beside::<crate::Memory>().quasi_static.pointed;
    for (number, island) in step.islands().enumerate() {
        let is_open = solving.solution.is_exact_cone(island);
        if is_open && !pointed.is_pointed(&step, settings, island) {
            let own = &mut solving.solution.islands[number].status;
            *own = (*own).max(SolveStatus::Jammed);
            report.status = report.status.max(SolveStatus::Jammed);
        }
    }
    if settings.quasi_static.pointedness == PointednessCheck::Always {
        let islands = step.islands();
        let wedged = islands.filter(|&i| !pointed.is_pointed(&step, settings, i));
        report.wedged = wedged.count();
    }
    solving.own.beside::<crate::Memory>().quasi_static.step = step;
    report
}

/// Makes `step` the problem with damping in place of inertia.
fn without_inertia(context: Context<'_>, step: &mut ContactProblem) {
    let problem = context.problem;
    let ratio = problem.h() / context.settings.quasi_static.damping_time;
    step.copy_from(problem);
    step.scale_mass(ratio);
    let (v, v_free) = step.velocities_mut();
    for (v, free) in v.iter_mut().zip(v_free) {
        *free = (*free - *v) / ratio;
        *v = 0.0;
    }
    for contact in step.contacts_mut() {
        contact.restitution = 0.0;
        contact.sliding_friction = None;
        (contact.mu_torsional, contact.mu_rolling) = (0.0, 0.0);
    }
}
