//! The contact force and torque on every foot and finger.

use crate::chunks::{Times, Writer};
use crate::contacts::Scale;
use crate::error::RerunError;
use crate::plots::{Bundle, Style};
use crate::shapes::vec3;
use nalgebra::{Point3, Vector3};
use re_sdk_types::archetypes::Arrows3D;
use re_sdk_types::datatypes::Rgba32;
use stickslip_record::{SceneRecord, StepRecord};

/// Everything about wrenches.
pub const WRENCHES: &str = "world/wrenches";
/// Contact forces on feet and fingers, at their centres of pressure.
pub const WRENCH_FORCES: &str = "world/wrenches/forces";
/// Contact torques about the same points.
pub const WRENCH_TORQUES: &str = "world/wrenches/torques";
/// Sizes of the forces.
pub const WRENCH_FORCE_CURVES: &str = "plots/wrench/force";
/// Sizes of the torques.
pub const WRENCH_TORQUE_CURVES: &str = "plots/wrench/torque";

const FORCE: [u8; 4] = [70, 200, 235, 255];
const TORQUE: [u8; 4] = [215, 110, 235, 255];

/// What the contacts do to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wrench {
    /// The mean of the contact points by normal force \[m\].
    pub point: Point3<f64>,
    /// Sum of the contact forces \[N\].
    pub force: Vector3<f64>,
    /// Their torque about `point`, `sum (p - point) x f + tau` with the torque tau of torsional and rolling
    /// friction [N m].
    pub torque: Vector3<f64>,
}

/// The wrench on a body; `None` where nothing presses on it. O(contacts).
pub(crate) fn wrench(body: usize, step: &StepRecord) -> Option<Wrench> {
    let on_body = || {
        step.contacts.iter().filter_map(|c| {
            let force = c.normal * c.normal_force + c.friction_force;
            match c.bodies {
                [_, Some(b)] if b == body => Some((c, force, c.spin_torque)),
                [Some(a), _] if a == body => Some((c, -force, -c.spin_torque)),
                _ => None,
            }
        })
    };
    let pressure: f64 = on_body().map(|(c, ..)| c.normal_force).sum();
    if pressure <= 0.0 {
        return None;
    }
    let mean = on_body().map(|(c, ..)| c.point.coords * c.normal_force);
    let point = Point3::from(mean.sum::<Vector3<f64>>() / pressure);
    Some(Wrench {
        point,
        force: on_body().map(|(_, force, _)| force).sum(),
        torque: on_body()
            .map(|(c, force, spin)| (c.point - point).cross(&force) + spin)
            .sum(),
    })
}

/// Rows of the wrenches waiting to be sent.
#[derive(Debug)]
pub(crate) struct WrenchColumns {
    bodies: Vec<usize>,
    counts: Vec<usize>,
    points: Vec<[f32; 3]>,
    forces: Vec<[f32; 3]>,
    torques: Vec<[f32; 3]>,
    /// Sizes of forces and torques; runs side by side have no such curves.
    curves: Option<[Bundle; 2]>,
}

impl WrenchColumns {
    /// No rows yet.
    pub fn new(scene: &SceneRecord, track: Option<&str>) -> Self {
        let ends = scene
            .bodies
            .iter()
            .enumerate()
            .filter(|(_, body)| body.is_end);
        let bodies: Vec<usize> = ends.map(|(number, _)| number).collect();
        let bundle = |path, style, what: &str| {
            let names = bodies.iter().enumerate();
            let names = names.map(|(k, &b)| (format!("{} {what}", scene.bodies[b].name), k));
            Bundle::new(path, style, names)
        };
        let curves = track.is_none().then(|| {
            [
                bundle(WRENCH_FORCE_CURVES, Style::Plain, "force [N]"),
                bundle(WRENCH_TORQUE_CURVES, Style::Pale, "torque [N m]"),
            ]
        });
        Self {
            bodies,
            counts: Vec::new(),
            points: Vec::new(),
            forces: Vec::new(),
            torques: Vec::new(),
            curves,
        }
    }

