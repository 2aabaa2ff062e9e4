//! What is probably a mistake though it loads: sizes, masses and meshes beyond reason.

use nalgebra::{Isometry3, Point3, Vector3};

use crate::{
    findings::{Findings, Place},
    inertia,
    model::{Geometry, NoteKind, RobotModel, Shape},
};

/// Longest edge of the box around a robot, above which millimetres were probably taken for metres
/// (m): no robot that walks or stands on a floor reaches it.
const LARGEST: f64 = 50.0;

/// The same edge below which metres were probably scaled twice (m).
const SMALLEST: f64 = 5e-3;

/// Mass of a link that is probably in grams (kg): a hundred lorries.
const HEAVIEST: f64 = 1e5;

/// Mass of a link that is probably in tonnes (kg): a milligram.
const LIGHTEST: f64 = 1e-6;

/// Triangles of a mesh that cost much and show little.
const TRIANGLES: usize = 1_000_000;

/// Notes what is beyond reason, without changing it.
pub(super) fn note(model: &RobotModel, found: &mut Findings) {
    let robot = Place::of("robot");
    let doubt = |found: &mut Findings, place: &Place, text: String| {
        found.note(NoteKind::Doubtful, place, text);
    };
    let span = Span::of(model);
    let edge = span.edge();
    if edge > LARGEST {
        let text = format!(
            "is {edge:.6} m large; if its lengths are in millimetres, load it at a scale of 0.001, or \
             scale its meshes so"
        );
        doubt(found, &robot, text);
    }
    if span.has_shapes && edge < SMALLEST {
        let text = format!(
            "is {edge:.3e} m large; if its lengths are in thousands of metres, load it at a scale of \
             1000, or leave out the scale of its meshes"
        );
        doubt(found, &robot, text);
    }
    for link in &model.links {
        let place = Place::link(&link.name);
        if let Some(i) = link.inertial.filter(|i| i.mass > 0.0) {
            if !(LIGHTEST..=HEAVIEST).contains(&i.mass) {
                let text = format!("has a mass of {:.3e} kg; masses are in kilograms", i.mass);
                doubt(found, &place, text);
            }
            let [.., largest] = inertia::principal_moments(&i.inertia);
            let radius = (largest / i.mass).sqrt();
            if span.has_shapes && radius > span.diagonal() {
                let text = format!(
                    "has a radius of gyration of {radius:.3} m, more than the robot's size of {:.3} m; \
                     inertias are in kg m^2",
                    span.diagonal()
                );
                doubt(found, &place, text);
            }
        }
        for shape in link.visuals.iter().chain(&link.collisions) {
            let Geometry::Mesh(reference) = &shape.geometry else {
                continue;
            };
            let count = reference.mesh.as_ref().map_or(0, |m| m.triangles.len());
            if count > TRIANGLES {
                let text = format!(
                    "mesh `{}` has {count} triangles; a mesh of some thousands collides the same",
                    reference.uri
                );
                doubt(found, &place, text);
            }
        }
    }
}

/// The box around a robot with its joints at zero, in the root link's axes.
struct Span {
    low: Point3<f64>,
    high: Point3<f64>,
    /// Whether it has any shape but planes.
    has_shapes: bool,
}

impl Span {
    fn of(model: &RobotModel) -> Self {
        let mut out = Self {
            low: Point3::from(Vector3::repeat(f64::INFINITY)),
            high: Point3::from(Vector3::repeat(f64::NEG_INFINITY)),
            has_shapes: false,
        };
        for (link, pose) in model.links.iter().zip(model.link_poses(&[])) {
            out.include(&pose.translation.vector.into());
            for shape in link.visuals.iter().chain(&link.collisions) {
                out.shape(&pose, shape);
            }
        }
        out
    }

    fn include(&mut self, p: &Point3<f64>) {
        self.low = self.low.inf(p);
        self.high = self.high.sup(p);
    }

    fn shape(&mut self, link: &Isometry3<f64>, shape: &Shape) {
        let Some((low, high)) = shape.geometry.bounds() else {
            return;
        };
        self.has_shapes = true;
        let at = link * shape.origin;
        for corner in 0..8 {
            let pick = |k: usize| {
                if corner >> k & 1 == 0 {
                    low[k]
                } else {
                    high[k]
                }
            };
            self.include(&(at * Point3::new(pick(0), pick(1), pick(2))));
        }
    }

    /// Its longest edge (m).
    fn edge(&self) -> f64 {
        (self.high - self.low).max()
    }

    /// Its diagonal (m).
    fn diagonal(&self) -> f64 {
        (self.high - self.low).norm()
    }
}
