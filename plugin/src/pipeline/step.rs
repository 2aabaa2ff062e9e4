//! One step, top to bottom.

use super::{ContactPipeline, check};
use crate::assemble::Parts;
use crate::base::clock::Clock;
use crate::base::convert::{real, vector};
use crate::base::error::StepError;
use crate::base::frame::Frame;
use crate::base::tolerances;
use crate::correct::{StepAnswer, ccd};
use crate::detect::{self, reach::MotionBounds};
use crate::joints::Movers;
use crate::read::links;
use crate::read::quarantine::Quarantined;
use crate::read::world::World;
use crate::write::{self, Motion, Outcome};
use nalgebra::Vector3;
use rapier::prelude::*;
use stickslip_core::report::{SolveReport, SolveStatus};
use stickslip_record::{ReliefReport, StageTimes, StepReport};

/// What an attempt at a part of a step found.
struct Attempt {
    frame: Frame,
    solve: SolveReport,
    solves: usize,
    relief: ReliefReport,
    /// Whether impacts are to come.
    impacts: bool,
    /// Largest gap of a joint at the end \[m\].
    joint_gap: f64,
}

impl ContactPipeline {
    /// One step: in parts where its joints would open. O(parts) detections and solves.
    pub(crate) fn advance(
        &mut self,
        gravity: Vector,
        params: &IntegrationParameters,
        world: &mut World<'_>,
    ) -> Result<(), StepError> {
        let mut clock = Clock::start();
        check::scene(
            gravity,
            params,
            &check::Scene {
                bodies: world.bodies,
                impulse_joints: world.impulse_joints,
                multibody_joints: world.multibody_joints,
                soft_bodies: world.soft_bodies,
            },
        )?;
        self.set_length_unit(params.length_unit)?;
        self.crowd.check(world.bodies, world.colliders)?;
        self.trees.follow(world.multibody_joints)?;
        if params.dt == 0.0 {
            self.pause(gravity, params, world);
            return Ok(());
        }
        if self.stand(gravity, params, world) {
            return Ok(());
        }
        self.ask_source(real(params.dt), world)?;
        // From here on the world changes, and nothing that a user could have caused is refused.
        self.quarantined.begin();
        self.division.begin(params.dt);
        let begun = clock.lap();
        let mut part = *params;
        while self.division.goes_on() {
            self.part(gravity, &mut part, world, &mut clock)?;
            self.keep_part();
            world.hooks.ask_again();
        }
        self.show(world);
        if self.report.joint_gap > tolerances::TOUCHING * real(self.length_unit) {
            let status = &mut self.report.solve.status;
            *status = (*status).max(SolveStatus::JointsOpen);
        }
        self.report.times.assemble += begun;
        self.note_step(gravity, params, world);
        self.report.times.integrate += clock.lap();
        Ok(())
    }

    /// All stages for a part of a step. The part is halved until its joints stay closed, or it is the smallest.
    fn part(
        &mut self,
        gravity: Vector,
        params: &mut IntegrationParameters,
        world: &mut World<'_>,
        clock: &mut Clock,
    ) -> Result<(), StepError> {
        let pull = gravity;
        let gravity = vector(gravity);
        params.dt = self.division.lead(world.bodies);
        self.quarantined.collect_user_changes(world);
        let materials = self.materials.changes();
        self.sleepers
            .collect_user_changes(&self.trees, pull, materials, world);
        links::sync_links(
            &self.trees,
            &mut self.stale,
            world.bodies,
            world.multibody_joints,
        );
        self.installer.install(world.narrow_phase);
        let bounds = MotionBounds {
            gravity,
            h: real(params.dt),
            prediction: real(params.prediction_distance()),
            apart: self.installer.is_in_place(),
        };
        self.reach.survey(world, bounds);
        let mut times = StageTimes {
            assemble: clock.lap(),
            ..StageTimes::default()
        };

        self.detect(params, bounds, world);
        if self.reach.is_exceeded(world, bounds) || !self.reach.is_wide(world) {
            self.detect(params, bounds, world);
        }
        self.sleepers.begin_islands(&mut self.rapier, params, world);
        times.detect = clock.lap();

        self.gather_contacts(&gravity, bounds.h, world);
        self.sleepers
            .remove_sleeping(&mut self.rapier, params, world);
        if self.source.is_none() {
            let frame = Frame::new(bounds.h, self.model(), real(self.length_unit));
            (self.ghosts).replace(world, &mut self.found.all.points, frame, &gravity);
        }
        times.assemble += clock.lap();
        let found = loop {
            let found = self.attempt(&gravity, params, world, clock, &mut times)?;
            let opens = self
                .joints
                .opens(tolerances::TOUCHING * found.frame.length_unit, found.frame);
            if !opens || self.source.is_some() || !self.division.halve() {
                break found;
            }
            params.dt = self.division.lead(world.bodies);
            self.warm.scale(0.5);
        };
        self.write(&found, params, gravity, world);
        times.integrate += clock.lap();
        self.report = StepReport {
            solve: found.solve,
            solves: found.solves,
            substeps: 1,
            joint_gap: found.joint_gap,
            relief: found.relief,
            times,
            activity: self.sleepers.activity(),
        };
        Ok(())
    }

