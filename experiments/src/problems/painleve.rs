//! `painleve` [B7]: a rod slides on its lower end.
//!
//! A slender rod of mass m and length 2 l stands on the ground at the angle theta and slides towards
//! its foot's side with friction mu. Per unit normal force the foot accelerates off the ground by
//! `A = (1 + 3 cos(theta) (cos(theta) - mu sin(theta))) / m`. Where A < 0, a pressing foot presses
//! itself deeper: at acceleration level no force holds it if the foot is drawn to the ground, `q < 0`, and
//! two hold it if it is drawn off: 0 and `-q / A`, with `q = -g + l omega^2 sin(theta)` what gravity and a
//! turning rod make of it. At velocity level an impulse stops the foot.

use super::bench::Bench;
use super::body::{self, Body, GRAVITY};
use crate::catalog::Scenario;
use crate::error::CommandError;
use crate::metrics::larger;
use crate::model_keys::Material;
use crate::session::{ContactSample, Figures, Session, StepProblem, StepSample};
use crate::settings::RunSettings;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use stickslip_core::report::{SolveReport, SolveStatus};
use stickslip_record::{Geometry, SceneRecord};

/// Radius over length, for the inertia about the rod's own axis and the picture.
const SLENDER: f64 = 0.02;

/// The rod along its body's y axis, in the world's x-z plane.
pub(super) struct Rod {
    bench: Bench,
    scenario: &'static Scenario,
    rod: Body,
    half: f64,
    mu: f64,
    material: Material,
    h: f64,
    time: f64,
    /// `m A` and q of the start.
    number: f64,
    drawn: f64,
    force: f64,
    several: usize,
    failed: usize,
    no_solution: bool,
}

impl Rod {
    /// From the keys of the scenario.
    pub(super) fn new(settings: &RunSettings) -> Result<Self, CommandError> {
        let keys = &settings.keys;
        let [mass, length] = keys.numbers(["mass", "length"])?;
        let (mu, angle) = (keys.number("mu")?, keys.number("angle")?.to_radians());
        let half = 0.5 * length;
        let across = mass * length * length / 12.0;
        let (sin, cos) = angle.sin_cos();
        let along = Vector3::new(cos, 0.0, sin);
        // Rising; the foot slides and does not leave the ground.
        let turn = Vector3::new(0.0, -keys.number("turn")?, 0.0);
        let foot = Vector3::new(-keys.number("speed")?, 0.0, 0.0);
        let upright = UnitQuaternion::rotation_between(&Vector3::y(), &along)
            .unwrap_or_else(UnitQuaternion::identity);
        Ok(Self {
            bench: Bench::new(settings)?,
            scenario: settings.scenario,
            rod: Body {
                mass,
                inertia: Vector3::new(across, 0.5 * mass * (SLENDER * length).powi(2), across),
                pose: Isometry3::from_parts(Translation3::from(along * half), upright),
                linear: foot + turn.cross(&(along * half)),
                angular: turn,
                points: [-half, half].map(|y| Point3::new(0.0, y, 0.0)).to_vec(),
            },
            half,
            mu,
            material: settings.material,
            h: settings.dt,
            time: 0.0,
            number: 1.0 + 3.0 * cos * (cos - mu * sin),
            drawn: half * turn.norm_squared() * sin - GRAVITY,
            force: 0.0,
            several: 0,
            failed: 0,
            no_solution: false,
        })
    }

    fn axis(&self) -> Vector3<f64> {
        self.rod.pose.rotation * Vector3::y()
    }

    fn judge(&mut self, solve: &SolveReport) {
        match solve.status {
            SolveStatus::NoSolution => self.no_solution = true,
            SolveStatus::SeveralSolutions => self.several += 1,
            _ => {}
        }
        self.failed += usize::from(solve.failures + solve.exact_cone > 0);
    }
}

impl Session for Rod {
    fn step(&mut self) -> Result<StepSample, String> {
        self.bench.begin(self.h);
        self.rod
            .add_to(&mut self.bench, self.h, self.mu, &self.material)?;
        let sample = self.bench.solve()?;
        self.rod.read(&mut self.bench);
        if let Some(report) = &sample.report {
            self.judge(&report.solve);
        }
        // Without forces to go on with, the rod stays where it was.
        if !self.no_solution {
            let pressed = self.bench.contacts.iter().map(|c| c.record.normal_force);
            self.force = pressed.fold(self.force, larger);
            self.rod.advance(&self.bench, self.h);
            self.time += self.h;
        }
        Ok(sample)
    }

    fn ended(&self) -> bool {
        self.no_solution
    }

    fn contacts(&self) -> &[ContactSample] {
        &self.bench.contacts
    }

    fn problem(&self) -> Option<StepProblem<'_>> {
        self.bench.problem()
    }

    fn scene_record(&self) -> SceneRecord {
        body::scene(
            self.scenario,
            "rod",
            Geometry::Cylinder {
                half_height: self.half,
                radius: 2.0 * SLENDER * self.half,
            },
            self.rod.mass * GRAVITY,
        )
    }

    fn body_poses(&self) -> Vec<Isometry3<f64>> {
        vec![Isometry3::identity(), self.rod.pose]
    }

    fn figures(&mut self) -> Result<Figures, CommandError> {
        let outcome = if self.no_solution {
            "no-solution"
        } else if self.failed > 0 {
            "failed"
        } else {
            "passed"
        };
        let axis = self.axis();
        // At the place it had in the last step.
        let foot = self.bench.contacts.first().map_or(0.0, |c| c.slip_speed());
        Ok(Figures::new(outcome)
            .with("painleve_number", self.number)
            .with("normal_acceleration_free_m_per_s2", self.drawn)
            .with("time_s", self.time)
            .with("angle_rad", axis.z.atan2(axis.x))
            .with("foot_speed_m_per_s", foot)
            .with("normal_force_max_N", self.force)
            .with("steps_with_several_solutions", self.several as f64)
            .at_most("steps_failed", self.failed as f64, 0.0))
    }
}
