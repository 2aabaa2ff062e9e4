//! Convex polyhedra as contacts see them: corners, faces and edges in f64, in one frame for both shapes of a pair.

use crate::base::convert::vector;
use crate::base::tolerances;
use nalgebra::{Isometry3, Vector3};
use rapier::parry::shape::{ConvexPolyhedron, Cuboid, Shape, Triangle, TypedShape};

/// A flat face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Outward unit normal.
    pub(super) normal: Vector3<f64>,
    /// How far out the face is along it \[m\].
    pub(super) offset: f64,
    first: u32,
    count: u32,
}

impl Face {
    /// How far a point is beyond the face \[m\].
    pub(super) fn beyond(&self, point: &Vector3<f64>) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// An edge between two faces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// One end \[m\], and the way to the other.
    pub(super) start: Vector3<f64>,
    pub(super) way: Vector3<f64>,
    /// Unit normals of its two sides: all supporting planes of the edge are between them.
    pub(super) sides: [Vector3<f64>; 2],
    /// Cosine of the angle between those.
    pub(super) cos: f64,
}

/// How far a solid may be beyond the planes that support another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// Points of it \[m\].
    pub(super) witnesses: [Vector3<f64>; 2],
    /// What it must be beyond by, at most 0 \[m\].
    pub(super) limit: f64,
}

impl Bound {
    /// Whether a supporting plane of an edge may leave it farther beyond than the limit: with both sides' planes farther
    /// below than that of a point of it, every plane between them is.
    fn is_reached(&self, start: &Vector3<f64>, sides: &[Vector3<f64>; 2]) -> bool {
        self.witnesses.iter().all(|point| {
            let arm = point - start;
            sides[0].dot(&arm).max(sides[1].dot(&arm)) >= self.limit
        })
    }
}

/// Names of a corner and of the edge from it to the next one of its face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) vertex: u32,
    pub(super) edge: u32,
}

/// A convex polyhedron or a triangle; buffers are kept from pair to pair.
#[derive(Debug, Default)]
pub(super) struct Solid {
    pub(super) points: Vec<Vector3<f64>>,
    pub(super) faces: Vec<Face>,
    pub(super) edges: Vec<Edge>,
    steps: Vec<Step>,
    /// A point inside.
    pub(super) centre: Vector3<f64>,
    /// Of a ball about it that holds all corners \[m\].
    pub(super) radius: f64,
    /// Half the lengths of a cuboid's edges \[m\].
    pub(super) cuboid: Option<Vector3<f64>>,
}

impl Solid {
    /// Takes a shape at a pose, its edges not yet. False if it is no polyhedron, or one that parry found no faces of.
    pub(super) fn set(&mut self, shape: &dyn Shape, pose: &Isometry3<f64>) -> bool {
        self.points.clear();
        self.faces.clear();
        self.edges.clear();
        self.steps.clear();
        self.cuboid = None;
        match shape.as_typed_shape() {
            TypedShape::Cuboid(cuboid) => self.set_cuboid(cuboid, pose),
            TypedShape::Triangle(triangle) => self.set_triangle(triangle, pose),
            TypedShape::ConvexPolyhedron(hull) => self.set_hull(hull, pose),
            _ => return false,
        }
        self.faces.len() > 1 && self.radius.is_finite()
    }

    /// Takes the edges of the shape that was set, those with a supporting plane that another solid may be farther
    /// beyond than a limit.
    pub(super) fn set_edges(&mut self, shape: &dyn Shape, bound: &Bound) {
        self.edges.clear();
        match shape.as_typed_shape() {
            TypedShape::Cuboid(_) => self.set_cuboid_edges(bound),
            TypedShape::Triangle(_) => self.set_borders(bound),
            TypedShape::ConvexPolyhedron(hull) => self.set_hull_edges(hull, bound),
            _ => {}
        }
    }

    /// Directions of a cuboid's edges.
    pub(super) fn cuboid_axes(&self) -> [Vector3<f64>; 3] {
        [1, 3, 5].map(|face| self.faces[face].normal)
    }

