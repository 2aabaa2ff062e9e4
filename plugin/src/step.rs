//! One step, top to bottom.

use crate::aside::Aside;
use crate::assemble::Parts;
use crate::clock::Clock;
use crate::contacts::Contact;
use crate::convert::{real, vector};
use crate::detect::{self, World};
use crate::error::StepError;
use crate::frame::{Frame, Impacts};
use crate::impulse_joints::Movers;
use crate::pipeline::ContactPipeline;
use crate::writeback::{Motion, Outcome};
use crate::{ccd, check, mend, reach, wild, writeback};
use nalgebra::Vector3;
use rapier::prelude::*;
use stickslip_core::report::{SolveReport, SolveStatus, StageTimes, StepReport};

/// Rounds of turning drives past their effort limit into bounded rows and of correcting the
/// curvature of joints, before the step goes on with what it has; one or two is what happens.
const ROUNDS: usize = 12;

/// How often a step is asked for less: without the pushes of some bodies, of all, and without
/// bounces.
const MILDER: usize = 3;

impl ContactPipeline {
    /// All stages of one step.
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
        self.trees.follow(world.multibody_joints)?;
        self.ask_source(real(params.dt), world)?;
        // From here on the world changes, and nothing that a user could have caused is refused.
        let gravity = vector(gravity);
        let h = real(params.dt);
        let mut frame = Frame::new(h, self.model());
        self.pinched.begin();
        self.aside.begin();
        self.aside.heed(world);
        self.sleepers.heed(&self.trees, world);
        writeback::sync_links(
            &self.trees,
            &mut self.stale,
            world.bodies,
            world.multibody_joints,
        );
        self.installer.install(world.narrow_phase);
        let pace = reach::Frame {
            gravity,
            h,
            prediction: real(params.prediction_distance()),
            apart: self.installer.is_in_place(),
        };
        self.reach.survey(world, pace);
        let mut times = StageTimes {
            assemble: clock.lap(),
            ..StageTimes::default()
        };

        self.detect(params, pace, world);
        if self.reach.is_exceeded(world, pace) || !self.reach.is_wide(world) {
            self.detect(params, pace, world);
        }
        times.detect = clock.lap();

        self.touch(&gravity, h, world);
        self.sleepers.retire(&mut self.engine, params, world);
        self.gather(&gravity, h, world)?;
        times.assemble += clock.lap();

        let mut solve = self.answer(world, &gravity, frame, (&mut clock, &mut times))?;
        for _ in 0..MILDER {
            let Some(milder) = self.milder(frame, &solve) else {
                break;
            };
            frame = milder;
            self.joints.begin_rounds();
            solve = self.answer(world, &gravity, frame, (&mut clock, &mut times))?;
            solve.fallbacks += 1;
        }
        if solve.relaxed > 0.0 && frame.splits() {
            let asked = wild::asked(self.assembler.problem());
            if wild::is_wild(
                (asked, solve.relaxed),
                self.assembler.problem(),
                &self.solution,
            ) {
                frame = frame.at_rest();
                self.joints.begin_rounds();
                solve = self.answer(world, &gravity, frame, (&mut clock, &mut times))?;
                solve.fallbacks += 1;
                solve.status = solve.status.max(SolveStatus::Relaxed);
                solve.relaxed = solve.relaxed.max(asked);
            }
        }
        self.assembler
            .read_contacts(&self.solution, &mut self.contacts);
        let movers = Movers::new(world.bodies, &self.bodies, &self.trees, h);
        self.joints.read(movers, &self.solution, |block| {
            self.assembler.set_pushed(block);
        });
        self.joints.write_back(world.impulse_joints);
        self.installer.show(&self.places, &self.contacts);
        if self.reach.exceeds_near() && ccd::is_wanted(params) {
            ccd::clamp(
                world,
                (&mut self.bodies, &mut self.trees),
                (self.assembler.problem(), &self.solution),
                &self.contacts,
                (h, &self.reach),
                &mut self.hits,
            );
        }

