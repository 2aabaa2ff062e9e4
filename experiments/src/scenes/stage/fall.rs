//! How fast held bodies sink, beside the closed form of a block between two rough faces.
//!
//! Under Coulomb friction that is the least: which corners carry is not unique, and where they make the
//! bodies turn as they slip, friction works on that too.

use super::twin::Twin;
use super::world::World;
use crate::session::Figures;

/// The sinking so far.
pub(in super::super) struct Fall {
    twin: Option<Twin>,
    /// Way after which nothing holds any more \[m\].
    depth: f64,
    begun: bool,
    /// Speed down in the last step, measured and expected [m/s].
    speed: [f64; 2],
    /// The way down by the closed form \[m\].
    way: f64,
}

impl Fall {
    /// With the closed form of what hangs, where there is one, and the way after which it is out of reach \[m\].
    pub(in super::super) fn new(twin: Option<Twin>, depth: f64) -> Self {
        Self {
            twin,
            depth,
            begun: false,
            speed: [0.0; 2],
            way: 0.0,
        }
    }

    /// Takes a step in which the cubes sink with `speed` [m/s] after they have sunk by `drop` \[m\].
    pub(in super::super) fn observe(
        &mut self,
        world: &World,
        row: &[usize],
        (speed, drop): (f64, f64),
    ) {
        let Some(twin) = &mut self.twin else {
            self.speed[0] = speed;
            return;
        };
        if !self.begun {
            self.begun = true;
            let outer = [row.first().copied(), row.last().copied()];
            let holds = |b: Option<usize>| b.is_some() && outer.contains(&b);
            let contacts = world.contacts().iter();
            let contacts = contacts.filter(|c| c.closed && c.record.bodies.into_iter().any(holds));
            twin.begin(world, contacts.count());
        }
        if drop >= self.depth || self.way >= self.depth {
            return;
        }
        twin.advance();
        let expected = twin.velocity().map_or(f64::NAN, |v| -v.z);
        self.speed = [speed, expected];
        self.way += expected * world.dt();
    }

    /// Adds the last speed, and what the closed form says of it and of the way.
    pub(in super::super) fn figures(&self, figures: Figures) -> Figures {
        let figures = figures.with("creep_m_per_s", self.speed[0]);
        if self.twin.as_ref().and_then(Twin::velocity).is_none() {
            return figures;
        }
        figures
            .with("creep_expected_m_per_s", self.speed[1])
            .with("drop_expected_m", self.way)
    }
}
