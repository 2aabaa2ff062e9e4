//! What is put right in an answer before it is written back.

pub(crate) mod arrive;
pub(crate) mod ccd;
pub(crate) mod position;
mod progress;
mod shake;

use crate::base::contact::Contact;
use crate::base::frame::Frame;
use stickslip_core::models::ContactSolution;
use stickslip_core::problem::ContactProblem;

/// The answer of a step.
#[derive(Clone, Copy)]
pub(crate) struct StepAnswer<'a> {
    pub(crate) problem: &'a ContactProblem,
    pub(crate) solution: &'a ContactSolution,
    pub(crate) contacts: &'a [Contact],
    pub(crate) frame: Frame,
}