        let answer = (self.assembler.problem(), &self.solution.v_plus[..]);
        let movers = (&*world.bodies, &self.bodies, &mut self.trees);
        let joints = &mut self.joints;
        let relief = (self.reliever).find(answer, &self.contacts, joints, movers, frame);
        let outcome = Outcome {
            assembler: &self.assembler,
            v_plus: &self.solution.v_plus,
            relief: self.reliever.velocity(),
        };
        let Aside { found, roots, .. } = &mut self.aside;
        writeback::bodies(&self.bodies, outcome, world.bodies, h, found);
        writeback::trees(
            &mut self.trees,
            outcome,
            &Motion { gravity, h },
            world,
            roots,
        );
        self.aside.apply(world);
        writeback::told(&self.bodies, world.bodies, h);
        self.sleepers.tick(world.bodies, params);
        world
            .bodies
            .propagate_modified_body_positions_to_colliders(world.colliders);
        self.force_events.send(world, &self.contacts, h);
        times.integrate = clock.lap();
        self.report = StepReport {
            solve,
            relief,
            times,
            activity: self.sleepers.activity(),
        };
        Ok(())
    }

    /// The engine's detection, farther around fast bodies.
    fn detect(
        &mut self,
        params: &IntegrationParameters,
        pace: reach::Frame,
        world: &mut World<'_>,
    ) {
        self.reach.widen(world, params, pace);
        self.installer.widen(self.reach.shapes(world));
        detect::contacts(&mut self.engine, params, self.reach.near(), world);
        self.aside.note(self.engine.quarantine());
        self.engine.bring_tree_back(world);
        self.reach.hooked = world.hooks.modify();
    }

    /// Builds the problem and solves it, again where its own answer shows it to have been built wrongly.
    fn answer(
        &mut self,
        world: &World<'_>,
        gravity: &Vector3<f64>,
        frame: Frame,
        (clock, times): (&mut Clock, &mut StageTimes),
    ) -> Result<SolveReport, StepError> {
        self.assemble(world, frame)?;
        times.assemble += clock.lap();
        let mut solve = self.solve();
        times.solve += clock.lap();
        for _ in 0..ROUNDS {
            if !self.revise(world.bodies, gravity, frame) {
                break;
            }
            self.assemble(world, frame)?;
            times.assemble += clock.lap();
            solve = self.solve();
            times.solve += clock.lap();
        }
        Ok(solve)
    }

    /// What to ask for instead where the answer shows that it was too much: without pushes if what
    /// sticks exactly contradicts them, of those concerned if they can be told; without bounces too if
    /// it multiplies them.
    fn milder(&mut self, frame: Frame, solve: &SolveReport) -> Option<Frame> {
        if !frame.splits() {
            return None;
        }
        let (problem, v_plus) = (self.assembler.problem(), &self.solution.v_plus);
        if frame.impacts == Impacts::Bounce
            && (self.levers).multiply(problem, v_plus, self.model.settings())
        {
            return Some(frame.inelastic());
        }
        if solve.relaxed == 0.0 || !self.contacts.iter().any(Contact::is_pushed) {
            return None;
        }
        let (unmet, contacts) = (&self.solution.unmet, &self.contacts);
        let bodies = |c: usize| {
            let contact = contacts.get(c);
            contact.map_or([None; 2], |contact| self.assembler.solved_for(c, contact))
        };
        let told_apart = self.pinched.learn(problem, unmet, contacts, bodies);
        Some(if told_apart {
            frame
        } else {
            frame.without_pushes()
        })
    }

    /// Asks a contact source of the user's for its points. They must be those of the poses that the step
    /// works with, so links and colliders that the user moved only by halves are brought in line first; if
    /// the source is refused they are put back.
    fn ask_source(&mut self, h: f64, world: &mut World<'_>) -> Result<(), StepError> {
        let Some(source) = &mut self.source else {
            return Ok(());
        };
        let late = writeback::is_late(&self.trees, world);
        let before = late.then(|| {
            let (bodies, colliders) = (world.bodies.clone(), world.colliders.clone());
            (bodies, colliders, world.multibody_joints.clone())
        });
        if late {
            let joints = &mut *world.multibody_joints;
            writeback::sync_links(&self.trees, &mut self.stale, world.bodies, joints);
            world
                .bodies
                .propagate_modified_body_positions_to_colliders(world.colliders);
        }
        self.points.clear();
        source.contacts(world.bodies, world.colliders, h, &mut self.points);
        let outcome = mend::validate(&mut self.points, world.bodies);
        if let (Err(_), Some((bodies, colliders, joints))) = (&outcome, before) {
            *world.bodies = bodies;
            *world.colliders = colliders;
            *world.multibody_joints = joints;
        }
        outcome
    }

    /// Reads the contact points of what is awake, and decides who is.
    fn touch(&mut self, gravity: &Vector3<f64>, h: f64, world: &mut World<'_>) {
        let sleepers = &mut self.sleepers;
        sleepers.rouse(world);
        if self.source.is_some() {
            while sleepers.settle(world, &self.points, (gravity, h)) {}
            return;
        }
        self.points.clear();
        self.places.clear();
        if !sleepers.any_awake() {
            return;
        }
        let parent = |collider| world.colliders.get(collider).and_then(Collider::parent);
        self.memory.begin(|pair| sleepers.rests(pair.map(parent)));
        loop {
            sleepers.active();
            let due = (sleepers.few(), &*sleepers);
            let found = (&mut self.points, &mut self.places);
            world
                .detected(&self.reach)
                .gather(due, &mut self.memory, found);
            if !sleepers.settle(world, &self.points, (gravity, h)) {
                break;
            }
        }
    }

    /// Reads bodies and trees; what makes no step is set aside.
    fn gather(
        &mut self,
        gravity: &Vector3<f64>,
        h: f64,
        world: &mut World<'_>,
    ) -> Result<(), StepError> {
        self.bodies.clear();
        let Aside { found, roots, .. } = &mut self.aside;
        let (set, bodies) = (&*world.bodies, &mut self.bodies);
        self.trees
            .gather(set, world.multibody_joints, bodies, h, roots)?;
        let active = self.sleepers.active();
        self.bodies.gather((set, active), gravity, h, found);
        self.trees.dynamics(gravity, h, roots);
        self.bodies.forget(&self.trees, roots);
        self.aside.apply(world);
        let movers = Movers::new(world.bodies, &self.bodies, &self.trees, h);
        self.joints.gather(world.impulse_joints, movers);
        Ok(())
    }

    /// What the solution shows to have been assumed wrongly: drives past their effort limit, the
    /// curvature of joints. True if the problem must be built and solved again.
    fn revise(&mut self, set: &RigidBodySet, gravity: &Vector3<f64>, frame: Frame) -> bool {
        let h = frame.h;
        let problem = self.assembler.problem();
        let range = |block| problem.block_range(block);
        let saturated = self.trees.saturate(&self.solution.v_plus, range, h);
        let movers = (set, &self.bodies, &mut self.trees);
        let answer = (problem, &self.solution);
        let bent = self.joints.bend(movers, answer, frame);
        if saturated {
            let roots = &mut self.aside.roots;
            self.trees.dynamics(gravity, h, roots);
            self.bodies.forget(&self.trees, roots);
        } else if !bent {
            self.trees.release(&self.solution.v_plus, range, h);
        }
        saturated || bent
    }

    fn assemble(&mut self, world: &World<'_>, frame: Frame) -> Result<(), StepError> {
        let parts = Parts {
            set: world.bodies,
            colliders: world.colliders,
            bodies: &mut self.bodies,
            trees: &mut self.trees,
            points: &self.points,
            joints: &mut self.joints,
            materials: &self.materials,
            pinched: &self.pinched,
        };
        self.assembler.build(parts, &mut self.contacts, frame)
    }

    fn solve(&mut self) -> SolveReport {
        self.model.solve(
            self.assembler.problem(),
            &mut self.warm,
            &mut self.workspace,
            &mut self.solution,
        )
    }
}
