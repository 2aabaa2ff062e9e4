//! A block on a plane beside its closed form.

use super::world::{World, linear_velocity};
use crate::block_law::{Block, Plane};
use crate::metrics::larger;
use crate::session::Figures;
use crate::settings::RunSettings;
use nalgebra::{Vector2, Vector3};

/// What the closed form knows of the scene, in the world.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Start {
    /// Mass of the block \[kg\].
    pub(in super::super) mass: f64,
    /// Coulomb coefficient [-].
    pub(in super::super) mu: f64,
    /// What presses the block on the plane, per unit mass [m/s^2].
    pub(in super::super) weight: f64,
    /// What pulls it along the plane, per unit mass [m/s^2].
    pub(in super::super) pull: Vector3<f64>,
    /// Velocity of the plane's surface [m/s].
    pub(in super::super) surface: Vector3<f64>,
    /// Velocity of the block [m/s].
    pub(in super::super) velocity: Vector3<f64>,
}

/// The block by its closed form, in step with the simulated one.
pub(in super::super) struct Twin {
    settings: RunSettings,
    start: Start,
    /// Known from the first step on, where there is a closed form: the contacts' tangents too.
    block: Option<(Block, [Vector3<f64>; 2])>,
    error: f64,
}

impl Twin {
    /// At the start of a run.
    pub(in super::super) fn new(settings: &RunSettings, start: Start) -> Self {
        Self {
            settings: settings.clone(),
            start,
            block: None,
            error: 0.0,
        }
    }

    /// Goes one step and compares the velocities along the plane.
    pub(in super::super) fn observe(&mut self, world: &World, body: usize) {
        if world.steps() == 1 {
            let closed = world.contacts().iter().filter(|c| c.closed);
            self.begin(world, closed.count());
        }
        self.advance();
        if let Some((block, axes)) = &self.block {
            let velocity = linear_velocity(world.body(body));
            let along = Vector2::from(axes.map(|a| a.dot(&velocity)));
            self.error = larger(self.error, (along - block.velocity()).norm());
        }
    }

    /// Begins, with what the first step tells: the tangents, and how many contacts there are.
    pub(in super::super) fn begin(&mut self, world: &World, contacts: usize) {
        let Some(axes) = world.contacts().first().map(|c| c.tangents()) else {
            return;
        };
        let along = |v: &Vector3<f64>| Vector2::from(axes.map(|a| a.dot(v)));
        let start = &self.start;
        let plane = Plane {
            mu: start.mu,
            weight: start.weight,
            pull: along(&start.pull),
            surface: along(&start.surface),
        };
        let velocity = along(&start.velocity);
        let block = Block::new(&self.settings, plane, (start.mass, contacts), velocity);
        self.block = block.map(|block| (block, axes));
    }

    /// Goes one step.
    pub(in super::super) fn advance(&mut self) {
        if let Some((block, _)) = &mut self.block {
            block.advance();
        }
    }

    /// Velocity by the closed form [m/s], where there is one.
    pub(in super::super) fn velocity(&self) -> Option<Vector3<f64>> {
        let (block, [s, t]) = self.block.as_ref()?;
        Some(s * block.velocity().x + t * block.velocity().y)
    }

    /// Adds the largest difference of the velocities, where there is a closed form.
    pub(in super::super) fn figures(&self, figures: Figures) -> Figures {
        if self.block.is_some() {
            figures.with("closed_form_error_m_per_s", self.error)
        } else {
            figures
        }
    }
}