    /// Logs sizes, names and colours.
    pub fn put_static(&self, out: &mut Writer<'_>, scale: &Scale) -> Result<(), RerunError> {
        if self.bodies.is_empty() {
            return Ok(());
        }
        for (path, color) in [(WRENCH_FORCES, FORCE), (WRENCH_TORQUES, TORQUE)] {
            let arrows = Arrows3D::update_fields()
                .with_radii([(0.011 * scale.size) as f32])
                .with_colors([Rgba32::from(color)]);
            out.put_static(&out.path(path), &arrows)?;
        }
        let mut curves = self.curves.iter().flatten();
        curves.try_for_each(|bundle| bundle.put_static(out))
    }

    /// Adds a row. O(ends x contacts).
    pub fn push(&mut self, step: &StepRecord, scale: &Scale) {
        let mut count = 0;
        let none = Wrench {
            point: Point3::origin(),
            force: Vector3::zeros(),
            torque: Vector3::zeros(),
        };
        for &body in &self.bodies {
            let found = wrench(body, step);
            if let Some(wrench) = found {
                count += 1;
                self.points.push(vec3(&wrench.point.coords));
                self.forces.push(scale.arrow(wrench.force));
                self.torques
                    .push(scale.arrow(wrench.torque / scale.lever()));
            }
            let wrench = found.unwrap_or(none);
            if let Some([forces, torques]) = &mut self.curves {
                forces.push(std::iter::once(wrench.force.norm()));
                torques.push(std::iter::once(wrench.torque.norm()));
            }
        }
        self.counts.push(count);
    }

    /// Sends the rows and starts over.
    pub fn flush(&mut self, out: &mut Writer<'_>, times: &Times) -> Result<(), RerunError> {
        if self.bodies.is_empty() {
            self.counts.clear();
            return Ok(());
        }
        for (path, arrows) in [
            (WRENCH_FORCES, &self.forces),
            (WRENCH_TORQUES, &self.torques),
        ] {
            let arrows = Arrows3D::update_fields()
                .with_origins(self.points.iter().copied())
                .with_vectors(arrows.iter().copied())
                .columns(self.counts.iter().copied());
            let path = out.path(path);
            out.put_columns(&path, times, arrows)?;
        }
        self.counts.clear();
        self.points.clear();
        self.forces.clear();
        self.torques.clear();
        let mut curves = self.curves.iter_mut().flatten();
        curves.try_for_each(|bundle| bundle.flush(out, times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{contact, scene, step};
    use stickslip_record::{Arrows, ContactState};

    /// Two contacts 1 m apart, each with 10 N up and 3 N ahead, and a couple of 4 N across: 6 N and 20 N, 4 N m.
    #[test]
    fn arrows_are_force_and_torque_to_scale() {
        let mut scene = scene();
        scene.bodies[1].is_end = true;
        let pair = [-1.0, 1.0].map(|side| {
            let mut contact = contact(ContactState::Sticking, 10.0);
            contact.point = Point3::new(0.5 * side, 0.3, 0.0);
            contact.friction_force = Vector3::new(3.0, 4.0 * side, 0.0);
            contact
        });
        let scale = Scale {
            meters_per_newton: 0.01,
            size: 2.0,
            arrows: Arrows::Parts,
            is_heap: false,
        };
        let mut columns = WrenchColumns::new(&scene, None);
        columns.push(&step(0, 0.01, pair.to_vec()), &scale);
        let near = |found: [f32; 3], expected: [f32; 3]| {
            let off = Vector3::from(found) - Vector3::from(expected);
            assert!(off.norm() < 1e-6, "{found:?} {expected:?}");
        };
        near(columns.points[0], [0.0, 0.3, 0.0]);
        near(columns.forces[0], [0.06, 0.0, 0.2]);
        // As long as that of a force of 4 N m over a tenth of the size, 0.2 m.
        near(columns.torques[0], [0.0, 0.0, 0.2]);

        // A contact that only rests there without force is no wrench, whatever it is called.
        let idle = contact(ContactState::Sticking, 0.0);
        assert_eq!(wrench(1, &step(0, 0.01, vec![idle])), None);
    }
}
