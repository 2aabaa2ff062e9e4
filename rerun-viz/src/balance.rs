//! Centre of mass and support polygon.

#![allow(non_snake_case)] // X_WB is the pose of B in W

use crate::chunks::{Times, Writer};
use crate::contacts::Scale;
use crate::error::RerunError;
use crate::shapes::vec3;
use nalgebra::{Point3, Vector2, Vector3};
use re_sdk_types::archetypes::{LineStrips3D, Points3D};
use re_sdk_types::components::LineStrip3D;
use re_sdk_types::datatypes::Rgba32;
use std::collections::BTreeMap;
use stickslip_record::{SceneRecord, StepRecord};

/// Everything about balance.
pub const BALANCE: &str = "world/balance";
/// Centres of mass.
pub const CENTER_OF_MASS: &str = "world/balance/center_of_mass";
/// Lines from the centres of mass down to the support.
pub const PLUMB_LINE: &str = "world/balance/plumb_line";
/// Outlines of what the contacts support.
pub const SUPPORT: &str = "world/balance/support";

/// Colour of the centre of mass.
const CENTER: [u8; 4] = [255, 225, 60, 255];
/// Colours of a support polygon with the centre of mass above it, and beside it.
const OVER: [u8; 4] = [235, 235, 240, 255];
const BESIDE: [u8; 4] = [255, 150, 30, 255];
/// A contact carries when its normal is within 60 degrees of upwards: a finger's doesn't.
const UPWARDS: f64 = 0.5;
/// Heaps of more free bodies than this have no balance to lose.
const MOST_BODIES: usize = 64;

/// Bodies that stand or fall together: a robot that is nowhere fixed, or the free bodies of a scene without
/// one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    /// Whether each body of the scene belongs to it.
    members: Vec<bool>,
}

/// The groups of a scene. O(bodies).
pub(crate) fn groups(scene: &SceneRecord) -> Vec<Group> {
    let mut robots: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut free = Vec::new();
    for (number, body) in scene.bodies.iter().enumerate() {
        match &body.robot {
            Some(robot) => robots.entry(robot).or_default().push(number),
            None if body.moves => free.push(number),
            None => {}
        }
    }
    let floats = |bodies: &Vec<usize>| {
        let mut bodies = bodies.iter().map(|&b| &scene.bodies[b]);
        bodies.all(|body| body.moves && body.inertial.is_some())
    };
    let standing: Vec<_> = robots.into_values().filter(floats).collect();
    let sets = if standing.is_empty() && free.len() <= MOST_BODIES && !free.is_empty() {
        vec![free].into_iter().filter(floats).collect()
    } else {
        standing
    };
    let group = |bodies: Vec<usize>| Group {
        members: (0..scene.bodies.len())
            .map(|b| bodies.contains(&b))
            .collect(),
    };
    sets.into_iter().map(group).collect()
}

impl Group {
    /// Centre of mass \[m\]: the mean of the bodies' by mass.
    pub fn center(&self, scene: &SceneRecord, step: &StepRecord) -> Option<Point3<f64>> {
        let (mut mass, mut sum) = (0.0, Vector3::zeros());
        for ((body, X_WB), member) in scene.bodies.iter().zip(&step.body_poses).zip(&self.members) {
            if let Some(own) = body.inertial.filter(|_| *member) {
                mass += own.mass;
                sum += own.mass * (X_WB * own.center).coords;
            }
        }
        (mass > 0.0).then(|| (sum / mass).into())
    }

    /// Points at which something outside carries the group against gravity, `up` being a unit vector.
    pub fn feet(&self, step: &StepRecord, up: &Vector3<f64>) -> Vec<Point3<f64>> {
        let inside = |body: Option<usize>| body.is_some_and(|b| self.members.get(b) == Some(&true));
        let carries = step.contacts.iter().filter(|c| {
            let lift = match c.bodies.map(inside) {
                [false, true] => c.normal.dot(up),
                [true, false] => -c.normal.dot(up),
                _ => return false,
            };
            c.normal_force > 0.0 && lift >= UPWARDS
        });
        carries.map(|c| c.point).collect()
    }
}

/// Two unit vectors across `up`.
fn across(up: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let x = up
        .cross(&Vector3::y())
        .try_normalize(1e-6)
        .unwrap_or_else(Vector3::x);
    [x, up.cross(&x)]
}

