//! What a step reads: contact points, and bodies, trees and joints.

use super::ContactPipeline;
use crate::base::error::StepError;
use crate::contacts::gather::Detected;
use crate::contacts::mend;
use crate::joints::Movers;
use crate::read::links;
use crate::read::quarantine::Quarantined;
use crate::read::world::World;
use nalgebra::Vector3;

impl ContactPipeline {
    /// Asks a contact source of the user's for its points. They must be those of the poses that the step
    /// works with, so links and colliders that the user moved only by halves are brought in line first; if
    /// the source is refused they are put back.
    pub(super) fn ask_source(&mut self, h: f64, world: &mut World<'_>) -> Result<(), StepError> {
        let Some(source) = &mut self.source else {
            return Ok(());
        };
        let is_stale = links::are_out_of_sync(&self.trees, world);
        let before = is_stale.then(|| {
            let (bodies, colliders) = (world.bodies.clone(), world.colliders.clone());
            (bodies, colliders, world.multibody_joints.clone())
        });
        if is_stale {
            let joints = &mut *world.multibody_joints;
            links::sync_links(&self.trees, &mut self.stale, world.bodies, joints);
            world
                .bodies
                .propagate_modified_body_positions_to_colliders(world.colliders);
        }
        let points = &mut self.found.all.points;
        points.clear();
        source.contacts(world.bodies, world.colliders, h, points);
        let outcome = mend::validate(points, world.bodies);
        if let (Err(_), Some((bodies, colliders, joints))) = (&outcome, before) {
            *world.bodies = bodies;
            *world.colliders = colliders;
            *world.multibody_joints = joints;
        }
        outcome
    }

    /// Reads the contact points of what is awake, and decides who is.
    pub(super) fn gather_contacts(
        &mut self,
        gravity: &Vector3<f64>,
        h: f64,
        world: &mut World<'_>,
    ) {
        let sleepers = &mut self.sleepers;
        sleepers.rouse(world);
        if self.source.is_some() {
            let points = &self.found.all.points;
            while sleepers.decide_sleep(world, points, gravity, h, self.length_unit) {}
            return;
        }
        self.found.clear();
        if !sleepers.any_awake() {
            return;
        }
        loop {
            sleepers.active();
            let found = &mut self.found;
            Detected::of(world, &self.reach).gather(sleepers.few(), &*sleepers, found);
            if !sleepers.decide_sleep(world, &found.all.points, gravity, h, self.length_unit) {
                break;
            }
        }
        self.loops.free(world, &mut self.found.all.points);
    }

    /// Reads bodies and trees; what makes no step is set aside.
    pub(super) fn gather(
        &mut self,
        gravity: &Vector3<f64>,
        h: f64,
        world: &mut World<'_>,
    ) -> Result<(), StepError> {
        self.bodies.clear();
        for body in self.found.all.points.iter().flat_map(|point| point.bodies) {
            body.into_iter().for_each(|body| self.bodies.touch(body));
        }
        for (_, joint) in world.impulse_joints.iter() {
            self.bodies.touch(joint.body1());
            self.bodies.touch(joint.body2());
        }
        let Quarantined { found, roots, .. } = &mut self.quarantined;
        let (set, bodies) = (&*world.bodies, &mut self.bodies);
        self.trees
            .gather(set, world.multibody_joints, bodies, h, roots)?;
        let active = self.sleepers.active();
        self.bodies.gather(set, active, gravity, h, found);
        self.trees.dynamics(gravity, h, roots);
        self.trees.leave_out(roots, &mut self.bodies);
        self.quarantined.apply(world);
        let movers = Movers::new(world.bodies, &self.bodies, &self.trees, h);
        self.joints.gather(world.impulse_joints, movers);
        Ok(())
    }
}
