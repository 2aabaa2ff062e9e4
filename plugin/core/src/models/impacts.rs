//! Impacts to come: contacts that bounce and close during the step.
//!
//! A contact with restitution that is open at the start of a step binds the motion of the step, which ends where it
//! touches, but not yet the velocities: its impact is that of the next step, with the normal and the velocities of that
//! moment. So a step has two answers where such a contact presses. The motion is that of the whole problem, in
//! which the contact closes without a bounce. The velocity at the end is that of the problem without the open contacts
//! that bounce, so that the next step finds the contact closed and the bodies as fast as they came.
//!
//! Between the impact and the end of the step gravity must do no work. With the speeds u and u_f at which
//! a contact approaches before and after forces, the impact comes after the share `phi / (h u_f)` of the step, and the speed
//! there is `u_f - (1 - phi / (h u_f)) (u_f - u)`. The impulse f of the motion takes away `u_f - phi / h` where nothing else
//! pushes, so that of it
//! ```text
//! (u_f - u) / u_f  min(f, (u_f - phi / h) / (N M^-1 N^T)),   at least 0
//! ```
//! stays in the velocity. A ball that falls thus arrives with the energy that it began to fall with, to second order in h,
//! and one that starts from rest at the surface is only stopped.

use super::asked::asks;
use super::{ContactSolution, Model, ModelName, WarmStart, Workspace};
use crate::problem::{ContactProblem, GroupId, NO_BLOCK, RowId};
use crate::report::{SolveReport, SolveStatus};

/// The velocities of steps in which impacts are to come; kept for its memory.
#[derive(Clone, Debug, Default)]
pub struct Impacts {
    /// By contact: whether its impact is to come.
    comes: Vec<bool>,
    answer: ContactSolution,
    /// Made when the first impact is to come.
    work: Option<Box<Work>>,
}

/// The problem of the velocities, and what it is made and solved with.
#[derive(Clone, Debug, Default)]
struct Work {
    problem: ContactProblem,
    /// By group: whether it is in the problem.
    keeps: Vec<bool>,
    /// By island of the whole problem.
    affected: Vec<bool>,
    /// Contacts whose impact is to come, with the normal impulse that they keep \[N s\].
    kept: Vec<(usize, f64)>,
    /// A row, or impulses over all coordinates (m).
    row: Vec<f64>,
    warm: WarmStart,
    workspace: Workspace,
    solved: ContactSolution,
}

impl Impacts {
    /// Finds velocities and impulses of the end of a step whose `motion` is known; `None` where those of the motion
    /// are. O(contacts) there, a solve of the islands with impacts elsewhere.
    pub fn solve(
        &mut self,
        model: &mut Model,
        problem: &ContactProblem,
        motion: &ContactSolution,
    ) -> Option<SolveReport> {
        self.comes.clear();
        let has_speeds = model.name() != ModelName::QuasiStatic;
        if !has_speeds || model.name().is_at_acceleration_level() {
            return None;
        }
        let n = problem.contact_count();
        if !(0..n).any(|c| is_open(model, problem, c)) {
            return None;
        }
        let work = self.work.get_or_insert_default();
        work.affected.clear();
        for (number, island) in problem.islands().enumerate() {
            // A motion that gave way to a bounce and an open contact at once is no velocity either.
            let status = motion.islands[number].status;
            let is_pushed = |&g: &GroupId| asks(problem, g, model.settings()).firm > 0.0;
            let gave_way = matches!(status, SolveStatus::Relaxed | SolveStatus::EnergyBound)
                && !island.groups.iter().any(is_pushed);
            let takes_part = |c: usize| gave_way || motion.f_n[c] > 0.0;
            let comes = (island.contacts()).any(|c| is_open(model, problem, c) && takes_part(c))
                && island.contacts().any(|c| bounces(model, problem, c));
            work.affected.push(comes);
        }
        if !work.affected.contains(&true) {
            return None;
        }
        work.derive(model, problem, motion, &mut self.comes);
        let (warm, workspace) = (&mut work.warm, &mut work.workspace);
        let report = model.solve(&work.problem, warm, workspace, &mut work.solved);
        self.answer.reset(problem);
        for (island, affected) in problem.islands().zip(&work.affected) {
            let from = if *affected { &work.solved } else { motion };
            self.answer.adopt(from, problem.place(island));
        }
        for &(c, impulse) in &work.kept {
            self.answer.f_n[c] = impulse;
        }
        Some(report)
    }

