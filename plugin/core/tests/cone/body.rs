//! One body on the plane z = 0 (gravity may point anywhere), stepped by symplectic Euler.

use crate::common::*;
use nalgebra::{Matrix3, Vector3};
use stickslip_core::models::{Hover, ModelName, ModelSettings};
use stickslip_core::problem::{ContactData, ProblemBuilder};
use stickslip_core::report::{SolveReport, SolveStatus};

/// A free body touching the plane with points that keep their places under it: exact as long as it does
/// not tilt, and always for a sphere.
pub struct Body {
    pub h: f64,
    pub mass: f64,
    pub inertia: Matrix3<f64>,
    pub gravity: Vector3<f64>,
    /// Points from the centre of mass.
    pub points: Vec<Vector3<f64>>,
    /// What every contact is made of; the gap is filled in.
    pub contact: ContactData,
    /// Turns the tangents of the contacts about the normal.
    pub turn: f64,
    /// Position of the centre above its height of touch, and velocity.
    pub position: Vector3<f64>,
    pub v: [f64; 6],
    builder: ProblemBuilder,
    pub solver: Solver,
    pub report: SolveReport,
}

impl Body {
    pub fn new(name: ModelName, settings: ModelSettings, h: f64) -> Self {
        Self {
            h,
            mass: 2.0,
            inertia: Matrix3::identity() * (2.0 / 6.0),
            gravity: Vector3::new(0.0, 0.0, -G),
            points: Vec::new(),
            contact: closed(1),
            turn: 0.0,
            position: Vector3::zeros(),
            v: [0.0; 6],
            builder: ProblemBuilder::new(),
            solver: Solver::new(name, settings),
            report: SolveReport::default(),
        }
    }

    /// A cube of side 1 on four corners.
    pub fn cube(name: ModelName, settings: ModelSettings, h: f64, mu: f64) -> Self {
        let mut body = Self::new(name, settings, h);
        body.contact.mu = mu;
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
            body.points.push(Vector3::new(x, y, -0.5));
        }
        body
    }

    /// A solid sphere of this radius.
    pub fn sphere(name: ModelName, h: f64, radius: f64, contact: ContactData) -> Self {
        let mut body = Self::new(name, ModelSettings::default(), h);
        body.inertia = Matrix3::identity() * (0.4 * body.mass * radius * radius);
        body.points.push(Vector3::new(0.0, 0.0, -radius));
        body.contact = contact;
        body
    }

    /// One step; its answer must be a solution.
    pub fn step(&mut self) {
        self.builder.begin(self.h);
        let mass = free_mass(self.mass, self.inertia);
        let mut v_free = self.v;
        for (v, g) in v_free.iter_mut().zip(&self.gravity) {
            *v += self.h * g;
        }
        let block = self.builder.add_block(&mass, &self.v, &v_free);
        let frame = axes(Vector3::z(), self.turn);
        for (i, &point) in self.points.iter().enumerate() {
            let rows = point_rows(frame, point, 1.0);
            let data = ContactData {
                key: i as u64,
                phi: self.position.z,
                ..self.contact
            };
            let contact = self.builder.add_contact(data, &[half(block, &rows)]);
            if data.mu_torsional.max(data.mu_rolling) > 0.0 {
                let spin = frame.map(|a| [0.0, 0.0, 0.0, a.x, a.y, a.z]);
                self.builder.add_spin(contact, &[half(block, &spin)]);
            }
        }
        self.builder.finish().unwrap();
        self.report = self.solver.solve(self.builder.finished().unwrap());
        assert_eq!(self.report.status, SolveStatus::Solved, "{:?}", self.report);
        self.v.copy_from_slice(&self.solver.solution.v_plus);
        for k in 0..3 {
            self.position[k] += self.h * self.v[k];
        }
    }

    pub fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            self.step();
        }
    }

    pub fn velocity(&self) -> Vector3<f64> {
        Vector3::new(self.v[0], self.v[1], self.v[2])
    }
}

/// The models that hold the exact law.
pub fn exact() -> [(ModelName, ModelSettings); 2] {
    let mut removed = ModelSettings::default();
    removed.cone.hover = Hover::Remove;
    // What is checked as the exact law is solved to its accuracy.
    removed.iteration.tolerance = 1e-10;
    [
        (ModelName::Cone, ModelSettings::default()),
        (ModelName::Ccp, removed),
    ]
}
