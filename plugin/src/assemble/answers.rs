//! What a solution says of the contacts, and what of it the next step needs.

use super::Assembler;
use crate::base::contact::Contact;
use crate::base::frame::Frame;
use stickslip_core::models::{ContactSolution, Impacts};
use stickslip_core::problem::ContactProblem;
use stickslip_core::threads;

impl Assembler {
    /// Reads impulses and end velocities of the contacts out of a solution.
    pub(crate) fn read_contacts(&mut self, solution: &ContactSolution, contacts: &mut [Contact]) {
        let Ok(problem) = self.builder.finished() else {
            return;
        };
        self.pushed.clear();
        self.pushed.resize(problem.block_count(), false);
        threads::each(contacts, &|c, contact| read(problem, solution, c, contact));
        for (contact, sides) in contacts.iter().zip(&self.sides) {
            if contact.impulse != [0.0; 3] {
                for block in sides.iter().flatten() {
                    self.pushed[block.0] = true;
                }
            }
        }
    }

    /// Remembers the contacts that pressed in a step that is written.
    pub(crate) fn remember_pressed(&mut self, contacts: &[Contact], frame: Frame) {
        let asks = frame.needs_closed;
        self.memory.press(
            contacts
                .iter()
                .filter(|contact| asks && contact.impulse[0] > 0.0),
        );
    }

    /// Reads impulses and end velocities again where impacts are to come, and remembers those.
    pub(crate) fn read_impacts(&mut self, impacts: Option<&Impacts>, contacts: &mut [Contact]) {
        self.memory.forget_impacts();
        let (Some(impacts), Ok(problem)) = (impacts, self.builder.finished()) else {
            return;
        };
        for (c, contact) in contacts.iter_mut().enumerate() {
            read(problem, impacts.answer(), c, contact);
            if impacts.comes(c) {
                self.memory.add_impact(&contact.point);
            }
        }
        self.memory.sort_impacts();
    }
}

/// Reads impulse and end velocity of a contact out of a solution.
fn read(problem: &ContactProblem, solution: &ContactSolution, c: usize, contact: &mut Contact) {
    let data = &problem.contacts()[c];
    contact.impulse = [solution.f_n[c], solution.f_s[c], solution.f_t[c]];
    contact.spin_impulse = solution.f_spin[c];
    let [v_n, v_s, v_t] = problem.contact_dots(c, &solution.v_plus);
    contact.velocity = [
        v_n + data.normal_drift,
        v_s - data.surface_velocity[0],
        v_t - data.surface_velocity[1],
    ];
}
