//! The scenarios over one precision of the engine.
//!
//! A scene builds its bodies in a `World`, drives them before each step, observes after it and
//! states its figures. z points up everywhere.

#[cfg(test)]
mod example;
mod friction;
mod holding;
mod moving;
mod own;
pub(crate) mod robots;
mod stage;

use crate::catalog::{Scenario, ScenarioId};
use crate::error::CommandError;
use crate::forces::Parts;
use crate::session::{ContactSample, Figures, Session, StepProblem, StepSample};
use crate::settings::RunSettings;
use friction::{ball, conveyor, hover, slide, slope};
use holding::{block, grasp, mass_ratio, pinch, stack};
use moving::{bounce, granular, peg};
use nalgebra::Isometry3;
use robots::{carry, drop, flight, linkage, shake, stand, walk};
use stage::scene::{Built, Scene};
use stage::world::World;
use stage::{joint_gap, shapes};
use stickslip_record::{SceneRecord, StepRecord};

/// A scenario in this precision.
struct Running {
    scenario: &'static Scenario,
    world: World,
    scene: Box<dyn Scene>,
}

/// Builds the scenario a run asks for.
///
/// # Errors
/// What is wrong with its settings or its robot file.
pub fn session(settings: &RunSettings) -> Result<Box<dyn Session>, CommandError> {
    let (world, scene) = build(settings)?;
    Ok(Box::new(Running {
        scenario: settings.scenario,
        world,
        scene,
    }))
}

fn build(settings: &RunSettings) -> Result<Built, CommandError> {
    match settings.scenario.id {
        ScenarioId::Grasp => grasp::build(settings),
        ScenarioId::Pinch => pinch::build(settings),
        ScenarioId::Box => block::build(settings),
        ScenarioId::Stack => stack::build(settings),
        ScenarioId::Stand => stand::build(settings),
        ScenarioId::Drop => drop::build(settings),
        ScenarioId::FreeFlight => flight::build(settings),
        ScenarioId::Slope => slope::build(settings),
        ScenarioId::Slide => slide::build(settings),
        ScenarioId::Conveyor => conveyor::build(settings),
        ScenarioId::Hover => hover::build(settings),
        ScenarioId::Spin => ball::spin(settings),
        ScenarioId::Roll => ball::roll(settings),
        ScenarioId::Carry => carry::build(settings),
        ScenarioId::Shake => shake::build(settings),
        ScenarioId::Trot => walk::build(settings),
        ScenarioId::Bounce => bounce::build(settings),
        ScenarioId::MassRatio => mass_ratio::build(settings),
        ScenarioId::Granular => granular::build(settings),
        ScenarioId::Peg => peg::build(settings),
        ScenarioId::Pendulum => linkage::pendulum(settings),
        ScenarioId::FourBar => linkage::four_bar(settings),
        ScenarioId::Hexapod => linkage::hexapod(settings),
        ScenarioId::Scene => own::build(settings),
        #[cfg(test)]
        ScenarioId::Example => example::build(settings),
        ScenarioId::Polygon | ScenarioId::ContactTable | ScenarioId::Painleve => {
            Err(CommandError::Scene(format!(
                "scenario `{}` has no engine",
                settings.scenario.name
            )))
        }
    }
}

impl Session for Running {
    fn step(&mut self) -> Result<StepSample, String> {
        self.scene.control(&mut self.world);
        let sample = self.world.step()?;
        self.scene.observe(&self.world, sample.report.as_ref());
        Ok(sample)
    }

    fn ended(&self) -> bool {
        self.scene.ended()
    }

    fn remarks(&self) -> &[String] {
        self.world.remarks()
    }

    fn contacts(&self) -> &[ContactSample] {
        self.world.contacts()
    }

    fn problem(&self) -> Option<StepProblem<'_>> {
        self.world.problem()
    }

    fn scene_record(&self) -> SceneRecord {
        shapes::scene(&self.world, self.scenario.name, self.scenario.view())
    }

    fn parts(&self) -> Parts {
        self.world.parts()
    }

    fn body_poses(&self) -> Vec<Isometry3<f64>> {
        (0..self.world.entries().len())
            .map(|number| self.world.pose(number))
            .collect()
    }

    fn joint_gap(&self) -> Option<f64> {
        joint_gap::joint_gap(&self.world.sets)
    }

    fn fill(&self, record: &mut StepRecord) {
        self.world.fill(record);
    }

    fn figures(&mut self) -> Result<Figures, CommandError> {
        self.scene.figures(&self.world)
    }
}