    /// Finds the motion of a step of `params.dt`, which nothing is written of. What it leaves to the next one changes with
    /// the last attempt alone.
    fn attempt(
        &mut self,
        gravity: &Vector3<f64>,
        params: &IntegrationParameters,
        world: &mut World<'_>,
        clock: &mut Clock,
        times: &mut StageTimes,
    ) -> Result<Attempt, StepError> {
        let frame = Frame::new(real(params.dt), self.model(), real(self.length_unit));
        self.gather(gravity, frame.h, world)?;
        let (mut solve, mut solves) =
            self.assemble_and_solve(world, gravity, frame, clock, times)?;
        self.assembler
            .read_contacts(&self.solution, &mut self.contacts);
        let problem = self.assembler.problem();
        let after = self.impacts.solve(&mut self.model, problem, &self.solution);
        if let Some(after) = &after {
            solve.status = solve.status.max(after.status);
            solve.residuals.merge(&after.residuals);
            solves += 1;
        }
        times.solve += clock.lap();
        let answer = StepAnswer {
            problem: self.assembler.problem(),
            solution: &self.solution,
            contacts: &self.contacts,
            frame,
        };
        let (bodies, trees) = (&mut self.bodies, &mut self.trees);
        if self.reach.exceeds_near() && ccd::is_wanted(params) {
            ccd::clamp(world, bodies, trees, answer, &self.reach, &mut self.hits);
        }
        let joints = &mut self.joints;
        let relief = (self.corrector).find(answer, joints, world.bodies, bodies, trees);
        if after.is_some() && self.source.is_none() {
            let (arrivals, impacts) = (&mut self.arrivals, &mut self.impacts);
            arrivals.stop(world, bodies, answer, impacts);
        }
        times.integrate += clock.lap();
        Ok(Attempt {
            frame,
            solve,
            solves,
            relief,
            impacts: after.is_some(),
            joint_gap: self.joints.gap(),
        })
    }

    /// Moves the world as an attempt found.
    fn write(
        &mut self,
        found: &Attempt,
        params: &IntegrationParameters,
        gravity: Vector3<f64>,
        world: &mut World<'_>,
    ) {
        let (h, whole) = (found.frame.h, self.division.whole());
        self.joints.leave(found.frame);
        if found.impacts {
            self.corrector
                .add_impacts(&self.solution, self.impacts.answer());
        }
        let impacts = found.impacts.then_some(&self.impacts);
        self.assembler.read_impacts(impacts, &mut self.contacts);
        self.assembler.remember_pressed(&self.contacts, found.frame);
        let movers = Movers::new(world.bodies, &self.bodies, &self.trees, h);
        self.joints
            .read(movers, self.corrector.impulses(), |block| {
                self.assembler.set_pushed(block);
            });
        let outcome = Outcome {
            assembler: &self.assembler,
            v_plus: &self.solution.v_plus,
            correction: self.corrector.velocity(),
            end: self.corrector.velocities(),
        };
        let Quarantined { found, roots, .. } = &mut self.quarantined;
        let wrote = write::bodies(&self.bodies, outcome, world.bodies, h, found);
        write::trees(
            &mut self.trees,
            outcome,
            &Motion { gravity, h, whole },
            world,
            roots,
        );
        self.quarantined.apply(world);
        self.has_written = write::prescribed(&self.bodies, world.bodies, h) || wrote;
        self.sleepers.tick(world, params);
        world
            .bodies
            .propagate_modified_body_positions_to_colliders(world.colliders);
    }

    /// Rapier's detection, farther around fast bodies.
    fn detect(
        &mut self,
        params: &IntegrationParameters,
        bounds: MotionBounds,
        world: &mut World<'_>,
    ) {
        self.reach.widen(world, params, bounds);
        self.installer.widen(self.reach.shapes(world));
        let recycles = params.contact_recycling && self.installer.is_in_place();
        self.installer.flag(world, &self.reach, recycles, bounds);
        detect::contacts(&mut self.rapier, params, self.reach.near(), recycles, world);
        self.installer.unflag(world);
        self.quarantined.note(world.physics.quarantine());
        self.rapier.bring_tree_back(world);
        self.reach.hooked = world.hooks.modify();
    }

    /// Builds the problem and solves it, once more where the answer shows drives past their effort limit. Also how
    /// many problems those were.
    fn assemble_and_solve(
        &mut self,
        world: &World<'_>,
        gravity: &Vector3<f64>,
        frame: Frame,
        clock: &mut Clock,
        times: &mut StageTimes,
    ) -> Result<(SolveReport, usize), StepError> {
        let mut solves = 0;
        loop {
            self.assemble(world, frame)?;
            times.assemble += clock.lap();
            let solve = self.solve();
            times.solve += clock.lap();
            solves += 1;
            let problem = self.assembler.problem();
            let range = |block| problem.block_range(block);
            // What is learnt of drives holds for the next step too.
            let saturated = (self.trees).saturate(&self.solution.v_plus, range, frame.h);
            if !saturated {
                self.trees.release(&self.solution.v_plus, range, frame.h);
            }
            if !saturated || solves == 2 {
                return Ok((solve, solves));
            }
            let roots = &mut self.quarantined.roots;
            self.trees.dynamics(gravity, frame.h, roots);
            self.trees.leave_out(roots, &mut self.bodies);
        }
    }

    fn assemble(&mut self, world: &World<'_>, frame: Frame) -> Result<(), StepError> {
        let parts = Parts {
            set: world.bodies,
            colliders: world.colliders,
            bodies: &mut self.bodies,
            trees: &mut self.trees,
            points: &self.found.all.points,
            joints: &mut self.joints,
            materials: &self.materials,
        };
        self.assembler.build(parts, &mut self.contacts, frame)
    }

    fn solve(&mut self) -> SolveReport {
        self.model.solve(
            self.assembler.problem(),
            &mut self.warm,
            self.workspace.get_or_insert_default(),
            &mut self.solution,
        )
    }
}
