//! `polygon` [B4]: a block slides on the ground, each step in another direction.
//!
//! Friction bounded by a polygon with d corners and of maximum dissipation points to the corner
//! nearest to the direction against which the block slides: along that direction it has a share of
//! mu f_n between cos(pi/d), where two corners are equally near, and 1. The cone has 1 everywhere.

use super::bench::Bench;
use super::body::{self, Body, GRAVITY};
use crate::catalog::Scenario;
use crate::error::CommandError;
use crate::metrics::larger;
use crate::model_keys::Material;
use crate::session::{ContactSample, Figures, Session, StepProblem, StepSample};
use crate::settings::{Model, RunSettings};
use nalgebra::{Isometry3, Point3, Vector3};
use std::f64::consts::{PI, TAU};
use stickslip_core::models::ModelName;
use stickslip_record::{Geometry, SceneRecord};

/// Half the sides of the block \[m\]: flat, so that it slides rather than tips.
const HALF: [f64; 3] = [0.1, 0.1, 0.025];

/// The block and what its friction was so far.
pub(super) struct Sweep {
    bench: Bench,
    scenario: &'static Scenario,
    block: Body,
    mu: f64,
    material: Material,
    speed: f64,
    h: f64,
    step: u64,
    /// Directions of the full turn: one per step.
    directions: u64,
    /// Smallest share to expect, under models that bound friction.
    expected: Option<f64>,
    share: [f64; 2],
    heading: f64,
    slowest: f64,
}

/// The smallest share of mu f_n along any direction of sliding; `None` where the model knows no such
/// bound.
fn expected_share(settings: &RunSettings) -> Option<f64> {
    let Model::Ours(model) = settings.model else {
        return None;
    };
    match model {
        ModelName::StewartTrinkle | ModelName::AnitescuPotra | ModelName::DrumwrightShell => {
            Some((PI / settings.model_settings.polygon.directions as f64).cos())
        }
        ModelName::Cone | ModelName::Ccp | ModelName::CoulombAcceleration => Some(1.0),
        ModelName::Frictionless
        | ModelName::NoSlip
        | ModelName::NoSlipReleasing
        | ModelName::Viscous
        | ModelName::ViscousAcceleration
        // Without inertia nothing keeps sliding.
        | ModelName::QuasiStatic => None,
    }
}

impl Sweep {
    /// From the keys of the scenario.
    pub(super) fn new(settings: &RunSettings) -> Result<Self, CommandError> {
        let keys = &settings.keys;
        let mass = keys.number("mass")?;
        let [x, y, z] = HALF.map(|a| 4.0 * a * a);
        let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
        Ok(Self {
            bench: Bench::new(settings)?,
            scenario: settings.scenario,
            block: Body {
                mass,
                inertia: Vector3::new(y + z, x + z, x + y) * (mass / 12.0),
                pose: Isometry3::translation(0.0, 0.0, HALF[2]),
                linear: Vector3::zeros(),
                angular: Vector3::zeros(),
                points: corners
                    .map(|[a, b]| Point3::new(a * HALF[0], b * HALF[1], -HALF[2]))
                    .to_vec(),
            },
            mu: keys.number("mu")?,
            material: settings.material,
            speed: keys.number("speed")?,
            h: settings.dt,
            step: 0,
            directions: settings.steps,
            expected: expected_share(settings),
            share: [f64::INFINITY, f64::NEG_INFINITY],
            heading: 0.0,
            slowest: f64::INFINITY,
        })
    }

    fn observe(&mut self, direction: &Vector3<f64>) {
        let sum = |f: fn(&ContactSample) -> Vector3<f64>| -> Vector3<f64> {
            self.bench.contacts.iter().map(f).sum()
        };
        let friction = sum(|c| c.record.friction_force);
        let normal = sum(|c| c.record.normal * c.record.normal_force).z;
        let share = -friction.dot(direction) / (self.mu * normal);
        let [least, most] = self.share;
        self.share = [-larger(-least, -share), larger(most, share)];
        // Below that there is no friction whose direction could be wrong.
        if friction.norm() > 1e-9 * normal {
            let error = friction
                .cross(direction)
                .norm()
                .atan2(-friction.dot(direction));
            self.heading = larger(self.heading, error);
        }
        let v = &self.bench.solution().v_plus;
        self.slowest = self.slowest.min(v[0].hypot(v[1]));
    }
}

impl Session for Sweep {
    fn step(&mut self) -> Result<StepSample, String> {
        let angle = TAU * (self.step as f64 / self.directions as f64);
        let direction = Vector3::new(angle.cos(), angle.sin(), 0.0);
        self.block.linear = direction * self.speed;
        self.bench.begin(self.h);
        self.block
            .add_to(&mut self.bench, self.h, self.mu, &self.material)?;
        let sample = self.bench.solve()?;
        self.block.read(&mut self.bench);
        self.observe(&direction);
        self.step += 1;
        Ok(sample)
    }

    fn contacts(&self) -> &[ContactSample] {
        &self.bench.contacts
    }

    fn problem(&self) -> Option<StepProblem<'_>> {
        self.bench.problem()
    }

    fn scene_record(&self) -> SceneRecord {
        let half_extents = Vector3::from(HALF);
        body::scene(
            self.scenario,
            "block",
            Geometry::Cuboid { half_extents },
            self.block.mass * GRAVITY,
        )
    }

    fn body_poses(&self) -> Vec<Isometry3<f64>> {
        vec![Isometry3::identity(), self.block.pose]
    }

    fn figures(&mut self) -> Result<Figures, CommandError> {
        let sticks = self.slowest < 0.5 * self.speed;
        let [least, most] = self.share;
        let figures = Figures::new(if sticks { "sticks" } else { "slides" })
            .with("friction_share_min", least)
            .with("friction_share_max", most)
            .with("heading_error_max_rad", self.heading);
        Ok(match self.expected {
            Some(expected) => figures
                .with("friction_share_expected_min", expected)
                .with("polygon_error_rel", (least / expected - 1.0).abs()),
            None => figures,
        })
    }
}