    /// The corners of a face one after another, anticlockwise from outside.
    pub(super) fn around(&self, face: usize) -> &[Step] {
        let Face { first, count, .. } = self.faces[face];
        &self.steps[first as usize..(first + count) as usize]
    }

    /// The corner that is least far along a direction, and how far it is.
    pub(super) fn lowest(&self, direction: &Vector3<f64>) -> (usize, f64) {
        if self.cuboid.is_some() {
            // On the far side of each axis.
            let sides = self.cuboid_axes().map(|axis| axis.dot(direction) < 0.0);
            let lowest = (0..3).fold(0, |corner, k| corner | usize::from(sides[k]) << k);
            return (lowest, direction.dot(&self.points[lowest]));
        }
        let mut lowest = (0, f64::INFINITY);
        for (k, point) in self.points.iter().enumerate() {
            let height = direction.dot(point);
            if height < lowest.1 {
                lowest = (k, height);
            }
        }
        lowest
    }

    /// Puts a ball about the corners, whose mean is inside.
    fn surround(&mut self) {
        let sum: Vector3<f64> = self.points.iter().sum();
        self.centre = sum / self.points.len().max(1) as f64;
        let off = |p: &Vector3<f64>| (p - self.centre).norm_squared();
        self.radius = self.points.iter().map(off).fold(0.0, f64::max).sqrt();
    }

    fn add_face(&mut self, normal: Vector3<f64>, steps: impl Iterator<Item = Step>) {
        let first = self.steps.len();
        self.steps.extend(steps);
        let own = &self.steps[first..];
        // parry's hulls have faces that are a little bent.
        let heights = own
            .iter()
            .map(|step| normal.dot(&self.points[step.vertex as usize]));
        self.faces.push(Face {
            normal,
            offset: heights.fold(f64::NEG_INFINITY, f64::max),
            first: first as u32,
            count: own.len() as u32,
        });
    }

    fn add_edge(&mut self, ends: [u32; 2], sides: [Vector3<f64>; 2]) {
        let [start, end] = ends.map(|end| self.points[end as usize]);
        let way = end - start;
        let cos = sides[0].dot(&sides[1]);
        if cos < 1.0 - tolerances::SAME_DIRECTION.powi(2) && way != Vector3::zeros() {
            self.edges.push(Edge {
                start,
                way,
                sides,
                cos,
            });
        }
    }

    fn set_cuboid(&mut self, cuboid: &Cuboid, pose: &Isometry3<f64>) {
        let half = vector(cuboid.half_extents);
        let turn = pose.rotation.to_rotation_matrix();
        let axes = [0, 1, 2].map(|k| turn.matrix().column(k).into_owned());
        let [x, y, z] = [0, 1, 2].map(|k| axes[k] * half[k]);
        self.centre = pose.translation.vector;
        self.radius = half.norm();
        self.cuboid = Some(half);
        let [low, high] = [self.centre - z, self.centre + z];
        let [a, b] = [x + y, x - y];
        self.points.extend([
            low - a,
            low + b,
            low - b,
            low + a,
            high - a,
            high + b,
            high - b,
            high + a,
        ]);
        self.steps.extend_from_slice(&CUBOID);
        for (k, axis) in axes.iter().enumerate() {
            let along = axis.dot(&self.centre);
            self.faces.extend([-1.0, 1.0].map(|sign| Face {
                normal: axis * sign,
                offset: half[k] + along * sign,
                first: 8 * k as u32 + if sign > 0.0 { 4 } else { 0 },
                count: 4,
            }));
        }
    }

