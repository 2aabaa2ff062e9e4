//! A step without length: a game that is paused.

use super::ContactPipeline;
use crate::base::clock::Clock;
use crate::base::convert::real;
use crate::detect;
use crate::read::links;
use crate::read::world::World;
use rapier::prelude::*;
use stickslip_record::{StageTimes, StepReport};

impl ContactPipeline {
    /// Applies what the user changed and detects collisions, as rapier's own step does with `dt = 0`: nothing moves, no
    /// time passes, and contacts and impulses are those of the last step that had a length.
    pub(super) fn pause(
        &mut self,
        gravity: Vector,
        params: &IntegrationParameters,
        world: &mut World<'_>,
    ) {
        let mut clock = Clock::start();
        self.resume(world);
        self.quarantined.begin();
        self.quarantined.collect_user_changes(world);
        let materials = self.materials.changes();
        self.sleepers
            .collect_user_changes(&self.trees, gravity, materials, world);
        let (trees, stale) = (&self.trees, &mut self.stale);
        links::sync_links(trees, stale, world.bodies, world.multibody_joints);
        self.installer.install(world.narrow_phase);
        let recycles = params.contact_recycling && self.installer.is_in_place();
        let prediction = real(params.prediction_distance());
        detect::contacts(&mut self.rapier, params, prediction, recycles, world);
        self.quarantined.note(world.physics.quarantine());
        self.rapier.bring_tree_back(world);
        self.sleepers.rouse(world);
        self.report = StepReport {
            times: StageTimes {
                detect: clock.lap(),
                ..StageTimes::default()
            },
            activity: self.sleepers.activity(),
            ..StepReport::default()
        };
    }
}