/// Corners of the convex hull of points, seen along `up`, counter-clockwise: the support polygon. Two where
/// the points lie on a line, one where they coincide. O(n log n), by monotone chains [Andrew 1979].
pub(crate) fn support(points: &[Point3<f64>], up: &Vector3<f64>) -> Vec<Point3<f64>> {
    let [x, y] = across(up);
    let flat = |p: &Point3<f64>| Vector2::new(p.coords.dot(&x), p.coords.dot(&y));
    let mut sorted: Vec<_> = points.iter().map(|p| (flat(p), *p)).collect();
    sorted.sort_by(|(a, _), (b, _)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    sorted.dedup_by(|(a, _), (b, _)| a == b);
    if sorted.len() < 3 {
        return sorted.into_iter().map(|(_, p)| p).collect();
    }
    let size = sorted
        .iter()
        .map(|(p, _)| (p - sorted[0].0).norm())
        .fold(0.0, f64::max);
    // Round-off of a cross product of points this far apart, with room.
    let flatness = 1e-12 * size * size;
    let chain = |points: &mut dyn Iterator<Item = &(Vector2<f64>, Point3<f64>)>| {
        let mut chain: Vec<(Vector2<f64>, Point3<f64>)> = Vec::new();
        for &(p, at) in points {
            while let [.., (a, _), (b, _)] = &chain[..]
                && (b - a).perp(&(p - a)) <= flatness
            {
                chain.pop();
            }
            chain.push((p, at));
        }
        chain.pop();
        chain
    };
    let mut hull = chain(&mut sorted.iter());
    hull.extend(chain(&mut sorted.iter().rev()));
    hull.into_iter().map(|(_, p)| p).collect()
}

/// How far a point is inside a support polygon, seen along `up`: the distance to its nearest edge, negative
/// outside; minus the distance to a line or a point of support. `None` without support.
pub(crate) fn margin(corners: &[Point3<f64>], p: &Point3<f64>, up: &Vector3<f64>) -> Option<f64> {
    let [x, y] = across(up);
    let flat = |q: &Point3<f64>| Vector2::new((q - p).dot(&x), (q - p).dot(&y));
    let flat: Vec<_> = corners.iter().map(flat).collect();
    let edges = || flat.iter().zip(flat.iter().cycle().skip(1));
    // Distance of the origin, which is p, to an edge.
    let distance = |(a, b): (&Vector2<f64>, &Vector2<f64>)| {
        let along = b - a;
        let t = -a.dot(&along) / along.norm_squared();
        let t = if t.is_finite() {
            t.clamp(0.0, 1.0)
        } else {
            0.0
        };
        (a + along * t).norm()
    };
    let nearest = edges().map(distance).reduce(f64::min)?;
    let inside = corners.len() > 2 && edges().all(|(a, b)| (b - a).perp(&-a) >= 0.0);
    Some(if inside { nearest } else { -nearest })
}

/// The point on the vertical through `p` that is as high as the corners are on the mean.
pub(crate) fn below(p: &Point3<f64>, corners: &[Point3<f64>], up: &Vector3<f64>) -> Point3<f64> {
    let heights = corners.iter().map(|corner| (corner - p).dot(up));
    p + up * (heights.sum::<f64>() / corners.len() as f64)
}

/// Rows of the groups waiting to be sent.
#[derive(Debug, Default)]
pub(crate) struct BalanceColumns {
    up: Vector3<f64>,
    groups: Vec<Group>,
    /// Centres per row.
    counts: Vec<usize>,
    centers: Vec<[f32; 3]>,
    /// Polygons, and plumb lines, per row.
    supported: Vec<usize>,
    outlines: Vec<LineStrip3D>,
    colors: Vec<Rgba32>,
    plumb_lines: Vec<LineStrip3D>,
}

impl BalanceColumns {
    /// No rows yet; `up` is used where the scene has no gravity.
    pub fn new(scene: &SceneRecord, up: Vector3<f64>) -> Self {
        Self {
            up: (-scene.gravity).try_normalize(0.0).unwrap_or(up),
            groups: groups(scene),
            ..Self::default()
        }
    }

    /// Logs sizes and colours that never change.
    pub fn put_static(&self, out: &mut Writer<'_>, scale: &Scale) -> Result<(), RerunError> {
        if self.groups.is_empty() {
            return Ok(());
        }
        let radius = |share: f64| [(share * scale.size) as f32];
        out.put_static(
            &out.path(CENTER_OF_MASS),
            &Points3D::update_fields()
                .with_radii(radius(0.05))
                .with_colors([Rgba32::from(CENTER)]),
        )?;
        out.put_static(
            &out.path(PLUMB_LINE),
            &LineStrips3D::update_fields()
                .with_radii(radius(0.008))
                .with_colors([Rgba32::from(CENTER)]),
        )?;
        out.put_static(
            &out.path(SUPPORT),
            &LineStrips3D::update_fields().with_radii(radius(0.012)),
        )
    }

    /// Adds a row. O(bodies + contacts log contacts) per group.
    pub fn push(&mut self, scene: &SceneRecord, step: &StepRecord) {
        let (mut centers, mut supported) = (0, 0);
        for group in &self.groups {
            let Some(center) = group.center(scene, step) else {
                continue;
            };
            centers += 1;
            self.centers.push(vec3(&center.coords));
            let corners = support(&group.feet(step, &self.up), &self.up);
            let Some(margin) = margin(&corners, &center, &self.up) else {
                continue;
            };
            supported += 1;
            let foot = below(&center, &corners, &self.up);
            let strip = |points: &[Point3<f64>]| {
                LineStrip3D::from_iter(points.iter().map(|p| vec3(&p.coords)))
            };
            self.plumb_lines.push(strip(&[center, foot]));
            let closed: Vec<_> = corners.iter().chain(corners.first()).copied().collect();
            self.outlines.push(strip(&closed));
            self.colors
                .push(Rgba32::from(if margin >= 0.0 { OVER } else { BESIDE }));
        }
        self.counts.push(centers);
        self.supported.push(supported);
    }

    /// Sends the rows and starts over.
    pub fn flush(&mut self, out: &mut Writer<'_>, times: &Times) -> Result<(), RerunError> {
        let counts = std::mem::take(&mut self.counts);
        let supported = std::mem::take(&mut self.supported);
        if self.groups.is_empty() {
            return Ok(());
        }
        let centers = Points3D::update_fields().with_positions(self.centers.drain(..));
        out.put_columns(&out.path(CENTER_OF_MASS), times, centers.columns(counts))?;
        let lines = LineStrips3D::update_fields().with_strips(self.plumb_lines.drain(..));
        out.put_columns(
            &out.path(PLUMB_LINE),
            times,
            lines.columns(supported.clone()),
        )?;
        let outlines = LineStrips3D::update_fields()
            .with_strips(self.outlines.drain(..))
            .with_colors(self.colors.drain(..));
        out.put_columns(&out.path(SUPPORT), times, outlines.columns(supported))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{contact, scene, step};
    use nalgebra::Matrix3;
    use stickslip_record::{ContactState, InertialRecord};

    /// The outline ends where it begins, and the plumb line falls from the centre of mass to the height of the feet.
    #[test]
    fn the_outline_is_closed_and_the_plumb_line_hangs_from_the_centre() {
        let mut scene = scene();
        scene.bodies[1].inertial = Some(InertialRecord {
            mass: 2.0,
            center: Point3::origin(),
            inertia: Matrix3::identity(),
            gravity_scale: 1.0,
        });
        scene.gravity = Vector3::new(0.0, 0.0, -9.81);
        let feet = [[-1.0, -1.0], [1.0, -1.0], [0.0, 1.0]].map(|[x, y]| {
            let mut contact = contact(ContactState::Sticking, 10.0);
            contact.point = Point3::new(x, y, -0.25);
            contact
        });
        let mut columns = BalanceColumns::new(&scene, Vector3::y());
        columns.push(&scene, &step(0, 0.01, feet.to_vec()));
        let outline = &columns.outlines[0].0;
        assert_eq!(outline.len(), 4);
        assert_eq!(outline[0], outline[3]);
        let line: Vec<[f32; 3]> = columns.plumb_lines[0].0.iter().map(|p| p.0).collect();
        // The body is 0.1 m up.
        assert_eq!(line, [[0.0, 0.0, 0.1], [0.0, 0.0, -0.25]]);
    }
}