    fn set_cuboid_edges(&mut self, bound: &Bound) {
        for axis in 0..3 {
            let [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
            for side in 0..4 {
                let [across, along] = [side & 1, side >> 1];
                let low = (across << next | along << last) as u32;
                let sides = [2 * next + across, 2 * last + along];
                let sides = sides.map(|face| self.faces[face].normal);
                if bound.is_reached(&self.points[low as usize], &sides) {
                    self.add_edge([low, low | 1 << axis], sides);
                }
            }
        }
    }

    fn set_triangle(&mut self, triangle: &Triangle, pose: &Isometry3<f64>) {
        let corners = [triangle.a, triangle.b, triangle.c];
        let place = |p| pose.transform_vector(&vector(p)) + pose.translation.vector;
        self.points.extend(corners.map(place));
        self.surround();
        let ways = [0, 1].map(|k| self.points[k + 1] - self.points[k]);
        let Some(normal) = ways[0].cross(&ways[1]).try_normalize(0.0) else {
            return;
        };
        let step = |vertex, edge| Step { vertex, edge };
        self.add_face(normal, [step(0, 0), step(1, 1), step(2, 2)].into_iter());
        self.add_face(-normal, [step(0, 2), step(2, 1), step(1, 0)].into_iter());
    }

    /// The supporting planes of a triangle's border go from one of its faces round to the other.
    fn set_borders(&mut self, bound: &Bound) {
        let normal = self.faces[0].normal;
        for k in 0..3 {
            let way = self.points[(k + 1) % 3] - self.points[k];
            if let Some(out) = way.cross(&normal).try_normalize(0.0) {
                let ends = [k as u32, (k as u32 + 1) % 3];
                for sides in [[normal, out], [out, -normal]] {
                    if bound.is_reached(&self.points[k], &sides) {
                        self.add_edge(ends, sides);
                    }
                }
            }
        }
    }

    fn set_hull(&mut self, hull: &ConvexPolyhedron, pose: &Isometry3<f64>) {
        let turn = pose.rotation.to_rotation_matrix();
        let place = |p: &_| turn * vector(*p) + pose.translation.vector;
        self.points.extend(hull.points().iter().map(place));
        self.surround();
        let (vertices, edges) = (hull.vertices_adj_to_face(), hull.edges_adj_to_face());
        for face in hull.faces() {
            let first = face.first_vertex_or_edge as usize;
            let own = first..first + face.num_vertices_or_edges as usize;
            let steps = vertices[own.clone()].iter().zip(&edges[own]);
            let steps = steps.map(|(&vertex, &edge)| Step { vertex, edge });
            let normal = turn * vector(face.normal);
            self.add_face(normal.normalize(), steps);
        }
    }

    /// parry keeps edges within flat faces, and such that name faces that it has dropped: those are left out.
    fn set_hull_edges(&mut self, hull: &ConvexPolyhedron, bound: &Bound) {
        let slack = tolerances::SAME_DEPTH * self.radius;
        for edge in hull.edges() {
            let [Some(a), Some(b)] = edge.faces.map(|face| self.faces.get(face as usize)) else {
                continue;
            };
            let ends = edge.vertices.map(|end| &self.points[end as usize]);
            let sides = [a.normal, b.normal];
            let is_on = |face: &Face| ends.iter().all(|end| face.beyond(end) > -slack);
            if edge.faces[0] != edge.faces[1]
                && bound.is_reached(ends[0], &sides)
                && is_on(a)
                && is_on(b)
            {
                self.add_edge(edge.vertices, sides);
            }
        }
    }
}

/// The corners around the faces of a cuboid: -x, x, -y, y, -z, z. The bits of a corner's number say on which side of each
/// axis it is.
const CUBOID: [Step; 24] = {
    let mut steps = [Step { vertex: 0, edge: 0 }; 24];
    let mut k = 0;
    while k < 24 {
        let (axis, positive, place) = (k / 8, k / 4 % 2, k % 4);
        let [vertex, next] = [
            corner_of(axis, positive, place),
            corner_of(axis, positive, (place + 1) % 4),
        ];
        steps[k as usize] = Step {
            vertex,
            edge: (vertex ^ next) << 3 | vertex & next,
        };
        k += 1;
    }
    steps
};

/// The corner at a place around a face of a cuboid, anticlockwise from outside.
const fn corner_of(axis: u32, positive: u32, place: u32) -> u32 {
    let place = if positive == 1 { place } else { 3 - place };
    // (-, -), (+, -), (+, +), (-, +) along the two other axes.
    let [next, last] = [(place == 1 || place == 2) as u32, place / 2];
    positive << axis | next << ((axis + 1) % 3) | last << ((axis + 2) % 3)
}