    /// The answer for velocities and impulses, after [`Self::solve`] found one.
    pub fn answer(&self) -> &ContactSolution {
        &self.answer
    }

    /// Whether the impact of a contact of that problem is to come.
    pub fn comes(&self, contact: usize) -> bool {
        self.comes.get(contact).copied().unwrap_or(false)
    }

    /// The same, for one who knows better where the bodies meet.
    pub fn answer_mut(&mut self) -> &mut ContactSolution {
        &mut self.answer
    }

    /// Says that the impact of a contact does not come yet: its bodies do not meet in this step.
    pub fn put_off(&mut self, contact: usize) {
        if let Some(comes) = self.comes.get_mut(contact) {
            *comes = false;
            self.answer.f_n[contact] = 0.0;
        }
    }
}

impl Work {
    /// Makes the problem of the velocities: of the affected islands, without open contacts that bounce. Notes which impacts
    /// are to come.
    fn derive(
        &mut self,
        model: &Model,
        problem: &ContactProblem,
        motion: &ContactSolution,
        comes: &mut Vec<bool>,
    ) {
        let n = problem.contact_count();
        comes.resize(n, false);
        self.keeps.clear();
        self.keeps.resize(n + problem.scalar_count(), false);
        self.kept.clear();
        self.row.clear();
        self.row.resize(problem.dim(), 0.0);
        self.problem.copy_from(problem);
        for (number, island) in problem.islands().enumerate() {
            if !self.affected[number] {
                continue;
            }
            island.scalars().for_each(|s| self.keeps[n + s] = true);
            for c in island.contacts() {
                let waits = is_open(model, problem, c);
                self.keeps[c] = !waits;
                if waits && motion.f_n[c] > 0.0 {
                    comes[c] = true;
                    let impulse = self.kept_impulse(problem, c, motion.f_n[c]);
                    self.kept.push((c, impulse));
                }
            }
        }
        for &(c, impulse) in &self.kept {
            problem.row(RowId(3 * c)).add_to(impulse, &mut self.row);
        }
        let (_, v_free) = self.problem.velocities_mut();
        for (island, affected) in problem.islands().zip(&self.affected) {
            for &b in island.blocks.iter().filter(|_| *affected) {
                let block = problem.block(b as usize);
                let change = &mut self.row[block.range()];
                block.solve_lt(change);
                block.solve_l(change);
                for (v, change) in v_free[block.range()].iter_mut().zip(change) {
                    *v += *change;
                }
            }
        }
        self.problem.split_along(&self.keeps);
    }

    /// The impulse that a contact keeps of the one of its motion.
    fn kept_impulse(&mut self, problem: &ContactProblem, c: usize, of: f64) -> f64 {
        let [before, after] = approaches(problem, c);
        let left = after - problem.contacts()[c].phi / problem.h();
        if after <= before || left <= 0.0 {
            return 0.0;
        }
        problem.row(RowId(3 * c)).add_to(1.0, &mut self.row);
        let mut inverse_mass = 0.0;
        for b in problem
            .contact_group(c)
            .blocks
            .into_iter()
            .filter(|&b| b != NO_BLOCK)
        {
            let block = problem.block(b as usize);
            let row = &mut self.row[block.range()];
            block.solve_lt(row);
            inverse_mass += row.iter().map(|x| x * x).sum::<f64>();
            row.fill(0.0);
        }
        let share = ((after - before) / after).min(1.0);
        share * of.min(left / inverse_mass)
    }
}

/// Whether a contact bounces and is not closed.
fn is_open(model: &Model, problem: &ContactProblem, c: usize) -> bool {
    let contact = &problem.contacts()[c];
    contact.restitution > 0.0 && contact.compliance == 0.0 && !model.settings().is_closed(contact)
}

/// Whether a contact, open or closed, bounces at the speed that its bodies began the step with.
fn bounces(model: &Model, problem: &ContactProblem, c: usize) -> bool {
    let threshold = model.settings().restitution_threshold;
    problem.contacts()[c].restitution > 0.0 && approaches(problem, c)[0] > threshold
}

/// Rates at which a contact closes before and after forces [m/s].
fn approaches(problem: &ContactProblem, c: usize) -> [f64; 2] {
    let drift = problem.contacts()[c].normal_drift;
    problem.normal_rates(c).map(|rate| -rate - drift)
}
